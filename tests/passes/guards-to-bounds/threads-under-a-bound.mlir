// RUN: %unwarp_opt --guards-to-bounds %s | FileCheck %s
// RUN: %unwarp_opt --guards-to-bounds --guards-to-bounds %s | FileCheck %s

// Only threads under a bound that all share do something: the loop ends there, and nobody asks. Twice is once.

// CHECK-LABEL: func.func @signed
// CHECK: %[[BOUND:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}, %[[BOUND]]
// CHECK: scf.forall ({{.*}}) {{to|in}} (%{{.*}}, %{{.*}}, %[[END]])
// CHECK-NOT: scf.if
// CHECK: llvm.store
// CHECK: return
func.func @signed(%n: index, %active: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi slt, %t, %active : i32
    scf.if %in {
      %a = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %t, %a : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @unsigned
// CHECK: %[[BOUND:.*]] = arith.index_castui %{{.*}} : i32 to index
// CHECK: arith.minsi %{{.*}}, %[[BOUND]]
// CHECK-NOT: scf.if
// CHECK: return
func.func @unsigned(%n: index, %active: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%x) in (%n) {
    %t = arith.index_castui %x : index to i32
    %in = arith.cmpi ugt, %active, %t : i32
    scf.if %in {
      %a = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %t, %a : i32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
