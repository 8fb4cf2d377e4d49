// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header by which programs include an extension, which sycl.hpp has.
#ifndef UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_BFLOAT16_MATH_HPP
#define UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_BFLOAT16_MATH_HPP

#include <sycl/sycl.hpp>

#endif
