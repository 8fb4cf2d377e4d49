// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

// With registers of 64 bytes and little to keep in them, 64 threads are taken at a time; of 80, the others are 16.
module attributes {unwarp.register_bytes = 64 : i64} {
// CHECK-LABEL: func.func @generator
// CHECK: scf.for {{.*}} -> (vector<64xi32>)
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK-NOT: scf.for %
func.func @generator(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c80 = arith.constant 80 : index
  %c13 = arith.constant 13 : i32
  scf.forall (%t) in (%c80) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Of at most 32 threads, 32 are taken at a time.
// CHECK-LABEL: func.func @at_most
// CHECK: scf.for {{.*}} -> (vector<32xi32>)
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK: scf.for {{.*}} -> (i32)
// CHECK-NOT: scf.for %
func.func @at_most(%n: index, %threads: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : i32
  %c32 = arith.constant 32 : index
  %some = arith.minsi %threads, %c32 : index
  scf.forall (%t) in (%some) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Where that is the least value, 64.
// CHECK-LABEL: func.func @at_least
// CHECK: scf.for {{.*}} -> (vector<64xi32>)
func.func @at_least(%n: index, %threads: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : i32
  %c32 = arith.constant 32 : index
  %some = arith.maxsi %threads, %c32 : index
  scf.forall (%t) in (%some) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A packet of 32 and 8 threads that are left: none of 16.
// CHECK-LABEL: func.func @left
// CHECK: scf.for {{.*}} -> (vector<32xi32>)
// CHECK-NOT: vector<16
// CHECK: scf.for {{.*}} -> (i32)
// CHECK-NOT: scf.for %
func.func @left(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : i32
  %c40 = arith.constant 40 : index
  scf.forall (%t) in (%c40) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.trunci %ti : i64 to i32
    %state = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (i32) {
      %a = arith.shli %s, %c13 : i32
      %next = arith.xori %s, %a : i32
      scf.yield %next : i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %state, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}

// Where threads are noted one by one (no optimisation), nothing happens.
module attributes {unwarp.register_bytes = 0 : i64} {
// CHECK-LABEL: func.func @noted
// CHECK-NOT: vector
func.func @noted(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %ti) -> (i64) {
      %next = arith.muli %s, %s : i64
      scf.yield %next : i64
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %last, %mine : i64, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
