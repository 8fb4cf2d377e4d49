/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who fills the elements of a tile in shared memory: see copies.h.
 *
 * Conditions are comparisons of sums. For a thread whose index is known, a sum is an integer plus what is the same for
 * all threads of the block. What a condition says is then: such a sum is not above 0. It follows from another one that
 * is the same but for the integer. */
#include "copies.h"

#include "../../analysis/bounds.h"
#include "../../analysis/equation.h"

enum { MOST_THREADS = 8192 /* bound of a search */, MOST_FORMS = 2, MOST_FACTS = 2 * UW_MAX_CONJUNCTS };

typedef struct uw_writer {
  size_t part;
  int64_t thread[UW_PLACE_DIMS];
  struct uw_writer *next;
} uw_writer;

/* --- sums of one thread ------------------------------------------------------------------------------------------- */

static size_t dimension_of(const uw_copies *p, MlirValue value) {
  size_t d = 0;
  while (d < UW_PLACE_DIMS && !(value.ptr && uw_same(p->ids[d], value)))
    d++;
  return d;
}

/* The sum with values for the indices of the thread. */
static uw_linear at_thread(const uw_copies *p, const uw_linear *sum, const int64_t *thread) {
  uw_linear result = {.known = sum->known, .exact = sum->exact, .constant = sum->constant};
  for (size_t i = 0; i < sum->count && result.known; i++) {
    uw_term term = sum->terms[i];
    size_t first = dimension_of(p, term.symbol), second = dimension_of(p, term.scale);
    bool scaled = term.scale.ptr != NULL, is_first = first < UW_PLACE_DIMS,
         is_second = scaled && second < UW_PLACE_DIMS;
    uw_linear one = {.known = true, .exact = sum->exact};
    int64_t factor = (is_first ? thread[first] : 1) * (is_second ? thread[second] : 1);
    if (is_first && (!scaled || is_second)) {
      one.constant = term.factor;
    } else {
      one.count = 1;
      one.terms[0] =
          (uw_term){is_first ? term.scale : term.symbol, {is_first || is_second ? NULL : term.scale.ptr}, term.factor};
    }
    result = uw_linear_sum(&result, &one, factor);
  }
  return result;
}

static bool is_same_for_all(const uw_copies *p, MlirValue value) {
  return !uw_defined_inside(value, p->loop) || uw_uniform(uw_effects_uniformity(p->effects), value);
}

