/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stream capture (CUDA C++ Programming Guide, "Creating a graph using stream capture"). A capture begins in one stream,
 * its origin; a stream joins it by waiting for an event that was recorded in it. Work given to a taking-part stream
 * becomes a node that depends on what the stream did last. The capture ends in its origin, which must by then depend on
 * all that was captured.
 *
 * What cannot be captured is an error, and spoils the captures that it met: they can only be ended, without a graph.
 * While nothing is being captured, all of this is one look at a counter.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "graph.h"

/* The nodes that the next one has to wait for. */
typedef struct node_set {
  cudaGraphNode_t *at;
  cudaGraphEdgeData *data; /* of the edges to come; as many as there is room for nodes */
  size_t count, capacity;
} node_set;

typedef struct capture {
  unsigned long long id;
  enum cudaStreamCaptureMode mode;
  int spoilt, to_graph; /* to_graph: the graph is the program's, and was there before */
  const void *thread, *origin;
  int device;
  cudaGraph_t graph;
  node_set left; /* what streams did last that were destroyed since */
  struct capture *next;
} capture;

typedef struct participant {
  capture *into;
  int blocking;
  node_set last;
} participant;

/* What an event that was recorded during a capture stands for. The capture may be over. */
typedef struct captured_event {
  unsigned long long id;
  node_set last;
} captured_event;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static capture *captures;
static uwrt_table participants; /* by the stream's key */
static uwrt_table events;       /* by event */
static unsigned long long next_id = 1;
static atomic_int active; /* captures, events that remember one, threads with a record */

static _Thread_local enum cudaStreamCaptureMode thread_mode;
static _Thread_local char thread_marker; /* its address tells threads apart */

/* --- small parts. The caller of each holds the lock --------------------------------------------------------------- */

static participant *find_participant(cudaStream_t stream) {
  return uwrt_table_find(&participants, uwrt_stream_key(stream));
}

static capture *find_capture(unsigned long long id) {
  capture *at = captures;
  while (at && at->id != id)
    at = at->next;
  return at;
}

static int add_node(node_set *set, cudaGraphNode_t node) {
  size_t room = set->capacity;
  for (size_t i = 0; i < set->count; i++)
    if (set->at[i] == node)
      return 1;
  if (!uwrt_grow(&set->at, &room, set->count, sizeof *set->at) ||
      !uwrt_grow(&set->data, &set->capacity, set->count, sizeof *set->data))
    return 0;
  set->data[set->count] = (cudaGraphEdgeData){0};
  set->at[set->count++] = node;
  return 1;
}

static cudaError_t add_nodes(node_set *set, cudaGraphNode_t const *nodes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!add_node(set, nodes[i]))
      return cudaErrorMemoryAllocation;
  return cudaSuccess;
}

static void free_set(node_set *set) {
  free(set->at);
  free(set->data);
}

/* The legacy stream waits for every blocking stream: with one of them in a capture, it would wait for what never
 * runs. */
static cudaError_t spoil_blocking(void) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < participants.capacity; i++) {
    participant *at = participants.entries[i].value;
    if (at && at->blocking) {
      at->into->spoilt = 1;
      error = cudaErrorStreamCaptureImplicit;
    }
  }
  return error;
}

static cudaError_t join(cudaStream_t stream, capture *into, participant **joined) {
  participant *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwrt_table_insert(&participants, uwrt_stream_key(stream), fresh)) {
    free(fresh);
    return cudaErrorMemoryAllocation;
  }
  fresh->into = into;
  fresh->blocking = uwrt_stream_is_blocking(stream);
  *joined = fresh;
  return cudaSuccess;
}

static void drop_participant(const void *key) {
  participant *gone = uwrt_table_remove(&participants, key);
  free_set(&gone->last);
  free(gone);
}

