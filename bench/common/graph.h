// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random directed graph in compressed rows, the same in both programs of the pair: every node has 1 to 15 edges, most
// of them to nodes anywhere, some to near ones.
#ifndef BENCH_GRAPH_H
#define BENCH_GRAPH_H

#include "bench.h"

typedef struct graph {
  int nodes;
  int *rows; // nodes + 1 positions in edges
  int *edges;
} graph;

static inline graph bench_make_graph(int nodes) {
  graph g;
  uint32_t state = 6;
  g.nodes = nodes;
  g.rows = (int *)bench_allocate((nodes + 1) * sizeof(int));
  for (int node = 0; node < nodes; node++)
    g.rows[node + 1] = g.rows[node] + 1 + (int)(bench_random(&state) % 15);
  g.edges = (int *)bench_allocate(g.rows[nodes] * sizeof(int));
  for (int node = 0; node < nodes; node++)
    for (int k = g.rows[node]; k < g.rows[node + 1]; k++) {
      uint32_t high = bench_random(&state), low = bench_random(&state);
      if (high % 4 == 0)
        g.edges[k] = (node + (int)(low % 64)) % nodes;
      else
        g.edges[k] = (int)(((uint64_t)high << 24 | low) % (uint32_t)nodes);
    }
  return g;
}

// Where search `iteration` starts.
static inline int bench_source(const graph *g, int iteration) {
  return (int)((uint32_t)iteration * 7919u % (uint32_t)g->nodes);
}

#endif
