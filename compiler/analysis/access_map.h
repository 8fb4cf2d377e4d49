/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How an access moves through memory: by how many bytes its address is more for one step of each index around it (the
 * counter of a serial loop, an index of a thread, a lane or a block), and what is the same for all of them.
 *
 *   parallel (%y, %x) for %k = %y to %n step 2 { load %p[%k * %m + %x + 1] }      of floats
 *     %y: 4 * %m      %x: 4      %k: 8 * %m      common: 4
 *
 * The map counts iterations, from 0: an index that begins at %y and goes by 2 is %y + 2 * iteration. What asks for one
 * index alone asks for its stride as the index counts.
 *
 * That is the memory access matrix of "Experiences Building an MLIR-Based SYCL Compiler", section V-D: a row for bytes
 * and one for each value that bytes are multiplied by, which is how long a row of an array is; a column for each index;
 * and a vector of what is the same for all. unwarp-opt --print-analysis=access prints it.
 *
 * Where the sum is not exact it holds modulo 2^32 (linear.h). Exact is also what would wrap around only outside of the
 * bounds that its values have (bounds.h). */
#ifndef UW_ACCESS_MAP_H
#define UW_ACCESS_MAP_H

#include "../ir/parallel.h"
#include "accesses.h"
#include "bounds.h"

/* bytes + factor * symbol, where factor is 0 if there is no symbol. */
typedef struct uw_stride {
  bool known; /* false: all else is meaningless */
  int64_t bytes, factor;
  MlirValue symbol;
} uw_stride;

/* --- one index ---------------------------------------------------------------------------------------------------- */

/* By how much the sum is more where the index is more by 1, as far as its terms say: all other symbols are taken to
 * stay as they are. */
uw_stride uw_stride_in(const uw_linear *sum, MlirValue index);
/* May the value be another one where the index, an argument of a loop's block, is another one, and all indices of other
 * loops are the same? Of threads between two barriers: they do not race, so that they load the same from one
 * address. */
bool uw_changes_with(MlirValue value, MlirValue index);
/* The same as uw_stride_in, and unknown if another symbol of the sum changes with the index. */
uw_stride uw_stride_along(const uw_linear *sum, MlirValue index);
/* The stride is so many bytes, surely. */
bool uw_is_stride(uw_stride stride, int64_t bytes);
/* A row further, or UW_FAR_APART bytes and more: no hardware prefetcher follows. */
bool uw_is_far_stride(uw_stride stride);
/* The stride if it is a constant, 0 if it is not known. */
int64_t uw_constant_stride(uw_stride stride);
/* Does the next step of the index touch the next of elements of so many bytes, from a base that stays? */
bool uw_goes_along(const uw_address *address, MlirValue index, int64_t bytes);

/* The least and the most that the sum can be, from the bounds of its values; false if they are not known. */
bool uw_bounds_of_sum(const uw_linear *sum, int64_t *least, int64_t *most);

/* --- all indices -------------------------------------------------------------------------------------------------- */

enum { UW_MAP_INDICES = 12 }; /* those further out count as symbols */

typedef struct uw_map_index {
  MlirOperation loop;
  MlirValue index;
  const char *level; /* "grid", "block", "lane", … of a parallel loop; null: a serial one */
  uw_stride stride;  /* of an iteration */
  uw_stride terms;   /* the same where the base and all other symbols stay as they are */
  int64_t most;      /* iterations; UW_NO_MOST: unknown */
} uw_map_index;

typedef struct uw_access_map {
  uw_access access; /* its address as it is; base and bytes are the map's, too */
  bool exact;
  size_t count; /* outer before inner */
  uw_map_index at[UW_MAP_INDICES];
  uw_linear common; /* unknown where the address is no sum */
} uw_access_map;

uw_access_map uw_access_map_of(const uw_access *access);
/* The map's entry for the index; null if it has none. */
const uw_map_index *uw_map_index_of(const uw_access_map *map, MlirValue index);
/* Does each iteration of `counter` touch the next element, and each thread another row of them? */
bool uw_goes_across(const uw_access_map *map, MlirValue thread, MlirValue counter);
MlirValue uw_map_bound(const uw_map_index *at, uw_bound which);
/* Bytes from the first to the last one that the access touches while indices from number `from` on go through their
 * iterations and the others stay; 0: not known. */
int64_t uw_footprint(const uw_access_map *map, size_t from);

/* How the access goes along an index, after Jang et al., "Exploiting Memory Access Patterns to Improve Memory
 * Performance in Data-Parallel Architectures": of which elements, as its bytes are many. */
typedef enum uw_pattern {
  UW_UNKNOWN_PATTERN,
  UW_BROADCAST,  /* all the same one */
  UW_LINEAR,     /* one after the other */
  UW_REVERSE,    /* the same backwards */
  UW_STRIDED,    /* others lie in between; the distance may be a symbol's */
  UW_OVERLAPPING /* neighbours share bytes */
} uw_pattern;
uw_pattern uw_pattern_of(const uw_access_map *map, size_t number);
/* May a step of the index lead to where an index further in has been or will go? As of p[x + k] for threads x and
 * iterations k: memory that is used again. Only of strides that are constants. */
bool uw_is_overlapped(const uw_access_map *map, size_t number);

/* Maps of loads, stores and atomic operations, each made when it is first asked for; good until the code changes. Of
 * what is no access of one address: anywhere. */
typedef struct uw_access_maps uw_access_maps;
uw_access_maps *uw_access_maps_create(uw_arena *arena);
const uw_access_map *uw_access_map_at(uw_access_maps *maps, MlirOperation op);

#endif
