// RUN: %unwarp_opt --coarsen-blocks{shape=interleaved} %s | FileCheck %s

// Blocks stay apart where how often a barrier is come by depends on the block or on what was loaded, where a thread has a loop of its own,
// an atomic or volatile access, where the block is two threads deep, where rows lie behind each other or are long, where each iteration
// touches the same addresses, and where shared memory is large.
// CHECK-NOT: uwrt_max_workers

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr

func.func @iterations_of_block(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %bx step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @iterations_loaded(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %l = llvm.load %in : !llvm.ptr -> i64
      %iterations = arith.index_cast %l : i64 to index
      %end = scf.for %k = %c0 to %iterations step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @condition_of_block(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        %odd = arith.trunci %bxi : i32 to i1
        scf.if %odd {
          "unwarp.barrier"() {level = "block"} : () -> ()
        }
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @own_loop(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        scf.for %j = %c0 to %depth step %c1 {
          llvm.store %w, %own : f32, !llvm.ptr
        }
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @atomic(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.atomicrmw fadd %own, %v monotonic : !llvm.ptr, f32
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @volatile(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load volatile %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @deep(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c4, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @near_rows(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %eight = arith.constant 8 : i64
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %eight : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @long_rows(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 128 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @same_places(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 128 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %n : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @large(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: i64, %plane: i64, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i64
  %size = arith.constant 12288 : i64
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %three : i32
    %first = arith.extsi %base : i32 to i64
    %tile = "unwarp.shared"(%size) {alignment = 16 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c4, %c8) {
      %yl = arith.index_cast %y : index to i64
      %xl = arith.index_cast %x : index to i64
      %row = arith.muli %yl, %n : i64
      %column = arith.addi %first, %xl : i64
      %at = arith.addi %row, %column : i64
      %end = scf.for %k = %c0 to %depth step %c1 iter_args(%far = %zero) -> (i64) {
        %place_in = arith.addi %at, %far : i64
        %a = llvm.getelementptr %in[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %own = llvm.getelementptr %tile[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %v, %own : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %other = llvm.getelementptr %tile[%yl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %w = llvm.load %other : !llvm.ptr -> f32
        %o = llvm.getelementptr %out[%place_in] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %w, %o : f32, !llvm.ptr
        "unwarp.barrier"() {level = "block"} : () -> ()
        %next = arith.addi %far, %plane : i64
        scf.yield %next : i64
      }
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
