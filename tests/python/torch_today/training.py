# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training on "cuda" step by step as on the CPU, and what else a script asks of the device: a line each.

    training.py [NAME ...]"""
import copy
import math
import tempfile
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

from script import expect, main

STEPS = 20


def close(ours, theirs, tolerance, what):
    for step, (a, b) in enumerate(zip(ours, theirs)):
        if not abs(a - b) <= tolerance * max(abs(b), 1e-3):
            raise AssertionError(f"{what}: {a:.8g} for {b:.8g} in step {step}")
    expect(len(ours) == len(theirs), what)


def losses(model, batches, optimizer, device, loss=None, autocast=None, steps=STEPS, scaler=False, channels_last=False):
    torch.manual_seed(3)
    model = copy.deepcopy(model).to(device)
    if channels_last:
        model = model.to(memory_format=torch.channels_last)
    optimizer, found = optimizer(model.parameters()), []
    scaling = torch.amp.GradScaler(device, enabled=scaler, init_scale=128.0)
    for step in range(steps):
        given, wanted = (t.to(device) for t in batches[step % len(batches)])
        if channels_last:
            given = given.to(memory_format=torch.channels_last)
        optimizer.zero_grad()
        with torch.autocast(device, dtype=autocast or torch.bfloat16, enabled=autocast is not None):
            value = (loss or F.cross_entropy)(model(given), wanted)
        scaling.scale(value).backward()
        scaling.step(optimizer)
        scaling.update()
        found.append(value.item())
    expect(all(math.isfinite(v) for v in found), "losses that are finite")
    return found


def learns_alike(model, batches, optimizer, tolerance=1e-4, **more):
    theirs = losses(model, batches, optimizer, "cpu", **more)
    ours = losses(model, batches, optimizer, "cuda", **more)
    close(ours, theirs, tolerance, "loss")
    expect(theirs[-1] < theirs[0], "a loss that falls")


def pictures(count=2, batch=8, size=16, classes=5):
    torch.manual_seed(0)
    return [(torch.randn(batch, 3, size, size), torch.randint(classes, (batch,))) for _ in range(count)]


def optimizers():
    torch.manual_seed(1)
    batches = [(torch.randn(16, 12), torch.randint(4, (16,))) for _ in range(3)]
    model = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4))
    for kind, more in ((torch.optim.SGD, {"lr": 0.05, "momentum": 0.9}), (torch.optim.Adam, {"lr": 1e-2}), (torch.optim.AdamW, {"lr": 1e-2}),
                       (torch.optim.RMSprop, {"lr": 1e-3}), (torch.optim.Adagrad, {"lr": 1e-2})):
        fused = () if kind in (torch.optim.RMSprop, torch.optim.Adagrad) else ({"fused": True},)
        for form in ({}, {"foreach": True}, {"foreach": False}, *fused):
            learns_alike(model, batches, lambda p: kind(p, **more, **form))


def cnn(size=16):
    return nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 16, 3, padding=1, groups=4),
                         nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(64, 5))


def convolutions():
    torch.manual_seed(2)
    learns_alike(cnn(), pictures(), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9), tolerance=1e-3)


def amp_channels_last():
    torch.manual_seed(2)
    learns_alike(cnn(), pictures(), lambda p: torch.optim.SGD(p, lr=0.05), tolerance=0.05, autocast=torch.bfloat16, scaler=True, channels_last=True)
    halves = losses(cnn(), pictures(), lambda p: torch.optim.SGD(p, lr=0.05), "cuda", autocast=torch.float16, scaler=True)
    expect(halves[-1] < halves[0], "a loss in halves that falls")


class Sequence(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layers, self.head = kind(8, 16, 2, batch_first=True), nn.Linear(16, 4)

    def forward(self, given):
        return self.head(self.layers(given)[0][:, -1])


def recurrent():
    torch.manual_seed(4)
    batches = [(torch.randn(4, 9, 8), torch.randint(4, (4,))) for _ in range(2)]
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        learns_alike(Sequence(kind), batches, lambda p: torch.optim.Adam(p, lr=1e-2))
    with torch.backends.cudnn.flags(enabled=False):
        for kind in (nn.LSTM, nn.GRU, nn.RNN):
            learns_alike(Sequence(kind), batches, lambda p: torch.optim.Adam(p, lr=1e-2))


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(30, 32), nn.Embedding(12, 32)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True) for _ in range(2))
        self.head = nn.Linear(32, 30)

    def forward(self, given):
        mask = nn.Transformer.generate_square_subsequent_mask(given.shape[1], device=given.device)
        made = self.words(given) + self.places(torch.arange(given.shape[1], device=given.device))
        for layer in self.layers:
            made = layer(made, src_mask=mask, is_causal=True)
        return self.head(made).transpose(1, 2)


def transformer():
    torch.manual_seed(5)
    batches = [(torch.randint(30, (4, 12)), torch.randint(30, (4, 12))) for _ in range(2)]
    learns_alike(Language(), batches, lambda p: torch.optim.AdamW(p, lr=3e-3))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.low = nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.Conv2d(16, 16, 3, padding=1)
        self.norm, self.attend = nn.GroupNorm(4, 16), nn.MultiheadAttention(16, 2, batch_first=True)
        self.up, self.last = nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1), nn.Conv2d(11, 3, 3, padding=1)

    def middle(self, made):
        made = F.silu(self.norm(self.low(made)))
        rows = made.flatten(2).transpose(1, 2)
        return made + self.attend(rows, rows, rows, need_weights=False)[0].transpose(1, 2).reshape(made.shape)

    def forward(self, given):
        made = checkpoint(self.middle, self.down(given), use_reentrant=False)
        return self.last(torch.cat((self.up(made), given), 1))


def diffusion():
    torch.manual_seed(6)
    batches = [(torch.randn(2, 3, 8, 8), torch.randn(2, 3, 8, 8)) for _ in range(2)]
    learns_alike(UNet(), batches, lambda p: torch.optim.Adam(p, lr=1e-2), loss=F.mse_loss)


def loader():
    torch.manual_seed(7)
    data, weights = TensorDataset(torch.randn(64, 6), torch.randint(3, (64,))), nn.Linear(6, 3)
    found = {}
    for device in ("cpu", "cuda"):
        model, found[device] = copy.deepcopy(weights).to(device), []
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for given, wanted in DataLoader(data, batch_size=8, num_workers=2, pin_memory=device == "cuda"):
            expect(device == "cpu" or given.is_pinned(), "batches that are pinned")
            value = F.cross_entropy(model(given.to(device, non_blocking=True)), wanted.to(device, non_blocking=True))
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            found[device].append(value.item())
    close(found["cuda"], found["cpu"], 1e-5, "loss")


def philox(seed, counter, sequence):
    words, key, mask = [counter & 0xFFFFFFFF, counter >> 32, sequence & 0xFFFFFFFF, sequence >> 32], [seed & 0xFFFFFFFF, seed >> 32], 0xFFFFFFFF
    for _ in range(10):
        one, two = 0xD2511F53 * words[0], 0xCD9E8D57 * words[2]
        words = [two >> 32 ^ words[1] ^ key[0], two & mask, one >> 32 ^ words[3] ^ key[1], one & mask]
        key = [key[0] + 0x9E3779B9 & mask, key[1] + 0xBB67AE85 & mask]
    return words


def generators():
    """rand and randint of a few elements: element i is the first word of sequence i; the second call goes on by 4."""
    torch.manual_seed(123)
    first, second, whole = torch.rand(70, device="cuda"), torch.rand(3, device="cuda"), torch.randint(1000, (5,), device="cuda")
    for made, counter in ((first, 0), (second, 1)):
        wanted = torch.tensor([philox(123, counter, i)[0] for i in range(len(made))], dtype=torch.float64) * 2.0**-32 + 2.0**-33
        torch.testing.assert_close(made.cpu().double(), wanted, rtol=1e-6, atol=1e-7)
    expect(whole.tolist() == [philox(123, 2, i)[0] % 1000 for i in range(5)], "randint by Philox")
    state = torch.cuda.get_rng_state()
    drawn = [torch.randn(9, device="cuda"), torch.randperm(9, device="cuda"), F.dropout(torch.ones(100, device="cuda")), torch.poisson(torch.full((9,), 3.0, device="cuda"))]
    torch.cuda.set_rng_state(state)
    again = [torch.randn(9, device="cuda"), torch.randperm(9, device="cuda"), F.dropout(torch.ones(100, device="cuda")), torch.poisson(torch.full((9,), 3.0, device="cuda"))]
    expect(all(torch.equal(a, b) for a, b in zip(drawn, again)), "the same numbers from the same state")
    torch.manual_seed(5)
    here = torch.rand(3)
    torch.manual_seed(5)
    torch.rand(100, device="cuda"), torch.poisson(torch.ones(3, device="cuda")), F.dropout(torch.ones(9, device="cuda"))
    expect(torch.equal(torch.rand(3), here), "the CPU's generator left alone")
    normal, even = torch.randn(100000, device="cuda"), torch.rand(100000, device="cuda")
    expect(abs(normal.mean()) < 0.02 and abs(normal.std() - 1) < 0.02 and abs(even.mean() - 0.5) < 0.01, "mean and deviation")
    expect(abs(F.dropout(torch.ones(100000, device="cuda"), 0.3).mean() - 1) < 0.02, "dropout's mean")
    own = torch.Generator("cuda").manual_seed(123)
    expect(torch.equal(torch.rand(70, device="cuda", generator=own), first), "a generator of one's own")
    strided = torch.empty(5, 7, device="cuda").t()
    torch.manual_seed(123)
    strided.uniform_()
    expect(torch.equal(strided.t().flatten(), first[:35]), "numbers in the order of the memory")


def tensors():
    a = torch.arange(6.0, device="cuda").view(2, 3)
    out = torch.empty(0, device="cuda")
    torch.add(a, a, out=out)
    expect(out.shape == (2, 3) and torch.equal(out.cpu(), a.cpu() * 2), "an out= that grows")
    expect(out.is_cuda and out.untyped_storage().device.type == "cuda" and out.untyped_storage().nbytes() >= 24, "its memory on the device")
    view = a[:, 1:]
    view.mul_(10)
    expect(a.tolist() == [[0, 10, 20], [3, 40, 50]], "in place through a view")
    z = torch.tensor([1 + 2j, 3 - 1j], device="cuda")
    expect((z.conj() * z).real.tolist() == [5, 10] and z.conj().imag.tolist() == [-2, 1], "lazy conj and neg")
    expect(torch.equal(a.t().contiguous().cpu(), a.cpu().t().contiguous()), "transposed copy")
    b = a.to("cpu", torch.int64).to("cuda", torch.float16)
    expect(b.dtype == torch.float16 and b.is_cuda, "copies of another type")
    a[a > 15] = 0
    expect(a.max().item() == 10 and (a == 0).sum().item() == 4, "masks")
    for apart in (lambda: a + torch.ones(2, 3), lambda: a.index_select(0, torch.tensor([0])), lambda: torch.mm(a, torch.ones(3, 2)), lambda: torch.cat([a, torch.ones(2, 3)])):
        try:
            apart()
            raise AssertionError("tensors of two devices were taken together")
        except RuntimeError as error:
            expect("same device" in str(error), error)
    expect((a + torch.tensor(1.0)).is_cuda and a[torch.tensor([1, 0])].is_cuda, "numbers and indices of the CPU")
    with tempfile.NamedTemporaryFile() as file:
        torch.save({"a": a}, file.name)
        expect(torch.load(file.name)["a"].is_cuda, "a tensor on cuda again")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.ones(3, device="cuda").sum()


def memory():
    torch.cuda.empty_cache()
    before = torch.cuda.memory_allocated()
    a = torch.ones(1 << 18, device="cuda") + 1
    expect(torch.cuda.memory_allocated() - before == 1 << 20, "results counted by the caching allocator")
    torch.cuda.reset_peak_memory_stats()
    b = (a * 2).sort()
    expect(torch.cuda.max_memory_allocated() >= before + (1 << 20) * 4, "a peak")
    del a, b
    expect(torch.cuda.memory_allocated() == before, "all given back")
    x = torch.zeros(1 << 20, device="cuda")
    a = x.relu()
    a.record_stream(torch.cuda.Stream())


def streams():
    side, value = torch.cuda.Stream(), torch.ones(1000, device="cuda")
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        begin.record()
        for _ in range(10):
            value = value * 1.5
        end.record()
    torch.cuda.current_stream().wait_stream(side)
    expect(abs(value.sum().item() / (1000 * 1.5**10) - 1) < 1e-6 and begin.elapsed_time(end) >= 0, "order")


def graphs():
    """What is captured is run at each replay, and not before."""
    given = torch.zeros(4, 5, device="cuda")
    total = torch.zeros((), device="cuda")
    weight = torch.randn(5, 3, device="cuda")
    warm = torch.cuda.Stream()
    with torch.cuda.stream(warm):
        (given @ weight).relu().sum()
    torch.cuda.current_stream().wait_stream(warm)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = torch.cat([(given @ weight).relu().t(), (given[:, :1] + 1).t().to(torch.float16)])
        grown = torch.empty(0, device="cuda")
        torch.mul(given, 2, out=grown)
        total.add_(made.sum())
        drawn = torch.rand(6, device="cuda")
        kept = F.dropout(torch.ones(50, device="cuda"), 0.5)
    expect(total.item() == 0, "nothing written before a replay")
    wanted, draws = 0.0, []
    torch.manual_seed(9)
    for step in range(3):
        source = torch.randn(4, 5)
        given.copy_(source)
        graph.replay()
        torch.cuda.synchronize()
        expected = torch.cat([(source @ weight.cpu()).relu().t(), (source[:, :1] + 1).t().to(torch.float16)])
        torch.testing.assert_close(made.cpu(), expected, rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(grown.cpu(), source * 2)
        wanted += expected.sum().item()
        expect(abs(total.item() - wanted) < 1e-3, "a sum over replays")
        draws.append(drawn.tolist())
        expect(set(kept.tolist()) <= {0.0, 2.0} and 5 < sum(kept.tolist()) / 2 < 45, "dropout")
    torch.testing.assert_close(torch.tensor(draws[0], dtype=torch.float64), torch.tensor([philox(9, 0, i)[0] for i in range(6)], dtype=torch.float64) * 2.0**-32 + 2.0**-33, rtol=1e-6, atol=1e-7)
    expect(draws[0] != draws[1] != draws[2], "new numbers at each replay")
    for forbidden in (lambda: given.nonzero(), lambda: torch.poisson(given)):
        try:
            with torch.cuda.graph(torch.cuda.CUDAGraph()):
                forbidden()
            raise AssertionError("captured what cannot be")
        except NotImplementedError as error:
            expect("CUDA graph" in str(error), error)
    rows, layers = torch.zeros(3, 2, 4, device="cuda"), nn.LSTM(4, 6, 2).cuda()
    with torch.no_grad():
        layers(rows)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            made = layers(rows)[0]
        fresh = torch.randn(3, 2, 4)
        rows.copy_(fresh)
        graph.replay()
        torch.cuda.synchronize()
        torch.testing.assert_close(made, layers(fresh.cuda())[0])
    index = torch.zeros(2, dtype=torch.int64, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        picked = weight.index_select(0, index)
    index.fill_(99)
    graph.replay()
    torch.cuda.synchronize()
    try:
        weight + 1
        raise AssertionError("an index beyond the end in a graph went unnoticed")
    except RuntimeError as error:
        expect("index_select" in str(error), error)


def graphed_step():
    """A whole training step in a graph, as PyTorch's documentation has it."""
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.BatchNorm1d(16), nn.Linear(16, 3))
    batches = [(torch.randn(8, 6), torch.randint(3, (8,))) for _ in range(4)]
    found = {}
    for device in ("cpu", "cuda"):
        own = copy.deepcopy(model).to(device)
        optimizer = torch.optim.SGD(own.parameters(), lr=0.1)
        given, wanted = (t.to(device).clone() for t in batches[0])

        def step():
            optimizer.zero_grad(set_to_none=True)
            value = F.cross_entropy(own(given), wanted)
            value.backward()
            optimizer.step()
            return value

        if device == "cuda":
            side = torch.cuda.Stream()
            with torch.cuda.stream(side):
                values = [step().item() for _ in range(2)]
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            optimizer.zero_grad(set_to_none=True)
            with torch.cuda.graph(graph):
                value = step()
        else:
            values = [step().item() for _ in range(2)]
        for i in range(6):
            given.copy_(batches[i % 4][0]), wanted.copy_(batches[i % 4][1])
            if device == "cuda":
                graph.replay()
                torch.cuda.synchronize()
                values.append(value.item())
            else:
                values.append(step().item())
        found[device] = values
    close(found["cuda"], found["cpu"], 1e-4, "loss")


