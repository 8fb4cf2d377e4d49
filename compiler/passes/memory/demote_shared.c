/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the original where a shared array is but a copy of it. On a GPU a tile in shared memory saves trips to global
 * memory; a CPU's caches do that already, and the copy costs its loads, its stores and the barriers around it.
 *
 *   for (%base) {                                          for (%base) {
 *     store (load %g[%base + %t]), %tile[%t]
 *     barrier                                      ==>
 *     for (%k < 256) use(load %tile[%k])                     for (%k < 256) use(load %g[%base + %k])
 *     barrier }                                            }
 *
 * Done for a shared array when
 *   a) it is not captured, and all its uses are plain loads and stores in one thread loop;
 *   b) each store stores what a plain load got, from memory that nothing in the kernel may write (analysis/effects.h: other objects,
 *      __restrict__, allocations of their own), at a sum over the thread index with constant factors; different stores write
 *      different bytes of an element;
 *   c) every thread comes by each store, or those whose index in one dimension is a constant: who wrote an element is then known from
 *      the element alone (if two threads may write one element, they store the same, or they would race);
 *   d) each load stands behind its store in the store's block, or inside of what stands there, so that it reads what the latest
 *      iteration stored (that no thread is an iteration ahead is what the program's barriers saw to), and its address is a sum over thread index
 *      and loop counters of known ranges that names an element, and in each dimension a thread of the block that wrote it;
 *   e) the address that the writer loaded from is computed, without loads, from its thread index and from what is the same for all
 *      threads; the same computation, given the writer's index, then leads to the original. Since the writer made that very load, it
 *      does not fault here either;
 *   f) it pays: neighbouring threads read one element or neighbouring ones of the original, and so do the iterations of the loops around the load
 *      (within a cache line). A tile that packs pieces of rows of a matrix, or of its columns, which lie far apart, stays, and so does
 *      one that puts side by side in one element what comes from several arrays.
 *
 * The counters of loops are added to the address at the end, so that the rest is the same in all iterations. For that
 * no sum of the index may wrap around from one thread of the block to another in the same iteration: it has to say so
 * (no_wrap_versions.c).
 *
 * The array then has no reader and goes, and so do the barriers that ordered it. Tiles that are copied in pieces, with a
 * rim, come after that (demote_halo.c). With {blocks=inner} these alone, when arrays have one life each
 * (rename_shared.c).
 * Requires: for loops made (while-to-for). Preserves: every load's value, in programs that do not race. Refuses: all else,
 * silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/bounds.h"
#include "../../analysis/dependence.h"
#include "../../analysis/effects.h"
#include "../../analysis/equation.h"
#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "../barriers/barrier_elim.h"
#include "../passes.h"
#include "demote_shared.h"

enum { DIMS = 3, MOST_STORES = 8 };

/* One store into the array: at constant + sum of factor * index, from the thread whose index is this. */
typedef struct copy {
  MlirOperation store, load, place; /* place: the store, or the outermost condition around it */
  int64_t factors[DIMS], constant;
  int64_t only[DIMS]; /* the index that the condition asks for, or ANY */
  uint64_t bytes;
} copy;
enum { ANY = -1 };

typedef struct tile {
  uw_arena *arena;
  uw_effects *effects;
  MlirOperation loop;
  size_t dims;
  MlirValue ids[DIMS];
  int64_t extents[DIMS]; /* 0: not constant */
  copy copies[MOST_STORES];
  size_t count;
} tile;

/* A value as it reads after casts that keep it, as far as indices of threads go, which fit into 16 bits. */
static MlirValue after_casts(MlirValue value) {
  for (;;) {
    MlirOperation op = uw_def(value);
    MlirType type = mlirValueGetType(value);
    if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 16)
      return value;
    switch (uw_kind(op)) {
    case UW_OP_ARITH_INDEX_CAST:
    case UW_OP_ARITH_INDEX_CASTUI:
    case UW_OP_ARITH_EXTUI:
    case UW_OP_ARITH_EXTSI:
    case UW_OP_ARITH_TRUNCI: value = uw_operand(op, 0); break;
    default: return value;
    }
  }
}

static size_t dimension_of(const tile *t, MlirValue value) {
  size_t d = 0;
  while (d < t->dims && !uw_same(t->ids[d], value))
    d++;
  return d;
}

/* --- stores ------------------------------------------------------------------------------------------------------- */

/* Says that the value is the integer: an index, or all of several that are zero together. False if that is not known of
 * one. */
