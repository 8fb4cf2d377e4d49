/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lets each worker gather what its threads append to a queue in a buffer of its own. The worker takes positions in the
 * queue for the whole buffer when it is full, and after its last block: one atomic operation and one copy in place of
 * one operation and a store to a line that all workers fight for, for each element.
 *
 *   grid (%b) {                                        grid (%b) {
 *     parallel (%t) to 256 {                             %own = queue %size, %next
 *       %slot = atomicrmw add %size, 1          ==>      parallel (%t) to 256 {
 *       store %value, %next[%slot] } }                     put %own, %value; append %own } }
 *
 * The same with a bound, `if (%slot < %most) store`: all are counted, and those after the bound are left out of the
 * copy.
 *
 * Done when a) the operation is relaxed, adds 1 to an integer of 32 or 64 bits at an address from before the
 * launch, and its result is used only, extended to 64 bits in one way, as index of arrays at addresses from before the
 * launch, and compared with one bound from before the launch, in the same way; b) each element is stored whole, by
 * plain stores in one block of code, that of the operation or an empty-handed branch on that bound beside it, out of
 * which what else it does can be moved; no other atomic operation stands between; c) all sites of the counter fill the
 * same arrays, under the same bound; d) the kernel has no means of telling another block or the host, in order, how far
 * this one is: no fence, no volatile access, no atomic operation that is not relaxed, no call, no barrier of the grid
 * or of a team; e) nothing else in the kernel touches the counter or the arrays, and these are different objects: by
 * bases.h, or else by a question at the launch, whether the pointers lead into allocations of their own (uwrt_object).
 * Then the grid is there twice.
 *
 * Legal because nobody in the launch sees the queue but through the slots, which by a) nobody sees either; and by d) no
 * other kernel or host code may expect anything of it before the launch is over. What remains in memory is the order: a
 * thread's own elements, and those of a block's threads with a barrier between, stay in order, as one worker runs them
 * and its buffer keeps what comes in. Between blocks there is none: relaxed operations on different objects order
 * nothing. The positions are those of one operation after the other: where the counter's value wraps around, so do they
 * (runtime/appends.c). What comes between the operation and the stores may come before it by e); a load moves out of
 * the branch only where the thread has used the same address before.
 *
 * Requires: barriers lowered; runs late, so that other passes need not know of buffers. Preserves: what is in memory
 * after the launch, but for which of the blocks comes first. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/bases.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../../raise/raise.h"
#include "../../../runtime/uwrt.h"
#include "../passes.h"
#include "grid_atomics.h"

enum {
  MOST_PIECES = 16, /* stores of a site */
  MOST_ARRAYS = UWRT_APPENDS_ARRAYS,
  MOST_QUEUES = 8,
  MOST_PAIRS = 64,
};

#define DONE "unwarp.appends" /* a grid that stays as it was, beside one with buffers */

/* How the operation's result becomes an index. */
typedef enum meaning { ANY, SIGNED, UNSIGNED, MIXED } meaning;

static meaning join(meaning a, meaning b) { return a == ANY ? b : b == ANY || a == b ? a : MIXED; }

typedef struct array {
  MlirValue to;
  int64_t stride;
  MlirOperation store; /* one of those to it */
} array;

typedef struct piece { /* of an element, and what is stored there */
  MlirOperation store;
  MlirValue to;
  int64_t stride, at, bytes;
  size_t array;
} piece;

typedef struct site {
  MlirOperation atomic, compare, branch; /* the latter two null without a bound */
  unsigned arm;                          /* of the branch, the one that stores */
  MlirValue bound;
  bool with_bound; /* the slot that is the bound counts, too */
  meaning index;
  uw_ops addresses; /* what else uses the result, outer before inner: casts and address arithmetic */
  piece pieces[MOST_PIECES];
  size_t piece_count;
  array arrays[MOST_ARRAYS];
  size_t array_count;
} site;

typedef struct queue {
  site *sites[64];
  size_t count;
  bool refused;
} queue;

typedef struct pair {
  MlirValue a, b;
} pair;

