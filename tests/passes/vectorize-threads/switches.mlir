// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Lanes take a switch as a chain of branches: one that is the same for all as it is, one that lanes part at under masks.
// CHECK-LABEL: func.func @both
// CHECK: scf.for %
// CHECK-NOT: scf.index_switch
// CHECK: scf.if %{{.*}} -> (vector<16xf32>)
// CHECK: arith.select %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: arith.select %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK-NOT: scf.index_switch
// CHECK: return
func.func @both(%n: index, %kind: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i64
  %c16 = arith.constant 16 : index
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %start = arith.sitofp %ti : i64 to f32
    %low = arith.andi %ti, %c3 : i64
    %own = arith.index_cast %low : i64 to index
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %start) -> (f32) {
      %r = scf.index_switch %kind -> f32
      case 4 {
        %x = llvm.load %mine : !llvm.ptr -> f32
        %a = arith.mulf %s, %x : f32
        scf.yield %a : f32
      }
      default {
        %a = arith.addf %s, %start : f32
        scf.yield %a : f32
      }
      %u = scf.index_switch %own -> f32
      case 1 {
        %a = arith.mulf %r, %r : f32
        scf.yield %a : f32
      }
      case 2 {
        %a = arith.subf %r, %start : f32
        scf.yield %a : f32
      }
      default {
        scf.yield %r : f32
      }
      scf.yield %u : f32
    }
    llvm.store %last, %mine : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
