// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __ballot_sync, __any_sync and __all_sync over whole and partial warps.
#include "check.h"

__global__ void vote(const int *in, unsigned *ballots, int *answers) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ballots[i] = __ballot_sync(0xffffffffu, in[i] % 3 == 0);
  int any = __any_sync(0xffffffffu, in[i] > 90) ? 1 : 0;
  int all = __all_sync(0xffffffffu, in[i] < 95) ? 1 : 0;
  answers[i] = any + 2 * all + 4 * __popc(__ballot_sync(0xffffffffu, in[i] & 1));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = block * blocks;
  buffer<int> in(n), answers(n);
  buffer<unsigned> ballots(n);
  unsigned state = 8;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % (i / block == 1 ? 40 : 100);
  in.upload();
  vote<<<blocks, block>>>(in.device, ballots.device, answers.device);
  ballots.download();
  answers.download();
  for (int i = 0; i < n; i++) {
    int thread = i % block, first = i - thread % 32;
    unsigned ballot = 0;
    int any = 0, all = 1, odd = 0;
    for (int lane = 0; lane < 32 && first % block + lane < block; lane++) {
      int value = in[first + lane];
      if (value % 3 == 0)
        ballot |= 1u << lane;
      if (value > 90)
        any = 1;
      if (value >= 95)
        all = 0;
      odd += value & 1;
    }
    expect(i, ballots[i], ballot);
    expect(i, answers[i], any + 2 * all + 4 * odd);
  }
  return passed();
}
