// RUN: %unwarp_opt --unswitch %s | FileCheck %s

// What a thread may write before, a call that may write, a branch that not all threads come to, one whose sides both call, one outside
// of loops and a condition that differs from iteration to iteration stay as they are.
// CHECK-NOT: unwarp.unswitched

llvm.func @fetch(i64) -> f32

func.func @written(%threads: index, %n: index, %format: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  %seven = arith.constant 7 : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    scf.for %k = %c0 to %n step %c1 {
      %own = llvm.load %format : !llvm.ptr -> i32
      %plain = arith.cmpi eq, %own, %seven : i32
      %y = scf.if %plain -> (f32) {
        scf.yield %x : f32
      } else {
        %z = llvm.call @fetch(%i) {memory_effects = #llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, errnoMem = read, targetMem0 = read, targetMem1 = read>} : (i64) -> f32
        scf.yield %z : f32
      }
      %mine = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %y, %mine : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @writes(%threads: index, %n: index, %format: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.5 : f32
  %seven = arith.constant 7 : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    scf.for %k = %c0 to %n step %c1 {
      %own = llvm.load %format : !llvm.ptr -> i32
      %plain = arith.cmpi eq, %own, %seven : i32
      scf.if %plain {
      } else {
        %z = llvm.call @fetch(%i) : (i64) -> f32
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @places(%threads: index, %n: index, %plain: i1, %flags: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  scf.forall (%t) in (%threads) {
    %i = arith.index_cast %t : index to i64
    scf.if %plain {
      %z = llvm.call @fetch(%i) : (i64) -> f32
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.for %k = %c0 to %n step %c1 {
      scf.if %first {
        scf.if %plain {
          %z = llvm.call @fetch(%i) : (i64) -> f32
        }
      }
      scf.if %plain {
        %z = llvm.call @fetch(%i) : (i64) -> f32
      } else {
        %y = llvm.call @fetch(%i) : (i64) -> f32
      }
      %j = arith.index_cast %k : index to i64
      %flag = llvm.getelementptr %flags[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %own = llvm.load %flag : !llvm.ptr -> i32
      %now = arith.cmpi eq, %own, %seven : i32
      scf.if %now {
        %z = llvm.call @fetch(%i) : (i64) -> f32
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
