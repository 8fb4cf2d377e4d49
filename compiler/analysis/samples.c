/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The values of a dry run: see dry_run.h.
 *
 * Integers are kept with their sign, cut to their width. What is not computed here (floating point, calls, what is
 * loaded) is a value made of the operands' by mixing bits: the same for all threads where these are, so that equal
 * questions have equal answers. */
#include "../ir/parallel.h"
#include "dry_run.h"

#include <string.h>

#include "accesses.h"

enum { MOST_ALIGNED = 4096, LEAST_GUESS = 4096, GUESS_STEP = 64, GUESSES = 1000 };

static uint64_t mix(uint64_t x) { /* the finaliser of splitmix64 */
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

bool uw_no_threads(const uw_thread_set *set) {
  for (size_t i = 0; i < UW_DRY_THREADS / 64; i++)
    if (set->bits[i])
      return false;
  return true;
}

uw_sample uw_sample_in(const uw_samples *samples, size_t thread) {
  return samples->same ? samples->one : samples->each[thread];
}

void uw_give_sample(uw_dry_run *run, uw_samples *to, size_t thread, uw_sample sample) {
  if (!to->each)
    to->each = uw_alloc(run->arena, run->threads * sizeof *to->each);
  to->each[thread] = sample;
}

void uw_copy_samples(uw_dry_run *run, uw_samples *to, const uw_samples *from, const uw_thread_set *active, bool all) {
  to->from = all ? from->from : to->from | from->from;
  if (all && from->same) {
    to->same = to->known = true;
    to->one = from->one;
    return;
  }
  uw_foreach_thread (t, active)
    uw_give_sample(run, to, t, uw_sample_in(from, t));
  to->same = false;
  to->known = true;
}

static unsigned width_of(MlirType type) { return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64; }

static bool is_pointer(MlirType type) { return mlirTypeEqual(type, uw_ptr_type(mlirTypeGetContext(type))); }

static int64_t cut(int64_t number, unsigned width) {
  return width >= 64 ? number : (int64_t)((uint64_t)number << (64 - width)) >> (64 - width);
}

static uint64_t as_unsigned(int64_t number, unsigned width) {
  return width >= 64 ? (uint64_t)number : (uint64_t)number & ((UINT64_C(1) << width) - 1);
}

/* A size, a stride or the like: not small, not odd. */
static int64_t guess(uint64_t seed, unsigned width) {
  uint64_t bits = mix(seed);
  if (width == 1)
    return cut((int64_t)(bits & 1), 1);
  if (width <= 8)
    return 64 + (int64_t)(bits % 32);
  return LEAST_GUESS + GUESS_STEP * (int64_t)(bits % (width <= 16 ? 256 : GUESSES));
}

/* A small value: a thread's own, or one for all, which is not 0; at most as many as a warp has lanes, so that some of
 * them are below it and some are not. */
static int64_t small(uw_size size, uint64_t seed, unsigned width, bool is_data, bool is_power) {
  unsigned bits = size == UW_FEW ? 2 : is_data ? 6 : 5;
  int64_t number = (int64_t)(mix(seed) >> (64 - bits));
  return cut(is_data ? number : is_power ? INT64_C(1) << mix(seed) % (bits + 1) : number + 1, width);
}

static int64_t data(uint64_t seed, unsigned width) {
  unsigned bits = width == 1 ? 1 : width - 1 < 31 ? width - 1 : 31;
  return cut((int64_t)(mix(seed) & ((UINT64_C(1) << bits) - 1)), width);
}

/* --- one operation in one thread ---------------------------------------------------------------------------------- */

static bool holds(int64_t predicate, int64_t a, int64_t b, unsigned width) {
  uint64_t x = as_unsigned(a, width), y = as_unsigned(b, width);
  switch (predicate) {
  case UW_EQ: return a == b;
  case UW_NE: return a != b;
  case UW_SLT: return a < b;
  case UW_SLE: return a <= b;
  case UW_SGT: return a > b;
  case UW_SGE: return a >= b;
  case UW_ULT: return x < y;
  case UW_ULE: return x <= y;
  case UW_UGT: return x > y;
  default: return x >= y;
  }
}

static int64_t divide(uw_kind_t kind, int64_t a, int64_t b, unsigned width) {
  uint64_t x = as_unsigned(a, width), y = as_unsigned(b, width);
  if (b == 0 || (b == -1 && (kind == UW_OP_ARITH_DIVSI || kind == UW_OP_ARITH_REMSI)))
    return kind == UW_OP_ARITH_DIVSI ? (int64_t)(0 - (uint64_t)a) : 0;
  switch (kind) {
  case UW_OP_ARITH_DIVSI: return a / b;
  case UW_OP_ARITH_REMSI: return a % b;
  case UW_OP_ARITH_DIVUI: return (int64_t)(x / y);
  default: return (int64_t)(x % y);
  }
}

static int64_t reverse(uint64_t x, unsigned width) {
  uint64_t reversed = 0;
  for (unsigned i = 0; i < width; i++)
    reversed |= (x >> i & 1) << (width - 1 - i);
  return (int64_t)reversed;
}

/* The upper half of high:low shifted to the left. */
static int64_t funnel(uint64_t high, uint64_t low, uint64_t by, unsigned width) {
  by %= width;
  return (int64_t)(by ? high << by | low >> (width - by) : high);
}

typedef struct question {
  uw_kind_t kind;
  uint64_t number; /* of the operation */
  int64_t predicate;
  unsigned in, out; /* widths */
  bool compares_places, gives_place;
  const void *object; /* what a made-up address is in */
  uw_spread spread;
  uint64_t sample; /* each block has others */
  bool is_power;   /* of two */
} question;

/* False if it is not computed here. */
static bool compute(const question *q, const uw_sample *in, size_t count, uw_sample *out) {
  int64_t a = count > 0 ? in[0].number : 0, b = count > 1 ? in[1].number : 0, r;
  uint64_t x = as_unsigned(a, q->in), y = as_unsigned(b, q->in);
  const void *object = count > 0 && in[0].object ? in[0].object : count > 1 ? in[1].object : NULL;
  switch (q->kind) {
  case UW_OP_ARITH_ADDI: r = (int64_t)((uint64_t)a + (uint64_t)b); break;
  case UW_OP_ARITH_SUBI:
    r = (int64_t)((uint64_t)a - (uint64_t)b);
    if (count > 1 && in[0].object == in[1].object)
      object = NULL; /* a distance */
    break;
  case UW_OP_ARITH_MULI: r = (int64_t)((uint64_t)a * (uint64_t)b); break;
  case UW_OP_ARITH_DIVSI:
  case UW_OP_ARITH_DIVUI:
  case UW_OP_ARITH_REMSI:
  case UW_OP_ARITH_REMUI: r = divide(q->kind, a, b, q->in); break;
  case UW_OP_ARITH_ANDI:
    r = a & b;
    if (count > 1 && !in[1].object && b >= 0 && b < MOST_ALIGNED)
      object = NULL; /* how an address is aligned: objects are as much as anybody asks */
    break;
  case UW_OP_ARITH_ORI: r = a | b; break;
  case UW_OP_ARITH_XORI: r = a ^ b; break;
  case UW_OP_ARITH_SHLI: r = (int64_t)((uint64_t)a << (y % q->in)); break;
  case UW_OP_ARITH_SHRUI: r = (int64_t)(x >> (y % q->in)); break;
  case UW_OP_ARITH_SHRSI: r = a >> (y % q->in); break;
  case UW_OP_ARITH_MINSI: r = a < b ? a : b; break;
  case UW_OP_ARITH_MAXSI: r = a > b ? a : b; break;
  case UW_OP_ARITH_MINUI: r = x < y ? a : b; break;
  case UW_OP_ARITH_MAXUI: r = x > y ? a : b; break;
  case UW_OP_ARITH_SELECT: *out = a ? in[1] : in[2]; return true;
  case UW_OP_LLVM_ABS: r = a < 0 ? (int64_t)(0 - (uint64_t)a) : a; break;
  case UW_OP_LLVM_USUB_SAT: r = x > y ? (int64_t)(x - y) : 0; break;
  case UW_OP_LLVM_UADD_SAT: r = as_unsigned((int64_t)(x + y), q->in) < x ? -1 : (int64_t)(x + y); break;
  case UW_OP_MATH_CTPOP: r = __builtin_popcountll(x); break;
  case UW_OP_LLVM_CTLZ: r = x ? __builtin_clzll(x) - (64 - (int64_t)q->in) : q->in; break;
  case UW_OP_LLVM_CTTZ: r = x ? __builtin_ctzll(x) : q->in; break;
  case UW_OP_LLVM_BITREVERSE: r = reverse(x, q->in); break;
  case UW_OP_LLVM_FSHL: r = funnel(x, y, as_unsigned(in[2].number, q->in), q->in); break;
  case UW_OP_LLVM_FSHR: {
    uint64_t by = as_unsigned(in[2].number, q->in) % q->in;
    r = by ? funnel(x, y, q->in - by, q->in) : b;
    break;
  }
  case UW_OP_ARITH_CMPI:
    if (count < 2 || in[0].object != in[1].object)
      return false;
    r = holds(q->predicate, a, b, q->in);
    object = NULL;
    break;
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_INDEX_CASTUI: r = (int64_t)x; break;
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_LLVM_PTRTOINT:
  case UW_OP_LLVM_INTTOPTR:
  case UW_OP_LLVM_FREEZE: r = a; break;
  default: return false;
  }
  *out = (uw_sample){cut(r, q->out), object};
  return true;
}

/* from: what the operands are from, and the value itself. */
static uw_sample make_up(const question *q, const uw_sample *in, size_t count, uint8_t from) {
  uint64_t seed = q->number;
  bool is_data = from & UW_DATA;
  uw_size size = q->out <= 1 ? UW_LARGE : from & (UW_DATA | UW_LOADED) ? q->spread.loaded : q->spread.given;
  for (size_t i = 0; i < count; i++)
    seed = mix(seed ^ (uint64_t)in[i].number);
  if (uw_has_small_values(&q->spread))
    seed += q->sample;
  if (q->gives_place) /* far from what other threads have there */
    return (uw_sample){is_data ? (int64_t)(mix(seed) >> 16) * 64 : 0, q->object};
  int64_t number = size      ? small(size, seed, q->out, is_data, q->is_power)
                   : is_data ? data(seed, q->out)
                             : guess(seed, q->out);
  return (uw_sample){number, NULL};
}

/* --- values ------------------------------------------------------------------------------------------------------- */

uw_samples *uw_own_samples(uw_dry_run *run, MlirValue value) {
  intptr_t number = uw_table_get(run->plan->value_number, value.ptr);
  return number ? &run->values[number] : NULL;
}

/* In the first block all values are, as distances in trees and networks. */
static bool is_power(const uw_dry_run *run, MlirValue value) {
  return run->block == 0 || uw_table_get(run->plan->powers, value.ptr);
}

static question question_of(uw_dry_run *run, MlirOperation op) {
  MlirType out = mlirValueGetType(uw_result(op, 0));
  MlirType in = uw_operand_count(op) ? mlirValueGetType(uw_operand(op, 0)) : out;
  bool is_length = uw_table_get(run->plan->lengths, uw_result(op, 0).ptr);
  question q = {.kind = uw_kind(op),
                .spread = is_length ? (uw_spread){UW_LARGE, UW_LARGE} : run->spread,
                .sample = (uint64_t)run->block << 32,
                .is_power = is_power(run, uw_result(op, 0)),
                .number = (uint64_t)uw_table_get(run->plan->op_number, op.ptr),
                .in = width_of(in),
                .out = width_of(out),
                .gives_place = is_pointer(out),
                .object = op.ptr};
  bool numbers = (mlirTypeIsAInteger(out) || mlirTypeIsAIndex(out) || is_pointer(out)) && q.in <= 64 && q.out <= 64;
  if (uw_string_is(uw_name(op), "llvm.icmp"))
    q.kind = UW_OP_ARITH_CMPI;
  if (uw_string_is(uw_name(op), "llvm.select"))
    q.kind = UW_OP_ARITH_SELECT;
  if (q.kind == UW_OP_ARITH_CMPI)
    q.predicate = uw_get_int_attr(op, "predicate", UW_EQ);
  if (!numbers && q.kind != UW_OP_ARITH_SELECT)
    q.kind = UW_OP_OTHER;
  return q;
}

static uw_samples outside(uw_dry_run *run, MlirValue value, size_t deep);

/* Blocks are run in the order of their numbers. */
static int64_t index_of_block(uw_dry_run *run, MlirOperation grid, MlirValue index, size_t deep) {
  int64_t number = run->block;
  for (size_t d = uw_dims(grid); d-- > 1;) {
    int64_t extent = outside(run, uw_upper_of(grid, d), deep + 1).one.number;
    if (uw_same(uw_index(grid, d), index))
      return divide(UW_OP_ARITH_REMUI, number, extent, 64);
    number = divide(UW_OP_ARITH_DIVUI, number, extent, 64);
  }
  return number;
}

/* What stands outside of the loop over threads, or takes no operands. */
static uw_samples outside(uw_dry_run *run, MlirValue value, size_t deep) {
  enum { DEEPEST = 16, MOST_OPERANDS = 4 };
  MlirOperation op = uw_def(value);
  MlirType type = mlirValueGetType(value);
  uw_samples result = {.same = true, .known = true};
  if (uw_const_value(value, &result.one.number))
    return result;
  switch (uw_kind(op)) {
  case UW_OP_LLVM_ADDRESSOF: result.one.object = uw_get_attr(op, "global_name").ptr; return result;
  case UW_OP_LLVM_ZERO:
  case UW_OP_UB_POISON:
  case UW_OP_LLVM_UNDEF:
  case UW_OP_LLVM_POISON: return result;
  default: break;
  }
  if (is_pointer(type)) {
    result.one.object = value.ptr;
    return result;
  }
  result.from = UW_GUESS;
  if (!uw_null(op) && uw_speculatable(op) && uw_region_count(op) == 0 && uw_operand_count(op) <= MOST_OPERANDS &&
      deep < DEEPEST) {
    uw_sample in[MOST_OPERANDS];
    uint8_t from = 0;
    question q = question_of(run, op);
    for (size_t i = 0; i < uw_operand_count(op); i++) {
      const uw_samples *known = uw_own_samples(run, uw_operand(op, i));
      uw_samples operand = known && known->known ? *known : outside(run, uw_operand(op, i), deep + 1);
      in[i] = operand.one;
      from |= operand.from;
    }
    if (q.kind != UW_OP_OTHER && compute(&q, in, uw_operand_count(op), &result.one)) {
      result.from = from;
      return result;
    }
  }
  MlirOperation owner = mlirValueIsABlockArgument(value) ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                                                         : (MlirOperation){NULL};
  uint64_t seed = (uint64_t)uw_table_get(run->plan->value_number, value.ptr);
  uw_size size = width_of(type) > 1 && !uw_table_get(run->plan->lengths, value.ptr) ? run->spread.given : UW_LARGE;
  bool told = !uw_null(op) && !mlirAttributeIsNull(uw_get_attr(op, UW_BLOCK_NUMBER));
  if (told)
    result.one.number = run->block;
  else if (uw_kind(owner) == UW_OP_SCF_FORALL)
    result.one.number = index_of_block(run, owner, value, deep);
  else
    result.one.number =
        size ? small(size, ~seed + ((uint64_t)run->block << 32), width_of(type), false, is_power(run, value))
             : guess(~seed, width_of(type));
  return result;
}

const uw_samples *uw_samples_of(uw_dry_run *run, MlirValue value) {
  uw_samples *samples = uw_own_samples(run, value);
  if (!samples->known)
    *samples = outside(run, value, 0);
  return samples;
}

static uw_sample plus(uw_sample left, uw_sample right, int64_t factor) {
  left.number = (int64_t)((uint64_t)left.number + (uint64_t)right.number * (uint64_t)factor);
  return left;
}

static const uw_address *address_of(uw_dry_run *run, MlirValue pointer) {
  const uw_address **known = &run->plan->addresses[uw_table_get(run->plan->value_number, pointer.ptr)];
  if (!*known) {
    uw_address *address = uw_alloc(run->plan->arena, sizeof *address);
    *address = uw_address_in_64(pointer);
    *known = address;
  }
  return *known;
}

uw_samples *uw_samples_at(uw_dry_run *run, MlirValue pointer, const uw_thread_set *active) {
  const uw_address address = *address_of(run, pointer);
  const uw_samples *base = uw_samples_of(run, address.base), *symbols[UW_MAX_TERMS], *scales[UW_MAX_TERMS];
  uw_samples *result = uw_alloc(run->arena, sizeof *result);
  *result = (uw_samples){.same = base->same, .known = true, .from = base->from};
  size_t count = address.offset.known ? address.offset.count : 0;
  for (size_t i = 0; i < count; i++) {
    symbols[i] = uw_samples_of(run, address.offset.terms[i].symbol);
    scales[i] = address.offset.terms[i].scale.ptr ? uw_samples_of(run, address.offset.terms[i].scale) : NULL;
    result->same = result->same && symbols[i]->same && (!scales[i] || scales[i]->same);
    result->from |= symbols[i]->from | (scales[i] ? scales[i]->from : 0);
  }
  if (!address.offset.known)
    result->from |= UW_DATA;
  bool first = true;
  uw_foreach_thread (t, active) {
    if (result->same && !first)
      continue;
    first = false;
    uw_sample at =
        plus(uw_sample_in(base, t), (uw_sample){address.offset.known ? address.offset.constant : 0, NULL}, 1);
    for (size_t i = 0; i < count; i++)
      at = plus(at, uw_sample_in(symbols[i], t),
                (int64_t)((uint64_t)address.offset.terms[i].factor *
                          (uint64_t)(scales[i] ? uw_sample_in(scales[i], t).number : 1)));
    if (!address.offset.known)
      at.number = (int64_t)(mix((uint64_t)t) >> 16) * 64;
    if (result->same)
      result->one = at;
    else
      uw_give_sample(run, result, t, at);
  }
  return result;
}

void uw_sample_ids(uw_dry_run *run) {
  MlirOperation loop = run->plan->loop;
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  for (size_t d = 0; d < dims; d++) {
    int64_t size = run->shape[3 - dims + d];
    /* The extent, and what it was cast from: the kernel asks for that. */
    for (MlirValue extent = uw_upper_of(loop, d); extent.ptr;) {
      uw_samples *samples = uw_own_samples(run, extent);
      if (samples)
        *samples = (uw_samples){.one = {size, NULL}, .same = true, .known = true};
      MlirOperation cast = uw_def(extent);
      bool on = uw_kind(cast) == UW_OP_ARITH_INDEX_CAST || uw_kind(cast) == UW_OP_ARITH_INDEX_CASTUI;
      extent = on ? uw_operand(cast, 0) : (MlirValue){NULL};
    }
    uw_samples *ids = uw_own_samples(run, mlirBlockGetArgument(body, (intptr_t)d));
    *ids = (uw_samples){.known = true, .from = UW_BY_THREAD};
    for (size_t t = 0; t < run->threads; t++) {
      int64_t rest = (int64_t)t;
      for (size_t inner = dims; inner-- > d + 1;)
        rest /= run->shape[3 - dims + inner];
      uw_give_sample(run, ids, t, (uw_sample){rest % size, NULL});
    }
  }
}

/* Pointers that were loaded from the same place lead into the same object. The object is the node. */
typedef struct loaded_object {
  uw_sample from;
  const struct loaded_object *next; /* with the same hash */
} loaded_object;

static const void *object_loaded_from(uw_dry_run *run, uw_sample place) {
  const void *hash =
      (const void *)(uintptr_t)(mix((uint64_t)(uintptr_t)place.object ^ mix((uint64_t)place.number)) | 1);
  const loaded_object *first = (const loaded_object *)uw_table_get(run->loaded, hash);
  for (const loaded_object *o = first; o; o = o->next)
    if (o->from.object == place.object && o->from.number == place.number)
      return o;
  loaded_object *new = uw_alloc(run->arena, sizeof *new);
  *new = (loaded_object){place, first};
  uw_table_set(run->loaded, hash, (intptr_t)new);
  return new;
}

/* A value loaded from one address is one value; what each thread loads from an address of its own is its own. */
static void sample_load(uw_dry_run *run, MlirOperation op, const uw_thread_set *active, uw_samples *to) {
  const uw_samples *at = uw_samples_at(run, uw_operand(op, 0), active);
  question q = question_of(run, op);
  bool is_data = !at->same || at->from & UW_DATA;
  *to = (uw_samples){.each = to->each,
                     .same = !is_data,
                     .known = true,
                     .from = UW_LOADED | (is_data ? UW_DATA | UW_BY_THREAD : UW_GUESS)};
  bool first = true;
  uw_foreach_thread (t, active) {
    uw_sample place = uw_sample_in(at, t), value = make_up(&q, &place, 1, to->from);
    if (q.gives_place && place.object && (!is_data || !at->same))
      value = (uw_sample){0, object_loaded_from(run, place)};
    if (is_data)
      uw_give_sample(run, to, t, value);
    else if (first)
      to->one = value;
    first = false;
  }
}

/* Is what it gives each thread's own, though its operands be the same? A value taken from a counter, what another lane
 * had. */
static bool is_of_thread(MlirOperation op) {
  if (uw_kind(op) == UW_OP_LLVM_CALL) {
    MlirStringRef callee = uw_get_str_attr(op, "callee");
    return !(callee.length > 5 && strncmp(callee.data, "__nv_", 5) == 0);
  }
  return uw_name_starts(op, "unwarp.") || uw_is_atomic(op) || uw_kind(op) == UW_OP_LLVM_INLINE_ASM;
}

/* May what it gives let lanes in one by one? A compare-and-swap with what was just read is tried again by all until
 * each has done it. */
static bool gives_turns(MlirOperation op) {
  MlirOperation loop = uw_parent_of_kind(op, UW_OP_SCF_WHILE);
  int64_t number;
  return uw_is_atomic(op) &&
         (uw_kind(op) != UW_OP_LLVM_CMPXCHG || uw_null(loop) || uw_const_value(uw_operand(op, 1), &number) ||
          !uw_defined_inside(uw_operand(op, 1), loop));
}

/* What is chosen by a condition that is the same for all, and made up: in one block the one, in the next the other,
 * wherever the condition chooses. */
static uw_samples choice_of(const uw_dry_run *run, MlirValue condition) {
  uint64_t number = (uint64_t)uw_table_get(run->plan->value_number, condition.ptr);
  return (uw_samples){.one = {(int64_t)((mix(number) ^ (uint64_t)run->block) & 1), NULL}, .same = true, .known = true};
}

void uw_sample_op(uw_dry_run *run, MlirOperation op, const uw_thread_set *active) {
  enum { MOST_OPERANDS = UW_MOST_LEAVES };
  const uw_vals *leaves = (const uw_vals *)uw_table_get(run->plan->leaves, op.ptr);
  size_t count = leaves ? leaves->count : uw_operand_count(op);
  if (uw_result_count(op) != 1)
    return; /* made up when they are asked for: the same for all */
  uw_samples *to = uw_own_samples(run, uw_result(op, 0));
  switch (uw_kind(op)) {
  case UW_OP_LLVM_ALLOCA: *to = (uw_samples){.same = true, .known = true, .one = {0, op.ptr}}; return;
  case UW_OP_LLVM_LOAD: sample_load(run, op, active, to); return;
  case UW_OP_LLVM_GEP:
  case UW_OP_LLVM_BITCAST:
  case UW_OP_LLVM_ADDRSPACECAST:
    if (is_pointer(mlirValueGetType(uw_result(op, 0))) && is_pointer(mlirValueGetType(uw_operand(op, 0)))) {
      uw_samples *at = uw_samples_at(run, uw_result(op, 0), active);
      uw_copy_samples(run, to, at, active, true);
      return;
    }
    break;
  default: break;
  }
  if (count == 0 && !is_of_thread(op)) {
    *to = outside(run, uw_result(op, 0), 0);
    return;
  }
  question q = question_of(run, op);
  const uw_samples *operands[MOST_OPERANDS];
  uint8_t from = 0;
  bool same = true, own = is_of_thread(op);
  if (gives_turns(op))
    from |= UW_IN_TURN;
  if (uw_is_atomic(op))
    q.spread = (uw_spread){UW_LARGE, UW_LARGE}; /* positions that lanes are given are not the same ones */
  for (size_t i = 0; i < count && i < MOST_OPERANDS; i++) {
    operands[i] = uw_samples_of(run, leaves ? leaves->at[i] : uw_operand(op, i));
    from |= operands[i]->from;
    same = same && operands[i]->same;
  }
  uw_samples chosen;
  if (q.kind == UW_OP_ARITH_SELECT && uw_has_small_values(&run->spread) && operands[0]->same &&
      operands[0]->from & UW_GUESS) {
    chosen = choice_of(run, uw_operand(op, 0));
    operands[0] = &chosen;
  }
  *to = (uw_samples){.each = to->each, .same = same && !own, .known = true, .from = from};
  bool first = true;
  uw_foreach_thread (t, active) {
    if (to->same && !first)
      continue;
    first = false;
    uw_sample in[MOST_OPERANDS], out;
    size_t most = count < MOST_OPERANDS ? count : MOST_OPERANDS;
    for (size_t i = 0; i < most; i++)
      in[i] = uw_sample_in(operands[i], t);
    if (own || q.kind == UW_OP_OTHER || !compute(&q, in, most, &out)) {
      bool is_data = own || !same || from & UW_DATA;
      to->from |= is_data ? UW_DATA : UW_GUESS;
      if (own && most > 0)
        in[0].number += (int64_t)mix(t);
      out = make_up(&q, in, most, is_data ? from | UW_DATA : from & (uint8_t)~UW_DATA);
    }
    if (to->same)
      to->one = out;
    else
      uw_give_sample(run, to, t, out);
  }
}
