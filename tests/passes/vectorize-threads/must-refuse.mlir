// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

// Loads far apart with little to compute, stores by all to one address, memory of the thread's own, a volatile load, a
// call, and a block of few threads stay as they are. So do a loop that only some of the threads come by, beside what
// vectors cannot do, loops that are not over threads, and threads that wait for each other.
// CHECK-NOT: lane
// CHECK-NOT: vector

func.func @far_apart(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.forall (%t) in (%threads) {
    %row = arith.muli %t, %n : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %i = arith.addi %row, %k : index
      %ii = arith.index_cast %i : index to i64
      %at = llvm.getelementptr %p[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %at : !llvm.ptr -> f32
      %next = arith.addf %s, %y : f32
      scf.yield %next : f32
    }
    %own = arith.index_cast %row : index to i64
    %mine = llvm.getelementptr %p[%own] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @stores(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.forall (%t) in (%threads) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %next = arith.mulf %s, %x : f32
      llvm.store %next, %p : f32, !llvm.ptr
      scf.yield %next : f32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @few_threads(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.5 : f32
  scf.forall (%t) in (%c8) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %next = arith.mulf %s, %x : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

llvm.func @work(f32) -> f32

func.func @call(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.forall (%t) in (%threads) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %y = llvm.call @work(%s) : (f32) -> f32
      %next = arith.mulf %y, %x : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @volatile(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  scf.forall (%t) in (%threads) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %y = llvm.load volatile %p : !llvm.ptr -> f32
      %next = arith.mulf %y, %s : f32
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @own_memory(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = arith.constant 4 : i64
  %x = arith.constant 1.5 : f32
  scf.forall (%t) in (%threads) {
    %own = llvm.alloca %four x f32 : (i64) -> !llvm.ptr
    llvm.store %x, %own : f32, !llvm.ptr
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %y = llvm.load %own : !llvm.ptr -> f32
      %next = arith.mulf %y, %s : f32
      llvm.store %next, %own : f32, !llvm.ptr
      scf.yield %next : f32
    }
    llvm.store %sum, %p : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @some_threads(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c5 = arith.constant 5 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %few = arith.cmpi ult, %t, %c5 : index
    scf.if %few {
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
        %next = arith.mulf %s, %s : f32
        scf.yield %next : f32
      }
      %old = llvm.call @work(%sum) : (f32) -> f32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @blocks(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %next = arith.mulf %s, %s : f32
      scf.yield %next : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @waiting(%n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %next = arith.mulf %s, %s : f32
      scf.yield %next : f32
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @warps(%n: index, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %next = arith.mulf %s, %s : f32
      scf.yield %next : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %mine : f32, !llvm.ptr
    scf.forall (%l) in (%c16) {
      %old = llvm.atomicrmw fadd %q, %sum monotonic : !llvm.ptr, f32
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.thread<x>]}
  return
}

// Atomic operations with little around them, of which taking their values out of vectors is all that there would be.
func.func @only_atomics(%threads: index, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    scf.for %k = %c0 to %n step %c1 {
      %ki = arith.index_cast %k : index to i64
      %i = arith.xori %ki, %ti : i64
      %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %old = llvm.atomicrmw add %at, %one monotonic : !llvm.ptr, i32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// Of the elements that each lane has side by side, a few that some lanes touch alone: no whole registers are joined of them.
func.func @few_of_each(%n: index, %limit: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    %ti = arith.index_cast %t : index to i64
    %first = llvm.getelementptr %p[%ti, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    %second = llvm.getelementptr %p[%ti, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    %third = llvm.getelementptr %p[%ti, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    %start = arith.sitofp %ti : i64 to f32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %m = arith.mulf %s, %s : f32
      %near = arith.cmpf olt, %m, %limit : f32
      scf.if %near {
        %a = llvm.load %first : !llvm.ptr -> f32
        llvm.store %a, %second : f32, !llvm.ptr
        %nearer = arith.cmpf olt, %a, %limit : f32
        scf.if %nearer {
          llvm.store %m, %third : f32, !llvm.ptr
        }
      }
      scf.yield %m : f32
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
