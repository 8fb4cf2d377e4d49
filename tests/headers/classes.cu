/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C++ in kernels: classes with constructors as arguments and in shared memory, templates, lambdas, function pointers,
 * recursion, std::complex, managed variables.
 */
#include <complex>

struct vector3 {
  float x, y, z;
  __host__ __device__ vector3() : x(0), y(0), z(0) {}
  __host__ __device__ vector3(float a, float b, float c) : x(a), y(b), z(c) {}
};
struct empty_constructor {
  int v;
  __device__ empty_constructor() {}
};
struct defaulted {
  float f[4];
  defaulted() = default;
};
struct parameters {
  int n;
  float *p;
  vector3 v;
  dim3 d;
};
template <typename Type, int Count> struct array {
  Type data[Count];
  __host__ __device__ Type &operator[](int i) { return data[i]; }
  __host__ __device__ constexpr int size() const { return Count; }
};
template <class Function> __global__ void apply(Function function, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    function(i);
}
__device__ int recursive(int n) { return n < 2 ? 1 : recursive(n - 1) + recursive(n - 2); }
typedef float (*unary)(float);
__device__ float square(float x) { return x * x; }
__device__ float twice(float x) { return x + x; }
__device__ unary table[2] = {square, twice};
__managed__ int counter;

__global__ void kernel(parameters p, array<double, 3> a, float *out, std::complex<float> *c, std::complex<double> *z) {
  __shared__ array<float, 16> s;
  __shared__ defaulted d;
  __shared__ empty_constructor e;
  extern __shared__ __align__(16) unsigned char raw[];
  float *floats = reinterpret_cast<float *>(raw);
  s[threadIdx.x % 16] = p.v.x + (float)a[1];
  d.f[0] = 1;
  e.v = 1;
  floats[threadIdx.x] = s[0];
  __syncthreads();
  out[threadIdx.x] = table[threadIdx.x & 1](floats[0]) + recursive(3) + d.f[0] + a.size() + e.v;
  c[0] = c[1] * c[2] / c[3] + std::complex<float>(1, 2);
  z[0] = z[1] * z[2] / z[3];
  out[1] = c[0].real() + c[1].imag() + std::norm(c[2]);
  atomicAdd(&counter, 1);
  auto by_reference = [&](int q) { return q * 2 + out[3]; };
  out[2] = by_reference(3);
#pragma unroll
  for (int i = 0; i < 4; i++)
    out[i] += i;
}
int main() {
  float *p = nullptr;
  apply<<<1, 32>>>([=] __device__(int i) { p[i] = i; }, 4);
  apply<<<1, 32>>>([=] __host__ __device__(int i) { p[i] = i; }, 4);
  kernel<<<dim3(1), dim3(2, 2), 1024>>>(parameters(), array<double, 3>(), p, nullptr, nullptr);
  return cudaDeviceSynchronize() != cudaSuccess;
}
