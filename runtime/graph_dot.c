/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Prints a graph in the language of dot: a box for each node with its kind and, where the flags ask for it, what it was
 * told to do; nested graphs follow as clusters.
 */
#include <stdio.h>

#include "graph.h"

static const char *const kinds[] = {[cudaGraphNodeTypeKernel] = "KERNEL",
                                    [cudaGraphNodeTypeMemcpy] = "MEMCPY",
                                    [cudaGraphNodeTypeMemset] = "MEMSET",
                                    [cudaGraphNodeTypeHost] = "HOST",
                                    [cudaGraphNodeTypeGraph] = "GRAPH",
                                    [cudaGraphNodeTypeEmpty] = "EMPTY",
                                    [cudaGraphNodeTypeWaitEvent] = "EVENT_WAIT",
                                    [cudaGraphNodeTypeEventRecord] = "EVENT_RECORD",
                                    [cudaGraphNodeTypeMemAlloc] = "MEM_ALLOC",
                                    [cudaGraphNodeTypeMemFree] = "MEM_FREE",
                                    [cudaGraphNodeTypeConditional] = "CONDITIONAL"};

static const unsigned int wanted_by[] = {[cudaGraphNodeTypeKernel] = cudaGraphDebugDotFlagsKernelNodeParams,
                                         [cudaGraphNodeTypeMemcpy] = cudaGraphDebugDotFlagsMemcpyNodeParams,
                                         [cudaGraphNodeTypeMemset] = cudaGraphDebugDotFlagsMemsetNodeParams,
                                         [cudaGraphNodeTypeHost] = cudaGraphDebugDotFlagsHostNodeParams,
                                         [cudaGraphNodeTypeWaitEvent] = cudaGraphDebugDotFlagsEventNodeParams,
                                         [cudaGraphNodeTypeEventRecord] = cudaGraphDebugDotFlagsEventNodeParams,
                                         [cudaGraphNodeTypeConditional] = cudaGraphDebugDotFlagsConditionalNodeParams};

static int is_wanted(enum cudaGraphNodeType type, unsigned int flags) {
  unsigned int flag = (size_t)type < sizeof wanted_by / sizeof *wanted_by ? wanted_by[type] : 0;
  return (flags & (flag | cudaGraphDebugDotFlagsVerbose)) != 0;
}

static void print_params(FILE *file, const uwrt_work *work) {
  switch (work->type) {
  case cudaGraphNodeTypeKernel: {
    const uwrt_dims *dims = &work->kernel.dims;
    fprintf(file, "\\n<<<(%u,%u,%u),(%u,%u,%u),%llu>>>", dims->grid[0], dims->grid[1], dims->grid[2], dims->block[0],
            dims->block[1], dims->block[2], (unsigned long long)dims->shared_bytes);
    break;
  }
  case cudaGraphNodeTypeMemcpy:
    fprintf(file, "\\nfrom %p to %p\\n%zu x %zu x %zu", work->copy.srcPtr.ptr, work->copy.dstPtr.ptr,
            work->copy.extent.width, work->copy.extent.height, work->copy.extent.depth);
    break;
  case cudaGraphNodeTypeMemset:
    fprintf(file, "\\n%p = %u\\n%zu x %zu of %u bytes", work->fill.rows.dst, work->fill.rows.value,
            work->fill.rows.width, work->fill.rows.height, work->fill.rows.elementSize);
    break;
  case cudaGraphNodeTypeHost: fprintf(file, "\\nuserData %p", work->host.userData); break;
  case cudaGraphNodeTypeWaitEvent:
  case cudaGraphNodeTypeEventRecord: fprintf(file, "\\nevent %p", (void *)work->event); break;
  case cudaGraphNodeTypeConditional:
    fprintf(file, "\\nhandle %llx, %u bodies", work->conditional.handle, work->conditional.size);
    break;
  default: break;
  }
}

static void print_graph(FILE *file, cudaGraph_t graph, unsigned int flags) {
  fprintf(file, "subgraph cluster_%llu {\nlabel=\"graph_%llu\" graph[style=\"dashed\"];\n",
          (unsigned long long)graph->id, (unsigned long long)graph->id);
  for (size_t i = 0; i < graph->node_count; i++) {
    cudaGraphNode_t node = graph->nodes[i];
    fprintf(file, "\"node_%llu\" [shape=\"box\" label=\"%zu\\n%s", (unsigned long long)node->id, i,
            kinds[node->work.type]);
    if (node->work.type == cudaGraphNodeTypeKernel)
      fprintf(file, "\\n%s", node->work.kernel.kernel->name);
    if (is_wanted(node->work.type, flags))
      print_params(file, &node->work);
    if (flags & (cudaGraphDebugDotFlagsHandles | cudaGraphDebugDotFlagsVerbose))
      fprintf(file, "\\nhandle %p", (void *)node);
    fprintf(file, "\"];\n");
    for (size_t e = 0; e < node->edge_count; e++)
      fprintf(file, "\"node_%llu\" -> \"node_%llu\";\n", (unsigned long long)node->edges[e].from->id,
              (unsigned long long)node->id);
  }
  fprintf(file, "}\n");
  for (size_t i = 0; i < graph->node_count; i++) {
    const uwrt_work *work = &graph->nodes[i]->work;
    if (work->type == cudaGraphNodeTypeGraph)
      print_graph(file, work->child, flags);
    for (unsigned int b = 0; work->type == cudaGraphNodeTypeConditional && b < work->conditional.size; b++)
      print_graph(file, work->conditional.bodies[b], flags);
  }
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(path && uwrt_graph_exists(graph), cudaErrorInvalidValue);
  FILE *file = fopen(path, "we");
  UWRT_REQUIRE(file, cudaErrorOperatingSystem);
  fprintf(file, "digraph dot {\n");
  print_graph(file, graph, flags);
  fprintf(file, "}\n");
  if (fclose(file) != 0)
    error = cudaErrorOperatingSystem;
  UWRT_GRAPH_LEAVE;
}
