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

// runtime/lent.c: memory of the program's that kernels use in place, for the checker
void uwrt_lend(const void *start, std::size_t bytes) noexcept;
void uwrt_take_back(const void *start, std::size_t bytes) noexcept;
void uwrt_host_writes(const void *start, std::size_t bytes) noexcept; // to memory that is the device's

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

std::uint64_t uwrt_sycl_page_bytes() noexcept; // virtual_memory.hpp
int uwrt_sycl_physical_new(std::uint64_t bytes) noexcept;
void uwrt_sycl_physical_free(int file) noexcept;
void *uwrt_sycl_reserve(std::uint64_t start, std::uint64_t bytes) noexcept;
int uwrt_sycl_unreserve(void *place, std::uint64_t bytes) noexcept;
int uwrt_sycl_map(void *place, std::uint64_t bytes, int file, std::uint64_t offset, int mode) noexcept;
int uwrt_sycl_unmap(void *place, std::uint64_t bytes) noexcept;
int uwrt_sycl_set_access(void *place, std::uint64_t bytes, int mode) noexcept;
int uwrt_sycl_get_access(const void *place) noexcept;
}
#endif
