/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device printf. A structure lays out its members as clang lays out the arguments' buffer: promoted as in C, each at
 * its natural alignment.
 */
#include "check.h"

static char text[20000];

#define PRINT(wanted_count, wanted_text, format, buffer)                                                               \
  do {                                                                                                                 \
    int count_ = -9;                                                                                                   \
    CAPTURE(stdout, text, count_ = uwrt_vprintf(format, buffer));                                                      \
    CHECK_NUMBER(count_, wanted_count);                                                                                \
    CHECK_TEXT(text, wanted_text);                                                                                     \
  } while (0)

static void check_plain(void) {
  PRINT(-1, "", NULL, NULL);
  PRINT(0, "", "", NULL);
  PRINT(0, "plain 100%\n", "plain 100%%\n", NULL);
}

static void check_mixed(void) {
  struct {
    int i;
    double d;
    int j;
    long long k;
    const char *s;
    int c;
    unsigned int u;
  } mixed = {-5, 2.5, 7, 1234567890123LL, "text", 'x', 4000000000u};
  PRINT(7, "-5 2.500000 0007 1234567890123 [text  ] x ee6b2800\n", "%d %f %04d %lld [%-6s] %c %x\n", &mixed);
}

static void check_integers(void) {
  int several[] = {42, -42, 255, 8, 0, 65};
  PRINT(6, "+42|  -42|0xff|010| 0|A", "%+d|%5d|%#x|%#o|% d|%c", several);
  PRINT(3, "42   |-0042|0FF", "%-5d|%05d|%03X", several);
  int stars[] = {6, 42, -6, 42, 4, 7};
  PRINT(6, "    42|42    |0007", "%*d|%*d|%.*d", stars);
  int narrow[] = {0x12345, 0x1FF, -1};
  PRINT(3, "9029|-1|65535", "%hd|%hhd|%hu", narrow);
  unsigned long long wide[] = {18446744073709551615ull, 18446744073709551615ull, 255, 1ull << 40};
  PRINT(4, "18446744073709551615|-1|00000000000000ff|1099511627776", "%llu|%ld|%016lx|%zu", wide);
  int extremes[] = {-2147483647 - 1, 2147483647};
  PRINT(2, "-2147483648 2147483647", "%i %u", extremes);
}

static void check_floats(void) {
  double values[] = {3.14159265, -1e300, 0.0001, 2, 1e-5, 1.0 / 0.0};
  PRINT(6, "3.14|-1.000000e+300|0.0001|0x1p+1|1E-05|inf", "%.2f|%e|%g|%a|%G|%f", values);
  PRINT(2, "  +3.142|-1e+300", "%+8.3f|%.0e", values);
  double huge = 1e300;
  char wanted[400];
  snprintf(wanted, sizeof wanted, "<%f>", huge);
  PRINT(1, wanted, "<%f>", &huge);
}

static void check_strings(void) {
  static char longer[15000];
  static char wanted[15100];
  const char *strings[] = {"abcdef", NULL, "", "tail"};
  PRINT(4, "abc|(null)||      tail", "%.3s|%s|%s|%10s", strings);
  memset(longer, 'y', sizeof longer - 1);
  const char *both[] = {longer, "end"};
  snprintf(wanted, sizeof wanted, "<%s>end", longer);
  PRINT(2, wanted, "<%s>%s", both);
  /* Text that just fits, and just does not fit, the buffer on the stack. */
  for (int length = 1020; length <= 1027; length++) {
    longer[length] = 0;
    int number = 7;
    snprintf(wanted, sizeof wanted, "%s7", longer);
    static char format[sizeof longer + 4];
    snprintf(format, sizeof format, "%s%%d", longer);
    PRINT(1, wanted, format, &number);
    const char *whole = longer;
    PRINT(1, longer, "%s", &whole);
    longer[length] = 'y';
  }
}

static void check_pointers(void) {
  void *pointers[] = {(void *)(uintptr_t)0x1234abcd, NULL};
  char wanted[64];
  snprintf(wanted, sizeof wanted, "%p %p", pointers[0], pointers[1]);
  PRINT(2, wanted, "%p %p", pointers);
}

/* What is no conversion is printed as it stands, and takes no argument. */
static void check_malformed(void) {
  int values[] = {5, 6};
  PRINT(1, "%y 5", "%y %d", values);
  PRINT(1, "5 %", "%d %", values);
  PRINT(1, "5 %-5", "%d %-5", values);
  PRINT(0, "%n", "%n", values);
  PRINT(0, "%5%", "%5%", values);
}

/* One call's text is one write: lines of several calls follow each other. */
static void check_sequence(void) {
  int value = 1;
  CAPTURE(stdout, text, {
    uwrt_vprintf("a%d\n", &value);
    printf("host\n");
    uwrt_vprintf("b%d\n", &value);
  });
  CHECK_TEXT(text, "a1\nhost\nb1\n");
}

int main(void) {
  check_plain();
  check_mixed();
  check_integers();
  check_floats();
  check_strings();
  check_pointers();
  check_malformed();
  check_sequence();
  return finish();
}
