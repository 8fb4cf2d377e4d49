/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses, the ways between barriers, and conflicts: see effects.h.
 *
 * Two bases are distinct when
 *   a) both are objects (unwarp.shared, unwarp.slot, llvm.alloca, a global) and not the same one;
 *   b) one is an object made inside the launch, and the other a pointer from before it;
 *   c) one is such an object that is never captured, and the other any pointer that is not computed from it;
 *   d) both are pointers that the launching function got from allocations of their own (allocation_of), perhaps swapped in a
 *      loop (distinct_allocations);
 *   e) one comes from a __restrict__ parameter of the kernel, and the other from another parameter or object.
 * Private memory of a thread is no other thread's: CUDA gives its address no meaning there. */
#include "effects.h"

#include "exchange.h"

enum { DIMS = 3 };

struct uw_effects {
  uw_arena *arena;
  MlirOperation loop, launch; /* launch: the outermost parallel loop around */
  const char *level;
  size_t dims;
  MlirValue ids[DIMS];
  int64_t bounds[DIMS]; /* constant, or the most that CUDA allows */
  uw_uniformity *facts;
};

uw_effects *uw_effects_of(uw_arena *arena, MlirOperation loop) {
  uw_effects *effects = uw_alloc(arena, sizeof *effects);
  *effects = (uw_effects){.arena = arena, .loop = loop, .level = uw_exchange_level(loop)};
  for (MlirOperation op = loop; !uw_null(op); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_PARALLEL)
      effects->launch = op;
  MlirBlock body = uw_block(loop, 0);
  effects->dims = (size_t)mlirBlockGetNumArguments(body);
  uw_assert(loop, effects->dims <= DIMS);
  enum { MOST_THREADS = 1024 };
  for (size_t d = 0; d < effects->dims; d++) {
    effects->ids[d] = mlirBlockGetArgument(body, (intptr_t)d);
    if (!uw_const_value(uw_operand(loop, effects->dims + d), &effects->bounds[d]) || effects->bounds[d] > MOST_THREADS)
      effects->bounds[d] = MOST_THREADS;
  }
  effects->facts = uw_uniformity_of(arena, loop, effects->level);
  return effects;
}

const uw_uniformity *uw_effects_uniformity(const uw_effects *effects) { return effects->facts; }

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static void push(uw_effects *effects, uw_accesses *list, uw_access access) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 16;
    uw_access *at = uw_alloc(effects->arena, capacity * sizeof *at);
    for (size_t i = 0; i < list->count; i++)
      at[i] = list->at[i];
    list->at = at;
    list->capacity = capacity;
  }
  list->at[list->count++] = access;
}

static uw_access access_of(MlirOperation op, size_t pointer, MlirType type, bool reads, bool writes) {
  return (uw_access){.op = op, .reads = reads, .writes = writes, .address = uw_address_of(uw_operand(op, pointer)),
                     .bytes = mlirTypeIsNull(type) ? 0 : uw_type_bytes(type)};
}

static void add_own(uw_effects *effects, MlirOperation op, uw_accesses *list) {
  MlirType no_type = {NULL};
  uw_access anywhere = {.op = op, .reads = true, .writes = true, .anywhere = true};
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
    push(effects, list, uw_plain_access(op) ? access_of(op, 0, mlirValueGetType(uw_result(op, 0)), true, false) : anywhere);
    return;
  case UW_OP_LLVM_STORE:
    push(effects, list, uw_plain_access(op) ? access_of(op, 1, mlirValueGetType(uw_operand(op, 0)), false, true) : anywhere);
    return;
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG:
    push(effects, list, access_of(op, 0, mlirValueGetType(uw_operand(op, 1)), true, true));
    return;
  case UW_OP_REDUCE:
    if (uw_attr_is_str(op, "kind", "grid")) /* what other blocks wrote comes here */
      push(effects, list, anywhere);
    return;
  case UW_OP_BARRIER:
  case UW_OP_SHARED:
  case UW_OP_SLOT:
  case UW_OP_SHUFFLE:
  case UW_OP_MATCH:
  case UW_OP_LLVM_ALLOCA:
  case UW_OP_LLVM_LIFETIME_START:
  case UW_OP_LLVM_LIFETIME_END: return;
  default: break;
  }
  if (uw_name_starts(op, "llvm.intr.memcpy") || uw_name_starts(op, "llvm.intr.memmove")) {
    push(effects, list, access_of(op, 0, no_type, false, true));
    push(effects, list, access_of(op, 1, no_type, true, false));
  } else if (uw_name_starts(op, "llvm.intr.memset")) {
    push(effects, list, access_of(op, 0, no_type, false, true));
  } else if (!uw_effect_free(op) && mlirOperationGetNumRegions(op) == 0 && !uw_name_starts(op, "llvm.intr.assume") &&
             !uw_name_starts(op, "llvm.intr.dbg") && !uw_name_starts(op, "scf.")) {
    push(effects, list, anywhere);
  }
}

