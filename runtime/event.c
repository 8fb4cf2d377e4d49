/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Events. All earlier work is finished when an event is recorded, so recording is reading the clock, and an event is
 * complete from then on. Only after work that goes on aside (aside.c) recording is a work, too, and the event complete
 * when that is finished. One of several processes is complete when it was reached wherever it was recorded last
 * (ipc.c).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "work.h"

struct CUevent_st {
  int device;
  unsigned int flags;
  int recorded;
  uint64_t recording; /* the number of the last work that records it; 0: that was done at once */
  uint64_t nanoseconds;
  uwrt_shared_event *shared; /* of several processes, else null */
  int file;                  /* that it is in; -1: another process made it */
  uint64_t ticket;           /* of the shared one's recordings, that which is to be reached; 0: none */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uwrt_table events;

int uwrt_event_exists(cudaEvent_t event) {
  pthread_mutex_lock(&lock);
  int exists = uwrt_table_find(&events, event) != NULL;
  pthread_mutex_unlock(&lock);
  return exists;
}

cudaError_t uwrt_event_record(cudaEvent_t event) {
  pthread_mutex_lock(&lock);
  struct CUevent_st *found = uwrt_table_find(&events, event);
  if (found) {
    found->recorded = 1;
    found->nanoseconds = uwrt_nanoseconds();
    if (found->shared)
      uwrt_shared_event_reach(found->shared,
                              found->ticket ? found->ticket : atomic_fetch_add(&found->shared->recorded, 1) + 1);
    found->ticket = 0;
  }
  pthread_mutex_unlock(&lock);
  return found ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static void set_recording(cudaEvent_t event, uint64_t number) {
  pthread_mutex_lock(&lock);
  struct CUevent_st *found = uwrt_table_find(&events, event);
  if (found)
    found->recording = number;
  pthread_mutex_unlock(&lock);
}

uint64_t uwrt_event_recording(cudaEvent_t event) {
  pthread_mutex_lock(&lock);
  const struct CUevent_st *found = uwrt_table_find(&events, event);
  uint64_t recording = found ? found->recording : 0;
  pthread_mutex_unlock(&lock);
  return recording;
}

/* From now on all processes wait for this recording. */
static void take_ticket(cudaEvent_t event) {
  pthread_mutex_lock(&lock);
  struct CUevent_st *found = uwrt_table_find(&events, event);
  if (found && found->shared)
    found->ticket = atomic_fetch_add(&found->shared->recorded, 1) + 1;
  pthread_mutex_unlock(&lock);
}

/* The shared event, if its last recording is still to be reached; `recording` takes that one's number. */
static const uwrt_shared_event *shared_and_open(cudaEvent_t event, uint64_t *recording) {
  pthread_mutex_lock(&lock);
  const struct CUevent_st *found = uwrt_table_find(&events, event);
  const uwrt_shared_event *shared = found ? found->shared : NULL;
  *recording = shared ? atomic_load(&shared->recorded) : 0;
  pthread_mutex_unlock(&lock);
  return shared && !uwrt_shared_event_reached(shared, *recording) ? shared : NULL;
}

void uwrt_event_wait_for_others(cudaEvent_t event) {
  uint64_t recording;
  const uwrt_shared_event *shared = shared_and_open(event, &recording);
  if (shared)
    uwrt_shared_event_wait(shared, recording);
}

int uwrt_event_file(cudaEvent_t event) {
  pthread_mutex_lock(&lock);
  const struct CUevent_st *found = uwrt_table_find(&events, event);
  int file = found && found->shared ? found->file : -1;
  pthread_mutex_unlock(&lock);
  return file;
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream) {
  const uwrt_work work = {.type = cudaGraphNodeTypeEventRecord, .event = event};
  uint64_t number = 0;
  uwrt_aside_forget_event(event);
  take_ticket(event);
  cudaError_t error = uwrt_is_after(stream) ? uwrt_aside_submit(stream, &work, 0, &number) : uwrt_event_record(event);
  if (error == cudaSuccess) {
    set_recording(event, number);
    uwrt_note_order(UWRT_ORDER_RECORD, stream, event);
  }
  return error;
}

int uwrt_event_device(cudaEvent_t event) {
  pthread_mutex_lock(&lock);
  const struct CUevent_st *found = uwrt_table_find(&events, event);
  int device = found ? found->device : -1;
  pthread_mutex_unlock(&lock);
  return device;
}

static void end(struct CUevent_st *event) {
  if (event->shared)
    uwrt_shared_event_destroy(event->shared, event->file);
  free(event);
}

void uwrt_event_reset(int device) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < events.capacity;) {
    struct CUevent_st *at = events.entries[i].value;
    if (at && at->device == device)
      end(uwrt_table_remove(&events, at)); /* moves another entry here */
    else
      i++;
  }
  if (!events.count)
    uwrt_table_free(&events);
  pthread_mutex_unlock(&lock);
}

