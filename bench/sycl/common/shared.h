// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What SYCL programs have in common: square matrices of random numbers in buffers, and items of a range that know their
// row and column.
#ifndef BENCH_SYCL_SHARED_H
#define BENCH_SYCL_SHARED_H

#include <sycl/sycl.hpp>

#include "../../common/bench.h"

using matrix = sycl::buffer<float, 2>;
using row = sycl::buffer<float, 1>;
using sycl::handler, sycl::item, sycl::range;
using sycl::read_only, sycl::read_write, sycl::write_only, sycl::no_init;

#endif
