// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies that stand under __SPIR__ on the device side, as migrated programs have them for masked shuffles, with what
// they take from SPIR-V; in a branch that a part of the sub-group takes, too.
#include <sycl/sycl.hpp>

#include "check.hpp"

#if defined(__SPIR__) && !defined(__SYCL_DEVICE_ONLY__)
#error "the host is no SPIR device"
#endif

template <class T> T from_before(unsigned mask, sycl::sub_group g, T value, unsigned by, int logical = 32) {
#if defined(__SYCL_DEVICE_ONLY__)
#if defined(__SPIR__)
  const unsigned id = g.get_local_linear_id(), first = id / logical * logical;
  const T other = __spirv_GroupNonUniformShuffleUp(__spv::Scope::Subgroup, value, by);
  return id - first < by ? value : other;
#elif defined(__NVPTX__)
  return T();
#endif
#else
  throw sycl::exception(sycl::errc::runtime, "not on the host");
#endif
}

template <class T> static void sums(sycl::queue &q, int logical) {
  enum { N = 256 };
  T *all = sycl::malloc_shared<T>(N, q), *some = sycl::malloc_shared<T>(N, q);
  q.parallel_for(sycl::nd_range<1>(N, 64), [=](sycl::nd_item<1> item) {
     const sycl::sub_group g = item.get_sub_group();
     const int i = item.get_global_id(0), lane = g.get_local_linear_id();
     T sum = T(i % 7);
     for (int by = 1; by < logical; by *= 2) {
       const T other = from_before(0xffffffffu, g, sum, by, logical);
       if (lane % logical >= by)
         sum += other;
     }
     all[i] = sum;
     some[i] = T(-1);
     if (lane < 16)
       some[i] = from_before(0xffffu, g, T(i), 2, 16);
   }).wait();
  for (int i = 0; i < N; i++) {
    T sum = T(0);
    for (int k = i / logical * logical; k <= i; k++)
      sum += T(k % 7);
    CHECK(all[i] == sum);
    const int lane = i % 32;
    CHECK(some[i] == (lane >= 16 ? T(-1) : lane < 2 ? T(i) : T(i - 2)));
  }
  sycl::free(all, q);
  sycl::free(some, q);
}

static void others(sycl::queue &q) {
  enum { N = 64, KINDS = 12 };
  int *out = sycl::malloc_shared<int>(N * KINDS, q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int, 1> tile(N, h);
     h.parallel_for(sycl::nd_range<1>(N, N), [=](sycl::nd_item<1> item) {
       const int i = item.get_global_id(0), lane = i % 32;
       int *own = out + i * KINDS;
       tile[i] = i; // on both sides, so that both capture it
#if defined(__SYCL_DEVICE_ONLY__) && defined(__SPIR__)
       const auto g = __spv::Scope::Subgroup;
       own[0] = __spirv_GroupNonUniformShuffle(g, i, (lane + 5) % 32);
       own[1] = __spirv_GroupNonUniformShuffleXor(g, i, 3);
       own[2] = lane < 30 ? 0 : -1;
       own[2] += __spirv_GroupNonUniformShuffleDown(g, i, lane < 30 ? 2 : 0);
       own[3] = __spirv_GroupNonUniformBroadcast(g, i, 4);
       if (lane >= 8) {
         own[4] = __spirv_GroupNonUniformElect(g);
         own[5] = __spirv_GroupNonUniformAll(g, lane >= 8);
         own[6] = __spirv_GroupNonUniformAny(g, lane < 8);
         own[7] = int(__spirv_GroupNonUniformBallot(g, lane % 2 == 0)[0]);
       }
       own[8] = __spirv_SubgroupShuffleDownINTEL(i, i + 1000, 3);
       own[9] = __spirv_SubgroupShuffleUpINTEL(i + 1000, i, 3);
       own[10] = __spirv_SubgroupShuffleINTEL(i, 31 - lane) + __spirv_SubgroupShuffleXorINTEL(i, 1);
       __spirv_ControlBarrier(__spv::Scope::Workgroup, __spv::Scope::Workgroup,
                              __spv::MemorySemanticsMask::SequentiallyConsistent |
                                  __spv::MemorySemanticsMask::WorkgroupMemory);
       own[11] = tile[N - 1 - i];
       __spirv_MemoryBarrier(__spv::Scope::Device, __spv::MemorySemanticsMask::AcquireRelease);
#endif
     });
   }).wait();
  for (int i = 0; i < N; i++) {
    const int lane = i % 32, first = i - lane, *own = out + i * KINDS;
    CHECK(own[0] == first + (lane + 5) % 32);
    CHECK(own[1] == (i ^ 3));
    CHECK(own[2] == (lane < 30 ? i + 2 : i - 1));
    CHECK(own[3] == first + 4);
    if (lane >= 8) {
      CHECK(own[4] == (lane == 8));
      CHECK(own[5] == 1);
      CHECK(own[6] == 0);
      CHECK(own[7] == int(0x55555500u));
    }
    CHECK(own[8] == (lane + 3 < 32 ? i + 3 : i + 3 - 32 + 1000));
    CHECK(own[9] == (lane >= 3 ? i - 3 : first + (lane - 3 + 32) + 1000));
    CHECK(own[10] == first + 31 - lane + (i ^ 1));
    CHECK(own[11] == N - 1 - i);
  }
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  sums<int>(q, 32);
  sums<int>(q, 8);
  sums<double>(q, 16);
  sums<sycl::half>(q, 32);
  others(q);
  return report();
}
