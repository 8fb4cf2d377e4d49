// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command graphs: recorded from queues, made node by node, run often and among other commands; what is recorded does not run.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;
namespace graphs = sycl::ext::oneapi::experimental;

template <class F> bool is_invalid(F f) {
  try {
    f();
  } catch (const exception &e) {
    return e.code() == errc::invalid;
  }
  return false;
}

constexpr specialization_id<int> added(1);

int main() {
  queue q(property::queue::in_order{});
  enum { count = 500 };
  int *a = malloc_shared<int>(count, q), *b = malloc_shared<int>(count, q), *sum = malloc_shared<int>(1, q), calls = 0;
  std::fill(a, a + count, 0);
  std::fill(b, b + count, 0);
  *sum = 0;
  { // recorded
    graphs::command_graph graph(q);
    graph.begin_recording(q);
    q.parallel_for(range<1>(count), [=](id<1> i) { a[i] += int(i[0]); });
    q.memcpy(b, a, count * sizeof(int));
    q.submit([&](handler &h) {
      local_accessor<int> part(range<1>(50), h);
      h.parallel_for(nd_range<1>(count, 50), [=](nd_item<1> i) {
        part[i.get_local_id()] = b[i.get_global_id()];
        group_barrier(i.get_group());
        b[i.get_global_id()] = part[49 - i.get_local_id(0)];
      });
    });
    q.parallel_for(range<1>(count), reduction(sum, plus<int>(), property::reduction::initialize_to_identity()),
                   [=](id<1> i, auto &all) { all += b[i]; });
    q.submit([&](handler &h) {
      h.set_specialization_constant<added>(10);
      h.single_task([=](kernel_handler k) { *sum += k.get_specialization_constant<added>(); });
    });
    q.submit([&](handler &h) { h.host_task([&] { calls++; }); });
    CHECK(is_invalid([&] { q.wait(); }) && is_invalid([&] { graph.begin_recording(q); }));
    graph.end_recording();
    CHECK(a[7] == 0 && *sum == 0 && calls == 0);
    auto made = graph.finalize();
    CHECK(graph.get_nodes().size() == 6 && graph.get_root_nodes().size() == 1 &&
          graph.get_nodes()[1].get_predecessors()[0] == graph.get_root_nodes()[0]);
    for (int run = 1; run <= 3; run++) {
      q.ext_oneapi_graph(made).wait();
      CHECK(a[7] == 7 * run && b[0] == 49 * run && *sum == 124750 * run + 10 && calls == run);
    }
    q.single_task([=] { a[0] = 1000; });
    event once = q.submit([&](handler &h) { h.ext_oneapi_graph(made); });
    q.ext_oneapi_graph(made, once);
    q.wait();
    CHECK(a[0] == 1000 && *sum == 124750 * 5 + 1010 && calls == 5);
  }
  { // by events, over two queues
    queue first(property::queue::in_order{}), second(first.get_context(), first.get_device());
    graphs::command_graph graph(first.get_context(), first.get_device());
    graph.begin_recording({first, second});
    event one = first.single_task([=] { *sum = 3; });
    event two = second.single_task(one, [=] { *sum *= 5; });
    event other = second.fill(a, 4, count);
    first.submit([&](handler &h) {
      h.depends_on({two, other});
      h.single_task([=] { *sum += a[9]; });
    });
    CHECK(is_invalid([&] { first.single_task(event(), [=] { *sum = 0; }); }) && graph.get_nodes().size() == 4);
    CHECK(graph.get_nodes()[3].get_predecessors().size() == 3 && graph.get_nodes()[3].get_successors().empty());
    graph.end_recording(first);
    graph.end_recording(second);
    auto made = graph.finalize();
    first.ext_oneapi_graph(made).wait();
    CHECK(*sum == 19 && a[0] == 4 && graph.get_root_nodes().size() == 2);
  }
  { // node by node; edges against the order in which nodes were added; buffers
    std::vector<int> data(count, 1);
    {
      buffer all(data);
      graphs::command_graph graph(q, graphs::property::graph::assume_buffer_outlives_graph());
      auto add = graph.add([&](handler &h) {
        accessor x(all, h);
        h.parallel_for(range<1>(count), [=](id<1> i) { x[i] += 1; });
      });
      auto times = graph.add([&](handler &h) {
        accessor x(all, h);
        h.parallel_for(range<1>(count), [=](id<1> i) { x[i] *= 3; });
      });
      auto late = graph.add([&](handler &h) { h.single_task([=] { *sum = *sum * 10 + 1; }); });
      auto early = graph.add([&](handler &h) { h.single_task([=] { *sum = 5; }); });
      auto nothing = graph.add(property_list(graphs::property::node::depends_on(late, times)));
      graph.add([&](handler &h) { h.single_task([=] { *sum += 2; }); },
                graphs::property::node::depends_on_all_leaves());
      graph.make_edge(early, late);
      CHECK(times.get_predecessors().size() == 1 && times.get_predecessors()[0] == add &&
            nothing.get_successors().size() == 1);
      CHECK(is_invalid([&] { graph.make_edge(late, early); }));
      auto made = graph.finalize();
      q.ext_oneapi_graph(made);
      q.ext_oneapi_graph(made);
    }
    q.wait();
    CHECK(data[3] == ((1 + 1) * 3 + 1) * 3 && *sum == 53);
  }
  { // a graph in a graph, and new arguments for the same commands
    graphs::command_graph inner(q), outer(q), changed(q);
    inner.add([&](handler &h) { h.single_task([=] { *sum += 1; }); });
    auto made = inner.finalize();
    outer.begin_recording(q);
    q.ext_oneapi_graph(made);
    q.ext_oneapi_graph(made);
    outer.end_recording();
    auto twice = outer.finalize();
    *sum = 0;
    q.ext_oneapi_graph(twice).wait();
    CHECK(*sum == 2);
    changed.add([&](handler &h) { h.single_task([=] { *sum += 100; }); });
    made.update(changed);
    q.ext_oneapi_graph(twice).wait();
    CHECK(*sum == 202);
  }
  free(a, q);
  free(b, q);
  free(sum, q);
  return report();
}
