# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch 1.4's operators on "cuda" against its CPU, forward and backward: compare.py [--seconds N] [NAME]…

A line for each operator and type: PASS, FAIL with what went wrong, or SKIP where PyTorch itself has no such operator on its CPU or on GPUs. table.py
has the table; a name runs the rows that begin with it. What PyTorch leaves to cuDNN runs a second time without it, on PyTorch's own kernels."""
import signal
import sys
import time

import torch

from table import ROWS

KINDS = {"f": torch.float, "d": torch.double, "h": torch.half, "l": torch.long}
# Relative to the largest value of a result: PyTorch's own tests allow as much.
APART = {torch.float: 2e-4, torch.double: 1e-7, torch.half: 2e-2, torch.long: 0}
CUDNN = ("conv", "batch_norm", "instance_norm", "ctc_loss", "grid_sample", "affine_grid")  # beginnings of rows that may be cuDNN's
NOT_THERE = ("not implemented for", "is not implemented", "not supported on", "no implementation")


def tensors(result):
    return [each for each in (result if isinstance(result, (tuple, list)) else [result]) if isinstance(each, torch.Tensor)]


def run(function, inputs, backward):
    """The results, and the gradients of all inputs."""
    inputs = [each.detach().requires_grad_(backward and each.is_floating_point()) for each in inputs]
    results = tensors(function(*inputs))
    gradients = []
    if backward:
        into = [each for each in inputs if each.requires_grad]
        ends = [each for each in results if each.requires_grad]
        if into and ends:
            # Halves hold them all, and neighbours differ much, so that their means do not cancel out what is to be seen.
            weights = [torch.arange(each.numel()).fmod(7).sub(2).double().div(4).to(each).reshape(each.shape) for each in ends]
            gradients = [each for each in torch.autograd.grad(ends, into, weights, allow_unused=True) if each is not None]
    return [each.detach().cpu() for each in results], [each.cpu() for each in gradients]


def differ(there, here, kind):
    if there.shape != here.shape:
        return f"shape {tuple(there.shape)}, the CPU's {tuple(here.shape)}"
    if not here.numel():
        return None
    if not here.is_floating_point():
        count = int((there != here.to(there.dtype)).sum())
        return f"{count} of {here.numel()} are other ones" if count else None
    there, here = there.double(), here.double()
    if not torch.equal(torch.isnan(there), torch.isnan(here)):
        return "NaNs in other places"
    known = torch.isfinite(here)
    if not torch.equal(there[~known & ~torch.isnan(here)], here[~known & ~torch.isnan(here)]):
        return "infinities in other places"
    if not known.any():
        return None
    apart = float((there[known] - here[known]).abs().max()) / max(float(here[known].abs().max()), 1e-3)
    return None if apart <= APART[kind] else f"{apart:.1e} apart"


def compare(function, makers, kind, backward):
    torch.manual_seed(11)
    wide = torch.float if kind == torch.half else kind
    here = [make(wide) for make in makers]
    if kind == torch.half:  # the same numbers on both sides
        here = [each.half().float() if each.is_floating_point() else each for each in here]
    there = [each.to(kind).cuda() if each.is_floating_point() else each.cuda() for each in here]
    backward = backward and kind.is_floating_point
    right = run(function, here, backward)
    found = run(function, there, backward)
    for what, ours, cpus in (("result", found[0], right[0]), ("gradient", found[1], right[1])):
        if len(ours) != len(cpus):
            return f"{len(ours)} {what}s, the CPU's {len(cpus)}"
        for number, (one, other) in enumerate(zip(ours, cpus)):
            said = differ(one, other, kind)
            if said:
                return f"{what} {number}: {said}"
    return None


def too_long(*_):
    raise TimeoutError("not done in time")


def check(row, letter, seconds, cudnn=True):
    name, function, makers, _, backward = row
    name += "" if cudnn else " without cuDNN"
    torch.backends.cudnn.enabled = cudnn
    begin, verdict, said = time.monotonic(), "PASS", ""
    signal.alarm(seconds)
    try:
        said = compare(function, makers, KINDS[letter], backward)
        verdict, said = ("FAIL", said) if said else ("PASS", "")
    except Exception as error:  # whatever PyTorch raises is this line's
        said = f"{type(error).__name__} {' '.join(str(error).split())[:200]}"
        verdict = "SKIP" if any(words in said for words in NOT_THERE) else "FAIL"
    signal.alarm(0)
    print(f"{verdict} {name} {str(KINDS[letter])[6:]}{': ' if said else ''}{said} ({time.monotonic() - begin:.1f} s)", flush=True)
    return verdict


def main():
    names, seconds = sys.argv[1:], 600
    if names[:1] == ["--seconds"]:
        seconds, names = int(names[1]), names[2:]
    signal.signal(signal.SIGALRM, too_long)
    rows = [row for row in ROWS if not names or any(row[0].startswith(name) for name in names)]
    verdicts = [check(row, letter, seconds, cudnn) for row in rows for cudnn in (True, False)[: 1 + row[0].startswith(CUDNN)] for letter in row[3]]
    print(", ".join(f"{verdicts.count(each)} {each}" for each in ("PASS", "FAIL", "SKIP")))
    return verdicts.count("FAIL") > 0


sys.exit(main())
