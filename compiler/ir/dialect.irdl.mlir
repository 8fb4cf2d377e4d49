// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unwarp dialect: what CUDA has and upstream MLIR lacks. Loaded at start-up; IRDL derives parser, printer and
// verifier.
irdl.dialect @unwarp {
  // Threads of the enclosing loop of that level ("block" or "warp") wait for each other here. Level "grid" stands
  // outside of thread loops: the block waits for all others.
  irdl.operation @barrier {
    %string = irdl.base "#builtin.string"
    irdl.attributes { "level" = %string }
  }
  // Memory of one block (one iteration of the loop around it), `bytes` long, contents undefined.
  irdl.operation @shared {
    %i64 = irdl.is i64
    %ptr = irdl.base "!llvm.ptr"
    %int = irdl.base "#builtin.integer"
    irdl.operands(bytes: %i64)
    irdl.results(memory: %ptr)
    irdl.attributes { "alignment" = %int }
  }
  // The same for values that live across a barrier: never escapes, but to what a collective calls, and accessed only as
  // the passes wrote it.
  irdl.operation @slot {
    %i64 = irdl.is i64
    %ptr = irdl.base "!llvm.ptr"
    %int = irdl.base "#builtin.integer"
    irdl.operands(bytes: %i64)
    irdl.results(memory: %ptr)
    irdl.attributes { "alignment" = %int }
  }
  // Of `extent` threads along a dimension of a block those of slice `own` of `slices`: `count` of them from `first` on, in whole groups of
  // `group` threads but for the last one (slices.h). `own` is less than `slices`.
  irdl.operation @slice {
    %index = irdl.is index
    %int = irdl.base "#builtin.integer"
    irdl.operands(extent: %index, own: %index, slices: %index)
    irdl.results(first: %index, count: %index)
    irdl.attributes { "group" = %int }
  }
  // A worker's own tally of what its blocks add to `bytes` bytes at `place` by atomic operations of one kind (uwrt.h),
  // values of so many bits. Stands in the loop over blocks.
  irdl.operation @tally {
    %ptr = irdl.base "!llvm.ptr"
    %bytes = irdl.base "#builtin.integer"
    %bits = irdl.base "#builtin.integer"
    %kind = irdl.base "#builtin.integer"
    irdl.operands(place: %ptr)
    irdl.results(memory: %ptr)
    irdl.attributes { "bytes" = %bytes, "bits" = %bits, "kind" = %kind }
  }
  // A worker's buffer of `room` elements that its threads append to the arrays, at the positions that the counter, of
  // so many bits, gives out. An element of array i has strides[i] bytes, and the buffer's first one starts at starts[i]
  // of its `bytes` bytes. The slots are signed or unsigned integers; those not below the bound, extended in the same
  // way, are left out. Stands in the loop over blocks.
  irdl.operation @queue {
    %ptr = irdl.base "!llvm.ptr"
    %i64 = irdl.is i64
    %int = irdl.base "#builtin.integer"
    %signed = irdl.base "#builtin.integer"
    %room = irdl.base "#builtin.integer"
    %bytes = irdl.base "#builtin.integer"
    %strides = irdl.base "#builtin.dense_array"
    %starts = irdl.base "#builtin.dense_array"
    irdl.operands(counter: %ptr, bound: %i64, arrays: variadic %ptr)
    irdl.results(memory: %ptr)
    irdl.attributes { "bits" = %int, "signed" = %signed, "room" = %room, "bytes" = %bytes, "strides" = %strides, "starts" = %starts }
  }
  // A part of the queue's next element: goes to this offset in the buffer, `stride` bytes further for each element
  // there.
  irdl.operation @put {
    %ptr = irdl.base "!llvm.ptr"
    %any = irdl.any
    %place = irdl.base "#builtin.integer"
    %stride = irdl.base "#builtin.integer"
    irdl.operands(queue: %ptr, value: %any)
    irdl.attributes { "place" = %place, "stride" = %stride }
  }
  // The next element is there, in a buffer of so many.
  irdl.operation @append {
    %ptr = irdl.base "!llvm.ptr"
    %room = irdl.base "#builtin.integer"
    irdl.operands(queue: %ptr)
    irdl.attributes { "room" = %room }
  }
  // The value of lane `source` (0 to 31) of this thread's warp. `active` says whether this thread takes part. Reads its
  // own value where the source is no lane of the block. An exchange: waits for the warp.
  irdl.operation @shuffle {
    %any = irdl.any
    %i32 = irdl.is i32
    %i1 = irdl.is i1
    irdl.operands(value: %any, source: %i32, active: %i1)
    irdl.results(result: %any)
  }
  // Combines `value` over the active threads of the level: "or", "and", "add" on i32, "ballot" (a bit a lane, warp
  // only), "grid" (like "or"; if the result is not 0, the block also waits for all other blocks. Block only), "cluster"
  // (likewise, for those of its cluster). Every
  // thread gets the same result; "and" of none is all ones, the others 0. An exchange: waits for the level.
  irdl.operation @reduce {
    %i32 = irdl.is i32
    %i1 = irdl.is i1
    %level = irdl.base "#builtin.string"
    %kind = irdl.base "#builtin.string"
    irdl.operands(value: %i32, active: %i1)
    irdl.results(result: %i32)
    irdl.attributes { "level" = %level, "kind" = %kind }
  }
  // The lanes of the warp (a bit each) whose active thread has the same value. An exchange: waits for the warp.
  irdl.operation @match {
    %any = irdl.any
    %i32 = irdl.is i32
    %i1 = irdl.is i1
    irdl.operands(value: %any, active: %i1)
    irdl.results(result: %i32)
  }
  // What the lanes of a warp compute together of their values, integers of one size: a function of the runtime
  // (uwrt_warp_function), once for the warp. An exchange: waits for the warp.
  irdl.operation @collective {
    %i1 = irdl.is i1
    %value = irdl.any
    %result = irdl.any
    %callee = irdl.base "#builtin.symbol_ref"
    irdl.operands(active: %i1, values: variadic %value)
    irdl.results(results: variadic %result)
    irdl.attributes { "callee" = %callee }
  }
}
