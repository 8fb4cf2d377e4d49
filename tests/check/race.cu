// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads, one address, no order: in a warp, in a block, between blocks.
// flags: -g -fcheck=race
#include "cases.h"

// --- in a block, by shared memory ---

__global__ void reverse(int *io, int is_right) {
  __shared__ int s[128];
  s[threadIdx.x] = io[threadIdx.x];
  if (is_right) __syncthreads();
  io[threadIdx.x] = s[127 - threadIdx.x];
}
// case no_barrier: ^unwarp: race: read of 4 bytes at shared memory s, byte 508, in no order with a write .value 127. by another thread of the block$
// case no_barrier: ^  read: block .0,0,0., thread .0,0,0. of reverse.int., int. at race.cu:13$
// case no_barrier: ^  write: block .0,0,0., thread .127,0,0. of reverse.int., int. at race.cu:11$
// clean barrier

__global__ void sums(int *io, int is_right) {
  __shared__ int s[128];
  s[threadIdx.x] = io[threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    if (is_right) __syncthreads();
  }
  if (threadIdx.x == 0) *io = s[0];
}
// case tree: in no order with a (write|read) .*by another (lane of the warp|thread of the block)
// clean tree_right

__global__ void overwrite(int *io, int is_right) {
  __shared__ int s[128];
  s[threadIdx.x] = io[threadIdx.x];
  __syncthreads();
  int next = s[(threadIdx.x + 1) % 128];
  if (is_right) __syncthreads();
  s[threadIdx.x] = next + 1;
  __syncthreads();
  io[threadIdx.x] = s[threadIdx.x];
}
// case anti: ^unwarp: race: write of 4 bytes .value 2. at shared memory s, byte 0, in no order with a read .value 0. by another thread of the block
// clean anti_right

__global__ void all_write(int *io, int same) {
  __shared__ int s;
  s = same ? 7 : threadIdx.x;
  __syncthreads();
  io[threadIdx.x] = s;
}
// case many_writers: write of 4 bytes .value 1. at shared memory s, byte 0, in no order with a write .value 0. by another lane
// clean same_value

__global__ void in_loop(int *io, int is_right) {
  __shared__ int s[64];
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    s[threadIdx.x] = io[threadIdx.x] + i;
    __syncthreads();
    sum += s[63 - threadIdx.x];
    if (is_right) __syncthreads();
  }
  io[threadIdx.x] = sum;
}
// case next_iteration: in no order with a (write|read)
// clean next_iteration_right

__global__ void bytes(char *io, int step) {
  __shared__ char s[128];
  s[threadIdx.x * step] = threadIdx.x;
  __syncthreads();
  io[threadIdx.x] = s[threadIdx.x * step];
}
// clean neighbouring_bytes
// case one_byte: write of 1 bytes

// --- in a warp ---

__global__ void warp_sum(int *io, int is_right) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = io[t];
  s[t + 32] = 0;
  if (is_right) __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    int other = s[t + d];
    if (is_right) __syncwarp();
    s[t] += other;
    if (is_right) __syncwarp();
  }
  io[t] = s[t];
}
// case lanes: by another lane of the warp$
// several lanes
// clean lanes_right

__global__ void two_warps(int *io) {
  __shared__ int s[64];
  s[threadIdx.x] = io[threadIdx.x];
  __syncwarp();
  io[threadIdx.x] = s[63 - threadIdx.x];
}
// several other_warp
// case other_warp: by another thread of the block$

__global__ void by_shuffle(int *io) {
  __shared__ int s[32];
  s[threadIdx.x] = io[threadIdx.x];
  __syncwarp();
  io[threadIdx.x] = s[31 - threadIdx.x] + __shfl_xor_sync(~0u, threadIdx.x, 1);
}
// clean shuffled

// --- between blocks ---

