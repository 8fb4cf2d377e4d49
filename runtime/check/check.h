/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of the checker share (-fcheck; docs/checker.md). It is a library of its own, which is linked where an
 * object asks for it, and tells the runtime of itself (uwrt_checks in ../internal.h). The shared runtime has it, too, and
 * it waits there until such an object is loaded: an extension of a program that others compiled, PyTorch for example.
 *
 *   shadow.c   what is known of each piece of memory
 *   access.c   one access: is it allowed, and in order with others?
 *   order.c    fences, and what atomic operations hand over
 *   reads.c    memory that a launch only reads
 *   blocks.c   launches, blocks, segments
 *   blocks_apart.c  launches whose blocks cannot meet, and run at the same time
 *   trial.c    launches whose blocks run at the same time as long as they do not meet
 *   streams.c  launches that have an order
 *   sync.c     barriers, and what lanes do together
 *   hosts.c    memory of the host's that a kernel reaches
 *   heap.c     allocations: who made them, what was freed, what is left
 *   parts.c    what a library makes of an allocation for its callers
 *   copies.c   copies and fills
 *   unasked.c  launches that were refused, of which nobody asked
 *   sites.c    locations in the source
 *   report.c   what is said, once for each location
 *   json.c     the same for programs: JSON, SARIF
 *   end.c      ends other than exit
 *   waits.c    in the shared runtime alone: that it waits
 *   setup.c    settings, beginning and end */
#ifndef UWRT_CHECK_H
#define UWRT_CHECK_H

#include <stdbool.h>

#include "../internal.h"
#include "shadow.h"

/* --- segments, blocks (blocks.c) --- */

enum { UWRT_CHECK_MOST_STREAMS = 64, UWRT_CHECK_NO_STREAM = -1 };
typedef struct uwrt_check_clock {
  uint32_t over[UWRT_CHECK_MOST_STREAMS]; /* of each stream: the last segment that is over */
} uwrt_check_clock;

enum { UWRT_CHECK_CALLS = 12, UWRT_CHECK_MOST_READ = 32, UWRT_CHECK_MOST_WRITTEN = 16 };

/* A launch, or a copy or fill of a stream. */
typedef struct uwrt_check_launch {
  const uwrt_running *running;
  const uwrt_kernel *kernel;     /* null: a copy or fill */
  void *calls[UWRT_CHECK_CALLS]; /* of the copy: return addresses */
  uint32_t grid[3], block[3];
  uint64_t number;     /* of the launch, 1 is the first */
  uint32_t start, end; /* its first segment, and the last one */
  uint32_t since;      /* all segments before are over when it begins */
  int stream;          /* UWRT_CHECK_NO_STREAM: all that comes before is */
  uwrt_check_clock clock;
  uint32_t grid_arrived[2];          /* the last segment that came to a barrier of the grid: this one, and the next */
  int is_quiet;                      /* not to be reported */
  int is_shared;                     /* its blocks run at the same time (apart.c) */
  struct uwrt_check_worker *workers; /* who run them */
  struct {
    const void *at;
    uint64_t bytes;
  } read[UWRT_CHECK_MOST_READ]; /* reads.c */
  const void *written[UWRT_CHECK_MOST_WRITTEN];
  uint32_t read_count, written_count; /* these more than there is room for: not known */
  struct uwrt_check_launch *next;
} uwrt_check_launch;

enum { UWRT_CHECK_MOST_MBARRIERS = 64 };
typedef struct uwrt_check_mbarrier_state { /* mbarrier.c */
  const void *at;
  int is_valid;
  uint32_t site, thread, phase; /* who made it or declared it invalid, and after which barrier of the block */
} uwrt_check_mbarrier_state;

