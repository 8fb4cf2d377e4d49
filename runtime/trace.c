/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * UNWARP_TRACE: what the device did and how long it took.
 *
 *   1          a line on stderr for each launch, copy and fill, when it is finished, and a table of totals at the end
 *   totals     that table alone
 *   report     another table alone: with where kernels came from (unwarp --exec --report)
 *   FILE.json  a timeline in the trace event format, as an array of events, which Perfetto and chrome://tracing open; %p in
 *              the name is the process's number. Times are the machine's monotonic clock, in microseconds. A track for each
 *              stream, and for each host thread that uses it
 *   0, empty   nothing
 *
 * true, yes, on and false, no, off are 1 and 0. Other words are said to be none of these, and nothing is traced: a
 * file's name ends in .json or has a slash.
 *
 * The file is whole after every event (shared_list.h). Processes that run at the same time with the same name share it:
 * each holds a shared lock on it while it lives, and the one that finds no lock begins the file anew. A file that cannot be written is said once, and the program goes on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#include "driver.h"
#include "internal.h"
#include "shared_list.h"

atomic_int uwrt_tracing = 1; /* until the environment was asked */

enum { LINE_BYTES = 8192, NAME_BYTES = 4096, STREAMS_NAMED = 64, THREADS_A_STREAM = 4096 };

static uwrt_shared_list list =
    UWRT_SHARED_LIST(.opening = "[\n", .separator = ",\n", .closing = "\n]\n"); /* without a file: lines on stderr */
static int only_totals;

typedef struct line {
  char text[LINE_BYTES];
  size_t length;
} line;

