/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One access, in full: what libdevice/check/access.c does not settle in line. Memory of several cells is looked at cell
 * by cell; the first mistake of each class is said.
 *
 * A store that leaves in memory what was there is in no conflict with others: threads that all store the same value, as
 * many programs have them, do no harm. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

typedef struct access {
  uwrt_check_block_state *state;
  uintptr_t address;
  uint64_t bytes, value;
  uint32_t site, thread, kind; /* kind without its flags */
  int of_shared, is_write, is_blind, is_guard, meets, is_volatile, is_relaxed, of_block;
  uint64_t own;
} access;

static const char *name_of(const access *a) {
  return a->kind == UWRT_CHECK_ATOMIC ? "atomic operation" : a->is_write ? "write" : "read";
}

/* --- outside of all memory --- */

/* "4 bytes after 400 bytes of device memory" */
static void describe(char *text, size_t room, uintptr_t address, uint64_t bytes, const uwrt_check_object *of) {
  if (address < of->start)
    snprintf(text, room, "%zu bytes before %zu bytes of %s", (size_t)(of->start - address), of->bytes, of->what);
  else if (address >= of->start + of->bytes)
    snprintf(text, room, "%zu bytes after the end of %zu bytes of %s", (size_t)(address - of->start - of->bytes),
             of->bytes, of->what);
  else if (of->is_freed)
    snprintf(text, room, "at byte %zu of %zu bytes of %s that were freed", (size_t)(address - of->start), of->bytes,
             of->what);
  else
    snprintf(text, room, "at byte %zu of %zu bytes of %s, past its end", (size_t)(address - of->start), of->bytes,
             of->what);
  (void)bytes;
}

static void say_outside(const access *a) {
  char what[512], where[256] = "that is no memory of the device";
  uwrt_check_object near = {0};
  uwrt_check_finding finding = {.class = UWRT_CHECK_MEMORY,
                                .rule = "out-of-bounds",
                                .what = what,
                                .state = a->state,
                                .site = a->site,
                                .thread = a->thread,
                                .access = name_of(a)};
  int found = 0;
  for (uint32_t i = 0; i < a->state->shared_count && !found; i++) {
    uintptr_t start = a->state->shared[i].start, end = a->state->shared[i].end;
    if (a->address + 256 >= start && a->address < end + 256) {
      uwrt_check_site of = uwrt_check_site_of(a->state->shared[i].site);
      char name[128];
      snprintf(name, sizeof name, "%s%.*s", of.object_length ? "shared memory " : "dynamic shared memory",
               of.object_length, of.object);
      near = (uwrt_check_object){.start = start, .bytes = end - start, .what = name};
      describe(where, sizeof where, a->address, a->bytes, &near);
      found = 1;
    }
  }
  if (!found && uwrt_check_find_object(a->address, &near)) {
    describe(where, sizeof where, a->address, a->bytes, &near);
    finding.object = &near;
    if (near.is_freed)
      finding.rule = "use-after-free";
  }
  if (!found && !near.is_freed && uwrt_check_is_hosts(a->state->launch, a->address)) {
    finding.object = NULL;
    finding.rule = "host-memory";
    snprintf(where, sizeof where,
             "in memory that is the host's: cudaMemcpy it to memory of cudaMalloc's, or use cudaMallocManaged");
  }
  snprintf(what, sizeof what, "%s of %llu bytes %s", name_of(a), (unsigned long long)a->bytes, where);
  uwrt_check_say(&finding);
}

void uwrt_check_outside(uwrt_check_state *fast, const void *address, uint64_t bytes, const void *start, uint64_t size,
                        uint32_t site, uint32_t thread) {
  char what[512];
  uwrt_check_site of = uwrt_check_site_of(site);
  int64_t offset = (int64_t)((uintptr_t)address - (uintptr_t)start);
  snprintf(what, sizeof what, "access of %llu bytes at byte %lld of %.*s, which has %llu bytes",
           (unsigned long long)bytes, (long long)offset, of.object_length, of.object, (unsigned long long)size);
  const uwrt_check_finding finding = {.class = UWRT_CHECK_MEMORY,
                                      .rule = "out-of-bounds",
                                      .what = what,
                                      .access = "access",
                                      .state = uwrt_check_full(fast),
                                      .site = site,
                                      .thread = thread};
  uwrt_check_say(&finding);
}

