// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header by which programs for DPC++ include a part of SYCL: here it is all of it.
#ifndef UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_WORK_GROUP_MEMORY_HPP
#define UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_WORK_GROUP_MEMORY_HPP

#include <sycl/sycl.hpp>

#endif
