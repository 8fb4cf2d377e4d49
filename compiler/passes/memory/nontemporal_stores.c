/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lets results that are larger than the caches go past them. A store first fetches its line, which is then written back
 * later: twice the traffic of a store of whole lines that bypasses the caches (a non-temporal one). Where the next
 * launch would find nothing of it in the caches anyway, that is a third of what a sum of two arrays moves.
 *
 *                                                 %p = &%out[%row]; %f = threads before the first whole line; %l = after the last
 *                                                 %large = %n * … * 4 >= uwrt_stream_bytes
 *   parallel (%x) to (%n)                         if (%large)
 *     store %v, %out[%row + %x]         ==>         parallel (%x) from (%f) to (%l) { store %v, (&%p[%f] & -64)[%x - %f]   as a stream }
 *                                                 for (%end) to (%large ? 2 : 1)                       the row, or its two ends
 *                                                   parallel (%x) from (%end ? %l : 0) to (%large && !%end ? %f : %n)
 *                                                     store %v, %out[%row + %x]
 *
 * A scalar store cannot be told to bypass the caches where LLVM is to make vectors of it. So the stores of the first
 * version carry a mark (an alias scope of this name, which means nothing else), and target/streams.c turns into streams
 * what has become of them, where it is vectors at addresses that LLVM knows to be aligned, which the `& -64` tells it.
 *
 * Legal because both versions store the same values at the same addresses: %x enters the address by sums modulo 2^64
 * alone. Stores that bypass the caches are seen by other threads in another order than ordinary ones. A launch in which
 * threads could tell, one with atomics, fences, calls or barriers between workers, is left alone; each worker ends with
 * a fence (lower/openmp.c).
 *
 * Loops that are vectors already (vectorize_strided.c) get two versions by stream_windows.c.
 *
 * Done for the innermost loop over a long row of threads that is no fall-back (transform/loop_ranges.h), or each of several
 * rows (pieces of short ones, of a tile say, go to memory better by the caches: measured on a stencil, a third slower
 * as streams), without branches, when the launch does not load from the same object, and the bytes of all rows
 * together, by the trip counts of the loops around, are about those of the last cache or more. Where several stores do
 * not begin at the same position of a line, the first version is not taken.
 *
 * Requires: split-addresses. Preserves: all effects and their order. Refuses: other processors than x86-64; all else, silently. */
#include <string.h>

#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/bases.h"
#include "../../analysis/bounds.h"
#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "../lanes/vectorize_strided.h"
#include "nontemporal_stores.h"

static MlirValue index_of(MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  return mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
}

/* Do neighbours' addresses lie `bytes` apart, by sums of 64 bits? */
static bool goes_along(MlirOperation loop, MlirValue address, int64_t bytes) {
  uw_address at = uw_address_in_64(address);
  return uw_goes_along(&at, index_of(loop), bytes);
}

static MlirOperation grid_around(MlirOperation op) {
  while (!uw_null(op) && !uw_is_over(op, UW_OVER_BLOCKS))
    op = uw_parent(op);
  return op;
}

/* Could threads of two blocks learn from each other before the launch ends? */
static bool may_tell(const uw_ops *ops) {
  for (size_t i = 0; i < ops->count; i++) {
    MlirOperation op = ops->at[i];
    uw_kind_t kind = uw_kind(op);
    MlirStringRef callee = uw_get_str_attr(op, "callee");
    bool enters =
        kind == UW_OP_LLVM_CALL && callee.data && strncmp(callee.data, "uwrt_enter", strlen("uwrt_enter")) == 0;
    bool plain = kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE ? uw_plain_access(op) : true;
    bool own = kind == UW_OP_SLOT || kind == UW_OP_SHARED;
    if (!plain || (kind == UW_OP_LLVM_CALL && !enters) || kind == UW_OP_LLVM_ATOMICRMW || kind == UW_OP_LLVM_FENCE ||
        uw_string_is(uw_name(op), "llvm.cmpxchg") || (uw_name_starts(op, "unwarp.") && !own))
      return true;
  }
  return false;
}