static bool fix_index(const tile *t, MlirValue value, int64_t number, copy *c) {
  value = after_casts(value);
  MlirOperation op = uw_def(value);
  if (uw_kind(op) == UW_OP_ARITH_ORI && number == 0)
    return fix_index(t, uw_operand(op, 0), 0, c) && fix_index(t, uw_operand(op, 1), 0, c);
  size_t d = dimension_of(t, value);
  /* A thread of that index exists: an extent that is not known is 0 here, and at least 1 in truth. */
  if (d == t->dims || c->only[d] != ANY || number < 0 || (number != 0 && number >= t->extents[d]))
    return false;
  c->only[d] = number;
  return true;
}

/* index == constant, or several of these. */
static bool read_condition(const tile *t, MlirValue condition, copy *c) {
  MlirOperation op = uw_def(condition);
  int64_t number;
  if (uw_kind(op) == UW_OP_ARITH_ANDI)
    return read_condition(t, uw_operand(op, 0), c) && read_condition(t, uw_operand(op, 1), c);
  return uw_kind(op) == UW_OP_ARITH_CMPI && uw_get_int_attr(op, "predicate", UW_NE) == UW_EQ &&
         uw_const_value(uw_operand(op, 1), &number) && fix_index(t, uw_operand(op, 0), number, c);
}

/* The conditions around the store; place becomes the outermost of these that threads differ in. */
static bool read_conditions(const tile *t, copy *c) {
  MlirOperation above = uw_parent(c->store);
  c->place = c->store;
  while (uw_kind(above) == UW_OP_SCF_IF && !uw_uniform(uw_effects_uniformity(t->effects), uw_operand(above, 0))) {
    if (!mlirBlockEqual(mlirOperationGetBlock(c->place), uw_block(above, 0)) ||
        !read_condition(t, uw_operand(above, 0), c))
      return false;
    c->place = above;
    above = uw_parent(above);
  }
  return uw_made_by_all(uw_effects_uniformity(t->effects), c->place);
}

static bool add_copy(tile *t, MlirOperation store) {
  uw_accesses list = {0};
  uw_effects_inside(t->effects, store, &list);
  copy c = {.store = store, .load = uw_def(uw_operand(store, 0)), .bytes = list.at[0].bytes, .only = {ANY, ANY, ANY}};
  const uw_linear *offset = &list.at[0].address.offset;
  if (t->count == MOST_STORES || uw_kind(c.load) != UW_OP_LLVM_LOAD || !uw_plain_access(c.load) ||
      !uw_inside(c.load, t->loop) || !offset->known || !read_conditions(t, &c) ||
      !uw_reads_constant(t->effects, t->loop, c.load))
    return false;
  c.constant = offset->constant;
  for (size_t i = 0; i < offset->count; i++) {
    size_t d = dimension_of(t, offset->terms[i].symbol);
    if (d == t->dims || offset->terms[i].scale.ptr || offset->terms[i].factor <= 0)
      return false;
    c.factors[d] = offset->terms[i].factor;
  }
  for (size_t d = 0; d < t->dims; d++)
    if (c.only[d] != ANY) {
      c.constant += c.only[d] * c.factors[d];
      c.factors[d] = 0;
    } else if (c.factors[d] == 0 && t->extents[d] != 1) {
      return false;
    }
  t->copies[t->count++] = c;
  return true;
}

/* The smallest factor, which is the size of an element; all that is stored if one thread does it. */
static int64_t element_of(const tile *t, const copy *c) {
  int64_t least = 0;
  for (size_t d = 0; d < t->dims; d++)
    if (c->factors[d] && t->extents[d] != 1 && (!least || c->factors[d] < least))
      least = c->factors[d];
  return least ? least : (int64_t)c->bytes;
}

static uw_dependence_axis axis_of(const tile *t, const copy *a, const copy *b, size_t d) {
  int64_t last = uw_most_of(t->ids[d]);
  return (uw_dependence_axis){.index = t->ids[d],
                              .is_common = true,
                              .a = {.known = true, .bytes = a->factors[d]},
                              .b = {.known = true, .bytes = b->factors[d]},
                              .count = last == UW_NO_MOST ? last : last + 1};
}

/* May two threads meet, one of which writes by `a`, the other by `b`? With `skipped` only the first byte of the one and
 * those from that number on of the other are looked at. */
