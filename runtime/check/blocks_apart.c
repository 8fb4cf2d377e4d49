/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * May the blocks of a launch run at the same time? The compiler has found what the kernel touches and by which sums
 * (compiler/instrument/parallel_blocks.c); here are the numbers:
 *   - the launch runs alone, so that nobody else is at its memory, and what its blocks leave in cells is in order with all
 *     that comes later;
 *   - what is written, or the target of atomic operations, is memory of the device's that no other pointer of the kernel leads
 *     to;
 *   - what is only read needs no note (reads.c), and of targets of atomic operations all was written, where that is asked: else
 *     the first block to read would be told;
 *   - different blocks write to different addresses.
 * Then no two blocks are at one cell, but for atomic operations, of which any may be the last; each block finds what it
 * would find alone, and report.c puts that into the order of the blocks.
 *
 * Addresses are mixed radix numbers: taken by the size of their factors, each term's factor has to be as large as all that
 * the smaller ones reach together. Below the first index of blocks, terms may overlap: those are one block's.
 *
 * The kernel adds up most of them in 32 bits. Where all that a sum reaches lies within 2 GiB, it wraps nowhere on the way that
 * matters; where more, blocks run one after the other. A loop that may go on for ever ends, by its condition, before it wraps.
 *
 * Workers share pages of cells, so that these must not be made narrower meanwhile (shadow.c): they are as narrow as the
 * kernel's narrowest access from the start. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "thread_memory.h"

enum { MOST_TERMS = 12, MOST_ROOTS = 32, MOST_ACCESSES = 64 };
static const int64_t MOST_REACHED = INT32_MAX; /* bytes */

typedef struct term {
  uint32_t index;
  uint64_t bytes; /* whichever way */
  int64_t count;  /* less than 0: not known */
} term;

typedef struct access {
  size_t root;
  uint64_t bytes;
  int64_t rest;
  term terms[MOST_TERMS];
  size_t term_count;
} access;

typedef struct root {
  const void *base;
  uint32_t how;
  uwrt_check_object of;
} root;

typedef struct questions {
  uwrt_check_launch *launch;
  root roots[MOST_ROOTS];
  access accesses[MOST_ACCESSES];
  term terms[MOST_TERMS]; /* of the next access */
  size_t root_count, access_count, term_count;
  uint64_t narrowest;
  int is_refused, is_alone;
} questions;

static questions *asked(void) { return uwrt_check_memory_of_thread(UWRT_CHECK_ASKED, sizeof(questions)); }

void uwrt_check_apart_begins(const uwrt_dims *dims, uint64_t narrowest) {
  asked()->root_count = asked()->access_count = asked()->term_count = 0;
  asked()->narrowest = narrowest;
  asked()->launch = uwrt_check_launch_of(dims->running);
  asked()->is_alone = asked()->launch && uwrt_check_is_only_launch(asked()->launch) &&
                      !asked()->launch->running->depth && !asked()->launch->running->joined && !dims->cooperative &&
                      !dims->cluster[0] && uwrt_check_runs_alone(asked()->launch);
  asked()->is_refused = !asked()->is_alone;
}

static int64_t count_of(uint32_t index, const uwrt_check_launch *launch) {
  return index < UWRT_CHECK_THREAD_X ? launch->grid[index] : launch->block[index - UWRT_CHECK_THREAD_X];
}

void uwrt_check_apart_term(uint32_t index, int64_t bytes, int64_t count) {
  if (asked()->is_refused)
    return;
  if (index != UWRT_CHECK_LOOP)
    count = count_of(index, asked()->launch);
  if (count == 1 || (count == 0 && index == UWRT_CHECK_LOOP) || (bytes == 0 && index >= UWRT_CHECK_THREAD_X))
    return;
  if (asked()->term_count == MOST_TERMS || bytes == INT64_MIN || count > INT64_C(1) << 40) {
    asked()->is_refused = 1;
    return;
  }
  asked()->terms[asked()->term_count++] = (term){index, (uint64_t)(bytes < 0 ? -bytes : bytes), count};
}

