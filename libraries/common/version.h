/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The version of the library that this is a part of. A program that --cuda-version was said for asks by names of that
 * version (include/unwarp/version.h): each function that answers is there for each. */
#ifndef UWLIB_VERSION_H
#define UWLIB_VERSION_H

#include "../../include/unwarp/library_versions.h"

extern const int uwlib_version[3]; /* major, minor, patch: of the soname */

static inline int uwlib_version_number(const int *version, int major) { /* major: what the first number counts as */
  return version[0] * major + version[1] * 100 + version[2];
}

/* TELL(suffix, version, number of CUDA's) for the plain name, and for each version that the headers name. */
#define UWLIB_FOR_EACH_VERSION(TELL, LIBRARY)                                                                          \
  TELL(, uwlib_version, CUDART_VERSION)                                                                                \
  UWLIB_FOR_VERSION(TELL, LIBRARY, 11080)                                                                              \
  UWLIB_FOR_VERSION(TELL, LIBRARY, 12090)                                                                              \
  UWLIB_FOR_VERSION(TELL, LIBRARY, 13000)                                                                              \
  UWLIB_FOR_VERSION(TELL, LIBRARY, 13010)
#define UWLIB_FOR_VERSION(TELL, LIBRARY, cuda)                                                                         \
  TELL(_##cuda, ((const int[]){UNWARP_APPLY(UNWARP_FIRST_THREE, UNWARP_##LIBRARY##_##cuda)}), cuda)
#define UWLIB_TELLS __attribute__((visibility("default")))

#endif
