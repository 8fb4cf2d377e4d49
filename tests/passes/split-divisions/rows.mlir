// RUN: %unwarp_opt --split-divisions %s | FileCheck %s
// RUN: %unwarp_opt --split-divisions %s > %t && %unwarp_opt --split-divisions %t | diff %t -

// A part for each quotient, in which the remainder goes along; where the divisor is small or integers do not fit, the row as it was.
// CHECK-LABEL: func.func @matrix
// CHECK-SAME: (%[[first:.*]]: i32, %[[n:.*]]: index, %[[columns:.*]]: i32,
// CHECK: %[[d:.*]] = arith.extsi %[[columns]] : i32 to i64
// CHECK: arith.cmpi sge, %[[d]], %c16_i64
// CHECK: %[[ok:.*]] = arith.andi
// CHECK: %[[m:.*]] = arith.select %[[ok]], %[[d]], %c1_i64
// CHECK: %[[low:.*]] = arith.select %[[ok]], %{{.*}}, %c0_i64
// CHECK: %[[high:.*]] = arith.select %[[ok]], %{{.*}}, %c1_i64
// CHECK: scf.for %[[q:.*]] = %[[low]] to %[[high]] step %c1_i64
// CHECK: arith.muli %[[q]], %[[m]]
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: scf.if %[[ok]]
// CHECK: scf.forall
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK: } else {
// CHECK: scf.forall
// CHECK: arith.divsi
// CHECK: arith.remsi
func.func @matrix(%first: i32, %n: index, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %i = arith.addi %first, %t overflow<nsw> : i32
    %row = arith.divsi %i, %columns : i32
    %column = arith.remsi %i, %columns : i32
    %sum = arith.addi %row, %column : i32
    %at = llvm.getelementptr %p[%column] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %sum, %at : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The remainder of a division, and its quotient by another divisor: loops over quotients nest. Where only the first divisor is large enough,
// the threads of one of its quotients still are spared that division. There are three copies of the body.
// CHECK-LABEL: func.func @volume
// CHECK: scf.for %
// CHECK-NOT: scf.if
// CHECK: scf.for %
// CHECK: scf.if
// CHECK: scf.forall
// CHECK-NOT: arith.remsi
// CHECK: llvm.store
// CHECK: } else {
// CHECK: scf.if
// CHECK: scf.forall
// CHECK: arith.remsi
// CHECK-NOT: arith.remsi
// CHECK: llvm.store
// CHECK: } else {
// CHECK: scf.forall
// CHECK: arith.remsi
// CHECK: arith.remsi
// CHECK: llvm.store
// CHECK-NOT: llvm.store
// CHECK: return
func.func @volume(%first: i32, %n: index, %plane: i32, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %i = arith.addi %first, %t overflow<nsw> : i32
    %within = arith.remsi %i, %plane : i32
    %column = arith.remsi %within, %columns : i32
    %at = llvm.getelementptr %p[%column] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %i, %at : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// A divisor that differs from thread to thread, a small one, a number that the thread is in twice, and threads that wait for each other.
// CHECK-LABEL: func.func @refused
// CHECK-NOT: scf.for %
// CHECK-NOT: scf.if
// CHECK: return
func.func @refused(%first: i32, %n: index, %columns: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : i32
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %i = arith.addi %first, %t overflow<nsw> : i32
    %row = arith.divsi %i, %t : i32
    %column = arith.remsi %i, %c8 : i32
    %twice = arith.addi %i, %t : i32
    %half = arith.divsi %twice, %columns : i32
    %some = arith.addi %row, %half : i32
    %at = llvm.getelementptr %p[%column] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %some, %at : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %row = arith.divsi %t, %columns : i32
    "unwarp.barrier"() {level = "block"} : () -> ()
    %at = llvm.getelementptr %p[%row] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %row, %at : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
