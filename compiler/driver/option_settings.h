/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Options that set more than one field, or one by a rule of their own. Each is false after a message that names the
 * option. */
#ifndef UW_DRIVER_OPTION_SETTINGS_H
#define UW_DRIVER_OPTION_SETTINGS_H

#include "options.h"

bool uw_set_architecture(uw_options *options, const char *option, const char *value);
/* Of -arch, -code and -gencode: whether they go together, uw_gpu_names_agree says. */
bool uw_set_nvcc_architecture(uw_options *options, const char *option, const char *value);
bool uw_set_code(uw_options *options, const char *option, const char *value);
bool uw_add_generated(uw_options *options, const char *option, const char *value);
bool uw_set_default_stream(uw_options *options, const char *option, const char *value);
bool uw_set_relocatable(uw_options *options);
bool uw_ask_for_list(uw_options *options, uw_command_question question, uw_command_question other);
bool uw_set_march(uw_options *options, const char *option, const char *value);
bool uw_ask_for_remarks(uw_options *options, const char *option, const char *value); /* value: null for text */
bool uw_set_diagnostics_format(uw_options *options, const char *option, const char *value);
bool uw_set_cpuify(uw_options *options, const char *option, const char *value);

#endif
