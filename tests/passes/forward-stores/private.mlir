// RUN: %unwarp_opt --forward-stores %s | FileCheck %s
// RUN: %unwarp_opt --forward-stores --forward-stores %s | FileCheck %s

// A shared array of two elements a thread, which no thread shares with another, becomes private memory; one that nobody reads goes;
// a load that is used after a barrier only waits until then.

// CHECK-LABEL: func.func @own
// CHECK-NOT: unwarp.shared
// CHECK: scf.forall
// CHECK: [[MEMORY:%[0-9a-z]+]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8> {alignment = 4
// CHECK: [[SECOND:%[0-9a-z]+]] = llvm.getelementptr [[MEMORY]][4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.store %{{.*}}, [[SECOND]]
// CHECK-LABEL: func.func @unread
// CHECK-NOT: unwarp.shared
// CHECK-NOT: llvm.store
// CHECK: return
// CHECK-LABEL: func.func @waits
// CHECK: unwarp.barrier
// CHECK: [[W:%[0-9a-z]+]] = llvm.load %{{.*}} {unwarp.restrict = 1
// CHECK-NEXT: arith.mulf [[W]]
func.func @own(%x: f32, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %first = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %second = llvm.getelementptr %first[1] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %x, %first : f32, !llvm.ptr
    llvm.store %x, %second : f32, !llvm.ptr
    scf.for %k = %c0 to %n step %c1 {
      %y = llvm.load %first : !llvm.ptr -> f32
      %z = llvm.load %second : !llvm.ptr -> f32
      %sum = arith.addf %y, %z : f32
      llvm.store %sum, %second : f32, !llvm.ptr
      llvm.store %z, %first : f32, !llvm.ptr
    }
    %v = llvm.load %second : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @unread(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(128 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    llvm.store %x, %s : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @waits(%w: !llvm.ptr, %x: f32, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_castui %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %from = llvm.getelementptr %w[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %weight = llvm.load %from {unwarp.restrict = 1} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %next : !llvm.ptr -> f32
    %p = arith.mulf %weight, %y : f32
    llvm.store %p, %out {unwarp.restrict = 3} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
