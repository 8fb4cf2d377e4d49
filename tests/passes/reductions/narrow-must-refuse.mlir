// RUN: %unwarp_opt --reductions %s | FileCheck %s

// What a loop carries otherwise stays as wide as it is.

// Integers that are not extended.
// CHECK-LABEL: func.func @not_extended(
// CHECK: iter_args({{.*}}) -> (i32)
// CHECK: return
func.func @not_extended(%p: !llvm.ptr, %n: i64, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %v = llvm.load %p : !llvm.ptr -> i32
    %next = arith.minsi %a, %v : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Extended, but not narrow.
// CHECK-LABEL: func.func @wide(
// CHECK: iter_args({{.*}}) -> (i32)
// CHECK: return
func.func @wide(%p: !llvm.ptr, %n: i64, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i24
    %v = arith.extui %x : i24 to i32
    %next = arith.minsi %a, %v : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Extended with sign, compared without: the order is another one.
// CHECK-LABEL: func.func @other_order(
// CHECK: iter_args({{.*}}) -> (i32)
// CHECK: return
func.func @other_order(%p: !llvm.ptr, %n: i64, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i8
    %v = arith.extsi %x : i8 to i32
    %next = arith.minui %a, %v : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// A sum.
// CHECK-LABEL: func.func @sum(
// CHECK: iter_args({{.*}}) -> (i32)
// CHECK: return
func.func @sum(%p: !llvm.ptr, %n: i64, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i8
    %v = arith.extui %x : i8 to i32
    %next = arith.addi %a, %v : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// The loop looks at what it carries.
// CHECK-LABEL: func.func @looked_at(
// CHECK: iter_args({{.*}}) -> (i32)
// CHECK: return
func.func @looked_at(%p: !llvm.ptr, %n: i64, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i8
    %v = arith.extui %x : i8 to i32
    %next = arith.minsi %a, %v : i32
    llvm.store %a, %p : i32, !llvm.ptr
    scf.yield %next : i32
  }
  return %r : i32
}

// The loop looks at what it hands on.
// CHECK-LABEL: func.func @looked_at_after(
// CHECK: iter_args({{.*}}) -> (i32)
// CHECK: return
func.func @looked_at_after(%p: !llvm.ptr, %n: i64, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i8
    %v = arith.extui %x : i8 to i32
    %next = arith.minsi %a, %v : i32
    llvm.store %next, %p : i32, !llvm.ptr
    scf.yield %next : i32
  }
  return %r : i32
}

// A minimum without what is carried.
// CHECK-LABEL: func.func @of_something_else(
// CHECK: iter_args({{.*}}) -> (i32)
// CHECK: return
func.func @of_something_else(%p: !llvm.ptr, %n: i64, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i8
    %v = arith.extui %x : i8 to i32
    %next = arith.minsi %start, %v : i32
    llvm.store %a, %p : i32, !llvm.ptr
    scf.yield %next : i32
  }
  return %r : i32
}
