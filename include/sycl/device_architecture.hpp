// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_device_architecture: which of the architectures that DPC++ has a name for the device is. This one is x86_64, or
// unknown on other processors. Of a family the older one is the lesser; the numbers themselves are no interface.
#ifndef UNWARP_SYCL_DEVICE_ARCHITECTURE_HPP
#define UNWARP_SYCL_DEVICE_ARCHITECTURE_HPP

#include "info.hpp"

#define SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

// clang-format off
enum class architecture : std::uint64_t {
  unknown,
  x86_64 = 0x100, intel_cpu_spr, intel_cpu_gnr, intel_cpu_dmr,
  intel_gpu_bdw = 0x200, intel_gpu_skl, intel_gpu_kbl, intel_gpu_cfl, intel_gpu_apl, intel_gpu_glk, intel_gpu_whl,
  intel_gpu_aml, intel_gpu_cml, intel_gpu_icllp, intel_gpu_ehl, intel_gpu_tgllp, intel_gpu_rkl, intel_gpu_adl_s,
  intel_gpu_adl_p, intel_gpu_adl_n, intel_gpu_dg1, intel_gpu_acm_g10, intel_gpu_acm_g11, intel_gpu_acm_g12,
  intel_gpu_pvc, intel_gpu_pvc_vg, intel_gpu_mtl_u, intel_gpu_mtl_h, intel_gpu_arl_h, intel_gpu_bmg_g21,
  intel_gpu_bmg_g31, intel_gpu_lnl_m, intel_gpu_ptl_h, intel_gpu_ptl_u, intel_gpu_wcl, intel_gpu_nvl_s,
  intel_gpu_nvl_hx, intel_gpu_nvl_ul, intel_gpu_nvl_u, intel_gpu_nvl_h, intel_gpu_cri,
  nvidia_gpu_sm_50 = 0x300, nvidia_gpu_sm_52, nvidia_gpu_sm_53, nvidia_gpu_sm_60, nvidia_gpu_sm_61, nvidia_gpu_sm_62,
  nvidia_gpu_sm_70, nvidia_gpu_sm_72, nvidia_gpu_sm_75, nvidia_gpu_sm_80, nvidia_gpu_sm_86, nvidia_gpu_sm_87,
  nvidia_gpu_sm_89, nvidia_gpu_sm_90, nvidia_gpu_sm_90a,
  amd_gpu_gfx700 = 0x400, amd_gpu_gfx701, amd_gpu_gfx702, amd_gpu_gfx703, amd_gpu_gfx704, amd_gpu_gfx705,
  amd_gpu_gfx801, amd_gpu_gfx802, amd_gpu_gfx803, amd_gpu_gfx805, amd_gpu_gfx810, amd_gpu_gfx900, amd_gpu_gfx902,
  amd_gpu_gfx904, amd_gpu_gfx906, amd_gpu_gfx908, amd_gpu_gfx909, amd_gpu_gfx90a, amd_gpu_gfx90c, amd_gpu_gfx940,
  amd_gpu_gfx941, amd_gpu_gfx942, amd_gpu_gfx1010, amd_gpu_gfx1011, amd_gpu_gfx1012, amd_gpu_gfx1013,
  amd_gpu_gfx1030, amd_gpu_gfx1031, amd_gpu_gfx1032, amd_gpu_gfx1033, amd_gpu_gfx1034, amd_gpu_gfx1035,
  amd_gpu_gfx1036, amd_gpu_gfx1100, amd_gpu_gfx1101, amd_gpu_gfx1102, amd_gpu_gfx1103, amd_gpu_gfx1150,
  amd_gpu_gfx1151, amd_gpu_gfx1200, amd_gpu_gfx1201,
  intel_gpu_bxt = intel_gpu_apl, intel_gpu_icl = intel_gpu_icllp, intel_gpu_jsl = intel_gpu_ehl,
  intel_gpu_tgl = intel_gpu_tgllp, intel_gpu_rpl_s = intel_gpu_adl_s, intel_gpu_dg2_g10 = intel_gpu_acm_g10,
  intel_gpu_dg2_g11 = intel_gpu_acm_g11, intel_gpu_dg2_g12 = intel_gpu_acm_g12, intel_gpu_mtl_s = intel_gpu_mtl_u,
  intel_gpu_arl_u = intel_gpu_mtl_u, intel_gpu_arl_s = intel_gpu_mtl_u, intel_gpu_8_0_0 = intel_gpu_bdw,
  intel_gpu_9_0_9 = intel_gpu_skl, intel_gpu_9_1_9 = intel_gpu_kbl, intel_gpu_9_2_9 = intel_gpu_cfl,
  intel_gpu_9_3_0 = intel_gpu_apl, intel_gpu_9_4_0 = intel_gpu_glk, intel_gpu_9_5_0 = intel_gpu_whl,
  intel_gpu_9_6_0 = intel_gpu_aml, intel_gpu_9_7_0 = intel_gpu_cml, intel_gpu_11_0_0 = intel_gpu_icllp,
  intel_gpu_11_2_0 = intel_gpu_ehl, intel_gpu_12_0_0 = intel_gpu_tgllp, intel_gpu_12_1_0 = intel_gpu_rkl,
  intel_gpu_12_2_0 = intel_gpu_adl_s, intel_gpu_12_3_0 = intel_gpu_adl_p, intel_gpu_12_4_0 = intel_gpu_adl_n,
  intel_gpu_12_10_0 = intel_gpu_dg1, intel_gpu_12_55_8 = intel_gpu_acm_g10, intel_gpu_12_56_5 = intel_gpu_acm_g11,
  intel_gpu_12_57_0 = intel_gpu_acm_g12, intel_gpu_12_60_7 = intel_gpu_pvc, intel_gpu_12_61_7 = intel_gpu_pvc_vg,
  intel_gpu_12_70_4 = intel_gpu_mtl_u, intel_gpu_12_71_4 = intel_gpu_mtl_h, intel_gpu_12_74_4 = intel_gpu_arl_h,
  intel_gpu_20_1_4 = intel_gpu_bmg_g21, intel_gpu_20_2_0 = intel_gpu_bmg_g31, intel_gpu_20_4_4 = intel_gpu_lnl_m,
  intel_gpu_30_0_4 = intel_gpu_ptl_h, intel_gpu_30_1_1 = intel_gpu_ptl_u, intel_gpu_30_3_0 = intel_gpu_wcl,
};
// clang-format on
enum class arch_category { unknown, intel_gpu, nvidia_gpu, amd_gpu };

