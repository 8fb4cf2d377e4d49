// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that append to queues, whose elements workers may gather first: values of several sizes and structs, one or several arrays,
// several sites and loops, bounds, counters of both widths that start anywhere and wrap around; a thread's own elements in order, and those
// of threads with a barrier between. And what must not wait: kernels that read the counter or the queue, arrays that share memory
// with what the kernel reads, slots that are kept, the last block that looks at all.
#include "check.h"

typedef unsigned long long word;
enum { COUNT = 30000, MARK = -7 };

struct pair {
  int key;
  float value;
};
struct __attribute__((packed)) odd {
  char tag;
  int key;
  char end;
};

// Whether element i is appended: all, none, few, most.
static __host__ __device__ bool wanted(int i, int some) {
  return some == 0 ? false : some == 1 ? true : some == 2 ? i % 1000 == 17 : (unsigned)i * 2654435761u % 8 < 5;
}

template <typename T> __global__ void one(int n, int some, T *out, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted(i, some))
    out[atomicAdd(count, 1)] = (T)i;
}
__global__ void pairs(int n, int some, pair *out, unsigned *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted(i, some))
    out[atomicAdd(count, 1u)] = pair{i, i * 0.5f};
}
__global__ void packed(int n, int some, odd *out, unsigned *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted(i, some))
    out[atomicInc(count, ~0u)] = odd{(char)i, i, (char)~i};
}
__global__ void several(const int *in, int n, int some, float4 *out, short *more, char *last, word *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted(i, some)) {
    word at = atomicAdd(count, 1ull);
    out[at] = make_float4(i, in[i], -i, 1);
    more[at] = (short)in[i];
    last[at] = (char)i;
  }
}
// Only the first field is stored: the others stay.
__global__ void halves(int n, pair *out, unsigned *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[atomicAdd(count, 1u)].key = i;
}
__global__ void bounded(const int *in, int n, int some, int *out, int *count, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted(in[i], some)) {
    int at = atomicAdd(count, 1);
    if (at < most)
      out[at] = in[i];
  }
}
__device__ unsigned of_program;
__global__ void bounded_from_above(const int *in, int n, int some, int *out, int2 *both, unsigned most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !wanted(in[i], some))
    return;
  unsigned at = atomicAdd(&of_program, 1u);
  if (at >= most)
    return;
  out[at] = i;
  both[at] = make_int2(i, in[i]);
}
// The other ways to say so; the bound itself counts in two of them. All elements are alike, as the order says which ones are left out.
template <int way> __global__ void bounded_otherwise(int n, int *out, int *count, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = atomicAdd(count, 1);
  if (way == 0 && at <= most)
    out[at] = way;
  if (way == 1 && !((unsigned)most < (unsigned)at))
    out[(unsigned)at] = way;
  if (way == 2 && most > at)
    out[at] = way;
  if (way == 3) {
    if (at > 999)
      return;
    out[at] = way;
  }
}
// The slots go past the largest signed integer, in the middle of the array.
__global__ void wraps(int n, int *middle, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    (middle - 0x7fffff00ll)[(long long)(unsigned)atomicAdd(count, 1)] = i;
}
// Two sites in a loop: begin before end, for each thread.
__global__ void sites(int iterations, int2 *__restrict__ out, int *__restrict__ count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < iterations; k++) {
    if ((i + k) % 3 != 0)
      out[atomicAdd(count, 1)] = make_int2(i, 2 * k);
    if ((i * k) % 5 == 1) {
      int at = atomicAdd(count, 1);
      out[at] = make_int2(i, 2 * k + 1);
    }
  }
}
// Two queues, one for each kind.
__global__ void two_queues(const int *__restrict__ in, int n, int *__restrict__ low, int *__restrict__ lows,
                           word *__restrict__ high, int *__restrict__ highs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] < 5000)
    low[atomicAdd(lows, 1)] = in[i];
  else
    high[atomicAdd(highs, 1)] = (word)in[i] << 33;
}
// All threads of a block before all of them again: the block's second half comes after its first one.
__global__ void phases(int *__restrict__ out, int *__restrict__ count, int *__restrict__ tile_out) {
  __shared__ int tile[1024];
  tile[threadIdx.x] = threadIdx.x * 3;
  out[atomicAdd(count, 1)] = blockIdx.x * 2;
  __syncthreads();
  int other = tile[blockDim.x - 1 - threadIdx.x];
  out[atomicAdd(count, 1)] = blockIdx.x * 2 + 1;
  tile_out[blockIdx.x * blockDim.x + threadIdx.x] = other;
}

