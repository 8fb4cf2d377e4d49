// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of up to 1,500 bytes, one after the other, the same in both programs of the pair.
#ifndef BENCH_RECORDS_H
#define BENCH_RECORDS_H

#include "../../common/bench.h"

#define DIGEST_SPREAD 0x9E3779B97F4A7C15u
#define DIGEST_FACTOR 1099511628211u

typedef struct records {
  int count;
  int *starts; // count + 1 positions in bytes
  unsigned char *bytes;
} records;

static inline records make_records(int count) {
  records r;
  uint32_t state = 81;
  r.count = count;
  r.starts = (int *)bench_allocate((count + 1) * sizeof(int));
  for (int i = 0; i < count; i++)
    r.starts[i + 1] = r.starts[i] + (int)(bench_random(&state) % 1500);
  r.bytes = (unsigned char *)bench_allocate(r.starts[count] + 8);
  for (int i = 0; i < r.starts[count]; i++)
    r.bytes[i] = (unsigned char)bench_random(&state);
  return r;
}

#endif
