// RUN: %unwarp_opt --forward-stores %s | FileCheck %s

// Nothing is forwarded, dropped or made private here: another thread may write the address in between; all threads elect a
// value at one address; a call in between could write; the store is atomic; the address is read by a neighbour before it is overwritten; the
// load is volatile; the loop's next iteration writes; what was loaded may be overwritten after the barrier, or by another block that waits for an atomic.

// CHECK-LABEL: func.func @neighbour_writes
// CHECK-COUNT-2: llvm.store
// CHECK: unwarp.barrier
// CHECK: llvm.load
// CHECK-LABEL: func.func @election
// CHECK: unwarp.shared
// CHECK: llvm.store
// CHECK: unwarp.barrier
// CHECK: llvm.load
// CHECK-LABEL: func.func @call_between
// CHECK: llvm.store
// CHECK: llvm.load
// CHECK-LABEL: func.func @atomic_between
// CHECK: llvm.store
// CHECK: llvm.atomicrmw
// CHECK: llvm.load
// CHECK-LABEL: func.func @neighbour_reads
// CHECK: llvm.store
// CHECK: unwarp.barrier
// CHECK: llvm.load
// CHECK: unwarp.barrier
// CHECK: llvm.store
// CHECK-LABEL: func.func @volatile_load
// CHECK: unwarp.shared
// CHECK: llvm.store
// CHECK: llvm.load volatile
// CHECK-LABEL: func.func @next_iteration
// CHECK: llvm.store
// CHECK: scf.for %
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK-LABEL: func.func @pointer_stored
// CHECK: unwarp.shared
// CHECK: llvm.store
// CHECK-LABEL: func.func @delay_past_write
// CHECK: llvm.load
// CHECK: unwarp.barrier
// CHECK: llvm.store
// CHECK: arith.addf
// CHECK-LABEL: func.func @delay_past_atomic
// CHECK: llvm.load
// CHECK: llvm.atomicrmw
// CHECK: arith.addf
llvm.func @other()
func.func @neighbour_writes(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.store %x, %next : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @election(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(8 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    llvm.store %ti, %s : i64, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> i64
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %y, %to : i64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @call_between(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %own, %out : !llvm.ptr, !llvm.ptr
    llvm.store %x, %own : f32, !llvm.ptr
    llvm.call @other() : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @atomic_between(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %old = llvm.atomicrmw fadd %s, %x monotonic : !llvm.ptr, f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %own : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @neighbour_reads(%x: f32, %z: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %next : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    llvm.store %z, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %next : !llvm.ptr -> f32
    %sum = arith.addf %y, %v : f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @volatile_load(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    %y = llvm.load volatile %own : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @next_iteration(%x: f32, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %y = llvm.load %own : !llvm.ptr -> f32
      %z = arith.addf %y, %x : f32
      llvm.store %z, %own : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %v = llvm.load %next : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @pointer_stored(%x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %where = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    llvm.store %own, %where : !llvm.ptr, !llvm.ptr
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %p = llvm.load %out : !llvm.ptr -> !llvm.ptr
    %y = llvm.load %p : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @delay_past_write(%q: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %next : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %one = arith.constant 1.0 : f32
    llvm.store %one, %own : f32, !llvm.ptr
    %z = arith.addf %y, %one : f32
    llvm.store %z, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @delay_past_atomic(%q: !llvm.ptr, %done: !llvm.ptr, %x: f32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %from = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %old = llvm.atomicrmw add %done, %one monotonic {unwarp.restrict = 2 : i64} : !llvm.ptr, i32
    %z = arith.addf %y, %x : f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %z, %to {unwarp.restrict = 3 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
