/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What results are called when the user does not say: as cc and nvcc call them, in the current folder. */
#include "compile.h"

#include <string.h>

/* The last component without its suffix. */
static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  return dot && dot != name ? uw_copy_text(name, (size_t)(dot - name)) : name;
}

static const char *in_output_folder(const uw_options *options, const char *name) {
  return options->output_folder ? uw_format("%s/%s", options->output_folder, name) : name;
}

const char *uw_dependency_target(const uw_options *options, const uw_input *input) {
  bool lists = options->stage == UW_STAGE_DEPENDENCIES; /* then -o is where the rule goes */
  return options->output && !lists ? options->output
                                   : in_output_folder(options, uw_format("%s.o", base_name(input->text)));
}

const char *uw_result_name(const uw_options *options, const uw_input *input) {
  if (options->stage == UW_STAGE_CHECK)
    return NULL;
  if (options->output)
    return options->output;
  if (options->stage != UW_STAGE_RESULT || options->emit_to_stdout)
    return "-";
  if (options->as_cpp) {
    const char *slash = strrchr(input->text, '/');
    return in_output_folder(options, uw_format("%s.cpp.ii", slash ? slash + 1 : input->text));
  }
  return in_output_folder(options, uw_format("%s.%s", base_name(input->text),
                                             options->module                  ? options->module
                                             : options->emit == UW_EMIT_ASM   ? "s"
                                             : options->emit == UW_EMIT_PTX   ? "ptx"
                                             : options->emit == UW_EMIT_LTOIR ? "ltoir"
                                                                              : "o"));
}

static bool is_only_source(const uw_options *options, const uw_input *input) {
  for (size_t i = 0; i < options->input_count; i++)
    if (options->inputs[i].kind != UW_INPUT_LINK && &options->inputs[i] != input)
      return false;
  return true;
}

/* Beside the result when that has a name of its own: -c -MD -o build/x.o writes build/x.d. */
const char *uw_dependency_name(const uw_options *options, const uw_input *input) {
  if (options->dependency_file)
    return options->dependency_file;
  const char *output = is_only_source(options, input) ? options->output : NULL;
  if (!output || strcmp(output, "-") == 0)
    return in_output_folder(options, uw_format("%s.d", base_name(input->text)));
  const char *slash = strrchr(output, '/');
  int folder_length = slash ? (int)(slash - output) + 1 : 0;
  return uw_format("%.*s%s.d", folder_length, output, base_name(output));
}
