/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The command lines for clang. Each is: the tool, what CUDA needs, our defaults, the user's options in his order
 * (so that they win), the side's own, the file. */
#include "clang_commands.h"

#include "cccl.h"
#include "other_toolkit.h"
#include "own_builtins.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* No SDK: the headers are ours, the version is that of the API they follow. Both sides name the architecture, so that
 * __CUDA_ARCH_LIST__ is the same, and neither invents names from the command line (cuid). */
static const char *const cuda_needs[] = {
    "-x",
    "cuda",
    "--cuda-path=/nonexistent",
    "-nocudainc",
    "-nocudalib",
    "-Xclang",
    "-target-sdk-version=12.4",
    "--cuda-gpu-arch=sm_80",
    "--cuda-feature=+ptx83",
    "-fuse-cuid=none",
};

/* Where clang is stricter than nvcc, or warns of what CUDA programs do all the time. A missing return must not turn
 * into undefined behaviour either. The user's own -W come later and win. */
static const char *const cuda_leniency[] = {
    "-fno-strict-return",
    "-Wno-register",
    "-Wno-return-type",
    "-Wno-c++11-narrowing",
    "-Wno-unknown-cuda-version",
    "-Wno-unknown-pragmas",
    "-Wno-non-pod-varargs",
    "-Wno-enum-constexpr-conversion",
    "-Wno-address-of-temporary",
    "-Wno-writable-strings",
    "-Wno-deprecated",
    "-Wno-deprecated-declarations",
    "-Wno-vla-cxx-extension",
    "-Wno-pass-failed",
    "-Wno-unused-value",
    "-Wno-format",
    "-Wno-invalid-source-encoding",
    "-Wno-unqualified-std-cast-call",
    "-Wno-reserved-user-defined-literal",
    "-Wno-atomic-alignment",
    "-Wno-duplicate-decl-specifier",
    "-Wno-error=ignored-attributes", /* one of them is left out: diagnostics.c */
};

/* Quiet about options that one of the two sides has no use for, and no files beside the output, which a crash or a full
 * disk would leave behind. Of clang's DWARF 5 Debian 12's valgrind reads nothing, and it then shows no lines: 4 it
 * reads, and so do all debuggers; -gdwarf-5 wins. */
static const char *const always[] = {"-Qunused-arguments", "-Wno-error=unknown-warning-option",
                                     "-fno-crash-diagnostics", "-fno-temp-file", "-fdebug-default-version=4"};

#define ADD_ARRAY(list, array) add_array(list, array, sizeof array / sizeof array[0])
static void add_array(uw_strings *list, const char *const *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    uw_strings_add(list, items[i]);
}

/* clang writes to a file and does not see the terminal that will show its messages. */
static void add_terminal(uw_strings *command, const uw_options *options) {
  struct winsize size;
  if (!isatty(2))
    return;
  if (!options->color_given)
    uw_strings_add(command, "-fcolor-diagnostics");
  if (ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col)
    uw_strings_add(command, uw_format("-fmessage-length=%d", (int)size.ws_col));
}

static bool is_c(const uw_input *input) {
  const char *dot = strrchr(input->text, '.');
  return input->language ? strcmp(input->language, "c") == 0
                         : dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0);
}

/* The headers of CUDA sources want C++11; what is right in C++98 is right there, narrowing apart, which is let
 * through. */
static const char *standard_for_cuda(const char *standard) {
  bool oldest = strstr(standard, "98") || strstr(standard, "03");
  return !oldest ? standard : uw_after_prefix(standard, "gnu") ? "gnu++11" : "c++11";
}

static void add_standard(uw_strings *command, const uw_command_context *context) {
  const char *standard = context->options->standard;
  bool for_cxx = standard && strstr(standard, "++");
  if (context->input->kind == UW_INPUT_HOST && is_c(context->input)) {
    if (standard && !for_cxx)
      uw_strings_add(command, uw_format("-std=%s", standard));
    return;
  }
  if (!for_cxx)
    standard = "gnu++17";
  else if (context->input->kind == UW_INPUT_CUDA)
    standard = standard_for_cuda(standard);
  uw_strings_add(command, uw_format("-std=%s", standard));
}

