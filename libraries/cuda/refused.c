/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a CPU has not, or what is not done: CUDA's code for that, and nothing else. */
#include "internal.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSE(name, ...)                                                                                              \
  CUresult name(__VA_ARGS__) { ANYWHERE(CUDA_ERROR_NOT_SUPPORTED); }

/* What NVIDIA's own libraries share with NVIDIA's driver: tables of its own. Who asks is told once what it is. */
CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&told))
    uwcu_tell_caller(__builtin_return_address(0));
  if (table)
    *table = NULL;
  ANYWHERE(CUDA_ERROR_NOT_SUPPORTED);
}

/* Other processes, other interfaces, other links */
REFUSE(cuMemGetHandleForAddressRange, void *handle, CUdeviceptr dptr, size_t size, CUmemRangeHandleType type,
       unsigned long long flags)
REFUSE(cuMemPoolExportToShareableHandle, void *handle, CUmemoryPool pool, CUmemAllocationHandleType type,
       unsigned long long flags)
REFUSE(cuMemPoolImportFromShareableHandle, CUmemoryPool *pool, void *handle, CUmemAllocationHandleType type,
       unsigned long long flags)
REFUSE(cuMemPoolExportPointer, CUmemPoolPtrExportData *data, CUdeviceptr ptr)
REFUSE(cuMemPoolImportPointer, CUdeviceptr *ptr, CUmemoryPool pool, CUmemPoolPtrExportData *data)
REFUSE(cuImportExternalMemory, CUexternalMemory *memory, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *description)
REFUSE(cuExternalMemoryGetMappedBuffer, CUdeviceptr *ptr, CUexternalMemory memory,
       const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *d)
REFUSE(cuExternalMemoryGetMappedMipmappedArray, CUmipmappedArray *m, CUexternalMemory memory,
       const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *d)
REFUSE(cuDestroyExternalMemory, CUexternalMemory memory)
REFUSE(cuImportExternalSemaphore, CUexternalSemaphore *semaphore,
       const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *description)
REFUSE(cuDestroyExternalSemaphore, CUexternalSemaphore semaphore)
REFUSE(cuGraphicsUnregisterResource, CUgraphicsResource resource)
REFUSE(cuGraphicsSubResourceGetMappedArray, CUarray *array, CUgraphicsResource resource, unsigned int index,
       unsigned int level)
REFUSE(cuGraphicsResourceGetMappedMipmappedArray, CUmipmappedArray *array, CUgraphicsResource resource)
REFUSE(cuGraphicsResourceGetMappedPointer, CUdeviceptr *ptr, size_t *size, CUgraphicsResource resource)
REFUSE(cuGraphicsResourceSetMapFlags, CUgraphicsResource resource, unsigned int flags)
REFUSE(cuDeviceGetNvSciSyncAttributes, void *list, CUdevice dev, int flags)
REFUSE(cuFlushGPUDirectRDMAWrites, CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope)
REFUSE(cuDeviceRegisterAsyncNotification, CUdevice device, CUasyncCallback function, void *data,
       CUasyncCallbackHandle *callback)
REFUSE(cuDeviceUnregisterAsyncNotification, CUdevice device, CUasyncCallbackHandle callback)
REFUSE(cuDeviceGetHostAtomicCapabilities, unsigned int *found, const CUatomicOperation *operations, unsigned int count,
       CUdevice dev)
REFUSE(cuDeviceGetLuid, char *luid, unsigned int *mask, CUdevice dev)
REFUSE(cuMulticastCreate, CUmemGenericAllocationHandle *handle, const CUmulticastObjectProp *prop)
REFUSE(cuMulticastAddDevice, CUmemGenericAllocationHandle handle, CUdevice dev)
REFUSE(cuMulticastBindMem, CUmemGenericAllocationHandle handle, size_t at, CUmemGenericAllocationHandle memory,
       size_t from, size_t size, unsigned long long flags)
REFUSE(cuMulticastBindAddr, CUmemGenericAllocationHandle handle, size_t at, CUdeviceptr ptr, size_t size,
       unsigned long long flags)
