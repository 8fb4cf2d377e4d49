/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Thrust and CUB of the distribution. */
#ifndef UW_DRIVER_CCCL_H
#define UW_DRIVER_CCCL_H

#include "toolchain.h"

/* For clang's -ivfsoverlay: the files that stand in the place of those of CUB and Thrust. Null where there is no such
 * version. */
const char *uw_cccl_overlay(const uw_toolchain *toolchain);

/* The folder of those that the tool kit brings, which is looked through last; null if it brings none. */
const char *uw_cccl_folder(const uw_toolchain *toolchain);

#endif
