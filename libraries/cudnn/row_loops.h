/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over rows of numbers, for NUMBER float and double: what recurrent networks and attention share. GEMM is BLAS's
 * for NUMBER. */

/* c = a * b + beta * c, of rows; BLAS has columns, which turns all round. */
static void NAME(gemm)(int a_turned, int b_turned, int64_t m, int64_t n, int64_t k, const NUMBER *a, int64_t lda,
                       const NUMBER *b, int64_t ldb, NUMBER beta, NUMBER *c, int64_t ldc) {
  const int rows = (int)m, columns = (int)n, depth = (int)k, a_step = (int)lda, b_step = (int)ldb, c_step = (int)ldc;
  const NUMBER one = 1;
  if (m && n)
    GEMM(b_turned ? "T" : "N", a_turned ? "T" : "N", &columns, &rows, &depth, &one, b, &b_step, a, &a_step, &beta, c,
         &c_step);
}

static void NAME(add_bias)(NUMBER *rows, int64_t count, int64_t width, const NUMBER *bias) {
#pragma omp parallel for if (count * width > 16384)
  for (int64_t row = 0; row < count; row++)
    for (int64_t i = 0; i < width; i++)
      rows[row * width + i] += bias[i];
}

static void NAME(sum_rows)(const NUMBER *rows, int64_t count, int64_t width, int64_t step, NUMBER *sums) {
#pragma omp parallel for if (count * width > 16384)
  for (int64_t i = 0; i < width; i++) {
    double sum = 0;
    for (int64_t row = 0; row < count; row++)
      sum += (double)rows[row * step + i];
    sums[i] += (NUMBER)sum;
  }
}

/* What does not pass is dropped, and what is left grows. */
static void NAME(drop)(NUMBER *rows, int64_t count, const unsigned char *passes, double probability) {
  const NUMBER scale = (NUMBER)(probability < 1 ? 1 / (1 - probability) : 0);
#pragma omp parallel for if (count > 16384)
  for (int64_t i = 0; i < count; i++)
    rows[i] = passes[i] ? rows[i] * scale : 0;
}
