/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * sycl-ls: the devices that SYCL programs have, which is this CPU, as DPC++'s program of that name writes them. */
#include <stdio.h>
#include <string.h>

#include "../include/cuda_runtime_api.h"

int main(int count, char **arguments) {
  struct cudaDeviceProp device;
  int verbose = count > 1 && strcmp(arguments[1], "--verbose") == 0;
  if (count > 1 && !verbose && strcmp(arguments[1], "--ignore-device-selectors") != 0) {
    fprintf(stderr, "sycl-ls of unwarp: --verbose, --ignore-device-selectors\n");
    return 1;
  }
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess)
    return 1;
  printf("[unwarp:cpu][unwarp:0] unwarp, %s 1.0\n", device.name);
  if (!verbose)
    return 0;
  printf("\nPlatforms: 1\nPlatform [#1]:\n    Version  : SYCL 2020\n    Name     : unwarp\n    Vendor   : unwarp\n"
         "    Devices  : 1\n        Device [#0]:\n        Type              : cpu\n        Name              : %s\n"
         "        Compute units     : %d\n        Global memory     : %zu\n        Local memory      : %d\n"
         "        Max work-group    : %d\n        Sub-group size    : 32\n",
         device.name, device.multiProcessorCount, device.totalGlobalMem, 256 << 10, device.maxThreadsPerBlock);
  return 0;
}
