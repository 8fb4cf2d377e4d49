/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For -G: says where the variables of device code are, by calls that last, since debug records get lost on the way
 * through MLIR and so do values in what cleans up before:
 *
 *   %a = alloca i32                               %a = alloca i32
 *     #dbg_declare(%a, "a")                       %m = alloca i32
 *   store %v, %a                     ==>          call __unwarp_declare_variable(%m, index of "a", 0)
 *                                                 store %v, %a
 *                                                 call __unwarp_set_variable(%m, %v)
 *
 * So a scalar is computed with as ever, and the memory beside it has what the debugger shows. What is no scalar, or has
 * its address taken, stays in its own memory, which is declared itself. instrument/thread_variables.c gives each thread
 * of a block that memory, and lower/debug_records.c makes debug records of the calls.
 *
 * Shared variables are globals for clang, which no debugger could tell from block to block: each function that uses one
 * gets a variable of its name, type and scope, which holds its address. threadIdx, blockIdx, blockDim and gridDim are
 * no variables at all: each function of the program gets them.
 *
 * Before anything is inlined: each function still is what its debug information describes. Functions of our own headers
 * are left alone.
 */
#include <stdio.h>
#include <string.h>

#include "../ir/remarks.h"
#include "frontend.h"
#include "llvm-c/DebugInfo.h"

enum { SHARED = 3 };

typedef struct describing {
  uw_program *program;
  LLVMDIBuilderRef debug;
  LLVMBuilderRef builder;
  LLVMMetadataRef vectors[2]; /* uint3, dim3 */
} describing;

static LLVMMetadataRef operand(const describing *d, LLVMMetadataRef node, unsigned which) {
  LLVMValueRef value = LLVMMetadataAsValue(d->program->context, node);
  unsigned count = (unsigned)LLVMGetMDNodeNumOperands(value);
  LLVMValueRef *operands = uw_alloc(d->program->arena, (count + 1) * sizeof *operands);
  LLVMGetMDNodeOperands(value, operands);
  return which < count && operands[which] ? LLVMValueAsMetadata(operands[which]) : NULL;
}

static const char *text_of(const describing *d, LLVMMetadataRef string) {
  unsigned length = 0;
  const char *text = string ? LLVMGetMDString(LLVMMetadataAsValue(d->program->context, string), &length) : NULL;
  return text ? text : "";
}

static bool is_scope(LLVMMetadataRef scope) {
  LLVMMetadataKind kind = scope ? LLVMGetMetadataKind(scope) : LLVMMDStringMetadataKind;
  return kind == LLVMDISubprogramMetadataKind || kind == LLVMDILexicalBlockMetadataKind ||
         kind == LLVMDILexicalBlockFileMetadataKind;
}

/* The function's that a scope within one is of; null for others. */
static LLVMMetadataRef subprogram_of(const describing *d, LLVMMetadataRef scope) {
  while (is_scope(scope) && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind)
    scope = operand(d, scope, 1); /* DIScope has the file first, DILexicalBlockBase the scope around then */
  return is_scope(scope) ? scope : NULL;
}

/* Types that are local to a function are emitted with that, and the function that clang knew is not: they come out of
 * it. */
static void take_out(const describing *d, LLVMMetadataRef type, uw_table *seen) {
  enum { SCOPE = 1, BASE = 3, ELEMENTS = 4 };
  LLVMMetadataKind kind = type ? LLVMGetMetadataKind(type) : LLVMMDStringMetadataKind;
  if ((kind != LLVMDICompositeTypeMetadataKind && kind != LLVMDIDerivedTypeMetadataKind) || uw_table_get(seen, type))
    return;
  uw_table_set(seen, type, 1);
  take_out(d, operand(d, type, BASE), seen);
  LLVMMetadataRef elements = kind == LLVMDICompositeTypeMetadataKind ? operand(d, type, ELEMENTS) : NULL;
  unsigned count =
      elements ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(d->program->context, elements)) : 0;
  for (unsigned i = 0; i < count; i++)
    take_out(d, operand(d, elements, i), seen);
  if (is_scope(operand(d, type, SCOPE)))
    LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(d->program->context, type), SCOPE, NULL);
}

