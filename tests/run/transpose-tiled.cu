// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix transpose through a padded shared tile, with fewer threads than tile cells.
#include "check.h"

const int tile = 32, rows = 8;

__global__ void transpose(const float *in, float *out, int width, int height) {
  __shared__ float cells[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    if (x < width && y + j < height)
      cells[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = cells[threadIdx.x][threadIdx.y + j];
}

int main(void) {
  const int shapes[][2] = {{32, 32}, {100, 37}, {5, 64}};
  for (auto &shape : shapes) {
    int width = shape[0], height = shape[1];
    buffer<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++)
      in[i] = i;
    in.upload();
    transpose<<<dim3(blocks_for(width, tile), blocks_for(height, tile)), dim3(tile, rows)>>>(in.device, out.device,
                                                                                             width, height);
    out.download();
    for (int i = 0; i < width * height; i++)
      expect(i, out[i], (float)(i % height * width + i / height));
  }
  return passed();
}
