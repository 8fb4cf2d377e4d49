// RUN: %unwarp_opt --software-prefetch %s | FileCheck %s
// RUN: %unwarp_opt --software-prefetch --software-prefetch %s | FileCheck %s

// A block goes over an array in the width of the grid: the lines of a row of 256 floats are fetched three iterations ahead, unless the
// block reaches over little. Nothing is fetched where iterations lie behind each other, of memory of the
// block, of columns, of what is written, and outside of loops.

// CHECK-LABEL: func.func @sum
// CHECK: %[[REACH:.*]] = arith.subi %[[N:.*]], %[[FIRST:.*]] : index
// CHECK: %[[BYTES:.*]] = arith.muli %[[REACH]], %c4
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %[[BYTES]], %c2097152
// CHECK: %[[FAR:.*]] = arith.muli %{{.*}}, %c12_i64 : i64
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[N]]
// CHECK: scf.if %[[LARGE]]
// CHECK: scf.for %[[LINE:.*]] = %c0{{.*}} to %c256{{.*}} step %c16
// CHECK: arith.addi %[[I]], %[[LINE]]
// CHECK: %[[OWN:.*]] = llvm.getelementptr
// CHECK: %[[LATER:.*]] = llvm.getelementptr %[[OWN]][%[[FAR]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: "llvm.intr.prefetch"(%[[LATER]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK-LABEL: func.func @unknown
// CHECK: scf.for %
// CHECK: scf.for %
// CHECK: "llvm.intr.prefetch"
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK-LABEL: func.func @none
// CHECK-NOT: prefetch
func.func @sum(%n: index, %first: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %grid = arith.constant 262144 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %first to %n step %grid {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %s = llvm.getelementptr %slot[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %old = llvm.load %s : !llvm.ptr -> f32
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %sum = arith.addf %old, %v : f32
      llvm.store %sum, %s : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}

func.func @unknown(%n: index, %first: index, %width: i32, %blocks: i32, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %wide = arith.muli %width, %blocks : i32
  %cast = arith.index_cast %wide : i32 to index
  %grid = arith.maxsi %cast, %c1 : index
  %row = arith.index_cast %width : i32 to index
  scf.for %i = %first to %n step %grid {
    scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %b = llvm.getelementptr %out[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %b : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}

func.func @none(%n: index, %first: index, %width: i64, %row: index, %in: !llvm.ptr, %list: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %grid = arith.constant 262144 : index
  %bytes = llvm.mlir.constant(1048576 : i64) : i64
  %shared = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %first to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      llvm.store %v, %a : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  scf.for %i = %first to %n step %row {
    scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      llvm.store %v, %a : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  scf.for %i = %first to %n step %grid {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %shared[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %column = arith.muli %atl, %width : i64
      %b = llvm.getelementptr %in[%column] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %w = llvm.load %b : !llvm.ptr -> f32
      %c = llvm.getelementptr %list[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %w, %c : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
    %atl = arith.index_cast %x : index to i64
    %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %a : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
