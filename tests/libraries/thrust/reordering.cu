// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans, selections, partitions, runs, merges and set operations of Thrust against the C++ library, at sizes around
// those at which work is shared out; within a sequence and from one to another; with zipped sequences; on streams and with an
// allocator of the program's.
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <random>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <vector>

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("line %d: not so: %s (%d items)\n", __LINE__, #condition, items)))

typedef std::vector<int> host;
typedef thrust::device_vector<int> device;

static host numbers(int items, int below, unsigned seed) {
  std::mt19937 generator(seed + items);
  host result(items);
  for (int &value : result)
    value = int(generator() % below);
  return result;
}
static bool same(const device &a, const host &b) {
  host copy(a.size());
  thrust::copy(a.begin(), a.end(), copy.begin());
  return copy == b;
}

struct is_small {
  __host__ __device__ bool operator()(int x) const { return x < 40; }
};
/* Associative, and not commutative: affine maps one after the other, modulo 2^32. */
struct affine {
  unsigned scale, offset;
};
struct then {
  __host__ __device__ affine operator()(affine first, affine second) const {
    return {first.scale * second.scale, first.offset * second.scale + second.offset};
  }
};
struct widen {
  __host__ __device__ long operator()(int x) const { return long(x) * 1000003; }
};

static void reductions(int items) {
  host data = numbers(items, 1000, 1);
  device d(data.begin(), data.end());
  EXPECT(thrust::reduce(d.begin(), d.end()) == std::accumulate(data.begin(), data.end(), 0));
  EXPECT(thrust::reduce(d.begin(), d.end(), -5, thrust::maximum<int>()) ==
         std::max(-5, items ? *std::max_element(data.begin(), data.end()) : -5));
  long wide = 7;
  for (int x : data)
    wide += widen()(x);
  EXPECT(thrust::transform_reduce(d.begin(), d.end(), widen(), 7L, thrust::plus<long>()) == wide);
  EXPECT(thrust::inner_product(d.begin(), d.end(), d.begin(), 0L) ==
         std::inner_product(data.begin(), data.end(), data.begin(), 0L));
  EXPECT(thrust::count_if(d.begin(), d.end(), is_small()) == std::count_if(data.begin(), data.end(), is_small()));
  EXPECT(thrust::max_element(d.begin(), d.end()) - d.begin() ==
         std::max_element(data.begin(), data.end()) - data.begin());
  EXPECT(thrust::min_element(d.begin(), d.end()) - d.begin() ==
         std::min_element(data.begin(), data.end()) - data.begin());
  if (items) {
    auto both = thrust::minmax_element(d.begin(), d.end());
    EXPECT(*both.first == *std::min_element(data.begin(), data.end()) &&
           *both.second == *std::max_element(data.begin(), data.end()));
  }
  EXPECT(thrust::find(d.begin(), d.end(), 17) - d.begin() == std::find(data.begin(), data.end(), 17) - data.begin());
  EXPECT(thrust::all_of(d.begin(), d.end(), is_small()) == std::all_of(data.begin(), data.end(), is_small()));
}

static void scans(int items) {
  host data = numbers(items, 1000, 2), expected(items);
  device d(data.begin(), data.end()), out(items);
  std::partial_sum(data.begin(), data.end(), expected.begin());
  thrust::inclusive_scan(d.begin(), d.end(), out.begin());
  EXPECT(same(out, expected));
  int sum = 11;
  for (int i = 0; i < items; i++)
    expected[i] = sum, sum += data[i];
  thrust::exclusive_scan(d.begin(), d.end(), out.begin(), 11);
  EXPECT(same(out, expected));
  thrust::exclusive_scan(d.begin(), d.end(), d.begin(), 11);
  EXPECT(same(d, expected));

  std::vector<affine> maps(items), chain(items);
  for (int i = 0; i < items; i++)
    maps[i] = {unsigned(data[i]) * 2 + 1, unsigned(i)};
  affine all = {1, 0};
  for (int i = 0; i < items; i++)
    chain[i] = all = i ? then()(all, maps[i]) : maps[i];
  thrust::device_vector<affine> device_maps(maps.begin(), maps.end());
  thrust::inclusive_scan(device_maps.begin(), device_maps.end(), device_maps.begin(), then());
  std::vector<affine> result(items);
  thrust::copy(device_maps.begin(), device_maps.end(), result.begin());
  bool right = true;
  for (int i = 0; i < items; i++)
    right = right && result[i].scale == chain[i].scale && result[i].offset == chain[i].offset;
  EXPECT(right);

  host keys = numbers(items, 3, 3);
  if (items > 9000) /* a run over several chunks */
    std::fill(keys.begin() + 3000, keys.begin() + items - 500, 1);
  device k(keys.begin(), keys.end()), v(data.begin(), data.end());
  for (int i = 0; i < items; i++)
    expected[i] = i && keys[i] == keys[i - 1] ? expected[i - 1] + data[i] : data[i];
  thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), out.begin());
  EXPECT(same(out, expected));
  for (int i = 0; i < items; i++)
    expected[i] = i && keys[i] == keys[i - 1] ? expected[i - 1] + data[i - 1] : 5;
  thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), v.begin(), 5);
  EXPECT(same(v, expected));
}

