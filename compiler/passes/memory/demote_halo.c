/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The second part of demote-shared. Reads the original where a tile in shared memory and its rim are a copy of it, loaded
 * piece by piece under conditions: a thread its own element, and those at the edges of the block their neighbours
 * outside. demote_shared.c takes arrays of which one store fills each element.
 *
 *   store (load %in[%x]), %tile[%tx + 1]                    if (%x > 0 && %x < %n - 1)
 *   if (%tx == 0 && %x > 0)                                   use(load %in[%x - 1], load %in[%x + 1])
 *     store (load %in[%x - 1]), %tile[0]            ==>
 *   if (%tx == 15 && %x < %n - 1)
 *     store (load %in[%x + 1]), %tile[17]
 *   barrier
 *   if (%x > 0 && %x < %n - 1)
 *     use(load %tile[%tx], load %tile[%tx + 2])
 *
 * Done for a shared array, all of whose uses are plain loads and stores of one size in one thread loop of known
 * extents, when
 *   a) each store stores what a plain load got, from memory that nothing in the kernel may write; all read the same object;
 *   b) stores and loads stand in one block of the code, or under branches there, and between all stores and all loads stands a barrier by
 *      which all threads come;
 *   c) one after the other, for each thread that may make a load: of the threads that may write its address, each reads the original there
 *      where the load will, and one at least surely writes, because its condition follows from that of the load (copies.c shows both);
 *   d) it pays: neighbours in a row of threads read neighbours of the original, and a thread reads from
 *      UW_HALO_MOST_ROWS rows at most. A processor's cache has few sets for lines that are a power of two apart.
 *
 * What is read is then the same, and it does not fault, as the writer made that very load. Where the address is
 * that of another thread and a distance, no sum in it may wrap around: it has to say so (no_wrap_versions.c). If two
 * threads write one address, b) and c) make it the same value. In a loop the writer of the iteration writes before the
 * load; that no thread is an iteration ahead is what the program's barriers saw to.
 *
 * A loop of iterations keeps one barrier: threads go along the memory together, in the place of each through all
 * iterations (interchange.c).
 *
 * Requires: for loops made (while-to-for). Preserves: every load's value, in programs that do not race. Refuses: all else,
 * silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../ir/remarks.h"
#include "../barriers/barrier_elim.h"
#include "copies.h"
#include "demote_shared.h"

/* --- may it be done? ---------------------------------------------------------------------------------------------- */

/* The block of the code in which the access stands, under branches at most. */
static MlirBlock home_of(MlirOperation access, MlirOperation *top) {
  *top = access;
  while (uw_kind(uw_parent(*top)) == UW_OP_SCF_IF)
    *top = uw_parent(*top);
  return mlirOperationGetBlock(*top);
}

/* b) A barrier at the top level of the block, after all stores and before all loads. */
static bool has_barrier_between(const uw_copies *p, MlirBlock home, const uw_ops *stores, const uw_ops *loads) {
  uw_table *marks = uw_table_create(p->arena);
  for (size_t i = 0; i < stores->count + loads->count; i++) {
    MlirOperation top;
    bool is_store = i < stores->count;
    if (!mlirBlockEqual(home_of(is_store ? stores->at[i] : loads->at[i - stores->count], &top), home))
      return false;
    uw_table_set(marks, top.ptr, uw_table_get(marks, top.ptr) | (is_store ? 1 : 2));
  }
  bool loaded = false, met = false;
  uw_foreach_op (op, home) {
    intptr_t mark = uw_table_get(marks, op.ptr);
    met = (met && !(mark & 1)) || (uw_is_exchange(op, "block") && uw_kind(op) == UW_OP_BARRIER &&
                                   uw_made_by_all(uw_effects_uniformity(p->effects), op));
    if ((mark & 1 && loaded) || (mark & 2 && !met))
      return false;
    loaded = loaded || mark & 2;
  }
  return loaded;
}

