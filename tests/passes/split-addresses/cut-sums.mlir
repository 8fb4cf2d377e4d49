// RUN: %unwarp_opt --split-addresses --simplify{after=privatize-atomics} %s | FileCheck %s
// RUN: %unwarp_opt --split-addresses --split-addresses --simplify{after=privatize-atomics} %s | FileCheck %s

// What 64 bits add up only to be cut is added up in 32: a column, which a condition compares with a bound of 32 bits.
// CHECK-LABEL: func.func @column
// CHECK: scf.forall (%[[X:.*]]) {{=|in}}
// CHECK: %[[START:.*]] = arith.trunci %arg1 : i64 to i32
// CHECK: %[[OWN:.*]] = arith.index_cast %[[X]] : index to i32
// CHECK: %[[COLUMN:.*]] = arith.addi %[[START]], %[[OWN]] : i32
// CHECK-NOT: i64 to i32
// CHECK: arith.cmpi slt, %[[COLUMN]], %arg2 : i32
func.func @column(%n: index, %start: i64, %bound: i32, %p: !llvm.ptr, %v: f32, %w: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %xl = arith.index_cast %x : index to i64
    %sum = arith.addi %start, %xl overflow<nsw> : i64
    %column = arith.trunci %sum overflow<nsw, nuw> : i64 to i32
    %in = arith.cmpi slt, %column, %bound : i32
    %value = arith.select %in, %v, %w : f32
    %address = llvm.getelementptr %p[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %value, %address : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A quotient's low bits are not made of low bits: it stays wide. So does what is the same for the row: no lanes have it.
// CHECK-LABEL: func.func @quotient
// CHECK: arith.divui {{.*}} : i64
// CHECK: arith.trunci {{.*}} : i64 to i32
func.func @quotient(%n: index, %start: i64, %by: i64, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %xl = arith.index_cast %x : index to i64
    %part = arith.divui %xl, %by : i64
    %sum = arith.addi %start, %part : i64
    %low = arith.trunci %sum : i64 to i32
    %address = llvm.getelementptr %p[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %low, %address : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
