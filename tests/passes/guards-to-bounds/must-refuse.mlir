// RUN: %unwarp_opt --guards-to-bounds %s | FileCheck %s

// What other threads do, or a bound of each thread's own, keeps the loop whole.

// CHECK-LABEL: func.func @others_store
// CHECK: scf.if
func.func @others_store(%n: index, %active: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi slt, %t, %active : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    }
    llvm.store %t, %q : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @other_arm
// CHECK: scf.if
func.func @other_arm(%n: index, %active: i32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi slt, %t, %active : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    } else {
      llvm.store %t, %q : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @own_bound
// CHECK: scf.if
func.func @own_bound(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  scf.forall (%x) in (%n) {
    %t = arith.index_castui %x : index to i32
    %bound = arith.xori %t, %seven : i32
    %in = arith.cmpi slt, %t, %bound : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The grid's loop is no thread loop.
// CHECK-LABEL: func.func @blocks
// CHECK: scf.if
func.func @blocks(%n: index, %active: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi slt, %t, %active : i32
    scf.if %in {
      llvm.store %t, %p : i32, !llvm.ptr
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// Below zero, what is extended without its sign would be a large integer.
// CHECK-LABEL: func.func @extended
// CHECK: scf.if
func.func @extended(%n: index, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  scf.forall (%x) in (%n) {
    %xi = arith.index_castui %x : index to i32
    %left = arith.subi %xi, %five : i32
    %wide = arith.index_castui %left : i32 to index
    %in = arith.cmpi slt, %wide, %n : index
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// No steps: a mask with a gap, a remainder by what only the launch knows, one that nothing leaves.
// CHECK-LABEL: func.func @gap
// CHECK: scf.if
func.func @gap(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %five = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%x) in (%c64) {
    %t = arith.index_castui %x : index to i32
    %rest = arith.andi %t, %five : i32
    %in = arith.cmpi eq, %rest, %zero : i32
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @unknown_step
// CHECK: scf.if
func.func @unknown_step(%p: !llvm.ptr, %v: f32, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  scf.forall (%x) in (%c64) {
    %t = arith.index_castui %x : index to i32
    %rest = arith.remui %t, %n : i32
    %in = arith.cmpi eq, %rest, %zero : i32
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @too_large
// CHECK: scf.if
func.func @too_large(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %three = arith.constant 3 : i32
  scf.forall (%x) in (%c64) {
    %t = arith.index_castui %x : index to i32
    %rest = arith.remui %t, %three : i32
    %in = arith.cmpi eq, %rest, %three : i32
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Not every third: the threads that are left are in no step.
// CHECK-LABEL: func.func @not_every_third
// CHECK: scf.if
func.func @not_every_third(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%x) in (%c64) {
    %t = arith.index_castui %x : index to i32
    %rest = arith.remui %t, %three : i32
    %in = arith.cmpi ne, %rest, %zero : i32
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// The remainder of a value that has the block in it: where its first thread stands is not known.
// CHECK-LABEL: func.func @of_the_grid
// CHECK: scf.if
func.func @of_the_grid(%p: !llvm.ptr, %v: f32, %start: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%x) in (%c64) {
    %t = arith.index_castui %x : index to i32
    %at = arith.addi %start, %t : i32
    %rest = arith.andi %at, %one : i32
    %in = arith.cmpi eq, %rest, %zero : i32
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
