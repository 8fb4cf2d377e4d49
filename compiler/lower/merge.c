/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The lowered device module joins the host module. A variable's host shadow and its device global become one object;
 * everything of the device side becomes internal; a constructor hands the runtime the table of kernels and variables
 * (uwrt_module in runtime/uwrt.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/uwrt.h"
#include "llvm-c/Comdat.h"
#include "llvm-c/DebugInfo.h"
#include "llvm-c/Linker.h"
#include "llvm-c/Target.h"
#include "../ir/shim.h"
#include "lower.h"

/* Of the C++ library (Itanium C++ ABI, "demangler API"), whose header is C++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

typedef struct merger {
  uw_program *program;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTypeRef ptr, i32, i64;
  bool is_library; /* -fPIC: another library may define its symbols first */
} merger;

static LLVMValueRef int32_of(merger *m, uint32_t value) { return LLVMConstInt(m->i32, value, 0); }
static LLVMValueRef int64_of(merger *m, uint64_t value) { return LLVMConstInt(m->i64, value, 0); }

static LLVMValueRef internal_global(merger *m, LLVMValueRef value, const char *name) {
  LLVMValueRef global = LLVMAddGlobal(m->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

static LLVMValueRef text(merger *m, const char *string) {
  LLVMValueRef global = internal_global(
      m, LLVMConstStringInContext2(m->context, string, strlen(string), /*DontNullTerminate=*/0), "__unwarp_name");
  LLVMSetGlobalConstant(global, 1);
  return global;
}

static LLVMValueRef record(merger *m, LLVMValueRef *fields, unsigned count) {
  return LLVMConstStructInContext(m->context, fields, count, /*Packed=*/0);
}

/* An integer for each parameter. */
static LLVMValueRef numbers(merger *m, const uw_kernel *kernel, const uint32_t *values, const char *name) {
  LLVMValueRef elements[kernel->param_count ? kernel->param_count : 1];
  for (uint32_t i = 0; i < kernel->param_count; i++)
    elements[i] = int32_of(m, values[i]);
  return internal_global(m, LLVMConstArray2(m->i32, elements, kernel->param_count), name);
}

/* What people call it; null where that is its symbol. */
static LLVMValueRef shown_name(merger *m, const uw_kernel *kernel) {
  int status;
  char *demangled = kernel->shown ? NULL : __cxa_demangle(kernel->name, NULL, NULL, &status);
  const char *shown = kernel->shown ? kernel->shown : demangled;
  LLVMValueRef name = shown ? text(m, shown) : LLVMConstNull(m->ptr);
  free(demangled);
  return name;
}

/* From the lowest level, which is this module's. */
static LLVMValueRef entries_of_levels(merger *m, const uw_kernel *kernel, LLVMValueRef entry) {
  LLVMValueRef entries[UW_HIGHEST_LEVEL + 1] = {entry};
  unsigned count = 1;
  for (int number = 1; number <= UW_HIGHEST_LEVEL && entry; number++)
    if (uw_is_level_apart(m->program, number))
      entries[count++] = uw_declare_entry(m->program, m->module, entry, kernel, number);
  return count > 1 ? internal_global(m, LLVMConstArray2(m->ptr, entries, count), "__unwarp_entries")
                   : LLVMConstNull(m->ptr);
}

/* Null where there is none. */
static LLVMValueRef extents_of(merger *m, const uint32_t shape[3], const char *name) {
  if (!shape[0])
    return LLVMConstNull(m->ptr);
  LLVMValueRef extents[] = {int32_of(m, shape[0]), int32_of(m, shape[1]), int32_of(m, shape[2])};
  return internal_global(m, LLVMConstArray2(LLVMTypeOf(extents[0]), extents, 3), name);
}

/* Field by field what uwrt_kernel says. */
static LLVMValueRef kernel_record(merger *m, const uw_kernel *kernel) {
  LLVMValueRef entry = LLVMGetNamedFunction(m->module, kernel->entry);
  LLVMValueRef replay = kernel->replay ? LLVMGetNamedFunction(m->module, kernel->replay) : NULL;
  LLVMValueRef fields[] = {kernel->stub,
                           text(m, kernel->name),
                           entry ? entry : LLVMConstNull(m->ptr),
                           int64_of(m, kernel->static_shared_bytes),
                           int32_of(m, kernel->max_threads),
                           int32_of(m, kernel->flags),
                           int32_of(m, kernel->param_count),
                           numbers(m, kernel, kernel->param_sizes, "__unwarp_param_sizes"),
                           shown_name(m, kernel),
                           numbers(m, kernel, kernel->param_offsets, "__unwarp_param_offsets"),
                           replay ? replay : LLVMConstNull(m->ptr),
                           entries_of_levels(m, kernel, entry),
                           extents_of(m, kernel->shape, "__unwarp_shape"),
                           extents_of(m, kernel->cluster, "__unwarp_cluster")};
  return record(m, fields, sizeof fields / sizeof *fields);
}

/* Field by field what uwrt_variable says. */
static LLVMValueRef variable_record(merger *m, const uw_variable *variable) {
  LLVMValueRef fields[] = {variable->shadow, text(m, variable->name), int64_of(m, variable->bytes),
                           int32_of(m, variable->flags | (variable->is_reference ? UWRT_VARIABLE_REFERENCE : 0))};
  return record(m, fields, sizeof fields / sizeof *fields);
}

static LLVMValueRef table_of(merger *m, LLVMValueRef *records, size_t count, const char *name) {
  if (!count)
    return LLVMConstNull(m->ptr);
  return internal_global(m, LLVMConstArray2(LLVMTypeOf(records[0]), records, count), name);
}

bool uw_is_kernel_of_program(const uw_program *program, const uw_kernel *kernel) {
  return program->options.relocatable && kernel->linkage != LLVMInternalLinkage;
}

/* Launches in place, and those by kernels, name their kernel's record; it is a row of the table. With relocatable
 * device code the kernels of other files may launch it too. */
static void resolve_records(merger *m, LLVMValueRef kernels) {
  for (size_t i = 0; i < m->program->kernel_count; i++) {
    const uw_kernel *kernel = &m->program->kernels[i];
    const char *name = uw_arena_format(m->program->arena, UW_KERNEL_RECORD "%s", kernel->name);
    LLVMValueRef named = LLVMGetNamedGlobal(m->module, name);
    LLVMValueRef indices[] = {int64_of(m, 0), int64_of(m, i)};
    LLVMValueRef row = LLVMConstInBoundsGEP2(LLVMGlobalGetValueType(kernels), kernels, indices, 2);
    if (named) {
      LLVMReplaceAllUsesWith(named, row);
      LLVMDeleteGlobal(named);
    }
    bool of_program = uw_is_kernel_of_program(m->program, kernel);
    if (of_program || m->program->levels.built) { /* other levels know it by its name, too */
      LLVMValueRef alias =
          LLVMAddAlias2(m->module, LLVMTypeOf(LLVMGetOperand(LLVMGetInitializer(kernels), (unsigned)i)), 0, row, name);
      LLVMSetLinkage(alias,
                     !of_program || kernel->linkage == LLVMExternalLinkage ? LLVMExternalLinkage : LLVMWeakAnyLinkage);
    }
  }
}

/* What OpenMP outlined from a hidden function carries its name as well. */
static void unhide_outlined(merger *m) {
  static const char prefix[] = UW_HIDDEN_HOST;
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
    const char *name = uw_llvm_name(f), *dot = strchr(name, '.');
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || !dot || !uw_is_share(f))
      continue;
    const char *shown = uw_arena_format(m->program->arena, "%s", dot + 1);
    LLVMSetValueName2(f, shown, strlen(shown));
  }
}

