// RUN: %unwarp_opt --coarsen-blocks %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks --coarsen-blocks %s | FileCheck %s

// Blocks of a row run together: the thread loop gets longer, the grid loop goes from strip to strip, so that the block's index is that of
// the first one of the strip. What uses the sum stays as it is.

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

// CHECK: llvm.func @uwrt_max_workers() -> i32
// CHECK-LABEL: func.func @scale
// CHECK: llvm.call @uwrt_max_workers
// CHECK: arith.maxui
// CHECK: %[[EACH:.*]] = arith.maxui
// CHECK: scf.forall (%[[ROW:.*]], %[[START:.*]]) = (0, 0) to (%arg1, %arg0) step (1, %[[EACH]])
// CHECK: affine.linearize_index disjoint [%[[ROW]], %[[START]]] by (%arg1, %arg0)
// CHECK: %[[LEFT:.*]] = arith.subi %arg0, %[[START]]
// CHECK: %[[TAKEN:.*]] = arith.minui %[[EACH]], %[[LEFT]]
// CHECK: %[[LONG:.*]] = arith.muli %[[TAKEN]], %c16
// CHECK: scf.forall (%{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c16, %[[LONG]])
// CHECK-NOT: uwrt_max_workers
func.func @scale(%along: index, %rows: index, %dims: !llvm.ptr, %p: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %four = arith.constant 4 : i32
  %one = arith.constant 1.0 : f32
  %blocks = arith.muli %along, %rows : index
  scf.forall (%by, %bx) in (%rows, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%rows, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %four : i32
    %byi = arith.index_castui %by : index to i32
    scf.forall (%y, %x) in (%c16, %c16) {
      %xi = arith.index_castui %x : index to i32
      %gx = arith.addi %base, %xi : i32
      %row = arith.muli %byi, %n : i32
      %at = arith.addi %row, %gx : i32
      %wide = arith.extsi %at : i32 to i64
      %address = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %one, %address : f32, !llvm.ptr
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
