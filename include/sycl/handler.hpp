// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::handler (SYCL 2020, section 4.9.4): a command group. Its command runs where it stands: everything that was
// submitted earlier has run. Host tasks are the exception, with what stands behind one (detail/tasks.hpp): such a
// command is kept. The functions that do that get copies of what the group knows, so that this object stays one of
// values that the optimiser sees.
#ifndef UNWARP_SYCL_HANDLER_HPP
#define UNWARP_SYCL_HANDLER_HPP

#include "detail/captures.hpp"
#include "detail/given_arguments.hpp"
#include "detail/launch.hpp"
#include "detail/queue_data.hpp"
#include "event.hpp"
#include "ext_properties.hpp"
#include "detail/tasks.hpp"
#include "work_group_scratch_memory.hpp"

namespace sycl {
inline namespace _V1 {

class queue;
class kernel;
namespace ext::oneapi::experimental {
template <class T, class Properties> class device_global;
}
template <class, int, class> class buffer;
template <class T, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder> class accessor;
namespace detail {

template <class V> struct is_reduction; // reduction.hpp
// A kernel that is an object may have properties of its own.
template <class F, class = void> struct has_properties : std::false_type {};
template <class F>
struct has_properties<F,
                      std::void_t<decltype(std::declval<const F &>().get(ext::oneapi::experimental::properties_tag()))>>
    : std::true_type {};
struct bundle_data; // kernel_bundle.hpp

__UW_INLINE void copy_bytes(void *to, const void *from, std::size_t bytes) {
  enum { by_default = 4 };
  if (bytes)
    cudaMemcpy(to, from, bytes, by_default);
}

} // namespace detail

template <backend Backend> class backend_traits;
// What a host task may ask of what stands below SYCL (interop.hpp).
class interop_handle {
public:
  backend get_backend() const noexcept { return backend::unwarp; }
  template <backend B> typename backend_traits<B>::template return_type<queue> get_native_queue() const;
  template <backend B> typename backend_traits<B>::template return_type<device> get_native_device() const;
  template <backend B> typename backend_traits<B>::template return_type<context> get_native_context() const;
  template <backend B, class T, int D, access_mode M, target G, access::placeholder P>
  typename backend_traits<B>::template return_type<buffer<T, D, std::allocator<std::remove_const_t<T>>>>
  get_native_mem(const accessor<T, D, M, G, P> &) const;
  bool ext_codeplay_has_graph() const noexcept { return false; }
};

class handler {
public:
  __UW_LAUNCH explicit handler(detail::queue_data &queue, detail::submit_place place = {})
      : owner(&queue), watch(queue.profiles) {
    needs.place = place;
  }
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;

  __UW_LAUNCH ~handler() { // of a group that failed, where there is anything left to do
    if (__builtin_expect(sets_constants || kept || task != nullptr, 0))
      give_up(task, kept, sets_constants);
    if (__builtin_expect(arguments != nullptr, 0))
      drop(arguments);
  }

  __UW_LAUNCH void depends_on(const event &other) {
    if (__builtin_expect(owner->recorder != nullptr, 0))
      owner->recorder->depends_on(other.unwarp_number());
    else if (other.unwarp_task())
      task = add_dependence(task, owner->number, other.unwarp_task().get());
  }
  __UW_LAUNCH void depends_on(const std::vector<event> &others) {
    for (const event &other : others)
      depends_on(other);
  }
  template <class Accessor> __UW_LAUNCH void require(const Accessor &accessor) { accessor.unwarp_require(*this); }

  template <class Name = void, class F> __UW_LAUNCH void single_task(const F &f) {
    no_local_memory(f);
    kernel_command<Name>(f);
    detail::launch_single_task<Name>(needs, f);
    watch.stop();
  }
  // No template in D, so that {rows, columns} is a range.
#define __UW_PARALLEL_FOR(D)                                                                                           \
  template <class Name = void, class F> __UW_LAUNCH void parallel_for(range<D> extent, const F &f) {                   \
    no_local_memory(f);                                                                                                \
    kernel_command<Name>(f);                                                                                           \
    detail::launch_range<Name>(extent, needs, f);                                                                      \
    watch.stop();                                                                                                      \
  }                                                                                                                    \
  template <class Name = void, class F> __UW_LAUNCH void parallel_for(range<D> extent, id<D> offset, const F &f) {     \
    no_local_memory(f);                                                                                                \
    kernel_command<Name>(f);                                                                                           \
    detail::launch_offset_range<Name>(extent, offset, needs, f);                                                       \
    watch.stop();                                                                                                      \
  }                                                                                                                    \
  template <class Name = void, class Variable, class... Rest,                                                          \
            class = std::enable_if_t<detail::is_reduction<Variable>::value>>                                           \
  __UW_LAUNCH void parallel_for(range<D> extent, const Variable &variable, const Rest &...rest) {                      \
    reduce_range<Name>(extent, variable, rest...);                                                                     \
  }                                                                                                                    \
  template <class Name = void, class... Properties, class... Rest>                                                     \
  __UW_LAUNCH void parallel_for(range<D> extent, const ext::oneapi::experimental::properties<Properties...> &list,     \
                                const Rest &...rest) {                                                                 \
    unwarp_properties(list);                                                                                           \
    parallel_for<Name>(extent, rest...);                                                                               \
  }
  __UW_PARALLEL_FOR(1)
  __UW_PARALLEL_FOR(2)
  __UW_PARALLEL_FOR(3)
#undef __UW_PARALLEL_FOR
  template <class Name = void, int D, class F> __UW_LAUNCH void parallel_for(nd_range<D> shape, const F &f) {
    own_properties(f);
    kernel_command<Name>(f);
    detail::launch_nd_range<Name>(shape, needs, f);
    watch.stop();
  }

  template <class Name = void, int D, class Variable, class... Rest,
            class = std::enable_if_t<detail::is_reduction<Variable>::value>>
  __UW_LAUNCH void parallel_for(nd_range<D> shape, const Variable &variable, const Rest &...rest) {
    reduce_nd<Name>(shape, variable, rest...);
  }
  template <class Name = void, int D, class... Properties, class... Rest>
  __UW_LAUNCH void parallel_for(nd_range<D> shape, const ext::oneapi::experimental::properties<Properties...> &list,
                                const Rest &...rest) {
    unwarp_properties(list);
    parallel_for<Name>(shape, rest...);
  }
  template <class Name = void, class... Properties, class F>
  __UW_LAUNCH void single_task(const ext::oneapi::experimental::properties<Properties...> &list, const F &f) {
    unwarp_properties(list);
    single_task<Name>(f);
  }

  // A kernel that is an object is a function, whose arguments the command group sets (function_kernels.hpp).
  template <class T> void set_arg(int index, T &&value) {
    if (index < 0)
      unwarp_fail(errc::invalid, "the number of an argument is not negative");
    if (!arguments)
      arguments = new detail::given_arguments;
    arguments->set(std::size_t(index), std::decay_t<T>(value));
  }
  template <class... T> void set_args(T &&...values) {
    int index = 0;
    (set_arg(index++, values), ...);
  }
  template <int D> void parallel_for(nd_range<D> shape, const kernel &what) { unwarp_run(what, shape); }
  void single_task(const kernel &what) { unwarp_run(what, nd_range<1>(1, 1)); }
  void unwarp_run(const kernel &what, const nd_range<1> &shape);
  void unwarp_run(const kernel &what, const nd_range<2> &shape);
  void unwarp_run(const kernel &what, const nd_range<3> &shape);
  template <class Name, int D, class Body> void unwarp_launch_function(const nd_range<D> &shape, const Body &body) {
    kernel_command<Name>(body);
    detail::launch_nd_body<Name>(shape, needs, body);
    watch.stop();
  }

  __UW_LAUNCH void memcpy(void *to, const void *from, std::size_t bytes) {
    command();
    perform([=] { detail::copy_bytes(to, from, bytes); });
  }
  template <class T> __UW_LAUNCH void copy(const T *from, T *to, std::size_t count) {
    memcpy(to, from, count * sizeof(T));
  }
  __UW_LAUNCH void memset(void *place, int value, std::size_t bytes) {
    command();
    perform([=] {
      if (bytes)
        cudaMemset(place, value, bytes);
    });
  }
  template <class T> __UW_LAUNCH void fill(void *place, const T &pattern, std::size_t count) {
    command();
    perform([=] { uwrt_sycl_fill(place, &pattern, sizeof(T), count); });
  }
  // Rows with gaps (sycl_ext_oneapi_memcpy2d): in bytes, or in elements where there is a type.
  __UW_LAUNCH void ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                                       std::size_t width, std::size_t height) {
    command();
    check_rows(width, to_pitch < from_pitch ? to_pitch : from_pitch);
    perform([=] {
      enum { by_default = 4 };
      if (width && height)
        cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, by_default);
    });
  }
  template <class T>
  __UW_LAUNCH void ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch,
                                     std::size_t width, std::size_t height) {
    ext_oneapi_memcpy2d(to, to_pitch * sizeof(T), from, from_pitch * sizeof(T), width * sizeof(T), height);
  }
  __UW_LAUNCH void ext_oneapi_memset2d(void *place, std::size_t pitch, int value, std::size_t width,
                                       std::size_t height) {
    command();
    check_rows(width, pitch);
    perform([=] {
      if (width && height)
        cudaMemset2D(place, pitch, value, width, height);
    });
  }
  template <class T>
  __UW_LAUNCH void ext_oneapi_fill2d(void *place, std::size_t pitch, const T &pattern, std::size_t width,
                                     std::size_t height) {
    command();
    check_rows(width, pitch);
    perform([=] {
      for (std::size_t row = 0; row < height; row++)
        uwrt_sycl_fill(static_cast<T *>(place) + row * pitch, &pattern, sizeof(T), width);
    });
  }
  // Accessors and the program's memory (accessor.hpp has the work).
  template <class T, int D, access_mode M, target G, access::placeholder P, class U>
  void copy(const accessor<T, D, M, G, P> &from, U *to) {
    copy_accessors(from.begin(), static_cast<std::remove_const_t<T> *>(static_cast<void *>(to)), from.size());
  }
  template <class U, class T, int D, access_mode M, target G, access::placeholder P>
  void copy(const U *from, const accessor<T, D, M, G, P> &to) {
    copy_accessors(static_cast<const T *>(static_cast<const void *>(from)), to.begin(), to.size());
  }
  template <class T, int D, access_mode M, target G, access::placeholder P, class U>
  void copy(const accessor<T, D, M, G, P> &from, const std::shared_ptr<U> &to) {
    copy(from, to.get());
  }
  template <class U, class T, int D, access_mode M, target G, access::placeholder P>
  void copy(const std::shared_ptr<U> &from, const accessor<T, D, M, G, P> &to) {
    copy(from.get(), to);
  }
  template <class T, int D, access_mode M, target G, access::placeholder P, class U, int E, access_mode N, target H,
            access::placeholder Q>
  void copy(const accessor<T, D, M, G, P> &from, const accessor<U, E, N, H, Q> &to) {
    constexpr bool by_bytes = std::is_pointer_v<decltype(from.begin())> && std::is_pointer_v<decltype(to.begin())>;
    if (to.byte_size() < from.byte_size() || (!by_bytes && to.size() < from.size()))
      unwarp_fail(errc::invalid, "what is copied has no room in the accessor that it is copied to");
    copy_accessors(from.begin(), to.begin(), from.size());
  }
  template <class T, int D, access_mode M, target G, access::placeholder P>
  void update_host(const accessor<T, D, M, G, P> &) {
    command();
  }
  template <class T, int D, access_mode M, target G, access::placeholder P>
  void fill(const accessor<T, D, M, G, P> &all, const std::remove_const_t<T> &value) {
    command();
    perform([=] {
      if constexpr (D > 1) {
        for (T &each : all)
          each = value;
      } else {
        uwrt_sycl_fill(all.begin(), &value, sizeof(T), all.size());
      }
    });
  }
  // Variables of host and kernels (device_global.hpp).
  template <class T, class P>
  void memcpy(ext::oneapi::experimental::device_global<T, P> &to, const void *from, std::size_t bytes = sizeof(T),
              std::size_t offset = 0) {
    check_inside(offset, bytes, sizeof(T));
    memcpy(static_cast<char *>(to.unwarp_storage()) + offset, from, bytes);
  }
  template <class T, class P>
  void memcpy(void *to, const ext::oneapi::experimental::device_global<T, P> &from, std::size_t bytes = sizeof(T),
              std::size_t offset = 0) {
    check_inside(offset, bytes, sizeof(T));
    memcpy(to, reinterpret_cast<const char *>(&from.get()) + offset, bytes);
  }
  template <class T, class P>
  void copy(const std::remove_all_extents_t<T> *from, ext::oneapi::experimental::device_global<T, P> &to,
            std::size_t count = sizeof(T) / sizeof(std::remove_all_extents_t<T>), std::size_t start = 0) {
    using element = std::remove_all_extents_t<T>;
    memcpy(to, from, count * sizeof(element), start * sizeof(element));
  }
  template <class T, class P>
  void copy(const ext::oneapi::experimental::device_global<T, P> &from, std::remove_all_extents_t<T> *to,
            std::size_t count = sizeof(T) / sizeof(std::remove_all_extents_t<T>), std::size_t start = 0) {
    using element = std::remove_all_extents_t<T>;
    memcpy(to, from, count * sizeof(element), start * sizeof(element));
  }
  void prefetch(const void *, std::size_t) { command(); }
  void mem_advise(const void *, std::size_t, int) { command(); }
  // After all that was given to the queue; what comes next is after it, so from here on the queue's tasks are in
  // order.
  void ext_oneapi_barrier() {
    if (detail::any_task_is_open())
      owner->in_order = true;
    command();
  }
  void ext_oneapi_barrier(const std::vector<event> &list) {
    depends_on(list);
    ext_oneapi_barrier();
  }

  template <class F> void host_task(F &&f);
  // At once, since the commands before it have run.
  template <class F> __UW_LAUNCH void ext_codeplay_enqueue_native_command(const F &f) {
    command();
    perform([=] { f(interop_handle()); });
  }
  template <class Graph> void ext_oneapi_graph(const Graph &graph); // graph.hpp

  // hierarchical.hpp
  template <class Name = void, int D, class F>
  void parallel_for_work_group(range<D> groups, range<D> local, const F &f);
  template <class Name = void, int D, class F> void parallel_for_work_group(range<D> groups, const F &f);
  template <class Bundle> void use_kernel_bundle(const Bundle &bundle); // kernel_bundle.hpp

  template <auto &Id>
  __UW_LAUNCH void
  set_specialization_constant(const typename std::remove_reference_t<decltype(Id)>::value_type &value) {
    if (used_bundle)
      unwarp_fail(errc::invalid, "a command group uses a bundle, or sets specialization constants");
    unwarp_set_constant<Id>(value);
  }
  template <auto &Id>
  __UW_LAUNCH void unwarp_set_constant(const typename std::remove_reference_t<decltype(Id)>::value_type &value) {
    if (!sets_constants)
      detail::take_constants();
    sets_constants = true;
    const bool fits = detail::note_constant(detail::specialization<Id>::restore, [] {
      detail::record_call([given = detail::specialization<Id>::value] { detail::specialization<Id>::value = given; });
    });
    if (__builtin_expect(!fits, 0))
      unwarp_fail(errc::invalid, "a command group sets 16 specialization constants at most");
    detail::specialization<Id>::value = value;
    needs.constants.take(&detail::specialization<Id>::value, value);
  }
  template <auto &Id> auto get_specialization_constant() const {
    if (used_bundle)
      unwarp_fail(errc::invalid,
                  "a command group that uses a bundle has the bundle's specialization constants: ask the bundle");
    return detail::specialization<Id>::value;
  }

  // For accessors: room in the group's local memory.
  __UW_LAUNCH std::size_t unwarp_local(std::size_t bytes, std::size_t alignment) {
    const std::size_t place = (needs.local_bytes + alignment - 1) / alignment * alignment;
    needs.local_bytes = place + bytes;
    return place;
  }
  // Of a launch's properties, those that are no hints.
  template <class Properties> __UW_LAUNCH void unwarp_properties(const Properties &list) {
    using scratch_key = ext::oneapi::experimental::work_group_scratch_size_key;
    if constexpr (Properties::template has_property<scratch_key>()) {
      const std::size_t place =
          unwarp_local(list.template get_property<scratch_key>().value, detail::scratch_alignment);
      unwarp_set_constant<detail::scratch_place>(place + detail::scratch_alignment);
      has_scratch = true;
    }
  }
  // For accessors: the bytes that a kernel may reach through one.
  __UW_LAUNCH void unwarp_access(const void *from, std::size_t bytes, bool writes) {
    const std::uintptr_t first = detail::number_of(from), last = first + bytes;
    for (int i = 0; i < accesses.count; i++)
      if ((writes || accesses.list[i].writes) && first < accesses.list[i].last && accesses.list[i].first < last)
        needs.distinct = false;
    if (accesses.count < accesses.most) {
      accesses.list[accesses.count++] = {first, last, writes};
    } else {
      accesses.more = true;
      needs.distinct = false;
    }
  }
  // The same of what is no argument of the kernel.
  __UW_LAUNCH void unwarp_result(const void *at, std::size_t bytes) {
    const bool distinct = needs.distinct;
    unwarp_access(at, bytes, true);
    needs.distinct = distinct;
  }
  __UW_LAUNCH event unwarp_event() {
    if (__builtin_expect(sets_constants, 0)) {
      sets_constants = false;
      put_back(kept);
    }
    if (__builtin_expect(kept || task != nullptr, 0)) {
      uwrt_sycl_task *own = task;
      const bool is_kept = kept;
      task = nullptr;
      kept = false;
      return hand_over(owner, accesses, own, is_kept, watch.times);
    }
    return event(owner->number, watch.times);
  }
  detail::queue_data &unwarp_queue() const { return *owner; }
  detail::submit_place unwarp_place() const { return needs.place; }
  // An error, with that place.
  [[noreturn]] __UW_LAUNCH void unwarp_fail(errc code, const char *text) const {
    detail::fail(code, text, needs.place);
  }

