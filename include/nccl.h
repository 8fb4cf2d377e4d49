/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NCCL's host interface (NCCL 2.30 documentation, "API"), among the processes and devices of one machine
 * (libraries/nccl, docs/nodes.md). What is not declared is not there. Each function has a second name, pnccl…, for
 * tools that stand between a program and NCCL.
 */
#ifndef NCCL_H_
#define NCCL_H_

#include <cuda_runtime_api.h>
#ifdef __cplusplus /* the types that go with ncclDataType_t: programs count on them */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#endif
#include <limits.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>

#define NCCL_MAJOR 2
#ifndef NCCL_MINOR /* -DNCCL_MINOR=26: for programs that want NCCL's device interface, which is not here, from 2.28 on */
#define NCCL_MINOR 30
#endif
#define NCCL_PATCH 7
#define NCCL_SUFFIX ""
#define NCCL_VERSION(X, Y, Z) (((X) <= 2 && (Y) <= 8) ? (X) * 1000 + (Y) * 100 + (Z) : (X) * 10000 + (Y) * 100 + (Z))
#define NCCL_VERSION_CODE NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow_vidmem *ncclWindow_t;

#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
  char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
  ncclTimeout = 8,
  ncclNumResults = 9
} ncclResult_t;

typedef enum {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9,
  ncclFloat8e4m3 = 10,
  ncclFloat8e5m2 = 11,
  ncclNumTypes = 12
} ncclDataType_t;

/* Those that ncclRedOpCreatePreMulSum makes have numbers from ncclNumOps on. */
typedef enum { ncclNumOps_dummy = 5 } ncclRedOp_dummy_t;
typedef enum {
  ncclSum = 0,
  ncclProd = 1,
  ncclMax = 2,
  ncclMin = 3,
  ncclAvg = 4,
  ncclNumOps = 5,
  ncclMaxRedOp = 0x7fffffff >> (32 - 8 * (int)sizeof(ncclRedOp_dummy_t))
} ncclRedOp_t;

typedef enum { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 } ncclScalarResidence_t;

#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_SHRINK_DEFAULT 0x00
#define NCCL_SHRINK_ABORT 0x01
#define NCCL_REVOKE_DEFAULT 0x00
#define NCCL_WIN_DEFAULT 0x00
#define NCCL_WIN_COLL_SYMMETRIC 0x01
#define NCCL_WIN_STRICT_ORDERING 0x02
#define NCCL_WIN_REQUIRED_ALIGNMENT 4096
#define NCCL_CTA_POLICY_DEFAULT 0x00
#define NCCL_CTA_POLICY_EFFICIENCY 0x01
#define NCCL_CTA_POLICY_ZERO 0x02
#define NCCL_UNDEF_FLOAT -1.0f

/* Of these `blocking` has an effect; the others are about GPUs and their networks. */
typedef struct ncclConfig_v23000 {
  size_t size;
  unsigned int magic, version;
  int blocking;
  int cgaClusterSize;
  int minCTAs, maxCTAs;
  const char *netName;
  int splitShare;
  int trafficClass;
  const char *commName;
  int collnetEnable;
  int CTAPolicy;
  int shrinkShare;
  int nvlsCTAs;
  int nChannelsPerNetPeer;
  int nvlinkCentricSched;
  int graphUsageMode;
  int numRmaCtx, maxP2pPeers;
  int graphStreamOrdering;
} ncclConfig_t;

#define NCCL_CONFIG_INITIALIZER                                                                                        \
  {sizeof(ncclConfig_t),  0xcafebeef,                                                                                  \
   NCCL_VERSION_CODE,     NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_PTR,                                                                       \
   NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_PTR, NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                                                                       \
   NCCL_CONFIG_UNDEF_INT}

/* What ncclGroupSimulateEnd would tell. */
typedef struct ncclSimInfo_v22200 {
  size_t size;
  unsigned int magic, version;
  float estimatedTime; /* microseconds */
} ncclSimInfo_t;
#define NCCL_SIM_INFO_INITIALIZER {sizeof(ncclSimInfo_t), 0x74685283, NCCL_VERSION_CODE, NCCL_UNDEF_FLOAT}

/* Of a communicator's memory: what a suspended one gives back, whether it is suspended, what it keeps, and both. */
typedef enum {
  ncclStatGpuMemSuspend = 0,
  ncclStatGpuMemSuspended = 1,
  ncclStatGpuMemPersist = 2,
  ncclStatGpuMemTotal = 3
} ncclCommMemStat_t;
#define NCCL_SUSPEND_MEM 0x01

typedef struct {
  int opCnt, peer, sigIdx, ctx;
} ncclWaitSignalDesc_t;

typedef struct ncclParamHandle *ncclParamHandle_t;

