// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads step through triples, with counters with sign and without, of 32 bits: from a start below 0, to a bound that
// belongs to the range, and with products that wrap around, as they may without sign.
#include "check.h"

__global__ void fade(int *image, int pixels, int keep) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    const int grey = image[3 * i] + 2 * image[3 * i + 1] + 3 * image[3 * i + 2];
    image[3 * i] += keep * grey;
    image[3 * i + 1] -= grey;
    image[3 * i + 2] ^= grey;
  }
}

// The middle of the array is triple 0.
__global__ void around(int *middle, int first, int last) {
  for (int i = first + (int)threadIdx.x; i <= last; i += blockDim.x) {
    middle[3 * i] += i;
    middle[3 * i + 1] -= 2 * i;
    middle[3 * i + 2] += 3 * i;
  }
}

__global__ void wrapped(int *out, unsigned first, unsigned end, unsigned factor) {
  for (unsigned i = first + threadIdx.x; i < end; i += blockDim.x) {
    out[(factor * i) >> 20] = (int)(factor * i);
    const unsigned k = 3 * (i - first);
    out[5000 + k] += 1;
    out[5000 + k + 2] += (int)i;
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  const int pixels = 1237;
  buffer<int> image(3 * pixels), out(9000);
  for (int blocks : {1, 4}) {
    for (int i = 0; i < 3 * pixels; i++)
      image[i] = i * 7 % 251;
    image.upload();
    fade<<<blocks, block>>>(image.device, pixels, 5);
    image.download();
    for (int i = 0; i < pixels; i++) {
      const int a = i * 21 % 251, b = (i * 21 + 7) % 251, c = (i * 21 + 14) % 251, grey = a + 2 * b + 3 * c;
      expect(3 * i, image[3 * i], a + 5 * grey);
      expect(3 * i + 1, image[3 * i + 1], b - grey);
      expect(3 * i + 2, image[3 * i + 2], c ^ grey);
    }
  }
  const int ends[][2] = {{-600, 600}, {-600, -600}, {-3, 2}, {7, 6}, {-601, -1}};
  for (auto &end : ends) {
    CHECK(cudaMemset(image.device, 0, 3 * pixels * sizeof(int)));
    around<<<1, block>>>(image.device + 3 * 618, end[0], end[1]);
    image.download();
    for (int i = 0; i < pixels; i++) {
      const int number = i - 618, is_in = number >= end[0] && number <= end[1];
      expect(3 * i, image[3 * i], is_in * number);
      expect(3 * i + 1, image[3 * i + 1], is_in * -2 * number);
      expect(3 * i + 2, image[3 * i + 2], is_in * 3 * number);
    }
  }
  const unsigned starts[] = {0, 0x55555555u - 300, 0x7ffffff0u, 0xfffff000u};
  for (unsigned first : starts) {
    CHECK(cudaMemset(out.device, 0, 9000 * sizeof(int)));
    wrapped<<<1, block>>>(out.device, first, first + 700, 3 << 20);
    out.download();
    for (unsigned i = 0; i < 700; i++) {
      const unsigned product = (3u << 20) * (first + i);
      expect(i, out[product >> 20], (int)product);
      expect(i, out[5000 + 3 * i], 1);
      expect(i, out[5000 + 3 * i + 2], (int)(first + i));
    }
  }
  return passed();
}
