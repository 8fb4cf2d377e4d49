// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are the same for the blocks of a row, or of a column, of the grid: products of matrices of many shapes, with grids that no
// number of blocks divides, of one row, one column and several layers; tiles of one kind alone; sums kept in shared memory; and tiles
// that are loaded from what the launch writes. Values are small and whole, so every order of additions gives the same.
#include "check.h"

template <int TX, int TY>
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int depth,
                        int width) {
  __shared__ float left[TY][TX], right[TX][TX];
  int row = blockIdx.y * TY + threadIdx.y, column = blockIdx.x * TX + threadIdx.x;
  const float *layer = a + (size_t)blockIdx.z * gridDim.y * TY * depth;
  float sum = 0;
  for (int base = 0; base < depth; base += TX) {
    left[threadIdx.y][threadIdx.x] = layer[row * depth + base + threadIdx.x];
    for (int k = threadIdx.y; k < TX; k += TY)
      right[k][threadIdx.x] = b[(base + k) * width + column];
    __syncthreads();
    for (int k = 0; k < TX; k++)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[((size_t)blockIdx.z * gridDim.y * TY + row) * width + column] = sum;
}

// The classic form, with square tiles that one line each fills.
template <int T>
__global__ void square(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int depth,
                       int width) {
  __shared__ float left[T][T], right[T][T];
  int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
  float sum = 0;
  for (int base = 0; base < depth; base += T) {
    left[threadIdx.y][threadIdx.x] = a[row * depth + base + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(base + threadIdx.y) * width + column];
    __syncthreads();
    for (int k = 0; k < T; k++)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

// The same, where the loop counts through the left matrix from the block's first element on, and through the right one beside that.
__global__ void started(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int depth,
                        int width) {
  __shared__ float left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y, first = depth * 16 * blockIdx.y, at = 16 * blockIdx.x;
  float sum = 0;
  for (int from = first; from <= first + depth - 1; from += 16, at += 16 * width) {
    left[y][x] = a[from + depth * y + x];
    right[y][x] = b[at + width * y + x];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[width * 16 * blockIdx.y + 16 * blockIdx.x + width * y + x] = at == 16 * (int)blockIdx.x + depth * width ? sum : -1;
}

// The same for sizes that the tiles do not divide.
__global__ void ragged(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int rows,
                       int depth, int width) {
  __shared__ float left[16][16], right[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int base = 0; base < depth; base += 16) {
    left[threadIdx.y][threadIdx.x] = row < rows && base + threadIdx.x < depth ? a[row * depth + base + threadIdx.x] : 0;
    right[threadIdx.y][threadIdx.x] =
        column < width && base + threadIdx.y < depth ? b[(base + threadIdx.y) * width + column] : 0;
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < width)
    c[row * width + column] = sum;
}

// The same for all blocks of the grid; the block's own sums are in shared memory.
__global__ void against_all(const float *__restrict__ points, const float *__restrict__ own, float *__restrict__ out,
                            int count) {
  __shared__ float tile[64], sums[64];
  int t = threadIdx.x, at = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + t;
  sums[t] = blockIdx.x + 100 * blockIdx.y;
  for (int base = 0; base < count; base += 64) {
    tile[t] = points[base + t];
    __syncthreads();
    float mine = own[at], sum = 0;
    for (int k = 0; k < 64; k++)
      sum += tile[k] * mine + (k & 3);
    sums[63 - t] += sum;
    __syncthreads();
  }
  out[at] = sums[63 - t];
}

// A tile that each block loads from what it wrote in the iteration before.
__global__ void own_history(float *memory, const int *__restrict__ zero, int iterations) {
  __shared__ float tile[16];
  int t = threadIdx.x, block = blockIdx.x + blockIdx.y * gridDim.x;
  float *mine = memory + block * 16;
  for (int iteration = 0; iteration < iterations; iteration++) {
    tile[t] = memory[(block + zero[iteration]) * 16 + t];
    __syncthreads();
    mine[t] = tile[15 - t] + 1;
    __syncthreads();
  }
}

template <typename F>
static void check_product(const char *what, int layers, int rows, int depth, int width, F launch) {
  buffer<float> a((size_t)layers * rows * depth), b((size_t)depth * width), c((size_t)layers * rows * width);
  unsigned state = rows + depth;
  for (size_t i = 0; i < a.count; i++)
    a[i] = (float)(next_random(state) % 8) - 3;
  for (size_t i = 0; i < b.count; i++)
    b[i] = (float)(next_random(state) % 8) - 4;
  a.upload();
  b.upload();
  launch(a.device, b.device, c.device);
  CHECK(cudaDeviceSynchronize());
  c.download();
  float *expected = (float *)malloc(width * sizeof(float));
  for (int i = 0; i < layers * rows; i++) {
    for (int j = 0; j < width; j++)
      expected[j] = 0;
    for (int k = 0; k < depth; k++)
      for (int j = 0; j < width; j++)
        expected[j] += a[(size_t)i * depth + k] * b[(size_t)k * width + j];
    for (int j = 0; j < width; j++) {
      if (c[(size_t)i * width + j] != expected[j])
        printf("%s, row %d, column %d\n", what, i, j);
      expect(i * width + j, c[(size_t)i * width + j], expected[j]);
    }
  }
  free(expected);
}

static volatile int depth = 64; // not a constant to the compiler: rows may lie far apart

static void squares(int gx, int gy) {
  int deep = depth;
  check_product("square 16", 1, gy * 16, deep, gx * 16, [&](float *a, float *b, float *c) {
    square<16><<<dim3(gx, gy), dim3(16, 16)>>>(a, b, c, deep, gx * 16);
  });
}

static void products(int gx, int gy, int gz) {
  int deep = depth;
  check_product("16 by 6", gz, gy * 6, deep, gx * 16, [&](float *a, float *b, float *c) {
    product<16, 6><<<dim3(gx, gy, gz), dim3(16, 6)>>>(a, b, c, deep, gx * 16);
  });
}

static void all(int gx, int gy) {
  int count = 192, blocks = gx * gy;
  buffer<float> points(count), own(blocks * 64), out(blocks * 64);
  for (int i = 0; i < count; i++)
    points[i] = i % 9 - 4;
  for (int i = 0; i < blocks * 64; i++)
    own[i] = i % 11 - 5;
  points.upload();
  own.upload();
  against_all<<<dim3(gx, gy), 64>>>(points.device, own.device, out.device, count);
  out.download();
  for (int i = 0; i < blocks * 64; i++) {
    int block = i / 64, from = i % 64; // sums[63 - from], which thread from added to
    float expected = block % gx + 100 * (block / gx);
    for (int k = 0; k < count; k++)
      expected += points[k] * own[block * 64 + from] + (k & 3);
    expect(i, out[i], expected);
  }
}

int main(void) {
  squares(33, 35);
  squares(67, 35);
  squares(64, 16);
  squares(130, 1);
  squares(1, 131);
  squares(3, 5);
  int deep = depth;
  check_product("square 32", 1, 13 * 32, deep, 12 * 32, [&](float *a, float *b, float *c) {
    square<32><<<dim3(12, 13), dim3(32, 32)>>>(a, b, c, deep, 12 * 32);
  });
  check_product("rows near each other", 1, 13 * 16, 32, 12 * 16, [&](float *a, float *b, float *c) {
    square<16><<<dim3(12, 13), dim3(16, 16)>>>(a, b, c, 32, 12 * 16);
  });
  check_product("started", 1, 21 * 16, deep, 67 * 16,
                [&](float *a, float *b, float *c) { started<<<dim3(67, 21), dim3(16, 16)>>>(a, b, c, deep, 67 * 16); });
  for (int width : {1, 15, 533, 1071})
    check_product("ragged", 1, 555, deep - 3, width, [&](float *a, float *b, float *c) {
      ragged<<<dim3(blocks_for(width, 16), blocks_for(555, 16)), dim3(16, 16)>>>(a, b, c, 555, deep - 3, width);
    });
  products(70, 62, 1); // enough blocks for the largest panels
  products(21, 13, 4);
  products(9, 7, 3);
  all(31, 1);
  all(43, 7);

  const int blocks = 37 * 9, iterations = 5;
  buffer<float> memory(blocks * 16);
  buffer<int> zero(iterations);
  for (int i = 0; i < blocks * 16; i++)
    memory[i] = i;
  for (int i = 0; i < iterations; i++)
    zero[i] = 0;
  memory.upload();
  zero.upload();
  own_history<<<dim3(37, 9), 16>>>(memory.device, zero.device, iterations);
  memory.download();
  for (int i = 0; i < blocks * 16; i++) {
    int mirrored = i / 16 * 16 + 15 - i % 16;
    expect(i, memory[i], (float)(iterations % 2 ? mirrored : i) + iterations);
  }
  return passed();
}
