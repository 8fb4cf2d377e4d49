/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVML for a CPU. What the runtime says of a device is what it says here; what changes comes from the system: how busy
 * the processors were from /proc/stat, clocks and temperature from /sys, energy from RAPL where it may be read. Several
 * devices are parts of one machine: they are as busy and as warm as that.
 */
#define _GNU_SOURCE
#pragma GCC visibility push(default)
#include "../../include/nvml.h"
#pragma GCC visibility pop
#include "../../runtime/driver.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DEVICES = 32 };
struct nvmlDevice_st {
  int index;
};
static struct nvmlDevice_st devices[MOST_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int uses;

#define ENTER()                                                                                                        \
  do {                                                                                                                 \
    if (!is_ready())                                                                                                   \
      return NVML_ERROR_UNINITIALIZED;                                                                                 \
  } while (0)
#define ENTER_DEVICE(device)                                                                                           \
  do {                                                                                                                 \
    ENTER();                                                                                                           \
    if (!is_device(device))                                                                                            \
      return NVML_ERROR_INVALID_ARGUMENT;                                                                              \
  } while (0)
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      return NVML_ERROR_INVALID_ARGUMENT;                                                                              \
  } while (0)

static int is_ready(void) {
  pthread_mutex_lock(&lock);
  int ready = uses > 0;
  pthread_mutex_unlock(&lock);
  return ready;
}

/* A look at the runtime that a program's own errors and contexts do not notice. */
static int device_count(void) {
  int count = 0;
  uwrt_driver_state saved;
  uwrt_driver_enter(&saved);
  cudaGetDeviceCount(&count);
  uwrt_driver_leave(&saved);
  return count < MOST_DEVICES ? count : MOST_DEVICES;
}

static int is_device(nvmlDevice_t device) {
  return device >= devices && device < devices + device_count() &&
         ((char *)device - (char *)devices) % sizeof *devices == 0;
}

static int properties_of(nvmlDevice_t device, struct cudaDeviceProp *found) {
  uwrt_driver_state saved;
  uwrt_driver_enter(&saved);
  int good = cudaGetDeviceProperties(found, device->index) == cudaSuccess;
  uwrt_driver_leave(&saved);
  return good;
}

static nvmlReturn_t give_text(char *to, unsigned int length, const char *text) {
  if (!to)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (strlen(text) >= length)
    return NVML_ERROR_INSUFFICIENT_SIZE;
  strcpy(to, text);
  return NVML_SUCCESS;
}

/* --- the library -------------------------------------------------------------------------------------------------- */

nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  REQUIRE(!(flags & ~3u));
  pthread_mutex_lock(&lock);
  uses++;
  for (int i = 0; i < MOST_DEVICES; i++)
    devices[i].index = i;
  pthread_mutex_unlock(&lock);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
__attribute__((visibility("default"))) nvmlReturn_t nvmlInit_v1(void) __asm__("nvmlInit");
nvmlReturn_t nvmlInit_v1(void) { return nvmlInitWithFlags(0); }

nvmlReturn_t nvmlShutdown(void) {
  pthread_mutex_lock(&lock);
  int was = uses;
  uses -= uses > 0;
  pthread_mutex_unlock(&lock);
  return was ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
  case NVML_SUCCESS: return "Success";
  case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
  case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
  case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
  case NVML_ERROR_NO_PERMISSION: return "Insufficient Permissions";
  case NVML_ERROR_NOT_FOUND: return "Not Found";
  case NVML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
  case NVML_ERROR_ARGUMENT_VERSION_MISMATCH: return "Argument Version Mismatch";
  case NVML_ERROR_NO_DATA: return "No Data";
  default: return "Unknown Error";
  }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
  ENTER();
  return give_text(version, length, "590.44.01"); /* the driver that CUDA 13.1 came with: programs compare it */
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length) {
  ENTER();
  return give_text(version, length, "13.590.44.01");
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *cudaDriverVersion) {
  REQUIRE(cudaDriverVersion);
  return cudaDriverGetVersion(cudaDriverVersion) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *cudaDriverVersion) {
  return nvmlSystemGetCudaDriverVersion(cudaDriverVersion);
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length) {
  char path[64], line[4096] = "";
  ENTER();
  REQUIRE(name && length);
  snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return NVML_ERROR_NOT_FOUND;
  line[fread(line, 1, sizeof line - 1, file)] = 0; /* ends with the first word */
  fclose(file);
  snprintf(name, length, "%s", line);
  return NVML_SUCCESS;
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *deviceCount) {
  ENTER();
  REQUIRE(deviceCount);
  *deviceCount = (unsigned int)device_count();
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
  ENTER();
  REQUIRE(device && index < (unsigned int)device_count());
  *device = &devices[index];
  return NVML_SUCCESS;
}