/* After the allocas that the function begins with. */
static LLVMValueRef beginning(LLVMValueRef function) {
  LLVMValueRef op = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (LLVMIsAAllocaInst(op))
    op = LLVMGetNextInstruction(op);
  return op;
}

/* A function of the device module that does nothing to its memory. */
static LLVMValueRef mark(const describing *d, const char *name, LLVMTypeRef *types, unsigned count, LLVMTypeRef *type) {
  LLVMContextRef context = d->program->context;
  LLVMValueRef function = LLVMGetNamedFunction(d->program->device, name);
  *type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, count, 0);
  if (function)
    return function;
  static const char *const attributes[] = {"nounwind", "willreturn"};
  enum { INACCESSIBLE = 0xc }; /* memory(inaccessiblemem: readwrite): it stays, and stands in nobody's way */
  function = LLVMAddFunction(d->program->device, name, *type);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i])), 0));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("memory", 6), INACCESSIBLE));
  return function;
}

/* At the builder's position. */
static void declare(const describing *d, const char *name, LLVMMetadataRef type, unsigned line, unsigned argument,
                    LLVMValueRef address, unsigned derefs) {
  uw_program *program = d->program;
  take_out(d, type, uw_table_create(program->arena));
  LLVMTypeRef i64 = LLVMInt64TypeInContext(program->context), i32 = LLVMInt32TypeInContext(program->context), marks;
  LLVMTypeRef types[] = {LLVMPointerTypeInContext(program->context, 0), i64, i32};
  LLVMValueRef function = mark(d, UW_DECLARE_VARIABLE, types, 3, &marks);
  LLVMValueRef arguments[] = {address, LLVMConstInt(i64, program->debug.count, 0), LLVMConstInt(i32, derefs, 0)};
  program->debug.variables = uw_grow(program->arena, program->debug.variables, program->debug.count,
                                     &program->debug.capacity, sizeof *program->debug.variables);
  program->debug.variables[program->debug.count++] =
      (uw_shown_variable){uw_arena_format(program->arena, "%s", name), type, line, argument};
  LLVMBuildCall2(d->builder, marks, function, arguments, 3, "");
}

static void set(describing *d, LLVMValueRef memory, LLVMValueRef value) {
  LLVMTypeRef types[] = {LLVMTypeOf(memory), LLVMTypeOf(value)}, marks;
  char name[64];
  LLVMValueRef arguments[] = {memory, value}, function = NULL;
  for (size_t n = 0; !function; n++) { /* one for each type */
    snprintf(name, sizeof name, UW_SET_VARIABLE "%zu", n);
    LLVMValueRef known = LLVMGetNamedFunction(d->program->device, name);
    if (!known || LLVMTypeOf(LLVMGetParam(known, 1)) == types[1])
      function = mark(d, name, types, 2, &marks);
  }
  LLVMBuildCall2(d->builder, marks, function, arguments, 2, "");
}

