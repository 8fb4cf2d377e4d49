/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Streams and events: handles, flags, priorities, attributes, callbacks, times, and what a bad handle gives. Clocks.
 */
#include "check.h"

#include <time.h>

static void check_handles(void) {
  cudaStream_t stream = NULL, other = NULL;
  unsigned int flags = 9;
  int priority = 9, least = 9, greatest = 9;
  unsigned long long first = 0, second = 0;
  cudaStream_t junk = (cudaStream_t)&flags;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK_OK(cudaStreamGetFlags(stream, &flags));
  CHECK_NUMBER(flags, cudaStreamDefault);
  CHECK_OK(cudaStreamGetFlags(other, &flags));
  CHECK_NUMBER(flags, cudaStreamNonBlocking);
  CHECK_OK(cudaStreamGetId(stream, &first));
  CHECK_OK(cudaStreamGetId(other, &second));
  CHECK(first != second);
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK_OK(cudaStreamQuery(stream));
  CHECK_OK(cudaStreamSynchronize(0));
  CHECK_OK(cudaStreamSynchronize(cudaStreamLegacy));
  CHECK_OK(cudaStreamQuery(cudaStreamPerThread));
  CHECK_OK(cudaStreamDestroy(other));
  CHECK_ERROR(cudaStreamDestroy(other), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamSynchronize(other), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamQuery(junk), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamGetFlags(junk, &flags), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamDestroy(0), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamDestroy(cudaStreamLegacy), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamCreate(NULL), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamCreateWithFlags(&other, 2), cudaErrorInvalidValue);

  CHECK_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 0 && greatest < 0);
  CHECK_OK(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, greatest - 10));
  CHECK_OK(cudaStreamGetPriority(other, &priority));
  CHECK_NUMBER(priority, greatest);
  CHECK_OK(cudaStreamDestroy(other));
  CHECK_OK(cudaStreamDestroy(stream));

  enum { COUNT = 500 };
  static cudaStream_t many[COUNT];
  for (int i = 0; i < COUNT; i++)
    CHECK_OK(cudaStreamCreate(&many[i]));
  for (int i = 0; i < COUNT; i += 2)
    CHECK_OK(cudaStreamDestroy(many[i]));
  for (int i = 0; i < COUNT; i++)
    CHECK_ERROR(cudaStreamQuery(many[i]), i % 2 ? cudaSuccess : cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaDeviceReset());
  CHECK_ERROR(cudaStreamQuery(many[1]), cudaErrorInvalidResourceHandle);
}

static void check_attributes(void) {
  cudaStream_t stream, other;
  cudaLaunchAttributeValue value = {.syncPolicy = cudaSyncPolicySpin};
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamCreate(&other));
  CHECK_OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  CHECK_OK(cudaStreamCopyAttributes(other, stream));
  value.syncPolicy = cudaSyncPolicyAuto;
  CHECK_OK(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy, &value));
  CHECK_NUMBER(value.syncPolicy, cudaSyncPolicySpin);
  value = (cudaLaunchAttributeValue){.accessPolicyWindow = {.base_ptr = &value, .hitRatio = 0.5f}};
  CHECK_OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.num_bytes = (size_t)1 << 40;
  CHECK_ERROR(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value), cudaErrorInvalidValue);
  value.priority = 5;
  CHECK_ERROR(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &value), cudaErrorInvalidValue);
  CHECK_OK(cudaStreamIsCapturing(stream, &status));
  CHECK_NUMBER(status, cudaStreamCaptureStatusNone);
  CHECK_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK_NUMBER(mode, cudaStreamCaptureModeGlobal);
  CHECK_OK(cudaStreamDestroy(stream));
  CHECK_OK(cudaStreamDestroy(other));
}

static int called;
static cudaStream_t called_with;

static void host_function(void *data) { called += *(int *)data; }

static void callback(cudaStream_t stream, cudaError_t status, void *data) {
  called += *(int *)data + (int)status;
  called_with = stream;
}

