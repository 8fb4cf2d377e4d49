/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The second part of distribute-loops. Takes the elements of a thread in loops of their own, where a thread takes several
 * that are a block's width apart.
 * The row of threads would go through several pieces of the array by turns, which no prefetcher of the processor
 * follows from block to block; one after the other they are one stream.
 *
 *   parallel (%x) to (256) {                       parallel (%x) to (256)
 *     store f(load %p[%x]), %p[%x]        ==>        store f(load %p[%x]), %p[%x]
 *     store f(load %p[%x + 256]), %p[%x + 256] }   parallel (%x) to (256)
 *                                                    store f(load %p[%x + 256]), %p[%x + 256]
 *
 * Done when a) the loop holds nothing but plain loads and stores and pure operations, without branches, and is not the
 * one for the blocks at the border of the data (split_interior.c); b) what does not need each other (transform/distribute.h)
 * falls into parts of as many loads and stores each, which store; c) those of a part lie where those of the one before
 * it lie, in an array that is no memory of the block, all the same distance of UW_SHORTEST_STREAM to UW_LONGEST_PIECE
 * bytes further on; d) neighbours along x touch neighbouring elements.
 *
 * Legal as any parts are (transform/distribute.h): each thread keeps its own order of loads and stores, and threads do
 * not wait for each other.
 *
 * Requires: barriers lowered, split-interior. Preserves: each thread's order of effects. Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/exchange.h"
#include "../../analysis/uniformity.h"
#include "../../ir/remarks.h"
#include "../../transform/distribute.h"
#include "../passes.h"
#include "loop_bounds.h"

static bool is_store(MlirOperation op) { return uw_kind(op) == UW_OP_LLVM_STORE; }
static uw_address address_of(MlirOperation access) { return uw_address_of(uw_operand(access, is_store(access))); }
static MlirType type_of(MlirOperation access) {
  return mlirValueGetType(is_store(access) ? uw_operand(access, 0) : uw_result(access, 0));
}

/* An access of the whole row of threads to neighbouring elements of an array that outlives the block? */
static bool goes_along(MlirOperation loop, MlirOperation access) {
  if (!uw_plain_access(access) || !uw_same_op(uw_parent(access), loop))
    return false;
  uw_address at = address_of(access);
  uw_kind_t root = uw_kind(uw_address_root(uw_operand(access, is_store(access))));
  if (root == UW_OP_SLOT || root == UW_OP_SHARED || root == UW_OP_LLVM_ALLOCA || uw_defined_inside(at.base, loop))
    return false;
  MlirBlock body = uw_block(loop, 0);
  MlirValue x = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  return uw_goes_along(&at, x, (int64_t)uw_type_bytes(type_of(access)));
}

/* How many bytes after the first access the second one lies, which does the same; 0 if that is not known, or it does
 * something else. */
static int64_t after(MlirOperation first, MlirOperation second) {
  uw_address from = address_of(first), to = address_of(second);
  int64_t gap;
  bool alike = is_store(first) == is_store(second) && mlirTypeEqual(type_of(first), type_of(second));
  return alike && uw_gap_between(&from, &to, &gap) ? gap : 0;
}

/* Are the parts of one length, and does each do what the one before it does, further on? The statements of a part
 * follow each other. */
static bool follow_each_other(const uw_parts *all, size_t parts) {
  size_t length = all->count / parts;
  if (length * parts != all->count)
    return false;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].part != i / length || !goes_along(all->loop, all->at[i].op))
      return false;
  int64_t step = after(all->at[0].op, all->at[length].op);
  bool stores = false;
  for (size_t i = 0; i < all->count; i++) {
    if (i >= length && after(all->at[i - length].op, all->at[i].op) != step)
      return false;
    stores = stores || is_store(all->at[i].op);
  }
  return stores && step >= UW_SHORTEST_STREAM && step <= UW_LONGEST_PIECE;
}

bool uw_distribute_elements(uw_arena *arena, MlirOperation loop) {
  uw_parts all = {.arena = arena, .loop = loop};
  if (!mlirAttributeIsNull(uw_get_attr(loop, UW_EDGE)) || !uw_parts_collect(&all))
    return false;
  for (size_t i = 0; i < all.count; i++)
    all.at[i].part = i;
  size_t parts = uw_parts_merge(&all);
  if (parts < 2 || !follow_each_other(&all, parts))
    return false;
  uw_remark(mlirOperationGetLocation(loop), "distribute-loops",
            "each of a thread's elements in a loop of its own: one stream in place of several");
  uw_parts_split(&all, parts, NULL, 0);
  return true;
}
