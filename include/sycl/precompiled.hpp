// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What unwarp's driver has clang precompile (compiler/driver/precompiled.c). Programs include sycl.hpp.
#ifndef UNWARP_SYCL_PRECOMPILED_HPP
#define UNWARP_SYCL_PRECOMPILED_HPP

#include <sycl/sycl.hpp> // by angle brackets, so that all of it is a system's header

#endif
