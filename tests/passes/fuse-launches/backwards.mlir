// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --fuse-launches %s | FileCheck %s

// Elements from the end on, n - 1 - i, which is n + ~i. Of what nobody writes the first launch's results are asked to lie apart, between the
// bounds of both: ~i goes from -1 - the last to -1.
// CHECK-LABEL: llvm.func @backwards
// CHECK: %[[LEAST:.*]] = arith.constant -25600 : index
// CHECK: arith.addi %{{.*}}, %[[LEAST]] : index
// CHECK: arith.ori
// CHECK: llvm.call @uwrt_launch_join
// CHECK: scf.forall
// CHECK: llvm.store %{{.*}} : f32
// CHECK: arith.xori
// CHECK: llvm.store %{{.*}} : f32
// CHECK: llvm.call @uwrt_launch_end
// CHECK: llvm.return

// What another thread of the first launch wrote: there is no loop of both.
// CHECK-LABEL: llvm.func @written
// CHECK-NOT: uwrt_launch_join
// CHECK: llvm.return
llvm.func @uwrt_launch_begin(!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @uwrt_launch_elsewhere(!llvm.ptr, !llvm.ptr)
llvm.func @uwrt_launch_end(!llvm.ptr)
llvm.func @cudaGetLastError() -> i32
llvm.func @anything()
llvm.mlir.global external @first() : i8
llvm.mlir.global external @second() : i8
llvm.func @backwards(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %shape = llvm.mlir.constant(4294967396 : i64) : i64
  %other = llvm.mlir.constant(4294967397 : i64) : i64
  %threads = llvm.mlir.constant(4294967552 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %all = arith.constant -1 : i32
  %width = arith.constant 256 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %list1 = llvm.alloca %one x !llvm.array<64 x i8> : (i32) -> !llvm.ptr
  %list2 = llvm.alloca %one x !llvm.array<64 x i8> : (i32) -> !llvm.ptr
  %dims1 = llvm.call @uwrt_launch_begin(%first, %shape, %one, %threads, %one, %zero, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  %may1 = llvm.icmp "ne" %dims1, %null : !llvm.ptr
  scf.if %may1 {
    scf.forall (%b) in (%c100) {
      scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c256) {
        %bi = arith.index_castui %b : index to i32
        %ti = arith.index_castui %tx : index to i32
        %start = arith.muli %bi, %width : i32
        %i = arith.addi %start, %ti : i32
        %in = arith.cmpi slt, %i, %n : i32
        scf.if %in {
          %at = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %x = llvm.load %at : !llvm.ptr -> f32
          %y = arith.addf %x, %x : f32
          %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %y, %to : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%first) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%first, %list1) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  %dims2 = llvm.call @uwrt_launch_begin(%second, %shape, %one, %threads, %one, %zero, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  %may2 = llvm.icmp "ne" %dims2, %null : !llvm.ptr
  scf.if %may2 {
    scf.forall (%b) in (%c100) {
      scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c256) {
        %bi = arith.index_castui %b : index to i32
        %ti = arith.index_castui %tx : index to i32
        %start = arith.muli %bi, %width : i32
        %i = arith.addi %start, %ti : i32
        %in = arith.cmpi slt, %i, %n : i32
        scf.if %in {
          %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %x = llvm.load %at : !llvm.ptr -> f32
          %before = arith.xori %i, %all : i32
          %k = arith.addi %n, %before : i32
          %back = llvm.getelementptr %a[%k] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %z = llvm.load %back : !llvm.ptr -> f32
          %y = arith.addf %x, %z : f32
          %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %y, %to : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%second) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%second, %list2) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  llvm.return
}

llvm.func @written(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %shape = llvm.mlir.constant(4294967396 : i64) : i64
  %other = llvm.mlir.constant(4294967397 : i64) : i64
  %threads = llvm.mlir.constant(4294967552 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %all = arith.constant -1 : i32
  %width = arith.constant 256 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %list1 = llvm.alloca %one x !llvm.array<64 x i8> : (i32) -> !llvm.ptr
  %list2 = llvm.alloca %one x !llvm.array<64 x i8> : (i32) -> !llvm.ptr
  %dims1 = llvm.call @uwrt_launch_begin(%first, %shape, %one, %threads, %one, %zero, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  %may1 = llvm.icmp "ne" %dims1, %null : !llvm.ptr
  scf.if %may1 {
    scf.forall (%b) in (%c100) {
      scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c256) {
        %bi = arith.index_castui %b : index to i32
        %ti = arith.index_castui %tx : index to i32
        %start = arith.muli %bi, %width : i32
        %i = arith.addi %start, %ti : i32
        %in = arith.cmpi slt, %i, %n : i32
        scf.if %in {
          %at = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %x = llvm.load %at : !llvm.ptr -> f32
          %y = arith.addf %x, %x : f32
          %to = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %y, %to : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%first) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%first, %list1) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  %dims2 = llvm.call @uwrt_launch_begin(%second, %shape, %one, %threads, %one, %zero, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  %may2 = llvm.icmp "ne" %dims2, %null : !llvm.ptr
  scf.if %may2 {
    scf.forall (%b) in (%c100) {
      scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c256) {
        %bi = arith.index_castui %b : index to i32
        %ti = arith.index_castui %tx : index to i32
        %start = arith.muli %bi, %width : i32
        %i = arith.addi %start, %ti : i32
        %in = arith.cmpi slt, %i, %n : i32
        scf.if %in {
          %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %x = llvm.load %at : !llvm.ptr -> f32
          %before = arith.xori %i, %all : i32
          %k = arith.addi %n, %before : i32
          %back = llvm.getelementptr %p[%k] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %z = llvm.load %back : !llvm.ptr -> f32
          %y = arith.addf %x, %z : f32
          %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %y, %to : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%second) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%second, %list2) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  llvm.return
}
