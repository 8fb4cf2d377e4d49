// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breadth-first search by hand: each thread gathers what it finds in a small buffer of its own and appends the buffer
// to the next frontier when it is full; edges of nodes further on in the frontier are prefetched. Arguments: nodes,
// searches.
#include "../common/graph.h"

enum { ROOM = 1024, AHEAD = 16 };

static int expand(const graph *g, int *restrict distance, const int *restrict frontier, int size, int *restrict next,
                  int level) {
  const int *rows = g->rows, *edges = g->edges;
  int next_size = 0;
#pragma omp parallel if (size > 512)
  {
    int found[ROOM], count = 0;
#pragma omp for schedule(dynamic, 256) nowait
    for (int i = 0; i < size; i++) {
      if (i + 2 * AHEAD < size)
        __builtin_prefetch(&rows[frontier[i + 2 * AHEAD]]);
      if (i + AHEAD < size)
        __builtin_prefetch(&edges[rows[frontier[i + AHEAD]]]);
      const int node = frontier[i], last = rows[node + 1];
      for (int k = rows[node]; k < last; k++) {
        const int neighbour = edges[k];
        int unseen = -1;
        if (__atomic_load_n(&distance[neighbour], __ATOMIC_RELAXED) != -1)
          continue;
        if (!__atomic_compare_exchange_n(&distance[neighbour], &unseen, level, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
          continue;
        found[count++] = neighbour;
        if (count == ROOM) {
          int place = __atomic_fetch_add(&next_size, ROOM, __ATOMIC_RELAXED);
          memcpy(next + place, found, sizeof(found));
          count = 0;
        }
      }
    }
    int place = __atomic_fetch_add(&next_size, count, __ATOMIC_RELAXED);
    memcpy(next + place, found, count * sizeof(int));
  }
  return next_size;
}

int main(int argc, char **argv) {
  const int nodes = (int)bench_argument(argc, argv, 1, 1 << 20, 1, "nodes");
  const int searches = (int)bench_argument(argc, argv, 2, 6, 1, "searches");
  graph g = bench_make_graph(nodes);
  int *distance = bench_allocate(nodes * sizeof(int));
  int *frontier = bench_allocate(nodes * sizeof(int)), *next = bench_allocate(nodes * sizeof(int));

  double start = bench_now_ms();
  for (int search = 0; search < searches; search++) {
    int size = 1;
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < nodes; i++)
      distance[i] = -1;
    frontier[0] = bench_source(&g, search);
    distance[frontier[0]] = 0;
    for (int level = 1; size > 0; level++) {
      size = expand(&g, distance, frontier, size, next, level);
      int *swap = frontier;
      frontier = next;
      next = swap;
    }
  }
  double time_ms = bench_now_ms() - start;

  bench_report_words(time_ms, (uint32_t *)distance, nodes);
  free(distance);
  free(frontier);
  free(next);
  free(g.rows);
  free(g.edges);
  return 0;
}
