/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What programs call: arguments are looked at here, and what a thread asks for between ncclGroupStart and ncclGroupEnd
 * is collected, a batch for each communicator. */
#include "api.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- groups ------------------------------------------------------------------------------------------------------- */

static _Thread_local struct {
  int depth;
  ncclResult_t error; /* the first one within */
  uwnccl_batch **batches;
  size_t batch_count;
  uwnccl_making *makings;
  size_t making_count;
} group;

/* A call that fails within a group spoils all of it. */
static ncclResult_t note(ncclResult_t result) {
  if (group.depth && group.error == ncclSuccess && result != ncclInProgress)
    group.error = result;
  return result;
}

static uwnccl_batch *batch_for(struct ncclComm *c) {
  for (size_t i = 0; i < group.batch_count; i++)
    if (group.batches[i]->of == c)
      return group.batches[i];
  uwnccl_batch **larger = realloc(group.batches, (group.batch_count + 1) * sizeof *larger);
  if (!larger)
    return NULL;
  group.batches = larger;
  uwnccl_batch *b = uwnccl_new_batch(c);
  if (b)
    group.batches[group.batch_count++] = b;
  return b;
}

static ncclResult_t submit(struct ncclComm *c, const uwnccl_operation *o) {
  if (group.depth) {
    uwnccl_batch *b = batch_for(c);
    return b && uwnccl_add(b, o) ? ncclSuccess : uwnccl_say(ncclSystemError, "no memory");
  }
  uwnccl_batch *alone = uwnccl_new_batch(c);
  if (!alone || !uwnccl_add(alone, o)) {
    if (alone)
      uwnccl_free_batch(alone);
    return uwnccl_say(ncclSystemError, "no memory");
  }
  return uwnccl_submit_owned(&alone, 1);
}

static ncclResult_t make(const uwnccl_making *wanted) {
  uwnccl_making one = *wanted;
  if (!group.depth)
    return uwnccl_make(&one, 1);
  uwnccl_making *larger = realloc(group.makings, (group.making_count + 1) * sizeof *larger);
  if (!larger)
    return uwnccl_say(ncclSystemError, "no memory");
  group.makings = larger;
  group.makings[group.making_count++] = one;
  return ncclSuccess;
}

NCCL(ncclGroupStart, void) {
  group.depth++;
  return ncclSuccess;
}

static ncclResult_t lacks_its_other_side(const char *name) {
  return uwnccl_say(ncclInvalidUsage, "%s: a rank's message to itself needs its other side in the same group", name);
}

/* What follows a message on a communicator waits for it. */
static ncclResult_t check_messages_to_itself(void) {
  for (size_t i = 0; i < group.batch_count; i++) {
    const uwnccl_batch *b = group.batches[i];
    size_t sent = 0, received = 0;
    for (size_t k = 0; k < b->count; k++)
      if (b->operations[k].root == b->of->rank) {
        sent += b->operations[k].kind == UWNCCL_SEND;
        received += b->operations[k].kind == UWNCCL_RECEIVE;
      }
    if (sent != received)
      return lacks_its_other_side(sent > received ? "ncclSend" : "ncclRecv");
  }
  return ncclSuccess;
}

static void drop_group(void) {
  for (size_t i = 0; i < group.batch_count; i++)
    uwnccl_free_batch(group.batches[i]);
  for (size_t i = 0; i < group.making_count; i++)
    if (group.makings[i].fresh) {
      *group.makings[i].to = NULL;
      uwnccl_release(group.makings[i].fresh);
    }
}

static void forget_group(void) {
  free(group.batches);
  free(group.makings);
  memset(&group, 0, sizeof group);
}

