// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose through a padded tile of local memory; rows and columns differ in number.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

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
  return report();
}
