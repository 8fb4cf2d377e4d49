/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bytes of copies and fills. Large ones are shared out to the workers as blocks of kernels are, in parts of some
 * rows, or of bytes where all lies side by side: two cores move twice as much. By hand at two workers 4 MiB take 55 us
 * in place of 94, 1 MiB 15 in place of 24, but workers that sleep have to be woken first.
 *
 * Overlapping copies are undefined in CUDA; here each row is memmove's, and all go one after the other. A thread in the
 * midst of a kernel (which waits for what it launched) has no workers to share with.
 */
#include <string.h>

#include "internal.h"
#include "workers.h"

enum { LEAST = 2 << 20, PART = 64 << 10, LINE = 64 }; /* bytes */

typedef struct job {
  const uwrt_bulk *bulk;
  uint64_t parts;
  uwrt_shares *shares;
} job;

/* The elements of a row, each the low bytes of value: they come first. */
#define FILL_WITH(type)                                                                                                \
  for (size_t i = 0; i + sizeof(type) <= bytes; i += sizeof(type)) {                                                   \
    type element_value = (type)value;                                                                                  \
    memcpy(row + i, &element_value, sizeof(type));                                                                     \
  }

static void fill(unsigned char *row, unsigned int value, unsigned int element, size_t bytes) {
  if (element == 1)
    memset(row, (int)value, bytes);
  else if (element == 2)
    FILL_WITH(uint16_t)
  else
    FILL_WITH(uint32_t)
}

static void run_row(const uwrt_bulk *b, size_t row, size_t from, size_t to) {
  size_t k = row / b->height, j = row % b->height;
  unsigned char *start = b->to.start + k * b->to.slice + j * b->to.pitch;
  if (b->from.start)
    memmove(start + from, b->from.start + k * b->from.slice + j * b->from.pitch + from, to - from);
  else
    fill(start + from, b->value, b->element, to - from);
}

/* Of count, where a part begins. */
static size_t cut(size_t count, uint64_t part, uint64_t parts) {
  return count / parts * part + count % parts * part / parts;
}

_Thread_local const uwrt_bulk *uwrt_moving;

static void move_parts(const uwrt_bulk *b, uint64_t from, uint64_t to, uint64_t parts) {
  size_t rows = b->height * b->depth;
  if (rows == 1) {
    size_t lines = b->width / LINE;
    run_row(b, 0, cut(lines, from, parts) * LINE, to == parts ? b->width : cut(lines, to, parts) * LINE);
    return;
  }
  for (size_t row = cut(rows, from, parts), end = cut(rows, to, parts); row < end; row++)
    run_row(b, row, 0, b->width);
}

static void run_parts(const uwrt_bulk *b, uint64_t from, uint64_t to, uint64_t parts) {
  uwrt_moving = b;
  move_parts(b, from, to, parts);
  uwrt_moving = NULL;
}

static void run_share(int32_t *thread, int32_t *bound, void *data) {
  const job *j = data;
  uint64_t place = uwrt_team_place(), before = 0;
  (void)thread, (void)bound;
  for (uwrt_piece p; p = uwrt_shares_take(j->shares, j->parts, place, before), p.from < p.to; before = p.to)
    run_parts(j->bulk, p.from, p.to, j->parts);
}

static size_t span_of(const uwrt_rows *rows, const uwrt_bulk *b) {
  return (b->depth - 1) * rows->slice + (b->height - 1) * rows->pitch + b->width;
}

static int overlaps(const uwrt_bulk *b) {
  uintptr_t to = (uintptr_t)b->to.start, from = (uintptr_t)b->from.start;
  return from && to < from + span_of(&b->from, b) && from < to + span_of(&b->to, b);
}

/* Rows that lie behind each other become one. */
static void join_rows(uwrt_bulk *b) {
  if (b->to.pitch == b->width && (!b->from.start || b->from.pitch == b->width)) {
    b->width *= b->height;
    b->height = 1;
  }
}

/* As many as kernels have: a region of another size costs libomp more than workers that find nothing left. */
static int workers_for(const uwrt_bulk *b, size_t bytes) {
  if (bytes < LEAST || uwrt_own_place.launch || overlaps(b))
    return 1;
  return uwrt_crew_size() > 1 ? uwrt_crew_size() : uwrt_device_workers(uwrt_current_device());
}

void uwrt_bulk_run(uwrt_bulk b) {
  enum { CALLED_BY_COMPILED_CODE = 2 };
  static uwrt_omp_place here = {0, CALLED_BY_COMPILED_CODE, {0, 0}, ";unknown;unknown;0;0;;"};
  join_rows(&b);
  if (uwrt_checks)
    uwrt_checks->moves(&b);
  size_t bytes = b.width * b.height * b.depth;
  int workers = workers_for(&b, bytes);
  if (workers < 2) {
    run_parts(&b, 0, 1, 1);
    return;
  }
  job j = {&b, bytes / PART, uwrt_shares_open()};
  if (uwrt_device_layout()->parts > 1)
    uwrt_crew_limit(&here, __kmpc_global_thread_num(&here), workers);
  uwrt_crew_fork(&here, 1, run_share, &j);
  uwrt_shares_close();
}
