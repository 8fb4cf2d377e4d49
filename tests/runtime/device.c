/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The device: its index, properties, attributes, settings, versions and peers.
 */
#include "check.h"

#include <sched.h>

#include "../../include/cuda.h"
#include "../../include/cuda_profiler_api.h"

static void check_numbers(void) {
  int value = -1, devices[2] = {0, 1};
  CHECK_OK(cudaGetDeviceCount(&value));
  CHECK_NUMBER(value, 1);
  CHECK_ERROR(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
  CHECK_OK(cudaSetDevice(0));
  CHECK_ERROR(cudaSetDevice(1), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
  value = -1;
  CHECK_OK(cudaGetDevice(&value));
  CHECK_NUMBER(value, 0);
  CHECK_OK(cudaSetValidDevices(devices, 1));
  CHECK_ERROR(cudaSetValidDevices(devices, 2), cudaErrorInvalidDevice);
  CHECK_OK(cudaDriverGetVersion(&value));
  CHECK_NUMBER(value, 13010);
  CHECK_OK(cudaRuntimeGetVersion(&value));
  CHECK_NUMBER(value, 12040);
  CHECK_OK(cudaProfilerStart());
  CHECK_OK(cudaProfilerStop());
}

static void check_properties(void) {
  struct cudaDeviceProp prop;
  int value = -1;
  size_t free_bytes, total_bytes;
  memset(&prop, 0xA5, sizeof prop);
  CHECK_ERROR(cudaGetDeviceProperties(&prop, 1), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
  CHECK_OK(cudaGetDeviceProperties(&prop, 0));
  CHECK(strlen(prop.name) > 0 && strlen(prop.name) < 256);
  CHECK_NUMBER(prop.warpSize, 32);
  CHECK_NUMBER(prop.major * 10 + prop.minor, 80);
  CHECK_NUMBER(prop.maxThreadsPerBlock, 1024);
  CHECK_NUMBER(prop.maxThreadsDim[2], 64);
  CHECK_NUMBER(prop.maxGridSize[0], 2147483647);
  CHECK_NUMBER(prop.maxGridSize[1], 65535);
  CHECK_NUMBER(prop.sharedMemPerBlock, 49152);
  CHECK_NUMBER(prop.sharedMemPerBlockOptin, 166912);
  CHECK_NUMBER(prop.totalConstMem, 65536);
  CHECK(prop.multiProcessorCount >= 1 && prop.multiProcessorCount <= sysconf(_SC_NPROCESSORS_CONF));
  CHECK(prop.clockRate >= 100000);
  CHECK(prop.totalGlobalMem >= (size_t)64 << 20);
  CHECK_NUMBER(prop.deviceOverlap, 1);
  CHECK_NUMBER(prop.reserved[59], 0);
  CHECK_OK(cudaMemGetInfo(&free_bytes, &total_bytes));
  CHECK_NUMBER(total_bytes, prop.totalGlobalMem);
  CHECK(free_bytes > 0 && free_bytes <= total_bytes);
  CHECK_ERROR(cudaMemGetInfo(NULL, NULL), cudaErrorInvalidValue);
  CHECK_OK(cudaChooseDevice(&value, &prop));
  CHECK_NUMBER(value, 0);
  CHECK_ERROR(cudaChooseDevice(&value, NULL), cudaErrorInvalidValue);
}

static void check_attributes(void) {
  struct cudaDeviceProp prop;
  int value;
  CHECK_OK(cudaGetDeviceProperties(&prop, 0));
#define SAME(attribute, member)                                                                                        \
  do {                                                                                                                 \
    value = -7;                                                                                                        \
    CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttr##attribute, 0));                                               \
    CHECK_NUMBER(value, prop.member);                                                                                  \
  } while (0)
  SAME(MaxThreadsPerBlock, maxThreadsPerBlock);
  SAME(MaxBlockDimZ, maxThreadsDim[2]);
  SAME(MaxGridDimX, maxGridSize[0]);
  SAME(MaxSharedMemoryPerBlock, sharedMemPerBlock);
  SAME(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin);
  SAME(MultiProcessorCount, multiProcessorCount);
  SAME(ClockRate, clockRate);
  SAME(L2CacheSize, l2CacheSize);
  SAME(MaxPersistingL2CacheSize, persistingL2CacheMaxSize);
  SAME(ComputeCapabilityMajor, major);
  SAME(CooperativeLaunch, cooperativeLaunch);
  SAME(MaxTexture2DHeight, maxTexture2D[1]);
  SAME(ManagedMemory, managedMemory);
  /* Every attribute that the header names is answered. */
  for (int attribute = 1; attribute < cudaDevAttrMax; attribute++) {
    int gap = attribute == 44 || (attribute >= 92 && attribute <= 94) || (attribute >= 102 && attribute <= 105) ||
              attribute == 107 || attribute == 110 || (attribute >= 122 && attribute <= 124) ||
              (attribute >= 127 && attribute <= 129) || attribute == 132 || attribute == 136 || attribute == 137 ||
              attribute == 141 || attribute == 145 || attribute == 146;
    CHECK_ERROR(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)attribute, 0),
                gap ? cudaErrorInvalidValue : cudaSuccess);
  }
  CHECK_ERROR(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
}

static void check_settings(void) {
  size_t bytes = 0;
  unsigned int flags = 0;
  enum cudaFuncCache cache;
  enum cudaSharedMemConfig banks;
  CHECK_OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  CHECK_NUMBER(bytes, 8 << 20);
  CHECK_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 100 << 20));
  CHECK_OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  CHECK_NUMBER(bytes, 100 << 20);
  CHECK_OK(cudaThreadGetLimit(&bytes, cudaLimitStackSize));
  CHECK_NUMBER(bytes, 1024);
  int most;
  CHECK_OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
  CHECK_OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most));
  CHECK_OK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize));
  CHECK_NUMBER(bytes, most);
  CHECK_ERROR(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)most + 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceSetLimit((enum cudaLimit)77, 1), cudaErrorUnsupportedLimit);
  CHECK_ERROR(cudaDeviceGetLimit(&bytes, (enum cudaLimit) - 1), cudaErrorUnsupportedLimit);
  CHECK_ERROR(cudaDeviceGetLimit(NULL, cudaLimitStackSize), cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  CHECK_OK(cudaDeviceGetCacheConfig(&cache));
  CHECK_NUMBER(cache, cudaFuncCachePreferL1);
  CHECK_ERROR(cudaDeviceSetCacheConfig((enum cudaFuncCache)9), cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceGetSharedMemConfig(&banks));
  CHECK_NUMBER(banks, cudaSharedMemBankSizeFourByte);
  CHECK_OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  CHECK_OK(cudaDeviceGetSharedMemConfig(&banks));
  CHECK_NUMBER(banks, cudaSharedMemBankSizeEightByte);
  CHECK_OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
  CHECK_OK(cudaGetDeviceFlags(&flags));
  CHECK_NUMBER(flags, cudaDeviceScheduleBlockingSync | cudaDeviceMapHost);
  CHECK_ERROR(cudaSetDeviceFlags(3), cudaErrorInvalidValue);
  CHECK_ERROR(cudaSetDeviceFlags(0x100), cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceReset());
  CHECK_OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  CHECK_NUMBER(bytes, 8 << 20);
  CHECK_OK(cudaThreadSynchronize());
  CHECK_OK(cudaThreadExit());
}

