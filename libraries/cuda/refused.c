/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a CPU has not, or what is not done, by its table: CUDA's code for that, and nothing else. */
#include "internal.h"
#pragma GCC visibility push(default)
#define UW_OWN_EGL_TYPES
#include "../../include/cudaEGL.h"
#pragma GCC visibility pop

/* What NVIDIA's own libraries share with NVIDIA's driver: tables of its own. Who asks is told once what it is. */
CUresult cuGetExportTable(const void **table, const CUuuid *id) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  (void)id;
  if (!atomic_flag_test_and_set(&told))
    uwcu_tell_caller(__builtin_return_address(0));
  if (table)
    *table = NULL;
  ANYWHERE(CUDA_ERROR_NOT_SUPPORTED);
}

/* The parameters' names are there to read; none is looked at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define UW_REFUSED(name, parameters)                                                                                   \
  CUresult name parameters { ANYWHERE(CUDA_ERROR_NOT_SUPPORTED); }
#include "../../include/unwarp/refused/cuda.def"
#define UW_REFUSED(name, parameters)                                                                                   \
  CUresult name parameters { ANYWHERE(CUDA_ERROR_NOT_SUPPORTED); }
#include "../../include/unwarp/refused/cudaEGL.def"
