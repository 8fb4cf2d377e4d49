/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fills memory with a pattern of any size. */
#include "sycl.h"

#include <string.h>

enum { BYTES_OF_A_SHARE = 1 << 20 };

/* The first pattern is copied, then what is there already, twice as much each time. */
static void fill_piece(unsigned char *place, const void *pattern, size_t pattern_bytes, size_t bytes) {
  size_t done = pattern_bytes < bytes ? pattern_bytes : bytes;
  memcpy(place, pattern, done);
  while (done < bytes) {
    enum { MOST = 4096 }; /* from the nearest cache */
    size_t from = done < MOST ? done : MOST / pattern_bytes * pattern_bytes;
    if (!from)
      from = pattern_bytes;
    size_t more = from < bytes - done ? from : bytes - done;
    memcpy(place + done, place, more);
    done += more;
  }
}

void uwrt_sycl_fill(void *place, const void *pattern, uint64_t pattern_bytes, uint64_t count) {
  if (!count || !pattern_bytes)
    return;
  uint64_t of_share = BYTES_OF_A_SHARE / pattern_bytes + 1, shares = (count + of_share - 1) / of_share;
#pragma omp parallel for if (shares > 1)
  for (uint64_t share = 0; share < shares; share++) {
    uint64_t from = share * of_share, left = count - from;
    fill_piece((unsigned char *)place + from * pattern_bytes, pattern, pattern_bytes,
               (left < of_share ? left : of_share) * pattern_bytes);
  }
}
