// RUN: %unwarp_opt --nontemporal-stores %s | FileCheck %s

// Another processor has no such stores, or another order of them.

module attributes {llvm.target_triple = "aarch64-unknown-linux-gnu"} {
  // CHECK-NOT: alias_scopes
  func.func @add(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %p = llvm.getelementptr %out[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
}
