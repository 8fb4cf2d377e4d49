/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is there by name alone, by its table. */
#include "internal.h"

#include "../common/refused.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define UW_REFUSED(name, parameters) UWLIB_REFUSE_WHOLE(cublasStatus_t, CUBLAS_STATUS_NOT_SUPPORTED, name, parameters)
#include "../../include/unwarp/refused/cublas.def"
