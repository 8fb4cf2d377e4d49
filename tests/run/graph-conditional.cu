// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditional nodes: a kernel decides whether a loop goes on (Newton's method until it has converged), and an if that
// runs or does not; the bodies are filled by nodes and by capture. Handles of nested bodies and of child graphs have their default
// value at the beginning of each launch.
#include "check.h"

__global__ void newton_step(double *roots, const double *numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    roots[i] = (roots[i] + numbers[i] / roots[i]) / 2;
}
__global__ void decide(const double *roots, const double *numbers, int n, int *iterations,
                       cudaGraphConditionalHandle more) {
  ++*iterations;
  unsigned again = 0;
  for (int i = 0; i < n; i++)
    again |= fabs(roots[i] * roots[i] - numbers[i]) > 1e-12 * numbers[i];
  cudaGraphSetConditional(more, again);
}
__global__ void set_if(cudaGraphConditionalHandle handle, const int *iterations, int limit) {
  cudaGraphSetConditional(handle, *iterations > limit);
}
__global__ void mark(int *iterations) { *iterations = -*iterations; }

__global__ void count(int *cell) { ++*cell; }
__global__ void set(cudaGraphConditionalHandle handle, unsigned value) { cudaGraphSetConditional(handle, value); }
__global__ void count_down(cudaGraphConditionalHandle more, int *left) { cudaGraphSetConditional(more, --*left > 0); }

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t *after, void *kernel, void **args) {
  cudaGraphNode_t node;
  cudaKernelNodeParams params = {kernel, dim3(1), dim3(1), 0, args, NULL};
  CHECK(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params));
  return node;
}
static cudaGraph_t add_conditional(cudaGraph_t graph, cudaGraphConditionalNodeType type,
                                   cudaGraphConditionalHandle handle, cudaGraphNode_t *node) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = 1;
  CHECK(cudaGraphAddNode(node, graph, NULL, NULL, 0, &params)); // as CUDA 13 spells it
  return params.conditional.phGraph_out[0];
}

// A loop of three iterations around an if that its first iteration switches off: it is on again in the next launch.
static void nested() {
  buffer<int> cells(2); // how often the if ran; iterations left
  int *ran = cells.device, *left = cells.device + 1;
  unsigned off = 0;
  cudaGraph_t graph, parent;
  cudaGraphConditionalHandle more, once;
  cudaGraphNode_t loop, branch, child;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
  cudaGraph_t body = add_conditional(graph, cudaGraphCondTypeWhile, more, &loop);
  CHECK(cudaGraphConditionalHandleCreate(&once, body, 1, cudaGraphCondAssignDefault));
  void *count_args[] = {&ran}, *set_args[] = {&once, &off}, *down_args[] = {&more, &left};
  add_kernel(add_conditional(body, cudaGraphCondTypeIf, once, &branch), NULL, (void *)count, count_args);
  cudaGraphNode_t switched = add_kernel(body, &branch, (void *)set, set_args);
  add_kernel(body, &switched, (void *)count_down, down_args);
  CHECK(cudaGraphCreate(&parent, 0));
  // CUDA 12 does not take conditional nodes in child graphs.
  bool nests = cudaGraphAddChildGraphNode(&child, parent, NULL, 0, graph) == cudaSuccess;
  (void)cudaGetLastError();
  for (cudaGraph_t launched : {graph, parent}) {
    cudaGraphExec_t exec;
    if (launched == parent && !nests)
      continue;
    CHECK(cudaGraphInstantiate(&exec, launched, 0));
    for (int launch = 0; launch < 3; launch++) {
      cells[0] = 0, cells[1] = 3;
      cells.upload();
      CHECK(cudaGraphLaunch(exec, 0));
      cells.download();
      expect(launch, cells[0], 1);
      expect(launch, cells[1], 0);
    }
    CHECK(cudaGraphExecDestroy(exec));
  }
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(parent));
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = 40;
  buffer<double> roots(n), numbers(n);
  buffer<int> iterations(1);
  for (int i = 0; i < n; i++)
    numbers[i] = 1 + i * 3.25;
  numbers.upload();
  for (int limit = 2; limit < 100; limit += 90) {
    for (int i = 0; i < n; i++)
      roots[i] = 1;
    roots.upload();
    iterations[0] = 0;
    iterations.upload();

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle more, many;
    cudaGraphNode_t loop, test, branch, marked;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&many, graph));
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = more;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
#if CUDART_VERSION < 13000
    CHECK(cudaGraphAddNode(&loop, graph, NULL, 0, &params));
#else
    CHECK(cudaGraphAddNode(&loop, graph, NULL, NULL, 0, &params));
#endif

    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCaptureToGraph(stream, params.conditional.phGraph_out[0], NULL, NULL, 0,
                                        cudaStreamCaptureModeRelaxed));
    newton_step<<<blocks_for(n, block), block, 0, stream>>>(roots.device, numbers.device, n);
    decide<<<1, 1, 0, stream>>>(roots.device, numbers.device, n, iterations.device, more);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamEndCapture(stream, NULL));

    void *test_args[] = {&many, &iterations.device, &limit}, *mark_args[] = {&iterations.device};
    cudaKernelNodeParams kernel = {(void *)set_if, dim3(1), dim3(1), 0, test_args, NULL};
    CHECK(cudaGraphAddKernelNode(&test, graph, &loop, 1, &kernel));
    cudaGraphNodeParams branch_params = {cudaGraphNodeTypeConditional};
    branch_params.conditional.handle = many;
    branch_params.conditional.type = cudaGraphCondTypeIf;
    branch_params.conditional.size = 1;
    CHECK(cudaGraphAddNode(&branch, graph, &test, NULL, 1, &branch_params)); // as CUDA 13 spells it
    kernel.func = (void *)mark;
    kernel.kernelParams = mark_args;
    CHECK(cudaGraphAddKernelNode(&marked, branch_params.conditional.phGraph_out[0], NULL, 0, &kernel));

    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    roots.download();
    iterations.download();
    for (int i = 0; i < n; i++)
      expect_near(i, roots[i], sqrt(numbers[i]), 1e-12);

    int expected = 0; // the same on the host
    bool again = true;
    double host[40];
    for (int i = 0; i < n; i++)
      host[i] = 1;
    while (again) {
      again = false;
      for (int i = 0; i < n; i++) {
        host[i] = (host[i] + numbers[i] / host[i]) / 2;
        again |= fabs(host[i] * host[i] - numbers[i]) > 1e-12 * numbers[i];
      }
      expected++;
    }
    expect(limit, iterations[0], expected > limit ? -expected : expected);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
  }
  nested();
  return passed();
}
