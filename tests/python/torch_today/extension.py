# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extensions with CUDA kernels, as they are built and used on a GPU, and what is told of one that faults: a line each.
They are built into the folder TORCH_EXTENSIONS_DIR, which is to be empty.

    extension.py [NAME ...]"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

import torch
from torch.utils.cpp_extension import load, load_inline

from script import expect, main

os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0;9.0+PTX"  # as it is set where there is a GPU

SCALE = r"""
#include <ATen/Dispatch.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

__global__ void broken_kernel(float *x, int64_t far) {
  if (blockIdx.x == 1 && threadIdx.x == 3)
    x[far] = 1; // HERE
}

void broken(at::Tensor x, int64_t far) { broken_kernel<<<2, 32, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), far); }

template <typename T> __global__ void scale_kernel(const T *x, T *y, float by, int64_t n) {
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
    y[i] = static_cast<T>(static_cast<float>(x[i]) * by);
}

at::Tensor scale(at::Tensor x, double by) {
  TORCH_CHECK(x.is_cuda() && x.is_contiguous(), "a contiguous tensor on a CUDA device");
  const at::cuda::CUDAGuard guard(x.device());
  auto y = at::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "scale", [&] {
    scale_kernel<scalar_t><<<64, 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.const_data_ptr<scalar_t>(), y.mutable_data_ptr<scalar_t>(), by, x.numel());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return y;
}
"""

ROWS = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cub/block/block_reduce.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

__global__ void row_sums_kernel(torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> x, torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits> y) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = 0;
  for (int column = threadIdx.x; column < x.size(1); column += blockDim.x)
    sum += x[blockIdx.x][column];
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}

torch::Tensor row_sums(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_sums_kernel<<<x.size(0), 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.packed_accessor32<float, 2, torch::RestrictPtrTraits>(),
                                                                           y.packed_accessor32<float, 1, torch::RestrictPtrTraits>());
  return y;
}