static size_t find_root(const void *base, uint32_t how) {
  for (size_t i = 0; i < asked()->root_count; i++)
    if (asked()->roots[i].base == base && asked()->roots[i].how == how)
      return i;
  if (asked()->root_count == MOST_ROOTS) {
    asked()->is_refused = 1;
    return 0;
  }
  asked()->roots[asked()->root_count] = (root){.base = base, .how = how};
  return asked()->root_count++;
}

void uwrt_check_apart_access(const void *base, uint32_t how, uint64_t bytes, int64_t rest) {
  if (asked()->access_count == MOST_ACCESSES)
    asked()->is_refused = 1;
  if (!asked()->is_refused) {
    access *fresh = &asked()->accesses[asked()->access_count++];
    *fresh = (access){.root = find_root(base, how), .bytes = bytes, .rest = rest, .term_count = asked()->term_count};
    memcpy(fresh->terms, asked()->terms, asked()->term_count * sizeof *asked()->terms);
  }
  asked()->term_count = 0;
}

/* --- the memory --------------------------------------------------------------------------------------------------- */

static int is_changed(const root *r) { return r->how == UWRT_CHECK_APART_WRITTEN || r->how == UWRT_CHECK_APART_ATOMIC; }

/* Where a pointer leads nowhere the access itself is a mistake, which each block is told of by itself. */
static int find_objects(void) {
  size_t changed = 0;
  for (size_t i = 0; i < asked()->root_count; i++) {
    root *r = &asked()->roots[i];
    if (r->how == UWRT_CHECK_APART_CONSTANT)
      continue;
    if (!uwrt_check_find_object((uintptr_t)r->base, &r->of) || (uintptr_t)r->base - r->of.start >= r->of.bytes ||
        !r->of.is_device || r->of.is_freed || r->of.bytes > UINT32_MAX)
      return 0;
    changed += is_changed(r);
    for (size_t k = 0; k < i; k++)
      if (asked()->roots[k].of.start == r->of.start && (is_changed(r) || is_changed(&asked()->roots[k])))
        return 0;
  }
  return changed <= UWRT_CHECK_MOST_WRITTEN;
}

/* As the blocks would say it (reads.c), once for all. */
static int note_reads(void) {
  uwrt_check_launch *launch = asked()->launch;
  for (size_t i = 0; i < asked()->root_count; i++)
    if (is_changed(&asked()->roots[i]))
      uwrt_check_note_writes(launch, asked()->roots[i].base);
  for (size_t i = 0; i < asked()->root_count; i++) {
    const root *r = &asked()->roots[i];
    int is_fine = is_changed(r) || uwrt_check_note_reads(launch, r->base) || r->how == UWRT_CHECK_APART_CONSTANT;
    if (!is_fine ||
        (r->how == UWRT_CHECK_APART_ATOMIC && uwrt_check_wants(UWRT_CHECK_INIT) && !uwrt_check_is_written(&r->of)))
      return 0;
  }
  return 1;
}

static void make_cells(void) {
  for (size_t i = 0; i < asked()->root_count; i++)
    if (asked()->roots[i].how != UWRT_CHECK_APART_CONSTANT) /* what is only read is looked at where a load is outside */
      uwrt_shadow_narrow(asked()->roots[i].of.start, asked()->roots[i].of.bytes);
}

/* --- the addresses ------------------------------------------------------------------------------------------------ */

