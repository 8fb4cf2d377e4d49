// RUN: %unwarp_opt --coarsen-blocks %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks --coarsen-blocks %s | FileCheck %s

// A product in tiles. The left tile is loaded once for the blocks of a row, for each of a column; the right one once for the blocks of a
// column, for each of a row: in loops of their own now. Each block has its sums. Twice is once.
// CHECK-LABEL: func.func @product
// CHECK: llvm.call @uwrt_max_workers
// CHECK: scf.forall
// CHECK: %[[DOWN:.*]] = arith.minui
// CHECK: %[[ALONG:.*]] = arith.minui
// CHECK: %[[LEFT:.*]] = "unwarp.shared"(%c4096{{.*}}
// CHECK: %[[RIGHT:.*]] = "unwarp.shared"(%c16384{{.*}}
// CHECK: %[[SUMS:.*]] = "unwarp.slot"(%c65536{{.*}}
// CHECK: scf.for %
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[DOWN]]
// CHECK: scf.forall {{.*}} {{to|in}} (%c1{{[_0-9]*}}, %c16{{[_0-9]*}}, %c16{{[_0-9]*}})
// CHECK: llvm.load {{.*}}unwarp.restrict = 1
// CHECK-NOT: unwarp.restrict = 2
// CHECK: {mapping
// CHECK: scf.forall {{.*}} {{to|in}} (%c16, %[[ALONG]], %c16)
// CHECK: llvm.load {{.*}}unwarp.restrict = 2
// CHECK: {mapping
// CHECK: scf.for %{{.*}} to %[[DOWN]]
// CHECK: scf.forall {{.*}} {{to|in}} (%c16, %[[ALONG]], %c16)
// CHECK: llvm.getelementptr %[[LEFT]]
// CHECK: llvm.getelementptr %[[RIGHT]]
// CHECK: %[[OWN:.*]] = llvm.getelementptr %[[SUMS]]
// CHECK: llvm.getelementptr %[[OWN]]
// CHECK: {mapping
// CHECK: scf.for %{{.*}} to %[[DOWN]]
// CHECK: scf.forall {{.*}} {{to|in}} (%c16, %[[ALONG]], %c16)
// CHECK: llvm.store {{.*}}unwarp.restrict = 3
// CHECK: return
llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

