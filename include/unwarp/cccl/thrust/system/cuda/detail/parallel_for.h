/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A function called for each index below a count: a thread for each of them, which is what the compiler makes vectors
 * of. In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <thrust/system/cuda/config.h>
#include <thrust/system/cuda/detail/core/triple_chevron_launch.h>
#include <thrust/system/cuda/detail/par_to_seq.h>
#include <thrust/system/cuda/detail/util.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace __parallel_for { /* thrust::async calls it by this name */

enum { parallel_for_threads = 256 };

template <class F, class Size> __global__ void __launch_bounds__(parallel_for_threads) call_for_each(F f, Size count) {
  Size i = static_cast<Size>(blockIdx.x) * parallel_for_threads + threadIdx.x;
  if (i < count)
    f(i);
}

template <class F, class Size> THRUST_RUNTIME_FUNCTION cudaError_t parallel_for(Size count, F f, cudaStream_t stream) {
  if (count == 0)
    return cudaSuccess;
  unsigned blocks = static_cast<unsigned>((count + (parallel_for_threads - 1)) / parallel_for_threads);
  launcher::triple_chevron(dim3(blocks), dim3(parallel_for_threads), 0, stream).doit(call_for_each<F, Size>, f, count);
  return cudaPeekAtLastError();
}

} // namespace __parallel_for

__thrust_exec_check_disable__ template <class Derived, class F, class Size>
void __host__ __device__ parallel_for(execution_policy<Derived> &policy, F f, Size count) {
  if (count == 0)
    return;
  if (__THRUST_HAS_CUDART__) {
    cuda_cub::throw_on_error(__parallel_for::parallel_for(count, f, cuda_cub::stream(policy)), "parallel_for failed");
  } else {
#if !__THRUST_HAS_CUDART__
    for (Size i = 0; i != count; ++i)
      f(i);
#endif
  }
}

} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