typedef struct launch {
  uw_arena *arena;
  MlirOperation grid;
  queue queues[MOST_QUEUES];
  size_t count;
  uw_table *owner; /* of an access: the index of its queue, from 1 */
  uw_accesses all;
  pair pairs[MOST_PAIRS]; /* bases that the launch must ask about */
  size_t pair_count;
} launch;

/* --- one site ----------------------------------------------------------------------------------------------------- */

static bool from_before(const launch *l, MlirValue value) { return !uw_defined_inside(value, l->grid); }

static bool adds_one(MlirOperation atomic) {
  enum { ADD = 1, UINC_WRAP = 15 };
  MlirType type = mlirValueGetType(uw_operand(atomic, 1));
  unsigned bits = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  int64_t kind = uw_get_int_attr(atomic, "bin_op", -1), number;
  if ((bits != 32 && bits != 64) || !uw_const_value(uw_operand(atomic, 1), &number))
    return false;
  return (kind == ADD && number == 1) ||
         (kind == UINC_WRAP && (bits == 32 ? (uint32_t)number == UINT32_MAX : number == -1));
}

/* Of a store: a number of whole bytes that are all of what it takes in memory. */
static int64_t bytes_stored(MlirType type) {
  int64_t bytes = (int64_t)uw_type_bytes(type);
  if (mlirTypeIsAVector(type)) {
    int64_t elements = mlirShapedTypeGetDimSize(type, 0), each = bytes_stored(mlirShapedTypeGetElementType(type));
    return mlirShapedTypeGetRank(type) == 1 && each > 0 && each * elements == bytes ? bytes : 0;
  }
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type) == 8 * bytes ? bytes : 0;
  return mlirTypeIsAFloat(type) || mlirTypeIsALLVMPointerType(type) ? bytes : 0;
}

static bool take_store(site *s, MlirOperation store, MlirValue address, MlirValue to, int64_t stride, int64_t at) {
  int64_t bytes =
      uw_plain_access(store) && uw_same(uw_operand(store, 1), address) && !uw_same(uw_operand(store, 0), address)
          ? bytes_stored(mlirValueGetType(uw_operand(store, 0)))
          : 0;
  if (bytes == 0 || s->piece_count == MOST_PIECES)
    return false;
  s->pieces[s->piece_count++] = (piece){.store = store, .to = to, .stride = stride, .at = at, .bytes = bytes};
  return true;
}

/* One index, which is the last operand of so many. */
static bool is_simple_address(MlirOperation op, size_t operands) {
  return uw_kind(op) == UW_OP_LLVM_GEP && mlirDenseArrayGetNumElements(uw_get_attr(op, "rawConstantIndices")) == 1 &&
         uw_operand_count(op) == operands;
}

static int64_t stride_of(MlirOperation gep) {
  return (int64_t)uw_type_bytes(mlirTypeAttrGetValue(uw_get_attr(gep, "elem_type")));
}

/* What uses the address of an element, at bytes after its start. */
static bool take_element(uw_arena *arena, site *s, MlirValue address, MlirValue to, int64_t stride, int64_t at) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_STORE) {
      if (!take_store(s, user, address, to, stride, at))
        return false;
      continue;
    }
    if (!is_simple_address(user, 1) || at != 0)
      return false;
    int64_t after = mlirDenseI32ArrayGetElement(uw_get_attr(user, "rawConstantIndices"), 0) * stride_of(user);
    uw_ops_push(arena, &s->addresses, user);
    if (after <= 0 || !take_element(arena, s, uw_result(user, 0), to, stride, after))
      return false;
  }
  return true;
}

/* A comparison of the slot with the bound: which side of it passes, and whether the bound itself is on the lower
 * one. */
typedef struct side {
  bool known, below, is_signed, with_bound;
} side;

static side side_of(int64_t predicate, bool slot_first) {
  if (predicate < UW_SLT || predicate > UW_UGE)
    return (side){false};
  uw_predicate p = slot_first ? (uw_predicate)predicate : uw_swapped((uw_predicate)predicate);
  return (side){.known = true,
                .below = p == UW_SLT || p == UW_SLE || p == UW_ULT || p == UW_ULE,
                .is_signed = p <= UW_SGE,
                .with_bound = p == UW_SLE || p == UW_SGT || p == UW_ULE || p == UW_UGT};
}

