/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NCCL among processes and devices, of one machine or of several. Reading order:
 *
 *   bootstrap.c    ranks find each other: a root thread, a table of all
 *   choose.c       which engine moves the bytes of a communicator
 *
 * Between ranks of one machine, the engine "shared":
 *
 *   segment.c      a rank's shared memory, handed to all others; bells, and who is gone
 *   direct.c       memory that peers map: large collectives that copy nothing into shared buffers
 *   operation.c    one operation as a machine of steps that never waits: collectives, send, receive
 *
 * Between ranks of several, the engine "nodes":
 *
 *   nodes.c        connections that tell who is gone; a transport for all else
 *   exchange.c     one operation as sends and receives of a transport
 *   gloo.cpp       the transport Gloo, a library of its own
 *   mpi/mpi.c      the transport MPI, one for each MPI
 *
 * For both:
 *
 *   reduce.c       the arithmetic, by type
 *   batch.c        the operations of a group on one communicator: driving them, in the stream's order
 *   communicator.c made, split, left
 *   api.c          what programs call; groups
 *   memory.c       what programs call about memory
 *   parameters.c   and about variables of the environment
 *   message.c      texts of errors
 *   refused.c      what NCCL has besides
 *
 * Device memory is host memory, so an operation is copies and loops. A rank's part of it is done by whatever thread
 * drives it; a batch that waits for peers can be put down by one thread and taken up by another.
 */
#ifndef UWNCCL_INTERNAL_H
#define UWNCCL_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#include <nccl.h>
#pragma GCC visibility pop
#include "../../runtime/driver.h"
#include "transport.h"

/* What a segment looks like: ranks of other layouts refuse each other. */
#define UWNCCL_LAYOUT "unwarp NCCL 4"

enum {
  UWNCCL_RANKS_MOST = 512,
  UWNCCL_BUFFER = 1 << 20, /* bytes; two alternate, so one barrier between chunks falls away */
  UWNCCL_SLOT = 128 << 10, /* bytes of a channel between two ranks at once */
  UWNCCL_SLOTS = 2,
  UWNCCL_ONE_SHOT = 8192,  /* bytes that every rank reduces for itself: one barrier in place of two */
  UWNCCL_DIRECT = 1 << 20, /* bytes from which ranks work in each other's memory, where they can map it */
};

/* --- shared between ranks ----------------------------------------------------------------------------------------- */

/* Memory of a rank, as others find it: in the same process, or by a file. */
typedef struct uwnccl_place {
  char *address;
  uwrt_ipc_offer offer;
} uwnccl_place;

/* What a rank asks for, compared before anything is written. */
typedef struct uwnccl_asked {
  uint32_t kind, type, operator, root;
  uint64_t count;
} uwnccl_asked;

typedef struct uwnccl_wish {
  uwnccl_asked asked;
  uint64_t scalar; /* of a pre-multiplied sum, each rank its own: not compared */
  /* Of direct ones: */
  uint32_t is_offered, is_mapped; /* what others need of it; what it needs of them */
  uwnccl_place from, to;
} uwnccl_wish;

typedef struct uwnccl_offer {
  _Atomic uint64_t number; /* 1 and up */
  uint64_t bytes;
} uwnccl_offer;

/* From the segment's rank to one other. Of two messages that follow each other the offers stand side by side. */
typedef struct uwnccl_channel {
  _Alignas(64) uwnccl_offer sent[2];
  _Alignas(64) uwnccl_offer wanted[2];
  _Alignas(64) _Atomic uint64_t produced;
  _Alignas(64) _Atomic uint64_t consumed;
} uwnccl_channel;

/* stage: sequence << 32 | step. A rank publishes it alone; all others read it. */
typedef struct uwnccl_segment {
  _Alignas(64) _Atomic uint64_t stage;
  _Alignas(64) uwnccl_wish wishes[2];
  _Alignas(64) _Atomic uint32_t bell; /* a futex */
  _Atomic uint32_t sleeps;
  _Atomic int32_t core;                /* 1 and up: where its thread ran last */
  _Alignas(64) _Atomic uint32_t ended; /* left, aborted or failed: waits for it have no end */
  _Atomic uint64_t note; /* the number of the last successor that this rank told of, and where its ranks meet */
  ncclUniqueId noted;
  _Alignas(64) uwnccl_channel channels[]; /* then buffers and slots */
} uwnccl_segment;

