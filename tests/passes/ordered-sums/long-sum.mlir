// RUN: %unwarp_opt --ordered-sums %s | FileCheck %s
// RUN: %unwarp_opt --ordered-sums %s > %t.once && %unwarp_opt --ordered-sums --ordered-sums %s | diff %t.once -

// A long sum is tried chunk by chunk: 2 registers of 8 at a time, (s + x) - s of each added up, with the loop as it was where that does
// not tell the sum, and for the rest.

module attributes {unwarp.register_bytes = 32 : i64} {
  // CHECK-LABEL: func.func @sum
  func.func @sum(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: %[[ROUNDS:.*]] = arith.subi
    // CHECK: %[[LONG:.*]] = arith.andi
    // CHECK: %[[PART:.*]]:2 = scf.if %[[LONG]] -> (f32, i64)
    // CHECK: %[[FIRST:.*]] = llvm.ptrtoint
    // CHECK: %[[LAST:.*]] = llvm.ptrtoint
    // CHECK: %[[FAR:.*]] = arith.subi %[[LAST]], %[[FIRST]]
    // CHECK: %[[STRAIGHT:.*]] = arith.cmpi eq, %[[FAR]]
    // CHECK: arith.select %[[STRAIGHT]], %[[ROUNDS]]
    // CHECK: scf.while
    // CHECK: %[[SUMS:.*]]:3 = scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[M:.*]] = %{{.*}})
    // CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    // CHECK: %[[NEXT:.*]] = arith.addf %[[S:.*]], %[[X]] : vector<16xf32>
    // CHECK: %[[R:.*]] = arith.subf %[[NEXT]], %[[S]] : vector<16xf32>
    // CHECK: %[[REST:.*]] = arith.subf %[[X]], %[[R]] : vector<16xf32>
    // CHECK: math.absf %[[REST]]
    // CHECK: arith.addf %[[T]], %[[R]] : vector<16xf32>
    // CHECK: %{{.*}}:4 = scf.if %{{.*}} -> (f32, i64, i64, i64)
    // CHECK: else
    // CHECK: scf.for
    // CHECK: llvm.load {{.*}} -> f32
    // CHECK: scf.for {{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[PART]]#0) -> (f32)
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) : i32 {
      %at = arith.extsi %k : i32 to i64
      %p = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p : !llvm.ptr -> f32
      %next = arith.addf %s, %x fastmath<contract> : f32
      scf.yield %next : f32
    }
    return %sum : f32
  }

  // CHECK-LABEL: func.func @of_one_thread
  func.func @of_one_thread(%n: index, %in: !llvm.ptr, %start: f64) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %eight = arith.constant 8 : i64
    // CHECK: llvm.load {{.*}} -> vector<8xf64>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f64) {
      %at = arith.index_cast %k : index to i64
      %bytes = arith.muli %at, %eight : i64
      %p = llvm.getelementptr %in[%bytes] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %x = llvm.load %p : !llvm.ptr -> f64
      %next = arith.addf %x, %s : f64
      scf.yield %next : f64
    }
    return %sum : f64
  }
}
