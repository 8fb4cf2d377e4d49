// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs of several devices: runs the program again with UNWARP_DEVICES set, which counts from its start. On a machine of
// fewer GPUs there is nothing to check.
#ifndef TESTS_RUN_DEVICES_H
#define TESTS_RUN_DEVICES_H

#include <unistd.h>

#include "check.h"

static inline void with_devices(const char *count, char **argv) {
#ifdef __UNWARP__
  if (getenv("UNWARP_DEVICES"))
    return;
  setenv("UNWARP_DEVICES", count, 1);
  execv("/proc/self/exe", argv);
  printf("cannot run itself again\n");
  exit(1);
#else
  int there = 0;
  CHECK(cudaGetDeviceCount(&there));
  if (there >= atoi(count))
    return;
  printf("skipped: takes %s devices, there are %d\n", count, there);
  exit(passed());
#endif
}

#endif
