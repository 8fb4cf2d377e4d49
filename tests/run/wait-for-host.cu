// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that wait for what the host does after their launch: stores to managed and mapped memory, copies and kernels in
// another stream. What is given to the same stream runs after them, in order; what is asked about it is answered as it is. Fills
// and copies within the device's memory wait for their turn, but the host does not wait for them.
#include "check.h"
#include <cuda_runtime.h>
#include <atomic>
#include <chrono>
#include <thread>

__global__ void wait_for(volatile int *flag, int *out, int value) {
  while (*flag < value) {}
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *out = value;
}
__global__ void add(int *cells, int n, int more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    cells[i] += more;
}
__global__ void twice(int *cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    cells[i] *= 2;
}
__global__ void store(int *flag, int value) { *flag = value; }

static int block;

// A stream that is held back until the host lets it go; another one runs meanwhile.
static void held_back() {
  const int n = 1000, blocks = (n + block - 1) / block;
  volatile int *flag;
  int *cells, *others, *seen, *result;
  cudaStream_t a, b;
  cudaEvent_t after, start;
  CHECK(cudaMallocManaged((int **)&flag, sizeof(int)));
  CHECK(cudaMallocManaged(&cells, n * sizeof(int)));
  CHECK(cudaMallocManaged(&others, n * sizeof(int)));
  CHECK(cudaMallocManaged(&seen, sizeof(int)));
  CHECK(cudaMallocHost(&result, n * sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&after));
  CHECK(cudaEventCreate(&start));
  for (int i = 0; i < n; i++)
    cells[i] = i, others[i] = i;
  *flag = 0, *seen = 0;
  CHECK(cudaEventRecord(start, a));
  wait_for<<<3, block, 0, a>>>(flag, seen, 1);
  add<<<blocks, block, 0, a>>>(cells, n, 5);
  twice<<<blocks, block, 0, a>>>(cells, n);
  CHECK(cudaEventRecord(after, a));
  CHECK(cudaMemcpyAsync(result, cells, n * sizeof(int), cudaMemcpyDefault, a));
  CHECK(cudaMemsetAsync(cells, 0, n * sizeof(int), a));
  expect(0, *seen, 0);
  expect(1, (int)cudaStreamQuery(a), (int)cudaErrorNotReady);
  expect(2, (int)cudaEventQuery(after), (int)cudaErrorNotReady);
  float ms = -1;
  expect(3, (int)cudaEventElapsedTime(&ms, start, after), (int)cudaErrorNotReady);
  (void)cudaGetLastError();
  CHECK(cudaEventSynchronize(start));
  CHECK(cudaStreamQuery(b));
  add<<<blocks, block, 0, b>>>(others, n, 7); // at once
  CHECK(cudaStreamSynchronize(b));
  for (int i = 0; i < n; i++)
    expect(i, others[i], i + 7), expect(i, cells[i], i);
  CHECK(cudaStreamWaitEvent(b, after, 0));
  add<<<blocks, block, 0, b>>>(others, n, 100); // not before the event
  expect(4, (int)cudaStreamQuery(b), (int)cudaErrorNotReady);
  expect(5, others[0], 7);
  (void)cudaGetLastError();
  *flag = 1;
  CHECK(cudaEventSynchronize(after));
  CHECK(cudaEventElapsedTime(&ms, start, after));
  expect(6, ms > 0, 1);
  CHECK(cudaStreamSynchronize(a));
  expect(7, *seen, 1);
  for (int i = 0; i < n; i++)
    expect(i, result[i], 2 * (i + 5)), expect(i, cells[i], 0);
  CHECK(cudaStreamSynchronize(b));
  for (int i = 0; i < n; i++)
    expect(i, others[i], i + 107);
  CHECK(cudaStreamQuery(a));
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaEventDestroy(after));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaFree((void *)flag));
  CHECK(cudaFree(cells));
  CHECK(cudaFree(others));
  CHECK(cudaFree(seen));
  CHECK(cudaFreeHost(result));
}

