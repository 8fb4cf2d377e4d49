/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUB is a package of its own here, in /usr/include or where -I says. A tool kit has it beside its own headers, where
 * projects look for this file, and in its text for the version; so here is the way to the next one. */
#if defined __GNUC__ || defined __clang__
#pragma GCC system_header
#endif
#if __has_include_next(<cub/version.cuh>)
#include_next <cub/version.cuh>
#else
#error CUB is a matter of headers: apt-get install libcub-dev, or -I of the folders of CCCL
#endif
/* What Debian has, for who reads the text; who compiles it has the version that is there.
#define CUB_VERSION 101702
*/
