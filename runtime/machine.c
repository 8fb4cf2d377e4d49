/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What this machine is: the processor's name and clock, the cores that this process may use, the memory that it may
 * have (the machine's, or less where a control group says so). All but the available memory is found out once.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static uwrt_machine machine;
static pthread_once_t machine_once = PTHREAD_ONCE_INIT;

/* The value after "key ... : " of the first line of the file that starts with key. Returns 0 where there is none. */
static int read_line(const char *path, const char *key, char *value, size_t size) {
  FILE *file = fopen(path, "re");
  char line[512];
  int found = 0;
  if (!file)
    return 0;
  while (!found && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, key, strlen(key)) != 0 || !colon)
      continue;
    colon += 1 + strspn(colon + 1, " \t");
    colon[strcspn(colon, "\n")] = 0;
    snprintf(value, size, "%s", colon);
    found = 1;
  }
  fclose(file);
  return found;
}

/* The integer that a file consists of. Returns 0 where there is none ("max", no such file). */
static int read_number(const char *path, uint64_t *value) {
  FILE *file = fopen(path, "re");
  unsigned long long number;
  int found = file && fscanf(file, "%llu", &number) == 1;
  if (file)
    fclose(file);
  if (found)
    *value = number;
  return found;
}

/* kHz. A clock that nobody tells is 1 GHz, so that ticks are nanoseconds. */
static int find_clock(void) {
  uint64_t khz;
  char text[64];
  if (read_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", &khz) && khz > 0 && khz < 1000000000)
    return (int)khz;
  if (read_line("/proc/cpuinfo", "cpu MHz", text, sizeof text) && atof(text) >= 1)
    return (int)(atof(text) * 1000);
  return 1000000;
}

static cpu_set_t first_cores;

const void *uwrt_first_cores(void) {
  if (!CPU_COUNT(&first_cores)) /* another constructor asks before ours has run */
    sched_getaffinity(0, sizeof first_cores, &first_cores);
  return &first_cores;
}

int uwrt_cores_now(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

/* libomp binds the thread that comes to it first to one core (OMP_PROC_BIND): the process had more before. */
__attribute__((constructor)) static void find_cores_early(void) {
  machine.cores = uwrt_cores_now();
  sched_getaffinity(0, sizeof first_cores, &first_cores);
}

static size_t find_memory(void) {
  uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
  uint64_t limit;
  if (read_number("/sys/fs/cgroup/memory.max", &limit) && limit < bytes)
    bytes = limit;
  if (read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", &limit) && limit < bytes)
    bytes = limit;
  return (size_t)bytes;
}

static size_t find_resident(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  unsigned long long pages = 0;
  if (!file || fscanf(file, "%*u %llu", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGE_SIZE);
}

static void find_machine(void) {
  if (!read_line("/proc/cpuinfo", "model name", machine.name, sizeof machine.name) || !machine.name[0])
    snprintf(machine.name, sizeof machine.name, "CPU");
  long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache <= 0)
    cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  machine.cache_bytes = cache > 0 && cache <= 0x7fffffff ? (int)cache : 0;
  machine.clock_khz = find_clock();
  if (machine.cores == 0)
    machine.cores = uwrt_cores_now();
  machine.memory_bytes = find_memory();
  machine.first_resident_bytes = find_resident();
}

const uwrt_machine *uwrt_this_machine(void) {
  pthread_once(&machine_once, find_machine);
  return &machine;
}

int uwrt_persisting_cache_bytes(void) { return uwrt_this_machine()->cache_bytes / 4 * 3; }

/* Bytes of the control group's use that the kernel gives back on demand: its page cache that is not in use. */
static uint64_t find_reclaimable(void) {
  FILE *file = fopen("/sys/fs/cgroup/memory.stat", "re");
  char line[128];
  unsigned long long bytes = 0;
  if (!file)
    return 0;
  while (fgets(line, sizeof line, file) && sscanf(line, "inactive_file %llu", &bytes) != 1)
    ;
  fclose(file);
  return bytes;
}

size_t uwrt_memory_available(void) {
  char text[64];
  uint64_t bytes = uwrt_this_machine()->memory_bytes, limit, used;
  if (read_line("/proc/meminfo", "MemAvailable", text, sizeof text)) {
    uint64_t available = strtoull(text, NULL, 10) * 1024;
    if (available < bytes)
      bytes = available;
  }
  if (read_number("/sys/fs/cgroup/memory.max", &limit) && read_number("/sys/fs/cgroup/memory.current", &used)) {
    uint64_t reclaimable = find_reclaimable();
    used -= reclaimable < used ? reclaimable : used;
    uint64_t left = used < limit ? limit - used : 0;
    if (left < bytes)
      bytes = left;
  }
  return (size_t)bytes;
}

size_t uwrt_memory_growth(void) {
  size_t first = uwrt_this_machine()->first_resident_bytes, now = find_resident();
  return now > first ? now - first : 0;
}
