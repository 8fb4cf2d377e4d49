/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Touched memory: see touches.h. Places are looked up by warp, object and 4 bytes, and lanes of an access that lead to
 * the same come there together: a large kernel touches each place some hundred times, and each touch is held against
 * all others there. Time counts the accesses; what was touched when is still open to a warp if that lies within its
 * stretches: since it last met, and in the arms of branches since then but those beside the one that is gone
 * through. */
#include "touches.h"

enum { STRETCHES = 8, WARPS = UW_DRY_THREADS / UW_DRY_WARP };

typedef struct touch {
  int64_t from; /* the position */
  uint64_t when;
  uint64_t if_data;  /* only if data would have it so: in the arms that this stands for */
  const void *value; /* what is stored, if it is the same for all */
  uint32_t access, lanes;
} touch;

typedef struct touches {
  touch *at;
  size_t count, room;
} touches;

typedef struct stretches {
  uint64_t from[STRETCHES], to[STRETCHES]; /* in order; the last one is open */
  size_t count;
} stretches;

typedef struct place {
  const void *object;
  int64_t piece;
  size_t warp;
  touches loads, stores; /* loads are held against stores alone */
} place;

struct uw_touches {
  uw_arena *arena;
  uw_dry_watcher watcher;
  const uw_touching *accesses;
  size_t count;
  const size_t *first_of;
  uw_table *shared, *private; /* objects: bytes of shared arrays; memory of each thread */
  place *places;
  size_t used, capacity;
  uint64_t now;
  stretches open[WARPS];  /* whichever arms were taken */
  struct parted *parts;   /* branches that the run is in, the innermost first */
  uint64_t oldest[WARPS]; /* what was touched before is not open any more, and will not be */
  bool any_anywhere;      /* among the accesses */
  uw_table *is_met;       /* pairs of accesses, by number */
  uw_met_accesses *met;
  size_t met_count, met_capacity;
  bool strays[2]; /* a thread wrote outside of a shared array: wherever that is, and at an address without guesses */
};

static size_t slot_of(const uw_touches *t, const void *object, int64_t piece, size_t warp) {
  uint64_t hash = ((uint64_t)(uintptr_t)object >> 4) * UINT64_C(0x9e3779b97f4a7c15) ^
                  (uint64_t)piece * UINT64_C(0xbf58476d1ce4e5b9) ^ warp * UINT64_C(0x94d049bb133111eb);
  size_t at = (size_t)(hash ^ hash >> 29) & (t->capacity - 1);
  while (t->places[at].object &&
         (t->places[at].object != object || t->places[at].piece != piece || t->places[at].warp != warp))
    at = (at + 1) & (t->capacity - 1);
  return at;
}

static place *place_of(uw_touches *t, const void *object, int64_t piece, size_t warp) {
  if (2 * t->used >= t->capacity) {
    uw_touches old = *t;
    t->capacity = old.capacity ? 2 * old.capacity : 1024;
    t->places = uw_alloc(t->arena, t->capacity * sizeof *t->places);
    for (size_t i = 0; i < old.capacity; i++)
      if (old.places[i].object)
        t->places[slot_of(t, old.places[i].object, old.places[i].piece, old.places[i].warp)] = old.places[i];
  }
  place *at = &t->places[slot_of(t, object, piece, warp)];
  if (!at->object) {
    *at = (place){.object = object, .piece = piece, .warp = warp};
    t->used++;
  }
  return at;
}

