// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which implementation it is, as programs ask: unwarp, and which of DPC++ it stands for, whose names it has (that of
// oneAPI 2025.0). Build systems read these lines, too.
#ifndef UNWARP_SYCL_VERSION_HPP
#define UNWARP_SYCL_VERSION_HPP

#define SYCL_IMPLEMENTATION_UNWARP 1
#define SYCL_IMPLEMENTATION_ONEAPI 1

#define __SYCL_COMPILER_VERSION 20241101
#define __LIBSYCL_MAJOR_VERSION 8
#define __LIBSYCL_MINOR_VERSION 0
#define __LIBSYCL_PATCH_VERSION 0

#endif
