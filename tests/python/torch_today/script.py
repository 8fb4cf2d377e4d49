# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of this folder share: checks by name, a line each."""
import sys
import time

import torch


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def main(*checks):
    failed = 0
    for check in checks:
        if sys.argv[1:] and check.__name__ not in sys.argv[1:]:
            continue
        begin, said = time.monotonic(), "right"
        try:
            check()
        except Exception as error:  # whatever PyTorch raises is this line's
            said = f"{type(error).__name__} {str(error).strip().splitlines()[0] if str(error) else ''}"
        failed += said != "right"
        print(f"{'PASS' if said == 'right' else 'FAIL'} PyTorch {torch.__version__} {check.__name__}: {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    sys.exit(failed > 0)
