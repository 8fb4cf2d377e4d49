// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that the host swaps, rotates, or makes the same one from launch to launch: a loop's bound that the kernel overwrites in
// one launch is not overwritten in the next. And a search of a graph, level by level, with two frontiers that are swapped.
#include "check.h"

#include <vector>

template <typename T> static T *fresh(size_t count) {
  T *memory;
  CHECK(cudaMalloc((void **)&memory, count * sizeof(T)));
  CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

// One thread: counts up to a bound that lies in `bound`, and lowers what lies in `data` at the same position.
__global__ void count(const int *bound, int *data, int *iterations) {
  int done = 0;
  for (int k = 0; k < bound[0]; k++) {
    data[0] -= 1;
    done++;
  }
  if (threadIdx.x == 0)
    iterations[0] = done;
}

static void check_counts() {
  int *a = fresh<int>(1), *b = fresh<int>(1), *c = fresh<int>(1), *iterations = fresh<int>(1), zero = 0, ten = 10;
  int *bound = a, *data = b;
  for (int iteration = 0; iteration < 9; iteration++) {
    CHECK(cudaMemcpy(data, &zero, sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(bound, &ten, sizeof(int), cudaMemcpyHostToDevice));
    count<<<1, 1>>>(bound, data, iterations);
    int got;
    CHECK(cudaMemcpy(&got, iterations, sizeof(int), cudaMemcpyDeviceToHost));
    expect(iteration, got, bound == data ? 5 : 10);
    int *swap = bound;
    bound = data;
    data = swap;
    if (iteration == 2)
      data = c;
    if (iteration == 4)
      data = bound;
    if (iteration == 6)
      bound = a, data = b;
  }
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(iterations);
}

__global__ void expand(const int *rows, const int *edges, int *distance, const int *frontier, int size, int *next,
                       int *next_size, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int node = frontier[i];
  for (int k = rows[node]; k < rows[node + 1]; k++) {
    int neighbour = edges[k];
    if (distance[neighbour] == -1 && atomicCAS(&distance[neighbour], -1, level) == -1)
      next[atomicAdd(next_size, 1)] = neighbour;
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), nodes = 20000;
  check_counts();
  std::vector<int> rows(nodes + 1), edges, want(nodes, -1), queue{7};
  unsigned state = 3;
  for (int node = 0; node < nodes; node++) {
    for (unsigned k = next_random(state) % 9; k > 0; k--)
      edges.push_back((int)(next_random(state) % nodes));
    rows[node + 1] = (int)edges.size();
  }
  want[7] = 0;
  for (size_t i = 0; i < queue.size(); i++)
    for (int k = rows[queue[i]]; k < rows[queue[i] + 1]; k++)
      if (want[edges[k]] == -1) {
        want[edges[k]] = want[queue[i]] + 1;
        queue.push_back(edges[k]);
      }

  int *rows_there = fresh<int>(nodes + 1), *edges_there = fresh<int>(edges.size()), *distance = fresh<int>(nodes);
  int *frontier = fresh<int>(nodes), *next = fresh<int>(nodes), *next_size = fresh<int>(1), size = 1, zero = 0;
  CHECK(cudaMemcpy(rows_there, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(edges_there, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(distance, -1, nodes * sizeof(int)));
  CHECK(cudaMemcpy(distance + 7, &zero, sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(frontier, queue.data(), sizeof(int), cudaMemcpyHostToDevice));
  for (int level = 1; size > 0; level++) {
    CHECK(cudaMemset(next_size, 0, sizeof(int)));
    expand<<<blocks_for(size, block), block>>>(rows_there, edges_there, distance, frontier, size, next, next_size,
                                               level);
    CHECK(cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDeviceToHost));
    int *swap = frontier;
    frontier = next;
    next = swap;
  }
  std::vector<int> got(nodes);
  CHECK(cudaMemcpy(got.data(), distance, nodes * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < nodes; i++)
    expect(i, got[i], want[i]);
  return passed();
}
