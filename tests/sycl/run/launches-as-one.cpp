// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that match element by element and may run as one (fuse-launches), over buffers and over USM, and those that may
// not: neighbours' elements, pointers that overlap, other ranges, what the host reads in between by an accessor, after a wait, after the
// buffer's end or in a reduction, a command group that throws, and queues that note times.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <cstdlib>
#include <vector>

enum { N = 3000 };
static std::vector<int> a(N), b(N), c(N);

static int after_twice(int i) { return 2 * i + 1; }
static int after_both(int i) { return after_twice(i) * after_twice(i) + i; }
static void reset() {
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = -1, c[i] = -2;
}
static void expect_both(const char *what) {
  for (int i = 0; i < N; i++)
    if (b[i] != after_twice(i) || c[i] != after_both(i)) {
      std::printf("%s, %d: %d and %d\n", what, i, b[i], c[i]);
      std::exit(1);
    }
}
static void expect(const char *what, int got, int expected) {
  if (got == expected)
    return;
  std::printf("%s: got %d, expected %d\n", what, got, expected);
  std::exit(1);
}

static void buffers(sycl::queue &q) {
  reset();
  {
    sycl::buffer<int> from(a.data(), N), between(b.data(), N), to(c.data(), N);
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(from, h, sycl::read_only);
      sycl::accessor out(between, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = 2 * in[i] + 1; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(between, h, sycl::read_only);
      sycl::accessor out(to, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = in[i] * in[i] + int(i[0]); });
    });
  }
  expect_both("buffers");
}

// Of three, and the host may look at what the first two did.
static int three_buffers(sycl::queue &q, bool looks) {
  reset();
  int seen = -1;
  {
    sycl::buffer<int> from(a.data(), N), between(b.data(), N), to(c.data(), N);
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(from, h, sycl::read_only);
      sycl::accessor out(between, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = 2 * in[i] + 1; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(between, h, sycl::read_only);
      sycl::accessor out(to, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = in[i] * in[i] + int(i[0]); });
    });
    if (__builtin_expect(looks, 0))
      seen = sycl::host_accessor(to)[N - 1];
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(to, h, sycl::read_only);
      sycl::accessor out(from, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = in[i] - 1; });
    });
  }
  expect_both("three buffers");
  for (int i = 0; i < N; i++)
    expect("three buffers, the last", a[i], after_both(i) - 1);
  return seen;
}

static void buffer_neighbours(sycl::queue &q) {
  reset();
  {
    sycl::buffer<int> from(a.data(), N), between(b.data(), N), to(c.data(), N);
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(from, h, sycl::read_only);
      sycl::accessor out(between, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = 2 * in[i] + 1; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(between, h, sycl::read_only);
      sycl::accessor out(to, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = in[(i[0] + 1) % N]; });
    });
  }
  for (int i = 0; i < N; i++)
    expect("neighbours", c[i], after_twice((i + 1) % N));
}

static int host_accessor_between(sycl::queue &q) {
  reset();
  int seen;
  {
    sycl::buffer<int> from(a.data(), N), between(b.data(), N), to(c.data(), N);
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(from, h, sycl::read_only);
      sycl::accessor out(between, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = 2 * in[i] + 1; });
    });
    {
      sycl::host_accessor look(between);
      seen = look[N - 1];
      look[0] = 9;
    }
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(between, h, sycl::read_only);
      sycl::accessor out(to, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = in[i] * in[i] + int(i[0]); });
    });
  }
  expect("changed by the host", c[0], 81);
  return seen;
}

static int buffer_ends_between(sycl::queue &q) {
  reset();
  int seen;
  {
    sycl::buffer<int> from(a.data(), N);
    {
      sycl::buffer<int> between(b.data(), N);
      q.submit([&](sycl::handler &h) {
        sycl::accessor in(from, h, sycl::read_only);
        sycl::accessor out(between, h, sycl::write_only);
        h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = 2 * in[i] + 1; });
      });
    }
    seen = b[N - 1];
    sycl::buffer<int> to(c.data(), N);
    q.submit([&](sycl::handler &h) {
      sycl::accessor out(to, h, sycl::write_only);
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { out[i] = 5; });
    });
  }
  expect("after the buffer's end", c[N - 1], 5);
  return seen;
}

