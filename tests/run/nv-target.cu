// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nv/target: a block for the host, for devices, for devices from an architecture on; blocks with commas, none, one in another.
#include <cstdio>
#include <nv/target>

__host__ __device__ int where(int a) { NV_IF_TARGET(NV_IS_DEVICE, (int b = a, c = 2; return b + c;), (return -a;)) }

__host__ __device__ int level() {
  NV_DISPATCH_TARGET(NV_IS_EXACTLY_SM_35, (return 35;), NV_HAS_FEATURE_SM_90a, (return 91;), NV_PROVIDES_SM_60,
                     (int x = 60, y = 0; return x + y;), NV_IS_HOST, (return 1;), NV_ANY_TARGET, (return 2;))
}

__host__ __device__ int nested(int a) {
  NV_IF_TARGET(NV_IS_HOST, (a += 10;))
  NV_IF_ELSE_TARGET(NV_NO_TARGET, a = 0;, a += 1;)
  NV_IF_TARGET(NV_IS_DEVICE, (NV_IF_TARGET(NV_PROVIDES_SM_60, (a += 100;), (a += 200;))))
  NV_DISPATCH_TARGET(NV_NO_TARGET, (a = 0;))
  return a;
}

__global__ void fill(int *out) {
  out[0] = where(5);
  out[1] = level();
  out[2] = nested(0);
}

int main() {
  int *d, h[3];
  cudaMalloc(&d, sizeof h);
  fill<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  bool good = h[0] == 7 && h[1] == 60 && h[2] == 101 && where(5) == -5 && level() == 1 && nested(0) == 11;
  printf("%s\n", good ? "ok" : "wrong");
  return !good;
}
