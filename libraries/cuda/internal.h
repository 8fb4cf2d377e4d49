/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of libcuda share. The driver API is another face of the runtime's objects: streams, events, graphs,
 * pools and kernels are the runtime's handles, arrays its arrays, and a context a device of it. A function checks what
 * only the driver API knows (contexts, modules) and calls the runtime; uwcu_result makes the driver's code of the
 * runtime's.
 *
 * Files whose names end in _calls.c have functions that are given a stream. They are compiled twice: once more with
 * CUDA_API_PER_THREAD_DEFAULT_STREAM, by which cuda.h and cuda_runtime_api.h give both sides the names of the forms for
 * which stream 0 is the thread's own.
 */
#ifndef UWCU_INTERNAL_H
#define UWCU_INTERNAL_H

#define CUDA_VERSION 13010

#pragma GCC visibility push(default)
#include "../../include/cuda.h"
#pragma GCC visibility pop
#include "../../runtime/driver.h"

#include <stdatomic.h>

/* A function: one statement that ends it. RUN is for what needs a context, ANYWHERE for what needs cuInit alone,
 * RUN_WITH for what needs a context only where its caller named none. */
#define RUN(call) RUN_AS(uwcu_enter(&saved), call)
#define ANYWHERE(call) RUN_AS(uwcu_enter_anywhere(&saved), call)
#define RUN_WITH(named, call) RUN_AS((named) ? uwcu_enter_anywhere(&saved) : uwcu_enter(&saved), call)
#define RUN_AS(enter, call)                                                                                            \
  do {                                                                                                                 \
    uwrt_driver_state saved;                                                                                           \
    CUresult result = (enter);                                                                                         \
    if (result == CUDA_SUCCESS)                                                                                        \
      result = uwcu_result((int)(call));                                                                               \
    uwrt_driver_leave(&saved);                                                                                         \
    return result;                                                                                                     \
  } while (0)

CUresult uwcu_enter(uwrt_driver_state *saved);
CUresult uwcu_enter_anywhere(uwrt_driver_state *saved);
CUresult uwcu_result(int error); /* of the runtime's code, or of one of the driver's */

/* context.c */
int uwcu_is_initialized(void);
CUcontext uwcu_current(void); /* or null */
CUcontext uwcu_primary(int device);
int uwcu_context_device(CUcontext context); /* -1: no such context */
int uwcu_device_exists(int device);
CUresult uwcu_on_device(int device, CUresult (*act)(void *),
                        void *data); /* with that device as the runtime's current one */

/* module.c */
CUresult uwcu_load(CUmodule *module, const void *image, const char *path, unsigned int count, CUjit_option *options,
                   void **values);
void uwcu_unload_of(CUcontext context);
CUmodule uwcu_module_of(const void *stub); /* or null */
int uwcu_module_exists(CUmodule module);

/* stream.c */
CUcontext uwcu_stream_context(CUstream stream);
void uwcu_stream_forget(CUstream stream);
void uwcu_streams_end(CUcontext context); /* destroys its streams */

/* array.c */
int uwcu_channels(struct cudaChannelFormatDesc *channels, CUarray_format format,
                  unsigned int count); /* 0: not supported */
CUarray_format uwcu_format(const struct cudaChannelFormatDesc *channels, unsigned int *count);
size_t uwcu_element_bytes(CUarray array); /* 0: no such array */

/* copies.c */
int uwcu_copy_of(struct cudaMemcpy3DParms *to, const CUDA_MEMCPY3D *from); /* a code of the driver's */
void uwcu_copy_from(CUDA_MEMCPY3D *to, const struct cudaMemcpy3DParms *from);

/* launch.c */
#define UWCU_MOST_PARAMETERS 1024
/* The parameters' addresses as the runtime wants them, from either form; places has room for that many. */
int uwcu_parameters(const void *stub, void **params, void **extra, void **places, void ***found);

/* caller.c: says on stderr which library the code at this address is of, and what to do. */
void uwcu_tell_caller(const void *address);

#endif