NCCL(ncclGroupEnd, void) {
  if (!group.depth)
    return uwnccl_say(ncclInvalidUsage, "ncclGroupEnd: not in a group call.");
  if (--group.depth)
    return ncclSuccess;
  ncclResult_t result = group.error == ncclSuccess ? check_messages_to_itself() : group.error;
  if (result != ncclSuccess) {
    drop_group();
  } else {
    if (group.making_count)
      result = uwnccl_make(group.makings, group.making_count);
    if (group.batch_count) {
      ncclResult_t of_batches = uwnccl_submit_owned(group.batches, group.batch_count);
      result =
          result == ncclSuccess || result == ncclInProgress ? of_batches == ncclSuccess ? result : of_batches : result;
    }
  }
  forget_group();
  return result;
}

/* An estimate that nobody can make is no reason to leave the group open. */
NCCL(ncclGroupSimulateEnd, ncclSimInfo_t *info) {
  if (!group.depth)
    return uwnccl_say(ncclInvalidUsage, "ncclGroupSimulateEnd: not in a group call.");
  REQUIRE(info && info->size >= sizeof *info && info->magic == 0x74685283,
          "ncclGroupSimulateEnd: simInfo is null, or was not begun with NCCL_SIM_INFO_INITIALIZER");
  if (--group.depth)
    return ncclSuccess;
  ncclResult_t result = group.error == ncclSuccess ? check_messages_to_itself() : group.error;
  drop_group();
  forget_group();
  return result != ncclSuccess
             ? result
             : uwnccl_say(ncclInvalidUsage,
                          "ncclGroupSimulateEnd: nothing tells the time of a group ahead: measure one that runs");
}

/* --- communicators ------------------------------------------------------------------------------------------------ */

