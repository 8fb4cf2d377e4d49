/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which atomic additions are appends: see append_site.h. */
#include "append_site.h"

#include "../../analysis/thresholds.h"
#include "../passes.h"
#include "grid_atomics.h"

typedef struct search {
  uw_arena *arena;
  MlirOperation grid;
} search;

static uw_append_index join(uw_append_index a, uw_append_index b) {
  return a == UW_INDEX_ANY ? b : b == UW_INDEX_ANY || a == b ? a : UW_INDEX_MIXED;
}

static bool from_before(const search *l, MlirValue value) { return !uw_defined_inside(value, l->grid); }

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

static bool take_store(uw_append_site *s, MlirOperation store, MlirValue address, MlirValue to, int64_t stride,
                       int64_t at) {
  int64_t bytes =
      uw_plain_access(store) && uw_same(uw_operand(store, 1), address) && !uw_same(uw_operand(store, 0), address)
          ? bytes_stored(mlirValueGetType(uw_operand(store, 0)))
          : 0;
  if (bytes == 0 || s->piece_count == UW_APPEND_MOST_PIECES)
    return false;
  s->pieces[s->piece_count++] = (uw_append_piece){.store = store, .to = to, .stride = stride, .at = at, .bytes = bytes};
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
static bool take_element(uw_arena *arena, uw_append_site *s, MlirValue address, MlirValue to, int64_t stride,
                         int64_t at) {
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

static bool take_bound(const search *l, uw_append_site *s, MlirOperation compare, MlirValue old) {
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
  s->index = join(s->index, at.is_signed ? UW_INDEX_SIGNED : UW_INDEX_UNSIGNED);
  return uw_kind(s->branch) == UW_OP_SCF_IF && uw_result_count(s->branch) == 0 &&
         mlirBlockEqual(mlirOperationGetBlock(s->branch), mlirOperationGetBlock(s->atomic)) &&
         uw_is_empty(uw_block(s->branch, 1 - s->arm));
}

/* Follows the operation's result, extended as said. */
static bool take_uses(const search *l, uw_append_site *s, MlirValue value, uw_append_index how) {
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
      if (!take_uses(l, s, uw_result(user, 0), bits == 32 ? is_signed ? UW_INDEX_SIGNED : UW_INDEX_UNSIGNED : how))
        return false;
    } else if (kind == UW_OP_ARITH_CMPI && uw_same(value, uw_result(s->atomic, 0))) {
      if (!take_bound(l, s, user, value))
        return false;
    } else {
      if (!is_simple_address(user, 2) || !uw_same(uw_operand(user, 1), value) || !from_before(l, uw_operand(user, 0)))
        return false;
      s->index = join(s->index, bits == 32 ? UW_INDEX_SIGNED : how);
      uw_ops_push(l->arena, &s->addresses, user);
      if (!take_element(l->arena, s, uw_result(user, 0), uw_operand(user, 0), stride_of(user), 0))
        return false;
    }
  }
  return s->index != UW_INDEX_MIXED;
}

/* Puts the stores in the order of the program, as long as all stand in the one block. */
static bool sort_pieces(uw_append_site *s) {
  MlirBlock block = uw_null(s->branch) ? mlirOperationGetBlock(s->atomic) : uw_block(s->branch, s->arm);
  size_t next = 0;
  if (mlirBlockIsNull(block) || s->piece_count == 0)
    return false;
  uw_foreach_op (op, block)
    for (size_t i = next; i < s->piece_count; i++)
      if (uw_same_op(s->pieces[i].store, op)) {
        uw_append_piece found = s->pieces[i];
        s->pieces[i] = s->pieces[next];
        s->pieces[next++] = found;
        break;
      }
  return next == s->piece_count;
}

static bool overlap(const uw_append_piece *a, const uw_append_piece *b) {
  return a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

/* Which arrays are filled, each with whole elements and once. */
static bool find_arrays(uw_append_site *s) {
  int64_t filled[UW_APPEND_MOST_ARRAYS] = {0}, all = 0;
  for (size_t i = 0; i < s->piece_count; i++) {
    uw_append_piece *p = &s->pieces[i];
    size_t number = 0;
    while (number < s->array_count && !(uw_same(s->arrays[number].to, p->to) && s->arrays[number].stride == p->stride))
      number++;
    if (number == UW_APPEND_MOST_ARRAYS || p->at + p->bytes > p->stride || p->stride > UW_APPENDS_LARGEST)
      return false;
    if (number == s->array_count)
      s->arrays[s->array_count++] = (uw_append_array){p->to, p->stride, p->store};
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

bool uw_is_of_append(const uw_append_site *s, MlirOperation op) {
  for (size_t i = 0; i < s->piece_count; i++)
    if (uw_same_op(s->pieces[i].store, op))
      return true;
  return uw_ops_have(&s->addresses, op);
}

static bool can_leave_branch(const uw_append_site *s, MlirOperation op) {
  if (uw_region_count(op) > 0)
    return false;
  return uw_kind(op) == UW_OP_LLVM_LOAD ? uw_plain_access(op) && was_used_before(uw_operand(op, 0), s->branch)
                                        : uw_speculatable(op);
}

MlirOperation uw_append_place(const uw_append_site *s) {
  return uw_null(s->branch) ? s->pieces[s->piece_count - 1].store : s->branch;
}

/* Is there no other atomic operation between, and does the branch hold nothing that must stay there? */
static bool stands_alone(const search *l, const uw_append_site *s) {
  for (MlirOperation op = uw_next(s->atomic); !uw_same_op(op, uw_append_place(s)); op = uw_next(op)) {
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
    if (!uw_same_op(op, end) && !uw_is_of_append(s, op) && !can_leave_branch(s, op))
      return false;
  return true;
}

uw_append_site *uw_append_site_of(uw_arena *arena, MlirOperation grid, MlirOperation atomic) {
  const search all = {arena, grid}, *l = &all;
  if (uw_kind(atomic) != UW_OP_LLVM_ATOMICRMW || !uw_is_relaxed(atomic) || uw_unused(atomic) || !adds_one(atomic) ||
      !from_before(l, uw_operand(atomic, 0)))
    return NULL;
  uw_append_site *s = uw_alloc(l->arena, sizeof *s);
  s->atomic = atomic;
  return take_uses(l, s, uw_result(atomic, 0), UW_INDEX_ANY) && sort_pieces(s) && find_arrays(s) && stands_alone(l, s)
             ? s
             : NULL;
}
