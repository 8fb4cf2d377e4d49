// RUN: %unwarp_opt --if-convert --simplify{after=if-convert} %s | FileCheck %s
// RUN: %unwarp_opt --if-convert --if-convert --simplify{after=if-convert} %s | FileCheck %s

// That a thread did something is known without asking what it did; the flag, a byte, is the condition again.
// CHECK-LABEL: func.func @did
// CHECK: %[[NOT:.*]] = arith.xori %arg0
// CHECK: %[[BOTH:.*]] = arith.andi %[[NOT]], %arg1
// CHECK: scf.if %arg0 {
// CHECK: } else {
// CHECK: llvm.store
// CHECK: scf.if %[[BOTH]]
func.func @did(%out: i1, %within: i1, %p: !llvm.ptr, %v: f32) {
  %no = arith.constant 0 : i8
  %done = scf.if %out -> (i8) {
    scf.yield %no : i8
  } else {
    llvm.store %v, %p : f32, !llvm.ptr
    %byte = arith.extui %within : i1 to i8
    scf.yield %byte : i8
  }
  %flag = arith.trunci %done : i8 to i1
  scf.if %flag {
    llvm.store %v, %p : f32, !llvm.ptr
  }
  return
}

// What is loaded in the branch stays there, and so does what may trap.
// CHECK-LABEL: func.func @loaded
// CHECK: scf.if %arg0 -> (i32, i32)
// CHECK-NOT: arith.select
func.func @loaded(%c: i1, %p: !llvm.ptr, %a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    %x = llvm.load %p : !llvm.ptr -> i32
    %y = arith.divsi %a, %b : i32
    scf.yield %x, %y : i32, i32
  } else {
    scf.yield %a, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
