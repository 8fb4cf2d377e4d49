// RUN: %unwarp_opt --peel-remainders %s | FileCheck %s

// The loops stay as they are where the limit or the width changes from iteration to iteration, where the question is about less, where
// something else is done in each iteration, and where the loop gives a value.

// CHECK-LABEL: func.func @limit_changes
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK-LABEL: func.func @width_changes
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK-LABEL: func.func @counts_down
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK-LABEL: func.func @store_beside
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK-LABEL: func.func @gives_a_value
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
// CHECK-LABEL: func.func @other_question
// CHECK-COUNT-1: scf.for %
// CHECK-NOT: scf.for %
func.func @limit_changes(%low: index, %high: index, %n: index, %out: !llvm.ptr) {
  %c32 = arith.constant 32 : index
  scf.for %i = %low to %high step %c32 {
    %m = arith.muli %i, %n : index
    %left = arith.subi %m, %i : index
    %width = arith.minsi %n, %left : index
    %full = arith.cmpi eq, %width, %n : index
    scf.if %full {
      llvm.store %out, %out : !llvm.ptr, !llvm.ptr
    }
  }
  return
}

func.func @width_changes(%low: index, %high: index, %n: index, %out: !llvm.ptr) {
  %c32 = arith.constant 32 : index
  scf.for %i = %low to %high step %c32 {
    %m = arith.addi %i, %n : index
    %left = arith.subi %high, %i : index
    %width = arith.minsi %m, %left : index
    %full = arith.cmpi eq, %width, %m : index
    scf.if %full {
      llvm.store %out, %out : !llvm.ptr, !llvm.ptr
    }
  }
  return
}

func.func @counts_down(%low: index, %high: index, %n: index, %out: !llvm.ptr) {
  %c32 = arith.constant 32 : index
  scf.for %i = %low to %high step %c32 {
    %left = arith.subi %i, %high : index
    %width = arith.minsi %n, %left : index
    %full = arith.cmpi eq, %width, %n : index
    scf.if %full {
      llvm.store %out, %out : !llvm.ptr, !llvm.ptr
    }
  }
  return
}

func.func @store_beside(%low: index, %high: index, %n: index, %out: !llvm.ptr, %more: !llvm.ptr) {
  %c32 = arith.constant 32 : index
  scf.for %i = %low to %high step %c32 {
    %left = arith.subi %high, %i : index
    %width = arith.minsi %n, %left : index
    %full = arith.cmpi eq, %width, %n : index
    llvm.store %out, %more : !llvm.ptr, !llvm.ptr
    scf.if %full {
      llvm.store %out, %out : !llvm.ptr, !llvm.ptr
    }
  }
  return
}

func.func @gives_a_value(%low: index, %high: index, %n: index, %out: !llvm.ptr) {
  %c32 = arith.constant 32 : index
  %sum = scf.for %i = %low to %high step %c32 iter_args(%s = %n) -> (index) {
    %left = arith.subi %high, %i : index
    %width = arith.minsi %n, %left : index
    %full = arith.cmpi eq, %width, %n : index
    scf.if %full {
      llvm.store %out, %out : !llvm.ptr, !llvm.ptr
    }
    %t = arith.addi %s, %i : index
    scf.yield %t : index
  }
  %l = arith.index_cast %sum : index to i64
  llvm.store %l, %out : i64, !llvm.ptr
  return
}

func.func @other_question(%low: index, %high: index, %n: index, %out: !llvm.ptr) {
  %c32 = arith.constant 32 : index
  scf.for %i = %low to %high step %c32 {
    %left = arith.subi %high, %i : index
    %width = arith.minsi %n, %left : index
    %full = arith.cmpi ne, %width, %n : index
    scf.if %full {
      llvm.store %out, %out : !llvm.ptr, !llvm.ptr
    }
  }
  return
}