REFUSE(cuMulticastUnbind, CUmemGenericAllocationHandle handle, CUdevice dev, size_t at, size_t size)
REFUSE(cuMulticastGetGranularity, size_t *granularity, const CUmulticastObjectProp *prop,
       CUmulticastGranularity_flags option)

/* Planes, tiles and mappings of arrays that there are not */
REFUSE(cuArrayGetSparseProperties, CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUarray array)
REFUSE(cuMipmappedArrayGetSparseProperties, CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUmipmappedArray array)
REFUSE(cuArrayGetMemoryRequirements, CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray array, CUdevice device)
REFUSE(cuMipmappedArrayGetMemoryRequirements, CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUmipmappedArray array,
       CUdevice device)
REFUSE(cuArrayGetPlane, CUarray *plane, CUarray array, unsigned int index)

/* Tensor maps, parts of a device */
REFUSE(cuTensorMapEncodeTiled, CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
       const cuuint64_t *extents, const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps,
       CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
       CUtensorMapFloatOOBfill fill)
REFUSE(cuTensorMapEncodeIm2col, CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
       const cuuint64_t *extents, const cuuint64_t *strides, const int *lower, const int *upper, cuuint32_t channels,
       cuuint32_t pixels, const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
       CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
REFUSE(cuTensorMapReplaceAddress, CUtensorMap *map, void *address)
REFUSE(cuCtxGetExecAffinity, CUexecAffinityParam *affinity, CUexecAffinityType type)
REFUSE(cuCtxRecordEvent, CUcontext context, CUevent event)
REFUSE(cuCtxWaitEvent, CUcontext context, CUevent event)
REFUSE(cuGreenCtxCreate, CUgreenCtx *context, CUdevResourceDesc description, CUdevice dev, unsigned int flags)
REFUSE(cuGreenCtxDestroy, CUgreenCtx context)
REFUSE(cuCtxFromGreenCtx, CUcontext *context, CUgreenCtx green)
REFUSE(cuDeviceGetDevResource, CUdevice device, CUdevResource *resource, CUdevResourceType type)
REFUSE(cuCtxGetDevResource, CUcontext context, CUdevResource *resource, CUdevResourceType type)
REFUSE(cuGreenCtxGetDevResource, CUgreenCtx context, CUdevResource *resource, CUdevResourceType type)
REFUSE(cuDevSmResourceSplitByCount, CUdevResource *result, unsigned int *count, const CUdevResource *input,
       CUdevResource *rest, unsigned int flags, unsigned int least)
REFUSE(cuDevResourceGenerateDesc, CUdevResourceDesc *description, CUdevResource *resources, unsigned int count)
REFUSE(cuGreenCtxRecordEvent, CUgreenCtx context, CUevent event)
REFUSE(cuGreenCtxWaitEvent, CUgreenCtx context, CUevent event)
REFUSE(cuStreamGetGreenCtx, CUstream stream, CUgreenCtx *context)
REFUSE(cuGreenCtxStreamCreate, CUstream *stream, CUgreenCtx context, unsigned int flags, int priority)
REFUSE(cuLaunchCooperativeKernelMultiDevice, CUDA_LAUNCH_PARAMS *list, unsigned int devices, unsigned int flags)

/* Core dumps: the system makes them */
REFUSE(cuCoredumpGetAttribute, CUcoredumpSettings attribute, void *value, size_t *size)
REFUSE(cuCoredumpGetAttributeGlobal, CUcoredumpSettings attribute, void *value, size_t *size)
REFUSE(cuCoredumpSetAttribute, CUcoredumpSettings attribute, void *value, size_t *size)
REFUSE(cuCoredumpSetAttributeGlobal, CUcoredumpSettings attribute, void *value, size_t *size)

/* Nodes for semaphores and for values in memory */
#define NEW CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count
REFUSE(cuGraphAddExternalSemaphoresSignalNode, NEW, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
REFUSE(cuGraphExternalSemaphoresSignalNodeGetParams, CUgraphNode node, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
REFUSE(cuGraphExternalSemaphoresSignalNodeSetParams, CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
REFUSE(cuGraphExecExternalSemaphoresSignalNodeSetParams, CUgraphExec exec, CUgraphNode node,
       const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params)
REFUSE(cuGraphAddExternalSemaphoresWaitNode, NEW, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
REFUSE(cuGraphExternalSemaphoresWaitNodeGetParams, CUgraphNode node, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
REFUSE(cuGraphExternalSemaphoresWaitNodeSetParams, CUgraphNode node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
REFUSE(cuGraphExecExternalSemaphoresWaitNodeSetParams, CUgraphExec exec, CUgraphNode node,
       const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params)
REFUSE(cuGraphAddBatchMemOpNode, NEW, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
REFUSE(cuGraphBatchMemOpNodeGetParams, CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
REFUSE(cuGraphBatchMemOpNodeSetParams, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
REFUSE(cuGraphExecBatchMemOpNodeSetParams, CUgraphExec exec, CUgraphNode node,
       const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)

/* References of modules: texture objects are there */
REFUSE(cuModuleGetTexRef, CUtexref *reference, CUmodule module, const char *name)
REFUSE(cuModuleGetSurfRef, CUsurfref *reference, CUmodule module, const char *name)
REFUSE(cuParamSetTexRef, CUfunction f, int unit, CUtexref reference)
REFUSE(cuTexRefCreate, CUtexref *reference)
REFUSE(cuTexRefDestroy, CUtexref reference)
REFUSE(cuTexRefSetArray, CUtexref reference, CUarray array, unsigned int flags)
REFUSE(cuTexRefSetMipmappedArray, CUtexref reference, CUmipmappedArray array, unsigned int flags)
REFUSE(cuTexRefSetAddress, size_t *offset, CUtexref reference, CUdeviceptr dptr, size_t bytes)
REFUSE(cuTexRefSetAddress2D, CUtexref reference, const CUDA_ARRAY_DESCRIPTOR *description, CUdeviceptr dptr,
       size_t pitch)
REFUSE(cuTexRefSetFormat, CUtexref reference, CUarray_format format, int components)
REFUSE(cuTexRefSetAddressMode, CUtexref reference, int dim, CUaddress_mode mode)
REFUSE(cuTexRefSetFilterMode, CUtexref reference, CUfilter_mode mode)
REFUSE(cuTexRefSetMipmapFilterMode, CUtexref reference, CUfilter_mode mode)
REFUSE(cuTexRefSetMipmapLevelBias, CUtexref reference, float bias)
REFUSE(cuTexRefSetMipmapLevelClamp, CUtexref reference, float least, float most)
REFUSE(cuTexRefSetMaxAnisotropy, CUtexref reference, unsigned int most)
REFUSE(cuTexRefSetBorderColor, CUtexref reference, float *color)
REFUSE(cuTexRefSetFlags, CUtexref reference, unsigned int flags)
REFUSE(cuTexRefGetAddress, CUdeviceptr *dptr, CUtexref reference)
REFUSE(cuTexRefGetArray, CUarray *array, CUtexref reference)
REFUSE(cuTexRefGetMipmappedArray, CUmipmappedArray *array, CUtexref reference)
REFUSE(cuTexRefGetAddressMode, CUaddress_mode *mode, CUtexref reference, int dim)
REFUSE(cuTexRefGetFilterMode, CUfilter_mode *mode, CUtexref reference)
REFUSE(cuTexRefGetFormat, CUarray_format *format, int *channels, CUtexref reference)
REFUSE(cuTexRefGetMipmapFilterMode, CUfilter_mode *mode, CUtexref reference)
REFUSE(cuTexRefGetMipmapLevelBias, float *bias, CUtexref reference)
REFUSE(cuTexRefGetMipmapLevelClamp, float *least, float *most, CUtexref reference)
REFUSE(cuTexRefGetMaxAnisotropy, int *most, CUtexref reference)
REFUSE(cuTexRefGetBorderColor, float *color, CUtexref reference)
REFUSE(cuTexRefGetFlags, unsigned int *flags, CUtexref reference)
REFUSE(cuSurfRefSetArray, CUsurfref reference, CUarray array, unsigned int flags)
REFUSE(cuSurfRefGetArray, CUarray *array, CUsurfref reference)
