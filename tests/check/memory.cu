// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses outside of memory, of freed memory, misaligned ones; wrong copies and frees.
// flags: -fcheck=memory
#include "cases.h"

__global__ void write_at(int *to, int at) { to[at] = 1; }
__global__ void read_at(const int *from, int at, int *to) { *to = from[at]; }
__global__ void rows(int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i;
}
struct arrays {
  int pad[3];
  const int *from;
  int *to;
};
__global__ void take(arrays all, int n) {
  if (threadIdx.x < n) all.to[threadIdx.x] = all.from[threadIdx.x] + all.pad[threadIdx.x % 3];
}
__global__ void copy_of(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void from_one(const int *before, int *to) { to[threadIdx.x] = before[threadIdx.x + 1]; }
// case after: ^unwarp: memory: write of 4 bytes 0 bytes after the end of 400 bytes of device memory$
// case after: ^  write: block \(0,0,0\), thread \(0,0,0\) of write_at\(int\*, int\) at memory.cu:7$
// case after: ^  allocated at .*/cases.h:14 .device<int>., called from .*memory.cu:1[0-9][0-9] .main.
// case before: write of 4 bytes 4 bytes before 400 bytes
// case far: write of 4 bytes 4000 bytes after the end
// case read_after: read of 4 bytes 12 bytes after the end of 400 bytes
// case last_threads: ^  write: block \(3,0,0\), thread \(4,0,0\) of rows
// case last_threads: out-of-bounds at memory.cu:11: 28 times in all
// case host_memory: ^unwarp: memory: write of 4 bytes in memory that is the host's: cudaMemcpy it to memory of cudaMalloc's, or use cudaMallocManaged$
// case host_array: read of 4 bytes in memory that is the host's
// case host_array: host-memory at memory.cu:21: 16 times in all
// case host_in_structure: read of 4 bytes in memory that is the host's
// clean structure
// clean one_before
// case null: write of 4 bytes that is no memory of the device
// status null: 139
// clean inside
// clean all_threads

__global__ void wide(double *to, int at) { to[at] = 1; }
__global__ void narrow(char *to, int at) { to[at] = 1; }
__global__ void four(float4 *to, int at) { to[at] = make_float4(1, 2, 3, 4); }
__global__ void atomic(int *to, int at) { atomicAdd(&to[at], 1); }
// case straddles: write of 8 bytes at byte 16 of 20 bytes of device memory, past its end
// case one_byte: write of 1 bytes 0 bytes after the end of 5 bytes
// case vector: write of 4 bytes 0 bytes after the end of 24 bytes of device memory
// case atomic_after: atomic operation of 4 bytes 0 bytes after the end of 8 bytes
// case in_the_middle: write of 4 bytes 0 bytes after the end of 40 bytes
// clean last_byte
// clean last_vector
// clean atomic_last

// case freed: write of 4 bytes at byte 8 of 400 bytes of device memory that were freed
// case freed: ^  freed at .*memory.cu:
// case freed_pool: at byte 0 of 64 bytes of device memory that were freed
// clean freed_after

__global__ void misaligned(char *to, int at) { *(int *)(to + at) = 1; }
// case odd: write of 4 bytes at 0x[0-9a-f]+, which is no multiple of 4
// clean even

__global__ void shared_static(int at) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  __syncthreads();
  s[threadIdx.x + at] = 2;
}
__global__ void shared_dynamic(int at) {
  extern __shared__ int s[];
  s[threadIdx.x + at] = 2;
}
// case shared_array: byte 128 of shared s, which has 128 bytes
// case shared_extern: write of 4 bytes 0 bytes after the end of 128 bytes of dynamic shared memory
// clean shared_inside
// clean shared_extern_inside

__global__ void local(int *to, int at) {
  int own[4];
  for (int i = 0; i < 4; i++) own[i] = to[i];
  own[at & 7] = 7;
  for (int i = 0; i < 4; i++) to[i] = own[(i + at) & 3];
}
// case local_array: at byte 20 of a local variable, which has 16 bytes
// clean local_inside

