/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What vectorize_strided.c and fuse_strided.c agree on. */
#ifndef UW_WINDOWS_H
#define UW_WINDOWS_H

/* On a loop of vectors that vectorize_strided.c made. */
#define UW_WINDOWS "unwarp.windows"

#endif
