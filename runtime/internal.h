/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of the runtime share. An API function reads the same everywhere: UWRT_ENTER first, checks with
 * UWRT_TRY and UWRT_REQUIRE, the work, and one way out through UWRT_LEAVE, which notes the thread's last error.
 *
 * Locks: each file that keeps state has one lock of its own and holds it for a look-up or an update, never across a
 * kernel or a callback. allocations.c and registry.c take no other lock while they hold theirs.
 *
 * Ownership: what a _find function fills in is a copy; nothing here hands out a pointer into its own state.
 */
#ifndef UWRT_INTERNAL_H
#define UWRT_INTERNAL_H

#include <stdatomic.h>

#pragma GCC visibility push(default)
#include "../include/cuda_runtime_api.h"
#include "lent.h"
#include "uwrt.h"
#pragma GCC visibility pop

#ifndef __x86_64__
#include <ucontext.h>
#endif

#define UWRT_ENTER                                                                                                     \
  cudaError_t error = uwrt_sticky_error();                                                                             \
  if (error != cudaSuccess)                                                                                            \
  goto out
#define UWRT_ENTER_ANYWAY cudaError_t error = cudaSuccess /* for what asks nothing of a device that may be lost */
#define UWRT_TRY(call)                                                                                                 \
  do {                                                                                                                 \
    error = (call);                                                                                                    \
    if (error != cudaSuccess)                                                                                          \
      goto out;                                                                                                        \
  } while (0)
#define UWRT_REQUIRE(condition, code)                                                                                  \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      error = (code);                                                                                                  \
      goto out;                                                                                                        \
    }                                                                                                                  \
  } while (0)
#define UWRT_LEAVE                                                                                                     \
  out:                                                                                                                 \
  return uwrt_note_error(error)

/* crew.c: of the calling thread; 1 if none is open. */
int uwrt_crew_size(void);
int uwrt_crew_left_out(void); /* does this thread run a share that it has for itself, though a crew is open? */
int uwrt_crew_waits(void);    /* wide awake for a share, so that short ones pay too? */

/* ordered.c: the sum's bits; bytes: of a value. is_shared: by the calling thread's crew, which must not be in a share.
 * Registers of at most so many bytes are used: fewer in tests. */
extern unsigned int uwrt_ordered_widest;
uint64_t uwrt_ordered(unsigned int bytes, const void *numbers, size_t count, uint64_t sum, int is_shared);

/* Are the other workers of the calling thread's crew through with its share? 0 where there is no crew, or not known. */
int uwrt_crew_others_done(void);

/* bulk.c: moves the bytes of a box of so many bytes a row, rows a slice and slices, none of them 0, or fills it with
 * elements of 1, 2 or 4 bytes, which are the low ones of value. */
typedef struct uwrt_rows { /* rows are pitch bytes apart, slices are slice bytes apart */
  unsigned char *start;
  size_t pitch, slice;
} uwrt_rows;
typedef struct uwrt_bulk {
  uwrt_rows to, from; /* from.start null: a fill */
  size_t width, height, depth;
  unsigned int value, element;
} uwrt_bulk;
void uwrt_bulk_run(uwrt_bulk bulk);
extern _Thread_local const uwrt_bulk *uwrt_moving; /* what the calling thread is at; for a fault's handler */

/* appends.c: in a thread that copies what it gathered for a queue, where the source appends to that; else null. */
const char *uwrt_appends_copied(void);

/* error.c */
cudaError_t uwrt_sticky_error(void);
cudaError_t uwrt_note_error(cudaError_t error); /* returns what it is given */
int uwrt_set_sticky_error(cudaError_t error);   /* the first one stays: whether this is it */
void uwrt_clear_sticky_error(void);
void uwrt_note_count(void); /* of devices, by the program */
void uwrt_note_use(void);   /* of the runtime API by the program, unless a call of the driver's is what uses it */
void uwrt_count_driver_calls(int more); /* of the calling thread, that are not over */