/* d) */
static bool pays(const uw_copies *p, const uw_moved *moved, size_t count) {
  int64_t rows[UW_HALO_MOST_ROWS];
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    const uw_linear *offset = &p->parts[moved[i].part].from.offset;
    int64_t row = 0;
    if (!uw_is_stride(uw_stride_in(offset, p->ids[UW_PLACE_DIMS - 1]), p->bytes))
      return false;
    for (size_t d = 0; d + 1 < UW_PLACE_DIMS; d++)
      row = row * p->extents[d] * 2 + moved[i].by[d];
    size_t k = 0;
    while (k < known && rows[k] != row)
      k++;
    if (k == UW_HALO_MOST_ROWS)
      return false;
    rows[k] = row;
    known += k == known;
  }
  return true;
}

/* --- doing it ----------------------------------------------------------------------------------------------------- */

/* Keeps threads together in a loop of iterations that had barriers. */
static void keep_in_step(MlirBlock home, MlirOperation loop) {
  MlirOperation around = mlirBlockGetParentOperation(home);
  if (uw_same_op(around, loop) || uw_has_exchange(around, "block"))
    return;
  uw_builder b = uw_at_start(home, mlirOperationGetLocation(around));
  uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, "block")}));
}

static bool take_original(uw_arena *arena, MlirOperation loop, MlirOperation shared, size_t least) {
  uw_ops arithmetic = {0}, accesses = {0}, loads = {0}, stores = {0};
  uw_copies p;
  if (!uw_plain_uses(arena, loop, uw_result(shared, 0), &arithmetic, &accesses) ||
      !uw_copies_of(arena, loop, shared, &p))
    return false;
  for (size_t i = 0; i < accesses.count; i++)
    uw_ops_push(arena, uw_kind(accesses.at[i]) == UW_OP_LLVM_LOAD ? &loads : &stores, accesses.at[i]);
  MlirOperation top;
  if (loads.count == 0 || stores.count < least || !has_barrier_between(&p, home_of(loads.at[0], &top), &stores, &loads))
    return false;
  MlirBlock home = home_of(loads.at[0], &top);
  for (size_t i = 0; i < stores.count; i++)
    if (!uw_copies_add(&p, stores.at[i], home))
      return false;
  uw_moved *moved = uw_alloc(arena, loads.count * sizeof *moved);
  for (size_t i = 0; i < loads.count; i++)
    if (!uw_copies_find(&p, loads.at[i], &moved[i]))
      return false;
  if (!pays(&p, moved, loads.count))
    return false;
  uw_remark(mlirOperationGetLocation(stores.at[0]), "demote-shared",
            "copy in shared memory, with its rim, dropped: its readers read the original");
  for (size_t i = 0; i < loads.count; i++)
    uw_copies_read(&p, loads.at[i], &moved[i]);
  for (size_t i = 0; i < stores.count; i++) {
    MlirOperation load = uw_def(uw_operand(stores.at[i], 0));
    uw_erase(stores.at[i]);
    if (uw_unused(load))
      uw_erase(load);
  }
  for (size_t i = arithmetic.count; i-- > 0;)
    uw_erase(arithmetic.at[i]);
  uw_erase(shared);
  uw_drop_barriers(loop);
  keep_in_step(home, loop);
  return true;
}

uw_change uw_demote_halo(uw_arena *all, MlirOperation root, bool inner) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(all, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    if (!uw_is_over(loops.at[i], UW_OVER_THREADS) || !uw_has_exchange(loops.at[i], "block"))
      continue;
    uw_ops shared = inner ? uw_shared_around(all, loops.at[i]) : uw_shared_beside(all, loops.at[i]);
    for (size_t k = 0; k < shared.count; k++) {
      uw_arena *arena = uw_arena_create();
      if (take_original(arena, loops.at[i], shared.at[k], inner ? 1 : 2)) {
        uw_drop_unused(arena, loops.at[i]); /* the conditions of the writers */
        change = UW_CHANGED;
      }
      uw_arena_destroy(arena);
    }
  }
  return change;
}
