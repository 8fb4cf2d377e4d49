/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Options that do not go together, or not with the inputs. */
#include "option_conflicts.h"

#include "gpu_names.h"
#include "report.h"

#include <string.h>

/* clang hands these to the assembler, which only sources without kernels meet. */
static bool check_assembler_options(const uw_options *o) {
  bool kernels = false;
  for (size_t i = 0; i < o->input_count; i++)
    kernels |= o->inputs[i].kind == UW_INPUT_CUDA || o->inputs[i].kind == UW_INPUT_SYCL;
  for (size_t i = 0; kernels && i < o->host.count; i++)
    if (uw_after_prefix(o->host.items[i], "-Wa,"))
      return uw_report_error("'%s' is not supported: sources with kernels become objects without an assembler",
                             o->host.items[i]);
  return true;
}

bool uw_options_agree(uw_options *o) {
  size_t sources = 0;
  for (size_t i = 0; i < o->input_count; i++)
    sources += o->inputs[i].kind != UW_INPUT_LINK;
  size_t files = 0, device = 0;
  for (size_t i = 0; i < o->input_count; i++) {
    files += !o->inputs[i].is_option;
    device += o->inputs[i].kind == UW_INPUT_DEVICE;
  }
  o->joins = device == sources && o->output &&
             (o->module || o->emit == UW_EMIT_PTX || o->emit == UW_EMIT_NVVM || o->emit == UW_EMIT_LTOIR);
  if (!files)
    return uw_report_error("no input files; --help shows what there is");
  if (!sources && o->stage != UW_STAGE_LINK)
    return uw_report_error("no source file to compile");
  if (o->output && o->stage != UW_STAGE_LINK && sources > 1 && !o->joins)
    return uw_report_error("-o names one file, but there are %zu results: compile the sources one by one, or leave -o "
                           "out",
                           sources);
  if (o->dependency_file && sources > 1)
    return uw_report_error("-MF names one file, but there are %zu sources", sources);
  if ((o->archive || o->partial_link) && (o->stage != UW_STAGE_LINK || o->shared || o->run))
    return uw_report_error("%s makes one file of all: leave out -c, -S, -E, --emit, -shared and --run",
                           o->archive ? "--lib" : "-r");
  if (!check_assembler_options(o))
    return false;
  if (o->default_device && !o->module && o->emit != UW_EMIT_PTX && o->emit != UW_EMIT_LTOIR)
    return uw_report_error("--device-as-default-execution-space leaves no host code: it goes with -cubin, -fatbin, "
                           "-ptx and -ltoir");
  if (!uw_gpu_names_agree(o))
    return false;
  if (o->run && (o->stage != UW_STAGE_LINK || o->shared))
    return uw_report_error("--run wants a whole program: leave out -c, -S, -E, --emit and -shared");
  if (o->run && o->sarif)
    return uw_report_error(
        "-fdiagnostics-format=sarif reads what the compile says, which --run's program would be among: "
        "run it by itself");
  if (o->shared && o->stage == UW_STAGE_LINK && !o->pic_flag) /* what is compiled here goes into the library */
    o->pic_flag = "-fPIC";
  return true;
}
