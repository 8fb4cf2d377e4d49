# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes a failing program of kernels.py, or with --sycl of sycl.py, smaller: leaves out statements, then heads of blocks, as long as it still fails in the same way
# (the first words of what kernels.sh says). Prints the smallest program that it found.
#
#   python3 reduce.py [--sycl] BUILD_DIR SEED > small.cu
import os
import re
import subprocess
import sys
import tempfile

is_sycl = sys.argv[1] == "--sycl"
if is_sycl:
    import sycl as kernels
else:
    import kernels

build, seed = sys.argv[-2], int(sys.argv[-1])
here = os.path.dirname(os.path.abspath(__file__))
folder = tempfile.mkdtemp(prefix="reduce-")


def failure(dropped, bare):
    """What is wrong with the program, without numbers; empty: nothing."""
    path = os.path.join(folder, "program.cpp" if is_sycl else "program.cu")
    with open(path, "w") as file:
        file.write(kernels.program(seed, dropped, bare)[1])
    ran = subprocess.run([os.path.join(here, "kernels.sh")] + ["--sycl"] * is_sycl + [build, "--one", path, str(seed)], capture_output=True, text=True)
    return re.sub(r"0x[0-9a-f]+|[0-9a-f]*\d[0-9a-f]*|/\S+", "N", ran.stdout)[:60] if ran.returncode else ""


def shrink(kept, wrong):
    """Delta debugging: halves, quarters, … of the indices that are kept leave, as long as it still fails as before."""
    size = max(len(kept) // 2, 1)
    while True:
        at = 0
        while at < len(kept):
            rest = kept[:at] + kept[at + size:]
            if wrong(rest):
                kept = rest
                print(f"{len(kept)} parts", file=sys.stderr)
            else:
                at += size
        if size == 1:
            return kept
        size //= 2


count = kernels.program(seed)[0].count
every = list(range(count))
first = failure([], [])
if not first:
    sys.exit(f"seed {seed} is right")
kept = shrink(every, lambda rest: failure(set(every) - set(rest), []) == first)
dropped = set(every) - set(kept)
heads = shrink(kept, lambda rest: failure(dropped, set(kept) - set(rest)) == first)
print(kernels.program(seed, dropped, set(kept) - set(heads))[1], end="")
