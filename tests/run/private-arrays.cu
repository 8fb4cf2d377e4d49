// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private arrays without barriers: two-dimensional, of structs, passed to functions, indexed by data.
#include "check.h"

struct entry {
  int key;
  float weight;
};

__device__ int find(const entry *entries, int count, int key) {
  for (int k = 0; k < count; k++)
    if (entries[k].key == key)
      return k;
  return -1;
}

__global__ void work(const int *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  entry entries[6];
  int grid[3][4];
  for (int k = 0; k < 6; k++)
    entries[k] = {in[(i + k * k) % n] % 10, k * 0.5f};
  for (int k = 0; k < 12; k++)
    grid[k % 3][k / 3] = k + i;
  int where = find(entries, 6, in[i] % 7);
  out[i] = (where >= 0 ? entries[where].weight : -1.0f) + grid[in[i] % 3][in[i] % 4];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 600;
  buffer<int> in(n);
  buffer<float> out(n);
  unsigned state = 65;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % 1000;
  in.upload();
  work<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    float expected = -1.0f;
    for (int k = 5; k >= 0; k--)
      if (in[(i + k * k) % n] % 10 == in[i] % 7)
        expected = k / 2.0f;
    expect(i, out[i], expected + in[i] % 4 * 3 + in[i] % 3 + i);
  }
  return passed();
}
