; An alloca of a constant size in a loop is local memory of the function, as in NVVM IR, not more memory in each iteration.
; RUN: %unwarp --emit=nvvm %s | FileCheck %s
; RUN: %unwarp -c %s -o %t.o

; CHECK: define {{.*}}ptx_kernel void @k
; CHECK: entry:
; CHECK: = alloca [4 x i32]
; CHECK: loop:
; CHECK-NOT: alloca
; CHECK: }
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %room = alloca [4 x i32]
  %at = getelementptr i32, ptr %room, i32 %i
  store volatile i32 %i, ptr %at
  %v = load volatile i32, ptr %room
  store i32 %v, ptr %p
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