__attribute__((noinline)) static void pointers(sycl::queue &q, int *out, const int *in, int *last, const int *second,
                                               int n, int m) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { out[i] = 2 * in[i] + 1; });
  q.parallel_for(sycl::range<1>(m), [=](sycl::id<1> i) { last[i] = second[i] * second[i] + int(i[0]); });
  q.wait();
}
static void check_pointers(sycl::queue &q, const char *what, int to, int from, int last, int second, int n, int m) {
  std::vector<int> own(8192);
  int *all = sycl::malloc_shared<int>(own.size(), q);
  for (size_t i = 0; i < own.size(); i++)
    own[i] = all[i] = int(i * 7 % 1009);
  pointers(q, all + to, all + from, all + last, all + second, n, m);
  for (int i = 0; i < n; i++)
    own[to + i] = 2 * own[from + i] + 1;
  for (int i = 0; i < m; i++)
    own[last + i] = own[second + i] * own[second + i] + i;
  for (size_t i = 0; i < own.size(); i++)
    expect(what, all[i], own[i]);
  sycl::free(all, q);
}

static int waits_between(sycl::queue &q) {
  int *x = sycl::malloc_shared<int>(N, q), *y = sycl::malloc_shared<int>(N, q);
  for (int i = 0; i < N; i++)
    x[i] = i;
  auto first = q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { y[i] = 2 * x[i] + 1; });
  first.wait();
  int seen = y[N - 1];
  q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { y[i] *= 3; });
  q.wait();
  expect("after a wait", y[N - 1], 3 * after_twice(N - 1));
  sycl::free(x, q);
  sycl::free(y, q);
  return seen;
}

static int sum_between(sycl::queue &q) {
  int *x = sycl::malloc_shared<int>(N, q), *sum = sycl::malloc_shared<int>(1, q);
  *sum = 0;
  q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { x[i] = int(i[0]) % 7; });
  q.parallel_for(sycl::range<1>(N), sycl::reduction(sum, sycl::plus<int>()),
                 [=](sycl::id<1> i, auto &all) { all += x[i]; });
  q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { x[i] += *sum; });
  q.wait();
  int expected = 0;
  for (int i = 0; i < N; i++)
    expected += i % 7;
  expect("a sum in between", *sum, expected);
  expect("what goes on from it", x[8], 1 + expected);
  sycl::free(x, q);
  sycl::free(sum, q);
  return expected;
}

static void throws_between(sycl::queue &q) {
  int *x = sycl::malloc_shared<int>(N, q);
  for (int i = 0; i < N; i++)
    x[i] = i;
  bool caught = false;
  try {
    q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { x[i] += 5; });
    q.submit([&](sycl::handler &h) {
      h.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) { x[i] *= 2; });
      h.single_task([=] { x[0] = 0; }); // a second command
    });
  } catch (const sycl::exception &) {
    caught = true;
  }
  q.wait();
  expect("caught", caught, true);
  expect("before the exception", x[1], 12);
  sycl::free(x, q);
}

int main() {
  sycl::queue q, noting{sycl::property::queue::enable_profiling()};
  buffers(q);
  expect("three", three_buffers(q, false), -1);
  expect("three, seen", three_buffers(q, true), after_both(N - 1));
  buffers(noting);
  buffer_neighbours(q);
  expect("seen by an accessor", host_accessor_between(q), after_twice(N - 1));
  expect("seen after the buffer", buffer_ends_between(q), after_twice(N - 1));
  check_pointers(q, "apart", 0, 2000, 4000, 6000, 1500, 1500);
  check_pointers(q, "in place", 0, 0, 0, 0, 1500, 1500);
  check_pointers(q, "handed on", 1000, 4000, 6000, 1000, 1500, 1500);
  check_pointers(q, "reads what others wrote", 1000, 4000, 6000, 1001, 1500, 1500);
  check_pointers(q, "writes what the first has yet to read", 4000, 100, 0, 4000, 1500, 1500);
  check_pointers(q, "fewer", 1000, 4000, 6000, 1000, 1500, 700);
  check_pointers(q, "more", 1000, 4000, 6000, 1000, 700, 1500);
  expect("seen after a wait", waits_between(q), after_twice(N - 1));
  sum_between(q);
  throws_between(q);
  std::printf("ok\n");
}
