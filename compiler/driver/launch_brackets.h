/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nvcc takes white space inside the brackets of a launch, `kernel<< <grid, block>> >(...)`; clang does not. */
#ifndef UW_DRIVER_LAUNCH_BRACKETS_H
#define UW_DRIVER_LAUNCH_BRACKETS_H

#include "../support/strings.h"

/* Looks for such launches in a source and in what it includes by quotes, in its own folder or in one of `folders`.
 * Where there are some, `*overlay` becomes the path of a file for clang's -ivfsoverlay that shows those files with the
 * brackets closed up, under their own names; else it is null. False after a message. */
bool uw_find_launch_brackets(const char *source, const uw_strings *folders, const char **overlay);

/* Closes the brackets up in place; the white space moves behind them, so that lines and columns stay. Gives how many
 * launches were changed. */
size_t uw_close_launch_brackets(char *text);

#endif
