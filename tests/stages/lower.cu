// From loops to the llvm dialect, and LLVM's IR of device code before it joins the host's: each row changes this program, or is shown where it does not, at AVX2
// (tiles are marked at AVX-512).
// RUN: %S/changes.sh %unwarp drop-replays -O2 -march=x86-64-v3 -fno-fault-info %s
// RUN: not %S/changes.sh %unwarp drop-replays -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp number-blocks -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp small-launches -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp mark-tiles -O2 -march=x86-64-v4 %s
// RUN: %S/changes.sh %unwarp thread-loops -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp own-atomics -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp tallies -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp block-memory -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp worker-barriers -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp llvm-dialect -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp crews -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp hoist-allocas -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp keep-replays -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp retarget{after=lower} -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp strip-lines -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp set-layout -O2 -march=x86-64-v3 %s

// Launches of one block are outlined where a level is built; there is none in a build for one CPU.
// RUN: %S/changes.sh %unwarp outline-blocks -O2 %s
// RUN: %S/changes.sh %unwarp call-blocks -O2 %s
// RUN: not %S/changes.sh %unwarp outline-blocks -O2 -march=x86-64-v3 %s

// RUN: %S/changes.sh %unwarp told-stores -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp waiting-threads -O2 -march=x86-64-v3 %s
// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o /dev/null --print-after=drop-convergent 2>&1 | FileCheck --check-prefix=MOVES %s
// MOVES: after drop-convergent
// MOVES-NOT: attributes #{{.*}} convergent
// RUN: %S/changes.sh %unwarp debug-variables -G %s
// RUN: not %S/changes.sh %unwarp debug-variables -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp flush-in-hardware -O2 -march=x86-64-v3 -ftz=true %s
// RUN: not %S/changes.sh %unwarp flush-in-hardware -O2 -march=x86-64-v3 %s
// RUN: %S/changes.sh %unwarp mark-for-asan -O2 -march=x86-64-v3 -Xcompiler -fsanitize=address %s
// RUN: %S/changes.sh %unwarp link-checks -O2 -fcheck %s
// RUN: %S/changes.sh %unwarp trials -O2 -march=x86-64-v3 -fcheck %s
// RUN: not %S/changes.sh %unwarp trials -O2 -march=x86-64-v3 %s
// RUN: not %S/changes.sh %unwarp link-checks -O2 -march=x86-64-v3 %s

// Without what may be left out the program is as right.
// RUN: %unwarp -O2 -march=native --skip=small-launches --skip=mark-tiles --skip=own-atomics %s -o %t && %t
// RUN: %unwarp -O2 -march=native -ftz=true --skip=flush-in-hardware %s -o %t && %t
#include <cooperative_groups.h>
__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void counts(const int *x, int *bins, int n) {
  __shared__ int own[32];
  if (threadIdx.x < 32) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[x[threadIdx.x] & 31], 1);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void total(const int *x, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}
// A tile that is eight registers, and a sum over its rows.
__global__ void tile(const float *in, float *out) {
  __shared__ float rows[8][16];
  rows[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  for (int left = 4; left > 0; left /= 2) {
    if (threadIdx.y < left) rows[threadIdx.y][threadIdx.x] += rows[threadIdx.y + left][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0) out[threadIdx.x] = rows[0][threadIdx.x];
}
__global__ void meet(int *at) {
  atomicAdd(at, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0 && *at != static_cast<int>(gridDim.x * blockDim.x)) at[1] = 1;
}
// Never launched: a loop that waits, and writes.
__global__ void chain(volatile int *done, int n) {
  int i = threadIdx.x, there = 0;
  while (!there)
    if (i == n - 1 || done[i + 1]) done[i] = there = 1;
}
int main() {
  float *x;
  int *n;
  cudaMallocManaged(&x, 1024 * sizeof *x);
  cudaMallocManaged(&n, 1024 * sizeof *n);
  for (int i = 0; i < 1024; i++) x[i] = 1, n[i] = 0;
  scale<<<4, 64>>>(x, 2, 256);
  for (int i = 0; i < 3; i++) scale<<<4, 64>>>(x, 2, 256);
  counts<<<1, 64>>>(n + 64, n + 512, 64);
  total<<<4, 64>>>(n + 512, n + 600, 32);
  tile<<<1, dim3(16, 8)>>>(x, x + 512);
  void *arguments[] = {&n};
  if (cudaLaunchCooperativeKernel((void *)meet, dim3(2), dim3(32), arguments, 0, 0) != cudaSuccess) return 1;
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  return !(x[0] == 16 && x[256] == 1 && n[512] == 64 && n[600] == 64 && x[512] == 128 && n[0] == 64 && n[1] == 0);
}
