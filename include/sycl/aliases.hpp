// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short names of scalar types (SYCL 2020, section 4.14.1), and those of OpenCL's sizes, which SYCL 1.2.1 has in sycl.
#ifndef UNWARP_SYCL_ALIASES_HPP
#define UNWARP_SYCL_ALIASES_HPP

#include <cstdint>

#include "half.hpp"

namespace sycl {
inline namespace _V1 {

using byte = std::uint8_t;
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

namespace opencl {
using cl_bool = bool;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_half = half;
using cl_float = float;
using cl_double = double;
} // namespace opencl
using namespace opencl;

} // namespace _V1
} // namespace sycl
#endif
