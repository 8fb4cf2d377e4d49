// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose through a padded tile of local memory; rows and columns differ in number. Others without tiles, over ranges and in groups,
// from and to columns, in layers.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static void plain(queue &q, size_t layers, size_t rows, size_t columns) {
  const size_t size = layers * rows * columns;
  std::vector<int> in(size), from(size), to(size), groups(size), wanted(size);
  for (size_t i = 0; i < size; i++)
    in[i] = int(i);
  for (size_t l = 0; l < layers; l++)
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < columns; j++)
        wanted[(l * columns + j) * rows + i] = in[(l * rows + i) * columns + j];
  int *a = in.data(), *b = from.data(), *c = to.data(), *d = groups.data();
  q.parallel_for(range<3>(layers, columns, rows), [=](id<3> at) {
    b[(at[0] * columns + at[1]) * rows + at[2]] = a[(at[0] * rows + at[2]) * columns + at[1]];
  });
  q.parallel_for(range<3>(layers, rows, columns), [=](id<3> at) {
    c[(at[0] * columns + at[2]) * rows + at[1]] = a[(at[0] * rows + at[1]) * columns + at[2]];
  });
  const nd_range<3> tiles({layers, (columns + 7) / 8 * 8, (rows + 15) / 16 * 16}, {1, 8, 16});
  q.parallel_for(tiles, [=](nd_item<3> item) {
    const size_t l = item.get_global_id(0), j = item.get_global_id(1), i = item.get_global_id(2);
    if (i < rows && j < columns)
      d[(l * columns + j) * rows + i] = a[(l * rows + i) * columns + j];
  });
  q.wait();
  CHECK_SAME(from, wanted, size);
  CHECK_SAME(to, wanted, size);
  CHECK_SAME(groups, wanted, size);
}

int main() {
  const int rows = 64, columns = 96, tile = 32;
  queue q;
  std::vector<int> in(rows * columns), out(rows * columns), wanted(rows * columns);
  for (int i = 0; i < rows * columns; i++)
    in[i] = i;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      wanted[j * rows + i] = in[i * columns + j];
  {
    buffer from(in), to(out);
    q.submit([&](handler &h) {
      accessor a(from, h, read_only);
      accessor b(to, h, write_only);
      local_accessor<int, 2> block(range<2>(tile, tile + 1), h);
      h.parallel_for(nd_range<2>({rows / 4, columns}, {tile / 4, tile}), [=](nd_item<2> item) {
        const int x = item.get_group(1) * tile, y = item.get_group(0) * tile, tx = item.get_local_id(1),
                  ty = item.get_local_id(0);
        for (int k = 0; k < tile; k += tile / 4)
          block[ty + k][tx] = a[(y + ty + k) * columns + x + tx];
        item.barrier(access::fence_space::local_space);
        for (int k = 0; k < tile; k += tile / 4)
          b[(x + ty + k) * rows + y + tx] = block[tx][ty + k];
      });
    });
  }
  CHECK_SAME(out, wanted, wanted.size());
  plain(q, 1, 1, 1);
  plain(q, 1, 300, 3);
  plain(q, 3, 333, 97);
  plain(q, 2, 65, 770);
  return report();
}