func.func @product(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero64 = arith.constant 0 : i64
  %wide16 = arith.constant 16 : i64
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  %blocks = arith.muli %gx, %gy : index
  scf.forall (%by, %bx) in (%gy, %gx) {
    %number = affine.linearize_index disjoint [%by, %bx] by (%gy, %gx) : index
    %note = arith.index_cast %number : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %note) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    %right = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %bxi = arith.index_cast %bx : index to i64
    %byi = arith.index_cast %by : index to i64
    %column0 = arith.muli %bxi, %wide16 : i64
    %row0 = arith.muli %byi, %wide16 : i64
    scf.for %base = %zero64 to %depth step %wide16 : i64 {
      scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
        %yi = arith.index_cast %y : index to i64
        %xi = arith.index_cast %x : index to i64
        %line = arith.muli %yi, %wide16 : i64
        %at = arith.addi %line, %xi : i64
        %row = arith.addi %row0, %yi : i64
        %start = arith.muli %row, %n : i64
        %along = arith.addi %base, %xi : i64
        %from = arith.addi %start, %along : i64
        %ap = llvm.getelementptr %a[%from] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %av = llvm.load %ap {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
        %lp = llvm.getelementptr %left[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %av, %lp : f32, !llvm.ptr
        %deep = arith.addi %base, %yi : i64
        %second = arith.muli %deep, %n : i64
        %column = arith.addi %column0, %xi : i64
        %with = arith.addi %second, %column : i64
        %bp = llvm.getelementptr %b[%with] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %bv = llvm.load %bp {unwarp.restrict = 2 : i64} : !llvm.ptr -> f32
        %rp = llvm.getelementptr %right[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %bv, %rp : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
      scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
        %yi = arith.index_cast %y : index to i64
        %xi = arith.index_cast %x : index to i64
        %line = arith.muli %yi, %wide16 : i64
        %at = arith.addi %line, %xi : i64
        %lp = llvm.getelementptr %left[%line] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %rp = llvm.getelementptr %right[%xi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %sp = llvm.getelementptr %sums[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %lv = llvm.load %lp : !llvm.ptr -> f32
        %rv = llvm.load %rp : !llvm.ptr -> f32
        %sv = llvm.load %sp : !llvm.ptr -> f32
        %m = arith.mulf %lv, %rv : f32
        %t = arith.addf %sv, %m : f32
        llvm.store %t, %sp : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yi = arith.index_cast %y : index to i64
      %xi = arith.index_cast %x : index to i64
      %line = arith.muli %yi, %wide16 : i64
      %at = arith.addi %line, %xi : i64
      %sp = llvm.getelementptr %sums[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sv = llvm.load %sp : !llvm.ptr -> f32
      %row = arith.addi %row0, %yi : i64
      %start = arith.muli %row, %n : i64
      %column = arith.addi %column0, %xi : i64
      %to = arith.addi %start, %column : i64
      %cp = llvm.getelementptr %c[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sv, %cp {unwarp.restrict = 3 : i64} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// A tile that is filled under a condition, where the matrix ends.
// CHECK-LABEL: func.func @guarded
// CHECK: scf.for %
// CHECK: scf.for %
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: llvm.load {{.*}}unwarp.restrict = 1
// CHECK-NOT: unwarp.restrict = 2
// CHECK: {mapping
// CHECK-NOT: scf.if
// CHECK: llvm.load {{.*}}unwarp.restrict = 2
// CHECK: return
func.func @guarded(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero64 = arith.constant 0 : i64
  %wide16 = arith.constant 16 : i64
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  %blocks = arith.muli %gx, %gy : index
  scf.forall (%by, %bx) in (%gy, %gx) {
    %number = affine.linearize_index disjoint [%by, %bx] by (%gy, %gx) : index
    %note = arith.index_cast %number : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %note) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    %right = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %bxi = arith.index_cast %bx : index to i64
    %byi = arith.index_cast %by : index to i64
    %column0 = arith.muli %bxi, %wide16 : i64
    %row0 = arith.muli %byi, %wide16 : i64
    scf.for %base = %zero64 to %depth step %wide16 : i64 {
      scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
        %yi = arith.index_cast %y : index to i64
        %xi = arith.index_cast %x : index to i64
        %line = arith.muli %yi, %wide16 : i64
        %at = arith.addi %line, %xi : i64
        %row = arith.addi %row0, %yi : i64
        %start = arith.muli %row, %n : i64
        %along = arith.addi %base, %xi : i64
        %from = arith.addi %start, %along : i64
        %ap = llvm.getelementptr %a[%from] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %in = arith.cmpi slt, %along, %n : i64
        %av = scf.if %in -> (f32) {
          %some = llvm.load %ap {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
          scf.yield %some : f32
        } else {
          scf.yield %zero : f32
        }
        %lp = llvm.getelementptr %left[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %av, %lp : f32, !llvm.ptr
        %deep = arith.addi %base, %yi : i64
        %second = arith.muli %deep, %n : i64
        %column = arith.addi %column0, %xi : i64
        %with = arith.addi %second, %column : i64
        %bp = llvm.getelementptr %b[%with] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %bv = llvm.load %bp {unwarp.restrict = 2 : i64} : !llvm.ptr -> f32
        %rp = llvm.getelementptr %right[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %bv, %rp : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
      scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
        %yi = arith.index_cast %y : index to i64
        %xi = arith.index_cast %x : index to i64
        %line = arith.muli %yi, %wide16 : i64
        %at = arith.addi %line, %xi : i64
        %lp = llvm.getelementptr %left[%line] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %rp = llvm.getelementptr %right[%xi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %sp = llvm.getelementptr %sums[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %lv = llvm.load %lp : !llvm.ptr -> f32
        %rv = llvm.load %rp : !llvm.ptr -> f32
        %sv = llvm.load %sp : !llvm.ptr -> f32
        %m = arith.mulf %lv, %rv : f32
        %t = arith.addf %sv, %m : f32
        llvm.store %t, %sp : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yi = arith.index_cast %y : index to i64
      %xi = arith.index_cast %x : index to i64
      %line = arith.muli %yi, %wide16 : i64
      %at = arith.addi %line, %xi : i64
      %sp = llvm.getelementptr %sums[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sv = llvm.load %sp : !llvm.ptr -> f32
      %row = arith.addi %row0, %yi : i64
      %start = arith.muli %row, %n : i64
      %column = arith.addi %column0, %xi : i64
      %to = arith.addi %start, %column : i64
      %cp = llvm.getelementptr %c[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sv, %cp {unwarp.restrict = 3 : i64} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// A loop that starts where the block's index says is counted from 0, and so is what it carries along.
// CHECK-LABEL: func.func @started
// CHECK: scf.forall
// CHECK: %[[DOWN:.*]] = arith.minui
// CHECK: scf.for {{.*}} = %c0{{.*}} to %arg7 step %{{.*}} iter_args({{.*}} = %c0{{.*}})
// CHECK: scf.for {{.*}} to %[[DOWN]]
// CHECK: llvm.load {{.*}}unwarp.restrict = 1
// CHECK: {mapping
// CHECK: llvm.load {{.*}}unwarp.restrict = 2
// CHECK: return
func.func @started(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero64 = arith.constant 0 : i64
  %wide16 = arith.constant 16 : i64
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  %blocks = arith.muli %gx, %gy : index
  scf.forall (%by, %bx) in (%gy, %gx) {
    %number = affine.linearize_index disjoint [%by, %bx] by (%gy, %gx) : index
    %note = arith.index_cast %number : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %note) : (!llvm.ptr, i64) -> !llvm.ptr
    %left = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    %right = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %bxi = arith.index_cast %bx : index to i64
    %byi = arith.index_cast %by : index to i64
    %column0 = arith.muli %bxi, %wide16 : i64
    %row0 = arith.muli %byi, %wide16 : i64
    %end = arith.addi %row0, %depth overflow<nsw> : i64
    %last = scf.for %base = %row0 to %end step %wide16 iter_args(%far = %column0) -> (i64) : i64 {
      %further = arith.addi %far, %n : i64
      scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
        %yi = arith.index_cast %y : index to i64
        %xi = arith.index_cast %x : index to i64
        %line = arith.muli %yi, %wide16 : i64
        %at = arith.addi %line, %xi : i64
        %along = arith.addi %base, %xi : i64
        %from = arith.addi %along, %yi : i64
        %ap = llvm.getelementptr %a[%from] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %av = llvm.load %ap {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
        %lp = llvm.getelementptr %left[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %av, %lp : f32, !llvm.ptr
        %second = arith.muli %yi, %n : i64
        %column = arith.addi %far, %xi : i64
        %with = arith.addi %second, %column : i64
        %bp = llvm.getelementptr %b[%with] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %bv = llvm.load %bp {unwarp.restrict = 2 : i64} : !llvm.ptr -> f32
        %rp = llvm.getelementptr %right[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %bv, %rp : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
      scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
        %yi = arith.index_cast %y : index to i64
        %xi = arith.index_cast %x : index to i64
        %line = arith.muli %yi, %wide16 : i64
        %at = arith.addi %line, %xi : i64
        %lp = llvm.getelementptr %left[%line] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %rp = llvm.getelementptr %right[%xi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %sp = llvm.getelementptr %sums[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %lv = llvm.load %lp : !llvm.ptr -> f32
        %rv = llvm.load %rp : !llvm.ptr -> f32
        %sv = llvm.load %sp : !llvm.ptr -> f32
        %m = arith.mulf %lv, %rv : f32
        %t = arith.addf %sv, %m : f32
        llvm.store %t, %sp : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
      scf.yield %further : i64
    }
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yi = arith.index_cast %y : index to i64
      %xi = arith.index_cast %x : index to i64
      %line = arith.muli %yi, %wide16 : i64
      %at = arith.addi %line, %xi : i64
      %sp = llvm.getelementptr %sums[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sv = llvm.load %sp : !llvm.ptr -> f32
      %row = arith.addi %row0, %yi : i64
      %start = arith.muli %row, %n : i64
      %column = arith.addi %column0, %xi : i64
      %to = arith.addi %start, %column : i64
      %cp = llvm.getelementptr %c[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sv, %cp {unwarp.restrict = 3 : i64} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
