// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: blocks that wait for the one before them with ld.acquire, ld.volatile and ld.relaxed in loops, after st.release and
// red.release; and a wait for plain memory that only an empty asm makes the compiler read again.
#include "check.h"

__global__ void chain(const int *in, int *sums, unsigned *flags, int way, int n) {
  __shared__ int before;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x) {
      unsigned ready, *flag = flags + blockIdx.x - 1;
      do {
        if (way == 0)
          asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
        else if (way == 1)
          asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
        else if (way == 2)
          asm volatile("ld.relaxed.gpu.u32 %0, [%1]; fence.acq_rel.gpu;" : "=r"(ready) : "l"(flag) : "memory");
        else {
          asm volatile("" ::: "memory");
          ready = *flag;
        }
      } while (!ready);
      __threadfence();
      before = sums[blockIdx.x - 1];
    }
    for (int k = 0; k < blockDim.x && i + k < n; k++)
      before += in[i + k];
    sums[blockIdx.x] = before;
    if (way % 2)
      asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flags + blockIdx.x) : "memory");
    else
      asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flags + blockIdx.x) : "memory");
  }
}

int main(int argc, char **argv) {
  const int n = 3000;
  int block = block_size(argc, argv), blocks = blocks_for(n, block);
  buffer<int> in(n), sums(blocks);
  buffer<unsigned> flags(blocks);
  for (int i = 0; i < n; i++)
    in[i] = i % 11 - 4;
  in.upload();
  for (int way = 0; way < 4; way++) {
    flags.upload();
    chain<<<blocks, block>>>(in.device, sums.device, flags.device, way, n);
    sums.download();
    int sum = 0;
    for (int b = 0; b < blocks; b++) {
      for (int i = b * block; i < (b + 1) * block && i < n; i++)
        sum += in[i];
      expect(way * 10000 + b, sums[b], sum);
    }
  }
  return passed();
}
