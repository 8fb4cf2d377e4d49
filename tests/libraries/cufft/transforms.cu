/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuFFT against sums over all elements: one to three dimensions, batches, strides, in and out of place, both precisions; bad arguments,
 * streams and graphs. */
#include "../check.h"
#include <cufft.h>
#include <cufftXt.h>

#define GOOD(call) CHECK((call) == CUFFT_SUCCESS)
static const double turn = 6.283185307179586;

/* The transform of n[0] x n[1] x n[2] values. */
static std::vector<number> reference(std::vector<number> x, const int n[3], int sign) {
  int inner = 1;
  for (int d = 2; d >= 0; inner *= n[d], d--) {
    std::vector<number> y(x.size());
    for (size_t at = 0; at < x.size(); at++) {
      int k = (int)(at / inner % n[d]);
      for (int j = 0; j < n[d]; j++)
        y[at] += x[at + (j - k) * inner] * std::polar(1.0, sign * turn * j * k / n[d]);
    }
    x = y;
  }
  return x;
}

template <class C, class Exec> void complex_ones(cufftType type, Exec exec) {
  for (auto n : std::vector<std::array<int, 3>>{{1, 1, 16}, {1, 1, 15}, {1, 6, 10}, {3, 4, 5}})
    for (int batch : {1, 3})
      for (int in_place : {0, 1})
        for (int sign : {CUFFT_FORWARD, CUFFT_INVERSE}) {
          const int total = n[0] * n[1] * n[2], rank = n[0] > 1 ? 3 : n[1] > 1 ? 2 : 1;
          device<C> x(total * batch), x0(x), y(total * batch);
          cufftHandle plan;
          GOOD(cufftPlanMany(&plan, rank, n.data() + 3 - rank, nullptr, 1, 0, nullptr, 1, 0, type, batch));
          GOOD(exec(plan, x, in_place ? x.at : y.at, sign));
          cudaDeviceSynchronize();
          for (int b = 0; b < batch; b++) {
            std::vector<number> signal;
            for (int i = 0; i < total; i++)
              signal.push_back(value(x0[b * total + i]));
            auto expected = reference(signal, n.data(), sign);
            for (int i = 0; i < total; i++)
              CHECK(near((in_place ? x : y)[b * total + i], expected[i], 10));
          }
          GOOD(cufftDestroy(plan));
        }
}

template <class R, class C, class Forward, class Back>
void real_ones(cufftType forward, cufftType back, Forward to_complex, Back to_real) {
  for (auto n : std::vector<std::array<int, 3>>{{1, 1, 16}, {1, 1, 15}, {1, 6, 10}, {3, 4, 5}})
    for (int batch : {1, 2})
      for (int in_place : {0, 1}) {
        const int rank = n[0] > 1   ? 3
                         : n[1] > 1 ? 2
                                    : 1,
                  half = n[2] / 2 + 1, rows = n[0] * n[1], row = in_place ? 2 * half : n[2];
        device<R> x(rows * batch * 2 * half), x0(x);
        device<C> y(rows * batch * half);
        C *out = in_place ? (C *)x.at : y.at;
        cufftHandle plan, inverse;
        GOOD(cufftPlanMany(&plan, rank, n.data() + 3 - rank, nullptr, 1, 0, nullptr, 1, 0, forward, batch));
        GOOD(cufftPlanMany(&inverse, rank, n.data() + 3 - rank, nullptr, 1, 0, nullptr, 1, 0, back, batch));
        GOOD(to_complex(plan, x, out));
        cudaDeviceSynchronize();
        for (int b = 0; b < batch; b++) {
          std::vector<number> signal;
          for (int r = 0; r < rows; r++)
            for (int i = 0; i < n[2]; i++)
              signal.push_back(value(x0[(b * rows + r) * row + i]));
          auto expected = reference(signal, n.data(), CUFFT_FORWARD);
          for (int r = 0; r < rows; r++)
            for (int i = 0; i < half; i++)
              CHECK(near(out[(b * rows + r) * half + i], expected[r * n[2] + i], 10));
        }
        GOOD(to_real(inverse, out, x));
        cudaDeviceSynchronize();
        for (int r = 0; r < rows * batch; r++)
          for (int i = 0; i < n[2]; i++)
            CHECK(near(x[r * row + i], value(x0[r * row + i]) * (double)(rows * n[2]), 10));
        GOOD(cufftDestroy(plan));
        GOOD(cufftDestroy(inverse));
      }
}

