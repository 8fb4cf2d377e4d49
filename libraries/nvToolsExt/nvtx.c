/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVTX 2 as a library, for programs that were linked with it or open it (PyTorch 1.x): marks and ranges for a profiler,
 * which does not listen here (include/nvtx3/nvToolsExt.h has the same for programs that are compiled). Arguments are
 * not looked at.
 */
#include <stdint.h>

#define VISIBLE __attribute__((visibility("default")))
enum { NO_TRACKING = -2 }; /* NVTX_NO_PUSH_POP_TRACKING */

#define NOTHING(name)                                                                                                  \
  VISIBLE void name(uint64_t first, ...);                                                                              \
  void name(uint64_t first, ...) { (void)first; }
#define NO_DEPTH(name)                                                                                                 \
  VISIBLE int name(uint64_t first, ...);                                                                               \
  int name(uint64_t first, ...) {                                                                                      \
    (void)first;                                                                                                       \
    return NO_TRACKING;                                                                                                \
  }
/* A handle or a range's number. */
#define NONE(name)                                                                                                     \
  VISIBLE uint64_t name(uint64_t first, ...);                                                                          \
  uint64_t name(uint64_t first, ...) {                                                                                 \
    (void)first;                                                                                                       \
    return 0;                                                                                                          \
  }

NOTHING(nvtxInitialize)
NOTHING(nvtxMarkEx)
NOTHING(nvtxMarkA)
NOTHING(nvtxMarkW)
NONE(nvtxRangeStartEx)
NONE(nvtxRangeStartA)
NONE(nvtxRangeStartW)
NOTHING(nvtxRangeEnd)
NO_DEPTH(nvtxRangePushEx)
NO_DEPTH(nvtxRangePushA)
NO_DEPTH(nvtxRangePushW)
NO_DEPTH(nvtxRangePop)
NOTHING(nvtxNameCategoryA)
NOTHING(nvtxNameCategoryW)
NOTHING(nvtxNameOsThreadA)
NOTHING(nvtxNameOsThreadW)
NONE(nvtxDomainCreateA)
NONE(nvtxDomainCreateW)
NOTHING(nvtxDomainDestroy)
NONE(nvtxDomainRegisterStringA)
NONE(nvtxDomainRegisterStringW)
NONE(nvtxDomainResourceCreate)
NOTHING(nvtxDomainResourceDestroy)
NOTHING(nvtxDomainNameCategoryA)
NOTHING(nvtxDomainNameCategoryW)
NOTHING(nvtxDomainMarkEx)
NONE(nvtxDomainRangeStartEx)
NOTHING(nvtxDomainRangeEnd)
NO_DEPTH(nvtxDomainRangePushEx)
NO_DEPTH(nvtxDomainRangePop)
NOTHING(nvtxNameCuDeviceA)
NOTHING(nvtxNameCuDeviceW)
NOTHING(nvtxNameCuContextA)
NOTHING(nvtxNameCuContextW)
NOTHING(nvtxNameCuStreamA)
NOTHING(nvtxNameCuStreamW)
NOTHING(nvtxNameCuEventA)
NOTHING(nvtxNameCuEventW)
NOTHING(nvtxNameCudaDeviceA)
NOTHING(nvtxNameCudaDeviceW)
NOTHING(nvtxNameCudaStreamA)
NOTHING(nvtxNameCudaStreamW)
NOTHING(nvtxNameCudaEventA)
NOTHING(nvtxNameCudaEventW)
