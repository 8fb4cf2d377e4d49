// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays with arithmetic of any length and of types that vectors do not have; comparisons give arrays of bool.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct money {
  int cents;
  friend money operator+(money a, money b) { return {a.cents + b.cents}; }
};
int main() {
  queue q;
  marray<int, 5> *out = malloc_shared<marray<int, 5>>(4, q);
  int *flags = malloc_shared<int>(8, q);
  q.single_task([=] {
     const marray<int, 5> a(1, 2, 3, 4, 5), b(3);
     out[0] = a + b, out[1] = a * b - 2, out[2] = a % 2, out[3] = -a;
     out[3] <<= 1;
     const auto less = a < b;
     for (int i = 0; i < 5; i++)
       flags[i] = less[i];
     marray<money, 2> purse(money{5}, money{7});
     const auto both = purse + purse;
     flags[5] = both[0].cents + both[1].cents;
     int sum = 0;
     for (int x : a)
       sum += x;
     flags[6] = sum;
     const marray<bool, 3> t(true, false, true);
     const auto inverse = !t;
     flags[7] = inverse[0] + 2 * inverse[1] + 4 * inverse[2];
   }).wait();
  for (int i = 0; i < 5; i++)
    CHECK(out[0][i] == i + 4 && out[1][i] == 3 * i + 1 && out[2][i] == (i + 1) % 2 && out[3][i] == -2 * (i + 1) &&
          flags[i] == (i < 2));
  CHECK(flags[5] == 24 && flags[6] == 15 && flags[7] == 2);
  CHECK((std::is_same_v<mfloat3, marray<float, 3>>));
  free(out, q), free(flags, q);
  const auto not_either = ~marray<bool, 2>(true, false); // of each as an integer
  CHECK(not_either[0] && not_either[1]);
  return report();
}
