/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In C++: calls in the form that CUDA 13 gave them, beside those of 12; the arguments tell which is meant. A name has
 * one function all the same, whose address a program takes (`auto add = cuGraphAddNode`): 13's forms are friends of the
 * handles among their arguments, so that nothing but a call with such an argument finds them. What they do is in
 * unwarp/driver/overloads.h and unwarp/graph_overloads.h; where that was not included, they are no candidates.
 */
#ifndef UNWARP_FORMS_OF_13_H
#define UNWARP_FORMS_OF_13_H

#include "version.h"

#if defined(__cplusplus) && __cplusplus >= 201103L

/* A program may include this by a header within extern "C". */
extern "C++" {

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define __UW_OF_STREAM(name) name##_ptsz
#define __UW_OF_FILE (UNWARP_CUDA_VERSION + 1)
#else
#define __UW_OF_STREAM(name) name
#define __UW_OF_FILE UNWARP_CUDA_VERSION
#endif

/* The types and calls, defined by cuda.h and cuda_runtime.h for what the file that is compiled was given: files of
 * several kinds are linked together. */
template <int> struct __uw_driver_13;
template <int> struct __uw_runtime_13;

struct CUctx_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUstream_st;
struct CUctxCreateParams_st;
struct CUgraphEdgeData_st;
struct CUgraphNodeParams_st;
struct cudaGraphEdgeData_st;
struct cudaGraphNodeParams;

struct CUctx_st {
  template <class __Uw = __uw_driver_13<__UW_OF_FILE>>
  friend inline typename __Uw::result cuCtxCreate_v2(CUctx_st **__context, CUctxCreateParams_st *__params,
                                                     unsigned int __flags, int __device) {
    return __Uw::create(__context, __params, __flags, __device);
  }
};

struct CUstream_st {
  template <class __Uw = __uw_driver_13<__UW_OF_FILE>>
  friend inline typename __Uw::result __UW_OF_STREAM(cuStreamGetCaptureInfo_v2)(
      CUstream_st *__stream, typename __Uw::status *__status, typename __Uw::id *__id, CUgraph_st **__graph,
      CUgraphNode_st *const **__dependencies, const CUgraphEdgeData_st **__data, decltype(sizeof 0) *__count) {
    return __Uw::capture_info(__stream, __status, __id, __graph, __dependencies, __data, __count);
  }
  template <class __Uw = __uw_driver_13<__UW_OF_FILE>>
  friend inline typename __Uw::result
  __UW_OF_STREAM(cuStreamUpdateCaptureDependencies)(CUstream_st *__stream, CUgraphNode_st **__dependencies,
                                                    const CUgraphEdgeData_st *__data, decltype(sizeof 0) __count,
                                                    unsigned int __flags) {
    return __Uw::update_dependencies(__stream, __dependencies, __data, __count, __flags);
  }
  template <class __Uw = __uw_runtime_13<__UW_OF_FILE>>
  friend inline typename __Uw::result __UW_OF_STREAM(cudaStreamGetCaptureInfo)(
      CUstream_st *__stream, typename __Uw::status *__status, unsigned long long *__id, CUgraph_st **__graph,
      CUgraphNode_st *const **__dependencies, const cudaGraphEdgeData_st **__data, decltype(sizeof 0) *__count) {
    return __Uw::capture_info(__stream, __status, __id, __graph, __dependencies, __data, __count);
  }
  template <class __Uw = __uw_runtime_13<__UW_OF_FILE>>
  friend inline typename __Uw::result
  __UW_OF_STREAM(cudaStreamUpdateCaptureDependencies)(CUstream_st *__stream, CUgraphNode_st **__dependencies,
                                                      const cudaGraphEdgeData_st *__data, decltype(sizeof 0) __count,
                                                      unsigned int __flags) {
    return __Uw::update_dependencies(__stream, __dependencies, __data, __count, __flags);
  }
};

/* The same calls in both libraries. */
#define __UW_CALLS_OF_GRAPHS(prefix, traits, data, params)                                                             \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result prefix##GraphAddNode(CUgraphNode_st **__node, CUgraph_st *__graph,               \
                                                           CUgraphNode_st *const *__dependencies, const data *__data,  \
                                                           decltype(sizeof 0) __count, params *__params) {             \
    return __Uw::add_node(__node, __graph, __dependencies, __data, __count, __params);                                 \
  }                                                                                                                    \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result prefix##GraphAddDependencies(CUgraph_st *__graph, CUgraphNode_st *const *__from, \
                                                                   CUgraphNode_st *const *__to, const data *__data,    \
                                                                   decltype(sizeof 0) __count) {                       \
    return __Uw::add_dependencies(__graph, __from, __to, __data, __count);                                             \
  }                                                                                                                    \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result prefix##GraphRemoveDependencies(                                                 \
      CUgraph_st *__graph, CUgraphNode_st *const *__from, CUgraphNode_st *const *__to, const data *__data,             \
      decltype(sizeof 0) __count) {                                                                                    \
    return __Uw::remove_dependencies(__graph, __from, __to, __data, __count);                                          \
  }                                                                                                                    \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result prefix##GraphGetEdges(CUgraph_st *__graph, CUgraphNode_st **__from,              \
                                                            CUgraphNode_st **__to, data *__data,                       \
                                                            decltype(sizeof 0) *__count) {                             \
    return __Uw::edges(__graph, __from, __to, __data, __count);                                                        \
  }
