/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels and variables as nvcc's host code registers them: a fat binary, and for each kernel the host function that
 * stands for it, for each variable its shadow. Nothing happens then. When the first of a fat binary's kernels or
 * variables is asked for, libcuda loads it (its PTX; GPU code alone is an error of that launch), and the kernel found
 * there by its name gets the host function for a second stub. A variable has two addresses here, the shadow and the
 * module's; the module's is the one in force.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "internal.h"
#include "work.h"

typedef struct fat_binary {
  const void *wrapper;
  void *library; /* of the driver's */
  int tried;
  cudaError_t error;
  char why[800]; /* what the driver says of that */
  struct named *first;
} fat_binary;

typedef struct named {
  struct named *next; /* of the same fat binary */
  fat_binary *of;
  const void *key;  /* the host function, the shadow */
  const char *name; /* the device's */
  int is_kernel, resolved;
  void **managed; /* the host's pointer to a managed variable */
  void *place;    /* of a variable, in the module */
  uwrt_kernel kernel;
  uwrt_kernel_settings settings;
  uwrt_variable variable;
  uwrt_module module; /* the kernel or variable alone, as the registry takes it */
} named;

static pthread_mutex_t lock =
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* a stub that is not known is looked up here again */
static uwrt_table names;

/* --- loading ------------------------------------------------------------------------------------------------------ */

/* The caller holds the lock. */
static cudaError_t load(fat_binary *binary) {
  enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6 };
  if (binary->tried)
    return binary->error;
  binary->tried = 1;
  int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
  void *values[] = {binary->why, (void *)sizeof binary->why};
  int (*start)(unsigned int) = (int (*)(unsigned int))uwrt_driver_function("cuInit");
  int (*open)(void **, const void *, int *, void **, unsigned int, int *, void **, unsigned int) =
      (int (*)(void **, const void *, int *, void **, unsigned int, int *, void **, unsigned int))uwrt_driver_function(
          "cuLibraryLoadData");
  if (!start || !open) {
    snprintf(binary->why, sizeof binary->why,
             "libcuda.so.1 is not found, which compiles PTX: let LD_LIBRARY_PATH name its folder");
    return binary->error = cudaErrorNotSupported;
  }
  int code = start(0);
  if (code == 0)
    code = open(&binary->library, binary->wrapper, options, values, 2, NULL, NULL, 0);
  return binary->error = (cudaError_t)code; /* the codes of both have the same values */
}

static void *find(fat_binary *binary, const char *function, const char *name, size_t *bytes) {
  void *found = NULL;
  if (strcmp(function, "cuLibraryGetKernel") == 0) {
    int (*get)(void **, void *, const char *) = (int (*)(void **, void *, const char *))uwrt_driver_function(function);
    return get && get(&found, binary->library, name) == 0 ? found : NULL;
  }
  int (*get)(void **, size_t *, void *, const char *) =
      (int (*)(void **, size_t *, void *, const char *))uwrt_driver_function(function);
  return get && get(&found, bytes, binary->library, name) == 0 ? found : NULL;
}

static void show(const named *n) {
  size_t length = strcspn(n->of->why, "\n");
  fprintf(stderr, "unwarp: the %s '%s' is not there: %.*s\n", n->is_kernel ? "kernel" : "variable", n->name,
          (int)length, n->of->why);
}

static int resolve(named *n) {
  uwrt_note_use(); /* for libcuda: the primary context is current */
  if (load(n->of) != cudaSuccess)
    return 0;
  size_t bytes = 0;
  void *found = find(n->of, n->is_kernel ? "cuLibraryGetKernel" : "cuLibraryGetGlobal", n->name, &bytes);
  if (!found) {
    snprintf(n->of->why, sizeof n->of->why, "its fat binary has none of that name");
    return 0;
  }
  n->place = found;
  if (n->managed)
    *n->managed = found;
  if (!n->is_kernel) { /* nvcc leaves a file's own variables without .visible: then only this side knows them as symbols */
    n->variable = (uwrt_variable){.address = found, .name = n->name, .bytes = bytes};
    n->module = (uwrt_module){.abi_version = UWRT_ABI_VERSION,
                              .variable_count = !uwrt_variable_find(found, &bytes),
                              .variables = &n->variable};
    return 1;
  }
  const uwrt_kernel *kernel;
  if (!uwrt_kernel_find(found, &kernel, &n->settings))
    return 0;
  n->kernel = *kernel;
  n->kernel.stub = n->key;
  n->module = (uwrt_module){.abi_version = UWRT_ABI_VERSION, .kernel_count = 1, .kernels = &n->kernel};
  return 1;
}

/* 1: it is there now. A second look changes nothing: what is said is said once. */
static int settle(const void *key, int is_kernel, named **known) {
  pthread_mutex_lock(&lock);
  named *n = *known = names.count ? uwrt_table_find(&names, key) : NULL;
  int fresh = 0, there = n && n->is_kernel == is_kernel && n->place;
  if (n && n->is_kernel == is_kernel && !n->resolved) {
    n->resolved = 1;
    there = fresh = resolve(n);
    if (!there)
      show(n);
  }
  pthread_mutex_unlock(&lock);
  if (fresh && (is_kernel || n->module.variable_count))
    uwrt_register(&n->module);
  if (fresh && is_kernel)
    uwrt_kernel_set_architecture(key, n->settings.architecture);
  return there;
}

