// LLVM's IR of the whole, before and after LLVM's optimiser: rows that change this program, at AVX-512.
// REQUIRES: x86_64
// RUN: %S/changes.sh %unwarp mark-tips -O3 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp forward-tips -O3 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp optimise -O3 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp estimate-roots -O3 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp scale-powers -O3 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp fuse-products -O3 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp array-bases -O3 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp compress-stores -O3 -march=x86-64-v4 %root/bench/compact/compact.cu
// RUN: %S/changes.sh %unwarp stream-stores -O3 -march=x86-64-v4 %root/bench/options/options.cu
// RUN: %S/changes.sh %unwarp hide-masks -O3 -march=x86-64-v4 %root/bench/scan/scan.cu
// RUN: %S/changes.sh %unwarp narrow-doubles -O3 -march=x86-64-v3 %root/bench/foreign-shapes/string/string.cu
// RUN: %S/changes.sh %unwarp blend-stores -O3 -march=x86-64-v3 %root/bench/path/path.cu
// RUN: %S/changes.sh %unwarp append-buffers -O3 -march=x86-64-v4 %root/bench/bfs/bfs.cu

// Not below -O2.
// RUN: %unwarp -O1 -march=x86-64-v4 --time-passes -c %s -o /dev/null 2>&1 | not grep -E "mark-tips|allow-widths|fuse-products"

// AVX-512 whole: shares may use registers of 64 bytes.
// RUN: %unwarp -O3 -march=x86-64-v4 -c %s -o /dev/null --print-after=allow-widths 2>&1 | FileCheck --check-prefix=WIDTHS %s
// WIDTHS: "prefer-vector-width"="512"

// Without what may be left out the program is as right.
// RUN: %unwarp -O3 -march=native --skip=allow-widths --skip=mark-tips --skip=hide-masks --skip=estimate-roots --skip=compress-stores --skip=blend-stores --skip=scale-powers --skip=fuse-products --skip=narrow-doubles --skip=array-bases %s -o %t && %t
// RUN: %unwarp -O3 -march=native %s -o %t && %t
#include <cmath>
__global__ void sum(const float *in, float *out) {
  __shared__ float all[256];
  int t = threadIdx.x;
  all[t] = in[t];
  __syncthreads();
  for (int left = 128; left > 0; left /= 2) {
    if (t < left) all[t] += all[t + left];
    __syncthreads();
  }
  if (t == 0) out[0] = all[0];
}
__global__ void math(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], product = x * x;
  out[i] = rsqrtf(x) + expf(x) + (product + 1) * (product + in[i + 1]);
}
int main() {
  float *p;
  cudaMallocManaged(&p, 1024 * sizeof *p);
  for (int i = 0; i < 1024; i++) p[i] = 1;
  sum<<<1, 256>>>(p, p + 600);
  math<<<2, 64>>>(p, p + 700, 128);
  if (cudaDeviceSynchronize() != cudaSuccess || p[600] != 256) return 1;
  return !(std::fabs(p[700] - (1 + std::exp(1.f) + 4)) < 1e-4f && p[828] == 1);
}
