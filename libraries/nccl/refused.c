/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What NCCL 2.30 has besides: nccl.h does not declare it, but programs built with NVIDIA's header may name it, and the
 * loader wants all names of a library to be there (PyTorch's). Such a call says ncclInvalidUsage, as NCCL's does where
 * the machine is not made for it, and reads none of its arguments. */
#include "internal.h"

#define REFUSE(name, instead)                                                                                          \
  __attribute__((visibility("default"))) ncclResult_t name(void);                                                      \
  extern __typeof__(name) p##name __attribute__((alias(#name), visibility("default")));                                \
  ncclResult_t name(void) { return uwnccl_say(ncclInvalidUsage, #name " is not there in unwarp: " instead); }

#define MEMORY "a communicator's memory is 2 MB and 256 KB for each peer, which it keeps until ncclCommDestroy"
#define SIGNAL "ncclSend and ncclRecv are"
#define DEVICE "kernels cannot communicate; calls of the host can"

REFUSE(ncclCommMemStats, MEMORY)
REFUSE(ncclCommResume, MEMORY)
REFUSE(ncclCommSuspend, MEMORY)
REFUSE(ncclDevCommCreate, DEVICE)
REFUSE(ncclDevCommDestroy, DEVICE)
REFUSE(ncclGetLsaMultimemDevicePointer, DEVICE)
REFUSE(ncclGetPeerDevicePointer, DEVICE)
REFUSE(ncclGroupSimulateEnd, "nothing tells the time of a group ahead")
REFUSE(ncclPutSignal, SIGNAL)
REFUSE(ncclSignal, SIGNAL)
REFUSE(ncclWaitSignal, SIGNAL)
