/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several devices. UNWARP_DEVICES=n parts this machine into n devices: each has its share of the cores, of the threads
 * that run a kernel, and of the memory; UNWARP_DEVICES=numa into its NUMA nodes (numa.c). What belongs to a device (memory, streams, events, pools, settings) says so in
 * its own file; here is what each has, which one each host thread uses, and which may reach which. How many there are:
 * visible.c.
 *
 * All memory is this process's, so that every device can reach every other; that a program must ask first is kept,
 * since programs are tested by it. Device variables: variables.c.
 */
#include <stdatomic.h>

#include "driver.h"
#include "internal.h"
#include "workers.h"

static _Thread_local int current;
static _Thread_local unsigned int choices;
static _Thread_local const void *context;
static atomic_uchar peers[UWRT_DEVICE_MOST][UWRT_DEVICE_MOST]; /* [device][peer]: may reach it */

int uwrt_device_count(void) { return uwrt_device_layout()->count; }

int uwrt_device_home(int asking) {
  static _Atomic int home = -1;
  int found = -1;
  if (!uwrt_device_layout()->is_launched)
    return 0;
  return atomic_compare_exchange_strong(&home, &found, asking) ? asking : found;
}

int uwrt_device_exists(int device) { return device >= 0 && device < uwrt_device_count(); }

int uwrt_current_device(void) { return current; }

unsigned int uwrt_device_choices(void) { return choices; }

const void *uwrt_current_context(void) { return context; }

const void *uwrt_context_set(const void *chosen) {
  const void *before = context;
  context = chosen;
  return before;
}

/* Of something that comes in whole units, device's part; every device has at least one. */
static size_t share_of(size_t whole, int device) {
  const uwrt_layout *all = uwrt_device_layout();
  size_t devices = (size_t)all->parts, part = whole / devices + (all->part[device] < whole % devices);
  return part ? part : 1;
}

static int part_of(int device) { return uwrt_device_layout()->part[device]; }

int uwrt_device_memory_part(int device) { return uwrt_device_layout()->is_numa ? part_of(device) : 0; }

int uwrt_device_cores(int device) {
  if (uwrt_device_layout()->is_numa)
    return uwrt_numa_cores(part_of(device));
  return uwrt_device_layout()->is_launched ? uwrt_rank_cores(uwrt_this_machine()->cores)
                                           : (int)share_of((size_t)uwrt_this_machine()->cores, device);
}

int uwrt_device_workers(int device) {
  const int all = uwrt_max_workers();
  if (uwrt_device_layout()->is_numa)
    return uwrt_numa_workers(part_of(device), all);
  return uwrt_device_layout()->is_launched ? all : (int)share_of((size_t)all, device);
}

size_t uwrt_device_memory(int device) {
  const size_t page = 4096;
  if (uwrt_device_layout()->is_numa)
    return uwrt_numa_memory(part_of(device), uwrt_this_machine()->memory_bytes);
  return share_of(uwrt_this_machine()->memory_bytes / page, device) * page;
}

/* OpenMP's number of threads for the next regions is the host thread's own: it is given back after the kernel. */
int uwrt_device_enter(int device) {
  if (uwrt_device_layout()->parts == 1)
    return 0;
  int threads = uwrt_max_workers();
  uwrt_variables_enter(device);
  const int workers = uwrt_device_workers(device);
  ompc_set_num_threads(workers);
  if (uwrt_device_layout()->is_numa)
    uwrt_numa_enter(part_of(device), workers);
  return threads;
}

void uwrt_device_leave(int entered) {
  if (!entered)
    return;
  uwrt_device_stay(entered);
  uwrt_variables_leave();
}

void uwrt_device_stay(int entered) {
  if (!entered)
    return;
  ompc_set_num_threads(entered);
  if (uwrt_device_layout()->is_numa)
    uwrt_numa_leave();
}

cudaError_t cudaGetDeviceCount(int *number) {
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(number, cudaErrorInvalidValue);
  *number = uwrt_device_count();
  uwrt_note_count();
  UWRT_REQUIRE(*number, cudaErrorNoDevice);
  UWRT_LEAVE;
}

cudaError_t cudaGetDevice(int *device) {
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(device, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_count(), cudaErrorNoDevice);
  *device = current;
  UWRT_LEAVE;
}

cudaError_t cudaSetDevice(int device) {
  UWRT_ENTER_ANYWAY;
  UWRT_REQUIRE(uwrt_device_count(), cudaErrorNoDevice);
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  current = device;
  context = NULL;
  choices++;
  uwrt_note_use();
  UWRT_LEAVE;
}

/* Devices are alike: the first of the list is as good as any. */
cudaError_t cudaSetValidDevices(int *devices, int number) {
  UWRT_ENTER;
  UWRT_REQUIRE(number >= 0 && (devices || number == 0), cudaErrorInvalidValue);
  for (int i = 0; i < number; i++)
    UWRT_REQUIRE(uwrt_device_exists(devices[i]), cudaErrorInvalidDevice);
  if (number)
    current = devices[0];
  UWRT_LEAVE;
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop) {
  UWRT_ENTER;
  UWRT_REQUIRE(device && prop, cudaErrorInvalidValue);
  *device = 0;
  UWRT_LEAVE;
}

/* --- peers -------------------------------------------------------------------------------------------------------- */

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  UWRT_ENTER;
  UWRT_REQUIRE(value && attr >= cudaDevP2PAttrPerformanceRank && attr <= cudaDevP2PAttrCudaArrayAccessSupported,
               cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(srcDevice) && uwrt_device_exists(dstDevice) && srcDevice != dstDevice,
               cudaErrorInvalidDevice);
  *value = attr != cudaDevP2PAttrPerformanceRank; /* no link is better than another: rank 0 */
  UWRT_LEAVE;
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice) {
  UWRT_ENTER;
  UWRT_REQUIRE(canAccessPeer, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(device) && uwrt_device_exists(peerDevice), cudaErrorInvalidDevice);
  *canAccessPeer = device != peerDevice;
  UWRT_LEAVE;
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  UWRT_ENTER;
  UWRT_REQUIRE(flags == 0, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_device_exists(peerDevice) && peerDevice != current, cudaErrorInvalidDevice);
  UWRT_REQUIRE(!atomic_exchange(&peers[current][peerDevice], 1), cudaErrorPeerAccessAlreadyEnabled);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(peerDevice), cudaErrorInvalidDevice);
  UWRT_REQUIRE(atomic_exchange(&peers[current][peerDevice], 0), cudaErrorPeerAccessNotEnabled);
  UWRT_LEAVE;
}

void uwrt_peers_reset(int device) {
  for (int other = 0; other < UWRT_DEVICE_MOST; other++) {
    atomic_store(&peers[device][other], 0);
    atomic_store(&peers[other][device], 0);
  }
}
