/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Matrix fragments, products of small matrices by the 32 threads of a warp. (CUDA C++ Programming Guide, "Warp Matrix
 * Functions".)
 *
 * How a fragment lies in its warp, for d = a b + c with a m x k, b k x n, c and d m x n:
 *
 *   a  every lane has all k elements of one row, lane / (32 / m): lanes of one row hold the same
 *   c  every lane has m n / 32 neighbours of that row, so that a lane computes its elements of d from its own a
 *   b  every lane has k n / 32 neighbours of row lane / (32 / k)
 *
 * For a product the lanes write b, converted to the type that sums have, to memory that all of them read: each then
 * runs over the rows of b with its elements of d as a vector. One such memory a block is enough: a block's warps run
 * one after the other between two barriers of the block, and a product stands between two barriers of the warp.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__CUDA__) && defined(__cplusplus)

__UW_KEEP_DENORMALS_BEGIN /* as the units that multiply matrices do */

    namespace nvcuda {
  namespace wmma {

  struct row_major;
  struct col_major;
  struct matrix_a;
  struct matrix_b;
  struct accumulator;
  namespace precision {
  struct tf32;
  }
  namespace experimental {
  namespace precision { /* unwarp/wmma_bits.h */
  struct u4;
  struct s4;
  struct b1;
  } // namespace precision
  } // namespace experimental
  enum layout_t { mem_row_major, mem_col_major };

  /* The type of an element in memory, and what products of two are added up in. */
  template <typename __Type> struct __uw_element {
    typedef __Type stored;
  };
  template <> struct __uw_element<precision::tf32> {
    typedef float stored;
  };
  template <typename __Type> struct __uw_summed {
    typedef float type;
  };
  template <> struct __uw_summed<signed char> {
    typedef int type;
  };
  template <> struct __uw_summed<unsigned char> {
    typedef int type;
  };
  template <> struct __uw_summed<double> {
    typedef double type;
  };

  template <typename __Sum> struct __uw_wrapping { /* integer sums wrap around, as unsigned ones do */
    typedef __Sum type;
    static constexpr bool value = false;
  };
  template <> struct __uw_wrapping<int> {
    typedef unsigned int type;
    static constexpr bool value = true;
  };

  /* The shapes that CUDA has, by the type of a and b, and for the accumulator by its own. */
  template <typename __Type, int __m, int __n, int __k> struct __uw_shape {
    static constexpr bool __is_16 = __k == 16 && __m * __n == 256 && (__m == 8 || __m == 16 || __m == 32);
    static constexpr bool value = __is_16;
  };
  template <int __m, int __n, int __k> struct __uw_shape<precision::tf32, __m, __n, __k> {
    static constexpr bool value = __m == 16 && __n == 16 && __k == 8;
  };
  template <int __m, int __n, int __k> struct __uw_shape<double, __m, __n, __k> {
    static constexpr bool value = __m == 8 && __n == 8 && __k == 4;
  };
  template <int __m, int __n, int __k> struct __uw_shape<float, __m, __n, __k> { /* of an accumulator */
    static constexpr bool value =
        __uw_shape<__half, __m, __n, __k>::value || __uw_shape<precision::tf32, __m, __n, __k>::value;
  };
  template <int __m, int __n, int __k> struct __uw_shape<int, __m, __n, __k> {
    static constexpr bool value =
        __uw_shape<signed char, __m, __n, __k>::value || (__m == 8 && __n == 8 && (__k == 32 || __k == 128));
  };
  template <typename __Type> struct __uw_factor {
    static constexpr bool value = false;
  };
  template <> struct __uw_factor<__half> {
    static constexpr bool value = true;
  };
  template <> struct __uw_factor<__nv_bfloat16> {
    static constexpr bool value = true;
  };
  template <> struct __uw_factor<precision::tf32> {
    static constexpr bool value = true;
  };
  template <> struct __uw_factor<signed char> {
    static constexpr bool value = true;
  };
  template <> struct __uw_factor<unsigned char> {
    static constexpr bool value = true;
  };
  template <> struct __uw_factor<double> {
    static constexpr bool value = true;
  };
  template <typename __Type> struct __uw_total {
    static constexpr bool value = false;
  };
  template <> struct __uw_total<__half> {
    static constexpr bool value = true;
  };
  template <> struct __uw_total<float> {
    static constexpr bool value = true;
  };
  template <> struct __uw_total<int> {
    static constexpr bool value = true;
  };
  template <> struct __uw_total<double> {
    static constexpr bool value = true;
  };

  template <typename __Type, int __count> struct __uw_fragment {
    enum { num_elements = __count, num_storage_elements = __count };
    typedef __Type element_type;
    typedef typename __uw_element<__Type>::stored storage_element_type;
    storage_element_type x[__count];
  };

  template <typename __Use, int __m, int __n, int __k, typename __Type, typename __Layout = void> class fragment;
  template <int __m, int __n, int __k, typename __Type, typename __Layout>
  class fragment<matrix_a, __m, __n, __k, __Type, __Layout> : public __uw_fragment<__Type, __k> {
    static_assert(__uw_factor<__Type>::value && __uw_shape<__Type, __m, __n, __k>::value,
                  "wmma has no matrix of this type, shape and layout");
  };
  template <int __m, int __n, int __k, typename __Type, typename __Layout>
  class fragment<matrix_b, __m, __n, __k, __Type, __Layout> : public __uw_fragment<__Type, __k * __n / 32> {
    static_assert(__uw_factor<__Type>::value && __uw_shape<__Type, __m, __n, __k>::value,
                  "wmma has no matrix of this type, shape and layout");
  };
  template <int __m, int __n, int __k, typename __Type>
  class fragment<accumulator, __m, __n, __k, __Type> : public __uw_fragment<__Type, __m * __n / 32> {
    static_assert(__uw_total<__Type>::value && __uw_shape<__Type, __m, __n, __k>::value,
                  "wmma has no accumulator of this type and shape");
  };

  /* Where a lane's elements start: its row, and its first column if it shares the row with others. */
  struct __uw_place {
    int row, column;
  };
  __UW_DEVICE__ __uw_place __uw_lane_place(int __rows, int __count) {
    const int __lane = __nvvm_read_ptx_sreg_laneid(), __sharing = 32 / __rows;
    return __uw_place{__lane / __sharing, __lane % __sharing * __count};
  }

  template <typename __Fragment, typename __Stored>
  __UW_DEVICE__ void __uw_load(__Fragment &__to, const __Stored *__from, unsigned int __stride, __uw_place __at,
                               bool __is_row_major) {
    __syncwarp();
    for (int __i = 0; __i < __Fragment::num_elements; ++__i)
      __to.x[__i] = __is_row_major ? __from[(size_t)__at.row * __stride + (__at.column + __i)]
                                   : __from[(size_t)(__at.column + __i) * __stride + __at.row];
  }

  template <typename __Layout> struct __uw_layout {
    static constexpr bool is_row_major = true;
  };
  template <> struct __uw_layout<col_major> {
    static constexpr bool is_row_major = false;
  };

  template <int __m, int __n, int __k, typename __Type, typename __Layout, typename __Stored>
  __UW_DEVICE__ void load_matrix_sync(fragment<matrix_a, __m, __n, __k, __Type, __Layout> &__to, const __Stored *__from,
                                      unsigned int __stride) {
    __uw_load(__to, __from, __stride, __uw_lane_place(__m, 0), __uw_layout<__Layout>::is_row_major);
  }
  template <int __m, int __n, int __k, typename __Type, typename __Layout, typename __Stored>
  __UW_DEVICE__ void load_matrix_sync(fragment<matrix_b, __m, __n, __k, __Type, __Layout> &__to, const __Stored *__from,
                                      unsigned int __stride) {
    __uw_load(__to, __from, __stride, __uw_lane_place(__k, __k * __n / 32), __uw_layout<__Layout>::is_row_major);
  }
  template <int __m, int __n, int __k, typename __Type, typename __Stored>
  __UW_DEVICE__ void load_matrix_sync(fragment<accumulator, __m, __n, __k, __Type> &__to, const __Stored *__from,
                                      unsigned int __stride, layout_t __layout) {
    __uw_load(__to, __from, __stride, __uw_lane_place(__m, __m * __n / 32), __layout == mem_row_major);
  }

  template <int __m, int __n, int __k, typename __Type, typename __Stored>
  __UW_DEVICE__ void store_matrix_sync(__Stored *__to, const fragment<accumulator, __m, __n, __k, __Type> &__from,
                                       unsigned int __stride, layout_t __layout) {
    const __uw_place __at = __uw_lane_place(__m, __m * __n / 32);
    __syncwarp();
    for (int __i = 0; __i < __from.num_elements; ++__i)
      __to[__layout == mem_row_major ? (size_t)__at.row * __stride + (__at.column + __i)
                                     : (size_t)(__at.column + __i) * __stride + __at.row] = __from.x[__i];
    __syncwarp();
  }

  template <typename __Type, int __count, typename __Value>
  __UW_DEVICE__ void fill_fragment(__uw_fragment<__Type, __count> &__to, __Value __value) {
    for (int __i = 0; __i < __count; ++__i)
      __to.x[__i] = (typename __uw_element<__Type>::stored)__value;
  }

  /* The memory for b: not part of what the kernel asks for. */
  static __shared__ __attribute__((aligned(64), section(".unwarp.scratch"))) unsigned char __uw_exchange_memory[2048];

  /* Saturation: an integer sum to its range, a number to the finite ones, NaN to 0. */
  template <typename __Sum> __UW_DEVICE__ __Sum __uw_saturated_sum(__Sum __sum, __Sum __left, __Sum __right) {
    return __sum + __left * __right;
  }
  template <> __UW_DEVICE__ int __uw_saturated_sum<int>(int __sum, int __left, int __right) {
    const long long __exact = (long long)__sum + __left * __right;
    return __exact < INT_MIN ? INT_MIN : __exact > INT_MAX ? INT_MAX : (int)__exact;
  }
  __UW_DEVICE__ int __uw_finite(int __value) { return __value; }
  __UW_DEVICE__ double __uw_finite(double __value) { return __value; }
  __UW_DEVICE__ float __uw_finite(float __value) {
    return __value != __value ? 0.0f : __builtin_fminf(__builtin_fmaxf(__value, -0x1.fffffep127f), 0x1.fffffep127f);
  }
  __UW_DEVICE__ __half __uw_finite(__half __value) {
    return __hisnan(__value) ? __half(0.0f) : __hmin(__hmax(__value, __half(-65504.0f)), __half(65504.0f));
  }

  template <int __m, int __n, int __k, typename __Result, typename __Type, typename __LayoutA, typename __LayoutB,
            typename __Addend>
  __UW_DEVICE__ void mma_sync(fragment<accumulator, __m, __n, __k, __Result> &__d,
                              const fragment<matrix_a, __m, __n, __k, __Type, __LayoutA> &__a,
                              const fragment<matrix_b, __m, __n, __k, __Type, __LayoutB> &__b,
                              const fragment<accumulator, __m, __n, __k, __Addend> &__c, bool __saturate = false) {
    typedef typename __uw_summed<__Type>::type __Sum;
    constexpr int __width = __m * __n / 32, __share = __k * __n / 32;
    static_assert(sizeof(__Sum) * __k * __n <= sizeof __uw_exchange_memory, "the memory for b is too small");
    __Sum *__rows = (__Sum *)__uw_exchange_memory;
    const __uw_place __own = __uw_lane_place(__k, __share), __at = __uw_lane_place(__m, __width);
    for (int __i = 0; __i < __share; ++__i)
      __rows[__own.row * __n + __own.column + __i] = (__Sum)__b.x[__i];
    __syncwarp();
    typedef typename __uw_wrapping<__Sum>::type __Word;
    typedef __Word __Row __attribute__((vector_size(sizeof(__Sum) * __width)));
    alignas(__Row) __Sum __sum[__width];
    for (int __i = 0; __i < __width; ++__i)
      __sum[__i] = (__Sum)__c.x[__i];
    if (__saturate && __uw_wrapping<__Sum>::value) {
      for (int __j = 0; __j < __k; ++__j)
        for (int __i = 0; __i < __width; ++__i)
          __sum[__i] = __uw_saturated_sum(__sum[__i], (__Sum)__a.x[__j], __rows[__j * __n + __at.column + __i]);
    } else { /* a vector by name: of integers the optimiser would rather vectorise the loop over j */
      __Row __total = *(const __Row *)__sum;
      for (int __j = 0; __j < __k; ++__j)
        __total += (__Word)(__Sum)__a.x[__j] * *(const __Row *)&__rows[__j * __n + __at.column];
      *(__Row *)__sum = __total;
    }
    for (int __i = 0; __i < __width; ++__i)
      __d.x[__i] = __saturate ? __uw_finite((__Result)__sum[__i]) : (__Result)__sum[__i];
    __syncwarp();
  }

  /* To 10 fraction bits, to nearest, ties away from zero. */
  __UW_DEVICE__ float __float_to_tf32(float __value) {
    const unsigned int __bits = __builtin_bit_cast(unsigned int, __value);
    return (__bits & 0x7f800000u) == 0x7f800000u ? __value
                                                 : __builtin_bit_cast(float, (__bits + 0x1000u) & 0xffffe000u);
  }

  } // namespace wmma
} // namespace nvcuda

#include "unwarp/wmma_bits.h"

__UW_KEEP_DENORMALS_END

#endif
#endif
