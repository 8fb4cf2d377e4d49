// RUN: %unwarp_opt --rematerialize %s | FileCheck %s
// RUN: %unwarp_opt --rematerialize --rematerialize %s | FileCheck %s
// RUN: %unwarp_opt --rematerialize --lower-barriers %s | FileCheck %s --check-prefix=LOWERED
// RUN: %unwarp_opt --lower-barriers %s | FileCheck %s --check-prefix=KEPT

// What nobody writes is loaded again after the barrier: no slot. Where the pass is left out there is one.

// CHECK-LABEL: func.func @along_rows
// CHECK: llvm.load {{.*}} {unwarp.reload = "original", unwarp.restrict = 1 : i32}
// LOWERED-LABEL: func.func @along_rows
// LOWERED-NOT: unwarp.slot
// LOWERED-COUNT-2: llvm.load {{.*}} {unwarp.restrict = 1 : i32}
// LOWERED-NOT: unwarp.reload
// KEPT-LABEL: func.func @along_rows
// KEPT: unwarp.slot

// The same address for all threads of a row.
// CHECK-LABEL: func.func @one_place
// CHECK: unwarp.reload

// Not marked: what somebody may write; elements far apart along a row; an address that depends on memory; with the operations of a warp; volatile.
// CHECK-LABEL: func.func @written
// CHECK-NOT: unwarp.reload
// CHECK-LABEL: func.func @down_columns
// CHECK-NOT: unwarp.reload
// CHECK-LABEL: func.func @through_index
// CHECK-NOT: unwarp.reload = "original"{{.*}}f32
// CHECK-LABEL: func.func @in_warps
// CHECK-NOT: unwarp.reload
// CHECK-LABEL: func.func @volatile
// CHECK-NOT: unwarp.reload
// CHECK: return
func.func @along_rows(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c16, %c16) {
      %x = arith.index_castui %tx : index to i64
      %y = arith.index_castui %ty : index to i64
      %row = arith.muli %y, %n : i64
      %i = arith.addi %row, %x : i64
      %at = llvm.getelementptr inbounds %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %o = llvm.load %s : !llvm.ptr -> f32
      %sum = arith.addf %o, %v : f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @one_place(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c16, %c16) {
      %x = arith.index_castui %tx : index to i64
      %y = arith.index_castui %ty : index to i64
      %row = arith.muli %y, %n : i64
      %i = arith.addi %row, %x : i64
      %at = llvm.getelementptr inbounds %in[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %o = llvm.load %s : !llvm.ptr -> f32
      %sum = arith.addf %o, %v : f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @written(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c16, %c16) {
      %x = arith.index_castui %tx : index to i64
      %y = arith.index_castui %ty : index to i64
      %row = arith.muli %y, %n : i64
      %i = arith.addi %row, %x : i64
      %at = llvm.getelementptr inbounds %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at : !llvm.ptr -> f32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %o = llvm.load %s : !llvm.ptr -> f32
      %sum = arith.addf %o, %v : f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {alignment = 4 : i64} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @down_columns(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c16, %c16) {
      %x = arith.index_castui %tx : index to i64
      %y = arith.index_castui %ty : index to i64
      %row = arith.muli %y, %n : i64
      %i = arith.addi %row, %x : i64
      %column = arith.muli %x, %n : i64
      %j = arith.addi %column, %y : i64
      %at = llvm.getelementptr inbounds %in[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %o = llvm.load %s : !llvm.ptr -> f32
      %sum = arith.addf %o, %v : f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @through_index(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c16, %c16) {
      %x = arith.index_castui %tx : index to i64
      %y = arith.index_castui %ty : index to i64
      %row = arith.muli %y, %n : i64
      %i = arith.addi %row, %x : i64
      %where = llvm.getelementptr inbounds %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %k = llvm.load %where {unwarp.restrict = 1 : i32} : !llvm.ptr -> i64
      %at = llvm.getelementptr inbounds %in[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %o = llvm.load %s : !llvm.ptr -> f32
      %sum = arith.addf %o, %v : f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @in_warps(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c16, %c16) {
      %x = arith.index_castui %tx : index to i64
      %y = arith.index_castui %ty : index to i64
      %row = arith.muli %y, %n : i64
      %i = arith.addi %row, %x : i64
      %at = llvm.getelementptr inbounds %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "warp"} : () -> ()
      "unwarp.barrier"() {level = "block"} : () -> ()
      %o = llvm.load %s : !llvm.ptr -> f32
      %sum = arith.addf %o, %v : f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @volatile(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %bytes = arith.constant 1024 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c16, %c16) {
      %x = arith.index_castui %tx : index to i64
      %y = arith.index_castui %ty : index to i64
      %row = arith.muli %y, %n : i64
      %i = arith.addi %row, %x : i64
      %at = llvm.getelementptr inbounds %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load volatile %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %o = llvm.load %s : !llvm.ptr -> f32
      %sum = arith.addf %o, %v : f32
      %to = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
