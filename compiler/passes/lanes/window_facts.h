/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Windows of a loop over threads: the pieces of memory, as long as the step from thread to thread, that all accesses of a
 * thread lie in (vectorize_strided.c). */
#ifndef UW_WINDOW_FACTS_H
#define UW_WINDOW_FACTS_H

#include "../../analysis/cpu.h"
#include "../../analysis/linear.h"

enum { UW_WINDOW_LANES = 16, UW_MOST_WINDOWS = 4, UW_WINDOW_ACCESSES = 16 };

typedef struct uw_window {
  MlirOperation first; /* an access, whose address the others are compared with */
  uw_address at;
  MlirType element;
  bool exact_shared;                    /* shared memory that whole registers stay inside of */
  bool loaded, stored, loaded_again;    /* again: after a store */
  int64_t least, most, start;           /* bytes from `at`: of accesses; where the window starts */
  uint32_t touched, written;            /* lanes of a thread, a bit each */
  MlirValue address, original, current; /* while it is written: as loaded, and as it is by then */
  uint32_t changed;                     /* lanes of a thread that current and original may differ in */
  int joint[UW_WINDOW_LANES];           /* for each lane of a thread: the one that the joint shuffle brings there */
  bool swaps;                           /* a loaded element is stored at another lane as it is */
} uw_window;

typedef struct uw_window_access {
  MlirOperation op;
  size_t window;
  int64_t offset; /* bytes from the window's `at` */
  bool writes;
} uw_window_access;

typedef struct uw_windows {
  uw_arena *arena;
  MlirOperation loop;
  size_t dims;
  uw_target target;
  int64_t bytes, width, step,
      threads; /* of an element; elements in a register; elements from thread to thread; most in the loop, or UW_NO_MOST */
  uw_window at[UW_MOST_WINDOWS];
  size_t count;
  uw_window_access accesses[UW_WINDOW_ACCESSES];
  size_t access_count;
  uw_builder b;
  uw_map *loaded, *joint;         /* a load's vector; what its joint shuffle makes of a vector */
  uw_map *moved[UW_WINDOW_LANES]; /* a value's vector with the thread's element at this lane of its window */
} uw_windows;

/* The index of the loop in this dimension. */
MlirValue uw_windows_index(const uw_windows *w, size_t d);

/* Fills in all but what is made of them, by arena, loop and target. False: the loop has none, or not only these (vectorize_strided.c
 * says what fits). */
bool uw_windows_match(uw_windows *w);

#endif
