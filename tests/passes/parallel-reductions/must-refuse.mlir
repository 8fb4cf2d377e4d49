// RUN: %unwarp_opt --parallel-reductions %s | FileCheck %s

// Left alone.
// CHECK-NOT: uwrt_max_workers

// No launch follows.
func.func @no_blocks_after(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    scf.yield %next : i32
  }
  llvm.store %r, %p : i32, !llvm.ptr
  return
}

// The loop is a block's.
func.func @within_blocks(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.forall (%b) in (%blocks) {
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    scf.yield %next : i32
  }
    scf.forall (%c) in (%blocks) {
      llvm.store %r, %p : i32, !llvm.ptr
    } {mapping = [#gpu.block<x>]}
  } {mapping = [#gpu.block<x>]}
  scf.forall (%b) in (%blocks) {
    llvm.store %start, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// The order of a floating-point sum counts.
func.func @float_sum(%p: !llvm.ptr, %n: i64, %start: f32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (f32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> f32
    %next = arith.addf %a, %x : f32
    scf.yield %next : f32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : f32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// No operation that takes any order.
func.func @difference(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.subi %a, %x : i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// What is carried goes nowhere.
func.func @not_with_what_is_carried(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %x, %x : i32
    %unused = arith.addi %a, %x : i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// The loop looks at what it carries.
func.func @looked_at(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    %more = arith.addi %a, %x : i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// The loop looks at what it hands on.
func.func @handed_on(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    %more = arith.addi %next, %x : i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// The loop stores.
func.func @stores(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    llvm.store %x, %p : i32, !llvm.ptr
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// Every other iteration.
func.func @strided(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c2 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// The distance of bounds may overflow.
func.func @far(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %low to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// So may that of large unsigned integers.
func.func @far_unsigned(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

// A load that must be made as written.
func.func @volatile(%p: !llvm.ptr, %n: i64, %start: i32, %blocks: index, %low: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %start) -> (i32) : i64 {
    %x = llvm.load %p : !llvm.ptr -> i32
    %next = arith.addi %a, %x : i32
    %y = llvm.load volatile %p : !llvm.ptr -> i32
    scf.yield %next : i32
  }
  scf.forall (%b) in (%blocks) {
    llvm.store %r, %p : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}
