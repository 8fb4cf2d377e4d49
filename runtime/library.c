/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Code that is loaded while the program runs: the driver API's libraries under the runtime's names. libcuda is opened
 * at the first call, so that a program without any needs none; where it is not found, the call is
 * cudaErrorNotSupported.
 */
#include "driver.h"
#include "internal.h"

/* The codes of both have the same values. */
#define DRIVER(name, parameters)                                                                                       \
  cudaError_t(*driver) parameters = (cudaError_t(*) parameters)uwrt_driver_function(name);                             \
  UWRT_ENTER;                                                                                                          \
  UWRT_REQUIRE(driver, cudaErrorNotSupported)

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions,
                                void **jitOptionsValues, unsigned int numJitOptions,
                                enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                unsigned int numLibraryOptions) {
  DRIVER("cuLibraryLoadData",
         (cudaLibrary_t *, const void *, void *, void **, unsigned int, void *, void **, unsigned int));
  error = driver(library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
                 numLibraryOptions);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName, enum cudaJitOption *jitOptions,
                                    void **jitOptionsValues, unsigned int numJitOptions,
                                    enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                    unsigned int numLibraryOptions) {
  DRIVER("cuLibraryLoadFromFile",
         (cudaLibrary_t *, const char *, void *, void **, unsigned int, void *, void **, unsigned int));
  error = driver(library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
                 numLibraryOptions);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  DRIVER("cuLibraryUnload", (cudaLibrary_t));
  error = driver(library);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  DRIVER("cuLibraryGetKernel", (cudaKernel_t *, cudaLibrary_t, const char *));
  error = driver(kernel, library, name);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  DRIVER("cuLibraryGetGlobal", (void **, size_t *, cudaLibrary_t, const char *));
  error = driver(dptr, bytes, library, name);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  DRIVER("cuLibraryGetManaged", (void **, size_t *, cudaLibrary_t, const char *));
  error = driver(dptr, bytes, library, name);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library, const char *symbol) {
  DRIVER("cuLibraryGetUnifiedFunction", (void **, cudaLibrary_t, const char *));
  error = driver(fptr, library, symbol);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library) {
  DRIVER("cuLibraryGetKernelCount", (unsigned int *, cudaLibrary_t));
  error = driver(count, library);
  UWRT_LEAVE;
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int numKernels, cudaLibrary_t library) {
  DRIVER("cuLibraryEnumerateKernels", (cudaKernel_t *, unsigned int, cudaLibrary_t));
  error = driver(kernels, numKernels, library);
  UWRT_LEAVE;
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_device_exists(device), cudaErrorInvalidDevice);
  error = cudaFuncSetAttribute((const void *)kernel, attr, value);
  UWRT_LEAVE;
}