__global__ void all_blocks(int *to) { to[threadIdx.x] = blockIdx.x; }
__global__ void own_places(int *to) { to[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
__global__ void count(int *to) { *to += 1; }
__global__ void count_atomically(int *to) { atomicAdd(to, 1); }
__global__ void shift(int *io, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) io[i] = io[i + 1] + 1;
}
// case blocks_write: ^unwarp: race: write of 4 bytes .value 1. at byte 0 of 4096 bytes of device memory, in no order with a write .value 0. by another block$
// case blocks_write: ^  write: block .1,0,0., thread .0,0,0. of all_blocks
// case blocks_write: ^  write: block .0,0,0., thread .0,0,0. of all_blocks
// case counter: in no order with a write
// case shifted: in no order with a (read|write)
// clean own
// clean counter_atomic
// clean two_launches

__global__ void last_block(int *part, unsigned *done, int *out, int fences) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x + 1;
    if (fences) __threadfence();
    is_last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += part[b];
    *out = sum;
  }
}
// case no_fence: read of 4 bytes at byte 0 of 4096 bytes of device memory, in no order with a write .value 1. by another block
// clean fence

template <bool is_right> __global__ void fence_too_early(int *part, unsigned *done, int *out) {
  __shared__ bool is_last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (is_right) __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x * blockDim.x; i++) sum += part[i];
    *out = sum;
  }
}
// case no_barrier_before_fence: in no order with a write
// clean barrier_before_fence

__global__ void locked(int *lock, int *value, int fences) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    if (fences) __threadfence();
    *value += 1;
    if (fences) __threadfence();
    atomicExch(lock, 0);
  }
}
// case lock_without_fence: in no order with a (read|write)
// clean lock

__global__ void set_then_add(int *counter) {
  if (threadIdx.x == 0) *counter = 0;
  atomicAdd(counter, 1);
}
// case set_then_added: atomic operation of 4 bytes at byte 0 of 4096 bytes of device memory, in no order with a write

// --- what our headers exchange ---

#include <mma.h>
// clean fragments
__global__ void fragments(const half *a, const half *b, float *c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, col_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(left, a, 16);
  load_matrix_sync(right, b + threadIdx.x / 32 * 256, 16);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(c + threadIdx.x / 32 * 256, sum, 16, mem_row_major);
}

// --- what is read only by its parameter's name ---

__global__ void copy_next(const int *from, int *to, const int *add) { to[threadIdx.x + 32 * blockIdx.x] = from[threadIdx.x + 1 + 32 * blockIdx.x] + add[threadIdx.x]; }
// case read_is_written: write of 4 bytes .* at byte 4 of 4096 bytes of device memory, in no order with a read .* by another lane of the warp
// case inside_of_written: write of 4 bytes .* at byte 412 of 4096 bytes of device memory, in no order with a read .* by another lane of the warp
// clean only_read
// clean halves_of_one

struct Pair { int *to; const int *from; };
__global__ void copy_pair(Pair pair) { pair.to[threadIdx.x] = pair.from[threadIdx.x + 1]; }
// case in_a_struct: in no order with a read .* by another lane of the warp

// Warps hand values over through volatile memory, and come back for more.
__global__ void ring(int *sums) {
  __shared__ volatile int full[32], item[32];
  int t = threadIdx.x, sum = 0;
  if (t < 32) full[t] = 0;
  __syncthreads();
  if (t >= 32) {
    for (int r = 0; r < 3; r++) {
      while (full[t - 32]) { }
      item[t - 32] = r;
      __threadfence_block();
      full[t - 32] = 1;
    }
  } else {
    for (int got = 0; got < 3;)
      if (full[t]) {
        sum += item[t];
        __threadfence_block();
        full[t] = 0;
        got++;
      }
    sums[t] = sum;
  }
}
// clean handed_over

// --- variables by name, and by pointers to them ---

__device__ int table[64];
__constant__ int factors[16] = {1, 2, 3};

__global__ void read_by_name(int *to, int *out) {
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < 16; k++) sum += table[t + k] * factors[k];
  out[t] = sum;
  to[t] = t;
}
// case variable_by_pointer: ^unwarp: race: write of 4 bytes .value 1. at byte 4 of 256 bytes of a device variable, in no order with a read
// case variable_by_pointer: write: .* of read_by_name.int., int.. at race.cu:251$
// case variable_by_pointer: read: .* of read_by_name.int., int.. at race.cu:249$
// clean variable_only_read

