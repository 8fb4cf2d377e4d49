/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions by their names. A name stands for the newest form of the function that the version asked for had; the
 * flags, or the header that the caller was compiled with, choose the form for which stream 0 is the thread's own. The
 * forms are the library's symbols: here is only since when there are those that came later than their function. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *symbol;
  int version;
} later_forms[] = {
    {"cuCtxCreate_v4", 12050},
    {"cuCtxCreate_v3", 11040},
    {"cuCtxGetDevice_v2", 13000},
    {"cuCtxSynchronize_v2", 13000},
    {"cuDeviceGetUuid_v2", 11040},
    {"cuDevicePrimaryCtxRelease_v2", 11000},
    {"cuDevicePrimaryCtxReset_v2", 11000},
    {"cuDevicePrimaryCtxSetFlags_v2", 11000},
    {"cuEventElapsedTime_v2", 12080},
    {"cuGetProcAddress_v2", 12000},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphAddKernelNode_v2", 12000},
    {"cuGraphAddNode_v2", 12030},
    {"cuGraphExecKernelNodeSetParams_v2", 12000},
    {"cuGraphExecUpdate_v2", 12000},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphInstantiate_v2", 11000},
    {"cuGraphKernelNodeGetParams_v2", 12000},
    {"cuGraphKernelNodeSetParams_v2", 12000},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuIpcOpenMemHandle_v2", 11000},
    {"cuMemAdvise_v2", 12020},
    {"cuMemPrefetchAsync_v2", 12020},
    {"cuMemcpyBatchAsync_v2", 13000},
    {"cuMemcpy3DBatchAsync_v2", 13000},
    {"cuStreamBatchMemOp_v2", 11070},
    {"cuStreamBeginCapture_v2", 10010},
    {"cuStreamGetCaptureInfo_v2", 11030},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCtx_v2", 12050},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
    {"cuStreamWaitValue32_v2", 11070},
    {"cuStreamWaitValue64_v2", 11070},
    {"cuStreamWriteValue32_v2", 11070},
    {"cuStreamWriteValue64_v2", 11070},
};

static int since(const char *symbol) {
  for (size_t i = 0; i < sizeof later_forms / sizeof *later_forms; i++)
    if (strcmp(later_forms[i].symbol, symbol) == 0)
      return later_forms[i].version;
  return 0;
}

/* This library, whatever else the process has. */
static void *self(void) {
  static void *handle;
  Dl_info here;
  if (!handle && dladdr((void *)since, &here))
    handle = dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  return handle;
}

static void *symbol_of(const char *name, int per_thread) {
  static const char *const endings[] = {"_ptsz", "_ptds"};
  char whole[128];
  void *found = NULL;
  for (int i = 0; per_thread && i < 2 && !found; i++) {
    snprintf(whole, sizeof whole, "%s%s", name, endings[i]);
    found = dlsym(self(), whole);
  }
  return found ? found : dlsym(self(), name);
}

/* Of the forms _v4, _v3, _v2 and without: the newest that version had. too_new: there are only newer ones. */
static void *find(const char *name, int version, int per_thread, int *too_new) {
  static const char *const forms[] = {"_v4", "_v3", "_v2", ""};
  char whole[112];
  *too_new = 0;
  if (strlen(name) > 100 || strncmp(name, "cu", 2) != 0 || (strncmp(name, "cuda", 4) == 0))
    return NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    snprintf(whole, sizeof whole, "%s%s", name, forms[i]);
    void *found = symbol_of(whole, per_thread);
    if (!found)
      continue;
    if (since(whole) <= version)
      return found;
    *too_new = 1;
  }
  return NULL;
}

static CUresult get(const char *name, void **function, int version, cuuint64_t flags,
                    CUdriverProcAddressQueryResult *status) {
  const cuuint64_t both = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  int too_new;
  if (!name || !*name || !function || (flags & ~both) || flags == both)
    return CUDA_ERROR_INVALID_VALUE;
  *function = find(name, version, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0, &too_new);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
              : too_new ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *symbolStatus) {
  CUresult result = get(symbol, pfn, cudaVersion, flags, symbolStatus);
  return result == CUDA_ERROR_NOT_FOUND && symbolStatus ? CUDA_SUCCESS : result; /* then the status tells */
}

#undef cuGetProcAddress
__attribute__((visibility("default"))) CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
                                                                 cuuint64_t flags) {
  return get(symbol, pfn, cudaVersion, flags, NULL);
}
