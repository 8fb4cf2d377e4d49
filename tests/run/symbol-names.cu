// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device variables by their names, as strings: what programs wrote until CUDA 4. A variable of characters is still meant by
// itself, also when its text is another's name, and a name that there is not is CUDA's error. Under nvcc, which no longer takes
// names, the variables stand for themselves.
#include "check.h"

#ifdef __UNWARP__
#define NAME_OF(variable) #variable
#else
#define NAME_OF(variable) variable
#endif

__constant__ float weights[8];
static __device__ int total[4];
__device__ char label[8];

__global__ void add(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = weights[i % 8] + total[i % 4] + label[i % 8];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 100;
  buffer<float> out(n);
  const float wanted[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int counts[4] = {100, 200, 300, 400};
  const char text[8] = "weights";
  void *address, *same;
  size_t bytes;
  CHECK(cudaMemcpyToSymbol(NAME_OF(weights), wanted, sizeof wanted));
  CHECK(cudaMemcpyToSymbol(NAME_OF(total), counts, 3 * sizeof(int), sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(label, text, sizeof text));
  CHECK(cudaMemcpyToSymbol(label, "f", 1)); // not to the array of that name
  CHECK(cudaGetSymbolAddress(&address, NAME_OF(total)));
  CHECK(cudaGetSymbolAddress(&same, total));
  expect(-1, address == same, true);
  CHECK(cudaGetSymbolSize(&bytes, NAME_OF(weights)));
  expect(-2, (int)bytes, 32);
  add<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    char letter = i % 8 == 0 ? 'f' : text[i % 8];
    expect(i, out[i], wanted[i % 8] + (i % 4 ? counts[i % 4 - 1] : 0) + letter);
  }
  float back[8];
  CHECK(cudaMemcpyFromSymbol(back, NAME_OF(weights), sizeof back));
  for (int i = 0; i < 8; i++)
    expect(i, back[i], wanted[i]);
  expect(-3, (int)cudaMemcpyToSymbol("weight", wanted, 4), (int)cudaErrorInvalidSymbol);
  cudaGetLastError();
  return passed();
}