static bool may_meet(const tile *t, const copy *a, const copy *b, int64_t skipped) {
  uw_dependence_axis axes[DIMS];
  for (size_t d = 0; d < t->dims; d++)
    axes[d] = axis_of(t, a, b, d);
  uw_dependence found = uw_dependence_of(&(uw_two_accesses){.axes = axes,
                                                            .count = t->dims,
                                                            .gap = a->constant - b->constant - skipped,
                                                            .bytes_a = skipped ? 1 : a->bytes,
                                                            .bytes_b = b->bytes - (uint64_t)skipped});
  return found.same || found.others;
}

/* Different stores write different bytes. Two threads that write the same element by one store write all of it. */
static bool are_apart(const tile *t) {
  for (size_t i = 0; i < t->count; i++) {
    const copy *own = &t->copies[i];
    if (own->bytes > 1 && may_meet(t, own, own, 1)) /* the first byte, and one of the others */
      return false;
    for (size_t k = 0; k < i; k++)
      if (may_meet(t, own, &t->copies[k], 0))
        return false;
  }
  return t->count > 0;
}

/* --- loads -------------------------------------------------------------------------------------------------------- */

/* The writer's index in each dimension, as a sum over what the load's address is a sum of, and the bytes into the
 * element. */
typedef struct writer {
  const copy *from;
  uw_linear index[DIMS];
  int64_t into;
} writer;

/* The index of a thread, or the counter of a loop. */
static bool is_index(const tile *t, MlirValue symbol) {
  if (dimension_of(t, symbol) < t->dims)
    return true;
  MlirOperation loop =
      mlirValueIsABlockArgument(symbol) ? mlirBlockGetParentOperation(uw_value_block(symbol)) : (MlirOperation){NULL};
  return uw_kind(loop) == UW_OP_SCF_FOR && uw_same(symbol, mlirBlockGetArgument(uw_block(loop, 0), 0));
}

/* Is the sum surely from 0 to below the limit? */
static bool is_within(const tile *t, const uw_linear *sum, int64_t limit) {
  int64_t least = sum->constant, most = sum->constant;
  for (size_t i = 0; i < sum->count; i++) {
    enum { LARGE = 1 << 30 }; /* bound: what is unknown, with room for sums */
    const uw_term *term = &sum->terms[i];
    if (term->scale.ptr || !is_index(t, term->symbol) || term->factor > LARGE || term->factor < -LARGE)
      return false;
    int64_t low = uw_least_of(term->symbol), high = uw_most_of(term->symbol), factor = term->factor;
    if (low < 0 || high > LARGE)
      return false;
    least += factor * (factor > 0 ? low : high);
    most += factor * (factor > 0 ? high : low);
  }
  return least >= 0 && most < limit;
}

/* The sum is one index or counter that runs to the extent of dimension d, which is not constant. */
static bool runs_to_extent(const tile *t, const uw_linear *sum, size_t d) {
  if (sum->count != 1 || sum->constant != 0 || sum->terms[0].factor != 1 || sum->terms[0].scale.ptr)
    return false;
  MlirValue symbol = sum->terms[0].symbol;
  if (uw_same(symbol, t->ids[d]))
    return true;
  MlirOperation loop =
      mlirValueIsABlockArgument(symbol) ? mlirBlockGetParentOperation(uw_value_block(symbol)) : (MlirOperation){NULL};
  int64_t lower, step;
  return uw_kind(loop) == UW_OP_SCF_FOR && uw_same(symbol, mlirBlockGetArgument(uw_block(loop, 0), 0)) &&
         uw_const_value(uw_operand(loop, 0), &lower) && lower >= 0 && uw_const_value(uw_operand(loop, 2), &step) &&
         step > 0 && uw_same(after_casts(uw_operand(loop, 1)), after_casts(uw_upper_of(t->loop, d)));
}

