/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * -cubin, -fatbin, -ptx: a file that cuModuleLoad loads. The source's device code becomes an object, that a shared
 * object whose symbols are its own, and that goes into an image with the names that were asked for
 * (runtime/module_image.h).
 */
#include "module_file.h"

#include "../../runtime/module_image.h"
#include "../../runtime/uwrt.h"
#include "../support/files.h"
#include "compile.h"
#include "link.h"
#include "report.h"
#include "temp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines "N name", in pairs of strings. */
static char *pairs_of(const char *lines, uint32_t *count, size_t *bytes) {
  char *pairs = strdup(lines ? lines : "");
  *count = 0;
  *bytes = strlen(pairs);
  for (char *at = pairs; *at; at++) {
    if (*at == '\n')
      *at = 0, ++*count;
    else if (*at == ' ')
      *at = 0;
    if (!*at && at + 1 == pairs + *bytes)
      break;
  }
  return pairs;
}

static bool write_image(const char *output, const char *object, const char *names) {
  FILE *file = fopen(object, "rb");
  size_t bytes, names_bytes;
  uint32_t count;
  char *code = file ? uw_read_stream(file, &bytes) : NULL, *lines = uw_read_file(names);
  if (file)
    fclose(file);
  if (!code)
    return uw_report_error("cannot read '%s': %s", object, strerror(errno));
  char *pairs = pairs_of(lines, &count, &names_bytes);
  size_t code_at = (sizeof(uwrt_image) + names_bytes + 15) / 16 * 16, whole = (code_at + bytes + 15) / 16 * 16;
  char *all = calloc(1, whole);
  if (!all)
    return uw_report_error("out of memory");
  uwrt_image *image = (uwrt_image *)all;
  *image = (uwrt_image){.version = UWRT_IMAGE_VERSION,
                        .abi = UWRT_ABI_VERSION,
                        .bytes = whole,
                        .name_count = count,
                        .names = sizeof *image,
                        .names_bytes = names_bytes,
                        .object = code_at,
                        .object_bytes = bytes};
  memcpy(image->magic, UWRT_IMAGE_MAGIC, sizeof image->magic);
  memcpy(all + sizeof *image, pairs, names_bytes);
  memcpy(all + code_at, code, bytes);
  image->checksum = uwrt_image_checksum(image + 1, whole - sizeof *image);
  FILE *result = fopen(output, "wb");
  bool good = result && fwrite(all, 1, whole, result) == whole;
  good = result && fclose(result) == 0 && good;
  free(all);
  free(pairs);
  free(code);
  free(lines);
  return good || uw_report_error("cannot write '%s': %s", output, strerror(errno));
}

bool uw_make_module(const uw_options *options, const uw_toolchain *toolchain, const uw_input *input) {
  uw_options own = *options;
  uw_result result;
  const char *target = uw_result_name(options, input), *object = uw_temp_path("module.o"),
             *library = uw_temp_path("module.so");
  if (strcmp(target, "-") == 0)
    return uw_report_error("a module is not for standard output: name a file with -o");
  if (!object || !library || !(own.module_names = uw_temp_path("module.names")) ||
      !uw_result_begin(&result, target, false))
    return false;
  own.stage = UW_STAGE_LINK;
  own.shared = own.pic = true;
  own.pic_flag = "-fPIC";
  own.cuda_runtime = "shared";
  return uw_compile_source(&own, toolchain, input, object) && uw_link_module(&own, toolchain, object, library) &&
         (options->dry_run || write_image(result.path, library, own.module_names)) && uw_result_finish(&result);
}
