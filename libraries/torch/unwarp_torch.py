# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch calls start() when it is imported under unwarp --exec (entry point group torch.backends; PyTorch 2.5 and later).

The extension that this folder has the source of is loaded, from which moment on PyTorch's operators on "cuda" are computed
by its CPU kernels. unwarp --build-torch compiles it and says where it is. It is loaded at once, as "cuda" can be used first
by C++ that Python does not hear of.
"""
import ctypes
import os
import subprocess
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_COMPILER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(_HERE))), "bin", "nvcc")
_state = {"asked": False, "library": None}


def start():
    import torch

    if torch.version.cuda and not _state["asked"]:
        _state["asked"] = True
        _name_version(torch.version.cuda.split(".")[0])
        _load(torch)


def _name_version(major):
    # Extensions that are built by this process, or by those it starts, are built with torch's CUDA: setup.py's are refused otherwise.
    given = os.environ.get("NVCC_PREPEND_FLAGS", ""), os.environ.get("NVCC_APPEND_FLAGS", "")
    if major in ("11", "13") and not any("--cuda-version" in flags for flags in given):
        os.environ["NVCC_PREPEND_FLAGS"] = f"--cuda-version={major} {given[0]}".rstrip()


def _load(torch):
    # What it says goes to stderr. It ends well or has said why not; then PyTorch's own kernels are tried, and fail by name.
    built = subprocess.run(
        [_COMPILER, "--build-torch", os.path.dirname(torch.__file__)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    if built.returncode:
        return
    try:
        library = ctypes.CDLL(built.stdout.decode().rstrip("\n"))
    except OSError as error:
        print(f"unwarp: the extension for PyTorch {torch.__version__} cannot be loaded: {error}", file=sys.stderr)
        return
    computed, refused = ctypes.c_ulong(), ctypes.c_ulong()
    if library.unwarp_torch_start(ctypes.byref(computed), ctypes.byref(refused)):
        _state["library"] = library
        if os.environ.get("UNWARP_TRACE") == "1":
            print(f"unwarp: PyTorch {torch.__version__}: {computed.value} operators by its CPU kernels, {refused.value} refused", file=sys.stderr)
