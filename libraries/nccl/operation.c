/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One operation, as steps that never wait: a step looks whether the others have come so far and does what can be done.
 *
 * A collective goes by chunks:
 *
 *   copy in      each rank copies what others need of its chunk into its buffer         publishes step 2 k + 1
 *   reduce       once all have: each rank reduces its slice of all ranks' buffers        publishes step 2 k + 2
 *   copy out     once all have: each rank copies the slices of the others out
 *
 * What reduces nothing, or into one rank's memory alone, copies out at once, with one barrier a chunk. Two buffers take
 * turns: who passes the first barrier of turn t knows that all have done with turn t - 1's predecessor, so its buffer
 * is free. What all ranks ask for stands beside the first chunk, and is compared before a byte of the user's is
 * written; where it differs, all ranks see that, and go on to the next operation.
 *
 * A message is agreed upon by both sides in the same way, then goes through the slots of a channel.
 */
#include "internal.h"

#include <stdio.h>
#include <string.h>

uwnccl_wish *uwnccl_wish_of(const struct ncclComm *c, int rank) {
  return &c->peers[rank].segment->wishes[c->sequence & 1];
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static uint64_t stage(const struct ncclComm *c, uint32_t step) { return c->sequence << 32 | step; }

static void publish(struct ncclComm *c, uint32_t step) {
  atomic_store(&c->peers[c->rank].segment->stage, stage(c, step));
  uwnccl_ring_all(c);
}

static int has_reached(const struct ncclComm *c, int rank, uint32_t step) {
  return atomic_load_explicit(&c->peers[rank].segment->stage, memory_order_acquire) >= stage(c, step);
}

static int all_reached(const struct ncclComm *c, uint32_t step) {
  for (int i = 0; i < c->count; i++)
    if (!has_reached(c, i, step))
      return 0;
  return 1;
}

static char *buffer_of(const struct ncclComm *c, int rank) {
  return c->peers[rank].buffers + (c->turn & 1) * (size_t)UWNCCL_BUFFER;
}

/* Of a chunk, in elements: a piece for each rank, or one for all. */
static size_t chunk_size(const struct ncclComm *c, const uwnccl_operation *o) {
  const int has_pieces = o->kind == UWNCCL_REDUCE_SCATTER || o->kind == UWNCCL_ALL_TO_ALL || o->kind == UWNCCL_SCATTER;
  const size_t bytes = (size_t)UWNCCL_BUFFER / (size_t)(has_pieces ? c->count : 1) & ~(size_t)63;
  return bytes / uwnccl_size_of(o->type);
}

size_t uwnccl_slice_begin(const struct ncclComm *c, const uwnccl_operation *o, size_t size, int rank) {
  const size_t line = 64 / uwnccl_size_of(o->type), lines = (size + line - 1) / line;
  return least(lines * (size_t)rank / (size_t)c->count * line, size);
}

static int is_one_shot(const uwnccl_operation *o) {
  return o->kind == UWNCCL_ALL_REDUCE && o->count * uwnccl_size_of(o->type) <= UWNCCL_ONE_SHOT;
}

/* A buffer that this rank's part does not touch may be null. */
static char *after(const char *start, size_t bytes) { return start ? (char *)start + bytes : NULL; }

static void copy(void *to, const void *from, size_t bytes) {
  if (bytes && to != from)
    memmove(to, from, bytes);
}

static void copy_in(struct ncclComm *c, const uwnccl_operation *o, size_t size) {
  const size_t each = uwnccl_size_of(o->type), piece = chunk_size(c, o);
  const char *from = after(o->from, o->at * each);
  char *buffer = buffer_of(c, c->rank);
  switch (o->kind) {
  case UWNCCL_ALL_REDUCE:
  case UWNCCL_REDUCE: {
    size_t begin = is_one_shot(o) ? size : uwnccl_slice_begin(c, o, size, c->rank),
           end = is_one_shot(o) ? size : uwnccl_slice_begin(c, o, size, c->rank + 1);
    copy(buffer, from, begin * each);
    copy(buffer + end * each, from + end * each, (size - end) * each);
    break;
  }
  case UWNCCL_ALL_GATHER: copy(buffer, from, size * each); break;
  case UWNCCL_GATHER:
    if (c->rank != o->root)
      copy(buffer, from, size * each);
    break;
  case UWNCCL_BROADCAST:
    if (c->rank == o->root)
      copy(buffer, from, size * each);
    break;
  case UWNCCL_SCATTER:
    if (c->rank != o->root)
      break; /* else as here: */
  /* fall through */
  default:
    for (int i = 0; i < c->count; i++)
      if (i != c->rank)
        copy(buffer + (size_t)i * piece * each, from + (size_t)i * o->count * each, size * each);
  }
}

static void reduce(struct ncclComm *c, const uwnccl_operation *o, void *to, const char *own, size_t offset,
                   size_t count) {
  const void *from[UWNCCL_RANKS_MOST];
  uint64_t scalars[UWNCCL_RANKS_MOST];
  for (int i = 0; i < c->count; i++) {
    from[i] = i == c->rank ? own : buffer_of(c, i) + offset;
    scalars[i] = uwnccl_wish_of(c, i)->scalar;
  }
  uwnccl_reduce(to, from, c->count, count, o->type, o->operator, scalars);
}

/* Behind the first barrier of a chunk. True: there is a second one. */
static int work(struct ncclComm *c, const uwnccl_operation *o, size_t size) {
  const size_t each = uwnccl_size_of(o->type), piece = chunk_size(c, o), all = o->count * each;
  const char *from = after(o->from, o->at * each);
  char *to = after(o->to, o->at * each);
  switch (o->kind) {
  case UWNCCL_ALL_REDUCE:
  case UWNCCL_REDUCE: {
    if (is_one_shot(o)) {
      reduce(c, o, to, buffer_of(c, c->rank), 0, size);
      return 0;
    }
    const size_t begin = uwnccl_slice_begin(c, o, size, c->rank), end = uwnccl_slice_begin(c, o, size, c->rank + 1);
    char *result = buffer_of(c, c->rank) + begin * each;
    if (begin < end) {
      reduce(c, o, result, from + begin * each, begin * each, end - begin);
      if (o->kind == UWNCCL_ALL_REDUCE || c->rank == o->root)
        copy(to + begin * each, result, (end - begin) * each);
    }
    return 1;
  }
  case UWNCCL_REDUCE_SCATTER:
    if (size)
      reduce(c, o, to, from + (size_t)c->rank * all, (size_t)c->rank * piece * each, size);
    break;
  case UWNCCL_BROADCAST: copy(to, c->rank == o->root ? from : buffer_of(c, o->root), size * each); break;
  case UWNCCL_ALL_GATHER:
  case UWNCCL_GATHER:
    for (int i = 0; i < c->count && (o->kind == UWNCCL_ALL_GATHER || c->rank == o->root); i++)
      copy(to + (size_t)i * all, i == c->rank ? from : buffer_of(c, i), size * each);
    break;
  case UWNCCL_ALL_TO_ALL:
    for (int i = 0; i < c->count; i++)
      copy(to + (size_t)i * all,
           i == c->rank ? from + (size_t)i * all : buffer_of(c, i) + (size_t)c->rank * piece * each, size * each);
    break;
  case UWNCCL_SCATTER:
    copy(to, c->rank == o->root ? from + (size_t)c->rank * all : buffer_of(c, o->root) + (size_t)c->rank * piece * each,
         size * each);
    break;
  case UWNCCL_SEND:
  case UWNCCL_RECEIVE: break;
  }
  return 0;
}

static void copy_out(struct ncclComm *c, const uwnccl_operation *o, size_t size) {
  const size_t each = uwnccl_size_of(o->type);
  for (int i = 0; i < c->count && (o->kind == UWNCCL_ALL_REDUCE || c->rank == o->root); i++) {
    const size_t begin = uwnccl_slice_begin(c, o, size, i), end = uwnccl_slice_begin(c, o, size, i + 1);
    if (i != c->rank)
      copy(o->to + (o->at + begin) * each, buffer_of(c, i) + begin * each, (end - begin) * each);
  }
}

static const char *name_of_type(uint32_t type) {
  static const char *const names[ncclNumTypes] = {"int8",    "uint8",    "int32",      "uint32",
                                                  "int64",   "uint64",   "float16",    "float32",
                                                  "float64", "bfloat16", "float8e4m3", "float8e5m2"};
  return type < ncclNumTypes ? names[type] : "?";
}

/* "ncclReduce of 3 float32, sum, to rank 1" */
static void describe(char *to, size_t room, const uwnccl_asked *a) {
  static const char *const names[] = {"Broadcast", "Reduce",   "AllReduce", "ReduceScatter",
                                      "AllGather", "AlltoAll", "Gather",    "Scatter"};
  static const char *const operators[] = {"sum", "product", "max", "min", "average", "pre-multiplied sum"};
  const int reduces = a->kind == UWNCCL_REDUCE || a->kind == UWNCCL_ALL_REDUCE || a->kind == UWNCCL_REDUCE_SCATTER,
            has_root = a->kind == UWNCCL_BROADCAST || a->kind == UWNCCL_REDUCE || a->kind == UWNCCL_GATHER ||
                       a->kind == UWNCCL_SCATTER;
  char root[32] = "";
  if (has_root)
    snprintf(root, sizeof root, ", root %u", a->root);
  snprintf(to, room, "nccl%s of %llu %s%s%s%s", a->kind < UWNCCL_SEND ? names[a->kind] : "?",
           (unsigned long long)a->count, name_of_type(a->type), reduces ? ", " : "",
           reduces && a->operator <= UWNCCL_PREMULTIPLIED ? operators[a->operator] : "", root);
}

ncclResult_t uwnccl_compare(int own_rank, const uwnccl_asked *own, int other_rank, const uwnccl_asked *other) {
  char first[120], second[120];
  if (memcmp(own, other, sizeof *own) == 0)
    return ncclSuccess;
  describe(first, sizeof first, own_rank < other_rank ? own : other);
  describe(second, sizeof second, own_rank < other_rank ? other : own);
  return uwnccl_say(ncclInvalidUsage, "ranks ask for different operations: rank %d for %s, rank %d for %s",
                    own_rank < other_rank ? own_rank : other_rank, first, own_rank < other_rank ? other_rank : own_rank,
                    second);
}

uwnccl_asked uwnccl_asks(const uwnccl_operation *o) {
  return (uwnccl_asked){.kind = (uint32_t)o->kind,
                        .type = (uint32_t)o->type,
                        .operator = o->operator,
                        .root = (uint32_t)o->root,
                        .count = o->count};
}

static ncclResult_t compare_all(const struct ncclComm *c) {
  ncclResult_t all = ncclSuccess;
  for (int i = 0; i < c->count && all == ncclSuccess; i++)
    all = uwnccl_compare(c->rank, &uwnccl_wish_of(c, c->rank)->asked, i, &uwnccl_wish_of(c, i)->asked);
  return all;
}

static uwnccl_progress finish(struct ncclComm *c, uwnccl_operation *o, ncclResult_t result) {
  c->turn++;
  c->sequence++;
  o->is_done = 1;
  o->result = result;
  return UWNCCL_ENDED;
}

static void wish(struct ncclComm *c, uwnccl_operation *o) {
  uwnccl_wish *own = uwnccl_wish_of(c, c->rank);
  if (o->device_scalar)
    memcpy(&o->scalar, o->device_scalar, uwnccl_size_of(o->type));
  *own = (uwnccl_wish){.asked = uwnccl_asks(o), .scalar = o->scalar};
}

static int all_have(const struct ncclComm *c, int mapped) {
  for (int i = 0; i < c->count; i++)
    if (!(mapped ? uwnccl_wish_of(c, i)->is_mapped : uwnccl_wish_of(c, i)->is_offered))
      return 0;
  return 1;
}

enum { BEGINS, COPIED_IN, REDUCED, OFFERED, MAPPED, WORKS, WORKED }; /* phases */
enum { STEP_OFFERED = 1, STEP_MAPPED, STEP_WORKED };

/* Large ones: ranks say where their memory is, then whether they could map that of the others; where all could, each
 * does its part in place. Else it goes by chunks, after these steps. */
static uwnccl_progress step_directly(struct ncclComm *c, uwnccl_operation *o) {
  ncclResult_t compared;
  switch (o->phase) {
  case OFFERED:
    if (!all_reached(c, STEP_OFFERED))
      return UWNCCL_WAITS;
    if ((compared = compare_all(c)) != ncclSuccess)
      return finish(c, o, compared);
    uwnccl_wish_of(c, c->rank)->is_mapped = all_have(c, 0) && uwnccl_map_places(c, o);
    publish(c, STEP_MAPPED);
    o->phase = MAPPED;
    return UWNCCL_MOVED;
  case MAPPED:
    if (!all_reached(c, STEP_MAPPED))
      return UWNCCL_WAITS;
    o->phase = all_have(c, 1) ? WORKS : BEGINS;
    o->before = STEP_MAPPED;
    if (o->phase == BEGINS)
      uwnccl_unmap_places(c);
    return UWNCCL_MOVED;
  case WORKS:
    if (uwnccl_work_directly(c, o))
      return UWNCCL_MOVED;
    publish(c, STEP_WORKED);
    o->phase = WORKED;
    return UWNCCL_MOVED;
  default:
    if (!all_reached(c, STEP_WORKED))
      return UWNCCL_WAITS;
    uwnccl_unmap_places(c);
    return finish(c, o, ncclSuccess);
  }
}

static uwnccl_progress step_collective(struct ncclComm *c, uwnccl_operation *o) {
  const size_t size = least(chunk_size(c, o), o->count - o->at);
  const uint32_t step = o->before + 2 * o->chunk;
  ncclResult_t compared;
  if (o->phase >= OFFERED)
    return step_directly(c, o);
  switch (o->phase) {
  case BEGINS:
    if (!step) {
      wish(c, o);
      if (uwnccl_is_large(o)) {
        uwnccl_offer_places(c, o, uwnccl_wish_of(c, c->rank));
        publish(c, STEP_OFFERED);
        o->phase = OFFERED;
        return UWNCCL_MOVED;
      }
    }
    copy_in(c, o, size);
    publish(c, step + 1);
    o->phase = COPIED_IN;
    return UWNCCL_MOVED;
  case COPIED_IN:
    if (!all_reached(c, step + 1))
      return UWNCCL_WAITS;
    if (!step && (compared = compare_all(c)) != ncclSuccess)
      return finish(c, o, compared);
    if (work(c, o, size)) {
      publish(c, step + 2);
      o->phase = REDUCED;
      return UWNCCL_MOVED;
    }
    break;
  default:
    if (!all_reached(c, step + 2))
      return UWNCCL_WAITS;
    copy_out(c, o, size);
  }
  o->at += size;
  if (o->at == o->count)
    return finish(c, o, ncclSuccess);
  c->turn++;
  o->chunk++;
  o->phase = BEGINS;
  return UWNCCL_MOVED;
}

/* The step that the operation waits for. */
static uint32_t awaited(const uwnccl_operation *o) {
  switch (o->phase) {
  case OFFERED: return STEP_OFFERED;
  case MAPPED: return STEP_MAPPED;
  case WORKS:
  case WORKED: return STEP_WORKED;
  default: return o->before + 2 * o->chunk + (uint32_t)o->phase;
  }
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

static uwnccl_progress end_message(uwnccl_operation *o, uint64_t *number, uwnccl_operation **busy,
                                   ncclResult_t result) {
  ++*number;
  *busy = NULL;
  o->is_done = 1;
  o->result = result;
  return UWNCCL_ENDED;
}

/* Both sides. Messages of one direction between two ranks go in the order in which they were asked for. */
static uwnccl_progress step_message(struct ncclComm *c, uwnccl_operation *o) {
  const int sends = o->kind == UWNCCL_SEND;
  uwnccl_peer *peer = &c->peers[o->root], *from = sends ? &c->peers[c->rank] : peer;
  uwnccl_channel *channel = &from->segment->channels[sends ? o->root : c->rank];
  char *slots = from->slots + (size_t)(sends ? o->root : c->rank) * UWNCCL_SLOTS * UWNCCL_SLOT;
  uint64_t *number = sends ? &peer->sent : &peer->received;
  uwnccl_operation **busy = sends ? &peer->sending : &peer->receiving;
  const size_t bytes = o->count * uwnccl_size_of(o->type);
  uwnccl_offer *own = &(sends ? channel->sent : channel->wanted)[*number & 1],
               *other = &(sends ? channel->wanted : channel->sent)[*number & 1];
  if (*busy && *busy != o)
    return UWNCCL_WAITS;
  *busy = o;
  if (o->phase == 0) {
    own->bytes = bytes;
    atomic_store(&own->number, *number + 1);
    uwnccl_ring(c, o->root);
    o->phase = 1;
    return UWNCCL_MOVED;
  }
  if (o->phase == 1) {
    if (atomic_load(&other->number) != *number + 1)
      return UWNCCL_WAITS;
    if (other->bytes != bytes)
      return end_message(o, number, busy,
                         uwnccl_say(ncclInvalidUsage, "a message of %zu bytes meets one of %llu of rank %d", bytes,
                                    (unsigned long long)other->bytes, o->root));
    o->phase = 2;
  }
  if (o->at < bytes) {
    const uint64_t produced = atomic_load(&channel->produced), consumed = atomic_load(&channel->consumed);
    const size_t size = least(UWNCCL_SLOT, bytes - o->at);
    if (sends ? produced - consumed == UWNCCL_SLOTS : produced == consumed)
      return UWNCCL_WAITS;
    if (sends) {
      memcpy(slots + produced % UWNCCL_SLOTS * UWNCCL_SLOT, o->from + o->at, size);
      atomic_store(&channel->produced, produced + 1);
    } else {
      memcpy(o->to + o->at, slots + consumed % UWNCCL_SLOTS * UWNCCL_SLOT, size);
      atomic_store(&channel->consumed, consumed + 1);
    }
    uwnccl_ring(c, o->root);
    o->at += size;
  }
  return o->at < bytes ? UWNCCL_MOVED : end_message(o, number, busy, ncclSuccess);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static uwnccl_progress step(struct ncclComm *c, uwnccl_operation *o) {
  return o->kind < UWNCCL_SEND ? step_collective(c, o) : step_message(c, o);
}

/* The caller has looked who is dead, then stepped once more. */
static int waits_in_vain(const struct ncclComm *c, const uwnccl_operation *o) {
  if (o->kind >= UWNCCL_SEND)
    return uwnccl_is_gone(c, o->root) ? o->root + 1 : 0;
  for (int i = 0; i < c->count; i++)
    if (uwnccl_is_gone(c, i) && !has_reached(c, i, awaited(o)))
      return i + 1;
  return 0;
}

static void drop(struct ncclComm *c, uwnccl_operation *o) { (void)c, (void)o; }

const uwnccl_engine uwnccl_shared = {.leave = uwnccl_leave_shared,
                                     .end = uwnccl_end_shared,
                                     .step = step,
                                     .drop = drop,
                                     .look_for_dead = uwnccl_look_for_dead,
                                     .waits_in_vain = waits_in_vain,
                                     .looks = uwnccl_looks,
                                     .tell = uwnccl_tell,
                                     .is_told = uwnccl_is_told,
                                     .sleep = uwnccl_sleep};
