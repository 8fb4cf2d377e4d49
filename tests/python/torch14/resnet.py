# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ResNet-50 on PyTorch 1.4, the device against PyTorch's CPU: pictures of 224 x 224, random numbers in them, SGD with momentum.

    resnet.py losses [STEPS [BATCH]]       the loss of each step on the device and on the CPU with MKL-DNN and without it, 20 of them with 4 pictures unless
                                           said otherwise; fails where the device's parts from the CPU's further than these do from each other
    resnet.py speed [REPEATS [BATCH]…]     pictures a second: the device, the CPU with MKL-DNN and without it, in turn; medians
    resnet.py first [BATCH]                what the first step and the second cost on the device
    resnet.py steps [STEPS [BATCH]]        steps on the device alone, for profiles
"""
import os
import statistics
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES, SIDE = 1000, 224


REST = 0.3  # seconds between turns: one side's threads wait actively for a while, which the other is not to pay for


def convolution(ins, outs, side, stride=1):
    return nn.Conv2d(ins, outs, side, stride, side // 2, bias=False)


class Bottleneck(nn.Module):
    def __init__(self, ins, middle, stride):
        super().__init__()
        outs = 4 * middle
        self.narrow, self.normal1 = convolution(ins, middle, 1), nn.BatchNorm2d(middle)
        self.look, self.normal2 = convolution(middle, middle, 3, stride), nn.BatchNorm2d(middle)
        self.wide, self.normal3 = convolution(middle, outs, 1), nn.BatchNorm2d(outs)
        self.past = nn.Sequential(convolution(ins, outs, 1, stride), nn.BatchNorm2d(outs)) if stride > 1 or ins != outs else None

    def forward(self, x):
        y = F.relu(self.normal1(self.narrow(x)), inplace=True)
        y = F.relu(self.normal2(self.look(y)), inplace=True)
        y = self.normal3(self.wide(y))
        return F.relu(y + (self.past(x) if self.past else x), inplace=True)


class ResNet50(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.normal = convolution(3, 64, 7, 2), nn.BatchNorm2d(64)
        blocks, ins = [], 64
        for middle, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for i in range(count):
                blocks.append(Bottleneck(ins, middle, stride if i == 0 else 1))
                ins = 4 * middle
        self.blocks, self.last = nn.Sequential(*blocks), nn.Linear(ins, CLASSES)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            if isinstance(module, Bottleneck):
                nn.init.zeros_(module.normal3.weight)  # blocks begin as what goes past them: else rounding grows from one to the next

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.normal(self.stem(x)), inplace=True), 3, 2, 1)
        x = F.adaptive_avg_pool2d(self.blocks(x), 1).flatten(1)
        return self.last(x)


class Side:
    """A net on a device, which takes the same steps as all others."""

    def __init__(self, device, batch, mkldnn=True):
        torch.manual_seed(1)
        self.mkldnn = mkldnn
        self.net = ResNet50().to(device)
        self.images, self.classes = torch.randn(batch, 3, SIDE, SIDE).to(device), torch.randint(CLASSES, (batch,)).to(device)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.001, momentum=0.9)

    def step(self):
        torch._C._set_mkldnn_enabled(self.mkldnn)
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.net(self.images), self.classes)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def time(self):
        time.sleep(REST)
        start = time.perf_counter()
        self.step()
        return time.perf_counter() - start


def losses(steps=20, batch=4):
    device, cpu, other = Side("cuda", batch), Side("cpu", batch), Side("cpu", batch, False)
    ours, theirs = 0, 0
    for i in range(steps):
        found, wanted, also = device.step(), cpu.step(), other.step()
        ours = max(ours, abs(found - wanted) / wanted)
        theirs = max(theirs, abs(also - wanted) / wanted)
        print(f"step {i + 1}: device {found:.6f}, CPU with MKL-DNN {wanted:.6f}, without it {also:.6f}", flush=True)
    print(f"furthest from the CPU with MKL-DNN: the device {ours:.1e} of the loss, the CPU without it {theirs:.1e}")
    return ours <= max(3 * theirs, 1e-5)


def speed(repeats=5, *batches):
    print("threads batch   device  MKL-DNN  without   to MKL-DNN  to without   (pictures a second, medians)")
    for batch in batches or (1, 4, 8, 12):
        sides = [Side("cuda", batch), Side("cpu", batch), Side("cpu", batch, False)]
        for side in sides:
            side.step()
        times = [[side.time() for side in sides] for _ in range(repeats)]
        ours, with_it, without = (statistics.median(column) for column in zip(*times))
        ratios = [statistics.median(row[i] / row[0] for row in times) for i in (1, 2)]
        print(f"{torch.get_num_threads():7} {batch:5} {batch / ours:8.2f} {batch / with_it:8.2f} {batch / without:8.2f}"
              f" {ratios[0]:12.2f} {ratios[1]:11.2f}", flush=True)
        del sides, side
        torch.cuda.empty_cache()
    return True


def first(batch=4):
    start = time.perf_counter()
    side = Side("cuda", batch)
    made = time.perf_counter()
    for what in ("first", "second", "third"):
        side.step()
        print(f"{what} step: {time.perf_counter() - made:.2f} s", flush=True)
        if what == "first":
            print(f"to its end from the start: {time.perf_counter() - start:.2f} s")
        made = time.perf_counter()
    return True


def steps(count=10, batch=4):
    side, start = Side("cuda", batch), None
    for i in range(count + 1):
        side.step()
        start = start or time.perf_counter()
    print(f"{count * batch / (time.perf_counter() - start):.2f} pictures a second")
    return True


if __name__ == "__main__":
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", torch.get_num_threads())))
    chosen = {each.__name__: each for each in (losses, speed, first, steps)}[sys.argv[1] if len(sys.argv) > 1 else "losses"]
    sys.exit(not chosen(*map(int, sys.argv[2:])))
