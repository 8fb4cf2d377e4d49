/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of the program's that kernels use as the device's while a buffer of SYCL lives: see lent.h. The checker takes
 * other memory of the host's in a kernel for a mistake, and looks at the bounds of what it knows. For it such memory is
 * registered like cudaHostRegister's. Without a checker nobody asks, and nothing is noted. */
#include "lent.h"

#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

void uwrt_note_part(uwrt_part what, const void *start, size_t bytes, const char *name) {
  if (uwrt_checks)
    uwrt_checks->part(what, start, bytes, name);
}

static _Atomic(void (*)(void)) when_checked;

void uwrt_when_checked(void (*function)(void)) {
  when_checked = function;
  if (uwrt_checks)
    function();
}

void uwrt_checks_begin(const uwrt_checker *checker) {
  void (*function)(void) = when_checked;
  uwrt_checks = checker;
  if (function)
    function();
}

/* The same memory may be lent several times; of memory that overlaps otherwise, or that the API knows, one range is
 * registered, and the others once that one has ended. */
typedef struct loan {
  const void *start;
  size_t bytes, times;
  int registered;
  struct loan *next;
} loan;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static loan *loans;

static void register_those_that_fit(void) {
  for (loan *l = loans; l; l = l->next) {
    if (l->registered || uwrt_allocation_overlaps(l->start, l->bytes))
      continue;
    uwrt_allocation allocation = {.base = (uintptr_t)l->start,
                                  .bytes = l->bytes,
                                  .space = UWRT_SPACE_REGISTERED,
                                  .device = uwrt_current_device(),
                                  .context = uwrt_current_context()};
    l->registered = uwrt_allocation_add(&allocation) == cudaSuccess;
  }
}

static loan **find(const void *start, size_t bytes) {
  loan **at = &loans;
  while (*at && ((*at)->start != start || (*at)->bytes != bytes))
    at = &(*at)->next;
  return at;
}

void uwrt_lend(const void *start, size_t bytes) {
  if (!uwrt_checks || !bytes)
    return;
  pthread_mutex_lock(&lock);
  loan **at = find(start, bytes);
  if (!*at) {
    loan *added = malloc(sizeof *added);
    if (!added)
      uwrt_fatal("no memory for what the checker knows of a buffer");
    *added = (loan){.start = start, .bytes = bytes, .next = loans};
    loans = added;
    at = &loans;
  }
  (*at)->times++;
  register_those_that_fit();
  pthread_mutex_unlock(&lock);
}

void uwrt_take_back(const void *start, size_t bytes) {
  if (!uwrt_checks || !bytes)
    return;
  uwrt_note_order(UWRT_ORDER_HOST_ALL, NULL, NULL); /* the buffer's end has waited for what uses it */
  pthread_mutex_lock(&lock);
  loan **at = find(start, bytes), *ended = *at;
  if (ended && --ended->times == 0) {
    uwrt_allocation taken;
    if (ended->registered)
      uwrt_allocation_take(start, UWRT_SPACE_REGISTERED, &taken);
    *at = ended->next;
    free(ended);
    register_those_that_fit();
  }
  pthread_mutex_unlock(&lock);
}

void uwrt_host_writes(const void *start, size_t bytes) {
  if (uwrt_checks && bytes)
    uwrt_checks->moves(
        &(uwrt_bulk){.to = {.start = (void *)(uintptr_t)start}, .width = bytes, .height = 1, .depth = 1});
}
