// RUN: %unwarp_opt --combine-branches %s | FileCheck %s
// RUN: %unwarp_opt --combine-branches --combine-branches %s | FileCheck %s

// Two branches whose conditions say the same in other words, and one more of the first's value: all become one. What stands between them may run
// anywhere and goes before.

// CHECK-LABEL: func.func @mark
// CHECK: scf.forall
// CHECK: %[[V:.*]] = arith.constant 7
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.if
// CHECK-NEXT: llvm.store %arg2
// CHECK-NEXT: llvm.store %[[V]]
// CHECK-NEXT: llvm.store %arg3
// CHECK-NOT: scf.if
// CHECK: mapping = [#gpu.thread<
func.func @mark(%out: !llvm.ptr, %next: !llvm.ptr, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %true = arith.constant true
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    %t = arith.index_castui %tx : index to i32
    %low = arith.cmpi ult, %t, %i1 : i32
    %high = arith.cmpi ult, %t, %i15 : i32
    %not_low = arith.cmpi uge, %t, %i1 : i32
    %both = arith.andi %not_low, %high : i1
    %turned = arith.xori %low, %true : i1
    %mixed = arith.andi %high, %turned : i1
    scf.if %low {
    } else {
      scf.if %high {
        llvm.store %a, %out : i32, !llvm.ptr
      }
    }
    %v = arith.constant 7 : i32
    scf.if %both {
      llvm.store %v, %next : i32, !llvm.ptr
    }
    scf.if %mixed {
      llvm.store %b, %out : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Nested on the other side: the outer branch of the second goes, what it computes stays before.

// CHECK-LABEL: func.func @nested_second
// CHECK: arith.addi
// CHECK: scf.if
// CHECK-NEXT: llvm.store %arg1
// CHECK-NEXT: llvm.store
// CHECK-NOT: scf.if
// CHECK: mapping = [#gpu.thread<
func.func @nested_second(%out: !llvm.ptr, %a: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    %t = arith.index_castui %tx : index to i32
    %low = arith.cmpi uge, %t, %i1 : i32
    %high = arith.cmpi ult, %t, %i15 : i32
    %both = arith.andi %low, %high : i1
    scf.if %both {
      llvm.store %a, %out : i32, !llvm.ptr
    }
    scf.if %high {
      %sum = arith.addi %a, %t : i32
      scf.if %low {
        llvm.store %sum, %out : i32, !llvm.ptr
      }
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
