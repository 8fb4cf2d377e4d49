# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile on "cuda", whose code is Triton's, against the same without it: a line each.

    compile.py [NAME ...]"""
import unittest.mock

import torch
import torch.nn as nn
import torch.nn.functional as F

from script import expect, main


def compare(function, *given, tolerance=1e-4, **options):
    """Forward and gradients, compiled and not."""
    torch._dynamo.reset()
    results = []
    for run in (function, torch.compile(function, **options)):
        held = [t.clone().requires_grad_(t.is_floating_point()) for t in given]
        made = run(*held)
        made.float().square().sum().backward()
        results.append([made, *(t.grad for t in held if t.grad is not None)])
    for ours, theirs in zip(results[1], results[0]):
        torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=tolerance)


def pointwise():
    compare(lambda x, y: torch.where(x > 0, F.gelu(x) * y.sigmoid(), x.exp() - y.tanh()).pow(2), torch.randn(64, 33, device="cuda"), torch.randn(33, device="cuda"))


def reductions():
    compare(lambda x: F.layer_norm(x, (300,)) + torch.softmax(x, 0) - x.var(1, keepdim=True), torch.randn(40, 300, device="cuda"))
    x = torch.randn(7, 5000, device="cuda")
    torch.testing.assert_close(torch.compile(lambda x: (x.argmax(1), x.cumsum(1), x.amax(), x.sum(0)))(x), (x.argmax(1), x.cumsum(1), x.amax(), x.sum(0)),
                               atol=1e-3, rtol=1e-4)


def indices():
    at = torch.randint(0, 50, (128,), device="cuda")
    compare(lambda w, v: F.embedding(at, w) * v[at % 8].cos(), torch.randn(50, 16, device="cuda"), torch.randn(8, 1, device="cuda"))


def attention():
    compare(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True).relu(), *(torch.randn(2, 4, 32, 16, device="cuda") for _ in range(3)))


def dynamic_sizes():
    f = torch.compile(lambda x: (x * 2 + x.size(0)).softmax(-1), dynamic=True)
    for rows in (3, 17, 40):
        x = torch.randn(rows, rows + 1, device="cuda")
        torch.testing.assert_close(f(x), (x * 2 + rows).softmax(-1))


def train(model, given, wanted, compiled, amp=False, **options):
    torch._dynamo.reset()
    torch.manual_seed(1)
    model = model().cuda()
    step, optimizer, losses = torch.compile(model, **options) if compiled else model, torch.optim.AdamW(model.parameters(), lr=1e-3), []
    for _ in range(6):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=amp):
            loss = F.cross_entropy(step(given).float(), wanted)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def train_alike(model, given, wanted, tolerance=2e-4, **more):
    ours, theirs = (train(model, given, wanted, compiled, **more) for compiled in (True, False))
    expect(all(abs(a - b) <= tolerance * max(abs(b), 1) for a, b in zip(ours, theirs)), f"{ours} for {theirs}")
    expect(theirs[-1] < theirs[0], "a loss that falls")


def convolutions():
    def model():
        return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3), nn.SiLU(), nn.AdaptiveAvgPool2d(1),
                             nn.Flatten(), nn.Linear(8, 4))

    train_alike(model, torch.randn(8, 3, 12, 12, device="cuda"), torch.randint(4, (8,), device="cuda"))


def transformer(**more):
    def model():
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
        return nn.Sequential(nn.Embedding(30, 32), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(32, 30), nn.Flatten(0, 1))

    text = torch.randint(30, (4, 16), device="cuda")
    train_alike(model, text, text.flatten().roll(1), **more)


def mixed_precision():
    transformer(amp=True, tolerance=2e-2)


def cuda_graphs():
    torch._dynamo.reset()
    model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 8)).cuda()
    f = torch.compile(model, mode="reduce-overhead")
    with torch.no_grad():
        for _ in range(4):
            x = torch.randn(10, 16, device="cuda")
            torch.compiler.cudagraph_mark_step_begin()
            torch.testing.assert_close(f(x).clone(), model(x))


def dropout():
    f = torch.compile(lambda x: F.dropout(x, 0.25) + torch.rand_like(x) * 0)
    x = torch.ones(20000, device="cuda")
    torch.manual_seed(5)
    first = f(x)
    torch.manual_seed(5)
    expect(torch.equal(first, f(x)) and not torch.equal(first, f(x)), "the seed decides")
    expect(abs(first.mean().item() - 1) < 0.03, "the mean stays")


def tuned_products():
    """PyTorch writes products in Triton for GPUs of 68 multiprocessors and more alone: it is told that this is one."""
    torch._dynamo.reset()
    a, b = torch.randn(64, 48, device="cuda"), torch.randn(48, 32, device="cuda")
    made = torch.compile(lambda a, b: (a @ b).relu(), options={"max_autotune": True, "max_autotune_gemm_backends": "TRITON"})
    with unittest.mock.patch("torch._inductor.utils.is_big_gpu", return_value=True):
        torch.testing.assert_close(made(a, b), (a @ b).relu(), atol=2e-2, rtol=2e-2)


def optimizers():
    torch._dynamo.reset()
    results = []
    for compiled in (False, True):
        torch.manual_seed(2)
        model = nn.Linear(20, 20).cuda()
        optimizer = torch.optim.Adam(model.parameters())
        step = torch.compile(optimizer.step) if compiled else optimizer.step
        for _ in range(3):
            optimizer.zero_grad()
            model(torch.ones(4, 20, device="cuda")).square().sum().backward()
            step()
        results.append(model.weight.detach())
    torch.testing.assert_close(*results, atol=1e-5, rtol=1e-4)


def flex_attention():
    from torch.nn.attention.flex_attention import flex_attention as attend

    torch._dynamo.reset()
    q, k, v = (torch.randn(1, 2, 128, 16, device="cuda") for _ in range(3))
    biased = torch.compile(attend)(q, k, v, score_mod=lambda score, b, h, i, j: torch.where(i >= j, score, -float("inf")))
    torch.testing.assert_close(biased, F.scaled_dot_product_attention(q, k, v, is_causal=True), atol=2e-2, rtol=2e-2)


def quick():
    """Each of a kernel's configurations is measured 100 times, with as many bytes cleared 200 times as the processor's cache
    has: seconds for each. What is cleared here is little."""
    from torch._inductor.runtime.benchmarking import benchmarker

    benchmarker.L2_cache_size = 1 << 16


if __name__ == "__main__":
    quick()
    torch.manual_seed(0)
    main(pointwise, reductions, indices, attention, dynamic_sizes, convolutions, transformer, mixed_precision, cuda_graphs, dropout, tuned_products, optimizers,
         flex_attention)
