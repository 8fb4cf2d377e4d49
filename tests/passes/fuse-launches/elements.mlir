// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --fuse-launches %s | FileCheck %s
// RUN: %unwarp_opt --fuse-launches --fuse-launches %s | FileCheck %s

// The first launch is put off. Where the second stands, one loop does both, if the runtime may join them and what was written
// is apart from what the other one reads; else each has its own, the first one's first.

// CHECK-LABEL: llvm.func @follows
// CHECK: %[[FLAG:.*]] = llvm.alloca %{{.*}} x i8
// CHECK: %[[DIMS:.*]] = llvm.call @uwrt_launch_begin
// CHECK: scf.if
// CHECK-NOT: scf.forall
// CHECK: llvm.store %{{.*}}, %[[FLAG]]
// CHECK: llvm.call @uwrt_launch_elsewhere
// CHECK: llvm.load %[[FLAG]]
// CHECK: llvm.call @uwrt_launch_join
// CHECK: scf.if
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: llvm.store %{{.*}} : f32
// CHECK: llvm.store %{{.*}} : f32
// CHECK-NOT: scf.forall
// CHECK: llvm.call @uwrt_launch_end
// CHECK: } else {
// CHECK: scf.forall
// CHECK: llvm.call @uwrt_launch_end
// CHECK: llvm.call @uwrt_launch_elsewhere
// CHECK: llvm.call @uwrt_launch_begin
// CHECK: scf.forall
// CHECK: llvm.call @uwrt_launch_end
// CHECK: llvm.return
llvm.func @uwrt_launch_begin(!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @uwrt_launch_elsewhere(!llvm.ptr, !llvm.ptr)
llvm.func @uwrt_launch_end(!llvm.ptr)
llvm.func @cudaGetLastError() -> i32
llvm.func @anything()
llvm.mlir.global external @first() : i8
llvm.mlir.global external @second() : i8
llvm.mlir.global external @third() : i8
llvm.func @follows(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %shape = llvm.mlir.constant(4294967396 : i64) : i64
  %other = llvm.mlir.constant(4294967397 : i64) : i64
  %threads = llvm.mlir.constant(4294967552 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
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
          %y = arith.addf %x, %x : f32
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

// Of three launches, the loop of two is put off as the first one was. Where it does not run with the third, it runs alone; and
// where what it was made for does not hold, the first two run elsewhere, one after the other.
// CHECK-LABEL: llvm.func @three
// CHECK: llvm.call @uwrt_launch_join(%[[SECOND:[0-9a-z]*]],
// CHECK: scf.if
// CHECK-NOT: scf.forall
// CHECK: } else {
// CHECK: llvm.call @uwrt_launch_join(%[[THIRD:[0-9a-z]*]],
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK-COUNT-3: llvm.store %{{.*}} : f32
// CHECK-NOT: scf.forall
// CHECK: llvm.call @uwrt_launch_end
// CHECK: } else {
// CHECK: scf.forall
// CHECK-COUNT-2: llvm.store %{{.*}} : f32
// CHECK: llvm.call @uwrt_launch_end
// CHECK: llvm.call @uwrt_launch_elsewhere
// CHECK: llvm.call @uwrt_launch_joined
// CHECK: llvm.call @uwrt_launch_begin(%[[THIRD]],
llvm.func @three(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %shape = llvm.mlir.constant(4294967396 : i64) : i64
  %other = llvm.mlir.constant(4294967397 : i64) : i64
  %threads = llvm.mlir.constant(4294967552 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %width = arith.constant 256 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %list1 = llvm.alloca %one x !llvm.array<64 x i8> : (i32) -> !llvm.ptr
  %list3 = llvm.alloca %one x !llvm.array<64 x i8> : (i32) -> !llvm.ptr
  %third = llvm.mlir.addressof @third : !llvm.ptr
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
          %y = arith.addf %x, %x : f32
          %to = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %y, %to : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%second) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%second, %list2) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  %dims3 = llvm.call @uwrt_launch_begin(%third, %shape, %one, %threads, %one, %zero, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
  %may3 = llvm.icmp "ne" %dims3, %null : !llvm.ptr
  scf.if %may3 {
    scf.forall (%b) in (%c100) {
      scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c256) {
        %bi = arith.index_castui %b : index to i32
        %ti = arith.index_castui %tx : index to i32
        %start = arith.muli %bi, %width : i32
        %i = arith.addi %start, %ti : i32
        %in = arith.cmpi slt, %i, %n : i32
        scf.if %in {
          %at = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          %x = llvm.load %at : !llvm.ptr -> f32
          %y = arith.addf %x, %x : f32
          %to = llvm.getelementptr %r[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
          llvm.store %y, %to : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%third) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%third, %list3) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  llvm.return
}

// A way on which the program ends: there the first launch runs before.
// CHECK-LABEL: llvm.func @asks_for_errors
// CHECK: llvm.call @uwrt_launch_join
// CHECK: llvm.call @uwrt_launch_elsewhere
// CHECK: llvm.call @anything
// CHECK-NEXT: llvm.unreachable
llvm.func @asks_for_errors(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
  %first = llvm.mlir.addressof @first : !llvm.ptr
  %second = llvm.mlir.addressof @second : !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %shape = llvm.mlir.constant(4294967396 : i64) : i64
  %other = llvm.mlir.constant(4294967397 : i64) : i64
  %threads = llvm.mlir.constant(4294967552 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
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
  %error = llvm.call @cudaGetLastError() : () -> i32
  %none = llvm.mlir.constant(0 : i32) : i32
  %bad = llvm.icmp "ne" %error, %none : i32
  llvm.cond_br %bad, ^die, ^on
^on:
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
          %y = arith.addf %x, %x : f32
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
^die:
  llvm.call @anything() : () -> ()
  llvm.unreachable
}
