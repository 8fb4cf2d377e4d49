// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures in shared memory that point at each other: a list and a tree that a kernel walks.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct node {
  int value;
  node *next, *left, *right;
};
static int sum(const node *tree) { return tree ? tree->value + sum(tree->left) + sum(tree->right) : 0; }
int main() {
  queue q;
  const int n = 31;
  node *all = malloc_shared<node>(n, q);
  int *out = malloc_shared<int>(2, q);
  for (int i = 0; i < n; i++)
    all[i] = {i + 1, i + 1 < n ? all + i + 1 : nullptr, 2 * i + 1 < n ? all + 2 * i + 1 : nullptr,
              2 * i + 2 < n ? all + 2 * i + 2 : nullptr};
  q.single_task([=] {
     int total = 0;
     for (const node *at = all; at; at = at->next)
       total += at->value;
     out[0] = total;
     out[1] = 0;
     const node *waiting[8]; // depth first, without recursion
     int depth = 0;
     waiting[depth++] = all;
     while (depth) {
       const node *at = waiting[--depth];
       out[1] += at->value;
       if (at->left)
         waiting[depth++] = at->left;
       if (at->right)
         waiting[depth++] = at->right;
     }
   }).wait();
  CHECK(out[0] == n * (n + 1) / 2);
  CHECK(out[1] == sum(all));
  free(all, q), free(out, q);
  return report();
}
