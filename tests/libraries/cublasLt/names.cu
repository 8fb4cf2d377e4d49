// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerators that come from tables have the numbers of cuBLASLt's interface, at both ends and beside gaps; what is not done says so.
// link: -lcublas
#include "../check.h"
#include <cublasLt.h>
#include <cublas_v2.h>

static_assert(CUBLASLT_MATMUL_TILE_8x8 == 1 && CUBLASLT_MATMUL_TILE_64x64 == 15 && CUBLASLT_MATMUL_TILE_256x32 == 35,
              "");
static_assert(CUBLASLT_MATMUL_TILE_8x128 == 36 && CUBLASLT_MATMUL_TILE_768x64 == 311 &&
                  CUBLASLT_MATMUL_TILE_64x16 == 312,
              "");
static_assert(CUBLASLT_MATMUL_TILE_512x1024 == 634 && CUBLASLT_MATMUL_TILE_END == 635, "");
static_assert(CUBLASLT_MATMUL_STAGES_16x1 == 1 && CUBLASLT_MATMUL_STAGES_128x6 == 24 &&
                  CUBLASLT_MATMUL_STAGES_8x5 == 28,
              "");
static_assert(CUBLASLT_MATMUL_STAGES_8x3 == 31 && CUBLASLT_MATMUL_STAGES_768xAUTO == 38 &&
                  CUBLASLT_MATMUL_STAGES_END == 39,
              "");
static_assert(CUBLASLT_CLUSTER_SHAPE_AUTO == 0 && CUBLASLT_CLUSTER_SHAPE_1x1x1 == 2 &&
                  CUBLASLT_CLUSTER_SHAPE_1x15x1 == 51,
              "");
static_assert(CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR == 38 && CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F == 5, "");
static_assert(CUBLASLT_NUMERICAL_IMPL_FLAGS_GAUSSIAN == 1ull << 32 && CUBLAS_GEMM_AUTOTUNE == 999, "");

int main() {
  cublasLtEmulationDesc_t description;
  cublasLtEmulationDescOpaque_t memory;
  cublasEmulationStrategy_t strategy;
  cublasHandle_t handle;
  CHECK(cublasLtEmulationDescCreate(&description) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasLtEmulationDescInit(&memory) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(!cublasCreate(&handle) && cublasGetEmulationStrategy(handle, &strategy) == CUBLAS_STATUS_NOT_SUPPORTED);

  // Products that a GPU may emulate are done by their own type, which is as exact.
  double one = 1, zero = 0, *x;
  CHECK(!cudaMallocManaged(&x, 3 * sizeof(double)));
  x[0] = 1 + 0x1p-50, x[1] = 3, x[2] = 0;
  CHECK(!cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x, CUDA_R_64F, 1, x + 1, CUDA_R_64F, 1, &zero,
                      x + 2, CUDA_R_64F, 1, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUBLAS_GEMM_AUTOTUNE));
  CHECK(!cudaDeviceSynchronize() && x[2] == 3 * (1 + 0x1p-50));
  float c = 0, s = 0, a = 3, b = 4;
  CHECK(!cublasSrotg_64(handle, &a, &b, &c, &s) && c == 0.6f && s == 0.8f);
  cudaFree(x);
  cublasDestroy(handle);
  return report("names");
}
