# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of PyTorch 1.4 is more than an operator: the device, memory, streams, events, random numbers, several devices, and nets that learn. One line each;
a name runs that one. Nets of which cuDNN does a part run a second time on PyTorch's own kernels."""
import copy
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


def device():
    properties = torch.cuda.get_device_properties(0)
    assert torch.cuda.is_available() and torch.cuda.device_count() >= 1
    assert properties.total_memory > 0 and torch.cuda.get_device_capability(0) == (properties.major, properties.minor)


def copies():
    for kind in (torch.float, torch.double, torch.half, torch.long, torch.int, torch.short, torch.uint8, torch.bool):
        values = torch.arange(1000).to(kind)
        there = values.cuda()
        assert there.is_cuda and there.cpu().tolist() == values.tolist() and there.clone().cpu().tolist() == values.tolist()
        there[3:5].copy_(values[5:7])
        assert there[3:5].tolist() == values[5:7].tolist() and there.view(20, 50).t().contiguous().tolist() == there.cpu().view(20, 50).t().tolist()


def memory():
    torch.cuda.empty_cache()
    before, pieces = torch.cuda.memory_allocated(), [torch.empty(1 << 20, dtype=torch.uint8, device="cuda") for _ in range(9)]
    assert torch.cuda.memory_allocated() - before == 9 << 20 and torch.cuda.memory_reserved() >= 9 << 20
    del pieces
    assert torch.cuda.memory_allocated() == before and torch.cuda.max_memory_allocated() >= 9 << 20
    torch.cuda.empty_cache()


def streams():
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    one, other = torch.cuda.Stream(), torch.cuda.Stream(priority=-1)
    values = torch.ones(1 << 18).pin_memory()
    assert values.is_pinned()
    with torch.cuda.stream(one):
        begin.record()
        there = values.to("cuda", non_blocking=True) * 3
        end.record()
    other.wait_event(end)
    with torch.cuda.stream(other):
        total = there.sum()
    other.synchronize()
    assert end.query() and begin.elapsed_time(end) >= 0 and total.item() == 3 << 18


def random():
    torch.cuda.manual_seed(4)
    state, first = torch.cuda.get_rng_state(), torch.rand(1000, device="cuda")
    torch.cuda.set_rng_state(state)
    assert torch.equal(first, torch.rand(1000, device="cuda")) and not torch.equal(first, torch.rand(1000, device="cuda"))
    numbers = torch.randn(200000, device="cuda")
    assert abs(numbers.mean().item()) < 0.02 and abs(numbers.std().item() - 1) < 0.02 and 0 < first.min().item() and first.max().item() <= 1
    assert torch.equal(torch.randperm(1000, device="cuda").sort()[0].cpu(), torch.arange(1000))
    assert abs(torch.full((200000,), 0.3, device="cuda").bernoulli().mean().item() - 0.3) < 0.02
    assert set(torch.multinomial(torch.tensor([0.0, 1, 0, 2], device="cuda"), 500, replacement=True).tolist()) == {1, 3}
    kept = F.dropout(torch.ones(200000, device="cuda"), 0.25)
    assert abs(kept.mean().item() - 1) < 0.02 and abs((kept == 0).float().mean().item() - 0.25) < 0.02
    whole = torch.randint(3, 9, (2000,), device="cuda")
    assert whole.min().item() == 3 and whole.max().item() == 8
    assert abs(torch.empty(200000, device="cuda").exponential_(2).mean().item() - 0.5) < 0.02


def philox():
    """A GPU's numbers: Philox 4x32-10 of the seed, one sequence for each thread, of which 1.4 takes four numbers at a time."""
    def numbers(seed, thread):
        key, counter = [seed & 0xffffffff, seed >> 32], [0, 0, thread, 0]
        for _ in range(10):
            high, low = (0xd2511f53 * counter[0]) >> 32, (0xd2511f53 * counter[0]) & 0xffffffff
            above, below = (0xcd9e8d57 * counter[2]) >> 32, (0xcd9e8d57 * counter[2]) & 0xffffffff
            counter = [above ^ counter[1] ^ key[0], below, high ^ counter[3] ^ key[1], low]
            key = [(key[0] + 0x9e3779b9) & 0xffffffff, (key[1] + 0xbb67ae85) & 0xffffffff]
        return counter
    torch.cuda.manual_seed(1234567)
    found = torch.rand(64, device="cuda").cpu()
    expected = torch.tensor([numbers(1234567, thread)[0] * 2.0 ** -32 + 2.0 ** -33 for thread in range(64)])
    assert torch.allclose(found, expected, atol=1e-6), (found[:4], expected[:4])


