# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of PyTorch's stock wheel needs none of its own kernels, which are GPU code alone: one line each.

A name behind it runs one of them."""
import os
import sys
import tempfile
import time

import torch

KERNEL = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void halve_odd(const float *from, float *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] = i % 2 ? from[i] / 2 : from[i];
}

torch::Tensor halved(torch::Tensor from) {
  auto to = torch::empty_like(from);
  int count = from.numel();
  halve_odd<<<(count + 63) / 64, 64, 0, at::cuda::getCurrentCUDAStream()>>>(from.data_ptr<float>(), to.data_ptr<float>(), count);
  return to;
}
"""


def device():
    properties = torch.cuda.get_device_properties(0)
    assert torch.cuda.is_available() and torch.cuda.device_count() >= 1
    assert properties.total_memory > 0 and torch.cuda.get_device_capability(0) == (properties.major, properties.minor)


def copies():
    for kind in (torch.float32, torch.float64, torch.float16, torch.int64, torch.uint8, torch.bool):
        values = torch.arange(1000).to(kind)
        there = values.cuda()
        assert there.is_cuda and torch.equal(there.cpu(), values) and torch.equal(there.clone().cpu(), values)
        there[3:5].copy_(values[5:7])
        assert torch.equal(there[3:5].cpu(), values[5:7])


def views():
    values = torch.arange(24.0).view(2, 3, 4)
    there = values.cuda()
    assert there[1, 2, 3].item() == 23
    assert torch.equal(there.view(6, 4)[2].cpu(), values.view(6, 4)[2])
    assert torch.equal(there.transpose(0, 2).cpu(), values.transpose(0, 2))


def zeros():
    assert not torch.zeros(1000, device="cuda").cpu().any()
    there = torch.ones(64).cuda()
    there.zero_()
    assert not there.cpu().any()


def events():
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    stream = torch.cuda.Stream()
    values = torch.ones(1 << 20)
    with torch.cuda.stream(stream):
        begin.record()
        there = values.to("cuda", non_blocking=True)
        end.record()
    end.synchronize()
    assert end.query() and begin.elapsed_time(end) >= 0 and torch.equal(there.cpu(), values)


def pinned():
    values = torch.arange(1000.0).pin_memory()
    assert values.is_pinned() and torch.equal(values.to("cuda", non_blocking=True).cpu(), values)


def product():
    a, b = torch.randn(33, 65), torch.randn(65, 17)
    torch.testing.assert_close((a.cuda() @ b.cuda()).cpu(), a @ b)


def memory():
    torch.cuda.empty_cache()
    before = torch.cuda.memory_allocated()
    there = torch.empty(1 << 20, dtype=torch.uint8, device="cuda")
    assert torch.cuda.memory_allocated() - before == 1 << 20
    del there
    assert torch.cuda.memory_allocated() == before


def extension():
    from torch.utils.cpp_extension import load_inline
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0+PTX")
        built = load_inline("halved", "torch::Tensor halved(torch::Tensor from);", KERNEL, functions=["halved"], build_directory=folder)
        values = torch.arange(1000.0)
        assert torch.equal(built.halved(values.cuda()).cpu(), torch.where(torch.arange(1000) % 2 == 1, values / 2, values))


CHECKS = [device, copies, views, zeros, events, pinned, product, memory, extension]


def main():
    failed = 0
    for check in CHECKS:
        if sys.argv[1:] and check.__name__ not in sys.argv[1:]:
            continue
        begin, said = time.monotonic(), "right"
        try:
            check()
        except Exception as error:  # whatever PyTorch raises is this line's
            said = f"{type(error).__name__} {str(error).strip().splitlines()[0] if str(error) else ''}"
        failed += said != "right"
        print(f"{'PASS' if said == 'right' else 'FAIL'} PyTorch {check.__name__}: {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    return failed > 0


sys.exit(main())
