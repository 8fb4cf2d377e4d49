/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which package brings what is missing, in the words of the system at hand. */
#ifndef UW_DRIVER_PACKAGES_H
#define UW_DRIVER_PACKAGES_H

#include <stdbool.h>

typedef enum uw_need {
#define UW_PACKAGE(need, debian, fedora, opensuse, arch) UW_NEED_##need,
#include "packages.def"
#undef UW_PACKAGE
} uw_need;

/* "on Debian: apt-get install g++", by the system's name; for all systems that are known, where this one is none of
 * them. */
const char *uw_how_to_install(uw_need need);

/* The headers and start files of the C library and the C++ library, of which clang brings none. */
bool uw_has_c_library(void);
bool uw_has_cxx_library(void);

#endif
