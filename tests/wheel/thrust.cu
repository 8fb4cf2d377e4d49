// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust and CUB, of the machine or of the wheel.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

int main() {
  thrust::device_vector<int> values(1000);
  thrust::sequence(values.begin(), values.end());
  thrust::sort(values.begin(), values.end(), thrust::greater<int>());
  int sum = thrust::reduce(values.begin(), values.end()), first = values[0];
  puts(sum == 499500 && first == 999 ? "right" : "wrong");
  return sum != 499500 || first != 999;
}
