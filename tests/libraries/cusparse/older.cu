/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The older functions of cuSPARSE against dense loops: incomplete factors (the product is the matrix wherever that has values), triangular and
 * tridiagonal systems, sums, counts; pivots that are zero or not there, boosts, bad arguments. */
#include "../check.h"
#include <cusparse.h>

#define GOOD(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)
static cusparseHandle_t handle;

/* Each function by the type of its values. */
template <class T> struct of;
#define OF(T, L)                                                                                                       \
  template <> struct of<T> {                                                                                           \
    static constexpr auto ilu_bytes = cusparse##L##csrilu02_bufferSize;                                                \
    static constexpr auto ilu_analysis = cusparse##L##csrilu02_analysis;                                               \
    static constexpr auto ilu = cusparse##L##csrilu02;                                                                 \
    static constexpr auto ilu_boost = cusparse##L##csrilu02_numericBoost;                                              \
    static constexpr auto ic_bytes = cusparse##L##csric02_bufferSize;                                                  \
    static constexpr auto ic_analysis = cusparse##L##csric02_analysis;                                                 \
    static constexpr auto ic = cusparse##L##csric02;                                                                   \
    static constexpr auto sv_bytes = cusparse##L##csrsv2_bufferSize;                                                   \
    static constexpr auto sv_analysis = cusparse##L##csrsv2_analysis;                                                  \
    static constexpr auto sv = cusparse##L##csrsv2_solve;                                                              \
    static constexpr auto gtsv_bytes = cusparse##L##gtsv2_bufferSizeExt;                                               \
    static constexpr auto gtsv = cusparse##L##gtsv2;                                                                   \
    static constexpr auto gtsv_nopivot = cusparse##L##gtsv2_nopivot;                                                   \
    static constexpr auto gtsv_strided = cusparse##L##gtsv2StridedBatch;                                               \
    static constexpr auto gtsv_interleaved = cusparse##L##gtsvInterleavedBatch;                                        \
    static constexpr auto geam_bytes = cusparse##L##csrgeam2_bufferSizeExt;                                            \
    static constexpr auto geam = cusparse##L##csrgeam2;                                                                \
    static constexpr auto nnz = cusparse##L##nnz;                                                                      \
  };
OF(float, S)
OF(double, D)
OF(cuComplex, C)
OF(cuDoubleComplex, Z)

/* A square matrix with holes; `hermitian`: positive definite too. */
template <class T> struct csr {
  int n, nnz = 0, base;
  std::vector<number> full;
  device<int> offsets, columns;
  device<T> values;
  csr(int n, int base, bool hermitian, double dense = 0.4)
      : n(n), base(base), full(n * n), offsets(n + 1), columns(n * n), values(n * n) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (next_number() < 2 * dense - 1)
          full[i * n + j] = number(next_number(), is_complex<T> ? next_number() : 0);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i && hermitian; j++)
        full[j * n + i] = std::conj(full[i * n + j]);
      full[i * n + i] = n + next_number();
    }
    store();
  }
  void store() {
    nnz = 0;
    for (int i = 0; i < n; i++) {
      offsets[i] = nnz + base;
      for (int j = 0; j < n; j++)
        if (full[i * n + j] != 0.0)
          columns[nnz] = j + base, set(values[nnz++], full[i * n + j]);
    }
    offsets[n] = nnz + base;
  }
  /* The values as a dense matrix, in the positions that have some. */
  std::vector<number> dense() const {
    std::vector<number> all(n * n);
    for (int i = 0; i < n; i++)
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; k++)
        all[i * n + columns[k] - base] = value(values[k]);
    return all;
  }
};

static cusparseMatDescr_t describe(int base, cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER,
                                   cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_NON_UNIT) {
  cusparseMatDescr_t descr;
  GOOD(cusparseCreateMatDescr(&descr));
  GOOD(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)base));
  GOOD(cusparseSetMatFillMode(descr, fill));
  GOOD(cusparseSetMatDiagType(descr, diag));
  return descr;
}

