// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads may meet at addresses that are sums over the index of the thread.
// RUN: %unwarp_opt --print-analysis=alias %s | FileCheck %s

// The index comes in twice, and where the factor is -1 every thread is at the same address.
// CHECK-LABEL: thread loop in @twice
// CHECK: accesses 0 and 0: may meet{{$}}
// CHECK: accesses 1 and 1: may meet{{$}}
func.func @twice(%threads: index, %n: i64, %x: f32, %q: !llvm.ptr, %r: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %k = arith.index_cast %t : index to i64
    %far = arith.muli %k, %n : i64
    %sum = arith.addi %far, %k : i64
    %reverse = arith.addi %k, %far : i64
    %one = llvm.getelementptr %q[%sum] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.getelementptr %r[%reverse] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %one : f32, !llvm.ptr
    llvm.store %x, %other : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A distance that each thread loads.
// CHECK-LABEL: thread loop in @own_distance
// CHECK: accesses 1 and 1: may meet{{$}}
// CHECK: accesses 2 and 2: may meet{{$}}
// CHECK: accesses 3 and 3: may meet{{$}}
func.func @own_distance(%threads: index, %n: i64, %x: f32, %in: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %k = arith.index_cast %t : index to i64
    %p = llvm.getelementptr %in[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %v = llvm.load %p : !llvm.ptr -> i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %vn = arith.muli %v, %n : i64
    %nv = arith.muli %n, %v : i64
    %plain = llvm.getelementptr %own[%v] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %scaled = llvm.getelementptr %own[%vn] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %scale = llvm.getelementptr %own[%nv] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %plain : f32, !llvm.ptr
    llvm.store %x, %scaled : f32, !llvm.ptr
    llvm.store %x, %scale : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Rows of a block: the index of the thread in it and the next thread's; with columns that lie two elements apart, which
// reach into the next row; with elements that are longer than they lie apart; and the rows alone, where all threads of
// one meet.
// CHECK-LABEL: thread loop in @rows
// CHECK: accesses 0 and 0: meet in the same thread only
// CHECK: accesses 0 and 1: may meet in different threads only
// CHECK: accesses 2 and 2: may meet{{$}}
// CHECK: accesses 3 and 3: may meet{{$}}
// CHECK: accesses 4 and 4: may meet{{$}}
func.func @rows(%height: index, %width: index, %x: f32, %w: f64, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %width : index
    %r = arith.index_cast %row : index to i64
    %k = arith.index_cast %i : index to i64
    %start = llvm.getelementptr %q[%r] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %own = llvm.getelementptr %start[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %apart = llvm.getelementptr %start[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %x, %own : f32, !llvm.ptr
    llvm.store %x, %next : f32, !llvm.ptr
    llvm.store %x, %apart : f32, !llvm.ptr
    llvm.store %w, %own : f64, !llvm.ptr
    llvm.store %x, %start : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Blocks of planes: threads of all planes are at the address that rows and columns say.
// CHECK-LABEL: thread loop in @planes
// CHECK: accesses 0 and 0: may meet{{$}}
func.func @planes(%depth: index, %height: index, %width: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%z, %y, %i) in (%depth, %height, %width) {
    %row = arith.muli %y, %width : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Rows that are wider than they lie apart: by an unknown factor, by some threads, by unknown ones, twice as wide, and
// as wide as something else.
// CHECK-LABEL: thread loop in @times
// CHECK: accesses 0 and 0: may meet{{$}}
// CHECK-LABEL: thread loop in @more
// CHECK: accesses 0 and 0: may meet{{$}}
// CHECK-LABEL: thread loop in @wider
// CHECK: accesses 0 and 0: may meet{{$}}
// CHECK-LABEL: thread loop in @double
// CHECK: accesses 0 and 0: may meet{{$}}
// CHECK-LABEL: thread loop in @other
// CHECK: accesses 0 and 0: may meet{{$}}
func.func @times(%height: index, %n: index, %m: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.muli %n, %m : index
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @more(%height: index, %n: index, %m: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %width = arith.addi %n, %c4 : index
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @wider(%height: index, %n: index, %m: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.addi %n, %m : index
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @double(%height: index, %n: index, %m: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.addi %n, %n : index
  scf.forall (%y, %i) in (%height, %width) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @other(%height: index, %n: index, %m: index, %x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%y, %i) in (%height, %m) {
    %row = arith.muli %y, %n : index
    %place = arith.addi %row, %i : index
    %k = arith.index_cast %place : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Products that wrap around in 32 bits: all threads are at the same address, though factors differ as if they had 64.
// CHECK-LABEL: thread loop in @wraps
// CHECK: accesses 0 and 0: may meet{{$}}
func.func @wraps(%threads: index, %x: i8, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %much = arith.constant 1073741824 : i32
  %more = arith.constant 16777216 : i32
  scf.forall (%t) in (%threads) {
    %k = arith.index_cast %t : index to i32
    %far = arith.muli %k, %much : i32
    %farther = arith.muli %far, %more : i32
    %own = llvm.getelementptr %q[%farther] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %x, %own : i8, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The same for the sum of two of them.
// CHECK-LABEL: thread loop in @sum_wraps
// CHECK: accesses 0 and 0: may meet{{$}}
func.func @sum_wraps(%x: i8, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %much = arith.constant 1073741824 : i32
  %three = arith.constant 3 : i32
  scf.forall (%y, %i) in (%c2, %c2) {
    %row = arith.index_cast %y : index to i32
    %far = arith.muli %row, %much : i32
    %down = arith.muli %far, %much : i32
    %column = arith.index_cast %i : index to i32
    %wide = arith.muli %column, %three : i32
    %wider = arith.muli %wide, %much : i32
    %along = arith.muli %wider, %much : i32
    %place = arith.addi %down, %along : i32
    %own = llvm.getelementptr %q[%place] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %x, %own : i8, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Two arrays that may be one, and a pointer that each thread loads: how the index comes in says nothing.
// CHECK-LABEL: thread loop in @arrays
// CHECK: accesses 0 and 1: may meet{{$}}
// CHECK: accesses 3 and 3: may meet{{$}}
func.func @arrays(%threads: index, %x: f32, %in: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %k = arith.index_cast %t : index to i64
    %one = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.getelementptr %r[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %one : f32, !llvm.ptr
    llvm.store %x, %other : f32, !llvm.ptr
    %p = llvm.getelementptr %in[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    %array = llvm.load %p : !llvm.ptr -> !llvm.ptr
    %own = llvm.getelementptr %array[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// How much memset writes is not known, before another access or after it.
// CHECK-LABEL: thread loop in @pieces
// CHECK: accesses 0 and 1: may meet{{$}}
// CHECK: accesses 1 and 2: may meet{{$}}
func.func @pieces(%threads: index, %bytes: i64, %x: f32, %v: i8, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %k = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
    "llvm.intr.memset"(%own, %v, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Sums of more terms than are kept, and the same for the difference of two sums.
// CHECK-LABEL: thread loop in @long
// CHECK: accesses 0 and 2: may meet{{$}}
// CHECK: accesses 1 and 1: may meet{{$}}
func.func @long(%threads: index, %x: f32, %q: !llvm.ptr,
                %a1: i64, %a2: i64, %a3: i64, %a4: i64, %a5: i64, %a6: i64,
                %a7: i64, %a8: i64, %a9: i64, %a10: i64, %a11: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%t) in (%threads) {
    %k = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p1 = llvm.getelementptr %own[%a1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p2 = llvm.getelementptr %p1[%a2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p3 = llvm.getelementptr %p2[%a3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p4 = llvm.getelementptr %p3[%a4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p5 = llvm.getelementptr %p4[%a5] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p6 = llvm.getelementptr %p5[%a6] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p7 = llvm.getelementptr %p6[%a7] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p8 = llvm.getelementptr %p7[%a8] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p9 = llvm.getelementptr %p8[%a9] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p10 = llvm.getelementptr %p9[%a10] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %p11 = llvm.getelementptr %p10[%a11] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r7 = llvm.getelementptr %own[%a7] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r8 = llvm.getelementptr %r7[%a8] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r9 = llvm.getelementptr %r8[%a9] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r10 = llvm.getelementptr %r9[%a10] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r11 = llvm.getelementptr %r10[%a11] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %p6 : f32, !llvm.ptr
    llvm.store %x, %p11 : f32, !llvm.ptr
    llvm.store %x, %r11 : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Rows of one thread, each with an address of its own.
// CHECK-LABEL: thread loop in @column
// CHECK: accesses 0 and 0: meet in the same thread only
func.func @column(%x: f32, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%y, %i) in (%c4, %c1) {
    %k = arith.index_cast %y : index to i64
    %own = llvm.getelementptr %q[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %own : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
