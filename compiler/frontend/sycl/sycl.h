/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What makes a SYCL program of a compile look like a CUDA program to the rest of the front end. The host is plain C++
 * that calls one launch function of our headers (include/sycl/detail/launch.hpp); the device module, from clang's SYCL
 * mode, holds the kernels as
 *
 *   spir_kernel void @_ZTS…(ptr byval(the kernel's object))
 *
 *   kernels.c    which kernel each launch of the host names
 *   kernel_names.c      what people call these kernels
 *   shared_variables.c  variables that host and kernels share
 *   builtins.c   the functions that our headers have from the compiler; invokes become calls
 *   empty_device.c   the device module of a source without kernels
 *   group_statics.c  objects of work_group_static, to shared memory
 *   restrictions.c      what kernels may not do and clang does not say
 *   arguments.c  takes the kernel's object apart into scalar parameters
 *   launch_sites.c      gives a launch that came along these parameters as values
 *   specialization.c  and specialization constants
 */
#ifndef UW_FRONTEND_SYCL_H
#define UW_FRONTEND_SYCL_H

#include "../frontend.h"

/* The function that our headers call, and the runtime's that takes its place (runtime/launch_object.c). */
#define UW_SYCL_LAUNCH "__unwarp_sycl_launch"
#define UW_SYCL_LAUNCH_OBJECT "uwrt_launch_object"
/* Where our headers put the values of specialization constants. */
#define UW_SYCL_CONSTANT_SECTION "unwarp_device_global"

/* Fills program->kernels, in place of uw_read_registry. */
bool uw_sycl_read_kernels(uw_program *program);
/* Writes an empty device module, with the host's target, where the host's shows that there is nothing to be in it; else
 * false, also where a file cannot be read or written. Both are paths of bitcode. */
bool uw_sycl_make_empty_device(const char *host_path, const char *device_path);
/* The user's class, or "lambda at FILE:LINE"; null for a symbol of another form. In the program's arena. */
const char *uw_sycl_kernel_shown(uw_program *program, const char *symbol);
/* Before anything is inlined: where kernels load what they captured by reference. */
void uw_sycl_note_captures(uw_program *program);

/* The function that the program gave, which the kernel's entry calls; null if it was not found. */
LLVMValueRef uw_sycl_kernel_lambda(uw_program *program, LLVMValueRef entry);
const char *uw_sycl_kernel_place(uw_program *program, const char *symbol); /* "file:line", or null */
/* Fills program->variables. */
void uw_sycl_read_variables(uw_program *program);
bool uw_sycl_is_shared_variable(LLVMValueRef variable);
/* clang forgets, of what stands in a precompiled header, which sections are written to, and makes the variables in them
 * constants. */
void uw_sycl_free_variables(LLVMModuleRef module);
/* Before anything is inlined: objects that each work-group has of its own go to shared memory. */
void uw_sycl_share_group_statics(uw_program *program);
#define UW_SYCL_GROUP_STATIC_INSIDE "__unwarp_refused_group_static"
enum { UW_SHARED_SPACE = 3 };
/* Before anything else happens to the device module. */
void uw_sycl_define_builtins(uw_program *program);
/* False after messages. */
bool uw_sycl_check(uw_program *program);
/* After the clean-up of the device module. Fills in the kernels' parameters. */
void uw_sycl_take_arguments_apart(uw_program *program);
/* part: what uw_copy_launchers makes. */
void uw_sycl_make_sites(uw_program *program, LLVMModuleRef part);
/* What a launch has of specialization constants. */
typedef struct uw_given {
  LLVMBuilderRef builder; /* at the launch */
  LLVMModuleRef part;
  LLVMValueRef list;    /* the command group's */
  LLVMValueRef *values; /* what uw_sycl_find_given finds: variable, byte in it, value; and so on */
  size_t count, room;
} uw_given;
void uw_sycl_find_given(uw_program *program, LLVMValueRef kernel, uw_given *given);
/* A function that other files may call: SYCL_EXTERNAL puts it into a section of its own
 * (include/sycl/attributes.hpp). */
bool uw_sycl_is_external(LLVMValueRef function);
/* A function of the C or C++ library that kernels may call. */
bool uw_sycl_is_provided(const char *name);

#endif