/* Takes the sum apart: each term belongs to the largest factor that divides it. */
static bool find_writer(const tile *t, const uw_linear *place, uint64_t bytes, const copy *c, writer *w) {
  size_t order[DIMS], count = 0;
  int64_t factors[DIMS] = {0}, whole[DIMS];
  *w = (writer){.from = c};
  for (size_t d = 0; d < t->dims; d++) {
    w->index[d] = (uw_linear){.known = true, .constant = c->only[d] == ANY ? 0 : c->only[d]};
    if (!c->factors[d] || t->extents[d] == 1)
      continue;
    size_t at = count++;
    for (; at > 0 && c->factors[order[at - 1]] < c->factors[d]; at--)
      order[at] = order[at - 1];
    order[at] = d;
    factors[d] = c->factors[d];
  }
  w->into = uw_solve_largest_first(factors, t->dims, place->constant - c->constant, false, whole);
  for (size_t i = 0; i < count; i++)
    w->index[order[i]].constant = whole[order[i]];
  if (w->into < 0 || w->into + (int64_t)bytes > (int64_t)c->bytes)
    return false;
  for (size_t k = 0; k < place->count; k++) {
    size_t i = 0;
    while (i < count && place->terms[k].factor % c->factors[order[i]] != 0)
      i++;
    if (i == count || place->terms[k].scale.ptr)
      return false;
    uw_linear *index = &w->index[order[i]];
    index->terms[index->count] = place->terms[k];
    index->terms[index->count++].factor /= c->factors[order[i]];
  }
  for (size_t i = 0; i < count; i++) {
    size_t d = order[i];
    int64_t row = i ? c->factors[order[i - 1]] / c->factors[d] : 0;
    bool exists = t->extents[d] ? is_within(t, &w->index[d], t->extents[d]) : runs_to_extent(t, &w->index[d], d);
    bool is_one_way = i == 0 || (c->factors[order[i - 1]] % c->factors[d] == 0 && is_within(t, &w->index[d], row));
    if (!exists || !is_one_way)
      return false;
  }
  return true;
}

/* Does the thread come by the store on every way to the load, in the same iterations? */
static bool stands_after(const copy *c, MlirOperation load) {
  MlirOperation target = uw_ancestor_in(mlirOperationGetBlock(c->place), load);
  if (uw_null(target))
    return false;
  for (MlirOperation op = uw_next(c->place); !uw_null(op); op = uw_next(op))
    if (uw_same_op(op, target))
      return true;
  return false;
}

typedef struct at_load {
  const tile *tile;
  MlirOperation load;
} at_load;

/* Is the value the same for another thread, and known at the load? */
static bool is_common(const void *of, MlirValue value) {
  const at_load *at = of;
  bool in_sight = !uw_null(uw_ancestor_in(uw_value_block(value), at->load));
  return !uw_defined_inside(value, at->tile->loop) ||
         (in_sight && uw_uniform(uw_effects_uniformity(at->tile->effects), value));
}

static bool is_common_or_index(const void *of, MlirValue value) {
  const at_load *at = of;
  return dimension_of(at->tile, value) < at->tile->dims || is_common(of, value);
}

/* Can the value be computed for another thread, at the load? */
static bool is_transferable(const tile *t, MlirValue value, MlirOperation load) {
  return uw_can_compute_again(&(uw_again){is_common_or_index, &(at_load){t, load}, false}, value);
}

/* The part of a sum over thread indices, or the part over loop counters, which has no constant. */
static uw_linear part_of(const tile *t, const uw_linear *sum, bool counters) {
  uw_linear part = {.known = true, .constant = counters ? 0 : sum->constant};
  for (size_t i = 0; i < sum->count; i++)
    if ((dimension_of(t, sum->terms[i].symbol) == t->dims) == counters)
      part.terms[part.count++] = sum->terms[i];
  return part;
}

/* Is the value surely the same for threads that differ in dimension d alone? */
static bool is_free_of(const tile *t, MlirValue value, size_t d) {
  size_t own = dimension_of(t, value);
  return own < t->dims ? own != d : uw_uniform(uw_effects_uniformity(t->effects), value);
}

/* How many bytes the original lies further for one step of the index in dimension d, modulo 2^32; false if it is not a
 * constant. */
static bool stride_along(const tile *t, const uw_linear *offset, size_t d, int64_t *stride) {
  uw_stride along = uw_stride_in(offset, t->ids[d]);
  *stride = along.bytes;
  for (size_t k = 0; k < offset->count; k++) {
    const uw_term *term = &offset->terms[k];
    if (!uw_same(term->symbol, t->ids[d]) &&
        (!is_free_of(t, term->symbol, d) || (term->scale.ptr && !is_free_of(t, term->scale, d))))
      return false;
  }
  return along.known && !along.factor;
}

/* What loop counters add to the address, apart from the rest, which is then the same in all iterations, and has to
 * belong to a thread of the block. */
static bool split_counters(const tile *t, const writer *w, uw_linear *moving) {
  uw_linear offset = uw_address_of(uw_operand(w->from->load, 0)).offset;
  *moving = (uw_linear){.known = true};
  for (size_t d = 0; d < t->dims; d++) {
    uw_linear counters = part_of(t, &w->index[d], true), rest = part_of(t, &w->index[d], false);
    int64_t stride;
    if (counters.count == 0)
      continue;
    if (!stride_along(t, &offset, d, &stride) || !t->extents[d] || !is_within(t, &rest, t->extents[d]))
      return false;
    *moving = uw_linear_sum(moving, &counters, stride);
  }
  return moving->known && (moving->count == 0 || uw_never_wraps(uw_operand(w->from->load, 0), t->loop));
}