static int compare_terms(const void *left, const void *right) {
  const term *a = left, *b = right;
  if ((a->count < 0) != (b->count < 0)) /* what may go on for ever comes last */
    return a->count < 0 ? 1 : -1;
  return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static int same_terms(const access *a, const access *b) {
  if (a->term_count != b->term_count)
    return 0;
  for (size_t i = 0; i < a->term_count; i++)
    if (a->terms[i].bytes != b->terms[i].bytes || a->terms[i].count != b->terms[i].count ||
        (a->terms[i].index < UWRT_CHECK_THREAD_X) != (b->terms[i].index < UWRT_CHECK_THREAD_X) ||
        (a->terms[i].index < UWRT_CHECK_THREAD_X && a->terms[i].index != b->terms[i].index))
      return 0;
  return 1;
}

/* Every index of blocks that has several values must be in the sum. */
static int names_all_blocks(const access *a) {
  for (uint32_t index = 0; index < UWRT_CHECK_THREAD_X; index++) {
    int is_named = asked()->launch->grid[index] == 1;
    for (size_t i = 0; i < a->term_count; i++)
      is_named |= a->terms[i].index == index && a->terms[i].bytes;
    if (!is_named)
      return 0;
  }
  return 1;
}

static int are_apart(const access *a, uint64_t span) {
  uint64_t reach = span;
  int by_blocks = 0;
  if (!names_all_blocks(a))
    return 0;
  for (size_t i = 0; i < a->term_count; i++) {
    const term *t = &a->terms[i];
    int of_blocks = t->index < UWRT_CHECK_THREAD_X;
    if (t->bytes < reach && (of_blocks || by_blocks))
      return 0;
    by_blocks |= of_blocks;
    if (t->count < 0)
      return i + 1 == a->term_count && t->bytes >= reach;
    if (t->bytes > (uint64_t)MOST_REACHED || t->count > MOST_REACHED ||
        (reach += t->bytes * (uint64_t)(t->count - 1)) > (uint64_t)MOST_REACHED)
      return 0;
  }
  return 1;
}

static int writes_are_apart(void) {
  for (size_t r = 0; r < asked()->root_count; r++) {
    const access *first = NULL;
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (size_t i = 0; i < asked()->access_count && asked()->roots[r].how == UWRT_CHECK_APART_WRITTEN; i++) {
      access *a = &asked()->accesses[i];
      if (a->root != r)
        continue;
      qsort(a->terms, a->term_count, sizeof *a->terms, compare_terms);
      if ((first && !same_terms(first, a)) || a->rest > MOST_REACHED || a->rest < -MOST_REACHED)
        return 0;
      first = first ? first : a;
      least = a->rest < least ? a->rest : least;
      most = a->rest + (int64_t)a->bytes > most ? a->rest + (int64_t)a->bytes : most;
    }
    if (first && !are_apart(first, (uint64_t)(most - least)))
      return 0;
  }
  return 1;
}

static int has_several(const uwrt_dims *dims) {
  return (uint64_t)dims->grid[0] * dims->grid[1] * dims->grid[2] > 1 && uwrt_max_workers() > 1;
}

uint32_t uwrt_check_try(const uwrt_dims *dims) {
  if (!asked()->is_alone || !has_several(dims) || !uwrt_check_may_try(asked()->launch))
    return 0;
  size_t known = asked()->is_refused ? 0 : asked()->root_count; /* else some may be missing */
  for (size_t i = 0; i < known; i++)
    if (is_changed(&asked()->roots[i]))
      uwrt_check_note_writes(asked()->launch, asked()->roots[i].base);
  for (size_t i = 0; i < known; i++)
    if (asked()->roots[i].how == UWRT_CHECK_APART_READ)
      uwrt_check_note_reads(asked()->launch, asked()->roots[i].base);
  uwrt_check_share(asked()->launch);
  uwrt_check_try_next(asked()->launch);
  return 1;
}

uint32_t uwrt_check_apart(const uwrt_dims *dims) {
  if (asked()->is_refused || !has_several(dims) || !writes_are_apart() || !find_objects() || !note_reads())
    return uwrt_check_try(dims);
  uwrt_shadow_share((unsigned int)__builtin_ctzll(asked()->narrowest));
  make_cells();
  uwrt_check_share(asked()->launch);
  return 1;
}
