/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Types of pointers to the functions of cudaProfiler.h, as cudaTypedefs.h has those of cuda.h. */
#ifndef CUDAPROFILERTYPEDEFS_H
#define CUDAPROFILERTYPEDEFS_H

#include "cudaProfiler.h"

typedef __typeof__(&cuProfilerInitialize) PFN_cuProfilerInitialize_v4000, PFN_cuProfilerInitialize;
typedef __typeof__(&cuProfilerStart) PFN_cuProfilerStart_v4000, PFN_cuProfilerStart;
typedef __typeof__(&cuProfilerStop) PFN_cuProfilerStop_v4000, PFN_cuProfilerStop;

#endif
