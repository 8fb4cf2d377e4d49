/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What NCCL 2.30 has besides: nccl.h does not declare it, but programs built with NVIDIA's header may name it, and the
 * loader wants all names of a library to be there (PyTorch's). Such a call says ncclInvalidUsage, as NCCL's does where
 * the machine is not made for it, and reads none of its arguments. */
#include "internal.h"

#define REFUSE(name)                                                                                                   \
  __attribute__((visibility("default"))) ncclResult_t name(void);                                                      \
  extern __typeof__(name) p##name __attribute__((alias(#name), visibility("default")));                                \
  ncclResult_t name(void) { return uwnccl_say(ncclInvalidUsage, #name " is not there in unwarp"); }

REFUSE(ncclCommMemStats)
REFUSE(ncclCommResume)
REFUSE(ncclCommSuspend)
REFUSE(ncclDevCommCreate)
REFUSE(ncclDevCommDestroy)
REFUSE(ncclGetLsaMultimemDevicePointer)
REFUSE(ncclGetPeerDevicePointer)
REFUSE(ncclGroupSimulateEnd)
REFUSE(ncclPutSignal)
REFUSE(ncclSignal)
REFUSE(ncclWaitSignal)
