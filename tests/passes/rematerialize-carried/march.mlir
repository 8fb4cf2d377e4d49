// RUN: %unwarp_opt --rematerialize-carried %s | FileCheck %s
// RUN: %unwarp_opt --rematerialize-carried --rematerialize-carried %s | FileCheck %s

// What a march carries from plane to plane is loaded where it is used: at the address of the initial value and the distance so far. A value that is
// two planes after comes with it. Under a condition from before the loop, a use under one that says as much needs no other; elsewhere it is
// asked again. After the loop it is at the distance that the loop ends with; an address may depend on the counter.

// CHECK-LABEL: func.func @here
// CHECK: %[[X:.*]] = arith.addi %{{.*}}, %arg4
// CHECK: %[[W:.*]] = arith.extsi %[[X]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %arg1[%[[W]]]
// CHECK-NOT: llvm.load
// CHECK: scf.for {{.*}} iter_args(%[[FAR:.*]] = %{{.*}}) -> (i64)
// CHECK: %[[BYTES:.*]] = arith.muli %[[FAR]], %c4
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[P]][%[[BYTES]]]
// CHECK: %[[V:.*]] = llvm.load %[[AT]] {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: llvm.store %[[V]]
// CHECK: unwarp.barrier
// CHECK: %[[BYTES:.*]] = arith.muli %[[FAR]], %c4
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[P]][%[[BYTES]]]
// CHECK: %[[V:.*]] = llvm.load %[[AT]]
// CHECK: arith.addf %{{.*}}, %[[V]]
// CHECK: unwarp.barrier
// CHECK-NOT: llvm.load
// CHECK: scf.yield %{{[0-9]*}} : i64
// CHECK-LABEL: func.func @below
// CHECK: scf.for {{.*}} -> (i64)
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: %[[W:.*]] = llvm.load %{{.*}} {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: arith.addf %[[V]], %[[W]]
// CHECK: scf.yield %{{[0-9]*}} : i64
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}]
// CHECK: %[[LAST:.*]] = llvm.load
// CHECK: llvm.store %[[LAST]], %arg2
// CHECK-LABEL: func.func @guarded
// CHECK: %[[WITHIN:.*]] = arith.cmpi slt, %{{.*}}, %arg3
// CHECK: scf.for {{.*}} -> (i64)
// CHECK: %[[V:.*]] = scf.if %[[WITHIN]] -> (f32) {
// CHECK: llvm.load
// CHECK: scf.yield
// CHECK: } else {
// CHECK: scf.yield %{{cst.*}} : f32
// CHECK: llvm.store %[[V]]
// CHECK: unwarp.barrier
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: scf.if %{{.*}} {
// CHECK-NOT: scf.if
// CHECK: %[[OWN:.*]] = llvm.load %{{.*}} {alignment = 4 : i64, unwarp.restrict = 1 : i32}
// CHECK: arith.addf %{{.*}}, %[[OWN]]
// CHECK-LABEL: func.func @counter
// CHECK: scf.for %[[Z:[a-z0-9]*]] = %[[LOW:.*]] to
// CHECK-NOT: iter_args
// CHECK: %[[ZW:.*]] = arith.extsi %[[Z]]
// CHECK: %[[LW:.*]] = arith.extsi %[[LOW]]
// CHECK: %[[ITERATIONS:.*]] = arith.subi %[[ZW]], %[[LW]]
// CHECK: %[[ROW:.*]] = arith.extsi %arg4
// CHECK: %[[FAR:.*]] = arith.muli %[[ITERATIONS]], %[[ROW]]
// CHECK: arith.muli %[[FAR]], %c4
// CHECK: llvm.load
// CHECK: arith.maxsi %arg5, %[[LOW]]
// CHECK: llvm.load
// CHECK: llvm.store %{{.*}}, %arg2
func.func @here(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %bytes = arith.constant 32 : i64
  %start = arith.constant 0 : i64
  %wide = arith.extsi %row : i32 to i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c8) {
      %x = arith.index_castui %tx : index to i32
      %within = arith.cmpi slt, %x, %n : i32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %mirror = llvm.getelementptr %s[7] : (!llvm.ptr) -> !llvm.ptr, f32
      %x1 = arith.addi %x, %row overflow<nsw> : i32
      %xl = arith.extsi %x1 : i32 to i64
      %p = llvm.getelementptr inbounds %in[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %p {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %end:2 = scf.for %z = %one to %depth step %one iter_args(%far = %start, %here = %a) -> (i64, f32) : i32 {
        llvm.store %here, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %v = llvm.load %mirror : !llvm.ptr -> f32
        %sum = arith.addf %v, %here : f32
        %xw = arith.extsi %x : i32 to i64
        %at = arith.addi %xw, %far overflow<nsw> : i64
        %ati = arith.trunci %at overflow<nsw> : i64 to i32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {alignment = 4 : i64, unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        %n1 = arith.addi %ati, %row overflow<nsw> : i32
        %n2 = arith.addi %n1, %row overflow<nsw> : i32
        %n2l = arith.extsi %n2 : i32 to i64
        %q = llvm.getelementptr inbounds %in[%n2l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %above = llvm.load %q {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        "unwarp.barrier"() {level = "block"} : () -> ()
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @below(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %bytes = arith.constant 32 : i64
  %start = arith.constant 0 : i64
  %wide = arith.extsi %row : i32 to i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c8) {
      %x = arith.index_castui %tx : index to i32
      %within = arith.cmpi slt, %x, %n : i32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %mirror = llvm.getelementptr %s[7] : (!llvm.ptr) -> !llvm.ptr, f32
      %x0l = arith.extsi %x : i32 to i64
      %p0 = llvm.getelementptr inbounds %in[%x0l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a0 = llvm.load %p0 {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %x1 = arith.addi %x, %row overflow<nsw> : i32
      %xl = arith.extsi %x1 : i32 to i64
      %p = llvm.getelementptr inbounds %in[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %p {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %end:3 = scf.for %z = %one to %depth step %one iter_args(%far = %start, %here = %a, %low = %a0) -> (i64, f32, f32) : i32 {
        %both = arith.addf %here, %low : f32
        llvm.store %both, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %v = llvm.load %mirror : !llvm.ptr -> f32
        %sum = arith.addf %v, %here : f32
        %xw = arith.extsi %x : i32 to i64
        %at = arith.addi %xw, %far overflow<nsw> : i64
        %ati = arith.trunci %at overflow<nsw> : i64 to i32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {alignment = 4 : i64, unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        %n1 = arith.addi %ati, %row overflow<nsw> : i32
        %n2 = arith.addi %n1, %row overflow<nsw> : i32
        %n2l = arith.extsi %n2 : i32 to i64
        %q = llvm.getelementptr inbounds %in[%n2l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %above = llvm.load %q {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        "unwarp.barrier"() {level = "block"} : () -> ()
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above, %here : i64, f32, f32
      }
      llvm.store %end#2, %out {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @guarded(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %bytes = arith.constant 32 : i64
  %start = arith.constant 0 : i64
  %wide = arith.extsi %row : i32 to i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c8) {
      %x = arith.index_castui %tx : index to i32
      %within = arith.cmpi slt, %x, %n : i32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %mirror = llvm.getelementptr %s[7] : (!llvm.ptr) -> !llvm.ptr, f32
      %a = scf.if %within -> (f32) {
        %x1 = arith.addi %x, %row overflow<nsw> : i32
        %xl = arith.extsi %x1 : i32 to i64
        %p = llvm.getelementptr inbounds %in[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %a0 = llvm.load %p {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        scf.yield %a0 : f32
      } else {
        scf.yield %none : f32
      }
      %end:2 = scf.for %z = %one to %depth step %one iter_args(%far = %start, %here = %a) -> (i64, f32) : i32 {
        llvm.store %here, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %less = arith.subi %n, %one overflow<nsw> : i32
        %inner = arith.cmpi slt, %x, %less : i32
        scf.if %inner {
          %v = llvm.load %mirror : !llvm.ptr -> f32
          %sum = arith.addf %v, %here : f32
          %xw = arith.extsi %x : i32 to i64
          %at = arith.addi %xw, %far overflow<nsw> : i64
          %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %sum, %to {alignment = 4 : i64, unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        }
        %above = scf.if %within -> (f32) {
          %xw = arith.extsi %x : i32 to i64
          %at = arith.addi %xw, %far overflow<nsw> : i64
          %ati = arith.trunci %at overflow<nsw> : i64 to i32
          %n1 = arith.addi %ati, %row overflow<nsw> : i32
          %n2 = arith.addi %n1, %row overflow<nsw> : i32
          %n2l = arith.extsi %n2 : i32 to i64
          %q = llvm.getelementptr inbounds %in[%n2l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %w = llvm.load %q {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          scf.yield %w : f32
        } else {
          scf.yield %here : f32
        }
        "unwarp.barrier"() {level = "block"} : () -> ()
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @counter(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %bytes = arith.constant 32 : i64
  %start = arith.constant 0 : i64
  %wide = arith.extsi %row : i32 to i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c8) {
      %x = arith.index_castui %tx : index to i32
      %within = arith.cmpi slt, %x, %n : i32
      %own = llvm.getelementptr %s[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %mirror = llvm.getelementptr %s[7] : (!llvm.ptr) -> !llvm.ptr, f32
      %x1 = arith.addi %x, %row overflow<nsw> : i32
      %xl = arith.extsi %x1 : i32 to i64
      %p = llvm.getelementptr inbounds %in[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %p {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %end = scf.for %z = %one to %depth step %one iter_args(%here = %a) -> (f32) : i32 {
        llvm.store %here, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %v = llvm.load %mirror : !llvm.ptr -> f32
        %zn = arith.muli %z, %row overflow<nsw> : i32
        %at = arith.addi %x, %zn overflow<nsw> : i32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i32) -> !llvm.ptr, f32
        llvm.store %v, %to {alignment = 4 : i64, unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        %n1 = arith.addi %at, %row overflow<nsw> : i32
        %n1l = arith.extsi %n1 : i32 to i64
        %q = llvm.getelementptr inbounds %in[%n1l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %above = llvm.load %q {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        "unwarp.barrier"() {level = "block"} : () -> ()
        scf.yield %above : f32
      }
      llvm.store %end, %out {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
