/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER for several devices, by cuSOLVER's dense functions: all parts of a matrix are memory of the one CPU. Parts
 * are brought together in a matrix of their own, unless there is one part, solved, and taken back. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/cusolverDn.h"
#include "../../include/cusolverMg.h"
#pragma GCC visibility pop
#include "../common/library.h"

struct cusolverMgContext {
  cusolverDnHandle_t dense;
  bool has_devices;
};
typedef struct grid {
  int devices;
} grid;
typedef struct descriptor {
  int64_t rows, columns, block;
  cudaDataType type;
  int devices;
} descriptor;
static const char kind, grid_kind, descriptor_kind;

#define NEED(condition)                                                                                                \
  if (!(condition))                                                                                                    \
  return CUSOLVER_STATUS_INVALID_VALUE
#define HANDLE                                                                                                         \
  if (!uwrt_handle_is(handle, &kind) || !handle->has_devices)                                                          \
  return CUSOLVER_STATUS_NOT_INITIALIZED

cusolverStatus_t cusolverMgCreate(cusolverMgHandle_t *handle) {
  NEED(handle);
  cusolverMgHandle_t fresh = calloc(1, sizeof *fresh);
  cusolverStatus_t status = fresh ? cusolverDnCreate(&fresh->dense) : CUSOLVER_STATUS_ALLOC_FAILED;
  if (status == CUSOLVER_STATUS_SUCCESS && !uwrt_handle_add(fresh, &kind)) {
    cusolverDnDestroy(fresh->dense);
    status = CUSOLVER_STATUS_ALLOC_FAILED;
  }
  if (status == CUSOLVER_STATUS_SUCCESS)
    *handle = fresh;
  else
    free(fresh);
  return status;
}

cusolverStatus_t cusolverMgDestroy(cusolverMgHandle_t handle) {
  if (!uwrt_handle_remove(handle, &kind))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  cusolverDnDestroy(handle->dense);
  free(handle);
  return CUSOLVER_STATUS_SUCCESS;
}

static bool are_devices(int64_t count, const int *devices) {
  int there = 0;
  if (count < 1 || !devices || cudaGetDeviceCount(&there) != cudaSuccess)
    return false;
  for (int64_t i = 0; i < count; i++)
    if (devices[i] < 0 || devices[i] >= there)
      return false;
  return true;
}

