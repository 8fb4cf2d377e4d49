// RUN: %unwarp_opt --vectorize-strided --nontemporal-stores %s | FileCheck %s
// RUN: %unwarp_opt --vectorize-strided --nontemporal-stores --nontemporal-stores %s | FileCheck %s

module attributes {unwarp.register_bytes = 64 : i64, llvm.target_triple = "x86_64-unknown-linux-gnu"} {

// Registers of shared memory go out: past the caches where lines are whole and the launch stores much; what fetches the lines ahead
// belongs to the other version, but for what needs a value that is computed after the loop.
// CHECK-LABEL: func.func @out
// CHECK: scf.forall
// CHECK-NOT: prefetch
// CHECK: llvm.ptrtoint
// CHECK: uwrt_stream_bytes
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: scf.if %[[BOTH]]
// CHECK: scf.for %
// CHECK: llvm.store {{.*}} {alignment = 64 : i64, nontemporal}{{.*}} vector<16xi32>
// CHECK: } else {
// CHECK: scf.for %
// CHECK: llvm.store {{.*}} {alignment = 4 : i64}{{.*}} vector<16xi32>
// CHECK: prefetch{{.*}}hint = 3
// CHECK: arith.cmpi
// CHECK: prefetch{{.*}}hint = 2
// CHECK-NOT: nontemporal
func.func @out(%blocks: index, %out: !llvm.ptr) {
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
    %many = arith.cmpi uge, %blocks, %c64 : index
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
    scf.if %many {
      "llvm.intr.prefetch"(%out) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
    }
    %more = arith.cmpi uge, %blocks, %c32 : index
    scf.if %more {
      "llvm.intr.prefetch"(%out) <{cache = 1 : i32, hint = 2 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// The launch loads from what it stores to, or may tell when it is stored: no streams.
// CHECK-LABEL: func.func @loaded
// CHECK: scf.for %
// CHECK-NOT: nontemporal
// CHECK-LABEL: func.func @tells
// CHECK: scf.for %
// CHECK-NOT: nontemporal
func.func @loaded(%blocks: index, %out: !llvm.ptr, %flag: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(256 : i64) : i64
  scf.forall (%b) in (%blocks) {
    %first_out = llvm.load %out : !llvm.ptr -> i32
    llvm.store %first_out, %flag : i32, !llvm.ptr
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %b, %c64 : index
    %firstl = arith.index_cast %first : index to i64
    %many = arith.cmpi uge, %blocks, %c64 : index
    scf.if %many {
      "llvm.intr.prefetch"(%out) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
    }
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

func.func @tells(%blocks: index, %out: !llvm.ptr, %flag: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %bytes = llvm.mlir.constant(256 : i64) : i64
  scf.forall (%b) in (%blocks) {
    %got = llvm.atomicrmw add %flag, %i1 monotonic : !llvm.ptr, i32
    %s = "unwarp.shared"(%bytes) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %first = arith.muli %b, %c64 : index
    %firstl = arith.index_cast %first : index to i64
    %many = arith.cmpi uge, %blocks, %c64 : index
    scf.if %many {
      "llvm.intr.prefetch"(%out) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
    }
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
}
