// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name from SYCL 1.2.1, with which cl::sycl comes.
#ifndef UNWARP_CL_SYCL_HPP
#define UNWARP_CL_SYCL_HPP

#include "../sycl/sycl.hpp"

namespace cl {
namespace sycl = ::sycl;
}
#endif