static void say_misaligned(const access *a, uint32_t alignment) {
  char what[256];
  snprintf(what, sizeof what, "%s of %llu bytes at %p, which is no multiple of %u", name_of(a),
           (unsigned long long)a->bytes, (void *)a->address, alignment);
  const uwrt_check_finding finding = {.class = UWRT_CHECK_MEMORY,
                                      .rule = "misaligned",
                                      .what = what,
                                      .state = a->state,
                                      .site = a->site,
                                      .thread = a->thread,
                                      .access = name_of(a)};
  uwrt_check_say(&finding);
}

/* --- never written --- */

static void say_unwritten(const access *a, uintptr_t at) {
  char what[512], where[256] = "memory";
  uwrt_check_object of = {0};
  uwrt_check_finding finding = {.class = UWRT_CHECK_INIT,
                                .rule = a->of_shared ? "uninitialized-shared" : "uninitialized",
                                .what = what,
                                .state = a->state,
                                .site = a->site,
                                .thread = a->thread,
                                .access = name_of(a)};
  if (!a->of_shared && uwrt_check_find_object(at, &of)) {
    snprintf(where, sizeof where, "byte %zu of %zu bytes of %s", (size_t)(at - of.start), of.bytes, of.what);
    finding.object = &of;
  } else if (a->of_shared) {
    snprintf(where, sizeof where, "shared memory of the block");
  }
  snprintf(what, sizeof what, "%s of %llu bytes that nobody has written: %s", name_of(a), (unsigned long long)a->bytes,
           where);
  uwrt_check_say(&finding);
}

/* --- no order --- */

static uint64_t value_at(const access *a) {
  uint64_t value = 0;
  if (a->bytes <= 8)
    memcpy(&value, (const void *)a->address, a->bytes);
  return value;
}

static void show_value(char *text, size_t room, const access *a, uint64_t value) {
  float single;
  double wide;
  int64_t number = a->bytes == 1   ? (int8_t)value
                   : a->bytes == 2 ? (int16_t)value
                   : a->bytes == 4 ? (int32_t)value
                                   : (int64_t)value;
  memcpy(&wide, &value, sizeof wide);
  memcpy(&single, &value, sizeof single);
  *text = 0;
  if (a->bytes > 8)
    return;
  if (a->bytes == 4 && (number > 1 << 24 || number < -(1 << 24)) && single == single)
    snprintf(text, room, " (value %lld, as a float %g)", (long long)number, (double)single);
  else if (a->bytes == 8 && (number > (int64_t)1 << 48 || number < -((int64_t)1 << 48)) && wide == wide)
    snprintf(text, room, " (value %lld, as a double %g)", (long long)number, wide);
  else
    snprintf(text, room, " (value %lld)", (long long)number);
}

static void name_memory(char *text, size_t room, const access *a) {
  uwrt_check_object of;
  for (uint32_t i = 0; i < a->state->shared_count; i++)
    if (a->address >= a->state->shared[i].start && a->address < a->state->shared[i].end) {
      uwrt_check_site named = uwrt_check_site_of(a->state->shared[i].site);
      snprintf(text, room, "shared memory %.*s%sbyte %zu", named.object_length, named.object,
               named.object_length ? ", " : "", (size_t)(a->address - a->state->shared[i].start));
      return;
    }
  if (uwrt_check_find_object(a->address, &of))
    snprintf(text, room, "byte %zu of %zu bytes of %s", (size_t)(a->address - of.start), of.bytes, of.what);
  else
    snprintf(text, room, "%p", (void *)a->address);
}

/* Of a plain read that only guards atomic operations of the place (compiler/instrument/guards.c). */
static int is_of_guard(uint64_t read) {
  return !uwrt_check_settings.is_strict && (read & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE)) == UWRT_CELL_VOLATILE;
}

/* Atomic or volatile? */
static int is_of_relaxed(uint64_t half) {
  return (half & UWRT_CELL_ATOMIC) || (uwrt_check_settings.is_strict && (half & UWRT_CELL_VOLATILE));
}

static int is_lenient(const access *a) { return a->meets || a->is_guard; }

static uint64_t flags_of(const access *a) {
  return a->is_guard ? UWRT_CELL_VOLATILE
                     : (a->meets ? UWRT_CELL_ATOMIC : 0) | (a->is_volatile ? UWRT_CELL_VOLATILE : 0);
}

