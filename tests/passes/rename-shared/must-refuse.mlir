// RUN: %unwarp_opt --rename-shared %s | FileCheck %s

// One array stays in each: a later load reads a border cell that only the first fill wrote; a condition that is not known of the second fill; a load
// of the second phase after its store; a serial loop around the accesses; half a fill by a load's element (two bytes); versions of which one is
// not alone with the array; blocks side by side that reach for the next one's fill, and there may be none.

// CHECK-LABEL: func.func @border
// CHECK-COUNT-1: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK-LABEL: func.func @sometimes
// CHECK-COUNT-1: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK-LABEL: func.func @after
// CHECK-COUNT-1: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK-LABEL: func.func @iterations
// CHECK-COUNT-1: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK-LABEL: func.func @sizes
// CHECK-COUNT-1: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK-LABEL: func.func @shared_by_more
// CHECK-COUNT-1: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK-LABEL: func.func @of_another
// CHECK-COUNT-1: "unwarp.shared"
// CHECK-NOT: "unwarp.shared"
// CHECK: return
func.func @border(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
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
      scf.if %middle {
        %l2 = llvm.load %left : !llvm.ptr -> f32
        %r2 = llvm.load %right : !llvm.ptr -> f32
        %sum2 = arith.addf %l2, %r2 : f32
        llvm.store %sum2, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @sometimes(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
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
      %some = arith.andi %middle, %c : i1
      scf.if %some {
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
func.func @after(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
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
      %w = llvm.load %own : !llvm.ptr -> f32
      llvm.store %w, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
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
func.func @iterations(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
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
      scf.for %k = %c0 to %c4 step %c1 {
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
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @sizes(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
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
        %h = llvm.load %left : !llvm.ptr -> f16
        %l2 = arith.extf %h : f16 to f32
        %r2 = llvm.load %right : !llvm.ptr -> f32
        %sum2 = arith.addf %l2, %r2 : f32
        llvm.store %sum2, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @shared_by_more(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
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
    %p = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, f32
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
        %z = llvm.load %p : !llvm.ptr -> f32
        llvm.store %z, %to : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @of_another(%b: index, %rest: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %tile = arith.constant 64 : i64
  %twelve = arith.constant 12 : i64
  %bytes = arith.constant 512 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %few = arith.minui %rest, %c8 : index
    scf.if %c {
      scf.forall (%ty, %tk, %tx) in (%c1, %few, %c16) {
        %k = arith.index_castui %tk : index to i64
        %t = arith.index_castui %tx : index to i32
        %tw = arith.extui %t : i32 to i64
        %far = arith.muli %k, %tile : i64
        %mine = llvm.getelementptr %s[%far] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %start = arith.muli %k, %twelve overflow<nsw> : i64
        %x = arith.addi %start, %tw overflow<nsw> : i64
        %at = llvm.getelementptr inbounds %in[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %to = llvm.getelementptr inbounds %out[%x] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %own = llvm.getelementptr %mine[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %at {unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %above = arith.cmpi uge, %t, %i1 : i32
        %below = arith.cmpi ult, %t, %i15 : i32
        %middle = arith.andi %above, %below : i1
        %not_last = arith.cmpi ult, %tk, %c7 : index
        %inner = arith.andi %middle, %not_last : i1
        "unwarp.barrier"() {level = "block"} : () -> ()
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        scf.if %inner {
          %left = llvm.getelementptr %own[16] : (!llvm.ptr) -> !llvm.ptr, f32
          %l = llvm.load %left : !llvm.ptr -> f32
          llvm.store %l, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
        }
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
  } {mapping = [#gpu.block<x>]}
  return
}
