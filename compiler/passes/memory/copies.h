/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Who fills the elements of a tile in shared memory, and with what? A block has few threads: they are taken one by one,
 * so that what depends on the index of a thread is an integer, and only what is the same for all of them is left as a
 * symbol. Of a dimension may only be known how long it is at most (neighbouring blocks side by side, coarsen_interleaved.c): then who
 * writes for whom has the same index in it. */
#ifndef UW_COPIES_H
#define UW_COPIES_H

#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../analysis/linear.h"
#include "../rows/guard.h"

enum { UW_PLACE_DIMS = 3, UW_MOST_PARTS = 12 };

/* A conjunct of a condition. */
typedef struct uw_test {
  uw_linear left, right;
  uw_predicate predicate;
  unsigned bits; /* of the integers */
  bool own;      /* depends on the thread's index alone */
  bool same;     /* depends on nothing else than that and what is the same for all threads */
} uw_test;

typedef struct uw_tests {
  uw_test at[UW_MAX_CONJUNCTS];
  size_t count;
} uw_tests;

/* One store into the tile: what it copies, and when. The load is null where that is not asked for. */
typedef struct uw_part {
  MlirOperation load;
  uw_address from;
  uw_linear place;
  uw_tests tests;
} uw_part;

typedef struct uw_copies {
  uw_arena *arena;
  uw_effects *effects;
  MlirOperation loop;
  MlirValue tile, ids[UW_PLACE_DIMS];
  int64_t extents[UW_PLACE_DIMS], threads, room; /* room: bytes of the tile */
  bool open[UW_PLACE_DIMS];                      /* the extent is the most that it may be */
  int64_t bytes;                                 /* of an element */
  uw_part parts[UW_MOST_PARTS];
  size_t count;
  struct uw_writer **writers; /* of each element, once the first load is looked at */
} uw_copies;

/* A load of the tile is a load by parts[part] of the thread whose index is that much further. */
typedef struct uw_moved {
  size_t part;
  int64_t by[UW_PLACE_DIMS];
} uw_moved;

/* False if the loop or the tile is not of known size, or too large. */
bool uw_copies_of(uw_arena *arena, MlirOperation loop, MlirOperation shared, uw_copies *p);
/* Takes in a store, under branches in the block `home`, of whatever value. False if it is not known who makes it. */
bool uw_copies_add_store(uw_copies *p, MlirOperation store, MlirBlock home);
/* The same; false also if it is no copy of what nobody writes. */
bool uw_copies_add(uw_copies *p, MlirOperation store, MlirBlock home);
/* After all stores: is what the load reads surely written by one of them, for each thread that makes it? */
bool uw_copies_cover(uw_copies *p, MlirOperation load);
/* After all stores: what does a load of the tile read? False if that is not known for each thread that makes it. */
bool uw_copies_find(uw_copies *p, MlirOperation load, uw_moved *moved);
/* Reads that in the place of the load, which goes. */
void uw_copies_read(uw_copies *p, MlirOperation load, const uw_moved *moved);

#endif