__global__ void written_by_name(const int *from, int *out) {
  int t = threadIdx.x;
  out[t] = from[t + 1];
  table[t] = t;
}
// case pointer_to_written: ^unwarp: race: write of 4 bytes .value 1. at byte 4 of 256 bytes of a device variable, in no order with a read
// case pointer_to_written: write: .* of written_by_name.int const., int.. at race.cu:261$
// case pointer_to_written: read: .* of written_by_name.int const., int.. at race.cu:260$
// clean pointer_to_other

// Blocks that take turns, since an atomic operation says how far their loops go: each has a piece of memory of its own.
template <bool BARRIER>
__global__ void take_turns(int *levels, int *more) {
  __shared__ int shown;
  int *own = levels + 8 * blockIdx.x, level = 0, most = 3;
  while (level < most) {
    if (threadIdx.x == 5) {
      own[1] = level + 1;
      shown = level + 1;
    }
    __syncthreads();
    level = (own[1] + shown) / 2;
    most = 3 + atomicOr(more + blockIdx.x, 0);
    if (BARRIER) __syncthreads();
  }
}
// clean turns
// case turns_without_barrier: race: write of 4 bytes .value 2. at shared memory .*shown, byte 0, in no order with a read .value 1. by another lane of the warp
// case turns_without_barrier: race: write of 4 bytes .value 2. at byte 4 of 4096 bytes of device memory, in no order with a read .value 1. by another lane of the warp
// several turns_without_barrier

// Plain reads beside atomic operations: a mistake, unless they only say whether one is tried, or what it expects.
__global__ void average(const int *v, int *out, int is_right) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, v[threadIdx.x]);
  if (is_right) __syncthreads();
  if (threadIdx.x == 40) out[blockIdx.x] = total / 64;
}
__global__ void look_first(int *seen, int *out) {
  if (threadIdx.x == 0) *out = *seen;
  else if (threadIdx.x > 40) atomicAdd(seen, 1);
}
__global__ void lower(const int *v, int *least, int *rounds) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (v[i] < least[i % 2])
    if (atomicMin(&least[i % 2], v[i]) > v[i]) rounds[i] = 1;
}
__global__ void multiply(float *product, float by) {
  int *bits = (int *)product, old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __float_as_int(__int_as_float(seen) * by));
  } while (old != seen);
}
__global__ void say_same(int *to) { *to = 7; }
__global__ void say_done(volatile int *done) { done[threadIdx.x / 2] = blockIdx.x + 1; }
// case average: race: read of 4 bytes at shared memory .*total, byte 0, in no order with an atomic write .*by another lane of the warp$
// clean average_right
// case looked: race: atomic operation of 4 bytes at byte 0 of 4 bytes of device memory, in no order with a read .*by another thread of the block$
// clean lowered
// clean multiplied
// case lowered_strict: in no order with an? (read|atomic write)
// env lowered_strict: UNWARP_CHECK=strict
// several lowered_strict
// case same_value_strict: in no order with a write
// env same_value_strict: UNWARP_CHECK=strict
// clean volatile_written
// case volatile_strict: in no order with a write .value 1. by another lane of the warp
// env volatile_strict: UNWARP_CHECK=strict

// --- what an exchange of a warp, and a fence, do not cover ---

__global__ void largest_of_warp(int *io, int is_right) {
  __shared__ int most[8];
  int lane = threadIdx.x % 32, first;
  if (threadIdx.x < 8) most[threadIdx.x] = io[threadIdx.x];
  __syncthreads();
  first = most[1];
  if (first < 0) return;
  if (is_right) __syncthreads();
  first = max(first, __shfl_down_sync(~0u, first, 4));
  if (lane == 3) most[threadIdx.x / 32] = first + 5;
  __syncthreads();
  io[threadIdx.x] = most[0];
}
// case read_before_exchange: write of 4 bytes .* at shared memory .*most, byte 4, in no order with a read .*by another (thread of the block|lane of the warp)$
// clean barrier_before_exchange

