/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C++ forms of the graph functions (CUDA Runtime API, "C++ API Routines"): a device variable by its name, a typed user
 * object, the argument lists of CUDA 11, and what those of CUDA 13 do (forms_of_13.h), which take the edges' data as well.
 */
#ifndef UNWARP_GRAPH_OVERLOADS_H
#define UNWARP_GRAPH_OVERLOADS_H

/* --- device variables --- */

template <class __Type>
static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                                         const cudaGraphNode_t *__dependencies, size_t __count,
                                                         const __Type &__symbol, const void *__from, size_t __bytes,
                                                         size_t __offset, enum cudaMemcpyKind __kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(__node, __graph, __dependencies, __count,
                                          (const void *)__builtin_addressof(__symbol), __from, __bytes, __offset,
                                          __kind);
}
template <class __Type>
static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                                           const cudaGraphNode_t *__dependencies, size_t __count,
                                                           void *__to, const __Type &__symbol, size_t __bytes,
                                                           size_t __offset, enum cudaMemcpyKind __kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(__node, __graph, __dependencies, __count, __to,
                                            (const void *)__builtin_addressof(__symbol), __bytes, __offset, __kind);
}
template <class __Type>
static inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t __node, const __Type &__symbol,
                                                               const void *__from, size_t __bytes, size_t __offset,
                                                               enum cudaMemcpyKind __kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(__node, (const void *)__builtin_addressof(__symbol), __from, __bytes,
                                                __offset, __kind);
}
template <class __Type>
static inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t __node, void *__to,
                                                                 const __Type &__symbol, size_t __bytes,
                                                                 size_t __offset, enum cudaMemcpyKind __kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(__node, __to, (const void *)__builtin_addressof(__symbol), __bytes,
                                                  __offset, __kind);
}
template <class __Type>
static inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                                   const __Type &__symbol, const void *__from,
                                                                   size_t __bytes, size_t __offset,
                                                                   enum cudaMemcpyKind __kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(__exec, __node, (const void *)__builtin_addressof(__symbol), __from,
                                                    __bytes, __offset, __kind);
}
template <class __Type>
static inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                                     void *__to, const __Type &__symbol, size_t __bytes,
                                                                     size_t __offset, enum cudaMemcpyKind __kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(__exec, __node, __to, (const void *)__builtin_addressof(__symbol),
                                                      __bytes, __offset, __kind);
}

/* --- an object that delete destroys --- */

template <class __Type> static void __uw_delete_object(void *__object) { delete (__Type *)__object; }
template <class __Type>
static inline cudaError_t cudaUserObjectCreate(cudaUserObject_t *__handle, __Type *__object, unsigned int __references,
                                               unsigned int __flags) {
  return ::cudaUserObjectCreate(__handle, __object, __uw_delete_object<__Type>, __references, __flags);
}
template <class __Type>
static inline cudaError_t cudaUserObjectCreate(cudaUserObject_t *__handle, __Type *__object,
                                               cudaUserObjectFlags __flags, unsigned int __references = 1) {
  return ::cudaUserObjectCreate(__handle, __object, __uw_delete_object<__Type>, __references, (unsigned int)__flags);
}

/* --- as in CUDA 11 --- */

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                               cudaGraphNode_t *__error_node, char *__log, size_t __log_bytes) {
  cudaGraphInstantiateParams __params = cudaGraphInstantiateParams();
  cudaError_t __status = ::cudaGraphInstantiateWithParams(__exec, __graph, &__params);
  if (__error_node)
    *__error_node = __params.errNode_out;
  if (__log && __log_bytes)
    *__log = 0;
  return __status;
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph,
                                              cudaGraphNode_t *__error_node, enum cudaGraphExecUpdateResult *__result) {
  cudaGraphExecUpdateResultInfo __info;
  cudaError_t __status = ::cudaGraphExecUpdate(__exec, __graph, &__info);
  if (__error_node)
    *__error_node = __info.errorNode;
  if (__result)
    *__result = __info.result;
  return __status;
}

/* --- what the calls of unwarp/forms_of_13.h do --- */

#if __cplusplus >= 201103L
template <> struct __uw_runtime_13<__UW_OF_FILE> {
  typedef cudaError_t result;
  typedef enum cudaStreamCaptureStatus status;
  typedef enum cudaMemoryAdvise advice;

  static cudaError_t advise(const void *__memory, size_t __bytes, enum cudaMemoryAdvise __advice,
                            struct cudaMemLocation __place) {
    return ::cudaMemAdvise_v2(__memory, __bytes, __advice, __place);
  }
  static cudaError_t prefetch(const void *__memory, size_t __bytes, struct cudaMemLocation __place,
                              unsigned int __flags, cudaStream_t __stream) {
    return ::cudaMemPrefetchAsync_v2(__memory, __bytes, __place, __flags, __stream);
  }
  static cudaError_t capture_info(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status,
                                  unsigned long long *__id, cudaGraph_t *__graph,
                                  const cudaGraphNode_t **__dependencies, const cudaGraphEdgeData **__data,
                                  size_t *__count) {
    return ::cudaStreamGetCaptureInfo_v3(__stream, __status, __id, __graph, __dependencies, __data, __count);
  }
  static cudaError_t update_dependencies(cudaStream_t __stream, cudaGraphNode_t *__dependencies,
                                         const cudaGraphEdgeData *__data, size_t __count, unsigned int __flags) {
    return ::cudaStreamUpdateCaptureDependencies_v2(__stream, __dependencies, __data, __count, __flags);
  }
  static cudaError_t add_node(cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__dependencies,
                              const cudaGraphEdgeData *__data, size_t __count, struct cudaGraphNodeParams *__params) {
    return ::cudaGraphAddNode_v2(__node, __graph, __dependencies, __data, __count, __params);
  }
  static cudaError_t add_dependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from, const cudaGraphNode_t *__to,
                                      const cudaGraphEdgeData *__data, size_t __count) {
    return ::cudaGraphAddDependencies_v2(__graph, __from, __to, __data, __count);
  }
  static cudaError_t remove_dependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                         const cudaGraphNode_t *__to, const cudaGraphEdgeData *__data, size_t __count) {
    return ::cudaGraphRemoveDependencies_v2(__graph, __from, __to, __data, __count);
  }
  static cudaError_t edges(cudaGraph_t __graph, cudaGraphNode_t *__from, cudaGraphNode_t *__to,
                           cudaGraphEdgeData *__data, size_t *__count) {
    return ::cudaGraphGetEdges_v2(__graph, __from, __to, __data, __count);
  }
  static cudaError_t dependencies(cudaGraphNode_t __node, cudaGraphNode_t *__dependencies, cudaGraphEdgeData *__data,
                                  size_t *__count) {
    return ::cudaGraphNodeGetDependencies_v2(__node, __dependencies, __data, __count);
  }
  static cudaError_t dependents(cudaGraphNode_t __node, cudaGraphNode_t *__dependents, cudaGraphEdgeData *__data,
                                size_t *__count) {
    return ::cudaGraphNodeGetDependentNodes_v2(__node, __dependents, __data, __count);
  }
};
#endif

#ifdef __CUDA__
/* A conditional handle is the address of its value. */
static __device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned int __value) {
  *(volatile unsigned int *)__handle = __value;
}
#endif

#endif