static void check_peers(void) {
  int value = -1;
  char address[16] = "";
  CHECK_OK(cudaDeviceCanAccessPeer(&value, 0, 0));
  CHECK_NUMBER(value, 0);
  CHECK_ERROR(cudaDeviceCanAccessPeer(&value, 0, 1), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  CHECK_ERROR(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice);
  CHECK_OK(cudaDeviceGetPCIBusId(address, sizeof address, 0));
  CHECK_TEXT(address, "0000:00:00.0");
  CHECK_ERROR(cudaDeviceGetPCIBusId(address, 4, 0), cudaErrorInvalidValue);
  value = -1;
  CHECK_OK(cudaDeviceGetByPCIBusId(&value, address));
  CHECK_NUMBER(value, 0);
  CHECK_ERROR(cudaDeviceGetByPCIBusId(&value, "0000:17:00.0"), cudaErrorInvalidDevice);
}

static void check_entry_points(void) {
  void *found = NULL;
  enum cudaDriverEntryPointQueryResult status = 9;
  CHECK_OK(cudaGetDriverEntryPoint("cuNothing", &found, cudaEnableDefault, &status));
  CHECK(!found && status == cudaDriverEntryPointSymbolNotFound);
  CHECK_ERROR(cudaGetDriverEntryPoint("cuNothing", &found, cudaEnableDefault, NULL), cudaErrorSymbolNotFound);
  CHECK_OK(cudaGetDriverEntryPointByVersion("cuNothing", &found, 99000, cudaEnableDefault, &status));
  CHECK(!found && status == cudaDriverEntryPointSymbolNotFound);
  CHECK_ERROR(cudaGetDriverEntryPoint("", &found, 0, &status), cudaErrorInvalidValue);
  CHECK_ERROR(cudaImportExternalMemory(NULL, NULL), cudaErrorNotSupported);
}

/* The device has the cores that the process had, not those that a thread is bound to since, as libomp binds its first one. */
static void bind_to_one_core(cpu_set_t *before) {
  cpu_set_t one;
  CHECK(sched_getaffinity(0, sizeof *before, before) == 0);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; core++)
    if (CPU_ISSET(core, before))
      CPU_SET(core, &one);
  CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
}

static void check_cores(const cpu_set_t *before) {
  struct cudaDeviceProp prop;
  CHECK_ERROR(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
  CHECK_NUMBER(prop.multiProcessorCount, CPU_COUNT(before));
  CHECK(sched_setaffinity(0, sizeof *before, before) == 0);
}

int main(void) {
  cpu_set_t cores;
  bind_to_one_core(&cores);
  check_cores(&cores);
  check_numbers();
  check_properties();
  check_attributes();
  check_settings();
  check_peers();
  check_entry_points();
  return finish();
}
