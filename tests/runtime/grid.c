/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocks that wait for each other, with entries written by hand: every block reaches a barrier before any passes it, each keeps
 * its stack, scratch memory and thread context; blocks that end early; a launch from within a block; no promise, no barrier;
 * blocks that wait for later ones by themselves, and more of those that wait for earlier ones than run at once; blocks that wait
 * for the host, which go on on other threads than those that they began on, and what is queued after them.
 */
#include <stdatomic.h>
#include <string.h>

#include "../../runtime/uwrt.h"
#include "check.h"

enum { BLOCKS = 16, ITERATIONS = 5 };

static atomic_int arrived[ITERATIONS], late, wrong, ended, inner_runs;

static void meeting_entry(const uwrt_dims *dims, void **args) {
  int own = (int)dims->block_number, kept[ITERATIONS];
  uint64_t mark = uwrt_scratch_mark();
  int *scratch = uwrt_scratch_alloc(4000);
  (void)args;
  for (int i = 0; i < 1000; i++)
    scratch[i] = own;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    kept[iteration] = own * 10 + iteration;
    uwrt_thread.thread[0] = (uint32_t)own;
    arrived[iteration]++;
    uwrt_grid_sync();
    late += arrived[iteration] != BLOCKS;
    wrong += uwrt_thread.thread[0] != (uint32_t)own;
  }
  for (int iteration = 0; iteration < ITERATIONS; iteration++)
    wrong += kept[iteration] != own * 10 + iteration;
  for (int i = 0; i < 1000; i++)
    wrong += scratch[i] != own;
  uwrt_scratch_release(mark);
  ended++;
}

/* Block b takes part in b barriers; those that are left go on. */
static void leaving_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  for (uint64_t iteration = 0; iteration < dims->block_number % ITERATIONS; iteration++)
    uwrt_grid_sync();
  ended++;
}

static void inner_entry(const uwrt_dims *dims, void **args) {
  (void)dims, (void)args;
  uwrt_grid_sync();
  inner_runs++;
}

static atomic_int ready[5001];

static void backwards_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  if (dims->block_number + 1 < dims->grid[0])
    while (!ready[dims->block_number + 1])
      uwrt_yield("");
  ready[dims->block_number] = 1;
}
static void forwards_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  while (!ready[dims->block_number])
    uwrt_yield("");
  ready[dims->block_number + 1] = 1;
}
static void backwards_stub(void) { ended += 4; }
static void forwards_stub(void) { ended += 5; }

/* Waits for the host twice, and for the other blocks in between. */
static atomic_int released;
static void hosted_entry(const uwrt_dims *dims, void **args) {
  int own = (int)dims->block_number, *sum = *(int **)args[0];
  uint64_t mark = uwrt_scratch_mark();
  int *scratch = uwrt_scratch_alloc(400);
  for (int i = 0; i < 100; i++)
    scratch[i] = own;
  uwrt_context()->thread[0] = (uint32_t)own;
  for (int iteration = 1; iteration <= 2; iteration++) {
    while (released < iteration)
      uwrt_yield("");
    uwrt_waited();
    uwrt_grid_sync();
  }
  for (int i = 0; i < 100; i++)
    wrong += scratch[i] != own;
  wrong += uwrt_context()->thread[0] != (uint32_t)own;
  uwrt_scratch_release(mark);
  __atomic_fetch_add(sum, own, __ATOMIC_RELAXED);
}
static void hosted_stub(void) { ended += 6; }

static void wait_for_the_host(const dim3 grid, const dim3 one) {
  int *sum, *copy;
  cudaEvent_t event;
  CHECK_OK(cudaMallocManaged((void **)&sum, sizeof *sum, cudaMemAttachGlobal));
  CHECK_OK(cudaMallocManaged((void **)&copy, sizeof *copy, cudaMemAttachGlobal));
  CHECK_OK(cudaEventCreate(&event));
  for (int launch = 0; launch < 3; launch++) {
    *sum = *copy = 0;
    released = 0;
    void *args[] = {&sum};
    CHECK_OK(cudaLaunchCooperativeKernel((const void *)(uintptr_t)hosted_stub, grid, one, args, 0, 0));
    args[0] = NULL; /* the launch has a copy */
    CHECK_OK(cudaMemcpyAsync(copy, sum, sizeof *sum, cudaMemcpyDefault, 0));
    CHECK_OK(cudaEventRecord(event, 0));
    CHECK_NUMBER(cudaStreamQuery(0), cudaErrorNotReady);
    CHECK_NUMBER(cudaEventQuery(event), cudaErrorNotReady);
    CHECK_NUMBER(cudaGetLastError(), cudaErrorNotReady);
    released = 1;
    released = 2;
    if (launch == 0)
      CHECK_OK(cudaEventSynchronize(event));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_NUMBER(*sum, BLOCKS * (BLOCKS - 1) / 2);
    CHECK_NUMBER(*copy, BLOCKS * (BLOCKS - 1) / 2);
  }
  CHECK_NUMBER(wrong, 0);
  CHECK_OK(cudaFree(sum));
  CHECK_OK(cudaFree(copy));
  CHECK_OK(cudaEventDestroy(event));
}

