/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER for several devices: matrices in one, two and three parts, in blocks of columns that do and do not fit, and parts of these
 * matrices; what factors multiply to, what solutions solve, eigenvalues; bad arguments. */
#include "../check.h"
#include <cusolverMg.h>

#define GOOD(call) CHECK((call) == CUSOLVER_STATUS_SUCCESS)
#define BAD(call) CHECK((call) == CUSOLVER_STATUS_INVALID_VALUE)
static cusolverMgHandle_t handle;
enum { n = 9, others = 3 };

/* Columns of elements that go around the devices in blocks; the host's copy is read and written by (row, column). */
template <class T> struct distributed {
  int rows, columns, block, devices;
  std::vector<device<T> *> memory;
  std::vector<T *> parts;
  distributed(int rows, int columns, int block, int devices)
      : rows(rows), columns(columns), block(block), devices(devices) {
    for (int d = 0; d < devices; d++) {
      memory.push_back(new device<T>((columns / block / devices + 1) * block * rows));
      parts.push_back(memory.back()->at);
    }
  }
  ~distributed() {
    for (auto each : memory)
      delete each;
  }
  distributed(const distributed &) = delete;
  T &operator()(int i, int j) {
    int at = j / block;
    return parts[at % devices][(at / devices * block + j % block) * rows + i];
  }
  void **list() { return (void **)parts.data(); }
};

template <class T> number at(distributed<T> &a, int i, int j) { return value(a(i, j)); }
template <class F> number sum(int count, F f) {
  number all = 0;
  for (int k = 0; k < count; k++)
    all += f(k);
  return all;
}
template <class T> void is_near(number found, number expected) { CHECK(std::abs(found - expected) < 500 * precision<T>); }
template <class T> void copy(distributed<T> &to, distributed<T> &from) {
  for (int j = 0; j < from.columns; j++)
    for (int i = 0; i < from.rows; i++)
      to(i, j) = from(i, j);
}