static void drop_capture(capture *gone) {
  for (size_t i = 0; i < participants.capacity;) {
    participant *at = participants.entries[i].value;
    if (!at || at->into != gone) {
      i++;
      continue;
    }
    drop_participant(participants.entries[i].key); /* moves another entry here */
  }
  for (capture **at = &captures; *at; at = &(*at)->next)
    if (*at == gone) {
      *at = gone->next;
      break;
    }
  free_set(&gone->left);
  free(gone);
  if (!captures)
    uwrt_table_free(&participants);
  atomic_fetch_sub(&active, 1);
}

static void forget_event(cudaEvent_t event) {
  captured_event *gone = uwrt_table_remove(&events, event);
  if (!gone)
    return;
  free_set(&gone->last);
  free(gone);
  atomic_fetch_sub(&active, 1);
  if (!events.count)
    uwrt_table_free(&events);
}

static int is_origin(const participant *at, cudaStream_t stream) { return at->into->origin == uwrt_stream_key(stream); }

/* --- what the rest of the runtime asks ---------------------------------------------------------------------------- */

void uwrt_capture_count(int more) { atomic_fetch_add(&active, more); }

cudaError_t uwrt_capture_enter(cudaStream_t stream, int *capturing) {
  cudaError_t error = cudaSuccess;
  *capturing = 0;
  if (!uwrt_stream_exists(stream))
    return cudaErrorInvalidResourceHandle;
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return cudaSuccess;
  if (uwrt_is_recording()) {
    *capturing = 1;
    return cudaSuccess;
  }
  pthread_mutex_lock(&lock);
  const participant *found = find_participant(stream);
  if (found && found->into->spoilt)
    error = cudaErrorStreamCaptureInvalidated;
  else if (found)
    *capturing = 1;
  else if (uwrt_stream_is_legacy(stream))
    error = spoil_blocking();
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t uwrt_capture_add(cudaStream_t stream, const uwrt_work *owned, cudaGraphNode_t *node) {
  uwrt_work work = *owned;
  if (uwrt_is_recording())
    return uwrt_record_add(owned);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&uwrt_graph_lock);
  participant *found = find_participant(stream);
  cudaError_t error = cudaErrorStreamCaptureInvalidated; /* ended or spoilt since the caller asked */
  if (found && !found->into->spoilt && uwrt_graph_exists(found->into->graph)) {
    error = uwrt_graph_add(found->into->graph, found->last.at, found->last.data, found->last.count, &work, node);
    if (error == cudaSuccess) {
      found->last.count = 0;
      error = add_nodes(&found->last, node, 1);
    } else {
      found->into->spoilt = 1;
    }
  } else {
    uwrt_work_free(&work);
  }
  pthread_mutex_unlock(&uwrt_graph_lock);
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t uwrt_capture_unsafe(void) {
  cudaError_t error = cudaSuccess;
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  for (capture *at = captures; at; at = at->next) {
    int own = at->thread == &thread_marker && at->mode != cudaStreamCaptureModeRelaxed;
    int others = thread_mode == cudaStreamCaptureModeGlobal && at->mode == cudaStreamCaptureModeGlobal;
    if (thread_mode != cudaStreamCaptureModeRelaxed && (own || others)) {
      at->spoilt = 1;
      error = cudaErrorStreamCaptureUnsupported;
    }
  }
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t uwrt_capture_unsupported(cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  participant *found = find_participant(stream);
  if (found) {
    found->into->spoilt = 1;
    error = cudaErrorStreamCaptureUnsupported;
  } else if (uwrt_stream_is_legacy(stream)) {
    error = spoil_blocking();
  }
  pthread_mutex_unlock(&lock);
  return error;
}

void uwrt_capture_spoil(cudaStream_t stream) {
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return;
  pthread_mutex_lock(&lock);
  participant *found = find_participant(stream);
  if (found)
    found->into->spoilt = 1;
  pthread_mutex_unlock(&lock);
}

cudaError_t uwrt_capture_none(void) {
  cudaError_t error = cudaSuccess;
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  for (capture *at = captures; at; at = at->next) {
    at->spoilt = 1;
    error = cudaErrorStreamCaptureUnsupported;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t uwrt_capture_event(cudaEvent_t event) {
  cudaError_t error = cudaSuccess;
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  const captured_event *found = uwrt_table_find(&events, event);
  if (found) {
    capture *into = find_capture(found->id);
    if (into)
      into->spoilt = 1;
    error = cudaErrorCapturedEvent;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t uwrt_capture_record(cudaEvent_t event, cudaStream_t stream) {
  pthread_mutex_lock(&lock);
  const participant *found = find_participant(stream);
  captured_event *fresh = calloc(1, sizeof *fresh);
  cudaError_t error = fresh ? cudaSuccess : cudaErrorMemoryAllocation;
  if (error == cudaSuccess && !found)
    error = cudaErrorStreamCaptureInvalidated;
  if (error == cudaSuccess) {
    fresh->id = found->into->id;
    error = add_nodes(&fresh->last, found->last.at, found->last.count);
  }
  if (error == cudaSuccess) {
    forget_event(event);
    if (uwrt_table_insert(&events, event, fresh)) {
      atomic_fetch_add(&active, 1);
      fresh = NULL;
    } else {
      error = cudaErrorMemoryAllocation;
    }
  }
  if (fresh) {
    free_set(&fresh->last);
    free(fresh);
  }
  pthread_mutex_unlock(&lock);
  return error;
}

void uwrt_capture_forget_event(cudaEvent_t event) {
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return;
  pthread_mutex_lock(&lock);
  forget_event(event);
  pthread_mutex_unlock(&lock);
}

/* Its work stays in the capture. Without its origin, a capture has no end. */
void uwrt_capture_forget_stream(cudaStream_t stream) {
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return;
  pthread_mutex_lock(&lock);
  participant *found = find_participant(stream);
  if (found) {
    capture *into = found->into;
    if (is_origin(found, stream)) {
      if (!into->to_graph) {
        pthread_mutex_lock(&uwrt_graph_lock);
        if (uwrt_graph_exists(into->graph))
          uwrt_graph_free(into->graph);
        pthread_mutex_unlock(&uwrt_graph_lock);
      }
      drop_capture(into);
    } else {
      if (add_nodes(&into->left, found->last.at, found->last.count) != cudaSuccess)
        into->spoilt = 1;
      drop_participant(uwrt_stream_key(stream));
    }
  }
  pthread_mutex_unlock(&lock);
}

cudaError_t uwrt_capture_wait(cudaStream_t stream, cudaEvent_t event) {
  cudaError_t error = cudaSuccess;
  if (!atomic_load_explicit(&active, memory_order_relaxed))
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  participant *found = find_participant(stream);
  const captured_event *of = uwrt_table_find(&events, event);
  capture *into = of ? find_capture(of->id) : NULL;
  if (of && !into) { /* its capture is over */
    error = cudaErrorCapturedEvent;
    if (found)
      found->into->spoilt = 1;
  } else if (!of && found) {
    found->into->spoilt = 1;
    error = cudaErrorStreamCaptureIsolation;
  } else if (of && found && found->into != into) {
    found->into->spoilt = into->spoilt = 1;
    error = cudaErrorStreamCaptureMerge;
  } else if (of && into->spoilt) {
    error = cudaErrorStreamCaptureInvalidated;
  } else if (of) {
    if (!found && uwrt_stream_is_legacy(stream)) {
      into->spoilt = 1;
      error = cudaErrorStreamCaptureImplicit;
    } else if (!found) {
      error = join(stream, into, &found);
    }
    if (error == cudaSuccess)
      error = add_nodes(&found->last, of->last.at, of->last.count);
  } else if (uwrt_stream_is_legacy(stream)) {
    error = spoil_blocking();
  }
  pthread_mutex_unlock(&lock);
  return error;
}

void uwrt_capture_reset(int device) {
  pthread_mutex_lock(&lock);
  for (capture *at = captures, *next; at; at = next) {
    next = at->next;
    if (at->device == device)
      drop_capture(at); /* its graph goes with the device's others */
  }
  for (size_t i = 0; i < events.capacity;) {
    cudaEvent_t event = (cudaEvent_t)events.entries[i].key;
    if (event && uwrt_event_device(event) == device)
      forget_event(event); /* moves another entry here */
    else
      i++;
  }
  pthread_mutex_unlock(&lock);
}

/* --- what programs call ------------------------------------------------------------------------------------------- */

static cudaError_t begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                         enum cudaStreamCaptureMode mode) {
  uwrt_keeps_launches = 1;
  participant *origin;
  if (!uwrt_stream_exists(stream))
    return cudaErrorInvalidResourceHandle;
  if ((unsigned int)mode > cudaStreamCaptureModeRelaxed || (count && !dependencies))
    return cudaErrorInvalidValue;
  if (uwrt_stream_is_legacy(stream))
    return cudaErrorStreamCaptureUnsupported;
  if (find_participant(stream))
    return cudaErrorIllegalState;
  for (size_t i = 0; i < count; i++)
    if (!uwrt_node_exists(dependencies[i]) || dependencies[i]->graph != graph)
      return cudaErrorInvalidValue;
  capture *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return cudaErrorMemoryAllocation;
  *fresh = (capture){
      next_id++, mode, 0,       graph != NULL, &thread_marker, uwrt_stream_key(stream), uwrt_stream_device(stream),
      graph,     {0},  captures};
  if (!graph)
    fresh->graph = uwrt_graph_new();
  atomic_fetch_add(&active, 1);
  captures = fresh;
  cudaError_t error = fresh->graph ? join(stream, fresh, &origin) : cudaErrorMemoryAllocation;
  if (error == cudaSuccess)
    error = add_nodes(&origin->last, dependencies, count);
  if (error != cudaSuccess) {
    if (!graph && fresh->graph)
      uwrt_graph_free(fresh->graph);
    drop_capture(fresh);
  }
  return error;
}

#define CAPTURE_ENTER                                                                                                  \
  pthread_mutex_lock(&lock);                                                                                           \
  pthread_mutex_lock(&uwrt_graph_lock);                                                                                \
  UWRT_ENTER
#define CAPTURE_LEAVE                                                                                                  \
  out:                                                                                                                 \
  pthread_mutex_unlock(&uwrt_graph_lock);                                                                              \
  pthread_mutex_unlock(&lock);                                                                                         \
  return uwrt_note_error(error)

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  CAPTURE_ENTER;
  UWRT_TRY(begin(stream, NULL, NULL, 0, mode));
  CAPTURE_LEAVE;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                          enum cudaStreamCaptureMode mode) {
  (void)dependencyData; /* the order of whole nodes, which is kept, is the stricter one */
  CAPTURE_ENTER;
  UWRT_REQUIRE(uwrt_graph_exists(graph), cudaErrorInvalidValue);
  UWRT_TRY(begin(stream, graph, dependencies, numDependencies, mode));
  CAPTURE_LEAVE;
}

static int come_before_origin(const node_set *set, const participant *origin) {
  for (size_t i = 0; i < set->count; i++) {
    int before = 0;
    for (size_t j = 0; j < origin->last.count && !before; j++)
      before = uwrt_node_reaches(set->at[i], origin->last.at[j]);
    if (!before)
      return 0;
  }
  return 1;
}

/* All that was captured lies before what the origin did last. */
static int is_joined(const participant *origin) {
  for (size_t i = 0; i < participants.capacity; i++) {
    const participant *at = participants.entries[i].value;
    if (at && at->into == origin->into && !come_before_origin(&at->last, origin))
      return 0;
  }
  return come_before_origin(&origin->into->left, origin);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  CAPTURE_ENTER;
  UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
  participant *origin = find_participant(stream);
  UWRT_REQUIRE(origin, cudaErrorIllegalState);
  capture *ended = origin->into;
  UWRT_REQUIRE(graph || ended->to_graph, cudaErrorInvalidValue); /* the program has the graph in that case */
  if (graph)
    *graph = NULL;
  UWRT_REQUIRE(ended->mode == cudaStreamCaptureModeRelaxed || ended->thread == &thread_marker,
               cudaErrorStreamCaptureWrongThread);
  if (!is_origin(origin, stream)) {
    ended->spoilt = 1;
    error = cudaErrorStreamCaptureUnmatched;
    goto out;
  }
  if (ended->spoilt || !uwrt_graph_exists(ended->graph))
    error = cudaErrorStreamCaptureInvalidated;
  else if (!is_joined(origin))
    error = cudaErrorStreamCaptureUnjoined;
  if (error == cudaSuccess && graph)
    *graph = ended->graph;
  else if (error != cudaSuccess && !ended->to_graph && uwrt_graph_exists(ended->graph))
    uwrt_graph_free(ended->graph);
  drop_capture(ended);
  CAPTURE_LEAVE;
}

static enum cudaStreamCaptureStatus status_of(const participant *at) {
  if (!at)
    return cudaStreamCaptureStatusNone;
  return at->into->spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

/* Asking about the legacy stream is an error while a stream that it waits for is being captured, but spoils nothing. */
static cudaError_t check_question(cudaStream_t stream) {
  if (!uwrt_stream_exists(stream))
    return cudaErrorInvalidResourceHandle;
  for (size_t i = 0; uwrt_stream_is_legacy(stream) && i < participants.capacity; i++) {
    const participant *at = participants.entries[i].value;
    if (at && at->blocking)
      return cudaErrorStreamCaptureImplicit;
  }
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  CAPTURE_ENTER;
  UWRT_REQUIRE(status, cudaErrorInvalidValue);
  UWRT_TRY(check_question(stream));
  *status = status_of(find_participant(stream));
  CAPTURE_LEAVE;
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edgeData,
                                        size_t *numDependencies) {
  CAPTURE_ENTER;
  UWRT_REQUIRE(status, cudaErrorInvalidValue);
  UWRT_TRY(check_question(stream));
  const participant *found = find_participant(stream);
  *status = status_of(found);
  if (*status != cudaStreamCaptureStatusActive)
    goto out;
  if (id)
    *id = found->into->id;
  if (graph)
    *graph = found->into->graph;
  if (dependencies)
    *dependencies = found->last.at;
  if (edgeData)
    *edgeData = found->last.data;
  if (numDependencies)
    *numDependencies = found->last.count;
  CAPTURE_LEAVE;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                                     size_t *numDependencies) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, NULL, numDependencies);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                   unsigned int flags) {
  (void)dependencyData; /* as in cudaStreamBeginCaptureToGraph */
  CAPTURE_ENTER;
  UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(flags <= cudaStreamSetCaptureDependencies && (dependencies || !numDependencies), cudaErrorInvalidValue);
  participant *found = find_participant(stream);
  UWRT_REQUIRE(found, cudaErrorIllegalState);
  UWRT_REQUIRE(!found->into->spoilt, cudaErrorStreamCaptureInvalidated);
  for (size_t i = 0; i < numDependencies; i++)
    UWRT_REQUIRE(uwrt_node_exists(dependencies[i]) && dependencies[i]->graph == found->into->graph,
                 cudaErrorInvalidValue);
  if (flags == cudaStreamSetCaptureDependencies)
    found->last.count = 0;
  UWRT_TRY(add_nodes(&found->last, dependencies, numDependencies));
  CAPTURE_LEAVE;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t numDependencies, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, numDependencies, flags);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  UWRT_ENTER;
  UWRT_REQUIRE(mode && (unsigned int)*mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
  enum cudaStreamCaptureMode previous = thread_mode;
  thread_mode = *mode;
  *mode = previous;
  UWRT_LEAVE;
}
