/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Adds up a long array of floating-point values in order, bit by bit as a loop would, but by vectors, and with the
 * help of the calling thread's crew (crew.c) where that waits. What the compiler calls for such loops
 * (compiler/passes/lanes/ordered_reductions.c).
 *
 * Pieces. Let f be the bits of a fraction (23 or 52), s the sum before a piece, 2^e <= |s| < 2^(e+1), u = 2^(e-f) the
 * distance of neighbouring values in there, rn() rounding to nearest, ties to even. Say that s > 0; below zero all is
 * the same with its sign changed. The bits of a value of that binade, as an integer, count its units u. So do
 * these, for an even value c of the binade:
 *
 *   y = c + x        r = bits(y) - bits(c)        z = (c + u) + x
 *
 *   Claim: if y is in the binade for all elements x of a piece, the last bits of y and z differ for all, and s + (sums of some r) are
 *   all strictly between 2^e and 2^(e+1), then the loop comes from s to s + (the sum of all r).
 *
 *   1. x is r + m, in units, with |m| <= 1/2, as y is a multiple of u next to c + x: what lies below 2^e comes to 2^e only from 1/4 away.
 *   2. |m| is not 1/2: if it is, c + x lies in the middle of two neighbours in the binade (with y = 2^(e+1) - u below them both, and not
 *      below 2^e, where that would be a value that y is), so does (c + u) + x, or in the middle of the binade's last value and
 *      2^(e+1). Both are rounded to even, and the last bits of y and z are 0.
 *   3. In the loop a partial sum t = s + (some r) meets x: t + x = (t + r) + m. t + r is strictly in the binade, so its neighbours are u away, and
 *      |m| < 1/2: it rounds to t + r.
 *
 * A piece tells how far up r takes the sum at most, the sum of r > 0, and how far down: integers, which do not
 * overflow as the ranges of r and the elements of a piece are bounded. c is in the middle of the binade; where all
 * elements of the piece before went one way, it is at an end, and their sum says it all: at the start no r is below 0,
 * at the end, even, none above 1.
 *
 * An infinity, a NaN and what is too large put y out of the binade. The processor may flush subnormal numbers, and each
 * worker's may do otherwise: s is as large as u/2 is normal, so that what is flushed has r = 0 and is no tie.
 * Exceptions and other modes of rounding are nothing that kernels know of.
 *
 * How much is tried. A piece that does not fit is taken in parts, and parts that do not by the loop as it was; where
 * most of them do not, some pieces after are left to the loop, more each time. Data that fail all the time cost a few
 * percent.
 *
 * Help. What a piece tells depends on s by its sign and exponent only, which seldom change. So workers take units of
 * pieces ahead of the sum, by the sign and exponent that it has then. The calling thread, which takes units too, goes
 * through what they found in order, and takes a piece again for itself where it does not apply. Workers are never more
 * than ROOM units ahead, so that a slot's last reader is done with it. A worker that has a unit finishes it, whatever
 * the others do, and with no unit left each goes home.
 */
#include <sched.h>
#include <string.h>

#include "driver.h"
#include "internal.h"
#include "workers.h"

enum {
  PIECE_SIZE = 1024, /* elements that are tried at once; */
  PART = 64,         /* of those in which that failed */
  LONGEST = 16384,   /* that are left to the loop as it was, at most */
  UNIT = 16,         /* pieces that a worker takes */
  ROOM = 8,          /* units that workers may be ahead of the sum */
  LEAST_UNITS = 24   /* of a sum that is worth the others' help */
};

/* In units: what takes the sum away from zero, and what takes it there. up is UINT64_MAX where there is no telling. */
typedef struct piece_sum {
  uint64_t up, down;
} piece_sum;

typedef struct kind {
  unsigned int bytes, fraction; /* of a value; bits of its fraction */
  piece_sum (*piece)(const void *numbers, size_t count, uint64_t base);
  uint64_t (*rounds)(const void *numbers, size_t count, uint64_t sum); /* the loop as it was */
} kind;

typedef struct ordered {
  kind of;
  uint64_t sum; /* its bits */
  int side;     /* where the elements take it: 1 away from zero, -1 there, 0 both */
  size_t alone; /* pieces to leave to the loop as it was when one fails */
} ordered;

/* --- pieces ------------------------------------------------------------------------------------------------------- */

typedef uint64_t pair __attribute__((vector_size(16)));