static void add_dependencies(uw_strings *command, const uw_command_context *context) {
  const uw_options *o = context->options;
  if (!context->dependency_file && o->stage != UW_STAGE_DEPENDENCIES)
    return;
  uw_strings_add(command, o->dependencies);
  if (context->dependency_file)
    uw_strings_add_many(command, "-MF", context->dependency_file, NULL);
  if (o->dependency_targets.count)
    uw_strings_add_all(command, &o->dependency_targets);
  else if (context->dependency_target)
    uw_strings_add_many(command, "-MQ", context->dependency_target, NULL);
  if (o->dependency_phony)
    uw_strings_add(command, "-MP");
}

static void add_user_host_options(uw_strings *command, const uw_options *o, const uw_strings *both,
                                  const uw_strings *host) {
  /* Without -O nvcc leaves host code unoptimised, and programs count on what it then does with overflow, puns and `if
   * (this)`. */
  if (!o->opt_given)
    uw_strings_add_many(command, "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks", NULL);
  uw_strings_add_all(command, both);
  uw_strings_add_all(command, host);
  if (o->pic_flag)
    uw_strings_add(command, o->pic_flag);
  uw_strings_add(command, uw_format("-O%d", o->opt_level));
}

/* Commands that are only shown are to work later, when our temporary files are gone. */
static void hide_other_toolkit(uw_strings *command, const uw_command_context *context) {
  const char *overlay = context->options->dry_run ? NULL : uw_hide_other_toolkit();
  if (overlay)
    uw_strings_add_many(command, "-ivfsoverlay", overlay, NULL);
}

static void add_cccl_folder(uw_strings *command, const uw_command_context *context) {
  const char *folder = uw_cccl_folder(context->toolchain);
  if (folder)
    uw_strings_add_many(command, "-idirafter", folder, NULL);
}

/* What both sides have in common up to the user's options. What stands first is given as text, precompiled, or not at
 * all. */
static uw_strings start_cuda(const uw_command_context *context, const char *option, const char *first) {
  uw_strings command = {0};
  const char *include = context->toolchain->include_folder;
  uw_strings_add(&command, context->toolchain->clangxx);
  ADD_ARRAY(&command, cuda_needs);
  uw_strings_add_many(&command, "-isystem", include, option, first, NULL);
  ADD_ARRAY(&command, always);
  uw_strings_add(&command, "-ferror-limit=0");
  ADD_ARRAY(&command, cuda_leniency);
  add_terminal(&command, context->options);
  add_standard(&command, context);
  add_cccl_folder(&command, context);
  const char *cccl_overlay = uw_cccl_overlay(context->toolchain);
  if (cccl_overlay)
    uw_strings_add_many(&command, "-ivfsoverlay", cccl_overlay, NULL);
  hide_other_toolkit(&command, context);
  if (context->look.overlay)
    uw_strings_add_many(&command, "-ivfsoverlay", context->look.overlay, NULL);
  if (context->look.old_references)
    uw_strings_add(&command, "-DUNWARP_OLD_REFERENCES");
  uw_rename_own_builtins(&command, &context->own_builtins);
  if (context->relocatable)
    uw_strings_add_many(&command, "--no-offload-new-driver", "-Xclang", "-fgpu-rdc", NULL);
  /* Source locations for our own messages, without the rest of -g: clang keeps them when remarks might want them. */
  if (!context->options->debug)
    uw_strings_add(&command, "-Rpass=^$");
  return command;
}

/* clang for a GPU lays long double out as double, and structures with it otherwise than the host does. Told to do as
 * the host does, it refuses to compute with it (diagnostics.c). */
#if __LDBL_MANT_DIG__ == 64
static const char host_long_double[] = "-mlong-double-80";
#elif __LDBL_MANT_DIG__ == 113
static const char host_long_double[] = "-mlong-double-128";
#else
static const char host_long_double[] = "-mlong-double-64";
#endif

