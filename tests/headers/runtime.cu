/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C++ overloads of the runtime API, called as programs call them: typed pointers, variables as symbols, kernels
 * and instances of kernel templates by name.
 */
__constant__ float table[8];
__device__ int scalar;
__device__ float4 *pointer;
__global__ void plain(int *p, float f) { p[0] = (int)f; }
template <typename Type> __global__ void generic(Type *p) { p[0] = Type(); }

int main() {
  float *f, host[8] = {};
  double **pp;
  void *v;
  size_t pitch, size;
  int blocks, block_size, n = 0;
  cudaStream_t stream = 0;
  cudaEvent_t event;
  cudaFuncAttributes attributes;
  cudaMalloc(&f, 4), cudaMalloc((void **)&f, 4), cudaMalloc(&v, 4), cudaMalloc(&pp, 8);
  cudaMallocHost(&f, 4), cudaMallocHost((void **)&f, 4), cudaMallocHost(&f, 4, cudaHostAllocDefault);
  cudaHostAlloc(&f, 4, cudaHostAllocMapped), cudaHostGetDevicePointer(&f, host, 0);
  cudaMallocManaged(&f, 4), cudaMallocManaged(&f, 4, cudaMemAttachHost), cudaMallocManaged((void **)&f, 4);
  cudaMallocPitch(&f, &pitch, 4, 4), cudaMallocAsync(&f, 4, stream), cudaMallocAsync((void **)&f, 4, stream);
  cudaMemcpyToSymbol(table, host, sizeof host), cudaMemcpyToSymbol(scalar, &n, 4, 0, cudaMemcpyHostToDevice);
  cudaMemcpyFromSymbol(host, table, sizeof host), cudaMemcpyFromSymbol(&n, scalar, 4);
  cudaMemcpyToSymbolAsync(table, host, 4, 0, cudaMemcpyHostToDevice, stream);
  cudaMemcpyFromSymbolAsync(host, table, 4, 0, cudaMemcpyDeviceToHost, stream);
  cudaGetSymbolAddress(&v, table), cudaGetSymbolAddress(&f, table), cudaGetSymbolAddress((void **)&f, scalar);
  cudaGetSymbolSize(&size, table), cudaMemcpyToSymbol(pointer, &f, sizeof f);
  cudaEventCreate(&event), cudaEventCreate(&event, cudaEventDisableTiming);
  float factor = 2;
  void *arguments[] = {&v, &factor};
  cudaLaunchKernel(plain, 1, 32, arguments), cudaLaunchKernel((void *)plain, dim3(1), dim3(32), arguments, 0, stream);
  cudaLaunchKernel(generic<int>, 1, 32, arguments, 16), cudaLaunchCooperativeKernel(plain, 1, 32, arguments);
  cudaLaunchCooperativeKernel((void *)plain, 1, 32, arguments, 0, stream);
  cudaLaunchConfig_t config = {};
  cudaLaunchKernelEx(&config, plain, &n, 2), cudaLaunchKernelEx(&config, generic<float>, f);
  cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 16);
  cudaFuncSetAttribute(generic<double>, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  cudaFuncGetAttributes(&attributes, plain), cudaFuncGetAttributes(&attributes, (const void *)generic<int>);
  cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1),
      cudaFuncSetSharedMemConfig(plain, cudaSharedMemBankSizeFourByte);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 256, 0, 0);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &block_size, plain, 0, 0);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &block_size, (void *)generic<int>);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &block_size, plain, [](int threads) { return threads * 4; });
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaExtent extent = make_cudaExtent(1, 2, 3);
  cudaPitchedPtr pitched = make_cudaPitchedPtr(f, 4, 4, 4);
  cudaPos position = make_cudaPos(0, 0, 0);
  plain<<<1, 32, 0, stream>>>(&n, 1.0f);
  return format.x + (int)extent.width + (int)pitched.pitch + (int)position.x + n;
}
