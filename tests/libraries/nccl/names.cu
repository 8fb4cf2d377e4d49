// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All names of NCCL's host interface are in the library, each with its twin for tools; and what those that few programs call do: groups that are
// only simulated, suspended communicators, memory, signals, properties, parameters.
#include "../check.h"
#include <cstring>
#include <dlfcn.h>
#include <nccl.h>
#include <string>

static const char *const names[] = {
    // versions, errors
    "GetVersion", "GetErrorString", "GetLastError", "CommGetAsyncError", "ResetDebugInit",
    // communicators: made, changed, ended, asked
    "GetUniqueId", "CommInitRank", "CommInitAll", "CommInitRankConfig", "CommInitRankScalable", "CommGetUniqueId", "CommSplit", "CommShrink",
    "CommGrow", "CommSuspend", "CommResume", "CommRevoke", "CommFinalize", "CommDestroy", "CommAbort", "CommCount", "CommCuDevice", "CommUserRank",
    "CommQueryProperties", "CommMemStats",
    // memory
    "MemAlloc", "MemFree", "CommRegister", "CommDeregister", "CommWindowRegister", "CommWindowDeregister", "WinGetUserPtr",
    // operations
    "RedOpCreatePreMulSum", "RedOpDestroy", "Reduce", "Bcast", "Broadcast", "AllReduce", "ReduceScatter", "AllGather", "AlltoAll", "Gather",
    "Scatter", "Send", "Recv", "PutSignal", "Signal", "WaitSignal", "GroupStart", "GroupEnd", "GroupSimulateEnd",
    // parameters
    "ParamBind", "ParamGetI8", "ParamGetI16", "ParamGetI32", "ParamGetI64", "ParamGetU8", "ParamGetU16", "ParamGetU32", "ParamGetU64", "ParamGetStr",
    "ParamGet", "ParamGetParameter", "ParamGetAllParameterKeys", "ParamDumpAll",
    // of the device interface, what the host calls
    "DevCommCreate", "DevCommDestroy", "GetLsaDevicePointer", "GetLsaMultimemDevicePointer", "GetMultimemDevicePointer", "GetPeerDevicePointer"};

static void have_twins() {
  for (const char *name : names) {
    void *one = dlsym(RTLD_DEFAULT, (std::string("nccl") + name).c_str()), *twin = dlsym(RTLD_DEFAULT, (std::string("pnccl") + name).c_str());
    if (!one || one != twin)
      printf("nccl%s: %p %p\n", name, one, twin);
    CHECK(one && one == twin);
  }
}

static bool says(const char *text) { return strstr(ncclGetLastError(nullptr), text); }

static void simulate(ncclComm_t comm, float *x) {
  ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
  CHECK(ncclGroupSimulateEnd(&info) == ncclInvalidUsage && says("not in a group"));
  x[0] = 3;
  CHECK(ncclGroupStart() == ncclSuccess && ncclAllReduce(x, x + 1, 1, ncclFloat, ncclSum, comm, nullptr) == ncclSuccess);
  ncclSimInfo_t bad = {};
  CHECK(ncclGroupSimulateEnd(&bad) == ncclInvalidArgument && ncclGroupSimulateEnd(nullptr) == ncclInvalidArgument);
  CHECK(ncclGroupStart() == ncclSuccess && ncclGroupSimulateEnd(&info) == ncclSuccess); // an inner one
  CHECK(ncclGroupSimulateEnd(&info) == ncclInvalidUsage && says("ahead") && info.estimatedTime == NCCL_UNDEF_FLOAT);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && x[1] == 0); // it did not run, and the group has ended
  CHECK(ncclAllReduce(x, x + 1, 1, ncclFloat, ncclSum, comm, nullptr) == ncclSuccess && cudaDeviceSynchronize() == cudaSuccess && x[1] == 3);
}

static void suspend(ncclComm_t comm, float *x) {
  uint64_t total = 0, persists = 1, can = 1, is = 1;
  CHECK(ncclCommMemStats(comm, ncclStatGpuMemTotal, &total) == ncclSuccess && ncclCommMemStats(comm, ncclStatGpuMemPersist, &persists) == ncclSuccess);
  CHECK(total > 1 << 20 && persists == total);
  CHECK(ncclCommMemStats(comm, ncclStatGpuMemSuspend, &can) == ncclSuccess && can == 0);
  CHECK(ncclCommMemStats(comm, ncclStatGpuMemSuspended, &is) == ncclSuccess && is == 0);
  CHECK(ncclCommMemStats(comm, (ncclCommMemStat_t)9, &is) == ncclInvalidArgument && ncclCommMemStats(comm, ncclStatGpuMemTotal, nullptr) == ncclInvalidArgument);
  CHECK(ncclCommResume(comm) == ncclInvalidArgument && ncclCommSuspend(comm, 8) == ncclInvalidArgument);
  CHECK(ncclCommSuspend(comm, NCCL_SUSPEND_MEM) == ncclSuccess && ncclCommSuspend(comm, NCCL_SUSPEND_MEM) == ncclInvalidArgument);
  CHECK(ncclCommMemStats(comm, ncclStatGpuMemSuspended, &is) == ncclSuccess && is == 1);
  x[1] = 0;
  CHECK(ncclAllReduce(x, x + 1, 1, ncclFloat, ncclSum, comm, nullptr) == ncclInvalidUsage && says("ncclCommResume"));
  CHECK(ncclCommResume(comm) == ncclSuccess && ncclAllReduce(x, x + 1, 1, ncclFloat, ncclSum, comm, nullptr) == ncclSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && x[1] == x[0]);
}