/* Is all of an element from one array? */
static bool is_of_one_original(const tile *t) {
  MlirValue first = uw_address_of(uw_operand(t->copies[0].load, 0)).base;
  for (size_t i = 1; i < t->count; i++)
    if (!uw_same(uw_address_of(uw_operand(t->copies[i].load, 0)).base, first))
      return false;
  return true;
}

/* Do the rows of threads read, in a loop, rows of the original that lie far apart? Then the copy brings them together:
 * the cache has few sets for lines a power of two apart, and no prefetcher follows so many rows. */
static bool gathers_rows(const tile *t, const writer *w, const uw_linear *offset, const uw_linear *moving) {
  int64_t stride;
  if (moving->count == 0)
    return false;
  for (size_t d = 0; d < t->dims; d++)
    for (size_t i = 0; i < w->index[d].count; i++) {
      size_t row = dimension_of(t, w->index[d].terms[i].symbol);
      if (row + 1 < t->dims && t->extents[row] > 1 &&
          (!stride_along(t, offset, d, &stride) || stride >= UW_FAR_APART || stride <= -UW_FAR_APART))
        return true;
    }
  return false;
}

static bool pays(const tile *t, const writer *w, MlirOperation load) {
  uw_linear offset = uw_address_of(uw_operand(w->from->load, 0)).offset, moving;
  int64_t across = 0, stride;
  MlirValue lane = t->ids[t->dims - 1];
  for (size_t d = 0; d < t->dims; d++)
    for (size_t i = 0; i < w->index[d].count; i++)
      if (uw_same(w->index[d].terms[i].symbol, lane)) {
        if (!stride_along(t, &offset, d, &stride))
          return false;
        across += stride * w->index[d].terms[i].factor;
      }
  if ((across != 0 && across != element_of(t, w->from)) || !split_counters(t, w, &moving) ||
      gathers_rows(t, w, &offset, &moving))
    return false;
  for (size_t i = 0; i < moving.count; i++) {
    MlirOperation around = mlirBlockGetParentOperation(uw_value_block(moving.terms[i].symbol));
    if (uw_inside(load, around) && (moving.terms[i].factor > UW_CACHE_LINE || moving.terms[i].factor < -UW_CACHE_LINE))
      return false;
  }
  return true;
}

static bool match_load(const tile *t, MlirOperation load, writer *w) {
  uw_address address = uw_address_of(uw_operand(load, 0));
  uint64_t bytes = uw_type_bytes(mlirValueGetType(uw_result(load, 0)));
  if (!address.offset.known)
    return false;
  for (size_t i = 0; i < t->count; i++)
    if (find_writer(t, &address.offset, bytes, &t->copies[i], w))
      return stands_after(&t->copies[i], load) && pays(t, w, load) &&
             is_transferable(t, uw_operand(t->copies[i].load, 0), load);
  return false;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static MlirValue build_sum(uw_builder *b, const uw_linear *sum) {
  MlirValue value = uw_const_index(b, sum->constant);
  for (size_t i = 0; i < sum->count; i++) {
    MlirValue term = uw_to_index(b, sum->terms[i].symbol, false);
    if (sum->terms[i].factor != 1)
      term = uw_binary(b, "arith.muli", term, uw_const_index(b, sum->terms[i].factor));
    value = i == 0 && sum->constant == 0 ? term : uw_binary(b, "arith.addi", value, term);
  }
  return value;
}

static MlirValue transfer(const tile *t, uw_builder *b, MlirValue value, MlirOperation load, uw_map *map) {
  return uw_compute_again(b, &(uw_again){is_common, &(at_load){t, load}, false}, value, map);
}

static void read_original(const tile *t, MlirOperation load, const writer *w) {
  uw_builder b = uw_at(load);
  uw_linear moving;
  uw_assert(load, split_counters(t, w, &moving));
  uw_map *map = uw_map_create(t->arena);
  MlirOperation original = w->from->load;
  for (size_t d = 0; d < t->dims; d++) {
    uw_linear rest = part_of(t, &w->index[d], false);
    uw_map_set(map, t->ids[d], build_sum(&b, &rest));
  }
  MlirValue pointer = transfer(t, &b, uw_operand(original, 0), load, map);
  int64_t alignment =
      uw_get_int_attr(original, "alignment", (int64_t)uw_type_align(mlirValueGetType(uw_result(original, 0))));
  if (moving.count)
    pointer = uw_add_bytes(&b, pointer,
                           uw_build1(&b, "arith.index_cast", .in = VALS(build_sum(&b, &moving)),
                                     .out = TYPES(uw_int_type(b.context, 64))));
  if (w->into) {
    pointer = uw_byte_address(&b, pointer, w->into);
    while (w->into % alignment != 0)
      alignment /= 2;
  }
  MlirValue value = uw_build1(&b, "llvm.load", .in = VALS(pointer), .out = TYPES(mlirValueGetType(uw_result(load, 0))),
                              .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, alignment)}));
  MlirAttribute restricted = uw_get_attr(original, "unwarp.restrict");
  if (!mlirAttributeIsNull(restricted))
    uw_set_attr(uw_def(value), "unwarp.restrict", restricted);
  uw_replace_uses(uw_result(load, 0), value);
  uw_erase(load);
}

