/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From the two modules that clang made of one CUDA file to what the rest of the compiler works on.
 *
 *   frontends.c   the table of the ways in: CUDA, device code alone, SYCL
 *   load.c        reads host, device and libdevice bitcode
 *   arithmetic.c  gives shifts past the width and divisions by zero the meaning that they have in PTX
 *   registry.c    which host function stands for which kernel, which host variable for which device variable
 *   device_only.c leaves host code out of modules that a program loads
 *   device.c      makes the device module code for this CPU: inlines, cleans up; refuses what is missing
 *   unset_constants.c   variables of constant memory that nobody sets are constants
 *   device_loops.c, private_arrays.c   loops over private arrays are unrolled, so that the arrays become registers
 *   processor.c      gives device code the processor that the host code is for
 *   nested.c      kernels that launch kernels
 *   ptx/          makes functions of inline PTX, and device modules of PTX
 *   alone.c       device code without its host side
 *   join.c        several modules of it become one
 *   sycl/         what is different where the source is SYCL
 *   launches.c    takes the host functions that launch kernels along
 *   collect.c     which device functions reach a barrier or a warp operation, and on which path
 *   source_place.c       file:line: of an instruction, for messages
 */
#ifndef UW_FRONTEND_H
#define UW_FRONTEND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../ir/ir.h"
#include "../ir/known_calls.h"
#include "../ir/runner.h"
#include "llvm-c/Core.h"

/* What llvm-c says with more words. */
static inline const char *uw_llvm_name(LLVMValueRef value) {
  size_t length;
  return LLVMGetValueName2(value, &length);
}
static inline void uw_llvm_rename(LLVMValueRef value, const char *name) {
  LLVMSetValueName2(value, name, strlen(name));
}
static inline bool uw_llvm_is_local(LLVMValueRef global) {
  return LLVMGetLinkage(global) == LLVMInternalLinkage || LLVMGetLinkage(global) == LLVMPrivateLinkage;
}

typedef struct uw_kernel {
  LLVMValueRef stub;    /* the host function that a launch names */
  const char *name;     /* the device function, as mangled */
  const char *shown;    /* what people call it; null: the name as C++ writes it */
  const char *entry;    /* the symbol of its out-of-line entry */
  const char *replay;   /* that of the one whose threads are noted; null: there is none */
  uint32_t max_threads; /* from __launch_bounds__; 0: none */
  uint32_t cluster[3];  /* in blocks, from __cluster_dims__ and .reqnctapercluster; cluster[0] is 0: any */
  uint32_t shape[3];    /* the block's, from .reqntid and __block_size__; shape[0] is 0: any */
  uint32_t flags;       /* UWRT_KERNEL_* */
  uint32_t param_count;
  uint32_t *param_sizes;        /* bytes */
  uint32_t *param_offsets;      /* in the buffer of a launch by another kernel */
  bool *param_by_value;         /* passed in memory: the device function takes a pointer to it */
  uint64_t object_bytes;        /* SYCL: of the object that holds the parameters */
  LLVMLinkage linkage;          /* of the device function, before it became ours */
  uint64_t static_shared_bytes; /* filled in by raise/ */
  bool launched_in_place;       /* wherever this file names it; filled in by uw_note_in_place */
} uw_kernel;

typedef struct uw_variable {
  LLVMValueRef shadow; /* the host's global */
  const char *name;    /* its name on both sides */
  const char *device;  /* the symbol of the device's global in the lowered module */
  uint64_t bytes;
  uint32_t flags;    /* UWRT_VARIABLE_* */
  bool is_reference; /* texture<…>, surface<…>: the device uses the host's object */
  bool is_weak;      /* inline or a template: every file that uses it has it, and it is one for all */
} uw_variable;

/* A symbol whose linkage differs between uw_copy_launchers and uw_merge. */
typedef struct uw_hidden {
  struct uw_hidden *next;
  const char *name, *original;
  LLVMLinkage linkage;
  bool comdat;
} uw_hidden;

/* What its name starts with, before a number and a dot. */
#define UW_HIDDEN_HOST "__unwarp_host_"

/* What the symbol of a device function that other files may call ends with, after its mangled name, so that linkers
 * show it demangled. Variables are known by the name of their host shadow. */
