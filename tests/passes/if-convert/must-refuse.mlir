// RUN: %unwarp_opt --if-convert %s | FileCheck %s

// The load stays: of global memory, whose end nobody knows; in an array of another length, or whose length is not known, or that is less
// aligned than its elements say; past the aligned piece or before it; where nothing was loaded before, or
// with less alignment; beside a store, a division by what may be 0; volatile.

// CHECK-LABEL: func.func @of_the_grid
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @of_the_grid(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %p = llvm.getelementptr %memory[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @odd_length
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @odd_length(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1020 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @unknown_length
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @unknown_length(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%n) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @less_aligned
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @less_aligned(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @past_it
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @past_it(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[16] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @half_past_it
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @half_past_it(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[14] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @before_it
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @before_it(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[-4] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @first_of_all
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @first_of_all(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = arith.negf %sum : f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @said_less
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @said_less(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @beside_a_store
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @beside_a_store(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    llvm.store %sum, %memory : f32, !llvm.ptr
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @beside_a_division
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @beside_a_division(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %d = arith.divsi %k, %k : i32
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @volatile
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.load
func.func @volatile(%i: i64, %limit: f32, %sum: f32, %memory: !llvm.ptr, %n: i64, %k: i32) -> f32 {
  %size = arith.constant 1024 : i64
  %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %tile[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> f32
  %c = arith.cmpf olt, %x, %limit : f32
  %r = scf.if %c -> (f32) {
    %q = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load volatile %q {alignment = 4 : i64} : !llvm.ptr -> f32
    scf.yield %m : f32
  } else {
    scf.yield %sum : f32
  }
  return %r : f32
}
