# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data-parallel training of a small CNN on made-up images, on "cuda" by the nccl back end, under torchrun; nodes.sh runs it.

    ddp.py FILE             the losses of a whole batch, one a step, are written into FILE by rank 0; without torchrun by one process without DDP
    ddp.py FILE WANTED      and compared with those in WANTED
    ddp.py FILE --dies N    the last rank, and the torchrun that has started it, are killed in step N
"""
import json
import os
import signal
import sys

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

STEPS, BATCH, CLASSES = 20, 24, 5


def images(step):
    """A batch of images with a bright bar each, whose direction and place are its class, in noise."""
    generator = torch.Generator().manual_seed(100 + step)
    labels = torch.randint(CLASSES, (BATCH,), generator=generator)
    pictures = torch.randn(BATCH, 3, 24, 24, generator=generator)
    for picture, label in zip(pictures, labels):
        if label % 2:
            picture[:, 4 * int(label) + 2, :] += 2
        else:
            picture[:, :, 4 * int(label) + 2] += 2
    return pictures, labels


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 16, 3, padding=1), nn.Conv2d(16, 32, 3, padding=1)
        self.norm = nn.GroupNorm(4, 32)  # of an image alone: BatchNorm's curve depends on how a batch is parted
        self.out = nn.Linear(32 * 36, CLASSES)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.first(x)), 2)
        x = F.max_pool2d(F.relu(self.norm(self.second(x))), 2)
        return self.out(x.flatten(1))


def collectives(rank, ranks):
    """What else torch.distributed asks of NCCL."""
    one = torch.full((3,), float(rank), device="cuda")
    gathered = [torch.empty_like(one) for _ in range(ranks)]
    dist.all_gather(gathered, one)
    assert [int(x[0]) for x in gathered] == list(range(ranks))
    part = torch.empty(2, device="cuda")
    dist.reduce_scatter_tensor(part, torch.arange(2.0 * ranks, device="cuda"))
    assert part.tolist() == [2.0 * rank * ranks, (2.0 * rank + 1) * ranks]
    swapped = torch.empty(ranks, dtype=torch.int64, device="cuda")
    dist.all_to_all_single(swapped, torch.arange(ranks, device="cuda") + 10 * rank)
    assert swapped.tolist() == [10 * i + rank for i in range(ranks)]
    half = torch.full((5,), 1.5, dtype=torch.bfloat16, device="cuda")
    dist.all_reduce(half, op=dist.ReduceOp.AVG)
    assert half.tolist() == [1.5] * 5
    token = torch.tensor([rank], device="cuda")
    to, of = (rank + 1) % ranks, (rank - 1) % ranks
    for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, torch.tensor([rank], device="cuda"), to), dist.P2POp(dist.irecv, token, of)]):
        work.wait()
    assert int(token) == of
    objects = [None] * ranks
    dist.all_gather_object(objects, {"rank": rank})
    assert objects == [{"rank": i} for i in range(ranks)]
    pair = dist.new_group([0, ranks - 1])
    if rank in (0, ranks - 1):
        dist.broadcast(token, 0, group=pair)
        assert int(token) == (ranks - 1)
    dist.barrier()


def main():
    file, wanted, dies = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else None, int(sys.argv[3]) if len(sys.argv) > 3 else None
    ranks, rank = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0))
    alone = "WORLD_SIZE" not in os.environ
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
    torch.cuda.set_device(device)
    torch.manual_seed(7 if alone or rank == 0 else 1000 + rank)  # DDP gives all the weights of rank 0
    model = Net().to(device)
    if not alone:
        dist.init_process_group("nccl")
        collectives(rank, ranks)
        model = DistributedDataParallel(model, device_ids=[device.index], bucket_cap_mb=0.1)
    optimizer, losses, share = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9), [], BATCH // ranks
    for step in range(STEPS):
        if step == dies and rank == ranks - 1:
            os.kill(os.getppid(), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        pictures, labels = (x[rank * share : (rank + 1) * share].to(device) for x in images(step))
        optimizer.zero_grad()
        loss = F.cross_entropy(model(pictures), labels)
        loss.backward()
        optimizer.step()
        whole = loss.detach().clone()
        if not alone:
            dist.all_reduce(whole, op=dist.ReduceOp.AVG)
        losses.append(float(whole))
    if rank == 0:
        with open(file, "w") as out:
            json.dump(losses, out)
        print(f"{ranks} ranks: losses {losses[0]:.4f} to {losses[-1]:.4f}", flush=True)
        if wanted:
            with open(wanted) as theirs:
                alone_losses = json.load(theirs)
            away = max(abs(a - b) / max(abs(b), 1e-2) for a, b in zip(losses, alone_losses, strict=True))
            print(f"  at most {away:.1e} away from one process", flush=True)
            assert away < 1e-3, (losses, alone_losses)
        assert losses[-1] < losses[0] / 2, losses
    if not alone:
        dist.destroy_process_group()


main()
