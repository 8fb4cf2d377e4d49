// RUN: %unwarp_opt --split-inner-blocks %s | FileCheck %s
// RUN: %unwarp_opt --split-inner-blocks --split-inner-blocks %s | FileCheck %s

// What is compared about the start and the end of the data, in whatever way, is asked of the thread that is nearest to it, and that the sums do
// not wrap around; the copy of the loop that blocks inside take has constants in their place, and keeps the condition on the thread's own index.

// CHECK-LABEL: func.func @tile
// CHECK: %[[LEAST:.*]] = arith.addi %[[FIRST:.*]], %{{.*}} : i32
// CHECK: %[[MOST:.*]] = arith.addi %[[FIRST]], %{{.*}} : i32
// CHECK: %[[ORDER:.*]] = arith.cmpi sle, %[[LEAST]], %[[MOST]] : i32
// CHECK: %[[START:.*]] = arith.cmpi sge, %[[LEAST]], %c2_i32{{[_0-9]*}} : i32
// CHECK: arith.andi %[[ORDER]], %[[START]] : i1
// CHECK: arith.cmpi sge, %[[LEAST]], %c0_i32{{[_0-9]*}} : i32
// CHECK: arith.cmpi slt, %{{.*}}, %[[END:arg[0-9]]] : i32
// CHECK: arith.cmpi sgt, %{{.*}}, %{{.*}} : i32
// CHECK: arith.cmpi sle, %{{.*}}, %[[END]] : i32
// CHECK: %[[ALL:.*]] = arith.andi
// CHECK: scf.if %[[ALL]] {
// CHECK-NEXT: scf.forall
// CHECK-NOT: arith.cmpi
// CHECK: "unwarp.barrier"
// CHECK-NEXT: arith.cmpi slt, %{{.*}}, %c5
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.minsi
// CHECK: unwarp.inner
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.forall
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi sge
// CHECK: "unwarp.barrier"
// CHECK: arith.cmpi eq
// CHECK: arith.minsi
// CHECK-NOT: scf.forall
// CHECK: return

func.func @tile(%blocks: index, %n: i32, %p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %i2 = arith.constant 2 : i32
  %i5 = arith.constant 5 : i32
  scf.forall (%b) in (%blocks) {
    %bi = arith.index_castui %b : index to i32
    %first = arith.muli %bi, %i5 : i32
    scf.forall (%x) in (%c8) {
      %xi = arith.index_castui %x : index to i32
      %at = arith.addi %first, %xi : i32
      %before = arith.cmpi ult, %at, %i2 : i32
      %after = arith.cmpi sge, %at, %n : i32
      %out = arith.ori %before, %after : i1
      scf.if %out {
      } else {
        llvm.store %v, %p : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %own = arith.cmpi slt, %x, %c5 : index
      %is_first = arith.cmpi eq, %at, %i2 : i32
      %last = arith.minsi %at, %n : i32
      %west = arith.select %is_first, %at, %last : i32
      scf.if %own {
        llvm.store %west, %p : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
