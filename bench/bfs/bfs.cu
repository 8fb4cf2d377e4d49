// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breadth-first search of a random graph, level by level: a thread for each node of the frontier, which claims unseen
// neighbours by compare-and-swap and appends them to the next frontier. The host reads its size after each level.
// Arguments: nodes, searches.
#include "../common/graph.h"

__global__ void expand(const int *rows, const int *edges, int *distance, const int *frontier, int frontier_size,
                       int *next, int *next_size, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size)
    return;
  int node = frontier[i];
  for (int k = rows[node]; k < rows[node + 1]; k++) {
    int neighbour = edges[k];
    if (distance[neighbour] == -1 && atomicCAS(&distance[neighbour], -1, level) == -1)
      next[atomicAdd(next_size, 1)] = neighbour;
  }
}

__global__ void clear(int *distance, int nodes, int source) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nodes)
    distance[i] = i == source ? 0 : -1;
}

int main(int argc, char **argv) {
  const int nodes = (int)bench_argument(argc, argv, 1, 1 << 20, 1, "nodes");
  const int searches = (int)bench_argument(argc, argv, 2, 6, 1, "searches");
  const int block = 256;
  graph g = bench_make_graph(nodes);
  int *result = (int *)bench_allocate(nodes * sizeof(int));
  int *rows = bench_to_device(g.rows, nodes + 1), *edges = bench_to_device(g.edges, g.rows[nodes]);
  int *distance = bench_to_device(result, nodes), *frontier = bench_to_device(result, nodes);
  int *next = bench_to_device(result, nodes), *next_size = bench_to_device(result, 1);

  double start = bench_now_ms();
  for (int search = 0; search < searches; search++) {
    int source = bench_source(&g, search), size = 1;
    clear<<<(nodes + block - 1) / block, block>>>(distance, nodes, source);
    BENCH_CHECK(cudaMemcpy(frontier, &source, sizeof(int), cudaMemcpyHostToDevice));
    for (int level = 1; size > 0; level++) {
      BENCH_CHECK(cudaMemset(next_size, 0, sizeof(int)));
      expand<<<(size + block - 1) / block, block>>>(rows, edges, distance, frontier, size, next, next_size, level);
      BENCH_CHECK(cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDeviceToHost));
      int *swap = frontier;
      frontier = next;
      next = swap;
    }
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  BENCH_CHECK(cudaMemcpy(result, distance, nodes * sizeof(int), cudaMemcpyDeviceToHost));
  bench_report_words(time_ms, (uint32_t *)result, nodes);
  cudaFree(rows);
  cudaFree(edges);
  cudaFree(distance);
  cudaFree(frontier);
  cudaFree(next);
  cudaFree(next_size);
  free(result);
  free(g.rows);
  free(g.edges);
  return 0;
}