#define UW_DEVICE_SYMBOL ".unwarp_device_function"
static inline bool uw_is_device_symbol(const char *name, size_t length) {
  const size_t end = sizeof UW_DEVICE_SYMBOL - 1;
  return length > end && memcmp(name + length - end, UW_DEVICE_SYMBOL, end) == 0;
}

/* What the symbol of a variable starts with that only device code of one file knows: the runtime needs to know it where
 * there are several devices, each with values of its own. */
#define UW_HIDDEN_VARIABLE "__unwarp_hidden_variable_"

/* The section of a managed variable: how host_defines.h spells __managed__, and what PTX's .attribute(.managed)
 * becomes. */
#define UW_MANAGED_SECTION "unwarp_managed"

/* The record of a kernel that launches name (uwrt_kernel); its device name follows. */
#define UW_KERNEL_RECORD "__unwarp_kernel_"

/* What __cluster_dims__ leaves at a kernel, an annotation with its numbers as arguments (host_defines.h), and the
 * attribute of a function that this and PTX's .reqnctapercluster become: "x,y,z". */
#define UW_CLUSTER_DIMS "nvvm.cluster_dim"
#define UW_CLUSTER_ANNOTATION "unwarp_cluster_dims"

/* The shared variable from whose address libdevice/ptx completes shared addresses that a program keeps in 32 bits. */
#define UW_SHARED_WINDOW "__unwarp_shared_window"
/* The one by which it finds the shared memory of other blocks of a cluster: the runtime's part of a window
 * (runtime/cluster.c), where that begins. */
#define UW_CLUSTER_WINDOW "__unwarp_cluster_window"

typedef struct uw_known_name {
  struct uw_known_name *next;
  const char *name;
} uw_known_name;

/* Which of the device's functions keep what debug information there is. */
typedef enum {
  UW_LINES_NONE,
  UW_LINES_OF_FAULTS, /* replays, and functions that stayed calls, which replays call */
  UW_LINES_ALL,
} uw_lines;

/* A variable that debuggers show: see debug_variables.c. */
typedef struct uw_shown_variable {
  const char *name;
  LLVMMetadataRef type;
  unsigned line, argument; /* argument: from 1; 0 for others */
} uw_shown_variable;

/* A level of x86-64 (psABI, "Micro-Architecture Levels") that kernels are built for, beside the one that host code is
 * for. */
typedef struct uw_level {
  int number;         /* 1, 3, 4 */
  const char *suffix; /* of its functions' names */
  const char *cpu, *features;
} uw_level;

enum { UW_HIGHEST_LEVEL = 4 };
const uw_level *uw_level_of_number(int number);

/* Bitcode of our own: see needed.c. */
typedef enum { UW_LIBDEVICE, UW_LIBPTX, UW_LIBRARIES } uw_library;

typedef struct uw_frontend uw_frontend;

/* What the command line asks for: written by the driver before anything else, and by nobody after it, but for replays,
 * which AddressSanitizer does without. */
typedef struct uw_compile_options {
  uw_run_options run;    /* of the stages */
  const char *libdevice; /* path of libdevice.bc; libptx.bc is beside it */
  const char *headers;   /* the folder of our own, or null */
  bool no_warnings;
  bool pic;              /* code for a shared object or a position-independent program */
  bool through_ptx;      /* device code goes through PTX text and back, for tests */
  bool atomics_in_order; /* of floating-point values */
  bool keeps_all;        /* values that cross a barrier, not a smallest set of them: see analysis/mincut.h */
  bool relocatable;      /* device functions and variables are shared with other files */
  bool is_whole;         /* no other file, and no program that loads it, sees its variables */
  bool optimises;
  bool keeps_variables; /* in memory, for debuggers: see debug_variables.c */
  bool note_threads;    /* each thread leaves its index for the message of a fault: without optimisation only */
  bool replays;         /* an entry more for each kernel does: see raise/launch.c */
  int checks;           /* UWRT_CHECK_* classes: see instrument/check.c */
  uw_lines lines;
} uw_compile_options;

/* Variables that debuggers show: written by debug_variables.c, read where they get memory and where debuggers are
 * told. */
