// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers by which programs for DPC++ include parts of SYCL, and those of sycl_khr_includes: each is there, and has what it is named for. None is
// included beside them.
#include <sycl/access/access.hpp>
#include <sycl/access/access_base.hpp>
#include <sycl/accessor_image.hpp>
#include <sycl/aliases.hpp>
#include <sycl/aspects.hpp>
#include <sycl/async_handler.hpp>
#include <sycl/atomic_fence.hpp>
#include <sycl/backend.hpp>
#include <sycl/backend_types.hpp>
#include <sycl/builtins.hpp>
#include <sycl/detail/core.hpp>
#include <sycl/device_aspect_traits.hpp>
#include <sycl/device_selector.hpp>
#include <sycl/exception_list.hpp>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/ext/oneapi/device_global/device_global.hpp>
#include <sycl/ext/oneapi/device_global/properties.hpp>
#include <sycl/ext/oneapi/dot_product.hpp>
#include <sycl/ext/oneapi/experimental/address_cast.hpp>
#include <sycl/ext/oneapi/experimental/ballot_group.hpp>
#include <sycl/ext/oneapi/experimental/bfloat16_math.hpp>
#include <sycl/ext/oneapi/experimental/builtins.hpp>
#include <sycl/ext/oneapi/experimental/chunk.hpp>
#include <sycl/ext/oneapi/experimental/clock.hpp>
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/ext/oneapi/experimental/fixed_size_group.hpp>
#include <sycl/ext/oneapi/experimental/fragment.hpp>
#include <sycl/ext/oneapi/experimental/graph.hpp>
#include <sycl/ext/oneapi/experimental/graph/command_graph.hpp>
#include <sycl/ext/oneapi/experimental/graph/executable_graph.hpp>
#include <sycl/ext/oneapi/experimental/graph/modifiable_graph.hpp>
#include <sycl/ext/oneapi/experimental/graph/node.hpp>
#include <sycl/ext/oneapi/experimental/group_load_store.hpp>
#include <sycl/ext/oneapi/experimental/max_work_groups.hpp>
#include <sycl/ext/oneapi/experimental/non_uniform_groups.hpp>
#include <sycl/ext/oneapi/experimental/opportunistic_group.hpp>
#include <sycl/ext/oneapi/experimental/tangle.hpp>
#include <sycl/ext/oneapi/experimental/tangle_group.hpp>
#include <sycl/ext/oneapi/experimental/work_group_memory.hpp>
#include <sycl/ext/oneapi/filter_selector.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/group_local_memory.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
#include <sycl/ext/oneapi/matrix/matrix-intel.hpp>
#include <sycl/ext/oneapi/matrix/matrix.hpp>
#include <sycl/ext/oneapi/memcpy2d.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/sub_group_mask.hpp>
#include <sycl/ext/oneapi/virtual_mem/physical_mem.hpp>
#include <sycl/ext/oneapi/virtual_mem/virtual_mem.hpp>
#include <sycl/ext/oneapi/weak_object.hpp>
#include <sycl/ext/oneapi/work_group_scratch_memory.hpp>
#include <sycl/ext/oneapi/work_group_static.hpp>
#include <sycl/feature_test.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/half_type.hpp>
#include <sycl/info/info_desc.hpp>
#include <sycl/interop_handle.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_bundle_enums.hpp>
#include <sycl/khr/dynamic_addrspace_cast.hpp>
#include <sycl/khr/free_function_commands.hpp>
#include <sycl/khr/includes/accessor.hpp>
#include <sycl/khr/includes/atomic.hpp>
#include <sycl/khr/includes/backend.hpp>
#include <sycl/khr/includes/bit.hpp>
#include <sycl/khr/includes/buffer.hpp>
#include <sycl/khr/includes/builtins_common.hpp>
#include <sycl/khr/includes/builtins_geometric.hpp>
#include <sycl/khr/includes/builtins_integer.hpp>
#include <sycl/khr/includes/builtins_math.hpp>
#include <sycl/khr/includes/builtins_relational.hpp>
#include <sycl/khr/includes/byte.hpp>
#include <sycl/khr/includes/context.hpp>
#include <sycl/khr/includes/device.hpp>
#include <sycl/khr/includes/event.hpp>
#include <sycl/khr/includes/exception.hpp>
#include <sycl/khr/includes/functional.hpp>
#include <sycl/khr/includes/group_algorithms.hpp>
#include <sycl/khr/includes/groups.hpp>
#include <sycl/khr/includes/half.hpp>
#include <sycl/khr/includes/handler.hpp>
#include <sycl/khr/includes/hierarchical_parallelism.hpp>
#include <sycl/khr/includes/images.hpp>
#include <sycl/khr/includes/index_space.hpp>
#include <sycl/khr/includes/interop_handle.hpp>
#include <sycl/khr/includes/kernel_bundle.hpp>
#include <sycl/khr/includes/kernel_handler.hpp>
#include <sycl/khr/includes/marray.hpp>
#include <sycl/khr/includes/math.hpp>
#include <sycl/khr/includes/multi_ptr.hpp>
#include <sycl/khr/includes/platform.hpp>
#include <sycl/khr/includes/property_list.hpp>
#include <sycl/khr/includes/queue.hpp>
#include <sycl/khr/includes/reduction.hpp>
#include <sycl/khr/includes/span.hpp>
#include <sycl/khr/includes/stream.hpp>
#include <sycl/khr/includes/type_traits.hpp>
#include <sycl/khr/includes/usm.hpp>
#include <sycl/khr/includes/vec.hpp>
#include <sycl/khr/includes/version.hpp>
#include <sycl/khr/static_addrspace_cast.hpp>
#include <sycl/khr/work_item_queries.hpp>
#include <sycl/known_identity.hpp>
#include <sycl/memory_enums.hpp>
#include <sycl/platform.hpp>
#include <sycl/pointers.hpp>
#include <sycl/properties/accessor_properties.hpp>
#include <sycl/properties/all_properties.hpp>
#include <sycl/properties/buffer_properties.hpp>
#include <sycl/properties/image_properties.hpp>
#include <sycl/properties/property_traits.hpp>
#include <sycl/properties/queue_properties.hpp>
#include <sycl/properties/reduction_properties.hpp>
#include <sycl/sampler.hpp>
#include <sycl/specialization_id.hpp>
#include <sycl/sycl_span.hpp>
#include <sycl/types.hpp>
#include <sycl/usm/usm_allocator.hpp>
#include <sycl/usm/usm_enums.hpp>
#include <sycl/usm/usm_pointer_info.hpp>
#include <sycl/vector.hpp>
#include <sycl/version.hpp>