// The counter is read after, by the thread that counted.
__global__ void reads_counter(int *out, int *count, int *seen, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[atomicAdd(count, 1)] = i;
  seen[i] = *(volatile int *)count;
}
__global__ void reads_counter_plainly(int *out, int *count, int *seen) {
  out[atomicAdd(count, 1)] = blockIdx.x;
  seen[blockIdx.x] = *count;
}
// The slot says where the thread's own element is.
__global__ void keeps_slot(int *__restrict__ out, int *__restrict__ count, int *__restrict__ slot, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = atomicAdd(count, 1);
  out[at] = i;
  slot[i] = at;
}
// A queue that the kernel works off while it fills: one block, as a block's threads see what others did before a barrier.
__global__ void works_off(int *queue, int *count, int most) {
  for (int from = 0, to = 1; from < to;) {
    for (int k = from + threadIdx.x; k < to; k += blockDim.x) {
      int node = queue[k];
      if (2 * node + 1 < most)
        queue[atomicAdd(count, 1)] = 2 * node + 1;
      if (2 * node + 2 < most)
        queue[atomicAdd(count, 1)] = 2 * node + 2;
    }
    __syncthreads();
    from = to;
    to = *count;
    __syncthreads();
  }
}
// What is read may be what is appended to: is, in one of the two launches.
__global__ void copies(const int *from, int *to, int *count, int n) {
  for (int k = 0; k < n; k++)
    to[atomicAdd(count, 1)] = from[k] + 1;
}
// The last block to come finds all elements.
__global__ void last_looks(int *queue, int *count, unsigned *done, long long *sum, int n) {
  __shared__ bool last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    queue[atomicAdd(count, 1)] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    long long total = 0;
    for (int k = 0; k < n; k++)
      total += ((volatile int *)queue)[k];
    *sum = total;
  }
}
// Two sites that fill different arrays with positions from one counter.
__global__ void unlike(int n, int *__restrict__ x, int *__restrict__ y, int *__restrict__ count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 2 == 0)
    x[atomicAdd(count, 1)] = i;
  else
    y[atomicAdd(count, 1)] = i;
}
// A thread that only counts, between those that append.
__global__ void skips(int n, int *__restrict__ x, int *__restrict__ count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 3 == 0)
    atomicAdd(count, 1);
  else
    x[atomicAdd(count, 1)] = i;
}

static int how_many(int n, int some) {
  int count = 0;
  for (int i = 0; i < n; i++)
    count += wanted(i, some);
  return count;
}

// Each wanted value once; key_of gives -1 for what is no element.
template <typename T, typename F>
static void expect_set(int base, buffer<T> &out, int from, int count, int n, int some, F key_of) {
  char *seen = (char *)calloc(n, 1);
  for (int k = from; k < from + count; k++) {
    int i = key_of(out[k]);
    expect(base, i >= 0 && i < n && wanted(i, some) && !seen[i], true);
    seen[i] = 1;
  }
  free(seen);
}

template <typename T> static void check_one(int block, int base) {
  buffer<T> out(COUNT + 5);
  buffer<int> count(1);
  for (int some = 0; some < 4; some++)
    for (int start = 0; start < 6; start += 5) {
      const int n = sizeof(T) == 1 ? 100 : COUNT, full = how_many(n, some);
      out.upload();
      count[0] = start, count.upload();
      one<T><<<blocks_for(n, block), block>>>(n, some, out.device, count.device);
      out.download(), count.download();
      expect(base + some, count[0], start + full);
      expect_set(base + 10, out, start, full, n, some, [](T x) { return (int)x; });
      for (int k = 0; k < COUNT + 5; k++)
        if (k < start || k >= start + full)
          expect(base + 20, (int)out[k], 0);
      for (int k = 0; k < COUNT + 5; k++)
        out[k] = 0;
    }
}

