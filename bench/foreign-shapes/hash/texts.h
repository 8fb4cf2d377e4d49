// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of 8 to 71 letters, one after the other, the same in both programs of the pair; eight letters more at the end
// may be read.
#ifndef BENCH_TEXTS_H
#define BENCH_TEXTS_H

#include "../../common/bench.h"

#define HASH_START 14695981039346656037u
#define HASH_FACTOR 1099511628211u

typedef struct texts {
  int count;
  int *starts; // count + 1 positions in letters
  unsigned char *letters;
} texts;

static inline texts make_texts(int count) {
  texts t;
  uint32_t state = 62;
  t.count = count;
  t.starts = (int *)bench_allocate((count + 1) * sizeof(int));
  for (int i = 0; i < count; i++)
    t.starts[i + 1] = t.starts[i] + 8 + (int)(bench_random(&state) % 64);
  t.letters = (unsigned char *)bench_allocate(t.starts[count] + 8);
  for (int i = 0; i < t.starts[count]; i++)
    t.letters[i] = (unsigned char)(bench_random(&state) % 96 + 32);
  return t;
}

#endif
