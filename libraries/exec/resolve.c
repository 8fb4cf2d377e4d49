/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where jumps out of functions that were linked in statically go (linked_in.c): first here, in the middle of a call,
 * which loads our library into the program's own namespace and finds the function; from then on to that. A function
 * that ours has not gives back its library's code for what is not supported.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "exec.h"

#ifdef __x86_64__
/* r11 holds the entry. What the caller has put into registers stays there. */
__asm__(".text\n"
        ".globl uwexec_find_entry\n.hidden uwexec_find_entry\n.type uwexec_find_entry, @function\n"
        "uwexec_find_entry:\n"
        "  push %rbp\n  mov %rsp, %rbp\n  and $-16, %rsp\n  sub $192, %rsp\n"
        "  mov %rdi, (%rsp)\n  mov %rsi, 8(%rsp)\n  mov %rdx, 16(%rsp)\n  mov %rcx, 24(%rsp)\n"
        "  mov %r8, 32(%rsp)\n  mov %r9, 40(%rsp)\n  mov %rax, 48(%rsp)\n"
        "  movaps %xmm0, 64(%rsp)\n  movaps %xmm1, 80(%rsp)\n  movaps %xmm2, 96(%rsp)\n  movaps %xmm3, 112(%rsp)\n"
        "  movaps %xmm4, 128(%rsp)\n  movaps %xmm5, 144(%rsp)\n  movaps %xmm6, 160(%rsp)\n  movaps %xmm7, 176(%rsp)\n"
        "  mov %r11, 56(%rsp)\n  mov %r11, %rdi\n  call uwexec_entry_target\n  mov 56(%rsp), %r11\n"
        "  movaps 64(%rsp), %xmm0\n  movaps 80(%rsp), %xmm1\n  movaps 96(%rsp), %xmm2\n  movaps 112(%rsp), %xmm3\n"
        "  movaps 128(%rsp), %xmm4\n  movaps 144(%rsp), %xmm5\n  movaps 160(%rsp), %xmm6\n  movaps 176(%rsp), %xmm7\n"
        "  mov (%rsp), %rdi\n  mov 8(%rsp), %rsi\n  mov 16(%rsp), %rdx\n  mov 24(%rsp), %rcx\n"
        "  mov 32(%rsp), %r8\n  mov 40(%rsp), %r9\n  mov 48(%rsp), %rax\n"
        "  leave\n  jmp *(%r11)\n"
        ".size uwexec_find_entry, . - uwexec_find_entry\n");

/* Each call of a function that ours has not comes here, with the entry still in r11. */
__asm__(".text\n.hidden uwexec_refuse\n.type uwexec_refuse, @function\n"
        "uwexec_refuse:\n  mov %r11, %rdi\n  jmp uwexec_refused\n"
        ".size uwexec_refuse, . - uwexec_refuse\n");
void uwexec_refuse(void);

int uwexec_refused(const struct uwexec_entry *entry);
int uwexec_refused(const struct uwexec_entry *entry) {
  static void (*count)(const char *);
  if (!count) {
    void *runtime = dlmopen(LM_ID_BASE, "libcudart.so.12", RTLD_NOW | RTLD_NOLOAD);
    count = runtime ? (void (*)(const char *))dlsym(runtime, "uwrt_trace_refused") : NULL;
  }
  if (count)
    count(entry->name);
  return entry->refusal;
}

static void *refuse(const struct uwexec_entry *entry) {
  fprintf(stderr, "unwarp: %s calls %s, which unwarp's %s has not: it says that this is not supported\n", entry->user,
          entry->name, entry->library);
  return (void *)uwexec_refuse;
}

void uwexec_entry_target(struct uwexec_entry *entry);
void uwexec_entry_target(struct uwexec_entry *entry) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s%s", uwexec_folder(), entry->library);
  void *library = dlmopen(LM_ID_BASE, path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fprintf(stderr, "unwarp: %s\n", dlerror());
  void *found = library ? dlsym(library, entry->name) : NULL;
  found = found ? found : refuse(entry);
  __atomic_store_n(&entry->target, found, __ATOMIC_RELEASE);
}
#endif
