// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// A branch of pure operations becomes selects.
// CHECK-LABEL: func.func @pure
// CHECK: scf.for %
// CHECK-NOT: scf.if
// CHECK: %[[C:.*]] = arith.cmpf olt, %{{.*}} : vector<16xf32>
// CHECK: %[[Y:.*]] = arith.mulf
// CHECK: arith.select %[[C]], %[[Y]], %{{.*}} : vector<16xi1>, vector<16xf32>
func.func @pure(%n: index, %limit: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %near = arith.cmpf olt, %s, %limit : f32
      %r = scf.if %near -> (f32) {
        %a = arith.mulf %s, %s : f32
        scf.yield %a : f32
      } else {
        scf.yield %s : f32
      }
      scf.yield %r : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %last, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// One with a load is entered where some lane takes it, and the load from one address is made once there. A branch that all lanes take
// or none stays as it is.
// CHECK-LABEL: func.func @loads
// CHECK: scf.for %
// CHECK: %[[C:.*]] = arith.cmpf olt, %{{.*}} : vector<16xf32>
// CHECK: %[[SOME:.*]] = "llvm.intr.vector.reduce.or"(%[[C]])
// CHECK: %[[R:.*]] = scf.if %[[SOME]] -> (vector<16xf32>) {
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: } else {
// CHECK: ub.poison
// CHECK: %[[S:.*]] = arith.select %[[C]], %[[R]], %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: scf.if %arg3 -> (vector<16xf32>)
func.func @loads(%n: index, %limit: f32, %p: !llvm.ptr, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %near = arith.cmpf olt, %s, %limit : f32
      %r = scf.if %near -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %other = llvm.getelementptr %p[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %other : !llvm.ptr -> f32
        %a = arith.mulf %s, %y : f32
        scf.yield %a : f32
      } else {
        scf.yield %s : f32
      }
      %q = scf.if %flag -> (f32) {
        %a = arith.addf %r, %limit : f32
        scf.yield %a : f32
      } else {
        scf.yield %r : f32
      }
      scf.yield %q : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %last, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// Which of two values a lane gets is its own matter, though each of them is the same for all.
// CHECK-LABEL: func.func @either
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: scf.for {{.*}} -> (vector<16xf32>)
func.func @either(%n: index, %limit: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %near = arith.cmpf olt, %start, %limit : f32
    %factor = scf.if %near -> (f32) {
      %twice = arith.addf %limit, %limit : f32
      scf.yield %twice : f32
    } else {
      scf.yield %limit : f32
    }
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %limit) -> (f32) {
      %a = arith.mulf %s, %factor : f32
      scf.yield %a : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %last, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// What only those that take one side get, and the others do not, is theirs: a step apart, and loads are of neighbours.
// CHECK-LABEL: func.func @one_side
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.load
// CHECK-NOT: gather
func.func @one_side(%n: index, %limit: f32, %first: i64, %in: !llvm.ptr, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %near = arith.cmpf olt, %start, %limit : f32
    %i:3 = scf.if %near -> (i64, i64, i64) {
      %own = arith.addi %first, %ti : i64
      scf.yield %own, %own, %own : i64, i64, i64
    } else {
      %a = ub.poison : i64
      %b = llvm.mlir.poison : i64
      %c = llvm.mlir.undef : i64
      scf.yield %a, %b, %c : i64, i64, i64
    }
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %limit) -> (f32) {
      %next = scf.if %near -> (f32) {
        %at = llvm.getelementptr %in[%i#0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %x = llvm.load %at : !llvm.ptr -> f32
        %after = llvm.getelementptr %in[%i#1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %after : !llvm.ptr -> f32
        %there = llvm.getelementptr %in[%i#2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %z = llvm.load %there : !llvm.ptr -> f32
        %d = arith.mulf %x, %y : f32
        %e = arith.mulf %d, %z : f32
        %g = arith.mulf %e, %s : f32
        %h = arith.addf %g, %d : f32
        %l = arith.mulf %h, %e : f32
        %m = arith.addf %l, %g : f32
        scf.yield %m : f32
      } else {
        scf.yield %s : f32
      }
      scf.yield %next : f32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %last, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// An index that might wrap around between the lanes is asked first: 2^31 - 1 - 15 is the last that does not.
// CHECK-LABEL: func.func @may_wrap
// CHECK: %[[MOST:.*]] = arith.constant 2147483632 : i32
// CHECK: %[[WHOLE:.*]] = arith.cmpi sle, %{{.*}}, %[[MOST]] : i32
// CHECK: scf.if %[[WHOLE]] {
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: } else {
// CHECK: scf.forall
// CHECK: mapping = [#gpu.lane<x>]
func.func @may_wrap(%n: index, %first: i32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i32
    %own = arith.addi %first, %ti : i32
    %wide = arith.extsi %own : i32 to i64
    %mine = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %mine : !llvm.ptr -> f32
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
      %a = arith.mulf %s, %x : f32
      scf.yield %a : f32
    }
    llvm.store %last, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
