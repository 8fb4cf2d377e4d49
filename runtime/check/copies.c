/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies and fills: what they touch must be there and not be in use by other streams, and what was never written is not
 * written after a copy of it. */
#include <stdio.h>

#include "check.h"

void uwrt_check_refused(const void *address, size_t bytes) {
  uwrt_check_object of;
  char what[512], here[1024];
  uintptr_t start = (uintptr_t)address;
  uwrt_check_finding finding = {
      .class = UWRT_CHECK_MEMORY, .rule = "copy-out-of-bounds", .what = what, .access = "copy"};
  int found = uwrt_check_find_object(start, &of);
  size_t offset = found ? start - of.start : 0;
  if (!found || offset >= of.bytes) {
    snprintf(what, sizeof what, "a copy or fill of %zu bytes at %p, which is no memory of the device", bytes, address);
    found = 0;
  } else if (of.is_freed) {
    finding.rule = "copy-of-freed";
    snprintf(what, sizeof what, "a copy or fill of %zu bytes at byte %zu of %zu bytes of %s that were freed", bytes,
             offset, of.bytes, of.what);
  } else {
    snprintf(what, sizeof what, "a copy or fill of %zu bytes at byte %zu of %zu bytes of %s: %zu too many", bytes,
             offset, of.bytes, of.what, bytes - (of.bytes - offset));
  }
  finding.object = found ? &of : NULL;
  finding.place = uwrt_check_caller(here, sizeof here);
  if (uwrt_check_wants(UWRT_CHECK_MEMORY))
    uwrt_check_say(&finding);
}

/* One row. Cells of both sides are alike only where both lie alike in pages; else bytes of the target are written if
 * all of the source are. */
static void copy_row(uintptr_t to, uintptr_t from, size_t bytes, uint64_t own) {
  enum { STEP = 4096 };
  for (size_t done = 0; done < bytes;) {
    size_t here = bytes - done < STEP ? bytes - done : STEP;
    size_t to_end = UWRT_PAGE_BYTES - ((to + done) & (UWRT_PAGE_BYTES - 1)),
           from_end = UWRT_PAGE_BYTES - ((from + done) & (UWRT_PAGE_BYTES - 1));
    here = here < to_end ? here : to_end;
    here = here < from_end ? here : from_end;
    unsigned int width;
    uwrt_cell *source = uwrt_shadow_is_known(from + done) ? uwrt_shadow_cells(from + done, here, &width) : NULL;
    size_t count = source ? here >> width : 0, unwritten = 0;
    for (size_t i = 0; i < count; i++)
      unwritten += source[i].write == 0;
    if (!unwritten || unwritten == count) {
      uwrt_shadow_set(to + done, here, unwritten ? 0 : own, UWRT_CELL_POISON);
    } else {
      for (size_t i = 0; i < count; i++)
        uwrt_shadow_set(to + done + (i << width), (size_t)1 << width, source[i].write ? own : 0, UWRT_CELL_POISON);
    }
    done += here;
  }
}

/* --- in the order of streams --- */

typedef struct move {
  const uwrt_check_launch *copy;
  uint64_t own;     /* what it leaves in cells */
  const char *what; /* "copy" or "fill" */
  int is_said;
} move;

/* Is that access, by another stream, in no order with the copy? */
static int is_unordered(const move *m, uint64_t half, uwrt_check_run *run) {
  return half != UWRT_CELL_POISON && uwrt_check_segment_in(half) >= m->copy->since &&
         uwrt_check_find_run(uwrt_check_segment_in(half), run) &&
         !uwrt_check_is_after(m->copy, run->launch, uwrt_check_segment_in(half));
}