def sparse():
    torch.manual_seed(8)
    dense = torch.randn(5, 4) * (torch.rand(5, 4) > 0.6)
    other = torch.randn(4, 3)
    for form in (torch.Tensor.to_sparse, torch.Tensor.to_sparse_csr):
        ours, theirs = form(dense.cuda()), form(dense)
        expect(ours.is_cuda and ours.layout == theirs.layout, "a sparse tensor")
        torch.testing.assert_close((ours @ other.cuda()).cpu(), theirs @ other)
        torch.testing.assert_close((ours + ours).to_dense().cpu(), dense * 2)
    table = nn.Embedding(10, 3, sparse=True)
    ours = copy.deepcopy(table).cuda()
    for model, device in ((table, "cpu"), (ours, "cuda")):
        optimizer = torch.optim.SparseAdam(model.parameters(), lr=0.1)
        model(torch.tensor([1, 7, 1], device=device)).pow(2).sum().backward()
        optimizer.step()
    torch.testing.assert_close(ours.weight.cpu(), table.weight)


def scripted():
    """A compiled script's lists have types of their own: x[i] takes a list of tensors that may be None."""

    @torch.jit.script
    def pick(x: torch.Tensor, i: torch.Tensor):
        return x[i], x[:, i]

    x, i = torch.randn(5, 5), torch.tensor([4, 0, 2])
    for _ in range(3):  # from the second on it is optimised
        for got, want in zip(pick(x.cuda(), i.cuda()), (x[i], x[:, i])):
            expect(got.is_cuda and torch.equal(got.cpu(), want), "x[i] in TorchScript")


