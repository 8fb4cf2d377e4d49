/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Scratch memory: aligned, stable while it is in use, nested as a stack, and each thread's own.
 */
#include "check.h"

#include <pthread.h>

static void check_alignment(void) {
  uint64_t mark = uwrt_scratch_mark();
  for (uint64_t bytes = 0; bytes < 300; bytes++) {
    unsigned char *memory = uwrt_scratch_alloc(bytes);
    CHECK(memory && (uintptr_t)memory % 64 == 0);
    memset(memory, 1, bytes);
  }
  uwrt_scratch_release(mark);
  CHECK_NUMBER(uwrt_scratch_mark(), mark);
}

/* Blocks stay where they are and keep what is in them while others come and go, past the end of several chunks. */
static void check_stability(void) {
  enum { COUNT = 200 };
  unsigned char *blocks[COUNT];
  uint64_t sizes[COUNT], marks[COUNT], start = uwrt_scratch_mark();
  for (int iteration = 0; iteration < 3; iteration++) {
    for (int i = 0; i < COUNT; i++) {
      marks[i] = uwrt_scratch_mark();
      sizes[i] = (uint64_t)(i * 997 % 70000 + 1);
      blocks[i] = uwrt_scratch_alloc(sizes[i]);
      memset(blocks[i], i, sizes[i]);
    }
    for (int i = COUNT - 1; i >= 0; i--) {
      for (uint64_t j = 0; j < sizes[i]; j++) {
        if (blocks[i][j] != (unsigned char)i) {
          failed(__FILE__, __LINE__, "block %d lost byte %d", i, (int)j);
          break;
        }
      }
      uwrt_scratch_release(marks[i]);
    }
    CHECK_NUMBER(uwrt_scratch_mark(), start);
  }
}

static void check_reuse(void) {
  uint64_t mark = uwrt_scratch_mark();
  void *first = uwrt_scratch_alloc(5000);
  uwrt_scratch_release(mark);
  void *second = uwrt_scratch_alloc(6000);
  CHECK(first == second);
  uint64_t inner = uwrt_scratch_mark();
  unsigned char *large = uwrt_scratch_alloc(50 << 20);
  large[0] = large[(50 << 20) - 1] = 1;
  uwrt_scratch_release(inner);
  unsigned char *again = uwrt_scratch_alloc(50 << 20); /* a chunk is kept for the next block */
  CHECK(large == again);
  unsigned char *larger = uwrt_scratch_alloc(90 << 20);
  larger[(90 << 20) - 1] = 1;
  uwrt_scratch_release(mark);
}

static void *worker(void *argument) {
  unsigned char value = (unsigned char)(uintptr_t)argument;
  for (int i = 0; i < 2000; i++) {
    uint64_t mark = uwrt_scratch_mark();
    unsigned char *memory = uwrt_scratch_alloc(1000 + (uint64_t)i * 31 % 4000), *more = uwrt_scratch_alloc(300000);
    memory[0] = more[299999] = value;
    if (memory[0] != value || more[299999] != value)
      failed(__FILE__, __LINE__, "another thread wrote to this thread's memory");
    uwrt_scratch_release(mark);
  }
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < COUNT_OF(threads); i++)
    pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
  for (size_t i = 0; i < COUNT_OF(threads); i++)
    pthread_join(threads[i], NULL);
}

int main(void) {
  check_alignment();
  check_stability();
  check_reuse();
  check_threads();
  return finish();
}
