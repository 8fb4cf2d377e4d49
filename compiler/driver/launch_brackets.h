/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nvcc takes white space inside the brackets of a launch, `kernel<< <grid, block>> >(...)`, and braces, `kernel<<<{3},
 * block>>>(...)`; clang does not. */
#ifndef UW_DRIVER_LAUNCH_BRACKETS_H
#define UW_DRIVER_LAUNCH_BRACKETS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether brackets with white space between them occur at all, in code or not. */
bool uw_has_spaced_brackets(char *text);

/* Closes the brackets up in place; the white space moves after them, so that lines and columns stay. Gives how many
 * launches were changed. */
size_t uw_close_launch_brackets(char *text);

/* Steps over a comment or a literal that begins at `at`, in the text that begins at `start`; else gives `at` back. */
const char *uw_after_literal(const char *at, const char *start);

/* The text in which the arguments of launches that are in braces have their types; null if there are none. Before clang
 * sees it, as it does not look at a kernel whose launch it refuses.
 *
 *   k<<<{3}, {16, 2}>>>(o);                          ==>    k<<<dim3{3}, dim3{16, 2}>>>(o); */
char *uw_name_launch_types(char *text);

#endif
