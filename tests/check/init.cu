// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of memory that nobody wrote.
// flags: -g -fcheck=init
#include "cases.h"

__global__ void read(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void fill(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i;
}
// case fresh: ^unwarp: init: read of 4 bytes that nobody has written: byte 0 of 400 bytes of device memory$
// case fresh: ^  read: block .0,0,0., thread .0,0,0. of read.int const., int., int. at init.cu:9$
// case fresh: ^  allocated at .*cases.h:14 .*init.cu
// case fresh: uninitialized at init.cu:9: 100 times in all
// case partly_filled: byte 200 of 400 bytes
// case partly_copied: byte 396 of 400 bytes
// case freed_and_new: that nobody has written
// case pool: that nobody has written: byte 0 of 400 bytes
// case copied_from_fresh: that nobody has written: byte 0 of 400 bytes
// case copied_half: byte 200 of 400 bytes
// clean filled_by_memset
// clean filled_by_copy
// clean filled_by_kernel
// clean copy_of_filled
// clean managed
// clean pinned
// clean two_dimensions

__global__ void add(int *to) { to[threadIdx.x] += 1; }
__global__ void atomic(int *to) { atomicAdd(&to[0], 1); }
__global__ void bytes(const char *from, char *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void set_bytes(char *to, int step) { to[threadIdx.x * step] = 1; }
// case read_and_write: that nobody has written: byte 0 of 400
// case counter: atomic operation of 4 bytes that nobody has written
// case every_other_byte: read of 1 bytes that nobody has written: byte 1 of
// clean all_bytes
// clean counter_cleared

__global__ void shared(int *to, int is_right) {
  __shared__ int s[64];
  if (is_right || threadIdx.x < 63) s[threadIdx.x] = 1;
  __syncthreads();
  to[threadIdx.x] = s[63 - threadIdx.x];
}
// case shared_memory: that nobody has written: shared memory of the block
// clean shared_filled

// A tile whose corners nobody needs; a loop over what was written up to its last element; a row of 16 bytes a thread.
__global__ void tile(int *to, int is_right) {
  __shared__ int s[10][10];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  s[y][x] = x;
  if (x == 1) s[y][0] = 0;
  if (x == 8) s[y][9] = 0;
  if (y == 1) s[0][x] = 0;
  if (y == 8 && (is_right || x < 8)) s[9][x] = 0;
  __syncthreads();
  to[threadIdx.y * 8 + threadIdx.x] = s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x];
}
// case tile_rim: ^unwarp: init: read of 4 bytes that nobody has written: shared memory of the block$
// case tile_rim: ^  read: block .0,0,0., thread .7,7,0. of tile.int., int. at init.cu:62$
// clean tile_inside
__global__ void sums(int *to, int n) {
  __shared__ int s[64];
  if (threadIdx.x < n) s[threadIdx.x] = 1;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; k++) sum += s[k];
  to[threadIdx.x] = sum;
}
// case sum_of_too_many: read of 4 bytes that nobody has written: shared memory of the block
// case sum_of_too_many: uninitialized-shared at init.cu:72: 64 times in all
// clean sum_of_all
__global__ void quads(int *to, int is_right) {
  __shared__ int4 s[32];
  if (is_right || threadIdx.x != 5) s[threadIdx.x] = make_int4(1, 2, 3, 4);
  else s[threadIdx.x].x = 1;
  __syncthreads();
  int4 v = s[31 - threadIdx.x];
  to[threadIdx.x] = v.x + v.y + v.z + v.w;
}
// case quad_in_part: init.cu:83
// several quad_in_part
// clean quads_whole

__device__ int variable[10];
__global__ void read_variable(int *to) { to[threadIdx.x] = variable[threadIdx.x]; }
__global__ void heap(int *to, int is_right) {
  int *own = (int *)malloc(16);
  if (is_right) own[1] = 1;
  to[threadIdx.x] = own[1];
  free(own);
}
// case heap_fresh: that nobody has written: byte 4 of 16 bytes of memory of a kernel's malloc
// clean heap_filled
// clean device_variable

__global__ void release(int *lock, float *level, int *before, int is_wanted) {
  atomicExch(level, 1.5f);
  if (is_wanted) *before = atomicExch(lock, 3);
  else atomicExch(lock, 3);
}
// case exchange_wanted: atomic operation of 4 bytes that nobody has written: byte 8 of 400
// clean exchange_alone

