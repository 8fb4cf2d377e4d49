// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles with widths 1 to 16: a warp falls into groups, and no lane reads out of its group.
#include "check.h"

__global__ void shuffle_all(int *out, int width, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i + 0] = __shfl_down_sync(0xffffffffu, i, step, width);
  out[4 * i + 1] = __shfl_up_sync(0xffffffffu, i, step, width);
  out[4 * i + 2] = __shfl_xor_sync(0xffffffffu, i, step, width);
  out[4 * i + 3] = __shfl_sync(0xffffffffu, i, step + 3, width);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(4 * n);
  for (int width = 1; width <= 16; width *= 2)
    for (int step = 1; step < 8; step += 2) {
      shuffle_all<<<blocks, block>>>(out.device, width, step);
      out.download();
      for (int i = 0; i < n; i++) {
        int thread = i % block, within = thread % 32 % width, group = i - within;
        int down = within + step < width ? i + step : i;
        int up = within >= step ? i - step : i;
        // The limit of an xor is the end of the lane's group: it may look into earlier groups, not into later ones.
        int partner = (thread % 32) ^ step,
            flip = partner <= (thread % 32 | (width - 1)) ? i - thread % 32 + partner : i;
        int direct = group + (step + 3) % width;
        const int expected[4] = {down, up, flip, direct};
        for (int k = 0; k < 4; k++)
          if (expected[k] - i + thread < block)
            expect(4 * i + k, out[4 * i + k], expected[k]);
      }
    }
  return passed();
}
