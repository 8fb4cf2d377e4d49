# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m unwarp: the compiler."""
import os
import sys

import unwarp

try:
    program = os.path.join(unwarp.path(), "unwarp")
    os.execv(program, [program] + sys.argv[1:])
except OSError as error:
    sys.exit(f"unwarp: error: {error}")
