// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code with the standard library beside kernels: vector, map, string, streams, exceptions, algorithms.
#include "check.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

__global__ void triple(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 3;
}

static std::vector<int> run(std::vector<int> values, int block) {
  if (values.empty())
    throw std::invalid_argument("nothing to do");
  int *device = nullptr, n = (int)values.size();
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  std::unique_ptr<int, cudaError_t (*)(void *)> owner(device, cudaFree);
  CHECK(cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  triple<<<blocks_for(n, block), block>>>(device, n);
  CHECK(cudaMemcpy(values.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
  if (n == 13)
    throw std::runtime_error("unlucky after the launch");
  return values;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  std::map<std::string, int> sums;
  std::string caught;
  for (int n : {0, 5, 13, 300}) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 1);
    try {
      values = run(values, block);
      sums["n" + std::to_string(n)] = std::accumulate(values.begin(), values.end(), 0);
    } catch (const std::exception &error) {
      caught += error.what();
      caught += ";";
    }
  }
  std::ostringstream text;
  for (const auto &item : sums)
    text << item.first << "=" << item.second << " ";
  if (caught != "nothing to do;unlucky after the launch;" || text.str() != "n300=135450 n5=45 ") {
    std::cout << "got '" << caught << "' and '" << text.str() << "'" << std::endl;
    return 1;
  }
  return passed();
}
