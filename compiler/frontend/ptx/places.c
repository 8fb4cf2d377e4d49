/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where in the text of the PTX each instruction stands, as debug information: messages of everything behind name the
 * line.
 */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "ptx.h"

void uw_ptx_begin_places(uw_ptx_maker *m) {
  LLVMModuleRef module = m->program->device;
  m->places = LLVMCreateDIBuilder(module);
  const char *slash = strrchr(m->file, '/'), *name = slash ? slash + 1 : m->file;
  size_t folder = slash ? (size_t)(slash - m->file) : 0;
  m->place_file = LLVMDIBuilderCreateFile(m->places, name, strlen(name), slash ? m->file : ".", slash ? folder : 1);
  LLVMDIBuilderCreateCompileUnit(m->places, LLVMDWARFSourceLanguageC99, m->place_file, "unwarp", 6,
                                 m->program->options.optimises, "", 0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0,
                                 false, false, "", 0, "", 0);
  LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18,
                    LLVMValueAsMetadata(
                        LLVMConstInt(LLVMInt32TypeInContext(m->program->context), LLVMDebugMetadataVersion(), false)));
}

void uw_ptx_begin_function_places(uw_ptx_maker *m, const uw_ptx_function *f) {
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(m->places, m->place_file, NULL, 0, LLVMDIFlagZero);
  size_t length = strlen(f->name);
  m->place_scope =
      LLVMDIBuilderCreateFunction(m->places, m->place_file, f->name, length, f->name, length, m->place_file, f->line,
                                  type, false, true, f->line, LLVMDIFlagZero, m->program->options.optimises);
  LLVMSetSubprogram(m->function, m->place_scope);
  uw_ptx_set_place(m, f->line);
}

void uw_ptx_set_place(uw_ptx_maker *m, unsigned line) {
  m->line = line;
  if (m->place_scope)
    LLVMSetCurrentDebugLocation2(m->builder,
                                 LLVMDIBuilderCreateDebugLocation(m->program->context, line, 1, m->place_scope, NULL));
}

void uw_ptx_end_places(uw_ptx_maker *m) {
  LLVMDIBuilderFinalize(m->places);
  LLVMDisposeDIBuilder(m->places);
}