/* What kernels could do by themselves: nothing, here. */
typedef enum {
  NCCL_GIN_TYPE_NONE = 0,
  NCCL_GIN_TYPE_PROXY = 2,
  NCCL_GIN_TYPE_GDAKI = 3,
  NCCL_GIN_TYPE_GPI = 4
} ncclGinType_t;
typedef struct ncclCommProperties {
  size_t size;
  unsigned int magic, version;
  int rank, nRanks, cudaDev, nvmlDev;
  bool deviceApiSupport, multimemSupport;
  ncclGinType_t ginType;
  int nLsaTeams;
  bool hostRmaSupport;
  ncclGinType_t railedGinType;
} ncclCommProperties_t;
#define NCCL_COMM_PROPERTIES_INITIALIZER {sizeof(ncclCommProperties_t), 0xcafebeef, NCCL_VERSION_CODE}

#define NCCL_API_OF_UNWARP(name, parameters)                                                                           \
  ncclResult_t name parameters;                                                                                        \
  ncclResult_t p##name parameters;

/* --- communicators ------------------------------------------------------------------------------------------------ */

NCCL_API_OF_UNWARP(ncclGetVersion, (int *version))
NCCL_API_OF_UNWARP(ncclGetUniqueId, (ncclUniqueId * uniqueId))
NCCL_API_OF_UNWARP(ncclCommInitRank, (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank))
NCCL_API_OF_UNWARP(ncclCommInitRankConfig,
                   (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank, ncclConfig_t *config))
NCCL_API_OF_UNWARP(ncclCommInitRankScalable,
                   (ncclComm_t * newcomm, int nranks, int myrank, int nId, ncclUniqueId *commIds, ncclConfig_t *config))
NCCL_API_OF_UNWARP(ncclCommInitAll, (ncclComm_t * comm, int ndev, const int *devlist))
NCCL_API_OF_UNWARP(ncclCommSplit, (ncclComm_t comm, int color, int key, ncclComm_t *newcomm, ncclConfig_t *config))
/* By the ranks that stay. NCCL_SHRINK_ABORT: others may be gone, and what runs is broken off. */
NCCL_API_OF_UNWARP(ncclCommShrink, (ncclComm_t comm, int *excludeRanksList, int excludeRanksCount, ncclComm_t *newcomm,
                                    ncclConfig_t *config, int shrinkFlags))
NCCL_API_OF_UNWARP(ncclCommGetUniqueId, (ncclComm_t comm, ncclUniqueId *uniqueId))
NCCL_API_OF_UNWARP(ncclCommGrow, (ncclComm_t comm, int nRanks, const ncclUniqueId *uniqueId, int rank,
                                  ncclComm_t *newcomm, ncclConfig_t *config))
NCCL_API_OF_UNWARP(ncclCommRevoke, (ncclComm_t comm, int revokeFlags))
NCCL_API_OF_UNWARP(ncclCommFinalize, (ncclComm_t comm))
NCCL_API_OF_UNWARP(ncclCommDestroy, (ncclComm_t comm))
NCCL_API_OF_UNWARP(ncclCommAbort, (ncclComm_t comm))
/* All work is waited for, and none can be asked for until it is resumed. It gives no memory back: ncclCommMemStats. */
NCCL_API_OF_UNWARP(ncclCommSuspend, (ncclComm_t comm, int flags))
NCCL_API_OF_UNWARP(ncclCommResume, (ncclComm_t comm))
NCCL_API_OF_UNWARP(ncclCommMemStats, (ncclComm_t comm, ncclCommMemStat_t stat, uint64_t *value))
NCCL_API_OF_UNWARP(ncclCommGetAsyncError, (ncclComm_t comm, ncclResult_t *asyncError))
NCCL_API_OF_UNWARP(ncclCommCount, (const ncclComm_t comm, int *count))
NCCL_API_OF_UNWARP(ncclCommCuDevice, (const ncclComm_t comm, int *device))
NCCL_API_OF_UNWARP(ncclCommUserRank, (const ncclComm_t comm, int *rank))

NCCL_API_OF_UNWARP(ncclCommQueryProperties, (ncclComm_t comm, ncclCommProperties_t *props))

/* NCCL_DEBUG is read again. */
void ncclResetDebugInit(void);
void pncclResetDebugInit(void);
const char *ncclGetErrorString(ncclResult_t result);
const char *pncclGetErrorString(ncclResult_t result);
/* Of the calling thread; `comm` may be null. */
const char *ncclGetLastError(ncclComm_t comm);
const char *pncclGetLastError(ncclComm_t comm);

/* --- memory ------------------------------------------------------------------------------------------------------- */

