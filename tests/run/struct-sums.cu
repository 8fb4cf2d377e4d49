// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that each thread adds to the fields of its own struct in global memory, iteration by iteration, while it reads
// rows of its own that may or may not hold that struct, of which there may be none, and what no thread writes.
#include <vector>

#include "check.h"

struct three {
  float x, y, z;
};

// A thread's slice: `row` structs to read, then more; its sums are at position `at` of the slice.
__global__ void add(three *slices, int slice, int row, const int *at, const float *scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  three *own = slices + i * slice, *sum = own + at[i];
  for (int k = 0; k < row; k++) {
    sum->x += own[k].x * scale[i * 2];
    sum->y -= own[k].y * scale[i * 2 + 1];
    sum->z += own[k].z + scale[k];
  }
}

// As many iterations as the thread says; a sum that only some iterations touch.
__global__ void add_uneven(three *sums, const float *in, const int *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  three *sum = &sums[i];
  for (int k = 0; k < counts[i]; k++) {
    float value = in[k] * (float)i;
    sum->x += value;
    sum->y = sum->y * 0.5f + value;
    if (in[k] > 2)
      sum->z += 1;
  }
}

static three made(int i) { return {(float)(i % 5), (float)(i % 7), (float)(i % 3)}; }

static void reference(three *own, int row, int at, const float *scale, int i) {
  three *sum = own + at;
  for (int k = 0; k < row; k++) {
    sum->x += own[k].x * scale[i * 2];
    sum->y -= own[k].y * scale[i * 2 + 1];
    sum->z += own[k].z + scale[k];
  }
}

static void check_slices(int n, int block, int slice, int row, int far) {
  buffer<three> slices(n * slice);
  buffer<int> at(n);
  buffer<float> scale(2 * n + row);
  std::vector<three> want(n * slice);
  for (int i = 0; i < n * slice; i++)
    want[i] = slices[i] = made(i);
  for (int i = 0; i < n; i++)
    at[i] = i % 19 < far ? row + i % (slice - row) : i % (row + 1);
  for (int i = 0; i < 2 * n + row; i++)
    scale[i] = i % 2 ? 0.5f : -1.0f;
  slices.upload(), at.upload(), scale.upload();
  add<<<n / block, block>>>(slices.device, slice, row, at.device, scale.device);
  slices.download();
  for (int i = 0; i < n; i++)
    reference(&want[i * slice], row, at[i], &scale[0], i);
  for (int i = 0; i < n * slice; i++) {
    expect_near(i, slices[i].x, want[i].x, 1e-3f);
    expect_near(i, slices[i].y, want[i].y, 1e-3f);
    expect_near(i, slices[i].z, want[i].z, 1e-3f);
  }
}

static void check_uneven(int n, int block) {
  buffer<three> sums(n);
  buffer<int> counts(n);
  buffer<float> in(16);
  for (int i = 0; i < 16; i++)
    in[i] = (float)(i % 5);
  for (int i = 0; i < n; i++)
    counts[i] = i % 40 < 33 ? 0 : i % 13, sums[i] = made(i);
  std::vector<three> want(sums.host, sums.host + n);
  sums.upload(), counts.upload(), in.upload();
  add_uneven<<<n / block, block>>>(sums.device, in.device, counts.device);
  sums.download();
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < counts[i]; k++) {
      float value = in[k] * (float)i;
      want[i] = {want[i].x + value, want[i].y * 0.5f + value, want[i].z + (in[k] > 2)};
    }
    expect_near(i, sums[i].x, want[i].x, 1e-3f);
    expect_near(i, sums[i].y, want[i].y, 1e-3f);
    expect_near(i, sums[i].z, want[i].z, 1e-3f);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 6 * block;
  check_slices(n, block, 9, 6, 19); // all sums lie apart
  check_slices(n, block, 9, 6, 17); // few do not
  check_slices(n, block, 9, 6, 0);
  check_slices(n, block, 3, 0, 0); // no iteration
  check_uneven(n, block);
  return passed();
}
