// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores that stay: the value of the store is not what the load gets, or somebody else reads it.
// RUN: %unwarp_opt --forward-stores %s | FileCheck %s

// The load takes the same bytes for another type.
// CHECK-LABEL: @other_type(
// CHECK:       llvm.store
// CHECK:       llvm.load
func.func @other_type(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> i32
    llvm.store %y, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The thread itself may write the address in between.
// CHECK-LABEL: @own_write(
// CHECK-COUNT-2: llvm.store
// CHECK:       llvm.load
func.func @own_write(%x: f32, %number: i64, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %any = llvm.getelementptr %own[%number] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    %twice = arith.addf %x, %x : f32
    llvm.store %twice, %any : f32, !llvm.ptr
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The load stands in front of the store, in every iteration of a loop.
// CHECK-LABEL: @load_first(
// CHECK:       scf.for %
// CHECK:       llvm.load
// CHECK:       llvm.store
// CHECK:       llvm.store
func.func @load_first(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %k = %c0 to %c8 step %c1 {
      %y = llvm.load %own : !llvm.ptr -> f32
      llvm.store %y, %to : f32, !llvm.ptr
      %z = arith.addf %y, %x : f32
      llvm.store %z, %own : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %v = llvm.load %next : !llvm.ptr -> f32
    llvm.store %v, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same without a loop, with a constant.
// CHECK-LABEL: @constant_first(
// CHECK:       llvm.load
func.func @constant_first(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %one = arith.constant 1.0 : f32
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %one, %own : f32, !llvm.ptr
    llvm.store %y, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %v = llvm.load %next : !llvm.ptr -> f32
    llvm.store %v, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Only some threads come by the store, which lies in a branch.
// CHECK-LABEL: @in_a_branch(
// CHECK-COUNT-2: llvm.store
// CHECK:       llvm.load
func.func @in_a_branch(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %low = arith.cmpi ult, %t, %c8 : index
    %one = arith.constant 1.0 : f32
    scf.if %low {
      llvm.store %one, %own : f32, !llvm.ptr
    }
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// What reads the value back is an atomic operation, which also writes.
// CHECK-LABEL: @atomic_on_the_place(
// CHECK:       llvm.store
// CHECK:       llvm.atomicrmw
func.func @atomic_on_the_place(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    %old = llvm.atomicrmw fadd %own, %x monotonic : !llvm.ptr, f32
    llvm.store %old, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %next : !llvm.ptr -> f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Threads of the warp write in the other branch what is then read in this one.
// CHECK-LABEL: @other_branch_writes(
// CHECK:       llvm.store
// CHECK:       llvm.load
func.func @other_branch_writes(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %bit = arith.andi %t, %c1 : index
    %even = arith.cmpi eq, %bit, %c0 : index
    %before = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
    scf.if %even {
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "warp"} : () -> ()
      "unwarp.barrier"() {level = "warp"} : () -> ()
      %y = llvm.load %own : !llvm.ptr -> f32
      llvm.store %y, %to : f32, !llvm.ptr
    } else {
      "unwarp.barrier"() {level = "warp"} : () -> ()
      %twice = arith.addf %x, %x : f32
      llvm.store %twice, %before : f32, !llvm.ptr
      "unwarp.barrier"() {level = "warp"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Threads of the warp read in the other branch what was stored in this one.
// CHECK-LABEL: @other_branch_reads(
// CHECK:       llvm.store
// CHECK:       llvm.load
func.func @other_branch_reads(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %bit = arith.andi %t, %c1 : index
    %even = arith.cmpi eq, %bit, %c0 : index
    %before = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
    scf.if %even {
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "warp"} : () -> ()
    } else {
      "unwarp.barrier"() {level = "warp"} : () -> ()
      %y = llvm.load %before : !llvm.ptr -> f32
      llvm.store %y, %to : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The next iteration of the loop reads what this one stores.
// CHECK-LABEL: @next_iteration(
// CHECK:       scf.for %
// CHECK:       llvm.load
// CHECK-COUNT-2: llvm.store
func.func @next_iteration(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    scf.for %k = %c0 to %c8 step %c1 {
      %y = llvm.load %own : !llvm.ptr -> f32
      %z = arith.addf %y, %x : f32
      llvm.store %z, %own : f32, !llvm.ptr
      llvm.store %z, %to : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same in a while loop.
// CHECK-LABEL: @next_iteration_of_while(
// CHECK:       llvm.store
// CHECK:       scf.while
// CHECK:       llvm.load
// CHECK:       llvm.store
func.func @next_iteration_of_while(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    scf.while (%k = %c0) : (index) -> (index) {
      %y = llvm.load %own : !llvm.ptr -> f32
      %big = arith.cmpf ogt, %y, %x : f32
      scf.condition(%big) %k : index
    } do {
    ^bb0(%k: index):
      %next_k = arith.addi %k, %c1 : index
      %count = arith.index_cast %next_k : index to i32
      %z = arith.uitofp %count : i32 to f32
      llvm.store %z, %own : f32, !llvm.ptr
      scf.yield %next_k : index
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The store is read by another thread only, after the second barrier.
// CHECK-LABEL: @read_by_another(
// CHECK:       llvm.store
// CHECK-NEXT:  "unwarp.barrier"
func.func @read_by_another(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    llvm.store %y, %to : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %z = llvm.load %next : !llvm.ptr -> f32
    llvm.store %z, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Another loop over the threads reads what the first one stored.
// CHECK-LABEL: @read_by_a_second_loop(
// CHECK:       llvm.store
// CHECK:       llvm.load
func.func @read_by_a_second_loop(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%u) in (%c32) {
    %ui = arith.index_castui %u : index to i64
    %from = llvm.getelementptr %s[%ui] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %from : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ui] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same, through an address that is computed between the two.
// CHECK-LABEL: @read_through_a_place(
// CHECK:       llvm.store
// CHECK:       llvm.load
func.func @read_through_a_place(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  %half = llvm.getelementptr %s[16] : (!llvm.ptr) -> !llvm.ptr, f32
  scf.forall (%u) in (%c16) {
    %ui = arith.index_castui %u : index to i64
    %from = llvm.getelementptr %half[%ui] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %from : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ui] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
