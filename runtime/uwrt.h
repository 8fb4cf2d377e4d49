/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The contract between compiled code and the runtime: what an object file registers when it is loaded, how a kernel
 * is entered, and what a running kernel may call. Programs never include this; compiler/ emits calls to these names
 * and runtime/ defines them. A change here is a change on both sides, and bumps UWRT_ABI_VERSION.
 */
#ifndef UWRT_H
#define UWRT_H

#include <stddef.h>
#include <stdint.h>

#include "../include/unwarp/texture_object.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UWRT_ABI_VERSION 13

#ifdef __cplusplus
#define UWRT_THREAD_LOCAL thread_local
#else
#define UWRT_THREAD_LOCAL _Thread_local
#endif

/* Bytes of shared memory that a block may have: declared in the source, and dynamic ones before the program opts in to
 * more. */
#define UWRT_SHARED_DEFAULT (48u * 1024)

/* The shape of one launch. Extents are in blocks and in threads, x first; shared_bytes is the dynamic part only.
 * cooperative: launched by cudaLaunchCooperativeKernel or its like. block_number: the block that the entry is called
 * for, x fastest; only for kernels with UWRT_KERNEL_BLOCKS_WAIT. cluster: the extents of a cluster in blocks, which
 * divide the grid's; 0: the launch has none, and each block is alone. running is the runtime's own. */
typedef struct uwrt_dims {
  uint32_t grid[3];
  uint32_t block[3];
  uint64_t shared_bytes;
  uint64_t block_number;
  uint32_t cooperative;
  uint32_t cluster[3];
  const struct uwrt_running *running;
} uwrt_dims;

/* Runs every block of the grid and returns when all are finished; with UWRT_KERNEL_BLOCKS_WAIT, runs one block. args[i]
 * points to the i-th parameter's value, exactly as cudaLaunchKernel gets them. dims are valid: the runtime has checked
 * them. */
typedef void (*uwrt_entry)(const uwrt_dims *dims, void **args);

/* One kernel of an object file. The record is static and lives as long as its object is loaded. Where there are entries
 * for several levels it can be written, and uwrt_register makes the one for the level that runs its entry. */
typedef struct uwrt_kernel {
  const void *stub; /* the host function that <<<>>> and cudaLaunchKernel name */
  const char *name; /* mangled device name */
  uwrt_entry entry;
  uint64_t static_shared_bytes;
  uint32_t max_threads; /* __launch_bounds__, or 0 for the device's limit */
  uint32_t flags;       /* UWRT_KERNEL_* */
  uint32_t param_count;
  const uint32_t *param_sizes;   /* bytes, param_count of them */
  const char *shown;             /* what people call it: the name as C++ writes it, or null */
  const uint32_t *param_offsets; /* in the buffer of a launch by another kernel, param_count of them */
  uwrt_entry replay; /* runs the block that dims name and notes its threads, for the message when one faults; or null */
  const uwrt_entry *entries; /* for each of the module's levels, from the lowest; null: there is one */
  const uint32_t *shape;     /* the only one of blocks that the entry is for (PTX's .reqntid), x first; null: any */
  const uint32_t *cluster;   /* the only one of clusters (__cluster_dims__), x first; null: any */
} uwrt_kernel;

enum {
  UWRT_KERNEL_BLOCKS_WAIT = 1, /* blocks wait for each other: calls uwrt_grid_sync, uwrt_yield or uwrt_cluster_* */
  UWRT_KERNEL_SYCL = 2,        /* not CUDA's limits on extents and shared memory: sycl/ has looked at them */
  UWRT_KERNEL_ALONE = 4,       /* came without a host side: PTX or NVVM IR */
  UWRT_KERNEL_LIBRARY = 8,     /* an operation of a library (libraries/common/library.h) */
  UWRT_KERNEL_SYCL_RANGE = 16, /* with UWRT_KERNEL_SYCL: its work-groups are ours, not the program's */
  UWRT_KERNEL_MEETS = 32       /* calls uwrt_grid_sync */
};

