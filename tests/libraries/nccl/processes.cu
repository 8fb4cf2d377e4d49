// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL between 1 to 4 processes of one machine: what ranks.h has; then ranks that do not fit.
#include <filesystem>

#include "ranks.h"

// What no rank can do is refused before it waits for others, or leaves the memory that it was given.
static void asks_for_too_much(const ncclUniqueId &id) {
  auto refused = [](ncclResult_t wanted, const char *text, ncclResult_t result) { CHECK(result == wanted && std::string(ncclGetLastError(comm)).find(text) != std::string::npos); };
  float *x, *y, host[20] = {};
  CHECK(ncclCommInitRank(&comm, 1, id, 0) == ncclSuccess && cudaMalloc(&x, 64) == cudaSuccess && cudaMalloc(&y, 256) == cudaSuccess);
  refused(ncclInvalidArgument, "17 elements are 68 bytes", ncclAllReduce(y, x, 17, ncclFloat, ncclSum, comm, 0));
  refused(ncclInvalidArgument, "has 60 more", ncclAllReduce(x + 1, y, 16, ncclFloat, ncclSum, comm, 0));
  refused(ncclInvalidArgument, "ncclBroadcast: ", ncclBroadcast(x, x, (1ull << 31) + 5, ncclFloat, 0, comm, 0));
  CHECK(ncclAllReduce(x, y, 16, ncclFloat, ncclSum, comm, 0) == ncclSuccess && ncclAllReduce(host, y, 20, ncclFloat, ncclSum, comm, 0) == ncclSuccess);
  refused(ncclInvalidArgument, "ncclAllReduce: the communicator is null", ncclAllReduce(x, x, 1, ncclFloat, ncclSum, nullptr, 0));
  refused(ncclInvalidUsage, "other side", ncclSend(x, 1, ncclFloat, 0, comm, 0));
  for (int sends = 0; sends < 2; sends++) {
    CHECK(ncclGroupStart() == ncclSuccess);
    CHECK((sends ? ncclSend(x, 1, ncclFloat, 0, comm, 0) : ncclRecv(x, 1, ncclFloat, 0, comm, 0)) == ncclSuccess);
    refused(ncclInvalidUsage, sends ? "ncclSend" : "ncclRecv", ncclGroupEnd());
  }
  CHECK(ncclGroupStart() == ncclSuccess && ncclRecv(y, 1, ncclFloat, 0, comm, 0) == ncclSuccess && ncclSend(x, 1, ncclFloat, 0, comm, 0) == ncclSuccess);
  CHECK(ncclGroupEnd() == ncclSuccess && cudaDeviceSynchronize() == cudaSuccess && ncclCommDestroy(comm) == ncclSuccess);
}

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
  // One that comes when the others have been told, and the one with the root would be gone.
  in_processes(3, [](const ncclUniqueId &id) {
    if (rank == 2)
      usleep(500000);
    expect(ncclInvalidUsage, "already checked in", ncclCommInitRank(&comm, 3, id, 0));
  });
  in_processes(1, asks_for_too_much);
  in_processes(1, [](const ncclUniqueId &) {
    ncclUniqueId id;
    setenv("NCCL_SOCKET_IFNAME", "none0", 1);
    expect(ncclInvalidUsage, "NCCL_SOCKET_IFNAME=none0, and there are lo", ncclGetUniqueId(&id));
    setenv("NCCL_SOCKET_IFNAME", "lo", 1);
    CHECK(ncclGetUniqueId(&id) == ncclSuccess);
  });
  // NCCL_DEBUG's lines go where NCCL_DEBUG_FILE says, the version first.
  in_processes(1, [](const ncclUniqueId &) {
    const std::string folder = std::filesystem::temp_directory_path().string() + "/unwarp-nccl-debug-";
    const std::string path = folder + "%p.%%", name = folder + std::to_string(getpid()) + ".%";
    setenv("NCCL_DEBUG", "INFO", 1);
    setenv("NCCL_DEBUG_FILE", path.c_str(), 1);
    ncclUniqueId id;
    CHECK(ncclGetUniqueId(&id) == ncclSuccess && ncclCommInitRank(&comm, 1, id, 0) == ncclSuccess && ncclCommDestroy(comm) == ncclSuccess);
    char line[200] = "", second[200] = "";
    FILE *file = fopen(name.c_str(), "r");
    CHECK(file && fgets(line, sizeof line, file) && fgets(second, sizeof second, file) && fclose(file) == 0 && unlink(name.c_str()) == 0);
    CHECK(strstr(line, "NCCL version 2.") && strstr(second, "[0] NCCL INFO Using network"));
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
