// What moves out of a loop says which fact keeps it apart from what is written before it, or in the loop. Without one it stays.
// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --remarks 2>&1 | FileCheck %s --implicit-check-not="[licm] (may_meet)"
// CHECK-DAG: :[[#@LINE+4]]:{{.*}}moved out of the loop over threads: the same for all, and what is written before it lies elsewhere: __restrict__ [licm] (scaled)
__global__ void scaled(float *__restrict__ out, float *__restrict__ kept, const float *__restrict__ scale, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  kept[t] = out[t];
  out[t] *= scale[n];
}
__global__ void may_meet(float *out, float *kept, const float *scale, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  kept[t] = out[t];
  out[t] *= scale[n];
}
// CHECK-DAG: :[[#@LINE+3]]:{{.*}}moved out of the loop over threads: the same for all, and nothing is written before it [licm] (alone)
__global__ void alone(float *out, const float *scale, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = scale[n] + t;
}
// CHECK-DAG: :[[#@LINE+5]]:{{.*}}moved out of the loop over threads: the same for all, and what is written before it lies elsewhere: an object of the launch and a pointer from before it [licm] (tiled)
__global__ void tiled(float *out, const float *in, const float *scale, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x] * 2;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x] * scale[n];
}
// CHECK-DAG: :[[#@LINE+7]]:{{.*}}, where the first or the middle thread passes it: what is written before it lies elsewhere: __restrict__ [licm] (summed)
__global__ void summed(float *__restrict__ out, float *__restrict__ kept, const float *__restrict__ in, int n,
                       int limit) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < limit) {
    kept[t] = out[t];
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += in[k];
    out[t] = sum;
  }
}
// CHECK-DAG: :[[#@LINE+3]]:{{.*}}load of the loop's condition moved before the loop: what is written in it lies elsewhere: __restrict__ [licm] (rows)
__global__ void rows(float *__restrict__ out, const int *__restrict__ ends, const float *in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = t; k < ends[t]; k += n)
    out[k] = in[k];
}
// CHECK-DAG: :[[#@LINE+4]]:{{.*}}a check before it shows that nothing else is there: the access in line [[#@LINE+5]] [scalar-replace] (segments)
__global__ void segments(float *out, const int *starts, const float *in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, end = starts[t + 1];
  for (int k = starts[t]; k < end; k++)
    out[t] +=
        in[k];
}
