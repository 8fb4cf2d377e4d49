// RUN: %unwarp_opt --vectorize-interleaved %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-interleaved %s > %t && %unwarp_opt --vectorize-interleaved %t | FileCheck %s --check-prefix=TWICE

// Sixteen lanes with a row each: sixteen iterations at a time are as many loads of rows and four steps of shuffles each; what is left is gathered.
module attributes {unwarp.register_bytes = 64 : i64} {

// CHECK-LABEL: @walk
// CHECK-SAME: %[[a:[^:]*]]: !llvm.ptr, %[[n:[^:]*]]: i32
// CHECK: %[[room:.*]] = "unwarp.slot"(%c1024_i64)
// CHECK: %[[count:.*]] = arith.andi %{{.*}}, %c-16_i32
// CHECK: %[[middle:.*]] = arith.addi %c0_i32, %[[count]]
// CHECK: %[[sums:.*]] = scf.for %[[s:.*]] = %c0_i32 to %[[middle]] step %c16_i32
// CHECK: scf.for %{{.*}} = %c0_i64{{[_0-9]*}} to %c16_i64
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK-COUNT-64: llvm.shufflevector %{{.*}} : vector<16xf32>
// CHECK-NOT: llvm.shufflevector %{{.*}} : vector<16xf32>
// CHECK: scf.for %[[d:.*]] = %c0{{.*}} to %c16{{.*}} step %c1
// CHECK: arith.addi %[[s]],
// CHECK: llvm.getelementptr %[[room]]
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: arith.addf
// CHECK: scf.for %{{.*}} = %[[middle]] to %[[n]] step %c1_i32 iter_args(%{{.*}} = %[[sums]])
// CHECK: llvm.intr.masked.gather
// TWICE-LABEL: @walk
// TWICE-COUNT-2: "unwarp.slot"
// TWICE-NOT: "unwarp.slot"
func.func @walk(%a: !llvm.ptr, %n: i32, %rows: vector<16xi64>, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %all = arith.constant dense<true> : vector<16xi1>
  %none = ub.poison : vector<16xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<16xf32>) : i32 {
    %k64 = arith.extsi %k : i32 to i64
    %p = llvm.mlir.poison : vector<16xi64>
    %i = llvm.insertelement %k64, %p[%c0 : i32] : vector<16xi64>
    %ks = llvm.shufflevector %i, %p [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xi64>
    %at = arith.addi %rows, %ks : vector<16xi64>
    %address = llvm.getelementptr %a[%at] : (!llvm.ptr, vector<16xi64>) -> vector<16x!llvm.ptr>, f32
    %v = llvm.intr.masked.gather %address, %all, %none {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %t = arith.addf %s, %v : vector<16xf32>
    scf.yield %t : vector<16xf32>
  }
  llvm.store %sum, %out : vector<16xf32>, !llvm.ptr
  return
}

}