void uw_effects_inside(uw_effects *effects, MlirOperation op, uw_accesses *list) {
  add_own(effects, op, list);
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      uw_foreach_op(inner, block)
        uw_effects_inside(effects, inner, list);
}

/* --- ways between barriers ---------------------------------------------------------------------------------------- */

/* Walks one way through the structure, forward or backward, and collects until a barrier closes the way. */
typedef struct way {
  uw_effects *effects;
  bool forward;
  uw_accesses *list;
} way;

static bool walk(way *w, uw_ops ops, size_t from);

static bool walk_whole(way *w, MlirBlock block) {
  return !mlirBlockIsNull(block) && walk(w, uw_block_ops(w->effects->arena, block), 0);
}

/* True if every way through op meets a barrier. */
static bool walk_into(way *w, MlirOperation op) {
  bool closed = true;
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      closed = walk_whole(w, uw_block(op, (unsigned)r)) && closed; /* a missing else is open */
    return closed;
  case UW_OP_SCF_FOR: walk_whole(w, uw_block(op, 0)); return false; /* it may run no round */
  case UW_OP_SCF_WHILE: /* the first region runs once at least */
    closed = walk_whole(w, uw_block(op, 0));
    if (!closed)
      walk_whole(w, uw_block(op, 1));
    return closed;
  default: uw_effects_inside(w->effects, op, w->list); return false;
  }
}

/* ops in their order; from counts from where the walk starts. True if a barrier was met on every way. */
static bool walk(way *w, uw_ops ops, size_t from) {
  for (size_t i = from; i < ops.count; i++) {
    MlirOperation op = ops.at[w->forward ? i : ops.count - 1 - i];
    if (uw_is_exchange(op, w->effects->level))
      return true;
    if (uw_has_exchange(op, w->effects->level)) {
      if (walk_into(w, op))
        return true;
    } else {
      uw_effects_inside(w->effects, op, w->list);
    }
  }
  return false;
}

static size_t position(uw_ops ops, MlirOperation op, bool forward) {
  for (size_t i = 0; i < ops.count; i++)
    if (uw_same_op(ops.at[i], op))
      return forward ? i : ops.count - 1 - i;
  return ops.count;
}

/* The next round of the loop around, as it comes behind (or before) the block. */
static void walk_round(way *w, MlirOperation loop, MlirBlock block) {
  size_t first = w->list->count;
  bool closed = false;
  if (uw_kind(loop) == UW_OP_SCF_WHILE)
    closed = walk_whole(w, uw_block(loop, mlirBlockEqual(block, uw_block(loop, 0)) ? 1 : 0));
  if (!closed)
    walk_whole(w, block);
  for (size_t i = first; i < w->list->count; i++)
    w->list->at[i].crossed = loop;
}

