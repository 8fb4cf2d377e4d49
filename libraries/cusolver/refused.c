/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is there by name alone: functions that are refused, by their table, and those about logs, as nothing is logged.
 */
#pragma GCC visibility push(default)
#include "../../include/cusolverDn.h"
#include "../../include/cusolverRf.h"
#include "../../include/cusolverSp.h"
#pragma GCC visibility pop
#include "../common/refused.h"

#define UW_REFUSED(name, first) UWLIB_REFUSE(cusolverStatus_t, CUSOLVER_STATUS_NOT_SUPPORTED, name, first)
#include "../../include/unwarp/refused/cusolverDn.def"

#define UW_REFUSED(name, first) UWLIB_REFUSE(cusolverStatus_t, CUSOLVER_STATUS_NOT_SUPPORTED, name, first)
#include "../../include/unwarp/refused/cusolverSp.def"
#define UW_REFUSED(name, first) UWLIB_REFUSE(cusolverStatus_t, CUSOLVER_STATUS_NOT_SUPPORTED, name, first)
#include "../../include/unwarp/refused/cusolverRf.def"

cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t callback) {
  (void)callback;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerSetFile(FILE *file) {
  (void)file;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerOpenFile(const char *logFile) {
  (void)logFile;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerSetLevel(int level) {
  (void)level;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerSetMask(int mask) {
  (void)mask;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnLoggerForceDisable(void) { return CUSOLVER_STATUS_SUCCESS; }