static void say_race(move *m, uintptr_t at, uint64_t other, int other_wrote, int writes, const uwrt_check_run *run) {
  char what[768], memory[256], here[1024];
  uwrt_check_object of;
  int found = uwrt_check_find_object(at, &of);
  if (found)
    snprintf(memory, sizeof memory, "byte %zu of %zu bytes of %s", (size_t)(at - of.start), of.bytes, of.what);
  else
    snprintf(memory, sizeof memory, "%p", (void *)at);
  const char *other_access = other_wrote ? "write" : "read";
  snprintf(what, sizeof what, "%s of %s by a %s, in no order with a %s by another stream%s", writes ? "write" : "read",
           memory, m->what, other_access, run->launch->kernel ? "" : "'s copy or fill");
  m->is_said = 1;
  const uwrt_check_finding finding = {.class = UWRT_CHECK_RACE,
                                      .rule = other_wrote && writes ? "write-after-write"
                                              : other_wrote         ? "read-after-write"
                                                                    : "write-after-read",
                                      .what = what,
                                      .access = m->what,
                                      .place = uwrt_check_caller(here, sizeof here),
                                      .has_other = 1,
                                      .other_access = other_access,
                                      .other_site = uwrt_check_site_in(other),
                                      .other_thread = uwrt_check_thread_in(other),
                                      .other_block = run->block,
                                      .other_launch = run->launch,
                                      .object = found ? &of : NULL};
  uwrt_check_say(&finding);
}

static void look_at(move *m, uwrt_cell *cell, uintptr_t at, int writes) {
  uwrt_check_run run;
  if (!m->is_said && is_unordered(m, cell->write, &run))
    say_race(m, at, cell->write, 1, writes, &run);
  else if (!m->is_said && writes && is_unordered(m, cell->read, &run))
    say_race(m, at, cell->read, 0, writes, &run);
  if (!writes)
    cell->read = m->own | (is_unordered(m, cell->read, &run) ? UWRT_CELL_BLOCKS : 0);
}

static void look_at_row(move *m, uintptr_t start, size_t bytes, int writes) {
  while (bytes) {
    size_t here = UWRT_PAGE_BYTES - (start & (UWRT_PAGE_BYTES - 1));
    unsigned int width;
    here = here < bytes ? here : bytes;
    uwrt_cell *cells = uwrt_shadow_is_known(start) ? uwrt_shadow_cells(start, here, &width) : NULL;
    for (size_t i = 0; cells && i < here >> width; i++)
      look_at(m, &cells[i], start + (i << width), writes);
    start += here;
    bytes -= here;
  }
}

static void check_order(const uwrt_bulk *b, move *m, const uwrt_rows *rows, int writes) {
  for (size_t z = 0; z < b->depth; z++)
    for (size_t y = 0; y < b->height; y++)
      look_at_row(m, (uintptr_t)rows->start + z * rows->slice + y * rows->pitch, b->width, writes);
}

/* --- both --- */

static void note_written(const uwrt_bulk *b, uint64_t own) {
  for (size_t z = 0; z < b->depth; z++)
    for (size_t y = 0; y < b->height; y++) {
      uintptr_t to = (uintptr_t)b->to.start + z * b->to.slice + y * b->to.pitch;
      uintptr_t from = (uintptr_t)b->from.start + z * b->from.slice + y * b->from.pitch;
      if (!uwrt_shadow_is_known(to))
        continue;
      if (b->from.start && uwrt_shadow_is_known(from))
        copy_row(to, from, b->width, own);
      else
        uwrt_shadow_set(to, b->width, own, UWRT_CELL_POISON);
    }
}

/* Of device memory with one stream there is nobody who could write to it meanwhile. */
static int may_be_written(const uwrt_rows *from) {
  uwrt_allocation range;
  return from->start &&
         (uwrt_check_has_streams() || (uwrt_allocation_find(from->start, &range) && range.space != UWRT_SPACE_DEVICE));
}

void uwrt_check_moves(const uwrt_bulk *b) {
  move m = {.own = UWRT_CELL_WRITTEN, .what = b->from.start ? "copy" : "fill"};
  if (uwrt_check_runs_stream() && uwrt_check_wants(UWRT_CHECK_RACE)) {
    m.copy = uwrt_check_note_copy();
    m.own = (uint64_t)m.copy->start << UWRT_CELL_SEGMENT_SHIFT;
    if (may_be_written(&b->from))
      check_order(b, &m, &b->from, 0);
    if (m.copy->since < m.copy->start)
      check_order(b, &m, &b->to, 1);
  }
  note_written(b, m.own);
}