static void check_structs(int block) {
  buffer<pair> out(COUNT);
  buffer<odd> tight(COUNT);
  buffer<unsigned> count(1);
  for (int some = 0; some < 4; some++) {
    const int full = how_many(COUNT, some);
    count[0] = 0, count.upload();
    pairs<<<blocks_for(COUNT, block), block>>>(COUNT, some, out.device, count.device);
    out.download(), count.download();
    expect(1000, count[0], (unsigned)full);
    expect_set(1010, out, 0, full, COUNT, some, [](pair x) { return x.value == x.key * 0.5f ? x.key : -1; });
    count[0] = 0, count.upload();
    packed<<<blocks_for(COUNT, block), block>>>(COUNT, some, tight.device, count.device);
    tight.download(), count.download();
    expect(1020, count[0], (unsigned)full);
    expect_set(1030, tight, 0, full, COUNT, some,
               [](odd x) { return x.tag == (char)x.key && x.end == (char)~x.key ? x.key : -1; });
  }
  for (int i = 0; i < COUNT; i++)
    out[i] = pair{MARK, (float)i};
  out.upload();
  count[0] = 0, count.upload();
  halves<<<blocks_for(COUNT, block), block>>>(COUNT, out.device, count.device);
  out.download();
  for (int i = 0; i < COUNT; i++)
    expect(1040, out[i].value, (float)i);
  expect_set(1050, out, 0, COUNT, COUNT, 1, [](pair x) { return x.key; });
}

static void check_several(int block) {
  buffer<int> in(COUNT);
  buffer<float4> out(COUNT + 3);
  buffer<short> more(COUNT + 3);
  buffer<char> last(COUNT + 3);
  buffer<word> count(1);
  for (int i = 0; i < COUNT; i++)
    in[i] = i * 7 % 1000;
  in.upload();
  for (int some = 0; some < 4; some++) {
    const int full = how_many(COUNT, some);
    count[0] = 3, count.upload();
    several<<<blocks_for(COUNT, block), block>>>(in.device, COUNT, some, out.device, more.device, last.device,
                                                 count.device);
    out.download(), more.download(), last.download(), count.download();
    expect(2000, count[0], (word)full + 3);
    expect_set(2010, out, 3, full, COUNT, some, [](float4 x) { return x.z == -x.x && x.w == 1 ? (int)x.x : -1; });
    for (int k = 3; k < full + 3; k++) {
      int i = (int)out[k].x;
      expect(2020, (int)out[k].y, in[i]), expect(2030, (int)more[k], in[i]), expect(2040, last[k], (char)i);
    }
  }
}

static void check_bounds(int block) {
  const int mosts[] = {-3, 0, 1, 100, 5000, COUNT + 10};
  buffer<int> in(COUNT), out(COUNT + 10), count(1);
  buffer<int2> both(COUNT + 10);
  for (int i = 0; i < COUNT; i++)
    in[i] = COUNT - 1 - i;
  in.upload();
  for (int some = 1; some < 4; some++)
    for (int most : mosts) {
      const int full = how_many(COUNT, some), kept = full < most ? full : most < 0 ? 0 : most;
      for (int k = 0; k < COUNT + 10; k++)
        out[k] = MARK, both[k] = make_int2(MARK, MARK);
      out.upload(), both.upload();
      count[0] = 0, count.upload();
      bounded<<<blocks_for(COUNT, block), block>>>(in.device, COUNT, some, out.device, count.device, most);
      out.download(), count.download();
      expect(3000, count[0], full);
      expect_set(3010, out, 0, kept, COUNT, some, [](int x) { return x; });
      for (int k = kept; k < COUNT + 10; k++)
        expect(3020, out[k], (int)MARK);
      if (most < 0)
        continue;
      unsigned start = 4, number = 0;
      CHECK(cudaMemcpyToSymbol(of_program, &start, sizeof start));
      for (int k = 0; k < COUNT + 10; k++)
        out[k] = MARK;
      out.upload();
      bounded_from_above<<<blocks_for(COUNT, block), block>>>(in.device, COUNT, some, out.device, both.device, most);
      out.download(), both.download();
      CHECK(cudaMemcpyFromSymbol(&number, of_program, sizeof number));
      expect(3030, number, (unsigned)full + 4);
      const int end = full + 4 < most ? full + 4 : most;
      for (int k = 0; k < COUNT + 10; k++)
        expect(3040, out[k] != MARK, k >= 4 && k < end), expect(3050, both[k].x, out[k]);
      if (end > 4)
        expect_set(3060, both, 4, end - 4, COUNT, some, [](int2 x) { return x.y == COUNT - 1 - x.x ? x.y : -1; });
    }
}

