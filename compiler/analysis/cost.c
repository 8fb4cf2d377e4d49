/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The costs of each CPU: see docs/costs.md, which has what was measured. */
#include "cost.h"

enum { WORD = 4 };

static const uw_costs sse = {.masked_load = 2.4,
                             .masked_store = 4.4,
                             .gather = 4,
                             .scatter = 4,
                             .gather_own = 4.4,
                             .scatter_own = 7,
                             .few_bytes = 7,
                             .divide_alone = 7,
                             .divide = 10,
                             .integers_alone = 15,
                             .integers = 16,
                             .number_alone = 6,
                             .number = 12,
                             .function_alone = 30,
                             .function = 77,
                             .function_each_lane = 31};
static const uw_costs avx2 = {.gather = 2,
                              .scatter = 2,
                              .gather_own = 4.4,
                              .scatter_own = 4.6,
                              .few_bytes = 4,
                              .divide_alone = 7,
                              .divide = 12,
                              .integers_alone = 15,
                              .integers = 16,
                              .number_alone = 6,
                              .number = 10,
                              .function_alone = 30,
                              .function = 40,
                              .function_each_lane = 31};
static const uw_costs avx512 = {.gather = 2,
                                .scatter = 2,
                                .gather_own = 2.6,
                                .scatter_own = 4.2,
                                .few_bytes = 5,
                                .divide_alone = 7,
                                .divide = 25,
                                .integers_alone = 15,
                                .integers = 16,
                                .number_alone = 6,
                                .number = 17,
                                .function_alone = 30,
                                .function = 78,
                                .function_each_lane = 31};

const uw_costs *uw_costs_of(const uw_target *target) {
  return target->has_masks ? &avx512 : uw_gathers(target) ? &avx2 : &sse;
}

double uw_gather_cost(const uw_costs *costs, int64_t bytes, bool own) {
  return bytes < WORD ? costs->few_bytes : own ? costs->gather_own : costs->gather;
}

double uw_scatter_cost(const uw_costs *costs, int64_t bytes, bool own) {
  return bytes < WORD ? costs->few_bytes : own ? costs->scatter_own : costs->scatter;
}
