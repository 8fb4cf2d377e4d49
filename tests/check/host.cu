// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host reads and writes by itself while kernels and copies may still be at it, and what it has waited for.
// flags: -fcheck=race
#include "cases.h"
#include <atomic>
#include <vector>

enum { N = 256, BYTES = N * sizeof(int) };

__managed__ int total;
__device__ int counter;

__global__ void fill(int *to, int from) { to[threadIdx.x] = threadIdx.x + from; }
__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void count() { total = 7; }
__global__ void fill_and_tell(int *to, volatile int *flag) {
  to[threadIdx.x] = threadIdx.x;
  __syncthreads();
  __threadfence_system();
  if (threadIdx.x == 0) *flag = 1;
}

// case kernel_then_read: ^unwarp: race: read of 4 bytes at byte 0 of 1024 bytes of managed memory by the host, which has not waited for a write by a kernel$
// case kernel_then_read: ^  at .*host.cu:[0-9]+ .main.$
// case kernel_then_read: ^  write: block .0,0,0., thread .0,0,0. of fill.int., int. at host.cu:14$
// clean kernel_waits_read
// clean event_then_read
// clean stream_waits_read
// case other_stream_waits: has not waited for a write by a kernel$
// case kernel_reads_then_write: write of 4 bytes at byte 12 of 1024 bytes of managed memory by the host, which has not waited for a read by a kernel$
// clean kernel_reads_then_read
// clean write_then_kernel
// clean other_half
// case loop: read of 4 bytes at byte 0 of 1024 bytes of page-locked host memory by the host, which has not waited for a write by a copy or fill$
// case loop: ^  write: at .*host.cu:[0-9]+ .main.$
// clean loop_waits
// case refilled: write of 4 bytes at byte 0 of 1024 bytes of page-locked host memory by the host, which has not waited for a read by a copy or fill$
// clean refilled_waits
// case memset_there: write of 1024 bytes at byte 0 of 1024 bytes of managed memory by the host
// case memcpy_there: read of 1024 bytes at byte 0 of 1024 bytes of managed memory by the host
// case in_function: ^  at .*host.cu:[0-9]+ .first_of., called from .*host.cu:[0-9]+ .main.$
// case registered: of registered host memory by the host, which has not waited for a write by a kernel$
// case managed_variable: by the host, which has not waited for a write by a kernel$
// clean managed_variable_waits
// clean blocking_copy
// clean pageable
// clean own_memory
// clean polled
// clean polled_atomically
// clean host_function
// clean callback
// clean graph
// case graph_then_read: has not waited for a write by a kernel$
// case vector_in_template: by the host, which has not waited for a write by a kernel$

static int *shared, *pinned;
static volatile int kept;

static int first_of(const int *values) { return values[0]; }
static void add_up(void *into) { *(int *)into = first_of(shared) + shared[N - 1]; }
static void called_back(cudaStream_t, cudaError_t, void *into) { add_up(into); }

template <class T> T sum(const T *from, const T *to) {
  T total = 0;
  for (const T &value : std::vector<T>(from, to)) total += value;
  return total;
}

#include <cassert>
// case read_after_failure: an assertion failed
// status read_after_failure: 0
__global__ void fill_and_fail(int *to) { to[threadIdx.x] = threadIdx.x; assert(threadIdx.x < 7); }

CASES
  cudaStream_t a, b;
  int *d = device<int>(N);
  cudaMallocManaged(&shared, BYTES);
  cudaMallocHost(&pinned, BYTES);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  memset(shared, 0, BYTES);
  memset(pinned, 0, BYTES);
  cudaDeviceSynchronize();
