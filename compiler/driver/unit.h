/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The one door between the driver and the compiler core: what the driver knows about one CUDA source file once clang
 * has read it twice, and the call that turns it into a result. Nothing here knows of options, processes or links. */
#ifndef UW_DRIVER_UNIT_H
#define UW_DRIVER_UNIT_H

#include "../support/strings.h"

#include <stdbool.h>
#include <stdint.h>

/* The forms a compile can end in. The text forms show the unit at these points of its way:
 * device code as PTX, as bitcode of NVVM IR (a file, no text), and as it was imported from clang (NVVM), after all
 * passes (MLIR), what goes to code generation (LLVM, ASM). */
typedef enum {
  UW_EMIT_OBJECT,
  UW_EMIT_ASM,
  UW_EMIT_LLVM,
  UW_EMIT_MLIR,
  UW_EMIT_NVVM,
  UW_EMIT_PTX,
  UW_EMIT_LTOIR
} uw_emit;

typedef struct uw_unit {
  const char *source;         /* the user's file as he wrote it: for messages, never opened for its contents */
  const char *standard_input; /* the file with its text, where that is the source; else null */
  const char *host_bitcode;   /* path of the host module, passes not yet run; null: device code alone, PTX or NVVM IR */
  const char
      *device_bitcode;     /* path of the device module (CUDA: nvptx64, SYCL: the host's triple), passes not yet run */
  uw_strings device_files; /* of device code alone: paths of the modules, which become one */
  const char *libdevice;   /* path of libdevice.bc */
  const char *output;      /* a path that may be written freely (the driver renames it in place on success);
                              "-" is standard output, for the text forms only */
  const char *target;      /* the same for messages: as the user wrote it */
  uw_emit emit;

  bool sycl;        /* C++ with SYCL kernels, not CUDA */
  bool through_ptx; /* device code goes through PTX text and back, for tests */
  bool keeps_all;   /* at barriers: -cpuify=distribute */
  bool atomics_in_order;
  int opt_level;        /* 0 to 3 */
  bool levels_given;    /* the user's choice: all of them are built, however much code there is */
  uint32_t levels;      /* of x86-64 that kernels are built for, bit n for level n; 0: for what host code is for */
  bool debug;           /* -g */
  bool device_debug;    /* -G: where nothing is optimised, kernels keep their variables in memory */
  bool fault_info;      /* a kernel that faults says at which thread and line */
  const char *coverage; /* -fsanitize-coverage: its words; or null */
  int checks;           /* -fcheck: classes, UWRT_CHECK_* of runtime/uwrt.h */
  bool relocatable;     /* -rdc=true: device functions and variables are shared with other files */
  const char *cpu;      /* of device code alone: as -march names it, or null */
  const char *gpu;      /* that PTX is written for, sm_80 and the like */
  bool flush_denormals, no_fused_multiply_add, fast_division,
      fast_root;              /* of device code alone, as -ftz and its like say */
  bool device_only;           /* a module for run time: nothing of the host code (frontend/device_only.c) */
  const char *names;          /* then: where the names that the source asks for go */
  bool have_mvec, have_sleef; /* the libraries of vector math that the program may call */
  bool pic;                   /* code for a shared object or a position-independent program */

  size_t only_kernel; /* counted from 1: the others do nothing, for messages on this one; 0: all are compiled */

  uw_strings skip;        /* --skip=PASS: names of optional passes to leave out, each checked against the table */
  uw_strings print_after; /* --print-after=PASS: print the module to stderr after these */
  bool print_after_all;
  bool time_passes, pass_statistics; /* a table on stderr */
  const char *bisect;                /* --bisect: a number; null: all optional passes run */
  const char *remarks;               /* --remarks: text or json; null: none */
  const char *headers;               /* the folder of our own */
  bool no_warnings;                  /* -w */
} uw_unit;

/* Compiles one unit. Returns 0, or 1 after messages went to stderr. The driver calls it in a process of its own for
 * each unit: it may abort (uw_assert), and leaks die with the process. */
enum { UW_NO_SUCH_KERNEL = 3 }; /* the status where only_kernel is larger than there are kernels */
int uw_compile_unit(const uw_unit *unit);

/* Whether a file is device code alone: PTX by its name, LLVM's IR or bitcode by its target. */
bool uw_is_device_code(const char *path);

/* SYCL: writes the device module of a host module that launches nothing and shares nothing with kernels; else false. */
bool uw_make_empty_device(const char *host_bitcode, const char *device_bitcode);

#endif
