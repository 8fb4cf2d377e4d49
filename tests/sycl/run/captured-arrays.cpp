// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that kernels capture: of constants, of values that the host computes, with indices that loops count and with
// others, and one that is changed after the launch. By accessors of one buffer too, where the launch goes by the runtime.
#include <sycl/sycl.hpp>

#include "check.hpp"

constexpr int across[3][3] = {{1, 0, -1}, {2, 0, -2}, {1, 0, -1}};

static int expected(const int *image, int width, int row, int column) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum += across[i][j] * image[(row + i) * width + column + j];
  return sum;
}

static void filter(sycl::queue &q, const int *image, int *result, int width, int height) {
  int weights[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      weights[i][j] = across[i][j];
  auto event = q.parallel_for(sycl::range<2>(height - 2, width - 2), [=](sycl::id<2> at) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        sum += weights[i][j] * image[(at[0] + i) * width + at[1] + j];
    result[at[0] * width + at[1]] = sum;
  });
  weights[1][1] = 100;
  event.wait();
  CHECK(weights[1][1] == 100);
}

static void choose(sycl::queue &q, int *result, int n, int factor) {
  int table[5];
  for (int i = 0; i < 5; i++)
    table[i] = factor * i;
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> at) { result[at] = table[(at[0] * 7) % 5]; }).wait();
}

// Two accessors of one buffer, one of which writes: the copy of the object is what the runtime gets.
static void shift(sycl::queue &q, sycl::buffer<int, 1> &data, int n) {
  const int steps[4] = {1, 2, 3, 4};
  q.submit([&](sycl::handler &h) {
    sycl::accessor from(data, h, sycl::read_only);
    sycl::accessor to(data, h, sycl::read_write);
    h.parallel_for(sycl::range<1>(n), [=](sycl::id<1> at) {
      int sum = from[at];
      for (int i = 0; i < 4; i++)
        sum += steps[i];
      to[at] = sum;
    });
  });
}

int main() {
  enum { WIDTH = 37, HEIGHT = 21, COUNT = 1003 };
  sycl::queue q;
  int *image = sycl::malloc_shared<int>(WIDTH * HEIGHT, q), *result = sycl::malloc_shared<int>(COUNT, q);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    image[i] = i * i % 91;
  filter(q, image, result, WIDTH, HEIGHT);
  for (int row = 0; row < HEIGHT - 2; row++)
    for (int column = 0; column < WIDTH - 2; column++)
      CHECK(result[row * WIDTH + column] == expected(image, WIDTH, row, column));
  choose(q, result, COUNT, 9);
  for (int i = 0; i < COUNT; i++)
    CHECK(result[i] == 9 * (i * 7 % 5));
  for (int i = 0; i < COUNT; i++)
    result[i] = i;
  {
    sycl::buffer<int, 1> data(result, sycl::range<1>(COUNT));
    shift(q, data, COUNT);
    q.wait();
  }
  for (int i = 0; i < COUNT; i++)
    CHECK(result[i] == i + 10);
  sycl::free(image, q);
  sycl::free(result, q);
  return report();
}
