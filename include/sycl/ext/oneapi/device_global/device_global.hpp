// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header by which programs include an extension, which sycl.hpp has.
#ifndef UNWARP_SYCL_EXT_ONEAPI_DEVICE_GLOBAL_DEVICE_GLOBAL_HPP
#define UNWARP_SYCL_EXT_ONEAPI_DEVICE_GLOBAL_DEVICE_GLOBAL_HPP

#include <sycl/sycl.hpp>

#endif
