/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The table of front ends: see frontends.h. */
#include "frontends.h"

#include "sycl/sycl.h"

static bool load_clang(uw_program *program, const uw_sources *s) { return uw_load(program, s->host, s->device); }

static bool load_device_code(uw_program *program, const uw_sources *s) {
  return uw_load_alone(program, s->device_files, s->device_file_count, s->cpu);
}

static bool load_cuda_alone(uw_program *program, const uw_sources *s) {
  return uw_load_clang_alone(program, s->device, s->cpu) && uw_answer_names_alone(program, s->names);
}

static void settle_cuda(uw_program *program) {
  uw_define_arithmetic(program->device);
  uw_read_clusters(program->device);
  uw_flush_denormals(program);
}

static bool shares_sycl(const uw_program *program, LLVMValueRef function) {
  (void)program;
  return uw_sycl_is_external(function);
}

static const uw_frontend cuda = {.name = "CUDA",
                                 .load = load_clang,
                                 .settle = settle_cuda,
                                 .find_kernels = uw_read_registry,
                                 .read_parameters = uw_read_parameters,
                                 .is_shared = uw_is_shared_device_function,
                                 .has_stubs = true};

static const uw_frontend cuda_alone = {.name = "CUDA alone",
                                       .load = load_cuda_alone,
                                       .settle = settle_cuda,
                                       .find_kernels = uw_register_clang_alone,
                                       .read_parameters = uw_read_parameters,
                                       .is_shared = uw_is_shared_device_function,
                                       .has_stubs = true};

static const uw_frontend device_code = {.name = "device code",
                                        .load = load_device_code,
                                        .find_kernels = uw_register_alone,
                                        .read_parameters = uw_read_parameters,
                                        .is_shared = uw_is_shared_device_function,
                                        .has_stubs = true};

static const uw_frontend sycl = {.name = "SYCL",
                                 .load = load_clang,
                                 .settle = uw_sycl_define_builtins,
                                 .find_kernels = uw_sycl_read_kernels,
                                 .take_parameters_apart = uw_sycl_take_arguments_apart,
                                 .check = uw_sycl_check,
                                 .is_shared = shares_sycl,
                                 .any_may_be_shared = true, /* SYCL_EXTERNAL leaves no trace on a declaration */
                                 .is_provided = uw_sycl_is_provided};

const uw_frontend *uw_frontend_of(const uw_sources *sources, bool is_sycl) {
  return !sources->device ? &device_code : is_sycl ? &sycl : !sources->host ? &cuda_alone : &cuda;
}
