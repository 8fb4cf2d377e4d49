// RUN: %unwarp_opt --vectorize-strided %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-strided --vectorize-strided %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64} {

// Two iterations of a tree: one load, one store, and what the first iteration leaves goes to the second in its register.
// CHECK-LABEL: func.func @up
// CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c8{{.*}} step %c1
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<16xi32>
// CHECK: llvm.shufflevector %[[V]], %[[V]] [-1, -1, -1, 1,
// CHECK: %[[W:.*]] = arith.select %{{.*}}, %{{.*}}, %[[V]] : vector<16xi1>
// CHECK-NOT: llvm.store
// CHECK: llvm.shufflevector %[[W]], %[[W]] [-1, -1, -1, -1, -1, -1, -1, 3,
// CHECK: %[[X:.*]] = arith.select %{{.*}}, %{{.*}}, %[[W]] : vector<16xi1>
// CHECK: llvm.store %[[X]]
// CHECK-NOT: scf.for %
// CHECK: return
func.func @up() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %eight = arith.constant 8 : i64
  %bytes = llvm.mlir.constant(512 : i64) : i64
  %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
  scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.shli %xl, %two : i64
    %left = arith.addi %at, %one : i64
    %right = arith.addi %at, %three : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  %seven = arith.constant 7 : i64
  scf.forall (%z, %y, %x) in (%c1, %c1, %c16) {
    %xl = arith.index_cast %x : index to i64
    %at = arith.muli %xl, %eight : i64
    %left = arith.addi %at, %three : i64
    %right = arith.addi %at, %seven : i64
    %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %a = llvm.load %l : !llvm.ptr -> i32
    %b = llvm.load %r : !llvm.ptr -> i32
    %c = arith.addi %b, %a : i32
    llvm.store %c, %r : i32, !llvm.ptr
  } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  return
}

// An iteration before a branch that begins with one, after a prefetch, and an iteration after it go into both arms. What the branch's iteration
// stores elsewhere stays.
// CHECK-LABEL: func.func @arms
// CHECK-NOT: scf.for %
// CHECK: scf.if
// CHECK: llvm.intr.prefetch
// CHECK: scf.for %
// CHECK: %[[V:.*]] = llvm.load {{.*}} -> vector<16xi32>
// CHECK: arith.addi %[[V]], {{.*}} : vector<16xi32>
// CHECK-COUNT-2: llvm.store {{.*}} vector<16xi32>
// CHECK: } else {
// CHECK: scf.for %
// CHECK: call @elsewhere
// CHECK: scf.for %
// CHECK-NOT: scf.for %
// CHECK: return
func.func @arms(%out: !llvm.ptr, %inside: i1) {
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
  scf.if %inside {
    "llvm.intr.prefetch"(%out) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
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
  } else {
    func.call @elsewhere() : () -> ()
  }
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
  return
}
func.func private @elsewhere()

// What the block's last iteration leaves in shared memory goes nowhere, but for what is loaded after it, or when the next iteration of a loop
// around begins.
// CHECK-LABEL: func.func @last
// CHECK: llvm.load {{.*}} -> vector<16xi32>
// CHECK-COUNT-1: llvm.store {{.*}} vector<16xi32>
// CHECK-NOT: llvm.store
// CHECK-LABEL: func.func @loaded_after
// CHECK: llvm.load {{.*}} -> vector<16xi32>
// CHECK-COUNT-2: llvm.store {{.*}} vector<16xi32>
// CHECK-LABEL: func.func @next_iteration
// CHECK: llvm.load {{.*}} -> vector<16xi32>
// CHECK-COUNT-2: llvm.store {{.*}} vector<16xi32>
func.func @last(%out: !llvm.ptr, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(256 : i64) : i64
  scf.forall (%b) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %b, %c64 : index
    %firstl = arith.index_cast %first : index to i64
    scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
      %xl = arith.index_cast %x : index to i64
      %left = arith.muli %xl, %two : i64
      %right = arith.addi %left, %one : i64
      %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %a = llvm.load %l : !llvm.ptr -> i32
      %v = llvm.load %r : !llvm.ptr -> i32
      %c = arith.addi %v, %a : i32
      llvm.store %c, %r : i32, !llvm.ptr
      %go_left = arith.addi %firstl, %left : i64
      %go_right = arith.addi %go_left, %one : i64
      %to_left = llvm.getelementptr %out[%go_left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %to_right = llvm.getelementptr %out[%go_right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %a, %to_left : i32, !llvm.ptr
      llvm.store %c, %to_right : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @loaded_after(%out: !llvm.ptr, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(256 : i64) : i64
  scf.forall (%b) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %b, %c64 : index
    %firstl = arith.index_cast %first : index to i64
    scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
      %xl = arith.index_cast %x : index to i64
      %left = arith.muli %xl, %two : i64
      %right = arith.addi %left, %one : i64
      %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %a = llvm.load %l : !llvm.ptr -> i32
      %v = llvm.load %r : !llvm.ptr -> i32
      %c = arith.addi %v, %a : i32
      llvm.store %c, %r : i32, !llvm.ptr
      %go_left = arith.addi %firstl, %left : i64
      %go_right = arith.addi %go_left, %one : i64
      %to_left = llvm.getelementptr %out[%go_left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %to_right = llvm.getelementptr %out[%go_right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %a, %to_left : i32, !llvm.ptr
      llvm.store %c, %to_right : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    %got = llvm.load %s : !llvm.ptr -> i32
    llvm.store %got, %out : i32, !llvm.ptr
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @next_iteration(%out: !llvm.ptr, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(256 : i64) : i64
  scf.forall (%b) in (%blocks) {
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %b, %c64 : index
    %firstl = arith.index_cast %first : index to i64
    scf.for %i = %c0 to %c32 step %c1 {
    scf.forall (%z, %y, %x) in (%c1, %c1, %c32) {
      %xl = arith.index_cast %x : index to i64
      %left = arith.muli %xl, %two : i64
      %right = arith.addi %left, %one : i64
      %l = llvm.getelementptr %s[%left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %r = llvm.getelementptr %s[%right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %a = llvm.load %l : !llvm.ptr -> i32
      %v = llvm.load %r : !llvm.ptr -> i32
      %c = arith.addi %v, %a : i32
      llvm.store %c, %r : i32, !llvm.ptr
      %go_left = arith.addi %firstl, %left : i64
      %go_right = arith.addi %go_left, %one : i64
      %to_left = llvm.getelementptr %out[%go_left] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %to_right = llvm.getelementptr %out[%go_right] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %a, %to_left : i32, !llvm.ptr
      llvm.store %c, %to_right : i32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
  } {mapping = [#gpu.block<x>]}
  return
}
}
