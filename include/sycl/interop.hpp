// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interoperability (SYCL 2020, section 4.5.1) with what stands below SYCL here, which is unwarp's CUDA runtime: a platform, a
// device and a context are the number of its device, a queue is its stream, a buffer is an address.
#ifndef UNWARP_SYCL_INTEROP_HPP
#define UNWARP_SYCL_INTEROP_HPP

#include "accessor.hpp"

#define SYCL_BACKEND_UNWARP 1
#define SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND 1

namespace sycl {
inline namespace _V1 {
namespace detail {
template <class Object> struct native {}; // of other classes there is none
template <> struct native<platform> {
  using type = int;
};
template <> struct native<device> {
  using type = int;
};
template <> struct native<context> {
  using type = int;
};
template <> struct native<queue> {
  using type = void *;
};
template <class T, int D, class A> struct native<buffer<T, D, A>> {
  using type = void *;
};
} // namespace detail

template <backend Backend> class backend_traits;
template <> class backend_traits<backend::unwarp> {
public:
  template <class Object> using input_type = typename detail::native<Object>::type;
  template <class Object> using return_type = typename detail::native<Object>::type;
};
template <backend Backend, class Object>
using backend_input_t = typename backend_traits<Backend>::template input_type<Object>;
template <backend Backend, class Object>
using backend_return_t = typename backend_traits<Backend>::template return_type<Object>;

template <backend Backend, class Object> backend_return_t<Backend, Object> get_native(const Object &) { return {}; }
template <backend Backend, class T, int D, class A>
backend_return_t<Backend, buffer<T, D, A>> get_native(const buffer<T, D, A> &of) {
  return const_cast<buffer<T, D, A> &>(of).unwarp_data();
}

namespace detail {
inline void check_native(int number) {
  if (number != 0)
    fail(errc::invalid, "there is one device, of number 0");
}
template <backend Backend> using if_own = std::enable_if_t<Backend == backend::unwarp, int>;
} // namespace detail
template <backend Backend, detail::if_own<Backend> = 0>
platform make_platform(const backend_input_t<Backend, platform> &native) {
  detail::check_native(native);
  return {};
}
template <backend Backend, detail::if_own<Backend> = 0>
device make_device(const backend_input_t<Backend, device> &native) {
  detail::check_native(native);
  return {};
}
template <backend Backend, detail::if_own<Backend> = 0>
context make_context(const backend_input_t<Backend, context> &native, async_handler handler = {}) {
  detail::check_native(native);
  return context(std::move(handler));
}
// Streams are in order.
template <backend Backend, detail::if_own<Backend> = 0>
queue make_queue(const backend_input_t<Backend, queue> &, const context &where, async_handler handler = {}) {
  return queue(where, device(), handler, property::queue::in_order());
}
template <backend Backend, class T, int D = 1, class A = buffer_allocator<std::remove_const_t<T>>,
          detail::if_own<Backend> = 0>
buffer<T, D, A> make_buffer(const backend_input_t<Backend, buffer<T, D, A>> &native, const range<D> &extent,
                            const context &) {
  return buffer<T, D, A>(static_cast<T *>(native), extent);
}

template <backend Backend> backend_return_t<Backend, queue> interop_handle::get_native_queue() const { return {}; }
template <backend Backend> backend_return_t<Backend, device> interop_handle::get_native_device() const { return {}; }
template <backend Backend> backend_return_t<Backend, context> interop_handle::get_native_context() const { return {}; }
template <backend Backend, class T, int D, access_mode M, target G, access::placeholder P>
backend_return_t<Backend, buffer<T, D, std::allocator<std::remove_const_t<T>>>>
interop_handle::get_native_mem(const accessor<T, D, M, G, P> &of) const {
  return const_cast<std::remove_const_t<T> *>(of.unwarp_origin());
}

} // namespace _V1
} // namespace sycl
#endif
