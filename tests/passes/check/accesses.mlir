// RUN: %unwarp_opt --check %s | FileCheck %s
// RUN: %unwarp_opt --check --check %s | FileCheck %s

// Each access and each barrier of a kernel is told of, with the block and the thread; shared memory has room after it. What a thread has for itself and
// the launch's parameters are left alone. Twice is once.

// CHECK: llvm.mlir.global {{.*}}@__unwarp_check_table("4 4 shared s\0A
// CHECK: llvm.mlir.global {{.*}}@__unwarp_check_known
// CHECK-LABEL: func.func @entry
// CHECK: %[[FIRST:.*]] = llvm.call @uwrt_check_sites
// CHECK: llvm.call @uwrt_enter_block
// CHECK: %[[STATE:.*]] = llvm.call @uwrt_check_block
// CHECK: %[[BYTES:.*]] = arith.constant 384 : i64
// CHECK: %[[S:.*]] = "unwarp.shared"(%[[BYTES]]) {{.*}}unwarp.checked
// CHECK: llvm.call @uwrt_check_shared(%[[STATE]], %[[S]]
// CHECK: scf.forall
// CHECK: llvm.call @__unwarp_check_object(%[[STATE]], %[[P:[^,]*]], {{.*}}%[[S]]
// CHECK: llvm.call @__unwarp_check_shared_store4(%[[STATE]], %[[P]]
// CHECK: llvm.store %{{.*}}, %[[P]]
// CHECK: llvm.call @__unwarp_check_arrive(%[[STATE]]
// CHECK-NEXT: unwarp.barrier
// CHECK-NEXT: llvm.call @__unwarp_check_pass(%[[STATE]]
// CHECK: llvm.call @__unwarp_check_load4(%[[STATE]], %[[Q:[^,]*]],
// CHECK-NEXT: llvm.load %[[Q]]
// CHECK: llvm.call @__unwarp_check_atomic4(%[[STATE]], %[[Q]]
// CHECK-NEXT: llvm.atomicrmw
// CHECK: llvm.call @uwrt_check_block_end(%[[STATE]])
// CHECK-NOT: uwrt_check_block
module attributes {unwarp.check = 31 : i32} {
  llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
  func.func @entry(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %q = llvm.load %place : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c32) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      %bytes = arith.constant 128 : i64
      %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
        %i = arith.index_castui %x : index to i64
        %one = arith.constant 1 : i32
        %p = llvm.getelementptr %s[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %one, %p {alignment = 4 : i64} : i32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %v = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> i32
        %w = llvm.atomicrmw add %q, %v monotonic : !llvm.ptr, i32
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
}
