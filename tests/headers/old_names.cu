/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every header by its name, in an order that no program has, each twice.
 */
#include <cooperative_groups/details/async.h>
#include <cooperative_groups/details/coalesced_reduce.h>
#include <cooperative_groups/details/coalesced_scan.h>
#include <cooperative_groups/details/driver_abi.h>
#include <cooperative_groups/details/functional.h>
#include <cooperative_groups/details/helpers.h>
#include <cooperative_groups/details/info.h>
#include <cooperative_groups/details/invoke.h>
#include <cooperative_groups/details/memory.h>
#include <cooperative_groups/details/partitioning.h>
#include <cooperative_groups/details/reduce.h>
#include <cooperative_groups/details/scan.h>
#include <cooperative_groups/details/sync.h>
#include <crt/device_double_functions.hpp>
#include <crt/mma.h>
#include <crt/mma.hpp>
#include <crt/sm_100_rt.h>
#include <crt/sm_100_rt.hpp>
#include <crt/sm_80_rt.hpp>
#include <crt/sm_90_rt.hpp>
#include <cudaProfilerTypedefs.h>
#include <cuda_awbarrier_helpers.h>
#include <cuda_bf16.hpp>
#include <cuda_fp16.hpp>
#include <cuda_fp4.hpp>
#include <cuda_fp6.hpp>
#include <cuda_fp8.hpp>
#include <cuda_pipeline_helpers.h>
#include <cuda_stdint.h>
#include <cudalibxt.h>
#include <cudart_platform.h>
#include <curand_discrete.h>
#include <curand_discrete2.h>
#include <curand_globals.h>
#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_normal_static.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_precalc.h>
#include <curand_uniform.h>
#include <device_atomic_functions.hpp>
#include <sm_20_atomic_functions.hpp>
#include <sm_20_intrinsics.hpp>
#include <sm_30_intrinsics.hpp>
#include <sm_32_atomic_functions.hpp>
#include <sm_32_intrinsics.hpp>
#include <sm_60_atomic_functions.hpp>
#include <sm_61_intrinsics.hpp>
#include <vector_functions.hpp>
#include <sm_61_intrinsics.h>
#include <math_functions.h>
#include <vector_functions.h>
#include <math_constants.h>
#include <cuda_fp16.h>
#include <device_launch_parameters.h>
#include <cooperative_groups/scan.h>
#include <device_functions.h>
#include <cuda_runtime_api.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cuda_device_runtime_api.h>
#include <channel_descriptor.h>
#include <driver_functions.h>
#include <common_functions.h>
#include <host_config.h>
#include <host_defines.h>
#include <builtin_types.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <sm_11_atomic_functions.h>
#include <sm_12_atomic_functions.h>
#include <sm_13_double_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <crt/host_defines.h>
#include <crt/host_config.h>
#include <crt/device_functions.h>
#include <crt/math_functions.h>
#include <crt/common_functions.h>
#include <crt/device_double_functions.h>
#include <cuComplex.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
/* The standard headers after the prelude, in which device overloads are already there. */
#include <algorithm>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>
#include <math.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

__global__ void kernel(float *f, double *d, cuFloatComplex *c, cuDoubleComplex *z) {
  f[0] = CUDART_PI_F + CUDART_INF_F + CUDART_SQRT_TWO_F + FLT_MAX + std::numeric_limits<float>::max();
  d[0] = CUDART_PI + CUDART_LN2_HI + CUDART_LN2_LO + CUDART_NAN;
  c[0] = cuCaddf(cuCmulf(c[1], c[2]), make_cuFloatComplex(1, 2));
  z[0] = cuCdiv(cuCsub(z[1], z[2]), make_cuDoubleComplex(cuCabs(z[3]), cuCreal(cuConj(z[4]))));
  z[1] = cuCfma(z[1], z[2], z[3]);
}
int main() {
  std::vector<int> v(4, 3);
  std::complex<double> c(1, 2);
  std::string s = "x";
  return std::max(v[0], v[1]) + (int)std::abs(c) + (int)s.size() + (CUDA_VERSION == CUDART_VERSION);
}
