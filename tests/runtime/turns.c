/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One worker, and a block whose threads get further all the time, by what they say, while they wait for the next block: the
 * worker turns to that all the same. So it does from a thread that waits in a loop of another kind, and from a block
 * that runs no threads of its own beside each other. Where it does not, an alarm ends the test.
 */
#include "../../runtime/uwrt.h"
#include "check.h"

enum { SECONDS = 20, THREADS = 3 };

void omp_set_num_threads(int count);

static volatile int set, looks;

/* Threads that wait say each time that they moved, as who takes a lock and gives it back does. */
static void moving_threads(int32_t *a, int32_t *b, void *data) {
  (void)a, (void)b, (void)data;
  while (uwrt_thread_next() < THREADS)
    while (!set) {
      looks++;
      uwrt_thread_moved();
      uwrt_yield("");
    }
}
static void moving_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  if (dims->block_number == 0)
    uwrt_threads_fork(NULL, 0, moving_threads, NULL);
  else
    set = 1;
}

static void turning_threads(int32_t *a, int32_t *b, void *data) {
  (void)a, (void)b, (void)data;
  while (uwrt_thread_next() < THREADS)
    while (!set) {
      looks++;
      uwrt_turn();
    }
}
static void turning_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  if (dims->block_number == 0)
    uwrt_threads_fork(NULL, 0, turning_threads, NULL);
  else
    set = 1;
}
static void block_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  if (dims->block_number == 0)
    while (!set) {
      looks++;
      uwrt_turn();
    }
  else
    set = 1;
}

static void moving_stub(void) { looks += 1; }
static void turning_stub(void) { looks += 2; }
static void block_stub(void) { looks += 3; }
#define ADDRESS(function) ((const void *)(uintptr_t)(function))
static const uwrt_kernel kernels[] = {
    {ADDRESS(moving_stub), "_Z6movingv", moving_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(turning_stub), "_Z7turningv", turning_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(block_stub), "_Z5blockv", block_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
};
static const uwrt_module module = {UWRT_ABI_VERSION, COUNT_OF(kernels), 0, 0, kernels, NULL};

static void check_turn(void (*stub)(void)) {
  set = looks = 0;
  CHECK_OK(cudaLaunchKernel(ADDRESS(stub), (dim3){2, 1, 1}, (dim3){THREADS, 1, 1}, NULL, 0, 0));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_NUMBER(set, 1);
  CHECK(looks > 0);
}

int main(void) {
  omp_set_num_threads(1);
  uwrt_register(&module);
  alarm(SECONDS);
  check_turn(moving_stub);
  check_turn(turning_stub);
  check_turn(block_stub);
  return finish();
}