static void check_callbacks(void) {
  cudaStream_t stream;
  char *managed;
  int amount = 5;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaLaunchHostFunc(stream, host_function, &amount));
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK_NUMBER(called, 5);
  CHECK_OK(cudaStreamAddCallback(stream, callback, &amount, 0));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_NUMBER(called, 10);
  CHECK(called_with == stream);
  CHECK_ERROR(cudaStreamAddCallback(stream, callback, &amount, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamAddCallback(stream, NULL, &amount, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchHostFunc((cudaStream_t)&amount, host_function, &amount), cudaErrorInvalidResourceHandle);
  CHECK_NUMBER(called, 10);
  CHECK_OK(cudaMallocManaged((void **)&managed, 100, cudaMemAttachHost));
  CHECK_OK(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle));
  CHECK_ERROR(cudaStreamAttachMemAsync(stream, managed + 1, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamAttachMemAsync(stream, managed, 0, 9), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(managed));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void wait_milliseconds(long milliseconds) {
  struct timespec time = {0, milliseconds * 1000000};
  nanosleep(&time, NULL);
}

static void check_events(void) {
  cudaEvent_t start, stop, untimed;
  cudaStream_t stream;
  float elapsed = -1;
  cudaEvent_t junk = (cudaEvent_t)&elapsed;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaEventCreate(&start));
  CHECK_OK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  CHECK_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CHECK_OK(cudaEventQuery(start)); /* never recorded counts as complete */
  CHECK_ERROR(cudaEventElapsedTime(&elapsed, start, stop), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaEventRecord(stop, stream));
  CHECK_ERROR(cudaEventElapsedTime(&elapsed, start, stop), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventElapsedTime(&elapsed, stop, start), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaEventRecord(start, stream));
  wait_milliseconds(20);
  CHECK_OK(cudaEventRecordWithFlags(stop, 0, cudaEventRecordDefault));
  CHECK_OK(cudaEventSynchronize(stop));
  CHECK_OK(cudaEventElapsedTime(&elapsed, start, stop));
  CHECK(elapsed >= 19.9f && elapsed < 2000);
  CHECK_OK(cudaEventElapsedTime(&elapsed, stop, start));
  CHECK(elapsed <= -19.9f);
  CHECK_OK(cudaEventElapsedTime(&elapsed, start, start));
  CHECK(elapsed == 0);
  CHECK_OK(cudaStreamWaitEvent(stream, start, 0));
  CHECK_ERROR(cudaStreamWaitEvent(stream, start, 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamWaitEvent(stream, start, cudaEventWaitExternal), cudaErrorInvalidValue); /* nothing captures */
  CHECK_ERROR(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal), cudaErrorInvalidValue);
  CHECK_OK(cudaEventRecord(untimed, stream));
  CHECK_ERROR(cudaEventElapsedTime(&elapsed, start, untimed), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventElapsedTime(NULL, start, stop), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventElapsedTime(&elapsed, start, junk), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventElapsedTime(&elapsed, NULL, stop), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventRecord(NULL, stream), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventRecord(start, (cudaStream_t)&elapsed), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventQuery(junk), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamWaitEvent(stream, junk, 0), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaEventDestroy(stop));
  CHECK_ERROR(cudaEventDestroy(stop), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventRecord(stop, 0), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventCreateWithFlags(&stop, 0x40), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventCreateWithFlags(&stop, cudaEventInterprocess), cudaErrorInvalidValue);
  CHECK_OK(cudaEventCreateWithFlags(&stop, cudaEventInterprocess | cudaEventDisableTiming));
  CHECK_OK(cudaEventDestroy(stop));
  CHECK_ERROR(cudaEventCreate(NULL), cudaErrorInvalidValue);
  CHECK_OK(cudaEventDestroy(start));
  CHECK_OK(cudaEventDestroy(untimed));
  CHECK_OK(cudaStreamDestroy(stream));
}

/* 20 ms are as many in ticks of the clock rate as in nanoseconds. */
static void check_clocks(void) {
  int khz = 0;
  CHECK_OK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  uint64_t first_timer = uwrt_globaltimer(), first_clock = uwrt_clock64();
  wait_milliseconds(20);
  uint64_t clock = uwrt_clock64() - first_clock, timer = uwrt_globaltimer() - first_timer;
  double by_clock = (double)clock / khz, by_timer = (double)timer / 1e6;
  CHECK(by_timer >= 19.9 && by_clock >= 19.9 && by_timer >= by_clock);
  CHECK(by_timer - by_clock < 5 + by_timer / 2);
  uint64_t before = uwrt_clock64();
  int steps = 0;
  for (int i = 0; i < 100000; i++) {
    uint64_t now = uwrt_clock64();
    if (now < before)
      failed(__FILE__, __LINE__, "the clock runs backwards");
    steps += now != before;
    before = now;
  }
  CHECK(steps > 1000); /* it tells parts of a microsecond */
}

static void check_refused(void) {
  int count;
  struct cudaChannelFormatDesc texel = cudaCreateChannelDesc(32, 16, 8, 0, cudaChannelFormatKindFloat);
  CHECK(texel.x == 32 && texel.y == 16 && texel.z == 8 && texel.w == 0 && texel.f == cudaChannelFormatKindFloat);
  CHECK_ERROR(cudaOccupancyMaxActiveClusters(&count, NULL, NULL), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphicsMapResources(0, NULL, NULL), cudaErrorNotSupported);
}

int main(void) {
  check_handles();
  check_attributes();
  check_callbacks();
  check_events();
  check_clocks();
  check_refused();
  return finish();
}
