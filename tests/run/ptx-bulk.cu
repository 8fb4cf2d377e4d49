// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: bulk copies and the barriers that count their bytes, in more phases than the barrier can tell apart; cp.reduce.async.bulk,
// st.async, red.async. A phase is not over before its bytes are there.
// nvcc flags: -arch=sm_90
#include "check.h"

typedef unsigned u32;
typedef unsigned long long u64;

enum { WORDS = 256, STEPS = 19, TAIL = 64 };

__device__ static u32 near(const void *at) { return (u32)__cvta_generic_to_shared(at); }

__device__ static bool over(u64 *barrier, u32 parity) {
  u32 result;
  asm volatile(
      "{ .reg .pred p;\n mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n selp.b32 %0, 1, 0, p; }"
      : "=r"(result)
      : "r"(near(barrier)), "r"(parity)
      : "memory");
  return result;
}

// out: for each step the sum of all words, then what was early, then the copy back.
__global__ void steps(const u32 *in, u32 *out, u32 *back, u32 *early) {
  __shared__ alignas(16) u32 tile[WORDS], second[WORDS];
  __shared__ alignas(8) u64 barrier;
  __shared__ u32 total;
  int t = threadIdx.x, n = blockDim.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(near(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    early[blockIdx.x] = 0;
  }
  __syncthreads();
  for (int step = 0; step < STEPS; step++) {
    u32 parity = step & 1;
    const u32 *from = in + ((blockIdx.x * STEPS + step) % 7) * WORDS;
    if (t == 0) { // two arrivals, with the bytes of two copies
      total = 0;
      asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(near(&barrier)),
                   "r"(WORDS * 4)
                   : "memory");
      if (step % 3 == 0)
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(near(&barrier)), "r"(WORDS * 4)
                     : "memory");
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(near(&barrier)) : "memory");
    }
    __syncthreads();
    u32 before = over(&barrier, parity); // all arrived, but no byte has
    if (t == 0 && before)
      early[blockIdx.x] += 1;
    __syncthreads();
    if (t == 0) {
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(near(tile)),
          "l"(from), "r"(WORDS * 4), "r"(near(&barrier))
          : "memory");
      if (step % 3 == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         near(second)),
                     "l"(from), "r"(WORDS * 4), "r"(near(&barrier))
                     : "memory");
    }
    while (!over(&barrier, parity))
      ;
    u32 sum = 0;
    for (int i = t; i < WORDS; i += n)
      sum += tile[i] + (step % 3 == 0 ? second[i] : 0);
    atomicAdd(&total, sum);
    __syncthreads();
    if (t == 0)
      out[blockIdx.x * STEPS + step] = total;
    __syncthreads();
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(back + blockIdx.x * WORDS),
                 "r"(near(tile)), "r"(WORDS * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;" ::
                     : "memory");
  }
}

#define REDUCTIONS(is)                                                                                                 \
  is("add.u32", u32, seen + 3 * value) is("min.s32", u32, (int)seen < (int)value ? seen : value)                       \
      is("max.u32", u32, seen > value ? seen : value) is("and.b32", u32, seen &value) is("or.b32", u32, seen | value)  \
          is("xor.b32", u32, seen ^ value) is("inc.u32", u32, thrice(seen, value, false))                              \
              is("dec.u32", u32, thrice(seen, value, true))
#define COUNT(...) +1
enum { OPERATIONS = REDUCTIONS(COUNT) };

static u32 thrice(u32 seen, u32 value, bool down) {
  for (int i = 0; i < 3; i++)
    seen = down ? (seen == 0 || seen > value ? value : seen - 1) : seen >= value ? 0 : seen + 1;
  return seen;
}

// Three copies that reduce into global memory, the same into shared memory by copies and by single words.
__global__ void reductions(const u32 *in, u32 *to, u32 *shared_to, u32 *words_to, float *sums, u32 *stored) {
  __shared__ alignas(16) u32 from[TAIL], near_to[OPERATIONS][TAIL], words[OPERATIONS][TAIL];
  __shared__ alignas(16) float numbers[TAIL];
  __shared__ alignas(16) u32 kept[8];
  __shared__ alignas(8) u64 barrier;
  int t = threadIdx.x;
  for (int i = t; i < TAIL; i += blockDim.x) {
    from[i] = in[i], numbers[i] = (float)(i % 5) * 0.5f;
    for (int k = 0; k < OPERATIONS; k++)
      near_to[k][i] = words[k][i] = in[TAIL + i];
  }
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(near(&barrier)) : "memory");
  __syncthreads();
  if (t == 0) {
    u32 bytes = OPERATIONS * (TAIL * 4 + TAIL * 4) * 3 + 4 + 16 + 8;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(near(&barrier)), "r"(bytes) : "memory");
    int k = 0;
    for (int times = 0; times < 3; times++, k = 0) {
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(sums),
                   "r"(near(numbers)), "r"(TAIL * 4)
                   : "memory");
