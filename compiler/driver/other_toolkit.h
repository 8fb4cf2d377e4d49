/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A CUDA tool kit of NVIDIA's where compilers look without being told. */
#ifndef UW_DRIVER_OTHER_TOOLKIT_H
#define UW_DRIVER_OTHER_TOOLKIT_H

#include "../support/strings.h"

/* The folders among those that clang looks through without -I that have its headers. */
uw_strings uw_other_toolkit_folders(void);
/* A file for clang's -ivfsoverlay by which those headers are not there; null if there is nothing to hide, or after a
 * message. */
const char *uw_hide_other_toolkit(void);

#endif
