// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's array and its dot product by cuBLAS.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

void fill_by_kernel(float *a, float value);

int main() {
  float *a, dot = 0;
  cublasHandle_t handle;
  cudaMalloc(reinterpret_cast<void **>(&a), 64 * sizeof(float));
  fill_by_kernel(a, 2);
  bool good = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS && cublasSdot(handle, 64, a, 1, a, 1, &dot) == CUBLAS_STATUS_SUCCESS;
  cublasDestroy(handle);
  cudaFree(a);
  std::printf("%g\n", dot);
  return !(good && dot == 4.0f * 85344);
}