/* Indices of the thread and what is the same for all threads. own: nothing but the former. */
static bool is_sum_of(const uw_copies *p, const uw_linear *sum, bool own) {
  for (size_t i = 0; i < sum->count; i++) {
    const uw_term *term = &sum->terms[i];
    if (dimension_of(p, term->symbol) == UW_PLACE_DIMS && (own || !is_same_for_all(p, term->symbol)))
      return false;
    if (term->scale.ptr && dimension_of(p, term->scale) == UW_PLACE_DIMS && (own || !is_same_for_all(p, term->scale)))
      return false;
  }
  return sum->known;
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

/* What holds where `op` stands, for branches inside of `outside`. With `all`, every conjunct has to be a comparison. */
static bool read_conditions(const uw_copies *p, MlirOperation op, MlirOperation outside, bool all, uw_tests *tests) {
  uw_guard guard = {.count = 0};
  for (MlirOperation above = uw_parent(op); !uw_same_op(above, outside); op = above, above = uw_parent(above))
    if (uw_kind(above) == UW_OP_SCF_IF) {
      uw_guard more = guard;
      if (uw_guard_add(&more, uw_operand(above, 0), !mlirBlockEqual(mlirOperationGetBlock(op), uw_block(above, 0))))
        guard = more;
      else if (all)
        return false;
    }
  tests->count = 0;
  for (size_t i = 0; i < guard.count; i++) {
    MlirOperation compare = uw_def(guard.at[i].value);
    uw_test test = {.own = false};
    if (uw_kind(compare) == UW_OP_ARITH_CMPI) {
      MlirType type = mlirValueGetType(uw_operand(compare, 0));
      test.left = uw_linear_of(uw_operand(compare, 0));
      test.right = uw_linear_of(uw_operand(compare, 1));
      test.bits = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
      test.predicate = (uw_predicate)uw_get_int_attr(compare, "predicate", UW_EQ);
      if (guard.at[i].negated)
        test.predicate = uw_opposite(test.predicate);
      bool certain = test.bits == 32 || (test.bits == 64 && test.left.exact && test.right.exact);
      test.own = certain && is_sum_of(p, &test.left, true) && is_sum_of(p, &test.right, true);
      test.same = certain && is_sum_of(p, &test.left, false) && is_sum_of(p, &test.right, false);
    }
    if (test.same)
      tests->at[tests->count++] = test;
    else if (all)
      return false;
  }
  return true;
}

/* Does the thread pass what depends on its index alone? */
static bool passes(const uw_copies *p, const uw_tests *tests, const int64_t *thread) {
  for (size_t i = 0; i < tests->count; i++) {
    const uw_test *test = &tests->at[i];
    if (!test->own)
      continue;
    int64_t l = at_thread(p, &test->left, thread).constant, r = at_thread(p, &test->right, thread).constant;
    int64_t sl = test->bits == 32 ? (int32_t)l : l, sr = test->bits == 32 ? (int32_t)r : r;
    uint64_t ul = test->bits == 32 ? (uint32_t)l : (uint64_t)l, ur = test->bits == 32 ? (uint32_t)r : (uint64_t)r;
    const bool holds[] = {[UW_EQ] = ul == ur,
                          [UW_NE] = ul != ur,
                          [UW_SLT] = sl<sr, [UW_SLE] = sl <= sr, [UW_SGT] = sl> sr,
                          [UW_SGE] = sl >= sr,
                          [UW_ULT] = ul<ur, [UW_ULE] = ul <= ur, [UW_UGT] = ul> ur,
                          [UW_UGE] = ul >= ur};
    if (!holds[test->predicate])
      return false;
  }
  return true;
}

/* Indices of threads and blocks, which are never below zero. */
static bool is_index_of_one(MlirValue value) {
  MlirOperation op = uw_def(value);
  if (!mlirTypeIsAIndex(mlirValueGetType(value)))
    return false;
  if (uw_null(op))
    return uw_kind(mlirBlockGetParentOperation(uw_value_block(value))) == UW_OP_SCF_FORALL;
  return (uw_kind(op) == UW_OP_ARITH_REMUI || uw_kind(op) == UW_OP_ARITH_DIVUI) && is_index_of_one(uw_operand(op, 0));
}

/* Is factor * sum surely 0 or more? */
static bool is_positive(const uw_linear *sum, int64_t factor) {
  bool positive = sum->known && sum->constant * factor >= 0;
  for (size_t i = 0; i < sum->count; i++)
    positive = positive && sum->terms[i].factor * factor > 0 && is_index_of_one(sum->terms[i].symbol) &&
               (!sum->terms[i].scale.ptr || is_index_of_one(sum->terms[i].scale));
  return positive;
}

/* factor * sum + more */
static uw_linear changed(const uw_linear *sum, int64_t factor, int64_t more) {
  uw_linear start = {.known = true, .exact = true, .constant = more};
  return uw_linear_sum(&start, sum, factor);
}

/* The sums that are not above 0 where the test holds: all of them, if that is not all it says (a fact); all that it
 * takes (a goal). That one unsigned integer is less than another says this of their sums only where the larger
 * one's is not below 0. */
static size_t forms_of(const uw_copies *p, const uw_test *test, const int64_t *thread, bool goal, uw_linear *forms) {
  uw_linear left = at_thread(p, &test->left, thread), right = at_thread(p, &test->right, thread);
  uw_linear gap = uw_linear_sum(&left, &right, -1);
  bool is_unsigned = test->predicate >= UW_ULT;
  size_t count = 0;
  if (!goal && is_unsigned && !is_positive(test->predicate <= UW_ULE ? &right : &left, 1))
    return 0;
  switch (test->predicate) {
  case UW_EQ: forms[count++] = changed(&gap, 1, 0); /* fall through */
  case UW_SGE:
  case UW_UGE: forms[count++] = changed(&gap, -1, 0); break;
  case UW_SLT:
  case UW_ULT: forms[count++] = changed(&gap, 1, 1); break;
  case UW_SLE:
  case UW_ULE: forms[count++] = changed(&gap, 1, 0); break;
  case UW_SGT:
  case UW_UGT: forms[count++] = changed(&gap, -1, 1); break;
  case UW_NE: /* of what is never below zero, or never above */
    if (is_positive(&gap, 1) || (goal && !is_positive(&gap, -1)))
      forms[count++] = changed(&gap, -1, 1);
    else if (is_positive(&gap, -1))
      forms[count++] = changed(&gap, 1, 1);
    break;
  }
  if (goal && is_unsigned) /* the smaller one is not below zero either */
    forms[count++] = changed(test->predicate <= UW_ULE ? &left : &right, -1, 0);
  return count;
}

typedef struct facts {
  uw_linear at[MOST_FACTS];
  size_t count;
} facts;

static bool follows(const facts *known, const uw_linear *goal) {
  if (is_positive(goal, -1))
    return true;
  for (size_t i = 0; i < known->count; i++) {
    uw_linear gap = uw_linear_sum(goal, &known->at[i], -1);
    if (gap.known && gap.count == 0 && gap.constant <= 0)
      return true;
  }
  return false;
}

static bool surely_writes(const uw_copies *p, const uw_writer *writer, const facts *known) {
  const uw_tests *tests = &p->parts[writer->part].tests;
  for (size_t i = 0; i < tests->count; i++) {
    if (tests->at[i].own)
      continue;
    uw_linear goals[MOST_FORMS];
    size_t count = forms_of(p, &tests->at[i], writer->thread, true, goals);
    for (size_t k = 0; k < count; k++)
      if (!follows(known, &goals[k]))
        return false;
    if (count == 0)
      return false;
  }
  return true;
}

/* --- who writes --------------------------------------------------------------------------------------------------- */

/* How long a dimension is, or at most is. */
static bool read_extent(MlirValue end, int64_t *extent, bool *open) {
  if (uw_const_value(end, extent))
    return true;
  *open = true;
  *extent = uw_most_of(end);
  return *extent != UW_NO_MOST;
}

bool uw_copies_of(uw_arena *arena, MlirOperation loop, MlirOperation shared, uw_copies *p) {
  MlirBlock body = uw_block(loop, 0);
  *p = (uw_copies){.arena = arena, .loop = loop, .tile = uw_result(shared, 0), .threads = 1};
  if (mlirBlockGetNumArguments(body) != UW_PLACE_DIMS || !uw_const_value(uw_operand(shared, 0), &p->room) ||
      p->room <= 0 || !mlirAttributeIsNull(uw_get_attr(shared, "unwarp.window")))
    return false;
  for (size_t d = 0; d < UW_PLACE_DIMS; d++) {
    int64_t first, step;
    p->ids[d] = mlirBlockGetArgument(body, (intptr_t)d);
    if (!uw_const_value(uw_lower_of(loop, d), &first) || first != 0 ||
        !read_extent(uw_upper_of(loop, d), &p->extents[d], &p->open[d]) ||
        !uw_const_value(uw_step_of(loop, d), &step) || step != 1 || p->extents[d] < 1 || p->extents[d] > MOST_THREADS)
      return false;
    p->threads *= p->extents[d];
  }
  p->effects = uw_effects_of(arena, loop);
  return p->threads <= MOST_THREADS;
}

static void thread_at(const uw_copies *p, int64_t number, int64_t *thread) {
  for (size_t d = UW_PLACE_DIMS; d-- > 0; number /= p->extents[d])
    thread[d] = number % p->extents[d];
}

bool uw_copies_add_store(uw_copies *p, MlirOperation store, MlirBlock home) {
  uw_address to = uw_address_of(uw_operand(store, 1));
  uw_part part = {.place = to.offset};
  int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(store, 0)));
  if (p->count == UW_MOST_PARTS || bytes < 1 || (p->count > 0 && bytes != p->bytes) || !uw_same(to.base, p->tile) ||
      !is_sum_of(p, &part.place, true) ||
      !read_conditions(p, store, mlirBlockGetParentOperation(home), true, &part.tests))
    return false;
  p->bytes = bytes;
  p->parts[p->count++] = part;
  return true;
}

