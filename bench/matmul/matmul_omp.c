// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix product by hand, in the manner of the BLAS libraries: a stripe of B is packed so that the inner kernel reads
// it in order, and the kernel keeps a block of C in registers, 8 rows high and two (AVX: one) vectors wide.
// Arguments: rows (a multiple of 32), iterations.
#include "../common/bench.h"

enum { DEPTH = 256, HEIGHT = 8 };
#ifdef __AVX512F__
enum { LANES = 16, VECTORS = 2 };
#else
enum { LANES = 8, VECTORS = 1 };
#endif
enum { WIDTH = LANES * VECTORS };
typedef float vector __attribute__((vector_size(LANES * sizeof(float)), aligned(4)));

// c[0..HEIGHT)[0..WIDTH) += a[0..HEIGHT)[0..depth) * packed[0..depth)[0..WIDTH)
static void multiply_block(const float *restrict a, const float *restrict packed, float *restrict c, int n, int depth) {
  vector sums[HEIGHT][VECTORS];
  for (int i = 0; i < HEIGHT; i++)
    for (int v = 0; v < VECTORS; v++)
      sums[i][v] = *(const vector *)(c + (size_t)i * n + v * LANES);
  for (int k = 0; k < depth; k++) {
    vector row[VECTORS];
    for (int v = 0; v < VECTORS; v++)
      row[v] = *(const vector *)(packed + k * WIDTH + v * LANES);
    for (int i = 0; i < HEIGHT; i++)
      for (int v = 0; v < VECTORS; v++)
        sums[i][v] += a[(size_t)i * n + k] * row[v];
  }
  for (int i = 0; i < HEIGHT; i++)
    for (int v = 0; v < VECTORS; v++)
      *(vector *)(c + (size_t)i * n + v * LANES) = sums[i][v];
}

static void multiply(const float *restrict a, const float *restrict b, float *restrict c, float *restrict packed,
                     int n) {
#pragma omp parallel
  for (int base = 0; base < n; base += DEPTH) {
    const int depth = n - base < DEPTH ? n - base : DEPTH;
#pragma omp for schedule(static)
    for (int j = 0; j < n; j += WIDTH)
      for (int k = 0; k < depth; k++)
        memcpy(packed + (size_t)j * DEPTH + k * WIDTH, b + (size_t)(base + k) * n + j, WIDTH * sizeof(float));
#pragma omp for schedule(static)
    for (int i = 0; i < n; i += HEIGHT) {
      if (base == 0)
        memset(c + (size_t)i * n, 0, HEIGHT * (size_t)n * sizeof(float));
      for (int j = 0; j < n; j += WIDTH)
        multiply_block(a + (size_t)i * n + base, packed + (size_t)j * DEPTH, c + (size_t)i * n + j, n, depth);
    }
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1024, 32, "rows");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  if (n % 32 != 0) {
    fprintf(stderr, "%s: rows must be a multiple of 32\n", argv[0]);
    return 2;
  }
  const size_t cells = (size_t)n * n;
  float *a = bench_allocate(cells * sizeof(float)), *b = bench_allocate(cells * sizeof(float));
  float *c = bench_allocate(cells * sizeof(float)), *packed = bench_allocate((size_t)n * DEPTH * sizeof(float));
  uint32_t state = 3;
  for (size_t i = 0; i < cells; i++) {
    a[i] = bench_random_float(&state) - 0.5f;
    b[i] = bench_random_float(&state);
  }

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    multiply(a, b, c, packed, n);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, c, cells, 1e-4);
  free(a);
  free(b);
  free(c);
  free(packed);
  return 0;
}
