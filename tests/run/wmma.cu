// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix fragments: every type, shape and layout, a loop over k with several warps a block, functions on all elements,
// accumulators of both types, saturation. Inputs are small integers, whose products and sums every order gives exactly.
#include "check.h"

#include <mma.h>

using namespace nvcuda;

template <typename T> struct stored {
  typedef T type;
};
template <> struct stored<wmma::precision::tf32> {
  typedef float type;
};

// d = 2 (a b) + c for one tile a warp; k runs over `steps` tiles.
template <int M, int N, int K, typename T, typename LA, typename LB, typename Sum>
__global__ void multiply(const typename stored<T>::type *a, const typename stored<T>::type *b, const Sum *c, Sum *d,
                         int steps, int tiles, wmma::layout_t layout) {
  const bool a_rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (warp >= tiles)
    return;
  const int depth = steps * K;
  a += warp * M * depth, b += warp * N * depth, c += warp * M * N, d += warp * M * N;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, addend;
  wmma::fill_fragment(sum, (Sum)0.0f);
  for (int step = 0; step < steps; step++) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> left;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> right;
    wmma::load_matrix_sync(left, a + (a_rows ? step * K : step * K * M), a_rows ? depth : M);
    wmma::load_matrix_sync(right, b + (b_rows ? step * K * N : step * K), b_rows ? N : depth);
    for (int t = 0; t < left.num_elements; t++)
      left.x[t] = (typename stored<T>::type)((float)left.x[t] * 2.0f);
    wmma::mma_sync(sum, left, right, sum);
  }
  unsigned stride = layout == wmma::mem_row_major ? N : M;
  wmma::load_matrix_sync(addend, c, stride, layout);
  for (int t = 0; t < sum.num_elements; t++)
    sum.x[t] = sum.x[t] + addend.x[t];
  wmma::store_matrix_sync(d, sum, stride, layout);
}

template <int M, int N, int K, typename T, typename LA, typename LB, typename Sum>
static void check_layouts(int block, wmma::layout_t layout) {
  typedef typename stored<T>::type S;
  const bool a_rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
  const int steps = 3, tiles = 5, depth = steps * K, warps = block / 32;
  const bool is_unsigned = std::is_same<T, unsigned char>::value;
  buffer<S> a(tiles * M * depth), b(tiles * N * depth);
  buffer<Sum> c(tiles * M * N), d(tiles * M * N);
  unsigned state = M * 7 + N;
  auto number = [&]() { return (int)(next_random(state) % 7) - (is_unsigned ? 0 : 3); };
  for (size_t i = 0; i < a.count; i++)
    a[i] = (S)(float)number();
  for (size_t i = 0; i < b.count; i++)
    b[i] = (S)(float)number();
  for (size_t i = 0; i < c.count; i++)
    c[i] = (Sum)(float)number();
  a.upload(), b.upload(), c.upload();
  multiply<M, N, K, T, LA, LB, Sum>
      <<<blocks_for(tiles, warps), block>>>(a.device, b.device, c.device, d.device, steps, tiles, layout);
  d.download();
  for (int t = 0; t < tiles; t++)
    for (int row = 0; row < M; row++)
      for (int column = 0; column < N; column++) {
        int at = t * M * N + (layout == wmma::mem_row_major ? row * N + column : column * M + row);
        double sum = (double)(float)c[at];
        for (int k = 0; k < depth; k++)
          sum += 2.0 * (float)a[t * M * depth + (a_rows ? row * depth + k : k * M + row)] *
                 (float)b[t * N * depth + (b_rows ? k * N + column : column * depth + k)];
        expect(at, (double)(float)d[at], sum);
      }
}

template <int M, int N, int K, typename T, typename Sum> static void check_shape(int block) {
  typedef wmma::row_major row;
  typedef wmma::col_major col;
  check_layouts<M, N, K, T, row, col, Sum>(block, wmma::mem_row_major);
  check_layouts<M, N, K, T, col, row, Sum>(block, wmma::mem_col_major);
  if (M == N) {
    check_layouts<M, N, K, T, row, row, Sum>(block, wmma::mem_row_major);
    check_layouts<M, N, K, T, col, col, Sum>(block, wmma::mem_row_major);
  }
}

// Mixed accumulators, saturation, tf32's rounding.
__global__ void corners(float *out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> h;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
  wmma::fill_fragment(a, 100.0f), wmma::fill_fragment(b, 50.0f), wmma::fill_fragment(f, 1.0f);
  wmma::mma_sync(h, a, b, f); // 80001 is beyond the largest half
  if (threadIdx.x == 0)
    out[0] = h.x[0];
#ifdef __UNWARP__ // the guide saturates values of every kind, nvcc takes the argument with integers only
  wmma::mma_sync(h, a, b, f, true);
#else
  wmma::fill_fragment(h, 65504.0f);
#endif
  if (threadIdx.x == 0)
    out[1] = h.x[h.num_elements - 1];
  wmma::fill_fragment(h, 0.5f);
  wmma::mma_sync(f, a, b, h);
  if (threadIdx.x == 0)
    out[2] = f.x[3];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ia;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> ib;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> i;
  wmma::fill_fragment(ia, 100), wmma::fill_fragment(ib, 100), wmma::fill_fragment(i, 2147483647 - 5);
  wmma::mma_sync(i, ia, ib, i, true);
  if (threadIdx.x == 0)
    out[3] = i.x[0] == 2147483647;
  wmma::mma_sync(i, ia, ib, i);
  if (threadIdx.x == 0)
    out[4] = i.x[1] == (int)(2147483647u + 160000u);
  if (threadIdx.x == 0) {
    out[5] = wmma::__float_to_tf32(1.0f + 0x1p-11f), out[6] = wmma::__float_to_tf32(-1.0f - 0x1.ffp-12f);
    out[7] = wmma::__float_to_tf32(INFINITY);
  }
}

int main(int argc, char **argv) {
  // Fragments belong to whole warps.
  const int block = (block_size(argc, argv) + 31) / 32 * 32;
  check_shape<16, 16, 16, half, float>(block);
  check_shape<32, 8, 16, half, half>(block);
  check_shape<8, 32, 16, half, float>(block);
  check_shape<16, 16, 16, __nv_bfloat16, float>(block);
  check_shape<32, 8, 16, __nv_bfloat16, float>(block);
  check_shape<16, 16, 16, signed char, int>(block);
  check_shape<8, 32, 16, unsigned char, int>(block);
  check_shape<16, 16, 8, wmma::precision::tf32, float>(block);
  check_shape<8, 8, 4, double, double>(block);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, corners));
  expect(-1, (int)attributes.sharedSizeBytes, 0);
  buffer<float> out(8);
  corners<<<1, 32>>>(out.device);
  out.download();
  const float expected[] = {INFINITY, 65504, 80000.5f, 1, 1, 1.0f + 0x1p-10f, -1.0f, INFINITY};
  for (int k = 0; k < 8; k++)
    expect_near(k, out[k], expected[k], 0);
  return passed();
}
