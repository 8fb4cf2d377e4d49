// RUN: %unwarp_opt --check %s | FileCheck %s

// What a kernel reads through one parameter and writes through another: the runtime is told of both, and a load has only to be inside.

// CHECK-LABEL: func.func @apart
// CHECK: llvm.call @uwrt_check_writes(%[[STATE:.*]], %[[TO:.*]]) :
// CHECK: %[[BYTES:.*]] = llvm.call @uwrt_check_only_reads(%[[STATE]], %[[FROM:.*]]) :
// CHECK: scf.forall
// CHECK: llvm.call @__unwarp_check_read4(%[[STATE]], %[[P:[^,]*]], %[[FROM]], %[[BYTES]],
// CHECK-NEXT: llvm.load %[[P]]
// CHECK: llvm.call @__unwarp_check_store4(

// A function that is called may write anywhere.
// CHECK-LABEL: func.func @calls
// CHECK-NOT: uwrt_check_only_reads
// CHECK: llvm.call @__unwarp_check_load4(
// CHECK: return

// So may a store to what was loaded.
// CHECK-LABEL: func.func @scatters
// CHECK-NOT: uwrt_check_only_reads
// CHECK: llvm.call @__unwarp_check_load8(
// CHECK: return

// Variables by their name: one that is written is told, one that is not is asked about.
// CHECK-LABEL: func.func @variables
// CHECK: %[[STATE:.*]] = llvm.call @uwrt_check_block
// CHECK: %[[WRITTEN:.*]] = llvm.mlir.addressof @written
// CHECK-NEXT: llvm.call @uwrt_check_writes(%[[STATE]], %[[WRITTEN]]) :
// CHECK-NEXT: %[[READ:.*]] = llvm.mlir.addressof @weights
// CHECK-NEXT: %[[BYTES:.*]] = llvm.call @uwrt_check_only_reads(%[[STATE]], %[[READ]]) :
// CHECK: llvm.call @__unwarp_check_read4(%[[STATE]], %{{[^,]*}}, %{{.*}}, %[[BYTES]],
// CHECK: llvm.call @__unwarp_check_load4(
module attributes {unwarp.check = 31 : i32} {
  llvm.mlir.global external @weights() {addr_space = 0 : i32} : !llvm.array<16 x i32>
  llvm.mlir.global external @written() {addr_space = 0 : i32} : !llvm.array<16 x i32>
  llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
  llvm.func @far(!llvm.ptr)
  func.func @apart(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    %next = llvm.getelementptr %args[8] : (!llvm.ptr) -> !llvm.ptr, i8
    %other = llvm.load %next : !llvm.ptr -> !llvm.ptr
    %to = llvm.load %other : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c32) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
        %i = arith.index_castui %x : index to i64
        %p = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %q = llvm.getelementptr %to[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
        llvm.store %v, %q {alignment = 4 : i64} : i32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @calls(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c1) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
        %v = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> i32
        llvm.call @far(%from) : (!llvm.ptr) -> ()
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @scatters(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c1) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
        %v = llvm.load %from {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
        llvm.store %v, %v {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @variables(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %weights = llvm.mlir.addressof @weights : !llvm.ptr
    %written = llvm.mlir.addressof @written : !llvm.ptr
    scf.forall (%block) in (%c1) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
        %i = arith.index_castui %x : index to i64
        %p = llvm.getelementptr %weights[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %q = llvm.getelementptr %written[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
        %w = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> i32
        %sum = arith.addi %v, %w : i32
        llvm.store %sum, %q {alignment = 4 : i64} : i32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
}
