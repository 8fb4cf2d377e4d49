// RUN: %unwarp_opt --rename-shared %s | FileCheck %s
// RUN: %unwarp_opt --rename-shared --rename-shared %s | FileCheck %s

// The copy goes to an array of its own, with the loads of the first step; the barrier between these loads and the second fill orders nothing
// then. What comes after reads the second fill alone: threads from 2 to 13 what threads from 1 to 14 stored.

// CHECK-LABEL: func.func @twice
// CHECK: %[[FIRST:.*]] = "unwarp.shared"
// CHECK: %[[SECOND:.*]] = "unwarp.shared"
// CHECK: %[[OWN2:.*]] = llvm.getelementptr %[[SECOND]][
// CHECK: %[[LEFT2:.*]] = llvm.getelementptr %[[OWN2]][-1]
// CHECK: %[[OWN1:.*]] = llvm.getelementptr %[[FIRST]][
// CHECK-NEXT: llvm.store %{{.*}}, %[[OWN1]]
// CHECK: unwarp.barrier
// CHECK: %[[AGAIN:.*]] = llvm.getelementptr %[[FIRST]][
// CHECK: %[[LEFT1:.*]] = llvm.getelementptr %[[AGAIN]][-1]
// CHECK-NEXT: llvm.load %[[LEFT1]]
// CHECK-NOT: unwarp.barrier
// CHECK: llvm.store %{{.*}}, %[[OWN2]]
// CHECK: unwarp.barrier
// CHECK: llvm.load %[[LEFT2]]
// CHECK: return

// Three fills: three arrays.

// CHECK-LABEL: func.func @three_times
// CHECK-COUNT-3: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK-COUNT-3: unwarp.barrier
// CHECK-NOT: unwarp.barrier
// CHECK: return

// Two versions of a block: each has an array.

// CHECK-LABEL: func.func @versions
// CHECK: %[[ONE:.*]] = "unwarp.shared"
// CHECK: %[[OTHER:.*]] = "unwarp.shared"
// CHECK: scf.if %arg3
// CHECK: llvm.getelementptr %[[ONE]][
// CHECK: } else {
// CHECK: llvm.getelementptr %[[OTHER]][
func.func @twice(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i14 = arith.constant 14 : i32
  %i15 = arith.constant 15 : i32
  %bytes = arith.constant 64 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %to = llvm.getelementptr inbounds %out[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %left = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %above = arith.cmpi uge, %t, %i1 : i32
      %below = arith.cmpi ult, %t, %i15 : i32
      %middle = arith.andi %above, %below : i1
      %from2 = arith.cmpi uge, %t, %i2 : i32
      %to14 = arith.cmpi ult, %t, %i14 : i32
      %inner = arith.andi %from2, %to14 : i1
      %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %f = scf.if %middle -> (f32) {
        %l = llvm.load %left : !llvm.ptr -> f32
        %r = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %l, %r : f32
        scf.yield %sum : f32
      } else {
        scf.yield %v : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.if %middle {
        llvm.store %f, %own : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.if %inner {
        %l2 = llvm.load %left : !llvm.ptr -> f32
        %r2 = llvm.load %right : !llvm.ptr -> f32
        %sum2 = arith.addf %l2, %r2 : f32
        llvm.store %sum2, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @three_times(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i14 = arith.constant 14 : i32
  %i15 = arith.constant 15 : i32
  %bytes = arith.constant 64 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %to = llvm.getelementptr inbounds %out[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %left = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %above = arith.cmpi uge, %t, %i1 : i32
      %below = arith.cmpi ult, %t, %i15 : i32
      %middle = arith.andi %above, %below : i1
      %from2 = arith.cmpi uge, %t, %i2 : i32
      %to14 = arith.cmpi ult, %t, %i14 : i32
      %inner = arith.andi %from2, %to14 : i1
      %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      llvm.store %v, %own : f32, !llvm.ptr
      "unwarp.barrier"() {level = "block"} : () -> ()
      %f = scf.if %middle -> (f32) {
        %l = llvm.load %left : !llvm.ptr -> f32
        %r = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %l, %r : f32
        scf.yield %sum : f32
      } else {
        scf.yield %v : f32
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.if %middle {
        llvm.store %f, %own : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.if %inner {
        %l2 = llvm.load %left : !llvm.ptr -> f32
        %r2 = llvm.load %right : !llvm.ptr -> f32
        %sum2 = arith.addf %l2, %r2 : f32
        llvm.store %sum2, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.if %middle {
        llvm.store %v, %own : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      scf.if %inner {
        %l3 = llvm.load %left : !llvm.ptr -> f32
        %r3 = llvm.load %right : !llvm.ptr -> f32
        %sum3 = arith.addf %l3, %r3 : f32
        llvm.store %sum3, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @versions(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i14 = arith.constant 14 : i32
  %i15 = arith.constant 15 : i32
  %bytes = arith.constant 64 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    scf.if %c {
      scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
        %t = arith.index_castui %tx : index to i32
        %tw = arith.extui %t : i32 to i64
        %at = llvm.getelementptr inbounds %in[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %to = llvm.getelementptr inbounds %out[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %left = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
        %right = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
        %above = arith.cmpi uge, %t, %i1 : i32
        %below = arith.cmpi ult, %t, %i15 : i32
        %middle = arith.andi %above, %below : i1
        %from2 = arith.cmpi uge, %t, %i2 : i32
        %to14 = arith.cmpi ult, %t, %i14 : i32
        %inner = arith.andi %from2, %to14 : i1
        %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        scf.if %inner {
          %l2 = llvm.load %left : !llvm.ptr -> f32
          %r2 = llvm.load %right : !llvm.ptr -> f32
          %sum2 = arith.addf %l2, %r2 : f32
          llvm.store %sum2, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    } else {
      scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
        %t = arith.index_castui %tx : index to i32
        %tw = arith.extui %t : i32 to i64
        %at = llvm.getelementptr inbounds %in[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %to = llvm.getelementptr inbounds %out[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %left = llvm.getelementptr %own[-1] : (!llvm.ptr) -> !llvm.ptr, f32
        %right = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
        %above = arith.cmpi uge, %t, %i1 : i32
        %below = arith.cmpi ult, %t, %i15 : i32
        %middle = arith.andi %above, %below : i1
        %from2 = arith.cmpi uge, %t, %i2 : i32
        %to14 = arith.cmpi ult, %t, %i14 : i32
        %inner = arith.andi %from2, %to14 : i1
        %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        scf.if %inner {
          %l2 = llvm.load %left : !llvm.ptr -> f32
          %r2 = llvm.load %right : !llvm.ptr -> f32
          %sum2 = arith.addf %l2, %r2 : f32
          llvm.store %sum2, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
  } {mapping = [#gpu.block<x>]}
  return
}
