/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is there by name alone: functions that are refused, by their table, and those about logs, as nothing is logged.
 */
#pragma GCC visibility push(default)
#include "../../include/cusparse.h"
#pragma GCC visibility pop
#include "../common/refused.h"

#define UW_REFUSED(name, first) UWLIB_REFUSE(cusparseStatus_t, CUSPARSE_STATUS_NOT_SUPPORTED, name, first)
#include "../../include/unwarp/refused/cusparse.def"

cusparseStatus_t cusparseLoggerSetCallback(cusparseLoggerCallback_t callback) {
  (void)callback;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerSetFile(FILE *file) {
  (void)file;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerOpenFile(const char *logFile) {
  (void)logFile;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerSetLevel(int level) {
  (void)level;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerSetMask(int mask) {
  (void)mask;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseLoggerForceDisable(void) { return CUSPARSE_STATUS_SUCCESS; }