__global__ void lanes_read(int *io, int is_right) {
  __shared__ int s;
  if (threadIdx.x == 0) s = *io;
  __syncthreads();
  int own = s;
  if (own == 77) return;
  if (is_right) own += __shfl_xor_sync(~0u, own, 1);
  if (threadIdx.x == 0) s = own + 1;
  __syncthreads();
  io[threadIdx.x] = s;
}
// case lanes_read_first: write of 4 bytes .* at shared memory s, byte 0, in no order with a read
// clean lanes_exchange_first

// What all lanes come to, one exchange after the other: each orders what is around it.
__global__ void between_exchanges(int *io, int is_right) {
  __shared__ int s[64];
  int t = threadIdx.x + blockDim.x * threadIdx.y, own = t;
  own += __shfl_xor_sync(~0u, own, 1);
  s[t] = own;
  if (is_right) own += __shfl_xor_sync(~0u, own, 2);
  io[t] = s[t ^ 1] + own;
  own += __shfl_xor_sync(~0u, own, 4);
  s[t ^ 2] = own;
  for (int by = 16; by; by /= 2) own += __shfl_down_sync(~0u, own, by);
  io[t] += s[t ^ 3] + own;
}
// case no_exchange_between: read of 4 bytes at shared memory .*, byte 4, in no order with a write .*another lane of the warp
// clean exchanges_between
// clean exchanges_of_parts

// The reader says that it is done, and reads on.
__global__ void read_and_tell(int *value, int *is_read, int *out, int again) {
  if (blockIdx.x == 0) {
    out[0] = *value;
    __threadfence();
    atomicExch(is_read, 1);
    if (again) out[1] = *value + 1;
  } else {
    while (atomicAdd(is_read, 0) == 0) { }
    __threadfence();
    *value = 12;
  }
}
// case read_after_release: write of 4 bytes .value 12. at .*in no order with a read .* by another block$
// clean read_before_release

// --- a value that nobody uses was read all the same ---

__global__ void look_ahead(int *io, int is_right) {
  int next = io[threadIdx.x + 1], twice = 2 * next;
  (void)twice;
  if (is_right) __syncthreads();
  io[threadIdx.x] = 7 * threadIdx.x + 1000;
}
// case unused: write of 4 bytes .value 1007. at byte 4 of 4096 bytes of device memory, in no order with a read .* by another lane of the warp$
// clean unused_right