static bool take_bound(const launch *l, site *s, MlirOperation compare, MlirValue old) {
  bool first = uw_same(uw_operand(compare, 0), old);
  side at = side_of(uw_get_int_attr(compare, "predicate", -1), first);
  MlirValue bound = uw_operand(compare, first ? 1 : 0);
  MlirOpOperand use = mlirValueGetFirstUse(uw_result(compare, 0));
  if (!uw_null(s->compare) || !at.known || mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) || !from_before(l, bound) ||
      (at.with_bound && mlirIntegerTypeGetWidth(mlirValueGetType(bound)) == 64))
    return false;
  s->compare = compare;
  s->branch = mlirOpOperandGetOwner(use);
  s->bound = bound;
  s->with_bound = at.with_bound;
  s->arm = at.below ? 0 : 1;
  s->index = join(s->index, at.is_signed ? SIGNED : UNSIGNED);
  return uw_kind(s->branch) == UW_OP_SCF_IF && uw_result_count(s->branch) == 0 &&
         mlirBlockEqual(mlirOperationGetBlock(s->branch), mlirOperationGetBlock(s->atomic)) &&
         uw_is_empty(uw_block(s->branch, 1 - s->arm));
}

/* Follows the operation's result, extended as said. */
static bool take_uses(const launch *l, site *s, MlirValue value, meaning how) {
  MlirType type = mlirValueGetType(value);
  unsigned bits = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    uw_kind_t kind = uw_kind(user);
    bool extends = kind == UW_OP_ARITH_EXTSI || kind == UW_OP_ARITH_EXTUI;
    if (extends || kind == UW_OP_ARITH_INDEX_CAST || kind == UW_OP_ARITH_INDEX_CASTUI) {
      bool is_signed = kind == UW_OP_ARITH_EXTSI || kind == UW_OP_ARITH_INDEX_CAST;
      MlirType to = mlirValueGetType(uw_result(user, 0));
      uw_ops_push(l->arena, &s->addresses, user);
      if ((extends || mlirTypeIsAInteger(to)) && mlirIntegerTypeGetWidth(to) != 64)
        return false;
      if (!take_uses(l, s, uw_result(user, 0), bits == 32 ? is_signed ? SIGNED : UNSIGNED : how))
        return false;
    } else if (kind == UW_OP_ARITH_CMPI && uw_same(value, uw_result(s->atomic, 0))) {
      if (!take_bound(l, s, user, value))
        return false;
    } else {
      if (!is_simple_address(user, 2) || !uw_same(uw_operand(user, 1), value) || !from_before(l, uw_operand(user, 0)))
        return false;
      s->index = join(s->index, bits == 32 ? SIGNED : how);
      uw_ops_push(l->arena, &s->addresses, user);
      if (!take_element(l->arena, s, uw_result(user, 0), uw_operand(user, 0), stride_of(user), 0))
        return false;
    }
  }
  return s->index != MIXED;
}

/* Puts the stores in the order of the program, as long as all stand in the one block. */
static bool sort_pieces(site *s) {
  MlirBlock block = uw_null(s->branch) ? mlirOperationGetBlock(s->atomic) : uw_block(s->branch, s->arm);
  size_t next = 0;
  if (mlirBlockIsNull(block) || s->piece_count == 0)
    return false;
  uw_foreach_op (op, block)
    for (size_t i = next; i < s->piece_count; i++)
      if (uw_same_op(s->pieces[i].store, op)) {
        piece found = s->pieces[i];
        s->pieces[i] = s->pieces[next];
        s->pieces[next++] = found;
        break;
      }
  return next == s->piece_count;
}

static bool overlap(const piece *a, const piece *b) { return a->at < b->at + b->bytes && b->at < a->at + a->bytes; }

