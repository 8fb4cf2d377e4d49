// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergent branches, loops, breaks and switches without barriers, nested three deep.
#include "check.h"

__global__ void wander(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = in[i], total = 0;
  for (int k = 0; k < value % 12; k++) {
    if (k == 7 && value % 5 == 0)
      break;
    switch ((value + k) % 6) {
    case 0: total += 3; break;
    case 1: total -= k; // falls through
    case 2: total ^= value; break;
    case 4:
      for (int j = k; j < 20; j += 3) {
        if (j % 4 == 1)
          continue;
        total += j;
        if (total > 5000)
          goto next;
      }
      break;
    default: total *= 2;
    }
  next:
    total &= 0xffff;
  }
  out[i] = total;
}

// The same walk as a table of steps: what each case does, looked up by its index.
static int walk(int value) {
  int total = 0, last = value % 12;
  if (value % 5 == 0 && last > 7)
    last = 7;
  for (int k = 0; k < last; k++) {
    int way = (value + k) % 6;
    if (way == 0)
      total = total + 3;
    if (way == 1)
      total = total - k;
    if (way == 1 || way == 2)
      total = total ^ value;
    if (way == 3 || way == 5)
      total = total + total;
    for (int j = k; way == 4 && j < 20; j += 3)
      if (j % 4 != 1) {
        total += j;
        if (total > 5000)
          way = -1;
      }
    total %= 65536;
    if (total < 0)
      total += 65536;
  }
  return total;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1100;
  buffer<int> in(n), out(n);
  unsigned state = 101;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % 3000;
  in.upload();
  wander<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], walk(in[i]));
  return passed();
}
