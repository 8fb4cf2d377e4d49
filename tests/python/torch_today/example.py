# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/pytorch as docs/pytorch.md has it, with -fcheck: its tests pass, and fail where its kernels are wrong: a line each."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from script import expect, main

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "pytorch"


def _run(change=None):
    """The status and what is said by the workflow's command, in a copy where `change` is done to the CUDA source."""
    with tempfile.TemporaryDirectory(prefix="example-") as folder:
        copy = pathlib.Path(folder, "project")
        shutil.copytree(EXAMPLE, copy)
        source = copy / "kernels.cu"
        if change:
            changed = source.read_text().replace(*change, 1)
            expect(changed != source.read_text(), f"{change[0]} in {source}")
            source.write_text(changed)
        command = re.search(r"run: unwarp --exec python (.*)", (EXAMPLE / "workflow.yml").read_text())[1].split()
        done = subprocess.run([sys.executable, *command], cwd=copy, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "NVCC_APPEND_FLAGS": "-fcheck -g", "TORCH_EXTENSIONS_DIR": f"{folder}/extensions", "TORCH_CUDA_ARCH_LIST": "8.0"})
        return done.returncode, done.stdout


def page():
    text = (ROOT / "docs" / "pytorch.md").read_text()
    for name in ("kernels.cu", "kernels.py", "test_kernels.py", "workflow.yml"):
        code = "".join(line for line in (EXAMPLE / name).read_text().splitlines(keepends=True) if "SPDX" not in line)
        expect(code in text, f"{name} in docs/pytorch.md")


def passes():
    status, said = _run()
    expect(status == 0 and "6 passed" in said, f"status {status}: {said[-1500:]}")


def a_race_is_found():
    status, said = _run(("      sums[threadIdx.x] += sums[threadIdx.x + half];\n    __syncthreads();\n", "      sums[threadIdx.x] += sums[threadIdx.x + half];\n"))
    expect(status not in (0, 2) and "race" in said and "kernels.cu:17" in said and "normalize_rows" in said, f"status {status}: {said[-1500:]}")


def a_wild_access_is_found():
    status, said = _run(("x[blockIdx.x * columns + i] * rsqrtf", "x[blockIdx.x * columns + i + 1] * rsqrtf"))
    expect(status not in (0, 2) and "normalize_rows" in said and "kernels.cu:21" in said, f"status {status}: {said[-1500:]}")


if __name__ == "__main__":
    main(page, passes, a_race_is_found, a_wild_access_is_found)
