/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Counts in several tables. Threads that count in one small table of shared memory, as for a histogram, often meet at a
 * hot address: then each addition waits until the one before is in memory. Additions that follow each other go to
 * tables of their own, which are added up after the loop.
 *
 *   for … parallel %x {                              more = 0
 *     atomic add %s[%a], 1                           for … parallel %x {
 *     atomic add %s[%b], 1               ==>           atomic add %s[%a], 1
 *   }                                                  atomic add more[%b], 1
 *                                                    }
 *                                                    %s[i] += more[i]        for all i
 *
 * Done when a) the shared array has a constant size of at most UW_MOST_TALLY bytes, one worker alone has it, and nobody
 * else leads a pointer to it; b) all that the loop does to it are two or more atomic additions of integers of one type,
 * at addresses computed from the array, whose results nobody uses; c) they stand in a thread loop inside of a serial
 * one, so that there are many.
 *
 * Legal because sums of integers, modulo the width of their type, are the same in any order, nobody looks at the array
 * before the loop is done, and what was in it is not touched but added to.
 *
 * Requires: barriers lowered (the threads of the loop are all of the block), coalesce-strided. Preserves: what is in memory
 * after the loop. Refuses: the rest, silently: floating-point sums, which would change, among them. */
#include "../../analysis/thresholds.h"
#include "../../analysis/bases.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

enum { TABLES = 4, ADD = 1, MOST_SITES = 32 };

typedef struct counting {
  MlirOperation array, loop; /* the loop: beside the array */
  int64_t bytes;
  MlirType type;
  MlirOperation sites[MOST_SITES]; /* in the order of the program */
  size_t count;
} counting;

/* Does the op stand in a thread loop that stands in a serial loop, below the outermost one of these? */
static bool is_made_often(MlirOperation op, MlirOperation outermost) {
  bool in_threads = false;
  for (MlirOperation at = uw_parent(op);; at = uw_parent(at)) {
    in_threads = in_threads || uw_kind(at) == UW_OP_SCF_FORALL;
    if (in_threads && (uw_kind(at) == UW_OP_SCF_FOR || uw_kind(at) == UW_OP_SCF_WHILE))
      return true;
    if (uw_same_op(at, outermost))
      return false;
  }
}

static bool is_addition(const counting *c, MlirOperation op) {
  MlirType type = uw_kind(op) == UW_OP_LLVM_ATOMICRMW ? mlirValueGetType(uw_operand(op, 1)) : (MlirType){NULL};
  return uw_kind(op) == UW_OP_LLVM_ATOMICRMW && uw_get_int_attr(op, "bin_op", -1) == ADD && uw_unused(op) &&
         mlirTypeIsAInteger(type) && mlirAttributeIsNull(uw_get_attr(op, "volatile_")) &&
         (c->count == 0 || mlirTypeEqual(type, c->type)) && is_made_often(op, c->loop);
}

/* All that the loop does to the array, through address arithmetic. False if there is more than additions. */
static bool only_adds(counting *c, MlirValue address) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_GEP) {
      if (!only_adds(c, uw_result(user, 0)))
        return false;
    } else if (uw_inside(user, c->loop)) {
      if (!is_addition(c, user) || c->count == MOST_SITES)
        return false;
      c->type = mlirValueGetType(uw_operand(user, 1));
      c->sites[c->count++] = user;
    }
  }
  return true;
}

/* The same address in another table. */
static MlirValue moved(uw_arena *arena, uw_builder *b, MlirValue address, MlirValue from, MlirValue to) {
  if (uw_same(address, from))
    return to;
  uw_map *map = uw_map_create(arena);
  MlirValue base = uw_operand(uw_def(address), 0);
  uw_map_set(map, base, moved(arena, b, base, from, to));
  return uw_result(uw_clone(b, uw_def(address), map), 0);
}

/* for (i = 0 to count) at b, and its counter as an integer of 64 bits; b goes into the loop. */
static MlirValue each_element(uw_builder *b, int64_t count) {
  MlirOperation loop =
      uw_build_for(b, uw_const_index(b, 0), uw_const_index(b, count), uw_const_index(b, 1), (uw_value_list){0});
  uw_yield(uw_block(loop, 0), b->location, (uw_value_list){0});
  *b = uw_at_end(uw_block(loop, 0), b->location);
  return uw_build1(b, "arith.index_cast", .in = VALS(mlirBlockGetArgument(uw_block(loop, 0), 0)),
                   .out = TYPES(uw_int_type(b->context, 64)));
}

