// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that number the elements of a matrix, or of more dimensions, one after the other, and take the index apart by division: with and
// without sign, in 32 and 64 bits, rows of all lengths around that of a vector, indices that start below zero or lie above 2^31, divisors of
// 0 and -1 where nobody divides by them, remainders that are divided again, and grids that go round.
#include "check.h"

__global__ void matrix(const float *in, float *out, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns)
    return;
  int row = i / columns, column = i % columns;
  out[column * rows + row] = in[i] + (column > row ? 1 : 0);
}

template <class T> __global__ void layers(const int *in, int *out, T depth, T height, T width) {
  T i = (T)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= depth * height * width)
    return;
  T z = i / (height * width), rest = i % (height * width), y = rest / width, x = rest % width;
  out[i] = in[(z * height + y) * width + (width - 1 - x)] * 3 + (int)z;
}

// Four dimensions, taken apart from the outermost in; the middle two change places.
__global__ void permuted(const int *in, int *out, int batch, int rows, int heads, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * heads * rows * width)
    return;
  int b = i / (heads * rows * width), rest = i % (heads * rows * width), head = rest / (rows * width);
  rest = rest % (rows * width);
  int row = rest / width, column = rest % width;
  out[(b * rows * heads * width) + (row * heads * width) + (head * width) + column] = in[i] + b;
}

static void check_permuted(int block, int batch, int rows, int heads, int width) {
  const int count = batch * rows * heads * width;
  buffer<int> in(count), out(count);
  for (int i = 0; i < count; i++)
    in[i] = i * 7;
  in.upload();
  permuted<<<blocks_for(count, block), block>>>(in.device, out.device, batch, rows, heads, width);
  out.download();
  for (int b = 0, i = 0; b < batch; b++)
    for (int head = 0; head < heads; head++)
      for (int row = 0; row < rows; row++)
        for (int column = 0; column < width; column++, i++)
          expect(i, out[((b * rows + row) * heads + head) * width + column], i * 7 + b);
}

// x and y from the index itself.
__global__ void taken_at_once(int *out, int depth, int height, int width) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < depth * height * width; i += gridDim.x * blockDim.x) {
    int x = i % width, y = i / width % height, z = i / (width * height);
    out[i] = x + 1000 * y + 1000000 * z;
  }
}

// Indices around zero: divisions round towards it.
__global__ void around_zero(int *quotients, int *rests, int from, int count, int divisor) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  int i = from + t;
  quotients[t] = divisor ? i / divisor : 77;
  rests[t] = divisor ? i % divisor : 78;
}

// Unsigned indices on both sides of 2^31.
__global__ void large(unsigned *quotients, unsigned *rests, unsigned from, int count, unsigned divisor) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  unsigned i = from + t;
  quotients[t] = i / divisor;
  rests[t] = i % divisor;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  for (int width : {1, 3, 15, 16, 40})
    for (int rows : {1, 5, 20})
      check_permuted(block, 2, rows, 3, width);
  for (int columns : {1, 2, 15, 16, 17, 31, 64, 100, 333}) {
    const int rows = 1 + 2000 / columns, count = rows * columns;
    buffer<float> in(count), out(count);
    for (int i = 0; i < count; i++)
      in[i] = (float)(i % 101);
    in.upload();
    matrix<<<blocks_for(count, block), block>>>(in.device, out.device, rows, columns);
    out.download();
    for (int i = 0; i < count; i++)
      expect(i, out[i % columns * rows + i / columns], in[i] + (i % columns > i / columns ? 1 : 0));
  }
  for (int width : {3, 16, 20, 50})
    for (int height : {1, 7, 33}) {
      const int depth = 4, count = depth * height * width;
      buffer<int> in(count), out(count), wide(count), once(count);
      for (int i = 0; i < count; i++)
        in[i] = i * 31 % 1009;
      in.upload();
      layers<int><<<blocks_for(count, block), block>>>(in.device, out.device, depth, height, width);
      layers<size_t><<<blocks_for(count, block), block>>>(in.device, wide.device, depth, height, width);
      taken_at_once<<<3, block>>>(once.device, depth, height, width);
      out.download(), wide.download(), once.download();
      for (int i = 0; i < count; i++) {
        int z = i / (height * width), y = i / width % height, x = i % width;
        expect(10000 + i, out[i], in[(z * height + y) * width + width - 1 - x] * 3 + z);
        expect(20000 + i, wide[i], out[i]);
        expect(30000 + i, once[i], x + 1000 * y + 1000000 * z);
      }
    }
  const int count = 300;
  buffer<int> quotients(count), rests(count);
  for (int divisor : {0, 1, -1, 16, -16, 40, 1000, 2147483647})
    for (int from : {-200, -300, -1, 0, 5, 2147483647 - count, -2147483647}) {
      around_zero<<<blocks_for(count, block), block>>>(quotients.device, rests.device, from, count, divisor);
      quotients.download(), rests.download();
      for (int t = 0; t < count; t++) {
        expect(t, quotients[t], divisor ? (from + t) / divisor : 77);
        expect(t, rests[t], divisor ? (from + t) % divisor : 78);
      }
    }
  buffer<unsigned> large_quotients(count), large_rests(count);
  for (unsigned divisor : {1u, 17u, 64u, 1000000u, 2147483648u, 4294967295u})
    for (unsigned from : {0u, 2147483500u, 4294966000u, 4294967200u}) {
      large<<<blocks_for(count, block), block>>>(large_quotients.device, large_rests.device, from, count, divisor);
      large_quotients.download(), large_rests.download();
      for (int t = 0; t < count; t++) {
        expect(t, large_quotients[t], (from + (unsigned)t) / divisor);
        expect(t, large_rests[t], (from + (unsigned)t) % divisor);
      }
    }
  return passed();
}