/* One __device__, __constant__ or __managed__ variable. The host shadow and the device variable are one object. */
typedef struct uwrt_variable {
  void *address;    /* what the host's & of the shadow gives */
  const char *name; /* mangled */
  uint64_t bytes;
  uint32_t flags; /* UWRT_VARIABLE_* */
} uwrt_variable;

enum {
  UWRT_VARIABLE_CONSTANT = 1,
  UWRT_VARIABLE_MANAGED = 2,
  UWRT_VARIABLE_EXTERN = 4,
  UWRT_VARIABLE_HIDDEN = 8,     /* known to device code alone: no symbol, but of each device its own */
  UWRT_VARIABLE_REFERENCE = 16, /* a texture or surface reference: bound once for all devices */
  UWRT_VARIABLE_FIXED = 32 /* code counts on what it was initialised with: not to be found by a text that is its name */
};

typedef struct uwrt_module {
  uint32_t abi_version;
  uint32_t kernel_count;
  uint32_t variable_count;
  uint32_t levels; /* of x86-64 that kernels are there for, bit n for level n; 0: for one */
  const uwrt_kernel *kernels;
  const uwrt_variable *variables;
  int32_t *level; /* where uwrt_register says which of these levels runs; or null */
} uwrt_module;

/* Called by a constructor (and destructor) of each object with device code. A kernel whose stub is registered already
 * (a template instantiated in several files) keeps its first entry. Aborts with a message on another ABI version.
 *
 * The last thing that a linker says of an object without the runtime is that the second is undefined, as where the CUDA
 * SDK's libcudart was linked: so its name says what to do. */
#define uwrt_unregister uwrt_is_missing__link_by_unwarp_or_with_the_lib64_beside_it_in_place_of_the_CUDA_SDK
#define UWRT_UNREGISTER UWRT_TEXT(uwrt_unregister)
#define UWRT_TEXT(name) UWRT_TEXT_OF(name)
#define UWRT_TEXT_OF(name) #name
void uwrt_register(const uwrt_module *module);
void uwrt_unregister(const uwrt_module *module);

/* A launch whose body was put in place at the call site. Begin checks the shape as cudaLaunchKernel does, and returns
 * what lives until the end: the site runs the body, and End after the last block. Or it returns null, since the launch
 * is bad (the last error is set), its stream is being captured or waits for other work: the site then calls Elsewhere
 * with the parameters' addresses, as cudaLaunchKernel gets them. It may do so in place of End, too, before any block
 * has run: where the code in place is not made for such a launch. grid_xy and block_xy hold x in the low 32 bits and y
 * in the high ones, the way clang passes a dim3. stream is a cudaStream_t. */
const uwrt_dims *uwrt_launch_begin(const uwrt_kernel *kernel, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy,
                                   uint32_t block_z, uint64_t shared_bytes, void *stream);
void uwrt_launch_arguments(void **args); /* where they are until the end, after begin; for kernels with a replay */
void uwrt_launch_end(const uwrt_kernel *kernel);
void uwrt_launch_elsewhere(const uwrt_kernel *kernel, void **args);
/* After a begin that gave something: may this launch's blocks run with those of the one that began, each after that
 * one's block of the same index, and both end together? Not where the two differ in shape or stream, where this one
 * would be refused, where there are 2^31 threads or more, or where somebody is told of each. 0: no; UWRT_JOINS: they
 * may; UWRT_JOINS_FOR_GOOD: and no launch of the program is kept to run again, so that none of the two may do so
 * alone. May be followed by all that may follow the begin. */
enum { UWRT_JOINS = 1, UWRT_JOINS_FOR_GOOD = 2 };
int uwrt_launch_join(const uwrt_kernel *kernel, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy, uint32_t block_z,
                     uint64_t shared_bytes, void *stream);
/* After an elsewhere of the launch that began: one that may run with it after all runs alone, in the same shape. */
void uwrt_launch_joined(const uwrt_kernel *kernel, void **args);

/* Any launch of a kernel whose parameters lie in one object, each at its param_offsets. distinct, constants: what the
 * compiler asks at the launch. */
void uwrt_launch_object(const uwrt_kernel *kernel, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy,
                        uint32_t block_z, uint64_t shared_bytes, const void *object, _Bool distinct,
                        const void *constants);

