// RUN: %unwarp_opt --combine-branches %s | FileCheck %s

// Each pair stays: a load between the two; another condition; a narrower one; a branch with two arms; a branch with a result; an outer branch of
// the second that does something itself.

// CHECK-LABEL: func.func @between
// CHECK: scf.if
// CHECK: llvm.load
// CHECK: scf.if
// CHECK-LABEL: func.func @other
// CHECK-COUNT-2: scf.if
// CHECK-LABEL: func.func @narrower
// CHECK-COUNT-2: scf.if
// CHECK-LABEL: func.func @two_arms
// CHECK-COUNT-2: scf.if
// CHECK-LABEL: func.func @result
// CHECK-COUNT-2: scf.if
// CHECK-LABEL: func.func @does_more
// CHECK-COUNT-3: scf.if
// CHECK: return
func.func @between(%out: !llvm.ptr, %in: !llvm.ptr, %a: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    scf.if %c {
      llvm.store %a, %out : i32, !llvm.ptr
    }
    %v = llvm.load %in : !llvm.ptr -> i32
    scf.if %c {
      llvm.store %v, %out : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @other(%out: !llvm.ptr, %a: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %i3 = arith.constant 3 : i32
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    %t = arith.index_castui %tx : index to i32
    %below = arith.cmpi ult, %t, %i3 : i32
    %up_to = arith.cmpi ule, %t, %i3 : i32
    scf.if %below {
      llvm.store %a, %out : i32, !llvm.ptr
    }
    scf.if %up_to {
      llvm.store %t, %out : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @narrower(%out: !llvm.ptr, %a: i32, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    %both = arith.andi %c, %d : i1
    scf.if %c {
      llvm.store %a, %out : i32, !llvm.ptr
    }
    scf.if %both {
      llvm.store %a, %out : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @two_arms(%out: !llvm.ptr, %a: i32, %b: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    scf.if %c {
      llvm.store %a, %out : i32, !llvm.ptr
    } else {
      llvm.store %b, %out : i32, !llvm.ptr
    }
    scf.if %c {
      llvm.store %b, %out : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @result(%out: !llvm.ptr, %in: !llvm.ptr, %a: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    %v = scf.if %c -> (i32) {
      %w = llvm.load %in : !llvm.ptr -> i32
      scf.yield %w : i32
    } else {
      scf.yield %a : i32
    }
    scf.if %c {
      llvm.store %v, %out : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @does_more(%out: !llvm.ptr, %in: !llvm.ptr, %a: i32, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    %both = arith.andi %c, %d : i1
    scf.if %both {
      llvm.store %a, %out : i32, !llvm.ptr
    }
    scf.if %c {
      %v = llvm.load %in : !llvm.ptr -> i32
      scf.if %d {
        llvm.store %v, %out : i32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
