# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of triton.jit on PyTorch's tensors, as a script on a GPU has them: a line each.

    triton_kernels.py [NAME ...]"""
import pathlib
import re
import subprocess
import sys

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from script import expect, main


@triton.jit
def _add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


def vectors():
    for kind in (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int32, torch.int64):
        x, y = (torch.randint(-50, 50, (1003,), device="cuda").to(kind) for _ in range(2))
        out = torch.empty_like(x)
        _add[(triton.cdiv(1003, 256),)](x, y, out, 1003, BLOCK=256)
        torch.testing.assert_close(out, x + y)


@triton.jit
def _softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * stride + at, value / tl.sum(value, axis=0), mask=at < columns)


def softmax():
    x = torch.randn(37, 781, device="cuda")
    out = torch.empty_like(x)
    _softmax[(37,)](x, out, x.stride(0), 781, BLOCK=1024, num_warps=8)
    torch.testing.assert_close(out, torch.softmax(x, 1))


@triton.autotune([triton.Config({"M": 32, "N": 32, "K": 32}, num_warps=4), triton.Config({"M": 64, "N": 32, "K": 16}, num_warps=4, num_stages=3)],
                 key=["m", "n", "k"])
@triton.jit
def _product(a, b, c, m, n, k, am, ak, bk, bn, cm, cn, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, ACT: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    sum = tl.zeros((M, N), dtype=tl.float32)
    for first in range(0, k, K):
        l = first + tl.arange(0, K)
        left = tl.load(a + i[:, None] * am + l[None, :] * ak, mask=(i[:, None] < m) & (l[None, :] < k), other=0.0)
        right = tl.load(b + l[:, None] * bk + j[None, :] * bn, mask=(l[:, None] < k) & (j[None, :] < n), other=0.0)
        sum = tl.dot(left, right, sum)
    if ACT == "relu":
        sum = tl.maximum(sum, 0.0)
    tl.store(c + i[:, None] * cm + j[None, :] * cn, sum.to(c.dtype.element_ty), mask=(i[:, None] < m) & (j[None, :] < n))


def products():
    for kind, tolerance in ((torch.float16, 2e-2), (torch.bfloat16, 1e-1), (torch.float32, 2e-2)):
        a, b = torch.randn(70, 90, device="cuda", dtype=kind), torch.randn(50, 90, device="cuda", dtype=kind).t()
        for act in ("relu", None):
            c = torch.empty(70, 50, device="cuda", dtype=kind)
            _product[lambda meta: (triton.cdiv(70, meta["M"]), triton.cdiv(50, meta["N"]))](a, b, c, 70, 50, 90, *a.stride(), *b.stride(), *c.stride(), ACT=act)
            wanted = a.float() @ b.float()
            torch.testing.assert_close(c.float(), wanted.relu() if act else wanted, atol=tolerance, rtol=tolerance)


@triton.jit
def _norm(x, w, b, out, mean, rstd, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    middle = tl.sum(value, axis=0) / columns
    apart = tl.where(inside, value - middle, 0.0)
    scale = tl.rsqrt(tl.sum(apart * apart, axis=0) / columns + eps)
    tl.store(mean + row, middle)
    tl.store(rstd + row, scale)
    tl.store(out + row * columns + at, apart * scale * tl.load(w + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@triton.jit
def _norm_back(g, x, w, mean, rstd, dx, dw, db, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    grad = tl.load(g + row * columns + at, mask=inside, other=0.0)
    scale = tl.load(rstd + row)
    hat = tl.where(inside, (tl.load(x + row * columns + at, mask=inside, other=0.0) - tl.load(mean + row)) * scale, 0.0)
    tl.atomic_add(dw + at, grad * hat, mask=inside)
    tl.atomic_add(db + at, grad, mask=inside)
    wg = grad * tl.load(w + at, mask=inside, other=0.0)
    first, second = tl.sum(hat * wg, axis=0) / columns, tl.sum(wg, axis=0) / columns
    tl.store(dx + row * columns + at, (wg - hat * first - second) * scale, mask=inside)


class _Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        rows, columns = x.shape
        out, mean, rstd = torch.empty_like(x), x.new_empty(rows), x.new_empty(rows)
        _norm[(rows,)](x, w, b, out, mean, rstd, columns, 1e-5, BLOCK=triton.next_power_of_2(columns))
        ctx.save_for_backward(x, w, mean, rstd)
        return out

    @staticmethod
    def backward(ctx, g):
        x, w, mean, rstd = ctx.saved_tensors
        dx, dw, db = torch.empty_like(x), torch.zeros_like(w), torch.zeros_like(w)
        _norm_back[(x.shape[0],)](g.contiguous(), x, w, mean, rstd, dx, dw, db, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return dx, dw, db


def autograd_function():
    x, w, b = torch.randn(19, 200, device="cuda"), torch.rand(200, device="cuda"), torch.rand(200, device="cuda")
    ours, theirs = ([t.clone().requires_grad_() for t in (x, w, b)] for _ in range(2))
    out, wanted = _Norm.apply(*ours), F.layer_norm(theirs[0], (200,), theirs[1], theirs[2])
    torch.testing.assert_close(out, wanted)
    grad = torch.randn_like(out)
    out.backward(grad)
    wanted.backward(grad)
    for a, e in zip(ours, theirs):
        torch.testing.assert_close(a.grad, e.grad, atol=1e-4, rtol=1e-4)


@triton.jit
def _dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n) / (1 - p), 0.0), mask=at < n)


def dropout():
    x = torch.ones(10000, device="cuda")
    first, again, other = (torch.empty_like(x) for _ in range(3))
    for out, seed in ((first, 7), (again, 7), (other, 8)):
        _dropout[(10,)](x, out, 10000, 0.25, seed, BLOCK=1024)
    expect(torch.equal(first, again) and not torch.equal(first, other), "the seed decides")
    expect(abs(first.mean().item() - 1) < 0.03, "the mean stays")


@triton.jit
def _attention(q, k, v, out, n, scale, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    head = tl.program_id(1) * n * D
    i, d = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, D)
    query = tl.load(q + head + i[:, None] * D + d[None, :])
    most, norm, sum = tl.full((M,), -float("inf"), tl.float32), tl.zeros((M,), tl.float32), tl.zeros((M, D), tl.float32)
    for first in range(0, (tl.program_id(0) + 1) * M, N):
        j = first + tl.arange(0, N)
        score = tl.dot(query, tl.trans(tl.load(k + head + j[:, None] * D + d[None, :]))) * scale
        score = tl.where(i[:, None] >= j[None, :], score, -float("inf"))
        larger = tl.maximum(most, tl.max(score, 1))
        weight, old = tl.exp(score - larger[:, None]), tl.exp(most - larger)
        norm, most = norm * old + tl.sum(weight, 1), larger
        sum = tl.dot(weight.to(query.dtype), tl.load(v + head + j[:, None] * D + d[None, :]), sum * old[:, None])
    tl.store(out + head + i[:, None] * D + d[None, :], (sum / norm[:, None]).to(query.dtype))


def attention():
    q, k, v = (torch.randn(2, 3, 128, 32, device="cuda", dtype=torch.float16) for _ in range(3))
    out = torch.empty_like(q)
    _attention[(4, 6)](q, k, v, out, 128, 32**-0.5, D=32, M=32, N=32)
    torch.testing.assert_close(out, F.scaled_dot_product_attention(q, k, v, is_causal=True), atol=5e-3, rtol=5e-3)


@triton.jit
def _scan(x, sums, order, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(value, 0))
    tl.store(order + at, tl.sort(value))


def scans_and_sorts():
    x = torch.randint(-99, 99, (5, 256), device="cuda", dtype=torch.int32)
    sums, order = torch.empty_like(x), torch.empty_like(x)
    _scan[(5,)](x, sums, order, BLOCK=256)
    torch.testing.assert_close(sums, x.cumsum(1).int())
    torch.testing.assert_close(order, x.sort(1).values)


@triton.jit
def _histogram(x, counts, ticket, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(counts + tl.load(x + at, mask=at < n, other=0), 1, mask=at < n)
    while tl.atomic_cas(ticket, 0, 1) == 1:
        pass
    tl.store(ticket + 1, tl.load(ticket + 1) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(ticket, 0)


def atomics():
    x = torch.randint(0, 10, (5000,), device="cuda")
    counts, ticket = torch.zeros(10, dtype=torch.int32, device="cuda"), torch.zeros(2, dtype=torch.int32, device="cuda")
    _histogram[(20,)](x, counts, ticket, 5000, BLOCK=256)
    torch.testing.assert_close(counts, torch.bincount(x, minlength=10).int())
    expect(ticket.tolist() == [0, 20], "a lock that 20 programs took")


def streams_and_graphs():
    x = torch.rand(4096, device="cuda")
    out, side = torch.zeros_like(x), torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        _add[(16,)](x, x, out, 4096, BLOCK=256)
    torch.cuda.current_stream().wait_stream(side)
    torch.testing.assert_close(out, 2 * x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * 3
        _add[(16,)](x, y, out, 4096, BLOCK=256)
        z = out + 1
    x.fill_(2)
    graph.replay()
    torch.cuda.synchronize()
    expect(z.tolist() == [9] * 4096, "what the graph has replayed")


@torch.library.triton_op("uw::twice", mutates_args={})
def twice(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    torch.library.wrap_triton(_add)[(triton.cdiv(x.numel(), 256),)](x, x, out, x.numel(), BLOCK=256)
    return out


twice.register_autograd(lambda ctx, grad: grad * 2)


def library_operators():
    x = torch.randn(500, device="cuda", requires_grad=True)
    twice(x).sum().backward()
    torch.testing.assert_close(x.grad, torch.full_like(x, 2))
    whole = torch.compile(lambda x: twice(x.sin()) + 1, fullgraph=True)
    torch.testing.assert_close(whole(x), 2 * x.sin() + 1)


@triton.jit
def _prints(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.device_assert(tl.load(x + at, mask=at < n, other=0) >= 0, "not below zero")
    tl.device_print("at", at)


def prints_and_asserts():
    _prints[(1,)](torch.ones(4, device="cuda"), 4, BLOCK=4)
    torch.cuda.synchronize()


def measured():
    x = torch.rand(4096, device="cuda")
    out = torch.empty_like(x)
    expect(triton.testing.do_bench(lambda: _add[(16,)](x, x, out, 4096, BLOCK=256), warmup=2, rep=5) > 0, "a time")


@triton.jit
def _wild(x, out, far, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at += tl.where(at == 517, far, 0).to(tl.int64) * 4096
    tl.store(out + tl.arange(0, BLOCK), tl.load(x + at))  # HERE


def fault():
    """A load of memory that nobody has: its kernel, block, thread and line are told."""
    code = "from triton_kernels import *; from triton_kernels import _wild\nx = torch.zeros(1024, device='cuda'); _wild[(4,)](x, x, 123456789, BLOCK=256); torch.cuda.synchronize()"
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                          cwd=pathlib.Path(__file__).parent)
    expect(done.returncode != 0, "an end by a fault")
    line = 1 + next(i for i, text in enumerate(pathlib.Path(__file__).read_text().splitlines()) if text.endswith("# HERE"))
    for part in ("kernel _wild: segmentation fault", "block (2,0,0) of (4,1,1)", f"triton_kernels.py:{line}, in _wild", "Fatal Python error"):
        expect(part in done.stderr, f"'{part}' in {done.stderr[-1500:]}")
    expect(re.search(r"thread \(\d+,0,0\) of \(128,1,1\)", done.stderr), done.stderr[-1500:])


if __name__ == "__main__":
    main(vectors, softmax, products, autograd_function, dropout, attention, scans_and_sorts, atomics, streams_and_graphs, library_operators,
         prints_and_asserts, measured, fault)
