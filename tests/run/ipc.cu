/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory and events that two processes share: a small array, which lies among others, and a large one; kernels of both processes see what
 * the other one's wrote; what is not shared stays its process' own; an event of one is waited for by the other; handles that are wrong, closed
 * memory, and a process that has ended.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAYS(call, error)                                                                                              \
  do {                                                                                                                 \
    cudaError_t found_ = (call);                                                                                       \
    if (found_ != (error)) {                                                                                           \
      printf("%s line %d: %s is %s\n", who, __LINE__, #call, cudaGetErrorName(found_));                                \
      exit(1);                                                                                                         \
    }                                                                                                                  \
    cudaGetLastError();                                                                                                \
  } while (0)
#define GOOD(call) SAYS(call, cudaSuccess)
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s line %d: %s\n", who, __LINE__, #condition);                                                           \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { SMALL = 1000, LARGE = 3 << 20 };
typedef struct message {
  cudaIpcMemHandle_t small, large;
  cudaIpcEventHandle_t event;
} message;

__global__ void fill(int *to, int n, int from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from + i;
}
__global__ void count(const int *at, int n, int from, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && at[i] != from + i)
    atomicAdd(wrong, 1);
}
static const char *who;
static int differences(const int *at, int n, int from) {
  int *wrong, result;
  GOOD(cudaMalloc(&wrong, sizeof(int)));
  GOOD(cudaMemset(wrong, 0, sizeof(int)));
  count<<<(n + 255) / 256, 256>>>(at, n, from, wrong);
  GOOD(cudaMemcpy(&result, wrong, sizeof(int), cudaMemcpyDeviceToHost));
  GOOD(cudaFree(wrong));
  return result;
}
static void put(int to, const void *bytes, size_t n) {
  if (write(to, bytes, n) != (ssize_t)n)
    exit(2);
}
static void take(int from, void *bytes, size_t n) {
  for (size_t at = 0; at < n;) {
    ssize_t more = read(from, (char *)bytes + at, n - at);
    if (more <= 0)
      exit(3);
    at += (size_t)more;
  }
}

static void sleep_a_while(void *) { usleep(200000); }

/* The second process: a new program, which has nothing of the first one's memory. */
static int second(int from, int to) {
  message m;
  int *small, *again, *large, *own;
  cudaEvent_t event;
  char go;
  who = "second";
  take(from, &m, sizeof m);
  GOOD(cudaMalloc(&own, sizeof(int) * SMALL));
  GOOD(cudaIpcOpenMemHandle((void **)&small, m.small, cudaIpcMemLazyEnablePeerAccess));
  GOOD(cudaIpcOpenMemHandle((void **)&again, m.small, cudaIpcMemLazyEnablePeerAccess));
  GOOD(cudaIpcOpenMemHandle((void **)&large, m.large, cudaIpcMemLazyEnablePeerAccess));
  GOOD(cudaIpcOpenEventHandle(&event, m.event));
  CHECK(small == again);
  cudaPointerAttributes about;
  GOOD(cudaPointerGetAttributes(&about, large));
  CHECK(about.type == cudaMemoryTypeDevice);
  CHECK(differences(small, SMALL, 100) == 0 && differences(large, LARGE, -5) == 0);
  fill<<<LARGE / 256, 256>>>(large, LARGE, 77);
  GOOD(cudaDeviceSynchronize());
  put(to, "w", 1);
  take(from, &go, 1); /* the event is recorded after a fill of the small array */
  GOOD(cudaStreamWaitEvent(0, event, 0));
  GOOD(cudaEventSynchronize(event));
  GOOD(cudaEventQuery(event));
  CHECK(differences(small, SMALL, 4000) == 0);
  GOOD(cudaMemcpy(own, small, sizeof(int) * SMALL, cudaMemcpyDeviceToDevice));
  CHECK(differences(own, SMALL, 4000) == 0);
  SAYS(cudaFree(small), cudaErrorInvalidValue);
  GOOD(cudaIpcCloseMemHandle(small));
  CHECK(differences(small, SMALL, 4000) == 0); /* opened twice */
  GOOD(cudaIpcCloseMemHandle(small));
  SAYS(cudaIpcCloseMemHandle(small), cudaErrorInvalidValue);
  take(from, &go, 1); /* the large array is freed there, and still here */
  CHECK(differences(large, LARGE, 77) == 0);
  SAYS(cudaIpcOpenMemHandle((void **)&again, m.large, 0), cudaSuccess); /* the one that is open */
  GOOD(cudaIpcCloseMemHandle(large));
  GOOD(cudaIpcCloseMemHandle(large));
  SAYS(cudaIpcOpenMemHandle((void **)&again, m.large, 0), cudaErrorInvalidResourceHandle);
  GOOD(cudaEventRecord(event));
  GOOD(cudaEventDestroy(event));
  return 0;
}