def nested():
    torch.manual_seed(10)
    parts = [torch.randn(3, 4), torch.randn(5, 4)]
    ours = torch.nested.nested_tensor(parts, device="cuda")
    expect(ours.is_cuda and torch.equal((ours * 2).unbind()[1].cpu(), parts[1] * 2), "a nested tensor")
    expect(torch.nested.to_padded_tensor(ours, 0.0).shape == (2, 5, 4), "padded")
    jagged = torch.nested.nested_tensor(parts, device="cuda", layout=torch.jagged)
    expect(torch.equal(jagged.relu().unbind()[0].cpu(), parts[0].relu()), "a jagged tensor")
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2).eval()
    given, mask = torch.randn(3, 7, 32), torch.arange(7)[None] >= torch.tensor([7, 4, 2])[:, None]
    with torch.no_grad():
        theirs = model(given, src_key_padding_mask=mask)
        torch.testing.assert_close(copy.deepcopy(model).cuda()(given.cuda(), src_key_padding_mask=mask.cuda()).cpu(), theirs, rtol=1e-4, atol=1e-5)


def synchronized_norm():
    """SyncBatchNorm's operators: two ranks of three samples are one of six."""
    torch.manual_seed(11)
    whole, upper = torch.randn(6, 3, 4, 5, dtype=torch.double), torch.randn(6, 3, 4, 5, dtype=torch.double)
    plain = nn.BatchNorm2d(3).double()
    with torch.no_grad():
        plain.weight.uniform_(), plain.bias.uniform_()
    given = whole.clone().requires_grad_()
    theirs = plain(given)
    theirs.backward(upper)
    ops, ranks = torch.ops.aten, [(t.cuda(), u.cuda()) for t, u in zip(whole.split([2, 4]), upper.split([2, 4]))]
    weight, bias, mean, variance = (t.detach().cuda() for t in (plain.weight, plain.bias, torch.zeros(3).double(), torch.ones(3).double()))
    each = [ops.batch_norm_stats(t, 1e-5) for t, _ in ranks]
    counts = torch.tensor([2.0 * 20, 4.0 * 20], device="cuda", dtype=torch.double)
    both = ops.batch_norm_gather_stats_with_counts(ranks[0][0], torch.stack([e[0] for e in each]), torch.stack([e[1] for e in each]), mean, variance, 0.1, 1e-5, counts)
    made = torch.cat([ops.batch_norm_elemt(t, weight, bias, *both, 1e-5) for t, _ in ranks])
    torch.testing.assert_close(made.cpu(), theirs.detach())
    torch.testing.assert_close(mean.cpu(), plain.running_mean), torch.testing.assert_close(variance.cpu(), plain.running_var)
    sums = [ops.batch_norm_backward_reduce(u, t, *both, weight, True, True, True) for t, u in ranks]
    total, product = sum(s[0] for s in sums), sum(s[1] for s in sums)
    torch.testing.assert_close(sum(s[2] for s in sums).cpu(), plain.weight.grad), torch.testing.assert_close(sum(s[3] for s in sums).cpu(), plain.bias.grad)
    back = torch.cat([ops.batch_norm_backward_elemt(u, t, *both, weight, total, product, counts.int()) for t, u in ranks])
    torch.testing.assert_close(back.cpu(), given.grad)


