# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unwarp: compiles CUDA and SYCL programs for the CPU. This module says where its tool kit lies."""
import os

__all__ = ["cuda_home", "path"]
__version__ = "@VERSION@"


def cuda_home():
    """The folder that is laid out as a CUDA tool kit: for CUDA_HOME, and for CMake's CUDAToolkit_ROOT."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "toolkit")
    # version.txt is the last of the tool kit in the wheel, and so the last that pip writes.
    whole = os.access(os.path.join(folder, "bin", "nvcc"), os.X_OK) and os.path.exists(os.path.join(folder, "version.txt"))
    if not whole:
        raise FileNotFoundError(
            f"'{folder}' is not whole, as after an interrupted installation: pip install --force-reinstall unwarp"
        )
    return folder


def path():
    """The folder that holds nvcc: for PATH."""
    return os.path.join(cuda_home(), "bin")


def load_ipython_extension(ipython):
    """%load_ext unwarp: %%cuda and %%sycl."""
    from unwarp import notebook

    notebook.register(ipython)