int uwrt_fat_kernel(const void *stub) {
  named *n;
  return settle(stub, 1, &n);
}

cudaError_t uwrt_fat_error(const void *stub) {
  pthread_mutex_lock(&lock);
  named *n = names.count ? uwrt_table_find(&names, stub) : NULL;
  cudaError_t error = n && n->of->error != cudaSuccess ? n->of->error : cudaErrorInvalidDeviceFunction;
  if (n)
    uwrt_trace_refused(n->name);
  pthread_mutex_unlock(&lock);
  return error;
}

const void *uwrt_symbol_place(const void *symbol) {
  named *n;
  return settle(symbol, 0, &n) ? n->place : symbol;
}

/* --- what nvcc's host code calls (crt/host_runtime.h) ------------------------------------------------------------- */

#pragma GCC visibility push(default)

void **__cudaRegisterFatBinary(void *fatCubin);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun, const char *deviceName,
                            int thread_limit, void *tid, void *bid, void *bDim, void *gDim, int *wSize);
void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName, int ext, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *deviceAddress, const char *deviceName,
                              int ext, size_t size, int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *deviceName, char *hostVar, size_t size);
void __cudaRegisterTexture(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int norm, int ext);
void __cudaRegisterSurface(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int ext);
void __cudaRegisterUnifiedTable(void **handle, void *table);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                    cudaStream_t stream);
cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                  cudaStream_t stream);

void **__cudaRegisterFatBinary(void *fatCubin) {
  fat_binary *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    uwrt_fatal("out of memory");
  fresh->wrapper = fatCubin;
  return (void **)fresh;
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

static void add(fat_binary *binary, const void *key, const char *name, int is_kernel, void **managed) {
  named *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !binary)
    uwrt_fatal(fresh ? "a kernel is registered without its fat binary" : "out of memory");
  *fresh = (named){
      .next = binary->first, .of = binary, .key = key, .name = name, .is_kernel = is_kernel, .managed = managed};
  pthread_mutex_lock(&lock);
  binary->first = fresh;
  if (!uwrt_table_find(&names, key) && !uwrt_table_insert(&names, key, fresh)) /* the first definition is in force */
    uwrt_fatal("out of memory");
  pthread_mutex_unlock(&lock);
}

void __cudaUnregisterFatBinary(void **handle) {
  fat_binary *gone = (fat_binary *)handle;
  if (!gone)
    return;
  for (named *n = gone->first, *next; n; n = next) {
    next = n->next;
    if (n->module.kernel_count || n->module.variable_count)
      uwrt_unregister(&n->module);
    pthread_mutex_lock(&lock);
    if (uwrt_table_find(&names, n->key) == n)
      uwrt_table_remove(&names, n->key);
    pthread_mutex_unlock(&lock);
    free(n);
  }
  pthread_mutex_lock(&lock);
  if (!names.count)
    uwrt_table_free(&names);
  pthread_mutex_unlock(&lock);
  int (*close)(void *) = gone->library ? (int (*)(void *))uwrt_driver_function("cuLibraryUnload") : NULL;
  if (close)
    close(gone->library);
  free(gone);
}

void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun, const char *deviceName,
                            int thread_limit, void *tid, void *bid, void *bDim, void *gDim, int *wSize) {
  (void)deviceFun, (void)thread_limit, (void)tid, (void)bid, (void)bDim, (void)gDim, (void)wSize;
  add((fat_binary *)handle, hostFun, deviceName, 1, NULL);
}

void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName, int ext, size_t size,
                       int constant, int global) {
  (void)deviceAddress, (void)ext, (void)size, (void)constant, (void)global;
  add((fat_binary *)handle, hostVar, deviceName, 0, NULL);
}

void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *deviceAddress, const char *deviceName,
                              int ext, size_t size, int constant, int global) {
  (void)deviceAddress, (void)ext, (void)size, (void)constant, (void)global;
  add((fat_binary *)handle, hostVarPtrAddress, deviceName, 0, hostVarPtrAddress);
}

/* Their users are refused where the PTX is compiled. */
void __cudaRegisterHostVar(void **handle, const char *deviceName, char *hostVar, size_t size) {
  (void)handle, (void)deviceName, (void)hostVar, (void)size;
}
void __cudaRegisterTexture(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int norm, int ext) {
  (void)handle, (void)hostVar, (void)deviceAddress, (void)deviceName, (void)dim, (void)norm, (void)ext;
}
void __cudaRegisterSurface(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int ext) {
  (void)handle, (void)hostVar, (void)deviceAddress, (void)deviceName, (void)dim, (void)ext;
}
void __cudaRegisterUnifiedTable(void **handle, void *table) { (void)handle, (void)table; }

/* Before the host's first use of a managed variable. */
char __cudaInitModule(void **handle) {
  fat_binary *binary = (fat_binary *)handle;
  char good = 1;
  for (named *n = binary ? binary->first : NULL, *known; n; n = n->next)
    if (n->managed && !settle(n->key, 0, &known))
      good = 0;
  return good;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr) {
  return cudaGetKernel(kernelPtr, entryFuncAddr);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                               cudaStream_t stream) {
  return cudaLaunchKernel((const void *)kernel, gridDim, blockDim, args, sharedMem, stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                    cudaStream_t stream) {
  return cudaLaunchKernel_ptsz((const void *)kernel, gridDim, blockDim, args, sharedMem, stream);
}

#pragma GCC visibility pop
