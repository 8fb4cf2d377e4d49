# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's operators on "cuda" against its CPU, by its own OpInfo: forward and gradient of the first samples of each.

    operators.py [--dtype float32] [--samples 4] [--part I/N] [--seconds S] [NAME ...]

Of each sample for which the CPU has a result:
  right    the same in the tolerances of PyTorch's own comparison with its CPU (test_ops.py, test_compare_cpu: 1e-3; for
           bfloat16, of which that is less than a place, torch.testing's 1.6e-2); of float16 and bfloat16 also the same as the CPU's in float32, rounded
  random   numbers of a generator, of which shapes and types are compared
  refused  NotImplementedError, with a name
  wrong    another result; error: another exception; crash: the process ended
  none     PyTorch itself has no such operator on "cuda"
Samples for which the CPU raises are skipped. The last lines are sums; the exit status is 1 if anything was wrong.
"""
import argparse
import os
import subprocess
import sys
import time
import warnings

if "--child" in sys.argv:
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    HALF = torch.float16, torch.bfloat16

warnings.simplefilter("ignore")
KINDS = ("right", "random", "refused", "wrong", "error", "crash", "none", "skipped")


def tensors_of(value, found=None):
    found = [] if found is None else found
    if isinstance(value, torch.Tensor):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        for each in value:
            tensors_of(each, found)
    elif isinstance(value, dict):
        for each in value.values():
            tensors_of(each, found)
    return found


def moved(value, device):
    """Copies on that device of all tensors in a value; on "wide" on the CPU, in float32 for fewer bits."""
    if isinstance(value, torch.Tensor) and device == "wide":
        fresh = moved(value, "cpu")
        return fresh.detach().float().requires_grad_(value.requires_grad) if value.dtype in HALF else fresh
    if isinstance(value, torch.Tensor):
        fresh = value.detach().clone() if device == "cpu" else value.detach().to(device)
        if value.is_contiguous() != fresh.is_contiguous() or value.stride() != fresh.stride():
            if value.layout == torch.strided and value.numel():
                fresh = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=device).copy_(value.detach())
        return fresh.requires_grad_(value.requires_grad)
    if isinstance(value, torch.device) or (isinstance(value, str) and value == "cpu"):
        return "cpu" if device == "wide" else device
    if isinstance(value, (list, tuple)):
        items = [moved(each, device) for each in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: moved(each, device) for key, each in value.items()}
    return value


def run(op, sample, device, backward):
    """The results, and the gradients of their sum weighted by a ramp."""
    for_arguments = "cpu" if op.name in ("tensor_split",) else device  # which wants its indices on the CPU
    given, arguments, named = moved(sample.input, device), moved(sample.args, for_arguments), moved(sample.kwargs, for_arguments)
    torch.manual_seed(7)
    result = op(given, *arguments, **named)
    if sample.output_process_fn_grad is not None and backward:
        shown = sample.output_process_fn_grad(result)
    else:
        shown = result
    results, gradients = tensors_of(result), []
    if backward:
        into = [t for t in tensors_of([given, arguments, named]) if t.requires_grad and t.is_leaf]
        outs = [t for t in tensors_of(shown) if t.requires_grad and t.layout == torch.strided]
        if into and outs:
            weights = [torch.linspace(0.5, 1.5, t.numel()).bfloat16().to(t.dtype).reshape(t.shape).to(t.device) for t in outs]
            gradients = [g for g in torch.autograd.grad(outs, into, weights, allow_unused=True)]
    return results, gradients


def plain(value):
    if value is None:
        return None
    value = value.detach()
    value = value.resolve_conj().resolve_neg() if value.layout == torch.strided else value
    return value.cpu()


def same(ours, theirs):
    if len(ours) != len(theirs):
        return f"{len(ours)} results for {len(theirs)}"
    for a, b in zip(ours, theirs):
        if (a is None) != (b is None):
            return "a result that is None"
        if a is None:
            continue
        if a.shape != b.shape or a.dtype != b.dtype or a.layout != b.layout:
            return f"{a.dtype} {tuple(a.shape)} for {b.dtype} {tuple(b.shape)}"
        if a.device.type != "cuda":
            return "a result that is not on cuda"
        try:
            torch.testing.assert_close(plain(a), plain(b), rtol=1.6e-2 if a.dtype == torch.bfloat16 else 1e-3, atol=1e-3, equal_nan=True)
        except AssertionError as error:
            return str(error).replace("\n", " ")[:160]
    return None


def same_as_wide(ours, op, sample, part):
    """Of fewer bits than 32: whether it is what the CPU makes in float32, rounded. Some CPU kernels round after each addition, as a GPU's do not."""
    try:
        theirs = run(op, sample, "wide", part == 1)[part]
    except Exception as error:  # of types that do not fit
        return f"{type(error).__name__} {error}"
    return same(ours, [b.to(a.dtype) if a is not None and b is not None and a.dtype in HALF else b for a, b in zip(ours, theirs)])


