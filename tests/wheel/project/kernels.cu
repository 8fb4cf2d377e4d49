// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void add(int *data, int value) { data[threadIdx.x] += value; }
int added() {
  int *data, host[64];
  cudaMallocManaged(&data, sizeof host);
  for (int i = 0; i < 64; i++)
    data[i] = i;
  add<<<1, 64>>>(data, 5);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < 64; i++)
    sum += data[i];
  cudaFree(data);
  return sum;
}