/* table.c: a map from addresses to addresses. The caller locks. A zeroed table is an empty one. */
typedef struct uwrt_table_entry {
  const void *key;
  void *value;
} uwrt_table_entry;
typedef struct uwrt_table {
  uwrt_table_entry *entries;
  size_t capacity; /* a power of two, or 0 */
  size_t count;
} uwrt_table;
void *uwrt_table_find(const uwrt_table *table, const void *key);
int uwrt_table_insert(uwrt_table *table, const void *key, void *value); /* 0 when out of memory */
void *uwrt_table_remove(uwrt_table *table, const void *key);
void uwrt_table_free(uwrt_table *table);

/* machine.c: what this machine is. */
typedef struct uwrt_machine {
  char name[256];
  int cores;
  int clock_khz;
  int cache_bytes; /* the last level */
  size_t memory_bytes;
  size_t first_resident_bytes; /* of this process, when it was first asked */
} uwrt_machine;
const void *uwrt_first_cores(void); /* that the process could use when it started: a cpu_set_t */
const uwrt_machine *uwrt_this_machine(void);
int uwrt_cores_now(void);              /* that the calling thread may run on */
int uwrt_persisting_cache_bytes(void); /* what a program may ask to keep in the cache; asking is a hint */
size_t uwrt_memory_available(void);    /* bytes that can be had now without swapping */
size_t uwrt_memory_growth(void);       /* bytes of memory in use by this process, more than when it first asked */

/* device.c */
#define UWRT_DEVICE_MOST 32
#define UWRT_MAX_THREADS 1024
#define UWRT_SHARED_OPTIN (163u * 1024)
#define UWRT_SHARED_MULTIPROCESSOR (164u * 1024)
#define UWRT_SHARED_RESERVED 1024u
#define UWRT_MAX_PITCH 2147483647u

void uwrt_device_uuid(int part, unsigned char bytes[16]); /* of a part of the machine */

/* visible.c */
typedef struct uwrt_layout {
  int count;                            /* of devices that the program sees: 0 or more */
  int parts;                            /* that the machine is in */
  int is_launched;                      /* as many as ranks: what this process has is not shared out again */
  int is_numa;                          /* as many as NUMA nodes, with the cores and the memory of these */
  unsigned char part[UWRT_DEVICE_MOST]; /* which part each device is */
} uwrt_layout;
const uwrt_layout *uwrt_device_layout(void);

/* numa.c: of a layout that is_numa. find: once, before all others; how many nodes, or it ends the program. */
int uwrt_numa_find(void);
int uwrt_numa_cores(int part);
int uwrt_numa_workers(int part, int all); /* of all that may run */
size_t uwrt_numa_memory(int part, size_t all);
void uwrt_numa_enter(int part, int workers); /* this thread and its workers run there, until it leaves */
void uwrt_numa_leave(void);
void uwrt_numa_place(int part, void *start, size_t bytes); /* pages that nothing has touched yet */

/* workers.c */
long uwrt_ranks_here(void); /* that a launcher has started on this machine; 0: nobody says */
int uwrt_rank_cores(int cores);

/* devices.c */
int uwrt_device_count(void);
/* The device whose variables stand where the program has them, so that they have addresses: the first one, or of a
 * launcher's ranks the one that the process uses first, `asking` if none was. */
int uwrt_device_home(int asking);
int uwrt_device_workers(int device);     /* threads of its kernels */
int uwrt_device_memory_part(int device); /* which of the machine's parts its memory is in, where that is told apart */
int uwrt_device_exists(int device);
int uwrt_current_device(void);          /* of the calling thread */
const void *uwrt_current_context(void); /* of the calling thread; null: the primary one of its device */
int uwrt_device_cores(int device);
size_t uwrt_device_memory(int device);
int uwrt_device_enter(int device); /* before a kernel of that device: its threads, its variables */
void uwrt_device_leave(int entered);
void uwrt_device_stay(int entered); /* this thread leaves; the kernel stays, and calls uwrt_variables_leave */
void uwrt_peers_reset(int device);

/* variables.c: the values of device variables, where there are several devices. */
void uwrt_variables_add(void *place, size_t bytes);
void uwrt_variables_remove(void *place);
void uwrt_variables_enter(int device); /* until it leaves, variables have this device's values */
void uwrt_variables_leave(void);
void uwrt_variables_reset(int device);

