/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A piece of work: what a stream is asked to do, and what a node of a graph does. An API function describes its work
 * and submits it; the stream then runs it at once, or, while it is being captured, keeps a copy of it as a node.
 */
#ifndef UWRT_WORK_H
#define UWRT_WORK_H

#include "internal.h"

typedef struct uwrt_kernel_work {
  const uwrt_kernel *kernel;
  uwrt_dims dims;
  void **args; /* the parameters' addresses; a copy owns them and the values */
  int priority;
  struct cudaAccessPolicyWindow window;
  cudaLaunchMemSyncDomain domain;
  cudaLaunchMemSyncDomainMap domain_map;
  unsigned int depth; /* of a launch by a kernel: from 1 */
} uwrt_kernel_work;

/* A box of elements. value counts in its low elementSize bytes. */
typedef struct uwrt_fill_work {
  struct cudaMemsetParams rows;
  size_t slice, depth; /* bytes from slice to slice, and how many */
} uwrt_fill_work;

typedef struct uwrt_alloc_work {
  struct uwrt_graph_memory *memory;
  struct cudaMemPoolProps props;
  size_t bytes;
} uwrt_alloc_work;

/* The value that decides lies where the handle points: device code writes it there. */
typedef struct uwrt_conditional_work {
  cudaGraphConditionalHandle handle;
  enum cudaGraphConditionalNodeType type;
  unsigned int size;
  cudaGraph_t *bodies; /* size of them, owned */
} uwrt_conditional_work;

typedef struct uwrt_work {
  enum cudaGraphNodeType type;
  int device; /* that a kernel runs on, or whose variable is copied */
  int symbol; /* a copy to or from a variable by its name */
  union {
    uwrt_kernel_work kernel;
    struct cudaMemcpy3DParms copy; /* linear memory of one row may be wider than a pitch */
    uwrt_fill_work fill;
    struct cudaHostNodeParams host;
    cudaGraph_t child; /* owned */
    cudaEvent_t event;
    uwrt_alloc_work alloc;
    void *freed;
    uwrt_conditional_work conditional;
  };
} uwrt_work;

/* work.c */
cudaError_t uwrt_work_check(const uwrt_work *work);               /* may it be a node? */
cudaError_t uwrt_work_copy(uwrt_work *copy, const uwrt_work *of); /* everything that a node must own */
void uwrt_work_free(uwrt_work *copy);
/* All _run functions: what may not be run is an error; stream is for traces. */
cudaError_t uwrt_work_run(const uwrt_work *work, cudaStream_t stream);
cudaError_t uwrt_work_run_entered(const uwrt_work *work, cudaStream_t stream); /* by who has entered the device */
cudaError_t uwrt_submit(cudaStream_t stream, const uwrt_work *work);

/* aside.c. Owned or copied: what the work names. */
cudaError_t uwrt_aside_submit(cudaStream_t stream, const uwrt_work *work, uint64_t after, uint64_t *number);
cudaError_t uwrt_aside_run(cudaStream_t stream,
                           const uwrt_work *work); /* a kernel whose blocks wait, on this thread at first */
/* A host function, on a thread of ours; comes back when that is done, gets no further for now or takes long. */
cudaError_t uwrt_aside_call(cudaStream_t stream, cudaHostFn_t function, void *argument);
/* Work that runs on the thread that gives it stands between these two: what several threads give to one stream goes one
 * by one. Whether work that is aside comes first: then nothing may run here. One flight at a time. */
int uwrt_flight_begin(cudaStream_t stream);
void uwrt_flight_end(void);
uwrt_work uwrt_line_copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
uwrt_work uwrt_symbol_copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind); /* of this device */

/* copy.c */
cudaError_t uwrt_copy_check(const struct cudaMemcpy3DParms *copy);
cudaError_t uwrt_copy_run(const struct cudaMemcpy3DParms *copy, cudaStream_t stream);
int uwrt_copy_goes_to_host(const struct cudaMemcpy3DParms *copy); /* to memory that a GPU cannot write by itself */
int uwrt_copy_waits(const struct cudaMemcpy3DParms *copy,
                    cudaStream_t stream); /* does its call come back when it is done, on a GPU? */
/* Takes what the copy reads along: staged is to be freed after the copy, or null. _stage: if it lies in memory that a
 * GPU cannot read by itself. */
cudaError_t uwrt_copy_take(struct cudaMemcpy3DParms *copy, void **staged);
cudaError_t uwrt_copy_stage(struct cudaMemcpy3DParms *copy, void **staged);
cudaError_t uwrt_fill_check(const uwrt_fill_work *fill);
cudaError_t uwrt_fill_run(const uwrt_fill_work *fill, cudaStream_t stream);
cudaError_t uwrt_symbol_check(const void *symbol, size_t count, size_t offset);

/* launch.c */
cudaError_t uwrt_kernel_work_check(const uwrt_kernel_work *work);
cudaError_t uwrt_launch_checked(cudaStream_t stream, cudaError_t error); /* returns what it is given */
void uwrt_launch_finished(uwrt_running *launch);
cudaError_t uwrt_kernel_work_run_here(const uwrt_kernel_work *work, cudaStream_t stream); /* on the caller's stack */
/* small_stack.c */
int uwrt_stack_is_small(void); /* what is left to the calling thread is not enough for any kernel */
cudaError_t uwrt_kernel_work_run(const uwrt_kernel_work *work, cudaStream_t stream);
cudaError_t uwrt_kernel_work_attribute(uwrt_kernel_work *work, cudaLaunchAttributeID id,
                                       const cudaLaunchAttributeValue *value);

/* capture.c */
cudaError_t uwrt_capture_enter(cudaStream_t stream, int *capturing); /* before work is given to a stream */
cudaError_t uwrt_capture_add(cudaStream_t stream, const uwrt_work *owned, cudaGraphNode_t *node);
void uwrt_capture_count(int more); /* of threads with a record */

/* record.c */
int uwrt_is_recording(void); /* this thread */
cudaError_t uwrt_record_add(const uwrt_work *owned);

/* graph_memory.c: memory of a graph has one address for good; it is there from its allocation node to its free. */
typedef struct uwrt_graph_memory uwrt_graph_memory;
/* With one reference; null when out of address space. */
uwrt_graph_memory *uwrt_graph_memory_reserve(size_t bytes, int device);
void uwrt_graph_memory_retain(uwrt_graph_memory *memory);
void uwrt_graph_memory_release(uwrt_graph_memory *memory);
void *uwrt_graph_memory_address(const uwrt_graph_memory *memory);
cudaError_t uwrt_graph_memory_map(uwrt_graph_memory *memory);
int uwrt_graph_memory_is_mapped(uwrt_graph_memory *memory);

#endif
