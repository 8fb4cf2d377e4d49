/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What people call a SYCL kernel: the class that names it, or the line of its lambda. The symbol is that of a type of
 * our headers, `sycl::_V1::detail::kernel<NAME, BODY>`, in which a lambda's name takes hundreds of characters. */
#include "../../ir/shim.h"
#include "sycl.h"

#include <stdlib.h>
#include <string.h>

/* The end of the first template argument. */
static const char *end_of_argument(const char *at) {
  int depth = 0;
  for (; *at; at++) {
    if (strchr("<({[", *at))
      depth++;
    else if (depth == 0 && (*at == ',' || *at == '>'))
      break;
    else if (strchr(">)}]", *at))
      depth--;
  }
  return at;
}

/* After the function that a local class stands in, which ends with its parameters. */
static const char *without_function(const char *name, const char *end) {
  const char *own = name;
  int depth = 0;
  for (const char *at = name; at + 1 < end; at++) {
    depth += strchr("<({[", *at) ? 1 : strchr(">)}]", *at) ? -1 : 0;
    if (depth == 0 && at[0] == ':' && at[1] == ':')
      own = memchr(name, '(', (size_t)(at - name)) || memchr(name, '{', (size_t)(at - name)) ? at + 2 : own;
  }
  return own;
}

enum { DEEPEST = 8 }; /* calls from the kernel's entry to the lambda, through our headers */

/* The first function of the user's that the kernel calls, which is the lambda; null if there is none. */
static LLVMValueRef find_lambda(uw_program *program, LLVMValueRef function, int depth) {
  /* The entry is clang's own, at no line of the source's file. */
  if (depth && uw_place_of_users_function(program, function))
    return function;
  LLVMValueRef found = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && depth < DEEPEST;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op && !found; op = LLVMGetNextInstruction(op)) {
      LLVMValueRef called = LLVMIsACallInst(op) ? LLVMIsAFunction(LLVMGetCalledValue(op)) : NULL;
      found = called ? find_lambda(program, called, depth + 1) : NULL;
    }
  return found;
}
LLVMValueRef uw_sycl_kernel_lambda(uw_program *program, LLVMValueRef entry) { return find_lambda(program, entry, 0); }

const char *uw_sycl_kernel_place(uw_program *program, const char *symbol) {
  LLVMValueRef entry = LLVMGetNamedFunction(program->device, symbol); /* the host alone may have it */
  LLVMValueRef lambda = entry ? uw_sycl_kernel_lambda(program, entry) : NULL;
  return lambda ? uw_place_of_users_function(program, lambda) : NULL;
}

const char *uw_sycl_kernel_shown(uw_program *program, const char *symbol) {
  static const char type[] = "detail::kernel<";
  char *demangled = uw_shim_demangle(symbol);
  const char *at = strstr(demangled, type), *shown = NULL;
  if (at) {
    const char *name = at + strlen(type), *end = end_of_argument(name), *own = without_function(name, end);
    bool is_lambda = memchr(own, '{', (size_t)(end - own)) || memchr(own, '\'', (size_t)(end - own));
    const char *place = is_lambda ? uw_sycl_kernel_place(program, symbol) : NULL;
    shown = place ? uw_arena_format(program->arena, "lambda at %s", place)
                  : uw_arena_format(program->arena, "%.*s", (int)(end - own), own);
  }
  free(demangled);
  return shown;
}