NCCL(ncclGetVersion, int *version) {
  REQUIRE(version, "ncclGetVersion: version is null");
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

NCCL(ncclGetUniqueId, ncclUniqueId *id) {
  REQUIRE(id, "ncclGetUniqueId: uniqueId is null");
  return uwnccl_new_id(id, 1);
}

static ncclResult_t check_config(const ncclConfig_t *config) {
  if (!config)
    return ncclSuccess;
  REQUIRE(config->size >= offsetof(ncclConfig_t, blocking) && config->magic == 0xcafebeef,
          "the configuration was not begun with NCCL_CONFIG_INITIALIZER");
  REQUIRE(config->size < offsetof(ncclConfig_t, blocking) + sizeof config->blocking ||
              config->blocking == NCCL_CONFIG_UNDEF_INT || config->blocking == 0 || config->blocking == 1,
          "the configuration's blocking is %d: 0 or 1", config->blocking);
  return ncclSuccess;
}

static ncclResult_t init_rank(ncclComm_t *to, int count, const ncclUniqueId *id, int rank, const ncclConfig_t *config) {
  int device;
  REQUIRE(to, "ncclCommInitRank: comm is null");
  REQUIRE(count > 0 && rank >= 0 && rank < count, "ncclCommInitRank: rank %d of %d", rank, count);
  REQUIRE(count <= UWNCCL_RANKS_MOST, "ncclCommInitRank: at most %d ranks", UWNCCL_RANKS_MOST);
  TRY(check_config(config));
  if (cudaGetDevice(&device) != cudaSuccess)
    return uwnccl_say(ncclUnhandledCudaError, "there is no device");
  uwnccl_making m = {.fresh = uwnccl_new(count, rank, device, config, NULL), .to = to, .id = *id};
  if (!m.fresh)
    return uwnccl_say(ncclSystemError, "no memory");
  *to = m.fresh;
  return make(&m);
}

NCCL(ncclCommInitRank, ncclComm_t *comm, int count, ncclUniqueId id, int rank) {
  return note(init_rank(comm, count, &id, rank, NULL));
}
NCCL(ncclCommInitRankConfig, ncclComm_t *comm, int count, ncclUniqueId id, int rank, ncclConfig_t *config) {
  return note(init_rank(comm, count, &id, rank, config));
}
/* Several roots share the work there; the first one does it here. */
NCCL(ncclCommInitRankScalable, ncclComm_t *comm, int count, int rank, int ids, ncclUniqueId *all,
     ncclConfig_t *config) {
  if (ids < 1 || !all)
    return note(uwnccl_say(ncclInvalidArgument, "ncclCommInitRankScalable: no id"));
  return note(init_rank(comm, count, &all[0], rank, config));
}

static ncclResult_t init_all(ncclComm_t *to, int count, const int *devices) {
  int there = 0;
  ncclUniqueId id;
  REQUIRE(to, "ncclCommInitAll: comm is null");
  REQUIRE(count > 0 && count <= UWNCCL_RANKS_MOST, "ncclCommInitAll: %d devices", count);
  if (cudaGetDeviceCount(&there) != cudaSuccess)
    return uwnccl_say(ncclUnhandledCudaError, "there is no device");
  for (int i = 0; i < count; i++) {
    const int device = devices ? devices[i] : i;
    if (device < 0 || device >= there)
      return uwnccl_say(devices ? ncclUnhandledCudaError : ncclInvalidArgument,
                        "ncclCommInitAll: there is no device %d of %d", device, there);
    for (int k = 0; k < i; k++)
      if (device == (devices ? devices[k] : k))
        return uwnccl_say(ncclInvalidUsage, "ncclCommInitAll: device %d stands twice in the list", device);
  }
  TRY(uwnccl_new_id(&id, 0));
  uwnccl_making *all = calloc((size_t)count, sizeof *all);
  ncclResult_t result = all ? ncclSuccess : uwnccl_say(ncclSystemError, "no memory");
  for (int i = 0; i < count && result == ncclSuccess; i++) {
    all[i] =
        (uwnccl_making){.fresh = uwnccl_new(count, i, devices ? devices[i] : i, NULL, NULL), .to = &to[i], .id = id};
    to[i] = all[i].fresh;
    if (!all[i].fresh)
      result = uwnccl_say(ncclSystemError, "no memory");
  }
  if (result == ncclSuccess)
    result = uwnccl_make(all, (size_t)count);
  else
    for (int i = 0; all && i < count && all[i].fresh; i++)
      uwnccl_release(all[i].fresh);
  free(all);
  return result;
}
NCCL(ncclCommInitAll, ncclComm_t *comms, int count, const int *devices) { return init_all(comms, count, devices); }

static ncclResult_t make_successor(ncclComm_t parent, int count, int rank, uwnccl_making m, ncclConfig_t *config);
static ncclResult_t split(ncclComm_t parent, int color, int key, ncclComm_t *to, const ncclConfig_t *config);

static ncclResult_t split_successor(ncclComm_t parent, int color, int key, ncclComm_t *to, const ncclConfig_t *config) {
  ncclComm_t all;
  ncclConfig_t blocking = NCCL_CONFIG_INITIALIZER;
  blocking.blocking = 1;
  if (group.depth)
    return uwnccl_say(ncclInvalidUsage, "ncclCommSplit: of a revoked communicator, not in a group");
  TRY(make_successor(parent, parent->count, parent->rank, (uwnccl_making){.to = &all, .speaks = !parent->rank},
                     &blocking));
  ncclConfig_t own = config ? *config : blocking;
  if (!config)
    own.blocking = parent->is_blocking;
  const ncclResult_t result = split(all, color, key, to, &own);
  if (result == ncclInProgress) /* which it is made from */
    while ((*to)->state == ncclInProgress)
      nanosleep(&(struct timespec){0, 200000}, NULL);
  uwnccl_quit(all, 0);
  return result;
}

static ncclResult_t split(ncclComm_t parent, int color, int key, ncclComm_t *to, const ncclConfig_t *config) {
  TRY(uwnccl_is_ready(parent, "ncclCommSplit"));
  REQUIRE(to, "ncclCommSplit: newcomm is null");
  REQUIRE(color >= 0 || color == NCCL_SPLIT_NOCOLOR, "ncclCommSplit: color %d", color);
  TRY(check_config(config));
  if (parent->is_revoked) /* its operations are gone, by which parts agree */
    return split_successor(parent, color, key, to, config);
  uwnccl_making m = {.parent = parent, .color = color, .key = key, .to = to};
  *to = NULL;
  if (color >= 0) {
    m.fresh = uwnccl_new(parent->count, 0, parent->device, config, parent);
    if (!m.fresh)
      return uwnccl_say(ncclSystemError, "no memory");
    *to = m.fresh;
  }
  return make(&m);
}
NCCL(ncclCommSplit, ncclComm_t comm, int color, int key, ncclComm_t *to, ncclConfig_t *config) {
  return note(split(comm, color, key, to, config));
}

/* --- successors: with fewer ranks, or more ---------------------------------------------------------------------- */

static ncclResult_t make_successor(ncclComm_t parent, int count, int rank, uwnccl_making m, ncclConfig_t *config) {
  REQUIRE(m.to, "newcomm is null");
  TRY(check_config(config));
  *m.to = NULL;
  m.succeeds = 1;
  m.parent = parent;
  m.fresh = uwnccl_new(count, rank, parent->device, config, parent);
  if (!m.fresh)
    return uwnccl_say(ncclSystemError, "no memory");
  *m.to = m.fresh;
  return make(&m);
}

static ncclResult_t shrink(ncclComm_t parent, const int *excluded, int excluded_count, ncclComm_t *to,
                           ncclConfig_t *config, int flags) {
  REQUIRE(uwnccl_is_live(parent) && parent->state != ncclInProgress,
          "ncclCommShrink: this is not a communicator, or it is not made yet");
  REQUIRE(flags == NCCL_SHRINK_DEFAULT || flags == NCCL_SHRINK_ABORT, "ncclCommShrink: flags %#x", flags);
  REQUIRE(excluded && excluded_count > 0 && excluded_count < parent->count,
          "ncclCommShrink: %d of %d ranks to leave out", excluded_count, parent->count);
  char is_out[UWNCCL_RANKS_MOST] = {0};
  for (int i = 0; i < excluded_count; i++) {
    REQUIRE(excluded[i] >= 0 && excluded[i] < parent->count && !is_out[excluded[i]],
            "ncclCommShrink: rank %d is not there, or stands twice in the list", excluded[i]);
    is_out[excluded[i]] = 1;
  }
  REQUIRE(!is_out[parent->rank], "ncclCommShrink: a rank that is left out does not call it");
  if (flags == NCCL_SHRINK_ABORT && !parent->is_revoked)
    uwnccl_revoke(parent);
  TRY(uwnccl_is_ready(parent, "ncclCommShrink"));
  int rank = 0;
  for (int i = 0; i < parent->rank; i++)
    rank += !is_out[i];
  return make_successor(parent, parent->count - excluded_count, rank, (uwnccl_making){.to = to, .speaks = !rank},
                        config);
}
NCCL(ncclCommShrink, ncclComm_t comm, int *excluded, int count, ncclComm_t *to, ncclConfig_t *config, int flags) {
  return note(shrink(comm, excluded, count, to, config, flags));
}

NCCL(ncclCommGetUniqueId, ncclComm_t comm, ncclUniqueId *id) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(id, "ncclCommGetUniqueId: uniqueId is null");
  return uwnccl_new_id(id, 0);
}

