/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The version of the library that this is a part of. */
#ifndef UWLIB_VERSION_H
#define UWLIB_VERSION_H

extern const int uwlib_version[3]; /* major, minor, patch */

static inline int uwlib_version_number(int major) { /* major: what the first number counts as */
  return uwlib_version[0] * major + uwlib_version[1] * 100 + uwlib_version[2];
}

#endif
