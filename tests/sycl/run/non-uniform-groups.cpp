// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a sub-group: of a fixed size, of those that gave one answer, of those in one branch. Identifiers and each group function are compared with
// loops on the host; groups of 32, 48 and 64 items, where the last sub-group has fewer.
#include <sycl/sycl.hpp>

#include "check.hpp"

namespace ex = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::experimental::is_fixed_topology_group_v;
using sycl::ext::oneapi::experimental::is_user_constructed_group_v;

enum { FIELDS = 16 };

template <class Part> static void ask(int *out, Part part, int value) {
  int n = 0;
  out[n++] = int(part.get_local_linear_id());
  out[n++] = int(part.get_local_linear_range());
  out[n++] = int(part.get_group_linear_id());
  out[n++] = int(part.get_group_linear_range());
  out[n++] = part.leader();
  out[n++] = sycl::reduce_over_group(part, value, sycl::plus<int>());
  out[n++] = sycl::reduce_over_group(part, value, 100, sycl::maximum<int>());
  out[n++] = sycl::inclusive_scan_over_group(part, value, sycl::plus<int>());
  out[n++] = sycl::exclusive_scan_over_group(part, value, sycl::plus<int>());
  out[n++] = sycl::group_broadcast(part, value);
  out[n++] = sycl::select_from_group(part, value, part.get_local_linear_range() - 1);
  out[n++] = sycl::any_of_group(part, value == 5) + 2 * sycl::all_of_group(part, value >= 0) +
             4 * sycl::none_of_group(part, value < 0);
  const int id = int(part.get_local_linear_id()), count = int(part.get_local_linear_range());
  const int left = sycl::shift_group_left(part, value, 1), right = sycl::shift_group_right(part, value, 1);
  out[n++] = id + 1 < count ? left : -1;
  out[n++] = id > 0 ? right : -1;
  const int other = sycl::permute_group_by_xor(part, value, 1);
  out[n++] = (id ^ 1) < count ? other : -1;
  sycl::group_barrier(part);
  out[n++] = 7;
}

// The same of a list of items by number, on the host.
static void expect(int line, const std::vector<int> &out, const std::vector<int> &members,
                   const std::vector<int> &values, int number, int parts) {
  int sum = 0, most = 100, count = int(members.size());
  bool any = false;
  for (int m : members) {
    sum += values[m];
    most = values[m] > most ? values[m] : most;
    any = any || values[m] == 5;
  }
  int before = 0;
  for (int i = 0; i < count; i++) {
    const int own = values[members[i]];
    const int wanted[FIELDS] = {i,
                                count,
                                number,
                                parts,
                                i == 0,
                                sum,
                                most,
                                before + own,
                                before,
                                values[members[0]],
                                values[members[count - 1]],
                                any + 2 + 4,
                                i + 1 < count ? values[members[i + 1]] : -1,
                                i > 0 ? values[members[i - 1]] : -1,
                                (i ^ 1) < count ? values[members[i ^ 1]] : -1,
                                7};
    before += own;
    for (int f = 0; f < FIELDS; f++)
      if (!check_at(line, out[members[i] * FIELDS + f] == wanted[f], "a field"))
        std::printf("item %d field %d: %d, not %d\n", members[i], f, out[members[i] * FIELDS + f], wanted[f]);
  }
}

static int value_at(int i) { return i * 7 % 11; }

template <std::size_t Size> static void fixed(sycl::queue &q, int items) {
  std::vector<int> out(items * FIELDS), values(items);
  int *at = sycl::malloc_shared<int>(out.size(), q);
  q.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> it) {
     const int i = int(it.get_global_id(0));
     ask(at + i * FIELDS, ex::get_fixed_size_group<Size>(it.get_sub_group()), value_at(i));
   }).wait();
  out.assign(at, at + out.size());
  for (int i = 0; i < items; i++)
    values[i] = value_at(i);
  for (int sub = 0; sub < items; sub += 32)
    for (int first = sub; first < sub + 32 && first < items; first += Size) {
      std::vector<int> members;
      for (int i = first; i < first + int(Size) && i < items; i++)
        members.push_back(i);
      const int own = items - sub < 32 ? items - sub : 32;
      expect(__LINE__, out, members, values, (first - sub) / int(Size), (own + int(Size) - 1) / int(Size));
    }
  sycl::free(at, q);
}

// Kind 0: a ballot; 1: in a branch; 2: a ballot, of which one part alone goes on.
template <int Kind> static void by_condition(sycl::queue &q, int items, int modulus) {
  std::vector<int> out(items * FIELDS, 0), values(items);
  int *at = sycl::malloc_shared<int>(out.size(), q);
  q.memset(at, 0, out.size() * sizeof(int)).wait();
  q.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> it) {
     const int i = int(it.get_global_id(0));
     const bool yes = i % modulus == 1;
     if constexpr (Kind == 0)
       ask(at + i * FIELDS, ex::get_ballot_group(it.get_sub_group(), yes), value_at(i));
     if constexpr (Kind == 1) {
       if (yes)
         ask(at + i * FIELDS, ex::get_tangle_group(it.get_sub_group()), value_at(i));
     }
     if constexpr (Kind == 2) {
       auto part = ex::binary_partition(it.get_sub_group(), yes);
       if (yes)
         ask(at + i * FIELDS, part, value_at(i));
     }
   }).wait();
  out.assign(at, at + out.size());
  for (int i = 0; i < items; i++)
    values[i] = value_at(i);
  for (int sub = 0; sub < items; sub += 32)
    for (int answer = Kind == 0 ? 0 : 1; answer < 2; answer++) {
      std::vector<int> members;
      for (int i = sub; i < sub + 32 && i < items; i++)
        if ((i % modulus == 1) == answer)
          members.push_back(i);
      if (!members.empty())
        expect(__LINE__, out, members, values, Kind == 1 ? 0 : answer, Kind == 1 ? 1 : 2);
    }
  sycl::free(at, q);
}

int main() {
  static_assert(sycl::is_group_v<ex::fixed_size_group<8, sycl::sub_group>> &&
                sycl::is_group_v<ex::tangle<sycl::sub_group>>);
  static_assert(is_fixed_topology_group_v<sycl::sub_group> &&
                !is_fixed_topology_group_v<ex::fragment<sycl::sub_group>>);
  static_assert(is_user_constructed_group_v<ex::chunk<4, sycl::sub_group>> &&
                !is_user_constructed_group_v<sycl::group<2>>);
  sycl::queue q;
  CHECK(q.get_device().has(sycl::aspect::ext_oneapi_fixed_size_group) &&
        q.get_device().has(sycl::aspect::ext_oneapi_ballot_group) &&
        q.get_device().has(sycl::aspect::ext_oneapi_tangle_group));
  for (int items : {32, 48, 64}) {
    fixed<1>(q, items);
    fixed<4>(q, items);
    fixed<8>(q, items);
    fixed<32>(q, items);
    for (int modulus : {2, 3, 5}) {
      by_condition<0>(q, items, modulus);
      by_condition<1>(q, items, modulus);
      by_condition<2>(q, items, modulus);
    }
  }
  return report();
}
