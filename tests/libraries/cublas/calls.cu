/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLAS as an interface: handles, settings, bad arguments, streams in order, capture into graphs, copies of matrices. */
#include "../check.h"
#include <cstring>
#include <cublas_v2.h>

#define GOOD(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
#define BAD(call) CHECK((call) == CUBLAS_STATUS_INVALID_VALUE)

__global__ void wait(volatile int *flag, float *x, float to) {
  while (!*flag)
    ;
  x[0] = to;
}
__global__ void add(float *x, float more) { x[threadIdx.x] += more; }

int main() {
  int without_handle = 0;
  CHECK(cublasGetVersion(nullptr, &without_handle) == CUBLAS_STATUS_SUCCESS && without_handle >= 120000);
  const float one = 1, zero = 0;
  cublasHandle_t handle, none = nullptr, wild = (cublasHandle_t)0x1234;
  float result = -7;
  device<float> x(64), y(64), a(64), b(64), c(64);
  BAD(cublasCreate(nullptr));
  GOOD(cublasCreate(&handle));
  for (cublasHandle_t bad : {none, wild}) {
    CHECK(cublasSdot(bad, 3, x, 1, y, 1, &result) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasSetStream(bad, 0) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasDestroy(bad) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasGemmEx(bad, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_32F, 4, &zero, c,
                       CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_INITIALIZED);
  }
  CHECK(result == -7);
  /* Bad arguments write nothing. */
  c[0] = 42;
  BAD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
  BAD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 3, b, 4, &zero, c, 4));
  BAD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 3, &zero, c, 4));
  BAD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 3));
  BAD(cublasSgemm(handle, (cublasOperation_t)77, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
  BAD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, nullptr, a, 4, b, 4, &zero, c, 4));
  BAD(cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, a, 4, x, 0, &zero, y, 1));
  BAD(cublasSsymv(handle, (cublasFillMode_t)9, 4, &one, a, 4, x, 1, &zero, y, 1));
  BAD(cublasStrsm(handle, (cublasSideMode_t)9, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 4, &one, a, 4,
                  b, 4));
  BAD(cublasSnrm2(handle, 4, nullptr, 1, &result));
  BAD(cublasSdot(handle, 4, x, 1, y, 1, nullptr));
  BAD(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, &one, c, 4, &zero, b, 4, c, 4));
  BAD(cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, 2, 2, &one, a, 4, x, 1, &zero, y, 1));
  CHECK(cublasSaxpy_64(handle, 1ll << 40, &one, x, 1, y, 1) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_16F, 4, &zero, c,
                     CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(c[0] == 42);
  GOOD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 4, 4, &one, nullptr, 4, nullptr, 4, &zero, nullptr, 4));

  int version = 0;
  GOOD(cublasGetVersion(handle, &version));
  CHECK(version == CUBLAS_VERSION);
  cublasMath_t math;
  GOOD(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  GOOD(cublasGetMathMode(handle, &math));
  CHECK(math == CUBLAS_TF32_TENSOR_OP_MATH);
  BAD(cublasSetMathMode(handle, (cublasMath_t)4));
  BAD(cublasSetPointerMode(handle, (cublasPointerMode_t)2));
  cublasAtomicsMode_t atomics;
  GOOD(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
  GOOD(cublasGetAtomicsMode(handle, &atomics));
  CHECK(atomics == CUBLAS_ATOMICS_ALLOWED);
  CHECK(strcmp(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED") == 0);
  CHECK(strstr(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE), "unsupported value") != nullptr);
  GOOD(cublasLoggerConfigure(1, 0, 0, nullptr));

  /* What stands in a stream after a kernel that waits for the host waits for it; a scalar of the host is that of the call. */
  cudaStream_t stream, got;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  GOOD(cublasSetStream(handle, stream));
  GOOD(cublasGetStream(handle, &got));
  CHECK(got == stream);
  device<int> flag(1);
  flag[0] = 0;
  for (int i = 0; i < 64; i++)
    x[i] = 1, y[i] = 10;
  float scale = 3;
  wait<<<1, 1, 0, stream>>>(flag, x, 5);
  GOOD(cublasSaxpy(handle, 64, &scale, x, 1, y, 1));
  scale = 1000;
  CHECK(((volatile float *)y.at)[0] == 10);
  *(volatile int *)flag.at = 1;
  cudaStreamSynchronize(stream);
  CHECK(y[0] == 25 && y[1] == 13);

  /* In a graph; a scalar of the device is read each time. */
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  device<float> factor(1);
  factor[0] = 2;
  for (int i = 0; i < 64; i++)
    x[i] = 1;
  GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 64, 0, stream>>>(x, 1);
  GOOD(cublasSscal(handle, 64, factor, x, 1));
  cudaStreamEndCapture(stream, &graph);
  CHECK(x[0] == 1);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  CHECK(nodes == 2);
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  factor[0] = 10;
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  CHECK(x[0] == 50);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
  GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));

  /* Copies of matrices and vectors. */
  float host[12], back[12];
  for (int i = 0; i < 12; i++)
    host[i] = (float)i, back[i] = -1;
  GOOD(cublasSetMatrix(3, 2, sizeof(float), host, 4, a, 8));
  CHECK(a[8] == 4 && a[10] == 6);
  GOOD(cublasGetMatrix(3, 2, sizeof(float), a, 8, back, 4));
  CHECK(back[6] == 6 && back[3] == -1);
  GOOD(cublasSetVector(4, sizeof(float), host, 3, b, 2));
  CHECK(b[6] == 9);
  GOOD(cublasGetVectorAsync(4, sizeof(float), b, 2, back, 1, stream));
  cudaStreamSynchronize(stream);
  CHECK(back[3] == 9);
  BAD(cublasSetVector(4, sizeof(float), host, 0, b, 2));
  BAD(cublasSetMatrix(3, 2, sizeof(float), host, 2, a, 8));
  GOOD(cublasDestroy(handle));
  CHECK(cublasSdot(handle, 3, x, 1, y, 1, &result) == CUBLAS_STATUS_NOT_INITIALIZED);
  return report("calls");
}
