// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel attributes (SYCL 2020, section 5.8.1), which clang does not know and leaves out. Most are hints, or say what a kernel relies on that is so
// anyway. A sub-group has 32 items; a kernel that asks for another size must not be compiled as if it had it, so the attribute's name is a macro that
// makes an error of the sizes that programs use. A size that is a constant of C++ is not seen.
#ifndef UNWARP_SYCL_ATTRIBUTES_HPP
#define UNWARP_SYCL_ATTRIBUTES_HPP

#pragma clang diagnostic ignored "-Wunknown-attributes"

// Functions that kernels of other files may call (section 5.10.1).
#ifdef __SYCL_DEVICE_ONLY__
#define SYCL_EXTERNAL [[clang::sycl_external]] __attribute__((section("unwarp_sycl_external")))
#else
#define SYCL_EXTERNAL
#endif

#define reqd_sub_group_size(size) __UW_SUB_GROUPS_OF(size)
#define __UW_SUB_GROUPS_OF(size) ignored]] [[__UW_SUB_GROUPS_OF_##size
#define __UW_SUB_GROUPS_OF_32 sycl::ignored
#define __UW_SUB_GROUPS_OF_1 clang::annotate_type(sub_groups_have_32_items)
#define __UW_SUB_GROUPS_OF_4 clang::annotate_type(sub_groups_have_32_items)
#define __UW_SUB_GROUPS_OF_8 clang::annotate_type(sub_groups_have_32_items)
#define __UW_SUB_GROUPS_OF_16 clang::annotate_type(sub_groups_have_32_items)
#define __UW_SUB_GROUPS_OF_64 clang::annotate_type(sub_groups_have_32_items)
#define __UW_SUB_GROUPS_OF_128 clang::annotate_type(sub_groups_have_32_items)

#endif
