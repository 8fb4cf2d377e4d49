/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Records (record.h). uwrt_capture_enter says of a thread with one that it captures, so launches come here by the way
 * they come to a graph; while no thread has one, that is the look at a counter that there is anyway. */
#include "record.h"

#include <stdlib.h>

#include "graph.h"

typedef struct entry {
  uwrt_work work; /* owned */
  void (*drop)(void *);
} entry;

struct uwrt_record {
  entry *entries;
  size_t count, capacity;
  cudaError_t error;
};

static _Thread_local uwrt_record *own;

void uwrt_record_begin(void) {
  uwrt_keeps_launches = 1;
  own = calloc(1, sizeof *own);
  if (!own)
    uwrt_fatal("no memory for a command that waits");
  uwrt_capture_count(1);
}

uwrt_record *uwrt_record_end(void) {
  uwrt_record *ended = own;
  own = NULL;
  uwrt_capture_count(-1);
  return ended;
}

int uwrt_is_recording(void) { return own != NULL; }

static int add(const uwrt_work *work, void (*drop)(void *)) {
  if (!uwrt_grow(&own->entries, &own->capacity, own->count, sizeof *own->entries)) {
    own->error = cudaErrorMemoryAllocation;
    return 0;
  }
  own->entries[own->count++] = (entry){*work, drop};
  return 1;
}

cudaError_t uwrt_record_add(const uwrt_work *owned) {
  uwrt_work work = *owned;
  if (add(&work, NULL))
    return cudaSuccess;
  uwrt_work_free(&work);
  return cudaErrorMemoryAllocation;
}

void uwrt_record_call(void (*function)(void *), void *argument, void (*drop)(void *)) {
  const uwrt_work work = {.type = cudaGraphNodeTypeHost, .host = {function, argument}};
  if (!add(&work, drop) && drop)
    drop(argument);
}

int uwrt_record_run(const uwrt_record *record) {
  cudaError_t error = record->error;
  for (size_t i = 0; i < record->count && error == cudaSuccess; i++)
    error = uwrt_work_run(&record->entries[i].work, NULL);
  return uwrt_note_error(error);
}

void uwrt_record_free(uwrt_record *record) {
  for (size_t i = 0; i < record->count; i++) {
    entry *at = &record->entries[i];
    if (at->drop)
      at->drop(at->work.host.userData);
    uwrt_work_free(&at->work);
  }
  free(record->entries);
  free(record);
}
