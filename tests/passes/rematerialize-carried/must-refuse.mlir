// RUN: %unwarp_opt --rematerialize-carried %s | FileCheck %s

// A value stays carried where the kernel may write what it was loaded from; where the loop starts with what lies elsewhere, or with a load of
// something else; where the distance is not what it seems, as each thread steps by its own value, or an index of 32 bits may wrap around; where
// the iteration's load is not made under the condition of the initial one, or what it is otherwise differs; where it is volatile; where
// neighbours load what is not side by side; where no barrier makes memory of it.

// CHECK-LABEL: func.func @written
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @starts_elsewhere
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @starts_otherwise
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @own_step
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @wraps
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @other_condition
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @other_value
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @is_volatile
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @apart
// CHECK: scf.for {{.*}} -> (i64, f32)
// CHECK-LABEL: func.func @no_barrier
// CHECK: scf.for {{.*}} -> (i64, f32)
func.func @written(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
      %a = llvm.load %p {alignment = 4 : i64, unwarp.restrict = 0 : i32} : !llvm.ptr -> f32
      %end:2 = scf.for %z = %one to %depth step %one iter_args(%far = %start, %here = %a) -> (i64, f32) : i32 {
        llvm.store %here, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %v = llvm.load %mirror : !llvm.ptr -> f32
        %sum = arith.addf %v, %here : f32
        %xw = arith.extsi %x : i32 to i64
        %at = arith.addi %xw, %far overflow<nsw> : i64
        %ati = arith.trunci %at overflow<nsw> : i64 to i32
        %to = llvm.getelementptr inbounds %out[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {alignment = 4 : i64, unwarp.restrict = 0 : i32} : f32, !llvm.ptr
        %n1 = arith.addi %ati, %row overflow<nsw> : i32
        %n2 = arith.addi %n1, %row overflow<nsw> : i32
        %n2l = arith.extsi %n2 : i32 to i64
        %q = llvm.getelementptr inbounds %in[%n2l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %above = llvm.load %q {alignment = 4 : i64, unwarp.restrict = 0 : i32} : !llvm.ptr -> f32
        "unwarp.barrier"() {level = "block"} : () -> ()
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @starts_elsewhere(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
      %x1 = arith.addi %x, %one overflow<nsw> : i32
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
func.func @starts_otherwise(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
        %q = llvm.getelementptr inbounds %out[%n2l] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %above = llvm.load %q {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        "unwarp.barrier"() {level = "block"} : () -> ()
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @own_step(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
        %sum64 = arith.fptosi %above : f32 to i64
        %nfar = arith.addi %far, %sum64 : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @wraps(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
        %n2 = arith.addi %n1, %row : i32
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
func.func @other_condition(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
        %above = scf.if %inner -> (f32) {
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
func.func @other_value(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
          scf.yield %other : f32
        }
        "unwarp.barrier"() {level = "block"} : () -> ()
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @is_volatile(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
        %above = llvm.load volatile %q {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        "unwarp.barrier"() {level = "block"} : () -> ()
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @apart(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
      %x2 = arith.muli %x, %row overflow<nsw> : i32
      %x1 = arith.addi %x2, %row overflow<nsw> : i32
      %xl = arith.extsi %x1 : i32 to i64
      %p = llvm.getelementptr inbounds %in[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %a = llvm.load %p {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
      %end:2 = scf.for %z = %one to %depth step %one iter_args(%far = %start, %here = %a) -> (i64, f32) : i32 {
        llvm.store %here, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %v = llvm.load %mirror : !llvm.ptr -> f32
        %sum = arith.addf %v, %here : f32
        %xw = arith.extsi %x2 : i32 to i64
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
func.func @no_barrier(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32, %row: i32, %depth: i32, %other: f32) {
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
        %nfar = arith.addi %far, %wide : i64
        scf.yield %nfar, %above : i64, f32
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
