// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of 64 bytes and how a word of one is mixed into a state, the same in both programs of the pair.
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include "../../common/bench.h"

enum { MESSAGE = 64, WORDS = MESSAGE / 4 };

static inline unsigned char *make_messages(int count) {
  unsigned char *bytes = (unsigned char *)bench_allocate((size_t)count * MESSAGE);
  uint32_t state = 93;
  for (size_t i = 0; i < (size_t)count * MESSAGE; i++)
    bytes[i] = (unsigned char)bench_random(&state);
  return bytes;
}

#endif
