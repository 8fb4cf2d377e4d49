/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of vectorize-strided, and what they agree on. */
#ifndef UW_WINDOWS_H
#define UW_WINDOWS_H

#include "../passes.h"

/* On a loop of vectors that vectorize_strided.c made. */
#define UW_WINDOWS "unwarp.windows"

uw_change uw_fuse_strided(uw_arena *arena, MlirOperation root); /* fuse_strided.c */

#endif
