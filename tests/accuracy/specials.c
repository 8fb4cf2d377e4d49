/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * specials TABLE: calls functions of the table (accuracy.h) with special arguments and compares with what an H100 gave, as nvcc 13.0
 * compiled the same table for it. A line is
 *
 *     identifier: argument=result argument,argument=result ...
 *
 * NaN, infinities and zeros must be the same, with their sign, and other results within twice CUDA's bound, which each of the two
 * may be off; where the bound is absolute, finite results must be within twice that. Not in the table is what CUDA leaves open and
 * is more exact here: docs/support.md says what.
 * Each line's arguments are tried many times over, so that each one meets several lanes of vectors and what they leave over.
 * Exit status 1 if one differs, with the function and the arguments on stderr.
 */
#include "accuracy.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 32, TIMES = 11 };

static const function *find(const char *id) {
  for (int i = 0; i < function_count; i++)
    if (!strcmp(functions[i].id, id))
      return &functions[i];
  return NULL;
}

/* One unit in the last place of a finite value. */
static double unit_of(double value, number_format f) {
  static const struct {
    int digits, least_exponent;
  } formats[] = {[IN_SINGLE] = {24, -126}, [IN_DOUBLE] = {53, -1022}, [IN_HALF] = {11, -14}, [IN_BFLOAT16] = {8, -126}};
  int exponent = value == 0 ? formats[f].least_exponent : ilogb(value);
  return ldexp(1,
               (exponent < formats[f].least_exponent ? formats[f].least_exponent : exponent) - (formats[f].digits - 1));
}

static bool agree(const function *f, double got, double expected) {
  if (isnan(got) || isnan(expected))
    return isnan(got) && isnan(expected);
  if (isinf(got) || isinf(expected))
    return got == expected;
  if (f->absolute != 0)
    return fabs(got - expected) <= 2 * f->absolute;
  if ((got == 0) != (expected == 0) || !signbit(got) != !signbit(expected))
    return false;
  return fabs(got - expected) <= 2 * f->ulps * unit_of(expected, f->format);
}

/* A value and what stands behind it. */
static double number(char **text, char end) {
  char *rest;
  double value = strtod(*text, &rest);
  if (rest == *text || *rest != end) {
    fprintf(stderr, "specials: no number: %s\n", *text);
    exit(2);
  }
  *text = rest + (end != 0);
  return value;
}

static int check_line(const function *f, char *cases) {
  static double arguments[MOST_ARGUMENTS][MOST_CASES * TIMES], results[MOST_CASES * TIMES], expected[MOST_CASES];
  int count = 0, wrong = 0;
  for (char *word = strtok(cases, " \n"); word; word = strtok(NULL, " \n"), count++) {
    if (count == MOST_CASES)
      exit((fprintf(stderr, "specials: a line of %s is too long\n", f->id), 2));
    for (int a = 0; a < f->arguments; a++)
      arguments[a][count] = number(&word, a + 1 < f->arguments ? ',' : '=');
    expected[count] = number(&word, 0);
  }
  for (int a = 0; a < MOST_ARGUMENTS; a++)
    for (int i = count; i < count * TIMES; i++)
      arguments[a][i] = arguments[a][i - count];
  f->evaluate((double *const[]){arguments[0], arguments[1], arguments[2], arguments[3]}, results, count * TIMES);
  for (int i = 0; i < count * TIMES; i++)
    if (!agree(f, results[i], expected[i % count])) {
      fprintf(stderr, "%s(", f->id);
      for (int a = 0; a < f->arguments; a++)
        fprintf(stderr, "%s%a", a ? ", " : "", arguments[a][i]);
      fprintf(stderr, ") is %a, on an H100 %a\n", results[i], expected[i % count]);
      wrong++;
    }
  return wrong;
}

int main(int argc, char **argv) {
  FILE *table = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!table)
    return fprintf(stderr, "usage: specials TABLE\n"), 2;
  char line[512];
  int wrong = 0, lines = 0;
  for (; fgets(line, sizeof line, table); lines++) {
    char *colon = strchr(line, ':');
    if (colon)
      *colon = 0;
    const function *f = colon ? find(line) : NULL;
    if (!f)
      return fprintf(stderr, "specials: no function: %s\n", line), 2;
    wrong += check_line(f, colon + 1);
  }
  fclose(table);
  return wrong != 0 || lines == 0;
}
