// RUN: %unwarp_opt --if-convert %s | FileCheck %s
// RUN: %unwarp_opt --if-convert --if-convert %s | FileCheck %s

// The fourth field of a struct of which another thread's position was looked at is loaded before the branch, which is a value then; twice
// is once.
// CHECK-LABEL: func.func @near
// CHECK: %[[PLACE:.*]] = llvm.getelementptr {{.*}}struct
// CHECK: llvm.load %[[PLACE]] {alignment = 16 : i64}
// CHECK: arith.cmpf
// CHECK: %[[LAST:.*]] = llvm.getelementptr {{.*}}%[[PLACE]][12]
// CHECK: %[[MASS:.*]] = llvm.load %[[LAST]]
// CHECK-NOT: scf.if
// CHECK: arith.mulf %[[MASS]]
// CHECK: arith.select
// CHECK-LABEL: func.func @both_sides
// CHECK-NOT: scf.if
// CHECK-COUNT-3: llvm.load
// CHECK-NOT: llvm.load
// CHECK: arith.select

func.func @near(%i: i64, %limit: f32, %sum: f32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr inbounds|nuw %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    %f = arith.mulf %m, %x : f32
    %s = arith.addf %sum, %f : f32
    scf.yield %s : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

func.func @both_sides(%i: i64, %limit: f32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 8 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32)>
  %x = llvm.load %p {alignment = 8 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    %m = llvm.load %p {alignment = 8 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  }
  return %r : f32
}
