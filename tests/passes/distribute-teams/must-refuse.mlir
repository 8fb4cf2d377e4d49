// RUN: %unwarp_opt --distribute-teams %s | FileCheck %s

// Blocks whose threads have no loop between barriers, or no barrier, or a barrier that only some come to; that count their threads; that
// call what may ask where it runs; whose grid is known to be large; whose shared memory one warp after the other uses.
// CHECK-NOT: uwrt_team

func.func @tiny(%blocks: index, %columns: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %xi, %own : i32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %own : i32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @no_barrier(%blocks: index, %columns: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @some_threads(%blocks: index, %columns: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %own : i32, !llvm.ptr
      }
      %first = arith.cmpi ult, %x, %n : index
      scf.if %first {
        "unwarp.barrier"() {level = "block"} : () -> ()
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @counts(%blocks: index, %columns: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %own : i32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %true = arith.constant true
      %sum = "unwarp.reduce"(%xi, %true) {level = "block", kind = "add"} : (i32, i1) -> i32
      llvm.store %sum, %own : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @asks_for_its_place(%blocks: index, %columns: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %own : i32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %q = llvm.call @uwrt_context() : () -> !llvm.ptr
      llvm.store %xi, %q : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @large_grid(%blocks: index, %columns: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%many) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %own : i32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @warps_in_turn(%blocks: index, %columns: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000 : index
  %bytes = arith.constant 4096 : i64
  scf.forall (%block) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.uncounted} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %columns) {
      %xi = arith.index_castui %x : index to i32
      %own = llvm.getelementptr %s[%xi] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %xi, %own : i32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
llvm.func @uwrt_context() -> !llvm.ptr
