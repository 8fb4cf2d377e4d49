// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} --coarsen-blocks{shape=interleaved} %s | FileCheck %s

// A block of 16 by 16 threads reads rows that reach into the next block's, 12 elements further on, and has memory of its own for each thread: blocks
// run in lock step, all but the first and the last of a row of the grid. Blocks that begin where the one before ends stay apart.

// CHECK-LABEL: func.func @overlap
// CHECK: %[[MOST:.*]] = arith.minui %{{.*}}, %[[ALONG:arg1]] : index
// CHECK: %[[EACH:.*]] = arith.maxui %[[MOST]],
// CHECK: %[[MANY:.*]] = arith.maxui %[[ALONG]], %c2{{[_0-9]*}} : index
// CHECK: %[[BETWEEN:.*]] = arith.subi %[[MANY]], %c2{{[_0-9]*}} : index
// CHECK: %[[PARTS:.*]] = arith.ceildivui %[[BETWEEN]], %[[EACH]] : index
// CHECK: %[[AND_ENDS:.*]] = arith.addi %[[PARTS]], %c2{{[_0-9]*}} : index
// CHECK: %[[STRIPS:.*]] = arith.minui %[[AND_ENDS]], %[[ALONG]] : index
// CHECK: scf.forall (%{{.*}}, %[[STRIP:.*]]) in (%{{.*}}, %[[STRIPS]])
// CHECK: %[[LATER:.*]] = arith.muli %[[STRIP]], %[[EACH]] : index
// CHECK: arith.maxsi
// CHECK: %[[START:.*]] = arith.minui
// CHECK: arith.addi %[[STRIP]], %c1{{[_0-9]*}} : index
// CHECK: %[[NEXT:.*]] = arith.minui
// CHECK: %[[COUNT:.*]] = arith.subi %[[NEXT]], %[[START]] : index
// CHECK: arith.maxui %[[COUNT]], %c1{{[_0-9]*}} : index
// CHECK: scf.forall (%{{.*}}, %[[K:.*]], %{{.*}}) {{(= .* to|in)}} (%c16{{[_0-9]*}}, %{{.*}}, %c16{{[_0-9]*}})
// CHECK-LABEL: func.func @side_by_side
// CHECK-NOT: uwrt_max_workers
// CHECK: return

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

func.func @overlap(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i64
  %step = arith.constant 12 : i32
  %size = arith.constant 64 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.muli %bxi, %step overflow<nsw, nuw> : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %own = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      %t = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %t : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @side_by_side(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i64
  %step = arith.constant 16 : i32
  %size = arith.constant 64 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.muli %bxi, %step overflow<nsw, nuw> : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %own = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      %t = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %t : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