MlirValue uw_streams_base(MlirValue address) {
  while (uw_kind(uw_def(address)) == UW_OP_LLVM_GEP)
    address = uw_operand(uw_def(address), 0);
  return address;
}

static bool loads_from(const uw_ops *ops, MlirValue base) {
  for (size_t i = 0; i < ops->count; i++)
    if (uw_kind(ops->at[i]) == UW_OP_LLVM_LOAD && uw_same(uw_streams_base(uw_operand(ops->at[i], 0)), base))
      return true;
  return false;
}

bool uw_streams_past(const uw_ops *launch, MlirValue address) {
  return uw_leads_to_array(address) && !loads_from(launch, uw_streams_base(address));
}

static bool is_stream(uw_arena *arena, MlirOperation store, MlirOperation loop, const uw_ops *launch) {
  if (uw_kind(store) != UW_OP_LLVM_STORE || !uw_plain_access(store))
    return false;
  MlirValue value = uw_operand(store, 0), address = uw_operand(store, 1);
  MlirType type = mlirValueGetType(value);
  int64_t bytes = (int64_t)uw_type_bytes(type);
  if ((!mlirTypeIsAInteger(type) && !mlirTypeIsAFloat(type)) || (bytes != 4 && bytes != 8) ||
      !goes_along(loop, address, bytes))
    return false;
  uw_map *known = uw_map_create(arena);
  for (intptr_t d = 0; d < mlirBlockGetNumArguments(uw_block(loop, 0)); d++)
    uw_map_set(known, mlirBlockGetArgument(uw_block(loop, 0), d), mlirBlockGetArgument(uw_block(loop, 0), d));
  return uw_streams_past(launch, address) && uw_computable_outside(arena, address, loop, known);
}

/* Is the number of threads surely too small? */
static bool is_short(MlirValue upper) {
  enum { LARGEST_ELEMENT = 8 }; /* bound: bytes of an integer */
  return uw_most_of(upper) < UW_SHORTEST_STREAM / LARGEST_ELEMENT;
}

static bool is_one_row(MlirOperation loop) {
  size_t dims = uw_dims(loop);
  for (size_t d = 0; d + 1 < dims; d++) {
    int64_t lower, upper;
    if (!uw_const_value(uw_lower_of(loop, d), &lower) || !uw_const_value(uw_upper_of(loop, d), &upper) ||
        upper != lower + 1)
      return false;
  }
  return true;
}

/* A row of threads, or several rows, with nothing else in the loop than one of them does. */
static bool has_rows(MlirOperation loop) {
  enum { DIMS = 3 };
  size_t dims = uw_dims(loop);
  if (!is_one_row(loop) && dims != DIMS)
    return false;
  uw_foreach_op (op, uw_block(loop, 0))
    if (uw_region_count(op) != 0 && !uw_same_op(op, uw_last(uw_block(loop, 0))))
      return false;
  return !is_short(uw_upper_of(loop, dims - 1));
}

/* How often the innermost loops around run until the launch ends, times the row's length: a guess where loops are
 * whiles. */
static MlirValue count_of(uw_builder *b, MlirOperation loop) {
  MlirValue count = uw_const_index(b, 1);
  for (MlirOperation op = loop;; op = uw_parent(op)) {
    bool grid = uw_is_over(op, UW_OVER_BLOCKS);
    size_t dims = uw_kind(op) == UW_OP_SCF_FORALL ? uw_dims(op) : uw_kind(op) == UW_OP_SCF_FOR ? 1 : 0;
    for (size_t d = 0; d < dims; d++) {
      MlirValue length =
          uw_binary(b, "arith.subi", uw_as_index(b, uw_upper_of(op, d)), uw_as_index(b, uw_lower_of(op, d)));
      MlirValue step = uw_as_index(b, uw_step_of(op, d));
      count = uw_binary(b, "arith.muli", count, uw_binary(b, "arith.divui", length, step));
    }
    if (grid)
      return count;
  }
}

