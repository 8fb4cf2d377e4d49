/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What passes do to loops over threads, those that lower barriers above all: a loop over threads, slots for values that live across a barrier, and
 * the steps that rewrite one loop.
 *
 *   mask ─▶ [ split | interchange | exchange ] until no exchange is left      (lower_barriers.c drives)
 *
 * Vocabulary: the *level* of a loop names the exchanges that split it (analysis/exchange.h). *Block level* in
 * comments means the code around the thread loop, which runs once for all threads of the loop, for both levels. */
#ifndef UW_THREAD_LOOP_H
#define UW_THREAD_LOOP_H

#include "../analysis/exchange.h"
#include "../analysis/mincut.h"
#include "../analysis/uniformity.h"

/* One thread loop as the input has it, and all the loops it is split into. */
typedef struct uw_threads {
  uw_arena *arena;
  MlirContext context;
  const char *level;
  MlirOperation anchor; /* slots are made right after it: outside of all serial loops that the lowering makes */
  MlirValue count;      /* number of threads, index, made at the anchor; may be a known constant */
  MlirValue room;       /* how many threads a slot has room for: count, or 32 lanes if that is not known */
  uw_uniformity *facts; /* of the loop as it was first asked about */
  bool smallest;        /* keep a minimum cut; otherwise every value that crosses */
} uw_threads;

/* Makes the anchor and the count before `loop` (or outside of serial loops around it, where its bounds are known). */
uw_threads *uw_threads_of(uw_arena *arena, MlirOperation loop);

/* Facts about one of the loops as it is now, in the given arena. */
uw_uniformity *uw_thread_facts(uw_threads *threads, uw_arena *arena, MlirOperation loop);

/* Every loop over threads below root that splits at exchanges of that level and holds one, innermost last. */
uw_ops uw_thread_loops(uw_arena *arena, MlirOperation root, const char *level);

/* Index of the thread in its loop, x fastest; multiplications by bounds that are 1 are left out. */
MlirValue uw_linear_thread(uw_builder *b, MlirOperation loop);

/* Room for one value for each thread, or for one value that all threads share. */
typedef struct uw_slot {
  MlirValue memory;
  MlirType type;
  bool shared;
} uw_slot;
uw_slot uw_slot_create(uw_threads *threads, MlirType type, bool shared);
/* Where thread `index` (index type; ignored if shared) has its value. */
MlirValue uw_slot_address(uw_builder *b, const uw_slot *slot, MlirValue index);
void uw_slot_write(uw_builder *b, const uw_slot *slot, MlirValue index, MlirValue value);
/* reload: marks the load as one that may be repeated while the thread still needs the value. */
MlirValue uw_slot_read(uw_builder *b, const uw_slot *slot, MlirValue index, bool reload);
/* The same with the index of the thread that runs at b, which is inside of loop. */
void uw_slot_keep(uw_builder *b, const uw_slot *slot, MlirOperation loop, MlirValue value);
MlirValue uw_slot_get(uw_builder *b, const uw_slot *slot, MlirOperation loop);

/* Can value be computed at block level, by copies of pure operations, from what is defined outside of loop and from
 * what `known` (may be null) maps? */
bool uw_computable_outside(uw_arena *arena, MlirValue value, MlirOperation loop, const uw_map *known);
/* Does it. `map` says what stands for values inside of the loop, and gets the copies. */
MlirValue uw_compute_outside(uw_builder *b, MlirValue value, MlirOperation loop, uw_map *map);

/* Moves loads of shared slots from the top of the loop to block level before it; drops dead pure operations. */
void uw_tidy_top(uw_threads *threads, MlirOperation loop);
/* Erases pure operations and reloads without uses from a block, last first. */
void uw_drop_dead(uw_arena *arena, MlirBlock block);
/* A loop without exchange: writes of shared slots go to block level, a loop without effect goes altogether. */
void uw_finish_loop(uw_threads *threads, MlirOperation loop);

/* lower_barriers.c: splits and swaps until the loop holds no exchange of its level; false after uw_error. */
bool uw_lower_thread_loop(uw_arena *arena, MlirOperation loop);
/* When all loops are lowered: slots that are written and read in one place become values, and loads from slots plain
 * ones. True if anything changed. */
bool uw_finish_slots(uw_arena *arena, MlirOperation root);
/* alike_slots.c: so do slots in which all threads keep the same value. */
bool uw_forward_alike_slots(uw_arena *arena, MlirOperation root);

/* On the loops that fission made of one: the index of that one. */
#define UW_PART_OF "unwarp.part_of"

/* columns.c: makes of loops of three dimensions, with the same bounds but along a row, one over the rows around one
 * along each row of each; pure operations between them go before. Gives the outer loop. */
MlirOperation uw_nest_rows(const MlirOperation *parts, size_t count);

/* --- the steps; each false after uw_error ------------------------------------------------------------------------- */

/* variables.c: on the memory of a thread's variable, its index; see there. */
#define UW_VARIABLE "unwarp.variable"
#define UW_VARIABLE_TYPE "unwarp.variable_type" /* on a slot: what each thread has there */
/* After barrier lowering: each loop over threads says anew where the variables of its threads are. True if any has some. */
bool uw_point_to_variables(uw_arena *arena, MlirOperation root);

/* private_memory.c: allocas that live across an exchange become slots. */
bool uw_keep_private_memory(uw_threads *threads, MlirOperation loop);
/* mask.c: all that holds an exchange becomes uniform. */
bool uw_mask_loop(uw_arena *arena, MlirOperation loop, const char *level);
/* split.c: moves what stands before `at` (top level of loop) into a loop of its own before `loop`, if it has to run
 * before. */
void uw_split_before(uw_threads *threads, MlirOperation loop, MlirOperation at);
/* Does that at a barrier, which goes; one of a team's block leaves one of the team between the loops. */
void uw_split_at_barrier(uw_threads *threads, MlirOperation loop, MlirOperation barrier);
/* As uw_split_before; returns the new loop, not finished (uw_finish_loop), or null if nothing has to run before. */
MlirOperation uw_split_off(uw_threads *threads, MlirOperation loop, MlirOperation at);
/* interchange.c: swaps the uniform construct at the top level of loop with the loop. What stands behind the
 * construct stays in `loop`; the loops inside of the construct are pushed on `inner`. */
bool uw_interchange(uw_threads *threads, MlirOperation loop, MlirOperation construct, uw_ops *inner);
/* lower_exchange.c: lowers a reduce, shuffle or match at the top level of loop, splitting the loop there. */
bool uw_lower_exchange(uw_threads *threads, MlirOperation loop, MlirOperation exchange);
/* form_warps.c: makes a loop over the block's threads one over warps around one over lanes; returns the latter. */
MlirOperation uw_make_lanes(uw_arena *arena, MlirOperation loop);

#endif
