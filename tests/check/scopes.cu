// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fcheck=race: scopes and orders of atomic operations and fences count as they are written.
// flags: -fcheck=race -g -std=c++17
#include "cases.h"
#include <cuda/atomic>

// --- atomic within a block alone ---

__global__ void votes(int *yes) { if (threadIdx.x % 3) atomicAdd_block(yes, 1); }
__global__ void votes_of_all(int *yes) { if (threadIdx.x % 3) atomicAdd_system(yes, 1); }
__global__ void mixed(int *most) { if (blockIdx.x) atomicMax(most, (int)threadIdx.x); else { atomicMax_block(most, 5); atomicMax(most, 6); } }
__global__ void own_votes(int *yes) {
  __shared__ int here;
  if (threadIdx.x == 0) here = 0;
  __syncthreads();
  atomicAdd_block(&here, 1);
  atomicAdd_block(&yes[blockIdx.x], 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&yes[gridDim.x], here);
}
__global__ void votes_by_ref(int *yes) { cuda::atomic_ref<int, cuda::thread_scope_block>(*yes).fetch_add(1, cuda::memory_order_relaxed); }
__global__ void votes_by_nv(unsigned *yes) { __nv_atomic_fetch_or(yes, 1u << threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK); }
__global__ void votes_by_ptx(int *yes) { asm volatile("red.relaxed.cta.global.add.s32 [%0], 1;" ::"l"(yes) : "memory"); }
// case blocks_vote: ^unwarp: race: atomic operation of 4 bytes at byte 0 of 4096 bytes of device memory, in no order with an atomic write .* by another block$
// clean one_block_votes
// clean system_votes
// case mixed_scopes: atomic operation of 4 bytes .* in no order with an atomic write .* by another block$
// clean votes_apart
// case by_ref: in no order with an atomic write .* by another block$
// case by_nv: in no order with an atomic write .* by another block$
// case by_ptx: in no order with an atomic write .* by another block$

// --- one block hands a value to another one ---

enum { DEVICE_FENCES, BLOCK_FENCE, NO_FENCE, BARRIER, RELEASE, RELEASE_OF_BLOCK, RELAXED, PTX, PTX_OF_BLOCK, TOO_LATE, OTHER_FLAG };

template <int WRITER> __device__ void put(int *value, int *flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*flag);
  cuda::atomic_ref<int, cuda::thread_scope_block> near(*flag);
  cuda::atomic_ref<int, cuda::thread_scope_device> other(flag[1]);
  if (WRITER != TOO_LATE) *value = 3;
  if (WRITER == DEVICE_FENCES || WRITER == TOO_LATE) __threadfence();
  if (WRITER == BLOCK_FENCE) __threadfence_block();
  if (WRITER == RELEASE) ref.store(1, cuda::memory_order_release);
  else if (WRITER == RELAXED) ref.store(1, cuda::memory_order_relaxed);
  else if (WRITER == RELEASE_OF_BLOCK) { near.store(0, cuda::memory_order_release); ref.fetch_add(1, cuda::memory_order_relaxed); }
  else if (WRITER == PTX) asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  else if (WRITER == PTX_OF_BLOCK) { asm volatile("fence.acq_rel.cta;" ::: "memory"); asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory"); }
  else if (WRITER == OTHER_FLAG) { other.fetch_add(1, cuda::memory_order_release); ref.store(1, cuda::memory_order_relaxed); }
  else atomicExch(flag, 1);
  if (WRITER == TOO_LATE) *value = 4;
}

template <int READER> __device__ int get(int *value, int *flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*flag);
  cuda::atomic_ref<int, cuda::thread_scope_block> near(*flag);
  int seen = 0;
  do {
    if (READER == RELEASE) seen = ref.load(cuda::memory_order_acquire);
    else if (READER == RELEASE_OF_BLOCK) { seen = ref.load(cuda::memory_order_relaxed); seen += near.load(cuda::memory_order_acquire); }
    else if (READER == RELAXED) seen = ref.load(cuda::memory_order_relaxed);
    else if (READER == PTX) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    else if (READER == PTX_OF_BLOCK) asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];\n fence.acq_rel.cta;" : "=r"(seen) : "l"(flag) : "memory");
    else seen = atomicAdd(flag, 0);
  } while (!seen);
  if (READER == DEVICE_FENCES) __threadfence();
  if (READER == BLOCK_FENCE) __threadfence_block();
  if (READER == BARRIER) __syncthreads();
  return *value;
}

