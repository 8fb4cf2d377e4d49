/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A module of PTX becomes the LLVM module that clang's device side would have made of its source: variables in their
 * address spaces, kernels with parameters by value (arrays as byval), functions. In it every PTX register is a stack
 * variable, which LLVM's SROA makes a value of; the addresses, integers in PTX, become pointers in pointers.c.
 *
 *     .visible .entry k(.param .u64 p, .param .align 4 .b8 s[12])
 *
 *     ==>   define ptx_kernel void @k(i64 %p, ptr byval([12 x i8]) align 4 %s)
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../ir/shim.h"
#include "ptx.h"

enum { GENERIC = 0, GLOBAL = 1, SHARED = 3, CONSTANT = 4 };

static void add_attribute(uw_ptx_maker *m, LLVMValueRef function, unsigned index, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(m->program->context, kind, value));
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

LLVMTypeRef uw_ptx_memory_type(uw_ptx_maker *m, const uw_ptx_variable *v) {
  LLVMTypeRef type = v->type->bits < 8 ? uw_ptx_int(m, 8) : uw_ptx_llvm_type(m, v->type);
  return v->dimensions || v->lanes > 1 ? LLVMArrayType2(type, v->count * v->lanes) : type;
}

LLVMValueRef uw_ptx_add_variable(uw_ptx_maker *m, const uw_ptx_variable *v) {
  m->line = v->line;
  bool constant = strcmp(v->space, "const") == 0, shared = strcmp(v->space, "shared") == 0;
  if (!constant && !shared && strcmp(v->space, "global")) {
    uw_ptx_refuse(m, "a variable of '.%s' outside of functions is not supported", v->space);
    return NULL;
  }
  if (strstr(v->type->name, "ref") && !m->of) {
    uw_ptx_refuse(m, "a variable of type '.%s' is not supported", v->type->name);
    return NULL;
  }
  LLVMTypeRef type = uw_ptx_memory_type(m, v);
  unsigned space = constant ? CONSTANT : shared ? SHARED : GLOBAL;
  LLVMValueRef present = LLVMGetNamedGlobal(m->program->device, v->name);
  if (present && LLVMIsDeclaration(present) && !m->of) /* what clang declared */
    return present;
  LLVMValueRef global = LLVMAddGlobalInAddressSpace(m->program->device, type, v->name, space);
  bool declared = v->linkage == UW_PTX_EXTERN;
  if (!declared)
    LLVMSetInitializer(global, shared ? LLVMGetUndef(type) : LLVMConstNull(type));
  if (!declared && (shared || v->linkage == UW_PTX_INTERNAL))
    LLVMSetLinkage(global, LLVMInternalLinkage);
  else if (!declared && v->linkage != UW_PTX_VISIBLE)
    LLVMSetLinkage(global, LLVMWeakAnyLinkage);
  unsigned natural = v->type->bits < 8 ? 1 : v->type->bits / 8 * v->lanes;
  LLVMSetAlignment(global, v->align > natural ? v->align : natural);
  return global;
}

static bool make_variables(uw_ptx_maker *m, const uw_ptx_module *module) {
  for (const uw_ptx_variable *v = module->variables; v; v = v->next) {
    LLVMValueRef known = (LLVMValueRef)uw_table_get(m->variables, v->name);
    if (known && v->linkage == UW_PTX_EXTERN)
      continue;
    LLVMValueRef global = uw_ptx_add_variable(m, v);
    if (!global)
      return false;
    if (v->is_managed && v->linkage != UW_PTX_EXTERN)
      LLVMSetSection(global, UW_MANAGED_SECTION);
    if (known) {
      LLVMReplaceAllUsesWith(known, global);
      LLVMDeleteGlobal(known);
    }
    uw_table_set(m->variables, v->name, (intptr_t)global);
  }
  return true;
}

/* After the functions, whose addresses may be among the values. */
static bool initialise_variables(uw_ptx_maker *m, const uw_ptx_module *module) {
  for (const uw_ptx_variable *v = module->variables; v; v = v->next) {
    LLVMValueRef global = (LLVMValueRef)uw_table_get(m->variables, v->name);
    if (v->initial && !(global = uw_ptx_initialise(m, v, global)))
      return false;
    uw_table_set(m->variables, v->name, (intptr_t)global);
  }
  return true;
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* What every module may call, with the types that the rest of the compiler knows. */
static LLVMTypeRef system_type(uw_ptx_maker *m, const char *name) {
  LLVMTypeRef p = LLVMPointerTypeInContext(m->program->context, 0), i32 = uw_ptx_int(m, 32), i64 = uw_ptx_int(m, 64);
  LLVMTypeRef nothing = LLVMVoidTypeInContext(m->program->context);
  if (strcmp(name, "vprintf") == 0)
    return LLVMFunctionType(i32, (LLVMTypeRef[]){p, p}, 2, false);
  if (strcmp(name, "malloc") == 0)
    return LLVMFunctionType(p, &i64, 1, false);
  if (strcmp(name, "free") == 0)
    return LLVMFunctionType(nothing, &p, 1, false);
  if (strcmp(name, "__assertfail") == 0)
    return LLVMFunctionType(nothing, (LLVMTypeRef[]){p, p, i32, p, i64}, 5, false);
  return NULL;
}

/* A kernel's parameters are values, arrays are byval. */
static LLVMTypeRef kernel_type(uw_ptx_maker *m, const uw_ptx_function *f) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(m->program->context, 0);
  unsigned count = 0;
  for (const uw_ptx_variable *v = f->parameters; v; v = v->next)
    count++;
  LLVMTypeRef *types = uw_alloc(m->program->arena, (count + 1) * sizeof *types);
  count = 0;
  for (const uw_ptx_variable *v = f->parameters; v; v = v->next)
    types[count++] = uw_ptx_by_address(v) || v->is_pointer ? pointer : uw_ptx_llvm_type(m, v->type);
  return LLVMFunctionType(LLVMVoidTypeInContext(m->program->context), types, count, false);
}