def is_random(op, sample):
    """Whether the CPU's own result changes with the seed, which samples may set themselves."""
    results, set_seed = [], torch.manual_seed
    try:
        for seed in range(5):
            set_seed(seed)
            torch.manual_seed = lambda _: torch.default_generator
            result = op(moved(sample.input, "cpu"), *moved(sample.args, "cpu"), **moved(sample.kwargs, "cpu"))
            results.append([plain(t).to_dense() if t.layout != torch.strided else plain(t) for t in tensors_of(result)])
            torch.manual_seed = set_seed
    finally:
        torch.manual_seed = set_seed
    return any(a.shape != b.shape or not torch.equal(a, b) for other in results[1:] for a, b in zip(results[0], other))


def one(op, dtype, count, say):
    backward = dtype in op.supported_backward_dtypes("cpu") and op.supports_autograd
    torch.manual_seed(11)
    samples = iter(op.sample_inputs("cpu", dtype, requires_grad=backward))
    name = op.name + ("." + op.variant_test_name if op.variant_test_name else "")
    for number in range(count):
        try:
            sample = next(samples)
        except StopIteration:
            return
        except Exception as error:
            say("skipped", name, f"samples: {error}")
            return
        for with_gradient in (False, True) if backward else (False,):
            what = f"{name} {number}{' gradient' if with_gradient else ''}"
            try:
                theirs = run(op, sample, "cpu", with_gradient)
            except Exception as error:
                say("skipped", what, f"{type(error).__name__} {error}")
                continue
            try:
                ours = run(op, sample, "cuda", with_gradient)
            except NotImplementedError as error:
                say("refused" if "unwarp" in str(error) else "none", what, str(error))
                continue
            except Exception as error:
                say("error", what, f"{type(error).__name__} {error}")
                continue
            try:
                part = 1 if with_gradient else 0
                wrong = same(ours[part], theirs[part])
                if wrong and dtype in HALF and not same_as_wide(ours[part], op, sample, part):
                    wrong = None
                if wrong:
                    random = op.name.startswith(("empty", "new_empty")) or is_random(op, sample)
                    bad_shape = [1 for a, b in zip(ours[0], theirs[0]) if a.dtype != b.dtype or a.dim() != b.dim()]
                    say("random" if random and not bad_shape else "wrong", what, wrong)
                else:
                    say("right", what, "")
            except Exception as error:
                say("error", what, f"comparing: {type(error).__name__} {error}")


def child(ops, dtype, count, end):
    def say(kind, what, why):
        os.write(report, f"{kind}\t{what}\t{' '.join(why.split())[:300]}\n".encode())

    report = os.dup(1)
    os.dup2(2, 1)
    for index, op in ops:
        if time.monotonic() > end:
            break
        say("op", str(index), op.name)
        one(op, dtype, count, say)
    say("end", "", "")


def run_children(given, take):
    """A child compares, and another one from the next operator on where one crashes."""
    first = 0
    while True:
        command = [sys.executable, __file__, *sys.argv[1:], "--child", str(first)]
        process, at, name, ended = subprocess.Popen(command, stdout=subprocess.PIPE), None, None, False
        for line in process.stdout:
            kind, what, why = line.decode().rstrip("\n").split("\t")
            if kind == "op":
                at, name = int(what), why
            elif kind == "end":
                ended = True
            else:
                take(kind, what, why)
        status = process.wait()
        if ended:
            if status:
                take("crash", "at-the-end", f"status {status}")
            return
        if at is None:
            sys.exit(f"operators.py: a child ended with status {status} before the first operator")
        take("crash", name, f"status {status}")
        first = at + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--child", type=int, default=-1, help="from that operator on; not for people")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.child >= 0:
        dtype, (part, parts) = getattr(torch, given.dtype), map(int, given.part.split("/"))
        ops = [op for op in op_db if dtype in op.supported_dtypes("cpu")]
        ops = list(enumerate([op for op in ops if op.name in given.names] if given.names else ops[part::parts]))
        return child(ops[given.child :], dtype, given.samples, float(os.environ.get("OPERATORS_END", "inf")))
    os.environ["OPERATORS_END"] = str(time.monotonic() + given.seconds)
    counts, names = dict.fromkeys(KINDS, 0), {kind: set() for kind in KINDS}

    def take(kind, what, why):
        counts[kind] += 1
        names[kind].add(what.split()[0])
        if kind not in ("right", "random"):
            print(f"{kind}: {what}: {why}", flush=True)

    run_children(given, take)
    seen = len(set().union(*names.values()))
    print(f"{given.dtype}: {seen} operators; samples: " + ", ".join(f"{counts[k]} {k}" for k in KINDS))
    print("operators: " + ", ".join(f"{len(names[k])} {k}" for k in KINDS))
    with_result = sum(counts[k] for k in KINDS if k not in ("none", "skipped"))
    if with_result:
        print(f"right or random: {100 * (counts['right'] + counts['random']) / with_result:.2f}%, refused {100 * counts['refused'] / with_result:.2f}%")
    return 1 if counts["wrong"] or counts["crash"] else 0


sys.exit(main())
