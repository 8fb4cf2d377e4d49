// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --privatize-atomics %s | FileCheck %s

// Every other slot stays empty.
// CHECK-LABEL: func.func @adds_two
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @adds_two(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %two = arith.constant 2 : i32
      %old = llvm.atomicrmw add %size, %two monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// An order is asked for.
// CHECK-LABEL: func.func @acquires
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @acquires(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one acq_rel : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Each block has a counter of its own.
// CHECK-LABEL: func.func @counter_of_block
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @counter_of_block(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %bi = arith.index_cast %b : index to i64
      %at = llvm.getelementptr %size[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %at, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Each block has an array of its own.
// CHECK-LABEL: func.func @array_of_block
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @array_of_block(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %bi = arith.index_cast %b : index to i64
      %own = llvm.getelementptr %next[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %own[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The slot is stored: others may find the element by it.
// CHECK-LABEL: func.func @keeps_slot
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @keeps_slot(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %kept: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      llvm.store %slot, %kept : i64, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The thread reads what it has there.
// CHECK-LABEL: func.func @reads_slot
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @reads_slot(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %again = llvm.load %to : !llvm.ptr -> i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Nothing is stored: a slot that is asked for, and left as it was.
// CHECK-LABEL: func.func @no_store
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @no_store(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The stores leave a half of each element out.
// CHECK-LABEL: func.func @every_other
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @every_other(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Of the two stores to the same address the last one counts, and the other half of the element stays.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @twice(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %i, %to : i32, !llvm.ptr
      llvm.store %one, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The slot is a signed integer for one array, and an unsigned one for the other.
// CHECK-LABEL: func.func @both_ways
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @both_ways(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %far = arith.extui %old : i32 to i64
      %there = llvm.getelementptr %other[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %there : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Some of the slots stay empty.
// CHECK-LABEL: func.func @under_condition
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @under_condition(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %some = arith.cmpi slt, %i, %one : i32
      scf.if %some {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The bound is each thread's.
// CHECK-LABEL: func.func @bound_of_thread
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @bound_of_thread(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below = arith.cmpi slt, %old, %i : i32
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A thread that finds no room says so.
// CHECK-LABEL: func.func @tells_full
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @tells_full(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %full: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below = arith.cmpi slt, %old, %most : i32
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
      } else {
        llvm.store %one, %full : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What is loaded below the bound may not be there otherwise.
// CHECK-LABEL: func.func @loads_below
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @loads_below(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %from: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below = arith.cmpi slt, %old, %most : i32
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %x = llvm.load %from : !llvm.ptr -> i32
        llvm.store %x, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The bound is compared unsigned, and the slot has one.
// CHECK-LABEL: func.func @compared_otherwise
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @compared_otherwise(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below = arith.cmpi ult, %old, %most : i32
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Only one slot is filled.
// CHECK-LABEL: func.func @is_slot
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @is_slot(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below = arith.cmpi eq, %old, %most : i32
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Two sites with bounds of their own: with the other one's slot, and without.
// CHECK-LABEL: func.func @two_bounds
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @two_bounds(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old1 = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below1 = arith.cmpi slt, %old1, %most : i32
      scf.if %below1 {
        %slot1 = arith.extsi %old1 : i32 to i64
        %to1 = llvm.getelementptr %next[%slot1] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to1 : i32, !llvm.ptr
      }
      %old2 = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below2 = arith.cmpi sle, %old2, %most : i32
      scf.if %below2 {
        %slot2 = arith.extsi %old2 : i32 to i64
        %to2 = llvm.getelementptr %next[%slot2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to2 : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// One more than the bound may be no integer of 64 bits.
// CHECK-LABEL: func.func @widest_bound
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @widest_bound(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %wide = arith.constant 1 : i64
      %old = llvm.atomicrmw add %size, %wide monotonic : !llvm.ptr, i64
      %below = arith.cmpi sle, %old, %most : i64
      scf.if %below {
        %to = llvm.getelementptr %next[%old] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Whether there was room is kept.
// CHECK-LABEL: func.func @bound_kept
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @bound_kept(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %full: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %below = arith.cmpi slt, %old, %most : i32
      llvm.store %below, %full : i1, !llvm.ptr
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Two sites of a counter fill different arrays: the order among a thread's elements would be lost.
// CHECK-LABEL: func.func @other_array
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @other_array(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %old2 = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot2 = arith.extsi %old2 : i32 to i64
      %to2 = llvm.getelementptr %other[%slot2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to2 : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Another append stands between the operation and its store.
// CHECK-LABEL: func.func @between
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @between(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %old2 = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot2 = arith.extsi %old2 : i32 to i64
      %to2 = llvm.getelementptr %next[%slot2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to2 : i32, !llvm.ptr
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The counter is read.
// CHECK-LABEL: func.func @reads_counter
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @reads_counter(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %now = llvm.load %size : !llvm.ptr -> i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %now, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The counter is counted down elsewhere.
// CHECK-LABEL: func.func @counts_otherwise
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @counts_otherwise(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %old2 = llvm.atomicrmw sub %size, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The array is read.
// CHECK-LABEL: func.func @reads_array
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @reads_array(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %x = llvm.load %next : !llvm.ptr -> i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %x, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What is read comes from memory, and may be the array: nobody can ask before the launch.
// CHECK-LABEL: func.func @reads_anywhere
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @reads_anywhere(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %table: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %p = llvm.load %table : !llvm.ptr -> !llvm.ptr
      %x = llvm.load %p : !llvm.ptr -> i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %x, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The counter lies in the array.
// CHECK-LABEL: func.func @counter_in_array
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @counter_in_array(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %next, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A fence tells other blocks that the element is there.
// CHECK-LABEL: func.func @fence
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @fence(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      llvm.fence seq_cst
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// So does, as programs have it, a volatile store.
// CHECK-LABEL: func.func @volatile_flag
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @volatile_flag(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      llvm.store volatile %one, %other : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The element is for whoever looks.
// CHECK-LABEL: func.func @volatile_element
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @volatile_element(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store volatile %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// An atomic operation in order tells, too.
// CHECK-LABEL: func.func @releases
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @releases(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %done = llvm.atomicrmw add %other, %one release : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// So does a compare-and-swap in order.
// CHECK-LABEL: func.func @swaps_in_order
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @swaps_in_order(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %other: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      %done = llvm.cmpxchg %other, %one, %i seq_cst monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A call may ask for anything.
// CHECK-LABEL: func.func @calls
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @calls(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
      llvm.call @elsewhere() : () -> ()
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Several workers have a block: the order between its phases would be lost.
// CHECK-LABEL: func.func @team
// CHECK-NOT: unwarp.{{queue|put|append}}
// CHECK: return
func.func @team(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>], unwarp.team}
  return
}

llvm.func @elsewhere()