namespace info::device {
struct architecture {
  using return_type = experimental::architecture;
};
} // namespace info::device

namespace own {
#if defined(__x86_64__)
inline constexpr architecture own_architecture = architecture::x86_64;
#else
inline constexpr architecture own_architecture = architecture::unknown;
#endif
constexpr std::uint64_t family(architecture a) { return std::uint64_t(a) >> 8; }
constexpr bool is_of(architecture a, arch_category category) {
  const std::uint64_t families[] = {0, 2, 3, 4};
  return family(a) == families[int(category)];
}
constexpr bool are_of_one_family(architecture a, architecture b) { return family(a) == family(b) && family(a) != 0; }

// What if_architecture_is gives: Done where one of the branches before has run.
template <bool Done> class architecture_branch {
public:
  template <architecture... Which, class F, class... Arguments>
  static constexpr auto else_if_architecture_is(F &&f, Arguments &&...arguments) {
    return take<((Which == own_architecture) || ...)>(static_cast<F &&>(f), static_cast<Arguments &&>(arguments)...);
  }
  template <arch_category... Which, class F, class... Arguments>
  static constexpr auto else_if_architecture_is(F &&f, Arguments &&...arguments) {
    return take<(is_of(own_architecture, Which) || ...)>(static_cast<F &&>(f), static_cast<Arguments &&>(arguments)...);
  }
#define __UW_COMPARED(name, op)                                                                                        \
  template <architecture Which, class F, class... Arguments>                                                           \
  static constexpr auto else_if_architecture_is_##name(F &&f, Arguments &&...arguments) {                              \
    return take < are_of_one_family(own_architecture, Which) &&                                                        \
           (own_architecture op Which) > (static_cast<F &&>(f), static_cast<Arguments &&>(arguments)...);              \
  }
  __UW_COMPARED(lt, <)
  __UW_COMPARED(le, <=)
  __UW_COMPARED(gt, >)
  __UW_COMPARED(ge, >=)
#undef __UW_COMPARED
  template <architecture First, architecture Last, class F, class... Arguments>
  static constexpr auto else_if_architecture_is_between(F &&f, Arguments &&...arguments) {
    return take < are_of_one_family(own_architecture, First) && are_of_one_family(own_architecture, Last) &&
           own_architecture >= First &&
           own_architecture <= Last > (static_cast<F &&>(f), static_cast<Arguments &&>(arguments)...);
  }
  template <class F, class... Arguments> static constexpr void otherwise(F &&f, Arguments &&...arguments) {
    if constexpr (!Done)
      static_cast<F &&>(f)(static_cast<Arguments &&>(arguments)...);
  }

private:
  template <bool Holds, class F, class... Arguments> static constexpr auto take(F &&f, Arguments &&...arguments) {
    if constexpr (!Done && Holds)
      static_cast<F &&>(f)(static_cast<Arguments &&>(arguments)...);
    return architecture_branch<Done || Holds>();
  }
};
} // namespace own

template <architecture... Which, class F, class... Arguments>
constexpr auto if_architecture_is(F &&f, Arguments &&...arguments) {
  return own::architecture_branch<false>::else_if_architecture_is<Which...>(static_cast<F &&>(f),
                                                                            static_cast<Arguments &&>(arguments)...);
}
template <arch_category... Which, class F, class... Arguments>
constexpr auto if_architecture_is(F &&f, Arguments &&...arguments) {
  return own::architecture_branch<false>::else_if_architecture_is<Which...>(static_cast<F &&>(f),
                                                                            static_cast<Arguments &&>(arguments)...);
}
#define __UW_COMPARED(name)                                                                                            \
  template <architecture Which, class F, class... Arguments>                                                           \
  constexpr auto if_architecture_is_##name(F &&f, Arguments &&...arguments) {                                          \
    return own::architecture_branch<false>::else_if_architecture_is_##name<Which>(                                     \
        static_cast<F &&>(f), static_cast<Arguments &&>(arguments)...);                                                \
  }
__UW_COMPARED(lt)
__UW_COMPARED(le)
__UW_COMPARED(gt)
__UW_COMPARED(ge)
#undef __UW_COMPARED
template <architecture First, architecture Last, class F, class... Arguments>
constexpr auto if_architecture_is_between(F &&f, Arguments &&...arguments) {
  return own::architecture_branch<false>::else_if_architecture_is_between<First, Last>(
      static_cast<F &&>(f), static_cast<Arguments &&>(arguments)...);
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
