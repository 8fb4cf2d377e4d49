/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLASLt takes cuBLAS's handles, by a cast, as long as they live, and no other memory. */
// link: -lcublas
#include "../check.h"
#include <cublasLt.h>
#include <cublas_v2.h>

static cublasStatus_t ask(cublasLtHandle_t handle) {
  int algorithm = -1, count = 0;
  return cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                  CUDA_R_32F, 1, &algorithm, &count);
}

/* Rows of 3, by a transform, which is a call with a stream. */
static void transpose(cublasLtHandle_t handle) {
  device<float> from(6), to(6);
  float one = 1;
  const cublasOperation_t turned = CUBLAS_OP_T;
  cublasLtMatrixTransformDesc_t desc;
  cublasLtMatrixLayout_t tall, wide;
  CHECK(!cublasLtMatrixTransformDescCreate(&desc, CUDA_R_32F));
  CHECK(!cublasLtMatrixTransformDescSetAttribute(desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &turned, sizeof turned));
  CHECK(!cublasLtMatrixLayoutCreate(&tall, CUDA_R_32F, 3, 2, 3) &&
        !cublasLtMatrixLayoutCreate(&wide, CUDA_R_32F, 2, 3, 2));
  CHECK(!cublasLtMatrixTransform(handle, desc, &one, from, tall, nullptr, nullptr, nullptr, to, wide, nullptr));
  CHECK(!cudaDeviceSynchronize());
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      CHECK(to[j + 2 * i] == from[i + 3 * j]);
  CHECK(!cublasLtMatrixLayoutDestroy(tall) && !cublasLtMatrixLayoutDestroy(wide) &&
        !cublasLtMatrixTransformDescDestroy(desc));
}

int main() {
  cublasHandle_t first, second;
  cublasLtHandle_t light;
  alignas(16) char other[256] = {};
  CHECK(!cublasCreate(&first) && !cublasCreate(&second) && !cublasLtCreate(&light));
  for (cublasLtHandle_t handle : {light, (cublasLtHandle_t)first, (cublasLtHandle_t)second}) {
    CHECK(ask(handle) == CUBLAS_STATUS_SUCCESS);
    transpose(handle);
  }
  CHECK(cublasSetStream((cublasHandle_t)light, nullptr) == CUBLAS_STATUS_NOT_INITIALIZED); /* not the other way */
  CHECK(cublasLtDestroy((cublasLtHandle_t)first) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(!cublasDestroy(first));
  CHECK(ask((cublasLtHandle_t)first) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(ask((cublasLtHandle_t)second) == CUBLAS_STATUS_SUCCESS);
  CHECK(ask((cublasLtHandle_t)other) == CUBLAS_STATUS_NOT_INITIALIZED && ask(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(!cublasDestroy(second) && !cublasLtDestroy(light));
  return report("blas_handle");
}
