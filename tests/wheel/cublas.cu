// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product by cuBLAS of matrices that a kernel fills, against one by loops.
#include <cstdio>
#include <cublas_v2.h>
#include <vector>

constexpr int N = 96;
__global__ void fill(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N * N) {
    a[i] = float(i % 7 - 3);
    b[i] = float(i % 5 - 2);
  }
}

int main() {
  float *a, *b, *c, one = 1, zero = 0;
  size_t bytes = N * N * sizeof(float);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  fill<<<(N * N + 255) / 256, 256>>>(a, b);
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS ||
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, N, b, N, &zero, c, N) != CUBLAS_STATUS_SUCCESS)
    return puts("cuBLAS failed"), 1;
  std::vector<float> got(N * N);
  cudaMemcpy(got.data(), c, bytes, cudaMemcpyDeviceToHost);
  cublasDestroy(handle);
  for (int column = 0; column < N; column++)
    for (int row = 0; row < N; row++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += float((row + k * N) % 7 - 3) * float((k + column * N) % 5 - 2);
      if (got[row + column * N] != sum)
        return printf("at %d, %d: %g is not %g\n", row, column, got[row + column * N], sum), 1;
    }
  puts("right");
}