/* Gives the symbols that were external for the journey through MLIR their own linkage and name back. */
static void unhide(merger *m) {
  unhide_outlined(m);
  for (uw_hidden *hidden = m->program->launches.hidden; hidden; hidden = hidden->next) {
    LLVMValueRef value = LLVMGetNamedFunction(m->module, hidden->name);
    if (!value)
      value = LLVMGetNamedGlobal(m->module, hidden->name);
    if (!value)
      continue;
    LLVMSetLinkage(value, hidden->linkage);
    if (hidden->comdat)
      LLVMSetComdat(value, LLVMGetOrInsertComdat(m->module, hidden->name));
    if (strcmp(hidden->name, hidden->original) != 0)
      LLVMSetValueName2(value, hidden->original, strlen(hidden->original));
  }
}

static bool is_hidden_variable(LLVMValueRef global) {
  size_t length;
  return strncmp(LLVMGetValueName2(global, &length), UW_HIDDEN_VARIABLE, strlen(UW_HIDDEN_VARIABLE)) == 0;
}

static void add_hidden_variable(merger *m, LLVMValueRef global) {
  uw_program *program = m->program;
  size_t length;
  if (LLVMIsDeclaration(global) || LLVMIsGlobalConstant(global))
    return;
  program->variables[program->variable_count++] =
      (uw_variable){.shadow = global,
                    .name = uw_arena_format(program->arena, "%s", LLVMGetValueName2(global, &length)),
                    .bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(m->module), LLVMGlobalGetValueType(global)),
                    .flags = UWRT_VARIABLE_HIDDEN};
}