static void add(line *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(line *to, const char *format, ...) {
  va_list arguments;
  size_t room = sizeof to->text - to->length;
  va_start(arguments, format);
  int length = vsnprintf(to->text + to->length, room, format, arguments);
  va_end(arguments);
  if (length > 0)
    to->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void add_quoted(line *to, const char *text) {
  add(to, "\"");
  for (size_t i = 0; text[i] && i < NAME_BYTES / 2; i++) {
    unsigned char letter = (unsigned char)text[i];
    if (letter < 0x20 || letter >= 0x7f) /* names are not always UTF-8, JSON is */
      add(to, "\\u%04x", letter);
    else
      add(to, letter == '"' || letter == '\\' ? "\\%c" : "%c", letter);
  }
  add(to, "\"");
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void give_up(int error) {
  fprintf(stderr, "unwarp: cannot write the trace '%s': %s; the program goes on without\n", list.path, strerror(error));
  atomic_store(&uwrt_tracing, 0);
}

static void append(const line *event) {
  int error = uwrt_shared_list_add(&list, event->text, event->length);
  if (error && atomic_load(&uwrt_tracing))
    give_up(error);
}

static void add_metadata(const char *what, unsigned long long track, const char *name) {
  line event = {.length = 0};
  add(&event, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%llu,\"args\":{\"name\":", what, (int)getpid(), track);
  add_quoted(&event, name);
  add(&event, "}}");
  append(&event);
}

static void before_fork(void) { pthread_mutex_lock(&list.lock); }
static void after_fork(void) { pthread_mutex_unlock(&list.lock); }

static void open_file(const char *wanted) {
  int error = uwrt_shared_list_open(&list, wanted);
  if (error || (flock(list.file, LOCK_EX | LOCK_NB) == 0 && ftruncate(list.file, 0) != 0)) {
    error = error ? error : errno;
    give_up(error == EINVAL ? ESPIPE : error); /* no regular file */
    return;
  }
  flock(list.file, LOCK_SH);
  pthread_atfork(before_fork, after_fork, after_fork);
}

static int is_one_of(const char *text, const char *const *words) {
  while (*words && strcasecmp(text, *words) != 0)
    words++;
  return *words != NULL;
}

static int is_file_name(const char *text) {
  size_t length = strlen(text);
  return strchr(text, '/') || (length > 5 && strcmp(text + length - 5, ".json") == 0);
}

static void begin(void) {
  static const char *const yes[] = {"1", "true", "yes", "on", NULL}, *const no[] = {"",   "0",   "false",
                                                                                    "no", "off", NULL};
  const char *wanted = getenv("UNWARP_TRACE");
  if (wanted && is_one_of(wanted, yes))
    return;
  if (wanted && is_file_name(wanted)) {
    open_file(wanted);
    return;
  }
  uwrt_trace_reports = wanted && strcmp(wanted, "report") == 0;
  only_totals = uwrt_trace_reports || (wanted && strcmp(wanted, "totals") == 0);
  if (only_totals)
    return;
  if (wanted && !is_one_of(wanted, no))
    fprintf(stderr,
            "unwarp: UNWARP_TRACE is '%s', which is none of 1, totals, report, 0 and FILE.json: nothing is traced\n",
            wanted);
  atomic_store(&uwrt_tracing, 0);
}

uint64_t uwrt_trace_now(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin);
  return atomic_load(&uwrt_tracing) ? uwrt_nanoseconds() : 0;
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

/* The host threads that use the device, in the order in which they began to. */
static unsigned int own_number(void) {
  static atomic_uint count;
  static _Thread_local unsigned int number; /* from 1 */
  if (!number)
    number = atomic_fetch_add(&count, 1) + 1;
  return number - 1;
}

/* Two host threads may use one stream at the same time, so that each has a track of its own. Named at its first
 * event. */
static unsigned long long track_of(unsigned long long stream) {
  static atomic_int named_process;
  static _Thread_local struct {
    pid_t process;
    unsigned int count;
    unsigned long long streams[STREAMS_NAMED];
  } named;
  unsigned int thread = own_number();
  unsigned long long track = stream * THREADS_A_STREAM + thread;
  pid_t process = getpid();
  if (atomic_exchange(&named_process, process) != process)
    add_metadata("process_name", 0, program_invocation_short_name);
  if (named.process != process)
    named.count = 0;
  named.process = process;
  for (unsigned int i = 0; i < named.count; i++)
    if (named.streams[i] == stream)
      return track;
  char name[64], of_thread[32] = "";
  if (thread)
    snprintf(of_thread, sizeof of_thread, ", host thread %u", thread);
  snprintf(name, sizeof name, stream ? "stream %llu%s" : "default stream%.0llu%s", stream, of_thread);
  add_metadata("thread_name", track, name);
  named.streams[named.count < STREAMS_NAMED ? named.count++ : 0] = stream;
  return track;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void add_time(line *to, const char *key, uint64_t nanoseconds) {
  add(to, "\"%s\":%llu.%03u,", key, (unsigned long long)(nanoseconds / 1000), (unsigned int)(nanoseconds % 1000));
}

static void send_line(line *text, unsigned long long stream, uint64_t took) {
  add(text, ", stream %llu: %llu.%03u us\n", stream, (unsigned long long)(took / 1000), (unsigned int)(took % 1000));
  if (write(2, text->text, text->length) < 0)
    return; /* nobody listens */
}

static void begin_event(line *event, const char *category, unsigned long long stream, uint64_t started, uint64_t took) {
  unsigned long long track = track_of(stream);
  add(event, "{\"ph\":\"X\",\"cat\":\"%s\",\"pid\":%d,\"tid\":%llu,", category, (int)getpid(), track);
  add_time(event, "ts", started);
  add_time(event, "dur", took);
}

static uwrt_origin origin_of(const uwrt_kernel *kernel) {
  return kernel->flags & UWRT_KERNEL_LIBRARY ? UWRT_LIBRARY : kernel->flags & UWRT_KERNEL_ALONE ? UWRT_PTX : UWRT_OWN;
}

void uwrt_trace_refused(const char *name) {
  if (uwrt_trace_start() && uwrt_trace_reports)
    uwrt_trace_add(UWRT_REFUSED, name, 0);
}

void uwrt_trace_compiled(int cached, uint64_t nanoseconds) {
  if (uwrt_trace_start() && uwrt_trace_reports)
    uwrt_trace_add(UWRT_COMPILED, cached ? "read from the cache" : "compiled", nanoseconds);
}

void uwrt_trace_plain(const uwrt_kernel *kernel) {
  if (uwrt_trace_start() && !only_totals)
    fprintf(stderr, "unwarp: launch %.*s: integers do not fit into 32 bits, so the kernel runs as it was written\n",
            NAME_BYTES, uwrt_kernel_shown(kernel));
}

void uwrt_trace_launch(const uwrt_running *launch, const char *fault) {
  line text = {.length = 0};
  const uint32_t *grid = launch->dims.grid, *block = launch->dims.block;
  const uwrt_kernel *kernel = launch->kernel;
  uint64_t took = uwrt_nanoseconds() - launch->started;
  unsigned long long stream = uwrt_stream_id(launch->stream);
  unsigned long long shared = kernel->static_shared_bytes + launch->dims.shared_bytes;
  if (list.file < 0) {
    if (!fault)
      uwrt_trace_add(origin_of(kernel), uwrt_kernel_shown(kernel), took);
    if (only_totals)
      return;
    add(&text, "unwarp: launch %.*s, grid (%u,%u,%u), block (%u,%u,%u), shared %llu bytes%s%s", NAME_BYTES,
        uwrt_kernel_shown(kernel), grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, fault ? ", " : "",
        fault ? fault : "");
    send_line(&text, stream, took);
    return;
  }
  begin_event(&text, "kernel", stream, launch->started, took);
  add(&text, "\"name\":");
  add_quoted(&text, uwrt_kernel_shown(kernel));
  add(&text, ",\"args\":{\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared_bytes\":%llu", grid[0], grid[1], grid[2],
      block[0], block[1], block[2], shared);
  if (fault)
    add(&text, ",\"ended_by\":\"%s\"", fault);
  add(&text, "}}");
  append(&text);
}

void uwrt_trace_bytes(uint64_t started, const char *what, uint64_t bytes, cudaStream_t on) {
  line text = {.length = 0};
  uint64_t took = uwrt_nanoseconds() - started;
  unsigned long long stream = uwrt_stream_id(on);
  if (list.file < 0) {
    uwrt_trace_add(UWRT_COPIED, what, took);
    if (only_totals)
      return;
    add(&text, "unwarp: %s, %llu bytes", what, (unsigned long long)bytes);
    send_line(&text, stream, took);
    return;
  }
  begin_event(&text, strncmp(what, "memset", 6) == 0 ? "memset" : "memcpy", stream, started, took);
  add(&text, "\"name\":\"%s\",\"args\":{\"bytes\":%llu}}", what, (unsigned long long)bytes);
  append(&text);
}
