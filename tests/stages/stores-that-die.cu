// What only launches see that run as one is not stored; where others may see it, the remark says who.
// RUN: %unwarp -x cuda -c -O2 --remarks %s -o %t.o 2>&1 | FileCheck %s
__global__ void twice(float *to, const float *from) { to[blockIdx.x * blockDim.x + threadIdx.x] = 2 * from[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void next(float *to, const float *from) { to[blockIdx.x * blockDim.x + threadIdx.x] = 1 + from[blockIdx.x * blockDim.x + threadIdx.x]; }
void look(float *);

// CHECK-DAG: :[[#@LINE+4]]:{{.*}}stores to memory that only these launches see are dropped: each thread loads what it stored [fuse-launches]
void dies(float *y, const float *x) {
  float *t;
  cudaMalloc(&t, 4096);
  twice<<<4, 256>>>(t, x);
  next<<<4, 256>>>(y, t);
  cudaFree(t);
}

// CHECK-DAG: :[[#@LINE+4]]:{{.*}}stores to memory that the function allocates stay: others may see it (line [[#@LINE+6]]) [fuse-launches]
void seen(float *y, const float *x) {
  float *t;
  cudaMalloc(&t, 4096);
  twice<<<4, 256>>>(t, x);
  next<<<4, 256>>>(y, t);
  look(t);
}
