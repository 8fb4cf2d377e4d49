// RUN: %unwarp_opt --demote-shared{blocks=inner} %s | FileCheck %s
// RUN: %unwarp_opt --demote-shared{blocks=inner} --demote-shared{blocks=inner} %s | FileCheck %s
// RUN: %unwarp_opt --demote-shared %s | FileCheck %s --check-prefix=OUTER

// Blocks side by side, of which there are at most eight: each reads the original of its own tile. (One store fills the tile, and the array stands
// outside of the branch: not what halo takes.)

// CHECK-LABEL: func.func @side_by_side
// CHECK-NOT: unwarp.shared
// CHECK-NOT: unwarp.barrier
// CHECK: llvm.load {{.*}} {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// OUTER-LABEL: func.func @side_by_side
// OUTER: unwarp.shared

// A thread reaches for the tile of the next block, which need not be there; a thread at the start reaches for what nobody wrote.
// CHECK-LABEL: func.func @of_another
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @nobody
// CHECK: unwarp.shared
// CHECK: return
func.func @side_by_side(%b: index, %rest: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %tile = arith.constant 64 : i64
  %twelve = arith.constant 12 : i64
  %bytes = arith.constant 512 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %few = arith.minui %rest, %c8 : index
    scf.if %c {
      scf.forall (%ty, %tk, %tx) in (%c1, %few, %c16) {
        %k = arith.index_castui %tk : index to i64
        %t = arith.index_castui %tx : index to i32
        %tw = arith.extui %t : i32 to i64
        %far = arith.muli %k, %tile : i64
        %mine = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %start = arith.muli %k, %twelve overflow<nsw> : i64
        %x = arith.addi %start, %tw overflow<nsw> : i64
        %at = llvm.getelementptr inbounds %in[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %to = llvm.getelementptr inbounds %out[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %own = llvm.getelementptr %mine[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %above = arith.cmpi uge, %t, %i1 : i32
        %below = arith.cmpi ult, %t, %i15 : i32
        %inner = arith.andi %above, %below : i1
        scf.if %inner {
          %left = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %l = llvm.load %left : !llvm.ptr -> f32
          llvm.store %l, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @of_another(%b: index, %rest: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %tile = arith.constant 64 : i64
  %twelve = arith.constant 12 : i64
  %bytes = arith.constant 512 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %few = arith.minui %rest, %c8 : index
    scf.if %c {
      scf.forall (%ty, %tk, %tx) in (%c1, %few, %c16) {
        %k = arith.index_castui %tk : index to i64
        %t = arith.index_castui %tx : index to i32
        %tw = arith.extui %t : i32 to i64
        %far = arith.muli %k, %tile : i64
        %mine = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %start = arith.muli %k, %twelve overflow<nsw> : i64
        %x = arith.addi %start, %tw overflow<nsw> : i64
        %at = llvm.getelementptr inbounds %in[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %to = llvm.getelementptr inbounds %out[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %own = llvm.getelementptr %mine[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %above = arith.cmpi uge, %t, %i1 : i32
        %below = arith.cmpi ult, %t, %i15 : i32
        %middle = arith.andi %above, %below : i1
        %not_last = arith.cmpi ult, %tk, %c7 : index
        %inner = arith.andi %middle, %not_last : i1
        scf.if %inner {
          %left = llvm.getelementptr %own[16] : (!llvm.ptr) -> !llvm.ptr, f32
          %l = llvm.load %left : !llvm.ptr -> f32
          llvm.store %l, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @nobody(%b: index, %rest: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %tile = arith.constant 64 : i64
  %twelve = arith.constant 12 : i64
  %bytes = arith.constant 512 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %few = arith.minui %rest, %c8 : index
    scf.if %c {
      scf.forall (%ty, %tk, %tx) in (%c1, %few, %c16) {
        %k = arith.index_castui %tk : index to i64
        %t = arith.index_castui %tx : index to i32
        %tw = arith.extui %t : i32 to i64
        %far = arith.muli %k, %tile : i64
        %mine = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %start = arith.muli %k, %twelve overflow<nsw> : i64
        %x = arith.addi %start, %tw overflow<nsw> : i64
        %at = llvm.getelementptr inbounds %in[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %to = llvm.getelementptr inbounds %out[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %own = llvm.getelementptr %mine[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %above = arith.cmpi uge, %t, %i1 : i32
        %below = arith.cmpi ult, %t, %i15 : i32
        %inner = arith.andi %above, %below : i1
        scf.if %below {
          %left = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %l = llvm.load %left : !llvm.ptr -> f32
          llvm.store %l, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
  } {mapping = [#gpu.block<x>]}
  return
}
