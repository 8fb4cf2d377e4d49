// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL among three devices of one process: by one thread in groups and by a thread for each; several communicators in a group, with busy streams and streams of
// other lengths; parts; a communicator that is given up while it is made; more than 2^31 bytes where UW_LARGE is set.
#include "../check.h"
#include <cstring>
#include <dlfcn.h>
#include <nccl.h>
#include <thread>
#include <unistd.h>

enum { DEVICES = 3, COUNT = 300000 };
static ncclComm_t comms[DEVICES], seconds[DEVICES];
static cudaStream_t streams[DEVICES], others[DEVICES];
static float *x[DEVICES], *y[DEVICES];

__global__ void wait_for(volatile int *flag) {
  while (!*flag)
    ;
}
__global__ void add(float *to, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    to[i] += 1;
}

template <class Ask> static ncclResult_t in_group(Ask ask) {
  CHECK(ncclGroupStart() == ncclSuccess);
  for (int i = 0; i < DEVICES; i++) {
    cudaSetDevice(i);
    CHECK(ask(i) == ncclSuccess);
  }
  return ncclGroupEnd();
}
template <class Ask> static void by_threads(Ask ask) {
  std::vector<std::thread> threads;
  for (int i = 0; i < DEVICES; i++)
    threads.emplace_back([=] {
      cudaSetDevice(i);
      ask(i);
    });
  for (auto &each : threads)
    each.join();
}
static void fill() {
  for (int i = 0; i < DEVICES; i++) {
    std::fill(x[i], x[i] + COUNT, i + 1.f);
    std::fill(y[i], y[i] + COUNT, 10.f * (i + 1));
  }
}
static void synchronise() {
  for (int i = 0; i < DEVICES; i++)
    CHECK(cudaStreamSynchronize(streams[i]) == cudaSuccess && cudaStreamSynchronize(others[i]) == cudaSuccess);
}

// What nccl.h does not declare is in the library, and says what else there is.
static void refused() {
  static const struct {
    const char *name, *says;
  } names[] = {{"ncclPutSignal", "ncclSend and ncclRecv"}, {"pncclWaitSignal", "ncclSend and ncclRecv"}, {"ncclDevCommCreate", "kernels cannot"}};
  for (auto one : names) {
    auto *function = (ncclResult_t(*)())dlsym(RTLD_DEFAULT, one.name);
    CHECK(function && function() == ncclInvalidUsage && strstr(ncclGetLastError(nullptr), one.says));
  }
}

