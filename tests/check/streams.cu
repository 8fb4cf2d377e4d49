// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, copies and fills of several streams in one piece of memory, with and without order between them.
// flags: -fcheck=race
#include "cases.h"

enum { N = 256, BYTES = N * sizeof(int) };

__global__ void fill(int *to, int from, int count) {
  if (threadIdx.x < count) to[from + threadIdx.x] = threadIdx.x + 1;
}

__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }

// case two_writers: ^unwarp: race: write of 4 bytes .value 1. at byte 4 of 1024 bytes of device memory, in no order with a write .value 2. by another stream$
// case two_writers: ^  write: block .0,0,0., thread .0,0,0. of fill.int., int, int. at streams.cu:10$
// clean one_stream
// clean halves
// clean two_readers
// case read_after_write: read of 4 bytes at byte 0 of 1024 bytes of device memory, in no order with a write
// clean waited_for_stream
// clean waited_for_device
// clean waited_for_event
// clean asked_for_stream
// clean freed_between
// clean stream_waits
// clean stream_waits_for_third
// case write_after_read: write of 4 bytes .* in no order with a read
// case recorded_too_early: in no order with a write .* by another stream$
// case waits_for_other_event: in no order with a write .* by another stream$
// case other_stream_waits: in no order with a write .* by another stream$
// clean null_stream
// clean null_stream_first
// case no_null_stream: in no order with a write .* by another stream$
// case only_half_waited: in no order with a write .* by another stream$
// case copy_over: ^unwarp: race: write of byte 0 of 1024 bytes of device memory by a copy, in no order with a read by another stream$
// case copy_over: ^  at .*streams.cu:123 .main.$
// case copy_over: ^  read: block .0,0,0., thread .0,0,0. of add.int., int const.. at streams.cu:13$
// clean copy_in_turn
// case read_of_copy: read of 4 bytes at byte 0 .* in no order with a write .* by another stream's copy or fill$
// case read_of_copy: ^  write: at .*streams.cu:129 .main.$
// case copy_out: read of byte 0 of 1024 bytes of device memory by a copy, in no order with a write by another stream$
// clean copy_out_waits
// case filled: write of byte 512 of 1024 bytes of device memory by a fill, in no order with a write by another stream$
// clean filled_beside
// case two_copies: by a copy, in no order with a write by another stream's copy or fill$
// case host_buffer: write of byte 0 of 2048 bytes of page-locked host memory by a copy, in no order with a read by another stream's copy or fill$
// clean pageable
// case graph: in no order with a write .* by another stream$
// clean graph_waits
// clean told_by_host_function
// case ping_pong: in no order with a read
// clean ping_pong_right
// case filled_before_stream: ^unwarp: race: read of 4 bytes at byte 0 of 1024 bytes of device memory, in no order with a write .* by another stream's copy or fill$
// clean filled_before_stream_waits
// case read_before_stream: write of 4 bytes .* in no order with a read .* by another stream's copy or fill$

static cudaStream_t a, b, c, apart;

static cudaEvent_t recorded(cudaStream_t stream) {
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventRecord(event, stream);
  return event;
}

static void order(cudaStream_t first, cudaStream_t then) { cudaStreamWaitEvent(then, recorded(first), 0); }

static void go_on(void *flag) { *(volatile int *)flag = 1; }

// Two buffers by turns: the copy into one beside the kernel that reads the other.
static void ping_pong(int *device, const int *host, int *sums, bool waits) {
  cudaEvent_t used[2] = {recorded(b), recorded(b)};
  for (int iteration = 0; iteration < 4; iteration++) {
    int *here = device + iteration % 2 * N;
    if (waits) cudaStreamWaitEvent(a, used[iteration % 2], 0);
    cudaMemcpyAsync(here, host, BYTES, cudaMemcpyHostToDevice, a);
    order(a, b);
    add<<<1, N, 0, b>>>(sums, here);
    cudaEventRecord(used[iteration % 2], b);
  }
}

// What comes before there is a second stream: cases of their own, ahead of the streams that the others have.
static void before_streams(const char *name, int *d, int *f, int *host) {
  bool reads = strcmp(name, "read_before_stream") == 0, waits = strcmp(name, "filled_before_stream_waits") == 0;
  if (!reads && !waits && strcmp(name, "filled_before_stream") != 0) return;
  cudaDeviceSynchronize();
  if (reads) {
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaMemcpyAsync(host, d, BYTES, cudaMemcpyDeviceToHost, a);
  } else {
    cudaMemset(d, 0, BYTES);
  }
  if (waits) cudaStreamSynchronize(0);
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  if (reads) fill<<<1, N, 0, apart>>>(d, 0, N);
  else add<<<1, N, 0, apart>>>(f, d);
  cudaDeviceSynchronize();
  exit(0);
}

