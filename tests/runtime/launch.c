/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches: kernels registered as the compiler does it, every way to launch one, every shape that must be refused,
 * attributes of kernels and occupancy.
 */
#include "check.h"

static uwrt_dims seen;
static int runs, sum;

/* void kernel(int *out, double by): each block adds; blocks in index order. */
static void entry(const uwrt_dims *dims, void **args) {
  int *out = *(int **)args[0];
  double by = *(double *)args[1];
  seen = *dims;
  runs++;
  for (uint32_t i = 0; i < dims->grid[0] * dims->grid[1] * dims->grid[2]; i++)
    *out += (int)by;
}

static void plain_entry(const uwrt_dims *dims, void **args) {
  (void)args;
  seen = *dims;
  runs++;
  uwrt_thread.thread[0] = 99;
}

static void second_entry(const uwrt_dims *dims, void **args) {
  (void)dims, (void)args;
  runs += 100;
}

static void stub(void) {}
static void plain_stub(void) { runs += 0; }
static void bounded_stub(void) { runs += 1; }
static void grid_stub(void) { runs += 2; }
static void shared_stub(void) { runs += 3; }
static void nesting_stub(void) { runs += 4; }
static void nobody(void) { runs += 5; }
#define ADDRESS(function) ((const void *)(uintptr_t)(function))

/* Runs one block, beside others. */
static void block_entry(const uwrt_dims *dims, void **args) {
  (void)dims, (void)args;
  __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED);
}

static void nesting_entry(const uwrt_dims *dims, void **args) {
  dim3 one = {1, 1, 1};
  (void)dims, (void)args;
  uwrt_thread.thread[0] = 17;
  CHECK_NUMBER(cudaLaunchKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0), cudaSuccess);
  CHECK_NUMBER(uwrt_thread.thread[0], 17);
}

static const uint32_t sizes[] = {sizeof(int *), sizeof(double)};
static const uwrt_kernel kernels[] = {
    {ADDRESS(stub), "_Z6kernelPid", entry, 0, 0, 0, 2, sizes, NULL},
    {ADDRESS(plain_stub), "_Z5plainv", plain_entry, 0, 0, 0, 0, NULL, NULL},
    {ADDRESS(bounded_stub), "_Z7boundedv", plain_entry, 0, 256, 0, 0, NULL, NULL},
    {ADDRESS(grid_stub), "_Z4gridv", block_entry, 0, 0, UWRT_KERNEL_BLOCKS_WAIT, 0, NULL, NULL},
    {ADDRESS(shared_stub), "_Z6sharedv", plain_entry, 40000, 0, 0, 0, NULL, NULL},
    {ADDRESS(nesting_stub), "_Z7nestingv", nesting_entry, 0, 0, 0, 0, NULL, NULL},
};
static const uwrt_module module = {UWRT_ABI_VERSION, COUNT_OF(kernels), 0, 0, kernels, NULL};
static const uwrt_kernel other_kernels[] = {{ADDRESS(plain_stub), "_Z5plainv", second_entry, 0, 0, 0, 0, NULL, NULL}};
static const uwrt_module other_module = {UWRT_ABI_VERSION, 1, 0, 0, other_kernels, NULL};

static const dim3 one = {1, 1, 1};

static void check_registry(void) {
  runs = 0;
  CHECK_ERROR(cudaLaunchKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0), cudaErrorInvalidDeviceFunction);
  uwrt_register(&module);
  /* A second definition of a kernel changes nothing about it. */
  struct cudaFuncAttributes attributes;
  CHECK_OK(cudaFuncSetAttribute(ADDRESS(plain_stub), cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  uwrt_register(&other_module);
  CHECK_OK(cudaFuncGetAttributes(&attributes, ADDRESS(plain_stub)));
  CHECK_NUMBER(attributes.maxDynamicSharedSizeBytes, 60000);
  CHECK_OK(cudaFuncSetAttribute(ADDRESS(plain_stub), cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));
  CHECK_OK(cudaLaunchKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0));
  CHECK_NUMBER(runs, 1);
  uwrt_unregister(&module);
  CHECK_OK(cudaLaunchKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0));
  CHECK_NUMBER(runs, 101);
  uwrt_register(&module);
  uwrt_unregister(&other_module);
  CHECK_OK(cudaLaunchKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0));
  CHECK_NUMBER(runs, 102);
  CHECK_ERROR(cudaLaunchKernel(ADDRESS(nobody), one, one, NULL, 0, 0), cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaLaunchKernel(NULL, one, one, NULL, 0, 0), cudaErrorInvalidDeviceFunction);
}

