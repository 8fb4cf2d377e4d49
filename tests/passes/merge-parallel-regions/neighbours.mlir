// RUN: %unwarp_opt --merge-parallel-regions %s | FileCheck %s
// RUN: %unwarp_opt --merge-parallel-regions --merge-parallel-regions %s | FileCheck %s

// Two launches with host code between: opened right before the first, which the function begins with; closed right after the second, with which
// the region ends.

// CHECK-LABEL: llvm.func @two
// CHECK-NOT: uwrt_crew_last
// CHECK: llvm.call @uwrt_crew_open
// CHECK-NEXT: scf.forall
// CHECK: llvm.store
// CHECK: llvm.call @uwrt_crew_last
// CHECK-NEXT: scf.forall
// CHECK: llvm.call @uwrt_crew_close
// CHECK-NEXT: llvm.return
llvm.func @two(%k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.store %one, %k : i32, !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.return
}

// A launch after the first one on each way but the one on which the program ends: there the crew is closed. What calls the unknown stands
// outside.

// CHECK-LABEL: llvm.func @ways
// CHECK: llvm.call @unknown
// CHECK-NEXT: llvm.call @uwrt_crew_open
// CHECK-NEXT: scf.forall
// CHECK: llvm.cond_br %{{.*}}, ^[[MORE:bb[0-9]+]], ^[[LEAVE:bb[0-9]+]]
// CHECK: ^[[LEAVE]]:
// CHECK-NEXT: llvm.call @uwrt_crew_close
// CHECK: ^[[MORE]]:
// CHECK-NEXT: llvm.call @uwrt_crew_last
// CHECK-NEXT: scf.forall
// CHECK: llvm.call @uwrt_crew_close
// CHECK: llvm.call @unknown
llvm.func @ways(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  llvm.call @unknown() : () -> ()
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.cond_br %some, ^more, ^end
^more:
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.call @unknown() : () -> ()
  llvm.return
^end:
  llvm.call @unknown() : () -> ()
  llvm.unreachable
}

// In a loop whose iterations end with a call of the unknown, the two before it are together, opened and closed in each iteration.

// CHECK-LABEL: llvm.func @iterations
// CHECK: llvm.call @uwrt_crew_open
// CHECK-NEXT: llvm.br ^[[BODY:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK-NEXT: scf.forall
// CHECK: llvm.call @uwrt_crew_last
// CHECK-NEXT: scf.forall
// CHECK: llvm.call @uwrt_crew_close
// CHECK-NEXT: llvm.call @unknown
// CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[AGAIN:bb[0-9]+]], ^
// CHECK: ^[[AGAIN]]:
// CHECK-NEXT: llvm.call @uwrt_crew_open
// CHECK-NEXT: llvm.br ^[[BODY]]
llvm.func @iterations(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  llvm.br ^body
^body:
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.call @unknown() : () -> ()
  llvm.cond_br %some, ^body, ^end
^end:
  llvm.return
}
llvm.func @unknown()
llvm.func @uwrt_launch_begin(!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
