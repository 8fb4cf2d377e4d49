/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The device module of a source without kernels, without a front end that reads all of SYCL's header for it: empty. Right
 * where a) the host launches nothing, b) nothing is shared with kernels, and c) no function is for other files' kernels,
 * which leaves no trace on the host's side: the driver looks at the text for that (driver/precompiled.c). */
#include "llvm-c/BitReader.h"
#include "llvm-c/BitWriter.h"
#include "sycl.h"

static bool shares_variables(LLVMModuleRef host) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(host); g; g = LLVMGetNextGlobal(g))
    if (uw_sycl_is_shared_variable(g))
      return true;
  return false;
}

bool uw_sycl_make_empty_device(const char *host_path, const char *device_path) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef host;
  char *message = NULL;
  /* Bodies are not read: a launch is a call of a function that is declared. */
  if (LLVMCreateMemoryBufferWithContentsOfFile(host_path, &buffer, &message) ||
      LLVMGetBitcodeModuleInContext2(context, buffer, &host))
    return false;
  if (LLVMGetNamedFunction(host, UW_SYCL_LAUNCH) || shares_variables(host))
    return false;
  LLVMModuleRef device = LLVMModuleCreateWithNameInContext("device", context);
  LLVMSetTarget(device, LLVMGetTarget(host));
  LLVMSetDataLayout(device, LLVMGetDataLayoutStr(host));
  return LLVMWriteBitcodeToFile(device, device_path) == 0;
}
