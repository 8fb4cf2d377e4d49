/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An operation between machines, as sends and receives of a transport.
 *
 * A collective begins with what all ranks ask for, which goes round in as many steps as the number of ranks has bits;
 * where that differs, all ranks see it and nothing is written. Little data comes with it, and that is all: a transport
 * takes less than there is room for, so that nobody has to know how much. Else:
 *
 *   all-reduce, reduce, reduce-scatter   each rank has a slice: it gets all others' parts of it, reduces them in the
 *                                        order of ranks, as ranks of one machine do (so the bits are the same), and
 *                                        sends the sums to whoever gets them
 *   broadcast                            each rank gets its slice of the root and sends it to all others
 *   all others                           straight from rank to rank
 *
 * That is what a ring moves, byte for byte, with two steps in place of one for each rank. Slices go by pieces, some of
 * which are under way while one is reduced. In place, a piece of another rank's sums arrives where this rank's part of
 * it stood, which has been sent by then, as it is in those sums.
 *
 * Of a message both sides tell each other the size first.
 */
#include "requests.h"

#include <stdlib.h>
#include <string.h>

enum {
  PIECE = 1 << 20,        /* bytes of a slice at once, of all other ranks together */
  PIECE_LEAST = 32 << 10, /* of each */
  PENDING = 4096,         /* requests that are kept before some are waited for */
  EAGER = 64 << 10,       /* bytes with the wishes of all others together */
  EAGER_LEAST = 64,       /* of each */
};

enum { BEGINS, AGREES, WORKS, DRAINS, /* of messages: */ OFFERS, MOVES };

typedef struct wish {
  uwnccl_asked asked;
  uint64_t scalar;
  uint64_t bytes;           /* of data, of what all ranks, or the root, get of this one */
  _Alignas(16) char data[]; /* the next one is a stride away, or behind the data in a message of several */
} wish;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static char *after(const char *start, size_t bytes) { return start ? (char *)start + bytes : NULL; }

static void copy(void *to, const void *from, size_t bytes) {
  if (bytes && to != from)
    memmove(to, from, bytes);
}

/* --- agreement ---------------------------------------------------------------------------------------------------- */

enum { OF_SUMS = 1, OF_WISHES = 1u << 31 };

static uint64_t slot_of(const struct ncclComm *c, uint64_t number) { return c->sequence << 32 | number; }

static int rank_at(const struct ncclComm *c, int distance) { return (c->rank + distance + c->count) % c->count; }

static size_t eager_bytes(const struct ncclComm *c) {
  const size_t others = (size_t)(c->count > 1 ? c->count - 1 : 1);
  return EAGER / others > EAGER_LEAST ? EAGER / others : EAGER_LEAST;
}

static size_t stride(const struct ncclComm *c) { return (sizeof(wish) + eager_bytes(c) + 63) / 64 * 64; }

static wish *wish_at(const struct ncclComm *c, const uwnccl_work *w, int distance) {
  return (wish *)(void *)(w->wishes + (size_t)distance * stride(c));
}

static const wish *wish_of(const struct ncclComm *c, const uwnccl_work *w, int rank) {
  return wish_at(c, w, (rank - c->rank + c->count) % c->count);
}

static size_t length_of(const wish *one) { return sizeof *one + one->bytes; }

static int wishes_in_round(const struct ncclComm *c, const uwnccl_work *w) {
  return w->distance < c->count - w->distance ? w->distance : c->count - w->distance;
}

