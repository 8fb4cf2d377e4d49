// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes in step that hand values over in other ways than trees: blocks of one warp without any barrier, halves of a warp that go different
// ways, rows of a plane of threads, global memory, one lane that speaks for all, a loop until none has changed.
#include "check.h"

// Neighbours change places, iteration by iteration; nothing else but the order of statements keeps reads before writes.
__global__ void rotate(int *data, int iterations) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  tile[lane] = data[blockIdx.x * 32 + lane];
  for (int iteration = 0; iteration < iterations; iteration++)
    tile[lane] = tile[(lane + 1) % 32] + iteration;
  data[blockIdx.x * 32 + lane] = tile[lane];
}

// The same with structures, each of which is copied by one assignment.
struct wide {
  int part[5];
};

__global__ void rotate_structures(int *data) {
  __shared__ int4 tile[32];
  __shared__ wide wider[64];
  int lane = threadIdx.x, own = data[blockIdx.x * 32 + lane];
  tile[lane] = make_int4(own, own + 1, own + 2, own + 3);
  for (int k = 0; k < 5; k++)
    wider[lane].part[k] = own * k;
  tile[lane] = tile[(lane + 1) % 32];
  tile[lane] = tile[(lane + 1) % 32];
  wider[lane] = wider[(lane + 31) % 32];
  wider[lane] = wider[(lane + 31) % 32];
  data[blockIdx.x * 32 + lane] = tile[lane].w * 1000 + wider[lane].part[4];
}

// The two halves of a warp: one turns its part around, one adds up to the left.
__global__ void halves(int *data) {
  volatile __shared__ int tile[1024];
  int thread = threadIdx.x, lane = thread & 31, first = thread - lane, i = blockIdx.x * blockDim.x + thread;
  tile[thread] = data[i];
  if (lane < 16) {
    int other = tile[first + 15 - lane];
    tile[thread] = other;
    tile[thread] = tile[first + (lane + 5) % 16];
  } else {
    tile[thread] += tile[first + 16 + (lane + 1) % 16];
    tile[thread] += tile[first + 16 + (lane + 2) % 16];
  }
  data[i] = tile[thread];
}

// A plane of threads: two rows of 16 are a warp; a row adds up its own.
__global__ void rows(int *data) {
  __shared__ volatile int tile[8][16 + 8];
  int x = threadIdx.x, y = threadIdx.y, i = (blockIdx.x * 8 + y) * 16 + x;
  tile[y][x] = data[i];
  if (x < 8)
    tile[y][16 + x] = 0;
  if (x < 8)
    tile[y][x] += tile[y][x + 8];
  if (x < 4)
    tile[y][x] += tile[y][x + 4];
  if (x < 2)
    tile[y][x] += tile[y][x + 2];
  if (x < 1)
    tile[y][x] += tile[y][x + 1];
  data[i] = tile[y][0];
}

// Down a column of a plane, from row to row of the same warp.
__global__ void columns(int *data) {
  __shared__ int tile[8][8];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 64 + y * 8 + x;
  tile[y][x] = data[i];
  if (y % 4 >= 1)
    tile[y][x] += tile[y - 1][x];
  if (y % 4 >= 2)
    tile[y][x] += tile[y - 2][x];
  data[i] = tile[y][x];
}

// The same tree in global memory.
__global__ void in_global(volatile int *data) {
  volatile int *own = data + blockIdx.x * 64;
  int lane = threadIdx.x;
  for (int half = 32; half > 0; half >>= 1)
    own[lane] += lane + half < 64 ? own[lane + half] : 0;
}

__device__ int places[3 * 64];

__global__ void in_variable(int *data) {
  int *own = places + blockIdx.x * 64, lane = threadIdx.x;
  own[lane] = data[blockIdx.x * 64 + lane];
  own[lane + 32] = data[blockIdx.x * 64 + lane + 32];
  own[lane] += own[lane + 32];
  own[lane] += own[lane + 16];
  own[lane] += own[lane + 8];
  own[lane] += own[lane + 4];
  own[lane] += own[lane + 2];
  own[lane] += own[lane + 1];
  if (lane == 0)
    data[blockIdx.x * 64] = own[0];
}

// The last lane of each warp takes positions for all.
__global__ void takes_places(int *counter, int *taken, int n) {
  __shared__ volatile int first[32];
  int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5, i = blockIdx.x * blockDim.x + thread;
  int rest = blockDim.x - warp * 32, lanes = rest < 32 ? rest : 32;
  if (lane == lanes - 1)
    first[warp] = atomicAdd(counter, lanes);
  taken[first[warp] + lane] = i;
}

