/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The arrive/wait primitives as a class, by the name that CUDA 11 gave it.
 */
#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_

#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__) && defined(__cplusplus)

namespace nvcuda {
namespace experimental {

class awbarrier {
  __mbarrier_t __barrier;

public:
  class arrival_token {
    friend class awbarrier;
    __mbarrier_token_t __token;
    __attribute__((device)) explicit arrival_token(__mbarrier_token_t __new_token) : __token(__new_token) {}

  public:
    arrival_token() = default;
    __attribute__((device)) unsigned int pending_count() const { return __mbarrier_token_pending_count(__token); }
  };

  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  __attribute__((device)) arrival_token arrive() { return arrival_token(__mbarrier_arrive(&__barrier)); }
  __attribute__((device)) arrival_token arrive_and_drop() {
    return arrival_token(__mbarrier_arrive_and_drop(&__barrier));
  }
  __attribute__((device)) bool timed_wait(arrival_token __token, unsigned int) { return try_wait(__token, 0); }
  __attribute__((device)) bool timed_wait_parity(bool __phase, unsigned int) { return try_wait_parity(__phase, 0); }
  __attribute__((device)) bool try_wait(arrival_token __token, unsigned int) {
    return __mbarrier_test_wait(&__barrier, __token.__token);
  }
  __attribute__((device)) bool try_wait_parity(bool __phase, unsigned int) {
    return __mbarrier_test_wait_parity(&__barrier, __phase);
  }
  __attribute__((device)) void wait(arrival_token __token) {
    while (!__mbarrier_test_wait(&__barrier, __token.__token))
      ;
  }
  __attribute__((device)) void arrive_and_wait() { wait(arrive()); }
  static __attribute__((host, device)) constexpr unsigned int max() { return __UW_MBARRIER_MOST; }

  friend __attribute__((device)) inline void init(awbarrier *__new_barrier, unsigned int __expected) {
    __mbarrier_init(&__new_barrier->__barrier, __expected);
  }
  friend __attribute__((device)) inline void inval(awbarrier *__old_barrier) {
    __mbarrier_inval(&__old_barrier->__barrier);
  }
};

} // namespace experimental
} // namespace nvcuda

#endif
#endif
