/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: what is not done is refused. Programs try several ways and may go on without; the first time, a note says that
 * it was cuDNN that was asked.
 */
#include "../../runtime/driver.h"
#include "internal.h"

#include <stdatomic.h>
#include <stdio.h>

static _Thread_local const char *last;

const char *uwdnn_last_refused(void) { return last; }

static cudnnStatus_t refuse(const char *name) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  last = name;
  uwrt_trace_refused(name);
  if (!atomic_flag_test_and_set(&told))
    fprintf(stderr,
            "unwarp: note: the program asks cuDNN for %s, which unwarp's cuDNN does not have: it returns "
            "CUDNN_STATUS_NOT_SUPPORTED\n",
            name);
  return CUDNN_STATUS_NOT_SUPPORTED;
}

/* Arguments, of whatever types, are not looked at. */
#define UW_REFUSED(name)                                                                                               \
  __attribute__((visibility("default"))) cudnnStatus_t name(const void *argument, ...);                                \
  cudnnStatus_t name(const void *argument, ...) {                                                                      \
    (void)argument;                                                                                                    \
    return refuse(#name);                                                                                              \
  }
#include "refused.def"