/* A matrix of `size` from row and column `first`, counted from 0, of one that is larger. */
template <class T> void test(cudaDataType type, cudaDataType real, int devices, int block, int first) {
  const int size = n - first;
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const bool complex = is_complex<T>;
  std::vector<int> ids(devices, 0);
  int there;
  cudaGetDeviceCount(&there);
  for (int d = 0; d < devices; d++)
    ids[d] = d % there;
  cudaLibMgGrid_t grid;
  cudaLibMgMatrixDesc_t a_is, b_is;
  GOOD(cusolverMgCreateDeviceGrid(&grid, 1, devices, ids.data(), CUDALIBMG_GRID_MAPPING_COL_MAJOR));
  GOOD(cusolverMgCreateMatrixDesc(&a_is, n, n, n, block, type, grid));
  GOOD(cusolverMgCreateMatrixDesc(&b_is, n, others, n, 2, type, grid));
  distributed<T> a(n, n, block, devices), a0(n, n, block, devices), b(n, others, 2, devices), b0(n, others, 2, devices);
  distributed<int> pivots(1, n, block, devices);
  distributed<T> work(1, 1, 1, devices);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      set(a(i, j), number(next_number(), complex ? next_number() : 0));
  for (int j = 0; j < others; j++)
    for (int i = 0; i < n; i++)
      set(b(i, j), number(next_number(), complex ? next_number() : 0));
  copy(a0, a), copy(b0, b);
  const int from = first + 1;
  int64_t size_of_work = 0, size_of_solve = 0;
  int info = -1;
  const auto outside_is_kept = [&] {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        if (i < first || j < first)
          CHECK(value(a(i, j)) == value(a0(i, j)));
  };

  GOOD(cusolverMgGetrf_bufferSize(handle, size, size, a.list(), from, from, a_is, pivots.parts.data(), type, &size_of_work));
  GOOD(cusolverMgGetrs_bufferSize(handle, CUBLAS_OP_N, size, others, a.list(), from, from, a_is, pivots.parts.data(), b.list(), from,
                                  1, b_is, type, &size_of_solve));
  CHECK(size_of_work > 0 && size_of_solve > 0);
  GOOD(cusolverMgGetrf(handle, size, size, a.list(), from, from, a_is, pivots.parts.data(), type, work.list(), size_of_work, &info));
  CHECK(info == 0);
  outside_is_kept();
  for (int i = 0; i < size; i++)
    CHECK(pivots(0, first + i) > i && pivots(0, first + i) <= size);
  GOOD(cusolverMgGetrs(handle, CUBLAS_OP_N, size, others, a.list(), from, from, a_is, pivots.parts.data(), b.list(), from, 1, b_is,
                       type, work.list(), size_of_solve, &info));
  CHECK(info == 0);
  for (int j = 0; j < others; j++)
    for (int i = 0; i < size; i++)
      is_near<T>(sum(size, [&](int k) { return at(a0, first + i, first + k) * at(b, first + k, j); }) / 100.0, at(b0, first + i, j) / 100.0);

  /* a0 times itself, transposed, is positive. */
  distributed<T> p(n, n, block, devices), p0(n, n, block, devices);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      set(p(i, j), sum(n, [&](int k) { return at(a0, i, k) * std::conj(at(a0, j, k)); }) + (i == j ? 2.0 : 0.0));
  copy(p0, p), copy(b, b0);
  GOOD(cusolverMgPotrf_bufferSize(handle, low, size, p.list(), from, from, a_is, type, &size_of_work));
  GOOD(cusolverMgPotrs_bufferSize(handle, low, size, others, p.list(), from, from, a_is, b.list(), from, 1, b_is, type, &size_of_solve));
  GOOD(cusolverMgPotrf(handle, low, size, p.list(), from, from, a_is, type, work.list(), size_of_work, &info));
  CHECK(info == 0);
  for (int j = 0; j < size; j++)
    for (int i = j; i < size; i++)
      is_near<T>(sum(j + 1, [&](int k) { return at(p, first + i, first + k) * std::conj(at(p, first + j, first + k)); }),
                 at(p0, first + i, first + j));
  GOOD(cusolverMgPotrs(handle, low, size, others, p.list(), from, from, a_is, b.list(), from, 1, b_is, type, work.list(), size_of_solve, &info));
  for (int j = 0; j < others; j++)
    for (int i = 0; i < size; i++)
      is_near<T>(sum(size, [&](int k) { return at(p0, first + i, first + k) * at(b, first + k, j); }), at(b0, first + i, j));
  GOOD(cusolverMgPotri_bufferSize(handle, low, size, p.list(), from, from, a_is, type, &size_of_work));
  GOOD(cusolverMgPotri(handle, low, size, p.list(), from, from, a_is, type, work.list(), size_of_work, &info));
  const auto inverse = [&](int i, int j) { return i >= j ? at(p, first + i, first + j) : std::conj(at(p, first + j, first + i)); };
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      is_near<T>(sum(size, [&](int k) { return at(p0, first + i, first + k) * inverse(k, j); }), i == j);

  copy(p, p0);
  std::vector<double> w(n);
  std::vector<float> narrow(n);
  void *values = real == CUDA_R_64F ? (void *)w.data() : narrow.data();
  GOOD(cusolverMgSyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, low, size, p.list(), from, from, a_is, values, real, type, &size_of_work));
  GOOD(cusolverMgSyevd(handle, CUSOLVER_EIG_MODE_VECTOR, low, size, p.list(), from, from, a_is, values, real, type, work.list(), size_of_work, &info));
  CHECK(info == 0);
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      is_near<T>(sum(size, [&](int k) { return at(p0, first + i, first + k) * at(p, first + k, first + j); }),
                 (real == CUDA_R_64F ? w[j] : (double)narrow[j]) * at(p, first + i, first + j));

  /* Not positive in its second row. */
  copy(p, p0), set(p(first + 1, first + 1), -1);
  GOOD(cusolverMgPotrf(handle, low, size, p.list(), from, from, a_is, type, work.list(), size_of_work, &info));
  CHECK(info == 2);

  BAD(cusolverMgPotrf(handle, low, size + 1, p.list(), from, from, a_is, type, work.list(), size_of_work, &info));
  BAD(cusolverMgPotrf(handle, low, size, p.list(), from, 0, a_is, type, work.list(), size_of_work, &info));
  BAD(cusolverMgPotrf(handle, low, size, p.list(), from, from, grid, type, work.list(), size_of_work, &info));
  BAD(cusolverMgPotrf(handle, CUBLAS_FILL_MODE_FULL, size, p.list(), from, from, a_is, type, work.list(), size_of_work, &info));
  BAD(cusolverMgPotrf(handle, low, size, p.list(), from, from, a_is, CUDA_R_16F, work.list(), size_of_work, &info));
  BAD(cusolverMgPotrf(handle, low, size, p.list(), from, from, a_is, type, work.list(), 0, &info));
  GOOD(cusolverMgDestroyMatrixDesc(a_is));
  GOOD(cusolverMgDestroyMatrixDesc(b_is));
  BAD(cusolverMgDestroyMatrixDesc(b_is));
  GOOD(cusolverMgDestroyGrid(grid));
}