bool uw_copies_add(uw_copies *p, MlirOperation store, MlirBlock home) {
  MlirOperation load = uw_def(uw_operand(store, 0));
  if (uw_kind(load) != UW_OP_LLVM_LOAD || !uw_plain_access(load) || !uw_inside(load, p->loop))
    return false;
  MlirOperation loaded = load; /* in the same iteration as the store */
  while (uw_kind(uw_parent(loaded)) == UW_OP_SCF_IF)
    loaded = uw_parent(loaded);
  uw_address from = uw_address_of(uw_operand(load, 0));
  if (!mlirBlockEqual(mlirOperationGetBlock(loaded), home) || !is_sum_of(p, &from.offset, false) ||
      !uw_reads_constant(p->effects, p->loop, load) || !is_same_for_all(p, from.base) ||
      (p->count > 0 && !uw_same(from.base, p->parts[0].from.base)) || !uw_copies_add_store(p, store, home))
    return false;
  p->parts[p->count - 1].load = load;
  p->parts[p->count - 1].from = from;
  return true;
}

/* The element of the tile that the thread touches; -1 if it is none. */
static int64_t element_at(const uw_copies *p, const uw_linear *place, const int64_t *thread) {
  uw_linear at = at_thread(p, place, thread);
  bool good =
      at.known && at.count == 0 && at.constant >= 0 && at.constant % p->bytes == 0 && at.constant + p->bytes <= p->room;
  return good ? at.constant / p->bytes : -1;
}

