/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes neighbouring blocks of a row of the grid together, where blocks share nothing: what is 16 threads here, 16
 * there, becomes one long row, whose bounds are asked for once and whose threads are full SIMD vectors.
 *
 *   grid (%bz, %by, %bx) to (%gz, %gy, %gx) {           grid (%bz, %by, %bx) to (%gz, %gy, %gx) step (1, 1, %each) {
 *     block (%z, %y, %x) to (%nz, %ny, %nx) {      ==>    block (%z, %y, %x) to (%nz, %ny, %nx * blocks of the strip) {
 *       … %bx * %nx + %x … } }                              … %bx * %nx + %x … } }
 *
 * The body stays as it is: thread %x of the k-th block of a strip is thread k * %nx + %x of the strip, for which
 * %bx * %nx + %x, with the first block's %bx, is the same value.
 *
 * Done when a) the block has one thread loop and nothing else with an effect, shared memory and barriers least of all;
 * b) the body is a straight line with branches, or holds but such loops as below: others have a working set of their
 * own, and calls may ask where they run or say it; c) %bx and %x are used only in sums in which one comes with %nx times
 * the factor of the other, and which nothing looks into (analysis/linear.h).
 *
 * Loops that add up products are taken, too, if blocks have less than UW_PRODUCT_THREADS threads in a row: in every
 * iteration the threads of a row load neighbours, and something that is the same for them. So many fill the registers
 * that lanes have for a sum (vectorize_threads.c), and load the latter once. Such blocks may be in slices (distribute_blocks.c); they are
 * taken together where each is one slice. A block is much work then, so that few strips will do.
 *
 * Where threads take elements of columns (uw_goes_down_columns), a strip has at most UW_COLUMN_STRIP of them, so that
 * what a row touches is there for the next one.
 *
 * A strip has at most UW_STRIP_MOST_THREADS threads along x, so that the rows of a strip meet in the cache, and there
 * are as many strips as keep all workers busy. Legal because nothing orders one block before another. Requires:
 * barriers lowered. Preserves: what each thread does. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/exchange.h"
#include "../../analysis/access_map.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../../ir/slices.h"
#include "../../transform/loop_ranges.h"
#include "coarsen_rows.h"

enum { MOST_FACTOR = 1 << 16 /* bound, as UW_LONGEST_STEP */, MOST_CONSTANT = UW_LONGEST_STEP };

typedef struct row {
  uw_grid_row of;
  MlirOperation threads;
  MlirValue slice;         /* how many threads a slice has, in the loop; null: blocks are whole */
  MlirValue thread, count; /* index of the thread in its block, along x, and how many there are */
  uw_linear wide;          /* count as a sum: one term, or a constant */
  uw_table *seen;
} row;

typedef enum content { NEITHER, APART, TOGETHER } content;

/* Does the sum hold the block's and the thread's index together, as the index of a thread in its row, times a
 * factor? */
static content content_of(const row *r, const uw_linear *sum) {
  bool constant = r->wide.count == 0;
  int64_t unit = constant ? r->wide.constant : r->wide.terms[0].factor, block = 0, thread = 0;
  size_t terms = 0;
  for (size_t i = 0; i < sum->count; i++) {
    const uw_term *term = &sum->terms[i];
    for (int turn = 0; turn < 2; turn++) {
      MlirValue one = turn ? term->scale : term->symbol, other = turn ? term->symbol : term->scale;
      if (one.ptr && uw_same(one, r->thread)) {
        terms++;
        thread = other.ptr ? 0 : term->factor;
      } else if (one.ptr && uw_same(one, r->of.block)) {
        terms++;
        bool fits = constant ? !other.ptr : other.ptr && uw_same(other, r->wide.terms[0].symbol);
        block = fits ? term->factor : 0;
      }
    }
  }
  if (terms == 0)
    return NEITHER;
  int64_t wanted;
  return terms == 2 && thread != 0 && !__builtin_mul_overflow(thread, unit, &wanted) && block == wanted ? TOGETHER
                                                                                                        : APART;
}

static bool is_sum(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: return true;
  default: return false;
  }
}

