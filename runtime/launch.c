/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches. A launch in place (uwrt_launch_begin) and one by handle (cudaLaunchKernel and its kin) go through the same
 * checks, in CUDA's order:
 *
 *   an extent of 0, or over the device's limits                            cudaErrorInvalidConfiguration
 *   more threads than the kernel's launch bounds                           cudaErrorInvalidValue
 *   another shape of blocks than the kernel requires (.reqntid)            cudaErrorInvalidValue
 *   more shared memory than 48 KiB, or than the program opted in to        cudaErrorInvalidValue; for a cooperative launch as below
 *   a stream that is none                                                  cudaErrorInvalidResourceHandle
 *   a cooperative grid that does not fit the device at once                cudaErrorCooperativeLaunchTooLarge
 *   clusters that do not divide the grid, of more than 8 blocks (16 where
 *   the program allowed it), or not those that the kernel requires         cudaErrorInvalidClusterSize
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "work.h"

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

enum { PORTABLE_CLUSTER = 8, LARGE_CLUSTER = 16 /* blocks */ };

/* The clusters of a launch that says nothing about them are those that its kernel requires. */
void uwrt_know_cluster(const uwrt_kernel *kernel, uwrt_dims *dims) {
  uwrt_kernel_settings settings;
  if (dims->cluster[0])
    return;
  if (kernel->cluster)
    memcpy(dims->cluster, kernel->cluster, sizeof dims->cluster);
  else if (atomic_load_explicit(&uwrt_clusters_are_set, memory_order_relaxed) &&
           uwrt_kernel_find(kernel->stub, NULL, &settings) && settings.cluster[0])
    for (int i = 0; i < 3; i++)
      dims->cluster[i] = (uint32_t)settings.cluster[i];
}

static cudaError_t check_cluster(const uwrt_kernel *kernel, const uwrt_dims *dims) {
  uwrt_kernel_settings settings = {0};
  uwrt_dims known = *dims;
  uwrt_know_cluster(kernel, &known);
  const uint32_t *cluster = known.cluster;
  if (!cluster[0])
    return cudaSuccess;
  if (atomic_load_explicit(&uwrt_clusters_are_set, memory_order_relaxed))
    uwrt_kernel_find(kernel->stub, NULL, &settings);
  const uint64_t most = settings.large_clusters ? LARGE_CLUSTER : PORTABLE_CLUSTER;
  uint64_t blocks = 1;
  for (int i = 0; i < 3; i++) {
    if (!cluster[i] || cluster[i] > most || dims->grid[i] % cluster[i] ||
        (kernel->cluster && kernel->cluster[i] != cluster[i]))
      return cudaErrorInvalidClusterSize;
    blocks *= cluster[i];
  }
  return blocks > most ? cudaErrorInvalidClusterSize : cudaSuccess;
}

/* settings may be null: most launches never need to look them up. */
static cudaError_t check_launch(const uwrt_kernel *kernel, const uwrt_kernel_settings *settings,
                                const uwrt_dims *dims) {
  uwrt_kernel_settings found;
  if (kernel->flags & UWRT_KERNEL_SYCL)
    return cudaSuccess;
  cudaError_t error = check_extents(dims);
  if (error != cudaSuccess)
    return error;
  uint32_t threads = dims->block[0] * dims->block[1] * dims->block[2];
  if (kernel->max_threads && threads > kernel->max_threads)
    return cudaErrorInvalidValue;
  if (kernel->shape && memcmp(kernel->shape, dims->block, sizeof dims->block) != 0)
    return cudaErrorInvalidValue;
  if (!settings && (dims->cooperative || dims->shared_bytes > UWRT_SHARED_DEFAULT ||
                    dims->shared_bytes + kernel->static_shared_bytes > UWRT_SHARED_DEFAULT)) {
    if (!uwrt_kernel_find(kernel->stub, NULL, &found))
      return cudaErrorInvalidDeviceFunction;
    settings = &found;
  }
  if (settings && dims->shared_bytes > (uint64_t)settings->dynamic_shared)
    return dims->cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidValue; /* none of its blocks fits */
  if (dims->cooperative) {
    uint64_t room = (uint64_t)uwrt_device_cores(uwrt_current_device()) *
                    uwrt_blocks_per_multiprocessor(kernel, settings, threads, dims->shared_bytes);
    /* At most 2^63: the three limits multiplied. */
    if ((uint64_t)dims->grid[0] * dims->grid[1] * dims->grid[2] > room)
      return cudaErrorCooperativeLaunchTooLarge;
  }
  return check_cluster(kernel, dims);
}

