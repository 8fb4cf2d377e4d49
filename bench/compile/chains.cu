// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile time: eighteen kernels of one template that differ in how far a chain of products is written out.
template <class Number, int LENGTH> __global__ void chain(Number *data, Number step) {
  Number held[8], sum = 0;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; k++)
    held[k] = data[first + k * 1024];
  for (int round = 0; round < 64; round++)
#pragma unroll
    for (int link = 0; link < LENGTH; link++)
#pragma unroll
      for (int k = 0; k < 8; k++)
        held[k] = held[k] * held[k] + step;
#pragma unroll
  for (int k = 0; k < 8; k++)
    sum += held[k];
  data[first] = sum;
}

template <class Number> static void launch_all() {
  Number *data;
  cudaMallocManaged(&data, 1 << 17);
  chain<Number, 1><<<4, 64>>>(data, 1);
  chain<Number, 2><<<4, 64>>>(data, 1);
  chain<Number, 4><<<4, 64>>>(data, 1);
  chain<Number, 8><<<4, 64>>>(data, 1);
  chain<Number, 16><<<4, 64>>>(data, 1);
  chain<Number, 32><<<4, 64>>>(data, 1);
}

int main() {
  launch_all<float>();
  launch_all<double>();
  launch_all<int>();
  return cudaDeviceSynchronize();
}
