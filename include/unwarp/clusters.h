/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Thread block clusters: CUDA's intrinsic functions for them, of which cooperative_groups.h makes this_cluster(). (CUDA
 * C++ Programming Guide, "Thread Block Clusters", "Distributed Shared Memory".) Where in its cluster a block is follows
 * from where it is in the grid and from the extents of the launch's clusters.
 */
#ifndef UNWARP_CLUSTERS_H
#define UNWARP_CLUSTERS_H

/* The runtime's, in runtime/uwrt.h; the compiler knows them. */
extern "C" __attribute__((device, convergent)) void uwrt_cluster_sync(void);
extern "C" __attribute__((device)) void *uwrt_cluster_map(const void *__address, unsigned int __rank, void *__window);
extern "C" __attribute__((device)) unsigned int uwrt_cluster_rank(const void *__address, void *__window);
extern "C" __attribute__((device, const, nothrow)) unsigned int uwrt_cluster_extent(unsigned int __dimension);
extern "C" __attribute__((device, const, nothrow)) unsigned int uwrt_cluster_explicit(void);
extern "C" __attribute__((device)) void uwrt_cluster_outside(void);
extern "C" {
extern __attribute__((shared)) unsigned char __unwarp_cluster_window[];
}

__UW_DEVICE__ unsigned int __clusterDimIsSpecified() { return uwrt_cluster_explicit(); }
__UW_DEVICE__ dim3 __clusterDim() {
  return dim3(uwrt_cluster_extent(0), uwrt_cluster_extent(1), uwrt_cluster_extent(2));
}
__UW_DEVICE__ dim3 __clusterRelativeBlockIdx() {
  return dim3(blockIdx.x % uwrt_cluster_extent(0), blockIdx.y % uwrt_cluster_extent(1),
              blockIdx.z % uwrt_cluster_extent(2));
}
__UW_DEVICE__ dim3 __clusterGridDimInClusters() {
  return dim3(gridDim.x / uwrt_cluster_extent(0), gridDim.y / uwrt_cluster_extent(1),
              gridDim.z / uwrt_cluster_extent(2));
}
__UW_DEVICE__ dim3 __clusterIdx() {
  return dim3(blockIdx.x / uwrt_cluster_extent(0), blockIdx.y / uwrt_cluster_extent(1),
              blockIdx.z / uwrt_cluster_extent(2));
}
__UW_DEVICE__ unsigned int __clusterRelativeBlockRank() {
  dim3 __place = __clusterRelativeBlockIdx(), __size = __clusterDim();
  return __place.x + __size.x * (__place.y + __size.y * __place.z);
}
__UW_DEVICE__ unsigned int __clusterSizeInBlocks() {
  dim3 __size = __clusterDim();
  return __size.x * __size.y * __size.z;
}

/* A barrier that is arrived at and waited for in two steps is passed at the second. */
__UW_DEVICE__ void __cluster_barrier_arrive() { __threadfence(); }
__UW_DEVICE__ void __cluster_barrier_arrive_relaxed() {}
__UW_DEVICE__ void __cluster_barrier_wait() { uwrt_cluster_sync(); }
__UW_DEVICE__ void __threadfence_cluster() { __threadfence(); }

/* Where the block of that rank has what the own block has at this address of its shared memory. */
__UW_DEVICE__ void *__cluster_map_shared_rank(const void *__address, unsigned int __rank) {
  void *__there = uwrt_cluster_map(__address, __rank, __unwarp_cluster_window);
  if (!__there) {
    uwrt_cluster_outside();
    __trap();
  }
  return __there;
}
__UW_DEVICE__ unsigned int __cluster_query_shared_rank(const void *__address) {
  return uwrt_cluster_rank(__address, __unwarp_cluster_window);
}

#endif
