// RUN: %unwarp_opt --split-borders %s | FileCheck %s
// RUN: %unwarp_opt --split-borders --split-borders %s | FileCheck %s

// A window that ends where the data end: in the middle its loop has no extremes. The index of a thread is small also where it is counted
// from the first thread of a slice. Not where the loop touches no memory, or the index may be anything.

// CHECK-LABEL: func.func @window
// CHECK: scf.forall
// CHECK-NOT: arith.maxsi
// CHECK-NOT: arith.minsi
// CHECK: scf.for %
// CHECK: } {mapping = [#gpu.thread<
// CHECK: scf.forall
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: unwarp.fallback
// CHECK-LABEL: func.func @no_memory
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
// CHECK-LABEL: func.func @far
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: scf.forall
func.func @window(%threads: index, %n: i32, %reach: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %first, %count = "unwarp.slice"(%threads, %c0, %c1) {group = 1 : i64} : (index, index, index) -> (index, index)
  scf.forall (%t) in (%count) {
    %own = arith.addi %first, %t : index
    %x = arith.index_castui %own : index to i32
    %before = arith.subi %x, %reach overflow<nsw> : i32
    %after = arith.addi %x, %reach overflow<nsw> : i32
    %low = arith.maxsi %before, %zero : i32
    %high = arith.minsi %after, %n : i32
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
func.func @no_memory(%threads: index, %n: i32, %reach: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %first, %count = "unwarp.slice"(%threads, %c0, %c1) {group = 1 : i64} : (index, index, index) -> (index, index)
  scf.forall (%t) in (%count) {
    %own = arith.addi %first, %t : index
    %x = arith.index_castui %own : index to i32
    %before = arith.subi %x, %reach overflow<nsw> : i32
    %after = arith.addi %x, %reach overflow<nsw> : i32
    %low = arith.maxsi %before, %zero : i32
    %high = arith.minsi %after, %n : i32
    %sum = scf.for %k = %low to %high step %one iter_args(%s = %none) -> (f32) : i32 {
      %v = arith.sitofp %k : i32 to f32
      %more = arith.addf %s, %v : f32
      scf.yield %more : f32
    }
    %tl = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %o[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @far(%slice: index, %count: index, %n: i32, %reach: i32, %p: !llvm.ptr, %o: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  scf.forall (%t) in (%count) {
    %own = arith.addi %slice, %t : index
    %x = arith.index_castui %own : index to i32
    %before = arith.subi %x, %reach overflow<nsw> : i32
    %after = arith.addi %x, %reach overflow<nsw> : i32
    %low = arith.maxsi %before, %zero : i32
    %high = arith.minsi %after, %n : i32
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
