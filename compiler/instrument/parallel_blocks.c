/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocks of a checked kernel run on several threads where what one block does cannot meet what another one does: then
 * what is found does not depend on who runs when. That holds where all that the kernel touches, beside memory of its
 * blocks and threads, is reached through its parameters and variables of the device, and each of these
 *   - is only read; or
 *   - is only the target of atomic operations of the device's scope whose results nobody uses; or
 *   - is accessed at addresses that are sums over indices of blocks and threads and counters of loops, with factors that
 *     the launch knows, and different blocks have different ones.
 * And where nothing hands values from block to block: no fence, volatile access or barrier of the grid, and no call
 * but of mathematical functions.
 *
 * The text says which factors there are, the launch how large they are, how many threads and blocks there are, and which
 * of the pointers lead to the same memory (runtime/check/blocks_apart.c):
 *
 *   parallel %block (grid) {             uwrt_check_apart_begins(%dims)
 *     parallel %t (block) {              uwrt_check_apart_term(UWRT_CHECK_BLOCK_X, 4 * %blockDim.x, -1)
 *       store %v, %c[%bx * %bdx + %tx]   uwrt_check_apart_term(UWRT_CHECK_THREAD_X, 4, -1)
 *                                   ==>  uwrt_check_apart_access(%c, UWRT_CHECK_APART_WRITTEN, 4, 0)
 *                                        %alone = uwrt_check_apart(%dims)
 *                                        unwarp.worth_sharing(%alone)
 *                                        parallel %block (grid) { …
 *
 * Refuses: copies and fills in global memory, pointers out of memory, sums that the launch cannot compute.
 *
 * What it refuses may still be tried, where nothing is handed over: there is no fence or the like, as above, and atomic operations
 * are relaxed and of the device's scope, whatever becomes of their results, and threads have loops. Then uwrt_check_try is asked, which takes
 * everything back where blocks do meet (runtime/check/trial.c); so nothing else may be done that cannot be taken back, as
 * printed lines are. Of places it has to know which are only read. */
#include <string.h>

#include "../../runtime/uwrt.h"
#include "../ir/block_numbers.h"
#include "../ir/known_calls.h"
#include "../analysis/linear.h"
#include "../analysis/accesses.h"
#include "../ir/parallel.h"
#include "../raise/raise.h"
#include "parallel_blocks.h"
#include "address_roots.h"
#include "check_sites.h"

enum { INDICES = UWRT_CHECK_LOOP, MOST_COUNTERS = 3, MOST_ACCESSES = 256, MOST_DEPTH = 40 };

/* All values are of 64 bits, and known before the grid begins. Null: 0. */
typedef struct sum {
  MlirValue by[INDICES];
  MlirValue rest;
  struct {
    MlirOperation loop;
    MlirValue by, count; /* count null: not known */
  } counters[MOST_COUNTERS];
  size_t counter_count;
} sum;

typedef struct place {
  MlirValue root; /* null: a variable, which root_op gives the address of */
  MlirOperation root_op;
  MlirValue address;
  uint32_t how;
  int64_t bytes;
  sum at;
} place;

typedef struct asking {
  uw_arena *arena;
  MlirModule module;
  MlirOperation entry, grid, block_loop;
  uw_builder b; /* before the grid */
  place places[MOST_ACCESSES];
  size_t count;
  int64_t narrowest; /* bytes of the narrowest access to anything that is checked */
  bool is_doubtful;  /* they may meet */
  bool is_partial;   /* and not all that is written is among the places */
} asking;

/* --- sums --------------------------------------------------------------------------------------------------------- */

static MlirValue add(asking *a, MlirValue left, MlirValue right) {
  return !left.ptr ? right : !right.ptr ? left : uw_binary(&a->b, "arith.addi", left, right);
}

static MlirValue scale(asking *a, MlirValue value, MlirValue factor) {
  return value.ptr ? uw_binary(&a->b, "arith.muli", value, factor) : value;
}

static bool scale_all(asking *a, sum *s, MlirValue factor) {
  for (size_t i = 0; i < INDICES; i++)
    s->by[i] = scale(a, s->by[i], factor);
  for (size_t i = 0; i < s->counter_count; i++)
    s->counters[i].by = scale(a, s->counters[i].by, factor);
  s->rest = scale(a, s->rest, factor);
  return true;
}

static bool add_counter(asking *a, sum *s, MlirOperation loop, MlirValue by, MlirValue count) {
  for (size_t i = 0; i < s->counter_count; i++)
    if (uw_same_op(s->counters[i].loop, loop)) {
      s->counters[i].by = add(a, s->counters[i].by, by);
      return true;
    }
  if (s->counter_count == MOST_COUNTERS)
    return false;
  s->counters[s->counter_count].loop = loop;
  s->counters[s->counter_count].by = by;
  s->counters[s->counter_count++].count = count;
  return true;
}

static bool add_all(asking *a, sum *s, const sum *other) {
  for (size_t i = 0; i < INDICES; i++)
    s->by[i] = add(a, s->by[i], other->by[i]);
  s->rest = add(a, s->rest, other->rest);
  for (size_t i = 0; i < other->counter_count; i++)
    if (!add_counter(a, s, other->counters[i].loop, other->counters[i].by, other->counters[i].count))
      return false;
  return true;
}

static bool is_rest(const sum *s) {
  for (size_t i = 0; i < INDICES; i++)
    if (s->by[i].ptr)
      return false;
  return s->counter_count == 0;
}

static MlirValue as_number(asking *a, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = uw_int_type(a->b.context, 64);
  if (mlirTypeIsAIndex(type))
    return uw_build1(&a->b, "arith.index_cast", .in = VALS(value), .out = TYPES(i64));
  unsigned bits = mlirIntegerTypeGetWidth(type);
  return bits == 64 ? value : uw_build1(&a->b, "arith.extsi", .in = VALS(value), .out = TYPES(i64));
}

static bool read_block_index(const asking *a, MlirValue value, size_t *index) {
  for (uw_grid_dim dim = UW_GRID_X; dim <= UW_GRID_Z; dim++)
    if (uw_same(value, uw_grid_index(a->grid, dim))) {
      *index = UWRT_CHECK_BLOCK_X + (size_t)dim;
      return true;
    }
  return false;
}

static bool read_sum(asking *a, MlirValue value, sum *s, int depth);

static size_t argument_number(MlirValue value) { return (size_t)mlirBlockArgumentGetArgNumber(value); }

/* while (%i = %init) { condition(…) %i } do { … yield %i + step }: init + iteration * step. */
static bool read_counter(asking *a, MlirValue value, sum *s, int depth) {
  MlirBlock block = uw_value_block(value);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  size_t number = argument_number(value);
  MlirValue init, step, bound = {NULL}, before;
  if (uw_kind(loop) == UW_OP_SCF_WHILE) {
    MlirBlock test = uw_block(loop, 0), body = uw_block(loop, 1);
    MlirOperation condition = uw_last(test);
    before = value;
    if (mlirBlockEqual(block, body))
      before = uw_operand(condition, 1 + number);
    bool in_test = mlirBlockEqual(block, test);
    if (uw_def(before).ptr || !mlirBlockEqual(uw_value_block(before), test))
      return false;
    number = argument_number(before);
    init = uw_operand(loop, number);
    MlirOperation next = uw_def(uw_operand(uw_last(body), number));
    if (uw_null(next) || uw_kind(next) != UW_OP_ARITH_ADDI)
      return false;
    size_t of = 0;
    MlirValue here = uw_operand(next, 0);
    for (; of < 2; of++) { /* the argument of the test that the body has, under whichever number */
      here = uw_operand(next, of);
      if (uw_def(here).ptr || !mlirBlockEqual(uw_value_block(here), body))
        continue;
      if (uw_same(uw_operand(condition, 1 + argument_number(here)), before))
        break;
    }
    if (of == 2)
      return false;
    step = uw_operand(next, 1 - of);
    MlirOperation test_of = uw_def(uw_operand(condition, 0));
    int64_t predicate =
        !uw_null(test_of) && uw_kind(test_of) == UW_OP_ARITH_CMPI ? uw_get_int_attr(test_of, "predicate", -1) : -1;
    if (!in_test && (predicate == UW_SLT || predicate == UW_ULT) &&
        uw_same(uw_operand(test_of, 0), before)) /* the test runs once more */
      bound = uw_operand(test_of, 1);
  } else if (uw_kind(loop) == UW_OP_SCF_FOR && number == 0) {
    init = uw_operand(loop, 0);
    bound = uw_operand(loop, 1);
    step = uw_operand(loop, 2);
  } else {
    return false;
  }
  sum from = {0}, by = {0}, to = {0};
  if (!read_sum(a, init, &from, depth) || !read_sum(a, step, &by, depth) || !is_rest(&by) || !by.rest.ptr)
    return false;
  MlirValue count = {NULL};
  if (bound.ptr && is_rest(&from) && read_sum(a, bound, &to, depth) && is_rest(&to) && to.rest.ptr) {
    /* (to - from + by - 1) / by, which the runtime looks at only where by is more than 0 */
    MlirValue length = from.rest.ptr ? uw_binary(&a->b, "arith.subi", to.rest, from.rest) : to.rest;
    MlirValue one = uw_const_int(&a->b, 64, 1), least = uw_binary(&a->b, "arith.maxsi", by.rest, one);
    MlirValue more = uw_binary(&a->b, "arith.subi", uw_binary(&a->b, "arith.addi", length, least), one);
    MlirValue whole = uw_binary(&a->b, "arith.divsi", more, least);
    count = uw_select(&a->b, uw_compare(&a->b, UW_SLT, by.rest, one), uw_const_int(&a->b, 64, -1), whole);
  }
  *s = from;
  return add_counter(a, s, loop, by.rest, count);
}

static bool read_argument(asking *a, MlirValue value, sum *s, int depth) {
  MlirOperation loop = mlirBlockGetParentOperation(uw_value_block(value));
  if (!uw_same_op(loop, a->block_loop))
    return !uw_same_op(loop, a->grid) && read_counter(a, value, s, depth);
  static const uint32_t indices[] = {UWRT_CHECK_THREAD_Z, UWRT_CHECK_THREAD_Y, UWRT_CHECK_THREAD_X};
  size_t number = argument_number(value), dims = sizeof indices / sizeof *indices;
  if (number >= dims)
    return false;
  s->by[indices[number]] = uw_const_int(&a->b, 64, 1);
  return true;
}

static bool read_product(asking *a, MlirOperation op, sum *s, int depth) {
  sum right = {0};
  if (!read_sum(a, uw_operand(op, 0), s, depth) || !read_sum(a, uw_operand(op, 1), &right, depth))
    return false;
  if (is_rest(s)) {
    sum left = *s;
    *s = right;
    right = left;
  }
  if (!right.rest.ptr)
    right.rest = uw_const_int(&a->b, 64, 0);
  return is_rest(&right) && scale_all(a, s, right.rest);
}

static bool is_sum_of_integers(MlirType type) {
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 16 && mlirIntegerTypeGetWidth(type) <= 64);
}

static bool read_sum(asking *a, MlirValue value, sum *s, int depth) {
  int64_t number;
  size_t index;
  *s = (sum){0};
  if (!is_sum_of_integers(mlirValueGetType(value)) || ++depth > MOST_DEPTH)
    return false;
  if (uw_const_value(value, &number)) {
    s->rest = uw_const_int(&a->b, 64, number);
    return true;
  }
  if (!uw_defined_inside(value, a->grid)) {
    s->rest = as_number(a, value);
    return true;
  }
  if (read_block_index(a, value, &index)) {
    s->by[index] = uw_const_int(&a->b, 64, 1);
    return true;
  }
  MlirOperation op = uw_def(value);
  if (uw_null(op))
    return read_argument(a, value, s, depth);
  sum other = {0};
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI: return read_sum(a, uw_operand(op, 0), s, depth);
  case UW_OP_ARITH_TRUNCI:
    return mlirIntegerTypeGetWidth(mlirValueGetType(value)) >= 32 && read_sum(a, uw_operand(op, 0), s, depth);
  case UW_OP_ARITH_ADDI:
    return read_sum(a, uw_operand(op, 0), s, depth) && read_sum(a, uw_operand(op, 1), &other, depth) &&
           add_all(a, s, &other);
  case UW_OP_ARITH_SUBI:
    return read_sum(a, uw_operand(op, 0), s, depth) && read_sum(a, uw_operand(op, 1), &other, depth) &&
           scale_all(a, &other, uw_const_int(&a->b, 64, -1)) && add_all(a, s, &other);
  case UW_OP_ARITH_MULI: return read_product(a, op, s, depth);
  case UW_OP_ARITH_SHLI:
    return uw_const_value(uw_operand(op, 1), &number) && number >= 0 && number < 32 &&
           read_sum(a, uw_operand(op, 0), s, depth) && scale_all(a, s, uw_const_int(&a->b, 64, INT64_C(1) << number));
  default: return false;
  }
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

static bool add_index(asking *a, sum *s, MlirValue index, int64_t raw, int64_t bytes) {
  sum here = {0};
  if (index.ptr ? !read_sum(a, index, &here, 0) : false)
    return false;
  if (!index.ptr)
    here.rest = uw_const_int(&a->b, 64, raw);
  return scale_all(a, &here, uw_const_int(&a->b, 64, bytes)) && add_all(a, s, &here);
}

static bool add_gep(asking *a, MlirOperation gep, sum *s) {
  MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices"), element = uw_get_attr(gep, "elem_type");
  if (mlirAttributeIsNull(constants) || mlirAttributeIsNull(element))
    return false;
  MlirType type = mlirTypeAttrGetValue(element);
  size_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(constants); i++) {
    int32_t raw = mlirDenseI32ArrayGetElement(constants, i);
    MlirValue index = raw == INT32_MIN ? uw_operand(gep, operand++) : (MlirValue){NULL};
    if (i > 0 && mlirTypeIsALLVMStructType(type)) {
      if (index.ptr || !add_index(a, s, index, (int64_t)uw_field_offset(type, raw), 1))
        return false;
      type = mlirLLVMStructTypeGetElementType(type, raw);
      continue;
    }
    if (i > 0 && !uw_type_is_array(type))
      return false;
    if (i > 0)
      type = mlirLLVMArrayTypeGetElementType(type);
    if (!add_index(a, s, index, raw, (int64_t)uw_type_bytes(type)))
      return false;
  }
  return true;
}

static bool read_address(asking *a, MlirValue address, sum *s) {
  *s = (sum){0};
  for (MlirOperation op = uw_def(address); uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST;
       op = uw_def(uw_operand(op, 0)))
    if (uw_kind(op) == UW_OP_LLVM_GEP && !add_gep(a, op, s))
      return false;
  return true;
}

/* --- what the kernel does ----------------------------------------------------------------------------------------- */

static bool same_root(const place *p, MlirOperation root) {
  if (uw_kind(root) != UW_OP_LLVM_ADDRESSOF || uw_kind(p->root_op) != UW_OP_LLVM_ADDRESSOF)
    return uw_same_op(p->root_op, root);
  MlirStringRef one = uw_get_str_attr(root, "global_name"), other = uw_get_str_attr(p->root_op, "global_name");
  return one.length == other.length && memcmp(one.data, other.data, one.length) == 0;
}

static bool is_plain_width(MlirOperation op, MlirType type, int64_t bytes) {
  return bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0 &&
         uw_get_int_attr(op, "alignment", (int64_t)uw_type_align(type)) >= bytes;
}

static bool is_unused(MlirValue value) { return mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

static bool is_constant(const asking *a, MlirOperation root) {
  if (uw_kind(root) != UW_OP_LLVM_ADDRESSOF)
    return false;
  MlirStringRef name = uw_get_str_attr(root, "global_name");
  MlirOperation global = uw_find_symbol(a->module, uw_arena_format(a->arena, "%.*s", (int)name.length, name.data));
  return !uw_null(global) && uw_has_unit(global, "constant");
}

/* It may be tried. */
static bool doubt(asking *a, bool is_partial) {
  a->is_doubtful = true;
  a->is_partial |= is_partial;
  return true;
}

/* Whether that is one of the three ways, as far as it can be said of one access, or may be tried. */
static bool note_access(asking *a, MlirOperation op) {
  bool stores = uw_kind(op) == UW_OP_LLVM_STORE, loads = uw_kind(op) == UW_OP_LLVM_LOAD, is_atomic = !stores && !loads;
  MlirValue address = uw_operand(op, stores ? 1 : 0);
  MlirType type = mlirValueGetType(stores ? uw_operand(op, 0) : loads ? uw_result(op, 0) : uw_operand(op, 1));
  int64_t bytes = uw_access_bytes(type);
  MlirOperation root = uw_root_of(address);
  if (!uw_null(root) && uw_kind(root) == UW_OP_LLVM_ALLOCA)
    return true;
  if (loads && uw_is_of_launch(a->entry, root)) /* what the launch hands over, not what it points to */
    return true;
  if (bytes > 0 && bytes < a->narrowest)
    a->narrowest = bytes;
  if (!uw_null(root) && uw_kind(root) == UW_OP_SHARED)
    return true;
  if (stores && uw_is_of_texture(mlirOperationGetLocation(op))) /* nobody notes it, so that nobody could take it back */
    return false;
  if (uw_has_unit(op, "volatile_") || (!is_atomic && uw_get_int_attr(op, "ordering", 0)) ||
      (is_atomic && (!uw_is_relaxed(op) || uw_has_unit(op, UW_OF_BLOCK))))
    return false;
  if (a->count == MOST_ACCESSES || (!uw_is_parameter_of(a->entry, root) && uw_kind(root) != UW_OP_LLVM_ADDRESSOF))
    return doubt(a, /*is_partial=*/true);
  a->is_doubtful |= !is_plain_width(op, type, bytes);
  place *fresh = &a->places[a->count++];
  *fresh = (place){.root_op = root,
                   .address = address,
                   .root = uw_kind(root) == UW_OP_LLVM_ADDRESSOF ? (MlirValue){NULL} : uw_result(root, 0),
                   .bytes = bytes,
                   .how = loads    ? UWRT_CHECK_APART_READ
                          : stores ? UWRT_CHECK_APART_WRITTEN
                                   : UWRT_CHECK_APART_ATOMIC};
  if (is_constant(a, root)) {
    fresh->how = UWRT_CHECK_APART_CONSTANT;
    return loads;
  }
  if (is_atomic && (uw_kind(op) == UW_OP_LLVM_CMPXCHG || !is_unused(uw_result(op, 0)) ||
                    uw_get_int_attr(op, "bin_op", 0) == 0 /* xchg: what it leaves depends on the order */))
    return doubt(a, /*is_partial=*/false);
  return true;
}

static bool note_op(asking *a, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
  case UW_OP_LLVM_STORE:
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return note_access(a, op);
  case UW_OP_LLVM_FENCE: return false;
  case UW_OP_LLVM_CALL: /* printed lines come in order */
    return uw_is_block_mark(op) || (uw_is_harmless_call(op) && !uw_is_call_of(op, "uwrt_vprintf"));
  default: break;
  }
  if (uw_attr_is_str(op, "level", "grid") || uw_attr_is_str(op, "level", "cluster"))
    return false;
  if (uw_name_starts(op, "llvm.intr.mem")) {
    MlirOperation to = uw_root_of(uw_operand(op, 0)),
                  from = uw_name_starts(op, "llvm.intr.memset") ? to : uw_root_of(uw_operand(op, 1));
    return (uw_kind(to) == UW_OP_LLVM_ALLOCA && uw_kind(from) == UW_OP_LLVM_ALLOCA) || doubt(a, /*is_partial=*/true);
  }
  return !uw_string_is(uw_name(op), "llvm.inline_asm") && !uw_name_starts(op, "llvm.call_intrinsic");
}

/* A root that is written has all its accesses written, so that they are all compared; one that is touched in another
 * way and by atomic operations is none of the three. */
static bool settle_roots(asking *a) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t k = 0; k < a->count; k++) {
      if (!same_root(&a->places[i], a->places[k].root_op) || a->places[i].how == a->places[k].how)
        continue;
      if (a->places[i].how == UWRT_CHECK_APART_ATOMIC || a->places[k].how == UWRT_CHECK_APART_ATOMIC)
        return false;
      a->places[i].how = a->places[k].how = UWRT_CHECK_APART_WRITTEN;
    }
  return true;
}

