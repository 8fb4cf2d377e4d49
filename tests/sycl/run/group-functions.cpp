// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans, votes and broadcasts of work-groups and sub-groups, shifts and permutations of sub-groups, the joint forms.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct pair_of {
  int a;
  double b;
};

static void whole_groups(queue &q, std::size_t local) {
  const std::size_t n = 3 * local;
  int *out = malloc_shared<int>(n * 8, q);
  q.parallel_for(nd_range<1>(n, local), [=](nd_item<1> it) {
     auto g = it.get_group();
     const int i = int(it.get_global_id(0)), l = int(it.get_local_id(0));
     int *own = out + 8 * i;
     own[0] = reduce_over_group(g, i, plus<>());
     own[1] = reduce_over_group(g, i, 100, maximum<int>());
     own[2] = inclusive_scan_over_group(g, l + 1, plus<int>());
     own[3] = exclusive_scan_over_group(g, l + 1, 5, plus<int>());
     own[4] = group_broadcast(g, i, local / 2);
     own[5] = any_of_group(g, l == 3) + 2 * all_of_group(g, l >= 0) + 4 * none_of_group(g, i < 0);
     const pair_of p = group_broadcast(g, pair_of{i, i / 2.0});
     own[6] = int(p.a + 2 * p.b);
     own[7] = int(reduce_over_group(g, double(l), minimum<>()) + exclusive_scan_over_group(g, 2.0f, plus<float>()));
   }).wait();
  bool good = true;
  for (std::size_t i = 0; i < n; i++) {
    const int *own = out + 8 * i, l = int(i % local), first = int(i / local * local), last = first + int(local) - 1;
    good &= CHECK(own[0] == (first + last) * int(local) / 2);
    good &= CHECK(own[1] == std::max(100, last));
    good &= CHECK(own[2] == (l + 1) * (l + 2) / 2);
    good &= CHECK(own[3] == l * (l + 1) / 2 + 5);
    good &= CHECK(own[4] == first + int(local / 2));
    good &= CHECK(own[5] == (local > 3) + 2 + 4);
    good &= CHECK(own[6] == 2 * first);
    good &= CHECK(own[7] == 2 * l);
    if (!good)
      break;
  }
  sycl::free(out, q);
}

static void sub_groups(queue &q, std::size_t local) {
  int *out = malloc_shared<int>(local * 10, q);
  q.parallel_for(nd_range<1>(local, local), [=](nd_item<1> it) {
     sub_group g = it.get_sub_group();
     const int i = int(it.get_local_id(0)), lane = int(g.get_local_linear_id());
     int *own = out + 10 * i;
     own[0] = reduce_over_group(g, i, plus<int>());
     own[1] = inclusive_scan_over_group(g, 2, plus<int>());
     own[2] = exclusive_scan_over_group(g, lane, plus<int>());
     own[3] = group_broadcast(g, i);
     own[4] = shift_group_left(g, i, 1);
     own[5] = shift_group_right(g, i, 2);
     own[6] = permute_group_by_xor(g, i, 1);
     own[7] = int(select_from_group(g, double(i) / 2, 0) * 2);
     own[8] = any_of_group(g, lane == 0) + 2 * all_of_group(g, i < 32) + 4 * none_of_group(g, lane == 40);
     own[9] =
         int(g.get_local_range()[0] + 100 * g.get_group_id()[0] + 1000 * g.get_group_range()[0] + 10000 * g.leader());
     group_barrier(g);
   }).wait();
  for (std::size_t i = 0; i < local; i++) {
    const int *own = out + 10 * i, lane = int(i % 32), first = int(i) - lane,
              count = std::min<int>(32, int(local) - first);
    bool good = CHECK(own[0] == count * (2 * first + count - 1) / 2);
    good &= CHECK(own[1] == 2 * (lane + 1));
    good &= CHECK(own[2] == lane * (lane - 1) / 2);
    good &= CHECK(own[3] == first);
    good &= CHECK(lane + 1 >= count || own[4] == int(i) + 1);
    good &= CHECK(lane < 2 || own[5] == int(i) - 2);
    good &= CHECK((lane ^ 1) >= count || own[6] == (int(i) ^ 1));
    good &= CHECK(own[7] == first);
    good &= CHECK(own[8] == 1 + 2 * (first == 0) + 4);
    good &= CHECK(own[9] == count + 100 * (first / 32) + 1000 * int((local + 31) / 32) + 10000 * (lane == 0));
    if (!good)
      break;
  }
  sycl::free(out, q);
}

static void joint(queue &q) {
  const int n = 1000;
  int *in = malloc_shared<int>(n, q), *out = malloc_shared<int>(2 * n, q), *few = malloc_shared<int>(8, q);
  for (int i = 0; i < n; i++)
    in[i] = i % 10;
  q.parallel_for(nd_range<2>({8, 8}, {8, 8}), [=](nd_item<2> it) {
     auto g = it.get_group();
     const int sum = joint_reduce(g, in, in + n, plus<int>());
     const int most = joint_reduce(g, in, in + n, 3, maximum<int>());
     const bool any = joint_any_of(g, in, in + n, [](int x) { return x == 9; });
     const bool all = joint_all_of(g, in, in + n, [](int x) { return x < 9; });
     const bool none = joint_none_of(g, in, in + n, [](int x) { return x > 9; });
     joint_inclusive_scan(g, in, in + n, out, plus<int>());
     int *end =
         joint_exclusive_scan(it.get_sub_group().get_group_id()[0] < 2 ? g : g, in, in + n, out + n, 7, plus<int>());
     const int nothing = joint_reduce(g, in, in, 42, plus<int>());
     if (g.leader()) {
       const int all_of_them[] = {sum, most, any, all, none, int(end - out), nothing};
       for (int i = 0; i < 7; i++)
         few[i] = all_of_them[i];
     }
   }).wait();
  const int wanted[] = {4500, 9, 1, 0, 1, 2 * n, 42};
  CHECK_SAME(few, wanted, 7);
  int sum = 0;
  for (int i = 0; i < n; i++) {
    CHECK(out[n + i] == sum + 7);
    sum += in[i];
    CHECK(out[i] == sum);
  }
  for (int *each : {in, out, few})
    sycl::free(each, q);
}

int main() {
  queue q;
  for (std::size_t local : {1, 4, 33, 256, 1024})
    whole_groups(q, local);
  for (std::size_t local : {1, 32, 50, 128})
    sub_groups(q, local);
  joint(q);
  return report();
}