static void part(uw_arena *arena, const counting *c) {
  uw_builder at_array = uw_after(c->array), before = uw_at(c->loop), after = uw_after(c->loop);
  unsigned bits = mlirIntegerTypeGetWidth(c->type);
  MlirType pointer = uw_ptr_type(before.context);
  int64_t elements = c->bytes / (bits / 8);
  MlirValue tables[TABLES] = {uw_result(c->array, 0)};
  size_t count = c->count < TABLES ? c->count : TABLES;
  MlirValue bytes = uw_const_int(&at_array, 64, c->bytes);
  for (size_t t = 1; t < count; t++)
    tables[t] = uw_build1(&at_array, "unwarp.shared", .in = VALS(bytes), .out = TYPES(pointer),
                          .attrs = ATTRS({"alignment", uw_get_attr(c->array, "alignment")}));
  MlirValue zero = uw_const_int(&before, bits, 0), index = each_element(&before, elements);
  for (size_t t = 1; t < count; t++)
    uw_build(&before, "llvm.store", .in = VALS(zero, uw_add_elements(&before, tables[t], c->type, index)));
  for (size_t i = 0; i < c->count; i++) {
    uw_builder b = uw_at(c->sites[i]);
    if (i % count != 0)
      mlirOperationSetOperand(c->sites[i], 0,
                              moved(arena, &b, uw_operand(c->sites[i], 0), tables[0], tables[i % count]));
  }
  index = each_element(&after, elements);
  MlirValue own = uw_add_elements(&after, tables[0], c->type, index);
  MlirValue sum = uw_build1(&after, "llvm.load", .in = VALS(own), .out = TYPES(c->type));
  for (size_t t = 1; t < count; t++)
    sum = uw_binary(&after, "arith.addi", sum,
                    uw_build1(&after, "llvm.load", .in = VALS(uw_add_elements(&after, tables[t], c->type, index)),
                              .out = TYPES(c->type)));
  uw_build(&after, "llvm.store", .in = VALS(sum, own));
}

#define DONE "unwarp.tables" /* a loop that counts in several already */

/* In the order of the program. */
static void sort_sites(uw_arena *arena, counting *c) {
  uw_ops ops = uw_collect_kind(arena, c->loop, UW_OP_LLVM_ATOMICRMW);
  size_t next = 0;
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = next; k < c->count; k++)
      if (uw_same_op(c->sites[k], ops.at[i])) {
        c->sites[k] = c->sites[next];
        c->sites[next++] = ops.at[i];
        break;
      }
}

static bool count_in_tables(uw_arena *arena, MlirOperation array) {
  counting c = {.array = array};
  bool change = false;
  if (!uw_const_value(uw_operand(array, 0), &c.bytes) || c.bytes > UW_MOST_TALLY ||
      !mlirAttributeIsNull(uw_get_attr(array, UW_TEAM)) || !mlirAttributeIsNull(uw_get_attr(array, "unwarp.window")) ||
      uw_is_captured(uw_result(array, 0)))
    return false;
  uw_ops beside = uw_block_ops(arena, mlirOperationGetBlock(array));
  for (size_t i = 0; i < beside.count; i++) {
    c.loop = beside.at[i];
    c.count = 0;
    if ((uw_kind(c.loop) != UW_OP_SCF_FOR && uw_kind(c.loop) != UW_OP_SCF_WHILE) ||
        !mlirAttributeIsNull(uw_get_attr(c.loop, DONE)) || !only_adds(&c, uw_result(array, 0)) || c.count < 2 ||
        c.bytes % (mlirIntegerTypeGetWidth(c.type) / 8) != 0)
      continue;
    sort_sites(arena, &c);
    uw_remark(mlirOperationGetLocation(c.loop), "privatize-counters",
              "counted in %d tables, which are added up after the loop", (int)(c.count < TABLES ? c.count : TABLES));
    part(arena, &c);
    uw_set_attr(c.loop, DONE, mlirUnitAttrGet(mlirOperationGetContext(c.loop)));
    change = true;
  }
  return change;
}

uw_change uw_pass_privatize_counters(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_kind(ctx->arena, root, UW_OP_SHARED), count_in_tables);
}