static void selections(int items) {
  host data = numbers(items, 100, 4), expected;
  device d(data.begin(), data.end()), out(items);
  std::copy_if(data.begin(), data.end(), std::back_inserter(expected), is_small());
  out.erase(thrust::copy_if(d.begin(), d.end(), out.begin(), is_small()), out.end());
  EXPECT(same(out, expected));
  device removed = d;
  removed.erase(thrust::remove_if(removed.begin(), removed.end(), is_small()), removed.end());
  host kept;
  std::remove_copy_if(data.begin(), data.end(), std::back_inserter(kept), is_small());
  EXPECT(same(removed, kept));

  host parted = data;
  auto middle = std::stable_partition(parted.begin(), parted.end(), is_small()) - parted.begin();
  device p = d;
  EXPECT(thrust::stable_partition(p.begin(), p.end(), is_small()) - p.begin() == middle);
  EXPECT(same(p, parted));
  EXPECT(thrust::is_partitioned(p.begin(), p.end(), is_small()));
  device yes(items), no(items);
  auto ends = thrust::partition_copy(d.begin(), d.end(), yes.begin(), no.begin(), is_small());
  EXPECT(ends.first - yes.begin() == middle && ends.second - no.begin() == items - middle);

  host few = numbers(items, 4, 5), fewer;
  std::unique_copy(few.begin(), few.end(), std::back_inserter(fewer));
  device u(few.begin(), few.end());
  EXPECT(thrust::unique_count(u.begin(), u.end()) == long(fewer.size()));
  u.erase(thrust::unique(u.begin(), u.end()), u.end());
  EXPECT(same(u, fewer));

  /* In zipped sequences at once. */
  device a(data.begin(), data.end()), b(items);
  thrust::sequence(b.begin(), b.end());
  auto begin = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  auto end = thrust::remove_if(begin, begin + items, a.begin(), is_small());
  EXPECT(end - begin == long(kept.size()));
  host places(items), which;
  thrust::copy(b.begin(), b.end(), places.begin());
  for (int i = 0; i < items; i++)
    if (!is_small()(data[i]))
      which.push_back(i);
  places.resize(end - begin);
  EXPECT(places == which);
}

static void runs(int items) {
  host keys = numbers(items, 2, 6), data = numbers(items, 50, 7);
  if (items > 9000)
    std::fill(keys.begin() + 2000, keys.begin() + items - 700, 1);
  device k(keys.begin(), keys.end()), v(data.begin(), data.end()), keys_out(items), sums(items);
  host expected_keys, expected_sums;
  for (int i = 0; i < items; i++)
    if (i && keys[i] == keys[i - 1])
      expected_sums.back() += data[i];
    else
      expected_keys.push_back(keys[i]), expected_sums.push_back(data[i]);
  auto ends = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), keys_out.begin(), sums.begin());
  keys_out.erase(ends.first, keys_out.end());
  sums.erase(ends.second, sums.end());
  EXPECT(same(keys_out, expected_keys) && same(sums, expected_sums));

  host first_values;
  for (int i = 0; i < items; i++)
    if (!i || keys[i] != keys[i - 1])
      first_values.push_back(data[i]);
  auto unique_ends = thrust::unique_by_key(k.begin(), k.end(), v.begin());
  k.erase(unique_ends.first, k.end());
  v.erase(unique_ends.second, v.end());
  EXPECT(same(k, expected_keys) && same(v, first_values));

  device d(data.begin(), data.end());
  host differences(items);
  std::adjacent_difference(data.begin(), data.end(), differences.begin());
  thrust::adjacent_difference(d.begin(), d.end(), d.begin());
  EXPECT(same(d, differences));
}