__device__ int variable[10], next_variable[10];
__constant__ int table[10];
__global__ void of_variable(int at) { variable[at] = next_variable[0]; }
__global__ void of_constant(int at, int *to) { *to = table[at]; }
// case device_variable: byte 40 of variable, which has 40 bytes
// case constant_variable: byte 40 of table, which has 40 bytes
// clean variable_inside

__device__ int *kept;
__global__ void heap(int at) { int *own = (int *)malloc(40); own[at] = 1; free(own); }
__global__ void heap_keep() { kept = (int *)malloc(40); free(kept); }
__global__ void heap_use() { kept[1] = 1; }
__global__ void heap_twice() { free(kept); }
// case heap_after: write of 4 bytes 0 bytes after the end of 40 bytes of memory of a kernel's malloc
// case heap_freed: write of 4 bytes at byte 4 of 40 bytes of memory of a kernel's malloc that were freed
// case heap_freed_twice: 40 bytes of a kernel's malloc are freed a second time
// clean heap_inside

// case free_twice: 400 bytes of device memory are freed a second time
// case free_twice: ^  at .*memory.cu:1[0-9][0-9] \(main\)
// case free_middle: what is freed is byte 8 of 400 bytes of device memory, not their start
// case free_host: is freed, which no allocation gave
// case copy_too_long: a copy or fill of 404 bytes at byte 0 of 400 bytes of device memory: 4 too many
// case copy_after: a copy or fill of 8 bytes at byte 396 of 400 bytes of device memory: 4 too many
// case copy_from: a copy or fill of 404 bytes at byte 0 of 400 bytes of device memory: 4 too many
// case fill_too_long: a copy or fill of 408 bytes at byte 0 of 400 bytes of device memory: 8 too many
// case copy_freed: a copy or fill of 4 bytes at byte 0 of 400 bytes of device memory that were freed
// clean copy_all
// clean copy_part

static int host[1000];

// case odd_vectors: read of 16 bytes at 0x[0-9a-f]+, which is no multiple of 16
// case odd_vectors: thread .0,0,0. of copy_vectors
// status odd_vectors: 139
// clean even_vectors
// clean copied_bytes
__global__ void copy_vectors(float4 *to, const char *from) { to[threadIdx.x] = ((const float4 *)from)[threadIdx.x]; }
__global__ void copy_bytes(char *to, const char *from) { memcpy(to + 16 * threadIdx.x, from + 16 * threadIdx.x, 16); }