/* What an entry does in place of its loops where these are not made for the launch's values
 * (compiler/passes/launch_question.h): all blocks of the grid, or the one of a kernel with UWRT_KERNEL_BLOCKS_WAIT, by
 * the kernel's replay, which every such kernel has. */
void uwrt_launch_plain(const uwrt_dims *dims, void **args);

/* Bytes. A launch that stores as many to one array lets them go past the caches. */
extern uint64_t uwrt_stream_bytes;

/* What a worker is at: for the message when a kernel faults. A worker enters a launch once and gets its own place,
 * writes each block's index there as it begins it, and null over the launch after its last block. Without
 * optimisation, code also writes the index of the thread that it runs. Volatile, as nothing but the fault handler reads
 * it. */
typedef struct uwrt_place {
  const uwrt_dims *launch; /* null: in no kernel */
  uint64_t block;          /* linear, x fastest; with UWRT_BLOCK_OR_AFTER, this one or one after it in its row */
  uint32_t thread[3];      /* UWRT_NO_THREAD, 0, 0: code that runs once for all threads */
} uwrt_place;
#define UWRT_BLOCK_OR_AFTER ((uint64_t)1 << 63) /* then thread[0] or thread[2] counts on through the blocks */
#define UWRT_BLOCK_OR_BELOW ((uint64_t)1 << 62) /* or one up to so many rows below these: */
enum { UWRT_ROWS_BELOW = 63 };
enum { UWRT_THREAD_UNKNOWN = 0xFFFFFFFEu, UWRT_NO_THREAD = 0xFFFFFFFFu }; /* in thread[0] */
uwrt_place *uwrt_enter(const uwrt_dims *launch);

/* How many workers the calling thread's next parallel region may have (libomp's omp_get_max_threads). */
int32_t uwrt_max_workers(void);

/* The blocks that a worker runs. The launching thread opens the shares of a launch before its parallel region, and
 * closes them after it. In the region each worker takes pieces, from (inclusive) to (exclusive), until it gets an
 * empty one; place: what uwrt_team_place says, before: where the last one ended, 0 at first. */
typedef struct uwrt_shares uwrt_shares;
typedef struct uwrt_piece {
  uint64_t from, to;
} uwrt_piece;
uwrt_shares *uwrt_shares_open(void);
uwrt_piece uwrt_shares_take(uwrt_shares *all, uint64_t blocks, uint64_t place, uint64_t before);
void uwrt_shares_close(void);
/* Each worker's next piece comes after its last one: of launches for which all of their workers say so. */
void uwrt_shares_ascend(int is_so);

/* How many slices the threads of a block are shared out in, 1 or more: of its rows in the low half, of its columns in
 * the high one. blocks: of the launch; rows and columns: the block's extents in y and x. */
uint64_t uwrt_slices(uint64_t blocks, uint64_t rows, uint64_t columns);

/* Between open and close (may be nested) the calling thread's launches share one parallel region, whose other workers
 * wait for shares: the first launch opens it, and the next one after last ends it. The rest has the arguments of
 * libomp's functions __kmpc_fork_call, __kmpc_fork_call_if (with data always) and __kmpc_push_num_threads: has the crew
 * of the calling thread run the share, or does what these do. A crew has its own count. */
typedef struct uwrt_omp_place {
  int32_t reserved, flags, more[2];
  const char *source;
} uwrt_omp_place; /* libomp's ident_t */
typedef void uwrt_share(int32_t *thread, int32_t *bound, void *data);
void uwrt_crew_open(void);
void uwrt_crew_last(void);
void uwrt_crew_close(void);
void uwrt_crew_fork(uwrt_omp_place *place, int32_t count, uwrt_share *share, void *data);
void uwrt_crew_fork_if(uwrt_omp_place *place, int32_t count, uwrt_share *share, int32_t wanted, void *data);
void uwrt_crew_limit(uwrt_omp_place *place, int32_t thread, int32_t workers);

/* How many workers take blocks with barriers together, one block after the other, each a slice of its threads; 0 where
 * each block does better with a worker of its own. units: into how many slices a block can go, 0 for none; ops,
 * barriers: of a thread, an estimate. In the region then: the worker's index in the low half, and how many there are
 * in the high one; and all wait for all. */
