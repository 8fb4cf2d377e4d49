// RUN: %unwarp_opt --vectorize-strided %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Iterations of which the second reaches into the next register: two loops.
// CHECK-LABEL: func.func @shifted
// CHECK-COUNT-2: scf.for %
func.func @shifted() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %i4 = arith.constant 4 : i64
  %i7 = arith.constant 7 : i64
  %i8 = arith.constant 8 : i64
  %i9 = arith.constant 9 : i64
  %i11 = arith.constant 11 : i64
  %bytes = llvm.mlir.constant(576 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i4 : i64
    %left = arith.addi %at, %i1 : i64
    %right = arith.addi %at, %i3 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c1, %c16) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i8 : i64
    %left = arith.addi %at, %i9 : i64
    %right = arith.addi %at, %i11 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Two parts of one array: nothing would stay in a register.
// CHECK-LABEL: func.func @elsewhere
// CHECK-COUNT-2: scf.for %
func.func @elsewhere() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %i4 = arith.constant 4 : i64
  %i7 = arith.constant 7 : i64
  %i8 = arith.constant 8 : i64
  %i9 = arith.constant 137 : i64
  %i11 = arith.constant 139 : i64
  %bytes = llvm.mlir.constant(1152 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i4 : i64
    %left = arith.addi %at, %i1 : i64
    %right = arith.addi %at, %i3 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c1, %c16) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i8 : i64
    %left = arith.addi %at, %i9 : i64
    %right = arith.addi %at, %i11 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// As many iterations in one loop as in the other, or none.
// CHECK-LABEL: func.func @longer
// CHECK-COUNT-2: scf.for %
func.func @longer() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %i4 = arith.constant 4 : i64
  %i7 = arith.constant 7 : i64
  %i8 = arith.constant 8 : i64
  %i9 = arith.constant 9 : i64
  %i11 = arith.constant 11 : i64
  %bytes = llvm.mlir.constant(1024 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c64) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i4 : i64
    %left = arith.addi %at, %i1 : i64
    %right = arith.addi %at, %i3 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c1, %c16) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i8 : i64
    %left = arith.addi %at, %i3 : i64
    %right = arith.addi %at, %i7 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// What stands between reads the memory.
// CHECK-LABEL: func.func @between
// CHECK: scf.for %
// CHECK: llvm.load {{.*}} -> i32
// CHECK: scf.for %
func.func @between(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %i4 = arith.constant 4 : i64
  %i7 = arith.constant 7 : i64
  %i8 = arith.constant 8 : i64
  %i9 = arith.constant 9 : i64
  %i11 = arith.constant 11 : i64
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i4 : i64
    %left = arith.addi %at, %i1 : i64
    %right = arith.addi %at, %i3 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  %end = llvm.getelementptr %s[508] : (!llvm.ptr) -> !llvm.ptr, i8
  %sum = llvm.load %end : !llvm.ptr -> i32
  llvm.store %sum, %out : i32, !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c16) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i8 : i64
    %left = arith.addi %at, %i3 : i64
    %right = arith.addi %at, %i7 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// Both go to memory outside, which may be the same, an iteration apart.
// CHECK-LABEL: func.func @outside
// CHECK-COUNT-2: scf.for %
func.func @outside(%out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %i4 = arith.constant 4 : i64
  %i7 = arith.constant 7 : i64
  %i8 = arith.constant 8 : i64
  %i9 = arith.constant 9 : i64
  %i11 = arith.constant 11 : i64
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c64) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i2 : i64
    %left = arith.addi %at, %i0 : i64
    %right = arith.addi %at, %i1 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
    %to_left = llvm.getelementptr %out[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %to_right = llvm.getelementptr %out[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %a, %to_left : i32, !llvm.ptr
    llvm.store %c, %to_right : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  scf.forall (%z, %y, %x) in (%c1, %c1, %c64) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i2 : i64
    %left = arith.addi %at, %i0 : i64
    %right = arith.addi %at, %i1 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
    %to_left = llvm.getelementptr %out[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %to_right = llvm.getelementptr %out[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %a, %to_left : i32, !llvm.ptr
    llvm.store %c, %to_right : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// The branch gives a value.
// CHECK-LABEL: func.func @value
// CHECK: scf.for %
// CHECK: scf.if
// CHECK: scf.for %
func.func @value(%out: !llvm.ptr, %inside: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %i4 = arith.constant 4 : i64
  %i7 = arith.constant 7 : i64
  %i8 = arith.constant 8 : i64
  %i9 = arith.constant 9 : i64
  %i11 = arith.constant 11 : i64
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %i4 : i64
    %left = arith.addi %at, %i1 : i64
    %right = arith.addi %at, %i3 : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  %v = scf.if %inside -> (i64) {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c16) {
      %xl = arith.index_cast %x : index to i64
      %at = arith.muli %xl, %i8 : i64
      %left = arith.addi %at, %i3 : i64
      %right = arith.addi %at, %i7 : i64
      %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %a = llvm.load %l : !llvm.ptr -> i32
      %b = llvm.load %r : !llvm.ptr -> i32
      %c = arith.addi %b, %a : i32
      llvm.store %c, %r : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.yield %i1 : i64
  } else {
    scf.yield %i2 : i64
  }
  llvm.store %v, %out : i64, !llvm.ptr
  return
}
}