static void uuid_text(const struct cudaDeviceProp *of, char text[64]) {
  char *at = text + sprintf(text, "GPU-");
  for (int i = 0; i < 16; i++)
    at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", (unsigned char)of->uuid.bytes[i]);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length) {
  struct cudaDeviceProp found;
  char text[64];
  ENTER_DEVICE(device);
  if (!properties_of(device, &found))
    return NVML_ERROR_UNKNOWN;
  uuid_text(&found, text);
  return give_text(uuid, length, text);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  struct cudaDeviceProp found;
  char text[64];
  ENTER();
  REQUIRE(uuid && device);
  for (int i = 0; i < device_count(); i++)
    if (properties_of(&devices[i], &found) && (uuid_text(&found, text), strcmp(text, uuid) == 0)) {
      *device = &devices[i];
      return NVML_SUCCESS;
    }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *pciBusId, nvmlDevice_t *device) {
  int index;
  uwrt_driver_state saved;
  ENTER();
  REQUIRE(pciBusId && device);
  size_t length = strlen(pciBusId);
  const char *bus = length == 16 ? pciBusId + 4 : pciBusId; /* a domain of eight digits */
  uwrt_driver_enter(&saved);
  int good = cudaDeviceGetByPCIBusId(&index, bus) == cudaSuccess;
  uwrt_driver_leave(&saved);
  if (!good)
    return NVML_ERROR_NOT_FOUND;
  *device = &devices[index];
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index) {
  ENTER_DEVICE(device);
  REQUIRE(index);
  *index = (unsigned int)device->index;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minorNumber) {
  return nvmlDeviceGetIndex(device, minorNumber);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
  struct cudaDeviceProp found;
  ENTER_DEVICE(device);
  if (!properties_of(device, &found))
    return NVML_ERROR_UNKNOWN;
  found.name[NVML_DEVICE_NAME_BUFFER_SIZE - 1] = 0;
  return give_text(name, length, found.name);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  struct cudaDeviceProp found;
  ENTER_DEVICE(device);
  REQUIRE(pci);
  if (!properties_of(device, &found))
    return NVML_ERROR_UNKNOWN;
  *pci = (nvmlPciInfo_t){.domain = (unsigned int)found.pciDomainID,
                         .bus = (unsigned int)found.pciBusID,
                         .device = (unsigned int)found.pciDeviceID};
  snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff, pci->bus & 0xff,
           pci->device & 0xff);
  snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain, pci->bus & 0xff, pci->device & 0xff);
  return NVML_SUCCESS;
}

#define CONSTANT(name, type, value)                                                                                    \
  nvmlReturn_t name(nvmlDevice_t device, type *to) {                                                                   \
    ENTER_DEVICE(device);                                                                                              \
    REQUIRE(to);                                                                                                       \
    *to = (value);                                                                                                     \
    return NVML_SUCCESS;                                                                                               \
  }
CONSTANT(nvmlDeviceGetBrand, nvmlBrandType_t, NVML_BRAND_UNKNOWN)
CONSTANT(nvmlDeviceGetArchitecture, nvmlDeviceArchitecture_t,
         NVML_DEVICE_ARCH_AMPERE) /* what compute capability 8.0 is */
CONSTANT(nvmlDeviceGetComputeMode, nvmlComputeMode_t, NVML_COMPUTEMODE_DEFAULT)
CONSTANT(nvmlDeviceGetPersistenceMode, nvmlEnableState_t, NVML_FEATURE_ENABLED)
CONSTANT(nvmlDeviceGetPerformanceState, nvmlPstates_t, NVML_PSTATE_0)

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  struct cudaDeviceProp found;
  ENTER_DEVICE(device);
  REQUIRE(major && minor);
  if (!properties_of(device, &found))
    return NVML_ERROR_UNKNOWN;
  *major = found.major;
  *minor = found.minor;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned int *numCores) {
  struct cudaDeviceProp found;
  ENTER_DEVICE(device);
  REQUIRE(numCores);
  if (!properties_of(device, &found))
    return NVML_ERROR_UNKNOWN;
  *numCores = (unsigned int)found.multiProcessorCount;
  return NVML_SUCCESS;
}