/* Which arrays are filled, each with whole elements and once. */
static bool find_arrays(site *s) {
  int64_t filled[MOST_ARRAYS] = {0}, all = 0;
  for (size_t i = 0; i < s->piece_count; i++) {
    piece *p = &s->pieces[i];
    size_t number = 0;
    while (number < s->array_count && !(uw_same(s->arrays[number].to, p->to) && s->arrays[number].stride == p->stride))
      number++;
    if (number == MOST_ARRAYS || p->at + p->bytes > p->stride || p->stride > UW_APPENDS_LARGEST)
      return false;
    if (number == s->array_count)
      s->arrays[s->array_count++] = (array){p->to, p->stride, p->store};
    p->array = number;
    filled[number] += p->bytes;
    for (size_t k = 0; k < i; k++)
      if (s->pieces[k].array == number && overlap(&s->pieces[k], p))
        return false;
  }
  for (size_t i = 0; i < s->array_count; all += s->arrays[i++].stride)
    if (filled[i] != s->arrays[i].stride)
      return false;
  return all <= UW_APPENDS_LARGEST;
}

/* Has the thread used this very address before it comes to the branch? */
static bool was_used_before(MlirValue address, MlirOperation branch) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), around = branch;
    if (!uw_plain_access(user) || (uw_kind(user) == UW_OP_LLVM_STORE && uw_same(uw_operand(user, 0), address)))
      continue;
    while (!uw_null(around) && !mlirBlockEqual(mlirOperationGetBlock(around), mlirOperationGetBlock(user)))
      around = uw_parent(around);
    for (MlirOperation op = user; !uw_null(around) && !uw_null(op); op = uw_next(op))
      if (uw_same_op(op, around) && !uw_same_op(user, around))
        return true;
  }
  return false;
}

static bool is_of_site(const site *s, MlirOperation op) {
  for (size_t i = 0; i < s->piece_count; i++)
    if (uw_same_op(s->pieces[i].store, op))
      return true;
  return uw_ops_have(&s->addresses, op);
}

static bool can_leave_branch(const site *s, MlirOperation op) {
  if (mlirOperationGetNumRegions(op) > 0)
    return false;
  return uw_kind(op) == UW_OP_LLVM_LOAD ? uw_plain_access(op) && was_used_before(uw_operand(op, 0), s->branch)
                                        : uw_speculatable(op);
}

static MlirOperation place_of(const site *s) {
  return uw_null(s->branch) ? s->pieces[s->piece_count - 1].store : s->branch;
}

/* Is there no other atomic operation between, and does the branch hold nothing that must stay there? */
static bool stands_alone(const launch *l, const site *s) {
  for (MlirOperation op = uw_next(s->atomic); !uw_same_op(op, place_of(s)); op = uw_next(op)) {
    if (uw_null(op))
      return false;
    uw_ops inside = uw_collect(l->arena, op);
    for (size_t i = 0; i < inside.count; i++)
      if (uw_is_atomic(inside.at[i]))
        return false;
    if (uw_is_atomic(op))
      return false;
  }
  if (uw_null(s->branch))
    return true;
  MlirBlock block = uw_block(s->branch, s->arm);
  MlirOperation end = uw_last(block);
  uw_foreach_op (op, block)
    if (!uw_same_op(op, end) && !is_of_site(s, op) && !can_leave_branch(s, op))
      return false;
  return true;
}

/* The site of this operation; null if it is no append. */
static site *site_of(const launch *l, MlirOperation atomic) {
  if (uw_kind(atomic) != UW_OP_LLVM_ATOMICRMW || !uw_is_relaxed(atomic) || uw_unused(atomic) || !adds_one(atomic) ||
      !from_before(l, uw_operand(atomic, 0)))
    return NULL;
  site *s = uw_alloc(l->arena, sizeof *s);
  s->atomic = atomic;
  return take_uses(l, s, uw_result(atomic, 0), ANY) && sort_pieces(s) && find_arrays(s) && stands_alone(l, s) ? s
                                                                                                              : NULL;
}

/* --- all of a launch ---------------------------------------------------------------------------------------------- */

static bool same_value(MlirValue a, MlirValue b) { return a.ptr == b.ptr; } /* both null, too */