static cudaError_t create(cudaEvent_t *event, unsigned int flags, uwrt_shared_event *shared, int file) {
  struct CUevent_st *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return cudaErrorMemoryAllocation;
  *fresh = (struct CUevent_st){.device = uwrt_current_device(), .flags = flags, .shared = shared, .file = file};
  pthread_mutex_lock(&lock);
  int inserted = uwrt_table_insert(&events, fresh, fresh);
  pthread_mutex_unlock(&lock);
  if (!inserted) {
    free(fresh);
    return cudaErrorMemoryAllocation;
  }
  *event = fresh;
  return cudaSuccess;
}

cudaError_t uwrt_event_of_others(cudaEvent_t *event, uwrt_shared_event *shared) {
  return create(event, cudaEventInterprocess | cudaEventDisableTiming, shared, -1);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  const unsigned int known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  uwrt_shared_event *shared = NULL;
  int file = -1;
  UWRT_ENTER;
  UWRT_REQUIRE(event && !(flags & ~known), cudaErrorInvalidValue);
  if (flags & cudaEventInterprocess) {
    UWRT_REQUIRE(flags & cudaEventDisableTiming, cudaErrorInvalidValue);
    shared = uwrt_shared_event_create(&file);
    UWRT_REQUIRE(shared, cudaErrorMemoryAllocation);
  }
  error = create(event, flags, shared, file);
  if (error != cudaSuccess && shared)
    uwrt_shared_event_destroy(shared, file);
  UWRT_LEAVE;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(flags <= cudaEventRecordExternal, cudaErrorInvalidValue);
  int capturing;
  UWRT_REQUIRE(uwrt_event_exists(event), cudaErrorInvalidResourceHandle);
  UWRT_TRY(uwrt_capture_enter(stream, &capturing));
  UWRT_REQUIRE(uwrt_event_device(event) == uwrt_stream_device(stream), cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(capturing || flags != cudaEventRecordExternal, cudaErrorInvalidValue);
  if (capturing && flags == cudaEventRecordExternal) {
    uwrt_work work = {.type = cudaGraphNodeTypeEventRecord, .event = event};
    UWRT_TRY(uwrt_submit(stream, &work));
  } else if (capturing) {
    UWRT_TRY(uwrt_capture_record(event, stream));
  } else {
    uwrt_capture_forget_event(event);
    UWRT_TRY(record(event, stream));
  }
  UWRT_LEAVE;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

static cudaError_t may_ask(cudaEvent_t event) {
  cudaError_t error = uwrt_event_exists(event) ? uwrt_capture_event(event) : cudaErrorInvalidResourceHandle;
  return error == cudaSuccess ? uwrt_capture_unsafe() : error;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  UWRT_ENTER;
  UWRT_TRY(may_ask(event));
  UWRT_TRY(uwrt_wait_for_work(uwrt_event_recording(event)));
  uwrt_event_wait_for_others(event);
  uwrt_note_order(UWRT_ORDER_HOST_EVENT, NULL, event);
  uwrt_pool_synchronised();
  UWRT_LEAVE;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  uint64_t recording;
  UWRT_ENTER;
  UWRT_TRY(may_ask(event));
  UWRT_REQUIRE(!uwrt_is_aside(uwrt_event_recording(event)) && !shared_and_open(event, &recording), cudaErrorNotReady);
  uwrt_note_order(UWRT_ORDER_HOST_EVENT, NULL, event);
  UWRT_LEAVE;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  UWRT_ENTER;
  pthread_mutex_lock(&lock);
  struct CUevent_st *found = uwrt_table_remove(&events, event);
  pthread_mutex_unlock(&lock);
  UWRT_REQUIRE(found, cudaErrorInvalidResourceHandle);
  uwrt_capture_forget_event(event);
  uwrt_aside_forget_event(event);
  end(found);
  UWRT_LEAVE;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  UWRT_ENTER;
  UWRT_REQUIRE(ms, cudaErrorInvalidValue);
  UWRT_REQUIRE(!uwrt_is_aside(uwrt_event_recording(start)) && !uwrt_is_aside(uwrt_event_recording(end)),
               cudaErrorNotReady);
  pthread_mutex_lock(&lock);
  const struct CUevent_st *first = uwrt_table_find(&events, start), *last = uwrt_table_find(&events, end);
  if (!first || !last || first->device != last->device || !first->recorded || !last->recorded ||
      ((first->flags | last->flags) & cudaEventDisableTiming))
    error = cudaErrorInvalidResourceHandle;
  else
    *ms = (float)((double)(int64_t)(last->nanoseconds - first->nanoseconds) / 1e6);
  pthread_mutex_unlock(&lock);
  UWRT_LEAVE;
}
