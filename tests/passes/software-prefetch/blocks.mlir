// RUN: %unwarp_opt --software-prefetch %s | FileCheck %s
// RUN: %unwarp_opt --software-prefetch --software-prefetch %s | FileCheck %s

// A block loads a kilobyte into shared memory: the lines of the next block's kilobyte are fetched after that, where all blocks together
// reach over enough. The same through the lanes of warps, under a condition of the threads. Nothing is fetched in a block that holds no
// memory of its own and goes through one piece of an array, for what lies in a serial loop, in the arm for blocks at the border, or does not go by the block.

// CHECK-LABEL: func.func @turns
// CHECK-COUNT-2: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK-LABEL: func.func @tile
// CHECK: %[[REACH:.*]] = arith.muli %{{.*}}, %c1024
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %[[REACH]], %c2097152
// CHECK: scf.forall
// CHECK: mapping = [#gpu.thread<
// CHECK: scf.if %[[LARGE]]
// CHECK: scf.for %[[X:.*]] = %c0{{.*}} to %c256{{.*}} step %c16
// CHECK: %[[OWN:.*]] = llvm.getelementptr
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[OWN]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: "llvm.intr.prefetch"(%[[NEXT]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK-LABEL: func.func @lanes
// CHECK: scf.for %{{.*}} step %c1
// CHECK: scf.for %{{.*}} step %c16
// CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK-LABEL: func.func @streams
// CHECK-NOT: prefetch
// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT: prefetch
// Each thread takes two elements, 256 apart, of the 512 of its block, which has no memory of its own: both pieces of the next block's.
func.func @turns(%blocks: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %one = arith.constant 1 : i32
  scf.forall (%b) in (%blocks) {
    %first = arith.muli %b, %c512 : index
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %first, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %v = llvm.load %a : !llvm.ptr -> i32
      %vv = arith.addi %v, %one : i32
      llvm.store %vv, %a : i32, !llvm.ptr
      %far = arith.addi %at, %c256 : index
      %farl = arith.index_cast %far : index to i64
      %p = llvm.getelementptr %in[%farl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %w = llvm.load %p : !llvm.ptr -> i32
      %ww = arith.addi %w, %one : i32
      llvm.store %ww, %p : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @tile(%blocks: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  scf.forall (%block) in (%blocks) {
    %tile = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %block, %c256 : index
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %first, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %xl = arith.index_cast %x : index to i64
      %t = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %t : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @lanes(%blocks: index, %n: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  scf.forall (%b) in (%blocks) {
    %tile = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %b, %c256 : index
    scf.forall (%warp) in (%c8) {
      %start = arith.muli %warp, %c32 : index
      scf.forall (%lane) in (%c32) {
        %x = arith.addi %start, %lane : index
        %at = arith.addi %first, %x : index
        %takes = arith.cmpi slt, %at, %n : index
        scf.if %takes {
          %atl = arith.index_cast %at : index to i64
          %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %v = llvm.load %a : !llvm.ptr -> f32
          %xl = arith.index_cast %x : index to i64
          %t = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %t : f32, !llvm.ptr
        }
      } {mapping = [#gpu.lane<x>]}
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @streams(%blocks: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.forall (%b) in (%blocks) {
    %first = arith.muli %b, %c256 : index
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %first, %x : index
      %atl = arith.index_cast %at : index to i64
      %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      llvm.store %v, %a : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @elsewhere(%blocks: index, %inside: i1, %in: !llvm.ptr, %list: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  scf.forall (%b) in (%blocks) {
    %tile = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %b, %c256 : index
    scf.for %k = %c0 to %blocks step %c256 {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        llvm.store %v, %a : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.if %inside {
    } else {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        llvm.store %v, %a : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %a = llvm.getelementptr %list[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %at = llvm.load %a : !llvm.ptr -> i64
      %g = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %g : !llvm.ptr -> f32
      %t = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %t : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