int main() {
  refused();
  setenv("UNWARP_DEVICES", "3", 1);
  setenv("UNWARP_NCCL_TIMEOUT", "20", 1);
  int *flag;
  const int twice[] = {0, 1, 0}, wrong_one[] = {0, 7};
  CHECK(ncclCommInitAll(comms, 3, twice) == ncclInvalidUsage && ncclCommInitAll(comms, 2, wrong_one) == ncclUnhandledCudaError);
  CHECK(ncclCommInitAll(comms, 0, nullptr) == ncclInvalidArgument && ncclCommInitAll(nullptr, 1, nullptr) == ncclInvalidArgument);
  CHECK(ncclCommInitAll(comms, DEVICES, nullptr) == ncclSuccess);
  // The same by a thread for each rank, and in one group.
  ncclUniqueId id;
  CHECK(ncclGetUniqueId(&id) == ncclSuccess);
  by_threads([&](int i) { CHECK(ncclCommInitRank(&seconds[i], DEVICES, id, DEVICES - 1 - i) == ncclSuccess); });
  ncclComm_t thirds[DEVICES];
  CHECK(ncclGetUniqueId(&id) == ncclSuccess);
  CHECK(in_group([&](int i) { return ncclCommInitRank(&thirds[i], DEVICES, id, i); }) == ncclSuccess);
  cudaMallocManaged(&flag, sizeof(int));
  for (int i = 0; i < DEVICES; i++) {
    int device;
    CHECK(ncclCommCuDevice(seconds[i], &device) == ncclSuccess && device == i);
    cudaSetDevice(i);
    cudaStreamCreate(&streams[i]);
    cudaStreamCreateWithFlags(&others[i], cudaStreamNonBlocking);
    cudaMallocManaged(&x[i], COUNT * sizeof(float));
    cudaMallocManaged(&y[i], COUNT * sizeof(float));
  }
  // Two communicators in a group, on streams of their own.
  // A stream that is none any more, such as another copy of the runtime has.
  cudaStream_t gone;
  cudaStreamCreate(&gone);
  cudaStreamDestroy(gone);
  CHECK(in_group([&](int i) { return ncclAllReduce(x[i], x[i], COUNT, ncclFloat, ncclSum, thirds[i], gone); }) == ncclUnhandledCudaError);
  fill();
  CHECK(in_group([](int i) {
          ncclResult_t one = ncclAllReduce(x[i], x[i], COUNT, ncclFloat, ncclSum, comms[i], streams[i]);
          return one != ncclSuccess ? one : ncclBroadcast(y[i], y[i], COUNT, ncclFloat, 0, seconds[i], others[i]);
        }) == ncclSuccess);
  synchronise();
  for (int i = 0; i < DEVICES; i++)
    CHECK(x[i][0] == 6 && x[i][COUNT - 1] == 6 && y[i][0] == 30 && y[i][COUNT - 1] == 30);
  // One device's stream is busy until the host says so: all is asked for before.
  fill();
  *flag = 0;
  cudaSetDevice(1);
  wait_for<<<1, 1, 0, streams[1]>>>(flag);
  add<<<1, 32, 0, streams[1]>>>(x[1], COUNT);
  for (int times = 0; times < 2; times++)
    CHECK(in_group([](int i) { return ncclAllReduce(x[i], x[i], COUNT, ncclFloat, ncclSum, comms[i], streams[i]); }) == ncclSuccess);
  CHECK(x[0][0] == 1 && x[1][0] == 2);
  *flag = 1;
  synchronise();
  for (int i = 0; i < DEVICES; i++)
    CHECK(x[i][0] == 21 && x[i][COUNT - 1] == 21);
  // One communicator on two streams in a group: both wait, the first one for what is in the other.
  fill();
  *flag = 0;
  cudaSetDevice(2);
  wait_for<<<1, 1, 0, others[2]>>>(flag);
  add<<<1, 32, 0, others[2]>>>(y[2], COUNT);
  CHECK(in_group([](int i) {
          ncclResult_t one = ncclAllReduce(x[i], x[i], COUNT, ncclFloat, ncclMax, comms[i], streams[i]);
          return one != ncclSuccess ? one : ncclAllReduce(y[i], y[i], COUNT, ncclFloat, ncclMax, comms[i], others[i]);
        }) == ncclSuccess);
  cudaSetDevice(2);
  add<<<1, 32, 0, others[2]>>>(y[2], 1);
  *flag = 1;
  synchronise();
  CHECK(x[0][5] == 3 && y[0][5] == 31 && y[2][5] == 31 && y[2][0] == 32);
  // Messages around, by threads, many in flight; sizes of several slots.
  by_threads([](int i) {
    const int next = (i + 1) % DEVICES, before = (i + DEVICES - 1) % DEVICES;
    float got[40] = {0};
    for (int k = 0; k < 20; k++) {
      std::fill(x[i], x[i] + COUNT, (float)(100 * i + k));
      ncclGroupStart();
      for (int m = 0; m < 2; m++)
        CHECK(ncclSend(x[i] + m * (COUNT / 2), COUNT / 2, ncclFloat, next, comms[i], streams[i]) == ncclSuccess);
      for (int m = 0; m < 2; m++)
        CHECK(ncclRecv(y[i] + m * (COUNT / 2), COUNT / 2, ncclFloat, before, comms[i], streams[i]) == ncclSuccess);
      CHECK(ncclGroupEnd() == ncclSuccess && cudaStreamSynchronize(streams[i]) == cudaSuccess);
      got[k] = y[i][COUNT - 1] == y[i][0] ? y[i][0] : -1;
    }
    for (int k = 0; k < 20; k++)
      CHECK(got[k] == 100 * before + k);
  });
  // Parts, in a group of one thread.
  ncclComm_t parts[DEVICES];
  CHECK(in_group([&](int i) { return ncclCommSplit(comms[i], i == 1, i, &parts[i], nullptr); }) == ncclSuccess);
  fill();
  CHECK(in_group([&](int i) { return ncclAllReduce(x[i], x[i], COUNT, ncclFloat, ncclSum, parts[i], streams[i]); }) == ncclSuccess);
  synchronise();
  CHECK(x[0][0] == 4 && x[1][0] == 2 && x[2][COUNT - 1] == 4);
  // Given up while it is made: nobody else comes.
  ncclComm_t alone;
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  ncclResult_t state;
  int number;
  config.blocking = 0;
  CHECK(ncclGetUniqueId(&id) == ncclSuccess && ncclCommInitRankConfig(&alone, 2, id, 0, &config) == ncclInProgress);
  CHECK(ncclCommGetAsyncError(alone, &state) == ncclSuccess && state == ncclInProgress);
  CHECK(ncclCommCount(alone, &number) == ncclInvalidArgument && ncclCommAbort(alone) == ncclSuccess);
  config.magic = 3;
  CHECK(ncclCommInitRankConfig(&alone, 1, id, 0, &config) == ncclInvalidArgument);

  if (getenv("UW_LARGE")) {
    const size_t large = (1ul << 31) + 12345;
    char *bytes[DEVICES];
    for (int i = 0; i < DEVICES; i++)
      cudaMallocManaged(&bytes[i], large), memset(bytes[i], i + 1, large);
    CHECK(in_group([&](int i) { return ncclAllReduce(bytes[i], bytes[i], large, ncclInt8, ncclSum, comms[i], streams[i]); }) == ncclSuccess);
    synchronise();
    size_t bad = 0;
    for (int i = 0; i < DEVICES; i++)
      for (size_t k = 0; k < large; k++)
        bad += bytes[i][k] != 6;
    CHECK(bad == 0);
  }
  for (ncclComm_t *each : {comms, seconds, thirds, parts})
    for (int i = 0; i < DEVICES; i++)
      CHECK(ncclCommDestroy(each[i]) == ncclSuccess);
  return report("threads");
}