#ifdef __x86_64__
#define TARGET_512 __attribute__((target("avx512f")))
#define TARGET_256 __attribute__((target("avx2")))
#endif
#define NUMBER float
#define BITS uint32_t
#define SIGNED int32_t
#define PIECE piece_float
#define TARGET
#define REGISTER 16
#define REGISTERS 32
#include "ordered_piece.h"
#ifdef __x86_64__
#define PIECE piece_float_v3
#define TARGET TARGET_256
#define REGISTER 32
#define REGISTERS 64
#include "ordered_piece.h"
#define PIECE piece_float_v4
#define TARGET TARGET_512
#define REGISTER 64
#define REGISTERS 256
#include "ordered_piece.h"
#endif
#undef NUMBER
#undef BITS
#undef SIGNED
#define NUMBER double
#define BITS uint64_t
#define SIGNED int64_t
#define PIECE piece_double
#define TARGET
#define REGISTER 16
#define REGISTERS 32
#include "ordered_piece.h"
#ifdef __x86_64__
#define PIECE piece_double_v3
#define TARGET TARGET_256
#define REGISTER 32
#define REGISTERS 64
#include "ordered_piece.h"
#define PIECE piece_double_v4
#define TARGET TARGET_512
#define REGISTER 64
#define REGISTERS 256
#include "ordered_piece.h"
#endif

#define UWRT_ROUNDS(name, number, bits)                                                                                \
  static uint64_t name(const void *numbers, size_t count, uint64_t sum) {                                              \
    const number *x = numbers;                                                                                         \
    bits own = (bits)sum;                                                                                              \
    number s;                                                                                                          \
    memcpy(&s, &own, sizeof s);                                                                                        \
    for (size_t i = 0; i < count; i++)                                                                                 \
      s += x[i];                                                                                                       \
    memcpy(&own, &s, sizeof s);                                                                                        \
    return own;                                                                                                        \
  }
UWRT_ROUNDS(rounds_float, float, uint32_t)
UWRT_ROUNDS(rounds_double, double, uint64_t)

unsigned int uwrt_ordered_widest = 64;

static kind kind_of(unsigned int bytes) {
  kind of = bytes == 4 ? (kind){4, 23, piece_float, rounds_float} : (kind){8, 52, piece_double, rounds_double};
#ifdef __x86_64__
  if (uwrt_ordered_widest >= 64 && uwrt_cpu_level() >= 4)
    of.piece = bytes == 4 ? piece_float_v4 : piece_double_v4;
  else if (uwrt_ordered_widest >= 32 && uwrt_cpu_level() >= 3)
    of.piece = bytes == 4 ? piece_float_v3 : piece_double_v3;
#endif
  return of;
}

/* --- in order ----------------------------------------------------------------------------------------------------- */

static const void *skip(const kind *k, const void *numbers, size_t count) {
  return (const char *)numbers + count * k->bytes;
}

/* The bits of a value in the sum's binade: at its start for elements that go away from zero, at its end for the
 * others, in the middle for both; 0 where pieces do not apply. */
static uint64_t base_of(const kind *k, uint64_t sum, int side) {
  const uint64_t exponents = ((uint64_t)1 << (8 * k->bytes - 1 - k->fraction)) - 1,
                 exponent = sum >> k->fraction & exponents;
  const uint64_t most = ((uint64_t)1 << k->fraction) - 1;
  if (exponent < k->fraction + 2 || exponent == exponents)
    return 0;
  return (sum & ~most) + (side > 0 ? 0 : side < 0 ? most - 1 : (most + 1) / 2);
}

static int same_binade(const ordered *o, uint64_t bits) { return bits && (o->sum ^ bits) >> o->of.fraction == 0; }

/* Takes the sum over a piece of its binade. */
static int move_by(ordered *o, piece_sum piece, uint64_t sum) {
  const uint64_t most = ((uint64_t)1 << o->of.fraction) - 1, fraction = o->sum & most;
  if (piece.up > most - fraction || piece.down >= fraction)
    return 0;
  o->sum += sum;
  return 1;
}

static int move(ordered *o, piece_sum piece) { return move_by(o, piece, piece.up - piece.down); }

/* A piece that did not fit, part by part. */
static void take_parts(ordered *o, const void *numbers) {
  size_t failed = 0;
  for (size_t at = 0; at < PIECE_SIZE; at += PART) {
    const void *part = skip(&o->of, numbers, at);
    const uint64_t base = base_of(&o->of, o->sum, 0);
    if (base && move(o, o->of.piece(part, PART, base)))
      continue;
    o->sum = o->of.rounds(part, PART, o->sum);
    failed++;
  }
  if (failed <= PIECE_SIZE / PART / 2)
    o->alone = 0;
  else if (o->alone < LONGEST / PIECE_SIZE)
    o->alone++;
}