/* Who else reads, with the reader that a cell names. */
static uint64_t others_of(uint64_t read) { return read & UWRT_CELL_BLOCKS; }

static int is_ordered(const access *a, uint64_t other) {
  return uwrt_check_is_ordered(a->state, other, a->thread, a->of_shared, a->is_relaxed && is_of_relaxed(other));
}

static void say_race(const access *a, uint64_t other, int other_wrote) {
  char what[768], memory[256], now[96], before[96];
  uwrt_check_run run;
  uwrt_check_object of;
  uwrt_check_finding finding = {.class = UWRT_CHECK_RACE,
                                .state = a->state,
                                .site = a->site,
                                .thread = a->thread,
                                .has_other = 1,
                                .other_site = uwrt_check_site_in(other),
                                .other_thread = uwrt_check_thread_in(other)};
  if (!uwrt_check_find_run(uwrt_check_segment_in(other), &run) || uwrt_check_is_said(&finding))
    return;
  const char *other_name = is_of_guard(other) ? "read"
                           : (other & UWRT_CELL_VOLATILE) && (other & UWRT_CELL_ATOMIC)
                               ? (other_wrote ? "volatile write" : "volatile read")
                           : other & UWRT_CELL_ATOMIC ? (other_wrote ? "atomic write" : "atomic read")
                           : other_wrote              ? "write"
                                                      : "read";
  int same_block = run.id == a->state->id, unknown = same_block && uwrt_check_thread_in(other) == a->thread;
  name_memory(memory, sizeof memory, a);
  show_value(before, sizeof before, a, value_at(a));
  show_value(now, sizeof now, a, a->value);
  int by_lock = is_ordered(a, other) && uwrt_check_is_unfenced(a->state, other, a->thread);
  int same_warp = same_block && uwrt_check_thread_in(other) / 32 == a->thread / 32 && !unknown;
  snprintf(what, sizeof what, "%s of %llu bytes%s at %s, in no order with %s %s%s by another %s%s", name_of(a),
           (unsigned long long)a->bytes, a->is_write && a->kind != UWRT_CHECK_ATOMIC ? now : "", memory,
           *other_name == 'a' ? "an" : "a", other_name, before,
           run.launch != a->state->launch ? run.launch->kernel ? "stream" : "stream's copy or fill"
           : same_warp                    ? "lane of the warp"
           : same_block && (other_wrote || others_of(other) != UWRT_CELL_BLOCKS) ? "thread of the block"
                                                                                 : "block",
           by_lock ? ", under one lock that it took without a fence" : "");
  finding.rule = other_wrote && a->is_write ? "write-after-write"
                 : other_wrote              ? "read-after-write"
                                            : "write-after-read";
  finding.what = what;
  finding.access = name_of(a);
  finding.other_is_unknown = unknown;
  finding.other_access = other_name;
  finding.other_block = run.block;
  finding.other_launch = run.launch;
  if (!a->of_shared && uwrt_check_find_object(a->address, &of))
    finding.object = &of;
  uwrt_check_say(&finding);
}

/* Strictly, volatile accesses are plain ones, but between lanes of a warp, in global memory: code for lanes in lockstep, as
 * before Volta and with -arch=compute_60 since. Not where one instruction of theirs writes: lockstep orders no lanes. */
static int is_in_lockstep(const access *a, uint64_t other, int other_wrote) {
  uwrt_check_run run;
  return uwrt_check_settings.is_strict && a->is_volatile && !a->of_shared &&
         (other & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE)) == UWRT_CELL_VOLATILE &&
         (other_wrote ? !a->is_write || uwrt_check_site_in(other) != a->site : !(other & UWRT_CELL_WARPS)) &&
         uwrt_check_thread_in(other) / 32 == a->thread / 32 &&
         uwrt_check_find_run(uwrt_check_segment_in(other), &run) && run.id == a->state->id;
}

/* May these two be at the same time? Lanes of a warp do not meet in volatile memory: what one finds there of another
 * has no order either. */