static void check_launch(void) {
  double by = 3;
  int *out = &sum;
  void *args[] = {&out, &by};
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaEventCreate(&event));
  sum = runs = 0;
  CHECK_OK(cudaLaunchKernel(ADDRESS(stub), (dim3){4, 3, 2}, (dim3){32, 4, 2}, args, 100, stream));
  CHECK_NUMBER(sum, 72);
  CHECK(seen.grid[0] == 4 && seen.grid[1] == 3 && seen.grid[2] == 2);
  CHECK(seen.block[0] == 32 && seen.block[1] == 4 && seen.block[2] == 2 && seen.shared_bytes == 100);
  CHECK_OK(cudaLaunchKernel_ptsz(ADDRESS(stub), one, one, args, 0, cudaStreamPerThread));
  CHECK_NUMBER(sum, 75);
  CHECK_ERROR(cudaLaunchKernel(ADDRESS(stub), one, one, NULL, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchKernel(ADDRESS(stub), one, one, args, 0, (cudaStream_t)&by), cudaErrorInvalidResourceHandle);
  CHECK_NUMBER(runs, 2);
  CHECK_OK(cudaLaunchKernel(ADDRESS(nesting_stub), one, one, NULL, 0, 0));
  CHECK_NUMBER(runs, 3);

  cudaLaunchAttribute attributes[3] = {{.id = cudaLaunchAttributeProgrammaticStreamSerialization},
                                       {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {1, 1, 1}},
                                       {.id = cudaLaunchAttributeLaunchCompletionEvent}};
  attributes[2].val.launchCompletionEvent.event = event;
  cudaLaunchConfig_t config = {{2, 1, 1}, {64, 1, 1}, 8, stream, attributes, 3};
  CHECK_OK(cudaLaunchKernelExC(&config, ADDRESS(stub), args));
  CHECK_NUMBER(sum, 81);
  float elapsed;
  CHECK_OK(cudaEventElapsedTime(&elapsed, event, event));
  attributes[1].val.clusterDim.x = 2;
  CHECK_OK(cudaLaunchKernelExC(&config, ADDRESS(stub), args));
  CHECK(seen.cluster[0] == 2 && seen.cluster[1] == 1 && seen.cluster[2] == 1);
  attributes[1].val.clusterDim.x = 3; /* no divisor of the grid */
  CHECK_ERROR(cudaLaunchKernelExC(&config, ADDRESS(stub), args), cudaErrorInvalidClusterSize);
  attributes[1].val.clusterDim.x = 0;
  CHECK_ERROR(cudaLaunchKernelExC(&config, ADDRESS(stub), args), cudaErrorInvalidClusterSize);
  config.attrs = NULL;
  CHECK_ERROR(cudaLaunchKernelExC(&config, ADDRESS(stub), args), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchKernelExC(NULL, ADDRESS(stub), args), cudaErrorInvalidValue);
  CHECK_NUMBER(sum, 87);
  CHECK_OK(cudaEventDestroy(event));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void check_shapes(void) {
  static const struct {
    dim3 grid, block;
    cudaError_t error;
  } shapes[] = {
      {{0, 1, 1}, {1, 1, 1}, cudaErrorInvalidConfiguration},
      {{1, 1, 0}, {1, 1, 1}, cudaErrorInvalidConfiguration},
      {{1, 1, 1}, {0, 1, 1}, cudaErrorInvalidConfiguration},
      {{1, 1, 1}, {1, 0, 1}, cudaErrorInvalidConfiguration},
      {{1, 1, 1}, {1024, 1, 1}, cudaSuccess},
      {{1, 1, 1}, {1025, 1, 1}, cudaErrorInvalidConfiguration},
      {{1, 1, 1}, {32, 33, 1}, cudaErrorInvalidConfiguration},
      {{1, 1, 1}, {1, 1, 64}, cudaSuccess},
      {{1, 1, 1}, {1, 1, 65}, cudaErrorInvalidConfiguration},
      {{1, 1, 1}, {65536, 65536, 1}, cudaErrorInvalidConfiguration},
      {{2147483647u, 1, 1}, {1, 1, 1}, cudaSuccess},
      {{2147483648u, 1, 1}, {1, 1, 1}, cudaErrorInvalidConfiguration},
      {{1, 65535, 65535}, {1, 1, 1}, cudaSuccess},
      {{1, 65536, 1}, {1, 1, 1}, cudaErrorInvalidConfiguration},
      {{1, 1, 65536}, {1, 1, 1}, cudaErrorInvalidConfiguration},
  };
  for (size_t i = 0; i < COUNT_OF(shapes); i++) {
    dim3 grid = shapes[i].grid, block = shapes[i].block;
    int fine = shapes[i].error == cudaSuccess;
    runs = 0;
    CHECK_ERROR(cudaLaunchKernel(ADDRESS(plain_stub), grid, block, NULL, 0, 0), shapes[i].error);
    CHECK_NUMBER(runs, fine);
    const uwrt_dims *begun = uwrt_launch_begin(&kernels[1], grid.x | (uint64_t)grid.y << 32, grid.z,
                                               block.x | (uint64_t)block.y << 32, block.z, 0, NULL);
    CHECK_NUMBER(begun != NULL, fine);
    CHECK_NUMBER(cudaGetLastError(), shapes[i].error);
    if (begun)
      uwrt_launch_end(&kernels[1]);
  }
  CHECK_OK(cudaLaunchKernel(ADDRESS(bounded_stub), one, (dim3){256, 1, 1}, NULL, 0, 0));
  CHECK_ERROR(cudaLaunchKernel(ADDRESS(bounded_stub), one, (dim3){257, 1, 1}, NULL, 0, 0), cudaErrorInvalidValue);
  CHECK(!uwrt_launch_begin(&kernels[1], 1, 1, 1 | (uint64_t)1 << 32, 1, 0, NULL));
  CHECK_NUMBER(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

static int begin_with_shared(const uwrt_kernel *kernel, uint64_t bytes) {
  int begun = uwrt_launch_begin(kernel, 1 | (uint64_t)1 << 32, 1, 1 | (uint64_t)1 << 32, 1, bytes, NULL) != NULL;
  if (begun)
    uwrt_launch_end(kernel);
  return begun;
}

static void check_shared(void) {
  struct cudaFuncAttributes attributes;
  const void *plain = ADDRESS(plain_stub), *fixed = ADDRESS(shared_stub);
  CHECK_OK(cudaLaunchKernel(plain, one, one, NULL, 49152, 0));
  CHECK_ERROR(cudaLaunchKernel(plain, one, one, NULL, 49153, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchKernel(plain, one, one, NULL, SIZE_MAX, 0), cudaErrorInvalidValue);
  CHECK_NUMBER(begin_with_shared(&kernels[1], 49153), 0);
  CHECK_NUMBER(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_NUMBER(begin_with_shared(&kernels[1], UINT64_MAX), 0);
  CHECK_NUMBER(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_OK(cudaFuncGetAttributes(&attributes, fixed));
  CHECK_NUMBER(attributes.sharedSizeBytes, 40000);
  CHECK_NUMBER(attributes.maxDynamicSharedSizeBytes, 9152);
  CHECK_OK(cudaLaunchKernel(fixed, one, one, NULL, 9152, 0));
  CHECK_ERROR(cudaLaunchKernel(fixed, one, one, NULL, 9153, 0), cudaErrorInvalidValue);
  CHECK_NUMBER(begin_with_shared(&kernels[4], 9153), 0);
  CHECK_NUMBER(cudaGetLastError(), cudaErrorInvalidValue);

  CHECK_OK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 166912));
  CHECK_OK(cudaLaunchKernel(plain, one, one, NULL, 166912, 0));
  CHECK_ERROR(cudaLaunchKernel(plain, one, one, NULL, 166913, 0), cudaErrorInvalidValue);
  CHECK_NUMBER(begin_with_shared(&kernels[1], 100000), 1);
  CHECK_ERROR(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 166913), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, -1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFuncSetAttribute(fixed, cudaFuncAttributeMaxDynamicSharedMemorySize, 130000), cudaErrorInvalidValue);
  CHECK_OK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK_ERROR(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101), cudaErrorInvalidValue);
  CHECK_OK(cudaFuncGetAttributes(&attributes, plain));
  CHECK_NUMBER(attributes.maxDynamicSharedSizeBytes, 166912);
  CHECK_NUMBER(attributes.preferredShmemCarveout, 50);
  CHECK_OK(cudaDeviceReset());
  CHECK_ERROR(cudaLaunchKernel(plain, one, one, NULL, 49153, 0), cudaErrorInvalidValue);

  CHECK_OK(cudaFuncGetAttributes(&attributes, ADDRESS(bounded_stub)));
  CHECK_NUMBER(attributes.maxThreadsPerBlock, 256);
  CHECK_OK(cudaFuncGetAttributes(&attributes, plain));
  CHECK_NUMBER(attributes.maxThreadsPerBlock, 1024);
  CHECK_NUMBER(attributes.binaryVersion, 80);
  CHECK_ERROR(cudaFuncGetAttributes(&attributes, ADDRESS(nobody)), cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaFuncSetAttribute(NULL, cudaFuncAttributePreferredSharedMemoryCarveout, 5),
              cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaFuncSetAttribute(plain, (enum cudaFuncAttribute)3, 5), cudaErrorInvalidValue);
  CHECK_OK(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferShared));
  CHECK_ERROR(cudaFuncSetCacheConfig(ADDRESS(nobody), cudaFuncCachePreferShared), cudaErrorInvalidDeviceFunction);
  CHECK_OK(cudaFuncSetSharedMemConfig(plain, cudaSharedMemBankSizeEightByte));
  const char *name = "";
  CHECK_OK(cudaFuncGetName(&name, plain));
  CHECK_TEXT(name, "_Z5plainv");
}

static void check_cooperative(void) {
  struct cudaDeviceProp prop;
  const void *grid = ADDRESS(grid_stub);
  int blocks = 0;
  CHECK_OK(cudaGetDeviceProperties(&prop, 0));
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, grid, 256, 0));
  CHECK_NUMBER(blocks, 8);
  unsigned int room = (unsigned int)(blocks * prop.multiProcessorCount);
  runs = 0;
  CHECK_OK(cudaLaunchCooperativeKernel(grid, (dim3){room, 1, 1}, (dim3){256, 1, 1}, NULL, 0, 0));
  CHECK_NUMBER(runs, room);
  runs = 0;
  CHECK_ERROR(cudaLaunchCooperativeKernel(grid, (dim3){room + 1, 1, 1}, (dim3){256, 1, 1}, NULL, 0, 0),
              cudaErrorCooperativeLaunchTooLarge);
  CHECK_ERROR(cudaLaunchCooperativeKernel(grid, (dim3){2147483647, 65535, 65535}, one, NULL, 0, 0),
              cudaErrorCooperativeLaunchTooLarge);
  CHECK_OK(cudaLaunchCooperativeKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0));
  CHECK_NUMBER(runs, 1);
  CHECK_OK(
      cudaLaunchKernel(grid, (dim3){2 * room, 1, 1}, one, NULL, 0, 0)); /* it may, as long as it meets no barrier */
  CHECK_NUMBER(runs, 2 * room + 1);
  runs = 0;
  cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
  cudaLaunchConfig_t config = {{2, 1, 1}, {64, 1, 1}, 0, 0, &attribute, 1};
  CHECK_OK(cudaLaunchKernelExC(&config, grid, NULL));
  CHECK_NUMBER(runs, 2);
}

