// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and loops that are the same for all threads: ones that may be made once for the launch, and ones that may not, because a
// store before them changes what they read.
#include "check.h"

__device__ int sum(const int *data, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += data[i];
  return total;
}

__global__ void share(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, total = sum(in, n);
  if (i < n)
    out[i] = in[i] * 3 - total;
}

/* One block: what it sums is what its threads have just written. */
__global__ void after_writing(int *data, int *out, const int *offset, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] += *offset;
  __syncthreads();
  int total = sum(data, n);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = data[i] + total;
  __syncthreads();
  if (threadIdx.x == 0)
    data[0] = *offset + sum(out, n);
}

__global__ void no_iterations(const int *in, int *out, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, largest = -5;
  for (int k = 0; k < iterations; k++)
    largest = max(largest, in[k]);
  if (i < n)
    out[i] = largest;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500, offset = 17;
  buffer<int> in(n), out(n), data(n), more(n), shift(1), none(n);
  unsigned state = 3;
  int total = 0;
  for (int i = 0; i < n; i++) {
    in[i] = data[i] = (int)(next_random(state) % 100);
    total += in[i];
  }
  shift[0] = offset;
  in.upload();
  data.upload();
  shift.upload();
  share<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  after_writing<<<1, block>>>(data.device, more.device, shift.device, n);
  no_iterations<<<blocks_for(n, block), block>>>(NULL, none.device, n, 0);
  out.download();
  more.download();
  data.download();
  none.download();
  long long all = 0;
  for (int i = 0; i < n; i++) {
    expect(i, out[i], in[i] * 3 - total);
    expect(i, more[i], in[i] + offset + total + n * offset);
    expect(i, none[i], -5);
    all += more[i];
    if (i > 0)
      expect(i, data[i], in[i] + offset);
  }
  expect(0, data[0], (int)(offset + all));
  return passed();
}
