/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The checks of single accesses that -fcheck puts into kernels, as far as they are inlined: the cell is there, and the
 * access is in order with the last ones. runtime/check/shadow.h says what a cell is; whatever is not plain goes to
 * uwrt_check_access.
 *
 * of_shared: the compiler knows that the address is one of the block's shared memory. What was there before the block
 * began is nobody's, so that the block's start is where order begins. */
#include "../../runtime/check/shadow.h"
#include "../../runtime/uwrt.h"

#define INLINE __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)

typedef uwrt_check_state state;

static inline INLINE uwrt_cell *cell_of(const state *s, const void *address, unsigned width) {
  uint64_t at = (uint64_t)address, page = s->pages[at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK];
  if (!LIKELY((page & UWRT_PAGE_WIDTH) == width + 1 && (at & ((1u << width) - 1)) == 0))
    return 0;
  return (uwrt_cell *)(page - (width + 1) + ((at & (UWRT_PAGE_BYTES - 1)) >> width) * sizeof(uwrt_cell));
}

static inline INLINE int same_thread(uint64_t half, uint64_t own) {
  return ((half ^ own) & (UWRT_CELL_THREADS - 1) << UWRT_CELL_THREAD_SHIFT) == 0;
}

static inline INLINE int of_own_warp(uint64_t differs) {
  return (differs >> UWRT_CELL_THREAD_SHIFT & (UWRT_CELL_THREADS - UWRT_CELL_LANE_COUNT)) == 0;
}

/* Of the own block: before its last barrier, or by the same thread, or by its warp, before the last exchange. */
static inline INLINE int own_before(const state *s, uint64_t half, uint64_t own) {
  uint32_t distance = uwrt_check_segment_in(half) - s->block_start;
  return distance < s->phase_start - s->block_start ||
         (distance <= s->segment - s->block_start && same_thread(half, own)) ||
         (distance < s->warp_start - s->block_start && of_own_warp(half ^ own));
}

/* Did this thread alone read, or others of the block with it that are in order now? */
static inline INLINE int others_before(const state *s, uint64_t read) {
  uint64_t others = read & UWRT_CELL_BLOCKS;
  return !others || (others != UWRT_CELL_BLOCKS && uwrt_check_segment_in(read) < s->phase_start);
}

static inline INLINE uint64_t of_blocks(uint64_t read) {
  return (read & UWRT_CELL_BLOCKS) == UWRT_CELL_BLOCKS ? UWRT_CELL_BLOCKS : 0;
}

/* What an access of this thread, at this position in the program, leaves. */
static inline INLINE uint64_t half_of(const state *s, uint32_t site, uint32_t thread) {
  return (uint64_t)s->segment << UWRT_CELL_SEGMENT_SHIFT | (uint64_t)site << UWRT_CELL_SITE_SHIFT |
         (uint64_t)thread << UWRT_CELL_THREAD_SHIFT;
}

/* A read after another one in the phase, with a fence or an exchange of a warp between: the later one is what that does
 * not cover, and stays (note_read in runtime/check/access.c). */
static __attribute__((noinline)) int settle_later_load(const state *s, uwrt_cell *cell, uint64_t own) {
  uint64_t read = cell->read, others = read & UWRT_CELL_BLOCKS, differs = read ^ own;
  uint32_t segment = uwrt_check_segment_in(read);
  int is_alone = others == 0 || others == UWRT_CELL_LANES;
  if (s->acquires || segment < s->since)
    return 0;
  if (!same_thread(read, own)) {
    if (of_own_warp(differs) && is_alone)
      others = segment < s->warp_start ? 0 : UWRT_CELL_LANES;
    else if (others != UWRT_CELL_BLOCKS)
      others = UWRT_CELL_WARPS;
  }
  cell->read = own | others;
  return 1;
}

