// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --privatize-atomics %s | FileCheck %s
// RUN: %unwarp_opt --privatize-atomics --privatize-atomics %s | FileCheck %s

// Elements of a thread each, as __restrict__ parameters say: each worker has a buffer of 1,024 after a head of 192 bytes.
// CHECK-LABEL: func.func @frontier
// CHECK-NOT: uwrt_object
// CHECK: %[[ANY:.*]] = arith.constant 9223372036854775807 : i64
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = "unwarp.queue"(%arg1, %[[ANY]], %arg2) {bits = 32 : i64, bytes = 4288 : i64, room = 1024 : i64, signed = 1 : i64, starts = array<i64: 192>, strides = array<i64: 4>}
// CHECK-NOT: unwarp.queue
// CHECK: %[[I:.*]] = arith.index_cast
// CHECK-NEXT: "unwarp.put"(%[[OWN]], %[[I]]) {place = 192 : i64, stride = 4 : i64}
// CHECK-NEXT: "unwarp.append"(%[[OWN]]) {room = 1024 : i64}
// CHECK-NOT: atomicrmw
// CHECK-NOT: llvm.store
// CHECK: return
func.func @frontier(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %unused = arith.index_cast %old : i32 to index
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Where nothing says that the objects differ the launch asks, and keeps the grid as it was beside the one with a buffer.
// CHECK-LABEL: func.func @asks
// CHECK: %[[COUNTER:.*]] = llvm.call @uwrt_object(%arg1)
// CHECK-DAG: %[[IN:.*]] = llvm.call @uwrt_object(%arg3)
// CHECK-DAG: %[[NEXT:.*]] = llvm.call @uwrt_object(%arg2)
// CHECK-DAG: arith.cmpi ne, %[[COUNTER]], %[[IN]]
// CHECK-DAG: arith.cmpi ne, %[[NEXT]], %[[IN]]
// CHECK-DAG: arith.cmpi ne, %[[NEXT]], %[[COUNTER]]
// CHECK: scf.if
// CHECK: "unwarp.queue"(%arg1
// CHECK: unwarp.append
// CHECK: } else {
// CHECK-NOT: unwarp.queue
// CHECK: llvm.atomicrmw add %arg1
// CHECK-NOT: unwarp.queue
// CHECK: return
func.func @asks(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %x = llvm.load %in : !llvm.ptr -> i32
      %old = llvm.atomicrmw add %size, %one monotonic : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %x, %to : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A bound, and unsigned slots. What the branch computes for the element leaves it; so does the load of what was loaded before.
// CHECK-LABEL: func.func @bounded
// CHECK: %[[BOUND:.*]] = arith.extui %arg4 : i32 to i64
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = "unwarp.queue"(%arg1, %[[BOUND]], %arg2) {{.*}}signed = 0
// CHECK: %[[X:.*]] = llvm.load %arg3
// CHECK-NOT: scf.if
// CHECK: %[[TWICE:.*]] = arith.addi %[[X]], %[[X]]
// CHECK: %[[AGAIN:.*]] = llvm.load %arg3
// CHECK: %[[BOTH:.*]] = arith.addi %[[TWICE]], %[[AGAIN]]
// CHECK: "unwarp.put"(%[[OWN]], %[[BOTH]])
// CHECK: "unwarp.append"(%[[OWN]])
// CHECK-NOT: scf.if
// CHECK: return
func.func @bounded(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %in: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %x = llvm.load %in {unwarp.restrict = 3 : i64} : !llvm.ptr -> i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %below = arith.cmpi uge, %old, %most : i32
      scf.if %below {
      } else {
        %slot = arith.extui %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %twice = arith.addi %x, %x : i32
        %again = llvm.load %in {unwarp.restrict = 3 : i64} : !llvm.ptr -> i32
        %both = arith.addi %twice, %again : i32
        llvm.store %both, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The slot that is the bound counts too: the bound is one more, in 64 bits.
// CHECK-LABEL: func.func @at_most
// CHECK: %[[WIDE:.*]] = arith.extsi %arg3 : i32 to i64
// CHECK: %[[MORE:.*]] = arith.addi %[[WIDE]], %{{.*}} : i64
// CHECK: "unwarp.queue"(%arg1, %[[MORE]], %arg2) {{.*}}signed = 1
// CHECK: unwarp.append
// CHECK-NOT: scf.if
// CHECK: return
func.func @at_most(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %below = arith.cmpi sle, %old, %most : i32
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The same the other way round, without sign.
// CHECK-LABEL: func.func @not_above
// CHECK: %[[WIDE:.*]] = arith.extui %arg3 : i32 to i64
// CHECK: %[[MORE:.*]] = arith.addi %[[WIDE]], %{{.*}} : i64
// CHECK: "unwarp.queue"(%arg1, %[[MORE]], %arg2) {{.*}}signed = 0
// CHECK: unwarp.append
// CHECK-NOT: scf.if
// CHECK: return
func.func @not_above(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %below = arith.cmpi ugt, %old, %most : i32
      scf.if %below {
      } else {
        %slot = arith.extui %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// The bound first: it is above the slot.
// CHECK-LABEL: func.func @above
// CHECK: %[[WIDE:.*]] = arith.extsi %arg3 : i32 to i64
// CHECK-NOT: arith.addi
// CHECK: "unwarp.queue"(%arg1, %[[WIDE]], %arg2) {{.*}}signed = 1
// CHECK: unwarp.append
// CHECK-NOT: scf.if
// CHECK: return
func.func @above(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %below = arith.cmpi sgt, %most, %old : i32
      scf.if %below {
        %slot = arith.extsi %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// And it is not above the slot, where there is no room.
// CHECK-LABEL: func.func @bound_at_most
// CHECK: %[[WIDE:.*]] = arith.extui %arg3 : i32 to i64
// CHECK-NOT: arith.addi
// CHECK: "unwarp.queue"(%arg1, %[[WIDE]], %arg2) {{.*}}signed = 0
// CHECK: unwarp.append
// CHECK-NOT: scf.if
// CHECK: return
func.func @bound_at_most(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %most: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %below = arith.cmpi ule, %most, %old : i32
      scf.if %below {
      } else {
        %slot = arith.extui %old : i32 to i64
        %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Structs and bytes, in two arrays: room for 481 of 17 bytes each, and the second part starts on a line of its own.
// CHECK-LABEL: func.func @structs
// CHECK: %[[OWN:.*]] = "unwarp.queue"(%arg1, %{{.*}}, %arg2, %arg3) {bits = 64 : i64, bytes = 8448 : i64, room = 481 : i64, signed = 0 : i64, starts = array<i64: 192, 7936>, strides = array<i64: 16, 1>}
// CHECK: "unwarp.put"(%[[OWN]], %{{.*}}) {place = 192 : i64, stride = 16 : i64} : (!llvm.ptr, i32)
// CHECK-NEXT: "unwarp.put"(%[[OWN]], %arg4) {place = 196 : i64, stride = 16 : i64}
// CHECK-NEXT: "unwarp.put"(%[[OWN]], %{{.*}}) {place = 7936 : i64, stride = 1 : i64} : (!llvm.ptr, i8)
// CHECK-NEXT: "unwarp.put"(%[[OWN]], %arg5) {place = 200 : i64, stride = 16 : i64}
// CHECK-NEXT: "unwarp.append"(%[[OWN]]) {room = 481 : i64}
// CHECK: return
func.func @structs(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %bytes: !llvm.ptr, %half: f32, %double: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %wide = arith.constant 1 : i64
      %old = llvm.atomicrmw add %size, %wide monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i64
      %to = llvm.getelementptr %next[%old] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, f32, f64)>
      llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      %second = llvm.getelementptr %to[4] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %half, %second {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
      %there = llvm.getelementptr %bytes[%old] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %byte = arith.trunci %i : i32 to i8
      llvm.store %byte, %there {unwarp.restrict = 3 : i64} : i8, !llvm.ptr
      %third = llvm.getelementptr %to[8] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %double, %third {unwarp.restrict = 2 : i64} : f64, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Two sites of a queue share a buffer, a third one has its own; a relaxed compare-and-swap elsewhere tells nobody anything.
// CHECK-LABEL: func.func @sites
// CHECK-DAG: %[[FIRST:.*]] = "unwarp.queue"(%arg1, %{{.*}}, %arg2)
// CHECK-DAG: %[[THIRD:.*]] = "unwarp.queue"(%arg3, %{{.*}}, %arg4)
// CHECK-NOT: unwarp.queue
// CHECK: llvm.cmpxchg
// CHECK: "unwarp.append"(%[[FIRST]])
// CHECK: "unwarp.append"(%[[FIRST]])
// CHECK: "unwarp.append"(%[[THIRD]])
// CHECK-NOT: atomicrmw
// CHECK: return
func.func @sites(%blocks: index, %size: !llvm.ptr, %next: !llvm.ptr, %size3: !llvm.ptr, %next3: !llvm.ptr, %flags: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %i = arith.index_cast %t : index to i32
      %all = arith.constant -1 : i32
      %seen = llvm.cmpxchg %flags, %one, %i monotonic monotonic {unwarp.restrict = 3 : i64} : !llvm.ptr, i32
      %old = llvm.atomicrmw add %size, %one monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %slot = arith.extsi %old : i32 to i64
      %to = llvm.getelementptr %next[%slot] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      %old2 = llvm.atomicrmw uinc_wrap %size, %all monotonic {unwarp.restrict = 1 : i64} : !llvm.ptr, i32
      %slot2 = arith.extsi %old2 : i32 to i64
      %to2 = llvm.getelementptr %next[%slot2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %one, %to2 {unwarp.restrict = 2 : i64} : i32, !llvm.ptr
      %old3 = llvm.atomicrmw add %size3, %one monotonic {unwarp.restrict = 4 : i64} : !llvm.ptr, i32
      %slot3 = arith.extsi %old3 : i32 to i64
      %to3 = llvm.getelementptr %next3[%slot3] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %i, %to3 {unwarp.restrict = 5 : i64} : i32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
