/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: handles, descriptors of tensors, filters, convolutions and activations, sizes, tensors that are set and scaled; and what is refused. */
#include <cudnn.h>
#include <dlfcn.h>

#include <cstring>

#include "../check.h"

#define GOOD(call) CHECK((call) == CUDNN_STATUS_SUCCESS)
#define BAD(call) CHECK((call) == CUDNN_STATUS_BAD_PARAM)
#define NOT_SUPPORTED(call) CHECK((call) == CUDNN_STATUS_NOT_SUPPORTED)

static void handles() {
  cudnnHandle_t handle;
  cudaStream_t stream, same;
  int major = 0;
  CHECK(cudnnGetVersion() == CUDNN_VERSION);
  GOOD(cudnnGetProperty(MAJOR_VERSION, &major));
  CHECK(major == CUDNN_MAJOR);
  BAD(cudnnGetProperty(MAJOR_VERSION, nullptr));
  GOOD(cudnnCreate(&handle));
  BAD(cudnnCreate(nullptr));
  cudaStreamCreate(&stream);
  GOOD(cudnnSetStream(handle, stream));
  GOOD(cudnnGetStream(handle, &same));
  CHECK(same == stream);
  GOOD(cudnnDestroy(handle));
  BAD(cudnnDestroy(handle));
  cudaStreamDestroy(stream);
  CHECK(!strcmp(cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM), "CUDNN_STATUS_BAD_PARAM"));
}

static void tensors() {
  cudnnTensorDescriptor_t tensor;
  cudnnDataType_t type;
  int n, c, h, w, sn, sc, sh, sw, rank, dims[5], strides[5];
  size_t bytes;
  GOOD(cudnnCreateTensorDescriptor(&tensor));
  GOOD(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 2, 3, 4, 5));
  GOOD(cudnnGetTensor4dDescriptor(tensor, &type, &n, &c, &h, &w, &sn, &sc, &sh, &sw));
  CHECK(type == CUDNN_DATA_HALF && n == 2 && c == 3 && h == 4 && w == 5 && sn == 60 && sc == 1 && sh == 15 && sw == 3);
  const int five[] = {2, 3, 4, 5, 6}, apart[] = {720, 240, 60, 12, 2}, negative[] = {1, 1, 1, -1, 1};
  GOOD(cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_DOUBLE, 5, five, apart));
  GOOD(cudnnGetTensorNdDescriptor(tensor, 5, &type, &rank, dims, strides));
  CHECK(rank == 5 && !memcmp(dims, five, sizeof five) && !memcmp(strides, apart, sizeof apart));
  GOOD(cudnnGetTensorSizeInBytes(tensor, &bytes));
  CHECK(bytes == 8 * (720 + 2 * 240 + 3 * 60 + 4 * 12 + 5 * 2 + 1));
  GOOD(cudnnSetTensorNdDescriptorEx(tensor, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 5, five));
  GOOD(cudnnGetTensorNdDescriptor(tensor, 5, &type, &rank, dims, strides));
  CHECK(strides[0] == 360 && strides[1] == 1 && strides[2] == 90 && strides[3] == 18 && strides[4] == 3);
  GOOD(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x4, 1, 8, 2, 2));
  GOOD(cudnnGetTensorSizeInBytes(tensor, &bytes));
  CHECK(bytes == 32);
  BAD(cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 5, five, negative));
  BAD(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 0, 4, 5));
  BAD(cudnnSetTensor4dDescriptor(tensor, (cudnnTensorFormat_t)7, CUDNN_DATA_FLOAT, 2, 1, 4, 5));
  BAD(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, (cudnnDataType_t)77, 2, 1, 4, 5));
  NOT_SUPPORTED(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1 << 16, 1 << 16, 1, 1));
  NOT_SUPPORTED(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x4, 1, 6, 2, 2));
  GOOD(cudnnGetTensorSizeInBytes(tensor, &bytes));
  CHECK(bytes == 32);
  GOOD(cudnnDestroyTensorDescriptor(tensor));
  BAD(cudnnDestroyTensorDescriptor(tensor));
  BAD(cudnnCreateTensorDescriptor(nullptr));
}

