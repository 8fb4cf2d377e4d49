// RUN: %unwarp_opt --vectorize-strided %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-strided --vectorize-strided %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Every fourth element is added to, from two before: whole registers, of which only these elements change. 30 threads are seven
// registers and two threads one by one.
// CHECK-LABEL: func.func @up
// CHECK: scf.for %[[T:.*]] = %c0{{.*}} to %c28{{.*}} step %c4
// CHECK: %[[V:.*]] = llvm.load %[[P:.*]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xi32>
// CHECK: %[[MOVED:.*]] = llvm.shufflevector %[[V]], %[[V]] [-1, -1, -1, 1, -1, -1, -1, 5, -1, -1, -1, 9, -1, -1, -1, 13]
// CHECK: %[[SUM:.*]] = arith.addi %[[V]], %[[MOVED]] : vector<16xi32>
// CHECK: %[[MASK:.*]] = arith.constant dense<[false, false, false, true, false, false, false, true, {{.*}}true]> : vector<16xi1>
// CHECK: %[[W:.*]] = arith.select %[[MASK]], %[[SUM]], %[[V]]
// CHECK: llvm.store %[[W]], %[[P]] {alignment = 4 : i64} : vector<16xi32>
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = ({{%c0.*|0}}, {{%c0.*|0}}, %c28{{.*}}) {{to|in}} (%c1, %c1, %c30)
func.func @up() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %four = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(480 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %four : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// What was stored is loaded again, and goes out to an array of which every element is stored.
// CHECK-LABEL: func.func @out
// CHECK: scf.for %
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<8xf64>
// CHECK: %[[W:.*]] = llvm.shufflevector %[[V]], %[[V]] [1, 1, 3, 3, 5, 5, 7, 7]
// CHECK-NOT: vector<8xi1>
// CHECK: llvm.store %{{.*}} : vector<8xf64>
// CHECK: llvm.store %{{.*}} : vector<8xf64>
// CHECK-NOT: scf.forall
// CHECK: return
func.func @out(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
    %xl = arith.index_cast %x : index to i64
    %left = arith.muli %xl, %two : i64
    %right = arith.addi %left, %one : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %b = llvm.load %r : !llvm.ptr -> f64
    llvm.store %b, %l : f64, !llvm.ptr
    %c = llvm.load %l : !llvm.ptr -> f64
    %d = llvm.load %r : !llvm.ptr -> f64
    %e = arith.addf %c, %d : f64
    %to_left = llvm.getelementptr %out[%left] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %to_right = llvm.getelementptr %out[%right] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %e, %to_left : f64, !llvm.ptr
    llvm.store %d, %to_right : f64, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// What the down-sweep of a scan does: the right element goes to the left, and the left one is added to it. One shuffle swaps them.
// CHECK-LABEL: func.func @down
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<16xi32>
// CHECK: %[[S:.*]] = llvm.shufflevector %[[V]], %[[V]] [0, 3, 2, 1, 4, 7, 6, 5, 8, 11, 10, 9, 12, 15, 14, 13]
// CHECK: %[[SUM:.*]] = arith.addi %[[V]], %[[S]] : vector<16xi32>
// CHECK: %[[W:.*]] = arith.select %{{.*}}, %[[SUM]], %[[S]] : vector<16xi1>, vector<16xi32>
// CHECK-NEXT: llvm.store %[[W]]
func.func @down() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %four = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %four : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %kept = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    llvm.store %b, %l : i32, !llvm.ptr
    %again = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %again, %kept : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
}