uint64_t uwrt_team(uint64_t blocks, uint64_t units, uint64_t threads, uint64_t ops, uint64_t barriers);
uint64_t uwrt_team_place(void);
void uwrt_team_barrier(void);
uwrt_place *uwrt_enter_block(const uwrt_dims *launch, uint64_t block); /* both at once */

/* Memory of one block: dynamic shared memory, and values of its threads that live across a barrier. A stack for each
 * worker: take the mark, allocate (64-byte aligned, contents undefined), release the mark. Never returns null. */
uint64_t uwrt_scratch_mark(void);
void *uwrt_scratch_alloc(uint64_t bytes);
void uwrt_scratch_release(uint64_t mark);

/* A worker's own tally of what its blocks do by atomic operations of one kind to `bytes` bytes at an address, values of
 * 32 or 64 bits: before its first block, and after its last one. The kinds have LLVM's values. */
enum {
  UWRT_TALLY_ADD = 1,
  UWRT_TALLY_AND = 3,
  UWRT_TALLY_OR = 5,
  UWRT_TALLY_XOR,
  UWRT_TALLY_MAX,
  UWRT_TALLY_MIN,
  UWRT_TALLY_UMAX,
  UWRT_TALLY_UMIN,
  UWRT_TALLY_FADD /* of floats and doubles */
};
void uwrt_tally_start(void *own, uint64_t bytes, uint32_t bits, uint32_t kind);
void uwrt_tally_end(void *place, const void *own, uint64_t bytes, uint32_t bits, uint32_t kind);

/* A worker's buffer of elements that its threads append to arrays, at the positions that a counter of 32 or 64 bits
 * gives out one by one: what a thread stores goes to the buffer, and positions are taken for all of it when it is full
 * and after the worker's last block. Slots are signed or unsigned integers, extended to 64 bits, as the bound is: what
 * gets none below that is counted and left out. Compiled code fills the buffer, which comes after the head, and
 * counts. */
enum { UWRT_APPENDS_ARRAYS = 4, UWRT_APPENDS_HEAD = 192 };
typedef struct uwrt_appends {
  uint64_t count; /* of elements in the buffer */
  void *counter;
  uint64_t bound;
  uint32_t bits, is_signed, arrays;
  const char *places; /* in the source, file:line and a newline each */
  struct uwrt_appends_array {
    unsigned char *to, *from; /* the array and its part of the buffer */
    uint64_t stride;          /* bytes of an element */
  } array[UWRT_APPENDS_ARRAYS];
} uwrt_appends;
void uwrt_appends_start(uwrt_appends *own, void *counter, uint64_t bound, uint32_t bits, uint32_t is_signed,
                        const char *places);
void uwrt_appends_array(uwrt_appends *own, void *to, uint64_t stride,
                        uint64_t start); /* one more, start bytes after own */
void uwrt_appends_flush(uwrt_appends *own);
void uwrt_appends_end(uwrt_appends *own);

/* An identifier for the allocation that the address lies in; 0 for memory that the runtime did not allocate, or not all
 * of. */
uint64_t uwrt_object(const void *address);

/* The sum and `count` values, added one by one in order. May have the calling thread's crew help. */
float uwrt_ordered_float(const float *numbers, uint64_t count, float sum);
double uwrt_ordered_double(const double *numbers, uint64_t count, double sum);

/* What the lanes of a warp compute together: the compiler calls a function of this name (unwarp.collective), once for a
 * warp. in: for each operand 32 values, those of the lanes; out: the same for each result. All operands and results of
 * one function have the same size, 4 or 8 bytes; nothing else is read or written. They are PTX's ldmatrix, of rows
 * that lanes have loaded, and mma.sync (matrix.c): A, B, C and D in the instruction's order. The name ends in the type
 * and the halves of k that there are, for integers in the eights of rows and the halves of k; those take no C. */