/* --- the question ------------------------------------------------------------------------------------------------- */

static void ask_term(asking *a, size_t index, MlirValue by, MlirValue count) {
  if (by.ptr)
    uw_call(&a->b, "uwrt_check_apart_term",
            VALS(uw_const_int(&a->b, 32, (int64_t)index), by, count.ptr ? count : uw_const_int(&a->b, 64, -1)),
            (MlirType){NULL});
}

static void ask_place(asking *a, const place *p) {
  MlirValue root = p->root;
  if (!root.ptr)
    root = uw_build1(&a->b, "llvm.mlir.addressof", .out = TYPES(uw_ptr_type(a->b.context)),
                     .attrs = ATTRS({"global_name", uw_get_attr(p->root_op, "global_name")}));
  for (size_t i = 0; i < INDICES; i++)
    ask_term(a, i, p->at.by[i], (MlirValue){NULL});
  for (size_t i = 0; i < p->at.counter_count; i++)
    ask_term(a, UWRT_CHECK_LOOP, p->at.counters[i].by, p->at.counters[i].count);
  uw_call(&a->b, "uwrt_check_apart_access",
          VALS(root, uw_const_int(&a->b, 32, p->how), uw_const_int(&a->b, 64, p->bytes),
               p->at.rest.ptr ? p->at.rest : uw_const_int(&a->b, 64, 0)),
          (MlirType){NULL});
}