static bool fills_the_same(const site *a, const site *b) {
  if (a->array_count != b->array_count || a->index != b->index || !same_value(a->bound, b->bound) ||
      a->with_bound != b->with_bound ||
      !mlirTypeEqual(mlirValueGetType(uw_operand(a->atomic, 1)), mlirValueGetType(uw_operand(b->atomic, 1))))
    return false;
  for (size_t i = 0; i < a->array_count; i++)
    if (!uw_same(a->arrays[i].to, b->arrays[i].to) || a->arrays[i].stride != b->arrays[i].stride)
      return false;
  return true;
}

static void take_along(launch *l, site *s) {
  enum { MOST_SITES = sizeof l->queues->sites / sizeof *l->queues->sites }; /* bound */
  size_t number = 0;
  while (number < l->count && !uw_same(uw_operand(l->queues[number].sites[0]->atomic, 0), uw_operand(s->atomic, 0)))
    number++;
  if (number == MOST_QUEUES)
    return;
  queue *q = &l->queues[number];
  l->count += number == l->count;
  if (q->count == MOST_SITES || (q->count > 0 && !fills_the_same(q->sites[0], s))) {
    q->refused = true;
    return;
  }
  q->sites[q->count++] = s;
  uw_table_set(l->owner, s->atomic.ptr, (intptr_t)number + 1);
  for (size_t i = 0; i < s->piece_count; i++)
    uw_table_set(l->owner, s->pieces[i].store.ptr, (intptr_t)number + 1);
}

/* Sorts what the blocks touch; false if something in them may tell others how far they are. */
static bool look_at_accesses(launch *l) {
  uw_accesses inside = {0};
  if (uw_collect_kind(l->arena, l->grid, UW_OP_BARRIER).count) /* of the grid or a team */
    return false;
  uw_accesses_inside(l->arena, l->grid, &inside);
  for (size_t i = 0; i < inside.count; i++) {
    MlirOperation op = inside.at[i].op;
    bool atomic = uw_is_atomic(op);
    if (uw_is_silent(op) || ((atomic || uw_plain_access(op)) && uw_is_of_block(op)))
      continue;
    if (inside.at[i].anywhere || (atomic && !uw_is_relaxed(op)))
      return false;
    uw_accesses_push(l->arena, &l->all, inside.at[i]);
    site *s = atomic ? site_of(l, op) : NULL;
    if (s)
      take_along(l, s);
  }
  return l->count > 0;
}

/* Are the two different objects, or may the launch ask whether they are? */
static bool lie_apart(launch *l, const uw_access *a, const uw_access *b) {
  MlirValue base_a = a->address.base, base_b = b->address.base;
  if (uw_bases_distinct(l->grid, a, b))
    return true;
  if (uw_same(base_a, base_b) || !from_before(l, base_a) || !from_before(l, base_b))
    return false;
  for (size_t i = 0; i < l->pair_count; i++)
    if ((uw_same(l->pairs[i].a, base_a) && uw_same(l->pairs[i].b, base_b)) ||
        (uw_same(l->pairs[i].a, base_b) && uw_same(l->pairs[i].b, base_a)))
      return true;
  if (l->pair_count == MOST_PAIRS)
    return false;
  l->pairs[l->pair_count++] = (pair){base_a, base_b};
  return true;
}

static uw_access access_of(MlirOperation op, MlirValue address) {
  return (uw_access){.op = op, .reads = true, .writes = true, .address = uw_address_of(address)};
}

/* The counter, and the arrays after it. */
static uw_access face_of(const queue *q, size_t number) {
  const site *s = q->sites[0];
  if (number == 0)
    return access_of(s->atomic, uw_operand(s->atomic, 0));
  return access_of(s->arrays[number - 1].store, s->arrays[number - 1].to);
}

static bool nobody_else_there(launch *l, size_t number) {
  const queue *q = &l->queues[number];
  size_t faces = 1 + q->sites[0]->array_count;
  for (size_t f = 0; f < faces; f++) {
    uw_access own = face_of(q, f);
    for (size_t i = 0; i < l->all.count; i++)
      if (uw_table_get(l->owner, l->all.at[i].op.ptr) != (intptr_t)number + 1 && !lie_apart(l, &own, &l->all.at[i]))
        return false;
    for (size_t k = 0; k < f; k++) {
      uw_access other = face_of(q, k);
      if (!lie_apart(l, &own, &other))
        return false;
    }
  }
  return true;
}