static const uw_term *thread_term(const row *r, const uw_linear *sum) {
  for (size_t i = 0; i < sum->count; i++)
    if (uw_same(sum->terms[i].symbol, r->thread) ||
        (sum->terms[i].scale.ptr && uw_same(sum->terms[i].scale, r->thread)))
      return &sum->terms[i];
  return NULL;
}

/* Does the sum with one of the two indices, an extension or a part of one, come to the same for a strip? A thread of
 * the strip is further along than one of a block, and what wraps around on the way, or is said not to, would wrap for
 * one of the two only. The block's index times more than its width is fine where it is said not to wrap around for any
 * block; the row's length is asked for (take_together). */
static bool is_plain_part(const row *r, MlirOperation op) {
  uw_linear sum = uw_linear_of(uw_result(op, 0));
  const uw_term *own = thread_term(r, &sum);
  bool of_thread = own && (sum.count == 1 || r->slice.ptr);
  int64_t unit = r->wide.count == 0 ? r->wide.constant : r->wide.terms[0].factor;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: break;
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
    return !of_thread || (!uw_no_wrap(op, true) && !uw_no_wrap(op, false)) ||
           (own->factor >= -MOST_FACTOR && own->factor <= MOST_FACTOR && sum.constant >= -MOST_CONSTANT &&
            sum.constant <= MOST_CONSTANT);
  default: return true;
  }
  if (mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0))))
    return true;
  bool is_signed = uw_kind(op) == UW_OP_ARITH_EXTSI || uw_kind(op) == UW_OP_ARITH_INDEX_CAST;
  int64_t least = is_signed ? -MOST_CONSTANT : 0;
  MlirOperation made = uw_def(uw_operand(op, 0));
  bool fits = of_thread || sum.terms[0].factor <= unit || (!uw_null(made) && uw_no_wrap(made, is_signed));
  return sum.count == 1 && sum.terms[0].factor > 0 && sum.terms[0].factor <= MOST_FACTOR && sum.constant >= least &&
         sum.constant <= MOST_CONSTANT && fits;
}

/* Is value, which holds the block's or the thread's index and not both, used only in sums that end up with both? */
static bool only_together(row *r, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_is_for_mark(user))
      continue;
    if (!is_sum(user))
      return false;
    if (uw_table_get(r->seen, user.ptr))
      continue;
    uw_table_set(r->seen, user.ptr, 1);
    uw_linear sum = uw_linear_of(uw_result(user, 0));
    content what = sum.known ? content_of(r, &sum) : NEITHER;
    if (what == NEITHER) /* sums do not say what it is */
      return false;
    if (what == APART && (!is_plain_part(r, user) || !only_together(r, uw_result(user, 0))))
      return false;
  }
  return true;
}

/* --- loops over products ------------------------------------------------------------------------------------------ */

/* Does the address go on with the counter, and along the row by so many elements? */
static bool goes_by(const uw_access_map *map, MlirValue thread, MlirValue counter, int64_t elements) {
  const uw_map_index *along = uw_map_index_of(map, thread), *on = uw_map_index_of(map, counter);
  bool by = along ? uw_is_stride(along->stride, elements * (int64_t)map->access.bytes) : elements == 0;
  return by && on && on->stride.known && !uw_is_stride(on->stride, 0) && !map->access.anywhere;
}

/* Does it add up floating-point values, of what neighbours have and of what they share? Or of rows that threads go
 * through each: what rows of threads share of those, tile_and_pack.c copies so that threads have neighbours. */
static bool adds_products(uw_arena *arena, MlirOperation loop, MlirOperation grid, MlirValue thread) {
  MlirBlock body = uw_block(loop, 0);
  uw_access_maps *maps = uw_access_maps_create(arena);
  bool neighbours = false, shared = false;
  if (uw_defined_inside(uw_operand(loop, 0), grid) || uw_defined_inside(uw_operand(loop, 1), grid) ||
      uw_defined_inside(uw_operand(loop, 2), grid) || uw_result_count(loop) == 0)
    return false;
  for (size_t i = 0; i < uw_result_count(loop); i++)
    if (!mlirTypeIsAFloat(mlirValueGetType(uw_result(loop, i))))
      return false;
  uw_foreach_op (op, body) {
    if (uw_region_count(op) || uw_kind(op) == UW_OP_LLVM_STORE || uw_kind(op) == UW_OP_LLVM_ATOMICRMW)
      return false;
    if (uw_kind(op) != UW_OP_LLVM_LOAD)
      continue;
    const uw_access_map *map = uw_access_map_at(maps, op);
    neighbours = neighbours || goes_by(map, thread, mlirBlockGetArgument(body, 0), 1) ||
                 uw_goes_across(map, thread, mlirBlockGetArgument(body, 0));
    shared = shared || goes_by(map, thread, mlirBlockGetArgument(body, 0), 0);
  }
  return neighbours && shared;
}

