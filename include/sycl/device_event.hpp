// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::device_event (SYCL 2020, section 4.7.8): what a group's copy waits for.
#ifndef UNWARP_SYCL_DEVICE_EVENT_HPP
#define UNWARP_SYCL_DEVICE_EVENT_HPP

#include "detail/compiler.hpp"

namespace sycl {
inline namespace _V1 {

class device_event {
public:
  void wait() const noexcept { detail::__unwarp_barrier(0); }
};

} // namespace _V1
} // namespace sycl
#endif