static bool refuse_meetings(launch *l) {
  bool any = false;
  for (size_t i = 0; i < l->count; i++) {
    size_t pairs = l->pair_count;
    l->queues[i].refused = l->queues[i].refused || !nobody_else_there(l, i);
    if (l->queues[i].refused)
      l->pair_count = pairs;
    any = any || !l->queues[i].refused;
  }
  return any;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static int64_t room_of(const site *s) {
  int64_t each = 0;
  for (size_t i = 0; i < s->array_count; i++)
    each += s->arrays[i].stride;
  return UW_APPENDS_BUFFER / each < UW_APPENDS_MOST_ROOM ? UW_APPENDS_BUFFER / each : UW_APPENDS_MOST_ROOM;
}

/* Where the piece of each array's first element lies in the buffer. */
static int64_t start_of(const site *s, size_t number) {
  int64_t start = UWRT_APPENDS_HEAD;
  for (size_t i = 0; i < number; i++)
    start += (s->arrays[i].stride * room_of(s) + 63) / 64 * 64;
  return start;
}

/* As an integer of 64 bits, extended as the slots are. */
static MlirValue bound_of(uw_builder *b, const site *s) {
  if (uw_null(s->branch))
    return uw_const_int(b, 64, s->index == SIGNED ? INT64_MAX : -1);
  MlirType i64 = uw_int_type(b->context, 64);
  if (mlirTypeEqual(mlirValueGetType(s->bound), i64))
    return s->bound;
  MlirValue wide =
      uw_build1(b, s->index == SIGNED ? "arith.extsi" : "arith.extui", .in = VALS(s->bound), .out = TYPES(i64));
  return s->with_bound ? uw_binary(b, "arith.addi", wide, uw_const_int(b, 64, 1)) : wide;
}

static MlirValue build_queue(const launch *l, const queue *q) {
  const site *s = q->sites[0];
  uw_builder b = uw_at_start(uw_block(l->grid, 0), mlirOperationGetLocation(s->atomic));
  uw_builder before = uw_at(l->grid);
  MlirValue in[2 + MOST_ARRAYS] = {uw_operand(s->atomic, 0), bound_of(&before, s)};
  int64_t strides[MOST_ARRAYS], starts[MOST_ARRAYS];
  for (size_t i = 0; i < s->array_count; i++) {
    in[2 + i] = s->arrays[i].to;
    strides[i] = s->arrays[i].stride;
    starts[i] = start_of(s, i);
  }
  intptr_t count = (intptr_t)s->array_count;
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(s->atomic, 1)));
  MlirOperation op =
      uw_build_op(&b, "unwarp.queue",
                  (uw_op_spec){.in = {in, 2 + s->array_count},
                               .out = TYPES(uw_ptr_type(b.context)),
                               .attrs = ATTRS({"bits", uw_int_attr(b.context, 64, bits)},
                                              {"signed", uw_int_attr(b.context, 64, s->index == SIGNED)},
                                              {"room", uw_int_attr(b.context, 64, room_of(s))},
                                              {"bytes", uw_int_attr(b.context, 64, start_of(s, s->array_count))},
                                              {"strides", mlirDenseI64ArrayGet(b.context, count, strides)},
                                              {"starts", mlirDenseI64ArrayGet(b.context, count, starts)})});
  return uw_result(op, 0);
}

static void leave_branch(const site *s) {
  MlirBlock block = uw_block(s->branch, s->arm);
  MlirOperation end = uw_last(block);
  uw_foreach_op_safe (op, block)
    if (!uw_same_op(op, end) && !is_of_site(s, op))
      uw_move_before(op, s->branch);
}

