// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checksums of blocks by a table in constant memory that a kernel made.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static unsigned step(unsigned c) {
  for (int k = 0; k < 8; k++)
    c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
  return c;
}
int main() {
  queue q;
  const int blocks = 60, bytes = 33;
  unsigned *table = malloc_shared<unsigned>(256, q), *sums = malloc_shared<unsigned>(blocks, q);
  unsigned char *data = malloc_shared<unsigned char>(blocks * bytes, q);
  for (int i = 0; i < blocks * bytes; i++)
    data[i] = (unsigned char)(i * 131 + i / 7);
  auto made = q.parallel_for(range<1>(256), [=](id<1> i) { table[i] = step(unsigned(i)); });
  q.parallel_for(range<1>(blocks), made, [=](id<1> i) {
     unsigned c = ~0u;
     for (int k = 0; k < bytes; k++)
       c = table[(c ^ data[i * bytes + k]) & 255] ^ c >> 8;
     sums[i] = ~c;
   }).wait();
  for (int i = 0; i < blocks; i++) {
    unsigned c = ~0u;
    for (int k = 0; k < bytes; k++)
      c = step((c ^ data[i * bytes + k]) & 255) ^ c >> 8;
    CHECK(sums[i] == ~c);
  }
  free(table, q), free(sums, q), free(data, q);
  return report();
}
