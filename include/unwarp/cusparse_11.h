/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuSPARSE had until CUDA 11: triangular systems. cusparse.h has it too, but for a program that defines UNWARP_CUSPARSE_12 since it declares
 * these names itself, as it may with NVIDIA's newer headers.
 */
typedef struct csrsv2Info *csrsv2Info_t;
cusparseStatus_t CUSPARSEAPI cusparseCreateCsrsv2Info(csrsv2Info_t *info);
cusparseStatus_t CUSPARSEAPI cusparseDestroyCsrsv2Info(csrsv2Info_t info);
cusparseStatus_t CUSPARSEAPI cusparseXcsrsv2_zeroPivot(cusparseHandle_t handle, csrsv2Info_t info, int *position);
cusparseStatus_t CUSPARSEAPI cusparseScsrsv2_bufferSize(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                        int nnz, const cusparseMatDescr_t descrA, float *csrSortedValA,
                                                        const int *csrSortedRowPtrA, const int *csrSortedColIndA,
                                                        csrsv2Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSEAPI cusparseScsrsv2_bufferSizeExt(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                           int nnz, const cusparseMatDescr_t descrA,
                                                           float *csrSortedValA, const int *csrSortedRowPtrA,
                                                           const int *csrSortedColIndA, csrsv2Info_t info,
                                                           size_t *pBufferSize);
cusparseStatus_t CUSPARSEAPI cusparseScsrsv2_analysis(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                      int nnz, const cusparseMatDescr_t descrA,
                                                      const float *csrSortedValA, const int *csrSortedRowPtrA,
                                                      const int *csrSortedColIndA, csrsv2Info_t info,
                                                      cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSEAPI cusparseScsrsv2_solve(cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz,
                                                   const float *alpha, const cusparseMatDescr_t descrA,
                                                   const float *csrSortedValA, const int *csrSortedRowPtrA,
                                                   const int *csrSortedColIndA, csrsv2Info_t info, const float *f,
                                                   float *x, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSEAPI cusparseDcsrsv2_bufferSize(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                        int nnz, const cusparseMatDescr_t descrA, double *csrSortedValA,
                                                        const int *csrSortedRowPtrA, const int *csrSortedColIndA,
                                                        csrsv2Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSEAPI cusparseDcsrsv2_bufferSizeExt(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                           int nnz, const cusparseMatDescr_t descrA,
                                                           double *csrSortedValA, const int *csrSortedRowPtrA,
                                                           const int *csrSortedColIndA, csrsv2Info_t info,
                                                           size_t *pBufferSize);
cusparseStatus_t CUSPARSEAPI cusparseDcsrsv2_analysis(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                      int nnz, const cusparseMatDescr_t descrA,
                                                      const double *csrSortedValA, const int *csrSortedRowPtrA,
                                                      const int *csrSortedColIndA, csrsv2Info_t info,
                                                      cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSEAPI cusparseDcsrsv2_solve(cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz,
                                                   const double *alpha, const cusparseMatDescr_t descrA,
                                                   const double *csrSortedValA, const int *csrSortedRowPtrA,
                                                   const int *csrSortedColIndA, csrsv2Info_t info, const double *f,
                                                   double *x, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSEAPI cusparseCcsrsv2_bufferSize(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                        int nnz, const cusparseMatDescr_t descrA,
                                                        cuComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                        const int *csrSortedColIndA, csrsv2Info_t info,
                                                        int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSEAPI cusparseCcsrsv2_bufferSizeExt(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                           int nnz, const cusparseMatDescr_t descrA,
                                                           cuComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                           const int *csrSortedColIndA, csrsv2Info_t info,
                                                           size_t *pBufferSize);
cusparseStatus_t CUSPARSEAPI cusparseCcsrsv2_analysis(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                      int nnz, const cusparseMatDescr_t descrA,
                                                      const cuComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                      const int *csrSortedColIndA, csrsv2Info_t info,
                                                      cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSEAPI cusparseCcsrsv2_solve(cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz,
                                                   const cuComplex *alpha, const cusparseMatDescr_t descrA,
                                                   const cuComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                   const int *csrSortedColIndA, csrsv2Info_t info, const cuComplex *f,
                                                   cuComplex *x, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSEAPI cusparseZcsrsv2_bufferSize(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                        int nnz, const cusparseMatDescr_t descrA,
                                                        cuDoubleComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                        const int *csrSortedColIndA, csrsv2Info_t info,
                                                        int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSEAPI cusparseZcsrsv2_bufferSizeExt(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                           int nnz, const cusparseMatDescr_t descrA,
                                                           cuDoubleComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                           const int *csrSortedColIndA, csrsv2Info_t info,
                                                           size_t *pBufferSize);
cusparseStatus_t CUSPARSEAPI cusparseZcsrsv2_analysis(cusparseHandle_t handle, cusparseOperation_t transA, int m,
                                                      int nnz, const cusparseMatDescr_t descrA,
                                                      const cuDoubleComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                      const int *csrSortedColIndA, csrsv2Info_t info,
                                                      cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSEAPI cusparseZcsrsv2_solve(cusparseHandle_t handle, cusparseOperation_t transA, int m, int nnz,
                                                   const cuDoubleComplex *alpha, const cusparseMatDescr_t descrA,
                                                   const cuDoubleComplex *csrSortedValA, const int *csrSortedRowPtrA,
                                                   const int *csrSortedColIndA, csrsv2Info_t info,
                                                   const cuDoubleComplex *f, cuDoubleComplex *x,
                                                   cusparseSolvePolicy_t policy, void *pBuffer);
