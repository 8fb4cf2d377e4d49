/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Streams and events: the runtime's. A stream remembers a context that is not its device's primary one. */
#include "internal.h"

#include <string.h>

#include <pthread.h>
#include <stdlib.h>

typedef struct owner {
  struct owner *next;
  CUstream stream;
  CUcontext context;
} owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static owner *owners;

static void remember(CUstream stream, CUcontext context) {
  owner *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return; /* then it is of the primary context */
  pthread_mutex_lock(&lock);
  *fresh = (owner){owners, stream, context};
  owners = fresh;
  pthread_mutex_unlock(&lock);
}

void uwcu_stream_forget(CUstream stream) {
  pthread_mutex_lock(&lock);
  for (owner **at = &owners; *at; at = &(*at)->next)
    if ((*at)->stream == stream) {
      owner *gone = *at;
      *at = gone->next;
      free(gone);
      break;
    }
  pthread_mutex_unlock(&lock);
}

void uwcu_streams_end(CUcontext context) {
  for (;;) {
    CUstream found = NULL;
    pthread_mutex_lock(&lock);
    for (const owner *at = owners; at && !found; at = at->next)
      if (at->context == context)
        found = at->stream;
    pthread_mutex_unlock(&lock);
    if (!found)
      return;
    cudaStreamDestroy(found);
    uwcu_stream_forget(found);
  }
}

CUcontext uwcu_stream_context(CUstream stream) {
  CUcontext found = NULL;
  int device = 0;
  pthread_mutex_lock(&lock);
  for (const owner *at = owners; at && !found; at = at->next)
    if (at->stream == stream)
      found = at->context;
  pthread_mutex_unlock(&lock);
  if (found)
    return found;
  return cudaStreamGetDevice(stream, &device) == cudaSuccess ? uwcu_primary(device) : NULL;
}

static int create(CUstream *stream, unsigned int flags, int priority, CUcontext context) {
  int error = (int)cudaStreamCreateWithPriority(stream, flags, priority);
  if (error == CUDA_SUCCESS && context != uwcu_primary(uwcu_context_device(context)))
    remember(*stream, context);
  return error;
}

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags) {
  CUcontext context = uwcu_current();
  RUN(create(phStream, Flags, 0, context));
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority) {
  CUcontext context = uwcu_current();
  RUN(create(phStream, flags, priority, context));
}

static int destroy(CUstream stream) {
  int error = (int)cudaStreamDestroy(stream);
  if (error == CUDA_SUCCESS)
    uwcu_stream_forget(stream);
  return error;
}

CUresult cuStreamDestroy(CUstream hStream) { RUN(destroy(hStream)); }
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  RUN(cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode));
}

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags) { RUN(cudaEventCreateWithFlags(phEvent, Flags)); }
CUresult cuEventQuery(CUevent hEvent) { RUN(cudaEventQuery(hEvent)); }
CUresult cuEventSynchronize(CUevent hEvent) { RUN(cudaEventSynchronize(hEvent)); }
CUresult cuEventDestroy(CUevent hEvent) { RUN(cudaEventDestroy(hEvent)); }
CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event) {
  RUN(cudaIpcGetEventHandle((cudaIpcEventHandle_t *)pHandle, event));
}

static int open_event(CUevent *event, CUipcEventHandle handle) {
  cudaIpcEventHandle_t same;
  memcpy(&same, &handle, sizeof same);
  return (int)cudaIpcOpenEventHandle(event, same);
}
CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle) { RUN(open_event(phEvent, handle)); }

CUresult cuEventElapsedTime(float *ms, CUevent hStart, CUevent hEnd) { RUN(cudaEventElapsedTime(ms, hStart, hEnd)); }
#undef cuEventElapsedTime
__attribute__((visibility("default"))) CUresult cuEventElapsedTime(float *ms, CUevent hStart, CUevent hEnd) {
  RUN(cudaEventElapsedTime(ms, hStart, hEnd));
}
