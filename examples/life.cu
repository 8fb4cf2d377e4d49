// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conway's Game of Life on a torus. A block loads its part of the field and a rim of one cell into shared memory,
// waits, and counts neighbours there. A glider sails over the field, past a blinker and a block that it does not
// touch.
//
//   unwarp -O3 life.cu -o life && ./life [generations]
//
// After 4 generations a glider has its first shape again, one cell further down and to the right.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

const int width = 40, height = 16;
const int side = 8; // a block is side * side threads

__global__ void step(const unsigned char *now, unsigned char *next) {
  __shared__ unsigned char part[side + 2][side + 2];
  int left = blockIdx.x * side - 1, top = blockIdx.y * side - 1;

  // There are more cells in the part than threads in the block: each thread loads one or two.
  for (int i = threadIdx.y * side + threadIdx.x; i < (side + 2) * (side + 2); i += side * side) {
    int x = (left + i % (side + 2) + width) % width, y = (top + i / (side + 2) + height) % height;
    part[i / (side + 2)][i % (side + 2)] = now[y * width + x];
  }
  __syncthreads();

  int neighbours = 0;
  for (int dy = 0; dy <= 2; dy++)
    for (int dx = 0; dx <= 2; dx++)
      if (dx != 1 || dy != 1)
        neighbours += part[threadIdx.y + dy][threadIdx.x + dx];
  bool alive = part[threadIdx.y + 1][threadIdx.x + 1];
  int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  next[y * width + x] = neighbours == 3 || (alive && neighbours == 2);
}

static void show(const unsigned char *field_device, int generation) {
  std::vector<unsigned char> field(width * height);
  cudaMemcpy(field.data(), field_device, field.size(), cudaMemcpyDeviceToHost);
  int alive = 0;
  for (unsigned char cell : field)
    alive += cell;
  std::printf("generation %d, %d cells alive\n", generation, alive);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++)
      std::putchar(field[y * width + x] ? 'O' : '.');
    std::putchar('\n');
  }
}

int main(int argc, char **argv) {
  const int generations = argc > 1 ? std::atoi(argv[1]) : 20;
  std::vector<unsigned char> field(width * height, 0);
  const int cells[][2] = {{2, 1},   {3, 2},   {1, 3},   {2, 3},  {3, 3}, // a glider
                          {24, 4},  {25, 4},  {26, 4},                   // a blinker
                          {32, 11}, {33, 11}, {32, 12}, {33, 12}};       // a block
  for (auto &cell : cells)
    field[cell[1] * width + cell[0]] = 1;

  unsigned char *now, *next;
  cudaMalloc(&now, field.size());
  cudaMalloc(&next, field.size());
  cudaMemcpy(now, field.data(), field.size(), cudaMemcpyHostToDevice);
  show(now, 0);
  for (int generation = 0; generation < generations; generation++) {
    step<<<dim3(width / side, height / side), dim3(side, side)>>>(now, next);
    unsigned char *swap = now;
    now = next;
    next = swap;
  }
  show(now, generations);
  cudaFree(now);
  cudaFree(next);
  cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess)
    std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
