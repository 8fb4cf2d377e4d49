// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that reach elements which data chooses, without a barrier: elimination with pivots that a tree over
// places finds, rows that end within warps, systems that are left out; a list ranked by jumping over its own links; an
// array permuted in place, by a table and by reversed bits; a chosen element that divides its own row.
#include "check.h"
#include <cstddef>

// A thread for each element of (A | b). Rows of the greatest pivots end as rows of the identity.
__global__ void eliminate(const float *systems, const int *left_out, float *solutions, size_t const n,
                          size_t const room) {
  extern __shared__ float memory[];
  if (left_out[blockIdx.x])
    return;
  const int column = threadIdx.x, row = threadIdx.y;
  float *matrix = memory, *size = memory + n * (n + 1);
  int *place = (int *)(size + room);
  if (column >= n && column < room && row == 0)
    size[column] = 0.0f, place[column] = column;
  if (column == n && row == 0)
    for (size_t i = n; i < room; i++)
      size[i] = 0.0f, place[i] = (int)i;
  matrix[row * (n + 1) + column] = systems[(blockIdx.x * n + row) * (n + 1) + column];
  __syncthreads();
  for (int now = 0; now < n; now++) {
    if (row == now && column != n) {
      size[column] = fabsf(matrix[row * (n + 1) + column]);
      place[column] = column;
      for (int step = 2; step <= room; step = step * 2)
        if (column < room / step)
          if (size[place[column]] < size[place[column + room / step]])
            place[column] = place[column + room / step];
    }
    __syncthreads();
    if (row == now)
      matrix[row * (n + 1) + column] = matrix[row * (n + 1) + column] / matrix[row * (n + 1) + place[0]];
    __syncthreads();
    float less = matrix[now * (n + 1) + column] * matrix[row * (n + 1) + place[0]];
    __syncthreads();
    if (row != now)
      matrix[row * (n + 1) + column] -= less;
    __syncthreads();
  }
  if (column != n && fabsf(matrix[row * (n + 1) + column] - 1.0f) < 0.001f)
    solutions[blockIdx.x * n + column] = matrix[row * (n + 1) + n];
}

// How far the end of the list is from each element; one warp, a list in shared memory.
__global__ void rank(const int *links, int *ranks, const int *wanted) {
  __shared__ int next[32], far[32];
  int lane = threadIdx.x;
  if (!wanted[blockIdx.x])
    return;
  next[lane] = links[blockIdx.x * 32 + lane];
  far[lane] = next[lane] == lane ? 0 : 1;
  for (int jump = 0; jump < 5; jump++) {
    far[lane] = far[lane] + far[next[lane]];
    next[lane] = next[next[lane]];
  }
  ranks[blockIdx.x * 32 + lane] = far[lane];
}

// Each warp permutes its own 32 elements of global memory.
__global__ void permute(int *data, const unsigned char *from, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] = data[i / 32 * 32 + from[i]];
}

__global__ void reverse(int *data, int bits) {
  int lane = threadIdx.x & 31, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
  data[first + lane] = data[first + (__brev((unsigned)lane) >> (32 - bits))];
}

// Rows of a warp each; the place of what divides is volatile, and found by the first lane.
__global__ void scale(float *rows, const int *chosen) {
  __shared__ volatile int place[32];
  __shared__ float row[1024];
  int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  row[threadIdx.x] = rows[blockIdx.x * blockDim.x + threadIdx.x];
  if (lane == 0)
    place[warp] = chosen[blockIdx.x * (blockDim.x / 32) + warp];
  row[threadIdx.x] /= row[warp * 32 + place[warp]];
  rows[blockIdx.x * blockDim.x + threadIdx.x] = row[threadIdx.x];
}

// Seldom: in every hundredth turn, and in one near the end of many.
__global__ void seldom(int *data, int turns) {
  volatile int *numbers = data;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int turn = 0; turn < turns; turn++)
    if (turn % 100 == 99)
      numbers[t] = numbers[t ^ 1] + 1;
  for (int turn = 0; turn < 5000; turn++)
    if (turn == 4990)
      numbers[t] = numbers[t ^ 3];
}