static LLVMValueRef room_in(const describing *d, LLVMValueRef function, LLVMTypeRef type) {
  LLVMPositionBuilderBefore(d->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  return LLVMBuildAlloca(d->builder, type, "");
}

/* What has its address in a pointer. */
static void declare_at(describing *d, LLVMValueRef function, LLVMMetadataRef place, const char *name,
                       LLVMMetadataRef type, unsigned line, unsigned argument, LLVMValueRef address) {
  LLVMValueRef holder = room_in(d, function, LLVMTypeOf(address));
  LLVMPositionBuilderBefore(d->builder, beginning(function));
  LLVMSetCurrentDebugLocation2(d->builder, place);
  declare(d, name, type, line, argument, holder, 1);
  set(d, holder, address);
  LLVMSetCurrentDebugLocation2(d->builder, NULL);
}

static bool is_of_program(const describing *d, LLVMMetadataRef subprogram) {
  unsigned length, folder_length;
  LLVMMetadataRef file = LLVMDIScopeGetFile(subprogram);
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL,
             *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : NULL;
  if (!name || !length)
    return false;
  bool whole = name[0] == '/' || !folder_length;
  return !uw_is_own_header(uw_arena_format(d->program->arena, "%.*s%s%.*s", whole ? 0 : (int)folder_length, folder,
                                           whole ? "" : "/", (int)length, name));
}

/* --- variables of the source -------------------------------------------------------------------------------------- */

/* Only loaded and stored as a whole. */
static bool is_number(LLVMValueRef memory) {
  LLVMTypeRef type = LLVMGetAllocatedType(memory);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(memory); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    size_t length;
    bool loads = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
    bool stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == memory && LLVMGetOperand(user, 0) != memory &&
                  LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
    bool lives =
        callee && LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), "llvm.lifetime", 13) == 0;
    if (!loads && !stores && !lives)
      return false;
  }
  return true;
}

static unsigned argument_of(const describing *d, LLVMMetadataRef variable) {
  unsigned number = 0;
  char *text = LLVMPrintValueToString(LLVMMetadataAsValue(d->program->context, variable)); /* not among its operands */
  const char *found = strstr(text, ", arg: ");
  if (found)
    sscanf(found, ", arg: %u", &number);
  LLVMDisposeMessage(text);
  return number;
}

static bool is_plain(const describing *d, LLVMMetadataRef expression) {
  char *text = LLVMPrintValueToString(LLVMMetadataAsValue(d->program->context, expression));
  bool plain = strcmp(text, "!DIExpression()") == 0;
  LLVMDisposeMessage(text);
  return plain;
}

static void show(describing *d, LLVMValueRef function, LLVMDbgRecordRef record) {
  enum { NAME = 1, TYPE = 3 };
  LLVMValueRef memory = LLVMDbgVariableRecordGetValue(record, 0);
  LLVMMetadataRef variable = LLVMDbgVariableRecordGetVariable(record), place = LLVMDbgRecordGetDebugLoc(record);
  const char *name = text_of(d, operand(d, variable, NAME));
  LLVMMetadataRef type = operand(d, variable, TYPE);
  unsigned line = LLVMDIVariableGetLine(variable), argument = argument_of(d, variable);
  if (!memory || !type || !place || !name[0] || !is_plain(d, LLVMDbgVariableRecordGetExpression(record)))
    return;
  if (LLVMIsAArgument(memory)) { /* a structure, by value */
    declare_at(d, function, place, name, type, line, argument, memory);
    return;
  }
  if (!LLVMIsAAllocaInst(memory))
    return;
  LLVMValueRef shown = is_number(memory) ? room_in(d, function, LLVMGetAllocatedType(memory)) : memory;
  LLVMPositionBuilderBefore(d->builder, beginning(function));
  LLVMSetCurrentDebugLocation2(d->builder, place);
  declare(d, name, type, line, argument, shown, 0);
  for (LLVMUseRef use = LLVMGetFirstUse(memory); use && shown != memory; use = LLVMGetNextUse(use)) {
    LLVMValueRef store = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(store))
      continue;
    LLVMPositionBuilderBefore(d->builder, LLVMGetNextInstruction(store));
    LLVMSetCurrentDebugLocation2(d->builder,
                                 LLVMInstructionGetDebugLoc(store) ? LLVMInstructionGetDebugLoc(store) : place);
    set(d, shown, LLVMGetOperand(store, 0));
  }
  LLVMSetCurrentDebugLocation2(d->builder, NULL);
}

static void show_all(describing *d, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      for (LLVMDbgRecordRef record = LLVMGetFirstDbgRecord(op), next; record; record = next) {
        next = LLVMGetNextDbgRecord(record);
        if (LLVMDbgRecordGetKind(record) == LLVMDbgRecordDeclare)
          show(d, function, record);
      }
}

