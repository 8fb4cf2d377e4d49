// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header by which programs for DPC++ include a part of SYCL: here it is all of it.
#ifndef UNWARP_SYCL_KHR_WORK_ITEM_QUERIES_HPP
#define UNWARP_SYCL_KHR_WORK_ITEM_QUERIES_HPP

#include <sycl/sycl.hpp>

#endif
