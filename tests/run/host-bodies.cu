// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions whose bodies call device functions where __CUDA_ARCH__ is defined, by macros that choose so: no concern of the
// device's compilation, which compiles none of them. CUDA's own functions, the program's, members, operators, templates.
#include "check.h"

__device__ int turned(int x);
__device__ int *same(int *p) { return p; }
struct value {
  int v;
  __device__ value(int x);
  __device__ value &operator=(int x) { return v = x, *this; }
  __device__ operator int() const { return v; }
  __device__ static int doubled(int);
  __device__ int plus(int) const;
  template <int n> __device__ int times(int x) { return x * n; }
};
__device__ value operator+(const value &a, int b) { return value(a.v + b); }
template <typename T> struct holder {
  T *r;
  __device__ T *&first(int);
};
template <typename T> __device__ T *&holder<T>::first(int) { return r; }
template <typename T> __device__ T next(T x) { return x + 1; }
namespace inner {
__device__ int *pointer(int *p);
}
__device__ int *inner::pointer(int *p) { return p; }

#ifdef __CUDA_ARCH__
#define ROTATE(x, n) __funnelshift_r(x, x, n)
#define BITS(x) __popc(x)
#define TURNED(x) turned(x)
#define NEXT(x) next(x)
#define ADD(p, x) atomicAdd(p, x)
#define EXP(x) __expf(x)
inline int more(int x) {
  value v(3);
  holder<int> h = {&x};
  v = 5, v = v + 3;
  int k = v + *same(&x) + *h.first(0) + *inner::pointer(&x);
  return v.plus(3) + value::doubled(3) + v.times<3>(5) + k + threadIdx.x + __shfl_sync(~0u, x, 3) + __ldg(&x);
}
#else
#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))
#define BITS(x) __builtin_popcount(x)
#define TURNED(x) ((x) + 1)
#define NEXT(x) ((x) + 1)
#define ADD(p, x) ((*(p) += (x)) - (x))
#define EXP(x) expf(x)
inline int more(int x) { return x; }
#endif

unsigned on_host(unsigned x) { return ROTATE(x, 3) ^ BITS(x) ^ TURNED((int)x); }
template <typename T> T any_on_host(T x) { return NEXT(x) + TURNED(x) + ADD(&x, 1); }
struct host_class {
  static unsigned rotated(unsigned x) { return ROTATE(x, 5); }
  unsigned member = ROTATE(48u, 4);
};
static auto host_lambda = [](unsigned x) { return ROTATE(x, 7); };
static unsigned host_value = ROTATE(16u, 4);
__host__ __device__ inline unsigned both(unsigned x) { return ROTATE(x, 9) + BITS(x); }

__device__ int turned(int x) { return x + 1; }
__device__ int value::plus(int x) const { return x + v; }
__device__ int value::doubled(int x) { return 2 * x; }
__device__ value::value(int x) : v(x) {}

__global__ void kernel(unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  value v(i);
  v = v + 2;
  out[i] = both(i) + TURNED(i) + NEXT(i) + v.plus(3) + value::doubled(i) + v.times<3>(i) + (EXP(0.0f) == 1.0f);
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = 300;
  buffer<unsigned> out(n);
  kernel<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], both(i) + (i + 1) + (i + 1) + (i + 5) + 2 * i + 3 * i + 1);
  expect(0, on_host(40), 5 ^ 2 ^ 41);
  expect(0, any_on_host(5), 6 + 6 + 5);
  expect(0, more(7), 7);
  expect(0, host_class::rotated(64) + host_class().member + host_lambda(256) + host_value, 2 + 3 + 2 + 1);
  return passed();
}
