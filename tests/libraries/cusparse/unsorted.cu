/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSPARSE: rows in any order, sorted with their values and brought back, in both bases and four types; bad arguments. */
#include "../check.h"
#include <cusparse.h>

#define GOOD(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)
#define BAD(call) CHECK((call) == CUSPARSE_STATUS_INVALID_VALUE)
static cusparseHandle_t handle;
enum { M = 4, N = 7, NNZ = 9 };
static const int starts[] = {0, 4, 4, 6, 9}, unsorted[] = {6, 0, 3, 1, 5, 2, 4, 1, 0};

template <class T, class Size, class Sort, class Back> void test(int base, Size size, Sort sort, Back back) {
  device<int> offsets(M + 1), columns(NNZ);
  device<T> values(NNZ);
  for (int i = 0; i <= M; i++)
    offsets[i] = starts[i] + base;
  for (int i = 0; i < NNZ; i++)
    columns[i] = unsorted[i] + base, set(values[i], number(10 * i + unsorted[i], is_complex<T> ? i : 0));
  cusparseMatDescr_t descr;
  csru2csrInfo_t info, other;
  size_t bytes = 0;
  GOOD(cusparseCreateMatDescr(&descr));
  GOOD(cusparseSetMatIndexBase(descr, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  GOOD(cusparseCreateCsru2csrInfo(&info));
  GOOD(cusparseCreateCsru2csrInfo(&other));
  GOOD(size(handle, M, N, NNZ, values.at, offsets.at, columns.at, info, &bytes));
  CHECK(bytes > 0);
  device<unsigned char> buffer((int)bytes);
  BAD(back(handle, M, N, NNZ, descr, values.at, offsets.at, columns.at, other, buffer.at));
  for (int again = 0; again < 2; again++) {
    GOOD(sort(handle, M, N, NNZ, descr, values.at, offsets.at, columns.at, info, buffer.at));
    cudaDeviceSynchronize();
    for (int row = 0; row < M; row++)
      for (int i = starts[row]; i < starts[row + 1]; i++) {
        CHECK(i == starts[row] || columns[i] > columns[i - 1]);
        /* A value's last digit is the column that it came with. */
        CHECK((int)value(values[i]).real() % 10 == columns[i] - base);
      }
    GOOD(back(handle, M, N, NNZ, descr, values.at, offsets.at, columns.at, info, buffer.at));
    cudaDeviceSynchronize();
    for (int i = 0; i < NNZ; i++)
      CHECK(columns[i] == unsorted[i] + base && value(values[i]) == number(10 * i + unsorted[i], is_complex<T> ? i : 0));
  }
  BAD(sort(handle, -1, N, NNZ, descr, values.at, offsets.at, columns.at, info, buffer.at));
  BAD(sort(handle, M, N, NNZ, descr, (T *)nullptr, offsets.at, columns.at, info, buffer.at));
  BAD(sort(handle, M, N, NNZ, descr, values.at, offsets.at, columns.at, (csru2csrInfo_t) nullptr, buffer.at));
  GOOD(cusparseDestroyCsru2csrInfo(info));
  GOOD(cusparseDestroyCsru2csrInfo(other));
  BAD(cusparseDestroyCsru2csrInfo(info));
  GOOD(cusparseDestroyMatDescr(descr));
}

int main() {
  GOOD(cusparseCreate(&handle));
  for (int base : {0, 1}) {
    test<float>(base, cusparseScsru2csr_bufferSizeExt, cusparseScsru2csr, cusparseScsr2csru);
    test<double>(base, cusparseDcsru2csr_bufferSizeExt, cusparseDcsru2csr, cusparseDcsr2csru);
    test<cuComplex>(base, cusparseCcsru2csr_bufferSizeExt, cusparseCcsru2csr, cusparseCcsr2csru);
    test<cuDoubleComplex>(base, cusparseZcsru2csr_bufferSizeExt, cusparseZcsru2csr, cusparseZcsr2csru);
  }
  GOOD(cusparseDestroy(handle));
  return report("unsorted");
}
