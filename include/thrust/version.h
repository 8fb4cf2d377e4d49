/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Thrust is a package of its own here, in /usr/include or where -I says. A tool kit has it beside its own headers, where
 * projects look for this file, and in its text for the version; so here is the way to the next one. */
#if defined __GNUC__ || defined __clang__
#pragma GCC system_header
#endif
#if __has_include_next(<thrust/version.h>)
#include_next <thrust/version.h>
#else
#error Thrust is a matter of headers: apt-get install libthrust-dev libcub-dev, or -I of the folders of CCCL
#endif
/* What Debian has, for who reads the text; who compiles it has the version that is there.
#define THRUST_VERSION 101702
*/