static void shape_kernel(uw_ptx_maker *m, const uw_ptx_function *f, LLVMValueRef function) {
  LLVMContextRef context = m->program->context;
  LLVMSetFunctionCallConv(function, LLVMPTXKernelCallConv);
  if (f->shape[0]) {
    const char *name = f->shape_required ? "nvvm.reqntid" : "nvvm.maxntid";
    const char *text = uw_arena_format(m->program->arena, "%u,%u,%u", f->shape[0], f->shape[1], f->shape[2]);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, "nvvm.maxntid", 12, text, (unsigned)strlen(text)));
    if (f->shape_required)
      LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                              LLVMCreateStringAttribute(context, name, 12, text, (unsigned)strlen(text)));
  }
  if (f->cluster[0]) {
    const char *text = uw_arena_format(m->program->arena, "%u,%u,%u", f->cluster[0], f->cluster[1], f->cluster[2]);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, UW_CLUSTER_DIMS, (unsigned)strlen(UW_CLUSTER_DIMS), text,
                                                      (unsigned)strlen(text)));
  }
  unsigned index = 1, by_value = LLVMGetEnumAttributeKindForName("byval", 5);
  for (const uw_ptx_variable *v = f->parameters; v; v = v->next, index++) {
    if (!uw_ptx_by_address(v))
      continue;
    LLVMAddAttributeAtIndex(function, index, LLVMCreateTypeAttribute(context, by_value, uw_ptx_memory_type(m, v)));
    unsigned natural = v->type->bits / 8 * v->lanes;
    add_attribute(m, function, index, "align", v->align > natural ? v->align : natural ? natural : 1);
  }
}