/* Is a block narrow? Not known to be otherwise, that is. */
static bool is_narrow(const row *r, MlirOperation grid) {
  int64_t count;
  bool known = uw_const_value(r->count, &count);
  return (!known || count < UW_PRODUCT_THREADS) && !uw_defined_inside(r->count, grid);
}

/* The index of a thread in its row, of a slice or of the block. */
static MlirValue last_index(MlirOperation threads) {
  return mlirBlockGetArgument(uw_block(threads, 0), mlirBlockGetNumArguments(uw_block(threads, 0)) - 1);
}

/* A straight line with branches, or with sums of products, whose effects are accesses of memory. */
static bool is_simple(uw_arena *arena, MlirOperation grid, MlirOperation threads) {
  uw_ops ops = uw_collect(arena, threads);
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    bool fits = kind == UW_OP_SCF_IF || kind == UW_OP_SCF_INDEX_SWITCH || kind == UW_OP_SCF_YIELD ||
                kind == UW_OP_SCF_IN_PARALLEL || kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE ||
                kind == UW_OP_LLVM_ATOMICRMW || uw_effect_free(ops.at[i]);
    bool loops = kind == UW_OP_SCF_FOR && adds_products(arena, ops.at[i], grid, last_index(threads));
    if ((!fits && !loops) || kind == UW_OP_LLVM_ALLOCA ||
        (uw_region_count(ops.at[i]) && !loops && kind != UW_OP_SCF_IF && kind != UW_OP_SCF_INDEX_SWITCH))
      return false;
  }
  return !uw_has_exchange(threads, "block") && !uw_has_exchange(threads, "warp");
}

static bool read_width(row *r) {
  r->wide = uw_linear_of(r->count);
  bool plain = r->wide.count == 0 ? r->wide.constant > 0
                                  : r->wide.count == 1 && r->wide.constant == 0 && !r->wide.terms[0].scale.ptr;
  return r->wide.known && plain && !uw_defined_inside(r->count, r->of.grid);
}

bool uw_used_together(uw_arena *arena, MlirOperation grid, MlirValue block, MlirValue thread, MlirValue count,
                      MlirValue slice) {
  row r = {.of = {.grid = grid, .block = block},
           .slice = slice,
           .thread = thread,
           .count = count,
           .seen = uw_table_create(arena)};
  return read_width(&r) && only_together(&r, block) && only_together(&r, thread);
}

/* Can the blocks of a row be one long row of threads? Reads what it takes for that. */
static bool read_row(uw_arena *arena, const uw_grid_row *of, MlirOperation threads, row *r) {
  *r = (row){.of = *of, .threads = threads, .seen = uw_table_create(arena)};
  size_t dims = uw_dims(threads);
  if (dims == 0 || !uw_is_zero(uw_lower_of(threads, dims - 1)))
    return false;
  r->thread = mlirBlockGetArgument(uw_block(threads, 0), (intptr_t)dims - 1);
  r->count = uw_extent_in_block(threads, dims - 1);
  if (!uw_same(r->count, uw_upper_of(threads, dims - 1)))
    r->slice = uw_upper_of(threads, dims - 1);
  if (of->slices.ptr && (!r->slice.ptr || !uw_is_only_for_slice(r->thread)))
    return false;
  return read_width(r) && only_together(r, of->block) && only_together(r, r->thread);
}