/* Each of these settles an access to one cell, if it is in order with the last ones. */
static inline INLINE int settle_load(const state *s, uwrt_cell *cell, uint64_t own, int of_shared) {
  uint64_t write = cell->write, read = cell->read;
  uint32_t since = of_shared ? s->block_start : s->since, segment = uwrt_check_segment_in(write);
  /* Written, and before since: segment 0 wraps around. */
  if (!LIKELY((!of_shared && segment - 1 < since - 1) || own_before(s, write, own)))
    return 0;
  uint32_t distance = uwrt_check_segment_in(read) - s->block_start;
  if (distance <= s->segment - s->block_start) {
    if (distance >= s->phase_start - s->block_start) { /* in this phase: the first reader stays */
      uint64_t differs = read ^ own;
      if (read & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE)) /* a plain read says more */
        return 0;
      if (differs >> UWRT_CELL_SEGMENT_SHIFT)
        return settle_later_load(s, cell, own);
      if (!same_thread(read, own)) {
        uint64_t also = of_own_warp(differs) ? UWRT_CELL_LANES : UWRT_CELL_WARPS;
        if (!(read & UWRT_CELL_WARPS) && !(read & also))
          cell->read = (read & ~(uint64_t)UWRT_CELL_LANES) | also;
      }
    } else {
      cell->read = own | of_blocks(read);
    }
  } else {
    int of_others = !of_shared && uwrt_check_segment_in(read) >= since;
    if ((of_others || of_shared) && s->acquires) /* or is it a read of the block's own, before others ran? */
      return 0;
    cell->read = own | (of_others ? UWRT_CELL_BLOCKS : 0);
  }
  return 1;
}

static inline INLINE int settle_store(const state *s, uwrt_cell *cell, uint64_t own, int of_shared) {
  uint64_t write = cell->write, read = cell->read;
  uint32_t since = of_shared ? s->block_start : s->since;
  if (!LIKELY(uwrt_check_segment_in(write) < since || own_before(s, write, own)))
    return 0;
  if (!LIKELY(uwrt_check_segment_in(read) < since || (own_before(s, read, own) && others_before(s, read))))
    return 0;
  cell->write = own;
  return 1;
}

/* One after another atomic operation hands nothing over as long as no thread of the program had a fence. of_block: it is
 * atomic within the block alone, and so is the one before, which was the block's. */
static inline INLINE int settle_atomic(const state *s, uwrt_cell *cell, uint64_t own, int of_shared, int of_block) {
  uint64_t write = cell->write, read = cell->read;
  if (!LIKELY(!read || uwrt_check_segment_in(read) < (of_shared ? s->block_start : s->since) ||
              (!of_block && (read & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE))) ||
              (own_before(s, read, own) && others_before(s, read))))
    return 0;
  uint64_t flags = UWRT_CELL_ATOMIC | (of_block ? UWRT_CELL_OF_BLOCK : 0);
  if (!LIKELY((write & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE | UWRT_CELL_OF_BLOCK)) == flags && s->segment &&
              !uwrt_check_fences && uwrt_check_segment_in(write) >= (of_shared || of_block ? s->block_start : 1)))
    return 0;
  cell->write = own | flags;
  return 1;
}

static inline INLINE int settle(const state *s, uwrt_cell *cell, uint64_t own, unsigned kind, int of_shared) {
  return kind == UWRT_CHECK_LOAD    ? settle_load(s, cell, own, of_shared)
         : kind == UWRT_CHECK_STORE ? settle_store(s, cell, own, of_shared)
                                    : settle_atomic(s, cell, own, of_shared, (kind & UWRT_CHECK_OF_BLOCK) != 0);
}

static unsigned check_number(unsigned kind, int of_shared) { return of_shared ? kind | UWRT_CHECK_OF_SHARED : kind; }

