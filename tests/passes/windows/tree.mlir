// RUN: %unwarp_opt --windows %s | FileCheck %s
// RUN: %unwarp_opt --windows --windows %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Every fourth element is added to, from two before: whole registers, of which only these elements change. 30 threads are seven
// registers and two threads one by one.
// CHECK-LABEL: func.func @up
// CHECK: scf.for %[[T:.*]] = %c0{{.*}} to %c28{{.*}} step %c4
// CHECK: %[[V:.*]] = llvm.load %[[P:.*]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xi32>
// CHECK: %[[MOVED:.*]] = llvm.shufflevector %[[V]], %[[V]] [14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
// CHECK: %[[SUM:.*]] = arith.addi %[[V]], %[[MOVED]] : vector<16xi32>
// CHECK: %[[W:.*]] = llvm.shufflevector %[[V]], %[[SUM]] [0, 1, 2, 19, 4, 5, 6, 23, 8, 9, 10, 27, 12, 13, 14, 31]
// CHECK: llvm.store %[[W]], %[[P]] {alignment = 4 : i64} : vector<16xi32>
// CHECK: scf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) = (%c0, %c0, %c28{{.*}}) to (%c1, %c1, %c30)
func.func @up() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %four = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(480 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.parallel (%z, %y, %x) = (%c0, %c0, %c0) to (%c1, %c1, %c30) step (%c1, %c1, %c1) {
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
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// What was stored is loaded again, and goes out to an array of which every element is stored.
// CHECK-LABEL: func.func @out
// CHECK: scf.for
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<8xf64>
// CHECK: %[[MOVED:.*]] = llvm.shufflevector %[[V]], %[[V]] [1, 2, 3, 4, 5, 6, 7, 0]
// CHECK: %[[W:.*]] = llvm.shufflevector %[[V]], %[[MOVED]] [8, 1, 10, 3, 12, 5, 14, 7]
// CHECK: llvm.store %{{.*}} : vector<8xf64>
// CHECK: llvm.store %{{.*}} : vector<8xf64>
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @out(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.parallel (%z, %y, %x) = (%c0, %c0, %c0) to (%c1, %c1, %c32) step (%c1, %c1, %c1) {
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
    scf.reduce
  } {unwarp.level = "block"}
  return
}
}
