// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} --coarsen-blocks{shape=interleaved} %s | FileCheck %s

// A block of 8 by 4 threads marches through planes: the threads of 16 blocks become one block's, the index of the block among them goes
// between y and x, each block has its piece of the shared memory, and what depends on the block's index is computed by each thread.

// CHECK-LABEL: func.func @march
// CHECK: %[[WORKERS:.*]] = llvm.call @uwrt_max_workers
// CHECK: arith.divui
// CHECK: %[[EACH:.*]] = arith.maxui
// CHECK: scf.forall (%{{.*}}, %[[START:[a-z0-9]*]]) = (0, 0) to (%{{.*}}) step (1, %[[EACH]])
// CHECK: %[[SIZE:.*]] = arith.constant 2048 : i64
// CHECK: %[[TILES:.*]] = "unwarp.shared"(%[[SIZE]]) {alignment = 64 : i64}
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[START]] : index
// CHECK: %[[HERE:.*]] = arith.minui %[[EACH]], %[[LEFT]] : index
// CHECK: %[[BLOCKS:.*]] = arith.minui %[[HERE]], %{{.*}} : index
// CHECK: scf.forall (%[[Y:.*]], %[[K:.*]], %[[X:.*]]) {{(= .* to|in)}} (%c4{{[_0-9]*}}, %[[BLOCKS]], %c8{{[_0-9]*}})
// CHECK-NOT: uwrt_enter_block
// CHECK: %[[KI:.*]] = arith.index_castui %[[K]] : index to i32
// CHECK: %[[BX:.*]] = arith.addi %{{.*}}, %[[KI]] overflow<nsw, nuw> : i32
// CHECK: %[[BASE:.*]] = arith.shli %[[BX]], %{{.*}} : i32
// CHECK: %[[KL:.*]] = arith.index_castui %[[K]] : index to i64
// CHECK: %[[OFFSET:.*]] = arith.muli %[[KL]], %{{.*}} : i64
// CHECK: %[[TILE:.*]] = llvm.getelementptr %[[TILES]][%[[OFFSET]]]{{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: arith.index_cast %[[Y]] : index to i64
// CHECK: scf.for %
// CHECK: llvm.getelementptr %[[TILE]][
// CHECK: "unwarp.barrier"
// CHECK-NOT: unwarp.shared
// CHECK: return

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

func.func @march(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
