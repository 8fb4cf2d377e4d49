// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's device-wide algorithms against the C++ library: temporary storage asked for and given, double buffers, parts of keys,
// segments, runs, three parts, captures into graphs.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <random>
#include <vector>

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("line %d: not so: %s (%d items)\n", __LINE__, #condition, items)))
#define WITH_STORAGE(call, ...)                                                                                        \
  do {                                                                                                                 \
    size_t bytes = 0;                                                                                                  \
    void *storage = nullptr;                                                                                           \
    EXPECT(call(storage, bytes, __VA_ARGS__) == cudaSuccess);                                                          \
    cudaMalloc(&storage, bytes ? bytes : 1);                                                                           \
    EXPECT(call(storage, bytes, __VA_ARGS__) == cudaSuccess);                                                          \
    cudaDeviceSynchronize();                                                                                           \
    cudaFree(storage);                                                                                                 \
  } while (0)

template <typename T> struct on_device {
  T *at;
  size_t count;
  explicit on_device(size_t items) : count(items) { cudaMalloc(&at, (items + 1) * sizeof(T)); }
  on_device(const std::vector<T> &data) : on_device(data.size()) {
    cudaMemcpy(at, data.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~on_device() { cudaFree(at); }
  std::vector<T> host(size_t items) const {
    std::vector<T> data(items);
    cudaMemcpy(data.data(), at, items * sizeof(T), cudaMemcpyDeviceToHost);
    return data;
  }
  std::vector<T> host() const { return host(count); }
  T first() const { return host(1)[0]; }
};

template <typename T> static std::vector<T> numbers(int items, unsigned below, unsigned seed) {
  std::mt19937 generator(seed + items);
  std::vector<T> result(items);
  for (T &value : result)
    value = T(generator() % below);
  return result;
}

struct is_even {
  __device__ bool operator()(int x) { return x % 2 == 0; }
};
struct below {
  int limit;
  __host__ __device__ bool operator()(int x) const { return x < limit; }
};
struct by_remainder {
  __host__ __device__ bool operator()(int a, int b) const { return a % 100 < b % 100; }
};

static void reductions(int items) {
  std::vector<int> data = numbers<int>(items, 100000, 1);
  on_device<int> in(data), out(1);
  WITH_STORAGE(cub::DeviceReduce::Sum, in.at, out.at, items);
  EXPECT(out.first() == std::accumulate(data.begin(), data.end(), 0));
  if (items) {
    WITH_STORAGE(cub::DeviceReduce::Max, in.at, out.at, items);
    EXPECT(out.first() == *std::max_element(data.begin(), data.end()));
    on_device<cub::KeyValuePair<int, int>> place(1);
    WITH_STORAGE(cub::DeviceReduce::ArgMin, in.at, place.at, items);
    EXPECT(place.first().key == std::min_element(data.begin(), data.end()) - data.begin());
  }
  on_device<int> scanned(items);
  std::vector<int> expected(items);
  std::partial_sum(data.begin(), data.end(), expected.begin());
  WITH_STORAGE(cub::DeviceScan::InclusiveSum, in.at, scanned.at, items);
  EXPECT(scanned.host() == expected);
  int highest = 50;
  for (int i = 0; i < items; i++)
    expected[i] = highest, highest = std::max(highest, data[i]);
  WITH_STORAGE(cub::DeviceScan::ExclusiveScan, in.at, scanned.at, cub::Max(), 50, items);
  EXPECT(scanned.host() == expected);
}

static void selections(int items) {
  std::vector<int> data = numbers<int>(items, 1000, 2), flags = numbers<int>(items, 2, 3), expected;
  on_device<int> in(data), flag(flags), out(items), count(1);
  std::copy_if(data.begin(), data.end(), std::back_inserter(expected), [](int x) { return x % 2 == 0; });
  WITH_STORAGE(cub::DeviceSelect::If, in.at, out.at, count.at, items, is_even());
  EXPECT(count.first() == int(expected.size()) && out.host(expected.size()) == expected);
  std::vector<int> rest;
  std::copy_if(data.begin(), data.end(), std::back_inserter(rest), [](int x) { return x % 2 != 0; });
  std::vector<int> parted = expected;
  parted.insert(parted.end(), rest.rbegin(), rest.rend());
  WITH_STORAGE(cub::DevicePartition::If, in.at, out.at, count.at, items, is_even());
  EXPECT(out.host() == parted);
  expected.clear();
  for (int i = 0; i < items; i++)
    if (flags[i])
      expected.push_back(data[i]);
  WITH_STORAGE(cub::DeviceSelect::Flagged, in.at, flag.at, out.at, count.at, items);
  EXPECT(count.first() == int(expected.size()) && out.host(expected.size()) == expected);
  std::vector<int> unique = flags;
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  WITH_STORAGE(cub::DeviceSelect::Unique, flag.at, out.at, count.at, items);
  EXPECT(count.first() == int(unique.size()) && out.host(unique.size()) == unique);

  on_device<int> low(items), middle(items), high(items), counts(2);
  WITH_STORAGE(cub::DevicePartition::If, in.at, low.at, middle.at, high.at, counts.at, items, below{300}, below{700});
  std::vector<int> lows, middles, highs;
  for (int x : data)
    (x < 300 ? lows : x < 700 ? middles : highs).push_back(x);
  EXPECT(low.host(lows.size()) == lows && middle.host(middles.size()) == middles && high.host(highs.size()) == highs);
  EXPECT(counts.host()[0] == int(lows.size()) && counts.host()[1] == int(middles.size()));

  std::vector<int> run_keys, lengths, long_offsets, long_lengths;
  for (int i = 0; i < items; i++)
    if (i && flags[i] == flags[i - 1])
      lengths.back()++;
    else
      run_keys.push_back(flags[i]), lengths.push_back(1);
  for (size_t r = 0, at = 0; r < lengths.size(); at += lengths[r++])
    if (lengths[r] > 1)
      long_offsets.push_back(int(at)), long_lengths.push_back(lengths[r]);
  on_device<int> keys(items), sums(items);
  WITH_STORAGE(cub::DeviceRunLengthEncode::Encode, flag.at, keys.at, sums.at, count.at, items);
  EXPECT(keys.host(run_keys.size()) == run_keys && sums.host(lengths.size()) == lengths);
  WITH_STORAGE(cub::DeviceRunLengthEncode::NonTrivialRuns, flag.at, keys.at, sums.at, count.at, items);
  EXPECT(count.first() == int(long_offsets.size()) && keys.host(long_offsets.size()) == long_offsets &&
         sums.host(long_lengths.size()) == long_lengths);
}

template <typename Key> static void sorting(int items) {
  std::vector<Key> data = numbers<Key>(items, 1u << 31, 4);
  for (int i = 0; i < items; i += 3)
    data[i] = Key(0) - data[i];
  std::vector<int> order(items);
  std::iota(order.begin(), order.end(), 0);
  on_device<Key> keys(data), keys_out(items);
  on_device<int> values(order), values_out(items);
  WITH_STORAGE(cub::DeviceRadixSort::SortPairsDescending, keys.at, keys_out.at, values.at, values_out.at, items);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return data[a] > data[b]; });
  EXPECT(values_out.host() == order);
  EXPECT(keys.host() == data);
  cub::DoubleBuffer<Key> both(keys.at, keys_out.at);
  WITH_STORAGE(cub::DeviceRadixSort::SortKeys, both, items);
  std::vector<Key> expected = data;
  std::sort(expected.begin(), expected.end());
  EXPECT((both.Current() == keys.at ? keys : keys_out).host() == expected);
}

static void segments(int items) {
  std::vector<unsigned> data = numbers<unsigned>(items, 1u << 31, 5), expected;
  std::vector<int> offsets = {0};
  while (offsets.back() < items)
    offsets.push_back(std::min(items, offsets.back() + 1 + int(data[offsets.back()] % 400)));
  int count = int(offsets.size()) - 1;
  on_device<unsigned> keys(data), out(items), sums(count);
  on_device<int> begins(offsets);
  expected = data;
  for (int s = 0; s < count; s++)
    std::sort(expected.begin() + offsets[s], expected.begin() + offsets[s + 1]);
  WITH_STORAGE(cub::DeviceSegmentedRadixSort::SortKeys, keys.at, out.at, items, count, begins.at, begins.at + 1);
  EXPECT(out.host() == expected);
  WITH_STORAGE(cub::DeviceSegmentedSort::SortKeys, keys.at, out.at, items, count, begins.at, begins.at + 1);
  EXPECT(out.host() == expected);
  for (int s = 0; s < count; s++)
    std::stable_sort(expected.begin() + offsets[s], expected.begin() + offsets[s + 1],
                     [](unsigned a, unsigned b) { return (a >> 4 & 63) < (b >> 4 & 63); });
  WITH_STORAGE(cub::DeviceSegmentedRadixSort::SortKeys, out.at, keys.at, items, count, begins.at, begins.at + 1, 4, 10);
  EXPECT(keys.host() == expected);
  WITH_STORAGE(cub::DeviceSegmentedReduce::Sum, keys.at, sums.at, count, begins.at, begins.at + 1);
  std::vector<unsigned> totals;
  for (int s = 0; s < count; s++)
    totals.push_back(std::accumulate(expected.begin() + offsets[s], expected.begin() + offsets[s + 1], 0u));
  EXPECT(sums.host() == totals);
}

static void own_order(int items) {
  std::vector<int> data = numbers<int>(items, 100000, 6), expected = data;
  on_device<int> keys(data), out(items);
  WITH_STORAGE(cub::DeviceMergeSort::StableSortKeys, keys.at, items, by_remainder());
  std::stable_sort(expected.begin(), expected.end(), by_remainder());
  EXPECT(keys.host() == expected);
  std::vector<int> parts = data; /* by some of their bits only */
  on_device<int> again(data);
  WITH_STORAGE(cub::DeviceRadixSort::SortKeys, again.at, out.at, items, 3, 14);
  std::stable_sort(parts.begin(), parts.end(), [](int a, int b) { return (a >> 3 & 2047) < (b >> 3 & 2047); });
  EXPECT(out.host() == parts);
  on_device<int> histogram(64);
  if (items) {
    WITH_STORAGE(cub::DeviceHistogram::HistogramEven, again.at, histogram.at, 65, 0, 128000, items);
    std::vector<int> bins(64);
    for (int x : data)
      bins[x / 2000]++;
    EXPECT(histogram.host() == bins);
  }
}

static void in_graph() {
  const int items = 30000;
  std::vector<float> data = numbers<float>(items, 1000, 7);
  on_device<float> in(data), sorted(items), sum(1);
  size_t sort_bytes = 0, sum_bytes = 0;
  cub::DeviceRadixSort::SortKeys(nullptr, sort_bytes, in.at, sorted.at, items);
  cub::DeviceReduce::Sum(nullptr, sum_bytes, sorted.at, sum.at, 100);
  on_device<char> storage(std::max(sort_bytes, sum_bytes));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  EXPECT(cub::DeviceRadixSort::SortKeys(storage.at, sort_bytes, in.at, sorted.at, items, 0, 32, stream) == cudaSuccess);
  EXPECT(cub::DeviceReduce::Sum(storage.at, sum_bytes, sorted.at, sum.at, 100, stream) == cudaSuccess);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int iteration = 0; iteration < 3; iteration++) {
    data = numbers<float>(items, 1000 + iteration, 8 + iteration);
    cudaMemcpy(in.at, data.data(), items * sizeof(float), cudaMemcpyHostToDevice);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    std::sort(data.begin(), data.end());
    EXPECT(sorted.host() == data && sum.first() == std::accumulate(data.begin(), data.begin() + 100, 0.0f));
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

int main() {
  for (int items : {0, 1, 100, 4097, 40013}) {
    reductions(items);
    selections(items);
    sorting<int>(items);
    sorting<float>(items);
    segments(items);
    own_order(items);
  }
  sorting<unsigned short>(1000);
  sorting<double>(9000);
  in_graph();
  printf(failures ? "%d failures\n" : "right\n", failures);
  return failures != 0;
}