/* Extents, and whether there is such a kernel, CUDA's runtime looks at; what its driver refuses spoils a capture of the
 * stream. */
cudaError_t uwrt_launch_checked(cudaStream_t stream, cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorInvalidConfiguration && error != cudaErrorInvalidDeviceFunction)
    uwrt_capture_spoil(stream);
  return error;
}

/* In the trace, and by the checker, where nobody asks for the error. */
static void tell_refused(uwrt_running *launch, cudaError_t error) {
  char text[128];
  if (uwrt_in_kernel() || uwrt_sticky_error() != cudaSuccess) /* that was told when it came */
    return;
  if (uwrt_checks)
    uwrt_checks->not_launched(launch, error);
  launch->started = uwrt_trace_start();
  if (!launch->started)
    return;
  snprintf(text, sizeof text, "refused (%s)", cudaGetErrorString(error));
  uwrt_trace_launch(launch, text);
}

/* The launch in place of this thread: one ends before the next begins. One that waits cannot run in place, nor can one
 * for which the thread has too little stack: uwrt_launch_elsewhere follows, and takes it from here. */
static _Thread_local uwrt_running in_place;
static _Thread_local int in_place_begun, in_place_waits, in_place_entered;

const uwrt_dims *uwrt_launch_begin(const uwrt_kernel *kernel, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy,
                                   uint32_t block_z, uint64_t shared_bytes, void *stream) {
  uwrt_running *launch = &in_place;
  int capturing = 0;
  launch->dims = (uwrt_dims){.grid = {(uint32_t)grid_xy, (uint32_t)(grid_xy >> 32), grid_z},
                             .block = {(uint32_t)block_xy, (uint32_t)(block_xy >> 32), block_z},
                             .shared_bytes = shared_bytes,
                             .running = launch};
  cudaError_t error = uwrt_sticky_error();
  if (error == cudaSuccess)
    error = uwrt_launch_checked(stream, check_launch(kernel, NULL, &launch->dims));
  if (error == cudaSuccess)
    error = uwrt_capture_enter(stream, &capturing);
  if (error == cudaSuccess && uwrt_device_count() > 1 && uwrt_stream_device(stream) != uwrt_current_device())
    error = cudaErrorInvalidResourceHandle;
  uwrt_know_cluster(kernel, &launch->dims);
  launch->kernel = kernel;
  uwrt_note_kernel(kernel);
  launch->args = NULL;
  launch->joined = NULL;
  launch->ordered = 0;
  launch->stream = stream;
  in_place_begun = 0;
  if (error != cudaSuccess)
    tell_refused(launch, error);
  in_place_waits = error == cudaSuccess && (capturing || uwrt_stack_is_small());
  if (uwrt_note_error(error) != cudaSuccess || in_place_waits)
    return NULL;
  in_place_waits = uwrt_flight_begin(stream);
  if (in_place_waits) {
    uwrt_flight_end();
    return NULL;
  }
  in_place_begun = 1;
  in_place_entered = uwrt_device_enter(uwrt_current_device());
  launch->started = uwrt_trace_start();
  uwrt_run_begins(kernel);
  uwrt_enter(&launch->dims); /* what is the same for all blocks is computed by this thread */
  return &launch->dims;
}

/* UINT64_MAX: more than there can be. */
static uint64_t count_threads(const uwrt_dims *dims) {
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++)
    if (__builtin_mul_overflow(threads, (uint64_t)dims->grid[i] * dims->block[i], &threads))
      return UINT64_MAX;
  return threads;
}

_Atomic int uwrt_keeps_launches;