#define RUN(name, type, value)                                                                                         \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." name " [%0], [%1], %2;" ::"l"(to + k * TAIL),     \
               "r"(near(from)), "r"(TAIL * 4)                                                                          \
               : "memory");                                                                                            \
  asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." name                   \
               " [%0], [%1], %2, [%3];" ::"r"(near(near_to[k])),                                                       \
               "r"(near(from)), "r"(TAIL * 4), "r"(near(&barrier))                                                     \
               : "memory");                                                                                            \
  for (int i = 0; i < TAIL; i++)                                                                                       \
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." name                        \
                 " [%0], %1, [%2];" ::"r"(near(&words[k][i])),                                                         \
                 "r"(from[i]), "r"(near(&barrier))                                                                     \
                 : "memory");                                                                                          \
  k++;
      REDUCTIONS(RUN)
#undef RUN
    }
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(near(kept)),
                 "r"(41), "r"(near(&barrier))
                 : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                     near(kept + 4)),
                 "r"(1), "r"(2), "r"(3), "r"(4), "r"(near(&barrier))
                 : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(near(kept + 2)),
                 "l"(0x200000001ull), "r"(near(&barrier))
                 : "memory");
  }
  while (!over(&barrier, 0))
    ;
  for (int i = t; i < TAIL * OPERATIONS; i += blockDim.x)
    shared_to[i] = near_to[i / TAIL][i % TAIL], words_to[i] = words[i / TAIL][i % TAIL];
  for (int i = t; i < 8; i += blockDim.x)
    stored[i] = i == 1 ? 0 : kept[i];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), blocks = 5;
  unsigned state = 17;
  buffer<u32> in(7 * WORDS), out(blocks * STEPS), back(blocks * WORDS), early(blocks);
  for (int i = 0; i < 7 * WORDS; i++)
    in[i] = next_random(state) * 257;
  in.upload();
  steps<<<blocks, block>>>(in.device, out.device, back.device, early.device);
  out.download(), back.download(), early.download();
  for (int b = 0; b < blocks; b++) {
    expect(b, early[b], 0u);
    for (int step = 0; step < STEPS; step++) {
      u32 sum = 0;
      for (int i = 0; i < WORDS; i++)
        sum += in[(b * STEPS + step) % 7 * WORDS + i] * (step % 3 == 0 ? 2 : 1);
      expect(b * STEPS + step, out[b * STEPS + step], sum);
    }
    for (int i = 0; i < WORDS; i++)
      expect(b * WORDS + i, back[b * WORDS + i], in[(b * STEPS + STEPS - 1) % 7 * WORDS + i]);
  }
  buffer<u32> pair(2 * TAIL), to(OPERATIONS * TAIL), near_to(OPERATIONS * TAIL), words_to(OPERATIONS * TAIL), stored(8);
  buffer<float> sums(TAIL);
  static const u32 corners[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 5, 6};
  for (int i = 0; i < 2 * TAIL; i++)
    pair[i] = next_random(state) % 2 ? corners[next_random(state) % 8] : next_random(state) * 257;
  for (int i = 0; i < OPERATIONS * TAIL; i++)
    to[i] = pair[TAIL + i % TAIL];
  pair.upload(), to.upload(), sums.upload();
  reductions<<<1, block>>>(pair.device, to.device, near_to.device, words_to.device, sums.device, stored.device);
  to.download(), near_to.download(), words_to.download(), sums.download(), stored.download();
  for (int i = 0; i < TAIL; i++) {
    u32 seen = pair[TAIL + i], value = pair[i];
    const u32 wanted[] = {
#define VALUE(name, type, result) (u32)(result),
        REDUCTIONS(VALUE)};
    for (int k = 0; k < OPERATIONS; k++) {
      expect(k * 1000 + i, to[k * TAIL + i], wanted[k]);
      expect(100000 + k * 1000 + i, near_to[k * TAIL + i], wanted[k]);
      expect(200000 + k * 1000 + i, words_to[k * TAIL + i], wanted[k]);
    }
    expect(i, sums[i], (float)(i % 5) * 1.5f);
  }
  static const u32 kept[] = {41, 0, 1, 2, 1, 2, 3, 4};
  for (int i = 0; i < 8; i++)
    expect(i, stored[i], kept[i]);
  return passed();
}
