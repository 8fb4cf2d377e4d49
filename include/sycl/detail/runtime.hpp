// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the runtime that the headers call. Device memory is CUDA's, so that what is known of one allocation
// (that it is another object than all others, where its pages lie) is known of both languages' alike.
#ifndef UNWARP_SYCL_DETAIL_RUNTIME_HPP
#define UNWARP_SYCL_DETAIL_RUNTIME_HPP

#include <cstddef>
#include <cstdint>

extern "C" {
int cudaMalloc(void **place, std::size_t bytes) noexcept;
int cudaMallocManaged(void **place, std::size_t bytes, unsigned flags) noexcept;
int cudaMallocHost(void **place, std::size_t bytes) noexcept;
int cudaFree(void *place) noexcept;
int cudaFreeHost(void *place) noexcept;
int cudaDeviceSynchronize() noexcept;
int cudaMemcpy(void *to, const void *from, std::size_t bytes, int kind) noexcept;
int cudaMemset(void *place, int value, std::size_t bytes) noexcept;
int cudaMemcpy2D(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind) noexcept;
int cudaMemset2D(void *place, std::size_t pitch, int value, std::size_t width, std::size_t height) noexcept;

// runtime/sycl/
void uwrt_sycl_fill(void *place, const void *pattern, std::uint64_t pattern_bytes, std::uint64_t count) noexcept;
void uwrt_sycl_check() noexcept; // ends the program when a kernel did, by assert or a trap
std::uint64_t uwrt_sycl_nanoseconds() noexcept;
int uwrt_sycl_pointer_kind(const void *pointer) noexcept; // usm::alloc's values
std::uint32_t uwrt_sycl_cores() noexcept;
std::uint32_t uwrt_sycl_megahertz() noexcept;
std::uint64_t uwrt_sycl_memory() noexcept;
std::uint64_t uwrt_sycl_free_memory() noexcept;
const char *uwrt_sycl_cpu_name() noexcept;
std::uint64_t uwrt_sycl_cache_bytes() noexcept;
}
#endif