static bool untile(uw_arena *arena, MlirOperation loop, MlirOperation shared) {
  uw_ops arithmetic = {0}, accesses = {0}, loads = {0};
  if (!uw_plain_uses(arena, loop, uw_result(shared, 0), &arithmetic, &accesses))
    return false;
  MlirBlock body = uw_block(loop, 0);
  tile t = {.arena = arena,
            .effects = uw_effects_of(arena, loop),
            .loop = loop,
            .dims = (size_t)mlirBlockGetNumArguments(body)};
  for (size_t d = 0; d < t.dims; d++) {
    t.ids[d] = mlirBlockGetArgument(body, (intptr_t)d);
    if (!uw_const_value(uw_upper_of(loop, d), &t.extents[d]))
      t.extents[d] = 0;
  }
  for (size_t i = 0; i < accesses.count; i++) {
    if (uw_kind(accesses.at[i]) == UW_OP_LLVM_LOAD)
      uw_ops_push(arena, &loads, accesses.at[i]);
    else if (!add_copy(&t, accesses.at[i]))
      return false;
  }
  writer *writers = uw_alloc(arena, (loads.count + 1) * sizeof *writers);
  if (loads.count == 0 || !are_apart(&t) || !is_of_one_original(&t))
    return false;
  for (size_t i = 0; i < loads.count; i++)
    if (!match_load(&t, loads.at[i], &writers[i]))
      return false;
  uw_remark(mlirOperationGetLocation(t.copies[0].store), "demote-shared",
            "copy in shared memory dropped: its readers read the original");
  for (size_t i = 0; i < loads.count; i++)
    read_original(&t, loads.at[i], &writers[i]);
  for (size_t i = 0; i < t.count; i++)
    uw_erase(t.copies[i].store);
  for (size_t i = arithmetic.count; i-- > 0;)
    uw_erase(arithmetic.at[i]);
  uw_erase(shared);
  return true;
}

uw_ops uw_shared_beside(uw_arena *arena, MlirOperation loop) {
  uw_ops shared = {0};
  uw_foreach_op (op, mlirOperationGetBlock(loop))
    if (uw_kind(op) == UW_OP_SHARED)
      uw_ops_push(arena, &shared, op);
  return shared;
}

uw_ops uw_shared_around(uw_arena *arena, MlirOperation loop) {
  uw_ops shared = uw_shared_beside(arena, loop);
  for (MlirOperation around = uw_parent(loop); uw_kind(around) == UW_OP_SCF_IF; around = uw_parent(around)) {
    uw_ops more = uw_shared_beside(arena, around);
    for (size_t i = 0; i < more.count; i++)
      uw_ops_push(arena, &shared, more.at[i]);
  }
  return shared;
}

static bool untile_in(uw_arena *arena, MlirOperation loop) {
  bool changed = false;
  uw_ops shared = uw_shared_beside(arena, loop);
  for (size_t k = 0; k < shared.count; k++)
    changed = untile(arena, loop, shared.at[k]) || changed;
  if (changed)
    uw_drop_barriers(loop);
  return changed;
}

uw_change uw_pass_demote_shared(MlirOperation root, uw_pass_ctx *ctx) {
  bool inner = uw_option_is(ctx, "blocks", "inner");
  uw_change change = inner ? uw_pass_rename_shared(root, ctx)
                           : uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), untile_in);
  return uw_demote_halo(ctx->arena, root, inner) == UW_CHANGED ? UW_CHANGED : change;
}