/* As many pieces as fit; *side: where the last one goes. The base is the same for all: the next piece need not wait for
 * the sum. */
static size_t take_fitting(ordered *o, const void *numbers, size_t count, int *side) {
  const uint64_t base = base_of(&o->of, o->sum, o->side);
  size_t at = 0;
  for (*side = o->side; base && at < count && *side == o->side; at += PIECE_SIZE) {
    const piece_sum piece = o->of.piece(skip(&o->of, numbers, at), PIECE_SIZE, base);
    if (!move(o, piece))
      return at;
    if (o->side == 0)
      *side = piece.down == 0 ? 1 : piece.up == 0 ? -1 : 0;
  }
  return at;
}

/* Whole pieces. */
static void take_pieces(ordered *o, const void *numbers, size_t count) {
  for (size_t at = 0; at < count;) {
    int side;
    at += take_fitting(o, skip(&o->of, numbers, at), count - at, &side);
    const int changed = side != o->side;
    o->side = side;
    if (changed || at == count)
      continue;
    o->side = 0;
    take_parts(o, skip(&o->of, numbers, at));
    at += PIECE_SIZE;
    const size_t alone = o->alone * PIECE_SIZE < count - at ? o->alone * PIECE_SIZE : count - at;
    o->sum = o->of.rounds(skip(&o->of, numbers, at), alone, o->sum);
    at += alone;
  }
}

/* --- with a crew -------------------------------------------------------------------------------------------------- */

typedef struct slot {               /* of what a worker found in a unit */
  _Alignas(64) atomic_size_t ready; /* the unit's index, from 1 */
  uint64_t base;
  piece_sum whole; /* if the base is the same for all of its pieces */
  uint64_t sum;    /* what it adds then */
  _Alignas(64) uint64_t bases[UNIT];
  piece_sum pieces[UNIT];
} slot;

typedef struct shared {
  kind of;
  ordered *own; /* the calling thread's */
  const void *numbers;
  size_t units;
  int32_t leader;                  /* libomp's index of the calling thread, */
  int luck;                        /* and whether help helps: no more is asked for when this is used up */
  _Alignas(64) atomic_size_t next; /* that nobody has taken */
  _Alignas(64) atomic_size_t done; /* that the sum reaches */
  _Atomic uint64_t sum, pace;      /* there, and what a piece adds, as far as that is steady */
  atomic_int side, worth_it;       /* side: of the sum */
  slot slots[ROOM];
} shared;

static const void *unit_at(const shared *s, size_t unit) { return skip(&s->of, s->numbers, unit * UNIT * PIECE_SIZE); }