/* An access to several cells that lie in one page: of 16 bytes, or where memory is used by smaller pieces, too. */
static inline INLINE void check_cells(state *s, const void *address, uint32_t site, uint32_t thread, uint64_t value,
                                      unsigned width, unsigned kind, int of_shared) {
  uint64_t at = (uint64_t)address, page = s->pages[at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK],
           own = half_of(s, site, thread);
  unsigned cell_width = (page & UWRT_PAGE_WIDTH) - 1;
  if (page && cell_width < width && (at & ((1u << width) - 1)) == 0) {
    uwrt_cell *cell = (uwrt_cell *)(page & ~(uint64_t)UWRT_PAGE_WIDTH) + ((at & (UWRT_PAGE_BYTES - 1)) >> cell_width);
    unsigned count = 1u << (width - cell_width), settled = 0;
    while (settled < count && settle(s, cell + settled, own, kind, of_shared))
      settled++;
    if (LIKELY(settled == count))
      return;
  }
  uwrt_check_access(s, address, 1u << width, site, thread, check_number(kind, of_shared), value);
}

static inline INLINE int check_cell(state *s, const void *address, uint32_t site, uint32_t thread, unsigned width,
                                    unsigned kind, int of_shared) {
  uwrt_cell *cell = cell_of(s, address, width);
  return LIKELY(cell != 0) && LIKELY(settle(s, cell, half_of(s, site, thread), kind, of_shared));
}

#define CHECK(name, bytes, width, kind, of_shared)                                                                     \
  static __attribute__((noinline)) void cells_of_##name##bytes(state *s, const void *address, uint32_t site,           \
                                                               uint32_t thread, uint64_t value) {                      \
    check_cells(s, address, site, thread, value, width, kind, of_shared);                                              \
  }                                                                                                                    \
  INLINE void __unwarp_check_##name##bytes(state *s, const void *address, uint32_t site, uint32_t thread,              \
                                           uint64_t value) {                                                           \
    if (width > UWRT_WIDEST_CELL || !check_cell(s, address, site, thread, width, kind, of_shared))                     \
      cells_of_##name##bytes(s, address, site, thread, value);                                                         \
  }
// clang-format off
#define CHECKS(bytes, width)                                                                                                      \
  CHECK(load, bytes, width, UWRT_CHECK_LOAD, 0)                                                                                  \
  CHECK(shared_load, bytes, width, UWRT_CHECK_LOAD, 1)                                                                           \
  CHECK(store, bytes, width, UWRT_CHECK_STORE, 0)                                                                                \
  CHECK(shared_store, bytes, width, UWRT_CHECK_STORE, 1)                                                                         \
  CHECK(atomic, bytes, width, UWRT_CHECK_ATOMIC, 0)                                                                              \
  CHECK(shared_atomic, bytes, width, UWRT_CHECK_ATOMIC, 1)                                                                       \
  CHECK(block_atomic, bytes, width, UWRT_CHECK_ATOMIC | UWRT_CHECK_OF_BLOCK, 0)
// clang-format on
CHECKS(1, 0)
CHECKS(2, 1)
CHECKS(4, 2)
CHECKS(8, 3)
CHECKS(16, 4)

/* A load from shared memory that no thread writes between the barriers around it: that the block has written it is all
 * there is to ask, and leaves no note. */
static inline INLINE int is_filled(const state *s, const uwrt_cell *cell) {
  return uwrt_check_segment_in(cell->write) - s->block_start <= s->segment - s->block_start;
}

static inline INLINE int cells_are_filled(const state *s, uint64_t at, unsigned width) {
  uint64_t page = s->pages[at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK];
  unsigned cell_width = (page & UWRT_PAGE_WIDTH) - 1;
  if (!page || cell_width > width || (at & ((1u << width) - 1)))
    return 0;
  const uwrt_cell *cell =
      (const uwrt_cell *)(page & ~(uint64_t)UWRT_PAGE_WIDTH) + ((at & (UWRT_PAGE_BYTES - 1)) >> cell_width);
  unsigned count = 1u << (width - cell_width), filled = 0;
  while (filled < count && is_filled(s, cell + filled))
    filled++;
  return filled == count;
}