/* --- of this process ---------------------------------------------------------------------------------------------- */

typedef struct uwnccl_peer {
  uwnccl_segment *segment;
  char *buffers, *slots;
  int pid_descriptor, socket; /* -1: none */
  int is_own, is_dead;
  char *from, *to;   /* in a direct collective */
  double gone_since; /* of several machines; 0: it is there */
  uint64_t note;     /* as in a segment; of what comes in, so many bytes are here */
  ncclUniqueId noted;
  size_t heard;
  char hearing[sizeof(uint64_t) + sizeof(ncclUniqueId)];
  uint64_t sent, received; /* messages to and from it */
  struct uwnccl_operation *sending, *receiving;
} uwnccl_peer;

typedef struct uwnccl_made_operator {
  int is_used;
  ncclDataType_t type;
  const void *device; /* null: `scalar` counts */
  uint64_t scalar;
} uwnccl_made_operator;

struct ncclComm {
  uint64_t sign; /* a live communicator */
  int rank, count, device;
  const struct uwnccl_engine *engine; /* null until ranks have met */
  struct uwnccl_nodes *nodes;         /* of that engine */
  size_t segment_bytes;
  uwnccl_peer *peers;
  _Atomic uint32_t *bell; /* changes when there may be something to see */
  _Atomic uint32_t own_bell;
  uint64_t sequence, turn; /* of collectives; of chunks */
  int spins;

  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t issued, done; /* batches, in the order of calls */
  int is_driven;         /* by some thread, now */
  int references;
  int is_blocking;
  _Atomic int aborted;
  _Atomic ncclResult_t state; /* InProgress while it is made; then what went wrong last */
  _Atomic int is_lost;        /* state is for good */
  _Atomic int is_revoked;     /* no operations any more; it may have successors */
  _Atomic int is_suspended;   /* none until it is resumed */
  uint64_t successors;        /* that were made of it by means of notes */
  uwnccl_made_operator *operators;
  int operator_count;
};

typedef enum uwnccl_kind {
  UWNCCL_BROADCAST,
  UWNCCL_REDUCE,
  UWNCCL_ALL_REDUCE,
  UWNCCL_REDUCE_SCATTER,
  UWNCCL_ALL_GATHER,
  UWNCCL_ALL_TO_ALL,
  UWNCCL_GATHER,
  UWNCCL_SCATTER,
  UWNCCL_SEND,
  UWNCCL_RECEIVE,
} uwnccl_kind;

enum { UWNCCL_PREMULTIPLIED = ncclNumOps }; /* as a wish's operator */

typedef struct uwnccl_operation {
  uwnccl_kind kind;
  const char *from;
  char *to;
  size_t count;
  ncclDataType_t type;
  uint32_t operator;
  uint64_t scalar;
  const void *device_scalar;
  int root; /* or the peer */
  cudaStream_t stream;
  /* how far it is */
  int phase;
  uint32_t chunk, before; /* steps that came before the first chunk's */
  size_t at;              /* elements; bytes of a message */
  int is_done;
  ncclResult_t result;
  struct uwnccl_work *work; /* of several machines */
} uwnccl_operation;

typedef enum { UWNCCL_WAITS, UWNCCL_MOVED, UWNCCL_ENDED } uwnccl_progress;

typedef struct uwnccl_batch {
  struct ncclComm *of;
  uint64_t ticket;
  int is_captured;
  ncclResult_t result;
  size_t count, room;
  uwnccl_operation *operations;
} uwnccl_batch;

/* How bytes move. One thread at a time drives a communicator's operations; all but `end` are called by that one. */
typedef struct uwnccl_engine {
  void (*leave)(struct ncclComm *c); /* also after a join that failed */
  void (*end)(struct ncclComm *c);   /* peers that wait for it are told; by any thread, any number of times */
  uwnccl_progress (*step)(struct ncclComm *c, uwnccl_operation *o); /* never waits */
  void (*drop)(struct ncclComm *c, uwnccl_operation *o);            /* one that will not be stepped again */
  void (*look_for_dead)(struct ncclComm *c);
  int (*waits_in_vain)(const struct ncclComm *c, const uwnccl_operation *o); /* for which rank, 1 and up; or 0 */
  int (*looks)(struct ncclComm *c);                                          /* before it sleeps */
  /* By other ways than operations, which may be broken: all ranks are told where those of a successor meet. */
  void (*tell)(struct ncclComm *c, uint64_t number, const ncclUniqueId *id);
  int (*is_told)(struct ncclComm *c, uint64_t number, ncclUniqueId *id);
  /* Until something may have moved, or so long; `bell` is as it was before the last step. */
  void (*sleep)(struct ncclComm *c, uwnccl_batch *b, uint32_t bell, double seconds);
} uwnccl_engine;
extern const uwnccl_engine uwnccl_shared, uwnccl_by_nodes;

