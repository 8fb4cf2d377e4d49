// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// A tile stays where the kernel may write the original; where the thread that would copy may not be there, or there are several; where a load's address may belong to no thread of the block; where only some
// threads copy, under a condition that does not name them; where the load stands before the store; where iterations would read
// a column of the original; where neighbouring threads would read far apart; where two stores write the same elements; where an element
// is put together from two arrays; where the rows of the block would read rows of the original that lie far apart.

// CHECK-LABEL: func.func @written
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @out_of_range
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @some_threads
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @before
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @column
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @far_apart
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @two_stores
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @nobody
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @several
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @folded
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @two_arrays
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @far_rows
// CHECK: unwarp.shared
func.func @written(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.cmpi ult, %t, %c8 : index
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @out_of_range(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.cmpi ult, %t, %c8 : index
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c33 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @some_threads(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.cmpi ult, %t, %c8 : index
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      scf.if %low {
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @before(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.cmpi ult, %t, %c8 : index
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @column(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.cmpi ult, %t, %c8 : index
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %m = arith.muli %t, %n : index
      %i = arith.addi %base, %m : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @far_apart(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.cmpi ult, %t, %c8 : index
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %m = arith.muli %t, %n : index
      %i = arith.addi %base, %m : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %t : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @two_stores(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.cmpi ult, %t, %c8 : index
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ii = arith.index_cast %i : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      llvm.store %x, %next : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %ki = arith.index_cast %k : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %y = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %y : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @nobody(%g: !llvm.ptr, %threads: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %bytes = llvm.mlir.constant(4 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%threads) {
    %ti = arith.index_cast %t : index to i64
    %late = arith.cmpi eq, %t, %c40 : index
    scf.if %late {
      %x = llvm.load %g {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @several(%g: !llvm.ptr, %threads: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0 : i8
  %bytes = llvm.mlir.constant(4 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c512) {
    %ti = arith.index_cast %t : index to i64
    %low = arith.index_castui %t : index to i8
    %late = arith.cmpi eq, %low, %zero : i8
    scf.if %late {
      %from = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %s : f32, !llvm.ptr
    }
    "unwarp.barrier"() {level = "block"} : () -> ()
    %y = llvm.load %s : !llvm.ptr -> f32
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

// The original's address is the rest of a division, so a step of the reader's counter may be no step along it.
func.func @folded(%g: !llvm.ptr, %period: i32, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c64) {
    %ti = arith.index_castui %t : index to i32
    %folded = arith.remui %ti, %period : i32
    %wide = arith.extui %folded : i32 to i64
    %from = llvm.getelementptr %g[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    %at = llvm.getelementptr %s[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %x, %at : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%so_far = %zero) -> f32 {
      %ki = arith.index_cast %k : index to i64
      %place = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %y = llvm.load %place : !llvm.ptr -> f32
      %next = arith.addf %so_far, %y : f32
      scf.yield %next : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}
func.func @two_arrays(%g: !llvm.ptr, %h: !llvm.ptr, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(256 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%t) in (%c32) {
    %ti = arith.index_cast %t : index to i64
    %own = llvm.getelementptr %s[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
    %second = llvm.getelementptr %own[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %from_g = llvm.getelementptr %g[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %from_h = llvm.getelementptr %h[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %from_g {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
    %y = llvm.load %from_h {unwarp.restrict = 2 : i64} : !llvm.ptr -> f32
    llvm.store %x, %own : f32, !llvm.ptr
    llvm.store %y, %second : f32, !llvm.ptr
    "unwarp.barrier"() {level = "block"} : () -> ()
    %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %zero) -> (f32) {
      %ki = arith.index_cast %k : index to i64
      %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x f32>
      %and = llvm.getelementptr %at[4] : (!llvm.ptr) -> !llvm.ptr, i8
      %p = llvm.load %at : !llvm.ptr -> f32
      %q = llvm.load %and : !llvm.ptr -> f32
      %pq = arith.addf %p, %q : f32
      %n = arith.addf %b, %pq : f32
      scf.yield %n : f32
    }
    %to = llvm.getelementptr %out[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %r, %to {unwarp.restrict = 3 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<x>]}
  return
}

func.func @far_rows(%g: !llvm.ptr, %n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
  scf.forall (%y, %t) in (%c8, %c32) {
    %line = arith.muli %y, %c32 : index
    %place = arith.addi %line, %t : index
    %pi = arith.index_cast %place : index to i64
    %own = llvm.getelementptr %s[%pi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %row = arith.muli %y, %n : index
    %sum = scf.for %base = %c0 to %n step %c32 iter_args(%a = %zero) -> (f32) {
      %i = arith.addi %base, %t : index
      %ri = arith.addi %row, %i : index
      %ii = arith.index_cast %ri : index to i64
      %from = llvm.getelementptr %g[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %from {unwarp.restrict = 1 : i64} : !llvm.ptr -> f32
      llvm.store %x, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%b = %a) -> (f32) {
        %lk = arith.addi %line, %k : index
        %ki = arith.index_cast %lk : index to i64
        %at = llvm.getelementptr %s[%ki] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %at : !llvm.ptr -> f32
        %z = arith.addf %b, %v : f32
        scf.yield %z : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.yield %r : f32
    }
    %to = llvm.getelementptr %out[%pi] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %to {unwarp.restrict = 2 : i64} : f32, !llvm.ptr
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}
