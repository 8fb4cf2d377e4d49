/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE against plain loops over dense matrices: all formats, operations, orders, bases and types of values; conversions, sorting; bad
 * arguments. */
#include "../check.h"
#include <cusparse.h>

#define GOOD(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)
static cusparseHandle_t handle;
template <class T> constexpr cudaDataType id = CUDA_R_32F;
template <> constexpr cudaDataType id<double> = CUDA_R_64F;
template <> constexpr cudaDataType id<cuComplex> = CUDA_C_32F;
template <> constexpr cudaDataType id<cuDoubleComplex> = CUDA_C_64F;
enum { M = 12, N = 8, K = 5 };
static const cusparseOperation_t ops[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                          CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

/* A matrix with holes, in every format. */
template <class T> struct sparse {
  std::vector<number> full = std::vector<number>(M * N);
  device<int> rows{M * N}, columns{M * N}, row_offsets{M + 1}, column_offsets{N + 1}, by_column{M * N},
      block_offsets{M / 2 + 1}, blocks{M * N};
  device<long long> wide_offsets{M + 1}, wide_columns{M * N};
  device<T> values{M * N}, column_values{M * N}, block_values{M * N};
  int nnz = 0, nnzb = 0;
  cusparseSpMatDescr_t all[5];
  explicit sparse(cusparseIndexBase_t base) {
    for (auto &x : full)
      x = next_number() > 0.2 ? number(next_number(), is_complex<T> ? next_number() : 0) : number(0);
    for (int i = 0; i < M; i++) {
      row_offsets[i] = nnz + base;
      for (int j = 0; j < N; j++)
        if (full[i * N + j] != 0.0)
          rows[nnz] = i + base, columns[nnz] = j + base, set(values[nnz++], full[i * N + j]);
    }
    row_offsets[M] = nnz + base;
    for (int i = 0; i <= M; i++)
      wide_offsets[i] = row_offsets[i];
    for (int i = 0; i < nnz; i++)
      wide_columns[i] = columns[i];
    int at = 0;
    for (int j = 0; j < N; j++) {
      column_offsets[j] = at + base;
      for (int i = 0; i < M; i++)
        if (full[i * N + j] != 0.0)
          by_column[at] = i + base, set(column_values[at++], full[i * N + j]);
    }
    column_offsets[N] = at + base;
    for (int i = 0; i < M / 2; i++) {
      block_offsets[i] = nnzb + base;
      for (int j = 0; j < N / 2; j++, nnzb++) {
        blocks[nnzb] = j + base;
        for (int r = 0; r < 2; r++)
          for (int c = 0; c < 2; c++)
            set(block_values[nnzb * 4 + r * 2 + c], full[(2 * i + r) * N + 2 * j + c]);
      }
    }
    block_offsets[M / 2] = nnzb + base;
    GOOD(cusparseCreateCsr(&all[0], M, N, nnz, row_offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           base, id<T>));
    GOOD(cusparseCreateCsr(&all[1], M, N, nnz, wide_offsets, wide_columns, values, CUSPARSE_INDEX_64I,
                           CUSPARSE_INDEX_64I, base, id<T>));
    GOOD(cusparseCreateCsc(&all[2], M, N, nnz, column_offsets, by_column, column_values, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, base, id<T>));
    GOOD(cusparseCreateCoo(&all[3], M, N, nnz, rows, columns, values, CUSPARSE_INDEX_32I, base, id<T>));
    GOOD(cusparseCreateBsr(&all[4], M / 2, N / 2, nnzb, 2, 2, block_offsets, blocks, block_values, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, base, id<T>, CUSPARSE_ORDER_ROW));
  }
  ~sparse() {
    for (auto one : all)
      cusparseDestroySpMat(one);
  }
  number at(cusparseOperation_t op, int i, int j) const {
    return op == 0 ? full[i * N + j] : op == 1 ? full[j * N + i] : std::conj(full[j * N + i]);
  }
};

template <class T> void products(cusparseIndexBase_t base) {
  sparse<T> a(base);
  const T alpha = make<T>({0.5, is_complex<T> ? 1 : 0}), beta = make<T>({-1.25, is_complex<T> ? 0.25 : 0});
  for (auto matrix : a.all)
    for (auto op : ops) {
      const int rows = op ? N : M, inner = op ? M : N;
      device<T> x(inner), y(rows), y0(y);
      cusparseDnVecDescr_t vx, vy;
      size_t bytes = 0;
      GOOD(cusparseCreateDnVec(&vx, inner, x, id<T>));
      GOOD(cusparseCreateDnVec(&vy, rows, y, id<T>));
      GOOD(
          cusparseSpMV_bufferSize(handle, op, &alpha, matrix, vx, &beta, vy, id<T>, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
      GOOD(cusparseSpMV(handle, op, &alpha, matrix, vx, &beta, vy, id<T>, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
      cudaDeviceSynchronize();
      for (int i = 0; i < rows; i++) {
        number sum = 0;
        for (int j = 0; j < inner; j++)
          sum += a.at(op, i, j) * value(x[j]);
        CHECK(near(y[i], value(alpha) * sum + value(beta) * value(y0[i]), 10));
      }
      GOOD(cusparseDestroyDnVec(vx));
      GOOD(cusparseDestroyDnVec(vy));
      for (auto op_b : ops)
        for (auto order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
          const int b_rows = op_b ? K : inner, b_cols = op_b ? inner : K, ldb = 17, ldc = 19;
          device<T> b(ldb * 17), c(ldc * 19), c0(c);
          cusparseDnMatDescr_t mb, mc;
          GOOD(cusparseCreateDnMat(&mb, b_rows, b_cols, ldb, b, id<T>, order));
          GOOD(cusparseCreateDnMat(&mc, rows, K, ldc, c, id<T>, CUSPARSE_ORDER_ROW));
          GOOD(
              cusparseSpMM(handle, op, op_b, &alpha, matrix, mb, &beta, mc, id<T>, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
          cudaDeviceSynchronize();
          for (int i = 0; i < rows; i++)
            for (int j = 0; j < K; j++) {
              number sum = 0;
              for (int l = 0; l < inner; l++) {
                int r = op_b ? j : l, s = op_b ? l : j;
                number element = value(order == CUSPARSE_ORDER_COL ? b[r + s * ldb] : b[r * ldb + s]);
                sum += a.at(op, i, l) * (op_b == 2 ? std::conj(element) : element);
              }
              CHECK(near(c[i * ldc + j], value(alpha) * sum + value(beta) * value(c0[i * ldc + j]), 10));
            }
          GOOD(cusparseDestroyDnMat(mb));
          GOOD(cusparseDestroyDnMat(mc));
        }
    }
  /* To dense, and back into three formats. */
  for (auto matrix : a.all) {
    device<T> d(M * N);
    cusparseDnMatDescr_t dense;
    GOOD(cusparseCreateDnMat(&dense, M, N, N, d, id<T>, CUSPARSE_ORDER_ROW));
    GOOD(cusparseSparseToDense(handle, matrix, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    cudaDeviceSynchronize();
    for (int i = 0; i < M * N; i++)
      CHECK(near(d[i], a.full[i]));
    device<int> offsets(M + 1), columns(a.nnz);
    device<T> values(a.nnz);
    cusparseSpMatDescr_t back;
    int64_t r, c, nnz;
    GOOD(cusparseCreateCsr(&back, M, N, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base,
                           id<T>));
    GOOD(cusparseDenseToSparse_analysis(handle, dense, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    GOOD(cusparseSpMatGetSize(back, &r, &c, &nnz));
    CHECK(nnz == a.nnz);
    GOOD(cusparseCsrSetPointers(back, offsets, columns, values));
    GOOD(cusparseDenseToSparse_convert(handle, dense, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    cudaDeviceSynchronize();
    for (int i = 0; i < a.nnz; i++)
      CHECK(columns[i] == a.columns[i] && value(values[i]) == value(a.values[i]));
    CHECK(offsets[M] == a.row_offsets[M]);
    cusparseDestroySpMat(back);
    cusparseDestroyDnMat(dense);
  }
}

/* A triangular system of any side, and A times A's transpose. */
template <class T> void solutions() {
  enum { n = 9 };
  const T alpha = make<T>(2);
  for (auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (auto diag : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
      for (auto op : ops) {
        device<int> offsets(n + 1), columns(n * n);
        device<T> values(n * n), x(n), y(n), b(n * 3), c(n * 3);
        for (int i = 0; i <= n; i++)
          offsets[i] = i * n;
        for (int i = 0; i < n * n; i++)
          columns[i] = i % n, set(values[i], value(values[i]) + (i % n == i / n ? 6.0 : 0.0));
        cusparseSpMatDescr_t a;
        cusparseDnVecDescr_t vx, vy;
        cusparseDnMatDescr_t mb, mc;
        cusparseSpSVDescr_t sv;
        cusparseSpSMDescr_t sm;
        size_t bytes;
        GOOD(cusparseCreateCsr(&a, n, n, n * n, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, id<T>));
        GOOD(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, (void *)&fill, sizeof fill));
        GOOD(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, (void *)&diag, sizeof diag));
        GOOD(cusparseCreateDnVec(&vx, n, x, id<T>));
        GOOD(cusparseCreateDnVec(&vy, n, y, id<T>));
        GOOD(cusparseCreateDnMat(&mb, n, 3, n, b, id<T>, CUSPARSE_ORDER_COL));
        GOOD(cusparseCreateDnMat(&mc, n, 3, n, c, id<T>, CUSPARSE_ORDER_COL));
        GOOD(cusparseSpSV_createDescr(&sv));
        GOOD(cusparseSpSV_bufferSize(handle, op, &alpha, a, vx, vy, id<T>, CUSPARSE_SPSV_ALG_DEFAULT, sv, &bytes));
        GOOD(cusparseSpSV_analysis(handle, op, &alpha, a, vx, vy, id<T>, CUSPARSE_SPSV_ALG_DEFAULT, sv, nullptr));
        GOOD(cusparseSpSV_solve(handle, op, &alpha, a, vx, vy, id<T>, CUSPARSE_SPSV_ALG_DEFAULT, sv));
        GOOD(cusparseSpSM_createDescr(&sm));
        GOOD(cusparseSpSM_analysis(handle, op, ops[0], &alpha, a, mb, mc, id<T>, CUSPARSE_SPSM_ALG_DEFAULT, sm,
                                   nullptr));
        GOOD(cusparseSpSM_solve(handle, op, ops[0], &alpha, a, mb, mc, id<T>, CUSPARSE_SPSM_ALG_DEFAULT, sm));
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) {
          number sum = 0, second = 0;
          for (int j = 0; j < n; j++) {
            int r = op ? j : i, s = op ? i : j;
            number element = value(values[r * n + s]);
            if (fill == CUSPARSE_FILL_MODE_LOWER ? s > r : s < r)
              continue;
            element = r == s && diag ? number(1) : op == 2 ? std::conj(element) : element;
            sum += element * value(y[j]), second += element * value(c[j + n]);
          }
          CHECK(near(make<T>(sum), 2.0 * value(x[i]), 1e4));
          CHECK(near(make<T>(second), 2.0 * value(b[i + n]), 1e4));
        }
        cusparseDestroySpMat(a), cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy), cusparseDestroyDnMat(mb),
            cusparseDestroyDnMat(mc);
        GOOD(cusparseSpSV_destroyDescr(sv));
        GOOD(cusparseSpSM_destroyDescr(sm));
      }
  sparse<T> a(CUSPARSE_INDEX_BASE_ZERO);
  const T one = make<T>(1), zero = make<T>(0);
  device<int> t_offsets(N + 1), t_columns(a.nnz), c_offsets(M + 1);
  device<T> t_values(a.nnz);
  size_t bytes = 0;
  GOOD(cusparseCsr2cscEx2(handle, M, N, a.nnz, a.values, a.row_offsets, a.columns, t_values, t_offsets, t_columns,
                          id<T>, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT,
                          nullptr));
  cudaDeviceSynchronize();
  for (int i = 0; i < a.nnz; i++)
    CHECK(t_columns[i] == a.by_column[i] && value(t_values[i]) == value(a.column_values[i]));
  cusparseSpMatDescr_t t, c;
  cusparseSpGEMMDescr_t descr;
  GOOD(cusparseCreateCsr(&t, N, M, a.nnz, t_offsets, t_columns, t_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, id<T>));
  GOOD(cusparseCreateCsr(&c, M, M, 0, c_offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, id<T>));
  GOOD(cusparseSpGEMM_createDescr(&descr));
  GOOD(cusparseSpGEMM_workEstimation(handle, ops[0], ops[0], &one, a.all[0], t, &zero, c, id<T>,
                                     CUSPARSE_SPGEMM_DEFAULT, descr, &bytes, nullptr));
  GOOD(cusparseSpGEMM_compute(handle, ops[0], ops[0], &one, a.all[0], t, &zero, c, id<T>, CUSPARSE_SPGEMM_DEFAULT,
                              descr, &bytes, nullptr));
  CHECK(bytes > 0);
  device<int> buffer(bytes);
  GOOD(cusparseSpGEMM_compute(handle, ops[0], ops[0], &one, a.all[0], t, &zero, c, id<T>, CUSPARSE_SPGEMM_DEFAULT,
                              descr, &bytes, (void *)buffer.at));
  int64_t r, s, nnz;
  GOOD(cusparseSpMatGetSize(c, &r, &s, &nnz));
  device<int> c_columns(nnz);
  device<T> c_values(nnz);
  GOOD(cusparseCsrSetPointers(c, c_offsets, c_columns, c_values));
  GOOD(cusparseSpGEMM_copy(handle, ops[0], ops[0], &one, a.all[0], t, &zero, c, id<T>, CUSPARSE_SPGEMM_DEFAULT, descr));
  cudaDeviceSynchronize();
  std::vector<number> found(M * M);
  for (int i = 0; i < M; i++)
    for (int k = c_offsets[i]; k < c_offsets[i + 1]; k++)
      found[i * M + c_columns[k]] = value(c_values[k]);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      number sum = 0;
      for (int k = 0; k < N; k++)
        sum += a.full[i * N + k] * a.full[j * N + k];
      CHECK(std::abs(found[i * M + j] - sum) < 20 * precision<T>);
    }
  /* Sampled at the entries of A. */
  device<T> u(M * K), w(K * N), before(a.values);
  cusparseDnMatDescr_t mu, mw;
  GOOD(cusparseCreateDnMat(&mu, M, K, K, u, id<T>, CUSPARSE_ORDER_ROW));
  GOOD(cusparseCreateDnMat(&mw, K, N, K, w, id<T>, CUSPARSE_ORDER_COL));
  GOOD(cusparseSDDMM(handle, ops[0], ops[0], &alpha, mu, mw, &one, a.all[0], id<T>, CUSPARSE_SDDMM_ALG_DEFAULT,
                     nullptr));
  cudaDeviceSynchronize();
  for (int i = 0; i < M; i++)
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; k++) {
      number sum = 0;
      for (int l = 0; l < K; l++)
        sum += value(u[i * K + l]) * value(w[l + a.columns[k] * K]);
      CHECK(near(a.values[k], 2.0 * sum + value(before[k]), 10));
    }
  cusparseDestroyDnMat(mu), cusparseDestroyDnMat(mw), cusparseDestroySpMat(t), cusparseDestroySpMat(c);
  GOOD(cusparseSpGEMM_destroyDescr(descr));

  device<int> where(4);
  device<T> x(4), x0(x), y(20), y0(y);
  const int places[4] = {3, 19, 0, 7};
  for (int i = 0; i < 4; i++)
    where[i] = places[i];
  cusparseSpVecDescr_t sx;
  cusparseDnVecDescr_t dy;
  T result;
  GOOD(cusparseCreateSpVec(&sx, 20, 4, where, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, id<T>));
  GOOD(cusparseCreateDnVec(&dy, 20, y, id<T>));
  GOOD(cusparseSpVV(handle, ops[0], sx, dy, &result, id<T>, nullptr));
  number sum = 0;
  for (int i = 0; i < 4; i++)
    sum += value(x[i]) * value(y[places[i]]);
  CHECK(near(result, sum));
  GOOD(cusparseAxpby(handle, &alpha, sx, &one, dy));
  CHECK(near(y[19], value(y0[19]) + 2.0 * value(x[1])) && near(y[1], value(y0[1])));
  GOOD(cusparseGather(handle, dy, sx));
  CHECK(value(x[3]) == value(y[7]));
  for (int i = 0; i < 4; i++)
    x[i] = x0[i];
  GOOD(cusparseScatter(handle, sx, dy));
  CHECK(value(y[0]) == value(x0[2]));
  cusparseDestroySpVec(sx), cusparseDestroyDnVec(dy);
}

static void arrays() {
  device<int> rows(6), columns(6), p(6), offsets(5), again(6);
  const int r[6] = {3, 0, 1, 3, 0, 3}, c[6] = {2, 1, 0, 0, 0, 1};
  for (int i = 0; i < 6; i++)
    rows[i] = r[i], columns[i] = c[i];
  GOOD(cusparseCreateIdentityPermutation(handle, 6, p));
  GOOD(cusparseXcoosortByRow(handle, 4, 3, 6, rows, columns, p, nullptr));
  const int sorted[6] = {4, 1, 2, 3, 5, 0};
  for (int i = 0; i < 6; i++)
    CHECK(p[i] == sorted[i] && rows[i] == r[sorted[i]] && columns[i] == c[sorted[i]]);
  GOOD(cusparseXcoo2csr(handle, rows, 6, 4, offsets, CUSPARSE_INDEX_BASE_ZERO));
  CHECK(offsets[0] == 0 && offsets[1] == 2 && offsets[2] == 3 && offsets[3] == 3 && offsets[4] == 6);
  GOOD(cusparseXcsr2coo(handle, offsets, 6, 4, again, CUSPARSE_INDEX_BASE_ZERO));
  for (int i = 0; i < 6; i++)
    CHECK(again[i] == rows[i]);
  std::swap(columns[3], columns[5]);
  cusparseMatDescr_t descr;
  GOOD(cusparseCreateMatDescr(&descr));
  GOOD(cusparseXcsrsort(handle, 4, 3, 6, descr, offsets, columns, nullptr, nullptr));
  CHECK(columns[3] == 0 && columns[4] == 1 && columns[5] == 2);
  GOOD(cusparseXcoosortByColumn(handle, 4, 3, 6, rows, columns, nullptr, nullptr));
  CHECK(columns[0] == 0 && columns[5] == 2 && rows[0] == 0 && rows[1] == 1);
  GOOD(cusparseDestroyMatDescr(descr));
}

static void calls() {
  const float one = 1;
  sparse<float> a(CUSPARSE_INDEX_BASE_ZERO);
  device<float> x(M), y(M);
  cusparseDnVecDescr_t vx, vy, bad = (cusparseDnVecDescr_t)0x10;
  cusparseSpMatDescr_t none = nullptr;
  GOOD(cusparseCreateDnVec(&vx, N, x, CUDA_R_32F));
  GOOD(cusparseCreateDnVec(&vy, M, y, CUDA_R_32F));
  y[0] = 42;
  CHECK(cusparseSpMV(nullptr, ops[0], &one, a.all[0], vx, &one, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(cusparseSpMV(handle, ops[1], &one, a.all[0], vx, &one, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSpMV(handle, ops[0], &one, a.all[0], bad, &one, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSpMV(handle, ops[0], nullptr, a.all[0], vx, &one, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSpMV(handle, ops[0], &one, none, vx, &one, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSpMV(handle, ops[0], &one, a.all[0], vx, &one, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
        CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(cusparseCreateDnVec(&bad, -1, x, CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseCreateCsr(&none, -1, 2, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(y[0] == 42);
  GOOD(cusparseDestroyDnVec(vx));
  CHECK(cusparseDestroyDnVec(vx) == CUSPARSE_STATUS_INVALID_VALUE);
  GOOD(cusparseDestroyDnVec(vy));
}

int main() {
  GOOD(cusparseCreate(&handle));
  for (auto base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
    products<float>(base), products<double>(base), products<cuComplex>(base), products<cuDoubleComplex>(base);
  }
  solutions<float>(), solutions<double>(), solutions<cuComplex>(), solutions<cuDoubleComplex>();
  arrays();
  calls();
  GOOD(cusparseDestroy(handle));
  return report("generic");
}