/* settings.c */
void uwrt_settings_reset(int device);

/* allocations.c: every range of memory that the API knows, by address. */
typedef enum uwrt_space {
  UWRT_SPACE_DEVICE = 1,
  UWRT_SPACE_MANAGED = 2,
  UWRT_SPACE_HOST = 4,       /* cudaHostAlloc */
  UWRT_SPACE_REGISTERED = 8, /* cudaHostRegister */
  UWRT_SPACE_VARIABLE = 16,
  UWRT_SPACE_MANAGED_VARIABLE = 32,
  UWRT_SPACE_GRAPH = 64,  /* of a graph's allocation node: device memory that comes and goes */
  UWRT_SPACE_MAPPED = 128 /* virtual memory of the driver API, which maps and unmaps it */
} uwrt_space;
/* heap.c: where an allocation's bytes and the guard after them are. */
typedef struct uwrt_block {
  void *start;
  size_t room;   /* bytes, with the guard; 0: memory that is not of the heap */
  void *mapping; /* of a large one */
  size_t mapped;
  int part; /* the NUMA node's whose memory it is, where devices are nodes; else 0 */
} uwrt_block;
int uwrt_heap_take(size_t bytes, int part, uwrt_block *block);
void uwrt_heap_give(const uwrt_block *block);
void uwrt_heap_chunk(const void *slot, uintptr_t *start,
                     uintptr_t *end); /* the mapping that a block without one of its own is in */

typedef struct uwrt_allocation {
  uintptr_t base;
  size_t bytes;
  uwrt_space space;
  unsigned int flags;              /* those it was made with */
  cudaMemPool_t pool;              /* of stream ordered memory, else null */
  struct uwrt_graph_memory *graph; /* of a graph's memory, else null */
  int device;                      /* that was the current one */
  const void *context;             /* of the driver API, that was current; null: its device's primary one */
  uwrt_block block;
} uwrt_allocation;
cudaError_t uwrt_allocation_add(const uwrt_allocation *allocation); /* refuses an overlap as InvalidValue */
int uwrt_allocation_find(const void *address, uwrt_allocation *found);
int uwrt_allocation_before(const void *address,
                           uwrt_allocation *found); /* the last that starts at or before it; for a fault's handler */
int uwrt_allocation_after(uintptr_t address, uwrt_allocation *found); /* the first that starts after it */
int uwrt_allocation_overlaps(const void *address, size_t bytes);
void uwrt_allocation_forget_registered(const void *address, size_t bytes);
int uwrt_allocation_take(const void *base, unsigned int spaces, uwrt_allocation *taken);
/* Of a context, or of the primary one of the device where that is null. */
int uwrt_allocation_take_any(unsigned int spaces, int device, const void *context, uwrt_allocation *taken);
size_t uwrt_allocation_count(void);
size_t uwrt_allocation_bytes(int device); /* of memory that the runtime itself allocated */

/* guards.c. `when` is for a message: "by cudaFree". */
void uwrt_guard_front(void *start); /* of the first block of its kind */
void uwrt_guard_set(const uwrt_allocation *allocation);
int uwrt_guard_check(const uwrt_allocation *allocation, const char *when); /* 0 after a message */
void uwrt_guards_look(void);
#define UWRT_RECENT 4u
typedef struct uwrt_recent_kernels {
  const void *stubs[UWRT_RECENT];
  unsigned int count;
} uwrt_recent_kernels;
extern _Thread_local uwrt_recent_kernels uwrt_recent;
static inline void uwrt_note_kernel(const uwrt_kernel *kernel) {
  uwrt_recent.stubs[uwrt_recent.count++ % UWRT_RECENT] = kernel->stub;
}