static bool list_writers(uw_copies *p) {
  p->writers = uw_alloc(p->arena, (size_t)(p->room / p->bytes + 1) * sizeof *p->writers);
  for (size_t i = 0; i < p->count; i++)
    for (int64_t number = 0; number < p->threads; number++) {
      uw_writer *writer = uw_alloc(p->arena, sizeof *writer);
      writer->part = i;
      thread_at(p, number, writer->thread);
      if (!passes(p, &p->parts[i].tests, writer->thread))
        continue;
      int64_t element = element_at(p, &p->parts[i].place, writer->thread);
      if (element < 0)
        return false;
      writer->next = p->writers[element];
      p->writers[element] = writer;
    }
  return true;
}

/* --- what a load reads -------------------------------------------------------------------------------------------- */

/* Not below zero: an index, a counter that starts there, a product (rows of so many elements). */
static bool counts_up(const uw_linear *sum) {
  bool up = sum->known && sum->constant >= 0;
  for (size_t i = 0; i < sum->count && up; i++) {
    MlirValue symbol = sum->terms[i].symbol;
    MlirOperation around =
        uw_null(uw_def(symbol)) ? mlirBlockGetParentOperation(uw_value_block(symbol)) : (MlirOperation){NULL};
    int64_t first = -1;
    bool counter = uw_kind(around) == UW_OP_SCF_FOR && uw_same(symbol, mlirBlockGetArgument(uw_block(around, 0), 0)) &&
                   uw_const_value(uw_operand(around, 0), &first) && first >= 0;
    up = sum->terms[i].factor > 0 && (sum->terms[i].scale.ptr || counter || is_index_of_one(symbol));
  }
  return up;
}

static bool depends_on_thread(const uw_copies *p, const uw_linear *sum) {
  for (size_t i = 0; i < sum->count; i++)
    if (dimension_of(p, sum->terms[i].symbol) < UW_PLACE_DIMS || dimension_of(p, sum->terms[i].scale) < UW_PLACE_DIMS)
      return true;
  return false;
}

/* May a sum be below zero in a thread that makes no such load, where an unsigned extension makes a large integer of
 * it? Then no other thread's address is a distance from its own. */
