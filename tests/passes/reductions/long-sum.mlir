// RUN: %unwarp_opt --reductions %s | FileCheck %s
// RUN: %unwarp_opt --reductions %s > %t.once && %unwarp_opt --reductions --reductions %s | diff %t.once -

// A long sum is the runtime's, where the last address is as far from the first one as if nothing wrapped around; else the loop as it was.

module attributes {unwarp.register_bytes = 32 : i64} {
  // CHECK-LABEL: func.func @sum
  // CHECK-SAME: %[[N:.*]]: i32, %[[IN:.*]]: !llvm.ptr, %[[START:.*]]: f32
  func.func @sum(%n: i32, %in: !llvm.ptr, %start: f32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: %[[ITERATIONS:.*]] = arith.subi
    // CHECK: arith.cmpi slt
    // CHECK: %[[LEAST:.*]] = arith.constant 4096
    // CHECK: arith.cmpi sge, %[[ITERATIONS]], %[[LEAST]]
    // CHECK: %[[LONG:.*]] = arith.andi
    // CHECK: %[[MADE:.*]] = scf.if %[[LONG]] -> (i1)
    // CHECK: %[[FIRST:.*]] = llvm.ptrtoint
    // CHECK: %[[LAST:.*]] = llvm.ptrtoint
    // CHECK: %[[FAR:.*]] = arith.subi %[[LAST]], %[[FIRST]]
    // CHECK: %[[STRAIGHT:.*]] = arith.cmpi eq, %[[FAR]]
    // CHECK: scf.yield %[[STRAIGHT]]
    // CHECK: else
    // CHECK: %[[SUM:.*]] = scf.if %[[MADE]] -> (f32)
    // CHECK: %[[MADE_SUM:.*]] = llvm.call @uwrt_ordered_float(%{{.*}}, %[[ITERATIONS]], %[[START]])
    // CHECK: scf.yield %[[MADE_SUM]]
    // CHECK: else
    // CHECK: %[[OWN:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (f32)
    // CHECK: llvm.load {{.*}} -> f32
    // CHECK: scf.yield %[[OWN]]
    // CHECK: return %[[SUM]]
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
    // CHECK: llvm.call @uwrt_ordered_double
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