static void walk_from(way *w, MlirOperation op) {
  for (;;) {
    MlirBlock block = mlirOperationGetBlock(op);
    uw_ops ops = uw_block_ops(w->effects->arena, block);
    if (walk(w, ops, position(ops, op, w->forward) + 1))
      return;
    MlirOperation around = uw_parent(op);
    if (uw_null(around) || uw_same_op(around, w->effects->loop))
      return;
    if (uw_kind(around) == UW_OP_SCF_FOR || uw_kind(around) == UW_OP_SCF_WHILE)
      walk_round(w, around, block);
    op = around;
  }
}

void uw_effects_before(uw_effects *effects, MlirOperation op, uw_accesses *list) {
  walk_from(&(way){effects, false, list}, op);
}

void uw_effects_after(uw_effects *effects, MlirOperation op, uw_accesses *list) {
  walk_from(&(way){effects, true, list}, op);
}

/* --- bases -------------------------------------------------------------------------------------------------------- */

bool uw_is_captured(MlirValue memory) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    switch (uw_kind(user)) {
    case UW_OP_LLVM_LOAD:
    case UW_OP_LLVM_LIFETIME_START:
    case UW_OP_LLVM_LIFETIME_END: break;
    case UW_OP_LLVM_STORE:
      if (uw_same(uw_operand(user, 0), memory))
        return true;
      break;
    case UW_OP_LLVM_ATOMICRMW:
    case UW_OP_LLVM_CMPXCHG:
      if (mlirOpOperandGetOperandNumber(use) != 0)
        return true;
      break;
    case UW_OP_LLVM_GEP:
    case UW_OP_LLVM_BITCAST:
    case UW_OP_LLVM_ADDRSPACECAST:
      if (uw_is_captured(uw_result(user, 0)))
        return true;
      break;
    default:
      if (!uw_name_starts(user, "llvm.intr.mem"))
        return true;
    }
  }
  return false;
}

bool uw_plain_uses(uw_arena *arena, MlirOperation loop, MlirValue memory, uw_ops *arithmetic, uw_ops *accesses) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    switch (uw_kind(user)) {
    case UW_OP_LLVM_LOAD:
    case UW_OP_LLVM_STORE:
      if (!uw_plain_access(user) || !uw_inside(user, loop) ||
          (uw_kind(user) == UW_OP_LLVM_STORE && uw_same(uw_operand(user, 0), memory)))
        return false;
      uw_ops_push(arena, accesses, user);
      break;
    case UW_OP_LLVM_GEP:
    case UW_OP_LLVM_BITCAST:
    case UW_OP_LLVM_ADDRSPACECAST:
      uw_ops_push(arena, arithmetic, user);
      if (!uw_plain_uses(arena, loop, uw_result(user, 0), arithmetic, accesses))
        return false;
      break;
    default: return false;
    }
  }
  return true;
}

static bool is_private(MlirOperation maker) {
  return uw_kind(maker) == UW_OP_LLVM_ALLOCA;
}

static bool is_made_inside(MlirOperation maker) {
  return is_private(maker) || uw_kind(maker) == UW_OP_SHARED || uw_kind(maker) == UW_OP_SLOT;
}

/* float *data; cudaMalloc(&data, …): the variable, if the base is what it holds and nothing but allocations sets it. Or the call
 * of a function that is said to return memory of its own (noalias). */
