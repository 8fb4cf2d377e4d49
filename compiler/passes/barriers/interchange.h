/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What interchange.c (if, for) and interchange_while.c share; the functions are described where they are defined. */
#ifndef UW_INTERCHANGE_H
#define UW_INTERCHANGE_H

#include "../../transform/thread_loop.h"

/* One value that a construct carries or results in. */
typedef struct carried {
  bool kept; /* stays a value of the block-level construct; otherwise lives in slot */
  uw_slot slot;
} carried;

typedef struct swap {
  uw_threads *threads;
  uw_arena *arena;
  uw_uniformity *facts;
  MlirOperation loop, construct;
  uw_map *outside;      /* copies of pure operations made before the loop */
  uint64_t own, common; /* bytes of slots for carried values and results: for each thread, for all */
} swap;

static inline MlirValue argument(MlirBlock block, size_t index) { return mlirBlockGetArgument(block, (intptr_t)index); }
static inline bool used(MlirValue value) { return !mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

void uw_swap_create_slot(swap *s, carried *c, MlirValue value, bool shared);
void uw_swap_keep_at_end(swap *s, MlirBlock block, const carried *c, MlirValue value);
void uw_swap_read_at_start(swap *s, MlirBlock block, const carried *c, MlirValue value);
void uw_swap_keep_carried(swap *s, MlirBlock block, const carried *c, MlirValue value, MlirValue next);
void uw_swap_read_results(swap *s, const carried *list);
void uw_swap_place_init(swap *s, const carried *c, size_t i);
MlirOperation uw_swap_split_after(swap *s);
void uw_swap_move_body(MlirBlock from, MlirOperation loop);
MlirOperation uw_swap_second_loop(swap *s, MlirOperation own, uw_builder *b, MlirBlock from);
bool uw_swap_has_operations(MlirBlock block);
void uw_swap_finish(swap *s, MlirOperation first, MlirOperation second, uw_ops *inner);
uw_type_list uw_swap_kept_types(swap *s, const carried *list, size_t count);
void uw_swap_replace_kept_results(swap *s, const carried *list, MlirOperation copy);
void uw_swap_while(swap *s, uw_ops *inner);

#endif
