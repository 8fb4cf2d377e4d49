/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Errors: names and texts, the last error of each host thread, the sticky errors of assert and trap, and their reports.
 */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static void check_texts(void) {
  CHECK_TEXT(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  CHECK_TEXT(cudaGetErrorString(cudaSuccess), "no error");
  CHECK_TEXT(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  CHECK_TEXT(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  CHECK_TEXT(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  CHECK_TEXT(cudaGetErrorName(cudaErrorInvalidMemcpyDirection), "cudaErrorInvalidMemcpyDirection");
  CHECK_TEXT(cudaGetErrorString(cudaErrorInvalidDeviceFunction), "invalid device function");
  CHECK_TEXT(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  CHECK_TEXT(cudaGetErrorString(cudaErrorLaunchFailure), "unspecified launch failure");
  CHECK_TEXT(cudaGetErrorString(cudaErrorAssert), "device-side assert triggered");
  CHECK_TEXT(cudaGetErrorName(cudaErrorUnknown), "cudaErrorUnknown");
  CHECK_TEXT(cudaGetErrorString(cudaErrorUnknown), "unknown error");
  CHECK_TEXT(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
  CHECK_TEXT(cudaGetErrorString((cudaError_t)-1), "unrecognized error code");
  /* The table is searched by halves: every code must be found at its position. */
  int known = 0;
  for (int code = 0; code <= 10000; code++) {
    const char *name = cudaGetErrorName((cudaError_t)code);
    known += strncmp(name, "cuda", 4) == 0;
  }
  CHECK_NUMBER(known, 134);
}

static void *other_thread(void *unused) {
  (void)unused;
  CHECK_NUMBER(cudaPeekAtLastError(), cudaSuccess);
  CHECK_NUMBER(cudaSetDevice(99), cudaErrorInvalidDevice);
  CHECK_NUMBER(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  return NULL;
}

static void check_last_error(void) {
  pthread_t thread;
  CHECK_NUMBER(cudaGetLastError(), cudaSuccess);
  CHECK_NUMBER(cudaFree((void *)(uintptr_t)0x1000), cudaErrorInvalidValue);
  CHECK_NUMBER(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_NUMBER(cudaPeekAtLastError(), cudaErrorInvalidValue);
  pthread_create(&thread, NULL, other_thread, NULL);
  pthread_join(thread, NULL);
  CHECK_NUMBER(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_NUMBER(cudaGetLastError(), cudaSuccess);
}

static void check_sticky(void) {
  static char text[1024];
  void *memory = NULL, *other;
  CHECK_OK(cudaMalloc(&memory, 16));
  uwrt_thread = (uwrt_thread_context){.thread = {1, 2, 3}, .block = {4, 5, 6}};
  CAPTURE(stderr, text, uwrt_assert_fail("a < b", "file.cu", 12, "void kernel(int)"));
  CHECK_TEXT(text, "file.cu:12: void kernel(int): block: [4,5,6], thread: [1,2,3] Assertion `a < b` failed.\n");
  CAPTURE(stderr, text, uwrt_trap(""));
  CHECK_TEXT(text, "");
  CHECK_NUMBER(cudaGetLastError(), cudaSuccess);          /* nobody has asked the device yet */
  CHECK_NUMBER(cudaDeviceSynchronize(), cudaErrorAssert); /* the first one stays */
  CHECK_NUMBER(cudaPeekAtLastError(), cudaErrorAssert);
  CHECK_NUMBER(cudaGetLastError(), cudaErrorAssert);
  CHECK_NUMBER(cudaGetLastError(), cudaSuccess);
  CHECK_OK(cudaSetDevice(0));
  CHECK_NUMBER(cudaDeviceSynchronize(), cudaErrorAssert);
  CHECK_NUMBER(cudaMalloc(&other, 16), cudaErrorAssert);
  CHECK_NUMBER(cudaFree(memory), cudaErrorAssert);
  CHECK_NUMBER(cudaMemset(memory, 0, 16), cudaErrorAssert);
  CHECK_NUMBER(cudaDeviceReset(), cudaSuccess);
  CHECK_NUMBER(cudaGetLastError(), cudaErrorAssert); /* the reset leaves it */
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_ERROR(cudaFree(memory), cudaErrorInvalidValue); /* the reset freed it */
  uwrt_trap("");
  CHECK_NUMBER(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  CHECK_NUMBER(cudaDeviceReset(), cudaSuccess);
  CHECK_NUMBER(cudaGetLastError(), cudaErrorLaunchFailure);
}

/* An object of another version of the contract must not run: the process says so and aborts. */
static void check_version(void) {
  static const uwrt_module stranger = {.abi_version = UWRT_ABI_VERSION + 1};
  static char text[1024];
  int status = 0;
  CAPTURE(stderr, text, {
    pid_t child = fork();
    if (child == 0) {
      signal(SIGABRT, SIG_DFL);
      uwrt_register(&stranger);
      _exit(0);
    }
    waitpid(child, &status, 0);
  });
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  CHECK(strncmp(text, "unwarp: an object file was compiled for version 2", 48) == 0);
}

int main(void) {
  check_version();
  check_texts();
  check_last_error();
  check_sticky();
  return finish();
}
