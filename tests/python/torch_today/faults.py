# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""-fcheck in an extension: ten faults, each planted in a kernel and found with its line; the same kernels, mended, are
told nothing of. The line that is to be told ends with // HERE. And an extension is built again when -fcheck comes or goes.

    faults.py [NAME ...]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["NVCC_APPEND_FLAGS"] = "-fcheck"  # before torch is imported, which looks at it

import torch
from torch.utils.cpp_extension import load

from script import expect, main

# By the kernel's name: the class that is told, its source, and its grid and blocks.
FAULTS = {
    "race_in_shared": ("race", r"""
template <bool bad> __global__ void race_in_shared(float *x, float *y, int n) {
  __shared__ float held[128];
  held[threadIdx.x] = 0;
  __syncthreads();
  held[threadIdx.x] = x[threadIdx.x];
  if (!bad)
    __syncthreads();
  y[threadIdx.x] = held[127 - threadIdx.x]; // HERE
}""", "1, 128"),
    "race_between_blocks": ("race", r"""
template <bool bad> __global__ void race_between_blocks(float *x, float *y, int n) {
  float sum = x[blockIdx.x * blockDim.x + threadIdx.x];
  if (bad)
    y[0] += sum; // HERE
  else
    atomicAdd(y, sum);
}""", "4, 32"),
    "past_the_end": ("memory", r"""
template <bool bad> __global__ void past_the_end(float *x, float *y, int n) {
  for (int i = threadIdx.x; bad ? i <= n : i < n; i += blockDim.x)
    y[i] = x[i] * 2; // HERE
}""", "1, 128"),
    "before_the_start": ("memory", r"""
template <bool bad> __global__ void before_the_start(float *x, float *y, int n) {
  int i = threadIdx.x;
  if (bad || i > 0)
    y[i] = x[i] - x[i - 1]; // HERE
}""", "1, 128"),
    "shared_past_the_end": ("memory", r"""
template <bool bad> __global__ void shared_past_the_end(float *x, float *y, int n) {
  __shared__ float held[128];
  held[threadIdx.x + (bad ? 1 : 0)] = x[threadIdx.x]; // HERE
  __syncthreads();
  y[threadIdx.x] = held[threadIdx.x < 1 && bad ? 1 : threadIdx.x];
}""", "1, 128"),
    "misaligned": ("memory", r"""
template <bool bad> __global__ void misaligned(float *x, float *y, int n) {
  int i = threadIdx.x;
  if (i < n / 2 - 1)
    *(float2 *)(y + 2 * i + (bad ? 1 : 0)) = *(float2 *)(x + 2 * i); // HERE
}""", "1, 128"),
    "unwritten_shared": ("init", r"""
template <bool bad> __global__ void unwritten_shared(float *x, float *y, int n) {
  __shared__ float held[128];
  if (!bad || threadIdx.x < 100)
    held[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = held[threadIdx.x]; // HERE
}""", "1, 128"),
    "missing_barrier": ("sync", r"""
template <bool bad> __global__ void missing_barrier(float *x, float *y, int n) {
  __shared__ float held[128];
  held[threadIdx.x] = x[threadIdx.x];
  if (!bad || threadIdx.x < 64)
    __syncthreads(); // HERE
  y[threadIdx.x] = held[threadIdx.x];
  __syncthreads();
}""", "1, 128"),
    "shuffle_from_nobody": ("sync", r"""
template <bool bad> __global__ void shuffle_from_nobody(float *x, float *y, int n) {
  float v = x[threadIdx.x];
  if (!bad || threadIdx.x < 16)
    v += __shfl_xor_sync(0xffffffff, v, 16); // HERE
  y[threadIdx.x] = v;
  __syncwarp();
}""", "1, 32"),
    "after_free": ("memory", r"""
template <bool bad> __global__ void after_free(float *x, float *y, int n) {
  y[threadIdx.x] = x[threadIdx.x]; // HERE
}""", "1, 128"),
}

HEAD = """#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
"""