/* --- what changes ------------------------------------------------------------------------------------------------- */

static int memory_of(nvmlDevice_t device, size_t *available, size_t *total) {
  uwrt_driver_state saved;
  int before = 0;
  uwrt_driver_enter(&saved);
  cudaGetDevice(&before);
  int good = cudaSetDevice(device->index) == cudaSuccess && cudaMemGetInfo(available, total) == cudaSuccess;
  cudaSetDevice(before);
  uwrt_driver_leave(&saved);
  return good;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  size_t available, total;
  ENTER_DEVICE(device);
  REQUIRE(memory);
  if (!memory_of(device, &available, &total))
    return NVML_ERROR_UNKNOWN;
  *memory = (nvmlMemory_t){total, available, total - available};
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  nvmlMemory_t found;
  REQUIRE(memory);
  if (memory->version != nvmlMemory_v2)
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  nvmlReturn_t result = nvmlDeviceGetMemoryInfo(device, &found);
  if (result == NVML_SUCCESS)
    *memory = (nvmlMemory_v2_t){nvmlMemory_v2, found.total, 0, found.free, found.used};
  return result;
}

/* Ticks that all processors worked, and all ticks, since the machine started. */
static int read_ticks(unsigned long long *busy, unsigned long long *all) {
  unsigned long long user, nice, system, idle, waiting, interrupts, soft;
  FILE *file = fopen("/proc/stat", "re");
  int good = file && fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &waiting,
                            &interrupts, &soft) == 7;
  if (file)
    fclose(file);
  if (good) {
    *busy = user + nice + system + interrupts + soft;
    *all = *busy + idle + waiting;
  }
  return good;
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization) {
  static unsigned long long last_busy, last_all;
  static unsigned int last;
  unsigned long long busy, all;
  size_t available, total;
  ENTER_DEVICE(device);
  REQUIRE(utilization);
  if (!read_ticks(&busy, &all) || !memory_of(device, &available, &total))
    return NVML_ERROR_NOT_SUPPORTED;
  pthread_mutex_lock(&lock);
  if (all > last_all && busy >= last_busy) { /* else no tick has passed: what was said still holds */
    last = (unsigned int)((busy - last_busy) * 100 / (all - last_all));
    last_busy = busy;
    last_all = all;
  }
  *utilization = (nvmlUtilization_t){last, total ? (unsigned int)((total - available) * 100 / total) : 0};
  pthread_mutex_unlock(&lock);
  return NVML_SUCCESS;
}

static int read_number(const char *path, unsigned long long *value) {
  FILE *file = fopen(path, "re");
  int good = file && fscanf(file, "%llu", value) == 1;
  if (file)
    fclose(file);
  return good;
}

static nvmlReturn_t clock_of(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock, const char *path) {
  unsigned long long khz;
  struct cudaDeviceProp found;
  ENTER_DEVICE(device);
  REQUIRE(clock && type >= NVML_CLOCK_GRAPHICS && type < NVML_CLOCK_COUNT);
  if (type == NVML_CLOCK_VIDEO)
    return NVML_ERROR_NOT_SUPPORTED;
  if (!properties_of(device, &found))
    return NVML_ERROR_UNKNOWN;
  if (type ==
      NVML_CLOCK_MEM) { /* users may not read it: 0, not known, as cudaDeviceProp has it, which programs print and go on */
    khz = (unsigned long long)found.memoryClockRate;
  } else if (!read_number(path, &khz)) {
    if (found.clockRate <= 0)
      return NVML_ERROR_NOT_SUPPORTED;
    khz = (unsigned long long)found.clockRate;
  }
  *clock = (unsigned int)(khz / 1000);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock) {
  return clock_of(device, type, clock, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
}
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock) {
  return clock_of(device, type, clock, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensorType, unsigned int *temp) {
  unsigned long long thousandths, highest = 0;
  char path[96];
  int any = 0;
  ENTER_DEVICE(device);
  REQUIRE(temp && sensorType == NVML_TEMPERATURE_GPU);
  for (int zone = 0; zone < 64; zone++) {
    snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp", zone);
    if (read_number(path, &thousandths)) {
      any = 1;
      highest = thousandths > highest ? thousandths : highest;
    }
  }
  if (!any)
    return NVML_ERROR_NOT_SUPPORTED;
  *temp = (unsigned int)(highest / 1000);
  return NVML_SUCCESS;
}

static int read_energy(unsigned long long *millijoules) { /* of all packages */
  unsigned long long micro, sum = 0;
  char path[96];
  int any = 0;
  for (int package = 0; package < 16; package++) {
    snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/energy_uj", package);
    if (read_number(path, &micro)) {
      any = 1;
      sum += micro / 1000;
    }
  }
  *millijoules = sum;
  return any;
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *energy) {
  ENTER_DEVICE(device);
  REQUIRE(energy);
  return read_energy(energy) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int *power) {
  unsigned long long before, after;
  const unsigned int milliseconds = 20;
  ENTER_DEVICE(device);
  REQUIRE(power);
  if (!read_energy(&before))
    return NVML_ERROR_NOT_SUPPORTED;
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000L}, NULL);
  if (!read_energy(&after) || after < before)
    return NVML_ERROR_NO_DATA;
  *power = (unsigned int)((after - before) * 1000 / milliseconds);
  return NVML_SUCCESS;
}

