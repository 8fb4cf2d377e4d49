// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

// A branch that lanes part at is there once more for when all of them take it, and so is one in it that is half as long;
// the innermost of three is not there eight times, but four times.
module attributes {unwarp.register_bytes = 64 : i64} {
// CHECK-LABEL: func.func @three_deep
// CHECK-COUNT-4: math.absf %{{.*}} : vector
// CHECK-NOT: math.absf %{{.*}} : vector
func.func @three_deep(%n: index, %limit: f32, %p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%t) in (%c64) {
    %ti = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.getelementptr %q[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    scf.for %k = %c0 to %n step %c1 {
      %s = llvm.load %mine : !llvm.ptr -> f32
      %first = arith.cmpf olt, %s, %limit : f32
      scf.if %first {
        %a = llvm.load %other : !llvm.ptr -> f32
        %second = arith.cmpf olt, %a, %s : f32
        scf.if %second {
          %s0 = arith.addf %a, %s : f32
          %third = arith.cmpf olt, %s0, %limit : f32
          llvm.store %s0, %mine : f32, !llvm.ptr
          scf.if %third {
          %s1 = arith.mulf %s0, %s : f32
          %s2 = arith.mulf %s1, %s : f32
          %s3 = arith.mulf %s2, %s : f32
          %s4 = arith.mulf %s3, %s : f32
          %s5 = arith.mulf %s4, %s : f32
          %s6 = arith.mulf %s5, %s : f32
          %s7 = arith.mulf %s6, %s : f32
          %s8 = arith.mulf %s7, %s : f32
          %s9 = arith.mulf %s8, %s : f32
          %s10 = arith.mulf %s9, %s : f32
          %s11 = arith.mulf %s10, %s : f32
          %s12 = arith.mulf %s11, %s : f32
          %s13 = arith.mulf %s12, %s : f32
          %s14 = arith.mulf %s13, %s : f32
          %s15 = arith.mulf %s14, %s : f32
          %s16 = arith.mulf %s15, %s : f32
          %s17 = arith.mulf %s16, %s : f32
          %s18 = arith.mulf %s17, %s : f32
          %s19 = arith.mulf %s18, %s : f32
          %s20 = arith.mulf %s19, %s : f32
          %s21 = arith.mulf %s20, %s : f32
          %s22 = arith.mulf %s21, %s : f32
          %s23 = arith.mulf %s22, %s : f32
          %s24 = arith.mulf %s23, %s : f32
          %s25 = arith.mulf %s24, %s : f32
          %s26 = arith.mulf %s25, %s : f32
          %s27 = arith.mulf %s26, %s : f32
          %s28 = arith.mulf %s27, %s : f32
          %s29 = arith.mulf %s28, %s : f32
          %s30 = arith.mulf %s29, %s : f32
          %x = math.absf %s30 : f32
          llvm.store %x, %other : f32, !llvm.ptr
          }
        }
      }
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
}
