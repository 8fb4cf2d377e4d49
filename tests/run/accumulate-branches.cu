// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that add up in one location of memory under conditions, in loops inside, several times an iteration; locations that a thread must not touch
// where its condition never holds; locations that are among what is read.
#include "check.h"

// best may be one of the elements of in.
__global__ void largest(const int *in, int *best, int *changes, int n) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    int x = in[k * 3];
    if (x + (me & 7) > best[me]) {
      best[me] = x + (me & 7);
      changes[me] += 1;
    }
  }
}

__global__ void chosen(const float *in, const int *mask, float *out, int n) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  out[me] = me;
  for (int k = 0; k < n; k++)
    if (mask[k] & (1 << me % 8)) {
      out[me] += in[k];
      if (mask[k] & 1)
        out[me] *= 0.5f;
    } else if (mask[k] > 200) {
      out[me] -= in[k];
    }
}

// Nothing but the condition says that there is a location.
__global__ void nowhere(float *data, const int *use, int n) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  float *place = use[me] ? data + me : NULL;
  for (int k = 0; k < n; k++)
    if (use[me] > k)
      *place += k;
}

// All threads look at one location, one of them writes there.
__global__ void elected(const float *in, float *out, int n, int winner) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 1;
  __syncthreads();
  for (int k = 0; k < n; k++) {
    float old = sum;
    if (threadIdx.x == winner)
      sum = old + in[k];
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// out may be one of the elements of in.
__global__ void in_two_loops(const float *in, float *out, int rows, int columns) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++)
      out[me] += in[i * columns + j];
    out[me] *= 0.5f;
  }
}

__global__ void in_two_shared_loops(const float *in, float *out, int rows, int columns) {
  __shared__ float sums[1024];
  int me = threadIdx.x;
  sums[me] = me;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++)
      if (in[i * columns + j] > 10)
        sums[me] += in[i * columns + j];
    sums[me] *= 0.5f;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + me] = sums[blockDim.x - 1 - me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, threads = blocks * block, n = 29;
  unsigned state = 5;

  buffer<int> numbers(3 * n + threads), best(threads), changes(threads);
  for (int iteration = 0; iteration < 3; iteration++) {
    int start = iteration == 0 ? -1 : iteration == 1 ? 40 : 1000; // where none is larger, nothing changes
    for (size_t i = 0; i < numbers.count; i++)
      numbers[i] = (int)(next_random(state) % 64);
    for (int i = 0; i < threads; i++)
      best[i] = start, changes[i] = i;
    numbers.upload(), best.upload(), changes.upload();
    largest<<<blocks, block>>>(numbers.device, best.device, changes.device, n);
    best.download(), changes.download();
    for (int i = 0; i < threads; i++) {
      int most = start, count = i;
      for (int k = 0; k < n; k++)
        if (numbers[3 * k] + (i & 7) > most)
          most = numbers[3 * k] + (i & 7), count++;
      expect(i, best[i], most);
      expect(i, changes[i], count);
    }
  }
  for (int at = 0; at < 3 * n; at++) { // one thread, whose location is among the values, or is what it counts in
    buffer<int> one(3 * n + 4);
    int values[3 * n + 4];
    for (int i = 0; i < 3 * n + 4; i++)
      values[i] = one[i] = (int)(next_random(state) % 64);
    one.upload();
    int counter = at % 4 == 3 ? at : 3 * n + 1;
    largest<<<1, 1>>>(one.device, one.device + at, one.device + counter, n);
    for (int k = 0; k < n; k++)
      if (values[3 * k] > values[at]) {
        values[at] = values[3 * k];
        values[counter] += 1;
      }
    one.download();
    for (int i = 0; i < 3 * n + 4; i++)
      expect(i, one[i], values[i]);
  }

  buffer<float> in(64), out(threads);
  buffer<int> mask(n), use(threads);
  for (int i = 0; i < 64; i++)
    in[i] = (float)(next_random(state) % 32);
  for (int i = 0; i < n; i++)
    mask[i] = (int)(next_random(state) % 256);
  in.upload(), mask.upload();
  chosen<<<blocks, block>>>(in.device, mask.device, out.device, n);
  out.download();
  for (int i = 0; i < threads; i++) {
    float sum = i;
    for (int k = 0; k < n; k++) {
      if (mask[k] & (1 << i % 8)) {
        sum += in[k];
        if (mask[k] & 1)
          sum *= 0.5f;
      } else if (mask[k] > 200) {
        sum -= in[k];
      }
    }
    expect(i, out[i], sum);
  }

  for (int i = 0; i < threads; i++)
    use[i] = i % 3 ? i % 11 : 0, out[i] = i;
  use.upload(), out.upload();
  nowhere<<<blocks, block>>>(out.device, use.device, n);
  out.download();
  for (int i = 0; i < threads; i++) {
    float sum = i;
    for (int k = 0; k < n && k < use[i]; k++)
      sum += k;
    expect(i, out[i], sum);
  }

  for (int winner = 0; winner < block; winner += 1 + block / 3) {
    float sum = 1;
    for (int k = 0; k < n; k++)
      sum += in[k];
    elected<<<blocks, block>>>(in.device, out.device, n, winner);
    out.download();
    for (int i = 0; i < threads; i++)
      expect(i, out[i], sum);
  }

  for (int rows = 0; rows < 7; rows += 2) {
    for (int i = 0; i < threads; i++)
      out[i] = i;
    out.upload();
    in_two_loops<<<blocks, block>>>(in.device, out.device, rows, 9);
    out.download();
    for (int i = 0; i < threads; i++) {
      float sum = i;
      for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 9; c++)
          sum += in[r * 9 + c];
        sum *= 0.5f;
      }
      expect(i, out[i], sum);
    }
    in_two_shared_loops<<<blocks, block>>>(in.device, out.device, rows, 9);
    out.download();
    for (int i = 0; i < threads; i++) {
      float sum = block - 1 - i % block;
      for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 9; c++)
          if (in[r * 9 + c] > 10)
            sum += in[r * 9 + c];
        sum *= 0.5f;
      }
      expect(i, out[i], sum);
    }
  }
  for (int at = 0; at < 60; at += 7) {
    buffer<float> one(64);
    float values[64];
    for (int i = 0; i < 64; i++)
      values[i] = one[i] = in[i];
    one.upload();
    in_two_loops<<<1, 1>>>(one.device, one.device + at, 5, 9);
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 9; j++)
        values[at] += values[i * 9 + j];
      values[at] *= 0.5f;
    }
    one.download();
    for (int i = 0; i < 64; i++)
      expect(i, one[i], values[i]);
  }
  return passed();
}