static int may_meet(const access *a, uint64_t other, int other_wrote) {
  if ((a->is_guard && (other & UWRT_CELL_ATOMIC)) ||
      (a->kind == UWRT_CHECK_ATOMIC && !other_wrote && is_of_guard(other)) || is_in_lockstep(a, other, other_wrote))
    return 1;
  if (!a->meets || !(other & UWRT_CELL_ATOMIC))
    return 0;
  uwrt_check_run run;
  if (a->of_block || (other_wrote && (other & UWRT_CELL_OF_BLOCK)))
    return !uwrt_check_find_run(uwrt_check_segment_in(other), &run) || run.id == a->state->id;
  return !(a->of_shared && a->is_volatile && (other & UWRT_CELL_VOLATILE) &&
           uwrt_check_find_run(uwrt_check_segment_in(other), &run) && run.id == a->state->id &&
           uwrt_check_thread_in(other) / 32 == a->thread / 32 && uwrt_check_thread_in(other) != a->thread);
}

static int conflicts(const access *a, uint64_t other) {
  return !may_meet(a, other, 1) && (!is_ordered(a, other) || uwrt_check_is_unfenced(a->state, other, a->thread));
}

static int is_of_warp(const access *a, uint64_t half) { return uwrt_check_thread_in(half) / 32 == a->thread / 32; }

/* Notes a read: the first reader of a phase stays, but for lanes that are in order with it, and until a fence: what a
 * fence covers is no news to those who know of it, and what comes after is. */
static void note_read(const access *a, uwrt_cell *cell) {
  uint64_t read = cell->read, others = 0;
  uint32_t since = a->of_shared ? a->state->first : a->state->fast.since, segment = uwrt_check_segment_in(read);
  int is_plain = !(read & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE)), stays = 0;
  uwrt_check_knowledge known = uwrt_check_knows(a->state, a->thread);
  uwrt_check_run run;
  if (segment >= since && uwrt_check_find_run(segment, &run)) {
    if (run.id != a->state->id) {
      others = is_ordered(a, read) ? 0 : UWRT_CELL_BLOCKS;
      stays = others && is_plain && is_lenient(a); /* a plain read says more */
      others = stays ? others_of(read) : others;
    } else if (segment < a->state->real_phase) {
      others = others_of(read) == UWRT_CELL_BLOCKS ? UWRT_CELL_BLOCKS : 0;
    } else if (segment < known.all || (segment < known.own && others_of(read) != UWRT_CELL_BLOCKS)) {
      others = 0; /* the others that read are supposed to be in order, too */
    } else if (uwrt_check_thread_in(read) == a->thread) {
      others = others_of(read);
      stays = is_plain && is_lenient(a);
    } else if (is_of_warp(a, read) && segment < a->state->real_warp && !(read & UWRT_CELL_WARPS)) {
      others = 0;
    } else {
      others = others_of(read) | (is_of_warp(a, read) && !(read & UWRT_CELL_WARPS) ? UWRT_CELL_LANES : UWRT_CELL_WARPS);
      if (others_of(read) != UWRT_CELL_BLOCKS && (others & UWRT_CELL_WARPS))
        others = UWRT_CELL_WARPS;
      stays =
          is_lenient(a) ? is_plain || segment == a->state->fast.segment : is_plain && segment == a->state->fast.segment;
    }
  }
  if (!stays && is_plain && is_lenient(a) && !a->of_shared && segment >= since)
    uwrt_check_hides(a->address);
  cell->read = stays ? (read & ~(uint64_t)UWRT_CELL_BLOCKS) | others : a->own | others | flags_of(a);
}

static void note_write(const access *a, uwrt_cell *cell) {
  uint64_t write = cell->write;
  /* An atomic operation after a thread's own plain store does not make that one atomic. */
  if (a->meets && !(write & UWRT_CELL_ATOMIC) && uwrt_check_segment_in(write) >= a->state->real_phase &&
      uwrt_check_segment_in(write) <= a->state->fast.segment && uwrt_check_thread_in(write) == a->thread)
    return;
  /* Nor does one for all blocks, after one of the own block that was for that alone, make it one for all. */
  int stays = a->meets && (write & UWRT_CELL_OF_BLOCK) && uwrt_check_segment_in(write) >= a->state->real_phase &&
              uwrt_check_segment_in(write) <= a->state->fast.segment && may_meet(a, write, 1);
  if (!stays && a->meets && !a->of_shared && !(write & UWRT_CELL_ATOMIC) &&
      uwrt_check_segment_in(write) >= a->state->fast.since)
    uwrt_check_hides(a->address);
  if (!stays)
    cell->write = a->own | flags_of(a) | (a->of_block ? UWRT_CELL_OF_BLOCK : 0);
}

