// RUN: %unwarp_opt --guards-to-bounds %s | FileCheck %s
// RUN: %unwarp_opt --guards-to-bounds --guards-to-bounds %s | FileCheck %s

// Threads whose index leaves a remainder: the loop goes by steps, and each thread computes its index. Twice is once.

// Every fourth row of 18, under a bound too: five of them. What fission made one of several loops with the same bounds is so no longer.
// CHECK-LABEL: func.func @rows
// CHECK: scf.forall (%[[Y:.*]], %[[X:.*]]) {{(= .* to|in)}} (%c5{{.*}}, %{{.*}})
// CHECK: %[[START:.*]] = arith.muli %[[Y]], %c4{{.*}}
// CHECK: %[[INDEX:.*]] = arith.addi %[[START]], %c0{{.*}}
// CHECK-NOT: scf.if
// CHECK: llvm.getelementptr %arg0[%{{.*}}, %{{.*}}]
// CHECK: } {mapping
// CHECK-NOT: part_of
func.func @rows(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c18 = arith.constant 18 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%y, %x) in (%c18, %c16) {
    %row = arith.index_castui %y : index to i32
    %rest = arith.andi %row, %three : i32
    %in = arith.cmpi eq, %rest, %zero : i32
    scf.if %in {
      %r = arith.index_cast %y : index to i64
      %c = arith.index_cast %x : index to i64
      %a = llvm.getelementptr %p[%r, %c] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<16 x f32>
      llvm.store %v, %a : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>], unwarp.part_of = 3 : i64}
  return
}

// Remainder 2 by 5, from a bound that the launch knows on: the first of them is the first multiple after it.
// CHECK-LABEL: func.func @from
// CHECK: %[[FROM:.*]] = arith.maxsi
// CHECK: %[[LEFT:.*]] = arith.subi %[[FROM]], %c2
// CHECK: %[[FIRST:.*]] = arith.ceildivsi %[[LEFT]], %c5
// CHECK: scf.forall (%[[K:.*]]) = (%[[FIRST]]) to (%c10{{.*}})
// CHECK: %[[START:.*]] = arith.muli %[[K]], %c5
// CHECK: %[[INDEX:.*]] = arith.addi %[[START]], %c2
// CHECK-NOT: scf.if
// CHECK: arith.index_cast %[[INDEX]]
func.func @from(%p: !llvm.ptr, %v: f32, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %five = arith.constant 5 : i32
  %two = arith.constant 2 : i32
  scf.forall (%x) in (%c50) {
    %t = arith.index_castui %x : index to i32
    %rest = arith.remui %t, %five : i32
    %fits = arith.cmpi eq, %rest, %two : i32
    %after = arith.cmpi sge, %t, %n : i32
    %in = arith.andi %fits, %after : i1
    scf.if %in {
      %i = arith.index_cast %x : index to i64
      %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %a : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}

// What is not even is odd; of two remainders one becomes a step, the other one stays.
// CHECK-LABEL: func.func @odd
// CHECK: scf.forall (%[[K:.*]]) {{(= .* to|in)}} (%c25{{.*}})
// CHECK: arith.muli %[[K]], %c2
// CHECK: scf.if
func.func @odd(%p: !llvm.ptr, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %two = arith.constant 2 : i32
  %five = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  scf.forall (%x) in (%c50) {
    %t = arith.index_castui %x : index to i32
    %bit = arith.remsi %t, %two : i32
    %odd = arith.cmpi ne, %bit, %zero : i32
    %rest = arith.remsi %t, %five : i32
    %fifth = arith.cmpi eq, %rest, %zero : i32
    %in = arith.andi %odd, %fifth : i1
    scf.if %in {
      llvm.store %v, %p : f32, !llvm.ptr
    }
  } {mapping = [#gpu.thread<x>]}
  return
}