NCCL_API_OF_UNWARP(ncclMemAlloc, (void **ptr, size_t size))
NCCL_API_OF_UNWARP(ncclMemFree, (void *ptr))
NCCL_API_OF_UNWARP(ncclCommRegister, (const ncclComm_t comm, void *buff, size_t size, void **handle))
NCCL_API_OF_UNWARP(ncclCommDeregister, (const ncclComm_t comm, void *handle))
NCCL_API_OF_UNWARP(ncclCommWindowRegister, (ncclComm_t comm, void *buff, size_t size, ncclWindow_t *win, int winFlags))
NCCL_API_OF_UNWARP(ncclCommWindowDeregister, (ncclComm_t comm, ncclWindow_t win))
NCCL_API_OF_UNWARP(ncclWinGetUserPtr, (ncclComm_t comm, ncclWindow_t win, void **outUserPtr))

/* --- operators ---------------------------------------------------------------------------------------------------- */

NCCL_API_OF_UNWARP(ncclRedOpCreatePreMulSum, (ncclRedOp_t * op, void *scalar, ncclDataType_t datatype,
                                              ncclScalarResidence_t residence, ncclComm_t comm))
NCCL_API_OF_UNWARP(ncclRedOpDestroy, (ncclRedOp_t op, ncclComm_t comm))

/* --- operations: counts are elements ------------------------------------------------------------------------------ */

NCCL_API_OF_UNWARP(ncclReduce, (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                                ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclBcast,
                   (void *buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclBroadcast, (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                                   int root, ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclAllReduce, (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                                   ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclReduceScatter, (const void *sendbuff, void *recvbuff, size_t recvcount, ncclDataType_t datatype,
                                       ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclAllGather, (const void *sendbuff, void *recvbuff, size_t sendcount, ncclDataType_t datatype,
                                   ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclAlltoAll, (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                                  ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclGather, (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root,
                                ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclScatter, (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype, int root,
                                 ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclSend, (const void *sendbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm,
                              cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclRecv, (void *recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm,
                              cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclGroupStart, (void))
NCCL_API_OF_UNWARP(ncclGroupEnd, (void))
/* Ends the group without running it, and says ncclInvalidUsage: nothing tells the time ahead. */
NCCL_API_OF_UNWARP(ncclGroupSimulateEnd, (ncclSimInfo_t * simInfo))

/* Of one side alone: ncclInvalidUsage. ncclSend and ncclRecv are there. */
NCCL_API_OF_UNWARP(ncclPutSignal, (const void *localbuff, size_t count, ncclDataType_t datatype, int peer,
                                   ncclWindow_t peerWin, size_t peerWinOffset, int sigIdx, int ctx, unsigned int flags,
                                   ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclSignal,
                   (int peer, int sigIdx, int ctx, unsigned int flags, ncclComm_t comm, cudaStream_t stream))
NCCL_API_OF_UNWARP(ncclWaitSignal, (int nDesc, ncclWaitSignalDesc_t *signalDescs, ncclComm_t comm, cudaStream_t stream))

/* --- parameters: the variables that docs/nodes.md lists, by their names ------------------------------------------- */

NCCL_API_OF_UNWARP(ncclParamBind, (ncclParamHandle_t * out, const char *key))
/* Of one that is a number, where it fits. */
NCCL_API_OF_UNWARP(ncclParamGetI8, (ncclParamHandle_t h, int8_t *out))
NCCL_API_OF_UNWARP(ncclParamGetI16, (ncclParamHandle_t h, int16_t *out))
NCCL_API_OF_UNWARP(ncclParamGetI32, (ncclParamHandle_t h, int32_t *out))
NCCL_API_OF_UNWARP(ncclParamGetI64, (ncclParamHandle_t h, int64_t *out))
NCCL_API_OF_UNWARP(ncclParamGetU8, (ncclParamHandle_t h, uint8_t *out))
NCCL_API_OF_UNWARP(ncclParamGetU16, (ncclParamHandle_t h, uint16_t *out))
NCCL_API_OF_UNWARP(ncclParamGetU32, (ncclParamHandle_t h, uint32_t *out))
NCCL_API_OF_UNWARP(ncclParamGetU64, (ncclParamHandle_t h, uint64_t *out))
/* Any, as text; until the calling thread's next call. Empty where it is not set. */
NCCL_API_OF_UNWARP(ncclParamGetStr, (ncclParamHandle_t h, const char **out))
/* Its bytes: a number's are an int's, a text's have no zero behind them. */
NCCL_API_OF_UNWARP(ncclParamGet, (ncclParamHandle_t h, void *out, int maxLen, int *len))
NCCL_API_OF_UNWARP(ncclParamGetParameter, (const char *key, const char **value, int *valueLen))
NCCL_API_OF_UNWARP(ncclParamGetAllParameterKeys, (const char ***table, int *tableLen))
void ncclParamDumpAll(void);
void pncclParamDumpAll(void);

#undef NCCL_API_OF_UNWARP
#ifdef __cplusplus
}
#endif
#endif
