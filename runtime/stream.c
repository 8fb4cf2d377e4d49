/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Streams. All work is finished when the call that asked for it returns, which keeps every order that a stream or an
 * event can ask for, but for kernels and host functions that wait for the host and what stands behind them (aside.c); a
 * stream is a valid handle with its flags, priority and attributes. A handle is looked up before it is followed: a
 * destroyed one is an error and no crash.
 */
#include <pthread.h>
#include <stdlib.h>

#include "work.h"

enum { PRIORITY_LEAST = 0, PRIORITY_GREATEST = -5 };

struct CUstream_st {
  int device;
  unsigned int flags;
  int priority;
  unsigned long long id;
  struct cudaAccessPolicyWindow window;
  enum cudaSynchronizationPolicy policy;
  cudaLaunchMemSyncDomain domain;
  cudaLaunchMemSyncDomainMap domain_map;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uwrt_table streams;
static unsigned long long next_id = 3;

#define NEW_STREAM .policy = cudaSyncPolicyAuto, .domain = cudaLaunchMemSyncDomainDefault, .domain_map = {0, 1}
/* The null stream and its two names. */
static struct CUstream_st default_streams[UWRT_DEVICE_MOST][3];

/* Those of the current device. One that was never asked for is not filled in yet; the caller holds the lock. */
static struct CUstream_st *default_stream(uintptr_t number) {
  int device = uwrt_current_device();
  struct CUstream_st *found = &default_streams[device][number];
  if (!found->policy)
    *found = (struct CUstream_st){.device = device, .id = number, NEW_STREAM};
  return found;
}

/* The stream after a handle, or null. The caller holds the lock. */
static struct CUstream_st *find_stream(cudaStream_t stream) {
  if ((uintptr_t)stream <= 2)
    return default_stream((uintptr_t)stream);
  return uwrt_table_find(&streams, stream);
}

int uwrt_stream_exists(cudaStream_t stream) {
  if ((uintptr_t)stream <= 2)
    return 1;
  pthread_mutex_lock(&lock);
  int exists = uwrt_table_find(&streams, stream) != NULL;
  pthread_mutex_unlock(&lock);
  return exists;
}

unsigned long long uwrt_stream_id(cudaStream_t stream) {
  pthread_mutex_lock(&lock);
  const struct CUstream_st *found = find_stream(stream);
  unsigned long long id = found ? found->id : 0;
  pthread_mutex_unlock(&lock);
  return id;
}

int uwrt_stream_is_legacy(cudaStream_t stream) { return (uintptr_t)stream <= 1; }

int uwrt_stream_is_blocking(cudaStream_t stream) {
  pthread_mutex_lock(&lock);
  const struct CUstream_st *found = find_stream(stream);
  int blocking = found && !(found->flags & cudaStreamNonBlocking);
  pthread_mutex_unlock(&lock);
  return blocking;
}

const void *uwrt_stream_key(cudaStream_t stream) {
  static _Thread_local char per_thread[UWRT_DEVICE_MOST];
  int device = uwrt_current_device();
  if (uwrt_stream_is_legacy(stream))
    return default_streams[device];
  return stream == cudaStreamPerThread ? (const void *)&per_thread[device] : stream;
}

int uwrt_stream_device(cudaStream_t stream) {
  if ((uintptr_t)stream <= 2)
    return uwrt_current_device();
  pthread_mutex_lock(&lock);
  const struct CUstream_st *found = find_stream(stream);
  int device = found ? found->device : -1;
  pthread_mutex_unlock(&lock);
  return device;
}

void uwrt_stream_reset(int device) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < streams.capacity;) {
    struct CUstream_st *at = streams.entries[i].value;
    if (at && at->device == device)
      free(uwrt_table_remove(&streams, at)); /* moves another entry here */
    else
      i++;
  }
  if (!streams.count)
    uwrt_table_free(&streams);
  pthread_mutex_unlock(&lock);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  UWRT_ENTER;
  if (leastPriority)
    *leastPriority = PRIORITY_LEAST;
  if (greatestPriority)
    *greatestPriority = PRIORITY_GREATEST;
  UWRT_LEAVE;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  UWRT_ENTER;
  UWRT_REQUIRE(stream && flags <= cudaStreamNonBlocking, cudaErrorInvalidValue);
  struct CUstream_st *fresh = malloc(sizeof *fresh);
  UWRT_REQUIRE(fresh, cudaErrorMemoryAllocation);
  if (priority > PRIORITY_LEAST)
    priority = PRIORITY_LEAST;
  if (priority < PRIORITY_GREATEST)
    priority = PRIORITY_GREATEST;
  *fresh = (struct CUstream_st){.device = uwrt_current_device(), .flags = flags, .priority = priority, NEW_STREAM};
  pthread_mutex_lock(&lock);
  fresh->id = next_id++;
  int inserted = uwrt_table_insert(&streams, fresh, fresh);
  pthread_mutex_unlock(&lock);
  if (!inserted) {
    free(fresh);
    error = cudaErrorMemoryAllocation;
    goto out;
  }
  *stream = fresh;
  UWRT_LEAVE;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  UWRT_ENTER;
  pthread_mutex_lock(&lock);
  struct CUstream_st *found = uwrt_table_remove(&streams, stream);
  pthread_mutex_unlock(&lock);
  UWRT_REQUIRE(found, cudaErrorInvalidResourceHandle);
  uwrt_capture_forget_stream(stream);
  free(found);
  UWRT_LEAVE;
}

