// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties and their list (SYCL 2020, section 4.5.4). A list keeps one bit for each property that it has.
#ifndef UNWARP_SYCL_PROPERTY_LIST_HPP
#define UNWARP_SYCL_PROPERTY_LIST_HPP

#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>

#include "exception.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {
struct property_base {};
} // namespace detail

#define __UW_PROPERTY(name, number)                                                                                    \
  struct name : sycl::detail::property_base {                                                                          \
    static constexpr std::uint32_t bit = 1u << number;                                                                 \
  };
class context;
namespace detail {
// A context by a pointer to it, since contexts have lists of properties.
class context_of_property {
public:
  explicit context_of_property(const context &where);
  context get_context() const;
  const std::shared_ptr<const context> &unwarp_context() const { return where; }

private:
  std::shared_ptr<const context> where;
};
} // namespace detail
#define __UW_CONTEXT_BOUND(kind)                                                                                       \
  struct context_bound : sycl::detail::property_base, sycl::detail::context_of_property {                              \
    static constexpr std::uint32_t bit = 1u << 5;                                                                      \
    using context_of_property::context_of_property;                                                                    \
  };
namespace property {
__UW_PROPERTY(no_init, 0)
namespace queue {
__UW_PROPERTY(enable_profiling, 1)
__UW_PROPERTY(in_order, 2)
} // namespace queue
namespace buffer {
__UW_PROPERTY(use_host_ptr, 3)
struct use_mutex : sycl::detail::property_base {
  static constexpr std::uint32_t bit = 1u << 4;
  explicit use_mutex(std::mutex &mutex) : mutex(&mutex) {}
  std::mutex *get_mutex_ptr() const { return mutex; }

private:
  std::mutex *mutex;
};
__UW_CONTEXT_BOUND(buffer)
} // namespace buffer
namespace reduction {
__UW_PROPERTY(initialize_to_identity, 6)
} // namespace reduction
} // namespace property
namespace ext::oneapi::property::queue {
__UW_PROPERTY(discard_events, 7)
__UW_PROPERTY(priority_low, 8)
__UW_PROPERTY(priority_normal, 9)
__UW_PROPERTY(priority_high, 10)
} // namespace ext::oneapi::property::queue
namespace ext::intel::property::queue {
__UW_PROPERTY(immediate_command_list, 11)
__UW_PROPERTY(no_immediate_command_list, 12)
} // namespace ext::intel::property::queue
namespace ext::oneapi::experimental {
class node;
namespace property::graph {
__UW_PROPERTY(no_cycle_check, 13)
__UW_PROPERTY(assume_buffer_outlives_graph, 14)
__UW_PROPERTY(updatable, 15)
__UW_PROPERTY(enable_profiling, 16)
} // namespace property::graph
namespace property::node {
__UW_PROPERTY(depends_on_all_leaves, 17)
// The nodes are kept as graph.hpp has them.
struct depends_on : sycl::detail::property_base {
  static constexpr std::uint32_t bit = 1u << 18;
  template <class... Nodes> depends_on(const Nodes &...nodes);
  explicit depends_on(std::shared_ptr<const std::vector<experimental::node>> list) : list(std::move(list)) {}
  const std::vector<experimental::node> &get_dependencies() const { return *list; }
  std::shared_ptr<const std::vector<experimental::node>> list;
};
} // namespace property::node
} // namespace ext::oneapi::experimental
#undef __UW_PROPERTY

template <class T> struct is_property : std::is_base_of<detail::property_base, T> {};
template <class T> inline constexpr bool is_property_v = is_property<T>::value;
template <class T, class Object> struct is_property_of : is_property<T> {};
template <class T, class Object> inline constexpr bool is_property_of_v = is_property_of<T, Object>::value;

class property_list {
public:
  template <class... Properties, class = std::enable_if_t<(is_property_v<Properties> && ...)>>
  property_list(Properties... properties) {
    (add(properties), ...);
  }

  template <class Property> bool has_property() const noexcept { return bits & Property::bit; }
  template <class Property> Property get_property() const {
    if (!has_property<Property>())
      detail::fail(errc::invalid, "the property is not in the list");
    if constexpr (std::is_same_v<Property, property::buffer::use_mutex>)
      return Property(*mutex);
    else if constexpr (std::is_base_of_v<detail::context_of_property, Property>)
      return Property(*objects->where);
    else if constexpr (std::is_same_v<Property, ext::oneapi::experimental::property::node::depends_on>)
      return Property(objects->nodes);
    else
      return Property();
  }
  std::uint32_t mask() const { return bits; }

private:
  template <class Property> void add(const Property &property) {
    bits |= Property::bit;
    if constexpr (std::is_same_v<Property, property::buffer::use_mutex>)
      mutex = property.get_mutex_ptr();
    if constexpr (std::is_base_of_v<detail::context_of_property, Property>)
      own_objects().where = property.unwarp_context();
    if constexpr (std::is_same_v<Property, ext::oneapi::experimental::property::node::depends_on>)
      own_objects().nodes = property.list;
  }

  // What few lists hold. One pointer to it, since every queue and buffer copies a list.
  struct held_objects {
    std::shared_ptr<const context> where;
    std::shared_ptr<const std::vector<ext::oneapi::experimental::node>> nodes;
  };
  held_objects &own_objects() { // of a list that is being made
    if (!objects)
      objects = std::make_shared<held_objects>();
    return *objects;
  }

  std::uint32_t bits = 0;
  std::mutex *mutex = nullptr;
  std::shared_ptr<held_objects> objects;
};

// `no_init` where a list is asked for.
inline const property::no_init no_init;

} // namespace _V1
} // namespace sycl
#endif
