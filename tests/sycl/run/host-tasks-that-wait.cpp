// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host tasks that wait for what the submitting thread does later, and commands of all kinds after one: they have not run when their
// submission returns, run when it ends, and what waits for nothing runs meanwhile.
#include <sycl/sycl.hpp>

#include <atomic>
#include <future>

#include "check.hpp"

using namespace sycl;
using status = info::event::command_execution_status;

// A host task that ends when it is let go.
struct gate {
  std::promise<void> promise;
  event task;
  gate(queue &q, const std::vector<event> &after = {}) {
    task = q.submit([&](handler &h) {
      h.depends_on(after);
      h.host_task([this] { promise.get_future().wait(); });
    });
  }
  void open() { promise.set_value(); }
};

constexpr specialization_id<int> factor(3);

int main() {
  queue q;
  enum { count = 1000 };
  int *data = malloc_shared<int>(count, q), *other = malloc_shared<int>(count, q), *sum = malloc_shared<int>(1, q);
  std::fill(data, data + count, 1);
  std::fill(other, other + count, 0);
  *sum = 0;

  { // by events: kernels, copies, fills, reductions, constants
    gate g(q);
    CHECK(g.task.get_info<status>() != info::event_command_status::complete);
    event doubled = q.parallel_for(range<1>(count), g.task, [=](id<1> i) { data[i] *= 2; });
    event grouped = q.submit([&](handler &h) {
      local_accessor<int> part(range<1>(100), h);
      h.depends_on(doubled);
      h.parallel_for(nd_range<1>(count, 100), [=](nd_item<1> i) {
        part[i.get_local_id()] = data[i.get_global_id()];
        group_barrier(i.get_group());
        data[i.get_global_id()] = part[99 - i.get_local_id(0)] + 1;
      });
    });
    event copied = q.memcpy(other, data, count * sizeof(int), grouped);
    event added = q.submit([&](handler &h) {
      h.depends_on(copied);
      h.parallel_for(range<1>(count), reduction(sum, plus<int>()), [=](id<1> i, auto &all) { all += other[i]; });
    });
    event scaled = q.submit([&](handler &h) {
      h.depends_on(std::vector<event>{added});
      h.set_specialization_constant<factor>(7);
      h.single_task([=](kernel_handler k) { *sum *= k.get_specialization_constant<factor>(); });
    });
    event filled = q.fill(data, 9, count, scaled);
    CHECK(doubled.get_wait_list().size() == 1 && doubled.get_wait_list()[0] == g.task);
    q.single_task([=] { data[0] += 10; }).wait(); // waits for nothing
    CHECK(data[0] == 11 && data[1] == 1 && other[0] == 0 && *sum == 0);
    CHECK(filled.get_info<status>() == info::event_command_status::submitted);
    g.open();
    filled.wait();
    CHECK(other[99] == 23 && other[5] == 3 && *sum == (999 * 3 + 23) * 7 && data[0] == 9 && data[999] == 9);
    CHECK(scaled.get_info<status>() == info::event_command_status::complete && scaled.get_wait_list().empty());
    q.submit([&](handler &h) {
       h.single_task([=](kernel_handler k) { *sum = k.get_specialization_constant<factor>(); });
     }).wait();
    CHECK(*sum == 3);
  }
  { // by an in-order queue
    queue ordered(property::queue::in_order{});
    gate g(ordered);
    int *at = malloc_shared<int>(1, q);
    *at = 0;
    for (int i = 0; i < 50; i++)
      ordered.single_task([=] { *at = *at * 3 % 1009 + i; });
    q.single_task([=] { data[0] = 77; });
    CHECK(*at == 0 && data[0] == 77 && !ordered.ext_oneapi_empty());
    g.open();
    ordered.wait();
    int wanted = 0;
    for (int i = 0; i < 50; i++)
      wanted = wanted * 3 % 1009 + i;
    CHECK(*at == wanted && ordered.ext_oneapi_empty());
    free(at, q);
  }
  { // by buffers: only those whose memory a task may reach
    std::vector<int> a(count, 1), b(count, 1);
    std::promise<void> promise;
    {
      buffer one(a), two(b);
      q.submit([&](handler &h) {
        accessor x(one, h, read_write_host_task);
        h.host_task([x, &promise] {
          promise.get_future().wait();
          for (int &v : x)
            v += 1;
        });
      });
      q.submit([&](handler &h) {
        accessor x(one, h);
        h.parallel_for(range<1>(count), [=](id<1> i) { x[i] *= 10; });
      });
      q.submit([&](handler &h) {
        accessor x(two, h);
        h.parallel_for(range<1>(count), [=](id<1> i) { x[i] *= 10; });
      });
      CHECK(host_accessor(two, read_only)[5] == 10 && a[5] == 1);
      std::thread later([&] { promise.set_value(); });
      CHECK(host_accessor(one, read_only)[5] == 20); // waits
      later.join();
    }
    CHECK(a[999] == 20 && b[999] == 10);
  }
  { // tasks after tasks; several at once; who destroys a buffer waits
    std::atomic<int> order{0};
    std::vector<int> a(10, 0);
    gate g(q), h(q);
    gate last(q, {g.task, h.task});
    CHECK(last.task.get_wait_list().size() == 2);
    event end = q.submit([&](handler &group) {
      group.depends_on(last.task);
      group.host_task([&] { order = 1; });
    });
    last.open();
    h.open();
    CHECK(order == 0);
    g.open();
    end.wait();
    CHECK(order == 1);
    gate again(q);
    {
      buffer all(a);
      q.submit([&](handler &group) {
        group.depends_on(again.task);
        accessor x(all, group);
        group.single_task([=] { x[3] = 4; });
      });
      again.open();
    }
    CHECK(a[3] == 4);
  }
  { // a group that fails leaves nothing after
    gate g(q);
    bool caught = false;
    try {
      q.submit([&](handler &h) {
        h.depends_on(g.task);
        h.set_specialization_constant<factor>(5);
        h.parallel_for(nd_range<1>(10, 3), [=](nd_item<1> i) { data[i.get_global_id()] = 0; });
      });
    } catch (const exception &e) {
      caught = e.code() == errc::nd_range;
    }
    CHECK(caught);
    q.submit([&](handler &h) {
       h.single_task([=](kernel_handler k) { *sum = k.get_specialization_constant<factor>(); });
     }).wait();
    CHECK(*sum == 3);
    g.open();
    g.task.wait();
  }
  { // errors of tasks, by the queues of all that an event waits for
    std::vector<int> thrown;
    auto note = [&](exception_list list) {
      for (auto &each : list)
        try {
          std::rethrow_exception(each);
        } catch (int value) {
          thrown.push_back(value);
        }
    };
    queue first(note), second(note);
    gate g(q);
    auto failing = [&](queue &where, event after, int value) {
      return where.submit([&](handler &h) {
        h.depends_on(after);
        h.host_task([=] { throw value; });
      });
    };
    event one = failing(first, g.task, 1), two = failing(second, one, 2);
    g.open();
    two.wait();
    CHECK(thrown.empty());
    two.wait_and_throw();
    first.throw_asynchronous();
    CHECK(thrown.size() == 2 && thrown[0] + thrown[1] == 3);
  }
  { // times
    queue timed(property::queue::enable_profiling{});
    gate g(timed);
    event after = timed.single_task(g.task, [=] { data[1] = 5; });
    g.open();
    using namespace info::event_profiling;
    CHECK(after.get_profiling_info<command_submit>() <= after.get_profiling_info<command_start>());
    CHECK(after.get_profiling_info<command_start>() <= after.get_profiling_info<command_end>());
    CHECK(data[1] == 5);
  }
  free(data, q);
  free(other, q);
  free(sum, q);
  return report();
}