static cudaError_t may_ask(cudaStream_t stream) {
  cudaError_t error = uwrt_stream_exists(stream) ? uwrt_capture_unsupported(stream) : cudaErrorInvalidResourceHandle;
  return error == cudaSuccess ? uwrt_capture_unsafe() : error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_TRY(may_ask(stream));
  UWRT_TRY(uwrt_wait_for_stream(stream));
  uwrt_note_order(UWRT_ORDER_HOST_STREAM, stream, NULL);
  uwrt_guards_look();
  uwrt_pool_synchronised();
  UWRT_LEAVE;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_TRY(may_ask(stream));
  UWRT_REQUIRE(!uwrt_is_unfinished(stream), cudaErrorNotReady);
  uwrt_note_order(UWRT_ORDER_HOST_STREAM, stream, NULL);
  UWRT_LEAVE;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(flags <= cudaEventWaitExternal, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
  if (!uwrt_event_exists(event)) {
    uwrt_capture_spoil(stream);
    UWRT_TRY(cudaErrorInvalidResourceHandle);
  }
  int capturing = 0;
  if (uwrt_in_kernel()) {
    uwrt_order_children();
    goto out;
  }
  if (flags == cudaEventWaitExternal) {
    UWRT_TRY(uwrt_capture_enter(stream, &capturing));
    UWRT_REQUIRE(capturing, cudaErrorInvalidValue);
  }
  if (capturing) {
    uwrt_work work = {.type = cudaGraphNodeTypeWaitEvent, .event = event};
    UWRT_TRY(uwrt_submit(stream, &work));
  } else {
    UWRT_TRY(uwrt_capture_wait(stream, event));
    uwrt_note_order(UWRT_ORDER_WAIT, stream, event);
    uint64_t recording = uwrt_event_recording(event);
    if (uwrt_is_aside(recording)) {
      const uwrt_work wait = {.type = cudaGraphNodeTypeEmpty};
      UWRT_TRY(uwrt_aside_submit(stream, &wait, recording, NULL));
    } else {
      uwrt_event_wait_for_others(event); /* the calling thread does: the other process needs nothing of it */
    }
  }
  UWRT_LEAVE;
}

typedef struct callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  void *data;
} callback;

static void call_back(void *argument) {
  const callback own = *(const callback *)argument;
  free(argument);
  own.function(own.stream, cudaSuccess, own.data);
}