template <int way> static void check_bounded_otherwise(int block) {
  const int mosts[] = {0, 5, 999, 5000}, n = 3000;
  buffer<int> out(n), count(1);
  for (int most : mosts) {
    const int end = way == 3 ? 1000 : way == 2 ? most : most + 1;
    for (int k = 0; k < n; k++)
      out[k] = MARK;
    out.upload();
    count[0] = 2, count.upload();
    bounded_otherwise<way><<<blocks_for(n - 2, block), block>>>(n - 2, out.device, count.device, most);
    out.download(), count.download();
    expect(3100 + way, count[0], n);
    for (int k = 0; k < n; k++)
      expect(3110 + way, out[k], k >= 2 && k < end ? way : (int)MARK);
  }
}

static void check_order(int block) {
  enum { BLOCKS = 20, ITERATIONS = 30 };
  const int threads = BLOCKS * block;
  buffer<int2> out((size_t)threads * ITERATIONS * 2);
  buffer<int> count(1), places(2 * threads), tile_out(threads);
  count[0] = 0, count.upload();
  sites<<<BLOCKS, block>>>(ITERATIONS, out.device, count.device);
  out.download(), count.download();
  int *last = (int *)malloc(threads * sizeof(int)), expected = 0;
  for (int i = 0; i < threads; i++)
    last[i] = -1;
  for (int i = 0; i < threads; i++)
    for (int k = 0; k < ITERATIONS; k++)
      expected += ((i + k) % 3 != 0) + ((i * k) % 5 == 1);
  expect(4000, count[0], expected);
  for (int k = 0; k < expected; k++) {
    int2 x = out[k];
    expect(4010, x.x >= 0 && x.x < threads && x.y > last[x.x], true);
    expect(4020, x.y % 2 == 0 ? (x.x + x.y / 2) % 3 != 0 : (x.x * (x.y / 2)) % 5 == 1, true);
    last[x.x] = x.y;
  }
  count[0] = 0, count.upload();
  phases<<<BLOCKS, block>>>(places.device, count.device, tile_out.device);
  places.download(), count.download(), tile_out.download();
  expect(4030, count[0], 2 * threads);
  for (int b = 0; b < BLOCKS; b++)
    last[b] = 0;
  for (int k = 0; k < 2 * threads; k++) {
    int b = places[k] / 2;
    expect(4040, places[k] % 2, last[b] >= block ? 1 : 0);
    last[b]++;
  }
  for (int i = 0; i < threads; i++)
    expect(4050, tile_out[i], (block - 1 - i % block) * 3);
  free(last);
}

