// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro right after a string literal, as programs from before C++11 have it: no user-defined suffix.
#include "check.h"

#define NUMBER "%d"

__global__ void count(char *text) {
  const char *form = "(" NUMBER ")";
  for (int i = 0; i < 5; i++)
    text[threadIdx.x * 5 + i] = form[i];
}

int main() {
  buffer<char> text(10);
  count<<<1, 2>>>(text.device);
  text.download();
  for (int i = 0; i < 10; i++)
    expect(i, (int)text[i], "(%d)"[i % 5]);
  char line[20];
  snprintf(line, sizeof line, "<" NUMBER ">", 17);
  for (int i = 0; i < 5; i++)
    expect(100 + i, (int)line[i], "<17>"[i]);
  return passed();
}
