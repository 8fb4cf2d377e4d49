/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of cuBLAS that take sizes (cuBLAS documentation, chapters "Level-1" to "Level-3" and "BLAS-like
 * Extension"). cublas_api.h includes this twice: with sizes of int, and with int64_t for the names that end in _64.
 * Names and types are arguments of the macros here, as BLAS has four of nearly everything:
 *
 *   __UW_INT            the type of sizes
 *   __UW_V2(name)       a function of the first release, whose name ends in _v2 since the second
 *   __UW_EX(name)       one that came later
 *
 * Matrices are column-major, element (i, j) at [i + j * ld]. Scalars and results lie where the handle's pointer mode
 * says. */

#define __UW_HEAD CUBLASAPI cublasStatus_t CUBLASWINAPI
#define __UW_S4(F) F(S, float) F(D, double) F(C, cuComplex) F(Z, cuDoubleComplex)
#define __UW_S2(F) F(S, float) F(D, double)
#define __UW_C2(F) F(C, cuComplex) F(Z, cuDoubleComplex)

/* --- level 1 ------------------------------------------------------------------------------------------------------ */

__UW_HEAD __UW_EX(SetVector)(__UW_INT n, __UW_INT elemSize, const void *x, __UW_INT incx, void *devicePtr,
                             __UW_INT incy);
__UW_HEAD __UW_EX(GetVector)(__UW_INT n, __UW_INT elemSize, const void *x, __UW_INT incx, void *y, __UW_INT incy);
__UW_HEAD __UW_EX(SetMatrix)(__UW_INT rows, __UW_INT cols, __UW_INT elemSize, const void *A, __UW_INT lda, void *B,
                             __UW_INT ldb);
__UW_HEAD __UW_EX(GetMatrix)(__UW_INT rows, __UW_INT cols, __UW_INT elemSize, const void *A, __UW_INT lda, void *B,
                             __UW_INT ldb);
__UW_HEAD __UW_EX(SetVectorAsync)(__UW_INT n, __UW_INT elemSize, const void *hostPtr, __UW_INT incx, void *devicePtr,
                                  __UW_INT incy, cudaStream_t stream);
__UW_HEAD __UW_EX(GetVectorAsync)(__UW_INT n, __UW_INT elemSize, const void *devicePtr, __UW_INT incx, void *hostPtr,
                                  __UW_INT incy, cudaStream_t stream);
__UW_HEAD __UW_EX(SetMatrixAsync)(__UW_INT rows, __UW_INT cols, __UW_INT elemSize, const void *A, __UW_INT lda, void *B,
                                  __UW_INT ldb, cudaStream_t stream);
__UW_HEAD __UW_EX(GetMatrixAsync)(__UW_INT rows, __UW_INT cols, __UW_INT elemSize, const void *A, __UW_INT lda, void *B,
                                  __UW_INT ldb, cudaStream_t stream);

/* Indices of iamax and iamin count from 1; 0 where n or incx is not positive. */
#define __UW_NORMS(F)                                                                                                  \
  F(S, S, s, float, float) F(D, D, d, double, double) F(C, Sc, c, cuComplex, float) F(Z, Dz, z, cuDoubleComplex, double)
#define __UW_LEVEL1(T, R, t, type, real)                                                                               \
  __UW_HEAD __UW_V2(R##nrm2)(cublasHandle_t handle, __UW_INT n, const type *x, __UW_INT incx, real *result);           \
  __UW_HEAD __UW_V2(R##asum)(cublasHandle_t handle, __UW_INT n, const type *x, __UW_INT incx, real *result);           \
  __UW_HEAD __UW_V2(I##t##amax)(cublasHandle_t handle, __UW_INT n, const type *x, __UW_INT incx, __UW_INT *result);    \
  __UW_HEAD __UW_V2(I##t##amin)(cublasHandle_t handle, __UW_INT n, const type *x, __UW_INT incx, __UW_INT *result);    \
  __UW_HEAD __UW_V2(T##scal)(cublasHandle_t handle, __UW_INT n, const type *alpha, type *x, __UW_INT incx);            \
  __UW_HEAD __UW_V2(T##axpy)(cublasHandle_t handle, __UW_INT n, const type *alpha, const type *x, __UW_INT incx,       \
                             type *y, __UW_INT incy);                                                                  \
  __UW_HEAD __UW_V2(T##copy)(cublasHandle_t handle, __UW_INT n, const type *x, __UW_INT incx, type *y, __UW_INT incy); \
  __UW_HEAD __UW_V2(T##swap)(cublasHandle_t handle, __UW_INT n, type * x, __UW_INT incx, type * y, __UW_INT incy);     \
  __UW_HEAD __UW_V2(T##rot)(cublasHandle_t handle, __UW_INT n, type * x, __UW_INT incx, type * y, __UW_INT incy,       \
                            const real *c, const type *s);
__UW_NORMS(__UW_LEVEL1)

#define __UW_DOT(name, type)                                                                                           \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, __UW_INT n, const type *x, __UW_INT incx, const type *y,              \
                          __UW_INT incy, type *result);
__UW_DOT(Sdot, float)
__UW_DOT(Ddot, double)
__UW_DOT(Cdotu, cuComplex)
__UW_DOT(Cdotc, cuComplex)
__UW_DOT(Zdotu, cuDoubleComplex)
__UW_DOT(Zdotc, cuDoubleComplex)

#define __UW_REAL_ON_COMPLEX(scal_, rot_, type, real)                                                                  \
  __UW_HEAD __UW_V2(scal_)(cublasHandle_t handle, __UW_INT n, const real *alpha, type *x, __UW_INT incx);              \
  __UW_HEAD __UW_V2(rot_)(cublasHandle_t handle, __UW_INT n, type * x, __UW_INT incx, type * y, __UW_INT incy,         \
                          const real *c, const real *s);
__UW_REAL_ON_COMPLEX(Csscal, Csrot, cuComplex, float)
__UW_REAL_ON_COMPLEX(Zdscal, Zdrot, cuDoubleComplex, double)

#define __UW_ROTM(T, type)                                                                                             \
  __UW_HEAD __UW_V2(T##rotm)(cublasHandle_t handle, __UW_INT n, type * x, __UW_INT incx, type * y, __UW_INT incy,      \
                             const type *param);
__UW_S2(__UW_ROTM)

/* Types of elements given at run time. */
__UW_HEAD __UW_EX(Nrm2Ex)(cublasHandle_t handle, __UW_INT n, const void *x, cudaDataType xType, __UW_INT incx,
                          void *result, cudaDataType resultType, cudaDataType executionType);
__UW_HEAD __UW_EX(AsumEx)(cublasHandle_t handle, __UW_INT n, const void *x, cudaDataType xType, __UW_INT incx,
                          void *result, cudaDataType resultType, cudaDataType executionType);
__UW_HEAD __UW_EX(IamaxEx)(cublasHandle_t handle, __UW_INT n, const void *x, cudaDataType xType, __UW_INT incx,
                           __UW_INT *result);
__UW_HEAD __UW_EX(IaminEx)(cublasHandle_t handle, __UW_INT n, const void *x, cudaDataType xType, __UW_INT incx,
                           __UW_INT *result);
__UW_HEAD __UW_EX(DotEx)(cublasHandle_t handle, __UW_INT n, const void *x, cudaDataType xType, __UW_INT incx,
                         const void *y, cudaDataType yType, __UW_INT incy, void *result, cudaDataType resultType,
                         cudaDataType executionType);
__UW_HEAD __UW_EX(DotcEx)(cublasHandle_t handle, __UW_INT n, const void *x, cudaDataType xType, __UW_INT incx,
                          const void *y, cudaDataType yType, __UW_INT incy, void *result, cudaDataType resultType,
                          cudaDataType executionType);
__UW_HEAD __UW_EX(ScalEx)(cublasHandle_t handle, __UW_INT n, const void *alpha, cudaDataType alphaType, void *x,
                          cudaDataType xType, __UW_INT incx, cudaDataType executionType);
__UW_HEAD __UW_EX(AxpyEx)(cublasHandle_t handle, __UW_INT n, const void *alpha, cudaDataType alphaType, const void *x,
                          cudaDataType xType, __UW_INT incx, void *y, cudaDataType yType, __UW_INT incy,
                          cudaDataType executiontype);
__UW_HEAD __UW_EX(CopyEx)(cublasHandle_t handle, __UW_INT n, const void *x, cudaDataType xType, __UW_INT incx, void *y,
                          cudaDataType yType, __UW_INT incy);
__UW_HEAD __UW_EX(SwapEx)(cublasHandle_t handle, __UW_INT n, void *x, cudaDataType xType, __UW_INT incx, void *y,
                          cudaDataType yType, __UW_INT incy);
__UW_HEAD __UW_EX(RotEx)(cublasHandle_t handle, __UW_INT n, void *x, cudaDataType xType, __UW_INT incx, void *y,
                         cudaDataType yType, __UW_INT incy, const void *c, const void *s, cudaDataType csType,
                         cudaDataType executiontype);
__UW_HEAD __UW_EX(RotmEx)(cublasHandle_t handle, __UW_INT n, void *x, cudaDataType xType, __UW_INT incx, void *y,
                          cudaDataType yType, __UW_INT incy, const void *param, cudaDataType paramType,
                          cudaDataType executiontype);

/* --- level 2 ------------------------------------------------------------------------------------------------------ */

#define __UW_LEVEL2(T, type)                                                                                           \
  __UW_HEAD __UW_V2(T##gemv)(cublasHandle_t handle, cublasOperation_t trans, __UW_INT m, __UW_INT n,                   \
                             const type *alpha, const type *A, __UW_INT lda, const type *x, __UW_INT incx,             \
                             const type *beta, type *y, __UW_INT incy);                                                \
  __UW_HEAD __UW_V2(T##gbmv)(cublasHandle_t handle, cublasOperation_t trans, __UW_INT m, __UW_INT n, __UW_INT kl,      \
                             __UW_INT ku, const type *alpha, const type *A, __UW_INT lda, const type *x,               \
                             __UW_INT incx, const type *beta, type *y, __UW_INT incy);                                 \
  __UW_TRIANGULAR(T##trmv, T##trsv, , const type *A __UW_COMMA __UW_INT lda, type)                                     \
  __UW_TRIANGULAR(T##tbmv, T##tbsv, __UW_INT k __UW_COMMA, const type *A __UW_COMMA __UW_INT lda, type)                \
  __UW_TRIANGULAR(T##tpmv, T##tpsv, , const type *AP, type)                                                            \
  __UW_SYMMETRIC_VECTOR(T##symv, type)                                                                                 \
  __UW_RANK1(T##syr, type, type, __UW_COMMA __UW_INT lda)                                                              \
  __UW_RANK2(T##syr2, type, __UW_COMMA __UW_INT lda)                                                                   \
  __UW_HEAD __UW_EX(T##gemvBatched)(cublasHandle_t handle, cublasOperation_t trans, __UW_INT m, __UW_INT n,            \
                                    const type *alpha, const type *const Aarray[], __UW_INT lda,                       \
                                    const type *const xarray[], __UW_INT incx, const type *beta, type *const yarray[], \
                                    __UW_INT incy, __UW_INT batchCount);                                               \
  __UW_HEAD __UW_EX(T##gemvStridedBatched)(cublasHandle_t handle, cublasOperation_t trans, __UW_INT m, __UW_INT n,     \
                                           const type *alpha, const type *A, __UW_INT lda, long long int strideA,      \
                                           const type *x, __UW_INT incx, long long int stridex, const type *beta,      \
                                           type *y, __UW_INT incy, long long int stridey, __UW_INT batchCount);
#define __UW_COMMA ,
#define __UW_TRIANGULAR(product, solve, band, matrix, type)                                                            \
  __UW_HEAD __UW_V2(product)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                    \
                             cublasDiagType_t diag, __UW_INT n, band matrix, type * x, __UW_INT incx);                 \
  __UW_HEAD __UW_V2(solve)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                      \
                           cublasDiagType_t diag, __UW_INT n, band matrix, type * x, __UW_INT incx);
#define __UW_SYMMETRIC_VECTOR(name, type)                                                                              \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, __UW_INT n, const type *alpha, const type *A,  \
                          __UW_INT lda, const type *x, __UW_INT incx, const type *beta, type *y, __UW_INT incy);
#define __UW_SYMMETRIC_BAND(name, type)                                                                                \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, __UW_INT n, __UW_INT k, const type *alpha,     \
                          const type *A, __UW_INT lda, const type *x, __UW_INT incx, const type *beta, type *y,        \
                          __UW_INT incy);
#define __UW_SYMMETRIC_PACKED(name, type)                                                                              \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, __UW_INT n, const type *alpha, const type *AP, \
                          const type *x, __UW_INT incx, const type *beta, type *y, __UW_INT incy);
#define __UW_RANK1(name, type, scalar, ld)                                                                             \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, __UW_INT n, const scalar *alpha,               \
                          const type *x, __UW_INT incx, type *A ld);
#define __UW_RANK2(name, type, ld)                                                                                     \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, __UW_INT n, const type *alpha, const type *x,  \
                          __UW_INT incx, const type *y, __UW_INT incy, type *A ld);
#define __UW_GER(name, type)                                                                                           \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, __UW_INT m, __UW_INT n, const type *alpha, const type *x,             \
                          __UW_INT incx, const type *y, __UW_INT incy, type *A, __UW_INT lda);
// clang-format off
#define __UW_REAL2(T, type)                                                                                             \
  __UW_SYMMETRIC_BAND(T##sbmv, type)                                                                                    \
  __UW_SYMMETRIC_PACKED(T##spmv, type)                                                                                  \
  __UW_RANK1(T##spr, type, type, )                                                                                      \
  __UW_RANK2(T##spr2, type, )                                                                                           \
  __UW_GER(T##ger, type)
#define __UW_HERMITIAN2(T, type, real)                                                                                  \
  __UW_SYMMETRIC_VECTOR(T##hemv, type)                                                                                  \
  __UW_SYMMETRIC_BAND(T##hbmv, type)                                                                                    \
  __UW_SYMMETRIC_PACKED(T##hpmv, type)                                                                                  \
  __UW_RANK1(T##her, type, real, __UW_COMMA __UW_INT lda)                                                               \
  __UW_RANK1(T##hpr, type, real, )                                                                                      \
  __UW_RANK2(T##her2, type, __UW_COMMA __UW_INT lda)                                                                    \
  __UW_RANK2(T##hpr2, type, )                                                                                           \
  __UW_GER(T##geru, type)                                                                                               \
  __UW_GER(T##gerc, type)
// clang-format on
__UW_S4(__UW_LEVEL2)
__UW_S2(__UW_REAL2)
__UW_HERMITIAN2(C, cuComplex, float)
__UW_HERMITIAN2(Z, cuDoubleComplex, double)

/* Matrix and x of half or bfloat16, y of the same or of float; scalars of float. */
#define __UW_HALF_GEMV(letters, type, result)                                                                          \
  __UW_HEAD __UW_EX(letters##gemvBatched)(cublasHandle_t handle, cublasOperation_t trans, __UW_INT m, __UW_INT n,      \
                                          const float *alpha, const type *const Aarray[], __UW_INT lda,                \
                                          const type *const xarray[], __UW_INT incx, const float *beta,                \
                                          result *const yarray[], __UW_INT incy, __UW_INT batchCount);                 \
  __UW_HEAD __UW_EX(letters##gemvStridedBatched)(                                                                      \
      cublasHandle_t handle, cublasOperation_t trans, __UW_INT m, __UW_INT n, const float *alpha, const type *A,       \
      __UW_INT lda, long long int strideA, const type *x, __UW_INT incx, long long int stridex, const float *beta,     \
      result *y, __UW_INT incy, long long int stridey, __UW_INT batchCount);
__UW_HALF_GEMV(HSH, __half, __half)
__UW_HALF_GEMV(HSS, __half, float)
__UW_HALF_GEMV(TST, __nv_bfloat16, __nv_bfloat16)
__UW_HALF_GEMV(TSS, __nv_bfloat16, float)

/* --- level 3 ------------------------------------------------------------------------------------------------------ */

#define __UW_GEMM(name, type)                                                                                          \
  __UW_HEAD name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, __UW_INT m, __UW_INT n,    \
                 __UW_INT k, const type *alpha, const type *A, __UW_INT lda, const type *B, __UW_INT ldb,              \
                 const type *beta, type *C, __UW_INT ldc);
#define __UW_GEMM_BATCHED(letters, kind, type)                                                                         \
  __UW_HEAD __UW_EX(letters##kind##Batched)(                                                                           \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, __UW_INT m, __UW_INT n, __UW_INT k,   \
      const type *alpha, const type *const Aarray[], __UW_INT lda, const type *const Barray[], __UW_INT ldb,           \
      const type *beta, type *const Carray[], __UW_INT ldc, __UW_INT batchCount);                                      \
  __UW_HEAD __UW_EX(letters##kind##StridedBatched)(                                                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, __UW_INT m, __UW_INT n, __UW_INT k,   \
      const type *alpha, const type *A, __UW_INT lda, long long int strideA, const type *B, __UW_INT ldb,              \
      long long int strideB, const type *beta, type *C, __UW_INT ldc, long long int strideC, __UW_INT batchCount);
#define __UW_PAIR3(name, type, scalar)                                                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, __UW_INT n, __UW_INT k, const type *alpha,   \
   const type *A, __UW_INT lda, const type *B, __UW_INT ldb, const scalar *beta, type *C, __UW_INT ldc)
#define __UW_RANK_K(name, type, scalar)                                                                                \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, __UW_INT n,           \
                          __UW_INT k, const scalar *alpha, const type *A, __UW_INT lda, const scalar *beta, type *C,   \
                          __UW_INT ldc);
#define __UW_SIDED(name, type)                                                                                         \
  __UW_HEAD __UW_V2(name)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, __UW_INT m, __UW_INT n, \
                          const type *alpha, const type *A, __UW_INT lda, const type *B, __UW_INT ldb,                 \
                          const type *beta, type *C, __UW_INT ldc);
#define __UW_LEVEL3(T, type)                                                                                           \
  __UW_GEMM(__UW_V2(T##gemm), type)                                                                                    \
  __UW_GEMM_BATCHED(T, gemm, type)                                                                                     \
  __UW_RANK_K(T##syrk, type, type)                                                                                     \
  __UW_HEAD __UW_V2(T##syr2k) __UW_PAIR3(, type, type);                                                                \
  __UW_HEAD __UW_EX(T##syrkx) __UW_PAIR3(, type, type);                                                                \
  __UW_SIDED(T##symm, type)                                                                                            \
  __UW_HEAD __UW_V2(T##trsm)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                      \
                             cublasOperation_t trans, cublasDiagType_t diag, __UW_INT m, __UW_INT n,                   \
                             const type *alpha, const type *A, __UW_INT lda, type *B, __UW_INT ldb);                   \
  /* C = alpha * op(A) * B, not in place unless C is B. */                                                             \
  __UW_HEAD __UW_V2(T##trmm)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                      \
                             cublasOperation_t trans, cublasDiagType_t diag, __UW_INT m, __UW_INT n,                   \
                             const type *alpha, const type *A, __UW_INT lda, const type *B, __UW_INT ldb, type *C,     \
                             __UW_INT ldc);                                                                            \
  __UW_HEAD __UW_EX(T##trsmBatched)(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,               \
                                    cublasOperation_t trans, cublasDiagType_t diag, __UW_INT m, __UW_INT n,            \
                                    const type *alpha, const type *const A[], __UW_INT lda, type *const B[],           \
                                    __UW_INT ldb, __UW_INT batchCount);                                                \
  __UW_HEAD __UW_EX(T##geam)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, __UW_INT m,    \
                             __UW_INT n, const type *alpha, const type *A, __UW_INT lda, const type *beta,             \
                             const type *B, __UW_INT ldb, type *C, __UW_INT ldc);                                      \
  __UW_HEAD __UW_EX(T##dgmm)(cublasHandle_t handle, cublasSideMode_t mode, __UW_INT m, __UW_INT n, const type *A,      \
                             __UW_INT lda, const type *x, __UW_INT incx, type *C, __UW_INT ldc);
#define __UW_HERMITIAN3(T, type, real)                                                                                 \
  __UW_RANK_K(T##herk, type, real)                                                                                     \
  __UW_HEAD __UW_V2(T##her2k) __UW_PAIR3(, type, real);                                                                \
  __UW_HEAD __UW_EX(T##herkx) __UW_PAIR3(, type, real);                                                                \
  __UW_SIDED(T##hemm, type)                                                                                            \
  __UW_GEMM(__UW_EX(T##gemm3m), type)
__UW_S4(__UW_LEVEL3)
__UW_HERMITIAN3(C, cuComplex, float)
__UW_HERMITIAN3(Z, cuDoubleComplex, double)
__UW_GEMM(__UW_EX(Hgemm), __half)
__UW_GEMM_BATCHED(H, gemm, __half)
__UW_GEMM_BATCHED(C, gemm3m, cuComplex)

/* Many groups of products, all shapes of which lie in arrays of the host; those of pointers are the device's. */
#define __UW_GROUPED(T, type)                                                                                          \
  __UW_HEAD __UW_EX(T##gemmGroupedBatched)(                                                                            \
      cublasHandle_t handle, const cublasOperation_t transa_array[], const cublasOperation_t transb_array[],           \
      const __UW_INT m_array[], const __UW_INT n_array[], const __UW_INT k_array[], const type alpha_array[],          \
      const type *const Aarray[], const __UW_INT lda_array[], const type *const Barray[], const __UW_INT ldb_array[],  \
      const type beta_array[], type *const Carray[], const __UW_INT ldc_array[], __UW_INT group_count,                 \
      const __UW_INT group_size[]);
__UW_S2(__UW_GROUPED)

/* Types of elements given at run time. */
#define __UW_GEMM_EX(name, type)                                                                                       \
  __UW_HEAD __UW_EX(name)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, __UW_INT m,       \
                          __UW_INT n, __UW_INT k, const type *alpha, const void *A, cudaDataType Atype, __UW_INT lda,  \
                          const void *B, cudaDataType Btype, __UW_INT ldb, const type *beta, void *C,                  \
                          cudaDataType Ctype, __UW_INT ldc);
__UW_GEMM_EX(SgemmEx, float)
__UW_GEMM_EX(CgemmEx, cuComplex)
__UW_GEMM_EX(Cgemm3mEx, cuComplex)
__UW_HEAD __UW_EX(GemmEx)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, __UW_INT m,
                          __UW_INT n, __UW_INT k, const void *alpha, const void *A, cudaDataType Atype, __UW_INT lda,
                          const void *B, cudaDataType Btype, __UW_INT ldb, const void *beta, void *C,
                          cudaDataType Ctype, __UW_INT ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
__UW_HEAD __UW_EX(GemmBatchedEx)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, __UW_INT m,
                                 __UW_INT n, __UW_INT k, const void *alpha, const void *const Aarray[],
                                 cudaDataType Atype, __UW_INT lda, const void *const Barray[], cudaDataType Btype,
                                 __UW_INT ldb, const void *beta, void *const Carray[], cudaDataType Ctype, __UW_INT ldc,
                                 __UW_INT batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
__UW_HEAD __UW_EX(GemmStridedBatchedEx)(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                        __UW_INT m, __UW_INT n, __UW_INT k, const void *alpha, const void *A,
                                        cudaDataType Atype, __UW_INT lda, long long int strideA, const void *B,
                                        cudaDataType Btype, __UW_INT ldb, long long int strideB, const void *beta,
                                        void *C, cudaDataType Ctype, __UW_INT ldc, long long int strideC,
                                        __UW_INT batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
__UW_HEAD __UW_EX(GemmGroupedBatchedEx)(cublasHandle_t handle, const cublasOperation_t transa_array[],
                                        const cublasOperation_t transb_array[], const __UW_INT m_array[],
                                        const __UW_INT n_array[], const __UW_INT k_array[], const void *alpha_array,
                                        const void *const Aarray[], cudaDataType_t Atype, const __UW_INT lda_array[],
                                        const void *const Barray[], cudaDataType_t Btype, const __UW_INT ldb_array[],
                                        const void *beta_array, void *const Carray[], cudaDataType_t Ctype,
                                        const __UW_INT ldc_array[], __UW_INT group_count, const __UW_INT group_size[],
                                        cublasComputeType_t computeType);
#define __UW_RANK_K_EX(name, scalar)                                                                                   \
  __UW_HEAD __UW_EX(name)(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, __UW_INT n,           \
                          __UW_INT k, const scalar *alpha, const void *A, cudaDataType Atype, __UW_INT lda,            \
                          const scalar *beta, void *C, cudaDataType Ctype, __UW_INT ldc);
__UW_RANK_K_EX(CsyrkEx, cuComplex)
__UW_RANK_K_EX(Csyrk3mEx, cuComplex)
__UW_RANK_K_EX(CherkEx, float)
__UW_RANK_K_EX(Cherk3mEx, float)

#undef __UW_HEAD
#undef __UW_S4
#undef __UW_S2
#undef __UW_C2
#undef __UW_NORMS
#undef __UW_LEVEL1
#undef __UW_DOT
#undef __UW_REAL_ON_COMPLEX
#undef __UW_ROTM
#undef __UW_LEVEL2
#undef __UW_COMMA
#undef __UW_TRIANGULAR
#undef __UW_SYMMETRIC_VECTOR
#undef __UW_SYMMETRIC_BAND
#undef __UW_SYMMETRIC_PACKED
#undef __UW_RANK1
#undef __UW_RANK2
#undef __UW_GER
#undef __UW_REAL2
#undef __UW_HERMITIAN2
#undef __UW_HALF_GEMV
#undef __UW_GEMM
#undef __UW_GEMM_BATCHED
#undef __UW_PAIR3
#undef __UW_RANK_K
#undef __UW_SIDED
#undef __UW_LEVEL3
#undef __UW_HERMITIAN3
#undef __UW_GROUPED
#undef __UW_GEMM_EX
#undef __UW_RANK_K_EX
#undef __UW_INT
#undef __UW_V2
#undef __UW_EX
