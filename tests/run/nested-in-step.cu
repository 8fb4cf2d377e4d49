// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sort by kernels that part their piece and launch kernels for the two halves. It counts on the lanes of a warp being in
// step, as such programs do: lane 0 says that its warp has stored, and launches, with no __syncwarp after the stores. A child
// must see them all the same, those of other blocks too.
// nvcc flags: -rdc=true
#include "check.h"

struct counts {
  unsigned below, above, stored;
};

__device__ counts pool[200000];
__device__ unsigned taken;

// Short pieces, and those that are deep, by rank. Leaves the result in out.
__global__ void rank(const unsigned *in, unsigned *out, int low, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int place = 0;
    for (int k = 0; k < n; k++)
      place += in[low + k] < in[low + i] || (in[low + k] == in[low + i] && k < i);
    out[low + place] = in[low + i];
  }
}

__device__ unsigned middle(unsigned a, unsigned b, unsigned c) { return max(min(a, b), min(max(a, b), c)); }

// in and out change places from kernel to kernel; the sorted values belong into result, which is one of them.
__global__ void part(unsigned *in, unsigned *out, unsigned *result, int low, int n, counts *mine, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n)
    return;
  unsigned pivot = middle(in[low], in[low + n / 2], in[low + n - 1]), value = in[low + i];
  bool above = value > pivot;
  int place = above ? n - 1 - (int)atomicAdd(&mine->above, 1) : (int)atomicAdd(&mine->below, 1);
  unsigned there = __activemask();
  __syncwarp(there);
  out[low + place] = value;
  if (lane == 0) {
    unsigned lanes = __popc(there);
    if (atomicAdd(&mine->stored, lanes) + lanes == n) {
      int length[2] = {(int)mine->below, (int)mine->above}, begin = low;
      for (int half = 0; half < 2; begin += length[half++]) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        if (length[half] > 0 && (length[half] <= 40 || depth == 20)) {
          rank<<<1, 32, 0, stream>>>(out, in, begin, length[half]);
          if (in != result)
            cudaMemcpyAsync(result + begin, in + begin, length[half] * sizeof *in, cudaMemcpyDeviceToDevice, stream);
        } else if (length[half] > 0) {
          counts *next = &pool[atomicAdd(&taken, 1)];
          *next = {0, 0, 0};
          part<<<(length[half] + blockDim.x - 1) / blockDim.x, blockDim.x, 0, stream>>>(out, in, result, begin,
                                                                                        length[half], next, depth + 1);
        }
        cudaStreamDestroy(stream);
      }
    }
  }
}

// Thread 0 launches first; by the time that the child runs, every thread of every block has stored.
__global__ void total(const int *cells, int n, int *sum) {
  for (int i = 0; i < n; i++)
    *sum += cells[i];
}
__global__ void store_later(int *cells, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    *sum = 0;
    total<<<1, 1>>>(cells, gridDim.x * blockDim.x, sum);
  }
  cells[i] = i + 1;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = block < 32 ? 300 : 20000;
  buffer<unsigned> numbers(n), other(n), first(3);
  unsigned state = 5;
  unsigned *expected = (unsigned *)malloc(n * sizeof *expected);
  for (int i = 0; i < n; i++)
    expected[i] = numbers[i] = next_random(state);
  qsort(expected, n, sizeof *expected, [](const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
  });
  numbers.upload(), first.upload();
  part<<<blocks_for(n, block), block>>>(numbers.device, other.device, numbers.device, 0, n, (counts *)first.device, 0);
  numbers.download();
  for (int i = 0; i < n; i++)
    expect(i, numbers[i], expected[i]);

  buffer<int> cells(9 * block), sum(1);
  store_later<<<9, block>>>(cells.device, sum.device);
  sum.download();
  expect(0, sum[0], 9 * block * (9 * block + 1) / 2);
  free(expected);
  return passed();
}
