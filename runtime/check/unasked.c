/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A launch that is refused does nothing, and only cudaGetLastError says so. A program that does not ask goes on with what
 * the kernel should have made: at its end it is told of the first such launch since it asked last. That is no mistake of
 * a class: the program's status is its own. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uwrt_dims dims;
  const uwrt_kernel *kernel; /* null: there is none */
  cudaError_t error;
  char place[512]; /* "" where it is not known */
} first;

void uwrt_check_not_launched(const uwrt_running *launch, cudaError_t error) {
  char room[sizeof first.place];
  pthread_mutex_lock(&lock);
  if (!first.kernel) {
    const char *place = uwrt_check_caller(room, sizeof room);
    first.dims = launch->dims;
    first.kernel = launch->kernel;
    first.error = error;
    snprintf(first.place, sizeof first.place, "%s", place ? place : "");
  }
  pthread_mutex_unlock(&lock);
}

void uwrt_check_error_asked(void) {
  pthread_mutex_lock(&lock);
  first.kernel = NULL;
  pthread_mutex_unlock(&lock);
}

void uwrt_check_tell_unasked(void) {
  const uint32_t *grid = first.dims.grid, *block = first.dims.block;
  if (!first.kernel || uwrt_check_settings.json)
    return;
  fprintf(stderr,
          "unwarp: note: the launch of %s, grid (%u,%u,%u), block (%u,%u,%u), %llu bytes of dynamic shared memory, was "
          "refused (%s), and nobody asked cudaGetLastError()\n",
          uwrt_kernel_shown(first.kernel), grid[0], grid[1], grid[2], block[0], block[1], block[2],
          (unsigned long long)first.dims.shared_bytes, cudaGetErrorString(first.error));
  if (first.place[0])
    fprintf(stderr, "  launched at %s\n", first.place);
}