/* Lists the variables of device code alone after those that host code knows. */
static void add_hidden_variables(merger *m) {
  uw_program *program = m->program;
  size_t count = program->variable_count;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
    count += is_hidden_variable(g);
  for (const uw_known_name *name = program->common_variables; name; name = name->next)
    count++;
  uw_variable *all = uw_alloc(program->arena, (count + 1) * sizeof *all);
  if (program->variable_count)
    memcpy(all, program->variables, program->variable_count * sizeof *all);
  program->variables = all;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
    if (is_hidden_variable(g))
      add_hidden_variable(m, g);
  for (const uw_known_name *name = program->common_variables; name; name = name->next) {
    LLVMValueRef global = LLVMGetNamedGlobal(m->module, name->name);
    if (global)
      add_hidden_variable(m, global);
  }
}

static LLVMValueRef module_record(merger *m) {
  uw_program *program = m->program;
  LLVMValueRef *kernels = uw_alloc(program->arena, (program->kernel_count + 1) * sizeof *kernels);
  LLVMValueRef *variables = uw_alloc(program->arena, (program->variable_count + 1) * sizeof *variables);
  for (size_t i = 0; i < program->kernel_count; i++)
    kernels[i] = kernel_record(m, &program->kernels[i]);
  for (size_t i = 0; i < program->variable_count; i++)
    variables[i] = variable_record(m, &program->variables[i]);
  LLVMValueRef kernel_table = table_of(m, kernels, program->kernel_count, "__unwarp_kernels");
  if (program->kernel_count)
    resolve_records(m, kernel_table);
  LLVMValueRef level = LLVMGetNamedGlobal(m->module, UW_LEVEL);
  LLVMValueRef fields[] = {int32_of(m, UWRT_ABI_VERSION),
                           int32_of(m, (uint32_t)program->kernel_count),
                           int32_of(m, (uint32_t)program->variable_count),
                           int32_of(m, program->levels.built),
                           kernel_table,
                           table_of(m, variables, program->variable_count, "__unwarp_variables"),
                           level ? level : LLVMConstNull(m->ptr)};
  return internal_global(m, record(m, fields, sizeof fields / sizeof *fields), "__unwarp_module");
}

/* void NAME(void) { CALLEE(ARGUMENT); } */
static LLVMValueRef hook(merger *m, LLVMValueRef argument, const char *name, const char *callee) {
  LLVMTypeRef type = LLVMTypeOf(argument);
  LLVMTypeRef hook_type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, 0);
  LLVMTypeRef callee_type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), &type, 1, 0);
  LLVMValueRef target = LLVMGetNamedFunction(m->module, callee);
  if (!target)
    target = LLVMAddFunction(m->module, callee, callee_type);
  LLVMValueRef function = LLVMAddFunction(m->module, name, hook_type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(m->context, function, ""));
  LLVMBuildCall2(builder, callee_type, target, &argument, 1, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  return function;
}

/* Appends {priority, function, null} to llvm.global_ctors or llvm.global_dtors. Priority 101 runs before the program's
 * own constructors, which may use the device already. */
static void add_to_list(merger *m, const char *list_name, LLVMValueRef function) {
  LLVMValueRef list = LLVMGetNamedGlobal(m->module, list_name), old = list ? LLVMGetInitializer(list) : NULL;
  int count = old ? LLVMGetNumOperands(old) : 0;
  LLVMValueRef *entries = uw_alloc(m->program->arena, ((size_t)count + 1) * sizeof *entries);
  for (int i = 0; i < count; i++)
    entries[i] = LLVMGetOperand(old, (unsigned)i);
  LLVMValueRef fields[] = {int32_of(m, 101), function, LLVMConstNull(m->ptr)};
  entries[count] = record(m, fields, 3);
  LLVMTypeRef element = LLVMTypeOf(entries[count]);
  LLVMValueRef fresh = LLVMAddGlobal(m->module, LLVMArrayType2(element, (uint64_t)count + 1), "");
  LLVMSetInitializer(fresh, LLVMConstArray2(element, entries, (uint64_t)count + 1));
  LLVMSetLinkage(fresh, LLVMAppendingLinkage);
  if (list)
    LLVMDeleteGlobal(list);
  LLVMSetValueName2(fresh, list_name, strlen(list_name));
}