template <class T> void factors(int base, bool cholesky) {
  const int n = 40;
  csr<T> a(n, base, cholesky);
  auto descr = describe(base);
  csrilu02Info_t ilu;
  csric02Info_t ic;
  int bytes = 0, position = 7;
  GOOD(cusparseCreateCsrilu02Info(&ilu));
  GOOD(cusparseCreateCsric02Info(&ic));
  auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
  if (cholesky) {
    GOOD(of<T>::ic_bytes(handle, n, a.nnz, descr, a.values, a.offsets, a.columns, ic, &bytes));
    GOOD(of<T>::ic_analysis(handle, n, a.nnz, descr, a.values, a.offsets, a.columns, ic, policy, nullptr));
    GOOD(of<T>::ic(handle, n, a.nnz, descr, a.values, a.offsets, a.columns, ic, policy, nullptr));
    GOOD(cusparseXcsric02_zeroPivot(handle, ic, &position));
  } else {
    GOOD(of<T>::ilu_bytes(handle, n, a.nnz, descr, a.values, a.offsets, a.columns, ilu, &bytes));
    GOOD(of<T>::ilu_analysis(handle, n, a.nnz, descr, a.values, a.offsets, a.columns, ilu, policy, nullptr));
    GOOD(of<T>::ilu(handle, n, a.nnz, descr, a.values, a.offsets, a.columns, ilu, policy, nullptr));
    GOOD(cusparseXcsrilu02_zeroPivot(handle, ilu, &position));
  }
  CHECK(bytes > 0 && position == -1);
  auto made = a.dense();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (cholesky ? i + 1 : n); j++) {
      number sum = 0;
      for (int k = 0; k <= (i < j ? i : j); k++)
        sum += cholesky ? made[i * n + k] * std::conj(made[j * n + k])
                        : (k == i ? 1.0 : made[i * n + k]) * made[k * n + j];
      if (a.full[i * n + j] != 0.0)
        CHECK(std::abs(sum - a.full[i * n + j]) < 100 * precision<T> * n);
    }
  for (int i = 0; i < n && cholesky; i++) /* above the diagonal nothing changes */
    for (int j = i + 1; j < n; j++)
      CHECK(std::abs(made[i * n + j] - a.full[i * n + j]) < precision<T>);

  for (bool upper : {false, true}) /* with the factor as it stands: L has ones on its diagonal, or is L of Cholesky */
    for (auto op :
         {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
      bool unit = !upper && !cholesky;
      auto part = describe(base, upper ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER,
                           unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
      csrsv2Info_t sv;
      device<T> f(n), x(n);
      T alpha = make<T>(2);
      GOOD(cusparseCreateCsrsv2Info(&sv));
      GOOD(of<T>::sv_bytes(handle, op, n, a.nnz, part, a.values, a.offsets, a.columns, sv, &bytes));
      GOOD(of<T>::sv_analysis(handle, op, n, a.nnz, part, a.values, a.offsets, a.columns, sv, policy, nullptr));
      GOOD(of<T>::sv(handle, op, n, a.nnz, &alpha, part, a.values, a.offsets, a.columns, sv, f, x, policy, nullptr));
      GOOD(cusparseXcsrsv2_zeroPivot(handle, sv, &position));
      CHECK(position == -1);
      for (int i = 0; i < n; i++) {
        number sum = unit ? value(x[i]) : 0;
        for (int j = 0; j < n; j++) {
          int row = op ? j : i, column = op ? i : j;
          number at =
              op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(made[row * n + column]) : made[row * n + column];
          if (upper ? row < column : row > column)
            sum += at * value(x[j]);
          else if (row == column && !unit)
            sum += at * value(x[j]);
        }
        CHECK(std::abs(sum - 2.0 * value(f[i])) < 100 * precision<T> * n);
      }
      GOOD(cusparseDestroyCsrsv2Info(sv));
      GOOD(cusparseDestroyMatDescr(part));
    }
  GOOD(cusparseDestroyCsrilu02Info(ilu));
  GOOD(cusparseDestroyCsric02Info(ic));
  GOOD(cusparseDestroyMatDescr(descr));
}

/* Rows 5 and 3 have a diagonal that comes out as zero, and none at all. */
static void pivots() {
  csr<double> a(8, 1, false, 0.0);
  auto descr = describe(1);
  csrilu02Info_t info;
  int position = 0;
  GOOD(cusparseCreateCsrilu02Info(&info));
  auto factor = [&] {
    a.store();
    GOOD(cusparseDcsrilu02_analysis(handle, a.n, a.nnz, descr, a.values, a.offsets, a.columns, info,
                                    CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
    CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &position) ==
          (position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
    int structural = position;
    GOOD(cusparseDcsrilu02(handle, a.n, a.nnz, descr, a.values, a.offsets, a.columns, info,
                           CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
    cusparseStatus_t status = cusparseXcsrilu02_zeroPivot(handle, info, &position);
    CHECK(status == (position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
    return structural;
  };
  CHECK(factor() == -1 && position == -1);
  a.full[4 * 8 + 4] = a.full[5 * 8 + 4] = 2, a.full[4 * 8 + 5] = a.full[5 * 8 + 5] = 3;
  CHECK(factor() == -1 && position == 6);
  double tolerance = 1e-10, boost = 0.5;
  GOOD(cusparseDcsrilu02_numericBoost(handle, info, 1, &tolerance, &boost));
  CHECK(factor() == -1 && position == -1 && a.dense()[5 * 8 + 5] == 0.5);
  a.full[3 * 8 + 3] = 0;
  CHECK(factor() == 4 && position == 4);
  CHECK(cusparseDcsrilu02_analysis(handle, -1, a.nnz, descr, a.values, a.offsets, a.columns, info,
                                   CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseDcsrilu02(handle, 8, a.nnz, descr, nullptr, a.offsets, a.columns, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                          nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseDcsrilu02(nullptr, 8, a.nnz, descr, a.values, a.offsets, a.columns, info,
                          CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr) == CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(cusparseDcsric02(handle, 8, a.nnz, descr, a.values, a.offsets, a.columns, (csric02Info_t)info,
                         CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  GOOD(cusparseDestroyCsrilu02Info(info));
  CHECK(cusparseDestroyCsrilu02Info(info) == CUSPARSE_STATUS_INVALID_VALUE);
  GOOD(cusparseDestroyMatDescr(descr));
}

/* Diagonals that are not the largest of their rows, so that rows change places. */
template <class T> void tridiagonal(int m, int systems, int form) {
  const int stride = form == 2 ? 1 : m + 3, step = form == 2 ? systems : 1, rights = form < 2 ? 3 : 1;
  const size_t count = form == 2 ? (size_t)m * systems : (size_t)stride * (systems > rights ? systems : rights);
  device<T> lower(count), diagonal(count), upper(count), x(count);
  std::vector<number> l(count), d(count), u(count), b(count);
  auto random = [&](std::vector<number> &numbers, device<T> &to, double add) {
    for (size_t i = 0; i < count; i++)
      set(to[i], numbers[i] = number(next_number() + add, is_complex<T> ? next_number() : 0)),
          numbers[i] = value(to[i]);
  };
  random(l, lower, 2), random(d, diagonal, 0.3), random(u, upper, 0), random(b, x, 0);
  size_t bytes = 0;
  if (form == 0 || form == 1) {
    GOOD(of<T>::gtsv_bytes(handle, m, rights, lower, diagonal, upper, x, stride, &bytes));
    CHECK(bytes > 0);
    GOOD((form ? of<T>::gtsv_nopivot : of<T>::gtsv)(handle, m, rights, lower, diagonal, upper, x, stride, nullptr));
  } else if (form == 2) {
    GOOD(of<T>::gtsv_interleaved(handle, 1, m, lower, diagonal, upper, x, systems, nullptr));
  } else {
    GOOD(of<T>::gtsv_strided(handle, m, lower, diagonal, upper, x, systems, stride, nullptr));
  }
  cudaDeviceSynchronize();
  for (int s = 0; s < (form < 2 ? rights : systems); s++)
    for (int i = 0; i < m; i++) {
      size_t at = (size_t)s * stride + (size_t)i * step, in = form < 2 ? i : at;
      number sum = d[in] * value(x[at]);
      double size = std::abs(sum) + 1;
      if (i > 0)
        sum += l[in] * value(x[at - step]), size += std::abs(value(x[at - step]));
      if (i + 1 < m)
        sum += u[in] * value(x[at + step]), size += std::abs(value(x[at + step]));
      CHECK(std::abs(sum - b[at]) < 50 * precision<T> * size);
    }
}

template <class T> void sums(int base) {
  const int n = 31;
  csr<T> a(n, base, false, 0.2), b(n, 1 - base, false, 0.3);
  a.full[n + 1] = 0, a.store(), b.full[5 * n + 5] = 0, b.store();
  auto da = describe(base), db = describe(1 - base), dc = describe(base);
  device<int> offsets(n + 1), columns(n * n);
  device<T> values(n * n);
  T alpha = make<T>({1.5, is_complex<T> ? 0.5 : 0}), beta = make<T>(-2);
  size_t bytes = 0;
  int total = 0;
  GOOD(of<T>::geam_bytes(handle, n, n, &alpha, da, a.nnz, a.values, a.offsets, a.columns, &beta, db, b.nnz, b.values,
                         b.offsets, b.columns, dc, values, offsets, columns, &bytes));
  GOOD(cusparseXcsrgeam2Nnz(handle, n, n, da, a.nnz, a.offsets, a.columns, db, b.nnz, b.offsets, b.columns, dc, offsets,
                            &total, nullptr));
  CHECK(bytes > 0 && total == offsets[n] - offsets[0] && offsets[0] == base);
  GOOD(of<T>::geam(handle, n, n, &alpha, da, a.nnz, a.values, a.offsets, a.columns, &beta, db, b.nnz, b.values,
                   b.offsets, b.columns, dc, values, offsets, columns, nullptr));
  cudaDeviceSynchronize();
  int at = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      number x = a.full[i * n + j], y = b.full[i * n + j];
      if (x == 0.0 && y == 0.0)
        continue;
      CHECK(columns[at] == j + base &&
            std::abs(value(values[at]) - (value(alpha) * x - 2.0 * y)) < 10 * precision<T> * n);
      at++;
    }
  CHECK(at == total);

  device<T> dense(n * n);
  device<int> counts(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      set(dense[i + j * n], a.full[i * n + j]);
  for (auto direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
    GOOD(of<T>::nnz(handle, direction, n - 2, n, da, dense, n, counts, &total));
    int all = 0;
    for (int i = 0; i < (direction == CUSPARSE_DIRECTION_ROW ? n - 2 : n); i++) {
      int of_line = 0;
      for (int j = 0; j < (direction == CUSPARSE_DIRECTION_ROW ? n : n - 2); j++)
        of_line += a.full[direction == CUSPARSE_DIRECTION_ROW ? i * n + j : j * n + i] != 0.0;
      CHECK(counts[i] == of_line);
      all += of_line;
    }
    CHECK(total == all);
  }
  CHECK(of<T>::nnz(handle, CUSPARSE_DIRECTION_ROW, n, n, da, dense, n - 1, counts, &total) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  for (auto descr : {da, db, dc})
    GOOD(cusparseDestroyMatDescr(descr));
}

template <class T> void all() {
  for (int base : {0, 1}) {
    factors<T>(base, false);
    factors<T>(base, true);
    sums<T>(base);
  }
  for (int form : {0, 1, 2, 3})
    for (int m : {3, 4, 37})
      tridiagonal<T>(m, 5, form);
  tridiagonal<T>(60, 200, 2); /* on several threads */
}

// What programs built for CUDA 10 call; no header has it.
extern "C" cusparseStatus_t cusparseDcsrmm2(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, int, int, int,
                                            int, const double *, const cusparseMatDescr_t, const double *, const int *,
                                            const int *, const double *, int, const double *, double *, int);
extern "C" cusparseStatus_t cusparseDcsrmm(cusparseHandle_t, cusparseOperation_t, int, int, int, int, const double *,
                                           const cusparseMatDescr_t, const double *, const int *, const int *,
                                           const double *, int, const double *, double *, int);

/* A is 2 by 3: 1 2 0, 0 0 3. */
void before_11() {
  const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE, turned = CUSPARSE_OPERATION_TRANSPOSE;
  device<int> offsets(3), columns(3);
  device<double> values(3), b(6), c(8);
  const int starts[] = {1, 3, 4}, places[] = {1, 2, 3};
  for (int i = 0; i < 3; i++)
    offsets[i] = starts[i], columns[i] = places[i], values[i] = i + 1;
  for (int i = 0; i < 6; i++)
    b[i] = i + 1;
  double alpha = 2, beta = 0;
  cusparseMatDescr_t description;
  GOOD(cusparseCreateMatDescr(&description));
  GOOD(cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ONE));
  auto product = [&](cusparseOperation_t op_a, cusparseOperation_t op_b, int n, int ldb, int ldc,
                     std::vector<double> expected) {
    GOOD(cusparseDcsrmm2(handle, op_a, op_b, 2, n, 3, 3, &alpha, description, values, offsets, columns, b, ldb, &beta,
                         c, ldc));
    cudaDeviceSynchronize();
    for (size_t i = 0; i < expected.size(); i++)
      CHECK(c[i] == expected[i]);
  };
  product(plain, plain, 2, 3, 2, {10, 18, 28, 36});       // columns 1 2 3 and 4 5 6
  product(plain, turned, 2, 2, 2, {14, 30, 20, 36});      // rows 1 2, 3 4, 5 6
  product(turned, plain, 2, 2, 3, {2, 4, 12, 6, 12, 24}); // columns 1 2 and 3 4
  GOOD(cusparseDcsrmm(handle, plain, 2, 2, 3, 3, &alpha, description, values, offsets, columns, b, 3, &beta, c, 2));
  cudaDeviceSynchronize();
  CHECK(c[0] == 10 && c[3] == 36);
  CHECK(cusparseDcsrmm2(handle, turned, turned, 2, 2, 3, 3, &alpha, description, values, offsets, columns, b, 2, &beta,
                        c, 3) == CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(cusparseDcsrmm(handle, plain, -1, 2, 3, 3, &alpha, description, values, offsets, columns, b, 3, &beta, c, 2) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  GOOD(cusparseDestroyMatDescr(description));
}

int main() {
  GOOD(cusparseCreate(&handle));
  before_11();
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  pivots();
  CHECK(cusparseSgtsv2(handle, 2, 1, nullptr, nullptr, nullptr, nullptr, 2, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSgtsv2(handle, 8, 1, nullptr, nullptr, nullptr, nullptr, 8, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  bsrsv2Info_t info; /* what is not done is there, and says so */
  float one = 1;
  CHECK(cusparseCreateBsrsv2Info(&info) == CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(cusparseSbsrmv(handle, CUSPARSE_DIRECTION_ROW, CUSPARSE_OPERATION_NON_TRANSPOSE, 1, 1, 1, &one, nullptr, &one,
                       nullptr, nullptr, 1, &one, &one, &one) == CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(cusparseHpruneDense2csrByPercentage(handle, 1, 1, nullptr, 1, 50.0f, nullptr) == CUSPARSE_STATUS_NOT_SUPPORTED);
  GOOD(cusparseLoggerSetLevel(5));
  GOOD(cusparseDestroy(handle));
  return report("older");
}
