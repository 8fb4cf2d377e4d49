/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the checker says: of each kind of mistake at each location (for races: each pair of locations) the first, and at
 * the end how often it was met. What blocks find that run at the same time waits until all have run, and is said in the
 * order of the blocks, as if they had run in it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct said {
  uint32_t class;
  const char *rule;
  uint32_t site, other_site;
  char *place; /* of host code */
  uint64_t count;
} said;

/* To be said when its launch is over. */
typedef struct late {
  uwrt_check_finding finding; /* with memory of its own */
  uint64_t block, order;      /* order: in that block */
  uint64_t count;
} late;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static late *waiting;
static size_t waiting_count, waiting_room;
static uint64_t waited;
static said *all;
static size_t count, room;
static uint64_t total;

const char *uwrt_check_class_name(uint32_t class) {
  switch (class) {
  case UWRT_CHECK_MEMORY: return "memory";
  case UWRT_CHECK_RACE: return "race";
  case UWRT_CHECK_INIT: return "init";
  case UWRT_CHECK_SYNC: return "sync";
  default: return "leak";
  }
}

/* Whether it is new. The lock is held. */
static int same_place(uint32_t one, uint32_t other) {
  if (one == other)
    return 1;
  uwrt_check_site a = uwrt_check_site_of(one), b = uwrt_check_site_of(other);
  return a.places_length == b.places_length && memcmp(a.text, b.text, (size_t)a.places_length) == 0;
}

/* Of races each pair of locations is one, whichever of the two came first and whatever they did. */
static int is_same(const said *before, const uwrt_check_finding *f) {
  if (before->class == UWRT_CHECK_RACE && f->class == UWRT_CHECK_RACE)
    return (same_place(before->site, f->site) && same_place(before->other_site, f->other_site)) ||
           (same_place(before->site, f->other_site) && same_place(before->other_site, f->site));
  return before->class == f->class && before->rule == f->rule && same_place(before->site, f->site) &&
         same_place(before->other_site, f->other_site);
}

static int is_known(const uwrt_check_finding *f, uint64_t times) {
  for (size_t i = 0; i < count; i++)
    if (is_same(&all[i], f) && (f->place ? all[i].place && strcmp(all[i].place, f->place) == 0 : !all[i].place)) {
      total += times;
      all[i].count += times;
      return 1;
    }
  return 0;
}

static int note(const uwrt_check_finding *f, uint64_t times) {
  if (is_known(f, times))
    return 0;
  total += times;
  if (count == room) {
    room = room ? 2 * room : 64;
    all = realloc(all, room * sizeof *all);
    if (!all)
      uwrt_fatal("out of memory: the checker cannot note what it said");
  }
  all[count++] = (said){f->class, f->rule, f->site, f->other_site, f->place ? strdup(f->place) : NULL, times};
  return 1;
}

void uwrt_check_index(char *text, size_t bytes, uint64_t number, const uint32_t extents[3]) {
  uint64_t x = extents[0] ? extents[0] : 1, y = extents[1] ? extents[1] : 1;
  snprintf(text, bytes, "(%llu,%llu,%llu)", (unsigned long long)(number % x), (unsigned long long)(number / x % y),
           (unsigned long long)(number / x / y));
}

void uwrt_check_where(char *text, size_t bytes, const uwrt_check_launch *launch, uint64_t block, uint32_t thread,
                      uint32_t site) {
  char blocks[64], threads[64], place[1024];
  if (!launch) {
    snprintf(text, bytes, "at %s", uwrt_check_place(site, place, sizeof place));
    return;
  }
  if (!launch->kernel) {
    const char *known = uwrt_check_lines(launch->calls, UWRT_CHECK_CALLS, place, sizeof place);
    snprintf(text, bytes, "at %s", known ? known : "an unknown line (compile with -g)");
    return;
  }
  uwrt_check_index(blocks, sizeof blocks, block, launch->grid);
  uwrt_check_index(threads, sizeof threads, thread, launch->block);
  if (block == UWRT_CHECK_SOME_BLOCK)
    strcpy(blocks, "(?)");
  snprintf(text, bytes, "block %s, thread %s of %s at %s", blocks, threads, uwrt_kernel_shown(launch->kernel),
           uwrt_check_place(site, place, sizeof place));
}

static void say_text(const uwrt_check_finding *f) {
  char line[2048];
  fprintf(stderr, "unwarp: %s: %s\n", uwrt_check_class_name(f->class), f->what);
  if (f->state) {
    uwrt_check_where(line, sizeof line, f->state->launch, f->state->block, f->thread, f->site);
    fprintf(stderr, "  %s: %s\n", f->access ? f->access : "there", line);
  } else if (f->place) {
    fprintf(stderr, f->class == UWRT_CHECK_LEAK ? "  allocated at %s\n" : "  at %s\n", f->place);
  }
  if (f->has_other && f->other_is_unknown) {
    char place[1024];
    fprintf(stderr, "  %s: by some thread at or like %s\n", f->other_access,
            uwrt_check_place(f->other_site, place, sizeof place));
  } else if (f->has_other) {
    uwrt_check_where(line, sizeof line, f->other_launch, f->other_block, f->other_thread, f->other_site);
    fprintf(stderr, "  %s: %s\n", f->other_access, line);
  }
  for (int freed = 0; f->object && freed <= f->object->is_freed; freed++) {
    char room[1024];
    const char *place = uwrt_check_made(f->object, freed, room, sizeof room);
    if (place)
      fprintf(stderr, "  %s at %s\n", freed ? "freed" : "allocated", place);
  }
}