def attention():
    """In full where the CPU's fast kernel does not fit: dropout, and a bias with a gradient."""
    torch.manual_seed(12)
    query, key, value = (torch.randn(2, 3, 5, 4, requires_grad=True) for _ in range(3))
    bias, upper = torch.randn(2, 3, 5, 5, requires_grad=True), torch.randn(2, 3, 5, 4)
    given = [t.detach().cuda().requires_grad_() for t in (query, key, value, bias)]
    F.scaled_dot_product_attention(query, key, value, bias).backward(upper)
    F.scaled_dot_product_attention(*given[:3], given[3]).backward(upper.cuda())
    for ours, theirs in zip(given, (query, key, value, bias)):
        torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-4, atol=1e-5)
    # Linear in value, so the gradient of value's own product is what came out, with the same dropout.
    made = F.scaled_dot_product_attention(*given[:3], dropout_p=0.5)
    (slope,) = torch.autograd.grad(made, given[2], upper.cuda())
    expect(abs((slope * given[2]).sum() - (made * upper.cuda()).sum()) < 1e-3, "dropout in the gradient")
    expect(not torch.equal(made, F.scaled_dot_product_attention(*given[:3], dropout_p=0.5)), "new numbers")
    many = F.scaled_dot_product_attention(*(torch.ones(8, 8, 32, 32, device="cuda") for _ in range(3)), dropout_p=0.25)
    expect(abs(many.mean() - 1) < 0.02, "dropout's mean")


def refusals():
    try:
        torch.ops.aten._convert_weight_to_int4pack(torch.zeros(8, 16, dtype=torch.uint8, device="cuda"), 2)
        raise AssertionError("an operator without CPU kernel gave something")
    except NotImplementedError as error:
        expect("_convert_weight_to_int4pack" in str(error) and "docs/pytorch.md" in str(error), error)


if __name__ == "__main__":
    main(tensors, memory, streams, graphs, graphed_step, generators, optimizers, convolutions, amp_channels_last, recurrent, transformer, diffusion, loader, sparse, scripted, nested, synchronized_norm, attention, refusals)
