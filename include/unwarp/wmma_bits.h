/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Matrix fragments of elements of 4 bits (8 x 8 x 32) and of 1 bit (8 x 8 x 128), row-major a times column-major b:
 * rows and columns of four words. How they lie in a warp: every lane has the whole row lane / 4 of a; word lane % 4 of
 * column lane / 4 of b, which for a product goes to the memory that all lanes read; and two neighbours of row lane / 4
 * of c, as mma.h has them. (CUDA C++ Programming Guide, "Sub-byte Operations".) Included by mma.h. */
#ifndef UNWARP_WMMA_BITS_H
#define UNWARP_WMMA_BITS_H

namespace nvcuda {
namespace wmma {

namespace experimental {
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* Of elements of fewer bits than a byte: how many are in a word, and the sum of products of two words'. */
template <typename __Type> struct __uw_bits {
  static constexpr int of_row = 0;
};
template <> struct __uw_bits<experimental::precision::b1> {
  static constexpr int of_row = 128, of_word = 32;
};
template <bool __has_sign> struct __uw_nibbles {
  static constexpr int of_row = 32, of_word = 8;
  __UW_DEVICE__ static int at(unsigned int __word, int __i) {
    return __has_sign ? (int)(__word << (28 - 4 * __i)) >> 28 : (int)(__word >> (4 * __i) & 15u);
  }
  __UW_DEVICE__ static int product(unsigned int __left, unsigned int __right) {
    int __sum = 0;
    for (int __i = 0; __i < 8; ++__i)
      __sum += at(__left, __i) * at(__right, __i);
    return __sum;
  }
};
template <> struct __uw_bits<experimental::precision::s4> : __uw_nibbles<true> {};
template <> struct __uw_bits<experimental::precision::u4> : __uw_nibbles<false> {};

template <int __k, typename __Type, int __count> struct __uw_packed_fragment {
  static_assert(__k == __uw_bits<__Type>::of_row,
                "wmma has elements of 4 bits in 8 x 8 x 32, of 1 bit in 8 x 8 x 128, a row_major and b col_major");
  enum { num_elements = __count * __uw_bits<__Type>::of_word, num_storage_elements = __count };
  typedef __Type element_type;
  typedef unsigned int storage_element_type;
  unsigned int x[__count];
};

#define __UW_PACKED(__type)                                                                                            \
  template <int __k>                                                                                                   \
  class fragment<matrix_a, 8, 8, __k, experimental::precision::__type, row_major>                                      \
      : public __uw_packed_fragment<__k, experimental::precision::__type, 4> {};                                       \
  template <int __k>                                                                                                   \
  class fragment<matrix_b, 8, 8, __k, experimental::precision::__type, col_major>                                      \
      : public __uw_packed_fragment<__k, experimental::precision::__type, 1> {};                                       \
  template <int __k, typename __Stored>                                                                                \
  __UW_DEVICE__ void load_matrix_sync(fragment<matrix_a, 8, 8, __k, experimental::precision::__type, row_major> &__to, \
                                      const __Stored *__from, unsigned int __stride) {                                 \
    __uw_load_packed<__uw_bits<experimental::precision::__type>::of_word>(__to, __from, __stride, 0);                  \
  }                                                                                                                    \
  template <int __k, typename __Stored>                                                                                \
  __UW_DEVICE__ void load_matrix_sync(fragment<matrix_b, 8, 8, __k, experimental::precision::__type, col_major> &__to, \
                                      const __Stored *__from, unsigned int __stride) {                                 \
    __uw_load_packed<__uw_bits<experimental::precision::__type>::of_word>(__to, __from, __stride,                      \
                                                                          __nvvm_read_ptx_sreg_laneid() % 4);          \
  }

/* The stride is a number of elements. */
template <int __of_word, typename __Fragment>
__UW_DEVICE__ void __uw_load_packed(__Fragment &__to, const void *__from, unsigned int __stride, int __first) {
  const unsigned int *__row =
      (const unsigned int *)__from + (size_t)(__nvvm_read_ptx_sreg_laneid() / 4) * (__stride / __of_word);
  __syncwarp();
  for (int __i = 0; __i < __Fragment::num_storage_elements; ++__i)
    __to.x[__i] = __row[__first + __i];
}
__UW_PACKED(s4)
__UW_PACKED(u4)
__UW_PACKED(b1)
#undef __UW_PACKED

/* Each lane's two sums, of what `combine` makes of the words of a row and a column; `add` puts one of them to an
 * element of c. */
template <typename __Total, typename __Left, typename __Right, typename __Addend, typename __Combine, typename __Add>
__UW_DEVICE__ void __uw_multiply_packed(__Total &__d, const __Left &__a, const __Right &__b, const __Addend &__c,
                                        __Combine __combine, __Add __add) {
  unsigned int *__columns = (unsigned int *)__uw_exchange_memory;
  const int __lane = __nvvm_read_ptx_sreg_laneid();
  __columns[__lane] = __b.x[0];
  __syncwarp();
  for (int __i = 0; __i < 2; ++__i) {
    int __sum = 0;
    for (int __j = 0; __j < 4; ++__j)
      __sum += __combine(__a.x[__j], __columns[(__lane % 4 * 2 + __i) * 4 + __j]);
    __d.x[__i] = __add(__c.x[__i], __sum);
  }
  __syncwarp();
}

template <int __k, typename __Type>
__UW_DEVICE__ void mma_sync(fragment<accumulator, 8, 8, __k, int> &__d,
                            const fragment<matrix_a, 8, 8, __k, __Type, row_major> &__a,
                            const fragment<matrix_b, 8, 8, __k, __Type, col_major> &__b,
                            const fragment<accumulator, 8, 8, __k, int> &__c, bool __saturate = false) {
  __uw_multiply_packed(
      __d, __a, __b, __c,
      [](unsigned int __left, unsigned int __right) { return __uw_bits<__Type>::product(__left, __right); },
      [__saturate](int __addend, int __sum) {
        return __saturate ? __uw_saturated_sum(__addend, __sum, 1)
                          : (int)((unsigned int)__addend + (unsigned int)__sum);
      });
}

template <int __k>
__UW_DEVICE__ void bmma_sync(fragment<accumulator, 8, 8, __k, int> &__d,
                             const fragment<matrix_a, 8, 8, __k, experimental::precision::b1, row_major> &__a,
                             const fragment<matrix_b, 8, 8, __k, experimental::precision::b1, col_major> &__b,
                             const fragment<accumulator, 8, 8, __k, int> &__c,
                             experimental::bmmaBitOp __op = experimental::bmmaBitOpXOR,
                             experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  __uw_multiply_packed(
      __d, __a, __b, __c,
      [__op](unsigned int __left, unsigned int __right) {
        return __builtin_popcount(__op == experimental::bmmaBitOpAND ? __left & __right : __left ^ __right);
      },
      [](int __addend, int __sum) { return (int)((unsigned int)__addend + (unsigned int)__sum); });
}

} // namespace wmma
} // namespace nvcuda

#endif