static void properties(ncclComm_t comm) {
  ncclCommProperties_t found = NCCL_COMM_PROPERTIES_INITIALIZER, bad = {};
  CHECK(ncclCommQueryProperties(comm, &bad) == ncclInvalidArgument && ncclCommQueryProperties(nullptr, &found) == ncclInvalidArgument);
  CHECK(ncclCommQueryProperties(comm, &found) == ncclSuccess && found.rank == 0 && found.nRanks == 1 && found.cudaDev == 0);
  CHECK(!found.deviceApiSupport && !found.multimemSupport && !found.hostRmaSupport && found.ginType == NCCL_GIN_TYPE_NONE && found.nLsaTeams == 1);
}

static void signals(ncclComm_t comm, float *x) {
  ncclWaitSignalDesc_t one = {1, 0, 0, 0};
  CHECK(ncclPutSignal(x, 1, ncclFloat, 0, nullptr, 0, 0, 0, 0, comm, nullptr) == ncclInvalidUsage && says("ncclPutSignal") && says("ncclSend"));
  CHECK(ncclSignal(0, 0, 0, 0, comm, nullptr) == ncclInvalidUsage && ncclWaitSignal(1, &one, comm, nullptr) == ncclInvalidUsage);
}

static void parameters() {
  ncclParamHandle_t seconds, debug, none;
  int32_t number = 0;
  int8_t small = 7;
  uint16_t half = 0;
  int64_t wide = 0;
  const char *text = nullptr, **keys = nullptr;
  int length = -1, count = 0, raw = 0;
  char bytes[8];
  setenv("UNWARP_NCCL_TIMEOUT", "321", 1);
  setenv("NCCL_DEBUG", "none", 1);
  CHECK(ncclParamBind(&seconds, "UNWARP_NCCL_TIMEOUT") == ncclSuccess && ncclParamBind(&debug, "NCCL_DEBUG") == ncclSuccess);
  CHECK(ncclParamBind(&none, "NCCL_NTHREADS") == ncclInvalidArgument && says("NCCL_NTHREADS") && ncclParamBind(nullptr, "NCCL_DEBUG") == ncclInvalidArgument);
  CHECK(ncclParamGetI32(seconds, &number) == ncclSuccess && number == 321 && ncclParamGetU16(seconds, &half) == ncclSuccess && half == 321);
  CHECK(ncclParamGetI64(seconds, &wide) == ncclSuccess && wide == 321);
  CHECK(ncclParamGetI8(seconds, &small) == ncclInvalidArgument && says("does not fit") && small == 7);
  CHECK(ncclParamGetI32(debug, &number) == ncclInvalidArgument && says("ncclParamGetStr") && ncclParamGetI32(nullptr, &number) == ncclInvalidArgument);
  CHECK(ncclParamGetStr(debug, &text) == ncclSuccess && strcmp(text, "none") == 0 && ncclParamGetStr(seconds, &text) == ncclSuccess && strcmp(text, "321") == 0);
  CHECK(ncclParamGet(seconds, &raw, sizeof raw, &length) == ncclSuccess && raw == 321 && length == 4);
  CHECK(ncclParamGet(debug, bytes, sizeof bytes, &length) == ncclSuccess && length == 4 && memcmp(bytes, "none", 4) == 0);
  CHECK(ncclParamGet(debug, bytes, 3, &length) == ncclInvalidArgument && length == 4);
  CHECK(ncclParamGetParameter("NCCL_DEBUG", &text, &length) == ncclSuccess && length == 4 && strcmp(text, "none") == 0);
  CHECK(ncclParamGetParameter("NCCL_ALGO", &text, &length) == ncclInvalidArgument);
  CHECK(ncclParamGetAllParameterKeys(&keys, &count) == ncclSuccess && count > 5);
  for (int i = 0; i < count; i++)
    CHECK(ncclParamGetParameter(keys[i], &text, &length) == ncclSuccess);
  unsetenv("UNWARP_NCCL_TIMEOUT");
  CHECK(ncclParamGetI32(seconds, &number) == ncclSuccess && number == 600);
}

int main() {
  ncclComm_t comm;
  float *x;
  have_twins();
  CHECK(ncclCommInitAll(&comm, 1, nullptr) == ncclSuccess && cudaMallocManaged(&x, 2 * sizeof *x) == cudaSuccess);
  x[1] = 0;
  simulate(comm, x);
  suspend(comm, x);
  properties(comm);
  signals(comm, x);
  parameters();
  CHECK(ncclCommDestroy(comm) == ncclSuccess);
  return report("names");
}