/* Ranks that were there keep their numbers; one of them has the id that those that come were given. */
static ncclResult_t grow(ncclComm_t parent, int count, const ncclUniqueId *id, int rank, ncclComm_t *to,
                         ncclConfig_t *config) {
  if (!parent) {
    REQUIRE(id, "ncclCommGrow: a new rank has no id");
    return init_rank(to, count, id, rank, config);
  }
  TRY(uwnccl_is_ready(parent, "ncclCommGrow"));
  REQUIRE(rank == -1, "ncclCommGrow: rank %d: a rank that was there keeps its own, and gives -1", rank);
  REQUIRE(count > parent->count && count <= UWNCCL_RANKS_MOST, "ncclCommGrow: from %d ranks to %d", parent->count,
          count);
  uwnccl_making m = {.to = to, .speaks = id != NULL, .has_id = id != NULL};
  if (id)
    m.id = *id;
  return make_successor(parent, count, parent->rank, m, config);
}
NCCL(ncclCommGrow, ncclComm_t comm, int count, const ncclUniqueId *id, int rank, ncclComm_t *to, ncclConfig_t *config) {
  return note(grow(comm, count, id, rank, to, config));
}

NCCL(ncclCommRevoke, ncclComm_t comm, int flags) {
  if (!comm)
    return ncclSuccess;
  REQUIRE(uwnccl_is_live(comm) && comm->state != ncclInProgress,
          "ncclCommRevoke: this is not a communicator, or it is not made yet");
  REQUIRE(flags == NCCL_REVOKE_DEFAULT, "ncclCommRevoke: flags %#x", flags);
  REQUIRE(!comm->is_revoked, "ncclCommRevoke: the communicator is revoked already");
  uwnccl_revoke(comm);
  return ncclSuccess;
}

