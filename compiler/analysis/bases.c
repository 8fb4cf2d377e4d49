/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where addresses come from, and when two cannot lead to the same object: see bases.h.
 *
 * Two bases are distinct when
 *   a) both are objects (unwarp.shared, unwarp.slot, llvm.alloca, a global) and not the same one;
 *   b) one is an object made inside the launch, and the other a pointer from before it;
 *   c) one is such an object that is never captured, and the other any pointer that is not computed from it;
 *   d) both are pointers that the launching function got from allocations of their own (uw_allocation_of), perhaps
 *      swapped in a loop (distinct_allocations);
 *   e) one comes from a __restrict__ parameter of the kernel or an accessor (raise/restrict.c), and the other from
 *      another parameter or object;
 *   f) one is a load marked unwarp.readonly (constant memory, __ldg; raise/spaces.c), and the other one starts from
 *      elsewhere, as far as is seen: no kernel writes that memory while it runs. */
#include "bases.h"

#include "uniformity.h"

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

bool uw_uses_of(uw_arena *arena, MlirValue address, uw_ops *users) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    switch (uw_kind(user)) {
    case UW_OP_LLVM_STORE:
      if (uw_same(uw_operand(user, 0), address))
        return false;
      break;
    case UW_OP_LLVM_LOAD:
    case UW_OP_LLVM_LIFETIME_START:
    case UW_OP_LLVM_LIFETIME_END: break;
    case UW_OP_LLVM_GEP:
    case UW_OP_LLVM_BITCAST:
    case UW_OP_LLVM_ADDRSPACECAST:
      if (!uw_uses_of(arena, uw_result(user, 0), users))
        return false;
      break;
    default:
      if (!uw_name_starts(user, "llvm.intr.mem"))
        return false;
    }
    uw_ops_push(arena, users, user);
  }
  return true;
}

/* What stands in front of all parallel loops is the launching function's: a kernel that is handed it, registered,
 * shares it. */
bool uw_is_private(MlirOperation maker) {
  return uw_kind(maker) == UW_OP_LLVM_ALLOCA && !uw_null(uw_parent_of_kind(maker, UW_OP_SCF_FORALL));
}

bool uw_is_made_inside(MlirOperation maker) {
  return uw_is_private(maker) || uw_kind(maker) == UW_OP_SHARED || uw_kind(maker) == UW_OP_SLOT;
}

bool uw_leads_to_array(MlirValue address) {
  uw_kind_t root = uw_kind(uw_address_root(address));
  return root != UW_OP_SLOT && root != UW_OP_SHARED && root != UW_OP_LLVM_ALLOCA && root != UW_OP_LLVM_ADDRESSOF;
}

MlirOperation uw_allocation_of(MlirValue base) {
  static const char *const allocators[] = {
      "cudaMalloc",      "cudaMallocManaged", "cudaMallocHost",         "cudaHostAlloc",
      "cudaMallocPitch", "cudaMallocAsync",   "cudaMallocFromPoolAsync"};
  MlirOperation none = {NULL}, load = uw_def(base);
  if (uw_kind(load) == UW_OP_LLVM_CALL) {
    MlirAttribute results = uw_get_attr(load, "res_attrs");
    bool fresh = !mlirAttributeIsNull(results) && mlirArrayAttrGetNumElements(results) == 1 &&
                 !mlirAttributeIsNull(
                     mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(results, 0), uw_str("llvm.noalias")));
    return fresh ? load : none;
  }
  MlirOperation variable = uw_kind(load) == UW_OP_LLVM_LOAD ? uw_def(uw_operand(load, 0)) : none;
  if (uw_kind(variable) != UW_OP_LLVM_ALLOCA)
    return none;
  for (MlirOpOperand use = mlirValueGetFirstUse(uw_result(variable, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool allocates = false;
    if ((uw_kind(user) == UW_OP_LLVM_CALL || uw_kind(user) == UW_OP_LLVM_INVOKE) &&
        mlirOpOperandGetOperandNumber(use) == 0)
      for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
        allocates = allocates || uw_string_is(uw_get_str_attr(user, "callee"), allocators[i]);
    if (!allocates && uw_kind(user) != UW_OP_LLVM_LOAD && uw_kind(user) != UW_OP_LLVM_LIFETIME_START &&
        uw_kind(user) != UW_OP_LLVM_LIFETIME_END)
      return none;
  }
  return variable;
}

/* --- pointers that the launching function exchanges --------------------------------------------------------------- */

enum { MOST_PAIRS = 32 };

/* Pairs that are taken to be distinct while what leads to them is looked at: it is enough that no way into the pair
 * makes them the same, as long as all ways start from distinct ones. */
typedef struct pairs {
  MlirValue a[MOST_PAIRS], b[MOST_PAIRS];
  bool together[MOST_PAIRS];
  size_t count;
} pairs;

/* The value that a branch at the end of `from` hands to argument `index` of `to`; *ways counts the edges. */
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

/* Do the two never hold the same allocation? together: at the same time; otherwise at any two times. A loop that swaps
 * two buffers swaps them at the same time. */
static bool distinct_allocations(MlirValue a, MlirValue b, bool together, pairs *seen) {
  a = uw_address_of(a).base;
  b = uw_address_of(b).base;
  MlirOperation from_a = uw_allocation_of(a), from_b = uw_allocation_of(b);
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
    if (own_ways > (together ? 2u : 1u) || !next_a.ptr || !next_b.ptr ||
        !distinct_allocations(next_a, next_b, together, seen))
      return false;
    ways++;
  }
  return ways > 0;
}