static void build_append(const launch *l, MlirValue own, const site *s) {
  if (!uw_null(s->branch))
    leave_branch(s);
  uw_builder b = uw_at(place_of(s));
  for (size_t i = 0; i < s->piece_count; i++) {
    const piece *p = &s->pieces[i];
    uw_build(&b, "unwarp.put", .in = VALS(own, uw_operand(p->store, 0)),
             .attrs = ATTRS({"place", uw_int_attr(b.context, 64, start_of(s, p->array) + p->at)},
                            {"stride", uw_int_attr(b.context, 64, p->stride)}));
  }
  uw_build(&b, "unwarp.append", .in = VALS(own), .attrs = ATTRS({"room", uw_int_attr(b.context, 64, room_of(s))}));
  uw_remark(mlirOperationGetLocation(s->atomic), "appends",
            "append to a queue: each worker gathers %d elements before it takes positions%s", (int)room_of(s),
            l->pair_count ? ", where the queue shares no allocation with what the kernel reads" : "");
  for (size_t i = 0; i < s->piece_count; i++)
    uw_erase(s->pieces[i].store);
  for (size_t i = s->addresses.count; i-- > 0;)
    uw_erase(s->addresses.at[i]);
  if (!uw_null(s->branch)) {
    uw_erase(s->branch);
    uw_erase(s->compare);
  }
  uw_erase(s->atomic);
}

static MlirValue object_of(uw_builder *b, uw_map *objects, MlirValue base) {
  MlirValue known = uw_map_get(objects, base);
  if (known.ptr)
    return known;
  known = uw_result(uw_call(b, "uwrt_object", VALS(base), uw_int_type(b->context, 64)), 0);
  uw_map_set(objects, base, known);
  return known;
}

/* if (each pair in allocations of its own) grid; else the grid as it was */
static void make_versions(const launch *l) {
  uw_builder b = uw_at(l->grid);
  MlirOperation module = l->grid;
  while (!uw_null(uw_parent(module)))
    module = uw_parent(module);
  uw_declare(mlirModuleFromOperation(module), "uwrt_object", "!llvm.func<i64 (ptr)>");
  uw_map *objects = uw_map_create(l->arena);
  MlirValue apart = {NULL};
  for (size_t i = 0; i < l->pair_count; i++) {
    MlirValue left = object_of(&b, objects, l->pairs[i].a), right = object_of(&b, objects, l->pairs[i].b);
    MlirValue differ = uw_compare(&b, UW_NE, left, right);
    apart = apart.ptr ? uw_binary(&b, "arith.andi", apart, differ) : differ;
  }
  uw_set_attr(l->grid, DONE, mlirUnitAttrGet(b.context));
  uw_make_versions(l->arena, &b, .asked = apart, .first = l->grid);
}

uw_change uw_pass_appends(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_level(ctx->arena, root, "grid");
  for (size_t i = 0; i < loops.count; i++) {
    launch *l = uw_alloc(ctx->arena, sizeof *l);
    /* A queue that is there: its addresses have to differ from all others too, and are no accesses any more. */
    *l = (launch){.arena = ctx->arena, .grid = loops.at[i], .owner = uw_table_create(ctx->arena)};
    if (!mlirAttributeIsNull(uw_get_attr(l->grid, DONE)) || !mlirAttributeIsNull(uw_get_attr(l->grid, UW_TEAM)) ||
        uw_collect_kind(ctx->arena, l->grid, UW_OP_QUEUE).count != 0 ||
        uw_collect_kind(ctx->arena, l->grid, UW_OP_LLVM_ATOMICRMW).count == 0)
      continue;
    if (!look_at_accesses(l) || !refuse_meetings(l) ||
        (l->pair_count && uw_collect(ctx->arena, l->grid).count > UW_APPENDS_MOST_OPS))
      continue;
    if (l->pair_count)
      make_versions(l);
    for (size_t k = 0; k < l->count; k++) {
      if (l->queues[k].refused)
        continue;
      MlirValue own = build_queue(l, &l->queues[k]);
      for (size_t m = 0; m < l->queues[k].count; m++)
        build_append(l, own, l->queues[k].sites[m]);
    }
    change = UW_CHANGED;
  }
  return change;
}