/* Does it store what is there? */
static int keeps(const access *a) {
  return a->is_write && a->kind != UWRT_CHECK_ATOMIC && !uwrt_check_settings.is_strict && a->bytes <= 8 &&
         value_at(a) == a->value;
}

/* What an access finds in a read of others: the reader that is known, and those that are not. */
static int read_conflicts(const access *a, uint64_t read) {
  uwrt_check_run run;
  uint32_t since = a->of_shared ? a->state->first : a->state->fast.since;
  if (!read || uwrt_check_segment_in(read) < since || may_meet(a, read, 0))
    return 0;
  if (!uwrt_check_find_run(uwrt_check_segment_in(read), &run))
    return 0;
  if (uwrt_check_is_unfenced(a->state, read, a->thread))
    return 1;
  if (run.id == a->state->id) {
    uwrt_check_knowledge known = uwrt_check_knows(a->state, a->thread);
    int of_blocks = others_of(read) == UWRT_CELL_BLOCKS && !a->of_shared;
    if (uwrt_check_segment_in(read) < known.all || (uwrt_check_segment_in(read) < known.own && !of_blocks))
      return 0; /* the others that read are supposed to be in order, too */
    if (of_blocks)
      return 1;
    if (others_of(read) && uwrt_check_segment_in(read) >= a->state->real_phase &&
        ((read & UWRT_CELL_WARPS) || uwrt_check_segment_in(read) >= a->state->real_warp))
      return 1;
  }
  return !is_ordered(a, read);
}

/* Memory of the thread that runs: on its stack, or spilled. */
static int is_own_memory(const access *a, uintptr_t address) {
  enum { STACK = UWRT_CHECK_STACK_BYTES, BELOW = 1 << 20 };
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (uwrt_check_tries()) /* other memory may be that near to a worker's stack */
    return uwrt_check_is_workers(address);
  if (address - here < STACK)
    return !uwrt_check_is_host_variable(a->state->launch, address);
  return here - address < BELOW || uwrt_scratch_has((const void *)address);
}

enum { FINE, OUTSIDE };

/* said: the classes of what was said of the access already; one mistake of each is. */
static int look_at(const access *a, uwrt_cell *cell, uintptr_t at, uint32_t *said) {
  if (cell->write == UWRT_CELL_POISON) {
    if (!a->of_shared && (uwrt_check_tries() ? is_own_memory(a, at) : uwrt_check_adopt(at) || is_own_memory(a, at)))
      return FINE;
    uwrt_check_doubts(); /* whatever the classes: others of a trial know nothing of that memory */
    if (uwrt_check_wants(UWRT_CHECK_MEMORY))
      say_outside(a);
    return OUTSIDE;
  }
  if (!a->is_write || (a->kind == UWRT_CHECK_ATOMIC && !a->is_blind)) { /* reads */
    int unwritten =
        a->of_shared ? uwrt_check_segment_in(cell->write) < a->state->first : uwrt_check_segment_in(cell->write) == 0;
    if (unwritten) {
      if (uwrt_check_wants(UWRT_CHECK_INIT) && !(*said & UWRT_CHECK_INIT)) {
        say_unwritten(a, at);
        *said |= UWRT_CHECK_INIT;
      }
      if (!a->of_shared)
        cell->write = UWRT_CELL_WRITTEN; /* once is enough */
      note_read(a, cell);
      return FINE;
    }
  }
  if (a->kind == UWRT_CHECK_LOAD && (cell->write & UWRT_CELL_ATOMIC) && !uwrt_check_tries())
    uwrt_check_meet(a->state, a->address, a->bytes, a->thread, UWRT_CHECK_MEETING_LOAD,
                    0); /* a plain look at what another one sets */
  if (uwrt_check_wants(UWRT_CHECK_RACE) && !(*said & UWRT_CHECK_RACE)) {
    int wrote = conflicts(a, cell->write);
    if (wrote || (a->is_write && read_conflicts(a, cell->read))) {
      if (keeps(a)) {
        if ((wrote ? cell->write : cell->read) & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE))
          uwrt_check_doubts(); /* what is there depends on when other blocks' operations come */
        return FINE;
      }
      say_race(a, wrote ? cell->write : cell->read, wrote);
      *said |= UWRT_CHECK_RACE;
    }
  }
  if (!a->is_write)
    note_read(a, cell);
  else
    note_write(a, cell);
  return FINE;
}

