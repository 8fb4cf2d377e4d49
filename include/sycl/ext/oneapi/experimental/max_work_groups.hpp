// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header by which programs include an extension, which sycl.hpp has.
#ifndef UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_MAX_WORK_GROUPS_HPP
#define UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_MAX_WORK_GROUPS_HPP

#include <sycl/sycl.hpp>

#endif
