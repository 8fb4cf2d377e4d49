// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that a thread leaves in shared memory for itself, or for others: a compiler may hand a thread its own value back without
// the memory, but only where no other thread changes it, waits for it, or reads it before it is overwritten.
#include "check.h"

// The layer of a neural network: each thread scales its own weight after a barrier, then all read their neighbour's.
__global__ void scaled(const int *weights, const int *inputs, int *out) {
  __shared__ int node[1024], weight[1024];
  int me = threadIdx.x, at = blockIdx.x * blockDim.x + me;
  node[blockDim.x - 1 - me] = inputs[at];
  __syncthreads();
  weight[me] = weights[at];
  __syncthreads();
  weight[me] = weight[me] * node[me];
  __syncthreads();
  out[at] = weight[(me + 1) % blockDim.x];
}

// Between store and load a neighbour writes.
__global__ void handed_on(int *out) {
  __shared__ int place[1024];
  int me = threadIdx.x, next = (me + 1) % blockDim.x;
  place[me] = me;
  __syncthreads();
  int mine = place[me];
  __syncthreads();
  place[next] = mine * 3 + 1;
  __syncthreads();
  out[blockIdx.x * blockDim.x + me] = place[me];
}

// The first value is read by a neighbour before its own thread overwrites it, in every iteration.
__global__ void iterations(int *out, int count) {
  __shared__ int place[1024];
  int me = threadIdx.x, next = (me + 1) % blockDim.x, sum = 0;
  for (int iteration = 0; iteration < count; iteration++) {
    place[me] = me * 10 + iteration;
    __syncthreads();
    sum += place[next];
    __syncthreads();
    place[me] = -me;
    __syncthreads();
    sum = sum * 3 + place[next];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + me] = sum;
}

// All write one element, one of them wins, and all have to agree on who.
__global__ void elected(int *out) {
  __shared__ int winner;
  winner = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = winner;
}

// Two elements a thread that nobody else uses, across the barriers of another array.
__global__ void scratch(int *out, int count) {
  __shared__ int own[1024][2], common[1024];
  int me = threadIdx.x, next = (me + 1) % blockDim.x;
  own[me][0] = me;
  own[me][1] = 1;
  for (int iteration = 0; iteration < count; iteration++) {
    common[me] = own[me][0];
    __syncthreads();
    if (me % 3 != iteration % 3)
      own[me][0] += common[next] * own[me][1];
    own[me][1]++;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + me] = own[me][0] + 7 * own[me][1];
}

// A thread adds to another one's element in between.
__global__ void counted(int *out) {
  __shared__ int counts[1024];
  int me = threadIdx.x;
  counts[me] = me;
  __syncthreads();
  atomicAdd(&counts[me / 2], 100);
  __syncthreads();
  out[blockIdx.x * blockDim.x + me] = counts[me];
}

// Only some threads store; the others find what stood there before.
__global__ void some(int *out) {
  __shared__ int place[1024];
  int me = threadIdx.x;
  place[blockDim.x - 1 - me] = me;
  __syncthreads();
  if (me % 2)
    place[me] = -5 * me;
  __syncthreads();
  out[blockIdx.x * blockDim.x + me] = place[me];
}

// What is loaded before the barrier is overwritten after it.
__global__ void shifted(int *data) {
  int me = threadIdx.x, *block = data + blockIdx.x * blockDim.x;
  int next = block[(me + 1) % blockDim.x];
  __syncthreads();
  block[me] = next + 1;
}

template <typename Reference> static void check_all(buffer<int> &out, int block, Reference reference) {
  out.download();
  for (size_t i = 0; i < out.count; i++)
    expect(i, out[i], reference((int)i % block, (int)i / block));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> weights(n), inputs(n), out(n);
  for (int i = 0; i < n; i++)
    weights[i] = i % 17 - 4, inputs[i] = i % 23;
  weights.upload();
  inputs.upload();
  scaled<<<blocks, block>>>(weights.device, inputs.device, out.device);
  check_all(out, block, [&](int me, int of) {
    int next = (me + 1) % block;
    return weights[of * block + next] * inputs[of * block + block - 1 - next];
  });
  handed_on<<<blocks, block>>>(out.device);
  check_all(out, block, [&](int me, int) { return (me + block - 1) % block * 3 + 1; });
  iterations<<<blocks, block>>>(out.device, 4);
  check_all(out, block, [&](int me, int) {
    int next = (me + 1) % block, sum = 0;
    for (int iteration = 0; iteration < 4; iteration++)
      sum = (sum + next * 10 + iteration) * 3 - next;
    return sum;
  });
  scratch<<<blocks, block>>>(out.device, 5);
  check_all(out, block, [&](int me, int) {
    static int own[1024], old[1024];
    for (int i = 0; i < block; i++)
      own[i] = i;
    for (int iteration = 0; iteration < 5; iteration++) {
      for (int i = 0; i < block; i++)
        old[i] = own[i];
      for (int i = 0; i < block; i++)
        if (i % 3 != iteration % 3)
          own[i] += old[(i + 1) % block] * (iteration + 1);
    }
    return own[me] + 7 * 6;
  });
  counted<<<blocks, block>>>(out.device);
  check_all(out, block, [&](int me, int) {
    int adds = 0;
    for (int i = 0; i < block; i++)
      adds += i / 2 == me;
    return me + 100 * adds;
  });
  some<<<blocks, block>>>(out.device);
  check_all(out, block, [&](int me, int) { return me % 2 ? -5 * me : block - 1 - me; });
  buffer<int> data(n), winners(n);
  for (int i = 0; i < n; i++)
    data[i] = 3 * i;
  data.upload();
  shifted<<<blocks, block>>>(data.device);
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], 3 * (i / block * block + (i % block + 1) % block) + 1);
  elected<<<blocks, block>>>(winners.device);
  winners.download();
  for (int i = 0; i < n; i++) {
    expect(i, winners[i], winners[i / block * block]);
    expect(i, winners[i] >= 0 && winners[i] < block, true);
  }
  return passed();
}
