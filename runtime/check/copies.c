/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies and fills: what they touch must be there, and what was never written is not written behind a copy of it. */
#include <stdio.h>

#include "check.h"

void uwrt_check_refused(const void *address, size_t bytes) {
  uwrt_check_object of;
  char what[512], here[1024];
  uintptr_t start = (uintptr_t)address;
  uwrt_check_finding finding = {.class = UWRT_CHECK_MEMORY, .rule = "copy-out-of-bounds", .what = what, .access = "copy"};
  int found = uwrt_check_find_object(start, &of);
  size_t offset = found ? start - of.start : 0;
  if (!found || offset >= of.bytes) {
    snprintf(what, sizeof what, "a copy or fill of %zu bytes at %p, which is no memory of the device", bytes, address);
    found = 0;
  } else if (of.is_freed) {
    finding.rule = "copy-of-freed";
    snprintf(what, sizeof what, "a copy or fill of %zu bytes at byte %zu of %zu bytes of %s that were freed", bytes, offset, of.bytes, of.what);
  } else {
    snprintf(what, sizeof what, "a copy or fill of %zu bytes at byte %zu of %zu bytes of %s: %zu too many", bytes, offset, of.bytes, of.what,
             bytes - (of.bytes - offset));
  }
  finding.object = found ? &of : NULL;
  finding.place = uwrt_check_caller(here, sizeof here);
  if (uwrt_check_wants(UWRT_CHECK_MEMORY))
    uwrt_check_say(&finding);
}

/* One row. Cells of both sides are alike only where both lie alike in pages; else bytes of the target are written if all of the source are. */
static void copy_row(uintptr_t to, uintptr_t from, size_t bytes) {
  enum { STEP = 4096 };
  for (size_t done = 0; done < bytes;) {
    size_t here = bytes - done < STEP ? bytes - done : STEP;
    size_t to_end = UWRT_PAGE_BYTES - ((to + done) & (UWRT_PAGE_BYTES - 1)), from_end = UWRT_PAGE_BYTES - ((from + done) & (UWRT_PAGE_BYTES - 1));
    here = here < to_end ? here : to_end;
    here = here < from_end ? here : from_end;
    unsigned int width;
    uwrt_cell *source = uwrt_shadow_is_known(from + done) ? uwrt_shadow_cells(from + done, here, &width) : NULL;
    size_t count = source ? here >> width : 0, unwritten = 0;
    for (size_t i = 0; i < count; i++)
      unwritten += source[i].write == 0;
    if (!unwritten || unwritten == count) {
      uwrt_shadow_set(to + done, here, unwritten ? 0 : UWRT_CELL_WRITTEN, UWRT_CELL_POISON);
    } else {
      for (size_t i = 0; i < count; i++)
        uwrt_shadow_set(to + done + (i << width), (size_t)1 << width, source[i].write ? UWRT_CELL_WRITTEN : 0, UWRT_CELL_POISON);
    }
    done += here;
  }
}

void uwrt_check_moves(const uwrt_bulk *b) {
  for (size_t z = 0; z < b->depth; z++)
    for (size_t y = 0; y < b->height; y++) {
      uintptr_t to = (uintptr_t)b->to.start + z * b->to.slice + y * b->to.pitch;
      uintptr_t from = (uintptr_t)b->from.start + z * b->from.slice + y * b->from.pitch;
      if (!uwrt_shadow_is_known(to))
        continue;
      if (b->from.start && uwrt_shadow_is_known(from))
        copy_row(to, from, b->width);
      else
        uwrt_shadow_set(to, b->width, UWRT_CELL_WRITTEN, UWRT_CELL_POISON);
    }
}