/* Kernels in other streams come first. */
__global__ void fill(double *to, int count) {
  for (int i = 0; i < count; i++)
    to[i * count + i] = 4;
}

static void waits() {
  int device_id = 0, info = -1;
  int64_t lwork;
  cudaLibMgGrid_t grid;
  cudaLibMgMatrixDesc_t is;
  distributed<double> a(n, n, n, 1), work(1, 1, 1, 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int i = 0; i < n * n; i++)
    a.parts[0][i] = 0;
  GOOD(cusolverMgCreateDeviceGrid(&grid, 1, 1, &device_id, CUDALIBMG_GRID_MAPPING_ROW_MAJOR));
  GOOD(cusolverMgCreateMatrixDesc(&is, n, n, n, n, CUDA_R_64F, grid));
  fill<<<1, 1, 0, stream>>>(a.parts[0], n);
  GOOD(cusolverMgPotrf_bufferSize(handle, CUBLAS_FILL_MODE_UPPER, n, a.list(), 1, 1, is, CUDA_R_64F, &lwork));
  GOOD(cusolverMgPotrf(handle, CUBLAS_FILL_MODE_UPPER, n, a.list(), 1, 1, is, CUDA_R_64F, work.list(), lwork, &info));
  CHECK(info == 0 && a(n - 1, n - 1) == 2 && a(0, 0) == 2);
  BAD(cusolverMgCreateDeviceGrid(&grid, 2, 1, &device_id, CUDALIBMG_GRID_MAPPING_ROW_MAJOR));
  BAD(cusolverMgCreateMatrixDesc(&is, n, n, 2, n, CUDA_R_64F, grid));
  BAD(cusolverMgCreateMatrixDesc(&is, n, n, n, n, CUDA_R_16F, grid));
  int no_device = 99;
  BAD(cusolverMgCreateDeviceGrid(&grid, 1, 1, &no_device, CUDALIBMG_GRID_MAPPING_ROW_MAJOR));
  BAD(cusolverMgDeviceSelect(handle, 1, &no_device));
}

int main() {
  setenv("UNWARP_DEVICES", "2", 0);
  GOOD(cusolverMgCreate(&handle));
  int ids[] = {0}, there;
  int64_t lwork;
  CHECK(cusolverMgPotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, n, nullptr, 1, 1, nullptr, CUDA_R_64F, &lwork) ==
        CUSOLVER_STATUS_NOT_INITIALIZED);
  GOOD(cusolverMgDeviceSelect(handle, 1, ids));
  cudaGetDeviceCount(&there);
  CHECK(there == 2);
  for (int devices = 1; devices <= 3; devices++)
    for (int block : {1, 2, 4, (int)n})
      for (int first : {0, 2}) {
        test<float>(CUDA_R_32F, CUDA_R_32F, devices, block, first);
        test<double>(CUDA_R_64F, CUDA_R_64F, devices, block, first);
        test<cuComplex>(CUDA_C_32F, CUDA_R_32F, devices, block, first);
        test<cuDoubleComplex>(CUDA_C_64F, CUDA_R_64F, devices, block, first);
      }
  waits();
  GOOD(cusolverMgDestroy(handle));
  CHECK(cusolverMgDestroy(handle) == CUSOLVER_STATUS_NOT_INITIALIZED);
  return report("cusolverMg");
}
