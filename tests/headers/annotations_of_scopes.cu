/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVTX's names for C++, and what events are made of.
 */
#include <cstring>
#include <nvtx3/nvtx3.hpp>
#include <string>

struct solver { static constexpr char const *name = "solver"; };
struct wide { static constexpr wchar_t const *name = L"wide"; };
struct phase { static constexpr uint32_t id = 7; static constexpr char const *name = "phase"; };
struct step { static constexpr char const *message = "step"; };

static int twice(int x) {
  NVTX3_FUNC_RANGE();
  return 2 * x;
}
static int thrice(int x) {
  NVTX3_FUNC_RANGE_IF_IN(solver, x > 1);
  return 3 * x;
}

int main() {
  const std::string text = "named";
  nvtx3::event_attributes event(nvtx3::payload(int64_t(-5)), text, nvtx3::rgb(1, 2, 3), nvtx3::category(9), nvtx3::color(77));
  const nvtxEventAttributes_t *is = event.get();
  bool right = is->version == NVTX_VERSION && is->size == sizeof *is && is->payloadType == NVTX_PAYLOAD_TYPE_INT64 &&
               is->payload.llValue == -5 && is->color == 0xFF010203u && is->colorType == NVTX_COLOR_ARGB &&
               is->category == 9 && is->messageType == NVTX_MESSAGE_TYPE_ASCII && !strcmp(is->message.ascii, "named");
  nvtx3::event_attributes others(nvtx3::registered_string_in<solver>::get<step>(), nvtx3::payload(1.5),
                                 nvtx3::named_category_in<solver>::get<phase>(), nvtx3::argb(4, 3, 2, 1));
  right = right && others.get()->messageType == NVTX_MESSAGE_TYPE_REGISTERED && others.get()->payload.dValue == 1.5 &&
          others.get()->category == 7 && others.get()->color == 0x04030201u;
  {
    nvtx3::scoped_range all("all"), coloured("coloured", nvtx3::rgb(255, 0, 0)), bare, of_event(event);
    nvtx3::scoped_range_in<solver> inner("inner", nvtx3::payload(3u));
    nvtx3::scoped_range_in<wide> wide_one(L"wide");
  }
  nvtx3::unique_range first("first"), second(std::move(first)), third;
  first = std::move(second);
  nvtx3::unique_range_in<solver> of_solver(event);
  nvtx3::range_handle open = nvtx3::start_range("open", nvtx3::category(1)), none;
  right = right && open == nvtx3::range_handle(open.get_value()) && !none;
  nvtx3::end_range(open);
  nvtx3::end_range_in<solver>(nvtx3::start_range_in<solver>(event));
  nvtx3::mark("here");
  nvtx3::mark_in<solver>(event);
  nvtx3::named_category named(2, L"two");
  const nvtx3::domain &one = nvtx3::domain::get<solver>();
  right = right && &one == &nvtx3::domain::get<solver>() && named.get_id() == 2;
  return right && twice(2) == 4 && thrice(2) == 6 ? 0 : 1;
}
