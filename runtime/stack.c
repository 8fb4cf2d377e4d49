/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The change from one stack to another. The C library's way (makecontext) asks the kernel to keep the signal mask,
 * twice for each block at each barrier of the grid; on x86-64 a call that saves what a call preserves takes a hundredth
 * of that.
 */
#include "internal.h"

#ifdef __x86_64__

/* Saved, from the stack pointer upwards: control words of the floating-point units, r15, r14, r13, r12, rbx, rbp, the
 * address to return to. (System V ABI for x86-64, "Registers": what belongs to the caller's caller.) */
enum { WORDS = 8 };

__asm__(".text\n"
        ".globl uwrt_stack_switch\n"
        ".hidden uwrt_stack_switch\n"
        ".type uwrt_stack_switch, @function\n"
        "uwrt_stack_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  subq $8, %rsp\n"
        "  stmxcsr (%rsp)\n"
        "  fnstcw 4(%rsp)\n"
        "  movq %rsp, (%rdi)\n"
        "  movq (%rsi), %rsp\n"
        "  ldmxcsr (%rsp)\n"
        "  fldcw 4(%rsp)\n"
        "  addq $8, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size uwrt_stack_switch, .-uwrt_stack_switch\n"
        /* Where a new stack begins: the function is in r12, its argument in r13. Nothing to return to. */
        ".type uwrt_stack_begin, @function\n"
        "uwrt_stack_begin:\n"
        "  movq %r13, %rdi\n"
        "  pushq $0\n"
        "  jmpq *%r12\n"
        ".size uwrt_stack_begin, .-uwrt_stack_begin\n");
extern const char uwrt_stack_begin[];

void uwrt_stack_prepare(uwrt_stack_place *place, void *stack, size_t bytes, void (*run)(void *), void *argument) {
  uint64_t *words = (uint64_t *)((unsigned char *)stack + bytes) - WORDS - 2; /* the stack's end is aligned to 16 */
  uint32_t control;
  uint16_t control_87;
  __asm__ volatile("stmxcsr %0" : "=m"(control));
  __asm__ volatile("fnstcw %0" : "=m"(control_87));
  words[0] = control | (uint64_t)control_87 << 32;
  words[1] = words[2] = words[5] = words[6] = 0;
  words[3] = (uint64_t)(uintptr_t)argument;
  words[4] = (uint64_t)(uintptr_t)run;
  words[7] = (uint64_t)(uintptr_t)uwrt_stack_begin;
  place->top = words;
}

#else

void uwrt_stack_switch(uwrt_stack_place *save, const uwrt_stack_place *to) {
  swapcontext(&save->context, &to->context);
}

/* makecontext passes ints. */
static void begin(unsigned int run_high, unsigned int run_low, unsigned int argument_high, unsigned int argument_low) {
  uintptr_t run = (uintptr_t)((uint64_t)run_high << 32 | run_low);
  ((void (*)(void *))run)((void *)(uintptr_t)((uint64_t)argument_high << 32 | argument_low));
}

void uwrt_stack_prepare(uwrt_stack_place *place, void *stack, size_t bytes, void (*run)(void *), void *argument) {
  uint64_t function = (uintptr_t)run, value = (uintptr_t)argument;
  if (getcontext(&place->context) != 0)
    uwrt_fatal("cannot make a stack for a block");
  place->context.uc_stack.ss_sp = stack;
  place->context.uc_stack.ss_size = bytes;
  place->context.uc_link = NULL;
  makecontext(&place->context, (void (*)(void))begin, 4, (unsigned int)(function >> 32), (unsigned int)function,
              (unsigned int)(value >> 32), (unsigned int)value);
}

#endif
