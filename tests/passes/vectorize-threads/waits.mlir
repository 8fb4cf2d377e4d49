// RUN: %unwarp_opt --vectorize-threads %s | FileCheck %s

module attributes {unwarp.register_bytes = 32 : i64, unwarp.registers = 16 : i64} {

// A search: each thread loads from where what it loaded says. Registers hold what 16 lanes carry; 32 go together, which wait for memory
// together.
// CHECK-LABEL: func.func @search
// CHECK: masked.gather {{.*}} -> vector<32xi32>
// CHECK: masked.gather {{.*}} -> vector<16xi32>
// CHECK: return
func.func @search(%n: index, %size: i32, %keys: !llvm.ptr, %wanted: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %tl = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %wanted[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %number = llvm.load %mine : !llvm.ptr -> i32
    %found:2 = scf.while (%low = %zero, %high = %size) : (i32, i32) -> (i32, i32) {
      %goes_on = arith.cmpi slt, %low, %high : i32
      scf.condition(%goes_on) %low, %high : i32, i32
    } do {
    ^bb0(%low: i32, %high: i32):
      %length = arith.subi %high, %low : i32
      %half = arith.shrui %length, %one : i32
      %middle = arith.addi %low, %half : i32
      %wide = arith.extui %middle : i32 to i64
      %at = llvm.getelementptr %keys[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %key = llvm.load %at : !llvm.ptr -> i32
      %less = arith.cmpi ult, %key, %number : i32
      %next = arith.addi %middle, %one : i32
      %new_low = arith.select %less, %next, %low : i32
      %new_high = arith.select %less, %high, %middle : i32
      scf.yield %new_low, %new_high : i32, i32
    }
    %to = llvm.getelementptr %out[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %found#0, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// As many values are carried where indices count, and loads wait for nothing: 16.
// CHECK-LABEL: func.func @counted
// CHECK-NOT: vector<32x
// CHECK: masked.gather {{.*}} -> vector<16xi32>
// CHECK: return
func.func @counted(%n: index, %size: i32, %keys: !llvm.ptr, %starts: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.forall (%t) in (%n) {
    %tl = arith.index_cast %t : index to i64
    %mine = llvm.getelementptr %starts[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %start = llvm.load %mine : !llvm.ptr -> i32
    %found:2 = scf.while (%k = %start, %sum = %zero) : (i32, i32) -> (i32, i32) {
      %goes_on = arith.cmpi slt, %k, %size : i32
      scf.condition(%goes_on) %k, %sum : i32, i32
    } do {
    ^bb0(%k: i32, %sum: i32):
      %double = arith.muli %k, %k : i32
      %wide = arith.extui %double : i32 to i64
      %at = llvm.getelementptr %keys[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %key = llvm.load %at : !llvm.ptr -> i32
      %a = arith.xori %key, %sum : i32
      %b = arith.addi %a, %double : i32
      %c = arith.muli %b, %a : i32
      %d = arith.xori %c, %key : i32
      %e = arith.addi %d, %c : i32
      %next = arith.addi %k, %one : i32
      scf.yield %next, %e : i32, i32
    }
    %to = llvm.getelementptr %out[%tl] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %found#1, %to : i32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
}
