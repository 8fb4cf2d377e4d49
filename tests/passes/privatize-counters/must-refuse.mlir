// RUN: %unwarp_opt --privatize-counters %s | FileCheck %s

// One table stays one table: where a result is used, the sums are of floating-point values, the loop looks at the table, somebody else
// may, several workers count in it, it is large, a thread adds once, a thread loop stands in no serial one, or something else than
// additions goes to it.
// CHECK-COUNT-9: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
func.func private @elsewhere(!llvm.ptr)
func.func @used(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr, i32
      llvm.store %old_b, %in : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @floats(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1.0 : f32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %old_a = llvm.atomicrmw fadd %a, %one monotonic : !llvm.ptr, f32
      %old_b = llvm.atomicrmw fadd %b, %one monotonic : !llvm.ptr, f32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @looks(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr, i32
      %look = llvm.load %s : !llvm.ptr -> i32
      llvm.store %look, %in : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @captured(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  func.call @elsewhere(%s) : (!llvm.ptr) -> ()
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @team(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.team} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @large(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(8192 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @once(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @short(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.if %c {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %c0, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
func.func @largest(%n: index, %c: i1, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64} : (i64) -> !llvm.ptr
  scf.for %i = %c0 to %n step %c256 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %at = arith.addi %i, %x : index
      %atl = arith.index_cast %at : index to i64
      %p = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %vl = arith.extui %v : i8 to i64
      %a = llvm.getelementptr %s[%vl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.getelementptr %s[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old_a = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr, i32
      %old_b = llvm.atomicrmw max %b, %one monotonic : !llvm.ptr, i32
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}
