/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Phases of a kernel: classes of accesses that control flow may connect without a barrier of the block on the way. One
 * walk through the structured code gives each access the phase that is current there; a barrier begins a new one, and
 * where ways meet, after a branch or at a loop's end, their phases become one.
 *
 *   for { store; barrier; load; barrier }    ==>    { store } and { load }: what follows the second barrier is the next iteration's start
 *
 * Barriers are supposed to be reached by all threads, which the class sync looks at. */
#include "phases.h"

#include "../analysis/exchange.h"

typedef struct phase {
  int parent;
  uw_ops writes; /* operations that may write shared memory */
} phase;

struct uw_phases {
  uw_arena *arena;
  phase *at;
  size_t count, capacity;
  uw_table *of; /* access -> phase + 1 */
};

static int fresh(uw_phases *p) {
  p->at = uw_grow(p->arena, p->at, p->count, &p->capacity, sizeof *p->at);
  p->at[p->count] = (phase){.parent = (int)p->count};
  return (int)p->count++;
}

static int root_of_phase(uw_phases *p, int which) {
  while (p->at[which].parent != which)
    which = p->at[which].parent;
  return which;
}

static void join(uw_phases *p, int one, int other) {
  one = root_of_phase(p, one), other = root_of_phase(p, other);
  if (one != other)
    p->at[other].parent = one;
}

static bool may_write(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_STORE:
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG:
  case UW_OP_LLVM_CALL: return true;
  default: return uw_name_starts(op, "llvm.intr.mem");
  }
}

/* The phase after the block. */
static int walk(uw_phases *p, MlirBlock block, int current) {
  uw_foreach_op (op, block) {
    if (uw_is_exchange(op, "block")) {
      current = fresh(p);
      continue;
    }
    uw_table_set(p->of, op.ptr, current + 1);
    if (may_write(op))
      uw_ops_push(p->arena, &p->at[current].writes, op);
    int end = current;
    bool is_loop = uw_kind(op) == UW_OP_SCF_FOR || uw_kind(op) == UW_OP_SCF_WHILE, any = false;
    for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
         region = mlirRegionGetNextInOperation(region))
      for (MlirBlock inner = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(inner);
           inner = mlirBlockGetNextInRegion(inner)) {
        int after = walk(p, inner, is_loop && any ? end : current);
        if (any && !is_loop)
          join(p, end, after);
        end = after;
        any = true;
      }
    if (any) { /* a loop comes back, a branch may not be taken */
      join(p, current, end);
      current = end;
    }
  }
  return current;
}

uw_phases *uw_find_phases(uw_arena *arena, MlirOperation block_loop) {
  uw_phases *p = uw_alloc(arena, sizeof *p);
  p->arena = arena;
  p->of = uw_table_create(arena);
  walk(p, uw_block(block_loop, 0), fresh(p));
  return p;
}

static MlirOperation base_of(MlirValue address) {
  MlirOperation op = uw_def(address);
  while (uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST)
    op = uw_def(uw_operand(op, 0));
  return op;
}

/* What a parameter or a variable holds leads to other memory than the block's own. */
static bool may_touch(MlirOperation write, MlirOperation shared) {
  uw_kind_t kind = uw_kind(write);
  if (kind != UW_OP_LLVM_STORE && kind != UW_OP_LLVM_ATOMICRMW && kind != UW_OP_LLVM_CMPXCHG)
    return true;
  MlirOperation base = base_of(uw_operand(write, kind == UW_OP_LLVM_STORE ? 1 : 0));
  switch (uw_kind(base)) {
  case UW_OP_SHARED: return uw_same_op(base, shared);
  case UW_OP_LLVM_ALLOCA:
  case UW_OP_LLVM_ADDRESSOF: return false;
  case UW_OP_LLVM_LOAD:
    return uw_null(uw_parent_of_kind(base, UW_OP_FUNC)) || !uw_null(uw_parent_of_kind(base, UW_OP_SCF_FORALL));
  default: return true;
  }
}

bool uw_is_only_read(uw_phases *p, MlirOperation load, MlirOperation shared) {
  intptr_t found = uw_table_get(p->of, load.ptr);
  if (!found)
    return false;
  int own = root_of_phase(p, (int)found - 1);
  for (size_t i = 0; i < p->count; i++)
    for (size_t k = 0; root_of_phase(p, (int)i) == own && k < p->at[i].writes.count; k++)
      if (may_touch(p->at[i].writes.at[k], shared))
        return false;
  return true;
}
