/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Clocks of the device: both are the machine's monotonic clock, in nanoseconds or in ticks of the clock rate that the
 * device's properties state, so that ticks divided by the rate are real time.
 */
#define _GNU_SOURCE
#include <time.h>

#include "internal.h"

uint64_t uwrt_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t uwrt_globaltimer(void) { return uwrt_nanoseconds(); }

uint64_t uwrt_clock64(void) {
  uint64_t now = uwrt_nanoseconds();
  uint64_t khz = (uint64_t)uwrt_this_machine()->clock_khz;
  /* now * khz / 10^6 in two parts: the product would leave 64 bits after an hour. */
  return now / 1000000 * khz + now % 1000000 * khz / 1000000;
}
