/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The heap of the program's memory: blocks of all sizes lie apart and aligned and keep their bytes while others come and go, and
 * what is written beyond one is seen, on the side where it was.
 */
#include "check.h"
#include "../../runtime/internal.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 200, ITERATIONS = 4000 };

static uint32_t state = 12345;
static uint32_t next(void) { return state = state * 1664525u + 1013904223u; }

static size_t some_size(void) {
  size_t most = (size_t)1 << (next() >> 8) % 23; /* to 4 MiB */
  return 1 + (next() >> 4) % most;
}

static int all_is(const unsigned char *at, size_t bytes, int value) {
  for (size_t i = 0; i < bytes; i += i + 97 < bytes ? 97 : 1)
    if (at[i] != value)
      return 0;
  return 1;
}

static void test_contents(void) {
  static struct {
    unsigned char *start;
    size_t bytes;
  } blocks[BLOCKS];
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    int i = (int)(next() >> 8) % BLOCKS;
    if (blocks[i].start) {
      CHECK(all_is(blocks[i].start, blocks[i].bytes, i));
      CHECK_OK(cudaFree(blocks[i].start));
      blocks[i].start = NULL;
      continue;
    }
    blocks[i].bytes = some_size();
    CHECK_OK(cudaMalloc((void **)&blocks[i].start, blocks[i].bytes));
    CHECK((uintptr_t)blocks[i].start % (blocks[i].bytes < (2 << 20) || uwrt_memory_is_watched() ? 256 : 2 << 20) == 0);
    memset(blocks[i].start, i, blocks[i].bytes);
  }
  for (int i = 0; i < BLOCKS; i++)
    CHECK_OK(cudaFree(blocks[i].start));
  for (int i = 0; i < BLOCKS; i++)
    blocks[i].start = NULL;
}

/* Freed memory is taken again: a program that asks in a loop does not grow. */
static void test_reuse(void) {
  static const size_t sizes[] = {1, 256, 257, 5000, 100000, 1 << 20, 3 << 20, 32 << 20, 40 << 20};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    size_t before = uwrt_memory_growth();
    for (int i = 0; i < 20; i++) {
      unsigned char *block;
      CHECK_OK(cudaMalloc((void **)&block, sizes[k]));
      memset(block, 1, sizes[k]);
      CHECK_OK(cudaFree(block));
    }
    CHECK(uwrt_memory_growth() < before + 2 * sizes[k] + (8 << 20));
  }
}

/* What a process says that writes `bytes` bytes from `offset` on, of a block of `size` that has neighbours. */
static char *said(size_t size, long offset, size_t bytes, int how) {
  static char text[4096];
  int ends[2];
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    unsigned char *blocks[3], host[1];
    dup2(ends[1], 2);
    for (int i = 0; i < 3; i++)
      cudaMalloc((void **)&blocks[i], size);
    memset(blocks[1] + offset, 7, bytes);
    if (how == 0)
      cudaFree(blocks[1]);
    else if (how == 1)
      cudaMemcpy(host, blocks[1], 1, cudaMemcpyDeviceToHost);
    else if (how == 2)
      exit(0);
    cudaFree(blocks[1]);
    _exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
    length += (size_t)got;
  text[length] = 0;
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return text;
}

static void test_guards(void) {
  static const size_t sizes[] = {4, 100, 256, 400, 4096, 100000, 1 << 20, 2 << 20, (3 << 20) + 5};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    size_t size = sizes[k];
    CHECK(!*said(size, 0, size, 0)); /* all of its own */
    CHECK(!*said(size, 0, size, 2));
    CHECK(strstr(said(size, (long)size, 1, 0), "up to 1 bytes after the end"));
    CHECK(strstr(said(size, (long)size, 16, 1), "up to 16 bytes after the end"));
    CHECK(strstr(said(size, (long)size - 1, 4, 1), "seen by a copy"));
    CHECK(strstr(said(size, (long)size, 190, 2), "at the end of the program"));
    if (size < 2 << 20)
      CHECK(strstr(said(size, -4, 4, 0), "up to 4 bytes in front"));
  }
  CHECK(strstr(said(4096, 4000, 4096, 0),
               "after the end of the 4096 bytes of device memory")); /* over its neighbour, too */
}

int main(void) {
  test_contents();
  test_reuse();
  if (!uwrt_memory_is_watched())
    test_guards();
  return finish();
}
