/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The command lines for clang: which options go to which side, and what is added so that clang takes CUDA without a
 * CUDA SDK and is as lenient as nvcc. */
#ifndef UW_DRIVER_CLANG_COMMANDS_H
#define UW_DRIVER_CLANG_COMMANDS_H

#include "options.h"
#include "source_look.h"
#include "toolchain.h"

typedef enum { UW_SIDE_HOST, UW_SIDE_DEVICE } uw_side;

typedef struct uw_command_context {
  const uw_options *options;
  const uw_toolchain *toolchain;
  const uw_input *input;
  uw_source_look look;
  bool relocatable; /* clang's form of relocatable device code: for -rdc=true, and where kernels launch kernels */
  uw_strings own_builtins;    /* of the program, with the name of one of clang's: own_builtins.h */
  uw_source_look own_look[2]; /* of a side in which templates have no body; else without an overlay */
  const char *gpu_binary;     /* a small file that stands for the GPU code which the host side expects */
  const char *dependency_file, *dependency_target; /* for -MD and -M */
  const char
      *precompiled[2]; /* what stands first in every source, or in this one, for each side (precompiled.c); or null */
  bool host_alone; /* nothing in a SYCL source suggests a kernel: the device side is read where the host's shows one */
  bool needs_device; /* it does */
  bool lacks_header; /* clang stops at a header that is missing: then reading the source up to it is for the message */
} uw_command_context;

/* One side of a CUDA source, to bitcode before any pass; with output null, only checked. */
uw_strings uw_cuda_command(const uw_command_context *context, uw_side side, const char *output);
/* One side of a SYCL source, likewise. */
uw_strings uw_sycl_command(const uw_command_context *context, uw_side side, const char *output);
/* What is precompiled, in the folder for headers; and how, with the options that change it. */
#define UW_CUDA_HEADER "unwarp/precompiled.h"
#define UW_SYCL_HEADER "sycl/precompiled.hpp"
uw_strings uw_header_command(const uw_command_context *context, uw_side side, const char *output);
/* Makes a side's command end after the preprocessor, without a result. */
void uw_only_preprocess(uw_strings *command);
/* Options that no header is changed by: -W…, -w, -v; and those whose next argument is a folder for headers. */
bool uw_is_neutral_option(const char *option);
bool uw_is_folder_option(const char *option);
/* Plain C or C++, to `output` in the form that the options ask for; with output null, only checked. */
uw_strings uw_host_command(const uw_command_context *context, const char *output);
/* -E and -M: what the host side sees; null is stdout. */
uw_strings uw_preprocess_command(const uw_command_context *context, const char *output);

#endif