/* What a thread knows, or hands over: all before that segment. */
typedef struct uwrt_check_knowledge {
  uint32_t all; /* whoever ran it */
  uint32_t own; /* what its block ran */
} uwrt_check_knowledge;
/* A lock that a thread has: it swapped the value at the address for another one. */
typedef struct uwrt_check_hold {
  uintptr_t lock;    /* 0: none */
  uint64_t free;     /* the value of before: storing it gives the lock back */
  uint32_t start;    /* the first segment since */
  uint32_t all, own; /* the first one after an acquiring fence for all, or for its block at least; 0: none yet */
  uwrt_check_knowledge apart; /* what the thread learned by other ways than the lock */
} uwrt_check_hold;
typedef struct uwrt_check_order {
  uint32_t fenced;                   /* its last fence for all: it covers what was before */
  uwrt_check_knowledge fenced_block; /* that for its block, or for all; and what it knew then */
  uint32_t seen;                     /* what it read of, with no fence since: left for all */
  uwrt_check_knowledge seen_block;   /* left by its block */
  uwrt_check_knowledge acquired;
  uwrt_check_knowledge polled; /* what it polled for: atomic and volatile accesses after that are in order */
  uwrt_check_hold hold;
} uwrt_check_order;

enum {
  UWRT_CHECK_MOST_THREADS = 1024,
  UWRT_CHECK_MOST_SHARED = 64,
  UWRT_CHECK_LISTS = 2,
  UWRT_CHECK_LANES = 32,
  UWRT_CHECK_TIMES = 64
};

/* What the lanes of a warp do together (sync.c). */
typedef struct uwrt_check_meeting { /* of lanes that came with the same mask */
  uint32_t mask, arrived, time;     /* time: when the last one came */
  uint32_t site, thread;            /* who came last */
  uint32_t lanes;                   /* that did nothing else together since */
  int is_open, is_late;             /* nobody has passed it; it makes good for one that these lanes left out */
} uwrt_check_meeting;
typedef struct uwrt_check_debt { /* a lane was named where it did not come; mask 0: none */
  uint32_t mask, site, thread;
} uwrt_check_debt;
typedef struct uwrt_check_warp {
  uint32_t time;                  /* counts exchanges: lanes that come before one has passed come at one time */
  int is_over;                    /* that one */
  uint32_t met[UWRT_CHECK_TIMES]; /* lanes that came, each of the last times: a warp may be 32 groups */
  uwrt_check_meeting meetings[UWRT_CHECK_LANES];
  uint32_t last;                            /* where a lane came last */
  uwrt_check_meeting *of[UWRT_CHECK_LANES]; /* each lane's last; null: none */
  uint32_t came[UWRT_CHECK_LANES];          /* at which time */
  uwrt_check_debt debts[UWRT_CHECK_LANES];
} uwrt_check_warp;

typedef struct uwrt_check_block_state {
  uwrt_check_state fast; /* first */
  uwrt_check_launch *launch;
  uint64_t block;
  uint32_t id;                      /* of this run of the block; no other has it */
  uint32_t first;                   /* its first segment */
  uint32_t real_phase, real_warp;   /* phase_start and warp_start, though others ran since */
  uint32_t acquired_all, pending;   /* segments before are known to all threads; to one at least */
  uint32_t fenced_all, fenced_last; /* the last fence that all threads have passed; that one thread has */
  uint32_t grid_phase;              /* barriers of the grid that the block passed */
  uint32_t threads;
  struct {
    uintptr_t start, end, room, filled; /* filled: the block has written all before it */
    uint32_t site;
  } shared[UWRT_CHECK_MOST_SHARED];
  uint32_t shared_count;
  struct uwrt_check_block_state *outer, *free_next;
  /* of each thread; 0 at the block's begin */
  uint32_t *left_at;      /* and fast.arrivals */
  int has_order;          /* order[] says something */
  uwrt_table handed_over; /* within the block: address -> a segment, and what is known of others in the upper half */
  uint32_t warps_used;    /* warps[] that say something, a bit each */
  uint32_t mbarrier_count;
  uint32_t per_thread[UWRT_CHECK_LISTS * UWRT_CHECK_MOST_THREADS];
  uwrt_check_order order[UWRT_CHECK_MOST_THREADS];
  uwrt_check_mbarrier_state mbarriers[UWRT_CHECK_MOST_MBARRIERS];
  uwrt_check_warp warps[UWRT_CHECK_MOST_THREADS / UWRT_CHECK_LANES];
} uwrt_check_block_state;

static inline uwrt_check_block_state *uwrt_check_full(uwrt_check_state *state) {
  return (uwrt_check_block_state *)state;
}

