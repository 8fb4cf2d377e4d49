// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-threads --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// A window around each lane's element: the lanes make as many iterations as each other, each a load of neighbours, where the bounds
// wrap around in no lane; else threads go one by one.

// CHECK-LABEL: func.func @window
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step {{.*}} -> (vector<16xf32>) : i64
// CHECK-NOT: masked
// CHECK: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: } else {
// CHECK: scf.forall
func.func @window(%first: i32, %reach: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %x = arith.addi %first, %ti : i32
    %low = arith.subi %x, %reach : i32
    %twice = arith.addi %x, %reach : i32
    %high = arith.addi %twice, %one : i32
    %sum = scf.for %k = %low to %high step %one iter_args(%s = %none) -> (f32) : i32 {
      %kl = arith.extsi %k : i32 to i64
      %at = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %more = arith.addf %s, %v : f32
      scf.yield %more : f32
    }
    %tl = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Bounds that move apart, and counters without sign, stay as they are.

// CHECK-LABEL: func.func @growing
// CHECK-NOT: : i64 {
func.func @growing(%first: i32, %reach: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %x = arith.addi %first, %ti : i32
    %low = arith.subi %x, %reach : i32
    %twice = arith.addi %x, %x : i32
    %high = arith.addi %twice, %one : i32
    %sum = scf.for %k = %low to %high step %one iter_args(%s = %none) -> (f32) : i32 {
      %kl = arith.extsi %k : i32 to i64
      %at = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %more = arith.addf %s, %v : f32
      scf.yield %more : f32
    }
    %tl = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @without_sign
// CHECK-NOT: : i64 {
func.func @without_sign(%first: i32, %reach: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %x = arith.addi %first, %ti : i32
    %low = arith.subi %x, %reach : i32
    %twice = arith.addi %x, %reach : i32
    %high = arith.addi %twice, %one : i32
    %sum = scf.for unsigned %k = %low to %high step %one iter_args(%s = %none) -> (f32) : i32 {
      %kl = arith.extsi %k : i32 to i64
      %at = llvm.getelementptr %p[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %more = arith.addf %s, %v : f32
      scf.yield %more : f32
    }
    %tl = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
