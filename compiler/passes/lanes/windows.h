/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What windows.c and fuse_windows.c agree on. */
#ifndef UW_WINDOWS_H
#define UW_WINDOWS_H

/* On a loop of vectors that windows.c made. */
#define UW_WINDOWS "unwarp.windows"

#endif
