/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where each instruction stands, as debug information: messages of everything behind name the line. That is the line in
 * the source which the PTX was made from, where the PTX says it (.loc), and else the one in the text of the PTX.
 */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "ptx.h"

static LLVMMetadataRef make_file(uw_ptx_maker *m, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t folder = slash ? (size_t)(slash - path) : 0;
  return LLVMDIBuilderCreateFile(m->places, name, strlen(name), slash ? path : ".", slash ? folder : 1);
}

void uw_ptx_begin_places(uw_ptx_maker *m, const uw_ptx_module *read) {
  LLVMModuleRef module = m->program->device;
  m->places = LLVMCreateDIBuilder(module);
  m->place_file = make_file(m, m->file);
  m->files = read ? read->files : NULL;
  m->strings = read ? read->strings : NULL;
  LLVMDIBuilderCreateCompileUnit(m->places, LLVMDWARFSourceLanguageC99, m->place_file, "unwarp", 6,
                                 m->program->options.optimises, "", 0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0,
                                 false, false, "", 0, "", 0);
  LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18,
                    LLVMValueAsMetadata(
                        LLVMConstInt(LLVMInt32TypeInContext(m->program->context), LLVMDebugMetadataVersion(), false)));
}

/* The source's file of that number, or null. */
static LLVMMetadataRef file_of(uw_ptx_maker *m, const uw_ptx_source *source) {
  for (uw_ptx_source_name *f = source ? m->files : NULL; f; f = f->next)
    if (f->number == source->file)
      return f->made ? f->made : (f->made = make_file(m, f->text));
  return NULL;
}

static LLVMMetadataRef make_function(uw_ptx_maker *m, const char *name, LLVMMetadataRef file, unsigned line) {
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(m->places, file, NULL, 0, LLVMDIFlagZero);
  size_t length = strlen(name);
  return LLVMDIBuilderCreateFunction(m->places, file, name, length, name, length, file, line, type, false, true, line,
                                     LLVMDIFlagZero, m->program->options.optimises);
}

void uw_ptx_begin_function_places(uw_ptx_maker *m, const uw_ptx_function *f) {
  const uw_ptx_statement *first = f->body;
  while (first && (!first->source || first->source->inlined_at))
    first = first->next;
  const uw_ptx_source *source = first ? first->source : NULL;
  LLVMMetadataRef file = file_of(m, source);
  m->place_scope = make_function(m, f->name, file ? file : m->place_file, file ? source->line : f->line);
  m->place_scope_file = file ? file : m->place_file;
  LLVMSetSubprogram(m->function, m->place_scope);
  uw_ptx_set_place(m, f->line, source);
}

/* What was inlined has a function of its own, without a name where the text does not have it. */
static LLVMMetadataRef inlined_function(uw_ptx_maker *m, const uw_ptx_source *source, LLVMMetadataRef file) {
  uw_ptx_source_name *name = source->function ? m->strings : NULL;
  while (name && strcmp(name->label, source->function) != 0)
    name = name->next;
  if (name && name->made)
    return name->made;
  LLVMMetadataRef made = make_function(m, name ? name->text : "", file, source->line);
  if (name)
    name->made = made;
  return made;
}

/* Null where the file is not known. */
static LLVMMetadataRef location_of(uw_ptx_maker *m, const uw_ptx_source *source) {
  LLVMMetadataRef file = file_of(m, source), at = NULL, scope = m->place_scope, in_file = m->place_scope_file;
  if (!file)
    return NULL;
  if (source->inlined_at) {
    at = location_of(m, source->inlined_at);
    scope = inlined_function(m, source, file);
    in_file = file; /* a name is one file's */
  }
  if (file != in_file)
    scope = LLVMDIBuilderCreateLexicalBlockFile(m->places, scope, file, 0);
  return at || !source->inlined_at
             ? LLVMDIBuilderCreateDebugLocation(m->program->context, source->line, source->column, scope, at)
             : NULL;
}

void uw_ptx_set_place(uw_ptx_maker *m, unsigned line, const uw_ptx_source *source) {
  m->line = line;
  m->source = source;
  if (!m->place_scope)
    return;
  LLVMMetadataRef location = source ? location_of(m, source) : NULL;
  LLVMMetadataRef scope = m->place_scope;
  if (!location && m->place_scope_file != m->place_file)
    scope = LLVMDIBuilderCreateLexicalBlockFile(m->places, scope, m->place_file, 0);
  LLVMSetCurrentDebugLocation2(
      m->builder, location ? location : LLVMDIBuilderCreateDebugLocation(m->program->context, line, 1, scope, NULL));
}

void uw_ptx_end_places(uw_ptx_maker *m) {
  LLVMDIBuilderFinalize(m->places);
  LLVMDisposeDIBuilder(m->places);
}
