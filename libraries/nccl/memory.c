/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory: given, registered, and whether what an operation reads and writes is there. */
#include "api.h"

#include <stdlib.h>

/* --- memory: all of it can be reached by all -------------------------------------------------------------------- */

NCCL(ncclMemAlloc, void **pointer, size_t size) {
  REQUIRE(pointer, "ncclMemAlloc: ptr is null");
  *pointer = NULL;
  if (size && cudaMalloc(pointer, size) != cudaSuccess)
    return uwnccl_say(ncclUnhandledCudaError, "ncclMemAlloc: no memory for %zu bytes", size);
  return ncclSuccess;
}
NCCL(ncclMemFree, void *pointer) {
  if (cudaFree(pointer) != cudaSuccess)
    return uwnccl_say(ncclUnhandledCudaError, "ncclMemFree: this is not the beginning of an allocation");
  return ncclSuccess;
}
NCCL(ncclCommRegister, const ncclComm_t comm, void *buffer, size_t size, void **handle) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(handle && (buffer || !size), "ncclCommRegister: a null pointer");
  *handle = buffer;
  return ncclSuccess;
}
NCCL(ncclCommDeregister, const ncclComm_t comm, void *handle) {
  (void)handle;
  return uwnccl_is_ready(comm, __func__);
}

/* Windows: memory that peers may reach. Device memory here is, so they are but handles; what works on them from
 * kernels, or with signals, is not there (refused.c). */
struct ncclWindow_vidmem {
  void *memory;
  size_t bytes;
};
NCCL(ncclCommWindowRegister, ncclComm_t comm, void *buffer, size_t size, ncclWindow_t *window, int flags) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(window && (buffer || !size), "ncclCommWindowRegister: a null pointer");
  REQUIRE(flags == NCCL_WIN_DEFAULT || flags == NCCL_WIN_COLL_SYMMETRIC, "ncclCommWindowRegister: flags %#x", flags);
  if (!(*window = malloc(sizeof **window)))
    return uwnccl_say(ncclSystemError, "no memory");
  **window = (struct ncclWindow_vidmem){buffer, size};
  return ncclSuccess;
}
NCCL(ncclCommWindowDeregister, ncclComm_t comm, ncclWindow_t window) {
  TRY(uwnccl_is_ready(comm, __func__));
  free(window);
  return ncclSuccess;
}
NCCL(ncclWinGetUserPtr, ncclComm_t comm, ncclWindow_t window, void **pointer) {
  TRY(uwnccl_is_ready(comm, __func__));
  REQUIRE(window && pointer, "ncclWinGetUserPtr: a null pointer");
  *pointer = window->memory;
  return ncclSuccess;
}

/* --- of operations ------------------------------------------------------------------------------------------------ */

/* Elements that the rank reads and writes. */
static size_t reads(const struct ncclComm *c, const uwnccl_operation *o) {
  switch (o->kind) {
  case UWNCCL_BROADCAST: return c->rank == o->root ? o->count : 0;
  case UWNCCL_SCATTER: return c->rank == o->root ? o->count * (size_t)c->count : 0;
  case UWNCCL_REDUCE_SCATTER:
  case UWNCCL_ALL_TO_ALL: return o->count * (size_t)c->count;
  case UWNCCL_RECEIVE: return 0;
  default: return o->count;
  }
}

static size_t writes(const struct ncclComm *c, const uwnccl_operation *o) {
  switch (o->kind) {
  case UWNCCL_REDUCE: return c->rank == o->root ? o->count : 0;
  case UWNCCL_GATHER: return c->rank == o->root ? o->count * (size_t)c->count : 0;
  case UWNCCL_ALL_GATHER:
  case UWNCCL_ALL_TO_ALL: return o->count * (size_t)c->count;
  case UWNCCL_SEND: return 0;
  default: return o->count;
  }
}

/* Of an allocation all has to be there; what is mapped may go on in the next one, and of other memory nobody knows. */
static ncclResult_t check(const void *at, size_t count, ncclDataType_t type, const char *name) {
  const size_t bytes = count * uwnccl_size_of(type);
  uwrt_range range;
  REQUIRE(!bytes || at, "%s: a null pointer", name);
  if (!bytes || !uwrt_range_of(at, &range) || range.kind == UWRT_RANGE_MAPPED || range.kind == UWRT_RANGE_REGISTERED)
    return ncclSuccess;
  const size_t left = range.bytes - (size_t)((const char *)at - (const char *)range.start);
  REQUIRE(bytes <= left, "%s: %zu elements are %zu bytes, and the memory at %p has %zu more", name, count, bytes, at,
          left);
  return ncclSuccess;
}

ncclResult_t uwnccl_check_memory(const struct ncclComm *c, const uwnccl_operation *o, const char *name) {
  TRY(check(o->from, reads(c, o), o->type, name));
  return check(o->to, writes(c, o), o->type, name);
}