void uwrt_check_access(uwrt_check_state *fast, const void *address, uint64_t bytes, uint32_t site, uint32_t thread,
                       uint32_t kind, uint64_t value) {
  access a = {.state = uwrt_check_full(fast),
              .address = (uintptr_t)address,
              .bytes = bytes,
              .value = value,
              .site = site,
              .thread = thread & (UWRT_CELL_THREADS - 1),
              .kind = kind & UWRT_CHECK_KIND};
  if (!bytes || !a.state->launch)
    return;
  uwrt_check_look_round();
  a.is_write = a.kind == UWRT_CHECK_STORE || a.kind == UWRT_CHECK_ATOMIC || a.kind == UWRT_CHECK_MEETING_STORE;
  a.meets = a.kind >= UWRT_CHECK_ATOMIC;
  a.is_guard = (kind & UWRT_CHECK_GUARD) && !uwrt_check_settings.is_strict;
  a.is_blind = (kind & UWRT_CHECK_BLIND) != 0;
  a.is_volatile = (kind & UWRT_CHECK_VOLATILE) != 0;
  a.of_shared = (kind & UWRT_CHECK_OF_SHARED) != 0;
  for (uint32_t i = 0; i < a.state->shared_count && !a.of_shared; i++)
    a.of_shared = a.address >= a.state->shared[i].start && a.address < a.state->shared[i].room;
  if (!a.of_shared && uwrt_scratch_has(address))
    return; /* the thread's own */
  a.of_block = (kind & UWRT_CHECK_OF_BLOCK) && !a.of_shared;
  a.is_relaxed = a.meets;
  if (a.is_volatile && a.kind != UWRT_CHECK_ATOMIC && uwrt_check_settings.is_strict)
    a.meets = 0; /* by CUDA's model volatile accesses are plain ones; by PTX they are relaxed */
  if (a.is_relaxed && !uwrt_check_tries()) /* in a trial nobody has a fence: nothing is handed over */
    uwrt_check_meet(a.state, a.address, bytes, a.thread, kind, value);
  a.own = (uint64_t)fast->segment << UWRT_CELL_SEGMENT_SHIFT | (uint64_t)site << UWRT_CELL_SITE_SHIFT |
          (uint64_t)a.thread << UWRT_CELL_THREAD_SHIFT;
  int is_plain = bytes <= 16 && (bytes & (bytes - 1)) == 0 && a.address % bytes == 0;
  uint32_t alignment = is_plain ? 1 : uwrt_check_site_of(site).alignment;
  if (alignment > 1 && a.address % alignment && uwrt_check_wants(UWRT_CHECK_MEMORY))
    say_misaligned(&a, alignment);
  int result = FINE;
  uint32_t said = 0;
  for (uintptr_t at = a.address; bytes && result == FINE;) {
    size_t here = UWRT_PAGE_BYTES - (at & (UWRT_PAGE_BYTES - 1));
    here = here < bytes ? here : bytes;
    if (!uwrt_shadow_is_known(at) && (uwrt_check_tries() || !uwrt_check_adopt(at))) {
      if (is_own_memory(&a, at))
        return;
      uwrt_check_doubts();
      if (uwrt_check_wants(UWRT_CHECK_MEMORY))
        say_outside(&a);
      return;
    }
    unsigned int width;
    uwrt_cell *cells = uwrt_shadow_cells(at, here, &width);
    size_t count = ((at + here - 1) >> width) - (at >> width) + 1;
    for (size_t i = 0; i < count && result == FINE; i++)
      result = look_at(&a, &cells[i], i ? ((at >> width) + i) << width : at, &said);
    at += here;
    bytes -= here;
  }
}

void uwrt_check_move(uwrt_check_state *fast, const void *to, const void *from, uint64_t bytes, uint32_t site,
                     uint32_t thread) {
  uwrt_check_access(fast, from, bytes, site, thread, UWRT_CHECK_LOAD, 0);
  uwrt_check_access(fast, to, bytes, site, thread, UWRT_CHECK_STORE, 0);
}
