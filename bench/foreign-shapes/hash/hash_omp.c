// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of texts (FNV-1a, 64 bits) by hand: eight texts at once in a vector, eight letters a load, those that are
// through keep their hash. Arguments: texts, iterations.
#include "texts.h"

enum { LANES = 8 };
typedef uint64_t vector __attribute__((vector_size(LANES * sizeof(uint64_t))));
typedef int64_t places __attribute__((vector_size(LANES * sizeof(int64_t))));

static vector hash_group(const unsigned char *letters, const int *starts, vector value) {
  places left;
  int longest = 0;
  for (int lane = 0; lane < LANES; lane++) {
    const int length = starts[lane + 1] - starts[lane];
    left[lane] = length;
    longest = length > longest ? length : longest;
  }
  for (int done = 0; done < longest; done += 8) {
    vector word;
    for (int lane = 0; lane < LANES; lane++) {
      const int place = starts[lane] + (left[lane] > 0 ? done : 0);
      uint64_t eight;
      memcpy(&eight, letters + place, 8);
      word[lane] = eight;
    }
    for (int k = 0; k < 8; k++) {
      const vector next = (value ^ (word & 255)) * HASH_FACTOR, going = (vector)(left > 0);
      value = (next & going) | (value & ~going);
      word >>= 8;
      left -= 1;
    }
  }
  return value;
}

static void hash(const unsigned char *restrict letters, const int *restrict starts, uint64_t *restrict hashes,
                 int count, uint64_t start) {
  const int whole = count / LANES * LANES;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < whole; i += LANES) {
    const vector value = hash_group(letters, starts + i, (vector){0} + start);
    memcpy(hashes + i, &value, sizeof value);
  }
  for (int i = whole; i < count; i++) {
    hashes[i] = start;
    for (int k = starts[i]; k < starts[i + 1]; k++)
      hashes[i] = (hashes[i] ^ letters[k]) * HASH_FACTOR;
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 18, 1, "texts");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  texts t = make_texts(count);
  uint64_t *hashes = bench_allocate(count * sizeof(uint64_t));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    hash(t.letters, t.starts, hashes, count, HASH_START + iteration);
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)hashes, (size_t)count * 2);
  return 0;
}