static void check_occupancy(void) {
  const void *plain = ADDRESS(plain_stub), *fixed = ADDRESS(shared_stub);
  static const struct {
    int threads;
    size_t shared;
    int blocks;
  } cases[] = {{1, 0, 32},   {64, 0, 32},        {65, 0, 21},         {128, 0, 16},  {1024, 0, 2},
               {1025, 0, 0}, {64, 48 * 1024, 3}, {64, 10 * 1024, 14}, {64, 49153, 0}};
  int blocks;
  size_t bytes;
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    blocks = -1;
    CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, cases[i].threads, cases[i].shared));
    if (blocks != cases[i].blocks)
      failed(__FILE__, __LINE__, "%d threads and %zu bytes: %d blocks, should be %d", cases[i].threads, cases[i].shared,
             blocks, cases[i].blocks);
  }
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fixed, 64, 0, cudaOccupancyDefault));
  CHECK_NUMBER(blocks, 4);
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, ADDRESS(bounded_stub), 512, 0));
  CHECK_NUMBER(blocks, 0);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, plain, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 1, 0), cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 1, 0, 8), cudaErrorInvalidValue);
  /* What is said to be available does fit. */
  for (int wanted = 1; wanted <= 16; wanted++) {
    CHECK_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, wanted, 128));
    CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 128, bytes));
    CHECK(blocks >= wanted);
  }
  CHECK_ERROR(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 17, 128), cudaErrorInvalidValue);
}