/* --- their end -------------------------------------------------------------------------------------------------- */

NCCL(ncclCommFinalize, ncclComm_t comm) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(!comm->is_revoked, "ncclCommFinalize: the communicator is revoked");
  return uwnccl_wait_for_all(comm);
}
NCCL(ncclCommDestroy, ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  REQUIRE(uwnccl_is_live(comm), "ncclCommDestroy: this is not a communicator");
  uwnccl_quit(comm, 0);
  return ncclSuccess;
}
NCCL(ncclCommAbort, ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  REQUIRE(uwnccl_is_live(comm), "ncclCommAbort: this is not a communicator");
  uwnccl_quit(comm, 1);
  return ncclSuccess;
}

NCCL(ncclCommSuspend, ncclComm_t comm, int flags) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(flags == NCCL_SUSPEND_MEM, "ncclCommSuspend: flags %#x", flags);
  REQUIRE(!comm->is_suspended, "ncclCommSuspend: the communicator is suspended already");
  TRY(uwnccl_wait_for_all(comm));
  comm->is_suspended = 1;
  return ncclSuccess;
}
NCCL(ncclCommResume, ncclComm_t comm) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(comm->is_suspended, "ncclCommResume: the communicator is not suspended");
  comm->is_suspended = 0;
  return ncclSuccess;
}
/* All that it has it needs to be found by others. */
NCCL(ncclCommMemStats, ncclComm_t comm, ncclCommMemStat_t stat, uint64_t *value) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(value, "ncclCommMemStats: value is null");
  switch (stat) {
  case ncclStatGpuMemSuspend: *value = 0; return ncclSuccess;
  case ncclStatGpuMemSuspended: *value = (uint64_t)comm->is_suspended; return ncclSuccess;
  case ncclStatGpuMemPersist:
  case ncclStatGpuMemTotal:
    *value = comm->segment_bytes; /* what it shares; by nodes it keeps none but the host's */
    return ncclSuccess;
  }
  return uwnccl_say(ncclInvalidArgument, "ncclCommMemStats: stat %d", (int)stat);
}

static ncclResult_t give_error(ncclComm_t comm, ncclResult_t *error) {
  REQUIRE(uwnccl_is_live(comm) && error, "ncclCommGetAsyncError: a null pointer, or no communicator");
  *error = comm->state;
  return ncclSuccess;
}
NCCL(ncclCommGetAsyncError, ncclComm_t comm, ncclResult_t *error) { return give_error(comm, error); }

