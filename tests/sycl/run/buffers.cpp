// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers and accessors: where data comes from and goes to, all modes, parts, placeholders, accessors of the host, chains of commands.
#include <list>
#include <numeric>
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static void chain(queue &q) {
  const std::size_t n = 1000;
  std::vector<int> a(n), b(n, 2), c(n, -1);
  std::iota(a.begin(), a.end(), 0);
  {
    buffer<int> first(a.data(), range<1>(n)), second(b.data(), n), third(c.data(), n), between{range<1>(n)};
    q.submit([&](handler &h) {
      accessor x(first, h, read_only), y(second, h, read_only);
      accessor out(between, h, write_only, no_init);
      h.parallel_for(n, [=](id<1> i) { out[i] = x[i] + y[i]; });
    });
    q.submit([&](handler &h) {
      auto x = between.get_access<access::mode::read>(h);
      auto out = third.get_access<access::mode::discard_write>(h);
      h.parallel_for(range<1>(n), [=](item<1> i) { out[i] = 3 * x[i.get_id()]; });
    });
    host_accessor seen(third, read_only);
    CHECK(seen[10] == 36 && seen.size() == n);
  }
  for (std::size_t i = 0; i < n; i++)
    CHECK(c[i] == int(3 * (i + 2)));
}

static void several_dimensions(queue &q) {
  std::vector<float> data(4 * 5 * 6);
  {
    buffer<float, 3> all(data.data(), range<3>(4, 5, 6));
    CHECK(all.size() == 120 && all.byte_size() == 480 && all.get_range() == range<3>(4, 5, 6));
    q.submit([&](handler &h) {
      accessor<float, 3, access_mode::read_write> out(all, h);
      h.parallel_for(all.get_range(), [=](id<3> i) { out[i] = float(i[0] * 100 + i[1] * 10); });
    });
    q.submit([&](handler &h) {
      accessor out{all, h};
      h.parallel_for(all.get_range(), [=](item<3> i) { out[i[0]][i[1]][i[2]] += float(i[2]); });
    });
    buffer<float, 2> flat = all.reinterpret<float, 2>(range<2>(20, 6));
    q.submit([&](handler &h) {
      accessor out{flat, h, read_write};
      h.parallel_for(range<1>(20), [=](id<1> i) { out[i[0]][0] = -1; });
    });
  }
  for (int i = 0; i < 120; i++)
    CHECK(data[i] == (i % 6 ? float(i / 30 * 100 + i / 6 % 5 * 10 + i % 6) : -1));
}

static void parts(queue &q) {
  std::vector<int> data(100);
  buffer<int> all(data.data(), 100);
  q.submit([&](handler &h) {
    accessor part(all, h, range<1>(10), id<1>(20), write_only);
    CHECK(part.size() == 10 && part.get_offset() == id<1>(20));
    h.parallel_for(10, [=](id<1> i) { part[i] = int(i) + 1; });
  });
  q.submit([&](handler &h) { h.fill(all.get_access<access_mode::write>(h, range<1>(5), id<1>(50)), 9); });
  buffer<int> piece(all, id<1>(70), range<1>(10));
  CHECK(piece.is_sub_buffer() && !all.is_sub_buffer());
  q.submit([&](handler &h) {
    accessor out(piece, h, write_only);
    h.parallel_for(range<1>(10), [=](id<1> i) { out[i] = 100 + int(i); });
  });
  std::vector<int> copy(10);
  q.submit([&](handler &h) { h.copy(piece.get_access<access_mode::read>(h), copy.data()); });
  CHECK(copy[9] == 109);
  host_accessor seen(all, read_only);
  int sum = 0;
  for (int each : seen)
    sum += each;
  CHECK(sum == 55 + 45 + 1045 && seen[20] == 1 && seen[29] == 10 && seen[54] == 9 && seen[75] == 105 && seen[80] == 0);
  auto code = [&](auto make) {
    try {
      make();
    } catch (const sycl::exception &e) {
      return e.code() == errc::invalid;
    }
    return false;
  };
  buffer<int, 2> square(range<2>(10, 10));
  CHECK(code([&] { buffer<int, 2> bad(square, {0, 1}, {2, 5}); }));
  CHECK(code([&] { buffer<int, 2> bad(square, {8, 0}, {3, 10}); }));
  CHECK(code([&] { host_accessor bad(all, range<1>(60), id<1>(50)); }));
  CHECK(code([&] { all.reinterpret<double, 1>(range<1>(51)); }));
}