/* Of one rank it goes from where it stands, of several as one message, one behind the other. */
static int ask_round(struct ncclComm *c, uwnccl_work *w) {
  const int some = wishes_in_round(c, w);
  if (some <= 0)
    return 1;
  const uint64_t slot = slot_of(c, OF_WISHES | (uint32_t)w->distance);
  char *comes = some == 1 ? (char *)wish_at(c, w, w->distance) : w->comes, *goes = w->wishes;
  size_t bytes = some == 1 ? length_of(wish_at(c, w, 0)) : 0;
  for (int i = 0; some > 1 && i < some; i++) {
    const wish *one = wish_at(c, w, i);
    goes = w->goes + (size_t)w->distance * stride(c); /* the last round's may still be on its way */
    memcpy(goes + bytes, one, length_of(one));
    bytes += length_of(one);
  }
  w->request = uwnccl_post(c, 0, rank_at(c, w->distance), slot, comes, (size_t)some * stride(c));
  return w->request && uwnccl_post_pending(c, w, 1, rank_at(c, -w->distance), slot, goes, bytes);
}

/* What has come for it. 0: it makes no sense. */
static int take_round(const struct ncclComm *c, uwnccl_work *w) {
  const int some = wishes_in_round(c, w);
  size_t at = 0;
  for (int i = 0; i < some; i++) {
    wish *to = wish_at(c, w, w->distance + i);
    if (some > 1)
      memcpy(to, w->comes + at, sizeof *to);
    if (to->bytes > eager_bytes(c))
      return 0;
    if (some > 1)
      memcpy(to->data, w->comes + at + sizeof *to, to->bytes);
    at += length_of(to);
  }
  return 1;
}

static int reduces(const uwnccl_operation *o) {
  return o->kind == UWNCCL_ALL_REDUCE || o->kind == UWNCCL_REDUCE || o->kind == UWNCCL_REDUCE_SCATTER;
}

static int is_eager(const struct ncclComm *c, const uwnccl_operation *o) {
  return o->kind != UWNCCL_REDUCE_SCATTER && o->kind != UWNCCL_ALL_TO_ALL && o->kind != UWNCCL_SCATTER &&
         o->count <= eager_bytes(c) / uwnccl_size_of(o->type);
}

static uwnccl_progress begin(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_work *w = calloc(1, sizeof *w);
  if (!w)
    return uwnccl_lose(c, o, ncclSystemError);
  o->work = w;
  c->nodes->busy++;
  w->distance = 1;
  w->result = ncclSuccess;
  const size_t all = (size_t)c->count * stride(c); /* a message has half of them at most, all messages less than all */
  if (!(w->wishes =
            uwnccl_borrow(c, UWNCCL_FOR_WISHES, c->count > 2 ? 2 * all + (size_t)(c->count / 2 + 1) * stride(c) : all)))
    return uwnccl_lose(c, o, ncclSystemError);
  w->goes = w->wishes + all;
  w->comes = w->goes + all;
  if (o->device_scalar)
    memcpy(&o->scalar, o->device_scalar, uwnccl_size_of(o->type));
  wish *own = wish_at(c, w, 0);
  *own = (wish){.asked = uwnccl_asks(o), .scalar = o->scalar};
  if (is_eager(c, o) && o->count && o->from && (o->kind != UWNCCL_BROADCAST || c->rank == o->root)) {
    own->bytes = o->count * uwnccl_size_of(o->type);
    memcpy(own->data, o->from, own->bytes);
  }
  if (!ask_round(c, w))
    return uwnccl_lose(c, o, ncclRemoteError);
  o->phase = AGREES;
  return UWNCCL_MOVED;
}

/* From the data that came with the wishes. */
static void do_eager(struct ncclComm *c, const uwnccl_operation *o) {
  const size_t bytes = o->count * uwnccl_size_of(o->type);
  const int gets_it = c->rank == o->root || (o->kind != UWNCCL_REDUCE && o->kind != UWNCCL_GATHER);
  const void *from[UWNCCL_RANKS_MOST];
  uint64_t scalars[UWNCCL_RANKS_MOST];
  for (int i = 0; i < c->count; i++) {
    const wish *of = wish_of(c, o->work, i);
    from[i] = of->data;
    scalars[i] = of->scalar;
  }
  if (!gets_it || !bytes)
    return;
  if (reduces(o))
    uwnccl_reduce(o->to, from, c->count, o->count, o->type, o->operator, scalars);
  else if (o->kind == UWNCCL_BROADCAST)
    memcpy(o->to, from[o->root], bytes);
  else
    for (int i = 0; i < c->count; i++)
      memcpy(o->to + (size_t)i * bytes, from[i], bytes);
}

