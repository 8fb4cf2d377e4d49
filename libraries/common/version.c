/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a library says of its version, which depends on its soname: compiled for each (libraries.mk).
 */
#include "version.h"

const int uwlib_version[3] = {UWLIB_VERSION};
