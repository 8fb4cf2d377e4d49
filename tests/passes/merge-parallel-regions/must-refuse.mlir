// RUN: %unwarp_opt --merge-parallel-regions %s | FileCheck %s

// A loop that calls what is not known, by name or through a pointer; one without a launch in place; one launch outside of loops; launches
// with a call of what is not known between them, in different arms of a branch, or the second one on some ways only; a function that is not the host's.
// CHECK-NOT: uwrt_crew

llvm.func @calls(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.br ^body
^body:
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.call @unknown() : () -> ()
  llvm.cond_br %some, ^body, ^end
^end:
  llvm.return
}

llvm.func @through_a_pointer(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.br ^body
^body:
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.call %k() : !llvm.ptr, () -> ()
  llvm.cond_br %some, ^body, ^end
^end:
  llvm.return
}

llvm.func @elsewhere(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.br ^body
^body:
  %e = llvm.call @cudaGetLastError() : () -> i32
  llvm.cond_br %some, ^body, ^end
^end:
  llvm.return
}

llvm.func @once(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.br ^body
^body:
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @parted(%k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.call @unknown() : () -> ()
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.return
}

llvm.func @either(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  llvm.cond_br %some, ^left, ^right
^left:
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.br ^end
^right:
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @maybe(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.cond_br %some, ^right, ^end
^right:
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @device(%some: i1, %k: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.br ^body
^body:
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.cond_br %some, ^body, ^end
^end:
  llvm.return
}
llvm.func @unknown()
llvm.func @cudaGetLastError() -> i32
llvm.func @uwrt_launch_begin(!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