/* --- shared variables --------------------------------------------------------------------------------------------- */

/* Of a dynamic array (extern __shared__), which clang does not describe: scalars alone, by what LLVM knows of them. */
static LLVMMetadataRef array_type(const describing *d, LLVMValueRef global) {
  enum { SIGNED_CHAR = 6, SIGNED = 5, FLOAT = 4 }; /* DW_ATE_* */
  LLVMTypeRef type = LLVMGlobalGetValueType(global),
              element = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetElementType(type) : type;
  const char *name;
  unsigned bits, encoding = FLOAT;
  switch (LLVMGetTypeKind(element)) {
  case LLVMFloatTypeKind: name = "float", bits = 32; break;
  case LLVMDoubleTypeKind: name = "double", bits = 64; break;
  case LLVMIntegerTypeKind:
    bits = LLVMGetIntTypeWidth(element);
    name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
    encoding = bits == 8 ? SIGNED_CHAR : SIGNED;
    break;
  default: return NULL;
  }
  if (element == type || bits > 64)
    return NULL;
  LLVMMetadataRef number = LLVMDIBuilderCreateBasicType(d->debug, name, strlen(name), bits, encoding, LLVMDIFlagZero);
  LLVMMetadataRef all = LLVMDIBuilderGetOrCreateSubrange(d->debug, 0, -1);
  return LLVMDIBuilderCreateArrayType(d->debug, 0, bits, number, &all, 1);
}

/* variable: null for a dynamic array. */
static void declare_shared_in(describing *d, LLVMValueRef global, LLVMMetadataRef variable, LLVMValueRef function) {
  enum { NAME = 1, TYPE = 3 };
  LLVMMetadataRef own = LLVMGetSubprogram(function), scope = variable ? LLVMDIVariableGetScope(variable) : NULL;
  LLVMMetadataRef type = variable ? operand(d, variable, TYPE) : array_type(d, global);
  size_t length;
  if (!own || !type || !is_of_program(d, own))
    return;
  bool local = subprogram_of(d, scope) == own;
  unsigned line = variable ? LLVMDIVariableGetLine(variable) : LLVMDISubprogramGetLine(own);
  LLVMMetadataRef place = LLVMDIBuilderCreateDebugLocation(d->program->context, line, 1, local ? scope : own, NULL);
  declare_at(d, function, place, variable ? text_of(d, operand(d, variable, NAME)) : LLVMGetValueName2(global, &length),
             type, line, 0, LLVMConstAddrSpaceCast(global, LLVMPointerTypeInContext(d->program->context, 0)));
}

/* In each function that uses it, through constant expressions too. */
static void declare_shared(describing *d, LLVMValueRef global, LLVMMetadataRef variable, LLVMValueRef used,
                           uw_table *done) {
  for (LLVMUseRef use = LLVMGetFirstUse(used), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) {
      if (LLVMIsAConstantExpr(user))
        declare_shared(d, global, variable, user, done);
      continue;
    }
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    if (!uw_table_get(done, function))
      declare_shared_in(d, global, variable, function);
    uw_table_set(done, function, 1);
  }
}

static LLVMMetadataRef variable_of(LLVMContextRef context, LLVMValueRef global) {
  size_t count;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &count);
  unsigned kind = LLVMGetMDKindIDInContext(context, "dbg", 3);
  LLVMMetadataRef found = NULL;
  for (unsigned i = 0; i < count && !found; i++)
    if (LLVMValueMetadataEntriesGetKind(all, i) == kind)
      found = LLVMDIGlobalVariableExpressionGetVariable(LLVMValueMetadataEntriesGetMetadata(all, i));
  LLVMDisposeValueMetadataEntries(all);
  return found;
}

/* --- indices ------------------------------------------------------------------------------------------------------ */

