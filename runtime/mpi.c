/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device memory is the process's own, so any MPI takes device pointers. Programs ask MPI whether it does, and an MPI that was built without CUDA says no: where both are linked into a
 * program, this answer comes first. Weak, for programs that have an answer of their own.
 */
__attribute__((weak, visibility("default"))) int MPIX_Query_cuda_support(void) { return 1; }
