// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several devices, device code of two files: each device has its own values of what the files share, by name or as the static
// of an inline function, and of what is one file's alone.
// flags: -rdc=true
#include "../../devices.h"

#include "common.h"

static __device__ int own = 100;

__global__ void count(int *out) {
  out[0] = next_shared();
  out[1] = shared_count;
  out[2] = own++;
  out[3] = inline_ticket();
  out[4] = other_ticket();
}

int main(int, char **argv) {
  with_devices("2", argv);
  for (int iteration = 0; iteration < 3; iteration++)
    for (int d = 0; d < 2; d++) {
      CHECK(cudaSetDevice(d));
      buffer<int> out(5);
      count<<<1, 1>>>(out.device);
      out.download();
      const int expected[5] = {5 + iteration, 6 + iteration, 100 + iteration, 1000 + 2 * iteration,
                               1001 + 2 * iteration};
      for (int i = 0; i < 5; i++)
        expect(100 * iteration + 10 * d + i, out[i], expected[i]);
    }
  return passed();
}
