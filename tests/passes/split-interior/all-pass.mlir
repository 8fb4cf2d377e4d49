// RUN: %unwarp_opt --split-interior %s | FileCheck %s
// RUN: %unwarp_opt --split-interior --split-interior %s | FileCheck %s
// RUN: %unwarp_opt --split-interior --simplify %s | FileCheck %s --check-prefix=CLEAN

// Whether all threads pass is asked before the loop; if so the load stands without a condition, and so does a plain branch under
// the same one. Otherwise the loop is what it was.

// CHECK-LABEL: func.func @guarded
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}
// CHECK: %[[X:.*]] = arith.cmpi eq, %[[END]], %{{.*}} : index
// CHECK: %[[ALL:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: scf.if %[[ALL]] {
// CHECK-NEXT: scf.forall
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.forall
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: scf.if %{{.*}} {
// CHECK-NOT: scf.forall
// CHECK: return

// The same with the arms the other way round.

// CHECK-LABEL: func.func @turned
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: scf.forall
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.forall
// CHECK: scf.if %{{.*}} -> (f32)

// CLEAN-LABEL: func.func @guarded
// CLEAN-NOT: unwarp.sure
func.func @guarded(%threads: index, %n: i32, %uniform: i1, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %tl = arith.index_cast %t : index to i64
    %inside = arith.cmpi slt, %ti, %n : i32
    %in = arith.andi %inside, %uniform : i1
    %a = llvm.getelementptr %p[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = scf.if %in -> (f32) {
      %x = llvm.load %a : !llvm.ptr -> f32
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    llvm.store %v, %b : f32, !llvm.ptr
    scf.if %in {
      llvm.store %v, %a : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @turned(%threads: index, %n: i32, %uniform: i1, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  scf.forall (%t) in (%threads) {
    %ti = arith.index_castui %t : index to i32
    %tl = arith.index_cast %t : index to i64
    %outside = arith.cmpi sge, %ti, %n : i32
    %out = arith.select %uniform, %true, %outside : i1
    %a = llvm.getelementptr %p[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %q[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = scf.if %out -> (f32) {
      scf.yield %zero : f32
    } else {
      %x = llvm.load %a : !llvm.ptr -> f32
      scf.yield %x : f32
    }
    llvm.store %v, %b : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A row of 16 threads that are all inside is one vector; the conditions of the branch, and of the one in its other arm, are asked
// before the loop.

// CHECK-LABEL: func.func @short_row
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: scf.forall
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.forall
func.func @short_row(%block: index, %n: i32, %q: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %i0 = arith.constant 0 : i32
  %i16 = arith.constant 16 : i32
  %bi = arith.index_castui %block : index to i32
  %offset = arith.muli %bi, %i16 : i32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_castui %t : index to i32
    %x = arith.addi %offset, %ti : i32
    %tl = arith.index_cast %t : index to i64
    %b = llvm.getelementptr %q[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %edge = arith.cmpi eq, %x, %i0 : i32
    scf.if %edge {
    } else {
      %in = arith.cmpi slt, %x, %n : i32
      scf.if %in {
        llvm.store %v, %b : f32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
