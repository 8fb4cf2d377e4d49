// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and counts in memory of a thread's own, some of which only few iterations touch, between others and at the end;
// and counts that a thread must leave alone, since its neighbour keeps them.
#include <climits>
#include <vector>

#include "check.h"

struct moments {
  double sum;
  float most;
  int above, seen, last;
};

__global__ void measure(const float *samples, moments *all, int series, int length, float bound, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= series)
    return;
  for (int k = 0; k < length; k++) {
    const float sample = samples[k * series + i];
    all[i].sum += sample;
    all[i].most = fmaxf(all[i].most, sample);
    if (sample > bound)
      all[i].above++;
    all[i].seen++;
    if (sample > limit)
      all[i].last = k;
  }
}

// A thread always touches 4 i and 4 i + 9. The one between that it sets, 4 i + 6, is the one that the next thread would
// set by `other`.
__global__ void share(float *places, const int *own, const int *other, int threads, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads)
    return;
  float *mine = places + 4 * i;
  for (int k = 0; k < length; k++) {
    mine[0] += 1;
    if (own[k] > i % 3)
      mine[6] += 2;
    if (other[k] > i % 3)
      mine[2] += 3;
    mine[9] += 4;
  }
}

static void check_moments(int series, int block, int length) {
  buffer<float> samples(series * length + 1);
  buffer<moments> all(series);
  std::vector<moments> want(series);
  for (int i = 0; i < series * length; i++)
    samples[i] = (float)(i * 37 % 101) - 50;
  for (int i = 0; i < series; i++)
    want[i] = all[i] = {(double)i, -100, i % 4, INT_MAX - length, -i};
  samples.upload(), all.upload();
  measure<<<blocks_for(series, block), block>>>(samples.device, all.device, series, length, 20, 48);
  all.download();
  for (int i = 0; i < series; i++) {
    for (int k = 0; k < length; k++) {
      const float sample = samples[k * series + i];
      want[i].sum += sample;
      want[i].most = sample > want[i].most ? sample : want[i].most;
      want[i].above += sample > 20;
      want[i].seen++;
      want[i].last = sample > 48 ? k : want[i].last;
    }
    expect(i, all[i].sum, want[i].sum);
    expect(i, all[i].most, want[i].most);
    expect(i, all[i].above, want[i].above);
    expect(i, all[i].seen, want[i].seen);
    expect(i, all[i].last, want[i].last);
  }
}

static void check_shared(int threads, int block, int length) {
  buffer<float> places(4 * threads + 6);
  buffer<int> own(length), other(length);
  std::vector<float> want(4 * threads + 6);
  for (int i = 0; i < 4 * threads + 6; i++)
    want[i] = places[i] = (float)i;
  for (int k = 0; k < length; k++)
    own[k] = k % 4, other[k] = 0;
  places.upload(), own.upload(), other.upload();
  share<<<blocks_for(threads, block), block>>>(places.device, own.device, other.device, threads, length);
  places.download();
  for (int i = 0; i < threads; i++)
    for (int k = 0; k < length; k++)
      want[4 * i] += 1, want[4 * i + 6] += own[k] > i % 3 ? 2 : 0, want[4 * i + 9] += 4;
  for (int i = 0; i < 4 * threads + 6; i++)
    expect(i, places[i], want[i]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  for (int length : {0, 1, 40}) {
    check_moments(700, block, length);
    check_moments(16, block, length);
  }
  check_shared(500, block, 1);
  check_shared(500, block, 30);
  return passed();
}