static bool is_open(const stretches *s, uint64_t when) {
  for (size_t i = 0; i < s->count; i++)
    if (when >= s->from[i] && when < s->to[i])
      return true;
  return false;
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

/* Does it matter which of the two comes first? */
static bool has_order(const uw_touches *t, const touch *first, const touch *second, bool shared) {
  const uw_touching *a = &t->accesses[first->access], *b = &t->accesses[second->access];
  if (!((a->how | b->how) & UW_WRITES) || (a->how & b->how & UW_ATOMIC))
    return false;
  if ((a->how | b->how) & UW_ATOMIC) {
    if (!shared || !(a->how & UW_WRITES) || (b->how & UW_WRITES && (first->if_data || second->if_data)))
      return false;
    return true;
  }
  if (a->how & UW_WRITES && !(b->how & UW_WRITES) && first->value && !first->if_data &&
      !(second->lanes & ~first->lanes))
    return false; /* each reads what it has written itself, and so have all */
  if (a->how & b->how & UW_WRITES)
    return !((first->access == second->access && first->when == second->when) ||
             (first->value && first->value == second->value));
  return true;
}

static void meet(uw_touches *t, const touch *first, const touch *second, bool shared) {
  const void *pair = (const void *)((size_t)first->access * t->count + second->access + 1);
  if (!has_order(t, first, second, shared) || uw_table_get(t->is_met, pair))
    return;
  uw_table_set(t->is_met, pair, 1);
  t->met = uw_grow(t->arena, t->met, t->met_count, &t->met_capacity, sizeof *t->met);
  t->met[t->met_count++] = (uw_met_accesses){first->access, second->access};
}

/* Is there a lane of the one and another of the other? */
static bool are_two(uint32_t some, uint32_t others) { return some != others || (some & (some - 1)); }

static bool is_anywhere(const uw_touches *t, const touch *of) { return t->accesses[of->access].how & UW_ANYWHERE; }

static bool overlaps(const uw_touches *t, const touch *a, const touch *b) {
  if (is_anywhere(t, a) || is_anywhere(t, b))
    return true;
  return a->from < b->from + (int64_t)t->accesses[b->access].bytes &&
         b->from < a->from + (int64_t)t->accesses[a->access].bytes;
}

/* What is not open any more is left out from then on. */
static void meet_each(uw_touches *t, touches *all, const touch *new, size_t warp, bool shared) {
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++) {
    const touch *old = &all->at[i];
    if (old->when < t->oldest[warp])
      continue;
    if (overlaps(t, old, new) && are_two(old->lanes, new->lanes) && is_open(&t->open[warp], old->when))
      meet(t, old, new, shared);
    if (kept != i)
      all->at[kept] = *old;
    kept++;
  }
  all->count = kept;
}

static bool writes(const uw_touches *t, const touch *of) { return t->accesses[of->access].how & UW_WRITES; }

static void meet_all(uw_touches *t, place *at, const touch *new, size_t warp, bool shared) {
  meet_each(t, &at->stores, new, warp, shared);
  if (writes(t, new))
    meet_each(t, &at->loads, new, warp, shared);
}

static void add(uw_touches *t, place *at, const touch *new, size_t warp) {
  uint64_t since = t->open[warp].from[t->open[warp].count - 1];
  touches *all = writes(t, new) ? &at->stores : &at->loads;
  for (size_t i = all->count; i-- > 0;) {
    touch *old = &all->at[i];
    if (old->when >= since && old->access == new->access && old->from == new->from && old->if_data == new->if_data &&
        old->value == new->value) {
      old->lanes |= new->lanes; /* in this stretch it was there before: the latest counts */
      old->when = new->when;
      return;
    }
  }
  all->at = uw_grow(t->arena, all->at, all->count, &all->room, sizeof *all->at);
  all->at[all->count++] = *new;
}

/* --- what is told ------------------------------------------------------------------------------------------------- */

/* Where an access may be anywhere in an object, what touches the object is kept as a whole, too. */
static void come_to_whole(uw_touches *t, const void *object, const touch *new, size_t warp, bool shared) {
  enum { SOMEWHERE = -1, KNOWN = -2 }; /* pieces that no position is in */
  touch whole = *new;
  whole.from = 0; /* wherever it is */
  meet_all(t, place_of(t, object, SOMEWHERE, warp), &whole, warp, shared);
  if (is_anywhere(t, new))
    meet_all(t, place_of(t, object, KNOWN, warp), &whole, warp, shared);
  add(t, place_of(t, object, is_anywhere(t, new) ? SOMEWHERE : KNOWN, warp), &whole, warp);
}

/* Of lanes of one warp. */
static void come_to(uw_touches *t, uw_sample where, touch new, size_t warp, uint8_t from) {
  bool by_data = from & UW_DATA;
  const uw_touching *touching = &t->accesses[new.access];
  int64_t size = uw_table_get(t->shared, where.object); /* -1: not known */
  new.from = where.number;
  if (size > 0 && touching->how & UW_WRITES && !is_anywhere(t, &new) && !by_data && !new.if_data &&
      (where.number < 0 || where.number + (int64_t)touching->bytes > size))
    t->strays[0] = true, t->strays[1] |= !(from & UW_GUESS);
  if (t->any_anywhere)
    come_to_whole(t, where.object, &new, warp, size != 0);
  if (is_anywhere(t, &new))
    return;
  for (int64_t piece = where.number >> 2; piece <= (where.number + (int64_t)touching->bytes - 1) >> 2; piece++) {
    place *at = place_of(t, where.object, piece & INT64_MAX, warp);
    meet_all(t, at, &new, warp, size != 0);
    add(t, at, &new, warp);
  }
}

