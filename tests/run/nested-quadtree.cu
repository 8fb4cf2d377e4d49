// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quadtree that builds itself: a block counts the points of its node by warps (ballots, shared memory, barriers), moves them to
// its four quarters, and its last thread launches a grid of four blocks for them. Nodes lie in mapped host memory, points in
// managed memory; child nodes come from a counter. The host walks the tree.
// nvcc flags: -rdc=true
#include "check.h"

struct box {
  float x0, y0, x1, y1;
};
struct node {
  box area;
  int begin, end, children, depth; // children: the first of four, or 0
};
struct tree {
  node *nodes;
  float2 *points[2];
  int used, most;
};

enum { DEEPEST = 9, FEW = 12 };

static __host__ __device__ int quarter_of(const box &b, float2 p) {
  return (p.x >= 0.5f * (b.x0 + b.x1) ? 1 : 0) + (p.y >= 0.5f * (b.y0 + b.y1) ? 2 : 0);
}
static __host__ __device__ box quarter(const box &b, int q) {
  float x = 0.5f * (b.x0 + b.x1), y = 0.5f * (b.y0 + b.y1);
  return {q & 1 ? x : b.x0, q & 2 ? y : b.y0, q & 1 ? b.x1 : x, q & 2 ? b.y1 : y};
}

// The points of a node of depth d are in points[d % 2], and end in points[0].
__global__ void split(tree *t, int first) {
  extern __shared__ int at[]; // [4], where the next point of each quarter goes
  node &own = t->nodes[first + blockIdx.x];
  const float2 *in = t->points[own.depth % 2];
  float2 *out = t->points[(own.depth + 1) % 2];
  if (own.depth == DEEPEST || own.end - own.begin <= FEW) {
    if (own.depth % 2)
      for (int i = own.begin + threadIdx.x; i < own.end; i += blockDim.x)
        out[i] = in[i];
    return;
  }
  for (int q = threadIdx.x; q < 4; q += blockDim.x)
    at[q] = 0;
  __syncthreads();
  for (int i = own.begin + threadIdx.x; i < own.end; i += blockDim.x)
    atomicAdd(&at[quarter_of(own.area, in[i])], 1);
  __syncthreads();
  __shared__ int begin[5];
  if (threadIdx.x == 0) {
    begin[0] = own.begin;
    for (int q = 0; q < 4; q++)
      begin[q + 1] = begin[q] + at[q];
    for (int q = 0; q < 4; q++)
      at[q] = begin[q];
  }
  __syncthreads();
  int turns = (own.end - own.begin + blockDim.x - 1) / blockDim.x;
  for (int turn = 0; turn < turns; turn++) {
    int i = own.begin + turn * blockDim.x + threadIdx.x, q = i < own.end ? quarter_of(own.area, in[i]) : -1;
    for (int k = 0; k < 4; k++) {
      unsigned mask = __ballot_sync(__activemask(), q == k);
      int lane = threadIdx.x % 32, place = 0;
      if (lane == 0 && mask)
        place = atomicAdd(&at[k], __popc(mask));
      place = __shfl_sync(__activemask(), place, 0) + __popc(mask & ((1u << lane) - 1));
      if (q == k)
        out[place] = in[i];
    }
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    int children = atomicAdd(&t->used, 4);
    if (children + 4 > t->most)
      return;
    own.children = children;
    for (int q = 0; q < 4; q++)
      t->nodes[children + q] = {quarter(own.area, q), begin[q], begin[q + 1], 0, own.depth + 1};
    split<<<4, blockDim.x, 4 * sizeof(int)>>>(t, children);
  }
}

static int walk(const tree &t, int index, const float2 *points) {
  const node &own = t.nodes[index];
  if (!own.children) {
    if (own.depth < DEEPEST && own.end - own.begin > FEW)
      fail_at(index, own.end - own.begin, (int)FEW);
    for (int i = own.begin; i < own.end; i++) {
      float2 p = points[i];
      if (p.x < own.area.x0 || p.x >= own.area.x1 || p.y < own.area.y0 || p.y >= own.area.y1)
        fail_at(i, p.x, own.area.x0);
    }
    return own.end - own.begin;
  }
  int sum = 0, next = own.begin;
  for (int q = 0; q < 4; q++) {
    expect(index, t.nodes[own.children + q].begin, next);
    next = t.nodes[own.children + q].end;
    sum += walk(t, own.children + q, points);
  }
  expect(index, sum, own.end - own.begin);
  return sum;
}

int main(int argc, char **argv) {
  const int n = 6000, most = 20000;
  int block = block_size(argc, argv);
  tree *t;
  node *nodes;
  CHECK(cudaMallocManaged(&t, sizeof *t));
  CHECK(cudaHostAlloc(&nodes, most * sizeof *nodes, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&t->nodes, nodes, 0));
  for (int k = 0; k < 2; k++)
    CHECK(cudaMallocManaged(&t->points[k], n * sizeof(float2)));
  t->used = 1, t->most = most;
  nodes[0] = {{0, 0, 1, 1}, 0, n, 0, 0};
  unsigned state = 77;
  double before = 0, after = 0;
  for (int i = 0; i < n; i++) {
    float x = (float)(next_random(state) % 4096) / 4096, y = (float)(next_random(state) % 4096) / 4096;
    t->points[0][i] = make_float2(x * x, y); // denser at the left
    before += t->points[0][i].x + 3.0 * t->points[0][i].y;
  }
  split<<<1, block, 4 * sizeof(int)>>>(t, 0);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  expect(0, walk(*t, 0, t->points[0]), n);
  if (t->used < 4 * n / FEW / 4)
    fail_at(0, t->used, n / FEW);
  for (int i = 0; i < n; i++)
    after += t->points[0][i].x + 3.0 * t->points[0][i].y;
  expect_near(0, after, before, 1e-9);
  CHECK(cudaFreeHost(nodes));
  for (int k = 0; k < 2; k++)
    CHECK(cudaFree(t->points[k]));
  CHECK(cudaFree(t));
  return passed();
}