bool uw_shares_nothing(uw_arena *arena, MlirOperation grid, uw_grid_row *of, MlirOperation *threads) {
  *threads = (MlirOperation){NULL};
  if (!uw_grid_row_of_slices(grid, of))
    return false;
  uw_foreach_op (op, uw_block(grid, 0)) {
    if (uw_is_over(op, UW_OVER_THREADS) && uw_null(*threads))
      *threads = op;
    else if (!uw_same_op(op, of->mark) && uw_kind(op) != UW_OP_SCF_IN_PARALLEL && !uw_effect_free(op) &&
             !(uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op)))
      return false;
  }
  return !uw_null(*threads) && is_simple(arena, grid, *threads);
}

static bool match(uw_arena *arena, MlirOperation grid, row *r) {
  uw_grid_row of;
  MlirOperation threads;
  return uw_shares_nothing(arena, grid, &of, &threads) && read_row(arena, &of, threads, r);
}

/* At most so many threads in a row. */
static void take_together(uw_arena *arena, row *r, int64_t most_threads) {
  uw_builder b = uw_at(r->of.grid);
  MlirValue most = uw_binary(&b, "arith.divui", uw_const_index(&b, most_threads), r->count);
  /* Sums of 32 bits wrap around in rows that are longer, between blocks. */
  MlirValue length = uw_binary(&b, "arith.muli", r->of.along, r->count), one = uw_const_index(&b, 1);
  most = uw_select(&b, uw_compare(&b, UW_ULE, length, uw_const_index(&b, INT32_MAX - MOST_CONSTANT)), most, one);
  MlirValue whole = r->slice.ptr ? uw_compare(&b, UW_EQ, r->of.slices, one) : (MlirValue){NULL};
  most = whole.ptr ? uw_select(&b, whole, most, one) : most;
  MlirValue blocks = uw_take_together(arena, &r->of, uw_blocks_together(&b, &r->of, most), r->threads);
  b = uw_at(r->threads);
  size_t dims = uw_dims(r->threads);
  MlirValue all = uw_binary(&b, "arith.muli", blocks, r->count);
  uw_set_range(r->threads, dims - 1, (uw_range){.upper = whole.ptr ? uw_select(&b, whole, all, r->slice) : all});
}

bool uw_goes_down_columns(uw_arena *arena, MlirOperation threads) {
  MlirBlock body = uw_block(threads, 0);
  intptr_t dims = mlirBlockGetNumArguments(body);
  if (dims < 2 || uw_collect_kind(arena, threads, UW_OP_SCF_FOR).count > 0)
    return false;
  uw_access_maps *maps = uw_access_maps_create(arena);
  uw_ops ops = uw_collect(arena, threads);
  MlirValue along = mlirBlockGetArgument(body, dims - 1), down = mlirBlockGetArgument(body, dims - 2);
  for (size_t i = 0; i < ops.count; i++) {
    const uw_access_map *map = uw_plain_access(ops.at[i]) ? uw_access_map_at(maps, ops.at[i]) : NULL;
    if (map && uw_goes_across(map, along, down) && uw_is_far_stride(uw_map_index_of(map, along)->stride))
      return true;
  }
  return false;
}

bool uw_make_long_row(uw_arena *arena, const uw_grid_row *of, MlirOperation threads) {
  row r;
  if (!read_row(arena, of, threads, &r))
    return false;
  take_together(arena, &r, UW_STRIP_MOST_THREADS);
  return true;
}

static bool take_strip(uw_arena *arena, MlirOperation grid) {
  row r;
  if (!match(arena, grid, &r))
    return false;
  bool adds_up = uw_collect_kind(arena, r.threads, UW_OP_SCF_FOR).count > 0;
  if (adds_up && !is_narrow(&r, grid))
    return false;
  r.of.long_blocks = adds_up;
  bool columns = uw_goes_down_columns(arena, r.threads);
  take_together(arena, &r, adds_up ? UW_PRODUCT_THREADS : columns ? UW_COLUMN_STRIP : UW_STRIP_MOST_THREADS);
  uw_remark(mlirOperationGetLocation(r.threads), "coarsen-blocks",
            "blocks share nothing: neighbours in a row run together, as one row of threads");
  return true;
}

uw_change uw_coarsen_rows(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_kind(arena, root, UW_OP_SCF_FORALL), take_strip);
}
