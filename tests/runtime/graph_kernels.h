/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the tests of graphs and of stream capture share: a module of two kernels and a variable, which note who ran in
 * which order, and the parameters of a node that runs the first.
 */
#ifndef GRAPH_KERNELS_H
#define GRAPH_KERNELS_H

#include "check.h"

static int order[64], order_count;

/* void note(int *out, int value): writes the value, and down who ran. */
static void note_entry(const uwrt_dims *dims, void **args) {
  int *out = *(int **)args[0], value = *(int *)args[1];
  *out = value * (int)dims->grid[0];
  order[order_count++ % 64] = value;
}
static void note(void) {}

/* void count_down(int *left, cudaGraphConditionalHandle handle) */
static void count_entry(const uwrt_dims *dims, void **args) {
  int *left = *(int **)args[0];
  unsigned int *value = (unsigned int *)(uintptr_t)*(cudaGraphConditionalHandle *)args[1];
  (void)dims;
  *value = --*left > 0;
}
static void count_down(void) { order_count += 0; }

#define ADDRESS(function) ((void *)(uintptr_t)(function))
static int variable[8];
static const uint32_t note_sizes[] = {sizeof(int *), sizeof(int)};
static const uint32_t count_sizes[] = {sizeof(int *), sizeof(cudaGraphConditionalHandle)};
static const uwrt_kernel kernels[] = {{ADDRESS(note), "note", note_entry, 0, 0, 0, 2, note_sizes, 0},
                                      {ADDRESS(count_down), "count_down", count_entry, 0, 0, 0, 2, count_sizes, 0}};
static const uwrt_variable variables[] = {{variable, "variable", sizeof variable, 0}};
static const uwrt_module module = {UWRT_ABI_VERSION, 2, 1, 0, kernels, variables};

static int *device; /* 64 ints */

static inline struct cudaKernelNodeParams note_params(int **out, int *value, unsigned int blocks) {
  static void *args[16][2];
  static int next;
  void **own = args[next++ % 16];
  own[0] = out;
  own[1] = value;
  return (struct cudaKernelNodeParams){ADDRESS(note), {blocks, 1, 1}, {1, 1, 1}, 0, own, NULL};
}

static inline void host_note(void *data) { order[order_count++ % 64] = *(int *)data; }

static inline size_t node_count(cudaGraph_t graph) {
  size_t count = 99;
  CHECK_OK(cudaGraphGetNodes(graph, NULL, &count));
  return count;
}

#endif