typedef struct uw_debug {
  uw_shown_variable *variables;
  size_t count, capacity;
  LLVMMetadataRef unit; /* clang's own, which their types may lead to */
} uw_debug;

/* Host functions that launch, which travel through MLIR with device code: written by launches.c, read until merge.c. */
typedef struct uw_launches {
  uw_known_name *came_along; /* with the launches, of the host's: uw_take_launchers_along */
  uw_table *launchers;       /* these functions -> 1 */
  uw_hidden *hidden;
  size_t hidden_count;
  bool values, arrays; /* set by launch-values and private-arrays, rows of prepare.def: these run for host code too */
} uw_launches;

/* What the object file tells the device link, or null: written by whoever finds it, read by merge.c. */
typedef struct uw_link {
  char *notes;    /* for the link of relocatable device code: see uw_note_for_link */
  char *warnings; /* for linkers that do not know these notes: see uw_warn_at_link */
} uw_link;

/* Levels of x86-64: written by driver/compile_unit.c. */
typedef struct uw_levels {
  const uw_level *now; /* that device code is made for just now; null: the host's */
  uint32_t built;      /* that kernels are built for, bit n for level n; 0: the host's alone */
  bool plain;          /* of kernels the lowest one has their replays alone, and entries that call these */
} uw_levels;

/* One compile, on its way through the stages. */
typedef struct uw_program {
  uw_arena *arena; /* the whole compile */
  uw_compile_options options;

  /* The modules, as far as each is there. */
  LLVMContextRef context;
  LLVMModuleRef host, device;
  LLVMModuleRef libraries[UW_LIBRARIES]; /* as far as they are open */
  struct uw_ptx_keys *ptx_keys;          /* see ptx/opcode.c */

  /* What the front end found. */
  const uw_frontend *frontend; /* of which the program came: see frontends.h */
  uw_kernel *kernels;
  size_t kernel_count;
  const char **captures; /* SYCL: where kernels load what they captured by reference */
  size_t capture_count, capture_room;
  uw_variable *variables;
  size_t variable_count;
  uw_known_name *common_variables; /* that only device code knows, but of several files */
  bool nested_launches;            /* clang's form of relocatable device code: see nested.c */
  bool flushes_denormals;          /* -ftz=true: see denormals.c */
  bool address_sanitizer;
  const char *coverage; /* -fsanitize-coverage, of host functions; or null */

  uw_debug debug;
  uw_launches launches;
  uw_link link;
  uw_levels levels;
} uw_program;

bool uw_is_level_apart(const uw_program *program, int number); /* built, and not the host's */
/* That whose entry of a kernel runs at a level apart: its own, or the best one below where only a stream capture or its
 * like calls it. */
int uw_level_of_entry(const uw_program *program, const uw_kernel *kernel, int number);

/* What the front ends' table is made of. False after messages on stderr. */
bool uw_load(uw_program *program, const char *host_path, const char *device_path);
/* clang's device module, beside a host module that is loaded; or beside one of ours, for that processor. */
bool uw_load_clang_device(uw_program *program, const char *device_path);
bool uw_load_clang_alone(uw_program *program, const char *device_path, const char *cpu);
/* Device code without its host side: .ptx, and NVVM IR. See alone.c. Then what stands in place of uw_read_registry. */
bool uw_load_alone(uw_program *program, const char *const *paths, size_t count, const char *cpu);
/* Makes LLVM's intrinsics of NVVM IR's, where these differ. False after a message that names the file. */
bool uw_settle_nvvm_intrinsics(LLVMModuleRef module, const char *path);
/* NVVM IR alone, as it is, linked together; null after messages. */
LLVMModuleRef uw_load_nvvm(uw_program *program, const char *const *paths, size_t count);
/* Takes the module into the program's device module: see join.c. */
bool uw_link_device(uw_program *program, LLVMModuleRef module, const char *path);
bool uw_register_alone(uw_program *program);
bool uw_is_device_module(const char *path); /* by the name, by what PTX begins with, or by the target that IR is for */
LLVMModuleRef uw_read_device(const char *path); /* as clang wrote it, in a context of its own */
LLVMModuleRef uw_read_bitcode(const uw_program *program, const char *path); /* laid out as code for this CPU */
bool uw_read_registry(uw_program *program); /* and takes clang's own registration code out of the host module */
/* The same where there is no host code: see names_alone.c. */
bool uw_answer_names_alone(uw_program *program, const char *names);
void uw_drop_asked_names(LLVMModuleRef device);
bool uw_register_clang_alone(uw_program *program);
void uw_leave_one_kernel(uw_program *program, size_t only);       /* from 1; the others do nothing */
bool uw_keep_device_code(uw_program *program, const char *names); /* see device_only.c; names: a path, or null */
extern const uw_stage uw_stage_prepare;                           /* prepare.def */
bool uw_prepare_device(uw_program *program);
void uw_read_parameters(uw_program *program); /* before inlining */
/* annotations.c: calls each for the functions that carry this annotation; arguments is a structure of constants, or
 * null. */
