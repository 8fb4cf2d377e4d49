/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuSOLVER's functions for sparse matrices (cuSOLVER documentation): types and names. None is done: each function returns
 * CUSOLVER_STATUS_NOT_SUPPORTED, whatever it is given.
 */
#ifndef CUSOLVERSP_H_
#define CUSOLVERSP_H_

#include "cublas_v2.h"
#include "cusolver_common.h"
#include "cusparse.h"

typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;

#ifdef __cplusplus
extern "C" {
#endif
#define UW_REFUSED(name, first) cusolverStatus_t CUSOLVERAPI name(first, ...);
#include "unwarp/refused/cusolverSp.def"
#ifdef __cplusplus
}
#endif

#endif
