// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer without memory of the program's, which one kernel fills for the next: where both run as one (fuse-launches) it
// need not be stored. And such buffers that somebody looks at after all: the host, a kernel later, the second kernel
// once more, what the buffer ends into, a graph.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <cstdlib>
#include <vector>

enum { N = 3000 };
static std::vector<int> in(N), out(N);

static void expect(const char *what, int got, int expected) {
  if (got == expected)
    return;
  std::printf("%s: got %d, expected %d\n", what, got, expected);
  std::exit(1);
}
static void reset() {
  for (int i = 0; i < N; i++)
    in[i] = i, out[i] = -1;
}
static void expect_all(const char *what, int factor, int term) {
  for (int i = 0; i < N; i++)
    expect(what, out[i], factor * i + term);
}

using ints = sycl::buffer<int, 1>;
template <int> class first;
template <int> class second;

// Inlined, so that each caller has launches of its own.
template <int K> __attribute__((always_inline)) static inline void twice(sycl::queue &q, ints &to, ints &from) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(from, h, sycl::read_only);
    sycl::accessor b(to, h, sycl::write_only, sycl::no_init);
    h.parallel_for<first<K>>(sycl::range<1>(N), [=](sycl::id<1> i) { b[i] = 2 * a[i]; });
  });
}
template <int K> __attribute__((always_inline)) static inline void add(sycl::queue &q, ints &to, ints &from) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(from, h, sycl::read_only);
    sycl::accessor b(to, h, sycl::read_write);
    h.parallel_for<second<K>>(sycl::range<1>(N), [=](sycl::id<1> i) { b[i] += a[i]; });
  });
}

static void dies(sycl::queue &q) {
  reset();
  {
    ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
    twice<0>(q, t, x);
    add<0>(q, y, t);
  }
  expect_all("dies", 2, -1);
}

static void dies_each_time(sycl::queue &q) {
  reset();
  {
    ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
    for (int k = 0; k < 3; k++) {
      twice<1>(q, t, x);
      add<1>(q, y, t);
    }
  }
  expect_all("dies each time", 6, -1);
}

static void host_looks(sycl::queue &q) {
  reset();
  ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
  twice<2>(q, t, x);
  add<2>(q, y, t);
  expect("host looks", sycl::host_accessor(t)[N - 1], 2 * (N - 1));
}

static void read_later(sycl::queue &q) {
  reset();
  {
    ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
    twice<3>(q, t, x);
    add<3>(q, y, t);
    q.wait();
    add<4>(q, y, t);
  }
  expect_all("read later", 4, -1);
}

__attribute__((noinline)) static void alone(sycl::queue &q, int times, int every) {
  reset();
  {
    ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
    for (int k = 0; k < times; k++) {
      if (k % every == 0)
        twice<5>(q, t, x);
      add<5>(q, y, t);
    }
  }
  expect_all("alone", 2 * times, -1);
}

static void ends_into(sycl::queue &q) {
  std::vector<int> goal(N);
  reset();
  {
    ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
    t.set_final_data(goal.data());
    twice<6>(q, t, x);
    add<6>(q, y, t);
  }
  expect("ends into", goal[N - 1], 2 * (N - 1));
}

static ints given_back(sycl::queue &q) {
  reset();
  ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
  twice<7>(q, t, x);
  add<7>(q, y, t);
  return t;
}

// A graph has the second kernel alone: it reads what the first one stored last.
__attribute__((noinline)) static void recorded(sycl::queue &q, sycl::queue &r) {
  namespace experimental = sycl::ext::oneapi::experimental;
  reset();
  {
    ints x(in.data(), N), y(out.data(), N), t{sycl::range<1>(N)};
    experimental::command_graph graph(r.get_context(), r.get_device(),
                                      {experimental::property::graph::assume_buffer_outlives_graph{}});
    for (int k = 0; k < 3; k++) {
      twice<8>(q, t, x);
      if (k == 1)
        graph.begin_recording(r);
      add<8>(r, y, t);
      if (k == 1)
        graph.end_recording(r);
    }
    auto executable = graph.finalize();
    q.ext_oneapi_graph(executable).wait();
  }
  expect_all("recorded", 6, -1);
}

int main() {
  sycl::queue q, r;
  dies(q);
  dies_each_time(q);
  host_looks(q);
  read_later(q);
  alone(q, 1, 1);
  alone(q, 6, 3);
  ends_into(q);
  ints t = given_back(q);
  expect("given back", sycl::host_accessor(t)[7], 14);
  recorded(q, r);
  dies(q);
  std::printf("ok\n");
}