template <int WRITER, int READER> __global__ void hand_over(int *value, int *flag, int *out) {
  if (blockIdx.x == 0) put<WRITER>(value, flag);
  else *out = get<READER>(value, flag);
}
// clean both_fence
// case writer_fences_block: ^unwarp: race: read of 4 bytes .* in no order with a write .value 3. by another block$
// case writer_has_no_fence: read of 4 bytes .* in no order with a write
// case reader_fences_block: read of 4 bytes .* in no order with a write
// case reader_has_no_fence: read of 4 bytes .* in no order with a write
// clean reader_has_a_barrier
// clean released
// clean released_and_fenced
// case writer_is_relaxed: read of 4 bytes .* in no order with a write
// case reader_is_relaxed: read of 4 bytes .* in no order with a write
// case writer_releases_block: read of 4 bytes .* in no order with a write
// several writer_releases_block
// case reader_acquires_block: read of 4 bytes .* in no order with a write
// several reader_acquires_block
// clean released_by_ptx
// case writer_fences_block_by_ptx: read of 4 bytes .* in no order with a write
// case reader_fences_block_by_ptx: read of 4 bytes .* in no order with a write
// case written_after_release: read of 4 bytes .* in no order with a write .value 4. by another block$
// case released_elsewhere: read of 4 bytes .* in no order with a write

// --- within a block, its scope is enough, and hands on what a thread knows of others ---

template <int ORDER> __global__ void to_next_warp(int *value, int *flags, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> ref(flags[blockIdx.x]);
  if (threadIdx.x == 0) {
    value[blockIdx.x] = 3;
    if (ORDER == BLOCK_FENCE) { __threadfence_block(); atomicExch_block(&flags[blockIdx.x], 1); }
    else ref.store(1, ORDER == RELEASE ? cuda::memory_order_release : cuda::memory_order_relaxed);
  } else if (threadIdx.x == 32) {
    if (ORDER == BLOCK_FENCE) {
      while (!atomicAdd_block(&flags[blockIdx.x], 0)) { }
      __threadfence_block();
    } else {
      while (!ref.load(cuda::memory_order_acquire)) { }
    }
    out[blockIdx.x] = value[blockIdx.x];
  }
}
// clean warp_fences
// clean warp_releases
// case warp_is_relaxed: read of 4 bytes .* in no order with a write .value 3. by another thread of the block$
// several warp_is_relaxed

__global__ void pass_on(int *value, int *flags, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> far(flags[0]);
  cuda::atomic_ref<int, cuda::thread_scope_block> near(flags[1]);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) { *value = 3; far.store(1, cuda::memory_order_release); }
  } else if (threadIdx.x == 0) {
    while (!far.load(cuda::memory_order_acquire)) { }
    near.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 32) {
    while (!near.load(cuda::memory_order_acquire)) { }
    *out = *value;
  }
}
// clean passed_on

// Threads of a block take turns: what each reads, and read before, is in order with what the next one writes.
template <bool WITH_LOOK> __global__ void turns(int *lock, int *sum) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*lock);
  int expected = 0;
  if (WITH_LOOK && *sum < 0) return;
  while (!ref.compare_exchange_weak(expected, 1, cuda::memory_order_acquire)) expected = 0;
  *sum += 1 + threadIdx.x;
  ref.store(0, cuda::memory_order_release);
}
// clean locked
// case looked_before: in no order with a (read|write) .*by another (lane of the warp|thread of the block|block)$
// several looked_before

// --- a lock: who takes it first needs a fence, too, though nobody had it before in the order of this run ---