typedef void uwrt_warp_function(const void *in, void *out);
uwrt_warp_function uwrt_warp_ldmatrix, uwrt_warp_ldmatrix_trans;
uwrt_warp_function uwrt_warp_mma_f16_1, uwrt_warp_mma_f16_2, uwrt_warp_mma_bf16_1, uwrt_warp_mma_bf16_2,
    uwrt_warp_mma_tf32_1, uwrt_warp_mma_tf32_2, uwrt_warp_mma_f64_1, uwrt_warp_mma_f16_f16_1, uwrt_warp_mma_f16_f16_2;
#define UWRT_WARP_MMA_WORDS(name)                                                                                      \
  uwrt_warp_function uwrt_warp_mma_##name##_11, uwrt_warp_mma_##name##_21, uwrt_warp_mma_##name##_22;
UWRT_WARP_MMA_WORDS(u8_u8)
UWRT_WARP_MMA_WORDS(u8_s8)
UWRT_WARP_MMA_WORDS(s8_u8)
UWRT_WARP_MMA_WORDS(s8_s8)
UWRT_WARP_MMA_WORDS(u4_u4)
UWRT_WARP_MMA_WORDS(u4_s4)
UWRT_WARP_MMA_WORDS(s4_u4)
UWRT_WARP_MMA_WORDS(s4_s4)
UWRT_WARP_MMA_WORDS(xor)
UWRT_WARP_MMA_WORDS(and)
/* mma.sp (matrix_sparse.c): A, B, C but for integers, metadata, selector. The name ends in the registers of A. */
#define UWRT_WARP_MMA_SP(name) uwrt_warp_function uwrt_warp_mma_sp_##name##_2, uwrt_warp_mma_sp_##name##_4;
UWRT_WARP_MMA_SP(f16)
UWRT_WARP_MMA_SP(f16_f16)
UWRT_WARP_MMA_SP(bf16)
UWRT_WARP_MMA_SP(tf32)
UWRT_WARP_MMA_SP(u8_u8)
UWRT_WARP_MMA_SP(u8_s8)
UWRT_WARP_MMA_SP(s8_u8)
UWRT_WARP_MMA_SP(s8_s8)
UWRT_WARP_MMA_SP(u4_u4)
UWRT_WARP_MMA_SP(u4_s4)
UWRT_WARP_MMA_SP(s4_u4)
UWRT_WARP_MMA_SP(s4_s4)
uwrt_warp_function uwrt_warp_mma_sp_e4m3_e4m3_4, uwrt_warp_mma_sp_e4m3_e5m2_4, uwrt_warp_mma_sp_e5m2_e4m3_4,
    uwrt_warp_mma_sp_e5m2_e5m2_4, uwrt_warp_mma_sp_e4m3_e4m3_f16_4, uwrt_warp_mma_sp_e4m3_e5m2_f16_4,
    uwrt_warp_mma_sp_e5m2_e4m3_f16_4, uwrt_warp_mma_sp_e5m2_e5m2_f16_4;

/* The calling block waits until all blocks of the grid have come here or are finished. Outside of a cooperative launch
 * it ends the block with cudaErrorLaunchFailure and does not return. Called once for a block, not for each of its
 * threads. */
void uwrt_grid_sync(void);

/* Thread block clusters (CUDA C++ Programming Guide, "Thread Block Clusters"). Sync: as above, for the blocks of the
 * calling block's cluster. Window: memory for all shared memory of the calling block, after UWRT_CLUSTER_HEADER bytes
 * that are the runtime's, aligned to a power of two, at least as many; each block of its cluster asks for as many bytes.
 * Map: where the block of that rank has what this one has at the address, or null where the cluster has no such rank.
 * Rank: of the block in whose window the address lies, or UINT32_MAX. Extent: of the cluster, 1 where the launch has
 * none. Outside: what the calling thread traps for next. */
enum { UWRT_CLUSTER_HEADER = 64 };
void uwrt_cluster_sync(void);
void *uwrt_cluster_window(uint64_t bytes, uint64_t alignment);
void *uwrt_cluster_map(const void *address, uint32_t rank, void *window);
uint32_t uwrt_cluster_rank(const void *address, void *window);
uint32_t uwrt_cluster_extent(uint32_t dimension);
uint32_t uwrt_cluster_explicit(void); /* whether the launch has clusters */
void uwrt_cluster_outside(void);

