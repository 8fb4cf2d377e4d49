// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --privatize-atomics %s | FileCheck %s
// RUN: %unwarp_opt --privatize-atomics --privatize-atomics %s | FileCheck %s
// Under -fno-reassociate-atomics, which the module says, none.
// RUN: (echo "module attributes {unwarp.atomics_in_order} {"; cat %s; echo "}") > %t.mlir
// RUN: %unwarp_opt --privatize-atomics %t.mlir | FileCheck --check-prefix=ORDER %s
// ORDER-NOT: unwarp.tally

// Sums of doubles at two addresses.
// CHECK-LABEL: func.func @doubles
// CHECK: %[[OWN:.*]] = "unwarp.tally"(%arg1) {bits = 64 : i64, bytes = 16 : i64, kind = 11 : i64}
// CHECK: llvm.atomicrmw fadd %[[OWN]]
// CHECK-NOT: unwarp.tally
func.func @doubles(%blocks: index, %a: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %d = arith.constant 5.000000e-01 : f64
  %f = arith.constant 5.000000e-01 : f32
  %h = arith.constant 5.000000e-01 : f16
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %0 = llvm.atomicrmw fadd %a, %d monotonic : !llvm.ptr, f64
      %second = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f64
      %1 = llvm.atomicrmw fadd %second, %d monotonic : !llvm.ptr, f64
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// What is subtracted counts as added.
// CHECK-LABEL: func.func @differences
// CHECK: %[[OWN:.*]] = "unwarp.tally"(%arg1) {bits = 32 : i64, bytes = 4 : i64, kind = 11 : i64}
// CHECK: llvm.atomicrmw fsub %[[OWN]]
func.func @differences(%blocks: index, %a: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %d = arith.constant 5.000000e-01 : f64
  %f = arith.constant 5.000000e-01 : f32
  %h = arith.constant 5.000000e-01 : f16
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %0 = llvm.atomicrmw fsub %a, %f monotonic : !llvm.ptr, f32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// Integers are not this pass's, and values of 16 bits nobody's.
// CHECK-LABEL: func.func @others
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @others(%blocks: index, %a: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %d = arith.constant 5.000000e-01 : f64
  %f = arith.constant 5.000000e-01 : f32
  %h = arith.constant 5.000000e-01 : f16
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %0 = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %1 = llvm.atomicrmw fadd %a, %h monotonic : !llvm.ptr, f16
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// An address that is read meanwhile.
// CHECK-LABEL: func.func @read
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @read(%blocks: index, %a: !llvm.ptr, %to: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %d = arith.constant 5.000000e-01 : f64
  %f = arith.constant 5.000000e-01 : f32
  %h = arith.constant 5.000000e-01 : f16
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %0 = llvm.atomicrmw fadd %a, %f monotonic : !llvm.ptr, f32
      %1 = llvm.load %a : !llvm.ptr -> f32
      llvm.store %1, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// A sum that is asked for.
// CHECK-LABEL: func.func @asked
// CHECK-NOT: unwarp.tally
// CHECK: return
func.func @asked(%blocks: index, %a: !llvm.ptr, %to: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1 : i32
  %d = arith.constant 5.000000e-01 : f64
  %f = arith.constant 5.000000e-01 : f32
  %h = arith.constant 5.000000e-01 : f16
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%c128) {
      %0 = llvm.atomicrmw fadd %a, %f monotonic : !llvm.ptr, f32
      llvm.store %0, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
