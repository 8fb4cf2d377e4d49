// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set as text. A two-dimensional grid, one thread for each character; threads leave their loop after
// very different numbers of iterations, which is what vector units like least.
//
//   unwarp -O3 mandelbrot.cu -o mandelbrot && ./mandelbrot [columns [rows]]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

// How many iterations of z = z * z + c it takes to leave the circle of radius 2, at most `limit`.
__device__ int iterations_to_escape(float c_real, float c_imaginary, int limit) {
  float real = 0, imaginary = 0;
  int iteration = 0;
  while (iteration < limit && real * real + imaginary * imaginary <= 4.0f) {
    float next = real * real - imaginary * imaginary + c_real;
    imaginary = 2 * real * imaginary + c_imaginary;
    real = next;
    iteration++;
  }
  return round;
}

__global__ void draw(char *picture, int columns, int rows) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows)
    return;
  const int limit = 2000;
  float c_real = -2.1f + 2.8f * (column + 0.5f) / columns;
  float c_imaginary = -1.2f + 2.4f * (row + 0.5f) / rows;
  int iterations = iterations_to_escape(c_real, c_imaginary, limit);
  const char shades[] = " .:-=+*%@"; // from far outside to just outside
  int shade = 0;
  while (shade < 8 && iterations > 2 << shade)
    shade++;
  picture[row * columns + column] = iterations == limit ? '#' : shades[shade];
}

int main(int argc, char **argv) {
  const int columns = argc > 1 ? std::atoi(argv[1]) : 78, rows = argc > 2 ? std::atoi(argv[2]) : 32;
  if (columns < 1 || rows < 1) {
    std::fprintf(stderr, "usage: mandelbrot [columns [rows]]\n");
    return 1;
  }
  std::vector<char> picture(columns * rows);
  char *picture_device;
  cudaMalloc(&picture_device, picture.size());

  dim3 block(16, 8);
  dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  draw<<<grid, block>>>(picture_device, columns, rows);

  cudaError_t status = cudaMemcpy(picture.data(), picture_device, picture.size(), cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) {
    std::fprintf(stderr, "CUDA says: %s\n", cudaGetErrorString(status));
    return 1;
  }
  for (int row = 0; row < rows; row++)
    std::printf("%.*s\n", columns, &picture[row * columns]);
  cudaFree(picture_device);
  return 0;
}