MlirValue uw_streams_large(uw_builder *b, MlirOperation loop, int64_t bytes) {
  MlirType i64 = uw_int_type(b->context, 64);
  MlirOperation module = uw_parent_of_kind(loop, UW_OP_MODULE);
  if (uw_null(uw_find_symbol(mlirModuleFromOperation(module), "uwrt_stream_bytes"))) {
    uw_builder top = uw_at_start(mlirModuleGetBody(mlirModuleFromOperation(module)), b->location);
    uw_build(&top, "llvm.mlir.global",
             .attrs = ATTRS({"sym_name", uw_str_attr(b->context, "uwrt_stream_bytes")},
                            {"global_type", mlirTypeAttrGet(i64)},
                            {"linkage", uw_attr(b->context, "#llvm.linkage<external>")},
                            {"addr_space", uw_int_attr(b->context, 32, 0)}),
             .regions = 1);
  }
  MlirValue place = uw_build1(b, "llvm.mlir.addressof", .out = TYPES(uw_ptr_type(b->context)),
                              .attrs = ATTRS({"global_name", uw_symbol_attr(b->context, "uwrt_stream_bytes")}));
  MlirValue limit = uw_build1(
      b, "llvm.load", .in = VALS(place), .out = TYPES(i64),
      .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, 8)}, {"invariant", mlirUnitAttrGet(b->context)}));
  MlirValue total = uw_binary(b, "arith.muli", count_of(b, loop), uw_const_index(b, bytes));
  return uw_compare(b, UW_UGE, total, uw_as_index(b, limit));
}

/* Stores of a loop, which begin at these addresses. */
typedef struct streaming {
  uw_ops stores;
  MlirValue *starts;
  int64_t bytes;   /* of an element of all of them; 0: they differ */
  MlirValue first; /* index of the first thread that streams */
  MlirValue count; /* how many do: what is left at the end is less than a line */
} streaming;

static uw_ops streams_of(uw_arena *arena, MlirOperation loop, const uw_ops *launch) {
  uw_ops stores = {0}, all = uw_collect(arena, loop);
  for (size_t i = 0; i < all.count; i++)
    if (is_stream(arena, all.at[i], loop, launch))
      uw_ops_push(arena, &stores, all.at[i]);
  return stores;
}

static MlirValue masked(uw_builder *b, MlirValue value, int64_t mask) {
  return uw_binary(b, "arith.andi", value, uw_const_int(b, 64, mask));
}

/* Where the stores begin, how many threads come before the first one at the start of a line, and whether that is one
 * for all stores. */
