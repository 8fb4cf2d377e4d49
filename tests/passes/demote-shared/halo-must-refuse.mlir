// RUN: %unwarp_opt --demote-shared %s | FileCheck %s

// A tile stays where the kernel may write the original; where a load's condition does not say that its writer's holds (at the last element;
// at the first one); where the rim is not what lies beside the row; where an element has no writer; where no barrier stands between; where the
// threads of a row read elements that lie apart; where what is stored is computed; where the size of the block is not known; where an index
// below zero is extended unsigned, in a thread that loads nothing there itself.

// CHECK-LABEL: func.func @written
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @last
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @first
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @other_rim
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @no_writer
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @no_barrier
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @apart
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @computed
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @unknown_size
// CHECK: unwarp.shared
// CHECK-LABEL: func.func @below_zero
// CHECK: unwarp.shared
func.func @written(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @last(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %n : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @first(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %z : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @other_rim(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-2] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @no_writer(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i16 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @no_barrier(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @apart(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %t2 = arith.muli %t, %n : i32
      %x = arith.addi %first, %t2 : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @computed(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %u = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %w = arith.addf %u, %u : f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @unknown_size(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i15 = arith.constant 15 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %b) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %xw = arith.extsi %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr inbounds %in[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %middle = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %right = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %last = arith.subi %n, %i1 overflow<nsw> : i32
      %within = arith.cmpi slt, %x, %n : i32
      scf.if %within {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %middle : f32, !llvm.ptr
        %is_first = arith.cmpi eq, %t, %z : i32
        %has_left = arith.cmpi sgt, %x, %z : i32
        %l = arith.andi %is_first, %has_left : i1
        scf.if %l {
          %before = llvm.getelementptr %at[-1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %before {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          llvm.store %w, %s : f32, !llvm.ptr
        }
        %is_last = arith.cmpi eq, %t, %i15 : i32
        %has_right = arith.cmpi slt, %x, %last : i32
        %r = arith.andi %is_last, %has_right : i1
        scf.if %r {
          %after = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f32
          %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
          %end = llvm.getelementptr %s[17] : (!llvm.ptr) -> !llvm.ptr, f32
          llvm.store %w, %end : f32, !llvm.ptr
        }
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %a = arith.cmpi sge, %x, %i1 : i32
      %c = arith.cmpi slt, %x, %last : i32
      %inner = arith.andi %a, %c : i1
      scf.if %inner {
        %v = llvm.load %own : !llvm.ptr -> f32
        %w = llvm.load %right : !llvm.ptr -> f32
        %sum = arith.addf %v, %w : f32
        %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %sum, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

func.func @below_zero(%b: index, %in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %im2 = arith.constant -2 : i32
  %i16 = arith.constant 16 : i32
  %bytes = arith.constant 72 : i64
  scf.forall (%block) in (%b) {
    %s = "unwarp.shared"(%bytes) {alignment = 16 : i64, unwarp.name = "s"} : (i64) -> !llvm.ptr
    %bi = arith.index_castui %block : index to i32
    %first = arith.muli %bi, %i16 overflow<nsw> : i32
    scf.forall (%tz, %ty, %tx) in (%c1, %c1, %c16) {
      %t = arith.index_castui %tx : index to i32
      %x = arith.addi %first, %t overflow<nsw> : i32
      %back = arith.addi %x, %im2 : i32
      %bw = arith.extui %back : i32 to i64
      %xw = arith.extui %x : i32 to i64
      %tw = arith.extui %t : i32 to i64
      %at = llvm.getelementptr %in[%bw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %own = llvm.getelementptr %s[%tw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %end = llvm.getelementptr %own[16] : (!llvm.ptr) -> !llvm.ptr, f32
      %further = llvm.getelementptr %own[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %has_left = arith.cmpi ugt, %x, %i1 : i32
      scf.if %has_left {
        %v = llvm.load %at {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %v, %own : f32, !llvm.ptr
      }
      %is_low = arith.cmpi ult, %t, %i2 : i32
      scf.if %is_low {
        %after = llvm.getelementptr %at[16] : (!llvm.ptr) -> !llvm.ptr, f32
        %w = llvm.load %after {alignment = 4 : i64, unwarp.restrict = 1 : i32} : !llvm.ptr -> f32
        llvm.store %w, %end : f32, !llvm.ptr
      }
      "unwarp.barrier"() {level = "block"} : () -> ()
      %v = llvm.load %further : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%xw] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %v, %to {unwarp.restrict = 2 : i32} : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
