// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are the same for all threads under conditions that threads differ in. They may be made once for the launch only where some
// thread makes them: where none does, what they read is not there.
#include "check.h"

__device__ int sum(const int *data, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += data[i];
  return total;
}

__global__ void share(const int *in, int *out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 3 - sum(in, length);
}

__global__ void return_early(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] % 2 == 0) {
    out[i] = -1;
    return;
  }
  out[i] = sum(in, n);
}

__global__ void inner_ones(const int *in, int *out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = in[i] + sum(in, length);
}

__global__ void one_alone(const int *in, int *out, int which, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == which)
    out[0] = sum(in, length);
}

// Which row a thread has takes a division, and the second loop what the first one finds.
__global__ void two_loops(const int *in, const int *scale, int *out, int width, int height, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / width, column = i % width;
  if (row < height) {
    int most = in[0], factor = scale[0];
    for (int k = 1; k < length; k++)
      most = max(most, in[k]);
    if (column < width - 1) {
      int apart = 0;
      for (int k = 0; k < length; k++)
        apart += (most - in[k]) * factor;
      out[i] = apart + in[i % length];
    } else {
      out[i] = most;
    }
  }
}

__global__ void otherwise(const int *in, int *out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
  else if (i < 2 * n)
    out[i] = in[i - n] + sum(in, length);
}

__global__ void after_writing(int *data, int *out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = 1000;
    out[i] = sum(data, length);
  }
}

static int element(int i) { return (i * 37 + 11) % 101; }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500, width = 20, height = 25;
  buffer<int> in(n), out(n), early(n), inner(n), alone(1), table(n), scale(1), both(2 * n), data(n), changed(1);
  int total = 0, most = 0;
  for (int i = 0; i < n; i++) {
    in[i] = data[i] = element(i);
    inner[i] = -7;
    total += element(i);
    most = element(i) > most ? element(i) : most;
  }
  scale[0] = 3;
  alone[0] = -7;
  in.upload(), data.upload(), inner.upload(), scale.upload(), alone.upload();
  share<<<blocks_for(n, block), block>>>(in.device, out.device, n, n);
  share<<<blocks_for(n, block), block>>>(NULL, NULL, 0, n); /* no thread passes: nothing may be read */
  return_early<<<blocks_for(n, block), block>>>(in.device, early.device, n);
  inner_ones<<<blocks_for(n, block), block>>>(in.device, inner.device, n, n);
  inner_ones<<<blocks_for(n, block), block>>>(NULL, inner.device, 2, n);
  one_alone<<<blocks_for(n, block), block>>>(NULL, alone.device, -1, n);
  one_alone<<<blocks_for(n, block), block>>>(in.device, alone.device, 1, n);
  two_loops<<<blocks_for(n, block), block>>>(in.device, scale.device, table.device, width, height, n);
  two_loops<<<blocks_for(n, block), block>>>(NULL, NULL, NULL, width, 0, n);
  otherwise<<<blocks_for(2 * n, block), block>>>(in.device, both.device, n, n);
  after_writing<<<1, 1>>>(data.device, changed.device, 1, n);
  out.download(), early.download(), inner.download(), alone.download(), table.download(), both.download(),
      changed.download();
  for (int i = 0; i < n; i++) {
    int apart = (most * n - total) * 3;
    expect(i, out[i], element(i) * 3 - total);
    expect(i, early[i], element(i) % 2 == 0 ? -1 : total);
    expect(i, inner[i], i > 0 && i < n - 1 ? element(i) + total : -7);
    expect(i, table[i], i % width < width - 1 ? apart + element(i) : most);
    expect(i, both[i], element(i));
    expect(i, both[n + i], element(i) + total);
  }
  expect(0, alone[0], n > 1 ? total : -7);
  expect(0, changed[0], total - element(0) + 1000);
  printf("ok\n");
  return 0;
}
