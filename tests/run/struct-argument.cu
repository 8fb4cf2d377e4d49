// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs by value as kernel arguments: small, large, padded, nested, empty, with an array inside.
#include "check.h"

struct small {
  char tag;
};
struct padded {
  char a;
  double b;
  short c;
};
struct nested {
  padded parts[3];
  float *target;
};
struct large {
  int values[200];
  nested inner;
};
struct empty {};

__global__ void use(small s, padded p, empty, large l, int n, nested direct) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  l.values[i % 200] += 1; // a private copy: no other thread sees this
  l.inner.target[i] = s.tag + p.a + (float)p.b + p.c + l.values[i % 200] + (float)l.inner.parts[i % 3].b;
  direct.target[i] = direct.parts[i % 3].c;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1000;
  buffer<float> out(n), other(n);
  large l;
  for (int k = 0; k < 200; k++)
    l.values[k] = k * 5;
  for (int k = 0; k < 3; k++)
    l.inner.parts[k] = {(char)k, k * 0.5, (short)(k * 11)};
  l.inner.target = out.device;
  nested direct = l.inner;
  direct.target = other.device;
  use<<<blocks_for(n, block), block>>>(small{3}, padded{4, 0.25, -6}, empty(), l, n, direct);
  out.download();
  other.download();
  for (int i = 0; i < n; i++) {
    expect(i, out[i], 3 + 4 + 0.25f - 6 + i % 200 * 5 + 1 + i % 3 * 0.5f);
    expect(i, other[i], i % 3 * 11.0f);
  }
  return passed();
}
