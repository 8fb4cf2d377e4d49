/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of SYCL's part of the runtime, libsycl.a, which programs compiled with -fsycl are linked with. SYCL's
 * own classes are templates in include/sycl/, which declares these in detail/runtime.hpp. */
#ifndef UWRT_SYCL_H
#define UWRT_SYCL_H

#include <stddef.h>
#include <stdint.h>

uint32_t uwrt_sycl_cores(void);
uint32_t uwrt_sycl_megahertz(void);
uint64_t uwrt_sycl_memory(void);
uint64_t uwrt_sycl_free_memory(void);
uint64_t uwrt_sycl_cache_bytes(void);
const char *uwrt_sycl_cpu_name(void);
uint64_t uwrt_sycl_nanoseconds(void);
int uwrt_sycl_pointer_kind(const void *pointer);
void uwrt_sycl_check(void);
void uwrt_sycl_print_integer(unsigned long long bits, int is_signed, int base, int show_base, int show_sign, int width);
void uwrt_sycl_print_float(double value, int form, int show_sign, int precision, int width);
void uwrt_sycl_print_text(const char *text, int width);
void uwrt_sycl_fill(void *place, const void *pattern, uint64_t pattern_bytes, uint64_t count);

uint64_t uwrt_sycl_page_bytes(void);
int uwrt_sycl_physical_new(uint64_t bytes); /* its file; -1: there is no room */
void uwrt_sycl_physical_free(int file);
void *uwrt_sycl_reserve(uint64_t start, uint64_t bytes); /* NULL: there is no room */
int uwrt_sycl_unreserve(void *place, uint64_t bytes);
int uwrt_sycl_map(void *place, uint64_t bytes, int file, uint64_t offset, int mode);
int uwrt_sycl_unmap(void *place, uint64_t bytes);
int uwrt_sycl_set_access(void *place, uint64_t bytes, int mode);
int uwrt_sycl_get_access(const void *place);

#endif
