/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels reach all memory of the process here; on a GPU they do not reach the host's. Whether an access to what is no
 * memory of the device is one to the host's follows from the launch's parameters: the pointer in them that lies nearest
 * is where the address came from. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/* Parameters are known where they lie as the program gave them. */
static int has_parameters(const uwrt_check_launch *launch) {
  return launch && launch->kernel && launch->running && launch->running->args && !launch->running->joined;
}

int uwrt_check_is_host_variable(const uwrt_check_launch *launch, uintptr_t address) {
  if (!has_parameters(launch) || launch->running->depth || (launch->kernel->flags & UWRT_KERNEL_SYCL))
    return 0;
  const uwrt_running *running = launch->running;
  uintptr_t own = (uintptr_t)running, last = (uintptr_t)running->args;
  if (last - own >= UWRT_CHECK_STACK_BYTES) /* not of this stack: it was given before */
    return 0;
  last += launch->kernel->param_count * sizeof *running->args;
  for (uint32_t i = 0; i < launch->kernel->param_count; i++) {
    uintptr_t behind = (uintptr_t)running->args[i] + launch->kernel->param_sizes[i];
    if (behind - own < UWRT_CHECK_STACK_BYTES && behind > last)
      last = behind;
  }
  return address >= last && address - own < UWRT_CHECK_STACK_BYTES;
}

static int is_mapped(uintptr_t address) {
  unsigned char resident;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  return address >= page && mincore((void *)(address & ~(page - 1)), 1, &resident) == 0;
}

/* The word of the parameters that lies nearest to the address, as a pointer to it would. */
static int find_pointer(const uwrt_check_launch *launch, uintptr_t address, uintptr_t *found) {
  const uintptr_t far = (uintptr_t)1 << 30;
  uintptr_t nearest = far;
  for (uint32_t i = 0; has_parameters(launch) && i < launch->kernel->param_count; i++) {
    const char *at = launch->running->args[i];
    for (size_t k = 0; k + sizeof(uintptr_t) <= launch->kernel->param_sizes[i]; k += sizeof(uintptr_t)) {
      uintptr_t word, distance;
      memcpy(&word, at + k, sizeof word);
      distance = word < address ? address - word : word - address;
      if (distance < nearest) {
        nearest = distance;
        *found = word;
      }
    }
  }
  return nearest < far;
}

int uwrt_check_is_hosts(const uwrt_check_launch *launch, uintptr_t address) {
  enum { NEAR = 4096 };
  uintptr_t pointer = 0;
  uwrt_check_object of;
  int is_found = find_pointer(launch, address, &pointer);
  if (!is_found) /* out of memory that the kernel read, or computed */
    return is_mapped(address) && !uwrt_check_find_object(address, &of);
  if (uwrt_check_find_object(pointer, &of) && pointer + NEAR >= of.start && pointer <= of.start + of.bytes + NEAR)
    return 0; /* a pointer to just before an array, too */
  return is_mapped(pointer) && is_mapped(address);
}