static void sorted_sequences(int items) {
  host a = numbers(items, items + 1, 8), b = numbers(items / 2 + 1, items + 1, 9), expected;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  device x(a.begin(), a.end()), y(b.begin(), b.end()), out(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  thrust::merge(x.begin(), x.end(), y.begin(), y.end(), out.begin());
  EXPECT(same(out, expected));
#define SET(operation)                                                                                                 \
  do {                                                                                                                 \
    host wanted;                                                                                                       \
    std::operation(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(wanted));                                \
    device got(a.size() + b.size());                                                                                   \
    got.erase(thrust::operation(x.begin(), x.end(), y.begin(), y.end(), got.begin()), got.end());                      \
    EXPECT(same(got, wanted));                                                                                         \
  } while (0)
  SET(set_union);
  SET(set_intersection);
  SET(set_difference);
  SET(set_symmetric_difference);
  device where(b.size());
  thrust::lower_bound(x.begin(), x.end(), y.begin(), y.end(), where.begin());
  host places(b.size());
  for (size_t i = 0; i < b.size(); i++)
    places[i] = int(std::lower_bound(a.begin(), a.end(), b[i]) - a.begin());
  EXPECT(same(where, places));
}

/* Keeps what is given back, as programs do that call Thrust often. */
struct keeping_allocator {
  typedef char value_type;
  std::multimap<std::ptrdiff_t, char *> free_blocks;
  std::map<char *, std::ptrdiff_t> used;
  int asked = 0;
  char *allocate(std::ptrdiff_t bytes) {
    asked++;
    char *memory = nullptr;
    auto found = free_blocks.find(bytes);
    if (found != free_blocks.end()) {
      memory = found->second;
      free_blocks.erase(found);
    } else {
      cudaMalloc(&memory, bytes);
    }
    used[memory] = bytes;
    return memory;
  }
  void deallocate(char *memory, size_t) {
    free_blocks.insert({used[memory], memory});
    used.erase(memory);
  }
  ~keeping_allocator() {
    for (auto &block : free_blocks)
      cudaFree(block.second);
  }
};

static void policies(int items) {
  host data = numbers(items, 1 << 30, 10);
  device d(data.begin(), data.end());
  keeping_allocator allocator;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::sort(thrust::cuda::par(allocator).on(stream), d.begin(), d.end());
  std::sort(data.begin(), data.end());
  EXPECT(thrust::reduce(thrust::cuda::par.on(stream), d.begin(), d.end(), 0, thrust::bit_xor<int>()) ==
         std::accumulate(data.begin(), data.end(), 0, [](int a, int b) { return a ^ b; }));
  thrust::inclusive_scan(thrust::cuda::par_nosync.on(stream), d.begin(), d.end(), d.begin(), thrust::maximum<int>());
  cudaStreamSynchronize(stream);
  EXPECT(same(d, data));
  EXPECT(allocator.asked > 0);
  cudaStreamDestroy(stream);
  thrust::sort(thrust::host, data.begin(), data.end(), thrust::greater<int>());
  EXPECT(thrust::is_sorted(thrust::host, data.rbegin(), data.rend()));
}

int main() {
  for (int items : {0, 1, 2, 31, 4096, 8193, 50021}) {
    reductions(items);
    scans(items);
    selections(items);
    runs(items);
    sorted_sequences(items);
    policies(items);
  }
  printf(failures ? "%d failures\n" : "right\n", failures);
  return failures != 0;
}
