// RUN: %unwarp_opt --coalesce-strided %s | FileCheck %s

// A counter that is used after the loop, a bound of each thread's own, a start that does not follow the thread index,
// a loop that only some threads come by, and one that carries more than eight values stay as they are.
// CHECK-NOT: unwarp.barrier

func.func @counter_used(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      llvm.store %i, %q : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
    llvm.store %r, %q : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @own_bound(%threads: index, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i32
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %n = arith.muli %start, %c2 : i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      llvm.store %i, %q : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @loaded_start(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i64
    %at = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %start = llvm.load %at : !llvm.ptr -> i32
    %r = scf.while (%i = %start) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      llvm.store %i, %q : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j : i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @some_threads(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %low = arith.cmpi ult, %t, %c5 : index
    scf.if %low {
      %r = scf.while (%i = %start) : (i32) -> i32 {
        %more = arith.cmpi slt, %i, %n : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        llvm.store %i, %q : i32, !llvm.ptr
        %j = arith.addi %i, %stride : i32
        scf.yield %j : i32
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @many_values(%threads: index, %n: i32, %stride: i32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %start = arith.index_castui %t : index to i32
    %r:10 = scf.while (%i = %start, %s0 = %n, %s1 = %n, %s2 = %n, %s3 = %n, %s4 = %n,
                       %s5 = %n, %s6 = %n, %s7 = %n, %s8 = %n)
        : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i, %s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7, %s8
        : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
    } do {
    ^bb0(%i: i32, %s0: i32, %s1: i32, %s2: i32, %s3: i32, %s4: i32, %s5: i32, %s6: i32, %s7: i32, %s8: i32):
      %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %s8, %at : i32, !llvm.ptr
      %j = arith.addi %i, %stride : i32
      scf.yield %j, %i, %s0, %s1, %s2, %s3, %s4, %s5, %s6, %s7 : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