static MlirOperation allocation_of(MlirValue base) {
  static const char *const allocators[] = {"cudaMalloc",        "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc",
                                           "cudaMallocPitch",   "cudaMallocAsync",   "cudaMallocFromPoolAsync"};
  MlirOperation none = {NULL}, load = uw_def(base);
  if (uw_kind(load) == UW_OP_LLVM_CALL) {
    MlirAttribute results = uw_get_attr(load, "res_attrs");
    bool fresh = !mlirAttributeIsNull(results) && mlirArrayAttrGetNumElements(results) == 1 &&
                 !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(results, 0), uw_str("llvm.noalias")));
    return fresh ? load : none;
  }
  MlirOperation variable = uw_kind(load) == UW_OP_LLVM_LOAD ? uw_def(uw_operand(load, 0)) : none;
  if (uw_kind(variable) != UW_OP_LLVM_ALLOCA)
    return none;
  for (MlirOpOperand use = mlirValueGetFirstUse(uw_result(variable, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool allocates = false;
    if ((uw_kind(user) == UW_OP_LLVM_CALL || uw_kind(user) == UW_OP_LLVM_INVOKE) && mlirOpOperandGetOperandNumber(use) == 0)
      for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
        allocates = allocates || uw_string_is(uw_get_str_attr(user, "callee"), allocators[i]);
    if (!allocates && uw_kind(user) != UW_OP_LLVM_LOAD && uw_kind(user) != UW_OP_LLVM_LIFETIME_START &&
        uw_kind(user) != UW_OP_LLVM_LIFETIME_END)
      return none;
  }
  return variable;
}

/* --- pointers that the launching function exchanges ----------------------------------------------------------------- */

enum { MOST_PAIRS = 32 };

/* Pairs that are taken to be distinct while what leads to them is looked at: it is enough that no way into the pair makes them
 * the same, as long as all ways start from distinct ones. */
typedef struct pairs {
  MlirValue a[MOST_PAIRS], b[MOST_PAIRS];
  bool together[MOST_PAIRS];
  size_t count;
} pairs;

/* The value that a branch at the end of `from` hands to argument number `index` of `to`; *ways counts the edges. */
static MlirValue handed_over(MlirBlock from, MlirBlock to, intptr_t index, size_t *ways) {
  MlirOperation branch = uw_last(from);
  MlirValue value = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(branch); i++) {
    if (!mlirBlockEqual(mlirOperationGetSuccessor(branch, i), to))
      continue;
    ++*ways;
    if (uw_kind(branch) == UW_OP_LLVM_BR) {
      value = uw_operand(branch, (size_t)index);
    } else if (uw_kind(branch) == UW_OP_LLVM_COND_BR) {
      MlirAttribute sizes = uw_get_attr(branch, "operandSegmentSizes");
      size_t first = 1 + (i == 0 ? 0 : (size_t)mlirDenseI32ArrayGetElement(sizes, 1));
      value = uw_operand(branch, first + (size_t)index);
    }
  }
  return value;
}

static intptr_t argument_number(MlirValue value) { return mlirBlockArgumentGetArgNumber(value); }

/* Do the two never hold the same allocation? together: at the same time; otherwise at any two times. A loop that swaps two
 * buffers swaps them at the same time. */
static bool distinct_allocations(MlirValue a, MlirValue b, bool together, pairs *seen) {
  a = uw_address_of(a).base;
  b = uw_address_of(b).base;
  MlirOperation from_a = allocation_of(a), from_b = allocation_of(b);
  if (uw_same(a, b))
    return false;
  if (!uw_null(from_a) && !uw_null(from_b))
    return !uw_same_op(from_a, from_b);
  bool argument_a = mlirValueIsABlockArgument(a), argument_b = mlirValueIsABlockArgument(b);
  if ((uw_null(from_a) && !argument_a) || (uw_null(from_b) && !argument_b))
    return false;
  MlirBlock block = uw_value_block(argument_a ? a : b);
  together = together && argument_a && argument_b && mlirBlockEqual(block, uw_value_block(b));
  for (size_t i = 0; i < seen->count; i++)
    if (uw_same(seen->a[i], a) && uw_same(seen->b[i], b) && seen->together[i] == together)
      return true;
  if (seen->count == MOST_PAIRS)
    return false;
  seen->a[seen->count] = a;
  seen->b[seen->count] = b;
  seen->together[seen->count++] = together;
  size_t ways = 0;
  for (MlirBlock from = mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block)); !mlirBlockIsNull(from);
       from = mlirBlockGetNextInRegion(from)) {
    size_t own_ways = 0;
    MlirValue next_a = argument_a ? handed_over(from, block, argument_number(a), &own_ways) : a, next_b = b;
    if (together || !argument_a)
      next_b = handed_over(from, block, argument_number(b), &own_ways);
    if (own_ways == 0)
      continue;
    /* Two edges from one branch, or a branch of another kind: not looked into. */
    if (own_ways > (together ? 2u : 1u) || !next_a.ptr || !next_b.ptr || !distinct_allocations(next_a, next_b, together, seen))
      return false;
    ways++;
  }
  return ways > 0;
}