static void check_eliminate(int n, unsigned &state) {
  const int systems = 5;
  int room = 1;
  while (room < n)
    room *= 2;
  buffer<float> matrix((size_t)systems * n * (n + 1)), solution((size_t)systems * n);
  buffer<int> left_out(systems);
  for (int s = 0; s < systems; s++) {
    left_out[s] = s == 3;
    for (int r = 0; r < n; r++) {
      float sum = 0;
      for (int c = 0; c < n; c++) { /* the greatest one of each row stands in another column */
        float element = (float)(next_random(state) % 7 + 1) + (c == (r * 3 + s) % n ? 40.0f : 0.0f);
        if (n % 3 == 0)
          element = (float)(next_random(state) % 7 + 1) + (c == (r + s) % n ? 40.0f : 0.0f);
        matrix[(s * n + r) * (n + 1) + c] = element;
        sum += element * (float)(c + 1 + s);
      }
      matrix[(s * n + r) * (n + 1) + n] = sum;
    }
  }
  matrix.upload();
  left_out.upload();
  for (int i = 0; i < systems * n; i++)
    solution[i] = 0;
  solution.upload();
  eliminate<<<systems, dim3(n + 1, n), (n * (n + 1) + 2 * room) * sizeof(float)>>>(matrix.device, left_out.device,
                                                                                   solution.device, n, room);
  solution.download();
  for (int s = 0; s < systems; s++)
    for (int c = 0; c < n; c++) {
      float expected = left_out[s] ? 0.0f : (float)(c + 1 + s);
      if (!(fabsf(solution[s * n + c] - expected) <= 0.01f)) {
        printf("n %d, system %d, unknown %d: got %g, expected %g\n", n, s, c, solution[s * n + c], expected);
        exit(1);
      }
    }
}

int main(int argc, char **argv) {
  const int block = (block_size(argc, argv) + 31) / 32 * 32, blocks = 4, count = block * blocks;
  unsigned state = 11;
  for (int n = 2; n <= 8; n++)
    check_eliminate(n, state);

  buffer<int> links(blocks * 32), ranks(blocks * 32), wanted(blocks);
  for (int b = 0; b < blocks; b++) {
    int order[32];
    wanted[b] = 1;
    for (int i = 0; i < 32; i++)
      order[i] = i;
    for (int i = 31; i > 0; i--) {
      int other = (int)(next_random(state) % (unsigned)(i + 1)), kept = order[i];
      order[i] = order[other], order[other] = kept;
    }
    for (int i = 0; i < 32; i++)
      links[b * 32 + order[i]] = order[i < 31 ? i + 1 : 31];
  }
  links.upload();
  wanted.upload();
  rank<<<blocks, 32>>>(links.device, ranks.device, wanted.device);
  ranks.download();
  for (int i = 0; i < blocks * 32; i++) {
    int far = 0;
    for (int at = i % 32; links[i / 32 * 32 + at] != at; at = links[i / 32 * 32 + at])
      far++;
    expect(i, ranks[i], far);
  }

  buffer<int> data(count);
  buffer<unsigned char> from(count);
  for (int i = 0; i < count; i++) {
    data[i] = (int)next_random(state);
    from[i] = (unsigned char)((i * 5 + 7 * (i / 32)) % 32);
  }
  data.upload();
  from.upload();
  permute<<<blocks, block>>>(data.device, from.device, count);
  reverse<<<blocks, block>>>(data.device, 5);
  buffer<int> before(count);
  for (int i = 0; i < count; i++)
    before[i] = data[i / 32 * 32 + from[i]];
  data.download();
  for (int i = 0; i < count; i++) {
    int reversed = 0;
    for (int bit = 0; bit < 5; bit++)
      reversed |= (i >> bit & 1) << (4 - bit);
    expect(i, data[i], before[i / 32 * 32 + reversed]);
  }

  for (int i = 0; i < count; i++)
    data[i] = i;
  data.upload();
  seldom<<<blocks, block>>>(data.device, 350);
  data.download();
  for (int i = 0; i < count; i++)
    expect(i, data[i], (i ^ 3 ^ 1) + 3);

  buffer<float> rows(count), scaled(count);
  buffer<int> chosen(count / 32);
  for (int i = 0; i < count; i++)
    rows[i] = (float)(next_random(state) % 1000 + 2);
  for (int i = 0; i < count / 32; i++)
    chosen[i] = (int)(next_random(state) % 32);
  rows.upload();
  chosen.upload();
  scale<<<blocks, block>>>(rows.device, chosen.device);
  for (int i = 0; i < count; i++)
    scaled[i] = rows[i] / rows[i / 32 * 32 + chosen[i / 32]];
  rows.download();
  for (int i = 0; i < count; i++)
    expect_near(i, rows[i], scaled[i], 1e-5f);
  puts("ok");
}