cusolverStatus_t cusolverMgDeviceSelect(cusolverMgHandle_t handle, int nbDevices, int deviceId[]) {
  if (!uwrt_handle_is(handle, &kind))
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  NEED(are_devices(nbDevices, deviceId));
  handle->has_devices = true;
  return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t keep(void **to, const void *what, size_t bytes, const char *of_kind) {
  void *fresh = malloc(bytes);
  if (!fresh || !uwrt_handle_add(fresh, of_kind)) {
    free(fresh);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *to = memcpy(fresh, what, bytes);
  return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t forget(void *what, const char *of_kind) {
  NEED(uwrt_handle_remove(what, of_kind));
  free(what);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgCreateDeviceGrid(cudaLibMgGrid_t *to, int32_t numRowDevices, int32_t numColDevices,
                                            const int32_t deviceId[], cusolverMgGridMapping_t mapping) {
  NEED(to && numRowDevices == 1 && are_devices(numColDevices, deviceId));
  NEED(mapping == CUDALIBMG_GRID_MAPPING_COL_MAJOR || mapping == CUDALIBMG_GRID_MAPPING_ROW_MAJOR);
  return keep(to, &(grid){numColDevices}, sizeof(grid), &grid_kind);
}

cusolverStatus_t cusolverMgDestroyGrid(cudaLibMgGrid_t what) { return forget(what, &grid_kind); }

/* 0 for what is not done. */
static size_t size_of(cudaDataType type) {
  return type == CUDA_R_32F ? 4 : type == CUDA_R_64F || type == CUDA_C_32F ? 8 : type == CUDA_C_64F ? 16 : 0;
}

cusolverStatus_t cusolverMgCreateMatrixDesc(cudaLibMgMatrixDesc_t *desc, int64_t numRows, int64_t numCols,
                                            int64_t rowBlockSize, int64_t colBlockSize, cudaDataType dataType,
                                            const cudaLibMgGrid_t of) {
  NEED(desc && uwrt_handle_is(of, &grid_kind) && numRows >= 1 && numCols >= 1 && colBlockSize >= 1);
  NEED(rowBlockSize == numRows && size_of(dataType));
  descriptor made = {numRows, numCols, colBlockSize, dataType, ((const grid *)of)->devices};
  return keep(desc, &made, sizeof made, &descriptor_kind);
}

cusolverStatus_t cusolverMgDestroyMatrixDesc(cudaLibMgMatrixDesc_t desc) { return forget(desc, &descriptor_kind); }

/* --- parts -------------------------------------------------------------------------------------------------------- */

/* A part of a distributed matrix: its first row and column from 0, and its size. */
typedef struct part {
  void *const *parts;
  const descriptor *of;
  int64_t row, column, rows, columns;
  char *memory; /* as one matrix, whose columns are `ld` apart */
  int64_t ld;
} part;

/* Where a column of `ld` elements is. */
static char *column_of(const descriptor *of, void *const *parts, int64_t column, int64_t ld, size_t element) {
  int64_t block = column / of->block;
  int64_t local = block / of->devices * of->block + column % of->block;
  return (char *)parts[block % of->devices] + (size_t)(local * ld) * element;
}

static bool is_one(const part *a) { return a->of->devices == 1; }

static char *part_column(const part *a, int64_t j) {
  size_t element = size_of(a->of->type);
  return column_of(a->of, a->parts, a->column + j, a->of->rows, element) + (size_t)a->row * element;
}

static bool together(part *a) {
  size_t column = (size_t)a->rows * size_of(a->of->type);
  a->ld = is_one(a) || !a->rows ? a->of->rows : a->rows;
  if (is_one(a)) {
    a->memory = part_column(a, 0);
    return true;
  }
  a->memory = malloc(column && a->columns ? column * (size_t)a->columns : 1);
  for (int64_t j = 0; a->memory && j < a->columns; j++)
    memcpy(a->memory + (size_t)j * column, part_column(a, j), column);
  return a->memory;
}

static void apart(part *a, bool take_back) {
  size_t column = (size_t)a->rows * size_of(a->of->type);
  if (is_one(a))
    return;
  for (int64_t j = 0; take_back && a->memory && j < a->columns; j++)
    memcpy(part_column(a, j), a->memory + (size_t)j * column, column);
  free(a->memory);
}

static bool is_part(void *const *parts, int row, int column, cudaLibMgMatrixDesc_t desc, int64_t rows, int64_t columns,
                    cudaDataType type, part *to) {
  const descriptor *of = desc;
  if (!parts || !uwrt_handle_is(of, &descriptor_kind) || of->type != type || rows < 0 || columns < 0 || row < 1 ||
      column < 1 || row - 1 + rows > of->rows || column - 1 + columns > of->columns)
    return false;
  *to = (part){parts, of, row - 1, column - 1, rows, columns, NULL, 0};
  return true;
}

static bool is_triangle(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}

/* What was given to devices before is done when a call begins, and what it gives to its stream when it ends. */
static bool waited(void) {
  int there, current;
  bool good = cudaGetDevice(&current) == cudaSuccess && cudaGetDeviceCount(&there) == cudaSuccess;
  for (int i = 0; good && i < there; i++)
    good = cudaSetDevice(i) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  return good && cudaSetDevice(current) == cudaSuccess;
}

static cusolverStatus_t finished(cusolverStatus_t status) {
  return status == CUSOLVER_STATUS_SUCCESS && !waited() ? CUSOLVER_STATUS_EXECUTION_FAILED : status;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

enum { WORKSPACE = 1 };
#define SIZE(call_is_good)                                                                                             \
  part a, b;                                                                                                           \
  HANDLE;                                                                                                              \
  (void)b;                                                                                                             \
  NEED((call_is_good) && lwork);                                                                                       \
  *lwork = WORKSPACE;                                                                                                  \
  return CUSOLVER_STATUS_SUCCESS
/* Begins a call on `a`, and ends it. */
#define BEGIN(call_is_good, info)                                                                                      \
  part a, b;                                                                                                           \
  cusolverStatus_t status = CUSOLVER_STATUS_ALLOC_FAILED;                                                              \
  HANDLE;                                                                                                              \
  (void)b;                                                                                                             \
  NEED((call_is_good) && array_d_work && lwork >= WORKSPACE && (info));                                                \
  if (!waited())                                                                                                       \
  return CUSOLVER_STATUS_EXECUTION_FAILED

#define PART_A(rows, columns) is_part(array_d_A, IA, JA, descrA, rows, columns, computeType, &a)
#define PART_B(rows, columns) is_part(array_d_B, IB, JB, descrB, rows, columns, computeType, &b)
#define SYEVD_IS_GOOD                                                                                                  \
  ((jobz == CUSOLVER_EIG_MODE_VECTOR || jobz == CUSOLVER_EIG_MODE_NOVECTOR) && is_triangle(uplo) && W &&               \
   PART_A(N, N) && dataTypeW == (computeType == CUDA_R_64F || computeType == CUDA_C_64F ? CUDA_R_64F : CUDA_R_32F))

cusolverStatus_t cusolverMgSyevd_bufferSize(cusolverMgHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                            int N, void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                            void *W, cudaDataType dataTypeW, cudaDataType computeType, int64_t *lwork) {
  SIZE(SYEVD_IS_GOOD);
}

cusolverStatus_t cusolverMgSyevd(cusolverMgHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int N,
                                 void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA, void *W,
                                 cudaDataType dataTypeW, cudaDataType computeType, void *array_d_work[], int64_t lwork,
                                 int *info) {
  char unused;
  BEGIN(SYEVD_IS_GOOD, info);
  if (together(&a))
    status = finished(cusolverDnXsyevd(handle->dense, NULL, jobz, uplo, N, computeType, a.memory, a.ld, dataTypeW, W,
                                       computeType, &unused, 1, &unused, 1, info));
  apart(&a, true);
  return status;
}

#define GETRF_IS_GOOD (array_d_IPIV && PART_A(M, N))

cusolverStatus_t cusolverMgGetrf_bufferSize(cusolverMgHandle_t handle, int M, int N, void *array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA, int *array_d_IPIV[], cudaDataType computeType,
                                            int64_t *lwork) {
  SIZE(GETRF_IS_GOOD);
}

static int *pivot_of(const part *a, int *const *pivots, int64_t i) {
  return (int *)column_of(a->of, (void *const *)pivots, a->column + i, 1, sizeof(int));
}

cusolverStatus_t cusolverMgGetrf(cusolverMgHandle_t handle, int M, int N, void *array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA, int *array_d_IPIV[], cudaDataType computeType,
                                 void *array_d_work[], int64_t lwork, int *info) {
  char unused;
  BEGIN(GETRF_IS_GOOD, info);
  int count = M < N ? M : N;
  int64_t *pivots = malloc(((size_t)count + 1) * sizeof *pivots);
  bool there = together(&a);
  if (pivots && there)
    status = finished(cusolverDnXgetrf(handle->dense, NULL, M, N, computeType, a.memory, a.ld, pivots, computeType,
                                       &unused, 1, &unused, 1, info));
  for (int i = 0; status == CUSOLVER_STATUS_SUCCESS && i < count; i++)
    *pivot_of(&a, array_d_IPIV, i) = (int)pivots[i];
  apart(&a, true);
  free(pivots);
  return status;
}

#define GETRS_IS_GOOD                                                                                                  \
  ((TRANS == CUBLAS_OP_N || TRANS == CUBLAS_OP_T || TRANS == CUBLAS_OP_C) && array_d_IPIV && PART_A(N, N) &&           \
   PART_B(N, NRHS))

cusolverStatus_t cusolverMgGetrs_bufferSize(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N, int NRHS,
                                            void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                            int *array_d_IPIV[], void *array_d_B[], int IB, int JB,
                                            cudaLibMgMatrixDesc_t descrB, cudaDataType computeType, int64_t *lwork) {
  SIZE(GETRS_IS_GOOD);
}

cusolverStatus_t cusolverMgGetrs(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N, int NRHS, void *array_d_A[],
                                 int IA, int JA, cudaLibMgMatrixDesc_t descrA, int *array_d_IPIV[], void *array_d_B[],
                                 int IB, int JB, cudaLibMgMatrixDesc_t descrB, cudaDataType computeType,
                                 void *array_d_work[], int64_t lwork, int *info) {
  BEGIN(GETRS_IS_GOOD, info);
  int64_t *pivots = malloc(((size_t)N + 1) * sizeof *pivots);
  bool there = together(&a) && together(&b);
  for (int i = 0; pivots && i < N; i++)
    pivots[i] = *pivot_of(&a, array_d_IPIV, i);
  if (pivots && there)
    status = finished(cusolverDnXgetrs(handle->dense, NULL, TRANS, N, NRHS, computeType, a.memory, a.ld, pivots,
                                       computeType, b.memory, b.ld, info));
  apart(&a, false);
  apart(&b, true);
  free(pivots);
  return status;
}

#define POTRF_IS_GOOD (is_triangle(uplo) && PART_A(N, N))

cusolverStatus_t cusolverMgPotrf_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void *array_d_A[],
                                            int IA, int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                            int64_t *lwork) {
  SIZE(POTRF_IS_GOOD);
}

cusolverStatus_t cusolverMgPotrf(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void *array_d_A[], int IA,
                                 int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType, void *array_d_work[],
                                 int64_t lwork, int *h_info) {
  char unused;
  BEGIN(POTRF_IS_GOOD, h_info);
  if (together(&a))
    status = finished(cusolverDnXpotrf(handle->dense, NULL, uplo, N, computeType, a.memory, a.ld, computeType, &unused,
                                       1, &unused, 1, h_info));
  apart(&a, true);
  return status;
}

#define POTRS_IS_GOOD (is_triangle(uplo) && PART_A(n, n) && PART_B(n, nrhs))

cusolverStatus_t cusolverMgPotrs_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                            void *array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                            void *array_d_B[], int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                                            cudaDataType computeType, int64_t *lwork) {
  SIZE(POTRS_IS_GOOD);
}

cusolverStatus_t cusolverMgPotrs(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, void *array_d_A[],
                                 int IA, int JA, cudaLibMgMatrixDesc_t descrA, void *array_d_B[], int IB, int JB,
                                 cudaLibMgMatrixDesc_t descrB, cudaDataType computeType, void *array_d_work[],
                                 int64_t lwork, int *h_info) {
  BEGIN(POTRS_IS_GOOD, h_info);
  if (together(&a) && together(&b))
    status = finished(cusolverDnXpotrs(handle->dense, NULL, uplo, n, nrhs, computeType, a.memory, a.ld, computeType,
                                       b.memory, b.ld, h_info));
  apart(&a, false);
  apart(&b, true);
  return status;
}

cusolverStatus_t cusolverMgPotri_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void *array_d_A[],
                                            int IA, int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                            int64_t *lwork) {
  SIZE(POTRF_IS_GOOD);
}

static cusolverStatus_t invert(cusolverDnHandle_t dense, cublasFillMode_t uplo, int n, const part *a, int *info) {
  void *memory = a->memory;
  int ld = (int)a->ld;
  char unused[sizeof(cuDoubleComplex)];
  switch (a->of->type) {
  case CUDA_R_32F: return cusolverDnSpotri(dense, uplo, n, memory, ld, (void *)unused, 1, info);
  case CUDA_R_64F: return cusolverDnDpotri(dense, uplo, n, memory, ld, (void *)unused, 1, info);
  case CUDA_C_32F: return cusolverDnCpotri(dense, uplo, n, memory, ld, (void *)unused, 1, info);
  default: return cusolverDnZpotri(dense, uplo, n, memory, ld, (void *)unused, 1, info);
  }
}

cusolverStatus_t cusolverMgPotri(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N, void *array_d_A[], int IA,
                                 int JA, cudaLibMgMatrixDesc_t descrA, cudaDataType computeType, void *array_d_work[],
                                 int64_t lwork, int *h_info) {
  BEGIN(POTRF_IS_GOOD, h_info);
  if (a.of->rows > INT_MAX)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (together(&a))
    status = finished(invert(handle->dense, uplo, N, &a, h_info));
  apart(&a, true);
  return status;
}
