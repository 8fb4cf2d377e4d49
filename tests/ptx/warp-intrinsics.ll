; Shuffles, votes and matches as NVVM IR has them: a constant says which, a pair comes back.
; RUN: %unwarp -ptx %s -o - | FileCheck %s
; RUN: sed 's/i32 %m, i32 2, i1/i32 %m, i32 7, i1/' %s > %t.ll && not %unwarp -c %t.ll -o %t.o 2>&1 | FileCheck --check-prefix=MODE %s
; MODE: error: 'llvm.nvvm.vote.sync' is not called as the specification of NVVM IR has it
; RUN: %unwarp -c -march=x86-64-v3 %s -o %t.o
; CHECK-DAG: shfl.sync.idx.b32 {{.*}}|
; CHECK-DAG: shfl.sync.up.b32 {{.*}}|
; CHECK-DAG: shfl.sync.down.b32 {{.*}}|
; CHECK-DAG: shfl.sync.bfly.b32 {{.*}}|
; CHECK-DAG: vote.sync.all.pred
; CHECK-DAG: vote.sync.any.pred
; CHECK-DAG: vote.sync.uni.pred
; CHECK-DAG: vote.sync.ballot.b32
; CHECK-DAG: match.all.sync.b32
; CHECK-DAG: match.all.sync.b64
target triple = "nvptx64-nvidia-cuda"

define void @k(ptr %p, i32 %m, i32 %v) {
  %s0 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 %m, i32 0, i32 %v, i32 1, i32 31)
  %s1 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 %m, i32 1, i32 %v, i32 2, i32 0)
  %s2 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 %m, i32 2, i32 %v, i32 3, i32 31)
  %s3 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 %m, i32 3, i32 %v, i32 4, i32 31)
  %t = icmp sgt i32 %v, 0
  %v0 = call {i32, i1} @llvm.nvvm.vote.sync(i32 %m, i32 0, i1 %t)
  %v1 = call {i32, i1} @llvm.nvvm.vote.sync(i32 %m, i32 1, i1 %t)
  %v2 = call {i32, i1} @llvm.nvvm.vote.sync(i32 %m, i32 2, i1 %t)
  %v3 = call {i32, i1} @llvm.nvvm.vote.sync(i32 %m, i32 3, i1 %t)
  %m0 = call {i32, i1} @llvm.nvvm.match.all.sync.i32(i32 %m, i32 %v)
  %w = sext i32 %v to i64
  %m1 = call {i32, i1} @llvm.nvvm.match.all.sync.i64(i32 %m, i64 %w)
  %a0 = extractvalue {i32, i1} %s0, 0
  %a1 = extractvalue {i32, i1} %s1, 0
  %a2 = extractvalue {i32, i1} %s2, 0
  %a3 = extractvalue {i32, i1} %s3, 0
  %b0 = extractvalue {i32, i1} %v0, 1
  %b1 = extractvalue {i32, i1} %v1, 1
  %b2 = extractvalue {i32, i1} %v2, 1
  %b3 = extractvalue {i32, i1} %v3, 0
  %c0 = extractvalue {i32, i1} %m0, 0
  %c1 = extractvalue {i32, i1} %m1, 0
  %d1 = add i32 %a0, %a1
  %d2 = add i32 %d1, %a2
  %d3 = add i32 %d2, %a3
  %e0 = zext i1 %b0 to i32
  %e1 = zext i1 %b1 to i32
  %e2 = zext i1 %b2 to i32
  %d4 = add i32 %d3, %e0
  %d5 = add i32 %d4, %e1
  %d6 = add i32 %d5, %e2
  %d7 = add i32 %d6, %b3
  %d8 = add i32 %d7, %c0
  %d9 = add i32 %d8, %c1
  store i32 %d9, ptr %p
  ret void
}
declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.vote.sync(i32, i32, i1)
declare {i32, i1} @llvm.nvvm.match.all.sync.i32(i32, i32)
declare {i32, i1} @llvm.nvvm.match.all.sync.i64(i32, i64)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