// Released by a copy from the program's own memory, which may change as soon as the call is back; by a fill; by a kernel.
static void released_by_a_stream() {
  int *flag, *seen, value = 1;
  cudaStream_t a, b;
  CHECK(cudaMalloc(&flag, sizeof(int)));
  CHECK(cudaMallocManaged(&seen, sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize()); // these streams do not wait for the null stream
  wait_for<<<1, block, 0, a>>>(flag, seen, 1);
  CHECK(cudaMemcpyAsync(flag, &value, sizeof(int), cudaMemcpyHostToDevice, b));
  CHECK(cudaStreamSynchronize(a));
  expect(10, *seen, 1);
  wait_for<<<1, block, 0, a>>>(flag, seen, 2);
  store<<<1, 1, 0, b>>>(flag, 2);
  CHECK(cudaStreamSynchronize(a));
  expect(11, *seen, 2);
  wait_for<<<1, block, 0, a>>>(flag, seen, 3);
  CHECK(cudaMemsetAsync(flag, 3, sizeof(int), b));
  CHECK(cudaDeviceSynchronize());
  expect(12, *seen, 3);
  // A copy that has to wait takes the value of now along.
  int *place;
  CHECK(cudaMallocManaged(&place, sizeof(int)));
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize()); // these streams do not wait for the null stream
  wait_for<<<1, block, 0, a>>>(flag, seen, 4);
  value = 77;
  CHECK(cudaMemcpyAsync(place, &value, sizeof(int), cudaMemcpyHostToDevice, a));
  value = 78;
  store<<<1, 1, 0, b>>>(flag, 4);
  // A copy to the program's own memory is there when the call is back.
  int back = 0;
  CHECK(cudaMemcpyAsync(&back, place, sizeof(int), cudaMemcpyDeviceToHost, a));
  expect(13, back, 77);
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaFree(flag));
  CHECK(cudaFree(seen));
  CHECK(cudaFree(place));
}

// The legacy stream waits for blocking streams, and these for it; others do not.
static void default_stream() {
  volatile int *flag;
  int *cells, *seen;
  cudaStream_t blocking, free_one;
  CHECK(cudaHostAlloc((int **)&flag, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMallocManaged(&cells, 3 * sizeof(int)));
  CHECK(cudaMallocManaged(&seen, sizeof(int)));
  CHECK(cudaStreamCreate(&blocking));
  CHECK(cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking));
  *flag = 0, cells[0] = cells[1] = cells[2] = 1;
  wait_for<<<2, block, 0, blocking>>>(flag, seen, 1);
  add<<<1, 1>>>(cells, 1, 1);                  // after the blocking stream
  add<<<1, 1, 0, free_one>>>(cells + 1, 1, 1); // at once
  CHECK(cudaStreamSynchronize(free_one));
  expect(20, cells[0], 1);
  expect(21, cells[1], 2);
  *flag = 1;
  CHECK(cudaMemcpy(cells + 2, cells, sizeof(int), cudaMemcpyDefault)); // waits for both
  expect(22, cells[2], 2);
  *flag = 0;
  wait_for<<<2, block>>>(flag, seen, 1); // in the legacy stream
  twice<<<1, 1, 0, blocking>>>(cells, 1);
  twice<<<1, 1, 0, free_one>>>(cells + 1, 1);
  CHECK(cudaStreamSynchronize(free_one));
  expect(23, cells[0], 2);
  expect(24, cells[1], 4);
  *flag = 1;
  CHECK(cudaStreamSynchronize(blocking));
  expect(25, cells[0], 4);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamDestroy(blocking));
  CHECK(cudaStreamDestroy(free_one));
  CHECK(cudaFreeHost((void *)flag));
  CHECK(cudaFree(cells));
  CHECK(cudaFree(seen));
}

