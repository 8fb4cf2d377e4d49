/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of the runtime in a process: copies.c. */
#ifndef UWRT_COPIES_H
#define UWRT_COPIES_H

/* Before kernels are registered: follows the copy that leads, if that is another one. */
void uwrt_find_leader(void);
/* Code of the copy that this one follows, or null. Not in the shared runtime, which leads. */
const void *uwrt_leader(void);

#endif