/* Declared static, at file scope or in a namespace (an L before the last part of the mangled name, Itanium C++ ABI,
 * "unqualified names"), or in an unnamed namespace. */
static bool is_static(const char *name) {
  if (strstr(name, "_GLOBAL__N_"))
    return true;
  if (strncmp(name, "_ZN", 3) != 0)
    return strncmp(name, "_ZL", 3) == 0;
  for (name += 3; *name >= '0' && *name <= '9';) {
    size_t length = strtoul(name, (char **)&name, 10);
    if (strlen(name) < length)
      return false;
    name += length;
  }
  return *name == 'L';
}

static LLVMLinkage linkage_of(merger *m, const uw_variable *variable, LLVMLinkage shadow) {
  if (variable->is_weak)
    return LLVMWeakAnyLinkage;
  if (shadow != LLVMExternalLinkage && shadow != LLVMInternalLinkage)
    return shadow;
  return m->program->options.relocatable && !is_static(variable->name) ? LLVMExternalLinkage : LLVMInternalLinkage;
}

static bool has_flag(LLVMModuleRef module, const char *name) {
  return LLVMGetModuleFlag(module, name, strlen(name)) != NULL;
}

/* For clang a shadow is the file's own. What other files see too is, in a shared library (-fPIC), what another library
 * may define first. */
static void set_linkage(merger *m, LLVMValueRef variable, LLVMLinkage linkage) {
  LLVMSetLinkage(variable, linkage);
  bool is_own = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
                LLVMGetVisibility(variable) != LLVMDefaultVisibility;
  uw_shim_set_local(variable, is_own || !m->is_library);
}

static bool may_be_others(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  bool merged = linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage;
  bool named = LLVMIsAFunction(global) ? uw_is_device_symbol(name, length)
                                       : LLVMIsDeclaration(global) || merged || uw_is_device_symbol(name, length);
  return named && !uw_llvm_is_local(global) && LLVMGetVisibility(global) == LLVMDefaultVisibility;
}

/* What device code uses of other files, and what several files have, may come from another library as well. */
static void let_others_define(merger *m) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g && m->is_library; g = LLVMGetNextGlobal(g))
    if (may_be_others(g))
      uw_shim_set_local(g, false);
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f && m->is_library; f = LLVMGetNextFunction(f))
    if (may_be_others(f))
      uw_shim_set_local(f, false);
}

static void unify_variable(merger *m, uw_variable *variable) {
  LLVMValueRef device = LLVMGetNamedGlobal(m->module, variable->device), shadow = variable->shadow;
  if (!device) { /* no kernel uses it: the shadow alone is the variable */
    if (LLVMIsUndef(LLVMGetInitializer(shadow)))
      LLVMSetInitializer(shadow, LLVMConstNull(LLVMGlobalGetValueType(shadow)));
    uw_align_variable(m->module, shadow);
    set_linkage(m, shadow, linkage_of(m, variable, LLVMGetLinkage(shadow)));
    return;
  }
  if (variable->is_reference) { /* its constructor ran for the shadow */
    LLVMReplaceAllUsesWith(device, shadow);
    LLVMDeleteGlobal(device);
    return;
  }
  LLVMLinkage linkage = linkage_of(m, variable, LLVMGetLinkage(shadow));
  size_t length;
  char *name = uw_arena_format(m->program->arena, "%s", LLVMGetValueName2(shadow, &length));
  LLVMReplaceAllUsesWith(shadow, device);
  LLVMDeleteGlobal(shadow);
  LLVMSetValueName2(device, name, strlen(name));
  set_linkage(m, device, linkage);
  variable->shadow = device;
}

static bool is_shared(LLVMValueRef function) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  return uw_is_device_symbol(name, length) && !uw_llvm_is_local(function);
}