/* Lanes that are on, by where they lead. */
static size_t group_lanes(const uw_samples *at, size_t warp, uint32_t on, uw_sample groups[UW_DRY_WARP],
                          uint32_t lanes[UW_DRY_WARP]) {
  size_t count = 0;
  bool ascends = true; /* most do, and then none leads where another did */
  for (; on; on &= on - 1) {
    unsigned lane = (unsigned)__builtin_ctz(on);
    uw_sample where = uw_sample_in(at, warp * UW_DRY_WARP + lane);
    size_t i = count;
    ascends = ascends && (i == 0 || (groups[i - 1].object == where.object && groups[i - 1].number < where.number));
    if (ascends)
      i = 0;
    while (i > 0 && (groups[i - 1].object != where.object || groups[i - 1].number != where.number))
      i--;
    if (i == 0) {
      groups[count] = where;
      lanes[count++] = 0;
      i = count;
    }
    lanes[i - 1] |= UINT32_C(1) << lane;
  }
  return count;
}

static void touched(void *data, uw_dry_run *run, MlirOperation op, const uw_thread_set *active) {
  uw_touches *t = data;
  size_t number = (size_t)uw_table_get(run->plan->looked_at, op.ptr);
  const void *value = NULL;
  int64_t known;
  if (uw_kind(op) == UW_OP_LLVM_STORE) {
    MlirValue stored = uw_operand(op, 0);
    if (uw_const_value(stored, &known)) /* equal integers are equal, whoever made the constants */
      value = (const void *)(intptr_t)(known * 2 + 1);
    else if (!uw_defined_inside(stored, run->plan->loop))
      value = stored.ptr;
  }
  for (size_t access = t->first_of[number - 1]; access < t->first_of[number]; access++) {
    const uw_samples *at = uw_samples_at(run, uw_operand(op, t->accesses[access].pointer), active);
    t->now++;
    run->asks |= at->from;
    touch new = {.access = (uint32_t)access, .when = t->now, .if_data = run->if_data, .value = value};
    for (size_t warp = 0; warp < WARPS; warp++) {
      uw_sample groups[UW_DRY_WARP];
      uint32_t lanes[UW_DRY_WARP], on = (uint32_t)(active->bits[warp / 2] >> (warp % 2 * UW_DRY_WARP));
      size_t count = group_lanes(at, warp, on, groups, lanes);
      for (size_t i = 0; i < count; i++)
        if (groups[i].object && !uw_table_get(t->private, groups[i].object)) {
          new.lanes = lanes[i];
          come_to(t, groups[i], new, warp, at->from);
        }
    }
  }
}

typedef struct parted {
  struct parted *outer;
  stretches before[WARPS], after[WARPS]; /* all closed */
} parted;

/* Another arm, and what is behind the arms, opens again what was open before. */
static uint64_t oldest_open(const uw_touches *t, size_t warp) {
  uint64_t oldest = t->open[warp].from[0];
  for (const parted *p = t->parts; p; p = p->outer) {
    if (p->before[warp].count && p->before[warp].from[0] < oldest)
      oldest = p->before[warp].from[0];
    if (p->after[warp].count && p->after[warp].from[0] < oldest)
      oldest = p->after[warp].from[0];
  }
  return oldest;
}

static void met(void *data, MlirOperation exchange, const uw_thread_set *active) {
  (void)exchange;
  uw_touches *t = data;
  for (size_t warp = 0; warp < WARPS; warp++)
    if ((uint32_t)(active->bits[warp / 2] >> (warp % 2 * UW_DRY_WARP))) {
      t->open[warp] = (stretches){.from = {t->now + 1}, .to = {UINT64_MAX}, .count = 1};
      t->oldest[warp] = oldest_open(t, warp);
    }
}

/* --- arms --------------------------------------------------------------------------------------------------------- */