// In the legacy stream, after a kernel in a blocking one. A thread opens the flag when the host cannot.
static void within_the_device() {
  const int side = 16, n = side * side;
  volatile int *flag;
  int *seen;
  buffer<int> cells(n), copy(n);
  cudaStream_t blocking;
  std::atomic<bool> over(false), opened_by_itself(true);
  CHECK(cudaHostAlloc((int **)&flag, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMalloc(&seen, sizeof(int)));
  CHECK(cudaStreamCreate(&blocking));
  cells.upload();
  copy.upload();
  *flag = 0;
  std::thread opener([&] {
    for (int k = 0; k < 300 && !over; k++)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    opened_by_itself = over.load();
    *flag = 1;
  });
  wait_for<<<1, block, 0, blocking>>>(flag, seen, 1);
  add<<<blocks_for(n, block), block, 0, blocking>>>(cells.device, n, 5);
  const size_t row = side * sizeof(int);
  CHECK(cudaMemcpy(copy.device, cells.device, n * sizeof(int), cudaMemcpyDeviceToDevice)); // 5
  CHECK(cudaMemset(cells.device, 0x11, n * sizeof(int)));
  CHECK(cudaMemcpy2D(copy.device, row, cells.device, row, row, 4, cudaMemcpyDeviceToDevice)); // the first four rows
  CHECK(cudaMemset2D(copy.device, row, 0x22, row / 2, 2));                                    // half of the first two
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(cells.device, row, row, side);
  box.dstPtr = make_cudaPitchedPtr(copy.device, row, row, side);
  box.dstPos = make_cudaPos(0, side - 1, 0);
  box.extent = make_cudaExtent(row, 1, 1); // the last row
  box.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&box));
  CHECK(cudaMemset3D(make_cudaPitchedPtr(cells.device, row, row, side), 0x33, make_cudaExtent(row, 1, 1)));
  over = true;
  opener.join();
  expect(60, opened_by_itself.load(), true);
  cells.download();
  copy.download();
  for (int i = 0; i < n; i++) {
    int y = i / side, x = i % side;
    expect(100 + i, cells[i], y == 0 ? 0x33333333 : 0x11111111);
    expect(1000 + i, copy[i], y < 2 && x < side / 2 ? 0x22222222 : y < 4 || y == side - 1 ? 0x11111111 : 5);
  }
  CHECK(cudaStreamDestroy(blocking));
  CHECK(cudaFreeHost((void *)flag));
  CHECK(cudaFree(seen));
}

// An event that is recorded again before its first recording's turn has the second one's time.
static void recorded_again() {
  volatile int *flag;
  int *seen;
  float ms;
  cudaStream_t a, b;
  cudaEvent_t twice_recorded, then;
  CHECK(cudaMallocManaged((int **)&flag, sizeof(int)));
  CHECK(cudaMallocManaged(&seen, sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&twice_recorded));
  CHECK(cudaEventCreate(&then));
  *flag = 0;
  wait_for<<<1, block, 0, a>>>(flag, seen, 1);
  CHECK(cudaEventRecord(twice_recorded, a));
  CHECK(cudaEventRecord(twice_recorded, b));
  CHECK(cudaEventRecord(then, b));
  CHECK(cudaEventSynchronize(twice_recorded));
  CHECK(cudaEventSynchronize(then));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  *flag = 1;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventElapsedTime(&ms, twice_recorded, then));
  expect(70, ms >= 0, 1);
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaEventDestroy(twice_recorded));
  CHECK(cudaEventDestroy(then));
  CHECK(cudaFree((void *)flag));
  CHECK(cudaFree(seen));
}

static void note(void *log) { static_cast<int *>(log)[++*static_cast<int *>(log)] = 1; }
static void note_stream(cudaStream_t, cudaError_t status, void *log) {
  static_cast<int *>(log)[++*static_cast<int *>(log)] = status == cudaSuccess ? 2 : -1;
}