static int is_quiet(const uwrt_check_finding *f) { return f->state && f->state->launch && f->state->launch->is_quiet; }

static void say_now(const uwrt_check_finding *f, uint64_t times) {
  int is_new = note(f, times), shown = (int)count <= uwrt_check_settings.limit;
  if (!is_new || !shown)
    return;
  fflush(stdout);
  if (!uwrt_check_settings.json)
    say_text(f);
  uwrt_check_say_to_programs(f);
}

/* --- of blocks that run at the same time --- */

static int is_late(const uwrt_check_finding *f) { return f->state && f->state->launch && f->state->launch->is_shared; }

static late *find_late(const uwrt_check_finding *f) {
  for (size_t i = 0; i < waiting_count; i++) {
    const said before = {.class = waiting[i].finding.class,
                         .rule = waiting[i].finding.rule,
                         .site = waiting[i].finding.site,
                         .other_site = waiting[i].finding.other_site};
    if (is_same(&before, f))
      return &waiting[i];
  }
  return NULL;
}

/* Whether another block with a lower index, or this one before, has such a mistake. It is counted then. */
static int is_known_late(const uwrt_check_finding *f) {
  late *before = find_late(f);
  int is_known = before && before->block <= f->state->block;
  if (is_known)
    before->count++;
  return is_known;
}

static void *copy_of(const void *from, size_t bytes) {
  void *copy = malloc(bytes);
  if (!copy)
    uwrt_fatal("out of memory: the checker cannot note what it found");
  return memcpy(copy, from, bytes);
}

static void drop_words(late *gone) {
  const uwrt_check_finding *f = &gone->finding;
  if (f->object)
    free((void *)f->object->what);
  free((void *)f->object);
  free((void *)f->state);
  free((void *)f->what);
}

/* The state is a copy up to what a report looks at. */
static void keep_late(const uwrt_check_finding *f) {
  late *place = find_late(f);
  uint64_t times = place ? place->count : 0;
  if (place) {
    drop_words(place);
  } else {
    if (waiting_count == waiting_room) {
      waiting_room = waiting_room ? 2 * waiting_room : 16;
      waiting = realloc(waiting, waiting_room * sizeof *waiting);
      if (!waiting)
        uwrt_fatal("out of memory: the checker cannot note what it found");
    }
    place = &waiting[waiting_count++];
  }
  *place = (late){.finding = *f, .block = f->state->block, .order = ++waited, .count = times + 1};
  place->finding.state = copy_of(f->state, offsetof(uwrt_check_block_state, shared));
  place->finding.what = copy_of(f->what, strlen(f->what) + 1);
  if (f->object) {
    uwrt_check_object *object = copy_of(f->object, sizeof *f->object);
    object->what = copy_of(object->what, strlen(object->what) + 1);
    place->finding.object = object;
  }
}

static int compare_late(const void *left, const void *right) {
  const late *a = left, *b = right;
  if (a->block != b->block)
    return a->block < b->block ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* The lock is held. */
static void say_late(void) {
  qsort(waiting, waiting_count, sizeof *waiting, compare_late);
  for (size_t i = 0; i < waiting_count; i++) {
    say_now(&waiting[i].finding, waiting[i].count);
    drop_words(&waiting[i]);
  }
  waiting_count = 0;
}

void uwrt_check_say_late(void) {
  pthread_mutex_lock(&lock);
  if (waiting_count)
    say_late();
  pthread_mutex_unlock(&lock);
}

int uwrt_check_is_said(const uwrt_check_finding *f) {
  if (is_quiet(f))
    return 1;
  uwrt_check_doubts();
  pthread_mutex_lock(&lock);
  int known = is_late(f) ? is_known_late(f) : is_known(f, 1);
  pthread_mutex_unlock(&lock);
  return known;
}

void uwrt_check_say(const uwrt_check_finding *f) {
  if (is_quiet(f))
    return;
  uwrt_check_doubts();
  pthread_mutex_lock(&lock);
  if (!is_late(f))
    say_now(f, 1);
  else if (!is_known_late(f))
    keep_late(f);
  pthread_mutex_unlock(&lock);
}

int uwrt_check_sum_up(void) {
  if (!total)
    return 0;
  if (uwrt_check_settings.json) {
    fprintf(stderr, "{\"mistakes\": %llu, \"places\": %zu}\n", (unsigned long long)total, count);
    return 1;
  }
  for (size_t i = 0; i < count && (int)i < uwrt_check_settings.limit; i++)
    if (all[i].count > 1) {
      char place[1024];
      fprintf(stderr, "unwarp: %s at %s: %llu times in all\n", all[i].class == UWRT_CHECK_RACE ? "race" : all[i].rule,
              all[i].place ? all[i].place : uwrt_check_place(all[i].site, place, sizeof place),
              (unsigned long long)all[i].count);
    }
  fprintf(stderr, "unwarp: the checker found %zu mistake%s%s\n", count, count == 1 ? "" : "s",
          (int)count > uwrt_check_settings.limit ? " (not all are shown: UNWARP_CHECK=limit=N)" : "");
  return 1;
}
