// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMemset, cudaMemsetAsync and cudaMemset2D write bytes, and only where they are told to.
#include "check.h"

int main(void) {
  const int n = 100;
  buffer<unsigned> data(n);
  for (int i = 0; i < n; i++)
    data[i] = i;
  data.upload();
  CHECK(cudaMemset(data.device + 10, 0x3c, 20 * sizeof(unsigned)));
  CHECK(cudaMemsetAsync(data.device + 40, 0, 10 * sizeof(unsigned), 0));
  CHECK(cudaMemset((char *)(data.device + 60) + 1, 0xff, 2));
  CHECK(cudaMemset2D(data.device + 70, 10 * sizeof(unsigned), 1, 2 * sizeof(unsigned), 3));
  CHECK(cudaMemset(data.device, 7, 0));
  data.download();
  for (int i = 0; i < n; i++) {
    unsigned expected = i;
    if (i >= 10 && i < 30)
      expected = 0x3c3c3c3c;
    if (i >= 40 && i < 50)
      expected = 0;
    if (i == 60)
      expected = 0xffff00 | 60;
    if (i >= 70 && i % 10 < 2)
      expected = 0x01010101;
    expect(i, data[i], expected);
  }
  return passed();
}
