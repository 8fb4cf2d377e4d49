// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thrust::sort and its like against std::stable_sort: keys of several types, keys with values, stable, by the user's own order.
#include <algorithm>
#include <cstdio>
#include <random>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <vector>

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("line %d: not so: %s\n", __LINE__, #condition)))

struct record {
  int key;
  float weight;
  short tag;
  bool operator==(const record &other) const { return key == other.key && weight == other.weight && tag == other.tag; }
};

struct by_last_digit {
  __host__ __device__ bool operator()(const record &a, const record &b) const { return a.key % 10 < b.key % 10; }
};

template <typename T> static std::vector<T> numbers(int count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> result(count);
  for (T &value : result)
    value = T(int(generator() % 20011) - 10007);
  return result;
}

template <typename T> static void sort_keys(int count) {
  std::vector<T> expected = numbers<T>(count, 7 + count);
  thrust::device_vector<T> keys(expected.begin(), expected.end());
  thrust::sort(keys.begin(), keys.end());
  std::sort(expected.begin(), expected.end());
  EXPECT(std::equal(expected.begin(), expected.end(), thrust::host_vector<T>(keys).begin()));
  EXPECT(thrust::is_sorted(keys.begin(), keys.end()));
  thrust::sort(keys.begin(), keys.end(), thrust::greater<T>());
  std::reverse(expected.begin(), expected.end());
  EXPECT(std::equal(expected.begin(), expected.end(), thrust::host_vector<T>(keys).begin()));
}

static void sort_pairs(int count) {
  std::vector<int> keys = numbers<int>(count, 3);
  std::vector<int> order(count);
  for (int i = 0; i < count; i++)
    keys[i] %= 100, order[i] = i;
  thrust::device_vector<int> device_keys(keys.begin(), keys.end()), device_order(order.begin(), order.end());
  thrust::stable_sort_by_key(device_keys.begin(), device_keys.end(), device_order.begin());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  EXPECT(std::equal(order.begin(), order.end(), thrust::host_vector<int>(device_order).begin()));
}

static void sort_records(int count) {
  std::vector<int> keys = numbers<int>(count, 5);
  std::vector<record> expected(count);
  for (int i = 0; i < count; i++)
    expected[i] = {std::abs(keys[i]), i * 0.5f, short(i)};
  thrust::device_vector<record> records(expected.begin(), expected.end());
  thrust::stable_sort(records.begin(), records.end(), by_last_digit());
  std::stable_sort(expected.begin(), expected.end(), by_last_digit());
  EXPECT(std::equal(expected.begin(), expected.end(), thrust::host_vector<record>(records).begin()));
}

int main() {
  for (int count : {0, 1, 2, 33, 1000, 100003}) {
    sort_keys<int>(count);
    sort_pairs(count);
  }
  sort_keys<unsigned char>(5000);
  sort_keys<float>(70001);
  sort_keys<double>(4099);
  sort_keys<long long>(4099);
  sort_records(3);
  sort_records(20011);
  printf(failures ? "%d failures\n" : "right\n", failures);
  return failures != 0;
}
