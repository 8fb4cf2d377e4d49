// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a monitor asks: the same as CUDA says of the device, and values that can be.
#include "../check.h"
#include <chrono>
#include <nvml.h>
#include <string>
#include <thread>
#include <unistd.h>

#define OK(call) CHECK((call) == NVML_SUCCESS)

int main() {
  unsigned int count, index;
  nvmlDevice_t device, again;
  char text[256], uuid[96];
  CHECK(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED && nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
  OK(nvmlInit());
  OK(nvmlInit());
  OK(nvmlShutdown()); /* as often as it was begun */
  OK(nvmlDeviceGetCount(&count));
  int devices;
  cudaGetDeviceCount(&devices);
  CHECK((int)count == devices);
  CHECK(nvmlDeviceGetHandleByIndex(count, &device) == NVML_ERROR_INVALID_ARGUMENT);
  OK(nvmlDeviceGetHandleByIndex(0, &device));
  OK(nvmlDeviceGetIndex(device, &index));
  CHECK(index == 0 && nvmlDeviceGetIndex((nvmlDevice_t)&index, &index) == NVML_ERROR_INVALID_ARGUMENT);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  OK(nvmlDeviceGetName(device, text, NVML_DEVICE_NAME_BUFFER_SIZE));
  CHECK(std::string(properties.name).substr(0, 63) == text);
  CHECK(nvmlDeviceGetName(device, text, 1) == NVML_ERROR_INSUFFICIENT_SIZE &&
        nvmlDeviceGetName(device, nullptr, 9) == NVML_ERROR_INVALID_ARGUMENT);
  OK(nvmlDeviceGetUUID(device, uuid, sizeof uuid));
  CHECK(std::string(uuid).substr(0, 4) == "GPU-" && strlen(uuid) == 40);
  OK(nvmlDeviceGetHandleByUUID(uuid, &again));
  CHECK(again == device && nvmlDeviceGetHandleByUUID("GPU-0", &again) == NVML_ERROR_NOT_FOUND);
  nvmlPciInfo_t pci;
  OK(nvmlDeviceGetPciInfo(device, &pci));
  OK(nvmlDeviceGetHandleByPciBusId(pci.busId, &again));
  CHECK(again == device && pci.bus == (unsigned int)properties.pciBusID);
  int major, minor, version;
  OK(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
  OK(nvmlSystemGetCudaDriverVersion(&version));
  CHECK(major == properties.major && minor == properties.minor && version >= CUDART_VERSION);
  OK(nvmlSystemGetDriverVersion(text, sizeof text));
  nvmlMemory_t memory, more;
  bool grows = false;
  for (int once = 0; once < 10 && !grows; once++) { // other programs take and free memory meanwhile
    void *taken;
    OK(nvmlDeviceGetMemoryInfo(device, &memory));
    CHECK(memory.total == properties.totalGlobalMem && memory.free + memory.used == memory.total);
    cudaMalloc(&taken, 256 << 20);
    cudaMemset(taken, 1, 256 << 20);
    OK(nvmlDeviceGetMemoryInfo(device, &more));
    grows = more.used >= memory.used + (128 << 20);
    cudaFree(taken);
  }
  CHECK(grows);
  nvmlMemory_v2_t second = {};
  CHECK(nvmlDeviceGetMemoryInfo_v2(device, &second) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  second.version = nvmlMemory_v2;
  OK(nvmlDeviceGetMemoryInfo_v2(device, &second));
  CHECK(second.total == memory.total);
  nvmlUtilization_t busy;
  OK(nvmlDeviceGetUtilizationRates(device, &busy));
  auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(200))
    ; /* at work */
  OK(nvmlDeviceGetUtilizationRates(device, &busy));
  CHECK(busy.gpu > 0 && busy.gpu <= 100 && busy.memory <= 100);
  unsigned int number = 0;
  nvmlReturn_t said = nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &number);
  CHECK(said == NVML_ERROR_NOT_SUPPORTED || (said == NVML_SUCCESS && number < 150));
  said = nvmlDeviceGetPowerUsage(device, &number);
  CHECK(said == NVML_ERROR_NOT_SUPPORTED || said == NVML_SUCCESS || said == NVML_ERROR_NO_DATA);
  said = nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &number);
  CHECK(said == NVML_ERROR_NOT_SUPPORTED || (said == NVML_SUCCESS && number > 100));
  /* Benchmarks print the memory's clock, and end where the call fails. */
  OK(nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &number));
  CHECK(number == (unsigned int)properties.memoryClockRate / 1000);
  OK(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &number));
  CHECK(number == (unsigned int)properties.memoryClockRate / 1000);
  unsigned int processes = 0;
  CHECK(nvmlDeviceGetComputeRunningProcesses(device, &processes, nullptr) == NVML_ERROR_INSUFFICIENT_SIZE &&
        processes == 1);
  nvmlProcessInfo_t info;
  OK(nvmlDeviceGetComputeRunningProcesses(device, &processes, &info));
  CHECK(info.pid == (unsigned int)getpid());
  OK(nvmlSystemGetProcessName(info.pid, text, sizeof text));
  CHECK(std::string(text).find("watch") != std::string::npos);
  CHECK(nvmlDeviceGetFanSpeed(device, &number) == NVML_ERROR_NOT_SUPPORTED);
  unsigned long long reasons = 0;
  nvmlValueType_t type;
  nvmlSample_t samples[4];
  CHECK(nvmlDeviceGetCurrPcieLinkGeneration(device, &number) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetMaxPcieLinkWidth(device, &number) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetNvLinkCapability(device, 0, NVML_NVLINK_CAP_VALID, &number) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetTemperatureThreshold(device, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, &number) ==
        NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons) == NVML_ERROR_NOT_SUPPORTED &&
        !(reasons & nvmlClocksThrottleReasonAll));
  CHECK(nvmlDeviceGetSamples(device, NVML_GPU_UTILIZATION_SAMPLES, 0, &type, &number, samples) ==
        NVML_ERROR_NOT_SUPPORTED);
  CHECK(std::string(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED)) == "Not Supported");
  CHECK(cudaGetLastError() == cudaSuccess);
  OK(nvmlShutdown());
  return report("watch");
}
