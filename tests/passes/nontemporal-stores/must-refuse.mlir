// RUN: %unwarp_opt --nontemporal-stores %s | FileCheck %s

// No version of its own has what is stored in place, where 32 bits may wrap around, apart, as volatile, beside atomics, fences and
// calls, under a condition, in rows of a tile, in memory of the block.

module attributes {llvm.target_triple = "x86_64-pc-linux-gnu"} {
  // CHECK-NOT: alias_scopes
  llvm.func @other()
  func.func @in_place(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        llvm.store %v, %a : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @wraps_around(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %short = arith.index_cast %at : index to i32
        %long = arith.extsi %short : i32 to i64
        %p = llvm.getelementptr %out[%long] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @every_other(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %p = llvm.getelementptr %out[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f64
        llvm.store %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @volatile(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
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
        llvm.store volatile %v, %p : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @counts(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
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
        %old = llvm.atomicrmw add %in, %atl monotonic : !llvm.ptr, i64
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @fence(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
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
        llvm.fence seq_cst
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @calls(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
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
        llvm.call @other() : () -> ()
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @branch(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %row) {
        %at = arith.addi %first, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %odd = arith.cmpi eq, %at, %c1 : index
        scf.if %odd {
          %p = llvm.getelementptr %out[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %v, %p : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @tile(%blocks: index, %row: index, %in: !llvm.ptr, %out: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %short = arith.minsi %row, %c16 : index
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      scf.forall (%z, %y, %x) in (%c1, %c1, %short) {
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
  func.func @shared(%blocks: index, %row: index, %in: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bytes = llvm.mlir.constant(65536 : i64) : i64
    scf.forall (%b) in (%blocks) {
      %first = arith.muli %b, %row : index
      %out = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
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
