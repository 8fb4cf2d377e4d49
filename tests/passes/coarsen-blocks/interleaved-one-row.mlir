// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} %s | FileCheck %s
// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} --coarsen-blocks{shape=interleaved} %s | FileCheck %s

// Threads that march and keep nothing from iteration to iteration are one row with those of the next blocks. With a value of their own, with something
// after the march, with shared memory that one thread of a block adds to, and where a thread's index in its block is
// asked for, neighbours run in lock step, block by block.

// CHECK-LABEL: func.func @one_row
// A row has up to 2048 threads, march or not.
// CHECK: arith.constant 2048 : index
// CHECK: llvm.call @uwrt_max_workers
// CHECK: %[[LEFT:.*]] = arith.subi %arg1, %{{.*}} : index
// CHECK: %[[COUNT:.*]] = arith.minui %{{.*}}, %[[LEFT]]
// CHECK: %[[LENGTH:.*]] = arith.muli %[[COUNT]], %c8{{.*}} : index
// CHECK: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) {{(= .* to|in)}} (%c1{{[_0-9]*}}, %c4{{[_0-9]*}}, %[[LENGTH]])
// CHECK: scf.for %
// CHECK: unwarp.barrier
// CHECK-LABEL: func.func @keeps
// CHECK: scf.forall {{.*}} {{to|in}} (%c4{{[_0-9]*}}, %{{[0-9]*}}, %c8{{[_0-9]*}})
// CHECK-LABEL: func.func @after
// CHECK: scf.forall {{.*}} {{to|in}} (%c4{{[_0-9]*}}, %{{[0-9]*}}, %c8{{[_0-9]*}})
// CHECK-LABEL: func.func @own_index
// CHECK: scf.forall {{.*}} {{to|in}} (%c4{{[_0-9]*}}, %{{[0-9]*}}, %c8{{[_0-9]*}})
// CHECK-LABEL: func.func @barrier_first
// CHECK: scf.forall {{.*}} {{to|in}} (%c1{{[_0-9]*}}, %c4{{[_0-9]*}}, %{{[0-9]*}})
// CHECK-LABEL: func.func @total
// CHECK: scf.forall {{.*}} {{to|in}} (%c4{{[_0-9]*}}, %{{[0-9]*}}, %c8{{[_0-9]*}})

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

func.func @one_row(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %start = arith.addi %row, %column : i64
      %end = scf.for %i = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %start, %far : i64
        %p = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @keeps(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %start = arith.addi %row, %column : i64
      %end:2 = scf.for %i = %c0 to %depth step %c1 iter_args(%far = %zero, %old = %none) -> (i64, f32) {
        %place_in = arith.addi %start, %far : i64
        %p = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %old, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next, %v : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @after(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %start = arith.addi %row, %column : i64
      %end = scf.for %i = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %start, %far : i64
        %p = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
      %last = llvm.getelementptr %out[%start] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %none, %last : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @own_index(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %start = arith.addi %row, %column : i64
      %even = arith.uitofp %xl : i64 to f32
      %end = scf.for %i = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %start, %far : i64
        %p = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %w = arith.addf %v, %even : f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @barrier_first(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr,
                         %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %start = arith.addi %row, %column : i64
      %end = scf.for %i = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        "unwarp.barrier"() {level = "block"} : () -> ()
        %place_in = arith.addi %start, %far : i64
        %p = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %o : f32, !llvm.ptr
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @total(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr,
                 %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %size = arith.constant 16 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %start = arith.addi %row, %column : i64
      %end = scf.for %i = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %start, %far : i64
        %p = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %p : !llvm.ptr -> f32
        %low = arith.andi %column, %seven : i64
        %leads = arith.cmpi eq, %low, %zero : i64
        scf.if %leads {
          %t = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %old = llvm.load %t : !llvm.ptr -> f32
          %sum = arith.addf %old, %v : f32
          llvm.store %sum, %t : f32, !llvm.ptr
        }
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
