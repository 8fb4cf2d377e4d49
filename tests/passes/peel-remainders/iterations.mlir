// RUN: %unwarp_opt --peel-remainders %s | FileCheck %s
// RUN: %unwarp_opt --peel-remainders --peel-remainders %s | FileCheck %s

// The iterations in which all 256 threads find data are a loop of their own, up to the first counter of which less than 256 are left;
// the other iterations go on from the first counter that the full ones did not take.

// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[LOW:.*]]: index, %[[HIGH:.*]]: index, %[[LIMIT:.*]]: index, %[[STEP:.*]]: index,
// CHECK: %[[LESS:.*]] = arith.subi %[[LIMIT]], %c256
// CHECK: %[[FIRST:.*]] = arith.addi %[[LESS]], %c1
// CHECK: %[[END:.*]] = arith.minsi %[[HIGH]], %[[FIRST]]
// CHECK: %[[REACH:.*]] = arith.subi %[[END]], %[[LOW]]
// CHECK: %[[QUOTIENT:.*]] = arith.ceildivsi %[[REACH]], %[[STEP]]
// CHECK: %[[ITERATIONS:.*]] = arith.maxsi %[[QUOTIENT]], %c0
// CHECK: %[[TAKEN:.*]] = arith.muli %[[ITERATIONS]], %[[STEP]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[LOW]], %[[TAKEN]]
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[END]] step %[[STEP]]
// CHECK-NOT: scf.if
// CHECK: scf.forall {{.*}} {{to|in}} (%c1, %c1, %c256)
// CHECK: scf.for %[[I:.*]] = %[[NEXT]] to %[[HIGH]] step %[[STEP]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[LIMIT]], %[[I]]
// CHECK: %[[WIDTH:.*]] = arith.minsi %[[LEFT]], %c256
// CHECK-NOT: scf.if
// CHECK: scf.forall {{.*}} {{to|in}} (%c1, %c1, %[[WIDTH]])
func.func @sum(%low: index, %high: index, %limit: index, %step: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %low to %high step %step {
    %left = arith.subi %limit, %i : index
    %width = arith.minsi %left, %c256 : index
    %full = arith.cmpi eq, %width, %c256 : index
    scf.if %full {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        llvm.store %v, %in : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } else {
      scf.forall (%z, %y, %x) in (%c1, %c1, %width) {
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        llvm.store %v, %in : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
  }
  return
}

// What comes before the branch is done in both loops; one without an else has nothing more to do in the second.
// CHECK-LABEL: func.func @no_else
// CHECK: scf.for %
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: scf.for %
// CHECK-NOT: llvm.store
// CHECK: return
func.func @no_else(%low: index, %high: index, %n: index, %out: !llvm.ptr) {
  %c32 = arith.constant 32 : index
  scf.for %i = %low to %high step %c32 {
    %left = arith.subi %high, %i : index
    %width = arith.minsi %n, %left : index
    %full = arith.cmpi eq, %width, %n : index
    scf.if %full {
      %l = arith.index_cast %left : index to i64
      llvm.store %l, %out : i64, !llvm.ptr
    }
  }
  return
}

// A loop of this shape in the arm of one: the inner one is done first, for the arm may go with it.
// CHECK-LABEL: func.func @one_in_another
// CHECK-COUNT-6: scf.for %
// CHECK-NOT: scf.for %
func.func @one_in_another(%high: index, %limit: index, %step: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %high step %step {
    %left = arith.subi %limit, %i : index
    %width = arith.minsi %left, %c32 : index
    %full = arith.cmpi eq, %width, %c32 : index
    scf.if %full {
      scf.for %j = %c0 to %high step %step {
        %rest = arith.subi %limit, %j : index
        %length = arith.minsi %rest, %c32 : index
        %whole = arith.cmpi eq, %length, %c32 : index
        scf.if %whole {
          llvm.store %v, %in : f32, !llvm.ptr
        } else {
          llvm.store volatile %v, %in : f32, !llvm.ptr
        }
      }
    } else {
      scf.for %j = %c0 to %high step %step {
        %rest = arith.subi %limit, %j : index
        %length = arith.minsi %rest, %c32 : index
        %whole = arith.cmpi eq, %length, %c32 : index
        scf.if %whole {
          llvm.store %v, %in : f32, !llvm.ptr
        } else {
          llvm.store volatile %v, %in : f32, !llvm.ptr
        }
      }
    }
  }
  return
}
