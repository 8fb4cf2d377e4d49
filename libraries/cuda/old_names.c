/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names without a version, as programs that open the library by hand look for them, of functions whose first version
 * took the same: handles, flags, host pointers. First versions with addresses and sizes of 32 bits are refused as in
 * NVIDIA's driver, which has them for contexts of CUDA 3.1 and older alone: programs look up many names that they do
 * not call. */
#include "internal.h"

#define SAME(name, version, parameters, arguments)                                                                     \
  __attribute__((visibility("default"))) CUresult name parameters;                                                     \
  CUresult name parameters { return name##version arguments; }

#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuCtxCreate
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuMemHostRegister
#undef cuIpcOpenMemHandle
#undef cuLinkCreate
#undef cuLinkAddData
#undef cuLinkAddFile
#undef cuStreamBeginCapture
extern CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
SAME(cuCtxCreate, _v2, (CUcontext * context, unsigned int flags, CUdevice device), (context, flags, device))
SAME(cuCtxDestroy, _v2, (CUcontext context), (context))
SAME(cuCtxPopCurrent, _v2, (CUcontext * context), (context))
SAME(cuCtxPushCurrent, _v2, (CUcontext context), (context))
SAME(cuStreamDestroy, _v2, (CUstream stream), (stream))
SAME(cuEventDestroy, _v2, (CUevent event), (event))
SAME(cuDevicePrimaryCtxRelease, _v2, (CUdevice device), (device))
SAME(cuDevicePrimaryCtxReset, _v2, (CUdevice device), (device))
SAME(cuDevicePrimaryCtxSetFlags, _v2, (CUdevice device, unsigned int flags), (device, flags))
SAME(cuMemHostRegister, _v2, (void *memory, size_t bytes, unsigned int flags), (memory, bytes, flags))
SAME(cuStreamBeginCapture, _v2, (CUstream stream, CUstreamCaptureMode mode), (stream, mode))
SAME(cuLinkCreate, _v2, (unsigned int count, CUjit_option *options, void **values, CUlinkState *state),
     (count, options, values, state))
SAME(cuLinkAddData, _v2,
     (CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned int count,
      CUjit_option *options, void **values),
     (state, type, data, bytes, name, count, options, values))
SAME(cuLinkAddFile, _v2,
     (CUlinkState state, CUjitInputType type, const char *path, unsigned int count, CUjit_option *options,
      void **values),
     (state, type, path, count, options, values))
SAME(cuIpcOpenMemHandle, _v2, (CUdeviceptr * address, CUipcMemHandle handle, unsigned int flags),
     (address, handle, flags))
#undef cuGraphicsResourceSetMapFlags
SAME(cuGraphicsResourceSetMapFlags, _v2, (CUgraphicsResource resource, unsigned int flags), (resource, flags))

/* Without parameters: nothing is read of what a caller gives. The labels are the plain names, which cuda.h has as
 * macros of later ones. */
#define FIRST(name)                                                                                                    \
  __attribute__((visibility("default"))) CUresult first_##name(void) __asm__(#name);                                   \
  CUresult first_##name(void) { return CUDA_ERROR_INVALID_CONTEXT; }
FIRST(cuDeviceTotalMem)
FIRST(cuModuleGetGlobal)
FIRST(cuMemGetInfo)
FIRST(cuMemAlloc)
FIRST(cuMemAllocPitch)
FIRST(cuMemFree)
FIRST(cuMemGetAddressRange)
FIRST(cuMemAllocHost)
FIRST(cuMemHostGetDevicePointer)
FIRST(cuMemcpyHtoD)
FIRST(cuMemcpyDtoH)
FIRST(cuMemcpyDtoD)
FIRST(cuMemcpyDtoA)
FIRST(cuMemcpyAtoD)
FIRST(cuMemcpyHtoA)
FIRST(cuMemcpyAtoH)
FIRST(cuMemcpyAtoA)
FIRST(cuMemcpyHtoAAsync)
FIRST(cuMemcpyAtoHAsync)
FIRST(cuMemcpy2D)
FIRST(cuMemcpy2DUnaligned)
FIRST(cuMemcpy3D)
FIRST(cuMemcpyHtoDAsync)
FIRST(cuMemcpyDtoHAsync)
FIRST(cuMemcpyDtoDAsync)
FIRST(cuMemcpy2DAsync)
FIRST(cuMemcpy3DAsync)
FIRST(cuMemsetD8)
FIRST(cuMemsetD16)
FIRST(cuMemsetD32)
FIRST(cuMemsetD2D8)
FIRST(cuMemsetD2D16)
FIRST(cuMemsetD2D32)
FIRST(cuArrayCreate)
FIRST(cuArrayGetDescriptor)
FIRST(cuArray3DCreate)
FIRST(cuArray3DGetDescriptor)
FIRST(cuTexRefSetAddress)
FIRST(cuTexRefSetAddress2D)
FIRST(cuTexRefGetAddress)
FIRST(cuGraphicsResourceGetMappedPointer)
