# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch calls start() when it is imported under unwarp --exec (entry point group torch.backends; PyTorch 2.5 and later).

The extension that this folder has the source of is loaded, from which moment on PyTorch's operators on "cuda" are computed
by its CPU kernels. unwarp --build-torch compiles it and says where it is. It is loaded at once, as "cuda" can be used first
by C++ that Python does not hear of.
"""
import ctypes
import os
import shlex
import subprocess
import sys
import zlib

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(_HERE)))
_COMPILER = os.path.join(_ROOT, "bin", "nvcc")
_OWN_FLAGS = ("--cuda-version=11", "--cuda-version=13")  # what _name_version adds
_TELLS = "env UNWARP_NVCC_FLAGS="
_state = {"asked": False, "library": None}


def start():
    import torch

    if torch.version.cuda and not _state["asked"]:
        _state["asked"] = True
        _load(torch)
        _name_flags()
        _name_version(torch.version.cuda.split(".")[0])


def _name_version(major):
    # Extensions that are built by this process, or by those it starts, are built with torch's CUDA: setup.py's are refused otherwise.
    given = os.environ.get("NVCC_PREPEND_FLAGS", ""), os.environ.get("NVCC_APPEND_FLAGS", "")
    if major in ("11", "13") and not any("--cuda-version" in flags for flags in given):
        os.environ["NVCC_PREPEND_FLAGS"] = f"--cuda-version={major} {given[0]}".rstrip()
    # Their host files are compiled by the host compiler, which reads CPATH: include/unwarp/version.h.
    headers, path = os.path.join(_ROOT, "include", "unwarp", "host", major), os.environ.get("CPATH", "")
    if os.path.isdir(headers) and headers not in path.split(os.pathsep):
        os.environ["CPATH"] = headers + (os.pathsep + path if path else "")


def _name_flags():
    # ninja builds again what another command built, and does not see variables: an extension would stay as it was built before
    # -fcheck was asked for, and its tests would pass unchecked. So the command that torch has for nvcc tells of them.
    flags = " ".join(os.environ.get(name, "") for name in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"))
    flags = " ".join(flag for flag in flags.split() if flag not in _OWN_FLAGS)
    if not os.environ.get("PYTORCH_NVCC", _TELLS).startswith(_TELLS):
        return  # the user's
    os.environ.pop("PYTORCH_NVCC", None)
    if flags:
        home = os.environ.get("CUDA_HOME")
        nvcc = os.path.join(home, "bin", "nvcc") if home else _COMPILER
        os.environ["PYTORCH_NVCC"] = f"{_TELLS}{zlib.crc32(flags.encode()):08x} {shlex.quote(nvcc)}"


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
