/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuBLASLt: products in all layouts and types, each epilogue against its formula, batches, transforms; bad arguments. */
#include "../check.h"
#include <cublasLt.h>

#define GOOD(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
static cublasLtHandle_t handle;
template <class T> constexpr cudaDataType id = CUDA_R_32F;
template <> constexpr cudaDataType id<double> = CUDA_R_64F;
template <> constexpr cudaDataType id<__half> = CUDA_R_16F;
template <> constexpr cudaDataType id<__nv_bfloat16> = CUDA_R_16BF;
template <> constexpr cudaDataType id<cuComplex> = CUDA_C_32F;
enum { M = 24, N = 10, K = 17, LD = 40, BATCH = 2, STRIDE = 40 * 40 };

static double gelu(double x) { return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }
static double slope(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }

static cublasLtMatrixLayout_t layout(cudaDataType type, int rows, int cols, cublasLtOrder_t order) {
  cublasLtMatrixLayout_t made;
  const int batch = BATCH;
  const int64_t stride = STRIDE;
  GOOD(cublasLtMatrixLayoutCreate(&made, type, rows, cols, LD));
  GOOD(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  GOOD(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
  GOOD(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
  return made;
}
static int place(int batch, int i, int j, cublasLtOrder_t order) {
  return batch * STRIDE + (order == CUBLASLT_ORDER_ROW ? i * LD + j : i + j * LD);
}

template <class T, class C, class S>
void multiply(cublasComputeType_t compute, cublasOperation_t ta, cublasOperation_t tb, cublasLtOrder_t oa,
              cublasLtOrder_t ob, cublasLtOrder_t oc, unsigned epilogue, bool in_place) {
  device<T> a(STRIDE * BATCH), b(STRIDE * BATCH);
  device<C> c(STRIDE * BATCH), d(STRIDE * BATCH), bias(64), aux(STRIDE * BATCH);
  device<C> c0(c), aux0(aux), bias0(bias);
  const S alpha = make<S>(0.5), beta = make<S>(2);
  cublasLtMatmulDesc_t desc;
  GOOD(cublasLtMatmulDescCreate(&desc, compute, id<S>));
  GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &ta, sizeof ta));
  GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &tb, sizeof tb));
  GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  C *bias_at = bias;
  void *aux_at = aux.at;
  const int64_t aux_ld = 40, aux_stride = STRIDE;
  if (epilogue != 1) {
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_at, sizeof bias_at));
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux_at, sizeof aux_at));
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_ld, sizeof aux_ld));
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, &aux_stride,
                                        sizeof aux_stride));
  }
  auto la = layout(id<T>, ta ? K : M, ta ? M : K, oa), lb = layout(id<T>, tb ? N : K, tb ? K : N, ob),
       lc = layout(id<C>, M, N, oc);
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t result;
  int found = 0;
  GOOD(cublasLtMatmulPreferenceCreate(&preference));
  GOOD(cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, lc, preference, 1, &result, &found));
  CHECK(found == 1 && result.state == CUBLAS_STATUS_SUCCESS);
  GOOD(cublasLtMatmul(handle, desc, &alpha, a, la, b, lb, &beta, c, lc, in_place ? c.at : d.at, lc, &result.algo,
                      nullptr, 0, 0));
  cudaDeviceSynchronize();
  const bool masks = (epilogue & 2) && (epilogue & 128);
  for (int batch = 0; batch < BATCH; batch++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        number sum = 0;
        for (int k = 0; k < K; k++) {
          number x = value(ta ? a[place(batch, k, i, oa)] : a[place(batch, i, k, oa)]),
                 y = value(tb ? b[place(batch, j, k, ob)] : b[place(batch, k, j, ob)]);
          sum += (ta == CUBLAS_OP_C ? std::conj(x) : x) * (tb == CUBLAS_OP_C ? std::conj(y) : y);
        }
        number expected = 0.5 * sum + 2.0 * value(c0[place(batch, i, j, oc)]);
        const int at = batch * STRIDE + i + j * 40;
        double before = expected.real();
        if (epilogue & 4)
          before += value(bias[i]).real();
        if (epilogue != 1)
          expected = before;
        if ((epilogue & 32) && (epilogue & 128))
          CHECK(near(aux[at], before, 10));
        if (epilogue & 32)
          expected = gelu(before);
        if (epilogue & 2)
          expected = before > 0 ? before : 0;
        if (masks && fabs(before) > 0.1)
          CHECK((((unsigned char *)aux.at)[at / 8] >> at % 8 & 1) == (before > 0));
        if ((epilogue & ~16u) == 136)
          expected = ((unsigned char *)aux0.at)[at / 8] >> at % 8 & 1 ? before : 0;
        if ((epilogue & ~16u) == 192)
          expected = before * slope(value(aux0[at]).real());
        CHECK(near((in_place ? c : d)[place(batch, i, j, oc)], expected, 10));
      }
  GOOD(cublasLtMatmulPreferenceDestroy(preference));
  for (auto one : {la, lb, lc})
    GOOD(cublasLtMatrixLayoutDestroy(one));
  GOOD(cublasLtMatmulDescDestroy(desc));
}

