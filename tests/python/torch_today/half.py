# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that add up many numbers, in float16 and bfloat16 on "cuda", against float64: as near as a kernel comes that adds in float32 and rounds at the end."""
import torch
import torch.nn.functional as F

from script import expect, main

TYPES = torch.float16, torch.bfloat16
ROWS, COLUMNS = 512, 64
_indices = torch.randint(0, 8, (ROWS,), generator=torch.Generator().manual_seed(1))


def on(x, indices=_indices):
    return indices.to(x.device)


def rounds_once(function, *shapes, places=1.01):
    """Of result and gradients: no number further away than `places` last places of itself, or of half of what is usual in its tensor."""
    for dtype in TYPES:
        draws = torch.Generator().manual_seed(2)
        given, found = [torch.randn(shape, generator=draws).to(dtype) for shape in shapes], []
        for device, type in (("cuda", dtype), ("cpu", torch.float64)):
            inputs = [x.to(device, type).requires_grad_() for x in given]
            result = function(*inputs)
            upper = torch.randn(result.shape, generator=torch.Generator().manual_seed(3)).to(dtype).to(device, type)
            found.append([result.detach(), *torch.autograd.grad(result, inputs, upper)])
        for i, (ours, exact) in enumerate(zip(*found)):
            expect(ours.dtype == dtype, f"result {i} is {ours.dtype}")
            size = exact.abs().maximum(exact.square().mean().sqrt() / 2)
            off = ((ours.double().cpu() - exact).abs() / size).max().item() / torch.finfo(dtype).eps
            expect(off <= places, f"{dtype}, {'result' if i == 0 else f'gradient {i}'}: {off:.1f} last places")


def layer_norm():
    # The input's gradient is a difference of numbers that are larger than itself.
    rounds_once(lambda x, w, b: F.layer_norm(x, (COLUMNS,), w, b), (ROWS, COLUMNS), (COLUMNS,), (COLUMNS,))
    for dtype in TYPES:  # in a GPU's types
        x = torch.randn(4, 8, device="cuda", dtype=dtype)
        mean, deviation = torch.native_layer_norm(x, (8,), None, None, 1e-5)[1:]
        expect(mean.dtype == deviation.dtype == torch.float32, f"{mean.dtype}, {deviation.dtype}")


def embeddings():
    rounds_once(lambda w: F.embedding(on(w), w), (8, COLUMNS))
    rounds_once(lambda w: F.embedding_bag(on(w).view(8, 64), w, mode="mean"), (8, COLUMNS))


def indices():
    rounds_once(lambda x: x[on(x)], (8, COLUMNS))
    rounds_once(lambda x, y: x.index_put((on(x),), y, accumulate=True), (8, COLUMNS), (ROWS, COLUMNS))
    for dtype in TYPES:
        x = torch.zeros(4, device="cuda", dtype=dtype)
        same = x.index_put_((torch.zeros(300, dtype=torch.long, device="cuda"),), torch.ones(300, device="cuda", dtype=dtype), accumulate=True)
        expect(same is x and x.tolist() == [300, 0, 0, 0], f"in place: {x.tolist()}")


def products():
    for dtype in TYPES:
        x = (1 + torch.randn(512, 16, generator=torch.Generator().manual_seed(4)) / 64).to("cuda", dtype)
        for ours in (x.prod(0), torch.prod(x, 0, out=torch.empty(0, device="cuda", dtype=dtype))):
            off = (ours.double() / x.double().prod(0) - 1).abs().max().item() / torch.finfo(dtype).eps
            expect(ours.dtype == dtype and off < 1, f"{ours.dtype}: {off:.1f} last places")
        expect(x.prod(0, dtype=torch.float32).dtype == torch.float32, "a type that is asked for")


def pooling():
    rounds_once(lambda x: F.adaptive_avg_pool2d(x, 48), (2, 4, 2, 2))
    rounds_once(lambda x: F.avg_pool2d(x, 16, 1), (2, 4, 40, 40))
    rounds_once(lambda x: F.avg_pool3d(x, 6, 1), (2, 2, 12, 12, 12))


def folds():
    rounds_once(lambda x: F.fold(x, (12, 12), 5), (2, 4 * 25, 64))
    rounds_once(lambda x: F.unfold(x, 5), (2, 4, 16, 16))


def grid_samples():
    grid = torch.rand(1, 64, 64, 2, generator=torch.Generator().manual_seed(5)).to(torch.bfloat16)  # in each of the types
    rounds_once(lambda x: F.grid_sample(x, grid.to(x), align_corners=True), (1, 4, 8, 8))


def losses():
    rounds_once(lambda x: F.nll_loss(x, on(x).view(8, 8, 8)), (8, 8, 8, 8))


def convolutions():
    rounds_once(lambda x, w, b: F.conv2d(x, w, b, padding=1), (8, 8, 16, 16), (8, 8, 3, 3), (8,))
    rounds_once(lambda x, w, b: F.conv_transpose2d(x, w, b), (8, 8, 16, 16), (8, 8, 3, 3), (8,))


def of_cuda_alone():
    rounds_once(lambda x: F.avg_pool3d(x, 2), (2, 2, 6, 6, 6))
    rounds_once(lambda x: F.multi_margin_loss(x, on(x)), (ROWS, 8))
    rounds_once(lambda x: F.multilabel_margin_loss(x, on(x).view(64, 8)), (64, 8))
    rounds_once(lambda x: F.interpolate(x, size=(7, 7), mode="bilinear", antialias=True), (2, 3, 16, 16))
    for dtype in TYPES:
        x = torch.linspace(0.5, 4, 50).to(dtype)
        for ours, exact in (x.cuda().round(decimals=1), x.double().round(decimals=1)), (torch.polygamma(2, x.cuda()), torch.polygamma(2, x.double())):
            off = (ours.double().cpu() / exact - 1).abs().max().item() / torch.finfo(dtype).eps
            expect(ours.dtype == dtype and off < 1.01, f"{dtype}: {off:.1f} last places")
        y = x.cuda()
        expect(y.round_(decimals=1) is y and torch.equal(y, x.cuda().round(decimals=1)), "in place")


def in_a_graph():
    for dtype in TYPES:
        weight = torch.zeros(8, COLUMNS, device="cuda", dtype=dtype, requires_grad=True)
        where = torch.zeros(ROWS, dtype=torch.long, device="cuda")
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            made = torch.autograd.grad(F.embedding(where, weight), weight, torch.ones(ROWS, COLUMNS, device="cuda", dtype=dtype))[0]
        graph.replay()
        expect(made[0, 0].item() == ROWS, f"{made[0, 0].item()} of {ROWS}")


if __name__ == "__main__":
    main(layer_norm, embeddings, indices, products, pooling, folds, grid_samples, losses, convolutions, of_cuda_alone, in_a_graph)
