// RUN: %unwarp_opt --software-prefetch %s | FileCheck %s
// RUN: %unwarp_opt --software-prefetch --software-prefetch %s | FileCheck %s

// A row of 16 elements, rows as far apart as the array is wide: a line for each row is fetched ahead, for what is written with the
// intent to write. In a loop that carries how far it is, it is the next iteration's; then of rows of any length, by the load that is
// ahead of others from the same array. Nothing is fetched of memory of the block, of rows of unknown length where nothing marches, of
// rows longer than a page, of rows that lie behind each other, of columns, and of what the march stores in rows of unknown length.

// CHECK-LABEL: func.func @blocks
// CHECK: scf.forall (%{{.*}}, %[[Y:.*]]) {{=|in}}
// CHECK: %[[X:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}>
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK: scf.forall (%{{[a-z0-9]*}}) {{=|in}}
// CHECK-NOT: prefetch
// CHECK-LABEL: func.func @border
// CHECK: scf.forall (%{{.*}}, %{{.*}}) {{=|in}}
// CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}>
// CHECK: scf.forall (%{{[a-z0-9]*}}) {{=|in}}
// CHECK: scf.if
// CHECK-LABEL: func.func @march
// CHECK: scf.for {{.*}} iter_args(%[[FAR:.*]] = %{{.*}})
// CHECK: scf.forall (%{{.*}}, %{{.*}}) {{=|in}}
// CHECK: %[[NEXT:.*]] = arith.addi %[[FAR]], %{{.*}} : i64
// CHECK: arith.addi %{{.*}}, %[[NEXT]] : i64
// CHECK: "llvm.intr.prefetch"
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK: scf.forall (%{{[a-z0-9]*}}) {{=|in}}
// CHECK-LABEL: func.func @march_of_long_rows
// CHECK: scf.for {{.*}} iter_args(%[[FAR:.*]] = %{{.*}})
// CHECK: scf.forall (%{{.*}}, %{{.*}}) {{=|in}}
// CHECK: %[[NEXT:.*]] = arith.addi %[[FAR]], %[[LAYER:.*]] : i64
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: arith.index_cast %[[X]] : index to i64
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[NEXT]] : i64
// CHECK: arith.addi %[[AT]], %[[LAYER]] : i64
// CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK: scf.forall (%{{[a-z0-9]*}}) {{=|in}}
// CHECK-LABEL: func.func @march_back
// CHECK: scf.for %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK: scf.for %
// CHECK: llvm.getelementptr %{{.*}}[-4096]
// CHECK: "llvm.intr.prefetch"
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK-LABEL: func.func @none
// CHECK-NOT: prefetch
func.func @blocks(%n: i64, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
    %yl = arith.index_cast %y : index to i64
    %xl = arith.index_cast %x : index to i64
    %row = arith.muli %yl, %n : i64
    %at = arith.addi %row, %xl : i64
    %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %a : !llvm.ptr -> f32
    llvm.store %v, %b : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Threads outside of the data are left out: the row is fetched all the same.
func.func @border(%n: i64, %most: i64, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %v = arith.constant 1.0 : f32
  scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
    %xl = arith.index_cast %x : index to i64
    %in = arith.cmpi slt, %xl, %most : i64
    scf.if %in {
      %yl = arith.index_cast %y : index to i64
      %row = arith.muli %yl, %n : i64
      %at = arith.addi %row, %xl : i64
      %b = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %b : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

func.func @march(%n: i64, %layer: i64, %planes: index, %in: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i64
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %slot = "unwarp.slot"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  %end = scf.for %k = %c0 to %planes step %c1 iter_args(%far = %zero) -> (i64) {
    scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %in_plane = arith.addi %row, %xl : i64
      %at = arith.addi %in_plane, %far : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %b = llvm.getelementptr %slot[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %b : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    %next = arith.addi %far, %layer : i64
    scf.yield %next : i64
  }
  return
}

func.func @march_of_long_rows(%n: i64, %layer: i64, %planes: index, %width: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %end = scf.for %k = %c0 to %planes step %c1 iter_args(%far = %zero) -> (i64) {
    scf.forall (%z, %y, %x) in (%c1, %c8, %width) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %in_plane = arith.addi %row, %xl : i64
      %at = arith.addi %in_plane, %far : i64
      %above = arith.addi %at, %layer : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.getelementptr %in[%above] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %o = llvm.getelementptr %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %w = llvm.load %b : !llvm.ptr -> f32
      %v2 = llvm.load %a : !llvm.ptr -> f32
      %sum = arith.addf %v, %w : f32
      %sum2 = arith.addf %sum, %v2 : f32
      llvm.store %sum2, %o : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    %next = arith.addi %far, %layer : i64
    scf.yield %next : i64
  }
  return
}

// Towards the start of the array, by a known step: what lies lower is ahead.
func.func @march_back(%n: i64, %planes: i64, %width: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %down = arith.constant -1024 : i64
  scf.for %k = %zero to %planes step %one : i64 {
    %far = arith.muli %k, %down : i64
    scf.forall (%z, %y, %x) in (%c1, %c8, %width) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %in_plane = arith.addi %row, %xl : i64
      %at = arith.addi %in_plane, %far : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %b = llvm.getelementptr %a[-4096] : (!llvm.ptr) -> !llvm.ptr, i8
      %v = llvm.load %a : !llvm.ptr -> f32
      %w = llvm.load %b : !llvm.ptr -> f32
      %sum = arith.addf %v, %w : f32
      %o = llvm.getelementptr %out[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %o : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  }
  return
}

func.func @none(%n: i64, %height: index, %width: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %i16 = arith.constant 16 : i64
  scf.forall (%z, %y, %x) in (%c1, %height, %width) {
    %yl = arith.index_cast %y : index to i64
    %xl = arith.index_cast %x : index to i64
    %row = arith.muli %yl, %n : i64
    %at = arith.addi %row, %xl : i64
    %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %a : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c16, %c16) {
    %yl = arith.index_cast %y : index to i64
    %xl = arith.index_cast %x : index to i64
    %dense = arith.muli %yl, %i16 : i64
    %at = arith.addi %dense, %xl : i64
    %column = arith.muli %xl, %n : i64
    %down = arith.addi %column, %yl : i64
    %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %b = llvm.getelementptr %out[%down] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %a : !llvm.ptr -> f32
    llvm.store %v, %b : f32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  %c8 = arith.constant 8 : index
  %c2048 = arith.constant 2048 : index
  %i0 = arith.constant 0 : i64
  %end = scf.for %k = %c0 to %height step %c1 iter_args(%far = %i0) -> (i64) {
    scf.forall (%z, %y, %x) in (%c1, %c8, %c2048) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %in_plane = arith.addi %row, %xl : i64
      %at = arith.addi %in_plane, %far : i64
      %a = llvm.getelementptr %in[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %a : !llvm.ptr -> f32
      %o = llvm.getelementptr %out[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %o : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    %next = arith.addi %far, %n : i64
    scf.yield %next : i64
  }
  return
}
