// RUN: %unwarp_opt --coarsen-blocks{shape=grid-stride} %s | FileCheck %s

// Blocks stay apart where a thread adds to the sum of another one, where an iteration stores to more than slots, where a slot's address is
// stored; where the block may wait for another one, has a volatile access or a call; where what the block loads says where the loop starts;
// where each block goes through a part of its own, or iterations lie behind each other; where it is not known how many threads there are; where
// blocks are few, and where their memory is large.
// CHECK-NOT: uwrt_max_workers

llvm.func @uwrt_enter_block(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @elsewhere()

func.func @place_of_another(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      %c0l = arith.constant 0 : i64
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %flip = arith.xori %xl, %c0l : i64
        %one = arith.constant 1 : i64
        %other = arith.xori %flip, %one : i64
        %sum = llvm.getelementptr %sums[%other] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @stores_to_memory(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
        llvm.store %new, %a : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @slot_escapes(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    llvm.store %sums, %out : !llvm.ptr, !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @may_wait(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.while : () -> () {
      %one = arith.constant 1 : i32
      %was = llvm.atomicrmw add %out, %one monotonic : !llvm.ptr, i32
      %more = arith.cmpi ne, %was, %one : i32
      scf.condition(%more)
    } do {
      scf.yield
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @volatile_load(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    %look = llvm.load volatile %out : !llvm.ptr -> f32
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @calls(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    llvm.call @elsewhere() : () -> ()
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @start_is_loaded(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    %begin = llvm.load %in : !llvm.ptr -> i32
    %start = arith.index_cast %begin : i32 to index
    %own = arith.addi %start, %first : index
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %own to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @blocks_of_their_own(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 14 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @near_iterations(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %c256 {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @length_unknown(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %n) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @few_blocks(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 1024 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%c1, %c100) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%c1, %c100) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

func.func @large_memory(%blocks: index, %along: index, %dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr, %n: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %shift = arith.constant 8 : i32
  %size = arith.constant 20000 : i64
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (%blocks, %along) {
    %b = affine.linearize_index disjoint [%by, %bx] by (%blocks, %along) : index
    %number = arith.index_cast %b : index to i64
    %place = llvm.call @uwrt_enter_block(%dims, %number) : (!llvm.ptr, i64) -> !llvm.ptr
    %bxi = arith.index_castui %bx : index to i32
    %base = arith.shli %bxi, %shift : i32
    %first = arith.index_cast %base : i32 to index
    %sums = "unwarp.slot"(%size) {alignment = 4 : i64} : (i64) -> !llvm.ptr
    scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
      %xl = arith.index_cast %x : index to i64
      %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zero, %sum : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    scf.for %i = %first to %n step %step {
      scf.forall (%z, %y, %x) in (%c1, %c1, %c256) {
        %xl = arith.index_cast %x : index to i64
        %sum = llvm.getelementptr %sums[%xl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %old = llvm.load %sum : !llvm.ptr -> f32
        %at = arith.addi %i, %x : index
        %atl = arith.index_cast %at : index to i64
        %a = llvm.getelementptr %in[%atl] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %a : !llvm.ptr -> f32
        %new = arith.addf %old, %v : f32
        llvm.store %new, %sum : f32, !llvm.ptr
      } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
    }
    scf.forall (%z, %y, %x) in (%c1, %c1, %c1) {
      %last = llvm.load %sums : !llvm.ptr -> f32
      %to = llvm.getelementptr %out[%bxi] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      llvm.store %last, %to : f32, !llvm.ptr
    } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
