// RUN: %unwarp_opt --if-convert %s | FileCheck %s
// RUN: %unwarp_opt --if-convert --if-convert %s | FileCheck %s

// A condition that comes as a branch with a value is a value; what loads, divides by what may be 0, or is much, stays a branch.

// CHECK-LABEL: func.func @condition
// CHECK-NOT: scf.if
// CHECK: %[[B:.*]] = arith.cmpi slt
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[B]] : i1
// CHECK-LABEL: func.func @nested
// CHECK-NOT: scf.if
// CHECK-COUNT-2: arith.select
// CHECK-LABEL: func.func @loads
// CHECK: scf.if
// CHECK-LABEL: func.func @divides
// CHECK: scf.if
// CHECK-LABEL: func.func @much
// CHECK: scf.if
func.func @condition(%a: i1, %x: i32, %n: i32) -> i1 {
  %false = arith.constant false
  %r = scf.if %a -> (i1) {
    scf.yield %false : i1
  } else {
    %b = arith.cmpi slt, %x, %n : i32
    scf.yield %b : i1
  }
  return %r : i1
}

func.func @nested(%a: i1, %x: i32, %n: i32) -> i1 {
  %false = arith.constant false
  %r = scf.if %a -> (i1) {
    scf.yield %false : i1
  } else {
    %b = arith.cmpi slt, %x, %n : i32
    %s = scf.if %b -> (i1) {
      %c = arith.cmpi sgt, %x, %n : i32
      scf.yield %c : i1
    } else {
      scf.yield %a : i1
    }
    scf.yield %s : i1
  }
  return %r : i1
}

func.func @loads(%a: i1, %p: !llvm.ptr, %y: i32) -> i32 {
  %r = scf.if %a -> (i32) {
    %x = llvm.load %p : !llvm.ptr -> i32
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @divides(%a: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.if %a -> (i32) {
    %q = arith.divsi %x, %y : i32
    scf.yield %q : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @much(%a: i1, %x: f32) -> f32 {
  %r = scf.if %a -> (f32) {
    %1 = arith.mulf %x, %x : f32
    %2 = arith.mulf %1, %x : f32
    %3 = arith.mulf %2, %x : f32
    %4 = arith.mulf %3, %x : f32
    %5 = arith.mulf %4, %x : f32
    %6 = arith.mulf %5, %x : f32
    %7 = arith.mulf %6, %x : f32
    %8 = arith.mulf %7, %x : f32
    %9 = arith.mulf %8, %x : f32
    scf.yield %9 : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}