#define TELL(name, what)                                                                                               \
  NCCL(name, const ncclComm_t comm, int *to) {                                                                         \
    TRY(uwnccl_is_ready(comm, #name));                                                                                 \
    REQUIRE(to, #name ": a null pointer");                                                                             \
    *to = comm->what;                                                                                                  \
    return ncclSuccess;                                                                                                \
  }
TELL(ncclCommCount, count)
TELL(ncclCommCuDevice, device)
TELL(ncclCommUserRank, rank)

extern __typeof__(ncclGetErrorString) pncclGetErrorString __attribute__((alias("ncclGetErrorString")));
const char *ncclGetErrorString(ncclResult_t result) {
  static const char *const all[ncclNumResults] = {
      "no error",
      "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
      "unhandled system error (run with NCCL_DEBUG=INFO for details)",
      "internal error - please report this issue to the developers of unwarp",
      "invalid argument (run with NCCL_DEBUG=WARN for details)",
      "invalid usage (run with NCCL_DEBUG=WARN for details)",
      "remote process exited or there was a network error",
      "NCCL operation in progress",
      "NCCL operation timed out"};
  return (unsigned int)result < ncclNumResults ? all[result] : "unknown result code";
}
extern __typeof__(ncclGetLastError) pncclGetLastError __attribute__((alias("ncclGetLastError")));
const char *ncclGetLastError(ncclComm_t comm) {
  (void)comm;
  return uwnccl_last_message();
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

static int is_type(ncclDataType_t type) { return (unsigned int)type < ncclNumTypes; }

NCCL(ncclRedOpCreatePreMulSum, ncclRedOp_t *to, void *scalar, ncclDataType_t type, ncclScalarResidence_t residence,
     ncclComm_t comm) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(to && scalar && is_type(type), "ncclRedOpCreatePreMulSum: a null pointer, or type %d", (int)type);
  REQUIRE(residence == ncclScalarDevice || residence == ncclScalarHostImmediate,
          "ncclRedOpCreatePreMulSum: residence %d", (int)residence);
  uwnccl_made_operator made = {.is_used = 1, .type = type};
  if (residence == ncclScalarDevice)
    made.device = scalar;
  else
    memcpy(&made.scalar, scalar, uwnccl_size_of(type));
  pthread_mutex_lock(&comm->lock);
  int number = 0;
  while (number < comm->operator_count && comm->operators[number].is_used)
    number++;
  if (number == comm->operator_count) {
    uwnccl_made_operator *larger = realloc(comm->operators, ((size_t)number + 1) * sizeof *larger);
    if (!larger) {
      pthread_mutex_unlock(&comm->lock);
      return uwnccl_say(ncclSystemError, "no memory");
    }
    comm->operators = larger;
    comm->operator_count++;
  }
  comm->operators[number] = made;
  pthread_mutex_unlock(&comm->lock);
  *to = (ncclRedOp_t)(ncclNumOps + number);
  return ncclSuccess;
}

/* Copies the one of that number; 0: there is none. */
static int find_operator(ncclComm_t comm, ncclRedOp_t number, uwnccl_made_operator *found) {
  const int at = (int)number - ncclNumOps;
  pthread_mutex_lock(&comm->lock);
  int is_there = at >= 0 && at < comm->operator_count && comm->operators[at].is_used;
  if (is_there)
    *found = comm->operators[at];
  pthread_mutex_unlock(&comm->lock);
  return is_there;
}

NCCL(ncclRedOpDestroy, ncclRedOp_t op, ncclComm_t comm) {
  uwnccl_made_operator found;
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(find_operator(comm, op, &found), "ncclRedOpDestroy: %d is not an operator of this communicator", (int)op);
  pthread_mutex_lock(&comm->lock);
  comm->operators[(int)op - ncclNumOps].is_used = 0;
  pthread_mutex_unlock(&comm->lock);
  return ncclSuccess;
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static int reduces(uwnccl_kind kind) {
  return kind == UWNCCL_REDUCE || kind == UWNCCL_ALL_REDUCE || kind == UWNCCL_REDUCE_SCATTER;
}

static ncclResult_t ask_for(ncclComm_t comm, uwnccl_operation o, ncclRedOp_t op, const char *name) {
  TRY(uwnccl_is_ready(comm, name));
  if (comm->is_revoked)
    return uwnccl_say(ncclInvalidUsage, "%s: the communicator is revoked", name);
  if (comm->is_suspended)
    return uwnccl_say(ncclInvalidUsage, "%s: the communicator is suspended: ncclCommResume comes first", name);
  REQUIRE(is_type(o.type), "%s: type %d", name, (int)o.type);
  REQUIRE(o.root >= 0 && o.root < comm->count, "%s: rank %d of %d", name, o.root, comm->count);
  REQUIRE(o.count <= SIZE_MAX / 8 / (size_t)comm->count, "%s: %zu elements", name, o.count);
  TRY(uwnccl_check_memory(comm, &o, name));
  if (o.kind >= UWNCCL_SEND && o.root == comm->rank && !group.depth)
    return lacks_its_other_side(name);
  if (reduces(o.kind) && (unsigned int)op >= ncclNumOps) {
    uwnccl_made_operator made;
    REQUIRE(find_operator(comm, op, &made), "%s: operator %d", name, (int)op);
    REQUIRE(made.type == o.type, "%s: the operator is for type %d, the data is of type %d", name, (int)made.type,
            (int)o.type);
    o.operator = UWNCCL_PREMULTIPLIED;
    o.scalar = made.scalar;
    o.device_scalar = made.device;
  } else if (reduces(o.kind)) {
    o.operator = (uint32_t)op;
  }
  return submit(comm, &o);
}

#define ASK(name, sum, ...)                                                                                            \
  note(ask_for(comm, (uwnccl_operation){.count = count, .type = type, .stream = stream, __VA_ARGS__}, sum, name))
#define SIZES size_t count, ncclDataType_t type
#define WHERE ncclComm_t comm, cudaStream_t stream
NCCL(ncclBroadcast, const void *from, void *to, SIZES, int root, WHERE) {
  return ASK("ncclBroadcast", ncclSum, .kind = UWNCCL_BROADCAST, .from = from, .to = to, .root = root);
}
NCCL(ncclBcast, void *buffer, SIZES, int root, WHERE) {
  return ASK("ncclBcast", ncclSum, .kind = UWNCCL_BROADCAST, .from = buffer, .to = buffer, .root = root);
}
NCCL(ncclReduce, const void *from, void *to, SIZES, ncclRedOp_t op, int root, WHERE) {
  return ASK("ncclReduce", op, .kind = UWNCCL_REDUCE, .from = from, .to = to, .root = root);
}
NCCL(ncclAllReduce, const void *from, void *to, SIZES, ncclRedOp_t op, WHERE) {
  return ASK("ncclAllReduce", op, .kind = UWNCCL_ALL_REDUCE, .from = from, .to = to);
}
NCCL(ncclReduceScatter, const void *from, void *to, SIZES, ncclRedOp_t op, WHERE) {
  return ASK("ncclReduceScatter", op, .kind = UWNCCL_REDUCE_SCATTER, .from = from, .to = to);
}
NCCL(ncclAllGather, const void *from, void *to, SIZES, WHERE) {
  return ASK("ncclAllGather", ncclSum, .kind = UWNCCL_ALL_GATHER, .from = from, .to = to);
}
NCCL(ncclAlltoAll, const void *from, void *to, SIZES, WHERE) {
  return ASK("ncclAlltoAll", ncclSum, .kind = UWNCCL_ALL_TO_ALL, .from = from, .to = to);
}
NCCL(ncclGather, const void *from, void *to, SIZES, int root, WHERE) {
  return ASK("ncclGather", ncclSum, .kind = UWNCCL_GATHER, .from = from, .to = to, .root = root);
}
NCCL(ncclScatter, const void *from, void *to, SIZES, int root, WHERE) {
  return ASK("ncclScatter", ncclSum, .kind = UWNCCL_SCATTER, .from = from, .to = to, .root = root);
}
NCCL(ncclSend, const void *from, SIZES, int peer, WHERE) {
  return ASK("ncclSend", ncclSum, .kind = UWNCCL_SEND, .from = from, .root = peer);
}
NCCL(ncclRecv, void *to, SIZES, int peer, WHERE) {
  return ASK("ncclRecv", ncclSum, .kind = UWNCCL_RECEIVE, .to = to, .root = peer);
}
