/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The CUDA driver API (libcuda), as of CUDA 12.4, or of the version that --cuda-version chooses: CUDA_VERSION says
 * which. Types and functions are in unwarp/driver, a file for each group of the manual's modules. Included by C
 * programs, too.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "unwarp/version.h"

#include "unwarp/forms_of_13.h"

#define CUDAAPI
#define CUDA_CB

#include "unwarp/driver/names.h"

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;

/* Handles. Those of streams, events, graphs, pools and kernels are the runtime's; those of arrays are the same under
 * another type. */
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef unsigned long long CUtexObject_v1;
typedef CUtexObject_v1 CUtexObject;
typedef unsigned long long CUsurfObject_v1;
typedef CUsurfObject_v1 CUsurfObject;
typedef struct CUextMemory_st *CUexternalMemory;
typedef struct CUextSemaphore_st *CUexternalSemaphore;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;
#ifndef CU_UUID_HAS_BEEN_DEFINED /* driver_types.h has it, too */
#define CU_UUID_HAS_BEEN_DEFINED
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;
#endif

#include "unwarp/driver/results.h"
#include "unwarp/driver/devices.h"
#include "unwarp/driver/memory.h"
#include "unwarp/driver/virtual_memory.h"
#include "unwarp/driver/execution.h"
#include "unwarp/driver/graphs.h"
#include "unwarp/driver/resources.h"
#include "unwarp/driver/functions.h"
#if defined(__cplusplus) && __cplusplus >= 201103L && CUDA_VERSION >= 12000 && CUDA_VERSION < 13000
#include "unwarp/driver/overloads.h"
#elif CUDA_VERSION < 13000 && !defined(__cplusplus)
/* In C the number of arguments tells CUDA 13's form, which has four. */
#define __UW_FOURTH(a, b, c, d, name, ...) name
#define cuCtxCreate_v2(...) __UW_FOURTH(__VA_ARGS__, cuCtxCreate_v4, cuCtxCreate_v2, cuCtxCreate_v2, )(__VA_ARGS__)
#endif

#endif
