/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What NCCL 2.30 has besides: programs may name it, and the loader wants all names of a library to be there (PyTorch's).
 * Such a call says ncclInvalidUsage, as NCCL's does where the machine is not made for it, and reads none of its
 * arguments. nccl.h does not declare what is of the device API. */
#include "api.h"

#define NOT_THERE(name, instead) name " is not there in unwarp: " instead
#define REFUSE(name, instead)                                                                                          \
  __attribute__((visibility("default"))) ncclResult_t name(void);                                                      \
  extern __typeof__(name) p##name __attribute__((alias(#name), visibility("default")));                                \
  ncclResult_t name(void) { return uwnccl_say(ncclInvalidUsage, NOT_THERE(#name, instead)); }

#define SIGNAL "ncclSend and ncclRecv are"
#define DEVICE "kernels cannot communicate; calls of the host can"

REFUSE(ncclDevCommCreate, DEVICE)
REFUSE(ncclDevCommDestroy, DEVICE)
REFUSE(ncclGetLsaDevicePointer, DEVICE)
REFUSE(ncclGetLsaMultimemDevicePointer, DEVICE)
REFUSE(ncclGetMultimemDevicePointer, DEVICE)
REFUSE(ncclGetPeerDevicePointer, DEVICE)
REFUSE(ncclGinBarrierCreateRequirement, DEVICE)
REFUSE(ncclGinInboxA2ACreateRequirement, DEVICE)
REFUSE(ncclGinOutboxCreateRequirement, DEVICE)
REFUSE(ncclLLA2ACreateRequirement, DEVICE)
REFUSE(ncclLsaBarrierCreateRequirement, DEVICE)

NCCL(ncclPutSignal, const void *from, size_t count, ncclDataType_t type, int peer, ncclWindow_t window, size_t offset,
     int signal, int context, unsigned int flags, ncclComm_t comm, cudaStream_t stream) {
  (void)from, (void)count, (void)type, (void)peer, (void)window, (void)offset, (void)signal, (void)context, (void)flags,
      (void)comm, (void)stream;
  return uwnccl_say(ncclInvalidUsage, NOT_THERE("ncclPutSignal", SIGNAL));
}
NCCL(ncclSignal, int peer, int signal, int context, unsigned int flags, ncclComm_t comm, cudaStream_t stream) {
  (void)peer, (void)signal, (void)context, (void)flags, (void)comm, (void)stream;
  return uwnccl_say(ncclInvalidUsage, NOT_THERE("ncclSignal", SIGNAL));
}
NCCL(ncclWaitSignal, int count, ncclWaitSignalDesc_t *all, ncclComm_t comm, cudaStream_t stream) {
  (void)count, (void)all, (void)comm, (void)stream;
  return uwnccl_say(ncclInvalidUsage, NOT_THERE("ncclWaitSignal", SIGNAL));
}

/* By which programs of the device API ask whether it is there. A kernel reaches its own rank alone: a team of one. */
NCCL(ncclCommQueryProperties, ncclComm_t comm, ncclCommProperties_t *to) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(to && to->size >= sizeof *to && to->magic == 0xcafebeef,
          "ncclCommQueryProperties: props is null, or was not begun with NCCL_COMM_PROPERTIES_INITIALIZER");
  to->rank = comm->rank;
  to->nRanks = to->nLsaTeams = comm->count;
  to->cudaDev = to->nvmlDev = comm->device; /* NVML shows what is visible */
  to->deviceApiSupport = to->multimemSupport = to->hostRmaSupport = false;
  to->ginType = to->railedGinType = NCCL_GIN_TYPE_NONE;
  return ncclSuccess;
}
