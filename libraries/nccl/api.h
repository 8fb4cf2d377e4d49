/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How functions that programs call are written (api.c, memory.c). */
#ifndef UWNCCL_API_H
#define UWNCCL_API_H

#include "internal.h"

/* Each has a second name. */
#define NCCL(name, ...)                                                                                                \
  extern __typeof__(name) p##name __attribute__((alias(#name)));                                                       \
  ncclResult_t name(__VA_ARGS__)
#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    ncclResult_t result_of_call = (call);                                                                              \
    if (result_of_call != ncclSuccess)                                                                                 \
      return result_of_call;                                                                                           \
  } while (0)
#define REQUIRE(condition, ...)                                                                                        \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      return uwnccl_say(ncclInvalidArgument, __VA_ARGS__);                                                             \
  } while (0)

#endif
