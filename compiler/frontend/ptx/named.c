/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Barriers of a part of the block are counts in shared memory (libdevice/ptx/named_barriers.c), which begin at zero:
 * each thread of a kernel that has some stores the same zeros, and all meet, before anything else. Asked when all is
 * inlined. NVVM's intrinsics for them become the same functions.
 */
#include "llvm-c/Target.h"
#include "ptx.h"

static LLVMValueRef kernel_of(LLVMValueRef user) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
  return LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv ? function : NULL;
}

/* Functions that use it, also by way of constant expressions. */
static void list_kernels(uw_program *program, LLVMValueRef value, uw_table *kernels, LLVMValueRef *list, size_t *count,
                         size_t room) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user)) {
      list_kernels(program, user, kernels, list, count, room);
      continue;
    }
    LLVMValueRef kernel = kernel_of(user);
    if (!kernel || uw_table_get(kernels, kernel) || *count == room)
      continue;
    uw_table_set(kernels, kernel, 1);
    list[(*count)++] = kernel;
  }
}

static size_t function_count(LLVMModuleRef module) {
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    count++;
  return count;
}

static LLVMValueRef first_real(LLVMValueRef kernel) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));
  while (LLVMIsAAllocaInst(at))
    at = LLVMGetNextInstruction(at);
  return at;
}

void uw_ptx_clear_named_barriers(uw_program *program) {
  LLVMModuleRef device = program->device;
  LLVMValueRef barriers = LLVMGetNamedGlobal(device, "__ptx_named_barriers");
  if (!barriers)
    return;
  size_t room = function_count(device), count = 0;
  LLVMValueRef *kernels = uw_alloc(program->arena, (room + 1) * sizeof *kernels);
  list_kernels(program, barriers, uw_table_create(program->arena), kernels, &count, room);
  unsigned long long bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(device), LLVMGlobalGetValueType(barriers));
  LLVMTypeRef word = LLVMInt64TypeInContext(program->context);
  static const char name[] = "llvm.nvvm.barrier.cta.sync.aligned.all";
  LLVMValueRef meet = LLVMGetIntrinsicDeclaration(device, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  for (size_t i = 0; i < count; i++) {
    LLVMPositionBuilderBefore(builder, first_real(kernels[i]));
    for (unsigned long long k = 0; k < bytes / 8; k++) {
      LLVMValueRef index = LLVMConstInt(word, k, false);
      LLVMBuildStore(builder, LLVMConstNull(word), LLVMBuildGEP2(builder, word, barriers, &index, 1, ""));
    }
    LLVMValueRef zero = LLVMConstNull(LLVMInt32TypeInContext(program->context));
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(meet), meet, &zero, 1, "");
  }
  LLVMDisposeBuilder(builder);
}

/* llvm.nvvm.barrier.cta.KIND{.aligned}.count(number, threads{, predicate}) is one of libdevice/ptx. Whether there was
 * any. */
bool uw_ptx_take_named_barriers(uw_program *program) {
  static const struct {
    const char *kind, *function;
  } known[] = {{"sync", "__ptx_bar_sync_2"},
               {"arrive", "__ptx_bar_arrive"},
               {"red.popc", "__ptx_bar_red_popc_u32_3"},
               {"red.and", "__ptx_bar_red_and_pred_3"},
               {"red.or", "__ptx_bar_red_or_pred_3"}};
  bool found = false;
  for (size_t i = 0; i < 2 * (sizeof known / sizeof *known); i++) {
    char *name =
        uw_arena_format(program->arena, "llvm.nvvm.barrier.cta.%s%s.count", known[i / 2].kind, i % 2 ? "" : ".aligned");
    LLVMValueRef intrinsic = LLVMGetNamedFunction(program->device, name);
    LLVMValueRef function = intrinsic ? uw_library_function(program, UW_LIBPTX, known[i / 2].function) : NULL;
    if (!function || LLVMGlobalGetValueType(function) != LLVMGlobalGetValueType(intrinsic))
      continue;
    LLVMReplaceAllUsesWith(intrinsic, function);
    found = true;
  }
  return found;
}
