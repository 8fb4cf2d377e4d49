// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of each scalar type that live across barriers, each loaded from memory which is overwritten in between.
#include "check.h"

struct all_types {
  bool flag;
  signed char byte;
  short half;
  unsigned word;
  long long wide;
  float single;
  double twice;
};

__global__ void rotate(all_types *cells) {
  int me = threadIdx.x, size = blockDim.x;
  all_types *mine = cells + blockIdx.x * size;
  bool flag = mine[me].flag;
  signed char byte = mine[me].byte;
  short half = mine[me].half;
  unsigned word = mine[me].word;
  long long wide = mine[me].wide;
  float single = mine[me].single;
  double twice = mine[me].twice;
  __syncthreads();
  all_types &target = mine[(me + 1) % size];
  target.flag = !flag;
  target.byte = byte + 1;
  target.half = half - 1;
  __syncthreads();
  target.word = word * 3;
  target.wide = wide + 10000000000ll;
  target.single = single * 0.5f;
  target.twice = twice + 0.25;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<all_types> cells(n);
  for (int i = 0; i < n; i++)
    cells[i] = {i % 3 == 0, (signed char)i, (short)(i * 50), i * 7u, i * 5ll, i + 0.5f, i * 1.5};
  cells.upload();
  rotate<<<blocks, block>>>(cells.device);
  cells.download();
  for (int i = 0; i < n; i++) {
    int source = i / block * block + (i % block + block - 1) % block;
    expect(i, (int)cells[i].flag, source % 3 != 0);
    expect(i, (int)cells[i].byte, (signed char)((signed char)source + 1));
    expect(i, (int)cells[i].half, (short)(source * 50 - 1));
    expect(i, cells[i].word, source * 21u);
    expect(i, cells[i].wide, source * 5ll + 10000000000ll);
    expect(i, cells[i].single, (source + 0.5f) * 0.5f);
    expect(i, cells[i].twice, source * 1.5 + 0.25);
  }
  return passed();
}