static MlirValue find_starts(uw_arena *arena, uw_builder *b, MlirOperation loop, streaming *s) {
  MlirType i64 = uw_int_type(b->context, 64);
  size_t dims = uw_dims(loop);
  MlirValue first = uw_lower_of(loop, dims - 1), number = {NULL}, differs = {NULL};
  s->starts = uw_alloc(arena, s->stores.count * sizeof *s->starts);
  for (size_t i = 0; i < s->stores.count; i++) {
    uw_map *map = uw_map_create(arena);
    int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(s->stores.at[i], 0)));
    for (size_t d = 0; d < dims; d++) /* of one row: the others are always what they begin with */
      uw_map_set(map, mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)d), uw_lower_of(loop, d));
    s->starts[i] = uw_compute_outside(b, uw_operand(s->stores.at[i], 1), loop, map);
    s->bytes = i == 0 || s->bytes == bytes ? bytes : 0;
    MlirValue own = uw_build1(b, "llvm.ptrtoint", .in = VALS(s->starts[i]), .out = TYPES(i64));
    MlirValue gap = i > 0 ? uw_binary(b, "arith.xori", own, number) : uw_const_int(b, 64, 0);
    number = i > 0 ? number : own;
    differs = i > 0 ? uw_binary(b, "arith.ori", differs, gap) : gap;
  }
  int64_t below =
      s->bytes ? s->bytes - 1
               : UW_CACHE_LINE - 1; /* an address between elements, or lines, is not mended by leaving some out */
  MlirValue wrong = uw_binary(b, "arith.ori", masked(b, differs, UW_CACHE_LINE - 1), masked(b, number, below));
  MlirValue missing = masked(b, uw_binary(b, "arith.subi", uw_const_int(b, 64, 0), number), UW_CACHE_LINE - 1);
  MlirValue head = uw_binary(b, "arith.divui", missing, uw_const_int(b, 64, s->bytes ? s->bytes : UW_CACHE_LINE));
  for (size_t i = 0; i < s->stores.count; i++)
    s->starts[i] = uw_add_bytes(b, s->starts[i], missing);
  s->first = uw_binary(b, "arith.addi", first,
                       uw_build1(b, "arith.index_cast", .in = VALS(head), .out = TYPES(uw_index_type(b->context))));
  return uw_compare(b, UW_EQ, wrong, uw_const_int(b, 64, 0));
}

/* Makes a copy of the loop that streams, from the first thread at the start of a line on. */
static void build_stream(uw_arena *arena, uw_builder *b, MlirOperation loop, const streaming *s, MlirAttribute mark) {
  MlirType i64 = uw_int_type(b->context, 64), ptr = uw_ptr_type(b->context);
  size_t dims = uw_dims(loop);
  MlirValue starts[s->stores.count];
  for (size_t i = 0; i < s->stores.count;
       i++) { /* LLVM would drop a mask that it sees to do nothing, and what it tells */
    MlirValue opaque = uw_build1(b, "llvm.intr.launder.invariant.group", .in = VALS(s->starts[i]), .out = TYPES(ptr));
    starts[i] =
        uw_build1(b, "llvm.intr.ptrmask", .in = VALS(opaque, uw_const_int(b, 64, -UW_CACHE_LINE)), .out = TYPES(ptr));
  }
  MlirOperation streaming = uw_clone(b, loop, uw_map_create(arena));
  uw_ops copies = uw_counterparts(arena, loop, streaming, &s->stores);
  uw_builder before = uw_at(streaming); /* counted from 0, as LLVM does it too: it then sees what is aligned */
  uw_set_range(streaming, dims - 1, (uw_range){uw_const_index(&before, 0), s->count});
  uw_builder top = uw_at_start(uw_block(streaming, 0), b->location);
  MlirValue along = index_of(streaming), index = uw_binary(&top, "arith.addi", along, s->first);
  uw_foreach_op (op, uw_block(streaming, 0))
    if (!uw_same_op(op, uw_def(index)))
      uw_replace_uses_inside(along, index, op);
  for (size_t i = 0; i < copies.count; i++) {
    MlirOperation store = copies.at[i];
    uw_builder at = uw_at(store);
    MlirValue number = uw_build1(&at, "arith.index_cast", .in = VALS(along), .out = TYPES(i64));
    MlirType element = mlirValueGetType(uw_operand(store, 0));
    mlirOperationSetOperand(store, 1, uw_add_elements(&at, starts[i], element, number));
    uw_set_attr(store, "alias_scopes", mark);
  }
  uw_set_attr(streaming, UW_STREAMS_DONE, mlirUnitAttrGet(b->context));
}

