/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --cuda: C++ that any compiler of the host makes the object of. nvcc's has the host code as C++ and the device code as
 * data; here both are machine code when the compile is done, so the C++ is one asm declaration with the assembly. */
#include "cpp_result.h"

#include "../support/files.h"
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_line(FILE *file, const char *line, size_t length) {
  fputs("  \"", file);
  for (size_t i = 0; i < length; i++) {
    if (line[i] == '"' || line[i] == '\\')
      fputc('\\', file);
    fputc(line[i], file);
  }
  fputs("\\n\"\n", file);
}

bool uw_write_cpp(const char *assembly_path, const char *output) {
  char *assembly = uw_read_file(assembly_path);
  FILE *file = assembly ? fopen(output, "w") : NULL;
  if (!file)
    return uw_report_error("cannot write '%s': %s", output, strerror(errno));
  fputs("asm(\n", file);
  for (const char *line = assembly; *line;) {
    size_t length = strcspn(line, "\n");
    write_line(file, line, length);
    line += length + (line[length] == '\n');
  }
  fputs("  \".text\\n\");\n", file);
  free(assembly);
  bool good = !ferror(file);
  return (fclose(file) == 0 && good) || uw_report_error("cannot write '%s': %s", output, strerror(errno));
}
