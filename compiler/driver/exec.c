/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --exec COMMAND …: becomes that command, in an environment where the loader takes our libraries for NVIDIA's, also
 * where a run path or a path in the program leads to those (libraries/exec/audit.c), and build systems and frameworks
 * find our tool kit and our ptxas. --exec --report: at its end a table says what ran from where (runtime/trace_totals.c).
 */
#include "exec.h"

#include "../support/strings.h"
#include "report.h"
#include "toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In front of what the variable lists. */
static void put_first(const char *variable, const char *item) {
  const char *old = getenv(variable);
  setenv(variable, old && *old ? uw_format("%s:%s", item, old) : item, 1);
}

bool uw_exec(char **command) {
  const char *root = uw_find_toolkit();
  if (command[0] && strcmp(command[0], "--report") == 0) {
    setenv("UNWARP_TRACE", "report", 1);
    command++;
  }
  if (!command[0])
    return uw_report_error("--exec wants a command");
  if (!root)
    return uw_report_error("the tool kit that comes with unwarp is missing: build or install unwarp again");
  const char *audit = uw_format("%s/lib64/libunwarp_exec.so", root);
  if (access(audit, R_OK) != 0)
    return uw_report_error("'%s', which comes with unwarp, is missing: build or install unwarp again", audit);
  put_first("LD_LIBRARY_PATH", uw_format("%s/lib64", root));
  put_first("LD_AUDIT", audit);
  put_first("PATH", uw_format("%s/bin", root));
  put_first("PYTHONPATH", uw_format("%s/lib64/python", root)); /* for PyTorch: libraries/torch */
  setenv("CUDA_HOME", root, 1);
  setenv("CUDA_PATH", root, 1);
  setenv("TRITON_PTXAS_PATH", uw_format("%s/bin/ptxas", root), 1);
  execvp(command[0], command);
  return uw_report_error("cannot run '%s': %s", command[0], strerror(errno));
}