/* Sets the linkage of what the kernels' records name. */
static void link_entries(const uw_program *program, LLVMModuleRef module, LLVMLinkage linkage) {
  for (size_t i = 0; i < program->kernel_count; i++) {
    const uw_kernel *kernel = &program->kernels[i];
    LLVMValueRef entry = LLVMGetNamedFunction(module, kernel->entry);
    LLVMValueRef replay = kernel->replay ? LLVMGetNamedFunction(module, kernel->replay) : NULL;
    if (entry)
      LLVMSetLinkage(entry, linkage);
    if (replay)
      LLVMSetLinkage(replay, linkage);
  }
}

/* Entries stay visible until their records name them, launching functions until unhide. */
static void internalize(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !is_shared(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  for (uw_hidden *hidden = program->launches.hidden; hidden; hidden = hidden->next) {
    LLVMValueRef launcher = LLVMGetNamedFunction(program->device, hidden->name);
    if (launcher && !LLVMIsDeclaration(launcher))
      LLVMSetLinkage(launcher, LLVMExternalLinkage);
  }
  link_entries(program, program->device, LLVMExternalLinkage);
}

/* Assembly, so that no pass looks at it. */
static void write_section(const uw_program *program, const char *name, const char *flags, const char *text) {
  char *escaped = uw_alloc(program->arena, 4 * strlen(text) + 1), *to = escaped;
  for (const unsigned char *from = (const unsigned char *)text; *from; from++)
    to += sprintf(to, *from < ' ' || *from > '~' || *from == '"' || *from == '\\' ? "\\%03o" : "%c", *from);
  const char *code = uw_arena_format(
      program->arena, ".pushsection \"%s\",\"%s\",@progbits\n.ascii \"%s\"\n.popsection\n", name, flags, escaped);
  LLVMAppendModuleInlineAsm(program->host, code, strlen(code));
}

/* Notes go into a section that linkers leave out (e). GNU linkers say the text of .gnu.warning.SYMBOL where SYMBOL is
 * used, with the name of the function that uses it. */
static void write_link_notes(const uw_program *program) {
  if (program->link.notes)
    write_section(program, ".unwarp.device", "e", program->link.notes);
  for (const char *line = program->link.warnings; line && *line; line = strchr(line, '\n') + 1) {
    int symbol = (int)strcspn(line, "\t"), all = (int)strcspn(line, "\n");
    write_section(program, uw_arena_format(program->arena, ".gnu.warning.%.*s", symbol, line), "",
                  uw_arena_format(program->arena, "%.*s", all - symbol - 1, line + symbol + 1));
  }
}

void uw_merge(uw_program *program) {
  LLVMModuleRef device = program->device;
  /* Of the host alone: what device code is linked with has flags of its own. */
  bool is_library = has_flag(program->host, "PIC Level") && !has_flag(program->host, "PIE Level");
  internalize(program);
  if (LLVMLinkModules2(program->host, device))
    uw_fatal("bug in unwarp: device and host code do not link");
  program->device = NULL;

  merger m = {program,
              program->context,
              program->host,
              LLVMPointerTypeInContext(program->context, 0),
              LLVMInt32TypeInContext(program->context),
              LLVMInt64TypeInContext(program->context),
              is_library};
  write_link_notes(program);
  if (program->kernel_count + program->variable_count == 0)
    return;
  unhide(&m);
  for (size_t i = 0; i < program->variable_count; i++)
    unify_variable(&m, &program->variables[i]);
  let_others_define(&m);
  add_hidden_variables(&m);
  LLVMValueRef module_global = module_record(&m);
  link_entries(program, m.module, LLVMInternalLinkage);
  if (program->options.checks) /* before its variables are registered */
    add_to_list(&m, "llvm.global_ctors",
                hook(&m, int32_of(&m, program->options.checks), "__unwarp_check_begin", "uwrt_check_brings"));
  add_to_list(&m, "llvm.global_ctors", hook(&m, module_global, "__unwarp_register", "uwrt_register"));
  LLVMValueRef unregister = hook(&m, module_global, "__unwarp_unregister", UWRT_UNREGISTER);
  LLVMSetSection(
      unregister,
      ".text.exit"); /* after code of other levels: a linker that misses the runtime names it last (uwrt.h) */
  add_to_list(&m, "llvm.global_dtors", unregister);
}
