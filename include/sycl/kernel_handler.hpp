// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::kernel_handler (SYCL 2020, section 4.9.5).
#ifndef UNWARP_SYCL_KERNEL_HANDLER_HPP
#define UNWARP_SYCL_KERNEL_HANDLER_HPP

namespace sycl {
inline namespace _V1 {

class kernel_handler {};

} // namespace _V1
} // namespace sycl
#endif
