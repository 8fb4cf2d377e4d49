/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the pass panels knows of a grid whose neighbouring blocks may run side by side: coarsen_tiles.c has the whole of it,
 * panel_facts.c which loops over threads are common to the blocks, panel_loops.c how loops are made so. */
#ifndef UW_PANELS_H
#define UW_PANELS_H

#include "../../analysis/thresholds.h"
#include "../../analysis/bases.h"
#include "../../analysis/cpu.h"
#include "../../transform/thread_loop.h"

enum { DIMS = 3 };

enum { ALONG, DOWN, AXES }; /* a row of blocks, a column of blocks */

typedef struct uw_axis {
  MlirValue block;  /* index of the block; null where the axis is not used */
  MlirValue extent; /* how many blocks there are along it */
  size_t dim;       /* of the loop over blocks */
  uw_table *each;   /* loops and objects that every block has for itself */
  uw_table *varies; /* values of block level that depend on the block's index */
  int64_t most;     /* how many blocks are taken together */
  MlirValue count;  /* at run time */
} uw_axis;

typedef struct uw_panel {
  uw_arena *arena;
  MlirOperation grid, mark; /* the mark says which block begins, for messages */
  uw_ops loops, objects;    /* over threads; shared arrays and slots */
  uw_axis axes[AXES];
} uw_panel;

/* panel_facts.c. `a` is an axis throughout. */
bool uw_panel_varies(const uw_panel *p, size_t a, MlirValue value); /* depends on the block's index */
bool uw_panel_find_indices(uw_panel *p);
bool uw_panel_used_in(MlirValue value, MlirOperation op);
bool uw_panel_look_through(uw_panel *p,
                           MlirBlock block); /* collects loops and objects; false: there is something else */
bool uw_panel_is_each(const uw_panel *p, size_t a,
                      MlirOperation op); /* every block has this loop or object for itself */
uw_access uw_panel_access_of(MlirOperation op);
MlirOperation uw_panel_object_of(const uw_panel *p, const uw_access *access);
bool uw_panel_is_written(const uw_panel *p, const uw_access *load);
bool uw_panel_must_run_for_each(const uw_panel *p, size_t a, MlirOperation loop);
void uw_panel_keep_apart(uw_panel *p, size_t a, MlirOperation loop);
bool uw_panel_are_plain(const uw_panel *p);
int64_t uw_panel_aligned(int64_t bytes);
int64_t uw_panel_copies_of(const uw_panel *p, size_t a, MlirOperation object);
bool uw_panel_choose_most(uw_panel *p); /* how many blocks have room; false: one */
bool uw_panel_pays(const uw_panel *p, size_t a);

/* panel_loops.c: true where something changed */
bool uw_panel_is_involved(const uw_panel *p, MlirOperation op);
bool uw_panel_part_loop(uw_panel *p, size_t a, MlirOperation loop);
void uw_panel_sort_loops(uw_panel *p, size_t a);
bool uw_panel_count_from_zero(uw_panel *p, MlirOperation loop);

#endif
