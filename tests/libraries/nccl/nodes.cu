// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL between machines, as which NCCL_HOSTID makes processes of one: what ranks.h has, over Gloo. Without libgloo ranks are told what is missing.
#include "ranks.h"
#include <dlfcn.h>

static void on_own_machine() { setenv("NCCL_HOSTID", std::to_string(rank).c_str(), 1); }

// Rank 1's connections are there, but it never asks: rank 0's abort wakes its own wait.
static void abort_wakes(const ncclUniqueId &id) {
  float x = 1;
  CHECK(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  if (rank) {
    usleep(400000);
    CHECK(ncclCommDestroy(comm) == ncclSuccess);
    return;
  }
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const double begin = seconds();
  CHECK(ncclAllReduce(&x, &x, 1, ncclFloat, ncclSum, comm, stream) == ncclSuccess);
  CHECK(ncclCommAbort(comm) == ncclSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess && x == 1 && seconds() - begin < 0.3);
}

// A rank that goes at once after an operation has sent what others need of it.
static void leaves_early(const ncclUniqueId &id) {
  enum { COUNT = 3 << 20 };
  std::vector<int> x(COUNT, rank + 1);
  CHECK(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  CHECK(ncclAllReduce(x.data(), x.data(), COUNT, ncclInt, ncclSum, comm, 0) == ncclSuccess);
  cudaDeviceSynchronize();
  CHECK((rank ? ncclCommAbort : ncclCommDestroy)(comm) == ncclSuccess);
  CHECK(std::count(x.begin(), x.end(), ranks * (ranks + 1) / 2) == COUNT);
}

// What goes with the request and what does not, on both sides of the limit; and ranks on different sides of it.
static void around_eager(const ncclUniqueId &id) {
  CHECK(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  const size_t limit = (64 << 10) / sizeof(int) / (ranks - 1);
  for (size_t count : {limit / 2 + 3, limit - 1, limit, limit + 1}) {
    reductions<float>(count);
    moves<int>(count);
    std::vector<int> x(count, rank == 1 ? 5 : 0);
    CHECK(ncclBroadcast(x.data(), x.data(), count, ncclInt, 1, comm, 0) == ncclSuccess);
    cudaDeviceSynchronize();
    CHECK(std::count(x.begin(), x.end(), 5) == (long)count);
    std::vector<int> own(limit + 10, 1);
    ncclResult_t later, told = ncclAllReduce(own.data(), own.data(), rank ? limit + 10 - 8 * rank : count, ncclInt, ncclSum, comm, 0);
    cudaDeviceSynchronize();
    CHECK(ncclCommGetAsyncError(comm, &later) == ncclSuccess && (told == ncclInvalidUsage || later == ncclInvalidUsage));
    CHECK(std::count(own.begin(), own.end(), 1) == (long)own.size());
  }
  CHECK(ncclCommDestroy(comm) == ncclSuccess);
}

int main() {
  setenv("UNWARP_NCCL_TIMEOUT", "20", 1);
  Dl_info nccl;
  CHECK(dladdr((void *)ncclAllReduce, &nccl) != 0);
  std::string library = nccl.dli_fname;
  library.replace(library.rfind('/'), std::string::npos, "/libunwarp_nccl_gloo.so");
  if (!dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    printf("libgloo is not here: only what ranks are told is tested\n");
    in_processes(2, [](const ncclUniqueId &id) {
      on_own_machine();
      expect(ncclSystemError, "libgloo", ncclCommInitRank(&comm, 2, id, rank));
    });
    return report("nodes");
  }
  auto apart = [](int count, void (*part)(const ncclUniqueId &), int dies = -1) {
    in_processes(count, [=](const ncclUniqueId &id) { on_own_machine(), part(id); }, dies);
  };
  apart(2, everything);
  apart(3, everything);
  apart(3, one_dies, 2);
  apart(2, one_aborts);
  apart(2, one_stops);
  apart(2, abort_wakes);
  apart(4, leaves_early);
  for (int some : {2, 3, 5})
    apart(some, around_eager);
  // The same engine by name; and ranks that name different ones, or one that there is not.
  in_processes(2, [](const ncclUniqueId &id) {
    setenv("UNWARP_NCCL", "gloo", 1);
    leaves_early(id);
  });
  in_processes(2, [](const ncclUniqueId &id) {
    setenv("UNWARP_NCCL", rank ? "gloo" : "shm", 1);
    expect(ncclInvalidUsage, "UNWARP_NCCL is not the same", ncclCommInitRank(&comm, 2, id, rank));
  });
  in_processes(1, [](const ncclUniqueId &id) {
    setenv("UNWARP_NCCL", "ucx", 1);
    expect(ncclInvalidUsage, "UNWARP_NCCL=ucx", ncclCommInitRank(&comm, 1, id, rank));
  });
  return report("nodes");
}