static void relax(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/* How far a unit takes the sum. */
static void put_together(const kind *k, slot *unit) {
  const uint64_t most = ((uint64_t)1 << k->fraction) - 1;
  int64_t sum = 0, highest = 0, lowest = 0;
  int fits = unit->bases[0] != 0;
  for (size_t i = 0; i < UNIT && fits; i++) {
    const piece_sum piece = unit->pieces[i];
    fits = unit->bases[i] == unit->bases[0] && piece.up <= most && piece.down <= most;
    highest = sum + (int64_t)piece.up > highest ? sum + (int64_t)piece.up : highest;
    lowest = sum - (int64_t)piece.down < lowest ? sum - (int64_t)piece.down : lowest;
    sum += (int64_t)(piece.up - piece.down);
  }
  unit->base = fits ? unit->bases[0] : 0;
  unit->whole = (piece_sum){(uint64_t)highest, (uint64_t)-lowest};
  unit->sum = (uint64_t)sum;
}

/* Takes a unit ahead of the sum, if it may. What it reads of the sum may be old or of several times: then it does not
 * apply. */
static int take_ahead(shared *s, size_t unit) {
  const size_t done = atomic_load_explicit(&s->done, memory_order_acquire);
  if (!atomic_load_explicit(&s->worth_it, memory_order_relaxed) || unit >= done + ROOM ||
      !atomic_compare_exchange_strong_explicit(&s->next, &unit, unit + 1, memory_order_relaxed, memory_order_relaxed))
    return 0;
  const uint64_t pace = atomic_load_explicit(&s->pace, memory_order_relaxed);
  const int side = atomic_load_explicit(&s->side, memory_order_relaxed);
  uint64_t sum = atomic_load_explicit(&s->sum, memory_order_relaxed) + (unit - done) * UNIT * pace;
  slot *own = &s->slots[unit % ROOM];
  for (size_t i = 0; i < UNIT; i++, sum += pace) {
    own->bases[i] = base_of(&s->of, sum, side);
    own->pieces[i] = s->of.piece(skip(&s->of, unit_at(s, unit), i * PIECE_SIZE), PIECE_SIZE, own->bases[i]);
  }
  put_together(&s->of, own);
  atomic_store_explicit(&own->ready, unit + 1, memory_order_release);
  return 1;
}

static void help(shared *s) {
  size_t unit;
  while ((unit = atomic_load_explicit(&s->next, memory_order_relaxed)) < s->units)
    if (!take_ahead(s, unit))
      relax();
}

/* Takes the sum over a unit by what a worker found; whether that applied to most of it. */
static int take_found(ordered *o, const void *numbers, const slot *found) {
  size_t failed = 0, i = 0;
  if (same_binade(o, found->base) && move_by(o, found->whole, found->sum))
    return 1;
  for (; i < UNIT && failed < UNIT / 4; i++)
    if (!same_binade(o, found->bases[i]) || !move(o, found->pieces[i])) {
      take_pieces(o, skip(&o->of, numbers, i * PIECE_SIZE), PIECE_SIZE);
      failed++;
    }
  take_pieces(o, skip(&o->of, numbers, i * PIECE_SIZE), (UNIT - i) * PIECE_SIZE);
  return failed < UNIT / 4;
}

/* After so many units. before: the sum in front of the last one. */
static void publish(shared *s, uint64_t before, size_t done) {
  const ordered *o = s->own;
  const int is_steady = o->side != 0 && same_binade(o, before);
  atomic_store_explicit(&s->pace, is_steady ? (uint64_t)((int64_t)(o->sum - before) / UNIT) : 0, memory_order_relaxed);
  atomic_store_explicit(&s->sum, o->sum, memory_order_relaxed);
  atomic_store_explicit(&s->side, o->side, memory_order_relaxed);
  atomic_store_explicit(&s->worth_it, o->alone == 0 && s->luck > 0, memory_order_relaxed);
  atomic_store_explicit(&s->done, done, memory_order_release);
}

static void lead(shared *s) {
  ordered *o = s->own;
  for (size_t done = 0, waited = 0; done < s->units;) {
    slot *found = &s->slots[done % ROOM];
    size_t unit = atomic_load_explicit(&s->next, memory_order_relaxed), first = done;
    const uint64_t before = o->sum;
    if (atomic_load_explicit(&found->ready, memory_order_acquire) == done + 1) {
      s->luck += take_found(o, unit_at(s, done), found) ? 1 : -2;
    } else if (unit > done || !atomic_compare_exchange_strong_explicit(&s->next, &first, done + 1, memory_order_relaxed,
                                                                       memory_order_relaxed)) {
      if (unit >= s->units || !take_ahead(s, unit)) {
        relax();
        if (++waited % 20000 == 0)
          sched_yield();
      }
      continue;
    } else {
      take_pieces(o, unit_at(s, done), UNIT * PIECE_SIZE);
    }
    publish(s, before, ++done);
  }
}

static void share(int32_t *thread, int32_t *bound, void *data) {
  shared *s = data;
  (void)bound;
  if (*thread == s->leader)
    lead(s);
  else
    help(s);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

uint64_t uwrt_ordered(unsigned int bytes, const void *numbers, size_t count, uint64_t sum, int is_shared) {
  ordered o = {kind_of(bytes), sum, 0, 0};
  const size_t unit = UNIT * PIECE_SIZE, units = count / unit, whole = count / PIECE_SIZE * PIECE_SIZE;
  size_t at = 0;
  if (is_shared && units >= LEAST_UNITS) {
    shared s = {.of = o.of,
                .own = &o,
                .numbers = numbers,
                .units = units,
                .leader = __kmpc_global_thread_num(NULL),
                .luck = 2 * ROOM};
    uwrt_crew_fork(NULL, 1, share, &s);
    at = units * unit;
  }
  take_pieces(&o, skip(&o.of, numbers, at), whole - at);
  return o.of.rounds(skip(&o.of, numbers, whole), count - whole, o.sum);
}

float uwrt_ordered_float(const float *numbers, uint64_t count, float sum) {
  uint32_t bits;
  memcpy(&bits, &sum, sizeof bits);
  bits = (uint32_t)uwrt_ordered(sizeof sum, numbers, count, bits, uwrt_crew_waits());
  memcpy(&sum, &bits, sizeof bits);
  return sum;
}

double uwrt_ordered_double(const double *numbers, uint64_t count, double sum) {
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  bits = uwrt_ordered(sizeof sum, numbers, count, bits, uwrt_crew_waits());
  memcpy(&sum, &bits, sizeof bits);
  return sum;
}
