// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of SYCL by its name in sycl_khr_includes: here it is all of it.
#ifndef UNWARP_SYCL_KHR_INCLUDES_VERSION_HPP
#define UNWARP_SYCL_KHR_INCLUDES_VERSION_HPP

#include <sycl/sycl.hpp>

#endif