static LLVMMetadataRef vector_type(const describing *d, LLVMMetadataRef file, const char *name) {
  enum { BITS = 32, UNSIGNED = 7 /* DW_ATE_unsigned */ };
  LLVMMetadataRef number =
      LLVMDIBuilderCreateBasicType(d->debug, "unsigned int", strlen("unsigned int"), BITS, UNSIGNED, LLVMDIFlagZero);
  LLVMMetadataRef members[3];
  for (unsigned i = 0; i < 3; i++)
    members[i] = LLVMDIBuilderCreateMemberType(d->debug, file, &"xyz"[i], 1, file, 0, BITS, BITS, (uint64_t)BITS * i,
                                               LLVMDIFlagZero, number);
  return LLVMDIBuilderCreateStructType(d->debug, file, name, strlen(name), file, 0, 3 * BITS, BITS, LLVMDIFlagZero,
                                       NULL, members, 3, 0, NULL, "", 0);
}

static void declare_indices(describing *d, LLVMValueRef function) {
  static const struct {
    const char *name, *registers;
    int is_dim;
  } indices[] = {{"threadIdx", "tid", 0}, {"blockIdx", "ctaid", 0}, {"blockDim", "ntid", 1}, {"gridDim", "nctaid", 1}};
  LLVMMetadataRef own = LLVMGetSubprogram(function), file = LLVMDIScopeGetFile(own);
  LLVMContextRef context = d->program->context;
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context), read = LLVMFunctionType(i32, NULL, 0, 0);
  unsigned line = LLVMDISubprogramGetLine(own);
  LLVMMetadataRef place = LLVMDIBuilderCreateDebugLocation(context, line, 1, own, NULL);
  for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
    LLVMMetadataRef *type = &d->vectors[indices[i].is_dim];
    if (!*type)
      *type = vector_type(d, file, indices[i].is_dim ? "dim3" : "uint3");
    LLVMValueRef memory = room_in(d, function, LLVMArrayType2(i32, 3));
    LLVMPositionBuilderBefore(d->builder, beginning(function));
    LLVMSetCurrentDebugLocation2(d->builder, place);
    declare(d, indices[i].name, *type, line, 0, memory, 0);
    for (unsigned k = 0; k < 3; k++) {
      const char *name =
          uw_arena_format(d->program->arena, "llvm.nvvm.read.ptx.sreg.%s.%c", indices[i].registers, "xyz"[k]);
      LLVMValueRef reader = LLVMGetNamedFunction(d->program->device, name), offset = LLVMConstInt(i32, k, 0);
      if (!reader)
        reader = LLVMAddFunction(d->program->device, name, read);
      LLVMBuildStore(d->builder, LLVMBuildCall2(d->builder, read, reader, NULL, 0, ""),
                     LLVMBuildInBoundsGEP2(d->builder, i32, memory, &offset, 1, ""));
    }
    LLVMSetCurrentDebugLocation2(d->builder, NULL);
  }
}

/* The unit that clang's functions are of. */
static void keep_unit(uw_program *program) {
  LLVMValueRef unit;
  if (LLVMGetNamedMetadataNumOperands(program->device, "llvm.dbg.cu") != 1)
    return;
  LLVMGetNamedMetadataOperands(program->device, "llvm.dbg.cu", &unit);
  program->debug.unit = LLVMValueAsMetadata(unit);
}

void uw_describe_variables(uw_program *program) {
  keep_unit(program);
  describing d = {.program = program,
                  .debug = LLVMCreateDIBuilder(program->device),
                  .builder = LLVMCreateBuilderInContext(program->context)};
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && LLVMGetSubprogram(f) && is_of_program(&d, LLVMGetSubprogram(f))) {
      show_all(&d, f);
      declare_indices(&d, f);
    }
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g)) {
    bool shared = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED;
    LLVMMetadataRef variable = shared ? variable_of(program->context, g) : NULL;
    if (variable || (shared && LLVMIsDeclaration(g)))
      declare_shared(&d, g, variable, g, uw_table_create(program->arena));
  }
  LLVMDIBuilderFinalize(d.debug);
  LLVMDisposeDIBuilder(d.debug);
  LLVMDisposeBuilder(d.builder);
}
