/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches. A launch in place (uwrt_launch_begin) and one by handle (cudaLaunchKernel and its kin) go through the same
 * checks, in CUDA's order:
 *
 *   an extent of 0, or over the device's limits                            cudaErrorInvalidConfiguration
 *   more threads than the kernel's launch bounds                           cudaErrorInvalidValue
 *   more shared memory than 48 KiB, or than the program opted in to        cudaErrorInvalidValue
 *   a stream that is none                                                  cudaErrorInvalidResourceHandle
 *   a cooperative grid that does not fit the device at once                cudaErrorCooperativeLaunchTooLarge
 */
#include "internal.h"

static cudaError_t check_extents(const uwrt_dims *dims) {
  static const uint32_t grid_limits[3] = {2147483647, 65535, 65535}, block_limits[3] = {1024, 1024, 64};
  for (int i = 0; i < 3; i++) {
    if (!dims->grid[i] || dims->grid[i] > grid_limits[i] || !dims->block[i] || dims->block[i] > block_limits[i])
      return cudaErrorInvalidConfiguration;
  }
  if (dims->block[0] * dims->block[1] * dims->block[2] > UWRT_MAX_THREADS) /* at most 2^26 */
    return cudaErrorInvalidConfiguration;
  return cudaSuccess;
}

/* settings may be null: most launches never need to look them up. */
static cudaError_t check_launch(const uwrt_kernel *kernel, const uwrt_kernel_settings *settings, const uwrt_dims *dims,
                                cudaStream_t stream) {
  uwrt_kernel_settings found;
  cudaError_t error = check_extents(dims);
  if (error != cudaSuccess)
    return error;
  uint32_t threads = dims->block[0] * dims->block[1] * dims->block[2];
  if (kernel->max_threads && threads > kernel->max_threads)
    return cudaErrorInvalidValue;
  if (!settings && (dims->cooperative || dims->shared_bytes > UWRT_SHARED_DEFAULT ||
                    dims->shared_bytes + kernel->static_shared_bytes > UWRT_SHARED_DEFAULT)) {
    if (!uwrt_kernel_find(kernel->stub, NULL, &found))
      return cudaErrorInvalidDeviceFunction;
    settings = &found;
  }
  if (settings && dims->shared_bytes > (uint64_t)settings->dynamic_shared)
    return cudaErrorInvalidValue;
  if (!uwrt_stream_exists(stream))
    return cudaErrorInvalidResourceHandle;
  if (dims->cooperative) {
    uint64_t room = (uint64_t)uwrt_this_machine()->cores *
                    uwrt_blocks_per_multiprocessor(kernel, settings, threads, dims->shared_bytes);
    /* At most 2^63: the three limits multiplied. */
    if ((uint64_t)dims->grid[0] * dims->grid[1] * dims->grid[2] > room)
      return cudaErrorCooperativeLaunchTooLarge;
  }
  return cudaSuccess;
}

/* The launch in place of this thread: one ends before the next begins. */
static _Thread_local uwrt_running in_place;

const uwrt_dims *uwrt_launch_begin(const uwrt_kernel *kernel, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy,
                                   uint32_t block_z, uint64_t shared_bytes, void *stream) {
  uwrt_running *launch = &in_place;
  launch->dims = (uwrt_dims){.grid = {(uint32_t)grid_xy, (uint32_t)(grid_xy >> 32), grid_z},
                             .block = {(uint32_t)block_xy, (uint32_t)(block_xy >> 32), block_z},
                             .shared_bytes = shared_bytes,
                             .running = launch};
  cudaError_t error = uwrt_sticky_error();
  if (error == cudaSuccess)
    error = check_launch(kernel, NULL, &launch->dims, stream);
  if (uwrt_note_error(error) != cudaSuccess)
    return NULL;
  launch->kernel = kernel;
  launch->stream = stream;
  launch->started = uwrt_trace_start();
  return &launch->dims;
}

/* All blocks are finished. What a block took it gave back itself; a grid of one block may have left this thread's place. */
void uwrt_launch_end(const uwrt_kernel *kernel) {
  (void)kernel;
  uwrt_own_place.launch = NULL;
  if (in_place.started)
    uwrt_trace_launch(&in_place, NULL);
}

cudaError_t uwrt_launch(const void *stub, const uwrt_dims *dims, void **args, cudaStream_t stream) {
  const uwrt_kernel *kernel;
  uwrt_kernel_settings settings;
  if (!uwrt_kernel_find(stub, &kernel, &settings))
    return cudaErrorInvalidDeviceFunction;
  cudaError_t error = check_launch(kernel, &settings, dims, stream);
  if (error != cudaSuccess)
    return error;
  if (kernel->param_count && !args)
    return cudaErrorInvalidValue;
  /* A kernel may launch another one: it then finds itself where it stood. */
  uwrt_thread_context outer = uwrt_thread;
  uwrt_place outer_place = uwrt_own_place;
  uwrt_running launch = {*dims, kernel, stream, uwrt_trace_start()};
  launch.dims.running = &launch;
  if (kernel->flags & UWRT_KERNEL_GRID_SYNC)
    uwrt_grid_run(kernel, &launch.dims, args);
  else
    kernel->entry(&launch.dims, args);
  if (launch.started)
    uwrt_trace_launch(&launch, NULL);
  uwrt_own_place = outer_place;
  uwrt_thread = outer;
  return cudaSuccess;
}

