// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that stay: the iterations are not known, there are too many, there is no barrier, or nothing is gained.
// RUN: %unwarp_opt --full-unroll %s | FileCheck %s

func.func private @use(i32)

// CHECK-LABEL: @unknown_start(
// CHECK:       scf.while
func.func @unknown_start(%n: index, %start: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    scf.while (%s = %start) : (i32) -> i32 {
      %more = arith.cmpi sgt, %s, %zero : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %half = arith.shrsi %s, %one : i32
      scf.yield %half : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The first iterations are known, but what is loaded ends the loop.
// CHECK-LABEL: @loaded(
// CHECK:       scf.while
func.func @loaded(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    scf.while (%s = %one) : (i32) -> i32 {
      %more = arith.cmpi sgt, %s, %zero : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = llvm.load %p : !llvm.ptr -> i32
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @endless(
// CHECK:       scf.while
func.func @endless(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    scf.while (%s = %one) : (i32) -> i32 {
      scf.condition(%true) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %s : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @long(
// CHECK:       scf.for %
func.func @long(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c65 step %c1 {
      %own = arith.addi %t, %i : index
      %k = arith.index_cast %own : index to i32
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: @plain(
// CHECK:       scf.for %
func.func @plain(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c2 step %c1 {
      func.call @use(%one) : (i32) -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The iterations step what is the same for all threads.
// CHECK-LABEL: @uniform(
// CHECK:       scf.for %
func.func @uniform(%n: index, %from: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c3 step %c1 {
      %box = arith.addi %from, %i : index
      %own = arith.addi %box, %t : index
      %k = arith.index_cast %own : index to i32
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A loop in the body stays.
// CHECK-LABEL: @inner(
// CHECK:       scf.for %
// CHECK:       scf.for %
// CHECK-NOT:   scf.for %
func.func @inner(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c3 step %c1 {
      %own = arith.addi %t, %i : index
      %k = arith.index_cast %own : index to i32
      scf.for %j = %c0 to %m step %c1 {
        func.call @use(%k) : (i32) -> ()
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// How many iterations there are is known to the caller only.
// CHECK-LABEL: @unknown_end(
// CHECK:       scf.for %
func.func @unknown_end(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %m step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The end is a constant, but no integer.
// CHECK-LABEL: @poison_end(
// CHECK:       scf.for %
func.func @poison_end(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = ub.poison : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %end step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Compared as unsigned integers, the end lies far away; with sign there is no iteration.
// CHECK-LABEL: @unsigned(
// CHECK:       scf.for unsigned %
func.func @unsigned(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant -1 : i32
  scf.forall (%t) in (%n) {
    scf.for unsigned %i = %zero to %end step %one : i32 {
      func.call @use(%i) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// A step of 0 never ends.
// CHECK-LABEL: @no_step(
// CHECK:       scf.for %
func.func @no_step(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c1 step %c0 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Whether the loop goes on depends on a branch that is not known.
// CHECK-LABEL: @unknown_branch(
// CHECK:       scf.while
func.func @unknown_branch(%n: index, %known: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    scf.while (%s = %zero) : (i32) -> i32 {
      %more = scf.if %known -> i1 {
        %small = arith.cmpi slt, %s, %one : i32
        scf.yield %small : i1
      } else {
        %smaller = arith.cmpi slt, %s, %zero : i32
        scf.yield %smaller : i1
      }
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = arith.addi %s, %one : i32
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same where the condition of the branch is a constant, but neither true nor false.
// CHECK-LABEL: @poison_branch(
// CHECK:       scf.while
func.func @poison_branch(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %neither = ub.poison : i1
  scf.forall (%t) in (%n) {
    scf.while (%s = %zero) : (i32) -> i32 {
      %more = scf.if %neither -> i1 {
        %small = arith.cmpi slt, %s, %one : i32
        scf.yield %small : i1
      } else {
        %smaller = arith.cmpi slt, %s, %zero : i32
        scf.yield %smaller : i1
      }
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = arith.addi %s, %one : i32
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same for the condition of the loop.
// CHECK-LABEL: @poison_condition(
// CHECK:       scf.while
func.func @poison_condition(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    scf.while (%s = %zero) : (i32) -> i32 {
      %more = ub.poison : i1
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = arith.addi %s, %one : i32
      scf.yield %next : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The barrier stands beside the loop.
// CHECK-LABEL: @beside(
// CHECK:       scf.for %
func.func @beside(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c3 step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// A constant and what differs from thread to thread are handed on side by side, and meet nowhere.
// CHECK-LABEL: @handed_on(
// CHECK:       scf.while
func.func @handed_on(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.forall (%t) in (%n) {
    %own = arith.index_cast %t : index to i32
    %r:2 = scf.while (%s = %two, %x = %own) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %s, %zero : i32
      scf.condition(%more) %s, %x : i32, i32
    } do {
    ^bb0(%s: i32, %x: i32):
      "unwarp.barrier"() {level = "block"} : () -> ()
      %next = arith.subi %s, %one : i32
      scf.yield %next, %x : i32, i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// 64 iterations of 10 operations are too many.
// CHECK-LABEL: @many(
// CHECK:       scf.for %
func.func @many(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c64 step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Two loops of 550 operations are unrolled, a third is too much for one kernel.
// CHECK-LABEL: @third(
// CHECK-COUNT-1: scf.for %
// CHECK-NOT:   scf.for %
func.func @third(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c55 = arith.constant 55 : index
  scf.forall (%t) in (%n) {
    scf.for %i = %c0 to %c55 step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    scf.for %i = %c0 to %c55 step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
    scf.for %i = %c0 to %c55 step %c1 {
      %next = arith.addi %t, %i : index
      %k = arith.index_cast %next : index to i32
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      func.call @use(%k) : (i32) -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