static void sources_and_goals(queue &q) {
  auto twice = [&](auto &buffer) {
    q.submit([&](handler &h) {
      accessor all(buffer, h);
      h.parallel_for(buffer.get_range(), [=](id<1> i) { all[i] *= 2; });
    });
  };
  std::vector<int> vector{1, 2, 3};
  const std::vector<int> constant{4, 5, 6};
  std::list<int> list{7, 8, 9};
  auto shared = std::shared_ptr<int>(new int[3]{1, 1, 1}, std::default_delete<int[]>());
  int to_goal[3] = {}, plain[3] = {1, 2, 3}, left[3] = {1, 2, 3};
  std::vector<int> collected;
  {
    buffer from_vector(vector);
    buffer<int> from_constant(constant.data(), range<1>(3)), from_list(list.begin(), list.end());
    buffer<int> from_shared(shared, range<1>(3)), from_plain(plain, range<1>(3)), kept(left, range<1>(3));
    kept.set_write_back(false);
    from_constant.set_final_data(static_cast<int *>(to_goal));
    from_list.set_final_data(std::back_inserter(collected));
    from_plain.set_final_data(nullptr);
    twice(from_vector);
    twice(from_constant);
    twice(from_list);
    twice(from_shared);
    twice(from_plain);
    twice(kept);
  }
  CHECK(vector == (std::vector<int>{2, 4, 6}));
  CHECK(to_goal[0] == 8 && to_goal[2] == 12 && constant[0] == 4);
  CHECK(collected == (std::vector<int>{14, 16, 18}) && list.front() == 7);
  CHECK(shared.get()[2] == 2);
  CHECK(plain[1] == 2 && left[1] == 2);
}

static void placeholders(queue &q) {
  std::vector<double> data(64, 1);
  buffer<double> all(data);
  accessor<double, 1, access_mode::read_write, target::device, access::placeholder::true_t> later(all);
  CHECK(later.is_placeholder());
  q.submit([&](handler &h) {
    h.require(later);
    h.parallel_for(64, [=](id<1> i) { later[i] += double(i); });
  });
  buffer<int, 1> one{range<1>(1)};
  q.submit([&](handler &h) {
    accessor<int, 0> number(one, h);
    h.single_task([=] { number = 5; });
  });
  CHECK((host_accessor<int, 0>(one) == 5));
  auto host = all.get_host_access();
  host[0] = -1;
  CHECK(host[63] == 64);
  const auto reader = all.get_access<access::mode::read>();
  CHECK(reader[0] == -1);
}

// One kernel that reads and writes one buffer by two accessors.
static void twice_the_same(queue &q) {
  std::vector<int> data(512, 1);
  {
    buffer<int> all(data);
    q.submit([&](handler &h) {
      accessor in(all, h, read_only);
      accessor out(all, h, write_only);
      h.parallel_for(nd_range<1>(512, 512), [=](nd_item<1> it) {
        const std::size_t i = it.get_global_id(0);
        int sum = 0;
        for (int iteration = 0; iteration < 3; iteration++) {
          const int next = in[(i + 1) % 512];
          it.barrier();
          out[i] = next + 1;
          it.barrier();
          sum += in[i];
        }
        out[i] = sum;
      });
    });
  }
  for (int each : data)
    CHECK(each == 2 + 3 + 4);
}

static void two_dimensional_parts(queue &q) {
  std::vector<int> data(6 * 8);
  {
    buffer<int, 2> all(data.data(), {6, 8});
    q.submit([&](handler &h) {
      accessor part(all, h, range<2>(2, 3), id<2>(1, 4), write_only);
      h.parallel_for(range<2>(2, 3), [=](id<2> i) { part[i] = int(10 * i[0] + i[1]) + 1; });
    });
    std::vector<int> out(6);
    q.submit([&](handler &h) { h.copy(accessor(all, h, range<2>(2, 3), id<2>(1, 4), read_only), out.data()); });
    CHECK(out == (std::vector<int>{1, 2, 3, 11, 12, 13}));
  }
  CHECK(data[8 + 4] == 1 && data[8 + 6] == 3 && data[16 + 4] == 11 && data[0] == 0 && data[8 + 7] == 0);
}

int main() {
  queue q;
  chain(q);
  several_dimensions(q);
  parts(q);
  sources_and_goals(q);
  placeholders(q);
  twice_the_same(q);
  two_dimensional_parts(q);
  return report();
}