#include <type_traits>

#include "check.hpp"

using namespace sycl;
namespace one = sycl::ext::oneapi;
namespace ex = sycl::ext::oneapi::experimental;

#define IS_TYPE(...) static_assert(std::is_object_v<__VA_ARGS__>)
IS_TYPE(access_mode);                                                  // access/access
IS_TYPE(target);                                                       // access/access_base
IS_TYPE(sampled_image_accessor<float4, 1>);                            // accessor_image
IS_TYPE(opencl::cl_int);                                               // aliases
IS_TYPE(aspect);                                                       // aspects
IS_TYPE(async_handler);                                                // async_handler
IS_TYPE(backend);                                                      // backend
IS_TYPE(backend);                                                      // backend_types
IS_TYPE(queue);                                                        // detail/core
IS_TYPE(device_selector *);                                            // device_selector
IS_TYPE(exception_list);                                               // exception_list
IS_TYPE(one::bfloat16);                                                // ext/oneapi/bfloat16
IS_TYPE(ex::device_global<int>);                                       // ext/oneapi/device_global/device_global
IS_TYPE(ex::device_image_scope_key);                                   // ext/oneapi/device_global/properties
IS_TYPE(ex::clock_scope);                                              // ext/oneapi/experimental/clock
IS_TYPE(ex::launch_config<range<1>>);                                  // ext/oneapi/experimental/enqueue_functions
IS_TYPE(ex::command_graph<ex::graph_state::modifiable>);               // ext/oneapi/experimental/graph
IS_TYPE(ex::graph_state);                                              // ext/oneapi/experimental/graph/command_graph
IS_TYPE(ex::command_graph<ex::graph_state::executable>);               // ext/oneapi/experimental/graph/executable_graph
IS_TYPE(ex::command_graph<ex::graph_state::modifiable>);               // ext/oneapi/experimental/graph/modifiable_graph
IS_TYPE(ex::node);                                                     // ext/oneapi/experimental/graph/node
IS_TYPE(ex::data_placement_key);                                       // ext/oneapi/experimental/group_load_store
IS_TYPE(ex::info::device::max_work_groups<1>);                         // ext/oneapi/experimental/max_work_groups
IS_TYPE(ex::opportunistic_group);                                      // ext/oneapi/experimental/opportunistic_group
IS_TYPE(ex::work_group_size_key);                                      // ext/oneapi/kernel_properties/properties
IS_TYPE(ex::empty_properties_t);                                       // ext/oneapi/properties/properties
IS_TYPE(one::sub_group_mask);                                          // ext/oneapi/sub_group_mask
IS_TYPE(half);                                                         // half_type
IS_TYPE(info::device::name);                                           // info/info_desc
IS_TYPE(interop_handle);                                               // interop_handle
IS_TYPE(kernel);                                                       // kernel
IS_TYPE(bundle_state);                                                 // kernel_bundle_enums
IS_TYPE(accessor<int>);                                                // khr/includes/accessor
IS_TYPE(atomic_ref<int, memory_order::relaxed, memory_scope::device>); // khr/includes/atomic
IS_TYPE(backend);                                                      // khr/includes/backend
IS_TYPE(buffer<int>);                                                  // khr/includes/buffer
IS_TYPE(byte);                                                         // khr/includes/byte
IS_TYPE(context);                                                      // khr/includes/context
IS_TYPE(device);                                                       // khr/includes/device
IS_TYPE(event);                                                        // khr/includes/event
IS_TYPE(exception);                                                    // khr/includes/exception
IS_TYPE(plus<int>);                                                    // khr/includes/functional
IS_TYPE(group<1>);                                                     // khr/includes/groups
IS_TYPE(half);                                                         // khr/includes/half
IS_TYPE(handler *);                                                    // khr/includes/handler
IS_TYPE(sampled_image<1> *);                                           // khr/includes/images
IS_TYPE(nd_range<2>);                                                  // khr/includes/index_space
IS_TYPE(interop_handle);                                               // khr/includes/interop_handle
IS_TYPE(kernel_bundle<bundle_state::executable>);                      // khr/includes/kernel_bundle
IS_TYPE(kernel_handler);                                               // khr/includes/kernel_handler
IS_TYPE(marray<int, 3>);                                               // khr/includes/marray
IS_TYPE(local_ptr<int>);                                               // khr/includes/multi_ptr
IS_TYPE(platform);                                                     // khr/includes/platform
IS_TYPE(property_list);                                                // khr/includes/property_list
IS_TYPE(queue);                                                        // khr/includes/queue
IS_TYPE(span<int>);                                                    // khr/includes/span
IS_TYPE(stream);                                                       // khr/includes/stream
IS_TYPE(usm::alloc);                                                   // khr/includes/usm
IS_TYPE(vec<int, 4>);                                                  // khr/includes/vec
IS_TYPE(known_identity<plus<int>, int>);                               // known_identity
IS_TYPE(memory_order);                                                 // memory_enums
IS_TYPE(platform);                                                     // platform
IS_TYPE(global_ptr<int>);                                              // pointers
IS_TYPE(property::no_init);                                            // properties/accessor_properties
IS_TYPE(property_list);                                                // properties/all_properties
IS_TYPE(property::buffer::use_host_ptr);                               // properties/buffer_properties
IS_TYPE(property::image::use_host_ptr);                                // properties/image_properties
IS_TYPE(is_property<int>);                                             // properties/property_traits
IS_TYPE(property::queue::in_order);                                    // properties/queue_properties
IS_TYPE(property::reduction::initialize_to_identity);                  // properties/reduction_properties
IS_TYPE(specialization_id<int>);                                       // specialization_id
IS_TYPE(span<int>);                                                    // sycl_span
IS_TYPE(vec<int, 2>);                                                  // types
IS_TYPE(usm_allocator<int, usm::alloc::shared>);                       // usm/usm_allocator
IS_TYPE(usm::alloc);                                                   // usm/usm_enums
IS_TYPE(vec<float, 4>);                                                // vector
IS_TYPE(sampler);                                                      // sampler
IS_TYPE(ex::ballot_group<sub_group>);                                  // ext/oneapi/experimental/ballot_group
IS_TYPE(ex::chunk<4, sub_group>);                                      // ext/oneapi/experimental/chunk
IS_TYPE(ex::fixed_size_group<4, sub_group>);                           // ext/oneapi/experimental/fixed_size_group
IS_TYPE(ex::fragment<sub_group>);                                      // ext/oneapi/experimental/fragment
IS_TYPE(ex::tangle_group<sub_group>);                                  // ext/oneapi/experimental/non_uniform_groups
IS_TYPE(ex::tangle<sub_group>);                                        // ext/oneapi/experimental/tangle
IS_TYPE(ex::tangle_group<sub_group>);                                  // ext/oneapi/experimental/tangle_group
IS_TYPE(ex::matrix::joint_matrix<sub_group, float, ex::matrix::use::accumulator, 8, 8>);// ext/oneapi/matrix/matrix
IS_TYPE(ex::physical_mem *);                                           // ext/oneapi/virtual_mem/physical_mem
IS_TYPE(one::weak_object<queue>);                                      // ext/oneapi/weak_object
IS_TYPE(one::filter_selector *);                                       // ext/oneapi/filter_selector
IS_TYPE(ex::work_group_memory<int> *);                                 // ext/oneapi/experimental/work_group_memory

