// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command graphs (sycl_ext_oneapi_graph). A node is a record of what a command group would have done
// (runtime/record.h), and an executable graph runs its records one after the other, in an order that keeps all edges:
// those that were named, those of in-order queues and those of accessors that meet. What a single command can be, a
// graph's run is.
#ifndef UNWARP_SYCL_GRAPH_HPP
#define UNWARP_SYCL_GRAPH_HPP

#include <algorithm>

#include "queue.hpp"

#define SYCL_EXT_ONEAPI_GRAPH 1

namespace sycl {
inline namespace _V1 {
namespace detail {

struct graph_node {
  std::uint64_t event = 0; // what a recorded submission returned
  std::vector<graph_node *> before, after;
  group_accesses accesses;
  std::shared_ptr<uwrt_record> record; // null: empty
  int waits_for = 0;                   // while nodes are put in order

  bool meets(const graph_node &other) const {
    if (accesses.more || other.accesses.more)
      return true;
    for (int i = 0; i < accesses.count; i++)
      for (int k = 0; k < other.accesses.count; k++) {
        const uwrt_sycl_access &a = accesses.list[i], &b = other.accesses.list[k];
        if ((a.writes || b.writes) && a.first < b.last && b.first < a.last)
          return true;
      }
    return false;
  }
  bool comes_before(const graph_node *later) const {
    return this == later ||
           std::any_of(after.begin(), after.end(), [=](const graph_node *one) { return one->comes_before(later); });
  }
};

// The nodes, in the order in which they were added.
struct graph_contents {
  std::vector<std::shared_ptr<graph_node>> nodes;

  graph_node *find(std::uint64_t event) const {
    for (const auto &one : nodes)
      if (event && one->event == event)
        return one.get();
    return nullptr;
  }
  static void connect(graph_node *from, graph_node *to) {
    if (std::find(from->after.begin(), from->after.end(), to) != from->after.end())
      return;
    from->after.push_back(to);
    to->before.push_back(from);
  }
  graph_node *add(std::shared_ptr<graph_node> fresh) {
    for (const auto &one : nodes)
      if (one->meets(*fresh))
        connect(one.get(), fresh.get());
    nodes.push_back(std::move(fresh));
    return nodes.back().get();
  }
  std::vector<std::shared_ptr<uwrt_record>> in_order() const {
    std::vector<std::shared_ptr<uwrt_record>> order;
    std::vector<graph_node *> ready;
    for (const auto &one : nodes) {
      one->waits_for = int(one->before.size());
      if (!one->waits_for)
        ready.push_back(one.get());
    }
    for (std::size_t i = 0; i < ready.size(); i++) {
      if (ready[i]->record)
        order.push_back(ready[i]->record);
      for (graph_node *one : ready[i]->after)
        if (--one->waits_for == 0)
          ready.push_back(one);
    }
    if (ready.size() != nodes.size())
      fail(errc::invalid, "the graph has a cycle");
    return order;
  }
};

// What a queue's commands become nodes by.
class graph_recorder final : public command_recorder {
public:
  graph_recorder(graph_contents &into, std::shared_ptr<queue_data> queue) : into(into), queue(std::move(queue)) {
    this->queue->recorder = this;
  }
  ~graph_recorder() { queue->recorder = nullptr; }
  void depends_on(std::uint64_t event) override { named.push_back(event); }
  event take(uwrt_record *owned, const group_accesses &accesses) override {
    auto fresh = std::make_shared<graph_node>();
    fresh->record = std::shared_ptr<uwrt_record>(owned, uwrt_record_free);
    fresh->accesses = accesses;
    const event made(queue->number, event_times());
    fresh->event = made.unwarp_number();
    last = into.add(connect_named(std::move(fresh)));
    return made;
  }
  std::shared_ptr<graph_node> connect_named(std::shared_ptr<graph_node> fresh) {
    std::vector<graph_node *> before;
    if (queue->in_order && last)
      before.push_back(last);
    for (std::uint64_t event : std::exchange(named, {})) {
      before.push_back(into.find(event));
      if (!before.back())
        fail(errc::invalid, "a command of a graph depends on an event of none of its nodes");
    }
    for (graph_node *one : before)
      graph_contents::connect(one, fresh.get());
    return fresh;
  }
  const queue_data *of() const { return queue.get(); }
  queue_data &commands() const { return *queue; }

private:
  graph_contents &into;
  std::shared_ptr<queue_data> queue;
  std::vector<std::uint64_t> named;
  graph_node *last = nullptr;
};

struct graph_data {
  context where;
  graph_contents contents;
  std::vector<std::unique_ptr<graph_recorder>> recorders; // of queues that are being recorded
};
struct executable_graph {
  std::vector<std::shared_ptr<uwrt_record>> order;
  void run() const {
    for (const auto &one : order)
      uwrt_record_run(one.get());
  }
};

} // namespace detail

namespace ext::oneapi::experimental {

enum class graph_state { modifiable, executable };

class node {
public:
  explicit node(detail::graph_node *at) : at(at) {}
  std::vector<node> get_predecessors() const { return nodes_of(at->before); }
  std::vector<node> get_successors() const { return nodes_of(at->after); }
  detail::graph_node *unwarp_node() const { return at; }
  friend bool operator==(const node &a, const node &b) { return a.at == b.at; }
  friend bool operator!=(const node &a, const node &b) { return a.at != b.at; }

private:
  static std::vector<node> nodes_of(const std::vector<detail::graph_node *> &list) {
    return std::vector<node>(list.begin(), list.end());
  }
  detail::graph_node *at;
};
template <class... Nodes>
property::node::depends_on::depends_on(const Nodes &...nodes)
    : list(std::make_shared<std::vector<experimental::node>>(std::vector<experimental::node>{nodes...})) {}

template <graph_state State = graph_state::modifiable> class command_graph;

template <> class command_graph<graph_state::executable> {
public:
  explicit command_graph(std::shared_ptr<detail::executable_graph> data) : data(std::move(data)) {}
  // By another one of the same commands, with other arguments.
  void update(const command_graph<graph_state::modifiable> &graph);
  const std::shared_ptr<detail::executable_graph> &unwarp_data() const { return data; }
  friend bool operator==(const command_graph &a, const command_graph &b) { return a.data == b.data; }
  friend bool operator!=(const command_graph &a, const command_graph &b) { return a.data != b.data; }

private:
  std::shared_ptr<detail::executable_graph> data;
};

template <> class command_graph<graph_state::modifiable> {
public:
  command_graph(const context &where, const device &, const property_list & = {})
      : data(std::make_shared<detail::graph_data>()) {
    data->where = where;
  }
  explicit command_graph(const queue &of, const property_list &properties = {})
      : command_graph(of.get_context(), of.get_device(), properties) {}

  // --- of what queues are given
  void begin_recording(queue &of, const property_list & = {}) {
    if (of.unwarp_data()->recorder)
      detail::fail(errc::invalid, "the queue is being recorded already");
    if (of.get_context() != data->where)
      detail::fail(errc::invalid, "the queue's context is not the graph's");
    data->recorders.push_back(std::make_unique<detail::graph_recorder>(data->contents, of.unwarp_data()));
  }
  void begin_recording(const std::vector<queue> &list, const property_list &properties = {}) {
    for (queue of : list)
      begin_recording(of, properties);
  }
  void end_recording() { data->recorders.clear(); }
  void end_recording(queue &of) {
    auto &all = data->recorders;
    all.erase(
        std::remove_if(all.begin(), all.end(), [&](const auto &one) { return one->of() == of.unwarp_data().get(); }),
        all.end());
  }
  void end_recording(const std::vector<queue> &list) {
    for (queue of : list)
      end_recording(of);
  }

  // --- node by node
  node add(const property_list &properties = {}) {
    return connected(data->contents.add(std::make_shared<detail::graph_node>()), properties);
  }
  template <class F, class = std::enable_if_t<std::is_invocable_v<F &, handler &>>>
  node add(F &&f, const property_list &properties = {}) {
    auto commands = std::make_shared<detail::queue_data>(data->where, async_handler(), property_list());
    detail::graph_recorder recorder(data->contents, commands);
    handler group(*commands);
    f(group);
    const event made = group.unwarp_event();
    detail::graph_node *found = data->contents.find(made.unwarp_number());
    if (!found) // a group without a command
      found = data->contents.add(recorder.connect_named(std::make_shared<detail::graph_node>()));
    return connected(found, properties);
  }
  void make_edge(node &from, node &to) {
    if (from.unwarp_node() == to.unwarp_node() || to.unwarp_node()->comes_before(from.unwarp_node()))
      detail::fail(errc::invalid, "the edge would make a cycle");
    detail::graph_contents::connect(from.unwarp_node(), to.unwarp_node());
  }
  std::vector<node> get_nodes() const {
    return nodes_if([](const detail::graph_node &) { return true; });
  }
  std::vector<node> get_root_nodes() const {
    return nodes_if([](const detail::graph_node &one) { return one.before.empty(); });
  }

  command_graph<graph_state::executable> finalize(const property_list & = {}) const {
    return command_graph<graph_state::executable>(
        std::make_shared<detail::executable_graph>(detail::executable_graph{data->contents.in_order()}));
  }
  friend bool operator==(const command_graph &a, const command_graph &b) { return a.data == b.data; }
  friend bool operator!=(const command_graph &a, const command_graph &b) { return a.data != b.data; }

private:
  template <class Wanted> std::vector<node> nodes_if(Wanted wanted) const {
    std::vector<node> list;
    for (const auto &one : data->contents.nodes)
      if (wanted(*one))
        list.push_back(node(one.get()));
    return list;
  }
  node connected(detail::graph_node *fresh, const property_list &properties) {
    if (properties.has_property<property::node::depends_on>())
      for (const node &one : properties.get_property<property::node::depends_on>().get_dependencies())
        detail::graph_contents::connect(one.unwarp_node(), fresh);
    if (properties.has_property<property::node::depends_on_all_leaves>())
      for (const auto &one : data->contents.nodes)
        if (one.get() != fresh && one->after.empty())
          detail::graph_contents::connect(one.get(), fresh);
    return node(fresh);
  }
  std::shared_ptr<detail::graph_data> data;
};
command_graph(const queue &, const property_list & = {}) -> command_graph<graph_state::modifiable>;
command_graph(const context &, const device &, const property_list & = {}) -> command_graph<graph_state::modifiable>;

inline void command_graph<graph_state::executable>::update(const command_graph<graph_state::modifiable> &graph) {
  auto fresh = graph.finalize().unwarp_data();
  if (fresh->order.size() != data->order.size())
    detail::fail(errc::invalid, "a graph is updated by one of as many commands");
  data->order = fresh->order;
}

} // namespace ext::oneapi::experimental

template <class Graph> void handler::ext_oneapi_graph(const Graph &graph) {
  command();
  perform([what = graph.unwarp_data()] { what->run(); });
}
template <class Graph> event queue::ext_oneapi_graph(const Graph &graph) {
  return submit([&](handler &group) { group.ext_oneapi_graph(graph); });
}
template <class Graph, class Events> event queue::ext_oneapi_graph(const Graph &graph, const Events &earlier) {
  return after(earlier, [&](handler &group) { group.ext_oneapi_graph(graph); });
}

} // namespace _V1
} // namespace sycl
#endif