static void strided() {
  /* Columns of a matrix of 7 x 5, each a signal; out as rows of 8. */
  int n[1] = {7}, inembed[1] = {7}, onembed[1] = {8};
  device<cuComplex> x(35), y(40);
  cufftHandle plan;
  GOOD(cufftPlanMany(&plan, 1, n, inembed, 5, 1, onembed, 1, 8, CUFFT_C2C, 5));
  GOOD(cufftExecC2C(plan, x, y, CUFFT_FORWARD));
  cudaDeviceSynchronize();
  for (int b = 0; b < 5; b++)
    for (int k = 0; k < 7; k++) {
      number sum = 0;
      for (int j = 0; j < 7; j++)
        sum += value(x[j * 5 + b]) * std::polar(1.0, -turn * j * k / 7);
      CHECK(near(y[b * 8 + k], sum, 10));
    }
  GOOD(cufftDestroy(plan));
  /* A window of 4 x 6 in rows of 9, every second element. */
  int n2[2] = {4, 6}, embed[2] = {4, 9}, packed[2] = {4, 6};
  device<cuDoubleComplex> u(4 * 9 * 2), v(24);
  GOOD(cufftPlanMany(&plan, 2, n2, embed, 2, 72, packed, 1, 24, CUFFT_Z2Z, 1));
  GOOD(cufftExecZ2Z(plan, u, v, CUFFT_INVERSE));
  cudaDeviceSynchronize();
  std::vector<number> signal;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 6; j++)
      signal.push_back(value(u[(i * 9 + j) * 2]));
  const int shape[3] = {1, 4, 6};
  auto expected = reference(signal, shape, CUFFT_INVERSE);
  for (int i = 0; i < 24; i++)
    CHECK(near(v[i], expected[i], 10));
  GOOD(cufftDestroy(plan));
}

__global__ void fill(cuComplex *x, float to) { x[threadIdx.x] = make_cuComplex(to, 0); }

static void calls() {
  cufftHandle plan = -1, made;
  size_t bytes = 7;
  device<cuComplex> x(64), y(64);
  CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, -5, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 8, (cufftType)3, 1) == CUFFT_INVALID_TYPE);
  CHECK(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 4, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(plan == -1);
  CHECK(cufftExecC2C(12345, x, y, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecC2C(-1, x, y, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  GOOD(cufftCreate(&made));
  CHECK(cufftExecC2C(made, x, y, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  GOOD(cufftSetAutoAllocation(made, 0));
  GOOD(cufftMakePlan1d(made, 64, CUFFT_C2C, 1, &bytes));
  size_t again = 1;
  GOOD(cufftGetSize(made, &again));
  CHECK(bytes == again);
  CHECK(cufftMakePlan1d(made, 64, CUFFT_C2C, 1, &bytes) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecC2C(made, nullptr, y, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(made, x, y, 0) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecR2C(made, (float *)x.at, y) == CUFFT_INVALID_TYPE);
  CHECK((int)CUFFT_MISSING_DEPENDENCY == 17 && (int)CUFFT_NVRTC_FAILURE == 18 && (int)CUFFT_NVJITLINK_FAILURE == 19 &&
        (int)CUFFT_NVSHMEM_FAILURE == 20);
  CHECK(cufftXtSetCallback(made, nullptr, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_NOT_SUPPORTED);
  int version = 0;
  GOOD(cufftGetVersion(&version));
  CHECK(version == CUFFT_VERSION);

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  GOOD(cufftSetStream(made, stream));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<<<1, 64, 0, stream>>>(x, 2);
  GOOD(cufftExecC2C(made, x, y, CUFFT_FORWARD));
  cudaStreamEndCapture(stream, &graph);
  y[0] = make_cuComplex(0, 0);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  CHECK(near(y[0], 128) && near(y[1], 0));
  GOOD(cufftDestroy(made));
  CHECK(cufftDestroy(made) == CUFFT_INVALID_PLAN);

  long long n = 64;
  GOOD(cufftCreate(&made));
  CHECK(cufftXtMakePlanMany(made, 1, &n, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0, CUDA_C_16F, 1, &bytes, CUDA_C_16F) ==
        CUFFT_NOT_SUPPORTED);
  GOOD(cufftXtMakePlanMany(made, 1, &n, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0, CUDA_C_32F, 1, &bytes, CUDA_C_32F));
  GOOD(cufftXtExec(made, x, y, CUFFT_FORWARD));
  cudaDeviceSynchronize();
  CHECK(near(y[0], 128));
  GOOD(cufftDestroy(made));
}

int main() {
  complex_ones<cuComplex>(CUFFT_C2C, cufftExecC2C);
  complex_ones<cuDoubleComplex>(CUFFT_Z2Z, cufftExecZ2Z);
  real_ones<float, cuComplex>(CUFFT_R2C, CUFFT_C2R, cufftExecR2C, cufftExecC2R);
  real_ones<double, cuDoubleComplex>(CUFFT_D2Z, CUFFT_Z2D, cufftExecD2Z, cufftExecZ2D);
  strided();
  calls();
  return report("transforms");
}
