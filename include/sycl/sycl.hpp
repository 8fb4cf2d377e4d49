// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a SYCL program includes. unwarp -fsycl compiles it twice: for the host as plain C++, and for the device, where
// the kernels come from.
#ifndef UNWARP_SYCL_SYCL_HPP
#define UNWARP_SYCL_SYCL_HPP

#ifndef SYCL_LANGUAGE_VERSION
#define SYCL_LANGUAGE_VERSION 202012L // host code alone, compiled without -fsycl
#endif
#define SYCL_FEATURE_SET_REDUCED 1
#define SYCL_DEVICE_COPYABLE 1
#define SYCL_KHR_INCLUDES 1

// What programs that were written with other implementations use without including it.
#include <cassert>
#include <climits>
#include <iostream>

#include "accessor.hpp"
#include "aliases.hpp"
#include "atomic.hpp"
#include "atomic_ref.hpp"
#include "attributes.hpp"
#include "bfloat16_math.hpp"
#include "bit_cast.hpp"
#include "detail/spirv.hpp"
#include "device_copyable.hpp"
#include "device_global.hpp"
#include "enqueue_functions.hpp"
#include "ext.hpp"
#include "ext_queries.hpp"
#include "geometric.hpp"
#include "graph.hpp"
#include "group_barrier.hpp"
#include "group_load_store.hpp"
#include "group_algorithms.hpp"
#include "hierarchical.hpp"
#include "image.hpp"
#include "interop.hpp"
#include "kernel_bundle.hpp"
#include "function_kernels.hpp"
#include "khr.hpp"
#include "local_accessor.hpp"
#include "matrix.hpp"
#include "multi_ptr.hpp"
#include "older_image.hpp"
#include "parts_of_sub_group.hpp"
#include "queue.hpp"
#include "reduction.hpp"
#include "root_group.hpp"
#include "stream.hpp"
#include "usm.hpp"
#include "version.hpp"
#include "virtual_memory.hpp"
#include "weak_object.hpp"
#include "work_group_memory.hpp"
#include "work_group_scratch_memory.hpp"
#include "work_group_static.hpp"

#endif