uint32_t uwrt_check_new_segment(uwrt_check_block_state *state); /* the block goes on in a new one; null: nobody's */
/* Who had a segment: the run's id, its launch and block; 0 if that is not known (it was in an earlier launch). */
typedef struct uwrt_check_run {
  uint32_t start, id;
  uint64_t block;
  const uwrt_check_launch *launch;
} uwrt_check_run;
#define UWRT_CHECK_SOME_BLOCK (~(uint64_t)0) /* for `block`: it is not known any more which */
int uwrt_check_find_run(uint32_t segment, uwrt_check_run *found);
uint32_t uwrt_check_next_segment(void);
/* A copy or fill of a stream: a launch without blocks, of one segment. */
const uwrt_check_launch *uwrt_check_note_copy(void);
void uwrt_check_launch_begins(const uwrt_running *launch);
void uwrt_check_forgets(const void *start, size_t bytes);
void uwrt_check_launch_ends(const uwrt_running *launch);
uwrt_check_block_state *uwrt_check_current(void);
void *uwrt_check_use(void *state); /* for the calling thread; gives the one before */

uwrt_check_launch *uwrt_check_launch_of(const uwrt_running *running); /* null: it is not known */
void uwrt_check_share(uwrt_check_launch *launch);                     /* its blocks will run at the same time */
int uwrt_check_is_only_launch(const uwrt_check_launch *launch);       /* that runs */

uwrt_check_launch *uwrt_check_shared_launch(void);          /* whose blocks run at the same time; null */
void uwrt_check_unshare(uwrt_check_launch *launch);         /* they have to run in order, as if none had */
void uwrt_check_end_blocks(uwrt_check_block_state *before); /* of the calling thread, back to that one */

/* --- trial.c --- */
/* May they, as long as nothing is found? Then the region of workers that comes next is a trial. */
int uwrt_check_may_try(const uwrt_check_launch *launch);
void uwrt_check_try_next(uwrt_check_launch *launch);
int uwrt_check_tries(void);                   /* does the calling thread run a block in a trial? */
int uwrt_check_is_workers(uintptr_t address); /* of its stack, or what it keeps for blocks */
void uwrt_check_begins_in_trial(uwrt_check_block_state *state);
void uwrt_check_look_round(void); /* ends the block where another one of the trial found something */
/* There is something that a launch in order has to find. Does not come back in a trial, else does nothing. */
void uwrt_check_doubts(void);
void uwrt_check_hides(uintptr_t address);  /* a plain access that the cell will no longer tell of */
void uwrt_check_first_look(uint64_t page); /* of a worker in a trial: its own cells are there, nothing else is done */

/* --- reads.c --- */
/* Of a launch, as the blocks say it of theirs (../uwrt.h). */
void uwrt_check_note_writes(uwrt_check_launch *launch, const void *pointer);
uint64_t uwrt_check_note_reads(uwrt_check_launch *launch, const void *pointer);
/* Nobody else can be at its memory, now or until it is over. */
int uwrt_check_runs_alone(const uwrt_check_launch *launch);

/* --- hosts.c --- */

enum { UWRT_CHECK_STACK_BYTES = 64 << 20 };
/* On the stack of the calling thread, behind all that the launch put there. */
int uwrt_check_is_host_variable(const uwrt_check_launch *launch, uintptr_t address);
/* An address in no memory of the device: did a pointer to the host's memory lead there? */
int uwrt_check_is_hosts(const uwrt_check_launch *launch, uintptr_t address);

/* --- streams.c --- */
void uwrt_check_work_begins(cudaStream_t stream);
void uwrt_check_work_ends(void);
void uwrt_check_orders(uwrt_order what, cudaStream_t stream, cudaEvent_t event);
void uwrt_check_place_launch(uwrt_check_launch *launch); /* sets its stream, clock and since; start is set */
/* Is a segment of the other launch, which came first, over when this one begins? */
int uwrt_check_is_after(const uwrt_check_launch *launch, const uwrt_check_launch *other, uint32_t segment);
int uwrt_check_host_is_after(const uwrt_check_launch *launch,
                             uint32_t segment);               /* does the host know that it is over? */
void uwrt_check_host_learns(const uwrt_check_launch *launch); /* that all its stream has been given is */
uint32_t uwrt_check_first_open(void); /* the first segment that the host does not know to be over */
int uwrt_check_runs_stream(void);     /* does the thread run a stream's work? */
int uwrt_check_has_streams(void);     /* it does, and of another stream than the null stream, or there are several */

