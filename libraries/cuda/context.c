/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Contexts. A device's primary context is the one that the runtime API works in. Another one has a handle, flags,
 * modules, streams and memory of its own, which end with it; kernels reach all memory, since it is the process's. Each
 * host thread has a stack of contexts; where that is empty, the primary context is current once the program has called
 * the runtime API, and cudaSetDevice puts it in the top's place.
 */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_DEPTH = 256, MOST_DEVICES = 32 };

struct CUctx_st {
  struct CUctx_st *next;
  unsigned long long id;
  int device, primary, destroyed, uses;
  unsigned int flags, version;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUctx_st primaries[MOST_DEVICES];
static CUcontext others; /* those that cuCtxCreate made; they stay, so that a destroyed one is known */
static unsigned long long last_id;
static atomic_int initialized;

static _Thread_local CUcontext stack[STACK_DEPTH];
static _Thread_local int depth;
static _Thread_local unsigned int choices; /* of the runtime's device, when the top was set */

int uwcu_is_initialized(void) {
  return atomic_load_explicit(&initialized, memory_order_relaxed) || uwrt_driver_started();
}

int uwcu_device_exists(int device) {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && device >= 0 && device < count;
}

CUcontext uwcu_primary(int device) {
  CUcontext primary = &primaries[device];
  pthread_mutex_lock(&lock);
  if (!primary->id) {
    primary->id = ++last_id;
    primary->device = device;
    primary->primary = 1;
    primary->version = CUDA_VERSION;
  }
  pthread_mutex_unlock(&lock);
  return primary;
}

static int exists(CUcontext context) {
  if (!context)
    return 0;
  for (int i = 0; i < MOST_DEVICES; i++)
    if (context == &primaries[i])
      return context->id != 0;
  pthread_mutex_lock(&lock);
  CUcontext at = others;
  while (at && at != context)
    at = at->next;
  int found = at && !at->destroyed;
  pthread_mutex_unlock(&lock);
  return found;
}

int uwcu_context_device(CUcontext context) { return exists(context) ? context->device : -1; }

static CUcontext runtimes_own(void) {
  int device = 0;
  cudaGetDevice(&device);
  return uwcu_primary(device);
}

CUcontext uwcu_current(void) {
  if (depth == 0)
    return uwrt_runtime_used() ? runtimes_own() : NULL;
  if (choices != uwrt_device_choices()) { /* the program chose a device since */
    stack[depth - 1] = runtimes_own();
    choices = uwrt_device_choices();
  }
  return stack[depth - 1];
}

/* What the top of the stack is now, the runtime is told. */
static void top_changed(void) {
  if (depth) {
    cudaSetDevice(stack[depth - 1]->device);
    choices = uwrt_device_choices();
  }
  uwrt_context_set(depth && !stack[depth - 1]->primary ? stack[depth - 1] : NULL);
}

/* What was current last tells what the program used of the runtime: so it is asked before the runtime's own notes are
 * put aside. */
CUresult uwcu_enter_anywhere(uwrt_driver_state *saved) {
  int ready = uwcu_is_initialized();
  uwrt_driver_enter(saved);
  return ready ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult uwcu_enter(uwrt_driver_state *saved) {
  int ready = uwcu_is_initialized();
  CUcontext context = ready ? uwcu_current() : NULL;
  uwrt_driver_enter(saved);
  if (!ready)
    return CUDA_ERROR_NOT_INITIALIZED;
  return !context ? CUDA_ERROR_INVALID_CONTEXT : context->destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

CUresult uwcu_on_device(int device, CUresult (*act)(void *), void *data) {
  int before = 0;
  cudaGetDevice(&before);
  unsigned int chosen = uwrt_device_choices();
  const void *context = uwrt_context_set(NULL);
  if (before != device)
    cudaSetDevice(device);
  CUresult result = act(data);
  if (before != device)
    cudaSetDevice(before);
  uwrt_context_set(context);
  if (choices == chosen)
    choices = uwrt_device_choices();
  return result;
}

CUresult cuInit(unsigned int Flags) {
  if (Flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_device_exists(0))
    return CUDA_ERROR_NO_DEVICE;
  atomic_store(&initialized, 1);
  return CUDA_SUCCESS;
}

/* --- the stack ---------------------------------------------------------------------------------------------------- */

static CUresult push(CUcontext context) {
  if (!exists(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (depth == STACK_DEPTH)
    return CUDA_ERROR_OUT_OF_MEMORY;
  stack[depth++] = context;
  top_changed();
  return CUDA_SUCCESS;
}

static CUresult pop(CUcontext *context) {
  if (!depth)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = stack[depth - 1];
  depth--;
  top_changed();
  return CUDA_SUCCESS;
}

static CUresult set(CUcontext context) {
  if (!context) {
    depth -= depth > 0;
    top_changed();
    return CUDA_SUCCESS;
  }
  if (!exists(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  depth -= depth > 0;
  return push(context);
}

CUresult cuCtxPushCurrent(CUcontext ctx) { ANYWHERE(push(ctx)); }

CUresult cuCtxPopCurrent(CUcontext *pctx) {
  uwcu_current();
  ANYWHERE(pop(pctx));
}

CUresult cuCtxSetCurrent(CUcontext ctx) { ANYWHERE(set(ctx)); }

CUresult cuCtxGetCurrent(CUcontext *pctx) {
  CUcontext current = uwcu_is_initialized() ? uwcu_current() : NULL;
  if (pctx)
    *pctx = current;
  ANYWHERE(pctx ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* --- made by the program ------------------------------------------------------------------------------------------ */

static int are_flags(unsigned int flags) {
  return (flags & CU_CTX_SCHED_MASK & ((flags & CU_CTX_SCHED_MASK) - 1)) == 0 &&
         !(flags & ~(unsigned int)CU_CTX_FLAGS_MASK);
}

static CUresult create(CUcontext *context, unsigned int flags, int device, unsigned int version) {
  if (!context || !are_flags(flags))
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_device_exists(device))
    return CUDA_ERROR_INVALID_DEVICE;
  CUcontext fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock(&lock);
  *fresh = (struct CUctx_st){others, ++last_id, device, 0, 0, 1, flags, version};
  others = fresh;
  pthread_mutex_unlock(&lock);
  CUresult result = push(fresh);
  if (result == CUDA_SUCCESS)
    *context = fresh;
  return result;
}

#undef cuCtxCreate
__attribute__((visibility("default"))) CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev) {
  ANYWHERE(create(pctx, flags, dev, 3020));
}

__attribute__((visibility("default"))) CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray,
                                                               int numParams, unsigned int flags, CUdevice dev) {
  (void)paramsArray;
  ANYWHERE(numParams ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : create(pctx, flags, dev, 3020));
}

CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev) {
  int parts = ctxCreateParams && ctxCreateParams->numExecAffinityParams;
  int shares = ctxCreateParams && ctxCreateParams->cigParams;
  ANYWHERE(parts    ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
           : shares ? CUDA_ERROR_NOT_SUPPORTED
                    : create(pctx, flags, dev, 3020));
}

static CUresult free_all_of(void *context) {
  cudaDeviceSynchronize();
  uwcu_unload_of(context);
  uwcu_streams_end(context);
  uwrt_context_free(context);
  return CUDA_SUCCESS;
}

static CUresult destroy(CUcontext context) {
  if (!exists(context) || context->primary)
    return CUDA_ERROR_INVALID_CONTEXT;
  uwcu_on_device(context->device, free_all_of, context);
  context->destroyed = 1;
  if (depth && stack[depth - 1] == context)
    pop(NULL);
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext ctx) { ANYWHERE(destroy(ctx)); }

static CUresult attach(CUcontext *context, unsigned int flags) {
  if (!context || flags)
    return CUDA_ERROR_INVALID_VALUE;
  *context = uwcu_current();
  pthread_mutex_lock(&lock);
  if (*context)
    (*context)->uses++;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags) { RUN(attach(pctx, flags)); }

CUresult cuCtxDetach(CUcontext ctx) {
  int others_use = 0;
  if (exists(ctx) && !ctx->primary) {
    pthread_mutex_lock(&lock);
    others_use = ctx->uses > 1;
    ctx->uses -= others_use;
    pthread_mutex_unlock(&lock);
  }
  return others_use ? CUDA_SUCCESS : cuCtxDestroy(ctx);
}

/* --- primary ones ------------------------------------------------------------------------------------------------- */

static CUresult retain(CUcontext *context, int device) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_device_exists(device))
    return CUDA_ERROR_INVALID_DEVICE;
  *context = uwcu_primary(device);
  pthread_mutex_lock(&lock);
  (*context)->uses++;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

static CUresult release(int device) {
  if (!uwcu_device_exists(device))
    return CUDA_ERROR_INVALID_DEVICE;
  CUcontext primary = uwcu_primary(device);
  pthread_mutex_lock(&lock);
  int held = primary->uses > 0;
  primary->uses -= held;
  pthread_mutex_unlock(&lock);
  return held ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult reset_current(void *data) {
  (void)data;
  return uwcu_result((int)cudaDeviceReset());
}

static CUresult reset(int device) {
  if (!uwcu_device_exists(device))
    return CUDA_ERROR_INVALID_DEVICE;
  uwcu_unload_of(uwcu_primary(device));
  return uwcu_on_device(device, reset_current, NULL);
}

static CUresult state_of(int device, unsigned int *flags, int *active, int used) {
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_device_exists(device))
    return CUDA_ERROR_INVALID_DEVICE;
  CUcontext primary = uwcu_primary(device);
  *flags = primary->flags;
  *active = primary->uses > 0 || used;
  return CUDA_SUCCESS;
}

static CUresult set_flags(int device, unsigned int flags) {
  if (!are_flags(flags))
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_device_exists(device))
    return CUDA_ERROR_INVALID_DEVICE;
  uwcu_primary(device)->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev) { ANYWHERE(retain(pctx, dev)); }
CUresult cuDevicePrimaryCtxRelease(CUdevice dev) { ANYWHERE(release(dev)); }
CUresult cuDevicePrimaryCtxReset(CUdevice dev) { ANYWHERE(reset(dev)); }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) { ANYWHERE(set_flags(dev, flags)); }
CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active) {
  int used = uwrt_runtime_used();
  ANYWHERE(state_of(dev, flags, active, used));
}

/* --- what a context knows ----------------------------------------------------------------------------------------- */

static CUresult device_of(CUdevice *device, CUcontext context) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (!exists(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  *device = context->device;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  CUcontext current = uwcu_current();
  RUN(device_of(device, current));
}
CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx) {
  CUcontext context = ctx ? ctx : uwcu_current();
  ANYWHERE(device_of(device, context));
}

CUresult cuCtxGetFlags(unsigned int *flags) {
  CUcontext current = uwcu_current();
  RUN(flags ? (*flags = current->flags, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuCtxSetFlags(unsigned int flags) {
  CUcontext current = uwcu_current();
  RUN(are_flags(flags) ? (current->flags = flags, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId) {
  CUcontext context = ctx ? ctx : uwcu_current();
  ANYWHERE(!ctxId             ? CUDA_ERROR_INVALID_VALUE
           : !exists(context) ? CUDA_ERROR_INVALID_CONTEXT
                              : (*ctxId = context->id, CUDA_SUCCESS));
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version) {
  CUcontext context = ctx ? ctx : uwcu_current();
  ANYWHERE(!version           ? CUDA_ERROR_INVALID_VALUE
           : !exists(context) ? CUDA_ERROR_INVALID_CONTEXT
                              : (*version = context->version, CUDA_SUCCESS));
}

CUresult cuCtxSynchronize(void) { RUN(cudaDeviceSynchronize()); }
CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  ANYWHERE(!ctx || exists(ctx) ? (int)cudaDeviceSynchronize() : CUDA_ERROR_INVALID_CONTEXT);
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) { RUN(cudaDeviceSetLimit((enum cudaLimit)limit, value)); }
CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit) { RUN(cudaDeviceGetLimit(pvalue, (enum cudaLimit)limit)); }
CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig) { RUN(cudaDeviceGetCacheConfig((enum cudaFuncCache *)pconfig)); }
CUresult cuCtxSetCacheConfig(CUfunc_cache config) { RUN(cudaDeviceSetCacheConfig((enum cudaFuncCache)config)); }
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig) {
  RUN(cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)pConfig));
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  RUN(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}
CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  RUN(cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority));
}
CUresult cuCtxResetPersistingL2Cache(void) { RUN(cudaCtxResetPersistingL2Cache()); }

/* Peers: the runtime keeps which device may reach which. */
CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  RUN(exists(peerContext) ? (int)cudaDeviceEnablePeerAccess(peerContext->device, Flags) : CUDA_ERROR_INVALID_CONTEXT);
}
CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  RUN(exists(peerContext) ? (int)cudaDeviceDisablePeerAccess(peerContext->device) : CUDA_ERROR_INVALID_CONTEXT);
}
