/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Counts operations: see growth.h. A function is known by its name, which the context keeps once: the address of the
 * attribute, or of LLVM's text, is the key. */
#include "growth.h"

#include <stdio.h>
#include <string.h>

#include "llvm-c/Core.h"
#include "stress.h"

/* A function with fewer operations counts as one of so many: a loop of it that is written out is no bug. */
enum { MOST_TIMES = 4, LEAST = 500 };

struct uw_sizes {
  uw_table *functions; /* name -> operations */
  size_t all;
};

static bool is_mlir(const uw_code *code) { return !mlirModuleIsNull(code->module); }

static MlirWalkResult count_one(MlirOperation op, void *count) {
  (void)op;
  ++*(size_t *)count;
  return MlirWalkResultAdvance;
}

static size_t operations_below(MlirOperation op) {
  size_t count = 0;
  mlirOperationWalk(op, count_one, &count, MlirWalkPreOrder);
  return count;
}

static size_t instructions_of(LLVMValueRef function) {
  size_t count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      count++;
  return count;
}

size_t uw_operations_in(const uw_code *code) {
  size_t count = 0;
  if (is_mlir(code))
    return operations_below(mlirModuleGetOperation(code->module));
  for (LLVMValueRef f = LLVMGetFirstFunction(code->llvm); f; f = LLVMGetNextFunction(f))
    count += instructions_of(f);
  return count;
}

typedef void visitor(const void *key, MlirStringRef name, size_t count, void *data);

static void visit_functions(const uw_code *code, visitor *visit, void *data) {
  if (is_mlir(code)) {
    uw_foreach_op (op, mlirModuleGetBody(code->module))
      if (uw_get_str_attr(op, "sym_name").data)
        visit(uw_get_attr(op, "sym_name").ptr, uw_get_str_attr(op, "sym_name"), operations_below(op), data);
    return;
  }
  LLVMContextRef context = LLVMGetModuleContext(code->llvm);
  for (LLVMValueRef f = LLVMGetFirstFunction(code->llvm); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    visit(LLVMMDStringInContext2(context, name, length), mlirStringRefCreate(name, length), instructions_of(f), data);
  }
}

static void note(const void *key, MlirStringRef name, size_t count, void *data) {
  uw_sizes *sizes = data;
  (void)name;
  uw_table_set(sizes->functions, key, (intptr_t)count);
  sizes->all += count;
}

uw_sizes *uw_sizes_of(uw_arena *arena, const uw_code *code) {
  if (!uw_stresses("growth"))
    return NULL;
  uw_sizes *sizes = uw_alloc(arena, sizeof *sizes);
  sizes->functions = uw_table_create(arena);
  visit_functions(code, note, sizes);
  return sizes;
}

static size_t most_of(size_t before) { return MOST_TIMES * (before > LEAST ? before : LEAST); }

static bool is_too_much(size_t before, size_t after) { return after > most_of(before); }

size_t uw_room_to_grow(LLVMValueRef function) {
  size_t now = instructions_of(function);
  return most_of(now) - now;
}

static void report(const char *step, MlirStringRef what, size_t before, size_t after) {
  fprintf(stderr, "bug in unwarp: '%s' makes %zu operations of %zu in %.*s\n", step, after, before, (int)what.length,
          what.data);
}

typedef struct comparison {
  const uw_sizes *before;
  const char *step;
  size_t all;
} comparison;

static void compare(const void *key, MlirStringRef name, size_t count, void *data) {
  comparison *c = data;
  size_t before = (size_t)uw_table_get(c->before->functions, key);
  if (before > 0 && is_too_much(before, count))
    report(c->step, name, before, count);
  c->all += count;
}

void uw_report_growth(const uw_sizes *before, const uw_code *code, const char *step) {
  if (!before)
    return;
  comparison c = {before, step, 0};
  visit_functions(code, compare, &c);
  if (is_too_much(before->all, c.all))
    report(step, uw_str("all functions together"), before->all, c.all);
}
