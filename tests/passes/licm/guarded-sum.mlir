// RUN: %unwarp_opt --licm %s | FileCheck %s
// RUN: %unwarp_opt --licm --licm %s | FileCheck %s

// A sum that every thread with an element makes is made once, where the first thread or the one in the middle has one: they are asked
// before the grid. What the sum needs of its branch goes along. Where neither passes, all is as it was.

// CHECK-LABEL: func.func @normalize
// CHECK: arith.cmpi slt, %{{.*}}, %[[N:arg[0-9]+]]
// CHECK: arith.divui
// CHECK: arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: scf.if
// CHECK-NEXT: %[[SCALE:.*]] = llvm.load
// CHECK: %[[SUM:.*]] = scf.for %
// CHECK: arith.mulf %{{.*}}, %[[SCALE]]
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: scf.if
// CHECK-NOT: scf.for %
// CHECK: llvm.store %[[SUM]]
// CHECK: unwarp.guarded
// CHECK: } else {
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: llvm.load
// CHECK: scf.for %
// CHECK: unwarp.guarded
// CHECK-NOT: scf.forall
// CHECK: return
func.func @normalize(%blocks: index, %threads: index, %limit: i32, %n: index, %in: !llvm.ptr, %out: !llvm.ptr, %scale: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%b) in (%blocks) {
    %first = arith.muli %b, %threads : index
    scf.forall (%t) in (%threads) {
      %at = arith.addi %first, %t : index
      %ti = arith.index_cast %at : index to i32
      %has = arith.cmpi slt, %ti, %limit : i32
      scf.if %has {
        %f = llvm.load %scale : !llvm.ptr -> f32
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
          %ki = arith.index_cast %k : index to i64
          %from = llvm.getelementptr %in[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %x = llvm.load %from : !llvm.ptr -> f32
          %y = arith.mulf %x, %f : f32
          %next = arith.addf %s, %y : f32
          scf.yield %next : f32
        }
        %ai = arith.index_cast %at : index to i64
        %own = llvm.getelementptr %out[%ai] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %own : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// In the second arm, of a branch in a branch: the thread must not pass the inner condition. The question whether it runs comes first, as
// the division is made by threads that run only; the inner condition counts only where the outer one holds.

// CHECK-LABEL: func.func @second_arm
// CHECK: scf.if
// CHECK: arith.divui
// CHECK: %[[INNER:.*]] = arith.xori
// CHECK: %[[BOTH:.*]] = arith.select %{{.*}}, %[[INNER]], %false
// CHECK: scf.yield %[[BOTH]]
// CHECK: scf.if
// CHECK: scf.for %
// CHECK: scf.forall
func.func @second_arm(%blocks: index, %threads: index, %width: index, %n: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %row = arith.divui %t, %width : index
      %has = arith.cmpi ult, %row, %n : index
      scf.if %has {
        %last = arith.cmpi eq, %t, %n : index
        %bi = arith.index_cast %b : index to i64
        %own = llvm.getelementptr %out[%bi] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        scf.if %last {
          llvm.store %zero, %own : i32, !llvm.ptr
        } else {
          %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
            %x = llvm.load %in : !llvm.ptr -> i32
            %next = arith.addi %s, %x : i32
            scf.yield %next : i32
          }
          llvm.store %sum, %own : i32, !llvm.ptr
        }
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
