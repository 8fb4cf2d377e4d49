/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rest of the device language, in a file that includes next to nothing: indices, barriers, fences, clocks, memory,
 * printf, assert, cached loads, address predicates, shared vectors, C and C++ names that nvcc's headers bring in.
 */
#include <cuda_pipeline.h>

struct particle {
  float3 position;
  int *owner;
};
struct node {
  __device__ virtual int value() const { return 1; }
  __device__ virtual ~node() {}
};
struct leaf : node {
  int number;
  __device__ leaf(int n) : number(n) {}
  __device__ int value() const override { return number; }
};
__constant__ float weights[16];
__device__ int counter;
__device__ float4 origin = {1, 2, 3, 4};

__device__ dim3 as_dim3(dim3 d) { return d; }
__device__ unsigned sum(const uint3 &d) { return d.x + d.y + d.z; }

__global__ void __launch_bounds__(256, 2) places(unsigned *u) {
  uint3 thread = threadIdx;
  dim3 block = blockIdx, extent(blockDim.x, blockDim.y), grid = gridDim;
  auto copy = threadIdx;
  u[0] = thread.x + block.y + extent.z + grid.x + copy.z + sum(threadIdx) + as_dim3(blockDim).x + gridDim.y;
}
__global__ void barriers(int *n) {
  __shared__ float4 vectors[32];
  __shared__ particle particles[4];
  __shared__ int2 pair;
  extern __shared__ float dynamic[];
  vectors[threadIdx.x & 31] = make_float4(1, 2, 3, 4);
  particles[0].owner = n;
  pair = make_int2(1, 2);
  __syncthreads();
  dynamic[threadIdx.x] = vectors[0].x + pair.y + origin.x + weights[3];
  n[0] = __syncthreads_count(n[1]) + __syncthreads_and(n[1]) + __syncthreads_or(n[1]);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  n[1] = dynamic[3];
}
__global__ void copies(const int4 *from, size_t zeros) {
  __shared__ int4 staged[32];
  __pipeline_memcpy_async(&staged[threadIdx.x], from + threadIdx.x, sizeof(int4));
  __pipeline_memcpy_async(&staged[0].x, &from[0].y, 4, zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}
__global__ void services(int *n, long long *l, float *f) {
  n[0] = (int)clock();
  l[0] = clock64() - l[1];
  printf("plain\n");
  printf("%d %f %s %lld\n", n[0], f[0], "text", l[0]);
  assert(n[1] > 0);
  int *one = (int *)malloc(16), *many = new int[4];
  node *tree = new leaf(3);
  memset(one, 0, 16);
  memcpy(many, one, 16);
  n[2] = many[1] + tree->value() + memcmp(one, many, 16);
  free(one);
  delete[] many;
  delete tree;
  __nanosleep(100);
  __builtin_assume(n[3] > 0);
  if (n[3] == 12)
    __trap();
  if (n[3] == 13)
    __brkpt();
  __prof_trigger(1);
}
__global__ void memory(int *n, float4 *f4, const double *d, double *out, const float2 *__restrict__ f2, char *c) {
  n[0] = __ldg(n + 1) + __ldca(n + 1) + __ldcg(n + 1) + __ldcs(n + 1) + __ldlu(n + 1) + __ldcv(n + 1);
  f4[0] = __ldg(f4 + 1);
  f4[1] = __ldcv(f4 + 2);
  out[0] = __ldg(d) + __ldg(f2).x + __ldg(c);
  __stwb(n, 1), __stcg(n, 2), __stcs(n, 3), __stwt(n, 4);
  __stcs(f4, f4[2]), __stwt(f4 + 1, f4[3]), __stcs(out, 1), __stcs(c, 'x');
  if (__isGlobal(n) && !__isShared(n) && !__isConstant(n) && !__isLocal(n))
    n[5] = (int)__cvta_generic_to_shared(n);
}
/* A program's own functions by names that CUDA has or had. */
__device__ float saturate(float x) { return x < 0 ? 0 : x; }
__device__ int mul24(int a, int b) { return a * b; }
__device__ double atomicAdd(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
template <typename Type> __host__ __device__ Type min(Type a, Type b, Type c) { return min(a, min(b, c)); }
template <typename Type> __device__ Type max(const Type &a, const Type &b) { return a < b ? b : a; }
int max(int a, int b) { return a < b ? b : a; }
__global__ void own(float *f, int *n, double *d) {
  f[0] = saturate(f[1]) + max(f[0], f[1]) + max(1, 2.0f);
  n[0] = mul24(n[1], n[2]) + min(1, 2, 3) + max(n[1], n[2]);
  atomicAdd(d, 1.0);
}
template <typename Type> __global__ void generic(Type *data, Type factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto scale = [=](Type value) { return value * factor; };
  data[i] = scale(data[i]);
}
__host__ __device__ float both(float x) {
#ifdef __CUDA_ARCH__
  return __expf(x);
#else
  return expf(x);
#endif
}
#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12 || CUDART_VERSION < 12000
#error "the compiler's macros"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800
#error "the architecture"
#endif

int main() {
  srand((unsigned)time(NULL));
  char *text = strdup("x");
  double *d = (double *)malloc(sizeof(double));
  *d = sqrt(fabs((double)rand() / RAND_MAX)) + INT_MAX + both(1.0f) + make_double2(1, 2).y;
  generic<float><<<1, 32>>>((float *)nullptr, 2.0f);
  generic<double><<<dim3(1, 2), 32, 64, 0>>>(d, 2.0);
  places<<<1, make_uint3(1, 2, 3)>>>(nullptr);
  clock_t now = clock();
  printf("%s %f %ld\n", text, *d, (long)now);
  free(text);
  return std::pair<int, int>(1, 2).first;
}