void uw_each_annotated(LLVMModuleRef module, const char *text,
                       void (*each)(void *context, LLVMValueRef function, LLVMValueRef arguments), void *context);
void uw_read_clusters(LLVMModuleRef module); /* __cluster_dims__ */
/* With -rdc=true: may other files call it? */
bool uw_is_shared_device_function(const uw_program *program, LLVMValueRef function);
void uw_keep_unused_loads(uw_program *program); /* for the checker: unused_loads.c */
bool uw_drop_unused_private_loads(uw_program *program);
void uw_drop_notes(LLVMModuleRef module); /* what headers and libdevice tell the checker, where there is none */

/* The device module's function of this name, if need be a declaration of the library's; null if there is none. And the
 * bodies of all that are declared by now, as the module's own. */
LLVMValueRef uw_library_function(uw_program *program, uw_library which, const char *name);
void uw_each_library_function(uw_program *program, uw_library which, void (*visit)(uw_program *, const char *name));
void uw_link_needed(uw_program *program, uw_library which);

/* A name that clang gave to a static kernel or variable in relocatable code, NAME__static__FILE, without that end. */
const char *uw_plain_name(uw_program *program, const char *name);
/* Makes launches by device code calls of the runtime, before anything else happens to the device module. */
void uw_take_nested_launches(uw_program *program);

/* Calls of these two for the variables of the program, for shared ones and for threadIdx and the like. */
void uw_describe_variables(uw_program *program);

/* Replaces the inline PTX of the device module by functions: see ptx/ptx.h. */
bool uw_expand_ptx(uw_program *program);
/* Puts a module of PTX into the device module, with what it calls of libdevice. The text ends with a zero after its
 * length. False after a message that names the file. */
bool uw_load_ptx(uw_program *program, const char *text, size_t length, const char *file);
extern const uw_stage uw_stage_recover; /* ptx/recover.def: what PTX has lost */
/* Both, into a module that has nothing yet, or declarations alone. */
bool uw_load_ptx_alone(uw_program *program, const char *text, size_t length, const char *file);
/* How device code is unrolled: see ptx/write.c. */
typedef struct uw_ptx_form {
  const char *gpu;                                       /* sm_80 and the like; null: that */
  bool flush_denormals, fuses, fast_division, fast_root; /* as libnvvm's -ftz, -fma, -prec-div=0, -prec-sqrt=0 */
} uw_ptx_form;
void uw_shape_device_code(LLVMModuleRef module, const uw_ptx_form *form); /* marks functions for what comes later */
/* Of device code as clang left it, which is changed. Null after a message with the line. */
LLVMMemoryBufferRef uw_write_ptx(uw_program *program, LLVMModuleRef module, const uw_ptx_form *form);
bool uw_ptx_localize_carry(uw_program *program);       /* after inlining; whether there is a carry flag */
void uw_ptx_clear_named_barriers(uw_program *program); /* after inlining */