/* One of the two comes from a __restrict__ parameter (raise/launch.c marks the accesses), and the other surely does not. */
static bool restrict_apart(const uw_effects *effects, const uw_access *a, const uw_access *b) {
  int64_t from_a = uw_get_int_attr(a->op, "unwarp.restrict", 0), from_b = uw_get_int_attr(b->op, "unwarp.restrict", 0);
  return from_a != from_b && (from_a || !uw_defined_inside(a->address.base, effects->launch)) &&
         (from_b || !uw_defined_inside(b->address.base, effects->launch));
}

static bool bases_distinct(const uw_effects *effects, const uw_access *access_a, const uw_access *access_b) {
  MlirValue a = access_a->address.base, b = access_b->address.base;
  MlirOperation maker_a = uw_def(a), maker_b = uw_def(b);
  bool inside_a = is_made_inside(maker_a), inside_b = is_made_inside(maker_b);
  bool global_a = uw_kind(maker_a) == UW_OP_LLVM_ADDRESSOF, global_b = uw_kind(maker_b) == UW_OP_LLVM_ADDRESSOF;
  if (uw_same(a, b))
    return false;
  if (inside_a && inside_b)
    return true;
  if (global_a && global_b)
    return !mlirAttributeEqual(uw_get_attr(maker_a, "global_name"), uw_get_attr(maker_b, "global_name"));
  if (!inside_a && !inside_b) {
    return (!uw_defined_inside(a, effects->launch) && !uw_defined_inside(b, effects->launch) &&
            distinct_allocations(a, b, true, &(pairs){.count = 0})) ||
           restrict_apart(effects, access_a, access_b);
  }
  MlirValue object = inside_a ? a : b, other = inside_a ? b : a;
  return global_a || global_b || !uw_defined_inside(other, effects->launch) || !uw_is_captured(object);
}

/* --- conflicts ---------------------------------------------------------------------------------------------------- */

static bool windows_meet(int64_t gap, uint64_t bytes_a, uint64_t bytes_b) { /* gap: a's place minus b's */
  return gap < (int64_t)bytes_b && gap > -(int64_t)bytes_a;
}

/* Was value made in a round that is not the one of the place asked about? */
static bool other_round(MlirValue value, const uw_access *a, const uw_access *b) {
  return (a->crossed.ptr && uw_defined_inside(value, a->crossed)) ||
         (b->crossed.ptr && uw_defined_inside(value, b->crossed));
}

static bool is_id(const uw_effects *effects, MlirValue value, size_t *dimension) {
  for (size_t d = 0; d < effects->dims; d++)
    if (uw_same(effects->ids[d], value)) {
      *dimension = d;
      return true;
    }
  return false;
}

/* The same in both threads, at both times. */
static bool is_common(const uw_effects *effects, MlirValue value, const uw_access *a, const uw_access *b) {
  return uw_uniform(effects->facts, value) && !other_round(value, a, b);
}

/* What one address is, over the thread index: a factor for each dimension. False if there is more to it. */
static bool thread_factors(const uw_effects *effects, const uw_access *access, const uw_access *other,
                           int64_t factors[DIMS], MlirValue scales[DIMS]) {
  for (size_t d = 0; d < DIMS; d++) {
    factors[d] = 0;
    scales[d] = (MlirValue){NULL};
  }
  for (size_t i = 0; i < access->address.offset.count; i++) {
    uw_term term = access->address.offset.terms[i];
    size_t d;
    if (!is_id(effects, term.symbol, &d)) {
      MlirValue swap = term.symbol;
      term.symbol = term.scale;
      term.scale = swap;
    }
    if (term.symbol.ptr && is_id(effects, term.symbol, &d)) {
      if (factors[d] || (term.scale.ptr && !is_common(effects, term.scale, access, other)))
        return false;
      factors[d] = term.factor;
      scales[d] = term.scale;
    } else if ((term.symbol.ptr && !is_common(effects, term.symbol, access, other)) ||
               (term.scale.ptr && !is_common(effects, term.scale, access, other))) {
      return false;
    }
  }
  return true;
}