static void check_configurations(void) {
  dim3 grid = {0, 0, 0}, block = {0, 0, 0};
  size_t shared = 0;
  cudaStream_t stream = NULL;
  CHECK_NUMBER(__cudaPushCallConfiguration((dim3){1, 2, 3}, (dim3){4, 5, 6}, 7, NULL), 0);
  CHECK_NUMBER(__cudaPushCallConfiguration((dim3){8, 1, 1}, one, 9, cudaStreamLegacy), 0);
  CHECK_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  CHECK(grid.x == 8 && shared == 9 && stream == cudaStreamLegacy);
  CHECK_OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  CHECK(grid.x == 1 && grid.z == 3 && block.x == 4 && block.z == 6 && shared == 7 && stream == NULL);
  CHECK_ERROR(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);

  double by = 2;
  int *out = &sum;
  sum = 0;
  CHECK_OK(cudaConfigureCall((dim3){5, 1, 1}, one, 0, 0));
  CHECK_OK(cudaSetupArgument(&by, sizeof by, 8));
  CHECK_OK(cudaSetupArgument(&out, sizeof out, 0));
  CHECK_OK(cudaLaunch(ADDRESS(stub)));
  CHECK_NUMBER(sum, 10);
  CHECK_ERROR(cudaLaunch(ADDRESS(stub)), cudaErrorMissingConfiguration);
  CHECK_OK(cudaConfigureCall(one, one, 0, 0));
  CHECK_ERROR(cudaSetupArgument(&by, sizeof by, 4090), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunch(ADDRESS(stub)), cudaErrorInvalidValue); /* no arguments */
  CHECK_NUMBER(sum, 10);
}

static void check_sticky(void) {
  runs = 0;
  uwrt_trap("");
  CHECK_NUMBER(cudaLaunchKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0), cudaErrorLaunchFailure);
  CHECK_NUMBER(begin_with_shared(&kernels[1], 0), 0);
  CHECK_NUMBER(runs, 0);
  CHECK_NUMBER(cudaDeviceReset(), cudaSuccess);
  CHECK_NUMBER(begin_with_shared(&kernels[1], 0), 1);
}

int main(void) {
  check_registry();
  check_launch();
  check_shapes();
  check_shared();
  check_cooperative();
  check_occupancy();
  check_configurations();
  check_sticky();
  uwrt_unregister(&module);
  CHECK_ERROR(cudaLaunchKernel(ADDRESS(plain_stub), one, one, NULL, 0, 0), cudaErrorInvalidDeviceFunction);
  return finish();
}
