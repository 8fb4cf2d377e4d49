// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs of kernels.py are made of on both sides, and the reference: one context of its own (ucontext) for each CUDA thread,
// which runs until it waits for others. Barriers count the threads that have not returned; an operation of a warp waits for all lanes of
// its mask. That is exact for programs that do not race, and hundreds of times faster than threads of the system.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

#define BOTH __host__ __device__

struct Mixed {
  unsigned char a;
  unsigned short b;
  unsigned c;
  float d;
  unsigned long long e;
};

union Bits {
  unsigned whole;
  unsigned char byte[4];
  struct {
    unsigned low : 5, middle : 14, high : 13;
  } field;
};

BOTH static inline unsigned bits_of(float x) { // all that are no number look the same
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 1u : bits;
}
BOTH static inline unsigned to_number(float x) { return x > -1e9f && x < 1e9f ? (unsigned)(int)x : 77u; }
BOTH static unsigned digits(unsigned x) { return x < 10u ? x : digits(x / 10u) + x % 10u; }
BOTH static unsigned mix_one(unsigned a, unsigned b) { return a * 5u + b; }
BOTH static unsigned mix_two(unsigned a, unsigned b) { return (a ^ b) >> 3; }
BOTH static __noinline__ unsigned by_pointer(unsigned a, unsigned b) {
  unsigned (*chosen)(unsigned, unsigned) = (a & 1u) ? mix_one : mix_two;
  return chosen(a, b);
}
struct Shape {
  unsigned size;
  BOTH Shape(unsigned s) : size(s) {}
  BOTH virtual unsigned area(unsigned by) const { return size * by; }
};
struct Square : Shape {
  BOTH Square(unsigned s) : Shape(s) {}
  BOTH unsigned area(unsigned by) const override { return size * size + by; }
};
BOTH static unsigned by_virtual(unsigned a, unsigned b) {
  Shape plain(a);
  Square square(b);
  const Shape *chosen = (a & 2u) ? &plain : (const Shape *)&square;
  return chosen->area(b & 15u);
}

__constant__ unsigned table_gpu[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static const unsigned table_cpu[8] = {3, 1, 4, 1, 5, 9, 2, 6};

enum { MOST_THREADS = 128, PLACES = 1024, BINS = 128, DYNAMIC_BYTES = 768 };

// --- the reference --------------------------------------------------------------------------------------------------------------------

enum { STACK = 1 << 17, MOST_MASKS = 200 };

struct HostThread {
  ucontext_t context;
  char *stack;
  unsigned tid;
  bool done;
};

struct Meeting { // of the lanes of a mask
  unsigned mask, arrived, iteration;
  unsigned long long given[32], told[32];
};

struct HostBlock {
  dim3 shape;
  unsigned bd, bid, alive, arrived, iteration;
  Meeting meetings[MOST_THREADS / 32][MOST_MASKS];
  unsigned sh[MOST_THREADS], counts[8], cell;
  uint2 pairs[MOST_THREADS];
  unsigned votes[MOST_THREADS];
  bool takes_part[MOST_THREADS];
  alignas(16) unsigned char dynamic[DYNAMIC_BYTES];
  HostThread threads[MOST_THREADS];
  ucontext_t scheduler;
  HostThread *self;

  void wait() { swapcontext(&self->context, &scheduler); }
  void sync() {
    unsigned mine = iteration;
    if (++arrived == alive)
      arrived = 0, iteration++;
    else
      while (iteration == mine)
        wait();
  }
  void leave() {
    takes_part[self->tid] = false;
    if (--alive > 0 && arrived == alive)
      arrived = 0, iteration++;
    self->done = true;
    for (;;)
      wait();
  }
  Meeting &meeting_of(unsigned mask) {
    Meeting *at = meetings[self->tid / 32];
    for (int i = 0; i < MOST_MASKS; i++) {
      if (at[i].mask == 0)
        at[i].mask = mask;
      if (at[i].mask == mask)
        return at[i];
    }
    puts("FAIL more masks than the reference has room for");
    exit(1);
  }
  unsigned vote(int kind, bool c) {
    votes[self->tid] = c;
    sync();
    unsigned result = kind == 2;
    for (unsigned t = 0; t < bd; t++)
      if (takes_part[t])
        result = kind == 0 ? result + votes[t] : kind == 1 ? result | votes[t] : result & votes[t];
    sync();
    return result;
  }
  const unsigned long long *meet(unsigned mask, unsigned long long value) { // what the lanes gave
    Meeting &meeting = meeting_of(mask);
    unsigned mine = meeting.iteration;
    meeting.given[self->tid % 32] = value;
    if (++meeting.arrived == (unsigned)__builtin_popcount(mask)) {
      memcpy(meeting.told, meeting.given, sizeof meeting.told);
      meeting.arrived = 0, meeting.iteration++;
    } else {
      while (meeting.iteration == mine)
        wait();
    }
    return meeting.told;
  }
};

static HostBlock *host_block; // the one that runs
static const void *host_arguments[8];

static void run_block(void (*body)(), dim3 shape, unsigned bid) {
  static char *stacks;
  static HostBlock memory;
  if (!stacks)
    stacks = (char *)malloc((size_t)MOST_THREADS * STACK);
  HostBlock *block = host_block = &memory;
  memset(block, 0, sizeof *block);
  block->shape = shape;
  block->bd = block->alive = shape.x * shape.y * shape.z;
  block->bid = bid;
  for (unsigned t = 0; t < block->bd; t++) {
    HostThread &thread = block->threads[t];
    thread.tid = t;
    block->takes_part[t] = true;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = stacks + (size_t)t * STACK;
    thread.context.uc_stack.ss_size = STACK;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, body, 0);
  }
  for (bool any = true; any;) {
    any = false;
    for (unsigned t = 0; t < block->bd; t++) {
      if (block->threads[t].done)
        continue;
      block->self = &block->threads[t];
      swapcontext(&block->scheduler, &block->self->context);
      any = true;
    }
  }
}

