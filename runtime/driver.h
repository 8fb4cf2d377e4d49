/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the driver API (libraries/cuda) and other libraries ask of the runtime beyond the runtime API. These names are
 * visible, as those of the runtime API are: libcuda is a library of its own and finds the one runtime of the process by
 * the loader. */
#ifndef UWRT_DRIVER_H
#define UWRT_DRIVER_H

#pragma GCC visibility push(default)
#include "../include/cuda_runtime_api.h"
#include "uwrt.h"

/* A call of the driver API leaves the runtime's last error as it was, and is no use of the runtime API. */
typedef struct uwrt_driver_state {
  cudaError_t last_error;
} uwrt_driver_state;
void uwrt_driver_enter(uwrt_driver_state *saved);
void uwrt_driver_leave(const uwrt_driver_state *saved);
int uwrt_runtime_used(void);   /* has the program called the runtime API, so that the primary context is current? */
int uwrt_driver_started(void); /* does it, or has it counted devices, which starts the driver? */
int32_t uwrt_cpu_level(
    void); /* of x86-64, as far as vectors go: 1, 3 or 4, which the CPU and UNWARP_MARCH allow; 0: another CPU */
unsigned int uwrt_device_choices(void); /* how often the calling thread has called cudaSetDevice */

/* The calling thread's context, to which what it allocates belongs: any address, or null for the primary context of its
 * device, which cudaSetDevice makes current. */
const void *uwrt_context_set(const void *context); /* the one before */
void uwrt_context_free(const void *context);       /* its memory and arrays, which are on the current device */

/* What is registered while `seen` is set, by this thread. Null: nobody wants to know. */
typedef void uwrt_module_seen(const uwrt_module *module, void *data);
void uwrt_modules_watch(uwrt_module_seen *seen, void *data);

/* source.c. A module's file without a name, which is opened by this path: its lines are found while it is kept, though
 * it was closed. Costs no memory, as what of a file is mapped keeps all of it. Null: no room, and no lines then. */
typedef struct uwrt_nameless uwrt_nameless;
uwrt_nameless *uwrt_nameless_keep(const char *path, int file, size_t bytes);
void uwrt_nameless_free(uwrt_nameless *file); /* null: nothing */

const uwrt_kernel *uwrt_kernel_known(const void *stub);                /* or null */
void uwrt_kernel_set_architecture(const void *stub, int architecture); /* what its PTX was made for, 90 of sm_90 */

/* The range of memory that an address lies in. */
typedef struct uwrt_range {
  void *start;
  size_t bytes;
  int kind; /* UWRT_RANGE_* */
  int device;
  unsigned int flags;
  cudaMemPool_t pool;
  const void *context; /* null: the primary one of the device */
} uwrt_range;
enum { UWRT_RANGE_DEVICE, UWRT_RANGE_MANAGED, UWRT_RANGE_HOST, UWRT_RANGE_REGISTERED, UWRT_RANGE_MAPPED };
int uwrt_range_of(const void *address, uwrt_range *found);

/* Device memory for other processes of the same user, as cudaIpcGetMemHandle gives it, but at once: what runs on the
 * device meanwhile goes on (ipc.c). A file of the process that has it, of `bytes`; the memory is at `offset`. */
typedef struct uwrt_ipc_offer {
  int32_t process, file;
  uint64_t inode, bytes, offset;
} uwrt_ipc_offer;
int uwrt_ipc_share(const void *memory, size_t bytes, uwrt_ipc_offer *offer); /* 0: it cannot be shared */
void *uwrt_ipc_map(const uwrt_ipc_offer *offer);                             /* all of the file; null: it cannot be */
int uwrt_ipc_is_there(const uwrt_ipc_offer *offer);                          /* does its process still have it? */

/* Memory that the caller maps and unmaps itself, as a device's. */
cudaError_t uwrt_range_map(void *start, size_t bytes, int device);
cudaError_t uwrt_range_unmap(void *start);

/* Fills rows of elements of 1, 2 or 4 bytes; width in elements. */
cudaError_t uwrt_fill_rows(void *start, size_t pitch, unsigned int value, unsigned int element, size_t width,
                           size_t height, cudaStream_t stream);

/* For the table at the end under UNWARP_TRACE=report (trace_totals.c). name: of the function or kernel; nanoseconds: of
 * a compile while the program runs, or of finding one in the cache. */
void uwrt_trace_refused(const char *name);
void uwrt_trace_compiled(int cached, uint64_t nanoseconds);

/* Which objects of CUDA's libraries are alive (handles.c). A kind is the address of anything. */
int uwrt_handle_add(const void *handle, const void *kind); /* 0: out of memory */
int uwrt_handle_is(const void *handle, const void *kind);
int uwrt_handle_remove(const void *handle, const void *kind); /* whether it was one */
extern const char uwrt_blas_handle;                           /* the kind of cublasHandle_t, for cuBLASLt */

#pragma GCC visibility pop

#endif
