// RUN: %unwarp_opt --coarsen-blocks{shape=grid-stride} %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks{shape=grid-stride} --coarsen-blocks{shape=grid-stride} %s | FileCheck %s

// Eight blocks have a sum each in the slot, begin one after the other, take four iterations at once as long as all of them have four, with
// one load and one store of the sum, and end one after the other with the iterations that are left.

// CHECK-LABEL: func.func @sum
// CHECK: %[[EACH:.*]] = arith.maxui
// CHECK: scf.forall
// CHECK: %[[MOST:.*]] = arith.constant 8192 : i64
// CHECK: %[[SUMS:.*]] = "unwarp.slot"(%[[MOST]])
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[COUNT:[^ ]*]]
// CHECK: scf.forall
// CHECK: llvm.store %cst
// CHECK: %[[FEWEST:.*]] = scf.for {{.*}} to %[[COUNT]] step
// CHECK: arith.ceildivsi
// CHECK: arith.minsi
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[ITERATIONS:[^ ]*]] step %c4
// CHECK: scf.for %{{.*}} to %[[COUNT]]
// CHECK: scf.forall {{.*}} {{to|in}} (%c1{{[_0-9]*}}, %c1{{[_0-9]*}}, %c256{{[_0-9]*}})
// CHECK: llvm.load %[[OWN:.*]] : !llvm.ptr -> f32
// CHECK-COUNT-4: arith.addf
// CHECK-NOT: arith.addf
// CHECK: llvm.store %{{.*}}, %[[OWN]]
// CHECK-NEXT: } {mapping
// CHECK: scf.for %{{.*}} to %[[COUNT]]
// CHECK: scf.for %{{.*}} to %{{.*}} step
// CHECK: arith.addf
// CHECK: scf.forall
// CHECK: llvm.store %{{.*}}, %{{.*}}
// CHECK: return

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @elsewhere()

func.func @sum(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