int uwrt_launch_join(const uwrt_kernel *kernel, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy, uint32_t block_z,
                     uint64_t shared_bytes, void *stream) {
  const uwrt_dims *own = &in_place.dims;
  uwrt_dims dims = {.grid = {(uint32_t)grid_xy, (uint32_t)(grid_xy >> 32), grid_z},
                    .block = {(uint32_t)block_xy, (uint32_t)(block_xy >> 32), block_z},
                    .shared_bytes = shared_bytes};
  if (!in_place_begun || uwrt_checks || own->cluster[0] || kernel->cluster || in_place.started ||
      stream != in_place.stream || memcmp(dims.grid, own->grid, sizeof dims.grid) != 0 ||
      memcmp(dims.block, own->block, sizeof dims.block) != 0 || check_launch(kernel, NULL, &dims) != cudaSuccess ||
      count_threads(&dims) > INT32_MAX)
    return 0;
  uwrt_note_kernel(kernel);
  in_place.joined = kernel;
  return atomic_load_explicit(&uwrt_keeps_launches, memory_order_relaxed) ? UWRT_JOINS : UWRT_JOINS_FOR_GOOD;
}

void uwrt_launch_arguments(void **args) { in_place.args = args; }

void uwrt_launch_finished(uwrt_running *launch) {
  if (uwrt_checks)
    uwrt_checks->launch_ends(launch);
  if (launch->started)
    uwrt_trace_launch(launch, NULL);
  uwrt_finish_children(launch);
}

/* All blocks are finished. What a block took it gave back itself; a grid of one block may have left this thread's
 * place. */
void uwrt_launch_end(const uwrt_kernel *kernel) {
  (void)kernel;
  uwrt_run_is(NULL);
  uwrt_own_place.launch = NULL;
  uwrt_launch_finished(&in_place);
  uwrt_device_leave(in_place_entered);
  uwrt_flight_end();
}

void uwrt_launch_elsewhere(const uwrt_kernel *kernel, void **args) {
  if (in_place_begun) { /* its values are not those that the code in place is made for */
    uwrt_run_is(NULL);
    uwrt_own_place.launch = NULL;
    uwrt_device_leave(in_place_entered);
    uwrt_flight_end();
  } else if (!in_place_waits) {
    return; /* it was refused */
  }
  in_place_begun = in_place_waits = 0;
  uwrt_note_error(uwrt_launch(kernel->stub, &in_place.dims, args, in_place.stream));
}

void uwrt_launch_joined(const uwrt_kernel *kernel, void **args) {
  uwrt_note_error(uwrt_launch(kernel->stub, &in_place.dims, args, in_place.stream));
}

cudaError_t uwrt_kernel_work_check(const uwrt_kernel_work *work) {
  uwrt_kernel_settings settings;
  if (!uwrt_kernel_find(work->kernel->stub, NULL, &settings))
    return cudaErrorInvalidDeviceFunction;
  cudaError_t error = check_launch(work->kernel, &settings, &work->dims);
  return error == cudaSuccess && work->kernel->param_count && !work->args ? cudaErrorInvalidValue : error;
}

cudaError_t uwrt_kernel_work_run_here(const uwrt_kernel_work *work, cudaStream_t stream) {
  /* A kernel may launch another one: it then finds itself where it stood. */
  uwrt_thread_context outer = uwrt_thread;
  uwrt_place outer_place = uwrt_own_place;
  uwrt_running launch = {.dims = work->dims,
                         .kernel = work->kernel,
                         .stream = stream,
                         .args = work->args,
                         .started = uwrt_trace_start(),
                         .depth = work->depth};
  launch.dims.running = &launch;
  uwrt_know_cluster(work->kernel, &launch.dims);
  uwrt_note_kernel(work->kernel);
  uwrt_enter(&launch.dims);
  if (uwrt_checks)
    uwrt_checks->launch_begins(&launch);
  if (work->kernel->flags & UWRT_KERNEL_BLOCKS_WAIT) {
    uwrt_grid_run(&launch);
  } else {
    const void *outer = uwrt_run_begins(work->kernel);
    work->kernel->entry(&launch.dims, work->args);
    uwrt_run_is(outer);
  }
  uwrt_own_place = outer_place;
  uwrt_thread = outer;
  uwrt_launch_finished(&launch);
  return cudaSuccess;
}

