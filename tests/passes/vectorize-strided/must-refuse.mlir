// RUN: %unwarp_opt --vectorize-strided %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Nothing becomes a vector: an array too short for whole windows, one whose address is handed out, one that is reached in another way
// too, global memory with elements in between, steps of a whole register, a branch, two elements of one array that lie further
// apart than the step, and what several workers share.
// CHECK-NOT: vector<
// CHECK-NOT: scf.for %
func.func private @elsewhere(!llvm.ptr)
func.func @short(%g: !llvm.ptr, %k: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(476 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %step : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %sum = arith.addi %b, %a : i32
    llvm.store %sum, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @captured(%g: !llvm.ptr, %k: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(480 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  func.call @elsewhere(%s) : (!llvm.ptr) -> ()
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %step : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %sum = arith.addi %b, %a : i32
    llvm.store %sum, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @twice(%g: !llvm.ptr, %k: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %step : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %sum = arith.addi %b, %a : i32
    %far = arith.addi %at, %k : i64
    %f = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %a, %f : i32, !llvm.ptr
    llvm.store %sum, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @global(%g: !llvm.ptr, %k: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(480 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %step : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %g[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %g[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %sum = arith.addi %b, %a : i32
    llvm.store %sum, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @wide(%g: !llvm.ptr, %k: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %step : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %sum = arith.addi %b, %a : i32
    llvm.store %sum, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @branch(%g: !llvm.ptr, %k: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(480 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %step : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %sum = arith.addi %b, %a : i32
    scf.if %c { llvm.store %sum, %r : i32, !llvm.ptr }
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @apart(%g: !llvm.ptr, %k: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 6 : i64
  %bytes = llvm.mlir.constant(4096 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %step : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %sum = arith.addi %b, %a : i32
    llvm.store %sum, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}
func.func @team(%workers: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %step = arith.constant 4 : i64
  %three = arith.constant 3 : i64
  %bytes = llvm.mlir.constant(480 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%w) in (%workers) {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c30) {
      %xl = arith.index_cast %x : index to i64
      %at = arith.muli %xl, %step : i64
      %right = arith.addi %at, %three : i64
      %l = llvm.getelementptr %s[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %a = llvm.load %l : !llvm.ptr -> i32
      llvm.store %a, %r : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
}