static unsigned reduce_lanes(unsigned mask, unsigned value, int kind) {
  const unsigned long long *lanes = host_block->meet(mask, value);
  unsigned result = kind == 0 || kind == 1 || kind == 3 || kind == 5 ? 0u : ~0u; // add max min or and xor
  for (unsigned l = 0; l < 32; l++) {
    if (!(mask >> l & 1u))
      continue;
    unsigned v = (unsigned)lanes[l];
    result = kind == 0   ? result + v
             : kind == 1 ? (v > result ? v : result)
             : kind == 2 ? (v < result ? v : result)
             : kind == 3 ? result | v
             : kind == 4 ? result & v
                         : result ^ v;
  }
  return result;
}
static unsigned ballot_lanes(unsigned mask, bool c) {
  const unsigned long long *lanes = host_block->meet(mask, c);
  unsigned result = 0;
  for (unsigned l = 0; l < 32; l++)
    if (mask >> l & 1u)
      result |= (unsigned)lanes[l] << l;
  return result;
}
static unsigned match_lanes(unsigned mask, unsigned value) {
  const unsigned long long *lanes = host_block->meet(mask, value);
  unsigned result = 0;
  for (unsigned l = 0; l < 32; l++)
    if (mask >> l & 1u && lanes[l] == value)
      result |= 1u << l;
  return result;
}
static unsigned tile_sum_lanes(unsigned value, unsigned size) {
  unsigned lane = host_block->self->tid % 32, result = 0;
  const unsigned long long *lanes = host_block->meet(~0u, value);
  for (unsigned l = lane / size * size; l < lane / size * size + size; l++)
    result += (unsigned)lanes[l];
  return result;
}
static unsigned shuffle_up(unsigned value, unsigned by, unsigned width) {
  unsigned lane = host_block->self->tid % 32;
  const unsigned long long *lanes = host_block->meet(~0u, value);
  return lane % width < by ? value : (unsigned)lanes[lane - by];
}
static unsigned shuffle_down(unsigned value, unsigned by, unsigned width) {
  unsigned lane = host_block->self->tid % 32;
  const unsigned long long *lanes = host_block->meet(~0u, value);
  return lane % width + by >= width ? value : (unsigned)lanes[lane + by];
}
static unsigned byte_permutation(unsigned a, unsigned b, unsigned selector) {
  unsigned long long both = (unsigned long long)b << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; i++)
    result |= (unsigned)(both >> 8 * (selector >> 4 * i & 7u) & 255u) << 8 * i;
  return result;
}

