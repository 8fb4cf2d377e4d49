// RUN: %unwarp_opt --distribute-blocks %s | FileCheck %s

// Threads without a loop, with a barrier, with shared memory, or that call what may ask where they run stay together.
// CHECK-NOT: uwrt_slices

func.func @straight_line(%blocks: index, %columns: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%block) in (%blocks) {
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %xi, %at : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @barrier(%blocks: index, %columns: index, %p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%block) in (%blocks) {
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %at : i32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @shared_memory(%blocks: index, %columns: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%blocks) {
    %p = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %at = llvm.getelementptr %p[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %at : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @asks_for_its_place(%blocks: index, %columns: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%block) in (%blocks) {
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      scf.for %i = %c0 to %n step %c1 {
        %p = llvm.call @uwrt_context() : () -> !llvm.ptr
        llvm.store %xi, %p : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
llvm.func @uwrt_context() -> !llvm.ptr
