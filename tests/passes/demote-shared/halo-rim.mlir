// RUN: %unwarp_opt --demote-shared %s | FileCheck %s
// RUN: %unwarp_opt --demote-shared --demote-shared %s | FileCheck %s

// A row of 16 elements with a rim of one on either side, copied by the threads at the ends under conditions of their own: the readers read
// the original, tile and barrier go. A thread's own address need not lie in the object: it promises nothing. In a loop of iterations one barrier stays, which keeps the threads in step.

// CHECK-LABEL: func.func @row
// CHECK-NOT: unwarp.shared
// CHECK-NOT: unwarp.barrier
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: %[[AT:.*]] = llvm.getelementptr %arg1[
// CHECK: %[[LEFT:.*]] = arith.constant -4 : i64
// CHECK: %[[BEFORE:.*]] = llvm.getelementptr %[[AT]][%[[LEFT]]]
// CHECK: llvm.load %[[BEFORE]] {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: %[[OWN:.*]] = llvm.getelementptr %arg1[
// CHECK: %[[RIGHT:.*]] = arith.constant 4 : i64
// CHECK: %[[AFTER:.*]] = llvm.getelementptr %[[OWN]][%[[RIGHT]]]
// CHECK: llvm.load %[[AFTER]] {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: llvm.store {{.*}} {unwarp.restrict = 2
// CHECK-NOT: llvm.store
// CHECK-LABEL: func.func @iterations
// CHECK-NOT: unwarp.shared
// CHECK: scf.for %
// CHECK: unwarp.barrier
// CHECK-NOT: unwarp.barrier
// CHECK: return
func.func @row(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @iterations(%in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bytes = arith.constant 68 : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
    %t = arith.index_castui %tx : index to i64
    %own = llvm.getelementptr %s[%t] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    scf.for %k = %z to %n step %one : i64 {
      %row = arith.muli %k, %n : i64
      %x = arith.addi %row, %t : i64
      %at = llvm.getelementptr %in[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %to = llvm.getelementptr %out[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %v = llvm.load %next {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      llvm.store %v, %middle : f32, !llvm.ptr
      %is_first = arith.cmpi eq, %t, %z : i64
      scf.if %is_first {
        %w = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %w, %s : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %y = llvm.load %own : !llvm.ptr -> f32
      llvm.store %y, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