/* Its programs have no host side whose layout there is to keep: long double is double. */
static bool is_of_nvrtc(const uw_strings *options) {
  for (size_t i = 0; i < options->count; i++)
    if (uw_after_prefix(options->items[i], "-D__CUDACC_RTC__"))
      return true;
  return false;
}

static void add_device_options(uw_strings *command, const uw_options *o, const uw_strings *both) {
  uw_strings_add_all(command, both);
  uw_strings_add_many(command, "--cuda-device-only", "-O3", NULL);
  uw_strings_add_many(command, "-Xclang", is_of_nvrtc(both) ? "-mlong-double-64" : host_long_double, NULL);
  if (o->flush_denormals)
    uw_strings_add_many(command, "-fgpu-flush-denormals-to-zero", "-D__UW_FLUSHES_DENORMALS", NULL);
  if (o->fast_math)
    uw_strings_add(command, "-fgpu-approx-transcendentals");
  if (o->no_fused_multiply_add)
    uw_strings_add(command, "-ffp-contract=off");
  uw_strings_add(command, "-fno-strict-aliasing"); /* device code puns through pointers freely, and nvcc lets it */
  if (o->debug)                                    /* for a GPU clang would keep less of it */
    uw_strings_add_many(command, "-Xclang", "-debug-info-kind=constructor", NULL);
  else if (o->fault_info)
    uw_strings_add_many(command, "-Xclang", "-debug-info-kind=line-tables-only", NULL);
}

static void add_cuda_host_options(uw_strings *command, const uw_options *o, const uw_strings *both,
                                  const uw_strings *host) {
  if (o->checks && !o->debug)
    uw_strings_add(command, "-gline-tables-only"); /* for where memory was allocated */
#ifdef __x86_64__
  uw_strings_add(command, "-mcx16"); /* 16-byte atomics; the device side takes the host's features over */
#endif
  add_user_host_options(command, o, both, host);
  uw_strings_add(command, "--cuda-host-only");
}

