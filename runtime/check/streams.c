/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What order streams, events and waits of the host give to launches and copies (CUDA C++ Programming Guide,
 * "Asynchronous Concurrent Execution"). Work runs here when it is asked for, so that a race between streams never shows
 * by itself.
 *
 * Clocks, as of vectors (Fidge, 1988; Mattern, 1989): a stream's clock has for each stream the last segment (shadow.h)
 * that is surely over when the stream's next work begins. Recording an event keeps the clock, waiting for one takes the
 * later of both, and so do the null stream and the streams that block with it. The host has a clock, too: one for all
 * of its threads, as what those tell each other is not seen.
 *
 * Where order is not sure it is supposed to be: after work that waits aside, for streams beyond the 63rd. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct known_stream {
  const void *key; /* null: all streams for which there is no room */
  int is_legacy, is_blocking;
  uint32_t last;  /* segment of its work */
  uint32_t first; /* segment of what the host does not know to be over; 0: there is none */
  uwrt_check_clock clock;
} known_stream;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static known_stream streams[UWRT_CHECK_MOST_STREAMS];
static int stream_count = 1; /* the first is that of no key */
static uwrt_check_clock host;
uint32_t uwrt_check_open;
static uwrt_table events; /* cudaEvent_t -> uwrt_check_clock */

static _Thread_local int running = UWRT_CHECK_NO_STREAM; /* the stream whose work this thread runs */
static _Thread_local uint32_t begun;                     /* its first segment */

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void take(uwrt_check_clock *clock, const uwrt_check_clock *other) {
  for (int i = 0; i < stream_count; i++)
    clock->over[i] = later(clock->over[i], other->over[i]);
}

/* All that a stream has been given is over, for who has the clock. */
static void take_stream(uwrt_check_clock *clock, const known_stream *of) {
  take(clock, &of->clock);
  clock->over[of - streams] = later(clock->over[of - streams], of->last);
}

static int find(cudaStream_t stream) {
  const void *key = uwrt_stream_key(stream);
  for (int i = 1; i < stream_count; i++)
    if (streams[i].key == key)
      return i;
  if (stream_count == UWRT_CHECK_MOST_STREAMS)
    return 0;
  streams[stream_count] = (known_stream){
      .key = key, .is_legacy = uwrt_stream_is_legacy(stream), .is_blocking = uwrt_stream_is_blocking(stream)};
  return stream_count++;
}

/* What the stream's next work comes after. */
static void bring_up(known_stream *own) {
  take(&own->clock, &host);
  for (int i = 0; i < stream_count; i++)
    if ((own->is_legacy && streams[i].is_blocking) || (own->is_blocking && streams[i].is_legacy))
      take_stream(&own->clock, &streams[i]);
}

static void find_open(void) {
  uint32_t first = 0;
  for (int i = 0; i < stream_count; i++)
    if (streams[i].first && (!first || streams[i].first < first))
      first = streams[i].first;
  __atomic_store_n(&uwrt_check_open, first, __ATOMIC_RELAXED);
}

static void forget_what_is_over(void) {
  for (int i = 0; i < stream_count; i++)
    if (host.over[i] >= streams[i].last)
      streams[i].first = 0;
  find_open();
}

void uwrt_check_work_begins(cudaStream_t stream) {
  if (uwrt_any_aside())
    return;
  pthread_mutex_lock(&lock);
  running = find(stream);
  bring_up(&streams[running]);
  begun = uwrt_check_next_segment();
  pthread_mutex_unlock(&lock);
}

void uwrt_check_work_ends(void) {
  if (running == UWRT_CHECK_NO_STREAM)
    return;
  pthread_mutex_lock(&lock);
  known_stream *own = &streams[running];
  own->last = uwrt_check_next_segment() - 1;
  own->clock.over[running] = own->last;
  if (!own->first)
    own->first = begun;
  running = UWRT_CHECK_NO_STREAM;
  find_open();
  pthread_mutex_unlock(&lock);
}

void uwrt_check_orders(uwrt_order what, cudaStream_t stream, cudaEvent_t event) {
  pthread_mutex_lock(&lock);
  known_stream *own = what == UWRT_ORDER_HOST_ALL || what == UWRT_ORDER_HOST_EVENT ? NULL : &streams[find(stream)];
  uwrt_check_clock *known = event ? uwrt_table_find(&events, event) : NULL;
  switch (what) {
  case UWRT_ORDER_RECORD:
    if (!known && (known = calloc(1, sizeof *known)) && !uwrt_table_insert(&events, event, known)) {
      free(known);
      known = NULL;
    }
    if (!known)
      uwrt_fatal("out of memory: the checker cannot note an event");
    bring_up(own);
    take_stream(known, own);
    break;
  case UWRT_ORDER_WAIT:
    if (known)
      take(&own->clock, known);
    break;
  case UWRT_ORDER_HOST_STREAM:
    bring_up(own);
    take_stream(&host, own);
    break;
  case UWRT_ORDER_HOST_EVENT:
    if (known)
      take(&host, known);
    break;
  case UWRT_ORDER_HOST_ALL:
    for (int i = 0; i < stream_count; i++)
      take_stream(&host, &streams[i]);
    break;
  }
  forget_what_is_over();
  pthread_mutex_unlock(&lock);
}

void uwrt_check_place_launch(uwrt_check_launch *launch) {
  launch->stream = running;
  launch->since = launch->start;
  if (running == UWRT_CHECK_NO_STREAM)
    return;
  pthread_mutex_lock(&lock);
  launch->clock = streams[running].clock;
  for (int i = 0; i < stream_count; i++)
    if (i != running && streams[i].first && streams[i].last > launch->clock.over[i]) {
      uint32_t open = later(streams[i].first, launch->clock.over[i] + 1);
      launch->since = open < launch->since ? open : launch->since;
    }
  pthread_mutex_unlock(&lock);
}

int uwrt_check_is_after(const uwrt_check_launch *launch, const uwrt_check_launch *other, uint32_t segment) {
  return launch->stream == UWRT_CHECK_NO_STREAM || other->stream == UWRT_CHECK_NO_STREAM ||
         launch->stream == other->stream || segment <= launch->clock.over[other->stream];
}

int uwrt_check_host_is_after(const uwrt_check_launch *launch, uint32_t segment) {
  return launch->stream == UWRT_CHECK_NO_STREAM ||
         segment <= __atomic_load_n(&host.over[launch->stream], __ATOMIC_RELAXED);
}

void uwrt_check_host_learns(const uwrt_check_launch *launch) {
  pthread_mutex_lock(&lock);
  take_stream(&host, &streams[launch->stream]);
  forget_what_is_over();
  pthread_mutex_unlock(&lock);
}

uint32_t uwrt_check_first_open(void) {
  uint32_t first = __atomic_load_n(&uwrt_check_open, __ATOMIC_RELAXED);
  return first ? first : UINT32_MAX;
}

int uwrt_check_runs_stream(void) { return running != UWRT_CHECK_NO_STREAM; }

int uwrt_check_has_streams(void) {
  return uwrt_check_runs_stream() && (stream_count > 2 || !streams[running].is_legacy);
}