static cudaError_t call_in_turn(cudaStream_t stream, cudaStreamCallback_t function, void *data) {
  callback *later = malloc(sizeof *later);
  if (!later)
    return cudaErrorMemoryAllocation;
  *later = (callback){function, stream, data};
  cudaError_t error = uwrt_aside_call(stream, call_back, later);
  if (error != cudaSuccess)
    free(later);
  return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *userData,
                                  unsigned int flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(function && flags == 0, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
  UWRT_TRY(uwrt_capture_unsupported(stream));
  uwrt_note_order(UWRT_ORDER_HOST_STREAM, stream, NULL); /* it is after that, and may tell other threads */
  UWRT_TRY(call_in_turn(stream, function, userData));
  UWRT_LEAVE;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
  UWRT_ENTER;
  uwrt_work work = {.type = cudaGraphNodeTypeHost, .host = {fn, userData}};
  UWRT_TRY(uwrt_submit(stream, &work));
  UWRT_LEAVE;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags) {
  uwrt_allocation found;
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
  UWRT_TRY(uwrt_capture_unsupported(stream));
  UWRT_REQUIRE(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle,
               cudaErrorInvalidValue);
  /* Memory goes to a stream as a whole: the length is 0 or the allocation's. The null stream can own none. */
  UWRT_REQUIRE(flags != cudaMemAttachSingle || (uintptr_t)stream > 2, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_allocation_find(devPtr, &found), cudaErrorInvalidValue);
  UWRT_REQUIRE(found.space & (UWRT_SPACE_MANAGED | UWRT_SPACE_MANAGED_VARIABLE), cudaErrorInvalidValue);
  UWRT_REQUIRE(found.base == (uintptr_t)devPtr && (length == 0 || length == found.bytes), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

/* Copies what is known of a stream. Returns 0 for a bad handle. */
static int read_stream(cudaStream_t stream, struct CUstream_st *copy) {
  pthread_mutex_lock(&lock);
  const struct CUstream_st *found = find_stream(stream);
  if (found)
    *copy = *found;
  pthread_mutex_unlock(&lock);
  return found != NULL;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  struct CUstream_st copy;
  UWRT_ENTER;
  UWRT_REQUIRE(flags, cudaErrorInvalidValue);
  UWRT_REQUIRE(read_stream(stream, &copy), cudaErrorInvalidResourceHandle);
  *flags = copy.flags;
  UWRT_LEAVE;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  struct CUstream_st copy;
  UWRT_ENTER;
  UWRT_REQUIRE(priority, cudaErrorInvalidValue);
  UWRT_REQUIRE(read_stream(stream, &copy), cudaErrorInvalidResourceHandle);
  *priority = copy.priority;
  UWRT_LEAVE;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *streamId) {
  struct CUstream_st copy;
  UWRT_ENTER;
  UWRT_REQUIRE(streamId, cudaErrorInvalidValue);
  UWRT_REQUIRE(read_stream(stream, &copy), cudaErrorInvalidResourceHandle);
  *streamId = copy.id;
  UWRT_LEAVE;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  struct CUstream_st copy;
  UWRT_ENTER;
  UWRT_REQUIRE(device, cudaErrorInvalidValue);
  UWRT_REQUIRE(read_stream(stream, &copy), cudaErrorInvalidResourceHandle);
  *device = copy.device;
  UWRT_LEAVE;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value_out) {
  struct CUstream_st copy;
  UWRT_ENTER;
  UWRT_REQUIRE(value_out, cudaErrorInvalidValue);
  UWRT_REQUIRE(read_stream(stream, &copy), cudaErrorInvalidResourceHandle);
  switch (attr) {
  case cudaLaunchAttributeAccessPolicyWindow: value_out->accessPolicyWindow = copy.window; break;
  case cudaLaunchAttributeSynchronizationPolicy: value_out->syncPolicy = copy.policy; break;
  case cudaLaunchAttributePriority: value_out->priority = copy.priority; break;
  case cudaLaunchAttributeMemSyncDomain: value_out->memSyncDomain = copy.domain; break;
  case cudaLaunchAttributeMemSyncDomainMap: value_out->memSyncDomainMap = copy.domain_map; break;
  default: error = cudaErrorInvalidValue;
  }
  UWRT_LEAVE;
}

/* The caller holds the lock. */
static cudaError_t write_attribute(struct CUstream_st *stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value) {
  switch (attr) {
  case cudaLaunchAttributeAccessPolicyWindow:
    if (value->accessPolicyWindow.num_bytes > (size_t)uwrt_this_machine()->cache_bytes ||
        !(value->accessPolicyWindow.hitRatio >= 0) || value->accessPolicyWindow.hitRatio > 1)
      return cudaErrorInvalidValue;
    stream->window = value->accessPolicyWindow;
    return cudaSuccess;
  case cudaLaunchAttributeSynchronizationPolicy:
    if (value->syncPolicy < cudaSyncPolicyAuto || value->syncPolicy > cudaSyncPolicyBlockingSync)
      return cudaErrorInvalidValue;
    stream->policy = value->syncPolicy;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    if (value->priority > PRIORITY_LEAST || value->priority < PRIORITY_GREATEST)
      return cudaErrorInvalidValue;
    stream->priority = value->priority;
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomain:
    if ((unsigned int)value->memSyncDomain > cudaLaunchMemSyncDomainRemote)
      return cudaErrorInvalidValue;
    stream->domain = value->memSyncDomain;
    return cudaSuccess;
  case cudaLaunchAttributeMemSyncDomainMap: stream->domain_map = value->memSyncDomainMap; return cudaSuccess;
  default: return cudaErrorInvalidValue;
  }
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value) {
  UWRT_ENTER;
  UWRT_REQUIRE(value, cudaErrorInvalidValue);
  pthread_mutex_lock(&lock);
  struct CUstream_st *found = find_stream(stream);
  error = found ? write_attribute(found, attr, value) : cudaErrorInvalidResourceHandle;
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  UWRT_ENTER;
  pthread_mutex_lock(&lock);
  struct CUstream_st *to = find_stream(dst);
  const struct CUstream_st *from = find_stream(src);
  if (to && from) {
    to->priority = from->priority;
    to->window = from->window;
    to->policy = from->policy;
    to->domain = from->domain;
    to->domain_map = from->domain_map;
  } else {
    error = cudaErrorInvalidResourceHandle;
  }
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}