static void push(stretches *to, uint64_t from, uint64_t until) {
  if (from >= until)
    return;
  if (to->count && from <= to->to[to->count - 1]) { /* they touch */
    if (until > to->to[to->count - 1])
      to->to[to->count - 1] = until;
    return;
  }
  if (to->count == STRETCHES - 1) { /* no room: what lies between counts as open, too */
    to->to[to->count - 1] = until;
    return;
  }
  to->from[to->count] = from;
  to->to[to->count++] = until;
}

static stretches both_of(const stretches *a, const stretches *b) {
  stretches sum = {.count = 0};
  for (size_t i = 0, k = 0; i < a->count || k < b->count;)
    if (k == b->count || (i < a->count && a->from[i] <= b->from[k])) {
      push(&sum, a->from[i], a->to[i]);
      i++;
    } else {
      push(&sum, b->from[k], b->to[k]);
      k++;
    }
  return sum;
}

static stretches closed(const stretches *open, uint64_t now) {
  stretches all = {.count = 0};
  for (size_t i = 0; i < open->count; i++)
    push(&all, open->from[i], open->to[i] < now ? open->to[i] : now);
  return all;
}

/* Open from now on, too. The last stretch is one of its own: add() asks for it. */
static stretches opened(const stretches *all, uint64_t now) {
  stretches open = *all;
  open.from[open.count] = now;
  open.to[open.count++] = UINT64_MAX;
  return open;
}

static void *part(void *data) {
  uw_touches *t = data;
  parted *p = uw_alloc(t->arena, sizeof *p);
  for (size_t warp = 0; warp < WARPS; warp++) {
    p->before[warp] = closed(&t->open[warp], t->now + 1);
    t->open[warp] = opened(&p->before[warp], t->now + 1);
  }
  p->outer = t->parts;
  t->parts = p;
  return p;
}

static void next_arm(void *data, void *of) {
  uw_touches *t = data;
  parted *p = of;
  for (size_t warp = 0; warp < WARPS; warp++) {
    stretches arm = closed(&t->open[warp], t->now + 1);
    p->after[warp] = both_of(&p->after[warp], &arm);
    t->open[warp] = opened(&p->before[warp], t->now + 1);
  }
}

static void join(void *data, void *of) {
  uw_touches *t = data;
  const parted *p = of;
  t->parts = p->outer;
  for (size_t warp = 0; warp < WARPS; warp++) {
    t->open[warp] = opened(&p->after[warp], t->now + 1);
    t->oldest[warp] = oldest_open(t, warp);
  }
}

/* --- from outside ------------------------------------------------------------------------------------------------- */

uw_touches *uw_touches_of(uw_arena *arena, const uw_dry_plan *plan, const uw_touching *accesses, size_t count,
                          const size_t *first_of) {
  uw_touches *t = uw_alloc(arena, sizeof *t);
  *t = (uw_touches){.arena = arena,
                    .accesses = accesses,
                    .count = count,
                    .first_of = first_of,
                    .is_met = uw_table_create(arena),
                    .shared = uw_table_create(arena),
                    .private = uw_table_create(arena)};
  t->watcher = (uw_dry_watcher){t, touched, met, part, next_arm, join};
  for (size_t warp = 0; warp < WARPS; warp++)
    t->open[warp] = (stretches){.from = {0}, .to = {UINT64_MAX}, .count = 1};
  uw_ops arrays = uw_collect_kind(arena, uw_parent(plan->loop), UW_OP_SHARED);
  for (size_t i = 0; i < arrays.count; i++) {
    int64_t bytes;
    bool known = uw_const_value(uw_operand(arrays.at[i], 0), &bytes) && bytes > 0;
    uw_table_set(t->shared, uw_result(arrays.at[i], 0).ptr, known ? (intptr_t)bytes : -1);
  }
  for (size_t i = 0; i < count; i++)
    t->any_anywhere = t->any_anywhere || accesses[i].how & UW_ANYWHERE;
  for (size_t i = 0; i < plan->ops.count; i++)
    if (uw_kind(plan->ops.at[i]) == UW_OP_LLVM_ALLOCA)
      uw_table_set(t->private, plan->ops.at[i].ptr, 1);
  return t;
}

const uw_dry_watcher *uw_touches_watcher(uw_touches *touches) { return &touches->watcher; }

bool uw_touches_stray(const uw_touches *touches, bool surely) { return touches->strays[surely]; }

const uw_met_accesses *uw_touches_met(const uw_touches *touches, size_t *count) {
  *count = touches->met_count;
  return touches->met;
}