static bool may_jump_at(const uw_copies *p, MlirValue address, uw_table *seen) {
  MlirOperation op = uw_def(address);
  if (uw_table_get(seen, address.ptr))
    return false;
  uw_table_set(seen, address.ptr, 1);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI:
    if (!mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0)))) {
      uw_linear sum = uw_linear_of(uw_operand(op, 0));
      if (depends_on_thread(p, &sum) && !counts_up(&sum))
        return true;
    }
    break;
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
  case UW_OP_LLVM_GEP: break;
  default: return false;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (may_jump_at(p, uw_operand(op, i), seen))
      return true;
  return false;
}

static bool may_jump(const uw_copies *p, MlirValue address) {
  return may_jump_at(p, address, uw_table_create(p->arena));
}

/* How much further a thread is that writes the element by that part. dependence.h knows between which distances all of
 * them lie; here one is tried, thread by thread. */
static bool find_distance(const uw_copies *p, const uw_linear *place, size_t part, uw_moved *moved) {
  const uw_linear *written = &p->parts[part].place;
  uw_linear gap = uw_linear_sum(place, written, -1);
  int64_t factors[UW_PLACE_DIMS] = {0};
  if (!gap.known || gap.count != 0)
    return false;
  *moved = (uw_moved){.part = part};
  for (size_t i = 0; i < written->count; i++)
    if (!written->terms[i].scale.ptr)
      factors[dimension_of(p, written->terms[i].symbol)] = written->terms[i].factor;
  return uw_solve_largest_first(factors, UW_PLACE_DIMS, gap.constant, true, moved->by) == 0;
}

static bool is_own(const uw_moved *moved) {
  bool own = true;
  for (size_t d = 0; d < UW_PLACE_DIMS; d++)
    own = own && moved->by[d] == 0;
  return own;
}

/* Is the writer there whenever the thread is? */
static bool exists(const uw_copies *p, const uw_writer *writer, const int64_t *thread) {
  bool same = true;
  for (size_t d = 0; d < UW_PLACE_DIMS; d++)
    same = same && (!p->open[d] || writer->thread[d] == thread[d]);
  return same;
}

static facts facts_at(const uw_copies *p, const uw_tests *tests, const int64_t *thread) {
  facts known = {.count = 0};
  for (size_t i = 0; i < tests->count; i++)
    known.count += forms_of(p, &tests->at[i], thread, false, &known.at[known.count]);
  return known;
}

/* Is it so for that thread? */
static bool is_right(const uw_copies *p, const uw_tests *tests, const uw_linear *place, const uw_moved *moved,
                     const int64_t *thread) {
  int64_t element = element_at(p, place, thread), other[UW_PLACE_DIMS];
  facts known = facts_at(p, tests, thread);
  if (element < 0)
    return false;
  for (size_t d = 0; d < UW_PLACE_DIMS; d++)
    other[d] = thread[d] + moved->by[d];
  uw_linear reads = at_thread(p, &p->parts[moved->part].from.offset, other);
  bool written = false;
  for (const uw_writer *writer = p->writers[element]; writer; writer = writer->next) {
    uw_linear copied = at_thread(p, &p->parts[writer->part].from.offset, writer->thread);
    if (!uw_linear_equal(&reads, &copied))
      return false;
    written = written || (exists(p, writer, thread) && surely_writes(p, writer, &known));
  }
  return written;
}

/* Is the value known where the load stands? It comes before a store, which comes before the load. */
static bool is_in_sight(const uw_copies *p, MlirValue value, MlirOperation load) {
  bool in_sight = !uw_defined_inside(value, p->loop);
  for (MlirOperation at = load; !in_sight && !uw_same_op(at, p->loop); at = uw_parent(at))
    in_sight = mlirBlockEqual(mlirOperationGetBlock(at), uw_value_block(value));
  return in_sight;
}

typedef struct at_load {
  const uw_copies *copies;
  MlirOperation load;
} at_load;

static bool is_there(const void *of, MlirValue value) {
  const at_load *at = of;
  return is_in_sight(at->copies, value, at->load);
}

/* But for addresses: those that stand there are the thread's own, which need not lie in the object where another's are
 * wanted. */
static bool is_number_there(const void *of, MlirValue value) {
  const at_load *at = of;
  bool is_step = uw_kind(uw_def(value)) == UW_OP_LLVM_GEP && uw_defined_inside(value, at->copies->loop);
  return !is_step && is_there(of, value);
}

