// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of host and device, their copies, and the iterators that programs combine: counting, constant, transform,
// permutation, zip, discard; gathers and scatters; raw pointers in kernels; the plain algorithms for each element.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_malloc.h>
#include <thrust/device_free.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("line %d: not so: %s\n", __LINE__, #condition)))

struct square {
  __host__ __device__ long operator()(int x) const { return long(x) * x; }
};
struct add_pair {
  __host__ __device__ float operator()(const thrust::tuple<float, int> &pair) const {
    return thrust::get<0>(pair) + thrust::get<1>(pair);
  }
};
struct saxpy {
  float a;
  template <typename Tuple> __host__ __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = a * thrust::get<0>(t) + thrust::get<1>(t);
  }
};
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};

__global__ void add_one(int *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i]++;
}

int main() {
  const int count = 10007;
  thrust::device_vector<int> d(count);
  thrust::sequence(d.begin(), d.end(), 5, 3);
  EXPECT(d[0] == 5 && d[1] == 8 && d[count - 1] == 5 + 3 * (count - 1));

  add_one<<<(count + 127) / 128, 128>>>(thrust::raw_pointer_cast(d.data()), count);
  thrust::host_vector<int> h = d;
  for (int i = 0; i < count; i++)
    EXPECT(h[i] == 6 + 3 * i);
  h[17] = -1;
  d = h;
  d.push_back(99);
  d.insert(d.begin() + 3, 42);
  d.erase(d.begin());
  EXPECT(d.size() == size_t(count) + 1 && d[2] == 42 && d.back() == 99 && d[17] == -1);
  d.resize(4, 8);
  EXPECT(d.size() == 4);

  long sum = thrust::reduce(thrust::make_transform_iterator(thrust::counting_iterator<int>(1), square()),
                            thrust::make_transform_iterator(thrust::counting_iterator<int>(1001), square()), 0L);
  EXPECT(sum == 1000L * 1001 * 2001 / 6);
  EXPECT(thrust::reduce(thrust::device, thrust::make_constant_iterator(3), thrust::make_constant_iterator(3) + 500) ==
         1500);

  thrust::device_vector<int> map(count), picked(count);
  thrust::tabulate(map.begin(), map.end(), count - 1 - thrust::placeholders::_1);
  thrust::device_vector<int> source(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(count));
  thrust::gather(map.begin(), map.end(), source.begin(), picked.begin());
  EXPECT(picked[0] == count - 1 && picked[count - 1] == 0);
  EXPECT(thrust::equal(picked.begin(), picked.end(), thrust::make_permutation_iterator(source.begin(), map.begin())));
  EXPECT(thrust::equal(picked.begin(), picked.end(), thrust::make_reverse_iterator(source.end())));
  thrust::fill(picked.begin(), picked.end(), 0);
  thrust::scatter(source.begin(), source.end(), map.begin(), picked.begin());
  EXPECT(picked[10] == count - 11);
  thrust::scatter_if(source.begin(), source.end(), map.begin(),
                     thrust::make_transform_iterator(source.begin(), is_odd()), picked.begin());

  thrust::device_vector<float> x(count, 2.0f), y(count), z(count);
  thrust::sequence(y.begin(), y.end());
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end(), z.end())), saxpy{3.0f});
  EXPECT(z[0] == 6.0f && z[100] == 106.0f);
  thrust::transform(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), source.begin())),
                    thrust::make_zip_iterator(thrust::make_tuple(x.end(), source.end())), z.begin(), add_pair());
  EXPECT(z[500] == 502.0f);
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), thrust::multiplies<float>());
  EXPECT(z[123] == 246.0f);
  thrust::transform_if(x.begin(), x.end(), source.begin(), z.begin(), thrust::negate<float>(), is_odd());
  EXPECT(z[122] == 244.0f && z[123] == -2.0f);
  float offset = 0.5f;
  thrust::transform(y.begin(), y.end(), z.begin(), [offset] __device__(float value) { return value + offset; });
  EXPECT(z[7] == 7.5f);
  thrust::replace_if(source.begin(), source.end(), is_odd(), -7);
  EXPECT(source[3] == -7 && source[4] == 4);

  thrust::device_ptr<float> raw = thrust::device_pointer_cast(thrust::raw_pointer_cast(z.data()));
  EXPECT(raw[2] == 2.5f);
  raw[2] = 9;
  EXPECT(z[2] == 9.0f);
  thrust::copy(thrust::device, y.begin(), y.end(), raw);
  EXPECT(z[2] == 2.0f);
  thrust::copy(y.begin(), y.end(), thrust::make_discard_iterator());
  float on_host[4];
  thrust::copy(y.begin(), y.begin() + 4, on_host);
  EXPECT(on_host[3] == 3.0f);

  thrust::device_ptr<int> allocated = thrust::device_malloc<int>(100);
  thrust::fill_n(allocated, 100, 4);
  EXPECT(thrust::reduce(allocated, allocated + 100) == 400);
  thrust::device_free(allocated);
  printf(failures ? "%d failures\n" : "right\n", failures);
  return failures != 0;
}