CASES
  int *d = device<int>(1024);
  static int fill[1024];
  for (int i = 0; i < 1024; i++) fill[i] = i == 16 ? 10 : i;
  cudaMemcpy(d, fill, sizeof fill, cudaMemcpyHostToDevice);
  CASE(fragments) fragments<<<1, 64>>>(device<half>(256), device<half>(512), device<float>(512));
  CASE(no_barrier) reverse<<<1, 128>>>(d, 0);
  CASE(barrier) reverse<<<1, 128>>>(d, 1);
  CASE(tree) sums<<<1, 128>>>(d, 0);
  CASE(tree_right) sums<<<1, 128>>>(d, 1);
  CASE(anti) overwrite<<<1, 128>>>(d, 0);
  CASE(anti_right) overwrite<<<1, 128>>>(d, 1);
  CASE(many_writers) all_write<<<1, 64>>>(d, 0);
  CASE(same_value) all_write<<<1, 64>>>(d, 1);
  CASE(next_iteration) in_loop<<<1, 64>>>(d, 0);
  CASE(next_iteration_right) in_loop<<<1, 64>>>(d, 1);
  CASE(neighbouring_bytes) bytes<<<1, 128>>>((char *)d, 1);
  CASE(one_byte) bytes<<<1, 128>>>((char *)d, 0);
  CASE(lanes) warp_sum<<<1, 32>>>(d, 0);
  CASE(lanes_right) warp_sum<<<1, 32>>>(d, 1);
  CASE(other_warp) two_warps<<<1, 64>>>(d);
  CASE(shuffled) by_shuffle<<<1, 32>>>(d);
  CASE(blocks_write) all_blocks<<<2, 32>>>(d);
  CASE(own) own_places<<<8, 32>>>(d);
  CASE(counter) count<<<4, 1>>>(d);
  CASE(counter_atomic) count_atomically<<<4, 64>>>(d);
  CASE(shifted) shift<<<4, 32>>>(d, 128);
  CASE(two_launches) { all_blocks<<<1, 32>>>(d); all_blocks<<<1, 32>>>(d); count<<<1, 1>>>(d); }
  CASE(no_fence) last_block<<<8, 32>>>(d, (unsigned *)device<int>(1), d + 100, 0);
  CASE(fence) last_block<<<8, 32>>>(d, (unsigned *)device<int>(1), d + 100, 1);
  CASE(no_barrier_before_fence) fence_too_early<false><<<8, 64>>>(d, (unsigned *)device<int>(1), d + 1000);
  CASE(barrier_before_fence) fence_too_early<true><<<8, 64>>>(d, (unsigned *)device<int>(1), d + 1000);
  CASE(lock_without_fence) locked<<<4, 32>>>(device<int>(1), d, 0);
  CASE(lock) locked<<<4, 32>>>(device<int>(1), d, 1);
  CASE(read_is_written) copy_next<<<1, 32>>>(d, d, device<int>(32));
  CASE(inside_of_written) copy_next<<<1, 32>>>(d + 102, d + 102, device<int>(32));
  CASE(only_read) copy_next<<<4, 32>>>(device<int>(129), d, device<int>(32));
  CASE(halves_of_one) copy_next<<<4, 32>>>(d + 512, d, d + 700);
  CASE(in_a_struct) copy_pair<<<1, 32>>>(Pair{d, d});
  CASE(set_then_added) set_then_add<<<1, 64>>>(d);
  CASE(handed_over) ring<<<1, 64>>>(d);
  CASE(turns) take_turns<true><<<3, 64>>>(d, device<int>(3));
  CASE(turns_without_barrier) take_turns<false><<<3, 64>>>(d, device<int>(3));
  CASE(average) average<<<2, 64>>>(d, device<int>(2), 0);
  CASE(average_right) average<<<2, 64>>>(d, device<int>(2), 1);
  CASE(looked) look_first<<<1, 64>>>(device<int>(1), d);
  int *falling = device<int>(128), host[128];
  for (int i = 0; i < 128; i++) host[i] = -i * 5 % 77;
  cudaMemcpy(falling, host, sizeof host, cudaMemcpyHostToDevice);
  CASE(lowered) lower<<<4, 32>>>(falling, device<int>(2), d);
  CASE(lowered_strict) lower<<<4, 32>>>(falling, device<int>(2), d);
  CASE(multiplied) multiply<<<4, 32>>>((float *)d, 1.5f);
  CASE(same_value_strict) say_same<<<1, 32>>>(d);
  CASE(volatile_written) say_done<<<2, 32>>>(d);
  CASE(volatile_strict) say_done<<<2, 32>>>(d);
  CASE(read_before_exchange) largest_of_warp<<<1, 96>>>(d, 0);
  CASE(barrier_before_exchange) largest_of_warp<<<1, 96>>>(d, 1);
  CASE(no_exchange_between) between_exchanges<<<1, 64>>>(d, 0);
  CASE(exchanges_between) between_exchanges<<<1, 64>>>(d, 1);
  CASE(exchanges_of_parts) between_exchanges<<<1, dim3(8, 8)>>>(d, 1);
  CASE(lanes_read_first) lanes_read<<<1, 32>>>(d, 0);
  CASE(lanes_exchange_first) lanes_read<<<1, 32>>>(d, 1);
  CASE(read_after_release) read_and_tell<<<2, 1>>>(d, device<int>(1), d + 8, 1);
  CASE(read_before_release) read_and_tell<<<2, 1>>>(d, device<int>(1), d + 8, 0);
  CASE(unused) look_ahead<<<1, 64>>>(d, 0);
  CASE(unused_right) look_ahead<<<1, 64>>>(d, 1);
  int *of_table;
  cudaGetSymbolAddress((void **)&of_table, table);
  CASE(variable_by_pointer) read_by_name<<<1, 32>>>(of_table, d);
  CASE(variable_only_read) read_by_name<<<1, 32>>>(d + 100, d);
  CASE(pointer_to_written) written_by_name<<<1, 32>>>(of_table, d);
  CASE(pointer_to_other) written_by_name<<<1, 32>>>(d + 100, d);
END
