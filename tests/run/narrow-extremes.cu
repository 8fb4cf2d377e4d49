// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least and the greatest of bytes and of short integers, with sign and without, from starts within their reach and out of it, also of
// none at all: found once for all threads, and in loops of each thread.
#include "check.h"

#include <climits>

const int results = 8;

__global__ void extremes(const unsigned char *bytes, const signed char *small, const short *shorts,
                         const unsigned short *words, int *out, int first, int count, int start, int threads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < threads) {
    int low = 255, high = 0, least = INT_MAX, greatest = INT_MIN, from = start, to = start, most = start;
    unsigned word = (unsigned)start;
    for (int k = first; k < first + count; k++) {
      low = min(low, (int)bytes[k]);
      high = max(high, (int)bytes[k]);
      least = min(least, (int)small[k]);
      greatest = max(greatest, (int)small[k]);
      from = min(from, (int)shorts[k]);
      to = max(to, (int)shorts[k]);
      most = max(most, (int)words[k]);
      word = min(word, (unsigned)words[k]);
    }
    const int found[results] = {low, high, least, greatest, from, to, most, (int)word};
    for (int r = 0; r < results; r++)
      out[i * results + r] = found[r];
  }
}

__global__ void own(const signed char *small, int *out, int length, int threads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads)
    return;
  int least = 1000, greatest = -3;
  for (int k = 0; k < length; k++) {
    least = min(least, (int)small[i * length + k]);
    greatest = max(greatest, (int)small[i * length + k]);
  }
  out[i] = least * 1000 + greatest;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 5000, threads = 300, length = 16;
  buffer<unsigned char> bytes(n);
  buffer<signed char> small(n);
  buffer<short> shorts(n);
  buffer<unsigned short> words(n);
  buffer<int> out(threads * results);
  unsigned state = 3;
  for (int i = 0; i < n; i++) {
    bytes[i] = (unsigned char)next_random(state);
    small[i] = (signed char)next_random(state);
    shorts[i] = (short)next_random(state);
    words[i] = (unsigned short)next_random(state);
  }
  bytes.upload();
  small.upload();
  shorts.upload();
  words.upload();
  const int counts[] = {0, 1, 3, 64, 1000, n}, starts[] = {0, 7, -5, 200, 70000, -70000, INT_MIN};
  for (int count : counts)
    for (int start : starts) {
      int first = count == n ? 0 : 11;
      extremes<<<blocks_for(threads, block), block>>>(bytes.device, small.device, shorts.device, words.device,
                                                      out.device, first, count, start, threads);
      out.download();
      int low = 255, high = 0, least = INT_MAX, greatest = INT_MIN, from = start, to = start, most = start;
      unsigned word = (unsigned)start;
      for (int k = first; k < first + count; k++) {
        low = bytes[k] < low ? bytes[k] : low;
        high = bytes[k] > high ? bytes[k] : high;
        least = small[k] < least ? small[k] : least;
        greatest = small[k] > greatest ? small[k] : greatest;
        from = shorts[k] < from ? shorts[k] : from;
        to = shorts[k] > to ? shorts[k] : to;
        most = words[k] > most ? words[k] : most;
        word = words[k] < word ? words[k] : word;
      }
      const int expected[results] = {low, high, least, greatest, from, to, most, (int)word};
      for (int i = 0; i < threads; i++)
        for (int r = 0; r < results; r++)
          expect(i * 10 + r, out[i * results + r], expected[r]);
    }
  own<<<blocks_for(threads, block), block>>>(small.device, out.device, length, threads);
  out.download();
  for (int i = 0; i < threads; i++) {
    int least = 1000, greatest = -3;
    for (int k = i * length; k < (i + 1) * length; k++) {
      least = small[k] < least ? small[k] : least;
      greatest = small[k] > greatest ? small[k] : greatest;
    }
    expect(i, out[i], least * 1000 + greatest);
  }
  return passed();
}