static void check_rest(int block) {
  const int n = COUNT;
  buffer<int> in(n), low(n), counts(2), out(2 * n), seen(n);
  buffer<word> high(n);
  long long all = 0, lows = 0;
  for (int i = 0; i < n; i++)
    in[i] = i * 11 % 10007, all += in[i], lows += in[i] < 5000;
  in.upload();
  counts[0] = counts[1] = 0, counts.upload();
  two_queues<<<blocks_for(n, block), block>>>(in.device, n, low.device, counts.device, high.device, counts.device + 1);
  counts.download(), low.download(), high.download();
  expect(5000, (long long)counts[0], lows), expect(5010, counts[0] + counts[1], n);
  for (int k = 0; k < counts[0]; k++)
    all -= low[k];
  for (int k = 0; k < counts[1]; k++)
    all -= (long long)(high[k] >> 33);
  expect(5020, all, 0ll);

  counts[0] = 0x7fffff80, counts.upload();
  wraps<<<blocks_for(3000, block), block>>>(3000, out.device, counts.device);
  counts.download(), out.download();
  expect(5030, (unsigned)counts[0], 0x7fffff80u + 3000u);
  expect_set(5040, out, 0x80, 3000, 3000, 1, [](int x) { return x; });

  counts[0] = 0, counts.upload();
  reads_counter<<<blocks_for(n, block), block>>>(out.device, counts.device, seen.device, n);
  out.download(), seen.download();
  expect_set(6000, out, 0, n, n, 1, [](int x) { return x; });
  for (int i = 0; i < n; i++)
    expect(6010, seen[out[i]] > i && seen[out[i]] <= n, true);
  counts[0] = 0, counts.upload();
  reads_counter_plainly<<<100, 1>>>(out.device, counts.device, seen.device);
  out.download(), seen.download();
  for (int i = 0; i < 100; i++)
    expect(6020, seen[out[i]] > i && seen[out[i]] <= 100, true);

  counts[0] = 0, counts.upload();
  keeps_slot<<<blocks_for(n, block), block>>>(out.device, counts.device, seen.device, n);
  out.download(), seen.download();
  for (int i = 0; i < n; i++)
    expect(6030, out[seen[i]], i);

  for (int i = 0; i < n; i++)
    out[i] = MARK;
  out[0] = 0, out.upload();
  counts[0] = 1, counts.upload();
  works_off<<<1, block>>>(out.device, counts.device, n);
  out.download(), counts.download();
  expect(6040, counts[0], n);
  expect_set(6050, out, 0, n, n, 1, [](int x) { return x; });

  // One after the other, each element is the one before and one more.
  for (int shared = 0; shared < 2; shared++) {
    for (int i = 0; i < 2 * n; i++)
      out[i] = 0;
    out.upload();
    counts[0] = shared, counts.upload();
    copies<<<1, 1>>>(shared ? out.device : in.device, out.device, counts.device, 5000);
    out.download();
    for (int k = 0; k < 5000; k++)
      expect(6060 + shared, out[k + shared], shared ? k + 1 : in[k] + 1);
  }
  // The counter is what is read.
  counts[0] = 0, counts.upload();
  copies<<<1, 1>>>(counts.device, out.device, counts.device, 1);
  out.download();
  expect(6070, out[0] == 1 || out[0] == 2, true);

  buffer<unsigned> done(1);
  buffer<long long> sum(1);
  done[0] = 0, done.upload();
  counts[0] = 0, counts.upload();
  last_looks<<<blocks_for(n, block), block>>>(out.device, counts.device, done.device, sum.device, n);
  sum.download();
  expect(6080, sum[0], (long long)n * (n - 1) / 2);

  for (int i = 0; i < n; i++)
    in[i] = MARK, out[i] = MARK;
  in.upload(), out.upload();
  counts[0] = 0, counts.upload();
  unlike<<<blocks_for(n, block), block>>>(n, in.device, out.device, counts.device);
  in.download(), out.download(), counts.download();
  expect(6090, counts[0], n);
  long long left = 0;
  for (int i = 0; i < n; i++) {
    expect(6100, (in[i] == MARK) != (out[i] == MARK), true);
    left += i - (in[i] == MARK ? out[i] : in[i]);
    expect(6105, (in[i] == MARK ? out[i] % 2 : 1 - in[i] % 2) == 1, true);
  }
  expect(6110, left, 0ll);

  for (int i = 0; i < n; i++)
    out[i] = MARK;
  out.upload();
  counts[0] = 0, counts.upload();
  skips<<<blocks_for(n, block), block>>>(n, out.device, counts.device);
  out.download(), counts.download();
  expect(6120, counts[0], n);
  int empty = 0;
  for (int i = 0; i < n; i++) {
    empty += out[i] == MARK;
    left += (i % 3 ? i : 0) - (out[i] == MARK ? 0 : out[i]);
  }
  expect(6130, empty, blocks_for(n, 3)), expect(6140, left, 0ll);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check_one<signed char>(block, 100);
  check_one<short>(block, 200);
  check_one<int>(block, 300);
  check_one<double>(block, 400);
  check_structs(block);
  check_several(block);
  check_bounds(block);
  check_bounded_otherwise<0>(block);
  check_bounded_otherwise<1>(block);
  check_bounded_otherwise<2>(block);
  check_bounded_otherwise<3>(block);
  check_order(block);
  check_rest(block);
  return passed();
}