static void inner_stub(void) {}
static void meeting_stub(void) { ended += 1; }
static void leaving_stub(void) { ended += 2; }
static void outer_stub(void) { ended += 3; }
static const dim3 grid = {4, 2, 2}, four = {4, 1, 1}, one = {1, 1, 1};
#define ADDRESS(function) ((const void *)(uintptr_t)(function))

static void outer_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  uwrt_thread.thread[0] = (uint32_t)dims->block_number;
  uwrt_enter_block(dims, dims->block_number);
  CHECK_OK(cudaLaunchCooperativeKernel(ADDRESS(inner_stub), four, one, NULL, 0, 0));
  CHECK_OK(cudaDeviceSynchronize());
  wrong += uwrt_thread.thread[0] != dims->block_number;
  uwrt_grid_sync();
  wrong += inner_runs != 16;
}

static const uint32_t pointer_size[] = {sizeof(void *)};
static const uwrt_kernel kernels[] = {
    {ADDRESS(meeting_stub), "_Z4meetv", meeting_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(leaving_stub), "_Z5leavev", leaving_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(inner_stub), "_Z5innerv", inner_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(outer_stub), "_Z5outerv", outer_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(backwards_stub), "_Z9backwardsv", backwards_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(hosted_stub), "_Z6hostedPi", hosted_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 1, pointer_size, NULL},
    {ADDRESS(forwards_stub), "_Z8forwardsv", forwards_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
};
static const uwrt_module module = {UWRT_ABI_VERSION, COUNT_OF(kernels), 0, 0, kernels, NULL};

int main(void) {
  uwrt_register(&module);
  for (int launch = 0; launch < 3; launch++) {
    memset((void *)arrived, 0, sizeof arrived);
    ended = 0;
    CHECK_OK(cudaLaunchCooperativeKernel(ADDRESS(meeting_stub), grid, one, NULL, 0, 0));
    CHECK_OK(cudaDeviceSynchronize());
    CHECK_NUMBER(ended, BLOCKS);
    CHECK_NUMBER(late, 0);
    CHECK_NUMBER(wrong, 0);
  }
  ended = 0;
  CHECK_OK(cudaLaunchCooperativeKernel(ADDRESS(leaving_stub), grid, one, NULL, 0, 0));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_NUMBER(ended, BLOCKS);
  CHECK_OK(cudaLaunchCooperativeKernel(ADDRESS(outer_stub), four, one, NULL, 0, 0));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_NUMBER(inner_runs, 16);
  CHECK_NUMBER(wrong, 0);
  int ready_blocks = 0;
  CHECK_OK(cudaLaunchKernel(ADDRESS(backwards_stub), (dim3){30, 1, 1}, one, NULL, 0, 0));
  CHECK_OK(cudaDeviceSynchronize()); /* a busy machine leaves blocks that wait to the device */
  for (int b = 0; b < 30; b++)
    ready_blocks += ready[b];
  CHECK_NUMBER(ready_blocks, 30);
  memset((void *)ready, 0, sizeof ready);
  ready[0] = 1;
  CHECK_OK(cudaLaunchKernel(ADDRESS(forwards_stub), (dim3){5000, 1, 1}, one, NULL, 0, 0));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_NUMBER(ready[5000], 1);
  uwrt_yield(""); /* outside of a block, too */
  wait_for_the_host(grid, one);
  ended = 0;
  CHECK_NUMBER(cudaLaunchKernel(ADDRESS(leaving_stub), grid, one, NULL, 0, 0), cudaSuccess);
  CHECK_NUMBER(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  CHECK_NUMBER(ended, 4); /* those that came to no barrier */
  return finish();
}