/* watch.c: what a thread that launches is at, for the thread that tells of kernels that do not end. */
typedef struct uwrt_run {
  _Atomic(const void *) stub; /* null: no kernel, or one that waits for the host */
  atomic_uint number;         /* another one for each launch */
  int known;                  /* to the watcher, whose the rest is */
  unsigned int seen, looks;   /* the number at its last look, and how often it was that */
  struct uwrt_run *next;
} uwrt_run;
extern _Thread_local uwrt_run uwrt_own_run;
void uwrt_watch_thread(void);                      /* the calling one */
static inline void uwrt_run_is(const void *stub) { /* what uwrt_run_begins gave */
  atomic_store_explicit(&uwrt_own_run.stub, stub, memory_order_relaxed);
}
/* Gives what the calling thread ran till now, and goes on with after uwrt_run_is(that). */
static inline const void *uwrt_run_begins(const uwrt_kernel *kernel) {
  uwrt_run *own = &uwrt_own_run;
  const void *outer = atomic_load_explicit(&own->stub, memory_order_relaxed);
  if (__builtin_expect(!own->known, 0))
    uwrt_watch_thread();
  atomic_store_explicit(&own->number, atomic_load_explicit(&own->number, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  uwrt_run_is(kernel->stub);
  return outer;
}

/* The checker (-fcheck), if the program has one: what it is told. */
struct uwrt_running;
struct uwrt_bulk;
typedef enum uwrt_order {
  UWRT_ORDER_RECORD,      /* the event is after the stream's work */
  UWRT_ORDER_WAIT,        /* the stream's next work is after the event */
  UWRT_ORDER_HOST_STREAM, /* the host waited for the stream */
  UWRT_ORDER_HOST_EVENT,  /* for the event */
  UWRT_ORDER_HOST_ALL     /* for the device */
} uwrt_order;
typedef struct uwrt_checker {
  void (*allocated)(const uwrt_allocation *allocation);
  int (*freed)(const uwrt_allocation *allocation, int by_reset); /* whether it keeps the memory */
  void (*not_freed)(const void *memory);                         /* as there is nothing to free */
  void (*moves)(const struct uwrt_bulk *bulk);                   /* before bytes move */
  void (*refused)(const void *start, size_t bytes);              /* a copy or fill there */
  void (*forgets)(const void *start, size_t bytes); /* shared memory that goes back to where others get theirs */
  void (*launch_begins)(const struct uwrt_running *launch), (*launch_ends)(const struct uwrt_running *launch);
  void *(*use)(void *block); /* the block that the thread runs; gives the one before */
  void (*work_begins)(cudaStream_t stream),
      (*work_ends)(void); /* what the calling thread does in between is the stream's */
  void (*orders)(uwrt_order what, cudaStream_t stream, cudaEvent_t event);
  void (*not_launched)(const struct uwrt_running *launch, cudaError_t error), (*error_asked)(void);
  void (*part)(uwrt_part what, const void *start, size_t bytes, const char *name); /* lent.h */
  void (*dies)(int number);   /* this signal ends the program: after what the runtime says of it */
  void (*signal)(int number); /* its own handler, for those that have none */
} uwrt_checker;
extern const uwrt_checker *uwrt_checks;              /* null: there is none */
void uwrt_checks_begin(const uwrt_checker *checker); /* lent.c */
enum { UWRT_CHECK_PAGE = 1 << 16 };                  /* what it knows of memory it has in pages of so many bytes */
static inline void uwrt_note_order(uwrt_order what, cudaStream_t stream, cudaEvent_t event) {
  if (uwrt_checks)
    uwrt_checks->orders(what, stream, event);
}

/* ipc.c */
int uwrt_ipc_is_shared(const void *address);             /* on pages that are in a file for other processes? */
void uwrt_ipc_forget(const uwrt_allocation *allocation); /* before its block goes back */
typedef struct uwrt_shared_event {
  _Atomic uint64_t recorded, reached; /* how often, by whomever; the last of these that was reached */
} uwrt_shared_event;
uwrt_shared_event *uwrt_shared_event_create(int *file);
void uwrt_shared_event_destroy(uwrt_shared_event *event, int file);
int uwrt_shared_event_reached(const uwrt_shared_event *event, uint64_t recording);
void uwrt_shared_event_wait(const uwrt_shared_event *event, uint64_t recording);
void uwrt_shared_event_reach(uwrt_shared_event *event, uint64_t recording);

/* memory.c */
int uwrt_memory_is_watched(void); /* by a tool that knows malloc's memory: then the heap is that */
cudaError_t uwrt_memory_allocate(void **memory, size_t bytes, uwrt_space space, unsigned int flags, int device,
                                 cudaMemPool_t pool);
cudaError_t uwrt_memory_free(void *memory, unsigned int spaces);         /* only memory of these spaces */
int uwrt_memory_fits(size_t bytes, int device);                          /* would so many be granted now? */
void uwrt_memory_reset(int device, const void *context, const char *by); /* of that context; by: for messages */

/* advice.c */
int uwrt_is_managed(const void *pointer, size_t bytes); /* what prefetches and advice may be given for */
void uwrt_advice_forget(uintptr_t start, size_t bytes); /* managed memory is freed */

/* graph_memory.c */
cudaError_t uwrt_graph_memory_unmap(struct uwrt_graph_memory *memory);
uint64_t uwrt_graph_memory_bytes(int device); /* in use */

/* capture.c. These come before a call's work: an error is for the caller, and the captures that the call met are
 * lost. */
cudaError_t uwrt_capture_unsafe(void); /* a call that may not be made while others capture */
/* A call that waits for its work in the default stream cannot be captured, and disturbs a capture as any such call
 * does. */
#define UWRT_WAITING(call) (uwrt_note_error(uwrt_capture_waiting()) == cudaSuccess ? (call) : cudaPeekAtLastError())
static inline cudaError_t uwrt_capture_waiting(void);
cudaError_t uwrt_capture_none(void);                                     /* one that concerns all streams */
cudaError_t uwrt_capture_unsupported(cudaStream_t stream);               /* one that no capturing stream can take */
cudaError_t uwrt_capture_event(cudaEvent_t event);                       /* one that asks an event how far it is */
cudaError_t uwrt_capture_record(cudaEvent_t event, cudaStream_t stream); /* the stream is capturing */
cudaError_t uwrt_capture_wait(cudaStream_t stream, cudaEvent_t event);
void uwrt_capture_forget_event(cudaEvent_t event);
void uwrt_capture_forget_stream(cudaStream_t stream);
void uwrt_capture_reset(int device);
void uwrt_capture_spoil(cudaStream_t stream); /* whatever the error was */

/* graph.c, graph_exec.c */
void uwrt_graph_reset(int device);
void uwrt_exec_reset(int device);

/* pool.c */
void uwrt_memory_give_back(const uwrt_allocation *allocation); /* its bytes, to the heap; memory.c */
int uwrt_pool_reuse(cudaMemPool_t pool, size_t bytes,
                    uwrt_block *block); /* takes one that the pool keeps, if it has one */
/* Memory of its pool is free: the pool keeps it, or gives it back. quarantined: it is the checker's. */
void uwrt_pool_returned(const uwrt_allocation *gone, int quarantined);
void uwrt_pool_synchronised(void); /* pools give back what they keep above their thresholds */
void uwrt_pool_reset(int device);

/* array.c, texture.c; texture.h has the rest */
void uwrt_array_reset(int device, const void *context);
void uwrt_texture_reset(void);

/* registry.c */
typedef struct uwrt_kernel_settings {
  int dynamic_shared; /* bytes that a launch may ask for */
  int carveout;
  int architecture;   /* what its PTX was made for, 90 of sm_90; 0: it is not from PTX */
  int cluster[3];     /* that its launches must have, x first; 0: none is said */
  int large_clusters; /* of more than 8 blocks */
} uwrt_kernel_settings;
int uwrt_kernel_find(const void *stub, const uwrt_kernel **kernel, uwrt_kernel_settings *settings);
int uwrt_kernel_set_dynamic_shared(const void *stub, int bytes);
int uwrt_kernel_set_carveout(const void *stub, int carveout);
int uwrt_kernel_set_cluster(const void *stub, int dimension, int blocks);
int uwrt_kernel_allow_large_clusters(const void *stub, int allowed);
extern _Atomic int uwrt_clusters_are_set; /* by one of the two, of any kernel */
void uwrt_kernel_settings_reset(void);
int uwrt_variable_find(const void *address, size_t *bytes);
/* As uwrt_register; architecture: what the module's kernels were made for, known when they can be found. */
void uwrt_register_made_for(const uwrt_module *module, int architecture);

/* fat_binaries.c: of what nvcc's host code registered. */
int uwrt_fat_kernel(const void *stub);        /* 1: the registry knows it now */
cudaError_t uwrt_fat_error(const void *stub); /* why it does not */
const void *
uwrt_symbol_place(const void *symbol); /* of a shadow, the variable's address in its module; else the same */

/* occupancy.c */
unsigned int uwrt_blocks_per_multiprocessor(const uwrt_kernel *kernel, const uwrt_kernel_settings *settings,
                                            uint64_t threads, uint64_t dynamic_shared);

/* stream.c, event.c */
int uwrt_stream_exists(cudaStream_t stream);
unsigned long long uwrt_stream_id(cudaStream_t stream);
int uwrt_stream_is_legacy(cudaStream_t stream);
int uwrt_stream_is_blocking(cudaStream_t stream); /* the legacy stream and this one wait for each other */
int uwrt_stream_device(cudaStream_t stream);      /* -1: no such stream */
const void *uwrt_stream_key(cudaStream_t stream); /* of one stream: each thread has its own per-thread one */
void uwrt_stream_reset(int device);
cudaError_t uwrt_event_record(cudaEvent_t event); /* now */
uint64_t uwrt_event_recording(cudaEvent_t event); /* the work that records it; 0: none */
int uwrt_event_exists(cudaEvent_t event);
int uwrt_event_file(cudaEvent_t event); /* that it shares with other processes, or -1 */
struct uwrt_shared_event;
cudaError_t uwrt_event_of_others(cudaEvent_t *event, struct uwrt_shared_event *shared); /* that they share */
void uwrt_event_wait_for_others(cudaEvent_t event); /* till its last recording is reached, wherever that was made */
int uwrt_event_device(cudaEvent_t event);           /* -1: no such event */
void uwrt_event_reset(int device);

/* scratch.c: where uwrt_scratch_alloc takes memory from. A zeroed one is empty. */
#define UWRT_SCRATCH_CHUNKS 40
typedef struct uwrt_scratch {
  uint64_t offset; /* in the current chunk */
  unsigned int index;
  struct {
    unsigned char *memory;
    uint64_t bytes;
  } chunks[UWRT_SCRATCH_CHUNKS];
} uwrt_scratch;
int uwrt_scratch_has(const void *address); /* is it in memory that the calling thread has? */
uwrt_scratch *
uwrt_scratch_use(uwrt_scratch *scratch); /* for the calling thread; null: its own. Gives the one before. */

/* stack.c: where code on one of several stacks goes on. */
typedef struct uwrt_stack_place {
#ifdef __x86_64__
  void *top;
#else
  ucontext_t context;
#endif
} uwrt_stack_place;
/* Goes on at `to`; comes back when somebody switches to `save`. */
void uwrt_stack_switch(uwrt_stack_place *save, const uwrt_stack_place *to);
/* Makes a place from which run(argument) starts; it may never return. */
void uwrt_stack_prepare(uwrt_stack_place *place, void *stack, size_t bytes, void (*run)(void *), void *argument);

/* fiber.c: code that can stop in the middle. Resume runs it up to its next pause and gives what that said. */
typedef struct uwrt_fiber uwrt_fiber;
enum {
  UWRT_FIBER_FINISHED, /* as when run returns; never resumed */
  UWRT_FIBER_WAITS,    /* for the whole grid */
  UWRT_FIBER_MEETS,    /* for the blocks of its cluster */
  UWRT_FIBER_SPINS     /* for something that others write */
};
uwrt_fiber *uwrt_fiber_take(void (*run)(void *), void *argument);
uwrt_fiber *uwrt_fiber_take_here(void (*run)(void *),
                                 void *argument); /* its place is that of the code which asks for it */
void uwrt_fiber_give(uwrt_fiber *fiber);          /* back, finished */
int uwrt_fiber_resume(uwrt_fiber *fiber);
void uwrt_fiber_pause(int news);
void *uwrt_fiber_argument(void);          /* of the one that runs; null where none does */
int uwrt_fiber_runs(void (*run)(void *)); /* whether one does, and that function */

/* grid.c: kernels whose blocks wait for each other; the launch must live as long. One thread at a time. */
typedef struct uwrt_grid uwrt_grid;
struct uwrt_running;
uwrt_grid *uwrt_grid_begin(const struct uwrt_running *launch);
int uwrt_grid_go(uwrt_grid *grid);   /* 1: it is finished; 0: none of its blocks gets any further for now */
int uwrt_grid_look(uwrt_grid *grid); /* the calling thread tries each block once; whether one got further */
int uwrt_grid_naps(uwrt_grid *grid); /* whether a block slept since the last time */
_Noreturn void uwrt_grid_give_up(uwrt_grid *grid); /* lets a block that waits say so and end the process */
void uwrt_grid_end(uwrt_grid *grid);
/* The running block, in its own name: it got further; it waits, and other blocks have their turn. Gives whether that is
 * hopeless. */
void uwrt_grid_moved(void);
int uwrt_grid_let_others_run(int naps);
void uwrt_grid_give_turn(void); /* it goes on for long: others have their turn whatever it does */

/* cluster.c. Size: of a cluster of a launch. Block: the number of the block that stands in this place where clusters come
 * one after the other. */
typedef struct uwrt_cluster {
  unsigned int size, waiting, finished; /* blocks */
  unsigned char *memory;                /* a window for each rank, once one has asked for it */
  uint64_t stride, room;                /* of these, and bytes that there are */
} uwrt_cluster;
unsigned int uwrt_cluster_size(const uint32_t cluster[3]);
void uwrt_cluster_free(void *memory, uint64_t bytes);
uint64_t uwrt_cluster_block(const uwrt_dims *dims, uint64_t place);
void uwrt_know_cluster(const uwrt_kernel *kernel, uwrt_dims *dims); /* launch.c */
uwrt_cluster *uwrt_grid_cluster(unsigned int *rank); /* of the block whose code runs; null: on no fiber. grid.c */

/* threads.c: a thread waits, and other threads of its block have their turn. Gives whether that is hopeless; -1 where
 * there are none to wait with. for_block: they alone can end its wait. */
int uwrt_thread_pause(int for_block, int naps);
void uwrt_thread_give_turn(void); /* it, or its block, goes on for long */

/* clock.c */
uint64_t uwrt_nanoseconds(void); /* monotonic */

/* fault.c: the message when a kernel faults. */
void uwrt_watch_faults(void);
/* The best of these levels (bit n: level n) that this CPU and the environment allow; 0: none. */
int32_t uwrt_pick_level(uint32_t levels);
uwrt_place *uwrt_place_here(void); /* what uwrt_enter gives: of the fiber or else of the thread that runs */
uwrt_place *uwrt_place_use(uwrt_place *of_a_fiber); /* null: the thread's. Gives the one before. */
#define uwrt_own_place (*uwrt_place_here())
const char *uwrt_kernel_shown(const uwrt_kernel *kernel);
/* Says on stderr what happened in the kernel that this thread is in, at a call of the runtime that returns to
 * caller. */
void uwrt_report_in_kernel(const char *what, const void *caller, const char *places);

/* Says on stderr that a launch of the kernel has run for so many seconds and still does. */
void uwrt_report_endless(const uwrt_kernel *kernel, double seconds);

/* driver.c: a function of libcuda, in its newest form; null: there is no libcuda. */
void (*uwrt_driver_function(const char *name))(void);

/* replay.c: this process is a copy that runs a block again, to find a thread. What reaches out of the block must not be
 * done. */
extern int uwrt_replaying;

/* nested.c: what a running kernel asks of streams. */
typedef struct uwrt_pending_list {
  struct uwrt_pending *first, *last;
  uint64_t count, asked; /* how many there are, and ever were */
} uwrt_pending_list;
struct uwrt_work;
int uwrt_in_kernel(void);    /* is the calling thread? */
int uwrt_has_children(void); /* and is something put off? */
/* These are for a thread in a kernel. */
cudaError_t uwrt_put_off(cudaStream_t stream, const struct uwrt_work *work);
void uwrt_order_children(void); /* an event may order the streams of this grid */
void uwrt_finish_own_children(void);

/* trace.c. Every launch that runs has such a record, which its dims name. */
typedef struct uwrt_running {
  uwrt_dims dims;
  const uwrt_kernel *kernel;
  cudaStream_t stream;
  void **args;        /* as the entry gets them; null where they are not known */
  uint64_t started;   /* 0: not traced */
  unsigned int depth; /* 0: launched by the host */
  int ordered;
  uwrt_pending_list children, tail; /* what its blocks put off */
  const uwrt_kernel *joined;        /* each block goes on with this one's of the same index; or null */
} uwrt_running;
void uwrt_finish_children(uwrt_running *finished); /* nested.c */
extern atomic_int uwrt_tracing;
extern _Atomic int uwrt_keeps_launches; /* has a capture or a record ever begun, whose launches run again? */
uint64_t uwrt_trace_now(void);
/* The time, or 0 when nothing is traced. */
static inline uint64_t uwrt_trace_start(void) {
  return __builtin_expect(atomic_load_explicit(&uwrt_tracing, memory_order_relaxed), 0) ? uwrt_trace_now() : 0;
}
void uwrt_trace_launch(const uwrt_running *launch, const char *fault); /* fault: what ended it, or null */
void uwrt_trace_plain(const uwrt_kernel *kernel);                      /* plain.c */
void uwrt_trace_bytes(uint64_t started, const char *what, uint64_t bytes, cudaStream_t stream);
/* trace_totals.c. The table is written at the end of the process; as a report (UNWARP_TRACE=report), with where
 * things came from. */
typedef enum uwrt_origin {
  UWRT_COPIED, /* and filled */
  UWRT_OWN,    /* kernels that unwarp compiled with the program */
  UWRT_PTX,
  UWRT_LIBRARY,
  UWRT_COMPILED, /* meanwhile */
  UWRT_REFUSED,
  UWRT_ORIGINS
} uwrt_origin;
void uwrt_trace_add(uwrt_origin origin, const char *name, uint64_t nanoseconds);
extern int uwrt_trace_reports; /* is the table one? */

/* aside.c: work that is not finished when the call that asked for it returns. All is, but for kernels that wait for
 * what the host will do, and what is given to streams after those. Each has a number, in the order in which it was
 * asked for. */
extern atomic_uint uwrt_aside_count; /* how many works are not finished */
static inline int uwrt_any_aside(void) {
  return __builtin_expect(atomic_load_explicit(&uwrt_aside_count, memory_order_acquire) != 0, 0);
}
int uwrt_is_after(cudaStream_t stream);      /* would work that it is given now have to wait? */
int uwrt_is_unfinished(cudaStream_t stream); /* has it work that is not finished? */
int uwrt_is_aside(uint64_t number);          /* is that work not finished? */
/* These wait, and give the error of what went wrong meanwhile: for all of the device, for what is in the stream, until
 * the stream is not after, for one work. */
cudaError_t uwrt_wait_for_device(void);
cudaError_t uwrt_wait_for_stream(cudaStream_t stream);
cudaError_t uwrt_wait_for_turn(cudaStream_t stream);
cudaError_t uwrt_wait_for_work(uint64_t number);
void uwrt_aside_held_up(int begins);             /* this thread begins to wait for what kernels hold, or ends it */
void uwrt_aside_forget_event(cudaEvent_t event); /* it is gone, or recorded again: what waits does not record it */
void uwrt_grid_run(const uwrt_running *launch);  /* to its end, on the calling thread */
static inline cudaError_t uwrt_capture_waiting(void) {
  cudaError_t error = uwrt_capture_unsafe();
  return error == cudaSuccess ? uwrt_wait_for_turn(NULL) : error;
}

/* launch.c: checks and runs a kernel by its stub. Returns an error without noting it. */
cudaError_t uwrt_launch(const void *stub, const uwrt_dims *dims, void **args, cudaStream_t stream);

/* report.c: the end of a process that cannot go on. Writes the message to stderr and aborts. */
_Noreturn void uwrt_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void uwrt_wait_is_hopeless(const void *caller,
                                     const char *places); /* in a kernel, as a call that returns to caller */
double uwrt_wait_limit(void); /* seconds that a kernel may wait while the program waits for it; 0: without end */

#endif