/* A factor of y that is the extent of x, times that of x: the index of the thread in the block. */
static bool is_row_length(const uw_effects *effects, size_t d, const int64_t factors[DIMS], MlirValue scale) {
  if (d + 1 >= effects->dims || factors[d] != factors[d + 1])
    return false;
  uw_linear length = uw_linear_of(uw_operand(effects->loop, effects->dims + d + 1));
  return length.known && length.count == 1 && length.constant == 0 && length.terms[0].factor == 1 &&
         !length.terms[0].scale.ptr && uw_same(length.terms[0].symbol, scale);
}

/* Are there two different threads, with index gaps within the bounds, whose places meet? gap: between the constants. */
static bool meets_elsewhere(const uw_effects *effects, const int64_t factors[DIMS], int64_t gap, const uw_access *a,
                            const uw_access *b) {
  size_t dims = effects->dims, inner = dims - 1;
  int64_t reach = gap < 0 ? -gap : gap, rounds = 1;
  for (size_t d = 0; d < dims; d++) {
    int64_t factor = factors[d] < 0 ? -factors[d] : factors[d], part;
    if (__builtin_mul_overflow(factor, effects->bounds[d], &part) || __builtin_add_overflow(reach, part, &reach))
      return true;
    if (d != inner)
      rounds *= 2 * effects->bounds[d] - 1;
  }
  enum { MOST_ROUNDS = 1 << 12 };
  if (reach >= INT64_C(1) << 31 || rounds > MOST_ROUNDS) /* sums hold modulo 2^32 only */
    return true;
  int64_t step = factors[inner], most = effects->bounds[inner] - 1;
  for (int64_t round = 0; round < rounds; round++) {
    int64_t rest = round, base = gap;
    bool same = true;
    for (size_t d = 0; d < inner; d++) {
      int64_t apart = rest % (2 * effects->bounds[d] - 1) - (effects->bounds[d] - 1);
      rest /= 2 * effects->bounds[d] - 1;
      base += apart * factors[d];
      same = same && apart == 0;
    }
    if (step == 0) { /* any thread of the row, and another one if the rows are the same */
      if ((!same || most > 0) && windows_meet(base, a->bytes, b->bytes))
        return true;
      continue;
    }
    int64_t span = (int64_t)(a->bytes > b->bytes ? a->bytes : b->bytes);
    int64_t near = -base / step, margin = span / (step < 0 ? -step : step) + 1;
    for (int64_t apart = near - margin; apart <= near + margin; apart++)
      if ((apart != 0 || !same) && apart >= -most && apart <= most &&
          windows_meet(base + apart * step, a->bytes, b->bytes))
        return true;
  }
  return false;
}

bool uw_made_by_all(const uw_effects *effects, MlirOperation op) {
  for (op = uw_parent(op); !uw_same_op(op, effects->loop); op = uw_parent(op)) {
    switch (uw_kind(op)) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_INDEX_SWITCH:
      if (!uw_uniform(effects->facts, uw_operand(op, 0)))
        return false;
      break;
    case UW_OP_SCF_FOR:
      for (size_t i = 0; i < 3; i++)
        if (!uw_uniform(effects->facts, uw_operand(op, i)))
          return false;
      break;
    case UW_OP_SCF_WHILE:
      if (!uw_uniform(effects->facts, uw_operand(uw_last(uw_block(op, 0)), 0)))
        return false;
      break;
    default: return false;
    }
  }
  return true;
}

/* Threads that all write, each to a place that depends on every dimension of its index, write to different places, or they
 * would race: then what another thread reads, at its own place, is not what this one wrote. (Places that depend on less may be
 * meant to be written by all: threads elect one of them so.) */