static bool mentions(MlirValue integer, MlirValue symbol) {
  uw_linear sum = uw_linear_of(integer);
  for (size_t i = 0; i < sum.count; i++)
    if (uw_same(sum.terms[i].symbol, symbol) || (sum.terms[i].scale.ptr && uw_same(sum.terms[i].scale, symbol)))
      return true;
  return !sum.known;
}

/* Which casts to 64 bits does an integer of 32 bits come through on the way to the address? */
static void find_extensions(uw_table *seen, MlirValue value, MlirValue symbol, bool *with_sign, bool *without) {
  MlirOperation op = uw_def(value);
  if (uw_table_get(seen, value.ptr))
    return;
  uw_table_set(seen, value.ptr, 1);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_INDEX_CAST: *with_sign = *with_sign || mentions(uw_operand(op, 0), symbol); return;
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI: *without = *without || mentions(uw_operand(op, 0), symbol); return;
  case UW_OP_ARITH_TRUNCI:
    if (mentions(uw_operand(op, 0), symbol)) /* neither */
      *with_sign = *without = true;
    return;
  case UW_OP_ARITH_ADDI:
  case UW_OP_ARITH_SUBI:
  case UW_OP_ARITH_MULI:
  case UW_OP_ARITH_SHLI:
  case UW_OP_LLVM_GEP:
    for (size_t i = 0; i < uw_operand_count(op); i++)
      find_extensions(seen, uw_operand(op, i), symbol, with_sign, without);
    return;
  default: return;
  }
}

/* The factor of the index in a term, as an integer of 64 bits: factor, or a value times it, which is extended as the
 * address extends it. Without a builder: is it known? */
static bool step_of(const uw_copies *p, const uw_term *term, size_t d, const uw_moved *moved, MlirOperation load,
                    uw_builder *b, MlirValue *step) {
  bool first = uw_same(term->symbol, p->ids[d]), with_sign = false, without = false;
  MlirValue symbol = first ? term->scale : term->symbol;
  if (symbol.ptr) {
    MlirType type = mlirValueGetType(symbol);
    if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32)
      find_extensions(uw_table_create(p->arena), uw_operand(p->parts[moved->part].load, 0), symbol, &with_sign,
                      &without);
    else if (!mlirTypeIsAIndex(type) && !(mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64))
      return false;
    if ((with_sign && without) || dimension_of(p, symbol) < UW_PLACE_DIMS || !is_in_sight(p, symbol, load))
      return false;
  }
  if (!b)
    return true;
  MlirType i64 = uw_int_type(b->context, 64);
  *step = uw_const_int(b, 64, term->factor * moved->by[d]);
  if (symbol.ptr) {
    const char *cast = mlirTypeIsAIndex(mlirValueGetType(symbol)) ? "arith.index_cast"
                       : without                                  ? "arith.extui"
                                                                  : "arith.extsi";
    MlirValue wide = mlirTypeEqual(mlirValueGetType(symbol), i64)
                         ? symbol
                         : uw_build1(b, cast, .in = VALS(symbol), .out = TYPES(i64));
    *step = uw_binary(b, "arith.muli", wide, *step);
  }
  return true;
}

/* What the address of the thread that is further has more, in bytes; null: nothing. Without a builder: can it be
 * computed? */
static bool distance_of(const uw_copies *p, const uw_moved *moved, MlirOperation load, uw_builder *b,
                        MlirValue *bytes) {
  const uw_linear *from = &p->parts[moved->part].from.offset;
  for (size_t i = 0; i < from->count; i++) {
    size_t d = dimension_of(p, from->terms[i].symbol), other = dimension_of(p, from->terms[i].scale);
    if (d < UW_PLACE_DIMS && other < UW_PLACE_DIMS && (moved->by[d] || moved->by[other])) /* a product of both */
      return false;
    d = d < UW_PLACE_DIMS ? d : other;
    if (d == UW_PLACE_DIMS || moved->by[d] == 0)
      continue;
    MlirValue step;
    if (!step_of(p, &from->terms[i], d, moved, load, b, &step) ||
        !uw_never_wraps(uw_operand(p->parts[moved->part].load, 0), p->loop))
      return false;
    if (b)
      *bytes = bytes->ptr ? uw_binary(b, "arith.addi", *bytes, step) : step;
  }
  return true;
}

