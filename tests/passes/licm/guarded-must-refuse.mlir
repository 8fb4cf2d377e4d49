// RUN: %unwarp_opt --licm %s | FileCheck %s

// What may have been written before it, a loop that depends on the thread, a condition from memory, one that may trap in a branch, a short
// loop, a volatile load, a loop in a loop of each thread, and a grid that a team of workers takes stay as they are.

// CHECK-NOT: unwarp.guarded
func.func @written_before(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %zero, %own : i32, !llvm.ptr
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @written_in_the_branch(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        llvm.store %zero, %own : i32, !llvm.ptr
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @own_bound(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        %sum = scf.for %k = %c0 to %t step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @condition_from_memory(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %mine = llvm.load %own : !llvm.ptr -> i32
      %has = arith.cmpi eq, %mine, %zero : i32
      scf.if %has {
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @traps_in_the_branch(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        %row = arith.divui %t, %m : index
        %also_has = arith.cmpi ult, %row, %n : index
        scf.if %also_has {
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
        }
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @short(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @volatile(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load volatile %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @in_a_loop(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      scf.for %iteration = %c0 to %m step %c1 {
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @team(%blocks: index, %threads: index, %n: index, %m: index, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.forall (%b) in (%blocks) {
    scf.forall (%t) in (%threads) {
      %ti = arith.index_cast %t : index to i64
      %own = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %has = arith.cmpi ult, %t, %n : index
      scf.if %has {
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %x = llvm.load %in : !llvm.ptr -> i32
          %next = arith.addi %s, %x : i32
          scf.yield %next : i32
        }
        llvm.store %sum, %own : i32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>], unwarp.team}
  return
}
