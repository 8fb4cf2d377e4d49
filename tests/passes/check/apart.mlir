// RUN: %unwarp_opt --check %s | FileCheck %s

// Blocks may run at the same time where none touches what another one writes: the launch is told of every access, and the grid asks it.

// Read, and written at addresses that go along with the block: 4 * (block * dim + x).
// CHECK-LABEL: func.func @apart
// CHECK: llvm.call @uwrt_check_apart_begins(%arg0, %[[NARROWEST:.*]]) :
// CHECK: llvm.call @uwrt_check_apart_access(%[[FROM:[^,]*]],
// CHECK: llvm.call @uwrt_check_apart_term(%{{.*}}, %[[OF_BLOCK:[^,]*]],
// CHECK: llvm.call @uwrt_check_apart_term(%{{.*}}, %[[OF_THREAD:[^,]*]],
// CHECK: llvm.call @uwrt_check_apart_access(%[[TO:[^,]*]],
// CHECK: %[[ANSWER:.*]] = llvm.call @uwrt_check_apart(%arg0)
// CHECK: %[[APART:.*]] = arith.cmpi ne, %[[ANSWER]],
// CHECK: llvm.call @unwarp.worth_sharing(%[[APART]])
// CHECK-NEXT: scf.forall

// The index is out of memory: that may be tried, as threads have loops.
// CHECK-LABEL: func.func @scatters
// CHECK-NOT: uwrt_check_apart(
// CHECK: %[[TRIED:.*]] = llvm.call @uwrt_check_try(%arg0)
// CHECK: %[[MEETS:.*]] = arith.cmpi ne, %[[TRIED]],
// CHECK: llvm.call @unwarp.worth_sharing(%[[MEETS]])
// CHECK-NEXT: scf.forall

// Blocks may be told of each other's writes by what an atomic operation returns. That could be tried; without loops it takes no time.
// CHECK-LABEL: func.func @takes_tickets
// CHECK-NOT: uwrt_check_{{apart|try}}(
// CHECK: return

// Nobody looks at what these return.
// CHECK-LABEL: func.func @counts
// CHECK: llvm.call @uwrt_check_apart(
// CHECK: return

// A fence says that others are meant to see it.
// CHECK-LABEL: func.func @fences
// CHECK-NOT: uwrt_check_apart
// CHECK: return
module attributes {unwarp.check = 31 : i32} {
  llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
  func.func @apart(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %width = llvm.load %dims : !llvm.ptr -> i32
    %columns = arith.index_castui %width : i32 to index
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    %next = llvm.getelementptr %args[8] : (!llvm.ptr) -> !llvm.ptr, i8
    %other = llvm.load %next : !llvm.ptr -> !llvm.ptr
    %to = llvm.load %other : !llvm.ptr -> !llvm.ptr
    scf.forall (%by, %bx) in (%c32, %columns) {
      %block = affine.linearize_index disjoint [%by, %bx] by (%c32, %columns) : index
      %b = arith.index_castui %bx : index to i32
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
        %t = arith.index_castui %x : index to i32
        %start = arith.muli %b, %width : i32
        %i = arith.addi %start, %t : i32
        %wide = arith.extsi %i : i32 to i64
        %p = llvm.getelementptr %from[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %q = llvm.getelementptr %to[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
        llvm.store %v, %q {alignment = 4 : i64} : i32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    return
  }
  func.func @scatters(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c32) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
        scf.for %k = %c0 to %c32 step %c1 {
          %v = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> i32
          %p = llvm.getelementptr %from[%v] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          llvm.store %v, %p {alignment = 4 : i64} : i32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @takes_tickets(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c32) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
        %old = llvm.atomicrmw add %from, %one monotonic : !llvm.ptr, i32
        %last = arith.cmpi eq, %old, %one : i32
        scf.if %last {
          llvm.intr.trap
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @counts(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c32) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
        %old = llvm.atomicrmw add %from, %one monotonic : !llvm.ptr, i32
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  func.func @fences(%dims: !llvm.ptr, %args: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %place = llvm.load %args : !llvm.ptr -> !llvm.ptr
    %from = llvm.load %place : !llvm.ptr -> !llvm.ptr
    scf.forall (%block) in (%c32) {
      %number = arith.index_cast %block : index to i64
      %enter = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
      scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
        %old = llvm.atomicrmw add %from, %one monotonic : !llvm.ptr, i32
        llvm.fence seq_cst
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
}