CASES
  int *d = device<int>(N), *e = device<int>(2 * N), *f = device<int>(N), *host;
  cudaMallocHost(&host, 2 * BYTES);
  memset(host, 0, 2 * BYTES);
  before_streams(name, d, f, host);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaStreamCreate(&c);
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
#define FILL(stream) fill<<<1, N, 0, stream>>>(d, 0, N)
#define ADD(stream) add<<<1, N, 0, stream>>>(f, d)
  CASE(two_writers) { FILL(a); fill<<<1, N, 0, b>>>(d, 1, 1); }
  CASE(one_stream) { FILL(a); ADD(a); FILL(a); }
  CASE(halves) { fill<<<1, N, 0, a>>>(d, 0, N / 2); fill<<<1, N, 0, b>>>(d, N / 2, N / 2); }
  CASE(two_readers) { FILL(a); order(a, b); ADD(a); add<<<1, N, 0, b>>>(e, d); }
  CASE(read_after_write) { FILL(a); ADD(b); }
  CASE(waited_for_stream) { FILL(a); cudaStreamSynchronize(a); ADD(b); }
  CASE(waited_for_device) { FILL(a); cudaDeviceSynchronize(); ADD(b); }
  CASE(waited_for_event) { FILL(a); cudaEventSynchronize(recorded(a)); ADD(b); }
  CASE(copy_over) { ADD(a); cudaMemcpyAsync(d, host, BYTES, cudaMemcpyHostToDevice, b); }
  CASE(asked_for_stream) { FILL(a); while (cudaStreamQuery(a) != cudaSuccess) { } ADD(b); }
  CASE(freed_between) { FILL(a); cudaFree(e); ADD(b); }
  CASE(stream_waits) { FILL(a); order(a, b); ADD(b); }
  CASE(stream_waits_for_third) { FILL(a); order(a, c); order(c, b); ADD(b); }
  CASE(write_after_read) { ADD(a); FILL(b); }
  CASE(read_of_copy) { cudaMemcpyAsync(d, host, BYTES, cudaMemcpyHostToDevice, a); ADD(b); }
  CASE(recorded_too_early) { cudaEvent_t early = recorded(a); FILL(a); cudaStreamWaitEvent(b, early, 0); ADD(b); }
  CASE(waits_for_other_event) { FILL(a); order(c, b); ADD(b); }
  CASE(other_stream_waits) { FILL(a); order(a, c); ADD(b); }
  CASE(null_stream) { FILL(a); ADD(0); }
  CASE(null_stream_first) { FILL(0); ADD(a); }
  CASE(no_null_stream) { FILL(0); ADD(apart); }
  CASE(only_half_waited) { FILL(a); order(a, b); FILL(a); ADD(b); }
  CASE(copy_in_turn) { ADD(a); order(a, b); cudaMemcpyAsync(d, host, BYTES, cudaMemcpyHostToDevice, b); }
  CASE(copy_out) { FILL(a); cudaMemcpyAsync(host, d, BYTES, cudaMemcpyDeviceToHost, b); }
  CASE(copy_out_waits) { FILL(a); order(a, b); cudaMemcpyAsync(host, d, BYTES, cudaMemcpyDeviceToHost, b); }
  CASE(filled) { fill<<<1, N, 0, a>>>(d, N / 2, N / 2); cudaMemsetAsync(d, 0, BYTES, b); }
  CASE(filled_beside) { fill<<<1, N, 0, a>>>(d, N / 2, N / 2); cudaMemsetAsync(d, 0, BYTES / 2, b); }
  CASE(two_copies) { for (cudaStream_t s : {a, b}) cudaMemcpyAsync(d, host, BYTES, cudaMemcpyHostToDevice, s); }
  CASE(host_buffer) { cudaMemcpyAsync(d, host, BYTES, cudaMemcpyHostToDevice, a); cudaMemcpyAsync(host, e, BYTES, cudaMemcpyDeviceToHost, b); }
  CASE(pageable) { static int own[N]; FILL(a); cudaMemcpyAsync(own, d, BYTES, cudaMemcpyDeviceToHost, a); ADD(b); }
  for (bool waits : {false, true})
    for (int once = strcmp(name, waits ? "graph_waits" : "graph") == 0; once; once = 0, known = 1) {
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
      FILL(a);
      cudaStreamEndCapture(a, &graph);
      cudaGraphInstantiate(&exec, graph, 0);
      cudaGraphLaunch(exec, a);
      if (waits) order(a, b);
      ADD(b);
    }
  CASE(told_by_host_function) {
    static volatile int told;
    FILL(a);
    cudaLaunchHostFunc(a, go_on, (void *)&told);
    while (!told) { }
    ADD(b);
  }
  CASE(stream_made_later) {
    int *from = device<int>(N), *to = device<int>(N);
    cudaDeviceSynchronize();
    add<<<1, N>>>(to, from);
    cudaStream_t late;
    cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking);
    fill<<<1, N, 0, late>>>(from, 0, 1);
  }
  CASE(ping_pong) ping_pong(e, host, f, false);
  CASE(ping_pong_right) ping_pong(e, host, f, true);
END
// case stream_made_later: write of 4 bytes .* in no order with a read .* by another stream$
