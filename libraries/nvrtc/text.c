/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program's source becomes, and PTX among that: text, as programs copy it as a string, write it to files and read it.
 * The module was compiled from the source before (nvrtcCompileProgram tells mistakes, and names). It is kept in the
 * cache as what that text compiles to, so that who loads the text has it at once; without a cache the text is compiled.
 */
#include "internal.h"

#include <string.h>

nvrtcResult uwrtc_code_of(const uwjit_result *result) {
  switch (result->state) {
  case UWJIT_DONE: return NVRTC_SUCCESS;
  case UWJIT_REFUSED: return NVRTC_ERROR_COMPILATION;
  case UWJIT_NO_COMPILER: return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  case UWJIT_NO_ROOM: break;
  }
  return NVRTC_ERROR_OUT_OF_MEMORY;
}

void uwrtc_compile(nvrtcProgram program, int form, uwjit_result *result) {
  uwjit_file source = {"program.cu", program->whole.data, program->whole.count};
  uwjit_request request = {.form = form,
                           .sources = &source,
                           .source_count = 1,
                           .headers = program->headers,
                           .header_count = (size_t)program->header_count,
                           .options = program->options.items,
                           .option_count = program->options.count};
  uwjit_compile(&request, result);
}

nvrtcResult uwrtc_write_text(nvrtcProgram program, uwjit_result *result) {
  uwrtc_compile(program, UWJIT_PTX, result);
  if (result->state == UWJIT_DONE) {
    program->text = result->image;
    program->text_bytes = result->bytes;
    result->image = NULL;
    uwjit_keep_of_ptx(program->text, program->text_bytes, program->image, program->image_bytes);
  }
  return uwrtc_code_of(result);
}

void uwrtc_forget_source(nvrtcProgram program) {
  uwrtc_free_options(&program->options);
  free(program->whole.data);
  free(program->text);
  program->whole = (uwjit_bytes){0};
  program->text = NULL;
}
