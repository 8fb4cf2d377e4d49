// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked for rows of threads at once: mistakes of one row or one thread of many, in the last of them, in branches, with strides, forwards
// and backwards; and close ones without. Each kernel runs in blocks of several rows.
// flags: -fcheck=memory,race,init,sync
#include "cases.h"

enum { SIDE = 16, WIDE = 32 };

// A tile, filled and read: `reach` beyond the own column, `last` rows that are filled.
__global__ void tile(const float *in, float *out, int reach, int last) {
  __shared__ float part[SIDE][WIDE];
  int x = threadIdx.x, y = threadIdx.y;
  if (y < last) part[y][x] = in[y * WIDE + x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < SIDE; k++) sum += part[k][x];
  out[y * WIDE + x] = sum + part[y][x + reach];
}
// clean filled
// case past_row_end: access of 4 bytes at byte 2048 of shared part, which has 2048 bytes
// case past_row_end: thread .31,15,0. of tile

__global__ void copies(const float *in, float *out, int n) {
  int t = threadIdx.y * WIDE + threadIdx.x;
  if (t < n) out[t] = in[t];
}
// clean not_the_last
// case last_unwritten: ^unwarp: init: read of 4 bytes that nobody has written
// case last_unwritten: ^  read: block .0,0,0., thread .31,15,0. of copies

// Stores of the last thread alone go astray.
__global__ void last_thread(int *out, int far) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  out[t == 511 ? t + far : t] = t;
}
__global__ void last_in_branch(int *out, int n, int shift) {
  int i = blockIdx.x * 512 + threadIdx.y * blockDim.x + threadIdx.x;
  if (i < n) out[i + shift] = i;
}
// clean no_last
// case last_astray: ^unwarp: memory: write of 4 bytes .*after the end of 2048 bytes|^unwarp: write of 4 bytes 4 bytes after the end of 2048 bytes|write of 4 bytes .* 2048 bytes of device memory
// case last_astray: thread .31,15,0. of last_thread
// clean branch_ends
// case branch_past: write of 4 bytes 0 bytes after the end of 4000 bytes of device memory
// case branch_past: block .1,0,0., thread .7,15,0. of last_in_branch

// Every n-th element; the row's last one is outside.
__global__ void strided(int *out, int step, int from) {
  out[from + (threadIdx.y * (int)blockDim.x + (int)threadIdx.x) * step] = 1;
}
// clean strides
// clean backwards
// case stride_past: write of 4 bytes 0 bytes after the end of 8192 bytes
// case stride_past: thread .31,15,0. of strided
// case before_start: access of 4 bytes at byte -4 of shared room, which has 2048 bytes
// case before_start: thread .31,15,0. of to_one_back
// case same_place: write of 4 bytes .value 1. at shared memory room, byte 0, in no order|in no order with a write

__global__ void to_one(int *out, int step) {
  __shared__ int room[WIDE * SIDE];
  room[threadIdx.y * WIDE + threadIdx.x * step] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * WIDE + threadIdx.x] = room[threadIdx.y * WIDE];
}
// clean own_places
__global__ void to_one_back(int *out, int from) {
  __shared__ int room[WIDE * SIDE];
  room[from - (int)(threadIdx.y * WIDE + threadIdx.x)] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * WIDE + threadIdx.x] = room[threadIdx.x];
}
// clean own_places_back

