/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libomp's workers, by names that only libomp has. A program may bring libgomp along, by its host compiler or a build
 * system that links it; whichever of the two stands first then answers to omp_get_thread_num and its like, and libgomp
 * knows nothing of the regions of libomp. (openmp/runtime/src/kmp_csupport.cpp, exports_so.txt.) */
#ifndef UWRT_WORKERS_H
#define UWRT_WORKERS_H

#include "uwrt.h"

/* In a parallel region, of its team; the argument is not looked at. */
int32_t __kmpc_bound_thread_num(void *place);
int32_t __kmpc_bound_num_threads(void *place);

/* Regions; count: of the arguments after share, which libomp passes on. place may be shared by all. */
void __kmpc_fork_call(uwrt_omp_place *place, int32_t count, uwrt_share *share, ...);
void __kmpc_fork_call_if(uwrt_omp_place *place, int32_t count, uwrt_share *share, int32_t wanted, void *data);
void __kmpc_push_num_threads(uwrt_omp_place *place, int32_t thread, int32_t workers);
int32_t __kmpc_in_parallel(uwrt_omp_place *place); /* an active one */

/* All workers of the team wait for all. thread: what the second function says. */
void __kmpc_barrier(uwrt_omp_place *place, int32_t thread);
int32_t __kmpc_global_thread_num(uwrt_omp_place *place);

int kmp_get_blocktime(void); /* milliseconds that workers wait before they sleep */

/* As omp_set_num_threads: of the calling thread's next regions. */
void ompc_set_num_threads(int threads);

#endif