// The same in a loop that waits, which adds up what its atomic operations change (raise/wait_moves.c).
__global__ void set_words(int *words, int *to) {
  int old;
  do {
    if (threadIdx.x == 0) atomicExch(&words[1], 4);
    old = atomicOr(&words[0], 1);
    if (!(old & 1)) atomicExch(&words[0], old + 2);
  } while (old < 8);
  to[threadIdx.x] = old;
}
// clean exchange_in_wait

CASES
  static int host[100];
  int *to = device<int>(100), *from = device<int>(100, false);
  CASE(fresh) read<<<4, 32>>>(from, to, 100);
  CASE(partly_filled) { fill<<<4, 32>>>(from, 50); read<<<4, 32>>>(from, to, 100); }
  CASE(partly_copied) { cudaMemcpy(from, host, 396, cudaMemcpyHostToDevice); read<<<4, 32>>>(from, to, 100); }
  CASE(freed_and_new) { int *old = device<int>(100); cudaFree(old); read<<<4, 32>>>(device<int>(100, false), to, 100); }
  CASE(pool) { int *p; cudaMallocAsync(&p, 400, 0); read<<<4, 32>>>(p, to, 100); cudaFreeAsync(p, 0); }
  CASE(copied_from_fresh) { cudaMemcpy(to, from, 400, cudaMemcpyDeviceToDevice); read<<<4, 32>>>(to, device<int>(100), 100); }
  CASE(copied_half) { fill<<<4, 32>>>(from, 50); cudaMemcpy(to, from, 400, cudaMemcpyDeviceToDevice); read<<<4, 32>>>(to, device<int>(100), 100); }
  CASE(filled_by_memset) { cudaMemset(from, 0, 400); read<<<4, 32>>>(from, to, 100); }
  CASE(filled_by_copy) { cudaMemcpy(from, host, 400, cudaMemcpyHostToDevice); read<<<4, 32>>>(from, to, 100); }
  CASE(filled_by_kernel) { fill<<<4, 32>>>(from, 100); read<<<4, 32>>>(from, to, 100); }
  CASE(copy_of_filled) { fill<<<4, 32>>>(from, 100); cudaMemcpy(to, from, 400, cudaMemcpyDeviceToDevice); read<<<4, 32>>>(to, device<int>(100), 100); }
  CASE(managed) { int *m; cudaMallocManaged(&m, 400); read<<<4, 32>>>(m, to, 100); }
  CASE(pinned) { int *m; cudaMallocHost(&m, 400); memset(m, 0, 400); read<<<4, 32>>>(m, to, 100); }
  CASE(two_dimensions) {
    int *p;
    size_t pitch;
    cudaMallocPitch(&p, &pitch, 40, 10);
    cudaMemcpy2D(p, pitch, host, 40, 40, 10, cudaMemcpyHostToDevice);
    for (int y = 0; y < 10; y++) read<<<1, 32>>>(p + y * pitch / 4, to, 10);
  }
  CASE(read_and_write) add<<<1, 32>>>(from);
  CASE(counter) atomic<<<2, 32>>>(from);
  CASE(counter_cleared) { cudaMemset(from, 0, 4); atomic<<<2, 32>>>(from); }
  CASE(exchange_wanted) release<<<1, 1>>>(from + 2, (float *)from, to, 1);
  CASE(exchange_alone) { release<<<1, 1>>>(from + 2, (float *)from, to, 0); read<<<1, 1>>>(from + 2, to, 1); }
  CASE(every_other_byte) { set_bytes<<<1, 50>>>((char *)from, 2); bytes<<<1, 100>>>((char *)from, (char *)to); }
  CASE(all_bytes) { set_bytes<<<1, 100>>>((char *)from, 1); bytes<<<1, 100>>>((char *)from, (char *)to); }
  CASE(shared_memory) shared<<<1, 64>>>(to, 0);
  CASE(shared_filled) shared<<<1, 64>>>(to, 1);
  CASE(tile_rim) tile<<<1, dim3(8, 8)>>>(to, 0);
  CASE(tile_inside) tile<<<1, dim3(8, 8)>>>(to, 1);
  CASE(sum_of_too_many) sums<<<1, 64>>>(to, 63);
  CASE(sum_of_all) sums<<<2, 64>>>(to, 64);
  CASE(quad_in_part) quads<<<1, 32>>>(to, 0);
  CASE(quads_whole) quads<<<1, 32>>>(to, 1);
  CASE(heap_fresh) heap<<<1, 1>>>(to, 0);
  CASE(heap_filled) heap<<<1, 1>>>(to, 1);
  CASE(exchange_in_wait) { cudaMemset(from, 0, 4); set_words<<<1, 2>>>(from, to); }
  CASE(device_variable) read_variable<<<1, 10>>>(to);
END
