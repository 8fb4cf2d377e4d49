// RUN: %unwarp_opt --coarsen-blocks %s | FileCheck %s

// Blocks stay apart where the launch may write what the tiles are loaded from, where a loop holds an atomic operation or a call, where its bounds
// differ from block to block, and where more is shared than the first cache holds.
// CHECK-NOT: uwrt_max_workers

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @elsewhere(i64)

func.func @same_memory(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
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
        %av = llvm.load %ap {} : !llvm.ptr -> f32
        %lp = llvm.getelementptr %left[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %av, %lp : f32, !llvm.ptr
        %deep = arith.addi %base, %yi : i64
        %second = arith.muli %deep, %n : i64
        %column = arith.addi %column0, %xi : i64
        %with = arith.addi %second, %column : i64
        %bp = llvm.getelementptr %b[%with] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %bv = llvm.load %bp {} : !llvm.ptr -> f32
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
      llvm.store %sv, %cp {} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @atomic(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
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
        %old = llvm.atomicrmw add %c, %at monotonic : !llvm.ptr, i64
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

func.func @call(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
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
        llvm.call @elsewhere(%at) : (i64) -> ()
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

func.func @bounds(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
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
    %both = arith.addi %row0, %column0 : i64
    scf.for %base = %zero64 to %both step %wide16 : i64 {
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

func.func @large(%gx: index, %gy: index, %dims: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: i64, %depth: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero64 = arith.constant 0 : i64
  %wide16 = arith.constant 16 : i64
  %size = arith.constant 65536 : i64
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
