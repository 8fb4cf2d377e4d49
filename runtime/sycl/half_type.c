/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What typeid(sycl::half) names, and of pointers to it. The compiler takes the type information of _Float16 from the
 * C++ library, which has it from GCC 13 on; Debian 12's does not. It is laid out as the Itanium C++ ABI has it. A
 * program is linked with this only where it asks. */
extern const char fundamental_methods[] __asm__("_ZTVN10__cxxabiv123__fundamental_type_infoE");
extern const char pointer_methods[] __asm__("_ZTVN10__cxxabiv119__pointer_type_infoE");

#define SHOWN __attribute__((weak, visibility("default")))
enum { AFTER_HEADER = 2 * sizeof(void *), CONST_POINTEE = 1 };

typedef struct type_info {
  const char *methods, *name;
} type_info;
typedef struct pointer_type_info {
  type_info base;
  unsigned int flags;
  const type_info *pointee;
} pointer_type_info;

SHOWN const char half_name[] __asm__("_ZTSDF16_") = "DF16_";
SHOWN const char pointer_name[] __asm__("_ZTSPDF16_") = "PDF16_";
SHOWN const char const_pointer_name[] __asm__("_ZTSPKDF16_") = "PKDF16_";
SHOWN const type_info half_type __asm__("_ZTIDF16_") = {fundamental_methods + AFTER_HEADER, half_name};
SHOWN const pointer_type_info pointer_type __asm__("_ZTIPDF16_") = {
    {pointer_methods + AFTER_HEADER, pointer_name}, 0, &half_type};
SHOWN const pointer_type_info const_pointer_type __asm__("_ZTIPKDF16_") = {
    {pointer_methods + AFTER_HEADER, const_pointer_name}, CONST_POINTEE, &half_type};