/* Gradients of the bias, of one product. */
static void gradients() {
  for (unsigned epilogue : {152u, 208u, 256u, 512u}) {
    device<float> a(M * K), b(K * N), c(M * N), bias(64), aux(M * N * 40);
    const float one = 1, zero = 0;
    float *bias_at = bias;
    void *aux_at = aux.at;
    const int64_t aux_ld = M;
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t la, lb, lc;
    GOOD(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_at, sizeof bias_at));
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux_at, sizeof aux_at));
    GOOD(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_ld, sizeof aux_ld));
    GOOD(cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, M, K, M));
    GOOD(cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, K, N, K));
    GOOD(cublasLtMatrixLayoutCreate(&lc, CUDA_R_32F, M, N, M));
    GOOD(cublasLtMatmul(handle, desc, &one, a, la, b, lb, &zero, c, lc, c, lc, nullptr, nullptr, 0, 0));
    cudaDeviceSynchronize();
    for (int i = 0; i < (epilogue == 512 ? N : M); i++) {
      double sum = 0;
      for (int j = 0; j < (epilogue < 256 ? N : K); j++)
        sum += epilogue == 256 ? a[i + j * M] : epilogue == 512 ? b[j + i * K] : c[i + j * M];
      CHECK(near(bias[i], sum, 10));
    }
    cublasLtMatmulDescDestroy(desc), cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb),
        cublasLtMatrixLayoutDestroy(lc);
  }
}

static void transforms() {
  device<__half> a(STRIDE * BATCH);
  device<float> b(STRIDE * BATCH), c(STRIDE * BATCH);
  const float alpha = 0.5f, beta = -1;
  const cublasOperation_t transposed = CUBLAS_OP_T;
  cublasLtMatrixTransformDesc_t desc;
  GOOD(cublasLtMatrixTransformDescCreate(&desc, CUDA_R_32F));
  GOOD(cublasLtMatrixTransformDescSetAttribute(desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &transposed,
                                               sizeof transposed));
  auto la = layout(CUDA_R_16F, N, M, CUBLASLT_ORDER_ROW), lb = layout(CUDA_R_32F, M, N, CUBLASLT_ORDER_COL),
       lc = layout(CUDA_R_32F, M, N, CUBLASLT_ORDER_ROW);
  GOOD(cublasLtMatrixTransform(handle, desc, &alpha, a, la, &beta, b, lb, c, lc, 0));
  cudaDeviceSynchronize();
  for (int batch = 0; batch < BATCH; batch++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++)
        CHECK(near(c[place(batch, i, j, CUBLASLT_ORDER_ROW)], 0.5 * value(a[place(batch, j, i, CUBLASLT_ORDER_ROW)]) -
                                                                  value(b[place(batch, i, j, CUBLASLT_ORDER_COL)])));
  cublasLtMatrixTransformDescDestroy(desc);
  for (auto one : {la, lb, lc})
    cublasLtMatrixLayoutDestroy(one);
}

static void calls() {
  device<float> x(64);
  const float one = 1;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t l, odd;
  x[0] = 42;
  GOOD(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  GOOD(cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 4, 4, 4));
  GOOD(cublasLtMatrixLayoutCreate(&odd, CUDA_R_32F, 5, 4, 3));
  auto go = [&](cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void *alpha, cublasLtMatrixLayout_t a, void *to) {
    return cublasLtMatmul(h, d, alpha, x, a, x, l, &one, x, l, to, l, nullptr, nullptr, 0, 0);
  };
  CHECK(go(nullptr, desc, &one, l, x) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(go((cublasLtHandle_t)0x40, desc, &one, l, x) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(go(handle, nullptr, &one, l, x) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(go(handle, desc, nullptr, l, x) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(go(handle, desc, &one, odd, x) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(go(handle, desc, &one, l, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  const cublasLtOrder_t tiles = CUBLASLT_ORDER_COL32;
  GOOD(cublasLtMatrixLayoutSetAttribute(odd, CUBLASLT_MATRIX_LAYOUT_ORDER, &tiles, sizeof tiles));
  CHECK(go(handle, desc, &one, odd, x) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &tiles, 2) == CUBLAS_STATUS_INVALID_VALUE);
  size_t written = 0;
  GOOD(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &written));
  CHECK(written == 8 && x[0] == 42);
  cublasLtMatmulDescDestroy(desc), cublasLtMatrixLayoutDestroy(l), cublasLtMatrixLayoutDestroy(odd);
}

int main() {
  GOOD(cublasLtCreate(&handle));
  const cublasOperation_t n = CUBLAS_OP_N, t = CUBLAS_OP_T;
  const auto col = CUBLASLT_ORDER_COL, row = CUBLASLT_ORDER_ROW;
  for (auto ta : {n, t})
    for (auto tb : {n, t})
      for (auto oa : {col, row})
        for (auto oc : {col, row})
          for (bool in_place : {false, true}) {
            multiply<float, float, float>(CUBLAS_COMPUTE_32F, ta, tb, oa, oc, oc, 1, in_place);
            multiply<double, double, double>(CUBLAS_COMPUTE_64F, ta, tb, oa, col, oc, 1, in_place);
            multiply<__half, float, float>(CUBLAS_COMPUTE_32F, ta, tb, oa, row, oc, 1, in_place);
            multiply<__nv_bfloat16, __nv_bfloat16, float>(CUBLAS_COMPUTE_32F, ta, tb, oa, col, oc, 36, in_place);
          }
  multiply<cuComplex, cuComplex, cuComplex>(CUBLAS_COMPUTE_32F, CUBLAS_OP_C, n, col, col, col, 1, false);
  for (unsigned epilogue : {2u, 4u, 6u, 32u, 36u, 130u, 134u, 136u, 160u, 164u, 192u})
    for (auto oc : {col, row}) {
      multiply<float, float, float>(CUBLAS_COMPUTE_32F, n, n, col, col, oc, epilogue, false);
      multiply<__half, __half, float>(CUBLAS_COMPUTE_32F, t, n, col, col, oc, epilogue, true);
    }
  gradients();
  transforms();
  calls();
  GOOD(cublasLtDestroy(handle));
  return report("matmul");
}
