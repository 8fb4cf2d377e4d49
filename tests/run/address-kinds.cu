// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __isShared, __isGlobal, __isConstant, __isLocal: of variables, parameters, elements, pointers that move, and in functions
// that ask for whoever calls them.
#include "check.h"

const int answers = 12;

struct table {
  const int *values;
  int count;
};
__constant__ int constants[4] = {1, 2, 3, 4};
__device__ int global_values[4];

__device__ int kind(const void *p) {
  return __isShared(p) * 1 + __isGlobal(p) * 2 + __isConstant(p) * 4 + __isLocal(p) * 8;
}

__global__ void ask(const int *in, table t, int *const *pointers, int *out) {
  __shared__ int shared[64];
  extern __shared__ int dynamic[];
  int own[4] = {(int)threadIdx.x, 1, 2, 3}, at = threadIdx.x % 4;
  int *moving = shared + 1;
  while (moving < shared + 40)
    moving += 3;
  if (threadIdx.x % 2)
    moving--;
  int *to = out + (blockIdx.x * blockDim.x + threadIdx.x) * answers;
  to[0] = kind(shared), to[1] = kind(&shared[threadIdx.x % 64]), to[2] = kind(dynamic + 3), to[3] = kind(moving);
  to[4] = kind(in), to[5] = kind(&in[threadIdx.x]), to[6] = kind(t.values + 1), to[7] = kind(pointers[at]);
  to[8] = kind(&global_values[at]), to[9] = kind(&constants[at]), to[10] = kind(&own[at]), to[11] = kind(out);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3;
  buffer<int> in(block), out(blocks * block * answers);
  buffer<int *> pointers(4);
  for (int i = 0; i < 4; i++)
    pointers[i] = in.device + i;
  pointers.upload();
  ask<<<blocks, block, 64>>>(in.device, table{in.device, block}, pointers.device, out.device);
  out.download();
  const int expected[answers] = {1, 1, 1, 1, 2, 2, 2, 2, 2, 4, 8, 2};
  for (int i = 0; i < blocks * block; i++)
    for (int k = 0; k < answers; k++)
      expect(i * 100 + k, out[i * answers + k], expected[k]);
  return passed();
}