CASES
  int *d = device<int>(100);
  CASE(after) write_at<<<1, 1>>>(d, 100);
  CASE(before) write_at<<<1, 1>>>(d, -1);
  CASE(far) write_at<<<1, 1>>>(d, 1100);
  CASE(read_after) read_at<<<1, 1>>>(d, 103, d);
  CASE(last_threads) rows<<<4, 32>>>(d, 128);
  CASE(host_memory) { int *h = (int *)malloc(400); write_at<<<1, 1>>>(h, 3); cudaDeviceSynchronize(); free(h); }
  CASE(host_array) { int here[16] = {1}; copy_of<<<1, 16>>>(here, device<int>(16)); cudaDeviceSynchronize(); }
  CASE(host_in_structure) { int *here = (int *)calloc(3000, 4); take<<<1, 16>>>(arrays{{1, 2, 3}, here, device<int>(16)}, 16); cudaDeviceSynchronize(); }
  CASE(structure) take<<<1, 16>>>(arrays{{1, 2, 3}, device<int>(16), device<int>(16)}, 16);
  CASE(one_before) from_one<<<1, 16>>>(device<int>(16) - 1, device<int>(16));
  CASE(null) write_at<<<1, 1>>>(nullptr, 3);
  CASE(inside) { write_at<<<1, 1>>>(d, 99); write_at<<<1, 1>>>(d, 0); }
  CASE(all_threads) rows<<<4, 32>>>(d, 100);
  CASE(straddles) wide<<<1, 1>>>((double *)device<int>(5), 2);
  CASE(one_byte) narrow<<<1, 1>>>(device<char>(5), 5);
  CASE(vector) four<<<1, 1>>>((float4 *)device<float>(6), 1);
  CASE(atomic_after) atomic<<<1, 1>>>(device<int>(2), 2);
  CASE(in_the_middle) { int *first = device<int>(10); device<int>(10); write_at<<<1, 1>>>(first, 10); }
  CASE(last_byte) narrow<<<1, 1>>>(device<char>(5), 4);
  CASE(last_vector) four<<<1, 1>>>((float4 *)device<float>(8), 1);
  CASE(atomic_last) atomic<<<1, 1>>>(d, 99);
  CASE(freed) { cudaFree(d); write_at<<<1, 1>>>(d, 2); }
  CASE(freed_pool) { int *p; cudaMallocAsync(&p, 64, 0); cudaFreeAsync(p, 0); write_at<<<1, 1>>>(p, 0); }
  CASE(freed_after) { write_at<<<1, 1>>>(d, 2); cudaFree(d); }
  CASE(odd) misaligned<<<1, 1>>>((char *)d, 6);
  CASE(even) misaligned<<<1, 1>>>((char *)d, 8);
  CASE(shared_array) shared_static<<<1, 32>>>(1);
  CASE(shared_extern) shared_dynamic<<<1, 32, 128>>>(1);
  CASE(shared_inside) shared_static<<<2, 32>>>(0);
  CASE(shared_extern_inside) shared_dynamic<<<2, 32, 128>>>(0);
  CASE(local_array) local<<<1, 1>>>(d, 5);
  CASE(local_inside) local<<<1, 1>>>(d, 3);
  CASE(device_variable) of_variable<<<1, 1>>>(10);
  CASE(constant_variable) of_constant<<<1, 1>>>(10, d);
  CASE(variable_inside) { of_variable<<<1, 1>>>(9); of_constant<<<1, 1>>>(9, d); }
  CASE(heap_after) heap<<<1, 1>>>(10);
  CASE(heap_freed) { heap_keep<<<1, 1>>>(); heap_use<<<1, 1>>>(); }
  CASE(heap_freed_twice) { heap_keep<<<1, 1>>>(); heap_twice<<<1, 1>>>(); }
  CASE(heap_inside) heap<<<2, 32>>>(9);
  CASE(free_twice) { cudaFree(d); cudaFree(d); }
  CASE(free_middle) cudaFree(d + 2);
  CASE(free_host) cudaFree(host);
  CASE(copy_too_long) cudaMemcpy(d, host, 404, cudaMemcpyHostToDevice);
  CASE(copy_after) cudaMemcpy(d + 99, host, 8, cudaMemcpyHostToDevice);
  CASE(copy_from) cudaMemcpy(host, d, 404, cudaMemcpyDeviceToHost);
  CASE(fill_too_long) cudaMemset(d, 0, 408);
  CASE(copy_freed) { cudaFree(d); cudaMemcpy(host, d, 4, cudaMemcpyDeviceToHost); }
  CASE(copy_all) cudaMemcpy(d, host, 400, cudaMemcpyHostToDevice);
  CASE(copy_part) cudaMemcpy(host, d + 50, 200, cudaMemcpyDeviceToHost);
  CASE(odd_vectors) copy_vectors<<<1, 8>>>((float4 *)device<char>(128), device<char>(136) + 8);
  CASE(even_vectors) copy_vectors<<<1, 8>>>((float4 *)device<char>(128), device<char>(144) + 16);
  CASE(copied_bytes) copy_bytes<<<1, 8>>>(device<char>(128), device<char>(131) + 3);
END
