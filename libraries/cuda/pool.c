/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pools of stream ordered memory: the runtime's. Their structures have one layout in both APIs. */
#include "internal.h"

_Static_assert(sizeof(CUmemPoolProps) == sizeof(struct cudaMemPoolProps), "one structure in two types");

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) { ANYWHERE(cudaDeviceSetMemPool(dev, pool)); }
CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev) { ANYWHERE(cudaDeviceGetMemPool(pool, dev)); }
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice dev) {
  ANYWHERE(cudaDeviceGetDefaultMemPool(pool, dev));
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  ANYWHERE(cudaMemPoolTrimTo(pool, minBytesToKeep));
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  ANYWHERE(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  ANYWHERE(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, value));
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count) {
  ANYWHERE(cudaMemPoolSetAccess(pool, (const struct cudaMemAccessDesc *)map, count));
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
  ANYWHERE(cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool, (struct cudaMemLocation *)location));
}
CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *props) {
  ANYWHERE(cudaMemPoolCreate(pool, (const struct cudaMemPoolProps *)props));
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) { ANYWHERE(cudaMemPoolDestroy(pool)); }

#define PLACE(location) ((struct cudaMemLocation *)(location))
#define KIND(type) ((enum cudaMemAllocationType)(type))
CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
  ANYWHERE(cudaMemGetDefaultMemPool(pool, PLACE(location), KIND(type)));
}
CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
  ANYWHERE(cudaMemGetMemPool(pool, PLACE(location), KIND(type)));
}
CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool) {
  ANYWHERE(cudaMemSetMemPool(PLACE(location), KIND(type), pool));
}