/* reduce.c */
size_t uwnccl_size_of(ncclDataType_t type);
/* to: may be one of `from`. scalars: one for each of the `ranks`, for UWNCCL_PREMULTIPLIED. */
void uwnccl_reduce(void *to, const void *const *from, int ranks, size_t count, ncclDataType_t type, uint32_t operator,
                   const uint64_t * scalars);

/* bootstrap.c */
typedef struct uwnccl_address { /* how a rank is found, and what it is */
  char layout[32];
  uint64_t magic;
  int32_t rank, count, device, process;
  uint64_t host, process_key;
  char socket[64]; /* an abstract name, without its first zero */
  int32_t socket_bytes;
  int32_t wants;     /* of uwnccl_wanted */
  int32_t tcp_bytes; /* 0: it does not listen for ranks of other machines */
  char tcp[32];      /* its address there */
} uwnccl_address;
typedef struct uwnccl_doors {
  int local, tcp; /* listen for other ranks; -1: none */
} uwnccl_doors;
ncclResult_t uwnccl_new_id(ncclUniqueId *id, int heeds_environment);
/* Tells the root of `own` and fills `all`; the ranks' results are the same. */
ncclResult_t uwnccl_meet(const ncclUniqueId *id, uwnccl_address *own, uwnccl_address *all, const _Atomic int *aborted,
                         uwnccl_doors *doors);
/* What threads of ours need of it, which may run while the program changes it. */
void uwnccl_read_environment(void);
int uwnccl_seconds(void); /* that ranks wait for each other to come */
double uwnccl_now(void);

/* choose.c */
enum { UWNCCL_ANY, UWNCCL_SHARED, UWNCCL_GLOO, UWNCCL_MPI, UWNCCL_ENGINES };
extern const char *const uwnccl_engine_names[UWNCCL_ENGINES];
ncclResult_t uwnccl_wanted(int32_t *engine); /* as UNWARP_NCCL says */
int uwnccl_are_apart(const uwnccl_address *a, const uwnccl_address *b);
ncclResult_t uwnccl_join(struct ncclComm *c, const uwnccl_address *all, const uwnccl_doors *doors);

/* segment.c */
ncclResult_t uwnccl_open_door(uwnccl_address *own, int *door);
ncclResult_t uwnccl_join_shared(struct ncclComm *c, const uwnccl_address *all, int door);
void uwnccl_leave_shared(struct ncclComm *c);
void uwnccl_end_shared(struct ncclComm *c);
void uwnccl_ring(struct ncclComm *c, int rank);
void uwnccl_ring_all(struct ncclComm *c);
void uwnccl_look_for_dead(struct ncclComm *c);
void uwnccl_tell(struct ncclComm *c, uint64_t number, const ncclUniqueId *id);
int uwnccl_is_told(struct ncclComm *c, uint64_t number, ncclUniqueId *id);
int uwnccl_looks(struct ncclComm *c); /* none where the calling thread shares its core with one that it may wait for */
void uwnccl_sleep(struct ncclComm *c, uwnccl_batch *b, uint32_t bell, double seconds);
int uwnccl_is_gone(const struct ncclComm *c, int rank);

/* nodes.c */
typedef struct uwnccl_nodes {
  const uwnccl_transport *transport;
  void *context;
  size_t next;      /* of several messages, the one whose turn it is to be waited for */
  _Atomic int busy; /* operations that have begun and are not done */
  _Atomic int has_ended;
  /* Memory for collectives, from one to the next, as fresh pages cost as much as small ones take: for what ranks ask for, and for parts. */
  struct {
    char *memory;
    size_t bytes;
    int is_lent;
  } kept[2];
} uwnccl_nodes;
void uwnccl_open_tcp_door(const void *address, unsigned int bytes, uwnccl_address *own, int *door);
ncclResult_t uwnccl_join_nodes(struct ncclComm *c, const uwnccl_address *all, int door,
                               const uwnccl_transport *transport);

