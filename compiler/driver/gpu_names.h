/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The GPU architectures that options name (-arch, -code, -gencode), of which each version of CUDA has its own. They
 * change nothing on a CPU: what nvcc refuses is refused, so that a command line that works here works there. */
#ifndef UW_DRIVER_GPU_NAMES_H
#define UW_DRIVER_GPU_NAMES_H

#include "options.h"

/* Each is false after a message that names the option. */
bool uw_value_architecture(const char *option, const char *text); /* one, or several with commas between */
bool uw_value_generate_code(const char *option, const char *text, const char **arch, const char **code);

/* Whether what -arch, -code and -gencode say goes together, and is of the CUDA version said. False after a message. */
bool uw_gpu_names_agree(const uw_options *options);

/* Prints those of a version, each twice by `format`. */
void uw_print_gpu_names(const char *format, const char *cuda_version);

#endif
