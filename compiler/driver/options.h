/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the command line asked for. options.c fills it from options.def; everything else in the driver only reads it. */
#ifndef UW_DRIVER_OPTIONS_H
#define UW_DRIVER_OPTIONS_H

#include "unit.h"

#define UW_CUDA_VERSION "12.4.131" /* the version of CUDA's whose place is taken, if --cuda-version says no other */

/* How far each source goes. */
typedef enum {
  UW_STAGE_LINK,
  UW_STAGE_RESULT,       /* -c, -S, --emit: one result for each source, in the form `emit` */
  UW_STAGE_PREPROCESS,   /* -E */
  UW_STAGE_DEPENDENCIES, /* -M, -MM */
  UW_STAGE_CHECK,        /* -fsyntax-only */
} uw_end;

typedef enum {
  UW_ASK_NOTHING,
  UW_ASK_HELP,
  UW_ASK_PASSES,
  UW_ASK_PATH,
  UW_ASK_DOCTOR,
  UW_ASK_DOCTOR_JSON,
  UW_ASK_CACHE,
  UW_ASK_EMPTY_CACHE,
  UW_ASK_VERSION,
  UW_ASK_BARE_VERSION,
  UW_ASK_CODE,
  UW_ASK_ARCH,
  UW_ASK_CODE_AND_ARCH
} uw_command_question;

typedef enum {
  UW_INPUT_CUDA,
  UW_INPUT_SYCL,   /* C++ under -fsycl */
  UW_INPUT_DEVICE, /* device code alone: PTX, NVVM IR */
  UW_INPUT_HOST,   /* C, C++, assembly, LLVM IR: clang compiles it as it is */
  UW_INPUT_LINK,   /* an object, an archive, a shared library, or an option for the link: kept in the user's order */
} uw_input_kind;

typedef struct uw_input {
  uw_input_kind kind;
  const char *text;           /* a path, - for standard input, or the option */
  const char *standard_input; /* the file that what came from there is in; else null */
  const char *language;       /* for clang's -x; null: by the suffix */
  bool is_option;
} uw_input;

typedef struct uw_options {
  uw_command_question question;
  const char *cuda_version; /* whose place is taken: "12.4.131" */
  uw_end stage;
  uw_emit emit;
  bool emit_to_stdout; /* --emit=TEXTFORM without -o */
  const char *output, *output_folder;

  uw_input *inputs;
  size_t input_count;

  /* For clang, in the user's order. Both sides get `both`; `host` is for the host side and for plain host code. */
  uw_strings both, host;
  const char *standard; /* -std=, null: the default */
  int opt_level;
  bool opt_given; /* opt_level is the user's */
  bool debug, pic, shared;
  bool device_debug;        /* -G */
  bool sycl;                /* -fsycl: C++ sources may hold SYCL kernels; the link brings SYCL's part of the runtime */
  bool any_order;           /* of lanes of a warp, where no barrier is written */
  bool atomics_in_order;    /* of floating-point values: not in parts */
  int checks;               /* -fcheck: UWRT_CHECK_* of runtime/uwrt.h */
  bool fault_info;          /* kernels carry what names the thread and the line when one faults */
  bool relocatable;         /* -rdc=true, -dc: device code may use and be used by other files */
  bool device_link;         /* -dlink */
  bool archive;             /* --lib */
  bool partial_link;        /* -r */
  bool as_cpp;              /* --cuda: the result is C++ that holds the object as assembly */
  bool joins;               /* PTX and NVVM IR become one module */
  const char *module;       /* -cubin and its like: the result's suffix; null: no module */
  bool default_device;      /* clang sees the device side alone */
  const char *module_names; /* where the names that the source asks for go (frontend/device_only.c) */
  const char *pic_flag;     /* "-fPIC" and the like, as given */
  bool fast_math, flush_denormals, no_fused_multiply_add, fast_division, fast_root;
  bool no_warnings, color_given;
  uw_strings architectures;  /* -arch, -gencode arch=: the numbers after sm_ and compute_ */
  const char *architecture;  /* -arch, the last one; or null */
  uw_strings codes;          /* -code */
  uw_strings generated;      /* -gencode: arch and code in turn */
  bool any_gpu;              /* -Wno-deprecated-gpu-targets */
  bool cuda_version_given;   /* --cuda-version, not by NVCC_PREPEND_FLAGS */
  const char *cuda_runtime;  /* -cudart: none, shared, static; null: static */
  const char *host_compiler; /* -ccbin */
  bool sanitized;
  const char *coverage; /* -fsanitize-coverage: its words with commas; or null */
  const char *archiver; /* -arbin, null: ar */
  uw_strings archiver_options;
  const char *linker;            /* -fuse-ld=, null: ours to choose */
  uw_strings left_out_libraries; /* -lcublas and the like, which libunwarp stands for */

  const char *dependencies;      /* "-M", "-MM": the stage; "-MD", "-MMD": beside the compile */
  const char *dependency_file;   /* -MF */
  uw_strings dependency_targets; /* -MT, -MQ with their values */
  bool dependency_phony;

  bool run;
  const char *program; /* of --run, where the only input is one; else null */
  uw_strings run_arguments;
  bool clean, keep, verbose, dry_run;
  const char *keep_folder, *time_file;

  uw_strings skip, print_after;
  bool print_after_all, time_passes, pass_statistics, through_ptx, keeps_all;
  const char *bisect; /* a number, or null */
  uint32_t levels;    /* of x86-64 for kernels, bit n for level n; 0: for what host code is for */
  bool march_given;
  const char *remarks;    /* text, json, or null */
  bool sarif, sarif_file; /* -fdiagnostics-format: messages as SARIF, in a file */
} uw_options;

/* Reads the command line. False after messages on stderr. */
bool uw_options_parse(uw_options *options, int argument_count, char **arguments);

/* The known spelling next to `text`, or null when none is close. */
const char *uw_nearest_option(const char *text);
const char *uw_nearest(const char *text, const char *const *candidates, size_t count);
const char *uw_nearest_by_words(const char *text, const char *const *candidates, size_t count);
/* Is one a slip of the pen for the other: nearer than that, one letter or, of long words, two? */
bool uw_is_slip(const char *text, const char *meant);

/* Adds the arguments in a file of options, or in a text (null: none); response.c. False after messages on stderr. */
bool uw_read_option_file(uw_strings *arguments, const char *path);
void uw_add_option_text(uw_strings *arguments, const char *text);

#endif