static ncclResult_t compare_all(const struct ncclComm *c, const uwnccl_work *w) {
  ncclResult_t all = ncclSuccess;
  for (int i = 0; i < c->count && all == ncclSuccess; i++)
    all = uwnccl_compare(c->rank, &wish_at(c, w, 0)->asked, i, &wish_of(c, w, i)->asked);
  return all;
}

/* --- slices ------------------------------------------------------------------------------------------------------- */

static int gives(const uwnccl_operation *o, int rank) { return o->kind != UWNCCL_BROADCAST || rank == o->root; }

static int gets(const uwnccl_operation *o, int rank) {
  switch (o->kind) {
  case UWNCCL_ALL_REDUCE: return 1;
  case UWNCCL_REDUCE: return rank == o->root;
  case UWNCCL_BROADCAST: return rank != o->root;
  default: return 0;
  }
}

typedef struct part {
  size_t at, count; /* elements */
} part;

static part slice_of(const struct ncclComm *c, const uwnccl_operation *o, int rank) {
  if (o->kind == UWNCCL_REDUCE_SCATTER)
    return (part){(size_t)rank * o->count, o->count};
  const size_t begin = uwnccl_slice_begin(c, o, o->count, rank), end = uwnccl_slice_begin(c, o, o->count, rank + 1);
  return (part){begin, end - begin};
}

static part piece_of(const struct ncclComm *c, const uwnccl_operation *o, int rank, size_t number) {
  const part slice = slice_of(c, o, rank);
  const size_t before = least(number * o->work->piece, slice.count);
  return (part){slice.at + before, least(o->work->piece, slice.count - before)};
}

/* Where a piece of this rank's own slice goes. */
static char *own_piece(const struct ncclComm *c, const uwnccl_operation *o, part piece) {
  const size_t each = uwnccl_size_of(o->type);
  if (o->kind == UWNCCL_REDUCE_SCATTER)
    return after(o->to, (piece.at - (size_t)c->rank * o->count) * each);
  if (o->work->sums)
    return o->work->sums + (piece.at - slice_of(c, o, c->rank).at) * each;
  return after(o->kind == UWNCCL_BROADCAST && c->rank == o->root ? o->from : o->to, piece.at * each);
}

static char *part_place(const struct ncclComm *c, const uwnccl_operation *o, size_t number, int rank) {
  return o->work->parts +
         ((number % UWNCCL_WINDOW) * (size_t)c->count + (size_t)rank) * o->work->piece * uwnccl_size_of(o->type);
}

static int open_piece(struct ncclComm *c, const uwnccl_operation *o, size_t number) {
  uwnccl_work *w = o->work;
  const size_t each = uwnccl_size_of(o->type);
  const part own = piece_of(c, o, c->rank, number);
  const uint64_t slot = slot_of(c, 2 * number);
  for (int i = 1; i < c->count; i++) {
    const int from = rank_at(c, -i), to = rank_at(c, i);
    const part of_from = piece_of(c, o, from, number), of_to = piece_of(c, o, to, number);
    if (gives(o, from) && own.count) {
      char *place = reduces(o) ? part_place(c, o, number, from) : own_piece(c, o, own);
      void **arrival = &w->arrivals[(number % UWNCCL_WINDOW) * (size_t)c->count + (size_t)from];
      if (!(*arrival = uwnccl_post(c, 0, from, slot, place, own.count * each)))
        return 0;
    }
    if (gives(o, c->rank) &&
        !uwnccl_post_pending(c, w, 1, to, slot, after(o->from, of_to.at * each), of_to.count * each))
      return 0;
    if (gets(o, c->rank) &&
        !uwnccl_post_pending(c, w, 0, from, slot | OF_SUMS, after(o->to, of_from.at * each), of_from.count * each))
      return 0;
  }
  return 1;
}

