// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix fragments of elements of 4 bits, with and without a sign, and of 1 bit, by xor and by and: rows of several tiles, several warps a
// block, saturation.
#include "check.h"

#include <climits>
#include <mma.h>

using namespace nvcuda;
using wmma::experimental::precision::b1;
using wmma::experimental::precision::s4;
using wmma::experimental::precision::u4;

template <int K, typename T, typename A, typename B, typename C>
__device__ void step(C &sum, const A &left, const B &right, int mode) {
  if constexpr (std::is_same<T, b1>::value) {
    if (mode)
      wmma::bmma_sync(sum, left, right, sum, wmma::experimental::bmmaBitOpAND);
    else
      wmma::bmma_sync(sum, left, right, sum);
  } else {
    wmma::mma_sync(sum, left, right, sum, mode != 0);
  }
}

// d = a b + c, 8 x 8, a tile a warp; k runs over `steps` tiles.
template <int K, typename T>
__global__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *d, int steps, int tiles, int mode) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (warp >= tiles)
    return;
  a += warp * 8 * 4 * steps, b += warp * 8 * 4 * steps, c += warp * 64, d += warp * 64;
  wmma::fragment<wmma::accumulator, 8, 8, K, int> sum;
  wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
  for (int i = 0; i < steps; i++) {
    wmma::fragment<wmma::matrix_a, 8, 8, K, T, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 8, 8, K, T, wmma::col_major> right;
    wmma::load_matrix_sync(left, a + i * 4, steps * K);
    wmma::load_matrix_sync(right, b + i * 4, steps * K);
    step<K, T>(sum, left, right, mode);
  }
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

template <typename T> static int element(const unsigned *row, int i) {
  if (std::is_same<T, b1>::value)
    return row[i / 32] >> (i % 32) & 1;
  int nibble = row[i / 8] >> (i % 8 * 4) & 15;
  return std::is_same<T, s4>::value && nibble > 7 ? nibble - 16 : nibble;
}

template <int K, typename T> static void check_type(int block, int mode, int start) {
  const int steps = 3, tiles = 5, words = tiles * 8 * 4 * steps;
  buffer<unsigned> a(words), b(words);
  buffer<int> c(tiles * 64), d(tiles * 64);
  unsigned state = K + mode;
  for (int i = 0; i < words; i++)
    a[i] = next_random(state) * 2654435761u, b[i] = next_random(state) * 2246822519u;
  for (int i = 0; i < tiles * 64; i++)
    c[i] = start + (int)(next_random(state) % 100);
  int warps = block / 32;
  a.upload(), b.upload(), c.upload();
  multiply<K, T><<<(tiles + warps - 1) / warps, block>>>(a.device, b.device, c.device, d.device, steps, tiles, mode);
  d.download();
  for (int tile = 0; tile < tiles; tile++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        long long expected = c[tile * 64 + i * 8 + j];
        for (int s = 0; s < steps; s++) {
          const unsigned *row = &a[(tile * 8 + i) * 4 * steps + s * 4],
                         *column = &b[(tile * 8 + j) * 4 * steps + s * 4];
          for (int k = 0; k < K; k++) {
            int left = element<T>(row, k), right = element<T>(column, k);
            expected += !std::is_same<T, b1>::value || mode ? left * right : left != right;
          }
          if (mode && !std::is_same<T, b1>::value && expected > INT_MAX)
            expected = INT_MAX;
        }
        expect(tile * 64 + i * 8 + j, d[tile * 64 + i * 8 + j], (int)expected);
      }
}

int main() {
  for (int block : {32, 96}) {
    check_type<32, s4>(block, 0, 0);
    check_type<32, s4>(block, 1, -50);
    check_type<32, u4>(block, 0, INT_MAX - 300); // wraps around
    check_type<32, u4>(block, 1, INT_MAX - 300); // stops
    check_type<128, b1>(block, 0, 0);
    check_type<128, b1>(block, 1, 0);
  }
  return passed();
}