#define FILLED(bytes, width)                                                                                           \
  static __attribute__((noinline)) void fill_of_load##bytes(state *s, const void *address, uint32_t site,              \
                                                            uint32_t thread) {                                         \
    if (!cells_are_filled(s, (uint64_t)address, width))                                                                \
      uwrt_check_access(s, address, bytes, site, thread, UWRT_CHECK_LOAD | UWRT_CHECK_OF_SHARED, 0);                   \
  }                                                                                                                    \
  INLINE void __unwarp_check_filled##bytes(state *s, const void *address, const void *start, uint32_t site,            \
                                           uint32_t thread) {                                                          \
    (void)start; /* for those that ask for all iterations of a loop, or all threads of a row */                        \
    const uwrt_cell *cell = (width) > UWRT_WIDEST_CELL ? 0 : cell_of(s, address, width);                               \
    if (!LIKELY(cell != 0) || !LIKELY(is_filled(s, cell)))                                                             \
      fill_of_load##bytes(s, address, site, thread);                                                                   \
  }
FILLED(1, 0)
FILLED(2, 1)
FILLED(4, 2)
FILLED(8, 3)
FILLED(16, 4)

/* --- rows of threads (compiler/instrument/check_rows.c) ---
 *
 * The accesses of so many neighbouring threads, stride bytes from one to the next, as they would come one after the
 * other. well: whether all before was in order; the result: whether this is, too. If not, some threads may have noted
 * theirs, which they will do again. */

static inline INLINE uint32_t settle_row(const state *s, uint32_t count, uint64_t at, int64_t stride, uint64_t own,
                                         unsigned width, unsigned kind, int of_shared) {
  const uint64_t next_thread = 1u << UWRT_CELL_THREAD_SHIFT, misaligned = (1u << width) - 1;
  uint64_t last = at + (uint64_t)stride * (count - 1);
  if ((at & misaligned) || ((uint64_t)stride & misaligned))
    return 0;
  uwrt_cell *cell = cell_of(s, (const void *)at, width);
  if (LIKELY(cell && at >> UWRT_PAGE_SHIFT == last >> UWRT_PAGE_SHIFT)) {
    int64_t step = stride >> width;
    for (uint32_t i = 0; i < count; i++, cell += step, own += next_thread)
      if (!LIKELY(settle(s, cell, own, kind, of_shared)))
        return 0;
    return 1;
  }
  for (uint32_t i = 0; i < count; i++, at += (uint64_t)stride, own += next_thread) {
    uint64_t page = s->pages[at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK];
    unsigned cell_width = (page & UWRT_PAGE_WIDTH) - 1;
    if (!page || cell_width > width)
      return 0;
    uwrt_cell *cells = (uwrt_cell *)(page & ~(uint64_t)UWRT_PAGE_WIDTH) + ((at & (UWRT_PAGE_BYTES - 1)) >> cell_width);
    for (unsigned k = 0; k < 1u << (width - cell_width); k++)
      if (!settle(s, cells + k, own, kind, of_shared))
        return 0;
  }
  return 1;
}

#define ROW(name, bytes, width, kind, of_shared)                                                                       \
  __attribute__((noinline)) uint32_t __unwarp_check_row_##name##bytes(                                                 \
      state *s, uint32_t well, uint32_t count, const void *start, int64_t stride, uint32_t site, uint32_t thread) {    \
    if (!well || !count)                                                                                               \
      return well;                                                                                                     \
    return settle_row(s, count, (uint64_t)start, stride, half_of(s, site, thread), width, kind, of_shared);            \
  }
// clang-format off
#define ROWS(bytes, width)                                                                                                        \
  ROW(load, bytes, width, UWRT_CHECK_LOAD, 0)                                                                                    \
  ROW(shared_load, bytes, width, UWRT_CHECK_LOAD, 1)                                                                             \
  ROW(store, bytes, width, UWRT_CHECK_STORE, 0)                                                                                  \
  ROW(shared_store, bytes, width, UWRT_CHECK_STORE, 1)
// clang-format on
ROWS(1, 0)
ROWS(2, 1)
ROWS(4, 2)
ROWS(8, 3)
ROWS(16, 4)

