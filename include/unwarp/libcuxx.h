/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the headers of libcu++ that unwarp has share (include/cuda, include/cuda/std): thread scopes, sizes with an
 * alignment, and cuda::std, which is the host's std: what is constexpr there may be called on the device, too.
 * (libcu++'s documentation, "Memory model", "Synchronization primitives".) A whole libcu++ is CCCL's, by -I; its
 * headers have the same names and come first.
 */
#ifndef __UW_LIBCUXX_H__
#define __UW_LIBCUXX_H__

#include "host_defines.h"
#include "scopes.h"
#include <cstddef>
#include <cstdint>

#define __UW_HD __host__ __device__ inline

namespace cuda {
namespace std {
using namespace ::std;
}

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

/* A size in bytes, and what it and both addresses of a copy are multiples of. */
template <::std::size_t __Alignment> struct aligned_size_t {
  static_assert(__Alignment != 0 && (__Alignment & (__Alignment - 1)) == 0, "an alignment is a power of two");
  static constexpr ::std::size_t align = __Alignment;
  ::std::size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(::std::size_t __bytes) : value(__bytes) {}
  __host__ __device__ constexpr operator ::std::size_t() const { return value; }
};
} // namespace cuda

#endif
