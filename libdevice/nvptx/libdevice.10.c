/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The libdevice that other compilers link with what they make PTX of (nvvm/libdevice/libdevice.10.bc). Its functions
 * are left out but for one: so their calls stay calls in the PTX, and become this processor's where that is compiled,
 * vectors among them. Ours in their place would be code for this processor with LLVM's own functions of mathematics in
 * it, for which LLVM has no code on a GPU. The one is there so that the module is known for what it is. */
int __nv_abs(int x) { return x < 0 ? -x : x; }