uw_strings uw_cuda_command(const uw_command_context *context, uw_side side, const char *output) {
  const char *precompiled = context->precompiled[side];
  uw_strings command =
      start_cuda(context, precompiled ? "-include-pch" : "-include", precompiled ? precompiled : "unwarp_cuda.h");
  const uw_options *o = context->options;
  if (side == UW_SIDE_DEVICE) {
    add_device_options(&command, o, &o->both);
  } else {
    add_cuda_host_options(&command, o, &o->both, &o->host);
    uw_strings_add_many(&command, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", context->gpu_binary, NULL);
    add_dependencies(&command, context);
  }
  if (context->own_look[side].overlay) /* the last one counts */
    uw_strings_add_many(&command, "-ivfsoverlay", context->own_look[side].overlay, NULL);
  if (output)
    uw_strings_add_many(&command, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o", output, NULL);
  else
    uw_strings_add(&command, "-fsyntax-only");
  uw_strings_add(&command, context->input->text);
  return command;
}

/* What both sides of a SYCL source have in common up to the user's options. The device side is C++ for this CPU too:
 * what clang emits of it is the kernels and what they call. */
static uw_strings start_sycl(const uw_command_context *context) {
  uw_strings command = {0};
  uw_strings_add_many(&command, context->toolchain->clangxx, "-x", "c++", "-isystem",
                      context->toolchain->include_folder, NULL);
  ADD_ARRAY(&command, always);
  uw_strings_add(&command, "-ferror-limit=0");
  add_standard(&command, context);
  if (!context->options->debug)
    uw_strings_add(&command, "-Rpass=^$"); /* as for CUDA: source locations */
  if (context->look.overlay)
    uw_strings_add_many(&command, "-ivfsoverlay", context->look.overlay, NULL);
  return command;
}

/* So that lambdas have the names that they have on the device side. A launch names its kernel by its type, whatever
 * else -fno-rtti is for. */
#define SYCL_HOST "-fsycl", "-fsycl-host-only", "-frtti"

static void add_sycl_host_options(uw_strings *command, const uw_options *o, const uw_strings *both,
                                  const uw_strings *host) {
#ifdef __x86_64__
  uw_strings_add(command, "-mcx16");
#endif
  uw_strings_add_all(command, both);
  uw_strings_add_all(command, host);
  if (o->pic_flag)
    uw_strings_add(command, o->pic_flag);
  uw_strings_add_many(command, uw_format("-O%d", o->opt_level), SYCL_HOST, NULL);
}

/* What DPC++ says of its CPU, too: many a program has bodies for __SPIR__ and for GPUs of other makers, and else none,
 * so that its function returns nothing (sycl/detail/spirv.hpp). */
#define SYCL_DEVICE_NAMES "-D__SPIR__=1", "-D__SPIR64__=1"

/* Each name of a constructor is a function of its own, as on a GPU's device side: an alias would keep the host's from
 * being dropped, and one of another file's name cannot be linked. */
#define NO_ALIASES "-Xclang", "-mno-constructor-aliases"

static void add_sycl_device_options(uw_strings *command, const uw_options *o, const uw_strings *both) {
  uw_strings_add_all(command, both);
  uw_strings_add_many(command, "-fsycl", "-fsycl-device-only", "-Xclang", "-triple", "-Xclang", "x86_64-pc-linux-gnu",
                      SYCL_DEVICE_NAMES, NO_ALIASES, "-O3", "-fno-strict-aliasing", "-fno-math-errno", "-frtti", "-w",
                      NULL);
  if (o->debug)
    uw_strings_add_many(command, "-Xclang", "-debug-info-kind=constructor", NULL);
  else if (o->fault_info)
    uw_strings_add_many(command, "-Xclang", "-debug-info-kind=line-tables-only", NULL);
}

uw_strings uw_sycl_command(const uw_command_context *context, uw_side side, const char *output) {
  const uw_options *o = context->options;
  uw_strings command = start_sycl(context);
  add_terminal(&command, o);
  if (side == UW_SIDE_DEVICE) {
    add_sycl_device_options(&command, o, &o->both);
  } else {
    add_sycl_host_options(&command, o, &o->both, &o->host);
    add_dependencies(&command, context);
  }
  if (context->precompiled[side])
    uw_strings_add_many(&command, "-include-pch", context->precompiled[side], NULL);
  if (output)
    uw_strings_add_many(&command, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o", output, NULL);
  else
    uw_strings_add(&command, "-fsyntax-only");
  uw_strings_add(&command, context->input->text);
  return command;
}

void uw_only_preprocess(uw_strings *command) { uw_strings_add_many(command, "-E", "-Xclang", "-Eonly", NULL); }

bool uw_is_neutral_option(const char *option) {
  bool passes_on =
      uw_after_prefix(option, "-Wp,") || uw_after_prefix(option, "-Wa,") || uw_after_prefix(option, "-Wl,");
  return strcmp(option, "-w") == 0 || strcmp(option, "-v") == 0 || (uw_after_prefix(option, "-W") && !passes_on);
}

bool uw_is_folder_option(const char *option) {
  return strcmp(option, "-I") == 0 || strcmp(option, "-isystem") == 0 || strcmp(option, "-iquote") == 0 ||
         strcmp(option, "-idirafter") == 0;
}

static uw_strings without_folders_and_neutral(const uw_strings *options) {
  uw_strings rest = {0};
  for (size_t i = 0; i < options->count; i++) {
    const char *text = options->items[i];
    if (uw_is_folder_option(text))
      i++;
    else if (!uw_is_neutral_option(text) && !uw_after_prefix(text, "-I"))
      uw_strings_add(&rest, text);
  }
  return rest;
}

uw_strings uw_header_command(const uw_command_context *context, uw_side side, const char *output) {
  const uw_options *o = context->options;
  bool sycl = context->input->kind == UW_INPUT_SYCL;
  uw_command_context own = *context;
  own.look.overlay = NULL; /* of the user's files, by a name that is another each time */
  context = &own;
  uw_strings command = sycl ? start_sycl(context) : start_cuda(context, NULL, NULL);
  uw_strings both = without_folders_and_neutral(&o->both), host = without_folders_and_neutral(&o->host);
  if (side == UW_SIDE_DEVICE)
    (sycl ? add_sycl_device_options : add_device_options)(&command, o, &both);
  else
    (sycl ? add_sycl_host_options : add_cuda_host_options)(&command, o, &both, &host);
  /* What templates that the header itself uses become is made once, too. For a GPU clang's driver goes on to ptxas
   * unless it is asked for IR. */
  uw_strings_add_many(
      &command, "-w", "-fpch-instantiate-templates", "-emit-llvm", "-Xclang", "-emit-pch", "-c", "-o", output,
      uw_format("%s/%s", context->toolchain->include_folder, sycl ? UW_SYCL_HEADER : UW_CUDA_HEADER), NULL);
  return command;
}

/* What old C leaves undeclared or converts: clang's errors, warnings of the gcc that nvcc hands C to (until its version
 * 14). */
static const char *const old_c[] = {"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
                                    "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
                                    "-Wno-error=return-mismatch"};

static uw_strings start_host(const uw_command_context *context) {
  uw_strings command = {0};
  uw_strings_add(&command, is_c(context->input) ? context->toolchain->clang : context->toolchain->clangxx);
  if (context->input->language)
    uw_strings_add_many(&command, "-x", context->input->language, NULL);
  uw_strings_add_many(&command, "-isystem", context->toolchain->include_folder, NULL);
  add_cccl_folder(&command, context);
  ADD_ARRAY(&command, always);
  uw_rename_own_builtins(&command, &context->own_builtins);
  if (is_c(context->input))
    ADD_ARRAY(&command, old_c);
  add_terminal(&command, context->options);
  add_standard(&command, context);
  hide_other_toolkit(&command, context);
  add_user_host_options(&command, context->options, &context->options->both, &context->options->host);
  if (context->options->checks && !context->options->debug)
    uw_strings_add(&command, "-gline-tables-only");
  return command;
}

uw_strings uw_host_command(const uw_command_context *context, const char *output) {
  uw_strings command = start_host(context);
  add_dependencies(&command, context);
  switch (context->options->emit) {
  case UW_EMIT_LLVM: uw_strings_add_many(&command, "-S", "-emit-llvm", NULL); break;
  case UW_EMIT_ASM: uw_strings_add(&command, "-S"); break;
  default: uw_strings_add(&command, output ? "-c" : "-fsyntax-only"); break;
  }
  if (output)
    uw_strings_add_many(&command, "-o", output, NULL);
  uw_strings_add(&command, context->input->text);
  return command;
}

uw_strings uw_preprocess_command(const uw_command_context *context, const char *output) {
  bool is_cuda = context->input->kind == UW_INPUT_CUDA, is_sycl = context->input->kind == UW_INPUT_SYCL;
  uw_strings command = is_cuda   ? start_cuda(context, "-include", "unwarp_cuda.h")
                       : is_sycl ? start_sycl(context)
                                 : start_host(context);
  if (is_cuda) {
    add_user_host_options(&command, context->options, &context->options->both, &context->options->host);
    uw_strings_add(&command, "--cuda-host-only");
  } else if (is_sycl) {
    uw_strings_add_all(&command, &context->options->both);
    uw_strings_add_all(&command, &context->options->host);
    uw_strings_add_many(&command, SYCL_HOST, NULL);
    add_terminal(&command, context->options);
  }
  add_dependencies(&command, context);
  if (context->options->stage == UW_STAGE_PREPROCESS)
    uw_strings_add(&command, "-E");
  if (output)
    uw_strings_add_many(&command, "-o", output, NULL);
  uw_strings_add(&command, context->input->text);
  return command;
}
