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
    {"malloc", "a kernel cannot take memory from the heap (malloc); take it before, by sycl::malloc_device"},
};

/* The line is the user's, who did not write the library's function that throws or takes the memory. */
static bool refuse(uw_program *program, LLVMValueRef user, const char *why) {
  const char *place = uw_place_in_program(program, user), *innermost = uw_place_of(program, user, false);
  fprintf(stderr, "%serror: %s\n", place, why);
  if (strcmp(place, innermost) != 0)
    fprintf(stderr, "%snote: by what is here\n", innermost);
  return false;
}

static bool check_function(uw_program *program, LLVMValueRef function) {
  if (!LLVMIsDeclaration(function))
    return true;
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
    if (starts(uw_llvm_name(function), forbidden[i].name) && LLVMGetFirstUse(function))
      return refuse(program, LLVMGetUser(LLVMGetFirstUse(function)), forbidden[i].why);
  return true;
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

static bool check_variable(uw_program *program, LLVMValueRef variable) {
  LLVMValueRef user = first_user(variable);
  const char *name = uw_llvm_name(variable);
  if (starts(name, UW_HIDDEN_VARIABLE))
    name += strlen(UW_HIDDEN_VARIABLE);
  if (!user || LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != 0 || starts(name, "llvm.") ||
      uw_sycl_is_shared_variable(variable))
    return true;
  if (LLVMIsThreadLocal(variable))
    return refuse(program, user,
                  uw_arena_format(program->arena, "a kernel cannot use '%s', which is thread-local",
                                  uw_shown_name(program, name)));
  if (LLVMIsGlobalConstant(variable) || starts(name, "_ZTV") || starts(name, "_ZTI") || starts(name, "_ZTS"))
    return true;
  return refuse(
      program, user,
      uw_arena_format(program->arena,
                      "a kernel cannot use the variable '%s' of the host, which is not constant; make it const or "
                      "constexpr, or capture its value",
                      uw_shown_name(program, name)));
}

/* --- recursion ---------------------------------------------------------------------------------------------------- */

enum { WITHIN = 1, DONE };

/* Every call of a function that has not returned yet. */
static void warn_of_recursion(uw_program *program, uw_table *visited, LLVMValueRef function) {
  uw_table_set(visited, function, WITHIN);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      LLVMValueRef called = LLVMIsACallInst(op) ? LLVMIsAFunction(LLVMGetCalledValue(op)) : NULL;
      if (!called || LLVMIsDeclaration(called))
        continue;
      if (!uw_table_get(visited, called))
        warn_of_recursion(program, visited, called);
      else if (uw_table_get(visited, called) == WITHIN)
        fprintf(stderr,
                "%swarning: '%s' is called while it runs; SYCL forbids recursion in kernels, and other compilers may "
                "refuse it\n",
                uw_place_in_program(program, op), uw_shown_name(program, uw_llvm_name(called)));
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
  bool ok = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f && ok; f = LLVMGetNextFunction(f))
    ok = check_function(program, f); /* one: throwing takes several functions */
  for (LLVMValueRef g = ok ? LLVMGetFirstGlobal(program->device) : NULL; g; g = LLVMGetNextGlobal(g))
    ok &= check_variable(program, g);
  if (ok && !program->options.no_warnings)
    check_recursion(program);
  return ok;
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