static bool declare_function(uw_ptx_maker *m, const uw_ptx_function *f) {
  m->line = f->line;
  if (f->grid_of_clusters)
    return uw_ptx_refuse(m, "a launch whose grid counts clusters (.blocksareclusters) is not supported");
  if (!f->is_defined &&
      (strncmp(f->name, "cudaLaunchDevice", 16) == 0 || strncmp(f->name, "cudaGetParameterBuffer", 22) == 0))
    return uw_ptx_refuse(m, "launches by kernels (%s) are not supported in PTX: compile the CUDA source", f->name);
  uw_ptx_callee *known = (uw_ptx_callee *)uw_table_get(m->callees, f->name);
  if (known && !f->is_defined)
    return true;
  if (f->results && f->results->next)
    return uw_ptx_refuse(m, "a function with several results is not supported");
  LLVMModuleRef device = m->program->device;
  LLVMValueRef present = NULL, function = NULL;
  LLVMTypeRef type = f->is_entry ? kernel_type(m, f) : uw_ptx_function_type(m, f->results, f->parameters);
  if (!f->is_defined) { /* clang's own and libdevice's have types of their own */
    LLVMTypeRef of_system = system_type(m, f->name);
    present = uw_library_function(m->program, UW_LIBDEVICE, f->name);
    type = present ? LLVMGlobalGetValueType(present) : of_system ? of_system : type;
    function = present ? present : LLVMAddFunction(device, f->name, type);
  } else {
    type = known ? known->type : type; /* declared before */
    function = known ? known->function : LLVMAddFunction(device, f->name, type);
    if (!f->is_entry || f->linkage == UW_PTX_WEAK) /* programs find kernels that are not visible, too */
      LLVMSetLinkage(function, f->linkage == UW_PTX_VISIBLE ? LLVMExternalLinkage
                               : f->linkage == UW_PTX_WEAK  ? LLVMWeakAnyLinkage
                                                            : LLVMInternalLinkage);
    static const char *const attributes[] = {"convergent", "nounwind"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
      add_attribute(m, function, LLVMAttributeFunctionIndex, attributes[i], 0);
    if (f->is_entry)
      shape_kernel(m, f, function);
  }
  if (f->no_return)
    add_attribute(m, function, LLVMAttributeFunctionIndex, "noreturn", 0);
  uw_ptx_callee *callee = known ? known : uw_alloc(m->program->arena, sizeof *callee);
  *callee = (uw_ptx_callee){function, type, f->results, f->parameters};
  uw_table_set(m->callees, f->name, (intptr_t)callee);
  return true;
}

/* Parameters lie in memory that registers can point to. */
static void make_parameters(uw_ptx_maker *m, const uw_ptx_function *f) {
  unsigned index = 0;
  if (f->results) {
    bool in_memory = uw_ptx_by_address(f->results), is_register = strcmp(f->results->space, "reg") == 0;
    if (in_memory)
      m->result = LLVMGetParam(m->function, index++);
    else if (is_register)
      m->result = uw_ptx_declare(m, f->results->name, f->results->type->bits)->room;
    else
      m->result = uw_ptx_stack_room(m, uw_ptx_memory_type(m, f->results));
    if (!is_register)
      uw_ptx_declare_variable(m, f->results->name, m->result);
  }
  for (const uw_ptx_variable *v = f->parameters; v; v = v->next) {
    LLVMValueRef value = LLVMGetParam(m->function, index++);
    LLVMSetValueName2(value, v->name, strlen(v->name));
    if (uw_ptx_by_address(v)) {
      uw_ptx_declare_variable(m, v->name, value);
    } else if (strcmp(v->space, "reg") == 0) {
      LLVMBuildStore(m->builder, value, uw_ptx_declare(m, v->name, v->type->bits)->room);
    } else {
      LLVMValueRef room = uw_ptx_stack_room(m, uw_ptx_memory_type(m, v));
      if (LLVMGetAlignment(room) < 8)
        LLVMSetAlignment(room, 8);
      LLVMBuildStore(m->builder, value, room);
      uw_ptx_declare_variable(m, v->name, room);
    }
  }
}

static bool define_function(uw_ptx_maker *m, const uw_ptx_function *f) {
  const uw_ptx_callee *callee = (const uw_ptx_callee *)uw_table_get(m->callees, f->name);
  m->function = callee->function;
  m->of = f;
  m->frame = NULL;
  uw_ptx_begin_function_places(m, f);
  m->result = NULL;
  m->depth = 0;
  m->labels = NULL;
  m->symbols = uw_table_create(m->program->arena);
  m->tables = uw_table_create(m->program->arena);
  m->scope = uw_alloc(m->program->arena, sizeof *m->scope);
  if (LLVMCountBasicBlocks(m->function))
    return uw_ptx_refuse(m, "'%s' is defined twice", f->name);
  LLVMBasicBlockRef entry = uw_ptx_block(m), body = uw_ptx_block(m);
  LLVMPositionBuilderAtEnd(m->builder, body);
  make_parameters(m, f);
  uw_ptx_begin_body(m, f->body);
  for (const uw_ptx_statement *s = f->body; s; s = s->next)
    if (!uw_ptx_statement_at(m, s))
      return false;
  uw_ptx_return(m);
  LLVMPositionBuilderAtEnd(m->builder, entry);
  LLVMBuildBr(m->builder, body);
  return true;
}

static bool make_aliases(uw_ptx_maker *m, const uw_ptx_module *module) {
  for (const uw_ptx_alias *alias = module->aliases; alias; alias = alias->next) {
    m->line = alias->line;
    uw_ptx_callee *of = (uw_ptx_callee *)uw_table_get(m->callees, alias->of);
    uw_ptx_callee *declared = (uw_ptx_callee *)uw_table_get(m->callees, alias->name);
    if (!of)
      return uw_ptx_refuse(m, "there is no function '%s'", alias->of);
    if (declared && declared->function != of->function)
      LLVMReplaceAllUsesWith(declared->function, of->function);
    uw_table_set(m->callees, alias->name, (intptr_t)of);
  }
  return true;
}

static bool make_module(uw_ptx_maker *m, const uw_ptx_module *module) {
  if (!make_variables(m, module))
    return false;
  for (const uw_ptx_function *f = module->functions; f; f = f->next)
    if (!declare_function(m, f))
      return false;
  if (!make_aliases(m, module) || !initialise_variables(m, module))
    return false;
  for (const uw_ptx_function *f = module->functions; f; f = f->next)
    if (f->is_defined && !define_function(m, f))
      return false;
  return true;
}

bool uw_load_ptx(uw_program *program, const char *text, size_t length, const char *file) {
  uw_ptx_maker m = {.program = program,
                    .names = uw_ptx_names_create(program->arena),
                    .builder = LLVMCreateBuilderInContext(program->context),
                    .file = file,
                    .symbols = uw_table_create(program->arena),
                    .variables = uw_table_create(program->arena),
                    .callees = uw_table_create(program->arena)};
  const uw_ptx_module *module = uw_ptx_read_module(m.names, text, length, &m.why, &m.line);
  uw_ptx_begin_places(&m, module);
  bool ok = module && make_module(&m, module);
  uw_ptx_end_places(&m);
  LLVMDisposeBuilder(m.builder);
  if (ok) {
    uw_link_needed(program, UW_LIBDEVICE);
    uw_ptx_link_library(program);
    return true;
  }
  fprintf(stderr, "%s:%u: error: %s\n", file, m.line, m.why ? m.why : "this is no PTX that can be read");
  return false;
}
