// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Gloo itself takes for an all-reduce of floats, in place, called plainly: bench/nccl/nodes.sh runs it beside ours.
//
// gloo FOLDER ADDRESS RANK BYTES RUNS: two ranks, which meet by files in FOLDER.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <string>
#include <vector>

int main(int, char **argument) {
  const int rank = atoi(argument[3]), runs = atoi(argument[5]);
  const size_t count = strtoull(argument[4], nullptr, 10) / sizeof(float);
  auto device = gloo::transport::tcp::CreateDevice(gloo::transport::tcp::attr(argument[2]));
  gloo::rendezvous::FileStore store(argument[1]);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, 2);
  context->connectFullMesh(store, device);
  std::vector<float> data(count);
  std::vector<double> times;
  for (int i = 0; i < runs; i++) {
    const auto begin = std::chrono::steady_clock::now();
    gloo::AllreduceOptions options(context);
    options.setOutput(data.data(), count);
    options.setReduceFunction([](void *c, const void *a, const void *b, size_t n) { gloo::sum<float>(c, a, b, n); });
    gloo::allreduce(options);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  if (!rank)
    printf("Gloo           %9zu bytes: median %9.1f us, least %9.1f us\n", count * sizeof(float), times[times.size() / 2] * 1e6, times[0] * 1e6);
}
