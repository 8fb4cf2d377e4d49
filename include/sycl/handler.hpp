// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::handler (SYCL 2020, section 4.9.4): a command group. Its command runs where it stands: everything that was
// submitted earlier has run. Host tasks are the exception, with what stands behind one (detail/tasks.hpp): such a
// command is kept. The functions that do that get copies of what the group knows, so that this object stays one of
// values that the optimiser sees.
#ifndef UNWARP_SYCL_HANDLER_HPP
#define UNWARP_SYCL_HANDLER_HPP

#include "detail/launch.hpp"
#include "event.hpp"
#include "ext_properties.hpp"
#include "detail/tasks.hpp"

namespace sycl {
inline namespace _V1 {

class queue;
template <class T, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder> class accessor;
namespace detail {

// The bytes that a group's accessors may reach. With more of them than there is room for, nothing is said.
struct group_accesses {
  enum { most = 8 };
  uwrt_sycl_access list[most];
  int count = 0;
  bool more = false;
};

// Where the commands of a queue go that is being recorded (graph.hpp).
class command_recorder {
public:
  virtual void depends_on(std::uint64_t event) = 0;
  virtual event take(uwrt_record *owned, const group_accesses &accesses) = 0;

protected:
  ~command_recorder() = default;
};

struct queue_data {
  context where;
  property_list properties;
  async_handler handler;
  std::uint64_t number = pending::next_queue();
  bool profiles, in_order;
  command_recorder *recorder = nullptr;
  queue_data(const context &where, const async_handler &given, const property_list &properties)
      : where(where), properties(properties), handler(given ? given : where.unwarp_handler()),
        profiles(properties.has_property<property::queue::enable_profiling>()),
        in_order(properties.has_property<property::queue::in_order>()) {}
  queue_data(const queue_data &) = delete;
  ~queue_data() {
    try {
      pending::deliver(number);
    } catch (...) {
      std::terminate(); // the handler's own exception, and nobody to tell
    }
  }
};

template <class V> struct is_reduction; // reduction.hpp
struct bundle_data;                     // kernel_bundle.hpp

// Notes the times of one command, if its queue wants them.
struct stopwatch {
  event_times times;
  __UW_INLINE explicit stopwatch(bool wanted) {
    times.known = wanted;
    if (__builtin_expect(wanted, 0))
      times.submitted = times.started = times.ended = uwrt_sycl_nanoseconds();
  }
  __UW_INLINE void start() {
    if (__builtin_expect(times.known, 0))
      times.started = uwrt_sycl_nanoseconds();
  }
  __UW_INLINE void stop() {
    if (__builtin_expect(times.known, 0))
      times.ended = uwrt_sycl_nanoseconds();
  }
};

__UW_INLINE void copy_bytes(void *to, const void *from, std::size_t bytes) {
  enum { by_default = 4 };
  if (bytes)
    cudaMemcpy(to, from, bytes, by_default);
}

} // namespace detail

// What a host task may ask of a backend, of which there is none to ask.
class interop_handle {
public:
  backend get_backend() const noexcept { return backend::unwarp; }
};

class handler {
public:
  __UW_LAUNCH explicit handler(detail::queue_data &queue) : owner(&queue), watch(queue.profiles) {}
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;

  __UW_LAUNCH ~handler() { // of a group that failed, where there is anything left to do
    if (__builtin_expect(sets_constants || kept || task != nullptr, 0))
      give_up(task, kept, sets_constants);
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
    no_local_memory<F>();
    kernel_command<Name, F>();
    detail::launch_single_task<Name>(needs, f);
    watch.stop();
  }
  // No template in D, so that {rows, columns} is a range.
#define __UW_PARALLEL_FOR(D)                                                                                           \
  template <class Name = void, class F> __UW_LAUNCH void parallel_for(range<D> extent, const F &f) {                   \
    no_local_memory<F>();                                                                                              \
    kernel_command<Name, F>();                                                                                         \
    detail::launch_range<Name>(extent, needs, f);                                                                      \
    watch.stop();                                                                                                      \
  }                                                                                                                    \
  template <class Name = void, class F> __UW_LAUNCH void parallel_for(range<D> extent, id<D> offset, const F &f) {     \
    no_local_memory<F>();                                                                                              \
    kernel_command<Name, F>();                                                                                         \
    detail::launch_offset_range<Name>(extent, offset, needs, f);                                                       \
    watch.stop();                                                                                                      \
  }                                                                                                                    \
  template <class Name = void, class Variable, class... Rest,                                                          \
            class = std::enable_if_t<detail::is_reduction<Variable>::value>>                                           \
  __UW_LAUNCH void parallel_for(range<D> extent, const Variable &variable, const Rest &...rest) {                      \
    reduce_range<Name>(extent, variable, rest...);                                                                     \
  }                                                                                                                    \
  template <class Name = void, class... Properties, class... Rest>                                                     \
  __UW_LAUNCH void parallel_for(range<D> extent, ext::oneapi::experimental::properties<Properties...>,                 \
                                const Rest &...rest) {                                                                 \
    parallel_for<Name>(extent, rest...);                                                                               \
  }
  __UW_PARALLEL_FOR(1)
  __UW_PARALLEL_FOR(2)
  __UW_PARALLEL_FOR(3)
#undef __UW_PARALLEL_FOR
  template <class Name = void, int D, class F> __UW_LAUNCH void parallel_for(nd_range<D> shape, const F &f) {
    kernel_command<Name, F>();
    detail::launch_nd_range<Name>(shape, needs, f);
    watch.stop();
  }

  template <class Name = void, int D, class Variable, class... Rest,
            class = std::enable_if_t<detail::is_reduction<Variable>::value>>
  __UW_LAUNCH void parallel_for(nd_range<D> shape, const Variable &variable, const Rest &...rest) {
    reduce_nd<Name>(shape, variable, rest...);
  }
  template <class Name = void, int D, class... Properties, class... Rest>
  __UW_LAUNCH void parallel_for(nd_range<D> shape, ext::oneapi::experimental::properties<Properties...>,
                                const Rest &...rest) {
    parallel_for<Name>(shape, rest...);
  }
  template <class Name = void, class... Properties, class F>
  __UW_LAUNCH void single_task(ext::oneapi::experimental::properties<Properties...>, const F &f) {
    single_task<Name>(f);
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
      detail::fail(errc::invalid, "what is copied has no room in the accessor that it is copied to");
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
      detail::fail(errc::invalid, "a command group uses a bundle, or sets specialization constants");
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
      detail::fail(errc::invalid, "a command group sets 16 specialization constants at most");
    detail::specialization<Id>::value = value;
    needs.constants.take(&detail::specialization<Id>::value, value);
  }
  template <auto &Id> auto get_specialization_constant() const {
    if (used_bundle)
      detail::fail(errc::invalid,
                   "a command group that uses a bundle has the bundle's specialization constants: ask the bundle");
    return detail::specialization<Id>::value;
  }

  // For accessors: room in the group's local memory.
  __UW_LAUNCH std::size_t unwarp_local(std::size_t bytes, std::size_t alignment) {
    const std::size_t place = (needs.local_bytes + alignment - 1) / alignment * alignment;
    needs.local_bytes = place + bytes;
    if (__builtin_expect(needs.local_bytes > detail::max_local_bytes, 0))
      detail::fail(errc::memory_allocation, "the group's local memory is larger than info::device::local_mem_size");
    return place;
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

private:
  // reduction.hpp
  template <class Name, int D, class... Rest>
  __UW_LAUNCH void reduce_range(const range<D> &extent, const Rest &...rest);
  template <class Name, int D, class... Rest> __UW_LAUNCH void reduce_nd(const nd_range<D> &shape, const Rest &...rest);
  template <class Source, class Destination> void copy_accessors(Source from, Destination to, std::size_t count);
  static void check_rows(std::size_t width, std::size_t pitch) {
    if (width > pitch)
      throw exception(make_error_code(errc::invalid), "a row is wider than the distance from one to the next");
  }
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
      detail::fail(errc::invalid, "a command group has one command");
    commanded = true;
  }
  // A kernel without groups has none. One that captures nothing does not use what the command group has.
  template <class F> __UW_LAUNCH void no_local_memory() const {
    if (!std::is_empty_v<F> && __builtin_expect(needs.local_bytes != 0, 0))
      detail::fail(errc::kernel_argument, "a local accessor is for a kernel over an nd_range");
  }
  template <class Name, class F> __UW_LAUNCH void kernel_command() {
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
  uwrt_sycl_task *task = nullptr; // that waits for what the group named, or is kept
  const detail::bundle_data *used_bundle = nullptr;
  void (*check_bundle)(const detail::bundle_data *bundle,
                       const char *name) = nullptr; // with used_bundle; a pointer, so that few programs compile it
  bool commanded = false, kept = false, sets_constants = false; // sets_constants: and holds the lock for them
};

} // namespace _V1
} // namespace sycl
#endif