def learns(make, inputs, targets, loss, optimiser, steps=8, apart=2e-3):
    """The same on the CPU and on the device, from the same weights."""
    torch.manual_seed(3)
    here = make()
    losses = []
    for net, place in ((copy.deepcopy(here).cuda(), "cuda"), (here, "cpu")):
        steps_of, x, y = optimiser(net.parameters()), inputs.to(place), targets.to(place)
        seen = []
        for _ in range(steps):
            steps_of.zero_grad()
            now = loss(net(x), y)
            now.backward()
            steps_of.step()
            seen.append(now.item())
        losses.append(torch.tensor(seen))
    assert torch.allclose(losses[0], losses[1], rtol=apart, atol=apart), losses
    assert losses[0][-1] < losses[0][0]


def perceptron():
    make = lambda: nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.BatchNorm1d(64), nn.Linear(64, 5))
    for optimiser in (lambda p: torch.optim.SGD(p, 0.1, momentum=0.9), lambda p: torch.optim.Adam(p, 0.01), lambda p: torch.optim.RMSprop(p, 0.01), lambda p: torch.optim.Adagrad(p, 0.05)):
        learns(make, torch.randn(32, 20), torch.randint(0, 5, (32,)), F.cross_entropy, optimiser)


def convolutions():
    make = lambda: nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 12, 3), nn.ReLU(),
                                 nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 5))
    learns(make, torch.randn(8, 3, 16, 16), torch.randint(0, 5, (8,)), F.cross_entropy, lambda p: torch.optim.SGD(p, 0.05, momentum=0.9), apart=1e-2)


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layers, self.last = kind(10, 16, 2), nn.Linear(16, 3)

    def forward(self, x):
        return self.last(self.layers(x)[0][-1])


def recurrent():
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        learns(lambda: Recurrent(kind), torch.randn(7, 6, 10), torch.randint(0, 3, (6,)), F.cross_entropy, lambda p: torch.optim.Adam(p, 0.02))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.known, self.layer, self.last = nn.Embedding(30, 16), nn.TransformerEncoderLayer(16, 4, 32, dropout=0), nn.Linear(16, 4)

    def forward(self, x):
        return self.last(self.layer(self.known(x)).mean(0))


def attention():
    learns(Attention, torch.randint(0, 30, (9, 6)), torch.randint(0, 4, (6,)), F.cross_entropy, lambda p: torch.optim.Adam(p, 0.01))


def halves():
    torch.manual_seed(3)
    net, x = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)), torch.randn(9, 16)
    right = net(x)
    there = net.half().cuda()(x.half().cuda())
    assert torch.allclose(there.float().cpu(), right, atol=2e-2)
    there.sum().backward()


def several():
    if torch.cuda.device_count() < 2:
        return "one device only (UNWARP_DEVICES=2)"
    net = nn.Linear(16, 4)
    right = net(torch.ones(6, 16))
    both = nn.DataParallel(net.cuda())
    assert torch.allclose(both(torch.ones(6, 16).cuda()).cpu(), right, atol=1e-5)
    both(torch.ones(6, 16).cuda()).sum().backward()
    assert torch.allclose(net.weight.grad.cpu(), torch.full((4, 16), 6.0))
    there = torch.arange(9.0, device="cuda:0").to("cuda:1")
    assert there.device.index == 1 and torch.equal((there * 2).cpu(), torch.arange(9.0) * 2)
    return None


CHECKS = [device, copies, memory, streams, random, philox, perceptron, halves, attention, recurrent, convolutions, several]


CUDNN = (perceptron, recurrent, convolutions)


def main():
    failed = 0
    for check, cudnn in [(check, cudnn) for check in CHECKS for cudnn in (True, False)[: 1 + (check in CUDNN)]]:
        if sys.argv[1:] and check.__name__ not in sys.argv[1:]:
            continue
        begin, said, good, name = time.monotonic(), "right", True, check.__name__ + ("" if cudnn else " without cuDNN")
        torch.manual_seed(1)
        torch.backends.cudnn.enabled = cudnn
        try:
            said = check() or "right"
        except Exception as error:  # whatever PyTorch raises is this line's
            said, good = f"{type(error).__name__} {' '.join(str(error).split())[:300]}", False
        failed += not good
        print(f"{'PASS' if good else 'FAIL'} PyTorch 1.4 {name}: {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    return failed > 0


sys.exit(main())
