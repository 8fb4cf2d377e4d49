// RUN: %unwarp_opt --distribute-loops %s | FileCheck %s

// Elements that lie side by side, or farther apart than the pass looks.

// CHECK-LABEL: func.func @near
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @near(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @far
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @far(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[1048576] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// From the back to the front.

// CHECK-LABEL: func.func @backwards
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @backwards(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[-256] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The second element is computed from the first one.

// CHECK-LABEL: func.func @needed
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @needed(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %x = llvm.load %a : !llvm.ptr -> i32
    llvm.store %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[256] : (!llvm.ptr) -> !llvm.ptr, i32
    %y = llvm.load %b : !llvm.ptr -> i32
    %z = arith.addi %x, %y : i32
    llvm.store %z, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Two arrays.

// CHECK-LABEL: func.func @two
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @two(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %b = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Neighbours do not touch neighbours.

// CHECK-LABEL: func.func @strided
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @strided(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %w = arith.muli %ti, %two : i64
    %s = llvm.getelementptr %p[%w] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %s : i32, !llvm.ptr
    %b = llvm.getelementptr %s[256] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Others are told by an atomic operation, and a volatile store is none that a part may hold.

// CHECK-LABEL: func.func @atomic
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @atomic(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    %o = llvm.atomicrmw add %q, %v monotonic : !llvm.ptr, i32
    %b = llvm.getelementptr %a[256] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @volatile
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @volatile(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store volatile %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[256] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store volatile %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Branches, and the loop for blocks at the border.

// CHECK-LABEL: func.func @branch
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @branch(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[256] : (!llvm.ptr) -> !llvm.ptr, i32
    scf.if %c {
      llvm.store %v, %b : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @edge
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @edge(%threads: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %a = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[256] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>], unwarp.edge}
  return
}

// What a call does is not known; neither of its addresses is.
// CHECK-LABEL: func.func @calls
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func private @tell()
func.func @calls(%threads: index, %p: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    func.call @tell() : () -> ()
    func.call @tell() : () -> ()
  } {mapping = [#gpu.thread<x>]}
  return
}

// Threads whose index is no row in memory: each adds something of its own to it.
// CHECK-LABEL: func.func @own_shift
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK: return
func.func @own_shift(%threads: index, %p: !llvm.ptr, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %half = arith.divui %ti, %two : i64
    %at = arith.addi %ti, %half : i64
    %a = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %a : i32, !llvm.ptr
    %b = llvm.getelementptr %a[256] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %v, %b : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