// Labels that spread along a chain until nothing changes: all look, then all write.
__global__ void spread(const int *next, int *label, int *iterations) {
  volatile __shared__ int now[32];
  volatile __shared__ int changed;
  int lane = threadIdx.x, to = next[blockIdx.x * 32 + lane], count = 0;
  now[lane] = lane;
  do {
    if (lane == 31)
      changed = 0;
    int other = now[to];
    if (other < now[lane]) {
      now[lane] = other;
      changed = 1;
    }
    count++;
  } while (changed);
  label[blockIdx.x * 32 + lane] = now[lane];
  if (lane == 0)
    iterations[blockIdx.x] = count;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = blocks * (block > 128 ? block : 128);
  buffer<int> data(n), before(n), counter(1), iterations(blocks);
  for (int i = 0; i < n; i++)
    before[i] = (i * 37) % 101;
  auto start = [&] {
    memcpy(data.host, before.host, n * sizeof(int));
    data.upload();
  };
  auto end = [&] {
    CHECK(cudaDeviceSynchronize());
    data.download();
  };

  start();
  rotate<<<blocks, 32>>>(data.device, 10);
  end();
  for (int i = 0; i < blocks * 32; i++)
    expect(i, data[i], before[i / 32 * 32 + (i + 10) % 32] + 45);

  start();
  rotate_structures<<<blocks, 32>>>(data.device);
  end();
  for (int i = 0; i < blocks * 32; i++)
    expect(500 + i, data[i], (before[i / 32 * 32 + (i + 2) % 32] + 3) * 1000 + 4 * before[i / 32 * 32 + (i + 30) % 32]);

  if (block % 32 == 0) {
    start();
    halves<<<blocks, block>>>(data.device);
    end();
    for (int i = 0; i < blocks * block; i++) {
      int lane = i % block % 32, first = i - lane;
      const int *in = before.host + first;
      auto once = [&](int l) { return in[16 + l % 16] + in[16 + (l + 1) % 16]; };
      expect(1000 + i, data[i], lane < 16 ? in[15 - (lane + 5) % 16] : once(lane) + once(lane + 2));
    }
  }

  start();
  rows<<<blocks, dim3(16, 8)>>>(data.device);
  end();
  for (int row = 0; row < blocks * 8; row++) {
    int sum = 0;
    for (int x = 0; x < 16; x++)
      sum += before[row * 16 + x];
    for (int x = 0; x < 16; x++)
      expect(2000 + row * 16 + x, data[row * 16 + x], sum);
  }

  start();
  columns<<<blocks, dim3(8, 8)>>>(data.device);
  end();
  for (int i = 0; i < blocks * 64; i++) {
    int sum = 0;
    for (int y = 0; y <= i / 8 % 4; y++)
      sum += before[i - y * 8];
    expect(3000 + i, data[i], sum);
  }

  for (int kernel = 0; kernel < 2; kernel++) {
    start();
    if (kernel)
      in_variable<<<blocks, 32>>>(data.device);
    else
      in_global<<<blocks, 32>>>(data.device);
    end();
    for (int b = 0; b < blocks && b * 64 + 64 <= n; b++) {
      int sum = 0;
      for (int k = 0; k < 64; k++)
        sum += before[b * 64 + k];
      expect(4000 + b, data[b * 64], sum);
    }
  }

  CHECK(cudaMemset(counter.device, 0, sizeof(int)));
  takes_places<<<blocks, block>>>(counter.device, data.device, blocks * block);
  end();
  int *seen = new int[n]();
  for (int i = 0; i < blocks * block; i++)
    seen[data[i]]++;
  for (int i = 0; i < blocks * block; i++)
    expect(5000 + i, seen[i], 1);
  delete[] seen;

  buffer<int> next(blocks * 32), label(blocks * 32);
  for (int i = 0; i < blocks * 32; i++) {
    int lane = i % 32;
    next[i] = lane % 8 == 0 ? lane : lane - 1; /* chains of eight */
  }
  next.upload();
  spread<<<blocks, 32>>>(next.device, label.device, iterations.device);
  CHECK(cudaDeviceSynchronize());
  label.download();
  iterations.download();
  for (int i = 0; i < blocks * 32; i++)
    expect(6000 + i, label[i], i % 32 / 8 * 8);
  for (int b = 0; b < blocks; b++)
    expect(7000 + b, iterations[b], 8);
  return passed();
}