/* Reads the address and the conditions of a load of the tile. */
static bool read_load(uw_copies *p, MlirOperation load, uw_address *at, uw_tests *tests) {
  *at = uw_address_of(uw_operand(load, 0));
  return (int64_t)uw_type_bytes(mlirValueGetType(uw_result(load, 0))) == p->bytes && uw_same(at->base, p->tile) &&
         is_sum_of(p, &at->offset, true) && read_conditions(p, load, p->loop, false, tests) &&
         (p->writers || list_writers(p));
}

bool uw_copies_cover(uw_copies *p, MlirOperation load) {
  uw_address at;
  uw_tests tests;
  if (!read_load(p, load, &at, &tests))
    return false;
  for (int64_t number = 0; number < p->threads; number++) {
    int64_t thread[UW_PLACE_DIMS], element;
    thread_at(p, number, thread);
    if (!passes(p, &tests, thread))
      continue;
    facts known = facts_at(p, &tests, thread);
    bool written = false;
    if ((element = element_at(p, &at.offset, thread)) < 0)
      return false;
    for (const uw_writer *writer = p->writers[element]; writer && !written; writer = writer->next)
      written = exists(p, writer, thread) && surely_writes(p, writer, &known);
    if (!written)
      return false;
  }
  return true;
}

static bool stays_in_open(const uw_copies *p, const uw_moved *moved) {
  bool stays = true;
  for (size_t d = 0; d < UW_PLACE_DIMS; d++)
    stays = stays && (!p->open[d] || moved->by[d] == 0);
  return stays;
}

bool uw_copies_find(uw_copies *p, MlirOperation load, uw_moved *moved) {
  uw_address at;
  uw_tests tests;
  if (!read_load(p, load, &at, &tests))
    return false;
  for (size_t part = 0; part < p->count; part++) {
    MlirValue address = uw_operand(p->parts[part].load, 0);
    bool right = find_distance(p, &at.offset, part, moved) && stays_in_open(p, moved) &&
                 (is_own(moved) || !may_jump(p, address)) &&
                 uw_can_compute_again(&(uw_again){is_there, &(at_load){p, load}, false}, address) &&
                 distance_of(p, moved, load, NULL, NULL);
    for (int64_t number = 0; number < p->threads && right; number++) {
      int64_t thread[UW_PLACE_DIMS];
      thread_at(p, number, thread);
      right = !passes(p, &tests, thread) || is_right(p, &tests, &at.offset, moved, thread);
    }
    if (right)
      return true;
  }
  return false;
}

/* --- reading it --------------------------------------------------------------------------------------------------- */

void uw_copies_read(uw_copies *p, MlirOperation load, const uw_moved *moved) {
  uw_builder b = uw_at(load);
  MlirOperation original = p->parts[moved->part].load;
  MlirType type = mlirValueGetType(uw_result(load, 0));
  bool outside = !is_own(moved);
  uw_again again = {outside ? is_number_there : is_there, &(at_load){p, load}, outside};
  MlirValue pointer = uw_compute_again(&b, &again, uw_operand(original, 0), uw_map_create(p->arena)), more = {NULL};
  uw_assert(load, distance_of(p, moved, load, &b, &more));
  if (more.ptr)
    pointer = uw_add_bytes(&b, pointer, more);
  int64_t alignment =
      uw_get_int_attr(original, "alignment", (int64_t)uw_type_align(mlirValueGetType(uw_result(original, 0))));
  MlirValue value = uw_build1(&b, "llvm.load", .in = VALS(pointer), .out = TYPES(type),
                              .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, alignment)}));
  MlirAttribute restricted = uw_get_attr(original, "unwarp.restrict");
  if (!mlirAttributeIsNull(restricted))
    uw_set_attr(uw_def(value), "unwarp.restrict", restricted);
  uw_replace_uses(uw_result(load, 0), value);
  uw_erase(load);
}
