; Another compiler links libdevice with a kernel and makes PTX of that: calls stay calls, which become this processor's.
; RUN: llvm-link %s %build/nvvm/libdevice/libdevice.10.bc --only-needed -o %t.bc && llc %t.bc -mcpu=sm_80 -o %t.ptx
; RUN: FileCheck --check-prefix=PTX %s < %t.ptx
; PTX: call{{.*}}__nv_exp
; RUN: %unwarp -cubin %t.ptx -o %t.o && test -s %t.o
; RUN: %unwarp --emit=nvvm %t.ptx | FileCheck %s
; CHECK-LABEL: define {{.*}}@kernel(
; CHECK-NOT: declare {{.*}}@__nv_exp
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr %x) {
  %old = load double, ptr %x
  %new = call double @__nv_exp(double %old)
  store double %new, ptr %x
  ret void
}
declare double @__nv_exp(double)