#define FILL(where) fill<<<1, N, 0, a>>>(where, 1)
  CASE(kernel_then_read) { FILL(shared); kept = shared[0]; }
  CASE(kernel_waits_read) { FILL(shared); cudaDeviceSynchronize(); kept = shared[0]; }
  CASE(stream_waits_read) { FILL(shared); cudaStreamSynchronize(a); kept = shared[0]; }
  CASE(event_then_read) {
    cudaEvent_t event;
    cudaEventCreate(&event);
    FILL(shared);
    cudaEventRecord(event, a);
    while (cudaEventQuery(event) != cudaSuccess) { }
    kept = shared[0];
  }
  CASE(other_stream_waits) { FILL(shared); cudaStreamSynchronize(b); kept = shared[0]; }
  CASE(kernel_reads_then_write) { copy<<<1, N>>>(d, shared); shared[3] = 1; }
  CASE(kernel_reads_then_read) { copy<<<1, N>>>(d, shared); kept = shared[3]; }
  CASE(write_then_kernel) { shared[3] = 1; copy<<<1, N>>>(d, shared); }
  CASE(other_half) { fill<<<1, N / 2>>>(shared, 1); for (int i = N / 2; i < N; i++) shared[i] = i; }
  for (bool waits : {false, true})
    for (int once = strcmp(name, waits ? "loop_waits" : "loop") == 0; once; once = 0, known = 1) {
      int sum = 0;
      cudaMemcpyAsync(pinned, d, BYTES, cudaMemcpyDeviceToHost, a);
      if (waits) cudaStreamSynchronize(a);
      for (int i = 0; i < N; i++) sum += pinned[i];
      kept = sum;
    }
  for (bool waits : {false, true})
    for (int once = strcmp(name, waits ? "refilled_waits" : "refilled") == 0; once; once = 0, known = 1) {
      cudaMemcpyAsync(d, pinned, BYTES, cudaMemcpyHostToDevice, a);
      if (waits) cudaStreamSynchronize(a);
      for (int i = 0; i < N; i++) pinned[i] = i;
    }
  CASE(memset_there) { FILL(shared); memset(shared, 0, BYTES); }
  CASE(memcpy_there) { int own[N]; FILL(shared); memcpy(own, shared, BYTES); kept = own[1]; }
  CASE(in_function) { FILL(shared); kept = first_of(shared); }
  CASE(registered) { int *own = (int *)malloc(BYTES); cudaHostRegister(own, BYTES, 0); FILL(own); kept = own[5]; cudaDeviceSynchronize(); cudaHostUnregister(own); }
  CASE(managed_variable) { count<<<1, 1>>>(); kept = total; }
  CASE(managed_variable_waits) { count<<<1, 1>>>(); cudaDeviceSynchronize(); kept = total; }
  CASE(blocking_copy) { FILL(d); cudaMemcpy(pinned, d, BYTES, cudaMemcpyDeviceToHost); kept = pinned[0]; }
  CASE(pageable) { static int own[N]; FILL(d); cudaMemcpyAsync(own, d, BYTES, cudaMemcpyDeviceToHost, a); kept = own[0]; }
  CASE(own_memory) { std::vector<int> own(N); FILL(shared); for (int &value : own) value = kept; kept = own[7]; }
  CASE(polled) { fill_and_tell<<<1, N, 0, a>>>(shared, pinned); while (!*(volatile int *)pinned) { } kept = shared[9]; }
  CASE(polled_atomically) {
    fill_and_tell<<<1, N, 0, a>>>(shared, pinned);
    while (!((std::atomic<int> *)pinned)->load()) { }
    kept = shared[9];
  }
  CASE(host_function) { int sum; FILL(shared); cudaLaunchHostFunc(a, add_up, &sum); cudaStreamSynchronize(a); kept = sum; }
  CASE(callback) { int sum; FILL(shared); cudaStreamAddCallback(a, called_back, &sum, 0); cudaStreamSynchronize(a); kept = sum; }
  for (bool waits : {false, true})
    for (int once = strcmp(name, waits ? "graph" : "graph_then_read") == 0; once; once = 0, known = 1) {
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      static int sum;
      cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
      FILL(shared);
      if (waits) cudaLaunchHostFunc(a, add_up, &sum);
      cudaStreamEndCapture(a, &graph);
      cudaGraphInstantiate(&exec, graph, 0);
      cudaGraphLaunch(exec, a);
      if (waits) cudaStreamSynchronize(a);
      kept = shared[1];
    }
  CASE(vector_in_template) { FILL(shared); kept = sum(shared, shared + N); }
  CASE(read_after_failure) { // the wait gives the kernel's error, and has waited
    fill_and_fail<<<1, 8>>>(shared);
    cudaDeviceSynchronize();
    kept = shared[3];
  }
END