enum { NO_FENCE_FIRST = 20, BLOCK_FENCE_FIRST, FENCE_ALWAYS, FLAG_TOO };

template <int FORM> __global__ void deposit(int *lock, int *sum, int *flag, int *out) {
  if (FORM == FLAG_TOO && blockIdx.x) {
    while (!atomicAdd(flag, 0)) { }
    __threadfence();
  }
  while (atomicCAS(lock, 0, 1)) { }
  if (blockIdx.x || FORM == FENCE_ALWAYS) __threadfence();
  else if (FORM == BLOCK_FENCE_FIRST) __threadfence_block();
  *sum += 2;
  __threadfence();
  atomicExch(lock, 0);
  if (FORM == FLAG_TOO && blockIdx.x == 0) atomicExch(flag, 1);
}
// case first_deposit_has_no_fence: in no order with a write .value 2. by another block, under one lock that it took without a fence$
// several first_deposit_has_no_fence
// case first_deposit_fences_block: in no order with a write .value 2. by another block, under one lock
// several first_deposit_fences_block
// clean deposits
// clean deposit_with_flag

// A place that one claims and fills, and another one empties, is no lock: there was nothing to acquire.
__global__ void fill_and_empty(int *state, int *place, int *out) {
  if (blockIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) { *place = 5; __threadfence(); atomicExch(state, 2); }
  } else {
    while (atomicCAS(state, 2, 3) != 2) { }
    __threadfence();
    *out = *place;
  }
}
// clean filled_and_emptied

// --- atomic and volatile accesses wait for the poll before them ---

template <bool POLLS> __global__ void show(volatile int *value, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *value = 3;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    if (POLLS) { while (!atomicAdd(flag, 0)) { } }
    else if (!atomicAdd(flag, 0)) return;
    *out = *value;
  }
}
// clean polled_strict
// env polled_strict: UNWARP_CHECK=strict
// case looked_once_strict: read of 4 bytes .* in no order with a write .value 3. by another block$
// env looked_once_strict: UNWARP_CHECK=strict
// clean looked_once

template <bool POLLS> __global__ void count_on(int *count, int *flag) {
  if (blockIdx.x == 0) {
    atomicAdd_block(count, 1);
    __threadfence();
    atomicExch(flag, 1);
  } else {
    if (POLLS) { while (!atomicAdd(flag, 0)) { } }
    else if (!atomicAdd(flag, 0)) return;
    atomicAdd(count, 1);
  }
}
// clean counted_on
// case counted_after_look: atomic operation of 4 bytes .* in no order with an atomic write .value 1. by another block$

// --- strictly, volatile accesses race, but for those of lanes in lockstep ---

template <int APART> __global__ void fold(volatile int *sums) {
  if (threadIdx.x >= APART) return;
  int sum = sums[threadIdx.x] + sums[threadIdx.x + APART];
  sums[threadIdx.x] = sum;
  if (threadIdx.x < APART / 2) sums[threadIdx.x] = sum + sums[threadIdx.x + APART / 2];
}
// clean folded_in_lockstep
// env folded_in_lockstep: UNWARP_CHECK=strict
// case folded_by_warps: in no order with a write .* by another thread of the block$
// env folded_by_warps: UNWARP_CHECK=strict
// several folded_by_warps