/* This process is the one that is known to compute here. */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *infoCount,
                                                     nvmlProcessInfo_t *infos) {
  size_t available, total;
  ENTER_DEVICE(device);
  REQUIRE(infoCount && (infos || !*infoCount));
  unsigned int room = *infoCount;
  *infoCount = 1;
  if (!room)
    return NVML_ERROR_INSUFFICIENT_SIZE;
  if (!memory_of(device, &available, &total))
    return NVML_ERROR_UNKNOWN;
  infos[0] = (nvmlProcessInfo_t){(unsigned int)getpid(), total - available, 0xFFFFFFFFu, 0xFFFFFFFFu};
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int *infoCount,
                                                      nvmlProcessInfo_t *infos) {
  (void)infos;
  ENTER_DEVICE(device);
  REQUIRE(infoCount);
  *infoCount = 0;
  return NVML_SUCCESS;
}

/* --- what a CPU has not ------------------------------------------------------------------------------------------- */

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSE(name, ...)                                                                                              \
  nvmlReturn_t name(nvmlDevice_t device, __VA_ARGS__) {                                                                \
    ENTER_DEVICE(device);                                                                                              \
    return NVML_ERROR_NOT_SUPPORTED;                                                                                   \
  }
REFUSE(nvmlDeviceGetFanSpeed, unsigned int *speed)
REFUSE(nvmlDeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t thresholdType, unsigned int *temp)
REFUSE(nvmlDeviceGetCurrentClocksThrottleReasons, unsigned long long *clocksThrottleReasons)
REFUSE(nvmlDeviceGetSupportedClocksThrottleReasons, unsigned long long *supportedClocksThrottleReasons)
REFUSE(nvmlDeviceGetSamples, nvmlSamplingType_t type, unsigned long long lastSeenTimeStamp,
       nvmlValueType_t *sampleValType, unsigned int *sampleCount, nvmlSample_t *samples)
REFUSE(nvmlDeviceGetPowerManagementLimit, unsigned int *limit)
REFUSE(nvmlDeviceGetEnforcedPowerLimit, unsigned int *limit)
REFUSE(nvmlDeviceGetSerial, char *serial, unsigned int length)
REFUSE(nvmlDeviceGetVbiosVersion, char *version, unsigned int length)
REFUSE(nvmlDeviceGetEccMode, nvmlEnableState_t *current, nvmlEnableState_t *pending)
REFUSE(nvmlDeviceGetDisplayMode, nvmlEnableState_t *display)
REFUSE(nvmlDeviceGetDisplayActive, nvmlEnableState_t *isActive)
REFUSE(nvmlDeviceGetNvLinkState, unsigned int link, nvmlEnableState_t *isActive)
REFUSE(nvmlDeviceGetNvLinkCapability, unsigned int link, nvmlNvLinkCapability_t capability, unsigned int *capResult)
REFUSE(nvmlDeviceGetGpuFabricInfoV, nvmlGpuFabricInfoV_t *gpuFabricInfo)
REFUSE(nvmlDeviceGetCurrPcieLinkGeneration, unsigned int *currLinkGen)
REFUSE(nvmlDeviceGetCurrPcieLinkWidth, unsigned int *currLinkWidth)
REFUSE(nvmlDeviceGetMaxPcieLinkGeneration, unsigned int *maxLinkGen)
REFUSE(nvmlDeviceGetMaxPcieLinkWidth, unsigned int *maxLinkWidth)
REFUSE(nvmlDeviceGetMigMode, unsigned int *currentMode, unsigned int *pendingMode)
REFUSE(nvmlDeviceSetPersistenceMode, nvmlEnableState_t mode)