// Host functions, callbacks, a graph after a wait, and a graph with a wait in it.
static void callbacks_and_graphs() {
  volatile int *flag;
  int *seen, *cells, log[8] = {};
  cudaStream_t a;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMallocManaged((int **)&flag, sizeof(int)));
  CHECK(cudaMallocManaged(&seen, sizeof(int)));
  CHECK(cudaMallocManaged(&cells, sizeof(int)));
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, a>>>(cells, 1, 1);
  CHECK(cudaStreamEndCapture(a, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  *flag = 0, *cells = 0;
  wait_for<<<1, block, 0, a>>>(flag, seen, 1);
  CHECK(cudaLaunchHostFunc(a, note, log));
  CHECK(cudaGraphLaunch(exec, a));
  CHECK(cudaStreamAddCallback(a, note_stream, log, 0));
  CHECK(cudaGraphLaunch(exec, a));
  expect(30, log[0], 0);
  expect(31, *cells, 0);
  *flag = 1;
  CHECK(cudaStreamSynchronize(a));
  expect(32, log[0], 2);
  expect(33, log[1], 1);
  expect(34, log[2], 2);
  expect(35, *cells, 2);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  *flag = 0;
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, a>>>(cells, 1, 10);
  wait_for<<<2, block, 0, a>>>(flag, seen, 5);
  twice<<<1, 1, 0, a>>>(cells, 1);
  CHECK(cudaStreamEndCapture(a, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, a));
  CHECK(cudaGraphExecDestroy(exec)); // when it is done
  while (*(volatile int *)cells != 12)
    std::this_thread::yield(); // what stands before the wait is done
  *flag = 5;
  CHECK(cudaStreamSynchronize(a));
  expect(37, *cells, 24);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaFree((void *)flag));
  CHECK(cudaFree(seen));
  CHECK(cudaFree(cells));
}

// The host and the kernel hand a value to and fro, while another thread of the host waits for the kernel.
__global__ void answer(volatile int *asked, volatile int *answered, int times) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int k = 1; k <= times; k++) {
      while (*asked != k) {}
      *answered = k * k;
    }
}
static void to_and_fro() {
  const int times = 20;
  volatile int *cells;
  CHECK(cudaMallocManaged((int **)&cells, 2 * sizeof(int)));
  cells[0] = cells[1] = 0;
  answer<<<2, block>>>(cells, cells + 1, times);
  std::thread waits([] { CHECK(cudaDeviceSynchronize()); });
  for (int k = 1; k <= times; k++) {
    cells[0] = k;
    while (cells[1] != k * k)
      std::this_thread::yield();
  }
  waits.join();
  CHECK(cudaDeviceSynchronize());
  expect(40, (int)cells[1], times * times);
  CHECK(cudaFree((void *)cells));
}

// Several streams are held back at once, and let go in the other order; what they do then needs all of a block's threads.
__global__ void gate(volatile int *flag, int *out, int n) {
  __shared__ int sum;
  if (threadIdx.x == 0) {
    sum = 0;
    while (!*flag) {}
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&sum, i);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum + *flag;
}
static void several() {
  const int count = 4, blocks = 5, n = 300;
  volatile int *flags;
  int *out;
  cudaStream_t streams[count];
  CHECK(cudaMallocManaged((int **)&flags, count * sizeof(int)));
  CHECK(cudaMallocManaged(&out, count * blocks * sizeof(int)));
  for (int s = 0; s < count; s++) {
    flags[s] = 0;
    CHECK(cudaStreamCreate(&streams[s]));
    gate<<<blocks, block, 0, streams[s]>>>(flags + s, out + s * blocks, n);
  }
  for (int s = count; s-- > 0;) {
    expect(50 + s, (int)cudaStreamQuery(streams[s]), (int)cudaErrorNotReady);
    flags[s] = s + 1;
    CHECK(cudaStreamSynchronize(streams[s]));
    for (int b = 0; b < blocks; b++)
      expect(b, out[s * blocks + b], n * (n - 1) / 2 + s + 1);
  }
  (void)cudaGetLastError();
  CHECK(cudaDeviceSynchronize());
  for (int s = 0; s < count; s++)
    CHECK(cudaStreamDestroy(streams[s]));
  CHECK(cudaFree((void *)flags));
  CHECK(cudaFree(out));
}

// A kernel that is loaded when it is first launched may have to wait for those that run.
template <typename... Kernels> static void load(Kernels... kernels) {
  cudaFuncAttributes attributes;
  for (const void *kernel : {(const void *)kernels...})
    CHECK(cudaFuncGetAttributes(&attributes, kernel));
}

int main(int argc, char **argv) {
  block = block_size(argc, argv);
  load(wait_for, add, twice, store, answer, gate);
  held_back();
  released_by_a_stream();
  default_stream();
  within_the_device();
  recorded_again();
  callbacks_and_graphs();
  to_and_fro();
  several();
  CHECK(cudaGetLastError());
  return passed();
}