static bool depends_on_all(const uw_effects *effects, const int64_t factors[DIMS]) {
  for (size_t d = 0; d < effects->dims; d++)
    if (factors[d] == 0 && effects->bounds[d] != 1)
      return false;
  return true;
}

bool uw_conflict(const uw_effects *effects, const uw_access *a, const uw_access *b) {
  if (!a->writes && !b->writes)
    return false;
  if (a->anywhere || b->anywhere)
    return true;
  if (is_private(uw_def(a->address.base)) || is_private(uw_def(b->address.base)) ||
      bases_distinct(effects, a, b))
    return false;
  if (!uw_same(a->address.base, b->address.base) || !a->bytes || !b->bytes ||
      !is_common(effects, a->address.base, a, b))
    return true;
  int64_t factors[DIMS], other[DIMS];
  MlirValue scales[DIMS], other_scales[DIMS];
  if (!a->address.offset.known || !b->address.offset.known || !thread_factors(effects, a, b, factors, scales) ||
      !thread_factors(effects, b, a, other, other_scales))
    return true;
  uw_linear gap = uw_linear_sum(&a->address.offset, &b->address.offset, -1);
  if (!gap.known || gap.count != 0)
    return true;
  if (a->writes && !b->writes && uw_kind(a->op) == UW_OP_LLVM_STORE && gap.constant == 0 && a->bytes == b->bytes &&
      depends_on_all(effects, factors) && uw_made_by_all(effects, a->op))
    return false;
  for (size_t d = 0; d < effects->dims; d++) {
    if (!scales[d].ptr)
      continue;
    if (!is_row_length(effects, d, factors, scales[d]) || gap.constant != 0 ||
        (uint64_t)(factors[d] < 0 ? -factors[d] : factors[d]) < (a->bytes > b->bytes ? a->bytes : b->bytes))
      return true;
    for (size_t e = 0; e < d; e++) /* what lies further out has to be one */
      if (effects->bounds[e] != 1)
        return true;
    return false;
  }
  return meets_elsewhere(effects, factors, gap.constant, a, b);
}

static bool same_thread_overlap(const uw_access *a, const uw_access *b) {
  if (!uw_same(a->address.base, b->address.base) || other_round(a->address.base, a, b))
    return true;
  uw_linear gap = uw_linear_sum(&a->address.offset, &b->address.offset, -1);
  if (!gap.known || gap.count != 0 || !a->bytes || !b->bytes)
    return true;
  for (size_t i = 0; i < a->address.offset.count; i++)
    if (other_round(a->address.offset.terms[i].symbol, a, b) ||
        (a->address.offset.terms[i].scale.ptr && other_round(a->address.offset.terms[i].scale, a, b)))
      return true;
  return windows_meet(gap.constant, a->bytes, b->bytes);
}

bool uw_may_overlap(const uw_effects *effects, const uw_access *a, const uw_access *b) {
  uw_access write = *a;
  write.writes = true; /* overlap, whatever the two do */
  if (a->anywhere || b->anywhere)
    return true;
  if (bases_distinct(effects, a, b))
    return false;
  return uw_conflict(effects, &write, b) || same_thread_overlap(a, b);
}

bool uw_meets_itself(const uw_effects *effects, const uw_access *a, const uw_access *b) {
  return a->anywhere || b->anywhere || (!bases_distinct(effects, a, b) && same_thread_overlap(a, b));
}

bool uw_same_place(const uw_access *a, const uw_access *b) {
  if (a->anywhere || b->anywhere || a->crossed.ptr || b->crossed.ptr || !a->bytes || a->bytes != b->bytes)
    return false;
  if (!uw_same(a->address.base, b->address.base))
    return false;
  size_t pointer_a = uw_kind(a->op) == UW_OP_LLVM_STORE, pointer_b = uw_kind(b->op) == UW_OP_LLVM_STORE;
  return uw_same(uw_operand(a->op, pointer_a), uw_operand(b->op, pointer_b)) ||
         (a->address.offset.exact && b->address.offset.exact &&
          uw_linear_equal(&a->address.offset, &b->address.offset));
}
