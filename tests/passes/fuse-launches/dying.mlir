// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --fuse-launches %s | FileCheck %s

// What only the two launches see is not stored where both run as one, and is where they run apart.
llvm.func @uwrt_launch_begin(!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @uwrt_launch_elsewhere(!llvm.ptr, !llvm.ptr)
llvm.func @uwrt_launch_end(!llvm.ptr)
llvm.func @cudaGetLastError() -> i32
llvm.func @anything()
llvm.func @look(!llvm.ptr)
llvm.func @cudaMalloc(!llvm.ptr, i64) -> i32
llvm.func @cudaFree(!llvm.ptr) -> i32
llvm.mlir.global external @first() : i8
llvm.mlir.global external @second() : i8
// CHECK-LABEL: llvm.func @dies
// CHECK: llvm.call @uwrt_launch_join
// CHECK: scf.forall
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NOT: llvm.store
// CHECK: %[[Z:.*]] = arith.addf %[[Y]], %[[Y]]
// CHECK: llvm.store %[[Z]]
// CHECK-NOT: llvm.store {{.*}} : f32
// CHECK: } else {
// CHECK-COUNT-2: llvm.store {{.*}} : f32
// CHECK-NOT: unwarp.own_memory
llvm.func @dies(%a: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  %bytes = llvm.mlir.constant(102400 : i64) : i64
  %place = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %made = llvm.call @cudaMalloc(%place, %bytes) : (!llvm.ptr, i64) -> i32
  %p = llvm.load %place : !llvm.ptr -> !llvm.ptr
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
  %freed = llvm.call @cudaFree(%p) : (!llvm.ptr) -> i32
  llvm.return
}

// A function gets the pointer.
// CHECK-LABEL: llvm.func @escapes
// CHECK: llvm.call @uwrt_launch_join
// CHECK: scf.forall
// CHECK-COUNT-2: llvm.store {{.*}} : f32
// CHECK: } else {
llvm.func @escapes(%a: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  %bytes = llvm.mlir.constant(102400 : i64) : i64
  %place = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %made = llvm.call @cudaMalloc(%place, %bytes) : (!llvm.ptr, i64) -> i32
  %p = llvm.load %place : !llvm.ptr -> !llvm.ptr
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
  llvm.call @look(%p) : (!llvm.ptr) -> ()
  %freed = llvm.call @cudaFree(%p) : (!llvm.ptr) -> i32
  llvm.return
}

// The second launch may run once more.
// CHECK-LABEL: llvm.func @again
// CHECK: llvm.call @uwrt_launch_join
// CHECK: scf.forall
// CHECK-COUNT-2: llvm.store {{.*}} : f32
// CHECK: } else {
llvm.func @again(%a: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  %bytes = llvm.mlir.constant(102400 : i64) : i64
  %place = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %made = llvm.call @cudaMalloc(%place, %bytes) : (!llvm.ptr, i64) -> i32
  %p = llvm.load %place : !llvm.ptr -> !llvm.ptr
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
  llvm.br ^second
^second:
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
  llvm.cond_br %some, ^second, ^out
^out:
  %freed = llvm.call @cudaFree(%p) : (!llvm.ptr) -> i32
  llvm.return
}

// The runtime may refuse the first, and run the second.
// CHECK-LABEL: llvm.func @shapes
// CHECK: llvm.call @uwrt_launch_join
// CHECK: scf.forall
// CHECK-COUNT-2: llvm.store {{.*}} : f32
// CHECK: } else {
llvm.func @shapes(%a: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1, %given: i64) attributes {unwarp.host} {
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
  %bytes = llvm.mlir.constant(102400 : i64) : i64
  %place = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %made = llvm.call @cudaMalloc(%place, %bytes) : (!llvm.ptr, i64) -> i32
  %p = llvm.load %place : !llvm.ptr -> !llvm.ptr
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
  %dims2 = llvm.call @uwrt_launch_begin(%second, %given, %one, %threads, %one, %zero, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
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
  %freed = llvm.call @cudaFree(%p) : (!llvm.ptr) -> i32
  llvm.return
}

// Threads load that stored nothing.
// CHECK-LABEL: llvm.func @partly
// CHECK: llvm.call @uwrt_launch_join
// CHECK: scf.forall
// CHECK-COUNT-2: llvm.store {{.*}} : f32
// CHECK: } else {
llvm.func @partly(%a: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  %bytes = llvm.mlir.constant(102400 : i64) : i64
  %place = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %made = llvm.call @cudaMalloc(%place, %bytes) : (!llvm.ptr, i64) -> i32
  %p = llvm.load %place : !llvm.ptr -> !llvm.ptr
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
        %in = arith.cmpi ne, %i, %n : i32
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
  %freed = llvm.call @cudaFree(%p) : (!llvm.ptr) -> i32
  llvm.return
}
