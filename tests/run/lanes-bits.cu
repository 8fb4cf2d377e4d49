// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compute loops whose addresses come from bits of the thread index: lanes that start at a multiple of their number, and lanes that do
// not; masks, shifts, remainders and quotients that part neighbours, and those that do not.
#include "check.h"

struct places {
  int at[14];
};

__host__ __device__ inline places places_of(unsigned t, unsigned shift, unsigned iteration) {
  unsigned quad = (t & 15) * 4;
  signed char small = (signed char)(t * 4);
  places p = {{
      (int)(t & 15),                            // a step apart
      (int)((t & 112) << 5 >> 4),               // the same for 16
      (int)(quad | 1),                          // 4 apart
      (int)(quad | 5),                          // parts: 4 is a bit of theirs
      (int)((t ^ 32) & 255),                    //
      (int)((t ^ 7) & 255),                     // parts
      (int)(t >> 4 & 15),                       // the same
      (int)(t >> 3 & 31),                       // parts within 16
      (int)(t * 8 >> 2 & 511),                  // 2 apart
      (int)(t % 16u + t / 16u * 2),             //
      (int)(((t + 5) & 15) + 3),                // starts anywhere
      (int)(((t + shift) & 31) + 1),            // starts at what is not known
      (small >> 2) + 64,                        // changes its sign among 64
      (int)(((t & 31) + iteration * 32) & 255), // another one each iteration
  }};
  return p;
}

__host__ __device__ inline int weight(int sum, int value) {
  return (int)((unsigned)sum * 3u + (unsigned)(value ^ sum >> 7));
}

__global__ void sums(const int *in, int *out, unsigned shift, int iterations) {
  unsigned t = threadIdx.x;
  int sum = (int)t;
  for (int k = 0; k < iterations; k++) {
    places p = places_of(t, shift, (unsigned)k);
    for (int i = 0; i < 14; i++)
      sum = weight(sum, in[p.at[i] + k]);
    if ((t & 48) == 16)
      sum += in[k]; // all lanes of 16 or none
    if ((t & 4) == 0)
      sum ^= in[k + 1];
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, iterations = 19, n = 1024;
  buffer<int> in(n), out(blocks * block);
  unsigned state = 5;
  for (int i = 0; i < n; i++)
    in[i] = (int)(next_random(state) >> 4);
  in.upload();
  for (unsigned shift : {0u, 3u, 16u}) {
    sums<<<blocks, block>>>(in.device, out.device, shift, iterations);
    out.download();
    for (int i = 0; i < blocks * block; i++) {
      unsigned t = (unsigned)(i % block);
      int sum = (int)t;
      for (int k = 0; k < iterations; k++) {
        places p = places_of(t, shift, (unsigned)k);
        for (int j = 0; j < 14; j++)
          sum = weight(sum, in[p.at[j] + k]);
        if ((t & 48) == 16)
          sum += in[k];
        if ((t & 4) == 0)
          sum ^= in[k + 1];
      }
      expect(i, out[i], sum);
    }
  }
  return passed();
}
