// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarriers, by CUDA's primitives and by PTX: used before they are made and after they end, made twice, arrived at too often, waited for with
// tokens of other phases.
// flags: -fcheck=sync
#include "cases.h"
#include <cuda_awbarrier_primitives.h>

enum { N = 64 };

__device__ void wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  while (!__mbarrier_test_wait(barrier, token)) { }
}

// case never_made: ^unwarp: sync: a thread arrives at an mbarrier that nobody has made$
// case never_made: ^  here: block .0,0,0., thread .0,0,0. of never_made.int.. at mbarrier.cu:[0-9]+
__global__ void never_made(int *out) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) barrier = 1ull << 20 | 1;
  __syncthreads();
  if (threadIdx.x == 0) __mbarrier_arrive(&barrier);
  out[threadIdx.x] = 1;
}

// clean plain
// case no_barrier_between: ^unwarp: sync: a thread arrives at an mbarrier that another thread has made, with no barrier of the block since$
// case no_barrier_between: ^  made: block .0,0,0., thread .0,0,0. of plain.int., bool, int. at mbarrier.cu:[0-9]+
// clean three_phases
__global__ void plain(int *out, bool orders, int phases) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  if (orders) __syncthreads();
  for (int phase = 0; phase < phases; phase++) wait(&barrier, __mbarrier_arrive(&barrier));
  out[threadIdx.x] = 1;
}

// case made_twice: ^unwarp: sync: an mbarrier is made where there is one already that was not declared invalid$
// clean made_anew
// case made_by_all: an mbarrier is made where there is one already
// several made_by_all
__global__ void again(int *out, bool ends, bool all) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0 || all) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  wait(&barrier, __mbarrier_arrive(&barrier));
  __syncthreads();
  if (threadIdx.x == 0 && ends) __mbarrier_inval(&barrier);
  if (threadIdx.x == 0 && !all) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  wait(&barrier, __mbarrier_arrive(&barrier));
  out[threadIdx.x] = 1;
}

// case after_end: ^unwarp: sync: a thread waits at an mbarrier that was declared invalid$
// case after_end: ^  ended: block .0,0,0., thread .0,0,0. of after_end
// case ended_twice: ^unwarp: sync: a thread declares invalid an mbarrier that was declared invalid$
__global__ void after_end(int *out, bool twice) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  wait(&barrier, token);
  __syncthreads();
  if (threadIdx.x == 0) __mbarrier_inval(&barrier);
  if (threadIdx.x == 0 && twice) __mbarrier_inval(&barrier);
  __syncthreads();
  bool over = twice || __mbarrier_test_wait(&barrier, token);
  out[threadIdx.x] = over;
}

// case no_arrivals: ^unwarp: sync: an mbarrier for 0 arrivals: from 1 to 1048575 can be expected$
// case too_many: ^unwarp: sync: an mbarrier for 1048576 arrivals
__global__ void made_for(int *out, unsigned arrivals) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, arrivals);
  out[threadIdx.x] = 1;
}

// case overflow: ^unwarp: sync: 40 arrivals at an mbarrier that waits for 24 more in this phase$
// clean several_at_once
__global__ void several(int *out, int each) {
  __shared__ unsigned long long barrier;
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  unsigned long long token = 0;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at));
  __syncthreads();
  if (threadIdx.x < 2) asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(at), "r"(each));
  out[threadIdx.x] = (int)token;
}

// case old_token: ^unwarp: sync: a thread waits with a token of phase 0 of an mbarrier that is in phase 2$
// clean last_token
__global__ void tokens(int *out, int back) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  __mbarrier_token_t first = __mbarrier_arrive(&barrier);
  wait(&barrier, first);
  __mbarrier_token_t second = __mbarrier_arrive(&barrier);
  wait(&barrier, second);
  out[threadIdx.x] = __mbarrier_test_wait(&barrier, back ? first : second);
}

// case ptx_after_end: a thread arrives at an mbarrier that was declared invalid
// clean ptx
__global__ void by_ptx(int *out, bool ends) {
  __shared__ unsigned long long barrier;
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier), over = 0;
  unsigned long long token;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x));
  __syncthreads();
  if (ends && threadIdx.x == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at));
  __syncthreads();
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at));
  for (int i = 0; i < 2 && !over; i++)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(at), "l"(token));
  out[threadIdx.x] = over;
}

// Threads with roles: those who fill and those who read wait at addresses of their own.
#include <cuda/pipeline>
#include <cooperative_groups.h>
// clean roles
__global__ void roles(const int *in, int *out, int tiles) {
  __shared__ int room[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  int t = threadIdx.x, sum = 0;
  bool fills = t >= 32;
  auto pipe = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int k = 0; k < tiles; k++)
    if (fills) {
      pipe.producer_acquire();
      cuda::memcpy_async(&room[k % 2][t - 32], &in[k * 32 + t - 32], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += room[k % 2][(t + 5) % 32];
      pipe.consumer_release();
    }
  if (!fills) out[t] = sum;
}

CASES
  int *out = device<int>(N);
  CASE(never_made) never_made<<<1, N>>>(out);
  CASE(plain) plain<<<3, N>>>(out, true, 1);
  CASE(no_barrier_between) plain<<<1, N>>>(out, false, 1);
  CASE(three_phases) plain<<<1, N>>>(out, true, 3);
  CASE(made_twice) again<<<1, N>>>(out, false, false);
  CASE(made_anew) again<<<1, N>>>(out, true, false);
  CASE(made_by_all) again<<<1, N>>>(out, true, true);
  CASE(after_end) after_end<<<1, N>>>(out, false);
  CASE(ended_twice) after_end<<<1, N>>>(out, true);
  CASE(no_arrivals) made_for<<<1, N>>>(out, 0);
  CASE(too_many) made_for<<<1, N>>>(out, 1 << 20);
  CASE(overflow) several<<<1, N>>>(out, 40);
  CASE(several_at_once) several<<<1, N>>>(out, 32 - 1);
  CASE(old_token) tokens<<<1, N>>>(out, 1);
  CASE(last_token) tokens<<<1, N>>>(out, 0);
  CASE(ptx_after_end) by_ptx<<<1, N>>>(out, true);
  CASE(ptx) by_ptx<<<1, N>>>(out, false);
  CASE(roles) roles<<<1, 64>>>(device<int>(160), device<int>(32), 5);
END