torch::Tensor sorted(torch::Tensor x) {
  auto y = x.clone();
  thrust::device_ptr<float> begin(y.data_ptr<float>());
  thrust::sort(thrust::cuda::par.on(at::cuda::getCurrentCUDAStream()), begin, begin + y.numel());
  return y;
}
"""


def _folder():
    return pathlib.Path(tempfile.mkdtemp(prefix="extension-"))


def _scale():
    return load_inline("uw_scale", "at::Tensor scale(at::Tensor x, double by); void broken(at::Tensor x, int64_t far);", SCALE, functions=["scale", "broken"])


def inline():
    module = _scale()
    for kind in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        x = torch.randn(1001, device="cuda").to(kind)
        torch.testing.assert_close(module.scale(x, 3), x * 3)
    try:
        module.scale(torch.ones(3), 2)
        raise AssertionError("a CPU tensor was taken")
    except RuntimeError as error:
        expect("a contiguous tensor" in str(error), error)


def streams_and_graphs():
    module, x, side = _scale(), torch.rand(5000, device="cuda"), torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        y = module.scale(x + 1, 2)
    torch.cuda.current_stream().wait_stream(side)
    torch.testing.assert_close(y, (x + 1) * 2)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        z = module.scale(x * 2, 3) + 1
    x.fill_(1)
    graph.replay()
    expect(z.tolist() == [7] * 5000, "what the graph has replayed")


def autograd_function():
    module = _scale()

    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, by):
            ctx.by = by
            return module.scale(x, by)

        @staticmethod
        def backward(ctx, grad):
            return module.scale(grad.contiguous(), ctx.by), None

    x = torch.randn(30, device="cuda", dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad((Scale.apply(x, 1.5) ** 2).sum(), x)
    torch.testing.assert_close(slope, 4.5 * x)


def files():
    folder = _folder()
    (folder / "rows.cu").write_text(ROWS)
    (folder / "bind.cpp").write_text(
        '#include <torch/extension.h>\ntorch::Tensor row_sums(torch::Tensor x), sorted(torch::Tensor x);\n'
        'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("row_sums", &row_sums); m.def("sorted", &sorted); }\n')
    module = load("uw_rows", [str(folder / "rows.cu"), str(folder / "bind.cpp")], extra_cuda_cflags=["-O3", "--use_fast_math", "-lineinfo"])
    x = torch.randn(37, 500, device="cuda")
    torch.testing.assert_close(module.row_sums(x), x.sum(1), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(module.sorted(x.flatten()), x.flatten().sort().values)


def setup_and_library():
    """setup.py with CUDAExtension, and operators of TORCH_LIBRARY, compiled into a graph by their meta functions."""
    folder = _folder()
    (folder / "ops.cu").write_text(SCALE + textwrap.dedent(r"""
        at::Tensor scale_meta(at::Tensor x, double) { return at::empty_like(x); }
        TORCH_LIBRARY(uw_ext, m) { m.def("scale(Tensor x, float by) -> Tensor"); }
        TORCH_LIBRARY_IMPL(uw_ext, CUDA, m) { m.impl("scale", &scale); }
        TORCH_LIBRARY_IMPL(uw_ext, Meta, m) { m.impl("scale", &scale_meta); }
        PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("broken", &broken); }
        """))
    (folder / "setup.py").write_text(textwrap.dedent("""
        from setuptools import setup
        from torch.utils.cpp_extension import BuildExtension, CUDAExtension
        setup(name="uw_ext", ext_modules=[CUDAExtension("uw_ext", ["ops.cu"], extra_compile_args={"cxx": ["-O2"], "nvcc": ["-O2", "--expt-relaxed-constexpr"]})],
              cmdclass={"build_ext": BuildExtension})
        """))
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    sys.path.insert(0, str(folder))
    import uw_ext

    x = torch.randn(100, device="cuda")
    torch.testing.assert_close(torch.ops.uw_ext.scale(x, 2.0), x * 2)
    whole = torch.compile(lambda x: torch.ops.uw_ext.scale(x.cos(), 2.0) + 1, fullgraph=True)
    torch.testing.assert_close(whole(x), x.cos() * 2 + 1)
    torch.library.opcheck(torch.ops.uw_ext.scale, (x, 2.0))
    _fault(str(folder))


def versions():
    """What nvcc compiles and what the host compiler does have torch's version of CUDA: packages compare it when they are imported."""
    with tempfile.TemporaryDirectory(prefix="versions-") as folder:
        for name, suffix in (("of_host", "cpp"), ("of_nvcc", "cu")):
            source = pathlib.Path(folder, f"{name}.{suffix}")
            source.write_text('#include <cuda.h>\n#include <cuda_runtime_api.h>\nextern "C" int version() { return CUDA_VERSION == CUDART_VERSION ? CUDA_VERSION : -1; }\n')
            load(name, [str(source)], build_directory=folder, is_python_module=False, with_cuda=True)
            said = ctypes.CDLL(f"{folder}/{name}.so").version()
            expect(str(said // 1000) == torch.version.cuda.split(".")[0], f"CUDA_VERSION is {said} {name}, torch's {torch.version.cuda}")


def kernels_from_text():
    kernel = torch.cuda._compile_kernel("""
        extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
          extern __shared__ float held[];
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) { held[threadIdx.x] = a[i]; c[i] = held[threadIdx.x] + b[i]; }
        }""", "add")
    a, b = torch.rand(1000, device="cuda"), torch.rand(1000, device="cuda")
    c = torch.empty_like(a)
    kernel(grid=(8, 1, 1), block=(128, 1, 1), args=(a, b, c, 1000), shared_mem=512)
    torch.testing.assert_close(c, a + b)


def jiterator():
    f = torch.cuda.jiterator._create_jit_fn("template <typename T> T mixed(T x, T y, T alpha) { return x * alpha + sin(y); }", alpha=1)
    x, y = torch.rand(10, 33, device="cuda"), torch.rand(33, device="cuda")
    torch.testing.assert_close(f(x, y, alpha=3.0), x * 3 + y.sin())


def devices():
    properties = torch.cuda.get_device_properties(0)
    expect(properties.warp_size == 32 and properties.total_memory > 0 and properties.multi_processor_count > 0, properties)
    expect(torch.cuda.get_device_capability() == (properties.major, properties.minor), "a capability")
    expect(f"sm_{properties.major}{properties.minor}" in torch.cuda.get_arch_list(), "an architecture of the wheel")
    expect(torch.utils.cpp_extension.CUDA_HOME and os.path.exists(os.path.join(torch.utils.cpp_extension.CUDA_HOME, "bin", "nvcc")), "CUDA_HOME")
    free, total = torch.cuda.mem_get_info()
    expect(0 < free <= total, "memory")


def _fault(module):
    """In a process of its own, where `module` is imported or made."""
    made = "from extension import _scale; scale = _scale()" if module == "inline" else f"import sys, torch; sys.path.insert(0, {module!r}); import uw_ext as scale"
    call = "import torch; scale.broken(torch.zeros(64, device='cuda'), 1 << 40); torch.cuda.synchronize()"
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", f"{made}; {call}"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), os.environ.get("PYTHONPATH", "")])})
    expect(done.returncode != 0, "an end by a fault")
    line = 1 + SCALE[: SCALE.index("// HERE")].count("\n")
    for part in ("kernel broken_kernel(float*, long)", "block (1,0,0) of (2,1,1)", "thread (3,0,0) of (32,1,1)", "Fatal Python error"):
        expect(part in done.stderr, f"'{part}' in {done.stderr[-1500:]}")
    at = re.search(r"at \S+\.cu:(\d+), in broken_kernel", done.stderr)
    # load_inline puts lines of its own before the source's
    expect(at and 0 <= int(at[1]) - line <= (4 if module == "inline" else 0), f"line {line} in {done.stderr[-1500:]}")


def faults():
    _fault("inline")


if __name__ == "__main__":
    main(inline, streams_and_graphs, autograd_function, files, setup_and_library, versions, kernels_from_text, jiterator, devices, faults)
