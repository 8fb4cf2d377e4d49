/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The part of nontemporal_stores.c for loops that are vectors already, those that vectorize_strided.c made of threads which take
 * neighbouring elements each: a version of the loop whose stores of whole registers go past the caches.
 *
 *                                                 if (%out[0] is at the start of a line && what the launch stores there is large)
 *   for (%n = 0 to 32)                              for (%n = 0 to 32) { store %v, vector %out[16 %n] as a stream }
 *     store %v, vector %out[16 %n]         ==>    else
 *   prefetch next %out                              for (%n = 0 to 32) { store %v, vector %out[16 %n] }
 *                                                   prefetch next %out
 *
 * Done when the address of a store grows by its size from iteration to iteration, the launch does not load from the
 * same object, and threads cannot tell (nontemporal_stores.c). Addresses that are fetched ahead only to be stored to are not in
 * the first version: a stream drops them from the caches.
 *
 * Legal because both versions store the same at the same addresses, and a prefetch has no effect. That a store is
 * aligned in each iteration if it is in the first one follows from its distance, which is known modulo 2^32. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/cpu.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../lanes/vectorize_strided.h"
#include "nontemporal_stores.h"

static MlirValue index_of(MlirOperation loop) { return mlirBlockGetArgument(uw_block(loop, 0), 0); }

static bool is_row_of_vectors(MlirOperation store, MlirOperation loop) {
  int64_t step;
  if (uw_kind(store) != UW_OP_LLVM_STORE || !uw_plain_access(store) ||
      !mlirTypeIsAVector(mlirValueGetType(uw_operand(store, 0))) || !uw_const_value(uw_operand(loop, 2), &step))
    return false;
  int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(store, 0)));
  uw_address at = uw_address_of(uw_operand(store, 1));
  return bytes >= UW_SMALLEST_STREAM && bytes <= UW_CACHE_LINE && UW_CACHE_LINE % bytes == 0 && step > 0 &&
         bytes % step == 0 && uw_goes_along(&at, index_of(loop), bytes / step);
}

/* Does the operation only fetch addresses of this object ahead? */
static bool only_fetches(uw_arena *arena, MlirOperation op, MlirValue base) {
  if (uw_kind(op) != UW_OP_SCF_IF || uw_result_count(op) != 0)
    return false;
  uw_ops ops = uw_collect(arena, op);
  bool fetches = false;
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation inner = ops.at[i];
    uw_kind_t kind = uw_kind(inner);
    if (uw_string_is(uw_name(inner), "llvm.intr.prefetch") && uw_same(uw_streams_base(uw_operand(inner, 0)), base))
      fetches = true;
    else if (kind != UW_OP_SCF_FOR && kind != UW_OP_SCF_YIELD &&
             !(uw_region_count(inner) == 0 && uw_speculatable(inner)))
      return false;
  }
  return fetches;
}

/* Does the operation need what is computed after the loop? */
static bool needs_after(uw_arena *arena, MlirOperation op, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (MlirOperation made = uw_next(loop); !uw_same_op(made, op); made = uw_next(made))
    for (size_t i = 0; i < ops.count; i++)
      for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++)
        if (uw_same_op(uw_def(uw_operand(ops.at[i], k)), made))
          return true;
  return false;
}

/* What fetches ahead for the loop, and stands after it (prefetch_next.c). */
static uw_ops fetches_for(uw_arena *arena, MlirOperation loop, const uw_ops *stores) {
  uw_ops all = uw_block_ops(arena, mlirOperationGetBlock(loop)), fetches = {0};
  bool after = false;
  for (size_t i = 0; i < all.count; i++) {
    for (size_t k = 0; after && k < stores->count; k++)
      if (only_fetches(arena, all.at[i], uw_streams_base(uw_operand(stores->at[k], 1))) &&
          !needs_after(arena, all.at[i], loop)) {
        uw_ops_push(arena, &fetches, all.at[i]);
        break;
      }
    after = after || uw_same_op(all.at[i], loop);
  }
  return fetches;
}

bool uw_stream_windows(uw_arena *arena, MlirOperation loop, const uw_ops *launch) {
  uw_ops stores = {0}, all = uw_collect(arena, loop);
  uw_map *known = uw_map_create(arena);
  uw_map_set(known, index_of(loop), index_of(loop));
  for (size_t i = 0; i < all.count; i++)
    if (is_row_of_vectors(all.at[i], loop) && uw_streams_past(launch, uw_operand(all.at[i], 1)) &&
        uw_computable_outside(arena, uw_operand(all.at[i], 1), loop, known))
      uw_ops_push(arena, &stores, all.at[i]);
  if (stores.count == 0 || stores.count > UW_STREAM_WINDOWS_MOST)
    return false;
  uw_remark(mlirOperationGetLocation(stores.at[0]), "nontemporal-stores",
            "what is stored here goes past the caches where the launch stores much");
  uw_builder b = uw_at(loop);
  MlirType i64 = uw_int_type(b.context, 64);
  MlirValue together = uw_const_int(&b, 64, 0);
  for (size_t i = 0; i < stores.count; i++) {
    uw_map *map = uw_map_create(arena);
    uw_map_set(map, index_of(loop), uw_operand(loop, 0));
    MlirValue start = uw_compute_outside(&b, uw_operand(stores.at[i], 1), loop, map);
    together =
        uw_binary(&b, "arith.ori", together, uw_build1(&b, "llvm.ptrtoint", .in = VALS(start), .out = TYPES(i64)));
  }
  MlirValue within = uw_binary(&b, "arith.andi", together, uw_const_int(&b, 64, UW_CACHE_LINE - 1));
  MlirValue aligned = uw_compare(&b, UW_EQ, within, uw_const_int(&b, 64, 0));
  int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(stores.at[0], 0)));
  MlirValue large = uw_streams_large(&b, loop, bytes);
  uw_ops fetches = fetches_for(arena, loop, &stores);
  uw_versions versions =
      uw_make_versions(arena, &b, .asked = uw_binary(&b, "arith.andi", large, aligned), .first = loop, .own = UW_FAILS);
  for (size_t i = 0; i < fetches.count; i++)
    uw_move_to_end(fetches.at[i], uw_block(versions.choice, UW_FAILS));
  MlirOperation streaming = versions.first[UW_HOLDS];
  uw_ops copies = uw_counterparts(arena, loop, streaming, &stores);
  for (size_t i = 0; i < copies.count; i++) {
    int64_t size = (int64_t)uw_type_bytes(mlirValueGetType(uw_operand(stores.at[i], 0)));
    uw_set_attr(copies.at[i], "alignment", uw_int_attr(b.context, 64, size));
    uw_set_attr(copies.at[i], "nontemporal", mlirUnitAttrGet(b.context));
  }
  uw_set_attr(loop, UW_STREAMS_DONE, mlirUnitAttrGet(b.context));
  uw_set_attr(streaming, UW_STREAMS_DONE, mlirUnitAttrGet(b.context));
  return true;
}