CASES
  int *d = device<int>(1024), *flags = device<int>(8), *out = device<int>(8);
  CASE(blocks_vote) votes<<<3, 32>>>(d);
  CASE(one_block_votes) { votes<<<1, 32>>>(d); votes<<<1, 64>>>(d); }
  CASE(system_votes) votes_of_all<<<3, 32>>>(d);
  CASE(mixed_scopes) mixed<<<2, 1>>>(d);
  CASE(votes_apart) own_votes<<<3, 64>>>(d);
  CASE(by_ref) votes_by_ref<<<2, 1>>>(d);
  CASE(by_nv) votes_by_nv<<<2, 32>>>((unsigned *)d);
  CASE(by_ptx) votes_by_ptx<<<2, 32>>>(d);
  CASE(both_fence) hand_over<DEVICE_FENCES, DEVICE_FENCES><<<2, 1>>>(d, flags, out);
  CASE(writer_fences_block) hand_over<BLOCK_FENCE, DEVICE_FENCES><<<2, 1>>>(d, flags, out);
  CASE(writer_has_no_fence) hand_over<NO_FENCE, DEVICE_FENCES><<<2, 1>>>(d, flags, out);
  CASE(reader_fences_block) hand_over<DEVICE_FENCES, BLOCK_FENCE><<<2, 1>>>(d, flags, out);
  CASE(reader_has_no_fence) hand_over<DEVICE_FENCES, NO_FENCE><<<2, 1>>>(d, flags, out);
  CASE(reader_has_a_barrier) hand_over<DEVICE_FENCES, BARRIER><<<2, 1>>>(d, flags, out);
  CASE(released) hand_over<RELEASE, RELEASE><<<2, 1>>>(d, flags, out);
  CASE(released_and_fenced) hand_over<RELEASE, DEVICE_FENCES><<<2, 1>>>(d, flags, out);
  CASE(writer_is_relaxed) hand_over<RELAXED, RELEASE><<<2, 1>>>(d, flags, out);
  CASE(reader_is_relaxed) hand_over<RELEASE, RELAXED><<<2, 1>>>(d, flags, out);
  CASE(writer_releases_block) hand_over<RELEASE_OF_BLOCK, RELEASE><<<2, 1>>>(d, flags, out);
  CASE(reader_acquires_block) hand_over<RELEASE, RELEASE_OF_BLOCK><<<2, 1>>>(d, flags, out);
  CASE(released_by_ptx) hand_over<PTX, PTX><<<2, 1>>>(d, flags, out);
  CASE(writer_fences_block_by_ptx) hand_over<PTX_OF_BLOCK, PTX><<<2, 1>>>(d, flags, out);
  CASE(reader_fences_block_by_ptx) hand_over<PTX, PTX_OF_BLOCK><<<2, 1>>>(d, flags, out);
  CASE(written_after_release) hand_over<TOO_LATE, DEVICE_FENCES><<<2, 1>>>(d, flags, out);
  CASE(released_elsewhere) hand_over<OTHER_FLAG, RELEASE><<<2, 1>>>(d, flags, out);
  CASE(warp_fences) to_next_warp<BLOCK_FENCE><<<2, 64>>>(d, flags, out);
  CASE(warp_releases) to_next_warp<RELEASE><<<2, 64>>>(d, flags, out);
  CASE(warp_is_relaxed) to_next_warp<RELAXED><<<2, 64>>>(d, flags, out);
  CASE(passed_on) pass_on<<<2, 64>>>(d, flags, out);
  CASE(locked) turns<false><<<2, 96>>>(flags, d);
  CASE(first_deposit_has_no_fence) deposit<NO_FENCE_FIRST><<<2, 1>>>(flags, d, flags + 1, out);
  CASE(first_deposit_fences_block) deposit<BLOCK_FENCE_FIRST><<<2, 1>>>(flags, d, flags + 1, out);
  CASE(deposits) deposit<FENCE_ALWAYS><<<3, 40>>>(flags, d, flags + 1, out);
  CASE(deposit_with_flag) deposit<FLAG_TOO><<<2, 1>>>(flags, d, flags + 1, out);
  CASE(filled_and_emptied) fill_and_empty<<<2, 1>>>(flags, d, out);
  CASE(polled_strict) show<true><<<2, 1>>>(d, flags, out);
  CASE(looked_once_strict) show<false><<<2, 1>>>(d, flags, out);
  CASE(looked_once) show<false><<<2, 1>>>(d, flags, out);
  CASE(counted_on) count_on<true><<<2, 1>>>(d, flags);
  CASE(counted_after_look) count_on<false><<<2, 1>>>(d, flags);
  CASE(folded_in_lockstep) fold<32><<<1, 32>>>(d);
  CASE(folded_by_warps) fold<64><<<1, 64>>>(d);
  CASE(looked_before) turns<true><<<2, 96>>>(flags, d);
END
