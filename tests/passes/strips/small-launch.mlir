// RUN: %unwarp_opt --strips %s | FileCheck %s

// What is less work than waking a worker is one strip, which the thread that launches runs: 5 operations of a thread, and one for itself, are
// small up to 16384 / 6 threads. A grid whose blocks do nothing is left out.

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

// CHECK-LABEL: func.func @add
// CHECK: arith.maxui
// CHECK: %[[ALL:.*]] = arith.muli %arg0, %arg1
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %arg0, %{{.*}}
// CHECK: arith.constant 2730 : index
// CHECK: %[[LITTLE:.*]] = arith.cmpi ule, %[[ALL]], %{{.*}}2730
// CHECK: %[[SMALL:.*]] = arith.andi %[[FEW]], %[[LITTLE]]
// CHECK: %[[EACH:.*]] = arith.select %[[SMALL]], %arg0, %{{.*}}
// CHECK: arith.ceildivui %arg0, %[[EACH]]
func.func @add(%along: index, %threads: index, %dims: !llvm.ptr, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%b) = (%c0) to (%along) step (%c1) {
    %bx = arith.remui %b, %along : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %base = arith.muli %bx, %threads : index
    scf.parallel (%x) = (%c0) to (%threads) step (%c1) {
      %at = arith.addi %base, %x : index
      %wide = arith.index_cast %at : index to i64
      %address = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %one, %address : f32, !llvm.ptr
      scf.reduce
    } {unwarp.level = "block"}
    scf.reduce
  } {unwarp.level = "grid"}
  return
}

// CHECK-LABEL: func.func @empty
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @empty(%along: index, %dims: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%b) = (%c0) to (%along) step (%c1) {
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    scf.reduce
  } {unwarp.level = "grid"}
  return
}

// Blocks that count do something.
// CHECK-LABEL: func.func @count
// CHECK: scf.parallel
// CHECK: llvm.atomicrmw
func.func @count(%along: index, %dims: !llvm.ptr, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.parallel (%b) = (%c0) to (%along) step (%c1) {
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %old = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32
    scf.reduce
  } {unwarp.level = "grid"}
  return
}