static inline INLINE uint32_t row_is_filled(const state *s, uint32_t count, uint64_t at, int64_t stride,
                                            unsigned width) {
  uint64_t last = at + (uint64_t)stride * (count - 1);
  const uwrt_cell *cell = width > UWRT_WIDEST_CELL ? 0 : cell_of(s, (const void *)at, width);
  if (LIKELY(cell && at >> UWRT_PAGE_SHIFT == last >> UWRT_PAGE_SHIFT &&
             ((uint64_t)stride & ((1u << width) - 1)) == 0)) {
    int64_t step = stride >> width;
    uint32_t empty = 0, start = s->block_start, most = s->segment - start;
    for (uint32_t i = 0; i < count; i++, cell += step)
      empty |= uwrt_check_segment_in(cell->write) - start > most;
    return !empty;
  }
  for (uint32_t i = 0; i < count; i++, at += (uint64_t)stride)
    if (!cells_are_filled(s, at, width))
      return 0;
  return 1;
}

/* Loads of shared memory that nobody writes meanwhile. filled: so many bytes from the start of it were written. */
#define ROW_FILLED(bytes, width)                                                                                       \
  __attribute__((noinline)) uint32_t __unwarp_check_row_filled##bytes(                                                 \
      state *s, uint32_t well, uint32_t count, uint64_t at, int64_t stride, const void *start, uint64_t filled) {      \
    uint64_t last = at + (uint64_t)stride * (count - 1), low = at < last ? at : last, high = at < last ? last : at;    \
    if (!well || !count || (low >= (uint64_t)start && high + (bytes) <= (uint64_t)start + filled))                     \
      return well;                                                                                                     \
    return row_is_filled(s, stride ? count : 1, at, stride, width);                                                    \
  }
ROW_FILLED(1, 0)
ROW_FILLED(2, 1)
ROW_FILLED(4, 2)
ROW_FILLED(8, 3)
ROW_FILLED(16, 4)

/* The first one after a barrier tells that all are. */
uint32_t __unwarp_check_row_pass(state *s, uint32_t well, uint32_t count, uint32_t site, uint32_t thread,
                                 uint32_t scope) {
  uint32_t is_first = 0;
  if (!well || !s->arrivals)
    return 0;
  const uint32_t *arrivals = s->arrivals + thread, next = s->phase + 1;
  for (uint64_t i = 0; i < count; i++)
    is_first |= arrivals[i] == next;
  for (uint32_t i = 0; is_first && i < count; i++)
    if (arrivals[i] == next) {
      uwrt_check_pass(s, site, thread + i, scope);
      break; /* for all of them */
    }
  return 1;
}

static inline INLINE uint32_t came_all(const state *s, uint32_t count, uint32_t thread) {
  const uint32_t *arrivals = s->arrivals + thread, phase = s->phase;
  uint32_t stayed_away = 0;
  for (uint64_t i = 0; i < count; i++)
    stayed_away |= arrivals[i] < phase;
  return !stayed_away;
}

uint32_t __unwarp_check_row_goes_on(state *s, uint32_t well, uint32_t count, uint32_t thread) {
  return well && s->arrivals && !s->owes && came_all(s, count, thread);
}

/* Only asks: the loop may have to run with its checks. */
uint32_t __unwarp_check_row_arrive(state *s, uint32_t well, uint32_t count, uint32_t thread, uint32_t scope) {
  return well && s->arrivals && scope == UWRT_BARRIER_OF_BLOCK && came_all(s, count, thread);
}

void __unwarp_check_all_arrive(state *s, uint32_t site, uint32_t threads) {
  uint32_t *arrivals = s->arrivals, next = s->phase + 1;
  for (uint64_t i = 0; i < threads; i++)
    arrivals[i] = next;
  s->arrived_site = site;
  s->arrived_thread = threads - 1;
}