static void filters() {
  cudnnFilterDescriptor_t filter;
  cudnnDataType_t type;
  cudnnTensorFormat_t format;
  int k, c, h, w;
  GOOD(cudnnCreateFilterDescriptor(&filter));
  GOOD(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 8, 3, 5, 7));
  GOOD(cudnnGetFilter4dDescriptor(filter, &type, &format, &k, &c, &h, &w));
  CHECK(type == CUDNN_DATA_FLOAT && format == CUDNN_TENSOR_NHWC && k == 8 && c == 3 && h == 5 && w == 7);
#if CUDNN_MAJOR >= 8
  size_t bytes;
  GOOD(cudnnGetFilterSizeInBytes(filter, &bytes));
  CHECK(bytes == 4 * 8 * 3 * 5 * 7);
#endif
  BAD(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 8, -3, 5, 7));
  BAD(cudnnGetFilter4dDescriptor(nullptr, &type, &format, &k, &c, &h, &w));
  GOOD(cudnnDestroyFilterDescriptor(filter));
}

static void convolutions() {
  cudnnConvolutionDescriptor_t convolution;
  cudnnTensorDescriptor_t x;
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionMode_t mode;
  cudnnDataType_t type;
  int n, c, h, w, a, b, groups, dims[4];
  GOOD(cudnnCreateConvolutionDescriptor(&convolution));
  GOOD(cudnnCreateTensorDescriptor(&x));
  GOOD(cudnnCreateFilterDescriptor(&filter));
  GOOD(cudnnSetConvolution2dDescriptor(convolution, 1, 2, 2, 3, 1, 2, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT));
  GOOD(cudnnGetConvolution2dDescriptor(convolution, &a, &b, &n, &c, &h, &w, &mode, &type));
  CHECK(a == 1 && b == 2 && n == 2 && c == 3 && h == 1 && w == 2 && mode == CUDNN_CONVOLUTION);
  GOOD(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 6, 10, 20));
  GOOD(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, 3, 3, 5));
  BAD(cudnnGetConvolution2dForwardOutputDim(convolution, x, filter, &n, &c, &h, &w));
  GOOD(cudnnSetConvolutionGroupCount(convolution, 2));
  GOOD(cudnnGetConvolutionGroupCount(convolution, &groups));
  CHECK(groups == 2);
  GOOD(cudnnGetConvolution2dForwardOutputDim(convolution, x, filter, &n, &c, &h, &w));
  CHECK(n == 2 && c == 4 && h == 5 && w == 6);
  GOOD(cudnnGetConvolutionNdForwardOutputDim(convolution, x, filter, 4, dims));
  CHECK(dims[0] == 2 && dims[1] == 4 && dims[2] == 5 && dims[3] == 6);
  BAD(cudnnGetConvolutionNdForwardOutputDim(convolution, x, filter, 3, dims));
  BAD(cudnnSetConvolutionGroupCount(convolution, 0));
  BAD(cudnnSetConvolution2dDescriptor(convolution, -1, 2, 2, 3, 1, 2, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT));
  BAD(cudnnSetConvolution2dDescriptor(convolution, 1, 2, 0, 3, 1, 2, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT));
  BAD(cudnnSetConvolutionMathType(convolution, (cudnnMathType_t)9));
  GOOD(cudnnSetConvolutionReorderType(convolution, CUDNN_NO_REORDER));
  GOOD(cudnnDestroyConvolutionDescriptor(convolution));
  GOOD(cudnnDestroyTensorDescriptor(x));
  GOOD(cudnnDestroyFilterDescriptor(filter));
}