/* A kernel with nothing said about it beyond its shape. */
static uwrt_work kernel_of(const uwrt_kernel *kernel, const uwrt_dims *dims, void **args) {
  return (uwrt_work){.type = cudaGraphNodeTypeKernel,
                     .device = uwrt_current_device(),
                     .kernel = {kernel, *dims, args, .domain_map = {0, 1}}};
}

cudaError_t uwrt_launch(const void *stub, const uwrt_dims *dims, void **args, cudaStream_t stream) {
  const uwrt_kernel *kernel;
  if (!uwrt_kernel_find(stub, &kernel, NULL))
    return uwrt_fat_error(stub);
  uwrt_work work = kernel_of(kernel, dims, args);
  cudaError_t error = uwrt_submit(stream, &work);
  if (error != cudaSuccess)
    tell_refused(&(uwrt_running){.dims = *dims, .kernel = kernel, .stream = stream}, error);
  return error;
}

static uwrt_dims dims_of(dim3 grid, dim3 block, size_t shared, int cooperative) {
  return (uwrt_dims){.grid = {grid.x, grid.y, grid.z},
                     .block = {block.x, block.y, block.z},
                     .shared_bytes = shared,
                     .cooperative = cooperative != 0};
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                             cudaStream_t stream) {
  UWRT_ENTER;
  uwrt_dims dims = dims_of(gridDim, blockDim, sharedMem, 0);
  UWRT_TRY(uwrt_launch(func, &dims, args, stream));
  UWRT_LEAVE;
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                        cudaStream_t stream) {
  UWRT_ENTER;
  uwrt_dims dims = dims_of(gridDim, blockDim, sharedMem, 1);
  UWRT_TRY(uwrt_launch(func, &dims, args, stream));
  UWRT_LEAVE;
}

/* What an attribute asks for: hints are kept, cooperative and clusters are honoured. */
cudaError_t uwrt_kernel_work_attribute(uwrt_kernel_work *work, cudaLaunchAttributeID id,
                                       const cudaLaunchAttributeValue *value) {
  switch (id) {
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeProgrammaticStreamSerialization: return cudaSuccess;
  case cudaLaunchAttributeAccessPolicyWindow: work->window = value->accessPolicyWindow; return cudaSuccess;
  case cudaLaunchAttributePriority: work->priority = value->priority; return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomainMap: work->domain_map = value->memSyncDomainMap; return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomain: work->domain = value->memSyncDomain; return cudaSuccess;
  case cudaLaunchAttributeCooperative: work->dims.cooperative = value->cooperative != 0; return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    if (!value->clusterDim.x || !value->clusterDim.y || !value->clusterDim.z)
      return cudaErrorInvalidClusterSize;
    work->dims.cluster[0] = value->clusterDim.x;
    work->dims.cluster[1] = value->clusterDim.y;
    work->dims.cluster[2] = value->clusterDim.z;
    return cudaSuccess;
  default: return cudaErrorNotSupported;
  }
}

/* An event that the launch records: all of the kernel is done when it is. */
static int names_event(const cudaLaunchAttribute *attribute, cudaEvent_t *event) {
  if (attribute->id == cudaLaunchAttributeProgrammaticEvent)
    *event = attribute->val.programmaticEvent.event;
  else if (attribute->id == cudaLaunchAttributeLaunchCompletionEvent)
    *event = attribute->val.launchCompletionEvent.event;
  else
    return 0;
  return 1;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args) {
  const uwrt_kernel *kernel;
  cudaEvent_t event = NULL;
  UWRT_ENTER;
  UWRT_REQUIRE(config && (config->attrs || !config->numAttrs), cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, NULL), cudaErrorInvalidDeviceFunction);
  uwrt_dims dims = dims_of(config->gridDim, config->blockDim, config->dynamicSmemBytes, 0);
  uwrt_work work = kernel_of(kernel, &dims, args);
  for (unsigned int i = 0; i < config->numAttrs; i++) {
    if (names_event(&config->attrs[i], &event))
      UWRT_REQUIRE(uwrt_event_exists(event), cudaErrorInvalidResourceHandle);
    else
      UWRT_TRY(uwrt_kernel_work_attribute(&work.kernel, config->attrs[i].id, &config->attrs[i].val));
  }
  UWRT_TRY(uwrt_submit(config->stream, &work));
  if (event)
    error = cudaEventRecord(event, config->stream);
  UWRT_LEAVE;
}

