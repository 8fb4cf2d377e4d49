// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} %s | FileCheck %s

// Rows that reach into the next block's, and why blocks stay apart in spite of that: for what there is beside the
// threads, how many of them there are, and what they do or hold.
// CHECK-NOT: uwrt_max_workers

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

// Only one of two thread loops would be run for all the blocks.
func.func @two_loops(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    %own = llvm.getelementptr %dims[%first] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    scf.forall (%w, %j, %i) in (%c1, %c1, %c1) {
      llvm.store %first, %own : i64, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// No thread loop at all.
func.func @no_loop(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// How much shared memory a block has is not known: there is no room for several.
func.func @unknown_room(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64, %bytes: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      llvm.store %v, %tile : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Shared memory whose addresses are integers from 0 on, the same for each block.
func.func @window(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  %bytes = arith.constant 64 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    %tile = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.window} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      llvm.store %v, %tile : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// What a block writes outside of its threads would be written for the first one only.
func.func @write_of_block(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    %own = llvm.getelementptr %dims[%first] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %first, %own : i64, !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// How many threads hold their memory at a time is not known.
func.func @unknown_rows(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  %one = arith.constant 1 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %m, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %own = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// The same where a thread has memory of unknown size.
func.func @unknown_memory(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64, %m: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %own = llvm.alloca %m x f32 : (i64) -> !llvm.ptr
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Threads that are not counted from 0: the index of the block among the others would not be either.
func.func @from_one(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) = (0, %c1, 0) to (%c1, %c16, %c16) step (1, 1, 1) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// The same, from where is not known.
func.func @from_unknown(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) = (0, %m, 0) to (%c1, %c16, %c16) step (1, 1, 1) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Threads of a warp wait for each other: other threads would make up a warp.
func.func @warps(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "warp"} : () -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// A loop that does not say which block begins is none over the blocks of a launch.
func.func @unmarked(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 12 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// The next block begins an unknown number of elements after.
func.func @unknown_distance(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %start = arith.muli %bxl, %n : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %start, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// The next block begins before this one, and ends there.
func.func @backwards(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant -16 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Blocks lie side by side; what lies less than a row apart are planes of one block.
func.func @other_distance(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %step = arith.constant 16 : i64
  %three = arith.constant 3 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxl = arith.index_cast %bx : index to i64
    %first = arith.muli %bxl, %step : i64
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %zl = arith.index_cast %z : index to i64
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %plane = arith.muli %zl, %three : i64
      %row = arith.muli %yl, %n : i64
      %line = arith.addi %plane, %row : i64
      %column = arith.addi %line, %xl : i64
      %at = arith.addi %column, %first : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      "unwarp.barrier"() {level = "block"} : () -> ()
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
