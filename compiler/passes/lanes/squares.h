/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads rows of memory, one for each lane, and turns them in registers: as many vectors as a row has elements, of all
 * lanes each. */
#ifndef UW_SQUARES_H
#define UW_SQUARES_H

#include "../passes.h"

enum {
  UW_MOST_ITERATIONS = 16 /* elements of a row */
};

typedef struct uw_row_loads {
  MlirType element;
  int64_t lanes,
      iterations;    /* iterations: elements of a row that are loaded at a time; a power of two that divides lanes */
  int64_t alignment; /* of an element, in bytes */
  MlirValue starts;  /* a list in memory: where each lane's row begins */
  MlirValue done;    /* elements of each row that lie before, 64 bits; or null */
  MlirValue
      counts; /* a list in memory: how many elements of its row each lane loads, 32 bits; null: all do as many as iterations */
  MlirValue room; /* a vector for each iteration */
} uw_row_loads;

/* A list in memory of a vector's elements; its room is made at the position of another builder, outside of b's loop. */
MlirValue uw_list_of(uw_builder *b, uw_builder *outside, MlirValue vector);
/* Room in the frame, at a cache line. */
MlirValue uw_slot_at_line(uw_builder *b, int64_t bytes);
/* As many lanes at a time as iterations, in a loop, so that what is turned stays in registers. */
void uw_load_squares(uw_builder *b, const uw_row_loads *rows);

#endif
