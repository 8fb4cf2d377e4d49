/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses apart from memory (sycl_ext_oneapi_virtual_mem): memory is a file without a name, addresses are mapped to
 * parts of it. Reserved ones without memory are mapped to nothing, which nobody may touch. */
#define _GNU_SOURCE
#include "sycl.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t uwrt_sycl_page_bytes(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

int uwrt_sycl_physical_new(uint64_t bytes) {
  int file = memfd_create("unwarp", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, (off_t)bytes) != 0) {
    close(file);
    return -1;
  }
  return file;
}
void uwrt_sycl_physical_free(int file) { close(file); }

enum { ACCESS_NONE, ACCESS_READ, ACCESS_READ_WRITE }; /* address_access_mode */
static int protection(int mode) {
  return mode == ACCESS_READ_WRITE ? PROT_READ | PROT_WRITE : mode == ACCESS_READ ? PROT_READ : PROT_NONE;
}

void *uwrt_sycl_reserve(uint64_t start, uint64_t bytes) {
  enum { FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
  void *place = mmap((void *)(uintptr_t)start, bytes, PROT_NONE, FLAGS, -1, 0);
  return place == MAP_FAILED ? NULL : place;
}
int uwrt_sycl_unreserve(void *place, uint64_t bytes) { return munmap(place, bytes); }

int uwrt_sycl_map(void *place, uint64_t bytes, int file, uint64_t offset, int mode) {
  return mmap(place, bytes, protection(mode), MAP_SHARED | MAP_FIXED, file, (off_t)offset) == MAP_FAILED ? -1 : 0;
}
int uwrt_sycl_unmap(void *place, uint64_t bytes) {
  enum { FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED };
  return mmap(place, bytes, PROT_NONE, FLAGS, -1, 0) == MAP_FAILED ? -1 : 0;
}
int uwrt_sycl_set_access(void *place, uint64_t bytes, int mode) { return mprotect(place, bytes, protection(mode)); }

/* As the system has it; -1: nothing is mapped there. */
int uwrt_sycl_get_access(const void *place) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps)
    return -1;
  int mode = -1, next = 0;
  unsigned long long first, last;
  char read, write;
  while (mode < 0 && fscanf(maps, "%llx-%llx %c%c", &first, &last, &read, &write) == 4) {
    if ((uintptr_t)place >= first && (uintptr_t)place < last)
      mode = write == 'w' ? ACCESS_READ_WRITE : read == 'r' ? ACCESS_READ : ACCESS_NONE;
    do
      next = fgetc(maps);
    while (next != '\n' && next != EOF);
  }
  fclose(maps);
  return mode;
}