/* --- shadow.c --- */
void uwrt_shadow_reserve(void);
/* Says of so many bytes that this was their last write; pages that nothing is known of yet get `around` for the
 * rest. */
void uwrt_shadow_set(uintptr_t start, size_t bytes, uint64_t write, uint64_t around);
/* The cells of so many bytes, which lie in one page, and how many bytes each of them stands for (log2). Null: nothing
 * is known of the page. */
uwrt_cell *uwrt_shadow_cells(uintptr_t start, size_t bytes, unsigned int *width);
int uwrt_shadow_is_known(uintptr_t address);
int uwrt_shadow_is_written(uintptr_t start, size_t bytes); /* every byte, and none is poison */

/* The cells that one worker has for itself (trial.c): of pages that it looked at, in order. */
typedef struct uwrt_shadow {
  uint64_t *pages; /* as UWRT_CHECK_PAGES */
  uint64_t *touched;
  size_t count, room;
} uwrt_shadow;
void uwrt_shadow_use(uwrt_shadow *shadow); /* by the calling thread; null: the cells of all */
uint64_t *uwrt_shadow_pages(void);         /* that the calling thread uses */
uwrt_cell *uwrt_shadow_own(uwrt_shadow *shadow, uint64_t page, unsigned int wanted, unsigned int *width);
void uwrt_shadow_give(uwrt_shadow *shadow, uint64_t page); /* to all */
void uwrt_shadow_drop_page(uwrt_shadow *shadow, uint64_t page);
void uwrt_shadow_drop(uwrt_shadow *shadow);            /* all that it has */
void uwrt_shadow_hold(void), uwrt_shadow_let_go(void); /* other threads than workers change no pages in between */

/* While blocks run at the same time: pages get cells at most that wide (log2), and none is made narrower. */
void uwrt_shadow_share(unsigned int width);
void uwrt_shadow_unshare(void);
void uwrt_shadow_narrow(uintptr_t start, size_t bytes); /* what is there to be so */

/* --- order.c --- */
uwrt_check_knowledge uwrt_check_knows(const uwrt_check_block_state *state, uint32_t thread);
void uwrt_check_share_order(uwrt_check_block_state *state, uint32_t first,
                            uint32_t count); /* of neighbouring threads */
/* is_relaxed: both are atomic or volatile. */
int uwrt_check_is_ordered(uwrt_check_block_state *state, uint64_t half, uint32_t thread, int of_shared, int is_relaxed);
/* An earlier access is in order with one of the thread by a lock alone, which it took without a fence. */
int uwrt_check_is_unfenced(const uwrt_check_block_state *state, uint64_t half, uint32_t thread);
void uwrt_check_meet(uwrt_check_block_state *state, uintptr_t address, uint64_t bytes, uint32_t thread, uint32_t kind,
                     uint64_t value);

/* --- heap.c --- */
typedef struct uwrt_check_object { /* a piece of memory that was allocated */
  uintptr_t start;
  size_t bytes;
  const char *what; /* "device memory", … */
  int is_device;    /* only kernels, copies and fills get at it */
  int is_freed;
  uint32_t site, free_site;                               /* of a kernel's malloc and free, else 0 */
  void *made[UWRT_CHECK_CALLS], *freed[UWRT_CHECK_CALLS]; /* return addresses; null: not known */
} uwrt_check_object;
int uwrt_check_find_object(uintptr_t address, uwrt_check_object *found); /* around, or nearest to, the address */
int uwrt_check_adopt(uintptr_t address); /* memory that the runtime knows and the checker does not: whether there is */
int uwrt_check_is_devices(uintptr_t start, size_t bytes); /* no allocation there is the host's, too */
void uwrt_check_allocated(const uwrt_allocation *allocation);
int uwrt_check_freed(const uwrt_allocation *allocation, int by_reset);
void uwrt_check_not_freed(const void *memory);
void uwrt_check_leaks(void);
void uwrt_check_adopt_all(void);                          /* what was allocated before the checker began */
void uwrt_check_is_parted(uintptr_t start, size_t bytes); /* of the allocation around it: who made it frees its parts */

