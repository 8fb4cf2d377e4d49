// RUN: %unwarp_opt --reductions %s | FileCheck %s
// RUN: %unwarp_opt --reductions %s > %t.once && %unwarp_opt --reductions --reductions %s | diff %t.once -

// The least and the greatest of narrow integers are carried as narrow integers, and joined with the start after the loop.

// CHECK-LABEL: func.func @bytes
// CHECK-DAG: %[[MOST:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[LEAST:.*]] = arith.constant 0 : i8
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[MOST]], %[[B:.*]] = %[[LEAST]]) -> (i8, i8)
// CHECK: %[[X:.*]] = llvm.load
// CHECK-DAG: %[[LOW:.*]] = arith.minui %[[A]], %[[X]] : i8
// CHECK-DAG: %[[HIGH:.*]] = arith.maxui %[[B]], %[[X]] : i8
// CHECK: scf.yield %[[LOW]], %[[HIGH]] : i8, i8
// CHECK: %[[WIDE:.*]] = arith.extui %[[R]]#0 : i8 to i32
// CHECK-NEXT: %[[FIRST:.*]] = arith.minsi %{{.*}}, %[[WIDE]] : i32
// CHECK-NEXT: %[[OTHER:.*]] = arith.extui %[[R]]#1 : i8 to i32
// CHECK-NEXT: %[[SECOND:.*]] = arith.maxui %{{.*}}, %[[OTHER]] : i32
// CHECK-NEXT: return %[[FIRST]], %[[SECOND]]
func.func @bytes(%p: !llvm.ptr, %n: i64) -> (i32, i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %all = arith.constant 255 : i32
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %all, %b = %none) -> (i32, i32) : i64 {
    %at = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %x = llvm.load %at : !llvm.ptr -> i8
    %v = arith.extui %x : i8 to i32
    %low = arith.minsi %a, %v : i32
    %high = arith.maxui %v, %b : i32
    scf.yield %low, %high : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// With sign; from a start that is out of reach, which the result is where there is no iteration.
// CHECK-LABEL: func.func @shorts
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[N:.*]]: i64, %[[START:.*]]: i32
// CHECK: %[[MOST:.*]] = arith.constant 32767 : i16
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[MOST]], %[[S:.*]] = %[[START]]) -> (i16, i32)
// CHECK: %[[LOW:.*]] = arith.minsi %[[A]], %{{.*}} : i16
// CHECK: %[[SUM:.*]] = arith.addi %[[S]]
// CHECK: scf.yield %[[LOW]], %[[SUM]] : i16, i32
// CHECK: %[[WIDE:.*]] = arith.extsi %[[R]]#0 : i16 to i32
// CHECK-NEXT: %[[JOINED:.*]] = arith.minsi %[[START]], %[[WIDE]] : i32
// CHECK-NEXT: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : i64
// CHECK-NEXT: %[[LEAST:.*]] = arith.select %[[ANY]], %[[JOINED]], %[[START]]
// CHECK-NEXT: return %[[LEAST]], %[[R]]#1
func.func @shorts(%p: !llvm.ptr, %n: i64, %start: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start, %s = %start) -> (i32, i32) : i64 {
    %at = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    %x = llvm.load %at : !llvm.ptr -> i16
    %v = arith.extsi %x : i16 to i32
    %low = arith.minsi %a, %v : i32
    %sum = arith.addi %s, %v : i32
    scf.yield %low, %sum : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// A loop that counts unsigned is asked so whether it has an iteration.
// CHECK-LABEL: func.func @unsigned
// CHECK: scf.for unsigned
// CHECK: arith.cmpi ult
func.func @unsigned(%p: !llvm.ptr, %n: i32, %start: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i32 {
    %x = llvm.load %p : !llvm.ptr -> i8
    %v = arith.extsi %x : i8 to i32
    %high = arith.maxsi %a, %v : i32
    scf.yield %high : i32
  }
  return %r : i32
}
