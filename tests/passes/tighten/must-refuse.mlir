// RUN: %unwarp_opt --tighten %s | FileCheck %s

// What other threads do, or a bound of each thread's own, keeps the loop whole.

// CHECK-LABEL: func.func @others_store
// CHECK: scf.if
func.func @others_store(%n: index, %active: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%x) = (%c0) to (%n) step (%c1) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi slt, %t, %active : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    }
    llvm.store %t, %q : i32, !llvm.ptr
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// CHECK-LABEL: func.func @other_arm
// CHECK: scf.if
func.func @other_arm(%n: index, %active: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%x) = (%c0) to (%n) step (%c1) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi slt, %t, %active : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    } else {
      llvm.store %t, %q : i32, !llvm.ptr
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// CHECK-LABEL: func.func @own_bound
// CHECK: scf.if
func.func @own_bound(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  scf.parallel (%x) = (%c0) to (%n) step (%c1) {
    %t = arith.index_castui %x : index to i32
    %bound = arith.xori %t, %seven : i32
    %in = arith.cmpi slt, %t, %bound : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}

// The grid's loop is no thread loop.
// CHECK-LABEL: func.func @blocks
// CHECK: scf.if
func.func @blocks(%n: index, %active: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%x) = (%c0) to (%n) step (%c1) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi slt, %t, %active : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    }
    scf.reduce
  } {unwarp.level = "grid"}
  return
}

// Below zero, what is extended without its sign would be a large number.
// CHECK-LABEL: func.func @extended
// CHECK: scf.if
func.func @extended(%n: index, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  scf.parallel (%x) = (%c0) to (%n) step (%c1) {
    %xi = arith.index_castui %x : index to i32
    %left = arith.subi %xi, %five : i32
    %wide = arith.index_castui %left : i32 to index
    %in = arith.cmpi slt, %wide, %n : index
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
    scf.reduce
  } {unwarp.level = "block"}
  return
}