#define IS_EXPRESSION(...) static_assert(!std::is_same_v<decltype(__VA_ARGS__), struct no_type>)
IS_EXPRESSION(atomic_fence(memory_order::acquire, memory_scope::device), 0); // atomic_fence
IS_EXPRESSION(sin(1.0f));                                                    // builtins
IS_EXPRESSION(any_device_has_v<aspect::cpu>);                                // device_aspect_traits
IS_EXPRESSION(one::dot_acc(0, 0, 0));                                        // ext/oneapi/dot_product
IS_EXPRESSION(ex::fabs(one::bfloat16(1.0f)));                                // ext/oneapi/experimental/bfloat16_math
IS_EXPRESSION(ex::printf(""));                                               // ext/oneapi/experimental/builtins
IS_EXPRESSION(one::this_work_item::get_sub_group());                         // ext/oneapi/free_function_queries
IS_EXPRESSION(one::group_local_memory<int>(group<1>(), 1));                  // ext/oneapi/group_local_memory
IS_EXPRESSION(queue().ext_oneapi_memcpy2d(nullptr, 0, nullptr, 0, 0, 0));    // ext/oneapi/memcpy2d
IS_EXPRESSION(SYCL_LANGUAGE_VERSION);                                        // feature_test
IS_EXPRESSION(reduce_over_group(group<1>(), 1, plus<int>()));                // group_algorithm
IS_EXPRESSION(bit_cast<int>(1.0f));                                          // khr/includes/bit
IS_EXPRESSION(clamp(1, 2, 3));                                               // khr/includes/builtins_common
IS_EXPRESSION(dot(float2(), float2()));                                      // khr/includes/builtins_geometric
IS_EXPRESSION(popcount(1));                                                  // khr/includes/builtins_integer
IS_EXPRESSION(exp(1.0f));                                                    // khr/includes/builtins_math
IS_EXPRESSION(isnan(1.0f));                                                  // khr/includes/builtins_relational
IS_EXPRESSION(group_barrier(group<1>()));                                    // khr/includes/group_algorithms
IS_EXPRESSION(private_memory<int>(group<1>()));                              // khr/includes/hierarchical_parallelism
IS_EXPRESSION(sqrt(1.0f));                                                   // khr/includes/math
IS_EXPRESSION(reduction((int *)0, plus<int>()));                             // khr/includes/reduction
IS_EXPRESSION(is_device_copyable_v<int>);                                    // khr/includes/type_traits
IS_EXPRESSION(SYCL_IMPLEMENTATION_UNWARP);                                   // khr/includes/version
IS_EXPRESSION(get_pointer_type(nullptr, context()));                         // usm/usm_pointer_info
IS_EXPRESSION(__LIBSYCL_MAJOR_VERSION);                                      // version
IS_EXPRESSION(ex::matrix::layout::ext_intel_packed);                         // ext/oneapi/matrix/matrix-intel
IS_EXPRESSION(ex::reserve_virtual_mem(0, context()));                        // ext/oneapi/virtual_mem/virtual_mem
IS_EXPRESSION(ex::static_address_cast<access::address_space::global_space>((int *)0));// ext/oneapi/experimental/address_cast
IS_EXPRESSION(khr::command_barrier(queue()));                                // khr/free_function_commands
IS_EXPRESSION(khr::this_sub_group());                                        // khr/work_item_queries
IS_EXPRESSION(khr::static_addrspace_cast<access::address_space::global_space>((int *)0));// khr/static_addrspace_cast
IS_EXPRESSION(khr::dynamic_addrspace_cast<access::address_space::local_space>((int *)0));// khr/dynamic_addrspace_cast

int main() {
  queue q;
  vec<float, 4> *x = malloc_shared<vec<float, 4>>(1, q);
  q.single_task([=] { x[0] = vec<float, 4>(half(1.5f)) + vec<float, 4>(popcount(uint(7))); }).wait();
  CHECK(x[0].x() == 4.5f && x[0].w() == 4.5f);
  free(x, q);
  return report();
}
