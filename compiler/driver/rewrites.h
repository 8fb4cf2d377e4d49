/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rewrites of a source's text from a location in it that clang names (leniency.c says what each is for). Each gives the
 * whole text with the location in another form, or null where the location is none of its kind. Lines stay. */
#ifndef UW_DRIVER_REWRITES_H
#define UW_DRIVER_REWRITES_H

#include <stdbool.h>

/* Makes the function whose body `at` is in one for the device too, in the device pass. */
char *uw_allow_device(const char *text, const char *at);
/* The mark for that and the other way around, in front of the declarator of the function whose name is at `name`. */
char *uw_mark_function(const char *text, const char *name, const char *mark);
/* Takes the body away of the template that `at` is in. */
char *uw_blank_template(const char *text, const char *at);
/* Whether messages are about such a template, which somebody instantiates after all. */
bool uw_says_blanked(const char *messages);
/* A directive in a macro, whose # is at `hash`, as an operator. */
char *uw_make_pragma_operator(const char *text, const char *hash);
/* All of a text's; null where there are none. */
char *uw_make_pragma_operators(const char *text);
/* Takes the directive out that is on the line of `at`, if that is `#pragma unroll`. */
char *uw_drop_unroll(const char *text, const char *at);
/* A default argument that is the parameter itself, whose name is at `name`. */
char *uw_mark_own_default(const char *text, const char *name);
/* The variable declared at `name` gets its value by an assignment. */
char *uw_initialise_later(const char *text, const char *name);
/* A constant of type long double, by a literal of its own or of C++, is a double for the device. */
char *uw_use_double(const char *text, const char *at);
char *uw_use_double_literal(const char *text, const char *at);
/* The template function whose name is at `name`, defined by its namespace's name and declared there with other parameters:
 * within that namespace, one more. */
char *uw_define_within(const char *text, const char *name);
/* The word at `word` stands before `extern "C"`: after it. */
char *uw_linkage_first(const char *text, const char *word);
/* The size of a kernel's sub-groups, of which the attribute's name is at `name`, stands before a member function. */
char *uw_sub_groups_of_member(const char *text, const char *name);
/* That size begins with no word and no number, to which a macro could be pasted: the same with a number in front. */
char *uw_sub_groups_by_number(const char *text, const char *name);
/* The member template whose name is at `name`, defined with its own parameters as arguments: without them. */
char *uw_drop_own_arguments(const char *text, const char *name);
/* The explicit instantiation of a kernel, whose `__global__` is at `at`, as a pointer to it that nobody uses. */
char *uw_instantiate_kernel(const char *text, const char *at);

#endif
