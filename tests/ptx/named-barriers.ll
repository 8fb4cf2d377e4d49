; Barriers of a part of the block in NVVM IR: the counts are set to zero, all meet, and a call is a loop that waits.
; RUN: %unwarp -O2 --emit=nvvm %s -o - | FileCheck %s
; CHECK: define {{.*}}@parts
; CHECK: store i64 0, ptr addrspace(3) @__ptx_named_barriers
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: barrier.cta.{{.*}}.count
; CHECK: load volatile i32, ptr addrspace(3) getelementptr {{.*}}@__ptx_named_barriers
; CHECK-NOT: barrier.cta.{{.*}}.count
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @parts(ptr addrspace(1) %out) {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %upper = icmp ugt i32 %t, 63
  br i1 %upper, label %second, label %first

first:
  %few = icmp ult i32 %t, 5
  %n = tail call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.count(i32 1, i32 64, i1 %few)
  store i32 %n, ptr addrspace(1) %out, align 4
  ret void

second:
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 32)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.count(i32, i32, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
