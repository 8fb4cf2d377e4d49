// RUN: %unwarp_opt --merge-parallel-regions %s | FileCheck %s
// RUN: %unwarp_opt --merge-parallel-regions --merge-parallel-regions %s | FileCheck %s

// The edges into the loop open the crew, the edges out of it close it; values go along.

// CHECK-LABEL: llvm.func @loop
// CHECK: llvm.cond_br %{{.*}}, ^[[IN:bb[0-9]+]](%{{.*}} : i32), ^[[OUT:bb[0-9]+]]
// CHECK: ^[[IN]](%[[FIRST:.*]]: i32):
// CHECK-NEXT: llvm.call @uwrt_crew_open()
// CHECK-NEXT: llvm.br ^[[HEAD:bb[0-9]+]](%[[FIRST]] : i32)
// CHECK: ^[[HEAD]](%[[I:.*]]: i32):
// CHECK: llvm.cond_br %{{.*}}, ^{{bb[0-9]+}}, ^[[LEAVE:bb[0-9]+]](%[[I]] : i32)
// CHECK: ^[[LEAVE]](%[[LAST:.*]]: i32):
// CHECK-NEXT: llvm.call @uwrt_crew_close()
// CHECK-NEXT: llvm.br ^{{bb[0-9]+}}(%[[LAST]] : i32)
// CHECK: llvm.return
llvm.func @loop(%n: i32, %some: i1, %k: !llvm.ptr) -> i32 attributes {unwarp.host} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.cond_br %some, ^head(%zero : i32), ^end(%one : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end(%i : i32)
^body:
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  %wanted = llvm.icmp "ne" %dims, %null : !llvm.ptr
  scf.if %wanted {
    scf.forall (%block) in (%blocks) {
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%k) : (!llvm.ptr) -> ()
  }
  %error = llvm.call @cudaGetLastError() : () -> i32
  %next = llvm.add %i, %one : i32
  llvm.br ^head(%next : i32)
^end(%result: i32):
  llvm.return %result : i32
}

// Of two nested loops, the inner one is done where the outer one calls what is not known.
// CHECK-LABEL: llvm.func @inner
// CHECK: llvm.call @unknown
// CHECK: llvm.call @uwrt_crew_open
// CHECK: llvm.call @uwrt_launch_begin
// CHECK: llvm.call @uwrt_crew_close
llvm.func @inner(%some: i1, %k: !llvm.ptr) attributes {unwarp.host} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.mlir.constant(1 : i64) : i64
  %c0 = arith.constant 0 : index
  %blocks = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.br ^outer
^outer:
  llvm.call @unknown() : () -> ()
  llvm.br ^body
^body:
  %dims = llvm.call @uwrt_launch_begin(%k, %wide, %one, %wide, %one, %wide, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  scf.forall (%block) in (%blocks) {
  } {mapping = [#gpu.block<x>]}
  llvm.cond_br %some, ^body, ^latch
^latch:
  llvm.cond_br %some, ^outer, ^end
^end:
  llvm.return
}
llvm.func @unknown()
llvm.func @cudaGetLastError() -> i32
llvm.func @uwrt_launch_begin(!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @uwrt_launch_end(!llvm.ptr)