static void split(uw_arena *arena, MlirOperation loop, const uw_ops *launch, MlirAttribute mark) {
  streaming s = {.stores = streams_of(arena, loop, launch)};
  uw_remark(mlirOperationGetLocation(s.stores.at[0]), "nontemporal-stores",
            "what is stored here goes past the caches where the launch stores much");
  uw_builder b = uw_at(loop);
  size_t dims = uw_dims(loop);
  MlirValue fits = find_starts(arena, &b, loop, &s);
  int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(s.stores.at[0], 0)));
  MlirValue length = uw_binary(&b, "arith.subi", uw_upper_of(loop, dims - 1), s.first);
  MlirValue large = uw_binary(&b, "arith.andi", uw_streams_large(&b, loop, bytes),
                              uw_compare(&b, UW_SGE, length, uw_const_index(&b, UW_SHORTEST_STREAM / bytes)));
  MlirValue streamed = uw_binary(&b, "arith.andi", large, fits);
  s.count = uw_binary(&b, "arith.andi", length,
                      uw_const_index(&b, -(int64_t)(s.bytes ? UW_CACHE_LINE / s.bytes : UW_CACHE_LINE)));
  MlirOperation version = uw_build_branch(&b, streamed);
  uw_builder yes = uw_at_end(uw_block(version, 0), b.location);
  build_stream(arena, &yes, loop, &s, mark);
  uw_note_copied(loop, uw_count_operations(loop));
  uw_do_ends(&b, loop, streamed, s.first, uw_binary(&b, "arith.addi", s.first, s.count));
  uw_set_attr(loop, UW_STREAMS_DONE, mlirUnitAttrGet(b.context));
}

/* The loop over one row. */
static MlirOperation row_of(MlirOperation loop) {
  if (is_one_row(loop))
    return loop;
  loop = uw_first(uw_block(uw_nest_rows(&loop, 1), 0));
  while (uw_kind(loop) != UW_OP_SCF_FORALL) /* bounds stand before it */
    loop = uw_next(loop);
  return loop;
}

static bool is_x86_64(MlirOperation root) {
  MlirStringRef triple = uw_get_str_attr(root, "llvm.target_triple");
  return triple.data && strncmp(triple.data, "x86_64", strlen("x86_64")) == 0;
}

uw_change uw_pass_nontemporal_stores(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  if (!is_x86_64(root))
    return UW_SAME;
  MlirAttribute mark = uw_attr(
      ctx->context,
      "[#llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[1]<>>, description = \"" UW_STREAM "\">]");
  MlirOperation grid = {NULL};
  uw_ops launch = {0};
  bool tells = true;
  for (size_t i = 0; i < loops.count; i++) { /* outer before inner: a launch's loops follow its grid loop */
    MlirOperation loop = loops.at[i];
    if (uw_is_over(loop, UW_OVER_BLOCKS)) {
      grid = loop;
      launch = uw_collect(ctx->arena, grid);
      tells = may_tell(&launch);
    }
    if (!tells && uw_is_over(loop, UW_OVER_THREADS) && mlirAttributeIsNull(uw_get_attr(loop, UW_STREAMS_DONE)) &&
        uw_same_op(grid_around(loop), grid) && !uw_is_fallback(loop) && has_rows(loop) &&
        streams_of(ctx->arena, loop, &launch).count > 0 && uw_may_copy(loop, UW_SOME_GAIN, "nontemporal-stores")) {
      MlirOperation row = row_of(loop);
      launch = uw_collect(ctx->arena, grid);
      split(ctx->arena, row, &launch, mark);
      change = UW_CHANGED;
    }
  }
  uw_ops vectors = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = 0; i < vectors.count; i++) {
    MlirOperation loop = vectors.at[i];
    if (mlirAttributeIsNull(uw_get_attr(loop, UW_WINDOWS)) ||
        !mlirAttributeIsNull(uw_get_attr(loop, UW_STREAMS_DONE)) || uw_null(grid_around(loop)))
      continue;
    launch = uw_collect(ctx->arena, grid_around(loop));
    if (!may_tell(&launch) && uw_stream_windows(ctx->arena, loop, &launch))
      change = UW_CHANGED;
  }
  return change;
}
