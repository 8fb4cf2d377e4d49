// cublas.h, the interface of the first release: one handle for the process, letters in either case, scalars and results by value, errors kept.
#include <cublas.h>

#include <cmath>
#include <vector>

#include "../check.h"

static float *on_device(const std::vector<float> &from) {
  void *to = nullptr;
  CHECK(cublasAlloc((int)from.size(), sizeof(float), &to) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSetVector((int)from.size(), sizeof(float), from.data(), 1, to, 1) == CUBLAS_STATUS_SUCCESS);
  return (float *)to;
}

static std::vector<float> back(const float *from, size_t count) {
  std::vector<float> to(count);
  CHECK(cublasGetVector((int)count, sizeof(float), from, 1, to.data(), 1) == CUBLAS_STATUS_SUCCESS);
  return to;
}

static bool near(float a, float b) { return std::fabs(a - b) < 1e-5f * (1 + std::fabs(b)); }

int main() {
  void *nothing = nullptr;
  CHECK(cublasAlloc(4, 4, &nothing) == CUBLAS_STATUS_NOT_INITIALIZED &&
        cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasSasum(1, nullptr, 1) == 0 && cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasInit() == CUBLAS_STATUS_SUCCESS && cublasInit() == CUBLAS_STATUS_SUCCESS);
  int version = 0;
  CHECK(cublasGetVersion(&version) == CUBLAS_STATUS_SUCCESS && version == CUBLAS_VERSION);
  CHECK(cublasAlloc(0, 4, &nothing) == CUBLAS_STATUS_INVALID_VALUE && !nothing);

  // Level 1.
  float *x = on_device({1, -2, 3}), *y = on_device({4, 5, -7});
  CHECK(cublasSdot(3, x, 1, y, 1) == 4 - 10 - 21 && cublasSasum(3, y, 1) == 16 &&
        near(cublasSnrm2(3, x, 1), std::sqrt(14.f)));
  CHECK(cublasIsamax(3, y, 1) == 3 && cublasIsamin(3, x, 1) == 1);
  cublasSaxpy(3, 2, x, 1, y, 1);
  CHECK(back(y, 3) == std::vector<float>({6, 1, -1}));
  cublasSscal(3, 0.5f, y, 1);
  cublasSswap(3, x, 1, y, 1);
  CHECK(back(x, 3) == std::vector<float>({3, 0.5f, -0.5f}) && back(y, 3) == std::vector<float>({1, -2, 3}));
  float a = 3, b = 4, c = 0, s = 0;
  cublasSrotg(&a, &b, &c, &s);
  CHECK(near(c, 0.6f) && near(s, 0.8f));
  cublasSrot(3, x, 1, y, 1, 0, 1);
  CHECK(back(x, 3) == std::vector<float>({1, -2, 3}));

  // Levels 2 and 3; letters in either case, and a triangular product in place.
  float *A = on_device({1, 2, 3, 4}), *B = on_device({5, 6, 7, 8}), *C = on_device({1, 1, 1, 1});
  cublasSgemv('t', 2, 2, 1, A, 2, B, 1, 0, x, 1);
  CHECK(back(x, 2) == std::vector<float>({17, 39}));
  cublasSgemm('N', 'c', 2, 2, 2, 2, A, 2, B, 2, 1, C, 2);
  CHECK(back(C, 4) == std::vector<float>({53, 77, 61, 89}));
  cublasStrmm('L', 'U', 'n', 'N', 2, 2, 1, A, 2, B, 2);
  CHECK(back(B, 4) == std::vector<float>({23, 24, 31, 32}));
  cublasStrsm('l', 'u', 'N', 'n', 2, 2, 1, A, 2, B, 2);
  std::vector<float> solved = back(B, 4);
  CHECK(near(solved[0], 5) && near(solved[1], 6) && near(solved[2], 7) && near(solved[3], 8));
  cublasSsyrk('U', 'N', 2, 2, 1, A, 2, 0, C, 2);
  CHECK(back(C, 4) == std::vector<float>({10, 77, 14, 20}));
  cublasSsyr('L', 2, 1, A, 1, C, 2);
  CHECK(back(C, 4) == std::vector<float>({11, 79, 14, 24}));
  CHECK(cublasGetError() == CUBLAS_STATUS_SUCCESS);

  // Complex scalars and results.
  cuDoubleComplex *z, values[2] = {{1, 2}, {3, -1}};
  CHECK(cublasAlloc(2, sizeof *z, (void **)&z) == CUBLAS_STATUS_SUCCESS);
  cudaMemcpy(z, values, sizeof values, cudaMemcpyHostToDevice);
  cuDoubleComplex dot = cublasZdotc(2, z, 1, z, 1), other = cublasZdotu(2, z, 1, z, 1);
  CHECK(dot.x == 15 && dot.y == 0 && other.x == 5 && other.y == -2);
  CHECK(near((float)cublasDzasum(2, z, 1), 7));
  cublasZscal(2, {0, 1}, z, 1);
  cudaMemcpy(values, z, sizeof values, cudaMemcpyDeviceToHost);
  CHECK(values[0].x == -2 && values[0].y == 1 && values[1].x == 1 && values[1].y == 3);

  // The first error is kept until it is asked for, and nothing is written.
  cublasSgemm('x', 'N', 2, 2, 2, 1, A, 2, B, 2, 0, C, 2);
  cublasSgemm('N', 'N', 2, 2, 2, 1, A, 1, B, 2, 0, C, 2);
  CHECK(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE && cublasGetError() == CUBLAS_STATUS_SUCCESS);
  CHECK(back(C, 4) == std::vector<float>({11, 79, 14, 24}));

  // Work goes to the stream that was named.
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CHECK(cublasSetKernelStream(stream) == CUBLAS_STATUS_SUCCESS);
  cublasSscal(4, 2, C, 1);
  cudaStreamSynchronize(stream);
  CHECK(back(C, 4) == std::vector<float>({22, 158, 28, 48}));
  for (float *used : {x, y, A, B, C})
    CHECK(cublasFree(used) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasFree(z) == CUBLAS_STATUS_SUCCESS && cublasShutdown() == CUBLAS_STATUS_SUCCESS);
  cudaStreamDestroy(stream);
  return report("legacy");
}