#define __UW_CALLS_OF_NODES(prefix, traits, data)                                                                      \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result prefix##GraphNodeGetDependencies(                                                \
      CUgraphNode_st *__node, CUgraphNode_st **__dependencies, data *__data, decltype(sizeof 0) *__count) {            \
    return __Uw::dependencies(__node, __dependencies, __data, __count);                                                \
  }                                                                                                                    \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result prefix##GraphNodeGetDependentNodes(                                              \
      CUgraphNode_st *__node, CUgraphNode_st **__dependents, data *__data, decltype(sizeof 0) *__count) {              \
    return __Uw::dependents(__node, __dependents, __data, __count);                                                    \
  }

struct CUgraph_st {
  __UW_CALLS_OF_GRAPHS(cu, __uw_driver_13, CUgraphEdgeData_st, CUgraphNodeParams_st)
  __UW_CALLS_OF_GRAPHS(cuda, __uw_runtime_13, cudaGraphEdgeData_st, cudaGraphNodeParams)
};
struct CUgraphNode_st {
  __UW_CALLS_OF_NODES(cu, __uw_driver_13, CUgraphEdgeData_st)
  __UW_CALLS_OF_NODES(cuda, __uw_runtime_13, cudaGraphEdgeData_st)
};
#undef __UW_CALLS_OF_GRAPHS
#undef __UW_CALLS_OF_NODES

/* For a structure that is an argument itself. */
#define UNWARP_CALLS_OF_PLACES(prefix, traits, address, place)                                                         \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result __UW_OF_STREAM(prefix##MemPrefetchAsync)(                                        \
      address __memory, decltype(sizeof 0) __bytes, place __place, unsigned int __flags, CUstream_st *__stream = 0) {  \
    return __Uw::prefetch(__memory, __bytes, __place, __flags, __stream);                                              \
  }                                                                                                                    \
  template <class __Uw = traits<__UW_OF_FILE>>                                                                         \
  friend inline typename __Uw::result prefix##MemAdvise(address __memory, decltype(sizeof 0) __bytes,                  \
                                                        typename __Uw::advice __advice, place __place) {               \
    return __Uw::advise(__memory, __bytes, __advice, __place);                                                         \
  }

} /* extern "C++" */

#else
#define UNWARP_CALLS_OF_PLACES(prefix, traits, address, place)
#endif
#endif