/* --- parts.c --- */
void uwrt_check_part(uwrt_part what, const void *start, size_t bytes, const char *name);
int uwrt_check_has_parts(uintptr_t address); /* it is of memory that is parted */
/* The part around the address, or nearest to it, of memory that is parted. */
int uwrt_check_find_part(uintptr_t address, uwrt_check_object *found);

int uwrt_check_is_written(const uwrt_check_object *object); /* reads.c: all of it */

/* Where it was made, or freed: null if that is not known. */
const char *uwrt_check_made(const uwrt_check_object *object, int freed, char *room, size_t bytes);

/* --- copies.c --- */
void uwrt_check_moves(const uwrt_bulk *bulk);
void uwrt_check_refused(const void *start, size_t bytes);

/* --- unasked.c --- */
void uwrt_check_not_launched(const struct uwrt_running *launch, cudaError_t error);
void uwrt_check_error_asked(void);
void uwrt_check_tell_unasked(void);

/* --- sites.c --- */
typedef struct uwrt_check_site {
  const char *text;   /* locations, a line each */
  const char *object; /* what is accessed, or "" ; not ended by 0 */
  int object_length, places_length;
  uint32_t bytes, alignment;
} uwrt_check_site;
uwrt_check_site uwrt_check_site_of(uint32_t site);
/* "file:line, called from file:line"; room for it is given. */
const char *uwrt_check_place(uint32_t site, char *room, size_t bytes);
const char *uwrt_check_lines(void *const *calls, int most, char *room,
                             size_t bytes); /* of return addresses; null: not known */
const char *uwrt_check_caller(char *room,
                              size_t bytes); /* of the program's call of the runtime that runs; null: not known */

/* --- report.c --- */
typedef struct uwrt_check_finding {
  uint32_t class;                /* UWRT_CHECK_* */
  const char *rule;              /* a word for tools: "out-of-bounds" */
  const char *what;              /* the first line */
  uwrt_check_block_state *state; /* where it happened; null: in host code */
  uint32_t site, thread;
  const char *access; /* "write", … ; null: none */
  const char *place;  /* in place of a site, for host code */
  /* the other access of a race */
  int has_other, other_is_unknown;
  const char *other_access;
  uint32_t other_site, other_thread;
  uint64_t other_block;
  const uwrt_check_launch *other_launch;
  const uwrt_check_object *object; /* that it is about; null */
} uwrt_check_finding;
void uwrt_check_say(const uwrt_check_finding *finding);
void uwrt_check_say_late(void); /* what blocks found that ran at the same time: when their launch is over */
/* Was it said before, or is it not to be? It is counted then, and takes no words. */
int uwrt_check_is_said(const uwrt_check_finding *finding);
int uwrt_check_sum_up(void); /* whether there was anything */
const char *uwrt_check_class_name(uint32_t class);
void uwrt_check_index(char *text, size_t bytes, uint64_t number, const uint32_t extents[3]); /* "(1,0,0)" */
/* "block (0,0,0), thread (1,0,0) of kernel(float*) at file.cu:7" */
void uwrt_check_where(char *text, size_t bytes, const uwrt_check_launch *launch, uint64_t block, uint32_t thread,
                      uint32_t site);

/* --- json.c --- */
typedef enum uwrt_check_form { UWRT_CHECK_LINES, UWRT_CHECK_SARIF, UWRT_CHECK_FORMS } uwrt_check_form;
void uwrt_check_report_into(uwrt_check_form form, const char *name); /* findings go to this file, too */
void uwrt_check_say_to_programs(const uwrt_check_finding *finding);

/* --- end.c --- */
void uwrt_check_watch_ends(void);
int uwrt_check_ends(void);        /* is this the end, for the first time? */
void uwrt_check_dies(int number); /* a signal ends the program, or (0) a sanitizer does */
void uwrt_check_signal(int number);

/* --- setup.c --- */
extern struct uwrt_check_settings {
  uint32_t classes;
  int json, exit_status, limit, is_strict;
  const char *kernel;
} uwrt_check_settings;
void uwrt_check_begin(uint32_t classes);                 /* an object brings checks of these */
bool uwrt_check_is_checked(const void *address);         /* of a module that brought checks */
extern const int uwrt_check_waits __attribute__((weak)); /* waits.c */
static inline int uwrt_check_wants(uint32_t class) { return (uwrt_check_settings.classes & class) != 0; }

#endif
