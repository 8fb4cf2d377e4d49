// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %unwarp_opt --fuse-launches %s | FileCheck %s

// Each launch keeps its own loops.
// CHECK-NOT: @uwrt_launch_join
llvm.func @uwrt_launch_begin(!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @uwrt_launch_elsewhere(!llvm.ptr, !llvm.ptr)
llvm.func @uwrt_launch_end(!llvm.ptr)
llvm.func @cudaGetLastError() -> i32
llvm.func @anything()
llvm.mlir.global external @first() : i8
llvm.mlir.global external @second() : i8

// A thread of the second would read what another one of the first writes.
llvm.func @neighbours(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
          %j = arith.addi %i, %one : i32
          %at = llvm.getelementptr %p[%j] : (!llvm.ptr, i32) -> !llvm.ptr, f32
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

// Threads that wait for each other.
llvm.func @barrier(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
          "unwarp.barrier"() {level = "block"} : () -> ()
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%second) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%second, %list2) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  llvm.return
}

// An atomic operation.
llvm.func @atomic(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
          %x = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32
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

// A volatile access.
llvm.func @volatiles(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
          %x = llvm.load volatile %at : !llvm.ptr -> f32
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

// A call in a kernel.
llvm.func @calls(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
          llvm.call @anything() : () -> ()
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    llvm.call @uwrt_launch_end(%second) : (!llvm.ptr) -> ()
  } else {
    llvm.call @uwrt_launch_elsewhere(%second, %list2) : (!llvm.ptr, !llvm.ptr) -> ()
  } {unwarp.launch}
  llvm.return
}

// A pointer that comes from memory.
llvm.func @from_memory(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
          %from = llvm.load %p : !llvm.ptr -> !llvm.ptr
          %at = llvm.getelementptr %from[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
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

// Another grid.
llvm.func @shape(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  %dims2 = llvm.call @uwrt_launch_begin(%second, %other, %one, %threads, %one, %zero, %null) : (!llvm.ptr, i64, i32, i64, i32, i64, !llvm.ptr) -> !llvm.ptr
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

// What stands between may wait for the first.
llvm.func @stands_between(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  llvm.call @anything() : () -> ()
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

// The host reads what it wrote.
llvm.func @reads_between(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  %seen = llvm.load %p : !llvm.ptr -> f32
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

// A fence of the compiler says that the host looks.
llvm.func @fence_between(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  llvm.fence syncscope("singlethread") seq_cst
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

// Parameters of the first that lie in memory.
llvm.func @by_value(%a: !llvm.ptr, %p: !llvm.ptr, %q: !llvm.ptr, %n: i32, %some: i1) attributes {unwarp.host} {
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
  } {unwarp.launch, unwarp.memory_parameters}
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
