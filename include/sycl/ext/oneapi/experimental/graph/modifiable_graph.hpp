// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header by which programs include an extension, which sycl.hpp has.
#ifndef UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_GRAPH_MODIFIABLE_GRAPH_HPP
#define UNWARP_SYCL_EXT_ONEAPI_EXPERIMENTAL_GRAPH_MODIFIABLE_GRAPH_HPP

#include <sycl/sycl.hpp>

#endif
