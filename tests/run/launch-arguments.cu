// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose arguments are computed by branches, loops and other launches: what stands between the configuration and the launch.
#include "check.h"

__global__ void add(int *data, int count, int amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] += amount;
}

__global__ void twice(int *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] *= 2;
}

// Launches itself, while another launch waits for its argument.
static int launched(int *data, int count, int block) {
  twice<<<blocks_for(count, block), block>>>(data, count);
  return 7;
}

static volatile int never;

int main(int argc, char **argv) {
  const int count = 1000, block = block_size(argc, argv);
  buffer<int> data(count);
  unsigned state = 5;
  for (int i = 0; i < count; i++)
    data[i] = (int)(next_random(state) % 1000);
  int *was = (int *)malloc(count * sizeof(int));
  memcpy(was, data.host, count * sizeof(int));
  data.upload();

  int wanted = 0;
  for (float t = 0; t < 10; t += 4) { // 4, 4, 2
    add<<<blocks_for(count, block), block>>>(data.device, count, 4 < 10 - t ? 4 : (int)(10 - t));
    wanted += t < 8 ? 4 : 2;
  }
  add<<<blocks_for(count, block), block>>>(data.device, argc > 100 && never ? 1 : count,
                                           argc > 100 || never ? block : 1000);
  wanted += 1000;
  add<<<blocks_for(count, block), block>>>(data.device, count, launched(data.device, count, block));
  wanted = 2 * wanted + 7;
  int rest = block + 3;
  add < < < rest > 3 ? blocks_for(count, block) : 1, rest - 3 >>> (data.device, count, ({
                                                                     int sum = 0;
                                                                     while (rest > 0)
                                                                       sum += rest-- % 3;
                                                                     sum;
                                                                   }));
  for (int i = block + 3; i > 0; i--)
    wanted += i % 3;

  data.download();
  for (int i = 0; i < count; i++)
    expect(i, data[i], 2 * was[i] + wanted);
  free(was);
  return passed();
}
