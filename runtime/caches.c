/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much a launch has to store until its results go past the caches: the size of the last cache, for then the first
 * of them have left it when the last come. A sixteenth less, since kernels often leave out the borders of an array that
 * is as large as the cache. Compiled code looks at the value, so it is set before main.
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "internal.h"

enum { LEAST = 4 << 20, MOST = 64 << 20, USUAL = 32 << 20 };

uint64_t uwrt_stream_bytes = USUAL;

/* The cache that the first processor shares with its neighbours: sysconf adds up all of the machine's, where there are
 * several. 0: not told. */
static long last_cache_of_one(void) {
  long size = 0;
  FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re"); /* "32768K" */
  if (file && fscanf(file, "%ldK", &size) != 1)
    size = 0;
  if (file)
    fclose(file);
  return size * 1024;
}

__attribute__((constructor(101))) static void find_caches(void) {
  long last = last_cache_of_one();
  if (last <= 0)
    last = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (last <= 0) /* not told, or there is none */
    last = USUAL;
  last = last < LEAST ? LEAST : last > MOST ? MOST : last;
  uwrt_stream_bytes = (uint64_t)(last - last / 16);
}