def _source():
    text, lines = HEAD, {}
    for name, (_, kernel, _) in FAULTS.items():
        before = text.count("\n")
        text += kernel.lstrip("\n") + "\n"
        lines[name] = before + 1 + kernel.lstrip("\n")[: kernel.lstrip("\n").index("// HERE")].count("\n")
    for name, (_, _, shape) in FAULTS.items():
        text += (
            f"void run_{name}(at::Tensor x, at::Tensor y, bool bad) {{\n"
            f"  (bad ? {name}<true> : {name}<false>)<<<{shape}, 0, at::cuda::getCurrentCUDAStream()>>>"
            "(x.data_ptr<float>(), y.data_ptr<float>(), (int)x.numel());\n}\n"
        )
    binds = "".join(f'm.def("{name}", &run_{name});' for name in FAULTS)
    return text + f"PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{ {binds} }}\n", lines


def _load():
    folder = pathlib.Path(os.environ["UW_FAULTS"])
    return load("uw_faults", [str(folder / "faults.cu")], build_directory=str(folder))


def _run_one(name, bad):
    module = _load()
    torch.zeros(1, device="cuda")
    # Neighbours in one segment of the caching allocator.
    around = [torch.rand(128, device="cuda") for _ in range(4)]
    x, y = around[1], around[2]
    if name == "after_free" and bad:
        gone = torch.rand(128, device="cuda")
        x = _borrow(gone)
        del gone
    getattr(module, name)(x, y, bad)
    torch.cuda.synchronize()


def _borrow(tensor):
    """A tensor over its memory that does not keep it: what a data_ptr() that is kept does."""

    class Lent:
        __cuda_array_interface__ = {"shape": tuple(tensor.shape), "typestr": "<f4", "data": (tensor.data_ptr(), False), "version": 2}

    return torch.as_tensor(Lent(), device="cuda")


def _told(name, bad):
    folder = os.environ["UW_FAULTS"]
    report = pathlib.Path(folder, f"{name}-{int(bad)}.json")
    done = subprocess.run(
        [sys.executable, __file__, "--one", name, str(int(bad))], stderr=subprocess.PIPE, text=True,
        env={**os.environ, "UNWARP_CHECK": f"json={report}"})
    found = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    return done.returncode, found, done.stderr


def _check(name):
    kind, lines = FAULTS[name][0], _source()[1]
    status, found, said = _told(name, True)
    expect(status == 66, f"status {status}: {said[-500:]}")
    expect(found and all(each["class"] == kind for each in found), said[-1500:])  # a shuffle is told of each lane
    expect(f"faults.cu:{lines[name]}" in json.dumps(found[0]) and name in said and "thread (" in said, f"line {lines[name]} in {said[-1500:]}")
    status, found, said = _told(name, False)
    expect(status == 0 and not found and "unwarp:" not in said, f"of the mended kernel, status {status}: {said[-1500:]}")


def built_again():
    """A build without -fcheck is not taken for one with it, nor the other way round, though the sources are the same."""
    with tempfile.TemporaryDirectory(prefix="again-") as folder:
        source = pathlib.Path(folder, "again.cu")
        source.write_text("""
__global__ void all_to_one(int *x) { x[0] = threadIdx.x; }
extern "C" int run() {
  int *x;
  cudaMalloc(&x, sizeof *x);
  all_to_one<<<1, 64>>>(x);
  return cudaDeviceSynchronize() + cudaFree(x);
}
""")
        use = (
            "import ctypes, sys; from torch.utils.cpp_extension import load; load('again', [sys.argv[1]], build_directory=sys.argv[2], is_python_module=False); "
            "sys.exit(ctypes.CDLL(sys.argv[2] + '/again.so').run())"
        )
        for flags, wanted in (("", 0), ("-fcheck", 66), ("-fcheck", 66), ("", 0)):
            done = subprocess.run([sys.executable, "-c", use, str(source), folder], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**os.environ, "NVCC_APPEND_FLAGS": flags})
            expect(done.returncode == wanted and ("all_to_one" in done.stdout) == (wanted == 66), f"NVCC_APPEND_FLAGS='{flags}', status {done.returncode}: {done.stdout[-1500:]}")


def _each():
    for name in FAULTS:

        def check(name=name):
            _check(name)

        check.__name__ = name
        yield check


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _run_one(sys.argv[2], sys.argv[3] == "1")
        sys.exit()
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0")
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        os.environ["UW_FAULTS"] = folder
        pathlib.Path(folder, "faults.cu").write_text(_source()[0])
        _load()
        main(built_again, *_each())
