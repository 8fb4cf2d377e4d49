// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search by levels with a flag on the host that says whether another level is needed.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  const int n = 500;
  queue q;
  std::vector<int> first(n + 1), edges, level(n, -1);
  for (int i = 0; i < n; i++) {
    for (int step : {1, 7, 31})
      if (i + step < n)
        edges.push_back(i + step);
    first[i + 1] = edges.size();
  }
  level[0] = 0;
  std::vector<int> wanted = level, line{0};
  for (size_t at = 0; at < line.size(); at++)
    for (int e = first[line[at]]; e < first[line[at] + 1]; e++)
      if (wanted[edges[e]] < 0) {
        wanted[edges[e]] = wanted[line[at]] + 1;
        line.push_back(edges[e]);
      }
  {
    buffer<int> heads(first), tails(edges), levels(level), more(range<1>(1));
    bool any = true;
    for (int now = 0; any; now++) {
      host_accessor(more, write_only)[0] = 0;
      q.submit([&](handler &h) {
        accessor head(heads, h, read_only);
        accessor tail(tails, h, read_only);
        accessor at(levels, h);
        accessor flag(more, h);
        h.parallel_for(range<1>(n), [=](id<1> i) {
          if (at[i] != now)
            return;
          for (int e = head[i]; e < head[i + 1]; e++)
            if (at[tail[e]] < 0) {
              at[tail[e]] = now + 1;
              flag[0] = 1;
            }
        });
      });
      any = host_accessor(more, read_only)[0];
    }
  }
  CHECK_SAME(level, wanted, n);
  return report();
}