/* Before LLVM's first pass over device code: see alignment.c. And for a variable whose host shadow alone is left. */
void uw_align_variables(LLVMModuleRef module);
void uw_align_private(LLVMModuleRef module); /* after functions are inlined */
void uw_align_variable(LLVMModuleRef module, LLVMValueRef global);
/* Sets, and takes back, that some variables of constant memory are constants: see unset_constants.c. */
void uw_take_as_constants(uw_program *program, bool set);
void uw_warn_of_constant_stores(uw_program *program);
/* After inlining: see private_arrays.c. */
void uw_registers_of_arrays(uw_program *program);
void uw_registers_of_host_arrays(uw_program *program, LLVMModuleRef part); /* where that ran */
/* Before LLVM's first pass over device code: see arithmetic.c. */
void uw_define_arithmetic(LLVMModuleRef module);
/* The same, for -ftz=true: see denormals.c. And after the clean-up: flushes of what is flushed go. */
void uw_flush_denormals(uw_program *program);
void uw_drop_double_flushes(uw_program *program);
LLVMValueRef uw_flushed_operand(LLVMValueRef value);                 /* x of flush(x), null for other values */
bool uw_is_flushed(uw_arena *arena, LLVMValueRef value, bool loads); /* loads: what memory holds counts as flushed */
/* After the clean-up of the device module: see memory_kinds.c and half.c. */
void uw_answer_memory_kinds(LLVMModuleRef module);
void uw_lower_half(uw_program *program);
/* Whether that depends on the CPU, as far as this device code goes. */
bool uw_uses_half(const uw_program *program);

/* The string attribute of the first host function that has it ("target-cpu"); null if none. */
const char *uw_host_attribute(uw_program *program, const char *name);
/* The same of device code, which may be made for another level. */
const char *uw_device_attribute(uw_program *program, const char *name);
/* Is it a host function that came along into the device module? */
bool uw_is_launcher(const uw_program *program, LLVMValueRef function);
/* Sets target-cpu, target-features and tune-cpu of every function of the module to those of device code, of launchers
 * to the host's. Null pointers fault there. */
void uw_retarget(uw_program *program, LLVMModuleRef module);

/* Marks what must be inlined (alwaysinline) because it reaches a barrier or a warp operation. False where that cannot
 * be done: recursion or an indirect call on the way. */
bool uw_inline_collectives(uw_program *program);

/* "file:line: " of an instruction, or the program's name. For what our own headers call, the outermost location is
 * where the kernel was left towards it. */
const char *uw_place_of(uw_program *program, LLVMValueRef instruction, bool outermost);
/* The innermost one that is neither in the system's headers nor in ours, if there is one. */
const char *uw_place_in_program(uw_program *program, LLVMValueRef instruction);
/* "FILE:LINE" of a function of the program's own; null for one of a header of ours or the system's. */
const char *uw_place_of_users_function(uw_program *program, LLVMValueRef function);
void uw_print_place(uw_program *program, LLVMValueRef instruction, bool outermost); /* on stderr */

/* Before any pass: locations in the source get file names that can be opened from here. */
void uw_complete_file_names(uw_program *program, LLVMModuleRef module);

/* A device function as C++ writes it. */
const char *uw_shown_name(uw_program *program, const char *symbol);

/* Says to the device link that this instruction's function "defines" or "calls" the function of that symbol. The two
 * texts are the last parts of what driver/device_link.c reads. */
void uw_note_for_link(uw_program *program, const char *what, LLVMValueRef instruction, const char *symbol,
                      const char *shown, const char *reached);
/* For a link without us: what the linker says where the function of that symbol is called. */
void uw_warn_at_link(uw_program *program, const char *symbol, const char *warning);

/* Whether a call of this intrinsic, or function of the runtime, makes threads wait for each other or exchange
 * values. */
bool uw_is_collective(const char *name);

/* A module of the host functions that launch kernels, with a call of __unwarp_launch_KERNEL(grid xy, grid z, block xy,
 * block z, bytes, stream, parameters…) where each launch was. Null if there are none. */
LLVMModuleRef uw_copy_launchers(uw_program *program);
/* Of which kernels that module has all launches. */
void uw_note_in_place(uw_program *program, LLVMModuleRef part);
/* Puts that module into the device module, in place of the host's functions. Takes it. */
void uw_join_launchers(uw_program *program, LLVMModuleRef owned_part);
/* Its two halves. The first adds to program->launches.hidden. */
void uw_take_launchers_along(uw_program *program, LLVMModuleRef owned_part);
void uw_drop_launchers(uw_program *program);

/* Runs an LLVM pass pipeline; aborts with LLVM's message if it is refused. */
void uw_run_llvm(LLVMModuleRef module, const char *pipeline, int inline_threshold);

#endif
