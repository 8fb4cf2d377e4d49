// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions for sparse matrices are declared, link, and say that they are not done.
#include "../check.h"
#include <cusolverRf.h>
#include <cusolverSp.h>

int main() {
  cusolverSpHandle_t handle = nullptr;
  cusolverRfHandle_t factors = nullptr;
  csrqrInfo_t info = nullptr;
  cusparseMatDescr_t description = nullptr;
  double value = 1;
  int row[] = {0, 1}, column = 0, singular = 5;
  CHECK(cusolverSpCreate(&handle) == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverSpCreateCsrqrInfo(&info) == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverSpDcsrlsvqr(handle, 1, 1, description, &value, row, &column, &value, 1e-12, 0, &value, &singular) ==
        CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(singular == 5);
  CHECK(cusolverRfCreate(&factors) == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverRfSetAlgs(factors, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1) ==
        CUSOLVER_STATUS_NOT_SUPPORTED);
  return report("sparse");
}
