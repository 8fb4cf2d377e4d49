// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What works where no context is current: a stream of the program's own has one, and so have a graph's nodes whose
// caller names it, and what is asked of a module. Where none is named, the call is refused. And cuMemGetInfo for one of its two numbers.
#include "../check.h"
#include <cuda.h>

#define OK(call) CHECK((int)(call) == 0)

static const char text[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 shift = 1;
.visible .entry add(.param .u64 x, .param .u32 n, .param .u32 by)
{
  .reg .b32 %r<7>; .reg .b64 %d<4>; .reg .pred %p;
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.s32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [n]; setp.ge.s32 %p, %r3, %r4; @%p ret;
  ld.param.u64 %d0, [x]; cvta.to.global.u64 %d1, %d0; mul.wide.s32 %d2, %r3, 4; add.s64 %d3, %d1, %d2;
  ld.param.u32 %r4, [by]; ld.global.u32 %r5, [%d3]; add.s32 %r5, %r5, %r4; st.global.u32 [%d3], %r5; ret;
}
)";

int main() {
  const int n = 64;
  int out[n];
  CUcontext context, none;
  CUstream stream;
  CUdeviceptr x, y;
  CUmemoryPool pool;
  CUdevice device;
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode node, second, third;
  CUmodule module;
  CUfunction function;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxPushCurrent(context));
  OK(cuModuleLoadData(&module, text));
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuDeviceGetDefaultMemPool(&pool, device));
  OK(cuCtxPopCurrent(&context));
  OK(cuCtxGetCurrent(&none));
  CHECK(none == nullptr);
  CUfunction listed = nullptr;
  unsigned functions = 0;
  OK(cuModuleGetFunction(&function, module, "add"));
  OK(cuModuleGetFunctionCount(&functions, module));
  OK(cuModuleEnumerateFunctions(&listed, 1, module));
  CHECK(functions == 1 && listed == function);
  CUdeviceptr shift = 0;
  size_t bytes = 0;
  OK(cuModuleGetGlobal(&shift, &bytes, module, "shift"));
  CHECK(shift && bytes == 4);
  CHECK(cuMemAllocAsync(&x, n * 4, nullptr) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuMemAllocFromPoolAsync(&x, n * 4, pool, CU_STREAM_LEGACY) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuMemAllocAsync(&x, n * 4, stream));
  OK(cuMemAllocFromPoolAsync(&y, n * 4, pool, stream));
  OK(cuMemFreeAsync(y, stream));
  OK(cuGraphCreate(&graph, 0));
  int by = 3, count = n;
  void *params[] = {&x, &count, &by};
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = x, fill.value = 4, fill.elementSize = 4, fill.width = n, fill.height = 1;
  CHECK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, nullptr) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = function, kernel.gridDimX = 2, kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 32, kernel.blockDimY = kernel.blockDimZ = 1, kernel.kernelParams = params;
  OK(cuGraphAddKernelNode(&second, graph, &node, 1, &kernel));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = x, copy.srcPitch = n * 4;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = out, copy.dstPitch = n * 4;
  copy.WidthInBytes = n * 4, copy.Height = copy.Depth = 1;
  CHECK(cuGraphAddMemcpyNode(&third, graph, &second, 1, &copy, nullptr) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuGraphAddMemcpyNode(&third, graph, &second, 1, &copy, context));
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuCtxPushCurrent(context));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(out[0] == 7 && out[n - 1] == 7);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  OK(cuMemFreeAsync(x, stream));
  OK(cuStreamDestroy(stream));
  size_t available = 0, total = 0;
  OK(cuMemGetInfo(nullptr, &total));
  OK(cuMemGetInfo(&available, nullptr));
  CHECK(available > 0 && total >= available);
  CHECK(cuMemGetInfo(nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
  return report("without_context");
}