static bool is_first_of_root(const asking *a, size_t at) {
  for (size_t i = 0; i < at; i++)
    if (same_root(&a->places[i], a->places[at].root_op) && a->places[i].how == a->places[at].how)
      return false;
  return true;
}

/* Whether the text shows it. What was computed until then is dead where it does not, and goes. */
static bool read_places(asking *a) {
  for (size_t i = 0; i < a->count; i++)
    if (a->places[i].how == UWRT_CHECK_APART_WRITTEN && !read_address(a, a->places[i].address, &a->places[i].at))
      return false;
  return true;
}

/* Threads that make a few accesses each take less time than comparing what they noted. */
static bool has_loop(uw_arena *arena, MlirOperation threads) {
  return uw_collect_kind(arena, threads, UW_OP_SCF_FOR).count || uw_collect_kind(arena, threads, UW_OP_SCF_WHILE).count;
}

bool uw_ask_for_blocks_apart(uw_arena *arena, MlirModule module, MlirOperation entry, MlirOperation block_loop,
                             bool may_try) {
  asking *a = uw_alloc(arena, sizeof *a);
  *a = (asking){.arena = arena,
                .module = module,
                .entry = entry,
                .grid = uw_parent(block_loop),
                .block_loop = block_loop,
                .narrowest = 8};
  if (uw_null(a->grid) || !uw_is_over(a->grid, UW_OVER_BLOCKS) || uw_null(uw_parent(a->grid)) ||
      !uw_same_op(uw_parent(a->grid), entry))
    return false;
  uw_ops ops = uw_collect(arena, a->grid);
  for (size_t i = 0; i < ops.count; i++)
    if (!note_op(a, ops.at[i]))
      return false;
  a->b = uw_at(a->grid);
  if (a->is_doubtful || !settle_roots(a) || !read_places(a)) {
    a->is_doubtful = true;
    for (size_t i = 0; i < a->count; i++)
      a->places[i].at = (sum){0};
  }
  if (a->is_doubtful && (!may_try || !has_loop(arena, block_loop)))
    return false;
  MlirType i32 = uw_int_type(a->b.context, 32);
  MlirValue dims = mlirBlockGetArgument(uw_block(entry, 0), 0);
  uw_declare(module, "uwrt_check_apart_begins", "!llvm.func<void (ptr, i64)>");
  uw_declare(module, "uwrt_check_apart_term", "!llvm.func<void (i32, i64, i64)>");
  uw_declare(module, "uwrt_check_apart_access", "!llvm.func<void (ptr, i32, i64, i64)>");
  uw_declare(module, "uwrt_check_apart", "!llvm.func<i32 (ptr)>");
  uw_declare(module, "uwrt_check_try", "!llvm.func<i32 (ptr)>");
  uw_declare(module, UW_WORTH_SHARING, "!llvm.func<void (i1)>");
  uw_call(&a->b, "uwrt_check_apart_begins", VALS(dims, uw_const_int(&a->b, 64, a->narrowest)), (MlirType){NULL});
  for (size_t i = 0; i < a->count && !a->is_partial; i++)
    if (!a->is_doubtful || is_first_of_root(a, i))
      ask_place(a, &a->places[i]);
  MlirValue apart =
      uw_result(uw_call(&a->b, a->is_doubtful ? "uwrt_check_try" : "uwrt_check_apart", VALS(dims), i32), 0);
  uw_call(&a->b, UW_WORTH_SHARING, VALS(uw_compare(&a->b, UW_NE, apart, uw_const_int(&a->b, 32, 0))), (MlirType){NULL});
  return true;
}
