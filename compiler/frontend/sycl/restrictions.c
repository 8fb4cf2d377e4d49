/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What SYCL 2020 forbids in kernels (section 5.4, "Language restrictions for device functions") and clang emits all the
 * same is refused here, with the line: exceptions, memory from the heap, run-time type information, function-local
 * statics with initialisers, thread-local variables, and variables of the host that are not constant. Recursion is
 * forbidden too, and runs here all the same: a warning says so. */
#include <stdio.h>
#include <string.h>

#include "sycl.h"

static bool starts(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Functions by the start of their name. */
static const struct {
  const char *name, *why;
} forbidden[] = {
    {"__cxa_throw", "a kernel cannot throw an exception; return an error by memory"},
    {"__cxa_rethrow", "a kernel cannot throw an exception; return an error by memory"},
    {"__cxa_allocate_exception", "a kernel cannot throw an exception; return an error by memory"},
    {"__cxa_begin_catch", "a kernel cannot catch exceptions"},
    {"__cxa_guard_acquire",
     "a static variable of a function that a kernel calls cannot have an initialiser that runs; make it constexpr"},
    {"__cxa_thread_atexit", "a kernel cannot use a thread-local variable"},
    {"__dynamic_cast", "a kernel cannot use dynamic_cast"},
    {"_Znw", "a kernel cannot take memory from the heap (new, std::vector, std::string); take it before, by "
             "sycl::malloc_device"},
    {"_Zna", "a kernel cannot take memory from the heap (new[]); take it before, by sycl::malloc_device"},
    {UW_SYCL_GROUP_STATIC_INSIDE, "a work_group_static cannot be part of another object or of an array: declare it "
                                  "by itself"},
    {"malloc", "a kernel cannot take memory from the heap (malloc); take it before, by sycl::malloc_device"},
};

/* What was refused, to say each line once: throwing takes several functions. */
typedef struct refusals {
  uw_program *program;
  const char **places;
  size_t count, room;
} refusals;

static void refuse_at(refusals *r, const char *place, const char *innermost, const char *why) {
  for (size_t i = 0; i < r->count; i++)
    if (strcmp(r->places[i], place) == 0)
      return;
  r->places = uw_grow(r->program->arena, r->places, r->count, &r->room, sizeof *r->places);
  r->places[r->count++] = place;
  fprintf(stderr, "%serror: %s\n", place, why);
  if (strcmp(place, innermost) != 0)
    fprintf(stderr, "%snote: by what is here\n", innermost);
}
/* The line is the user's, who did not write the library's function that throws or takes the memory. */
static void refuse(refusals *r, LLVMValueRef user, const char *why) {
  refuse_at(r, uw_place_in_program(r->program, user), uw_place_of(r->program, user, false), why);
}

static void check_function(refusals *r, LLVMValueRef function) {
  if (!LLVMIsDeclaration(function))
    return;
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
    if (!starts(uw_llvm_name(function), forbidden[i].name))
      continue;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
      if (LLVMIsAInstruction(LLVMGetUser(use)))
        refuse(r, LLVMGetUser(use), forbidden[i].why);
    return;
  }
}

/* --- captures ----------------------------------------------------------------------------------------------------- */

/* The object whose function this is: without optimisation its address is put into a variable first. */
static bool is_own_object(LLVMValueRef value, LLVMValueRef function) {
  LLVMValueRef own = LLVMGetParam(function, 0);
  if (value == own)
    return true;
  LLVMValueRef variable = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
  if (!variable || !LLVMIsAAllocaInst(variable))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == own)
      return true;
  }
  return false;
}

static void note_place(uw_program *program, const char *place) {
  program->captures = uw_grow(program->arena, program->captures, program->capture_count, &program->capture_room,
                              sizeof *program->captures);
  program->captures[program->capture_count++] = place;
}

/* A capture that is a reference: clang notes of what it loads that it is an object's address, which of a captured
 * pointer nobody knows. Other compilers give kernels a copy of the address of the host's variable. Noted as clang
 * emitted it, before anything is inlined; refused with the rest. */
static void note_captures(uw_program *program, LLVMValueRef entry) {
  LLVMValueRef lambda = uw_sycl_kernel_lambda(program, entry);
  if (!lambda || LLVMCountParams(lambda) == 0)
    return;
  unsigned nonnull = LLVMGetMDKindIDInContext(program->context, "nonnull", strlen("nonnull"));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(lambda); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      if (!LLVMIsALoadInst(op) || !LLVMGetMetadata(op, nonnull))
        continue;
      LLVMValueRef field = LLVMGetOperand(op, 0);
      if (is_own_object(LLVMIsAGetElementPtrInst(field) ? LLVMGetOperand(field, 0) : field, lambda))
        note_place(program, uw_place_in_program(program, op));
    }
}
void uw_sycl_note_captures(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv)
      note_captures(program, f);
}