/* All parts of it are here. */
static int close_piece(struct ncclComm *c, const uwnccl_operation *o, size_t number) {
  const part own = piece_of(c, o, c->rank, number);
  const size_t bytes = own.count * uwnccl_size_of(o->type);
  char *to = own_piece(c, o, own);
  if (reduces(o) && own.count) {
    const void *from[UWNCCL_RANKS_MOST];
    uint64_t scalars[UWNCCL_RANKS_MOST];
    for (int i = 0; i < c->count; i++) {
      from[i] = i == c->rank ? after(o->from, own.at * uwnccl_size_of(o->type)) : part_place(c, o, number, i);
      scalars[i] = wish_of(c, o->work, i)->scalar;
    }
    uwnccl_reduce(to, from, c->count, own.count, o->type, o->operator, scalars);
  }
  for (int i = 1; i < c->count; i++)
    if (gets(o, rank_at(c, i)) &&
        !uwnccl_post_pending(c, o->work, 1, rank_at(c, i), slot_of(c, 2 * number) | OF_SUMS, to, bytes))
      return 0;
  return 1;
}

/* Null: no memory. */
static uwnccl_progress begin_slices(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_work *w = o->work;
  const size_t each = uwnccl_size_of(o->type), others = (size_t)(c->count > 1 ? c->count - 1 : 1);
  size_t longest = 0;
  for (int i = 0; i < c->count; i++) {
    const size_t count = slice_of(c, o, i).count;
    longest = count > longest ? count : longest;
  }
  w->piece = (PIECE / others > PIECE_LEAST ? PIECE / others : PIECE_LEAST) / each;
  w->piece = longest < w->piece ? longest : w->piece;
  w->pieces = longest ? (longest + w->piece - 1) / w->piece : 0;
  w->arrivals = calloc(UWNCCL_WINDOW * (size_t)c->count, sizeof *w->arrivals);
  if (reduces(o) && c->count > 1)
    w->parts =
        uwnccl_borrow(c, UWNCCL_FOR_PARTS, least(UWNCCL_WINDOW, w->pieces) * (size_t)c->count * w->piece * each + 1);
  if (o->kind == UWNCCL_REDUCE && c->rank != o->root)
    w->sums = malloc(slice_of(c, o, c->rank).count * each + 1);
  if (!w->arrivals || (reduces(o) && c->count > 1 && !w->parts) ||
      (o->kind == UWNCCL_REDUCE && c->rank != o->root && !w->sums))
    return uwnccl_lose(c, o, ncclSystemError);
  for (; w->opened < least(UWNCCL_WINDOW, w->pieces); w->opened++)
    if (!open_piece(c, o, w->opened))
      return uwnccl_lose(c, o, ncclRemoteError);
  o->phase = WORKS;
  return UWNCCL_MOVED;
}

static uwnccl_progress step_slices(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_work *w = o->work;
  if (w->next == w->pieces) {
    o->phase = DRAINS;
    return UWNCCL_MOVED;
  }
  int state = uwnccl_drain(c, w, PENDING);
  for (; state > 0 && w->arrived < c->count; w->arrived++) {
    void **arrival = &w->arrivals[(w->next % UWNCCL_WINDOW) * (size_t)c->count + (size_t)w->arrived];
    state = *arrival ? uwnccl_take(c, w, arrival) : 1;
    if (state <= 0)
      break;
  }
  if (state < 0)
    return uwnccl_lose(c, o, ncclRemoteError);
  if (!state)
    return UWNCCL_WAITS;
  if (!close_piece(c, o, w->next))
    return uwnccl_lose(c, o, ncclRemoteError);
  w->arrived = 0;
  w->next++;
  if (w->opened < w->pieces && !open_piece(c, o, w->opened++))
    return uwnccl_lose(c, o, ncclRemoteError);
  return UWNCCL_MOVED;
}

