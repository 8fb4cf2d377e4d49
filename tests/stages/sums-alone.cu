// What is kept in a register says why nothing else is there: which access is asked about, or whose promise it is.
// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o %t.o --remarks 2>&1 | FileCheck %s
// CHECK-DAG: :[[#@LINE+4]]:{{.*}}a check at the launch shows that nothing else is there: the access in line [[#@LINE+5]] [scalar-replace] (sum)
__global__ void sum(float *out, const float *in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++)
    out[t] +=
        in[k * 64 + t];
}
// CHECK-DAG: :[[#@LINE+4]]:{{.*}}while the loop runs, and nothing else is there: __restrict__ [scalar-replace] (promised)
__global__ void promised(float *__restrict__ out, const float *__restrict__ in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++)
    out[t] += in[k * 64 + t];
}
