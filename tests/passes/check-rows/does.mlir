// RUN: %unwarp_opt --check-rows %s | FileCheck %s
// RUN: %unwarp_opt --check-rows --check-rows %s | FileCheck %s

// Rows of threads are asked about before the loop over threads: who passes the condition, whether addresses lie on a line, what they leave
// in the memory's cells. Then threads run without checks, or with those of their
// accesses. Twice is once.

// CHECK-LABEL: func.func @stores
// CHECK: %[[WELL:.*]] = scf.for %{{.*}} iter_args(%{{.*}}) -> (i32)
// CHECK: scf.for %{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (i32)
// CHECK: scf.for %{{.*}} iter_args(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) -> (i64, i64, i64, i64)
// CHECK-NOT: overflow<nsw>
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[GOOD:.*]] = arith.andi %[[BEFORE]], %{{.*}} : i32
// CHECK: %[[PASSED:.*]] = llvm.call @__unwarp_check_row_pass(%{{.*}}, %[[GOOD]],
// CHECK: %[[STORED:.*]] = llvm.call @__unwarp_check_row_store4(%{{.*}}, %[[PASSED]],
// CHECK: %[[CAME:.*]] = llvm.call @__unwarp_check_row_arrive(%{{.*}}, %[[STORED]],
// CHECK: scf.yield %[[CAME]]
// CHECK: %[[TRUE:.*]] = arith.cmpi ne, %[[WELL]], %{{.*}} : i32
// CHECK: scf.if %[[TRUE]] {
// CHECK: scf.forall
// CHECK-NOT: __unwarp_check
// CHECK: llvm.store
// CHECK: mapping = [#gpu.thread<
// CHECK: llvm.call @__unwarp_check_all_arrive(
// CHECK: } else {
// CHECK: llvm.call @__unwarp_check_row_pass(
// CHECK: scf.forall
// CHECK-NOT: __unwarp_check_pass
// CHECK: llvm.call @__unwarp_check_store4(
// CHECK: llvm.call @uwrt_check_row_arrives(
// CHECK: unwarp.checks_answered
// CHECK-NOT: scf.forall

// A load and a store of a row: are they apart, or at the same address for each thread? That is asked before either is noted.
// CHECK-LABEL: func.func @meets
// CHECK: arith.minui
// CHECK: arith.maxui
// CHECK: arith.ori
// CHECK: llvm.call @__unwarp_check_row_shared_load4(
// CHECK: llvm.call @__unwarp_check_row_shared_store4(
llvm.func @__unwarp_check_pass(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_arrive(!llvm.ptr, i32, i32, i32)
llvm.func @__unwarp_check_store4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
llvm.func @__unwarp_check_shared_load4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
llvm.func @__unwarp_check_shared_store4(!llvm.ptr, !llvm.ptr, i32, i32, i64)
func.func @stores(%state: !llvm.ptr, %a: !llvm.ptr, %n: i32, %ny: index, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 0 : i32
  %value = arith.constant 1 : i32
  %bits = arith.constant 1 : i64
  scf.forall (%z, %y, %x) in (%c1, %ny, %nx) {
    %row = arith.muli %y, %nx : index
    %linear = arith.addi %row, %x : index
    %thread = arith.index_castui %linear : index to i32
    llvm.call @__unwarp_check_pass(%state, %site, %thread, %block) : (!llvm.ptr, i32, i32, i32) -> ()
    %passes = arith.cmpi slt, %thread, %n : i32
    scf.if %passes {
      %i = arith.addi %thread, %value overflow<nsw> : i32
      %j = arith.extsi %i : i32 to i64
      %p = llvm.getelementptr inbounds %a[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.call @__unwarp_check_store4(%state, %p, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
      llvm.store %value, %p : i32, !llvm.ptr
    }
    llvm.call @__unwarp_check_arrive(%state, %site, %thread, %block) : (!llvm.ptr, i32, i32, i32) -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @meets(%state: !llvm.ptr, %s: !llvm.ptr, %nx: index, %site: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 1 : i64
  scf.forall (%z, %y, %x) in (%c1, %c1, %nx) {
    %thread = arith.index_castui %x : index to i32
    %j = arith.extui %thread : i32 to i64
    %p = llvm.getelementptr inbounds %s[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %q = llvm.getelementptr inbounds %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.call @__unwarp_check_shared_load4(%state, %q, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
    %v = llvm.load %q : !llvm.ptr -> i32
    llvm.call @__unwarp_check_shared_store4(%state, %p, %site, %thread, %bits) : (!llvm.ptr, !llvm.ptr, i32, i32, i64) -> ()
    llvm.store %v, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
