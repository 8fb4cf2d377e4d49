// RUN: %unwarp_opt --unroll-and-jam %s | FileCheck %s
// RUN: %unwarp_opt --unroll-and-jam --unroll-and-jam %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Eight rows carry their sums side by side; what is the same for all rows is loaded once for them. Twice is once.
// CHECK-LABEL: func.func @rows
// CHECK: scf.forall {{.*}} {{to|in}} (%{{.*}}, %c2{{.*}}, %{{.*}})
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: llvm.load %{{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: scf.yield
// CHECK-COUNT-8: llvm.store %{{.*}} : vector<16xf32>
// CHECK-NOT: scf.forall
// CHECK: return
func.func @rows(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%z, %y, %p) in (%c1, %c16, %c1) {
    %row = arith.muli %y, %n : index
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %at = arith.addi %row, %k : index
      %ai = arith.index_cast %at : index to i64
      %ap = llvm.getelementptr %a[%ai] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %x = llvm.load %ap : !llvm.ptr -> f32
      %ki = arith.index_cast %k : index to i64
      %bp = llvm.getelementptr %b[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<16xf32>
      %none = llvm.mlir.poison : vector<16xf32>
      %i0 = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.insertelement %x, %none[%i0 : i32] : vector<16xf32>
      %u = llvm.shufflevector %one, %none [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32>
      %m = arith.mulf %u, %v : vector<16xf32>
      %t = arith.addf %s, %m : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %yi = arith.index_cast %y : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
    llvm.store %sum, %cp : vector<16xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Where there are layers, four rows of four layers; what does not fill a group stays: a row of five, and layers over a multiple of four.
// CHECK-LABEL: func.func @layers
// CHECK: %[[GROUPS:.*]] = arith.divui %{{.*}}, %c4
// CHECK: scf.forall {{.*}} {{to|in}} (%[[GROUPS]], %c1{{.*}}, %{{.*}})
// CHECK-COUNT-16: llvm.store %{{.*}} : vector<16xf32>
// CHECK: scf.forall
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<16xf32>
// CHECK: scf.forall
// CHECK-COUNT-1: llvm.store %{{.*}} : vector<16xf32>
// CHECK-NOT: llvm.store
// CHECK: return
func.func @layers(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %n: index, %layers: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.forall (%z, %y, %p) in (%layers, %c5, %c1) {
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %at = arith.addi %y, %k : index
      %ai = arith.index_cast %at : index to i64
      %ap = llvm.getelementptr %a[%ai] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %x = llvm.load %ap : !llvm.ptr -> vector<16xf32>
      %bt = arith.addi %z, %k : index
      %bi = arith.index_cast %bt : index to i64
      %bp = llvm.getelementptr %b[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
      %v = llvm.load %bp : !llvm.ptr -> vector<16xf32>
      %m = arith.mulf %x, %v : vector<16xf32>
      %t = arith.addf %s, %m : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %layer = arith.muli %z, %n : index
    %place = arith.addi %layer, %y : index
    %yi = arith.index_cast %place : index to i64
    %cp = llvm.getelementptr %c[%yi] : (!llvm.ptr, i64) -> !llvm.ptr, vector<16xf32>
    llvm.store %sum, %cp : vector<16xf32>, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

}
