// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose checks may be asked before them: what leaves an object in the last iteration, in the first, in between, or never.
// flags: -fcheck=memory,race,init
#include "cases.h"

__global__ void sum(const int *from, int first, int n, int step, int *to) {
  int all = 0;
  for (int k = 0; k < n; k++) all += from[first + k * step];
  *to = all;
}
// case last_iteration: ^unwarp: memory: read of 4 bytes 0 bytes after the end of 400 bytes of device memory$
// case last_iteration: ^  read: block .0,0,0., thread .0,0,0. of sum.int const., int, int, int, int.. at loops.cu:9$
// case strided: read of 4 bytes 4 bytes after the end of 400 bytes
// case first_iteration: read of 4 bytes 4 bytes before 400 bytes
// case backwards: read of 4 bytes 8 bytes before 400 bytes
// clean all_iterations
// clean backwards_inside
// clean no_iteration
// clean one_iteration

// The index goes down by a step that wraps around.
__global__ void around(const int *from, unsigned first, unsigned n, unsigned step, int *to) {
  int all = 0;
  for (unsigned k = 0; k < n; k++) all += from[first + k * step];
  *to = all;
}
// clean wraps_inside

__global__ void window(const int *from, int *to, int is_right) {
  __shared__ int s[64];
  for (int k = threadIdx.x; k < 64; k += blockDim.x) s[k] = from[k];
  __syncthreads();
  int all = 0;
  for (int k = 0; k < 32 + !is_right; k++) all += s[threadIdx.x + k];
  if (threadIdx.x < 33) to[threadIdx.x] = all;
}
// case shared_window: access of 4 bytes at byte 256 of shared s, which has 256 bytes
// clean shared_window_inside

__global__ void chosen(const int *from, int n, int *to) {
  int all = 0;
  for (int k = 0; k < 2 * n; k++)
    if (k < n) all += from[k];
  *to = all;
}
// clean under_a_condition

// case misaligned: which is no multiple of 4
__global__ void bytes(const char *from, int n, int *to) {
  int all = 0;
  for (int k = 0; k < n; k++) all += *(const int *)(from + 6 * k);
  *to = all;
}

// case unwritten: of 4 bytes that nobody has written: byte 0 of 400 bytes
// case in_place: read of 4 bytes .* in no order with a write
__global__ void prefix(int *all) {
  int sum = 0;
  for (int k = 0; k <= threadIdx.x; k++) sum += all[k];
  all[threadIdx.x] = sum;
}

// Threads that step over the whole grid, so that iterations differ from thread to thread; a counter that nearly wraps around, and one that leaves by its end.
// clean over_grid
// clean over_grid_no_iteration
// clean near_the_end
// case over_grid_past: read of 4 bytes 0 bytes after the end of 400 bytes
// case over_grid_past: block .0,0,0., thread .4,0,0. of over_grid
// case over_grid_unwritten: of 4 bytes that nobody has written: byte 396 of 400 bytes
// case over_grid_unwritten: block .0,0,0., thread .3,0,0. of over_grid
// case before_all: read of 4 bytes 4 bytes before 400 bytes|read of 4 bytes .*before 400 bytes
// several before_all
__global__ void over_grid(const int *all, int n, int from, int *to) {
  int thread = threadIdx.y * blockDim.x + threadIdx.x, sum = 0;
  for (int i = blockIdx.x * 16 + thread + from; i < n; i += gridDim.x * 16) sum += all[i];
  to[blockIdx.x * 16 + thread] = sum;
}
__global__ void near_the_end(const int *all, int *to) {
  int sum = 0;
  for (unsigned i = 4294967196u + threadIdx.x; i >= 4294967196u; i += blockDim.x) sum += all[i - 4294967196u];
  to[threadIdx.x] = sum;
}

CASES
  dim3 rows(8, 2);
  int *d = device<int>(100), *to = device<int>(100);
  CASE(last_iteration) sum<<<1, 1>>>(d, 0, 101, 1, to);
  CASE(strided) sum<<<1, 1>>>(d, 1, 26, 4, to);
  CASE(first_iteration) sum<<<1, 1>>>(d, -1, 50, 1, to);
  CASE(backwards) sum<<<1, 1>>>(d, 98, 51, -2, to);
  CASE(all_iterations) sum<<<1, 1>>>(d, 0, 100, 1, to);
  CASE(backwards_inside) sum<<<1, 1>>>(d, 99, 100, -1, to);
  CASE(no_iteration) sum<<<1, 1>>>(d, 1000, 0, 1, to);
  CASE(one_iteration) sum<<<1, 1>>>(d, 99, 1, 1000, to);
  CASE(wraps_inside) around<<<1, 1>>>(d, 4, 5, 0xffffffffu, to);
  CASE(shared_window) window<<<1, 64>>>(d, to, 0);
  CASE(shared_window_inside) window<<<1, 33>>>(d, to, 1);
  CASE(under_a_condition) chosen<<<1, 1>>>(d, 100, to);
  CASE(misaligned) bytes<<<1, 1>>>((const char *)d, 5, to);
  CASE(unwritten) sum<<<1, 1>>>(device<int>(100, false), 0, 100, 1, to);
  CASE(over_grid) for (int i = 0; i < 3; i++) over_grid<<<2, rows>>>(d, 100, 0, to);
  CASE(over_grid_no_iteration) over_grid<<<2, rows>>>(d, -1, 0, to);
  CASE(over_grid_past) over_grid<<<2, rows>>>(d, 125, 0, to);
  CASE(over_grid_unwritten) {
    int *part = device<int>(100, false);
    cudaMemset(part, 0, 99 * sizeof(int));
    over_grid<<<2, rows>>>(part, 100, 0, to);
  }
  CASE(before_all) over_grid<<<1, 1>>>(d + 0, 3, -1, to);
  CASE(near_the_end) near_the_end<<<1, 32>>>(d, to);
  CASE(in_place) prefix<<<1, 33>>>(d);
END
