// RUN: %unwarp_opt --widen-indices %s | FileCheck %s
// RUN: %unwarp_opt --widen-indices --widen-indices %s | FileCheck %s

// The index of a thread in its grid, and sums with it that do not wrap, are computed in 64 bits. A sum that may wrap, one with a
// value loaded for each thread, and a large distance between neighbours stay as they are. What is the same for all threads is
// extended as a whole.

// CHECK-LABEL: func.func @row
// CHECK-DAG: %[[B:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK-DAG: %[[T:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: %[[I:.*]] = arith.addi %[[B]], %[[T]] overflow<nsw> : i64
// CHECK: %[[J:.*]] = arith.addi %[[I]], %{{.*}} overflow<nsw> : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[J]]]
// CHECK-LABEL: func.func @grid_of_two_dimensions
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[I]]]
// CHECK-LABEL: func.func @unsigned
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i64
// CHECK-LABEL: func.func @may_wrap
// CHECK: arith.extui %{{.*}} : i32 to i64
// CHECK-NEXT: llvm.getelementptr
// CHECK-LABEL: func.func @quotient_of_all
// CHECK: %[[Q:.*]] = arith.divsi
// CHECK: arith.addi %[[Q]], %{{.*}} : i32
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[I]]]
// CHECK-LABEL: func.func @same_for_all
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK-NEXT: llvm.getelementptr
// CHECK-LABEL: func.func @loaded
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK-NEXT: llvm.getelementptr
// CHECK-LABEL: func.func @far_apart
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK-NEXT: llvm.getelementptr
func.func @row(%threads: index, %block: index, %width: i32, %k: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = arith.index_castui %block : index to i32
  %offset = arith.muli %b, %width : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %i = arith.addi %offset, %ti overflow<nsw> : i32
    %j = arith.addi %i, %k overflow<nsw> : i32
    %l = arith.extsi %j : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @grid_of_two_dimensions(%threads: index, %x: index, %y: index, %columns: i32, %width: i32, %k: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bx = arith.index_castui %x : index to i32
  %by = arith.index_castui %y : index to i32
  %above = arith.muli %columns, %by : i32
  %block = arith.addi %bx, %above : i32
  %offset = arith.muli %width, %block : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %i = arith.addi %offset, %ti overflow<nsw> : i32
    %l = arith.extsi %i : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @unsigned(%threads: index, %k: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %i = arith.addi %ti, %k overflow<nuw> : i32
    %l = arith.extui %i : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @may_wrap(%threads: index, %k: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %i = arith.addi %ti, %k : i32
    %l = arith.extui %i : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @quotient_of_all(%threads: index, %row: i32, %k: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %q = arith.divsi %row, %c2 : i32
    %above = arith.addi %q, %k : i32
    %i = arith.addi %above, %ti overflow<nsw> : i32
    %l = arith.extsi %i : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @same_for_all(%threads: index, %row: i32, %k: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i32
  scf.forall (%t) in (%threads) {
    %q = arith.divsi %row, %c2 : i32
    %i = arith.addi %q, %k : i32
    %l = arith.extsi %i : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @loaded(%threads: index, %k: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %own = llvm.getelementptr %q[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %x = llvm.load %own : !llvm.ptr -> i32
    %i = arith.addi %ti, %x overflow<nsw> : i32
    %l = arith.extsi %i : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @far_apart(%threads: index, %k: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %i = arith.muli %ti, %k overflow<nsw> : i32
    %l = arith.extsi %i : i32 to i64
    %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %k, %a : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Counters and thread indices are not negative, nor are sums of such that do not wrap with sign: these do not without sign either. The
// index of a thread in a slice of its block is one, too. What may be negative is not extended by parts.
// CHECK-LABEL: func.func @natural
// CHECK:       %[[K:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK:       %[[F:.*]] = arith.shli %[[K]], %{{.*}} overflow<nsw, nuw> : i64
// CHECK:       %[[S:.*]] = arith.addi %[[F]], %{{.*}} overflow<nsw, nuw> : i64
// CHECK:       llvm.getelementptr %{{.*}}[%[[S]]]
// CHECK-LABEL: func.func @perhaps_negative
// CHECK:       %[[F:.*]] = arith.shli %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK-NEXT:  arith.extui %[[F]] : i32 to i64
func.func @natural(%threads: index, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %first, %count = "unwarp.slice"(%threads, %c0, %c1) {group = 1 : i64} : (index, index, index) -> (index, index)
  scf.forall (%t) in (%count) {
    %own = arith.addi %first, %t : index
    %ti = arith.index_castui %own : index to i32
    scf.for %k = %zero to %n step %one : i32 {
      %far = arith.shli %k, %eight overflow<nsw> : i32
      %i = arith.addi %far, %ti overflow<nsw, nuw> : i32
      %l = arith.extui %i : i32 to i64
      %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %k, %a : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @perhaps_negative(%threads: index, %from: i32, %n: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    scf.for %k = %from to %n step %one : i32 {
      %far = arith.shli %k, %eight overflow<nsw> : i32
      %i = arith.addi %far, %ti overflow<nsw, nuw> : i32
      %l = arith.extui %i : i32 to i64
      %a = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %k, %a : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