/* The calling thread waits in a loop for what another block or the host writes: lets others run. After such a loop it
 * says that it got further. A nap is a yield in another loop, which may go on for long. places: as below, for a wait
 * that nobody can end. */
void uwrt_yield(const char *places);
void uwrt_waited(void);
void uwrt_thread_moved(void); /* or it wrote, in such a loop, what others may wait for */
void uwrt_nap(void);
/* In other loops of a kernel that waits, which look at what others write: once in a while others have their turn. */
void uwrt_turn(void);

/* Runs the threads of a block between two barriers where some wait for others: run takes the index of the next one
 * again and again until there is none. place, count and the first two arguments of run: as libomp's regions have them,
 * unused. */
void uwrt_threads_fork(void *place, int32_t count, void (*run)(int32_t *, int32_t *, void *), void *data);
uint64_t uwrt_thread_next(void);

/* Where the running thread stands. Code reads it only in functions that could not be inlined into their kernel and in
 * the reports below; a kernel writes it before it calls one of those. */
typedef struct uwrt_thread_context {
  uint32_t thread[3];
  uint32_t block[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  void *dynamic_shared;
  uint64_t dynamic_shared_bytes;
} uwrt_thread_context;
extern UWRT_THREAD_LOCAL uwrt_thread_context uwrt_thread;
/* &uwrt_thread of the calling worker, as a call: compiled code must not carry that address to another worker. */
uwrt_thread_context *uwrt_context(void);

/* A launch by a running kernel: room for the parameters, which go to their param_offsets, then the launch, which takes
 * the room back. Null or CUDA's code for what is wrong; both note the worker's last error. */
void *uwrt_parameter_buffer(uint64_t alignment, uint64_t bytes);
int uwrt_launch_device(const uwrt_kernel *kernel, void *parameters, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t shared_bytes, void *stream);

/* Device printf: args is the buffer that clang packs for nvptx's vprintf (each argument promoted as in C, at its
 * natural alignment). Returns what CUDA's printf returns: the number of arguments, or -1 for a null format. */
int uwrt_vprintf(const char *format, void *args);

/* 1 where AVX2's masked stores take several times as long as a load, a blend and a store: AMD's CPUs. Set before main. */
extern uint8_t uwrt_masked_stores_are_slow;

/* A failed device assert, and __trap(). Both print what CUDA prints, note a sticky error that the next API call
 * returns (cudaErrorAssert, cudaErrorLaunchFailure) and return; the compiler ends the calling thread after them.
 * places: where in the source, file:line and a newline each, then the calls inlined around it; may be "". */
void uwrt_assert_fail(const char *expression, const char *file, uint32_t line, const char *function);
void uwrt_trap(const char *places);
/* The calling thread traps next, for this error in place of cudaErrorLaunchFailure. */
void uwrt_trap_is(int error);

/* A thread waits for what only its own block can write: lets the other threads of the block run. Where none of them
 * can, in a loop that they wait for or since all are in such waits, says where and ends the process, which would never
 * end otherwise. */
void uwrt_stuck(const char *places);

/* XORWOW's matrix of 2^k steps, k up to 130: include/unwarp/random_engines.h. */
const unsigned int *uwrt_xorwow_power(unsigned int k);

/* clock64() in ticks of cudaDevAttrClockRate, %globaltimer in nanoseconds. Monotonic on each worker. */
uint64_t uwrt_clock64(void);
uint64_t uwrt_globaltimer(void);

/* --- the checker: what code that was compiled with -fcheck calls (runtime/check/, a library of its own) --- */

typedef struct uwrt_check_state uwrt_check_state;
enum {
  UWRT_CHECK_MEMORY = 1,
  UWRT_CHECK_RACE = 2,
  UWRT_CHECK_INIT = 4,
  UWRT_CHECK_SYNC = 8,
  UWRT_CHECK_LEAK = 16,
  UWRT_CHECK_ALL = 31, /* classes */
  UWRT_CHECK_JSON = 32 /* the form of the report */
};
enum { /* kinds of access */
       UWRT_CHECK_LOAD,
       UWRT_CHECK_STORE,
       UWRT_CHECK_ATOMIC,       /* reads and writes */
       UWRT_CHECK_MEETING_LOAD, /* atomic or volatile */
       UWRT_CHECK_MEETING_STORE,
       UWRT_CHECK_KIND = 7,
       UWRT_CHECK_OF_SHARED = 8, /* of the block's shared memory, as the compiler knows */
       UWRT_CHECK_ACQUIRES = 16,
       UWRT_CHECK_VOLATILE = 32,
       UWRT_CHECK_BLIND = 64,  /* an exchange whose result nobody wants: it reads nothing */
       UWRT_CHECK_GUARD = 128, /* a plain load that decides only whether an atomic operation of the place is tried */
       UWRT_CHECK_RELEASES = 256,
       UWRT_CHECK_OF_BLOCK = 512, /* atomic, or a fence, for the threads of its block alone */
       UWRT_CHECK_SWAPS = 1024, /* a compare-and-swap, in a program with fences: it may take a lock */
       UWRT_CHECK_POLLS = 2048  /* in such a program: a loop does nothing but this until it reads what it waits for */
};
/* By each object that was compiled with -fcheck, before uwrt_register: for these classes (UWRT_CHECK_*). A runtime that is
 * shared begins to check here. */
void uwrt_check_brings(uint32_t classes);
/* The index of the file's first site. sites: a text for each, see compiler/instrument/check_sites.c. known: 0 at first. */
uint32_t uwrt_check_sites(uint32_t *known, const char *sites, uint32_t classes);
/* May the blocks of a launch run at the same time (compiler/instrument/parallel_blocks.c)? A question of several calls, before the
 * first block. An access: base + rest + the sum of the terms before it, each an index of blocks or threads, or the counter
 * of a loop of so many iterations (less than 0: not known), times the bytes that one more makes. */
enum {
  UWRT_CHECK_BLOCK_X,
  UWRT_CHECK_BLOCK_Y,
  UWRT_CHECK_BLOCK_Z,
  UWRT_CHECK_THREAD_X,
  UWRT_CHECK_THREAD_Y,
  UWRT_CHECK_THREAD_Z,
  UWRT_CHECK_LOOP
};
enum {
  UWRT_CHECK_APART_READ,
  UWRT_CHECK_APART_WRITTEN,
  UWRT_CHECK_APART_ATOMIC,
  UWRT_CHECK_APART_CONSTANT /* nobody can write there */
};
void uwrt_check_apart_begins(const uwrt_dims *dims, uint64_t narrowest); /* of all accesses, in bytes */
void uwrt_check_apart_term(uint32_t index, int64_t bytes, int64_t count);
void uwrt_check_apart_access(const void *base, uint32_t how, uint64_t bytes, int64_t rest);
uint32_t uwrt_check_apart(const uwrt_dims *dims);
/* May they in a trial, which ends where they meet (runtime/check/trial.c)? The region of workers after it is by
 * uwrt_check_fork, in place of libomp's __kmpc_fork_call_if, so that it can be run again. */
uint32_t uwrt_check_try(const uwrt_dims *dims);
void uwrt_check_fork(uwrt_omp_place *place, int32_t count, uwrt_share *share, int32_t wanted, void *data);
/* A block begins, and ends. */
uwrt_check_state *uwrt_check_block(const uwrt_dims *dims, uint64_t block);
void uwrt_check_block_end(uwrt_check_state *state);
uwrt_check_state *uwrt_check_here(void); /* of the block that runs, in a function that stayed a call */
/* The block has shared memory here, with room after it that nobody may touch. site: null name. */
void uwrt_check_shared(uwrt_check_state *state, void *memory, uint64_t bytes, uint64_t room, uint32_t site);
/* That many bytes of it, from its start, were written by the block that runs; 0: not known. */
uint64_t uwrt_check_filled(uwrt_check_state *state, const void *start);
/* What the kernel writes through, then what it only reads through, both its parameters. The bytes from there that its
 * threads may read unseen: nobody writes to them while it runs, and all were written; 0: there are none. */
void uwrt_check_writes(uwrt_check_state *state, const void *pointer);
uint64_t uwrt_check_only_reads(uwrt_check_state *state, const void *pointer);
/* An access, before it happens; value: what is stored, if it has 8 bytes at most. */
void uwrt_check_access(uwrt_check_state *state, const void *address, uint64_t bytes, uint32_t site, uint32_t thread,
                       uint32_t kind, uint64_t value);
void uwrt_check_outside(uwrt_check_state *state, const void *address, uint64_t bytes, const void *start, uint64_t size,
                        uint32_t site, uint32_t thread);
/* Bytes go from one address to another: what was never written is not written then. */
void uwrt_check_move(uwrt_check_state *state, const void *to, const void *from, uint64_t bytes, uint32_t site,
                     uint32_t thread);
/* what: UWRT_CHECK_ACQUIRES, UWRT_CHECK_RELEASES, UWRT_CHECK_OF_BLOCK. */
void uwrt_check_fence(uwrt_check_state *state, uint32_t thread, uint32_t what);
/* A thread comes to a barrier, and passes it. */
enum { UWRT_BARRIER_OF_BLOCK, UWRT_BARRIER_OF_GRID, UWRT_BARRIER_OF_TILE /* several warps of the block */ };
void uwrt_check_arrive(uwrt_check_state *state, uint32_t site, uint32_t thread, uint32_t scope);
void uwrt_check_pass(uwrt_check_state *state, uint32_t site, uint32_t thread, uint32_t scope);
/* The same for what the lanes of a warp do together, for the lanes of the mask; source: whose value this one gets, or
 * -1. */
void uwrt_check_warp_arrive(uwrt_check_state *state, uint32_t site, uint32_t thread, uint32_t mask);
void uwrt_check_warp_pass(uwrt_check_state *state, uint32_t site, uint32_t thread, int32_t source);
/* The same of all lanes of a warp, which came there together; thread: the first one. */
void uwrt_check_met(uwrt_check_state *state, uint32_t site, uint32_t thread);
/* So many neighbouring threads come to a barrier of the block. */
void uwrt_check_row_arrives(uwrt_check_state *state, uint32_t site, uint32_t thread, uint32_t count);
/* A thread does something with an mbarrier (PTX ISA, "mbarrier"): with is the count of arrivals, or the state that it
 * waits for. */
enum { UWRT_MBARRIER_INIT, UWRT_MBARRIER_INVAL, UWRT_MBARRIER_ARRIVE, UWRT_MBARRIER_PARITY, UWRT_MBARRIER_WAIT };
void uwrt_check_mbarrier(uwrt_check_state *state, const void *barrier, uint32_t what, uint64_t with, uint32_t site,
                         uint32_t thread);
/* A thread goes on after code with barriers in it. */
void uwrt_check_goes_on(uwrt_check_state *state, uint32_t site, uint32_t thread);
/* Host code reads or writes, where it has not waited for everything that it gave to streams: uwrt_check_open is the
 * first segment (check/shadow.h) of that, or 0. */
extern uint32_t uwrt_check_open;
void uwrt_check_host(const void *address, uint64_t bytes, uint32_t kind);
/* A kernel allocates and frees. */
void *uwrt_check_malloc(uwrt_check_state *state, uint64_t bytes, uint32_t site, uint32_t thread);
void uwrt_check_free(uwrt_check_state *state, void *memory, uint32_t site, uint32_t thread);

/* Fetches from textures that are more than a load; include/unwarp/textures.h has the rest. Coordinates as in CUDA's
 * functions (Programming Guide, "Texture Fetching"); layer is 0 without layers. They only read: the program's memory
 * stays as it is. */
__uw_texel uwrt_texture_fetch(const struct __uw_texture *texture, int x);
__uw_texel uwrt_texture_sample(const struct __uw_texture *texture, enum __uw_shape shape, float x, float y, float z,
                               int layer, float level);
__uw_texel uwrt_texture_sample_gradient(const struct __uw_texture *texture, enum __uw_shape shape, float x, float y,
                                        float z, int layer, const float dx[3], const float dy[3]);
__uw_texel uwrt_texture_gather(const struct __uw_texture *texture, float x, float y, int component);

#ifdef __cplusplus
}
#endif
#endif