static void activations() {
  cudnnActivationDescriptor_t activation;
  cudnnActivationMode_t mode;
  cudnnNanPropagation_t nan;
  double coefficient;
  GOOD(cudnnCreateActivationDescriptor(&activation));
  GOOD(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_CLIPPED_RELU, CUDNN_PROPAGATE_NAN, 6));
  GOOD(cudnnGetActivationDescriptor(activation, &mode, &nan, &coefficient));
  CHECK(mode == CUDNN_ACTIVATION_CLIPPED_RELU && nan == CUDNN_PROPAGATE_NAN && coefficient == 6);
  BAD(cudnnSetActivationDescriptor(activation, (cudnnActivationMode_t)-1, CUDNN_PROPAGATE_NAN, 6));
  GOOD(cudnnDestroyActivationDescriptor(activation));
}

/* Between the numbers of a tensor with holes nothing is written. */
template <class T> static void filled(cudnnDataType_t type) {
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t y;
  GOOD(cudnnCreate(&handle));
  GOOD(cudnnCreateTensorDescriptor(&y));
  const int dims[] = {2, 3, 4}, strides[] = {50, 3, 12};
  GOOD(cudnnSetTensorNdDescriptor(y, type, 3, dims, strides));
  device<T> memory(100), before(memory);
  const T seven = make<T>(7);
  const double two = 2;
  const float three = 3;
  const void *scale = type == CUDNN_DATA_DOUBLE ? (const void *)&two : &three;
  BAD(cudnnSetTensor(handle, y, nullptr, &seven));
  GOOD(cudnnSetTensor(handle, y, memory, &seven));
  GOOD(cudnnScaleTensor(handle, y, memory, scale));
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; i++) {
    int inner = i % 50, is_in = inner < 48 && inner % 12 % 3 == 0 && inner % 12 < 9;
    CHECK(value(memory[i]) == (is_in ? number(type == CUDNN_DATA_DOUBLE ? 14 : 21) : value(before[i])));
  }
  cudnnDestroyTensorDescriptor(y);
  cudnnDestroy(handle);
}

static void heard(cudnnSeverity_t, void *, const cudnnDebug_t *, const char *) {}

/* What programs call before they compute, and the parts of NVIDIA's library, by whose names ours is found. */
static void surroundings() {
  cudnnHandle_t handle;
  cudnnCreate(&handle);
#if CUDNN_MAJOR >= 8
  GOOD(cudnnOpsInferVersionCheck());
  GOOD(cudnnOpsTrainVersionCheck());
  GOOD(cudnnCnnInferVersionCheck());
  GOOD(cudnnCnnTrainVersionCheck());
  GOOD(cudnnAdvInferVersionCheck());
  GOOD(cudnnAdvTrainVersionCheck());
  void *part = dlopen(CUDNN_MAJOR == 8 ? "libcudnn_cnn_infer.so.8" : "libcudnn_ops.so.9", RTLD_NOW | RTLD_LOCAL);
  CHECK(part && dlsym(part, "cudnnCreate") == (void *)cudnnCreate);
#endif
  cudnnStatus_t found = CUDNN_STATUS_EXECUTION_FAILED;
  GOOD(cudnnQueryRuntimeError(handle, &found, CUDNN_ERRQUERY_BLOCKING, nullptr));
  GOOD(found);
  BAD(cudnnQueryRuntimeError(handle, nullptr, CUDNN_ERRQUERY_RAWCODE, nullptr));
  BAD(cudnnQueryRuntimeError(handle, &found, (cudnnErrQueryMode_t)3, nullptr));
  unsigned mask = 0;
  void *data = nullptr;
  cudnnCallback_t callback = nullptr;
  GOOD(cudnnSetCallback(CUDNN_SEV_ERROR_EN | CUDNN_SEV_INFO_EN, &mask, heard));
  GOOD(cudnnGetCallback(&mask, &data, &callback));
  CHECK(mask == 10 && data == &mask && callback == heard);
  GOOD(cudnnSetCallback(0, nullptr, nullptr));
  cudnnDestroy(handle);
}

int main() {
  surroundings();
  handles();
  tensors();
  filters();
  convolutions();
  activations();
  filled<float>(CUDNN_DATA_FLOAT);
  filled<double>(CUDNN_DATA_DOUBLE);
  filled<__half>(CUDNN_DATA_HALF);
  filled<signed char>(CUDNN_DATA_INT8);
  return report("descriptors");
}
