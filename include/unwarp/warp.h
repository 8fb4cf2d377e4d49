/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Exchanges among the 32 threads of a warp: shuffles, votes, matches, reductions. (CUDA C++ Programming Guide, "Warp
 * Vote / Match / Reduce / Shuffle Functions".)
 *
 * Everything ends in one 32-bit shuffle, vote or match intrinsic of NVVM. 64-bit values go as two halves. The old forms
 * without a mask exchange among the threads that are active at the call.
 */
#ifndef UNWARP_WARP_H
#define UNWARP_WARP_H

__UW_DEVICE__ void __syncwarp(unsigned int __mask = 0xffffffffu) { __nvvm_bar_warp_sync(__mask); }
__UW_DEVICE__ unsigned int __activemask() { return __nvvm_activemask(); }

__UW_DEVICE__ int __all_sync(unsigned int __mask, int __predicate) { return __nvvm_vote_all_sync(__mask, __predicate); }
__UW_DEVICE__ int __any_sync(unsigned int __mask, int __predicate) { return __nvvm_vote_any_sync(__mask, __predicate); }
__UW_DEVICE__ int __uni_sync(unsigned int __mask, int __predicate) { return __nvvm_vote_uni_sync(__mask, __predicate); }
__UW_DEVICE__ unsigned int __ballot_sync(unsigned int __mask, int __predicate) {
  return __nvvm_vote_ballot_sync(__mask, __predicate);
}
__UW_DEVICE__ int __all(int __predicate) { return __all_sync(__activemask(), __predicate); }
__UW_DEVICE__ int __any(int __predicate) { return __any_sync(__activemask(), __predicate); }
__UW_DEVICE__ unsigned int __ballot(int __predicate) { return __ballot_sync(__activemask(), __predicate); }

/* The last operand of NVVM's shuffles: the segment's mask in bits 8 to 12, the lane to clamp to in bits 0 to 4. Up
 * clamps at the segment's first lane, the others at its last. */
#define __UW_SHUFFLE_32(name, mode, clamp, lane_type)                                                                  \
  __UW_DEVICE__ int name(unsigned int __mask, int __value, lane_type __lane, int __width = warpSize) {                 \
    return __nvvm_shfl_sync_##mode##_i32(__mask, __value, (int)__lane, ((warpSize - __width) << 8) | clamp);           \
  }                                                                                                                    \
  __UW_DEVICE__ unsigned int name(unsigned int __mask, unsigned int __value, lane_type __lane,                         \
                                  int __width = warpSize) {                                                            \
    return (unsigned int)name(__mask, (int)__value, __lane, __width);                                                  \
  }                                                                                                                    \
  __UW_DEVICE__ float name(unsigned int __mask, float __value, lane_type __lane, int __width = warpSize) {             \
    return __nvvm_shfl_sync_##mode##_f32(__mask, __value, (int)__lane, ((warpSize - __width) << 8) | clamp);           \
  }                                                                                                                    \
  __UW_DEVICE__ unsigned long long name(unsigned int __mask, unsigned long long __value, lane_type __lane,             \
                                        int __width = warpSize) {                                                      \
    unsigned int __low = name(__mask, (unsigned int)__value, __lane, __width);                                         \
    unsigned int __high = name(__mask, (unsigned int)(__value >> 32), __lane, __width);                                \
    return (unsigned long long)__high << 32 | __low;                                                                   \
  }
#define __UW_SHUFFLE_64(name, lane_type, type)                                                                         \
  __UW_DEVICE__ type name(unsigned int __mask, type __value, lane_type __lane, int __width = warpSize) {               \
    return __builtin_bit_cast(type, name(__mask, __builtin_bit_cast(unsigned long long, __value), __lane, __width));   \
  }
#define __UW_SHUFFLE_ACTIVE(name, lane_type, type)                                                                     \
  __UW_DEVICE__ type name(type __value, lane_type __lane, int __width = warpSize) {                                    \
    return name##_sync(__activemask(), __value, __lane, __width);                                                      \
  }
// clang-format off
#define __UW_SHUFFLE(name, mode, clamp, lane_type)                                                                     \
  __UW_SHUFFLE_32(name##_sync, mode, clamp, lane_type)                                                                 \
  __UW_SHUFFLE_64(name##_sync, lane_type, long long)                                                                   \
  __UW_SHUFFLE_64(name##_sync, lane_type, long)                                                                        \
  __UW_SHUFFLE_64(name##_sync, lane_type, unsigned long)                                                               \
  __UW_SHUFFLE_64(name##_sync, lane_type, double)                                                                      \
  __UW_SHUFFLE_ACTIVE(name, lane_type, int)                                                                            \
  __UW_SHUFFLE_ACTIVE(name, lane_type, unsigned int)                                                                   \
  __UW_SHUFFLE_ACTIVE(name, lane_type, float)                                                                          \
  __UW_SHUFFLE_ACTIVE(name, lane_type, long long)                                                                      \
  __UW_SHUFFLE_ACTIVE(name, lane_type, unsigned long long)                                                             \
  __UW_SHUFFLE_ACTIVE(name, lane_type, long)                                                                           \
  __UW_SHUFFLE_ACTIVE(name, lane_type, unsigned long)                                                                  \
  __UW_SHUFFLE_ACTIVE(name, lane_type, double)
// clang-format on
__UW_SHUFFLE(__shfl, idx, 31, int)
__UW_SHUFFLE(__shfl_up, up, 0, unsigned int)
__UW_SHUFFLE(__shfl_down, down, 31, unsigned int)
__UW_SHUFFLE(__shfl_xor, bfly, 31, int)
#undef __UW_SHUFFLE
#undef __UW_SHUFFLE_ACTIVE
#undef __UW_SHUFFLE_64
#undef __UW_SHUFFLE_32

#define __UW_MATCH(type, bits, bits_type)                                                                              \
  __UW_DEVICE__ unsigned int __match_any_sync(unsigned int __mask, type __value) {                                     \
    return __nvvm_match_any_sync_i##bits(__mask, __builtin_bit_cast(bits_type, __value));                              \
  }                                                                                                                    \
  __UW_DEVICE__ unsigned int __match_all_sync(unsigned int __mask, type __value, int *__predicate) {                   \
    return __nvvm_match_all_sync_i##bits##p(__mask, __builtin_bit_cast(bits_type, __value), __predicate);              \
  }
__UW_MATCH(int, 32, unsigned int)
__UW_MATCH(unsigned int, 32, unsigned int)
__UW_MATCH(float, 32, unsigned int)
__UW_MATCH(long, 64, unsigned long long)
__UW_MATCH(unsigned long, 64, unsigned long long)
__UW_MATCH(long long, 64, unsigned long long)
__UW_MATCH(unsigned long long, 64, unsigned long long)
__UW_MATCH(double, 64, unsigned long long)
#undef __UW_MATCH

/* A full warp reduces in five steps by exchange. Otherwise the members are visited in turn: those of the mask that
 * exist (the last warp of a block may be cut short) and have not left the kernel. */
#define __UW_REDUCE(name, type, combine)                                                                               \
  __UW_DEVICE__ type name(unsigned int __mask, type __value) {                                                         \
    __mask &= __ballot_sync(__mask, 1);                                                                                \
    if (__mask == 0xffffffffu) {                                                                                       \
      for (int __step = 16; __step > 0; __step >>= 1) {                                                                \
        type __other = __shfl_xor_sync(__mask, __value, __step);                                                       \
        __value = combine;                                                                                             \
      }                                                                                                                \
      return __value;                                                                                                  \
    }                                                                                                                  \
    unsigned int __rest = __mask;                                                                                      \
    type __own = __value;                                                                                              \
    __value = __shfl_sync(__mask, __own, __builtin_ctz(__rest));                                                       \
    while (__rest &= __rest - 1) {                                                                                     \
      type __other = __shfl_sync(__mask, __own, __builtin_ctz(__rest));                                                \
      __value = combine;                                                                                               \
    }                                                                                                                  \
    return __value;                                                                                                    \
  }
__UW_REDUCE(__reduce_add_sync, unsigned int, __value + __other)
__UW_REDUCE(__reduce_add_sync, int, (int)((unsigned int)__value + (unsigned int)__other))
__UW_REDUCE(__reduce_min_sync, unsigned int, __other < __value ? __other : __value)
__UW_REDUCE(__reduce_min_sync, int, __other < __value ? __other : __value)
__UW_REDUCE(__reduce_max_sync, unsigned int, __other > __value ? __other : __value)
__UW_REDUCE(__reduce_max_sync, int, __other > __value ? __other : __value)
__UW_REDUCE(__reduce_and_sync, unsigned int, __value &__other)
__UW_REDUCE(__reduce_or_sync, unsigned int, __value | __other)
__UW_REDUCE(__reduce_xor_sync, unsigned int, __value ^ __other)
#undef __UW_REDUCE

/* The lane of the offset-th set bit of mask from bit base on: upwards, downwards for a negative offset, base itself or
 * nothing for 0. All ones when there is none. */
__UW_DEVICE__ unsigned int __fns(unsigned int __mask, unsigned int __base, int __offset) {
  if (__offset == 0)
    return __mask >> __base & 1 ? __base : 0xffffffffu;
  int __step = __offset > 0 ? 1 : -1, __left = __offset > 0 ? __offset : -__offset;
  for (int __bit = (int)__base; __bit >= 0 && __bit < 32; __bit += __step)
    if (__mask >> __bit & 1 && --__left == 0)
      return (unsigned int)__bit;
  return 0xffffffffu;
}

#endif
