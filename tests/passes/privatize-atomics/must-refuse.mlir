// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --privatize-atomics %s | FileCheck %s

// The result is used: it numbers what the block does.
// CHECK-LABEL: func.func @used
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @used(%blocks: index, %total: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
      %old2 = llvm.atomicrmw add %to, %old monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What is read after it may be the address.
// CHECK-LABEL: func.func @read_after
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @read_after(%blocks: index, %total: !llvm.ptr, %other: !llvm.ptr, %mine: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
      %x = llvm.load %other : !llvm.ptr -> i32
      llvm.store %x, %mine : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// In a loop, what is read before is read after too.
// CHECK-LABEL: func.func @read_in_loop
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @read_in_loop(%blocks: index, %total: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      scf.for %k = %c0 to %c128 step %c1 {
        %x = llvm.load %other : !llvm.ptr -> i32
        %old = llvm.atomicrmw add %to, %x monotonic : !llvm.ptr, i32
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A fence tells other blocks that the value is there.
// CHECK-LABEL: func.func @fence
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @fence(%blocks: index, %total: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.fence seq_cst
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// So does, as programs have it, a volatile store.
// CHECK-LABEL: func.func @volatile_flag
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @volatile_flag(%blocks: index, %total: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store volatile %one, %other : i32, !llvm.ptr
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// So does an atomic operation that tells which block is the last.
// CHECK-LABEL: func.func @ticket
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @ticket(%blocks: index, %total: !llvm.ptr, %ticket: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %number = llvm.atomicrmw add %ticket, %one monotonic : !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %number monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// An order is asked for.
// CHECK-LABEL: func.func @acquires
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @acquires(%blocks: index, %total: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %one acq_rel : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The order of additions and exclusive ors matters, and the addresses may be the same.
// CHECK-LABEL: func.func @two_kinds
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @two_kinds(%blocks: index, %total: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
      %old2 = llvm.atomicrmw _xor %other, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Which addresses these are is not known.
// CHECK-LABEL: func.func @anywhere
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @anywhere(%blocks: index, %total: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %n = llvm.load %other : !llvm.ptr -> i32
      %far = arith.extui %n : i32 to i64
      %there = llvm.getelementptr %total[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %there, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Each block has addresses of its own.
// CHECK-LABEL: func.func @of_blocks
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @of_blocks(%blocks: index, %total: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %bi = arith.index_cast %b : index to i64
      %there = llvm.getelementptr %total[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %there, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What lies before the address is not covered.
// CHECK-LABEL: func.func @negative
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @negative(%blocks: index, %total: !llvm.ptr, %far: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %less = arith.subi %i, %far : i64
      %there = llvm.getelementptr %total[%less] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %there, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The address is no whole number of elements away.
// CHECK-LABEL: func.func @askew
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @askew(%blocks: index, %total: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %there = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
      %old = llvm.atomicrmw add %there, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A call may ask for anything.
// CHECK-LABEL: func.func @calls
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @calls(%blocks: index, %total: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 5.000000e-01 : f32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i64
      %to = llvm.getelementptr %total[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.call @elsewhere() : () -> ()
      %old = llvm.atomicrmw add %to, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

llvm.func @elsewhere()