static int first(const char *self) {
  int down[2], up[2], *before, *small, *after, *large, *managed;
  message m;
  cudaEvent_t event, other;
  char go;
  who = "first";
  if (pipe(down) || pipe(up))
    return 4;
  GOOD(cudaMalloc(&before, sizeof(int) * SMALL));
  GOOD(cudaMalloc(&small, sizeof(int) * SMALL));
  GOOD(cudaMalloc(&after, sizeof(int) * SMALL));
  GOOD(cudaMalloc(&large, sizeof(int) * LARGE));
  GOOD(cudaMallocManaged(&managed, sizeof(int)));
  fill<<<4, 256>>>(before, SMALL, 1);
  fill<<<4, 256>>>(small, SMALL, 100);
  fill<<<4, 256>>>(after, SMALL, 2);
  fill<<<LARGE / 256, 256>>>(large, LARGE, -5);
  SAYS(cudaEventCreateWithFlags(&event, cudaEventInterprocess), cudaErrorInvalidValue);
  GOOD(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  GOOD(cudaEventQuery(event));
  GOOD(cudaEventCreate(&other));
  GOOD(cudaIpcGetMemHandle(&m.small, small));
  GOOD(cudaIpcGetMemHandle(&m.large, large));
  GOOD(cudaIpcGetEventHandle(&m.event, event));
  SAYS(cudaIpcGetEventHandle(&m.event, other), cudaErrorInvalidResourceHandle);
  SAYS(cudaIpcGetMemHandle(&m.small, managed), cudaErrorInvalidValue);
  SAYS(cudaIpcGetMemHandle(&m.small, &m), cudaErrorInvalidValue);
  SAYS(cudaIpcOpenMemHandle((void **)&managed, m.small, cudaIpcMemLazyEnablePeerAccess), cudaErrorDeviceUninitialized);
  cudaIpcMemHandle_t nothing = {};
  SAYS(cudaIpcOpenMemHandle((void **)&managed, nothing, cudaIpcMemLazyEnablePeerAccess),
       cudaErrorInvalidResourceHandle);
  CHECK(differences(before, SMALL, 1) == 0 && differences(small, SMALL, 100) == 0 && differences(after, SMALL, 2) == 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char in[16], out[16];
    snprintf(in, sizeof in, "%d", down[0]);
    snprintf(out, sizeof out, "%d", up[1]);
    execl(self, self, in, out, (char *)NULL);
    _exit(5);
  }
  put(down[1], &m, sizeof m);
  take(up[0], &go, 1);
  CHECK(differences(large, LARGE, 77) == 0);
  cudaStream_t stream;
  GOOD(cudaStreamCreate(&stream));
  GOOD(cudaLaunchHostFunc(stream, sleep_a_while, nullptr));
  fill<<<4, 256, 0, stream>>>(small, SMALL, 4000);
  GOOD(cudaEventRecord(event, stream));
  SAYS(cudaEventQuery(event), cudaErrorNotReady);
  put(down[1], "g", 1);
  GOOD(cudaEventSynchronize(event));
  GOOD(cudaFree(large));
  GOOD(cudaMalloc(&large, sizeof(int) * LARGE)); /* the same address perhaps, but no longer the other one's */
  fill<<<LARGE / 256, 256>>>(large, LARGE, 9);
  GOOD(cudaDeviceSynchronize());
  put(down[1], "g", 1);
  int status;
  if (waitpid(child, &status, 0) != child || status != 0) {
    printf("the second process: status %x\n", status);
    return 6;
  }
  GOOD(cudaEventSynchronize(event));
  CHECK(differences(before, SMALL, 1) == 0 && differences(small, SMALL, 4000) == 0 &&
        differences(after, SMALL, 2) == 0);
  CHECK(differences(large, LARGE, 9) == 0);
  GOOD(cudaDeviceReset());
  puts("ok");
  return 0;
}

int main(int argc, char **argv) { return argc > 2 ? second(atoi(argv[1]), atoi(argv[2])) : first(argv[0]); }
