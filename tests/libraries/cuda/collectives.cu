// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's collectives among three devices of one process, as a program finds them into which NCCL was linked (unwarp --exec): no header, by name. In a group from
// one thread, and from a thread for each device.
#include "../check.h"
#include <cuda_fp16.h>
#include <dlfcn.h>
#include <thread>

enum { DEVICES = 3, COUNT = 1000, FLOAT_TYPE = 7, INT_TYPE = 2, HALF_TYPE = 6, SUM = 0, LARGEST = 2 };
static void *library;
template <class T> static T function(const char *name) {
  void *found = dlsym(library, name);
  CHECK(found);
  return (T)found;
}

static void *communicators[DEVICES];
static cudaStream_t streams[DEVICES];

// `ask` for each device, between the two functions of groups.
template <class Ask> static void in_group(Ask ask) {
  CHECK(function<int (*)()>("ncclGroupStart")() == 0);
  for (int i = 0; i < DEVICES; i++) {
    cudaSetDevice(i);
    CHECK(ask(i) == 0);
  }
  CHECK(function<int (*)()>("ncclGroupEnd")() == 0);
}

int main() {
  setenv("UNWARP_DEVICES", "3", 1);
  std::string path = getenv("UNWARP") ? getenv("UNWARP") : "";
  library = dlopen((path.substr(0, path.rfind('/') + 1) + "../lib/libunwarp_nccl.so.2").c_str(), RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  int there = 0, number;
  CHECK(cudaGetDeviceCount(&there) == cudaSuccess && there == DEVICES);
  if (!library || there != DEVICES)
    return report("collectives");
  CHECK(function<int (*)(void **, int, const int *)>("ncclCommInitAll")(communicators, DEVICES, nullptr) == 0);
  CHECK(function<int (*)(void *, int *)>("ncclCommUserRank")(communicators[2], &number) == 0 && number == 2);
  CHECK(function<int (*)(void *, int *)>("ncclCommCount")(communicators[2], &number) == 0 && number == DEVICES);

  float *from[DEVICES], *to[DEVICES];
  for (int i = 0; i < DEVICES; i++) {
    cudaSetDevice(i);
    cudaStreamCreate(&streams[i]);
    cudaMallocManaged(&from[i], COUNT * DEVICES * sizeof(float));
    cudaMallocManaged(&to[i], COUNT * DEVICES * sizeof(float));
    for (int k = 0; k < COUNT * DEVICES; k++)
      from[i][k] = i * 100 + k, to[i][k] = -1;
  }
  auto all = function<int (*)(const void *, void *, size_t, int, int, void *, cudaStream_t)>("ncclAllReduce");
  in_group([&](int i) { return all(from[i], to[i], COUNT, FLOAT_TYPE, SUM, communicators[i], streams[i]); });
  for (int i = 0; i < DEVICES; i++)
    CHECK(to[i][0] == 300 && to[i][7] == 321 && to[i][COUNT - 1] == 300 + 3 * (COUNT - 1) && to[i][COUNT] == -1);

  // In place, and to one of them alone.
  auto one = function<int (*)(const void *, void *, size_t, int, int, int, void *, cudaStream_t)>("ncclReduce");
  in_group([&](int i) { return one(to[i], to[i], COUNT, FLOAT_TYPE, LARGEST, 1, communicators[i], streams[i]); });
  CHECK(to[1][7] == 321 && to[0][7] == 321);
  auto broadcast = function<int (*)(void *, size_t, int, int, void *, cudaStream_t)>("ncclBcast");
  in_group([&](int i) { return broadcast(to[i], COUNT, FLOAT_TYPE, 2, communicators[i], streams[i]); });
  to[2][5] = 77;
  // From a thread for each device, without a group: who comes first waits.
  std::thread threads[DEVICES];
  for (int i = 0; i < DEVICES; i++)
    threads[i] = std::thread([&, i] {
      cudaSetDevice(i);
      if (i == 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      CHECK(broadcast(to[i], COUNT, FLOAT_TYPE, 2, communicators[i], streams[i]) == 0);
      CHECK(cudaStreamSynchronize(streams[i]) == cudaSuccess && to[i][5] == 77); // the others' calls may return before
    });
  for (auto &thread : threads)
    thread.join();

  auto gather = function<int (*)(const void *, void *, size_t, int, void *, cudaStream_t)>("ncclAllGather");
  in_group([&](int i) { return gather(from[i], to[i], COUNT, FLOAT_TYPE, communicators[i], streams[i]); });
  CHECK(to[0][COUNT] == 100 && to[1][2 * COUNT + 3] == 203 && to[2][3] == 3);
  auto scatter = function<int (*)(const void *, void *, size_t, int, int, void *, cudaStream_t)>("ncclReduceScatter");
  in_group([&](int i) { return scatter(from[i], to[i], COUNT, FLOAT_TYPE, SUM, communicators[i], streams[i]); });
  CHECK(to[0][1] == 303 && to[1][0] == 300 + 3 * COUNT && to[2][0] == 300 + 6 * COUNT);

  // Two operations of each device in one group, and other types.
  __half *halves[DEVICES];
  int *whole[DEVICES];
  for (int i = 0; i < DEVICES; i++) {
    cudaMallocManaged(&halves[i], sizeof(__half));
    cudaMallocManaged(&whole[i], sizeof(int));
    *halves[i] = __float2half(1.5f), *whole[i] = 1 << (24 + i);
  }
  in_group([&](int i) {
    return all(halves[i], halves[i], 1, HALF_TYPE, SUM, communicators[i], streams[i]) |
           all(whole[i], whole[i], 1, INT_TYPE, SUM, communicators[i], streams[i]);
  });
  CHECK(__half2float(*halves[0]) == 4.5f && *whole[2] == 7 << 24);

  // What does not go together, and what is not there.
  function<int (*)()>("ncclGroupStart")();
  for (int i = 0; i < DEVICES; i++)
    all(from[i], to[i], i ? 5 : 6, FLOAT_TYPE, SUM, communicators[i], streams[i]);
  CHECK(function<int (*)()>("ncclGroupEnd")() == 5);
  CHECK(all(from[0], to[0], 5, 99, SUM, communicators[0], streams[0]) == 4);
  CHECK(all(from[0], to[0], 5, FLOAT_TYPE, SUM, nullptr, streams[0]) == 4);
  CHECK(function<int (*)()>("ncclGroupEnd")() == 5);
  for (void *each : communicators)
    CHECK(function<int (*)(void *)>("ncclCommDestroy")(each) == 0);
  return report("collectives");
}