/* Attributes of kernels. The code is native: registers are reported as a kernel that limits nothing would have them.
 * What PTX was made for is told as it is, as libraries (CUB) choose by it which block shape their host code launches,
 * which has to be the one that they had compiled. */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func) {
  const uwrt_kernel *kernel;
  uwrt_kernel_settings settings;
  UWRT_ENTER;
  UWRT_REQUIRE(attr, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, &settings), cudaErrorInvalidDeviceFunction);
  *attr = (struct cudaFuncAttributes){
      .sharedSizeBytes = (size_t)kernel->static_shared_bytes,
      .maxThreadsPerBlock =
          kernel->max_threads && kernel->max_threads < UWRT_MAX_THREADS ? (int)kernel->max_threads : UWRT_MAX_THREADS,
      .numRegs = 32,
      .ptxVersion = settings.architecture ? settings.architecture : 80,
      .binaryVersion = 80,
      .maxDynamicSharedSizeBytes = settings.dynamic_shared,
      .preferredShmemCarveout = settings.carveout,
      .clusterDimMustBeSet = kernel->cluster || settings.cluster[0],
      .requiredClusterWidth = kernel->cluster ? (int)kernel->cluster[0] : settings.cluster[0],
      .requiredClusterHeight = kernel->cluster ? (int)kernel->cluster[1] : settings.cluster[1],
      .requiredClusterDepth = kernel->cluster ? (int)kernel->cluster[2] : settings.cluster[2],
      .nonPortableClusterSizeAllowed = settings.large_clusters,
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
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
    UWRT_REQUIRE(!kernel->cluster, cudaErrorNotPermitted);
    UWRT_REQUIRE(value >= 0 && value <= LARGE_CLUSTER, cudaErrorInvalidValue);
    uwrt_kernel_set_cluster(func, (int)attr - cudaFuncAttributeRequiredClusterWidth, value);
    break;
  case cudaFuncAttributeNonPortableClusterSizeAllowed: uwrt_kernel_allow_large_clusters(func, value != 0); break;
  case cudaFuncAttributeClusterDimMustBeSet: /* only to be read */ error = cudaErrorInvalidValue; break;
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    UWRT_REQUIRE(value >= cudaClusterSchedulingPolicyDefault && value <= cudaClusterSchedulingPolicyLoadBalancing,
                 cudaErrorInvalidValue);
    break; /* a hint */
  default: error = cudaErrorInvalidValue;
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

cudaError_t cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  const uwrt_kernel *kernel;
  UWRT_ENTER;
  UWRT_REQUIRE(paramOffset, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(func, &kernel, NULL), cudaErrorInvalidDeviceFunction);
  UWRT_REQUIRE(paramIndex < kernel->param_count && kernel->param_offsets, cudaErrorInvalidValue);
  *paramOffset = kernel->param_offsets[paramIndex];
  if (paramSize)
    *paramSize = kernel->param_sizes[paramIndex];
  UWRT_LEAVE;
}

/* A kernel's handle is its stub's address, which every function that takes a kernel knows. */

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr) {
  UWRT_ENTER;
  UWRT_REQUIRE(functionPtr, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_kernel_find(symbolPtr, NULL, NULL), cudaErrorInvalidDeviceFunction);
  *functionPtr = (cudaFunction_t)symbolPtr;
  UWRT_LEAVE;
}

cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr) {
  return cudaGetFuncBySymbol((cudaFunction_t *)kernelPtr, entryFuncAddr);
}

/* Doubles are doubles on every device that this is. */

cudaError_t cudaSetDoubleForDevice(double *d) {
  UWRT_ENTER;
  UWRT_REQUIRE(d, cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaSetDoubleForHost(double *d) { return cudaSetDoubleForDevice(d); }