/* exchange.c */
uwnccl_progress uwnccl_exchange(struct ncclComm *c, uwnccl_operation *o);
void uwnccl_drop_work(struct ncclComm *c, uwnccl_operation *o);
void *uwnccl_awaited(const uwnccl_operation *o); /* a request of the transport's, or null */

/* direct.c */
int uwnccl_is_large(const uwnccl_operation *o);
/* In the wish: where others find its memory. */
void uwnccl_offer_places(const struct ncclComm *c, const uwnccl_operation *o, uwnccl_wish *wish);
/* Maps what it needs of the others; 0: it cannot, and nothing is mapped. */
int uwnccl_map_places(struct ncclComm *c, const uwnccl_operation *o);
void uwnccl_unmap_places(struct ncclComm *c);
/* Does the next part of what the rank does, of at most a piece; true: there is more. */
int uwnccl_work_directly(struct ncclComm *c, uwnccl_operation *o);

/* operation.c */
/* The part of `size` elements that a rank reduces, on lines of the cache. */
/* Says how what two ranks ask for differs: ncclInvalidUsage, or success where it does not. */
ncclResult_t uwnccl_compare(int own_rank, const uwnccl_asked *own, int other_rank, const uwnccl_asked *other);
uwnccl_asked uwnccl_asks(const uwnccl_operation *o);
size_t uwnccl_slice_begin(const struct ncclComm *c, const uwnccl_operation *o, size_t size, int rank);
uwnccl_wish *uwnccl_wish_of(const struct ncclComm *c, int rank); /* in the collective that runs */

/* memory.c */
ncclResult_t uwnccl_check_memory(const struct ncclComm *c, const uwnccl_operation *o, const char *name);

/* batch.c */
uwnccl_batch *uwnccl_new_batch(struct ncclComm *c);
int uwnccl_add(uwnccl_batch *b, const uwnccl_operation *o);
void uwnccl_free_batch(uwnccl_batch *b);
/* Runs or hands over, each one; takes them. */
ncclResult_t uwnccl_submit_owned(uwnccl_batch **batches, size_t count);
/* Without a stream, after all that came before; for the communicator's own needs. */
ncclResult_t uwnccl_run_now_owned(uwnccl_batch *b);

/* communicator.c */
/* Of one communicator: by itself; as a part of `parent`; or as its successor, without some ranks or with more. */
typedef struct uwnccl_making {
  struct ncclComm *fresh, *parent;
  ncclComm_t *to;
  ncclUniqueId id;
  int color, key;
  int succeeds, speaks; /* speaks: it tells the others where to meet, at `id` or, without `has_id`, at a new one */
  int has_id;
  ncclResult_t result;
} uwnccl_making;
struct ncclComm *uwnccl_new(int count, int rank, int device, const ncclConfig_t *config, const struct ncclComm *parent);
/* Side by side, as they may wait for each other. Not blocking: InProgress, and it goes on by itself. */
ncclResult_t uwnccl_make(uwnccl_making *all, size_t count);
ncclResult_t uwnccl_is_ready(const struct ncclComm *c, const char *name); /* of the function that asks */
ncclResult_t uwnccl_wait_for_all(struct ncclComm *c);                     /* that was asked of it */
void uwnccl_quit(struct ncclComm *c, int aborts);                         /* gives the handle back */
void uwnccl_revoke(struct ncclComm *c);
int uwnccl_is_live(const struct ncclComm *c);
void uwnccl_hold(struct ncclComm *c);
void uwnccl_release(struct ncclComm *c);
void uwnccl_fail(struct ncclComm *c, ncclResult_t result); /* for good, where the result is such */
void uwnccl_end(struct ncclComm *c);

/* message.c */
void uwnccl_read_level(void); /* NCCL_DEBUG, NCCL_DEBUG_FILE */
ncclResult_t uwnccl_say(ncclResult_t result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void uwnccl_inform(const struct ncclComm *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void uwnccl_tell_version(const struct ncclComm *c); /* once a process, of rank 0 */
const char *uwnccl_last_message(void);
void uwnccl_show(const char *text); /* whether it was asked for or not */

#endif
