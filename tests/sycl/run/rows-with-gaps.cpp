// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_memcpy2d: rows with gaps copied and filled, by the queue, after events, and in command groups.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

enum { ROWS = 5, WIDE = 8, NARROW = 6, WIDTH = 4 };

static int wide[ROWS * WIDE];

// The first WIDTH of each row come from `of`, the others are -1.
template <class F> static bool holds(const int *rows, F of) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < NARROW; j++)
      if (rows[i * NARROW + j] != (j < WIDTH ? of(i, j) : -1))
        return false;
  return true;
}

static void clear(int *rows) { std::fill(rows, rows + ROWS * NARROW, -1); }

int main() {
  queue q;
  int *rows = malloc_shared<int>(ROWS * NARROW, q);
  for (int i = 0; i < ROWS * WIDE; i++)
    wide[i] = i;
  auto copied = [](int i, int j) { return i * WIDE + j; };
  const std::size_t to = NARROW * sizeof(int), from = WIDE * sizeof(int), bytes = WIDTH * sizeof(int);

  clear(rows);
  q.ext_oneapi_memcpy2d(rows, to, wide, from, bytes, ROWS).wait();
  CHECK(holds(rows, copied));
  clear(rows);
  q.ext_oneapi_copy2d(wide, WIDE, rows, NARROW, WIDTH, ROWS).wait();
  CHECK(holds(rows, copied));
  q.ext_oneapi_memset2d(rows, to, 1, bytes, ROWS).wait();
  CHECK(holds(rows, [](int, int) { return 0x01010101; }));
  q.ext_oneapi_fill2d(rows, NARROW, 77, WIDTH, ROWS).wait();
  CHECK(holds(rows, [](int, int) { return 77; }));

  event first = q.ext_oneapi_fill2d(rows, NARROW, 3, WIDTH, ROWS);
  event second = q.parallel_for(range<2>(ROWS, WIDTH), first, [=](id<2> i) { rows[i[0] * NARROW + i[1]] += 4; });
  q.wait();
  CHECK(holds(rows, [](int, int) { return 7; }));
  q.ext_oneapi_copy2d(wide, WIDE, rows, NARROW, WIDTH, ROWS, {first, second}).wait();
  CHECK(holds(rows, copied));
  event third = q.ext_oneapi_memset2d(rows, to, 0, bytes, ROWS, second);
  q.ext_oneapi_memcpy2d(rows, to, wide + 1, from, bytes, ROWS - 1, third).wait();
  CHECK(holds(rows, [](int i, int j) { return i < ROWS - 1 ? i * WIDE + j + 1 : 0; }));

  clear(rows);
  q.submit([&](handler &h) { h.ext_oneapi_memcpy2d(rows, to, wide, from, bytes, ROWS); }).wait();
  CHECK(holds(rows, copied));
  q.submit([&](handler &h) { h.ext_oneapi_fill2d(rows, NARROW, 9, WIDTH, ROWS); }).wait();
  q.submit([&](handler &h) { h.ext_oneapi_memset2d(rows, to, 0, bytes, 1); }).wait();
  q.submit([&](handler &h) { h.ext_oneapi_copy2d(wide, WIDE, rows + NARROW, NARROW, WIDTH, 1); }).wait();
  CHECK(holds(rows, [](int i, int j) { return i == 0 ? 0 : i == 1 ? j : 9; }));

  bool refused = false;
  try {
    q.ext_oneapi_memcpy2d(rows, to, wide, bytes - 1, bytes, ROWS);
  } catch (const exception &e) {
    refused = e.code() == errc::invalid;
  }
  CHECK(refused);
  sycl::free(rows, q);
  return report();
}
