// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that only computes waits for its iteration before: 32 lanes where what is on the way leaves registers for them. Not where more
// is on the way, nor where it loads.
// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 32 : i64, unwarp.registers = 16 : i64} {

// CHECK-LABEL: func.func @chain
// CHECK: arith.xori {{.*}} : vector<32xi32>
// CHECK: return
func.func @chain(%n: index, %times: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  scf.forall (%t) in (%n) {
    %tl = arith.index_cast %t : index to i64
    %start = arith.trunci %tl : i64 to i32
    %end:2 = scf.for %k = %c0 to %times step %c1 iter_args(%s = %start, %sum = %five) -> (i32, i32) {
      %a = arith.shli %s, %five : i32
      %b = arith.xori %s, %a : i32
      %c = arith.addi %sum, %b : i32
      scf.yield %b, %c : i32, i32
    }
    %both = arith.addi %end#0, %end#1 : i32
    %to = llvm.getelementptr %out[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %both, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @many_values
// CHECK-NOT: vector<32xi32>
// CHECK: arith.muli {{.*}} : vector<16xi32>
// CHECK: return
func.func @many_values(%n: index, %times: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  scf.forall (%t) in (%n) {
    %tl = arith.index_cast %t : index to i64
    %start = arith.trunci %tl : i64 to i32
    %end:2 = scf.for %k = %c0 to %times step %c1 iter_args(%s = %start, %sum = %five) -> (i32, i32) {
      %a = arith.shli %s, %five : i32
      %b = arith.muli %s, %a : i32
      %c = arith.muli %s, %b : i32
      %d = arith.muli %s, %c : i32
      %e = arith.xori %a, %b : i32
      %f = arith.xori %c, %d : i32
      %g = arith.muli %e, %f : i32
      %h = arith.addi %sum, %g : i32
      scf.yield %g, %h : i32, i32
    }
    %both = arith.addi %end#0, %end#1 : i32
    %to = llvm.getelementptr %out[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %both, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @loads
// CHECK-NOT: vector<32xi32>
// CHECK: arith.xori {{.*}} : vector<16xi32>
// CHECK: return
func.func @loads(%n: index, %times: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  scf.forall (%t) in (%n) {
    %tl = arith.index_cast %t : index to i64
    %start = arith.trunci %tl : i64 to i32
    %end:2 = scf.for %k = %c0 to %times step %c1 iter_args(%s = %start, %sum = %five) -> (i32, i32) {
      %kl = arith.index_cast %k : index to i64
      %from = llvm.getelementptr %in[%kl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %a = llvm.load %from : !llvm.ptr -> i32
      %b = arith.xori %s, %a : i32
      %c = arith.addi %sum, %b : i32
      scf.yield %b, %c : i32, i32
    }
    %both = arith.addi %end#0, %end#1 : i32
    %to = llvm.getelementptr %out[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %both, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