// --- what launches and compares --------------------------------------------------------------------------------------------------------

#define PARAMETERS                                                                                                     \
  const unsigned *in, const float *fin, unsigned *out, unsigned *bins, unsigned long long *wide_bins,                  \
      float *real_bins, unsigned n
struct Arguments {
  const unsigned *in;
  const float *fin;
  unsigned *out, *bins;
  unsigned long long *wide_bins;
  float *real_bins;
  unsigned n;
};

template <class T, int COUNT> struct Sides {
  T cpu[COUNT], *gpu = nullptr;
  Sides() { cudaMalloc(&gpu, sizeof cpu); }
  void send() { cudaMemcpy(gpu, cpu, sizeof cpu, cudaMemcpyHostToDevice); }
  bool agrees(const char *what) {
    T got[COUNT];
    cudaMemcpy(got, gpu, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
      if (memcmp(&got[i], &cpu[i], sizeof(T)) != 0) {
        printf("FAIL %s[%d]: got %llx, want %llx\n", what, i, (unsigned long long)got[i], (unsigned long long)cpu[i]);
        return false;
      }
    return true;
  }
};

static Arguments cpu_arguments;
static dim3 cpu_grid;

struct Test {
  Sides<unsigned, PLACES> a, b, *from = &a, *to = &b;
  Sides<unsigned, BINS> bins;
  Sides<unsigned long long, 16> wide_bins;
  Sides<float, 64> fin;
  Sides<float, 16> real_bins;
  cudaStream_t streams[3] = {};
  cudaEvent_t before;
  int last = 0;
  dim3 shape, grid;
  unsigned n = 0;

  Test() {
    cudaStreamCreate(&streams[1]);
    cudaStreamCreateWithFlags(&streams[2], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
  }
  void begin(dim3 block, dim3 blocks, unsigned number) {
    shape = block, grid = blocks, n = number, last = 0;
    for (unsigned i = 0; i < PLACES; i++)
      a.cpu[i] = (i * 2654435761u + n) >> 7, b.cpu[i] = i;
    for (unsigned i = 0; i < BINS; i++)
      bins.cpu[i] = i < 32 ? i : ~i;
    for (unsigned i = 0; i < 16; i++)
      wide_bins.cpu[i] = i, real_bins.cpu[i] = 0;
    for (unsigned i = 0; i < 64; i++)
      fin.cpu[i] = (float)(int)(a.cpu[i] & 255u) * 0.5f - 40.0f;
    a.send(), b.send(), bins.send(), wide_bins.send(), real_bins.send(), fin.send();
    from = &a, to = &b;
  }
  void run(void (*gpu)(PARAMETERS), void (*cpu)(), int stream) {
    cudaEventRecord(before, streams[last]);
    cudaStreamWaitEvent(streams[stream], before, 0);
    gpu<<<grid, shape, DYNAMIC_BYTES, streams[stream]>>>(from->gpu, fin.gpu, to->gpu, bins.gpu, wide_bins.gpu,
                                                         real_bins.gpu, n);
    last = stream;
    cpu_arguments = {from->cpu, fin.cpu, to->cpu, bins.cpu, wide_bins.cpu, real_bins.cpu, n};
    cpu_grid = grid;
    for (unsigned id = 0; id < grid.x * grid.y; id++)
      run_block(cpu, shape, id);
    auto swap = from;
    from = to, to = swap;
  }
  bool agrees() {
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      return printf("FAIL %s\n", cudaGetErrorString(error)), false;
    bool same =
        from->agrees("out") && bins.agrees("bins") && wide_bins.agrees("wide bins") && real_bins.agrees("real bins");
    if (!same)
      printf("block %u %u %u, grid %u %u, n %u\n", shape.x, shape.y, shape.z, grid.x, grid.y, n);
    return same;
  }
};
#define RUN(kernel, stream) test.run(gpu::kernel, cpu::kernel, stream)
