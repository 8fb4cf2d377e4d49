/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What sycl::stream prints, piece by piece. */
#include "sycl.h"

#include <stdio.h>

void uwrt_sycl_print_integer(unsigned long long bits, int is_signed, int base, int show_base, int show_sign,
                             int width) {
  char digits[72], *at = digits + sizeof digits;
  int negative = is_signed && (long long)bits < 0;
  unsigned long long left = negative ? 0 - bits : bits;
  *--at = 0;
  do
    *--at = "0123456789abcdef"[left % (unsigned)base];
  while (left /= (unsigned)base);
  if (show_base && base == 16)
    *--at = 'x';
  if (show_base && base != 10)
    *--at = '0';
  if (negative || (show_sign && base == 10))
    *--at = negative ? '-' : '+';
  printf("%*s", width, at);
}

/* form: e, f, g or a, as printf has them. */
void uwrt_sycl_print_float(double value, int form, int show_sign, int precision, int width) {
  char format[] = {'%', '+', '*', '.', '*', (char)form, 0};
  if (show_sign)
    printf(format, width, precision, value);
  else {
    format[1] = '%';
    printf(format + 1, width, precision, value);
  }
}

void uwrt_sycl_print_text(const char *text, int width) { printf("%*s", width, text); }