/* --- straight ----------------------------------------------------------------------------------------------------- */

static uwnccl_progress begin_straight(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_work *w = o->work;
  const size_t bytes = o->count * uwnccl_size_of(o->type);
  const int is_root = c->rank == o->root;
  const char *from = o->from;
  if (o->kind == UWNCCL_ALL_TO_ALL && o->from == o->to && bytes) {
    if (!(w->parts = malloc(bytes * (size_t)c->count)))
      return uwnccl_lose(c, o, ncclSystemError);
    from = memcpy(w->parts, o->from, bytes * (size_t)c->count);
  }
  int good = 1;
  for (int i = 0; i < c->count && good; i++) {
    const int to_peer = rank_at(c, i), from_peer = rank_at(c, -i);
    const char *own = from; /* for that peer */
    char *its = o->to;
    int sends = 1, receives = 1;
    switch (o->kind) {
    case UWNCCL_BROADCAST: sends = is_root, receives = from_peer == o->root; break;
    case UWNCCL_ALL_GATHER: its = after(its, (size_t)from_peer * bytes); break;
    case UWNCCL_GATHER:
      sends = to_peer == o->root, receives = is_root;
      its = after(its, (size_t)from_peer * bytes);
      break;
    case UWNCCL_SCATTER:
      sends = is_root, receives = from_peer == o->root;
      own = after(own, (size_t)to_peer * bytes);
      break;
    default: own = after(own, (size_t)to_peer * bytes), its = after(its, (size_t)from_peer * bytes);
    }
    if (!i) {
      if (sends && receives)
        copy(its, own, bytes);
      continue;
    }
    good = (!receives || uwnccl_post_pending(c, w, 0, from_peer, slot_of(c, 0), its, bytes)) &&
           (!sends || uwnccl_post_pending(c, w, 1, to_peer, slot_of(c, 0), (char *)(uintptr_t)own, bytes));
  }
  if (!good)
    return uwnccl_lose(c, o, ncclRemoteError);
  o->phase = DRAINS;
  return UWNCCL_MOVED;
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static uwnccl_progress agree(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_work *w = o->work;
  if (w->distance < c->count) {
    const int state = uwnccl_take(c, w, &w->request);
    if (state < 0)
      return uwnccl_lose(c, o, ncclRemoteError);
    if (!state)
      return UWNCCL_WAITS;
    if (!take_round(c, w))
      return uwnccl_lose(c, o, ncclInternalError);
    w->distance *= 2;
    return ask_round(c, w) ? UWNCCL_MOVED : uwnccl_lose(c, o, ncclRemoteError);
  }
  w->result = compare_all(c, w);
  if (w->result != ncclSuccess) {
    o->phase = DRAINS;
    return UWNCCL_MOVED;
  }
  if (is_eager(c, o)) {
    do_eager(c, o);
    o->phase = DRAINS;
    return UWNCCL_MOVED;
  }
  const size_t bytes = o->count * uwnccl_size_of(o->type);
  if (o->kind == UWNCCL_BROADCAST && c->rank == o->root)
    copy(o->to, o->from, bytes);
  if (reduces(o) || (o->kind == UWNCCL_BROADCAST && c->count > 2))
    return begin_slices(c, o);
  return begin_straight(c, o);
}

static uwnccl_progress step_collective(struct ncclComm *c, uwnccl_operation *o) {
  switch (o->phase) {
  case BEGINS: return begin(c, o);
  case AGREES: return agree(c, o);
  case WORKS: return step_slices(c, o);
  default: break;
  }
  const size_t before = o->work->drained;
  const int state = uwnccl_drain(c, o->work, 0);
  if (state < 0)
    return uwnccl_lose(c, o, ncclRemoteError);
  if (!state)
    return o->work->drained != before ? UWNCCL_MOVED : UWNCCL_WAITS;
  c->sequence++;
  return uwnccl_finish(c, o, o->work->result);
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

static uwnccl_progress end_message(struct ncclComm *c, uwnccl_operation *o, ncclResult_t result) {
  uwnccl_peer *peer = &c->peers[o->root];
  const int sends = o->kind == UWNCCL_SEND;
  ++*(sends ? &peer->sent : &peer->received);
  *(sends ? &peer->sending : &peer->receiving) = NULL;
  return uwnccl_finish(c, o, result);
}

static ncclResult_t differ(const struct uwnccl_operation *o, size_t own, size_t other) {
  return uwnccl_say(ncclInvalidUsage, "a message of %zu bytes meets one of %zu of rank %d", own, other, o->root);
}

static uwnccl_progress step_to_itself(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_operation *sends = c->peers[c->rank].sending, *receives = c->peers[c->rank].receiving;
  if (!sends || !receives)
    return UWNCCL_WAITS;
  const size_t from = sends->count * uwnccl_size_of(sends->type), to = receives->count * uwnccl_size_of(receives->type);
  const ncclResult_t result = from == to ? ncclSuccess : differ(o, from, to);
  if (from == to)
    copy(receives->to, sends->from, to);
  end_message(c, sends, result);
  return end_message(c, receives, result);
}

/* Messages of one direction between two ranks go in the order in which they were asked for. */
static uwnccl_progress step_message(struct ncclComm *c, uwnccl_operation *o) {
  const int sends = o->kind == UWNCCL_SEND, peer = o->root;
  uwnccl_peer *p = &c->peers[peer];
  uwnccl_operation **busy = sends ? &p->sending : &p->receiving;
  const uint64_t number = sends ? p->sent : p->received, slot = UINT64_C(1) << 63 | number << 2;
  const size_t bytes = o->count * uwnccl_size_of(o->type);
  if (*busy && *busy != o)
    return UWNCCL_WAITS;
  *busy = o;
  if (peer == c->rank)
    return step_to_itself(c, o);
  uwnccl_work *w = o->work;
  if (o->phase == BEGINS) {
    if (!(w = o->work = calloc(1, sizeof *w)))
      return uwnccl_lose(c, o, ncclSystemError);
    c->nodes->busy++;
    w->sizes[0] = bytes;
    w->request = uwnccl_post(c, 0, peer, slot | (uint64_t)sends, &w->sizes[1], sizeof w->sizes[1]);
    if (!w->request || !uwnccl_post_pending(c, w, 1, peer, slot | (uint64_t)!sends, &w->sizes[0], sizeof w->sizes[0]))
      return uwnccl_lose(c, o, ncclRemoteError);
    o->phase = OFFERS;
    return UWNCCL_MOVED;
  }
  if (o->phase == OFFERS) {
    const int state = uwnccl_take(c, w, &w->request);
    if (state < 0)
      return uwnccl_lose(c, o, ncclRemoteError);
    if (!state)
      return UWNCCL_WAITS;
    if (w->sizes[1] != bytes)
      w->result = differ(o, bytes, w->sizes[1]);
    else if (!uwnccl_post_pending(c, w, sends, peer, slot | 2, sends ? (char *)(uintptr_t)o->from : o->to, bytes))
      return uwnccl_lose(c, o, ncclRemoteError);
    o->phase = MOVES;
    return UWNCCL_MOVED;
  }
  const size_t before = w->drained;
  const int state = uwnccl_drain(c, w, 0);
  if (state < 0)
    return uwnccl_lose(c, o, ncclRemoteError);
  if (!state)
    return w->drained != before ? UWNCCL_MOVED : UWNCCL_WAITS;
  return end_message(c, o, w->result);
}

uwnccl_progress uwnccl_exchange(struct ncclComm *c, uwnccl_operation *o) {
  return o->kind < UWNCCL_SEND ? step_collective(c, o) : step_message(c, o);
}
