// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Lanes that leave a while after different iterations: it goes on while some lane does, with a mask; what a lane takes out is chosen in
// the iteration in which it leaves. The index of the iteration is the same for all that are in it, and stays scalar.
// CHECK-LABEL: func.func @own_end
// CHECK: %[[ALL:.*]] = arith.constant dense<true> : vector<16xi1>
// CHECK: scf.while (%[[X:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}, %[[LIVE:.*]] = %[[ALL]], %[[OUT:.*]] = %{{.*}}) : (vector<16xf32>, i32, vector<16xi1>, vector<16xi32>)
// CHECK: %[[C:.*]] = arith.cmpf olt, %[[X]]
// CHECK: %[[NEXT:.*]] = arith.select %[[LIVE]], %[[C]], %{{.*}} : vector<16xi1>, vector<16xi1>
// CHECK: %[[SOME:.*]] = "llvm.intr.vector.reduce.or"(%[[NEXT]])
// CHECK: %[[TAKEN:.*]] = arith.select %[[LIVE]], %{{.*}}, %[[OUT]] : vector<16xi1>, vector<16xi32>
// CHECK: scf.condition(%[[SOME]]) %[[X]], %[[K]], %[[NEXT]], %[[TAKEN]]
// CHECK: arith.mulf
// CHECK: arith.addi %{{.*}} : i32
// CHECK: llvm.store %{{.*}} : vector<16xi32>, !llvm.ptr
func.func @own_end(%p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = arith.constant 4.0 : f32
  scf.forall (%t) in (%c16) {
    %ti = arith.index_cast %t : index to i64
    %start = arith.sitofp %ti : i64 to f32
    %r:2 = scf.while (%x = %start, %k = %zero) : (f32, i32) -> (f32, i32) {
      %near = arith.cmpf olt, %x, %far : f32
      scf.condition(%near) %x, %k : f32, i32
    } do {
    ^bb0(%x: f32, %k: i32):
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %x : f32
      %w = arith.mulf %z, %y : f32
      %next = arith.addi %k, %one : i32
      scf.yield %w, %next : f32, i32
    }
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %r#1, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// A for of each lane's own length becomes such a while. Under its mask a load from one address is made once, neighbouring ones and
// others are masked, and a store too. The first lane, whose address the masked load gets, need not be in: it promises nothing.
// CHECK-LABEL: func.func @own_length
// CHECK: scf.while
// CHECK: } do {
// CHECK: ^bb0({{.*}}%[[LIVE:[^:]*]]: vector<16xi1>, %{{[^:]*}}: vector<16xi32>):
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[ROW:.*]] = llvm.getelementptr %{{.*}}[
// CHECK: llvm.intr.masked.load %[[ROW]], %[[LIVE]]
// CHECK: llvm.intr.masked.gather %{{.*}}, %[[LIVE]]
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[LIVE]]
func.func @own_length(%p: !llvm.ptr, %q: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.forall (%t) in (%c16) {
    %sum = scf.for %k = %c0 to %t step %c1 iter_args(%s = %zero) -> (i32) {
      %ki = arith.index_cast %k : index to i64
      %ti = arith.index_cast %t : index to i64
      %common = llvm.getelementptr %p[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %a = llvm.load %common : !llvm.ptr -> i32
      %row = llvm.getelementptr inbounds|nuw %common[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %b = llvm.load %row : !llvm.ptr -> i32
      %d = arith.andi %a, %b : i32
      %far = llvm.getelementptr %q[%d] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %e = llvm.load %far : !llvm.ptr -> i32
      %1 = arith.muli %e, %a : i32
      %2 = arith.xori %1, %b : i32
      %3 = arith.muli %2, %s : i32
      %4 = arith.addi %3, %e : i32
      %5 = arith.muli %4, %4 : i32
      %6 = arith.xori %5, %1 : i32
      %7 = arith.muli %6, %2 : i32
      %8 = arith.addi %7, %3 : i32
      %9 = arith.muli %8, %8 : i32
      %10 = arith.xori %9, %4 : i32
      %11 = arith.muli %10, %5 : i32
      %12 = arith.xori %11, %10 : i32
      %13 = arith.muli %12, %12 : i32
      %14 = arith.xori %13, %12 : i32
      %15 = arith.muli %14, %14 : i32
      %16 = arith.xori %15, %14 : i32
      %17 = arith.muli %16, %15 : i32
      %18 = arith.xori %17, %15 : i32
      %19 = arith.muli %18, %18 : i32
      %20 = arith.xori %19, %18 : i32
      %21 = arith.muli %20, %20 : i32
      %22 = arith.xori %21, %20 : i32
      %23 = arith.muli %22, %22 : i32
      %24 = arith.xori %23, %22 : i32
      llvm.store %24, %row : i32, !llvm.ptr
      scf.yield %24 : i32
    }
    %ti = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %p[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %sum, %mine : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