/* The first instruction that uses the variable, through constant expressions too. */
static LLVMValueRef first_user(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user))
      return user;
    LLVMValueRef found = LLVMIsAConstant(user) && !LLVMIsAGlobalVariable(user) ? first_user(user) : NULL;
    if (found)
      return found;
  }
  return NULL;
}

static void check_variable(refusals *r, LLVMValueRef variable) {
  uw_program *program = r->program;
  LLVMValueRef user = first_user(variable);
  const char *name = uw_llvm_name(variable);
  if (starts(name, UW_HIDDEN_VARIABLE))
    name += strlen(UW_HIDDEN_VARIABLE);
  if (!user || LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != 0 || starts(name, "llvm.") ||
      uw_sycl_is_shared_variable(variable))
    return;
  const bool is_constant =
      LLVMIsGlobalConstant(variable) || starts(name, "_ZTV") || starts(name, "_ZTI") || starts(name, "_ZTS");
  if (LLVMIsThreadLocal(variable))
    refuse(r, user,
           uw_arena_format(program->arena, "a kernel cannot use '%s', which is thread-local",
                           uw_shown_name(program, name)));
  else if (strcmp(name, "_ZSt4cout") == 0 || strcmp(name, "_ZSt4cerr") == 0 || strcmp(name, "_ZSt4clog") == 0)
    refuse(r, user, "a kernel cannot use std::cout and its like; use sycl::stream");
  else if (!is_constant)
    refuse(r, user,
           uw_arena_format(program->arena,
                           "a kernel cannot use the variable '%s' of the host, which is not constant; make it const or "
                           "constexpr, or capture its value",
                           uw_shown_name(program, name)));
}

/* --- recursion ---------------------------------------------------------------------------------------------------- */

enum { WITHIN = 1, WARNED, DONE };

/* Calls of a function that has not returned yet, the first of each function. */
static void warn_of_recursion(uw_program *program, uw_table *visited, LLVMValueRef function) {
  uw_table_set(visited, function, WITHIN);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      LLVMValueRef called = LLVMIsACallInst(op) ? LLVMIsAFunction(LLVMGetCalledValue(op)) : NULL;
      if (!called || LLVMIsDeclaration(called))
        continue;
      if (!uw_table_get(visited, called))
        warn_of_recursion(program, visited, called);
      else if (uw_table_get(visited, called) == WITHIN) {
        uw_table_set(visited, called, WARNED);
        fprintf(stderr,
                "%swarning: '%s' is called while it runs; SYCL forbids recursion in kernels, and other compilers may "
                "refuse it\n",
                uw_place_in_program(program, op), uw_shown_name(program, uw_llvm_name(called)));
      }
    }
  uw_table_set(visited, function, DONE);
}

static void check_recursion(uw_program *program) {
  uw_table *visited = uw_table_create(program->arena);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !uw_table_get(visited, f))
      warn_of_recursion(program, visited, f);
}

bool uw_sycl_check(uw_program *program) {
  refusals all = {.program = program};
  for (size_t i = 0; i < program->capture_count; i++)
    refuse_at(
        &all, program->captures[i], program->captures[i],
        "a kernel cannot capture by reference: its captures are copied to the device; capture the value ([=]), or "
        "a pointer to memory of sycl::malloc_shared, or use a buffer");
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    check_function(&all, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g))
    check_variable(&all, g);
  if (!all.count && !program->options.no_warnings)
    check_recursion(program);
  return !all.count;
}

bool uw_sycl_is_provided(const char *name) {
  static const char *const names[] = {
      "printf",        "puts",    "putchar", "strlen",  "strcmp",        "memchr",         "llround", "llroundf",
      "lround",        "lroundf", "lrint",   "lrintf",  "llrint",        "llrintf",        "nan",     "nanf",
      "sincosl",       "fminl",   "fmaxl",   "sinhf",   "__sqrt_finite", "trunc",          "truncf",  "frexpl",
      "__assert_fail", "free",    "_ZdlPv",  "_ZdlPvm", "_ZdaPv",        "_ZSt9terminatev"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}