static uwrt_dims dims_of(dim3 grid, dim3 block, size_t shared, int cooperative) {
  return (uwrt_dims){{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, 0, cooperative != 0, NULL};
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                             cudaStream_t stream) {
  UWRT_ENTER;
  uwrt_dims dims = dims_of(gridDim, blockDim, sharedMem, 0);
  UWRT_TRY(uwrt_launch(func, &dims, args, stream));
  UWRT_LEAVE;
}

cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                  cudaStream_t stream) {
  return cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                        cudaStream_t stream) {
  UWRT_ENTER;
  uwrt_dims dims = dims_of(gridDim, blockDim, sharedMem, 1);
  UWRT_TRY(uwrt_launch(func, &dims, args, stream));
  UWRT_LEAVE;
}

/* What an attribute asks for: hints pass, cooperative and events are honoured, a cluster of one block is none. */
static cudaError_t read_attribute(const cudaLaunchAttribute *attribute, int *cooperative, cudaEvent_t *event) {
  switch (attribute->id) {
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeProgrammaticStreamSerialization:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
    return cudaSuccess;
  case cudaLaunchAttributeCooperative:
    *cooperative = attribute->val.cooperative != 0;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    return attribute->val.clusterDim.x <= 1 && attribute->val.clusterDim.y <= 1 && attribute->val.clusterDim.z <= 1
               ? cudaSuccess
               : cudaErrorNotSupported;
  case cudaLaunchAttributeProgrammaticEvent:
    *event = attribute->val.programmaticEvent.event;
    return uwrt_event_exists(*event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  case cudaLaunchAttributeLaunchCompletionEvent:
    *event = attribute->val.launchCompletionEvent.event;
    return uwrt_event_exists(*event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  default:
    return cudaErrorNotSupported;
  }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args) {
  int cooperative = 0;
  cudaEvent_t event = NULL;
  UWRT_ENTER;
  UWRT_REQUIRE(config && (config->attrs || !config->numAttrs), cudaErrorInvalidValue);
  for (unsigned int i = 0; i < config->numAttrs; i++)
    UWRT_TRY(read_attribute(&config->attrs[i], &cooperative, &event));
  uwrt_dims dims = dims_of(config->gridDim, config->blockDim, config->dynamicSmemBytes, cooperative);
  UWRT_TRY(uwrt_launch(func, &dims, args, config->stream));
  if (event)
    UWRT_TRY(uwrt_event_record(event));
  UWRT_LEAVE;
}

/* Attributes of kernels. The code is native: registers are reported as a kernel that limits nothing would have them. */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func) {
  const uwrt_kernel *kernel;
  uwrt_kernel_settings settings;
  UWRT_ENTER;
  UWRT_REQUIRE(attr, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, &settings), cudaErrorInvalidDeviceFunction);
  *attr = (struct cudaFuncAttributes){
      .sharedSizeBytes = (size_t)kernel->static_shared_bytes,
      .maxThreadsPerBlock = kernel->max_threads && kernel->max_threads < UWRT_MAX_THREADS ? (int)kernel->max_threads
                                                                                          : UWRT_MAX_THREADS,
      .numRegs = 32,
      .ptxVersion = 80,
      .binaryVersion = 80,
      .maxDynamicSharedSizeBytes = settings.dynamic_shared,
      .preferredShmemCarveout = settings.carveout,
  };
  UWRT_LEAVE;
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value) {
  const uwrt_kernel *kernel;
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, NULL), cudaErrorInvalidDeviceFunction);
  switch ((int)attr) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    UWRT_REQUIRE(value >= 0 && (uint64_t)value + kernel->static_shared_bytes <= UWRT_SHARED_OPTIN,
                 cudaErrorInvalidValue);
    uwrt_kernel_set_dynamic_shared(func, value);
    break;
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    UWRT_REQUIRE(value >= cudaSharedmemCarveoutDefault && value <= cudaSharedmemCarveoutMaxShared,
                 cudaErrorInvalidValue);
    uwrt_kernel_set_carveout(func, value);
    break;
  case cudaFuncAttributeClusterDimMustBeSet:
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    error = cudaErrorNotSupported;
    break;
  default:
    error = cudaErrorInvalidValue;
  }
  UWRT_LEAVE;
}

cudaError_t cudaFuncGetName(const char **name, const void *func) {
  const uwrt_kernel *kernel;
  UWRT_ENTER;
  UWRT_REQUIRE(name, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, NULL), cudaErrorInvalidDeviceFunction);
  *name = kernel->name;
  UWRT_LEAVE;
}

/* Doubles are doubles on every device that this is. */

cudaError_t cudaSetDoubleForDevice(double *d) {
  UWRT_ENTER;
  UWRT_REQUIRE(d, cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaSetDoubleForHost(double *d) { return cudaSetDoubleForDevice(d); }
