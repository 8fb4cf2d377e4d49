// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL between 1 to 4 processes of one machine: what ranks.h has; then ranks that do not fit.
#include "ranks.h"

int main() {
  setenv("UNWARP_NCCL_TIMEOUT", "20", 1);
  for (int count = 1; count <= 4; count++)
    in_processes(count, everything);
  in_processes(3, one_dies, 2);
  in_processes(2, one_aborts);
  in_processes(2, one_stops);
  // Ranks that do not fit: each is told the same.
  in_processes(2, [](const ncclUniqueId &id) { expect(ncclInvalidUsage, "mismatch in rank count", ncclCommInitRank(&comm, 2 + rank, id, rank)); });
  in_processes(2, [](const ncclUniqueId &id) { expect(ncclInvalidUsage, "already checked in", ncclCommInitRank(&comm, 2, id, 0)); });
  in_processes(2, [](const ncclUniqueId &id) {
    setenv("NCCL_HOSTID", rank ? "a" : "b", 1);
    setenv("UNWARP_NCCL", "shm", 1);
    expect(ncclInvalidUsage, "several machines", ncclCommInitRank(&comm, 2, id, rank));
  });
  in_processes(1, [](const ncclUniqueId &id) {
    setenv("UNWARP_NCCL_TIMEOUT", "1", 1); // rank 1 does not come
    ncclUniqueId own;
    CHECK(ncclGetUniqueId(&own) == ncclSuccess);
      expect(ncclRemoteError, "UNWARP_NCCL_TIMEOUT", ncclCommInitRank(&comm, 2, own, rank));
    (void)id;
  });
  in_processes(1, [](const ncclUniqueId &id) {
    CHECK(ncclCommInitRank(&comm, 2, id, 2) == ncclInvalidArgument && ncclCommInitRank(&comm, 0, id, 0) == ncclInvalidArgument);
    CHECK(ncclCommInitRank(nullptr, 1, id, 0) == ncclInvalidArgument && ncclCommInitRank(&comm, 1, ncclUniqueId{}, 0) == ncclInvalidArgument);
    ncclComm_t both[2];
    ncclGroupStart();
    for (int i = 0; i < 2; i++)
      CHECK(ncclCommInitRank(&both[i], 2, id, i) == ncclSuccess);
    CHECK(ncclGroupEnd() == ncclInvalidUsage && !both[0] && !both[1]);
    CHECK(std::string(ncclGetLastError(nullptr)).find("Duplicate GPU") != std::string::npos);
  });
  // By an address in the environment, and without blocking.
  setenv("NCCL_COMM_ID", ("127.0.0.1:" + std::to_string(20000 + getpid() % 20000)).c_str(), 1);
  in_processes(2, [](const ncclUniqueId &) {
    ncclUniqueId id;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    CHECK(ncclGetUniqueId(&id) == ncclSuccess);
    if (!rank)
      usleep(50000);
    ncclResult_t state = ncclCommInitRankConfig(&comm, 2, id, rank, &config);
    CHECK(state == ncclInProgress);
    while (state == ncclInProgress) {
      usleep(1000);
      CHECK(ncclCommGetAsyncError(comm, &state) == ncclSuccess);
    }
    int x = rank + 1;
    CHECK(state == ncclSuccess && ncclAllReduce(&x, &x, 1, ncclInt, ncclSum, comm, 0) == ncclSuccess);
    cudaDeviceSynchronize();
    CHECK(x == 3 && ncclCommDestroy(comm) == ncclSuccess);
  });
  return report("processes");
}