private:
  // reduction.hpp
  template <class Name, int D, class... Rest>
  __UW_LAUNCH void reduce_range(const range<D> &extent, const Rest &...rest);
  template <class Name, int D, class... Rest> __UW_LAUNCH void reduce_nd(const nd_range<D> &shape, const Rest &...rest);
  template <class Source, class Destination> void copy_accessors(Source from, Destination to, std::size_t count);
  [[noreturn]] __attribute__((noinline, cold)) static void too_much_local_memory(std::size_t bytes,
                                                                                 detail::submit_place place) {
    detail::fail(errc::memory_allocation,
                 "the work-group's local memory of " + std::to_string(bytes) + " bytes is more than the " +
                     std::to_string(detail::max_local_bytes) + " of info::device::local_mem_size",
                 place);
  }
  void check_inside(std::size_t offset, std::size_t bytes, std::size_t size) const {
    if (offset > size || bytes > size - offset)
      unwarp_fail(errc::invalid, "what is copied does not lie within the device_global");
  }
  void check_rows(std::size_t width, std::size_t pitch) const {
    if (width > pitch)
      unwarp_fail(errc::invalid, "a row is wider than the distance from one to the next");
  }
  const detail::given_arguments &arguments_given() {
    if (!arguments)
      arguments = new detail::given_arguments;
    return *arguments;
  }
  __attribute__((noinline, cold)) static void drop(detail::given_arguments *list) { delete list; }
  // One command in a group.
  __UW_LAUNCH void command() {
    only_one();
    if (__builtin_expect(task != nullptr || owner->recorder != nullptr || detail::any_task_is_open(), 0)) {
      const keeping decided = keep(owner, accesses, task, sets_constants);
      task = decided.task;
      needs.kept = kept = decided.kept;
    }
    watch.start();
  }
  __UW_LAUNCH void only_one() {
    if (__builtin_expect(commanded, 0))
      unwarp_fail(errc::invalid, "a command group has one command");
    commanded = true;
  }
  template <class F> __UW_LAUNCH void own_properties(const F &f) {
    if constexpr (detail::has_properties<F>::value)
      unwarp_properties(f.get(ext::oneapi::experimental::properties_tag()));
  }
  // A kernel without groups has none. One that captures nothing does not use what the command group's accessors have.
  template <class F> __UW_LAUNCH void no_local_memory(const F &f) {
    own_properties(f);
    if (__builtin_expect(has_scratch, 0))
      unwarp_fail(errc::kernel_argument, "work_group_scratch_size is for a kernel over an nd_range");
    if (!std::is_empty_v<F> && __builtin_expect(needs.local_bytes != 0, 0))
      unwarp_fail(errc::kernel_argument, "a local accessor is for a kernel over an nd_range");
  }
  // There is room for the local memory that a kernel may capture; and an accessor of it was made with the command group,
  // or is required by it.
  template <class Name, class F> __UW_LAUNCH void check_captures(const F &f) const {
    if ((!std::is_empty_v<F> || has_scratch) && __builtin_expect(needs.local_bytes > detail::max_local_bytes, 0))
      too_much_local_memory(needs.local_bytes, needs.place);
    const auto found = [this](const void *origin) __attribute__((always_inline)) {
      check_required(origin, accesses, detail::written_types<detail::name_of<Name, F>, F>(), needs.place);
    };
    detail::placeholders_in<decltype(found)>{found}.look_into(f);
  }
  __attribute__((noinline, cold)) static void check_required(const void *origin, detail::group_accesses known,
                                                             const char *types, detail::submit_place place) {
    bool required = known.more;
    for (int i = 0; i < known.count; i++)
      required |= known.list[i].first == detail::number_of(origin);
    if (!required)
      detail::fail(errc::kernel_argument,
                   "an accessor was made without the command group, and the group does not "
                   "require() it, in the kernel " +
                       detail::kernel_in(types),
                   place);
  }
  template <class Name, class F> __UW_LAUNCH void kernel_command(const F &f) {
    check_captures<Name>(f);
    if (std::is_empty_v<F> && !has_scratch) // captures none
      needs.local_bytes = 0;
    if (__builtin_expect(check_bundle != nullptr, 0))
      check_bundle(used_bundle, typeid(detail::name_of<Name, F> *).name() + 1);
    command();
  }
  // A command that is no kernel.
  template <class F> __UW_LAUNCH void perform(const F &work) {
    if (__builtin_expect(kept, 0))
      detail::record_call(work);
    else
      work();
    watch.stop();
  }

  // --- commands that are kept. Not inlined, and given copies
  struct keeping {
    uwrt_sycl_task *task;
    bool kept;
  };

  __attribute__((noinline, cold)) static uwrt_sycl_task *add_dependence(uwrt_sycl_task *task, std::uint64_t queue,
                                                                        uwrt_sycl_task *other) {
    if (!task)
      task = uwrt_sycl_task_new(queue);
    uwrt_sycl_task_after(task, other);
    return task;
  }
  __attribute__((noinline, cold)) static keeping keep(const detail::queue_data *owner, detail::group_accesses accesses,
                                                      uwrt_sycl_task *task, bool constants) {
    if (!owner->recorder) {
      if (!task)
        task = uwrt_sycl_task_new(owner->number);
      if (!uwrt_sycl_task_after_all(task, owner->in_order, accesses.list, std::uint32_t(accesses.count),
                                    accesses.more)) {
        uwrt_sycl_task_release(task);
        return {nullptr, false};
      }
    }
    uwrt_record_begin();
    if (constants) {
      detail::record_call([] { detail::constants_in_use().lock(); });
      const detail::constants_set &list = detail::constants_to_restore();
      for (int i = 0; i < list.count; i++)
        list.at[i].record();
    }
    return {task, true};
  }
  // Specialization constants have their own values again, once the command has run or when it does.
  __attribute__((noinline, cold)) static void put_back(bool kept) {
    const detail::constants_set &list = detail::constants_to_restore();
    for (int i = list.count; i-- > 0;) {
      if (kept)
        detail::record_call([restore = list.at[i].restore] { restore(); });
      list.at[i].restore();
    }
    if (kept)
      detail::record_call([] { detail::constants_in_use().unlock(); });
    detail::constants_in_use().unlock();
  }
  __attribute__((noinline, cold)) static event hand_over(detail::queue_data *owner, detail::group_accesses accesses,
                                                         uwrt_sycl_task *task, bool kept, detail::event_times times) {
    struct recorded {
      uwrt_record *record;
      void operator()() const { uwrt_record_run(record); }
      ~recorded() {
        if (record)
          uwrt_record_free(record);
      }
      explicit recorded(uwrt_record *record) : record(record) {}
      recorded(recorded &&other) : record(std::exchange(other.record, nullptr)) {}
    };
    if (kept && owner->recorder)
      return owner->recorder->take(uwrt_record_end(), accesses);
    if (kept)
      detail::start_task(task, recorded(uwrt_record_end()));
    return event(owner->number, times, detail::task_handle(task));
  }
  __attribute__((noinline, cold)) static void give_up(uwrt_sycl_task *task, bool kept, bool constants) {
    if (kept)
      uwrt_record_free(uwrt_record_end());
    if (task)
      uwrt_sycl_task_release(task);
    if (constants)
      put_back(false);
  }

  detail::queue_data *owner;
  detail::stopwatch watch;
  detail::requirements needs;
  detail::group_accesses accesses;
  detail::given_arguments *arguments = nullptr; // of set_arg
  uwrt_sycl_task *task = nullptr;               // that waits for what the group named, or is kept
  const detail::bundle_data *used_bundle = nullptr;
  void (*check_bundle)(const detail::bundle_data *bundle,
                       const char *name) = nullptr; // with used_bundle; a pointer, so that few programs compile it
  bool commanded = false, kept = false, sets_constants = false; // sets_constants: and holds the lock for them
  bool has_scratch = false;                                     // work_group_scratch_memory.hpp
};

} // namespace _V1
} // namespace sycl
#endif
