// RUN: %unwarp_opt --drop-redundant-threads %s | FileCheck %s
// RUN: %unwarp_opt --drop-redundant-threads --drop-redundant-threads %s | FileCheck %s

// Nothing depends on %y: one of eight. Of %z there is one, and %n may be one.
// CHECK-LABEL: func.func @eight
// CHECK: scf.forall ({{.*}}) {{(= .* to|in)}} (%arg1, %c1{{[_0-9]*}}, %c32)
func.func @eight(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.forall (%z, %y, %x) in (%n, %c8, %c32) {
    %i = arith.index_cast %x : index to i64
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %number = arith.index_cast %x : index to i32
    llvm.store %number, %at : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// An atomic operation counts each of them, a barrier, a use, and a volatile store.
// CHECK-LABEL: func.func @refused
// CHECK-COUNT-4: in (%c1, %c8, %c32)
func.func @refused(%p: !llvm.ptr, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  scf.forall (%z, %y, %x) in (%c1, %c8, %c32) {
    %old = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c8, %c32) {
    llvm.store %one, %p : i32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c8, %c32) {
    %i = arith.index_cast %y : index to i64
    %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %number = arith.index_cast %x : index to i32
    llvm.store %number, %at : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c8, %c32) {
    llvm.store volatile %one, %p : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