/* Of an object whose address and size the compiler knows: a thread's own array, a variable, a shared array. */
INLINE void __unwarp_check_object(state *s, const void *address, uint64_t bytes, const void *start, uint64_t size,
                                  uint32_t site, uint32_t thread) {
  uint64_t offset = (uint64_t)address - (uint64_t)start;
  if (!LIKELY(offset <= size - bytes && bytes <= size))
    uwrt_check_outside(s, address, bytes, start, size, site, thread);
}

/* A load from what the kernel only reads (runtime/check/reads.c): that it is inside is all there is to ask. */
#define READ(width)                                                                                                    \
  INLINE void __unwarp_check_read##width(state *s, const void *address, const void *start, uint64_t bytes,             \
                                         uint32_t site, uint32_t thread) {                                             \
    uint64_t offset = (uint64_t)address - (uint64_t)start;                                                             \
    if (!LIKELY(offset < bytes && bytes - offset >= (width) && ((uint64_t)address & ((width) - 1)) == 0))              \
      seen_load##width(s, address, site, thread);                                                                      \
  }
#define SEEN(width)                                                                                                    \
  static __attribute__((noinline)) void seen_load##width(state *s, const void *address, uint32_t site,                 \
                                                         uint32_t thread) {                                            \
    __unwarp_check_load##width(s, address, site, thread, 0);                                                           \
  }                                                                                                                    \
  READ(width)
SEEN(1)
SEEN(2)
SEEN(4)
SEEN(8)
SEEN(16)

/* A function that stayed a call runs for this thread. */
INLINE void __unwarp_check_calls(state *s, uint32_t thread) { s->thread = thread; }
INLINE uint32_t __unwarp_check_called(state *s) { return s->thread; }

/* --- barriers of the block (runtime/check/sync.c): what is plain --- */

INLINE void __unwarp_check_arrive(state *s, uint32_t site, uint32_t thread, uint32_t scope) {
  if (!LIKELY(s->arrivals && scope == UWRT_BARRIER_OF_BLOCK && s->arrivals[thread] >= s->phase)) {
    uwrt_check_arrive(s, site, thread, scope);
    return;
  }
  s->arrivals[thread] = s->phase + 1;
  s->arrived_site = site;
  s->arrived_thread = thread;
}

INLINE void __unwarp_check_pass(state *s, uint32_t site, uint32_t thread, uint32_t scope) {
  if (!LIKELY(s->arrivals && s->arrivals[thread] != s->phase + 1)) /* the first one after it */
    uwrt_check_pass(s, site, thread, scope);
}

INLINE void __unwarp_check_goes_on(state *s, uint32_t site, uint32_t thread) {
  if (!LIKELY(s->arrivals && s->arrivals[thread] >= s->phase && !s->owes))
    uwrt_check_goes_on(s, site, thread);
}

/* All lanes of a warp came to an exchange: the first one tells. */
INLINE void __unwarp_check_met(state *s, uint32_t site, uint32_t thread) {
  if (thread % UWRT_CELL_LANE_COUNT == 0)
    uwrt_check_met(s, site, thread);
}

/* --- exchanges of a warp: as long as its lanes come one after the other, to the same place, with the mask of all --- */

INLINE void __unwarp_check_warp_arrive(state *s, uint32_t site, uint32_t thread, uint32_t mask) {
  uint32_t lane = thread % UWRT_CELL_LANE_COUNT;
  if (!LIKELY(mask == ~0u && s->came == lane && s->arrivals && s->arrivals[thread] >= s->phase && !s->owes &&
              (lane == 0 || (s->came_first == thread - lane && s->came_site == site)))) {
    uwrt_check_warp_arrive(s, site, thread, mask);
    return;
  }
  s->came = lane + 1;
  s->came_first = thread - lane;
  s->came_site = site;
}

INLINE void __unwarp_check_warp_pass(state *s, uint32_t site, uint32_t thread, int32_t source) {
  uint32_t lane = thread % UWRT_CELL_LANE_COUNT, first = thread - lane;
  int waits = s->came > lane && s->came_first == first;
  if (LIKELY(!waits && s->whole == first + 1))
    return;
  uwrt_check_warp_pass(s, site, thread, source);
}