// Neighbours of a row, of rows, and the last thread's.
__global__ void neighbours(int *out, int across, int down, int only) {
  __shared__ int room[SIDE + 1][WIDE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  room[y][x] = x;
  if (x == WIDE - 1) room[y][WIDE] = 0;
  if (y == SIDE - 1) room[SIDE][x] = 0;
  if (x == WIDE - 1 && y == SIDE - 1) room[SIDE][WIDE] = 0;
  if (!only) __syncthreads();
  int found = room[y + down][x + across];
  out[y * WIDE + x] = found;
}
// clean with_barrier
// clean own_alone
// case beside: read of 4 bytes at shared memory room, byte [0-9]+, in no order with a write|write of 4 bytes .value [0-9]+. at shared memory room, byte [0-9]+, in no order with a read
// several beside
// case below: in no order with
// several below

// In the middle of a phase: a load of what the row before has written.
__global__ void row_before(int *out, int n) {
  int x = threadIdx.x, y = threadIdx.y;
  if (y < n) out[y * WIDE + x] = 1;
  if (y == n) out[n * WIDE + x] = out[(n - 1) * WIDE + x] + 1;
}
// case reads_row_before: read of 4 bytes at byte 384 of 2048 bytes of device memory, in no order with a write .value 1. by another thread
// case reads_row_before: read: block .0,0,0., thread .0,4,0. of row_before
// clean no_row

// All threads of a row store one value: that is no race. Different ones are.
__global__ void one_flag(int *flag, int same) {
  if (threadIdx.y == SIDE - 1) *flag = same ? 7 : (int)threadIdx.x;
}
// clean same_value
// case other_values: write of 4 bytes .value 1. at byte 0 of 4 bytes of device memory, in no order with a write

// A barrier that the last row of threads leaves out.
__global__ void row_leaves(int *out, int last) {
  if ((int)threadIdx.y < last) __syncthreads();
  out[threadIdx.y * WIDE + threadIdx.x] = 1;
}
// case row_left: a thread goes on though it did not come to a barrier
// case row_left: thread .0,15,0. of row_leaves
// clean no_row_left

// Indices of 32 bits that wrap around, as a row goes along.
__global__ void wraps(int *out, unsigned start) {
  unsigned i = start + threadIdx.x;
  if (threadIdx.y == 0) out[i % 64] = out[i & 63] + 1;
}
// clean wrapped
__global__ void wraps_wide(int *out, unsigned start) {
  unsigned i = start + threadIdx.x;
  if (threadIdx.y == 0 && i > 100) out[4294967295u - i] = 1;
}
// clean wrapped_wide

// Bytes and pairs of words; an address that does not fit its width.
__global__ void widths(char *bytes, int2 *pairs, float4 *fours, int shift) {
  int t = threadIdx.y * WIDE + threadIdx.x;
  bytes[t] = (char)t;
  *(long long *)((char *)pairs + t * 8 + shift) = t;
  fours[t] = make_float4(t, 0, 0, 0);
}
// clean all_widths
// case misaligned: write of 8 bytes at 0x[0-9a-f]+, which is no multiple of 8

CASES
  dim3 rows(WIDE, SIDE);
  float *f = device<float>(512), *g = device<float>(512);
  int *o = device<int>(512), *two = device<int>(2048), *thousand = device<int>(1000), *one = device<int>(1);
  CASE(filled) for (int i = 0; i < 3; i++) tile<<<2, rows>>>(f, g, 0, SIDE);
  float *part = device<float>(512, false);
  cudaMemset(part, 0, 511 * sizeof(float));
  CASE(last_unwritten) copies<<<1, rows>>>(part, g, 512);
  CASE(not_the_last) copies<<<1, rows>>>(part, g, 511);
  CASE(past_row_end) { tile<<<1, rows>>>(f, g, 1, SIDE); }
  CASE(no_last) for (int i = 0; i < 3; i++) last_thread<<<1, rows>>>(o, 0);
  CASE(last_astray) last_thread<<<1, rows>>>(o, 2);
  CASE(branch_ends) for (int i = 0; i < 3; i++) last_in_branch<<<2, rows>>>(thousand, 1000, 0);
  CASE(branch_past) last_in_branch<<<2, rows>>>(thousand, 1000, 1);
  CASE(strides) for (int i = 0; i < 3; i++) strided<<<1, rows>>>(two, 4, 0);
  CASE(backwards) for (int i = 0; i < 3; i++) strided<<<1, rows>>>(two, -4, 2047);
  CASE(stride_past) strided<<<1, rows>>>(two, 4, 4);
  CASE(before_start) to_one_back<<<1, rows>>>(o, 510);
  CASE(own_places_back) to_one_back<<<1, rows>>>(o, 511);
  CASE(same_place) to_one<<<1, rows>>>(o, 0);
  CASE(own_places) to_one<<<1, rows>>>(o, 1);
  CASE(with_barrier) neighbours<<<2, rows>>>(o, 1, 1, 0);
  CASE(own_alone) neighbours<<<1, rows>>>(o, 0, 0, 1);
  CASE(beside) neighbours<<<1, rows>>>(o, 1, 0, 1);
  CASE(below) neighbours<<<1, rows>>>(o, 0, 1, 1);
  CASE(reads_row_before) row_before<<<1, rows>>>(o, 4);
  CASE(no_row) row_before<<<1, rows>>>(o, SIDE);
  CASE(same_value) one_flag<<<1, rows>>>(one, 1);
  CASE(other_values) one_flag<<<1, rows>>>(one, 0);
  CASE(row_left) row_leaves<<<1, rows>>>(o, SIDE - 1);
  CASE(no_row_left) row_leaves<<<1, rows>>>(o, SIDE);
  CASE(wrapped) wraps<<<1, rows>>>(o, 4294967290u);
  CASE(wrapped_wide) wraps_wide<<<1, rows>>>(o, 4294967290u);
  CASE(all_widths) for (int i = 0; i < 3; i++) widths<<<1, rows>>>((char *)o, (int2 *)device<int>(1024), (float4 *)device<int>(2048), 0);
  CASE(misaligned) widths<<<1, rows>>>((char *)o, (int2 *)device<int>(1026), (float4 *)device<int>(2048), 4);
END
