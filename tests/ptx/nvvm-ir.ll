; NVVM IR as other compilers hand it to libnvvm, kernels by metadata.
; RUN: %unwarp --emit=nvvm %s | FileCheck %s
; RUN: %unwarp -c %s -o %t.o && nm %t.o | FileCheck --check-prefix=SYMBOLS %s
; SYMBOLS: B add

; CHECK: define {{.*}}ptx_kernel void @add(ptr addrspace(1) %p, i32 %n)
target triple = "nvptx64-nvidia-cuda"

define void @add(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %a, label %b
a:
  %i = sext i32 %t to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %v = load i32, ptr addrspace(1) %q
  %w = add i32 %v, %t
  store i32 %w, ptr addrspace(1) %q
  br label %b
b:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @add, !"kernel", i32 1}