/* One of the two comes from a __restrict__ parameter (raise/launch.c marks the accesses), and the other surely does
 * not. */
static const char *restrict_apart(MlirOperation launch, const uw_access *a, const uw_access *b) {
  int64_t from_a = uw_get_int_attr(a->op, "unwarp.restrict", 0), from_b = uw_get_int_attr(b->op, "unwarp.restrict", 0);
  if (from_a == from_b || (!from_a && uw_defined_inside(a->address.base, launch)) ||
      (!from_b && uw_defined_inside(b->address.base, launch)))
    return NULL;
  if (from_a < 0 && from_b < 0)
    return "accessors of different memory";
  return from_a < 0 || from_b < 0 ? "memory that only an accessor leads to" : "__restrict__";
}

/* Where both start from the same, as in __ldg(a + i) beside a[i] = x, the program breaks the promise. */
static bool is_readonly(const uw_access *access) {
  return uw_kind(access->op) == UW_OP_LLVM_LOAD && !mlirAttributeIsNull(uw_get_attr(access->op, "unwarp.readonly"));
}

const char *uw_why_distinct(MlirOperation launch, const uw_access *access_a, const uw_access *access_b) {
  MlirValue a = access_a->address.base, b = access_b->address.base;
  MlirOperation maker_a = uw_def(a), maker_b = uw_def(b);
  bool inside_a = uw_is_made_inside(maker_a), inside_b = uw_is_made_inside(maker_b);
  bool global_a = uw_kind(maker_a) == UW_OP_LLVM_ADDRESSOF, global_b = uw_kind(maker_b) == UW_OP_LLVM_ADDRESSOF;
  if (uw_same(a, b))
    return NULL;
  if (inside_a && inside_b)
    return "different objects";
  if (global_a && global_b) {
    bool same = mlirAttributeEqual(uw_get_attr(maker_a, "global_name"), uw_get_attr(maker_b, "global_name"));
    return same ? NULL : "different globals";
  }
  if (is_readonly(access_a) || is_readonly(access_b))
    return "memory that no kernel writes";
  if (!inside_a && !inside_b) {
    if (!uw_defined_inside(a, launch) && !uw_defined_inside(b, launch) &&
        distinct_allocations(a, b, true, &(pairs){.count = 0}))
      return "allocations of their own in the launching function";
    return restrict_apart(launch, access_a, access_b);
  }
  MlirValue object = inside_a ? a : b, other = inside_a ? b : a;
  if (global_a || global_b)
    return "a global and an object of the launch";
  if (!uw_defined_inside(other, launch))
    return "an object of the launch and a pointer from before it";
  return uw_is_captured(object) ? NULL : "an object of the launch that no pointer leads to";
}

bool uw_bases_distinct(MlirOperation launch, const uw_access *a, const uw_access *b) {
  return uw_why_distinct(launch, a, b) != NULL;
}
