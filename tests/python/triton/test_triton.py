# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""triton.jit kernels on unwarp's driver, each against NumPy. Run by run.sh (make check-triton), once for each
architecture that Triton is told to compile for."""
import os
import unittest

import numpy as np
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice

from device import Array, rounded, zeros

FLOATS = ["float16", "bfloat16", "float32", "float64"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = SIGNED + UNSIGNED
ERROR = {"float8_e5m2": 0.2, "float16": 2e-3, "bfloat16": 1.6e-2, "float32": 2e-6, "float64": 1e-13}


def random(shape, dtype, seed=1, least=None, most=None):
    generator = np.random.default_rng(seed)
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        least = info.min if least is None else least
        return generator.integers(least, info.max if most is None else most, shape, dtype=dtype, endpoint=True)
    values = generator.uniform(-1 if least is None else least, 1 if most is None else most, shape)
    return rounded(values, dtype)


def quietly(function, *values):
    with np.errstate(all="ignore"):
        return function(*values)


class Kernels(unittest.TestCase):
    def near(self, got, expected, dtype="float32", factor=1):
        error = ERROR.get(dtype)
        if error is None:
            np.testing.assert_array_equal(got, expected)
        else:
            scale = np.abs(np.where(np.isfinite(expected), expected, 0)).astype("float64").max(initial=1)
            np.testing.assert_allclose(got.astype("float64"), expected.astype("float64"), rtol=error * factor, atol=error * factor * scale)

    # Elementwise

    def test_binary_operators(self):
        @triton.jit
        def kernel(x, y, sums, products, differences, least, count, BLOCK: tl.constexpr):
            i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            inside = i < count
            a = tl.load(x + i, mask=inside)
            b = tl.load(y + i, mask=inside)
            tl.store(sums + i, a + b, mask=inside)
            tl.store(products + i, a * b, mask=inside)
            tl.store(differences + i, a - b, mask=inside)
            tl.store(least + i, tl.minimum(a, b), mask=inside)

        for dtype in FLOATS + INTEGERS:
            for block in (128, 1024):
                with self.subTest(dtype=dtype, block=block):
                    x, y = random(1003, dtype, 1), random(1003, dtype, 2)
                    outputs = [zeros(1003, dtype) for _ in range(4)]
                    kernel[(triton.cdiv(1003, block),)](Array(x, dtype), Array(y, dtype), *outputs, 1003, BLOCK=block)
                    for output, function in zip(outputs, (np.add, np.multiply, np.subtract, np.minimum)):
                        self.near(output.values, quietly(function, x, y), dtype)

    def test_integer_operators(self):
        @triton.jit
        def kernel(x, y, s, quotients, rests, lefts, rights, ands, ors, xors, nots, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            a = tl.load(x + i)
            b = tl.load(y + i)
            c = tl.load(s + i)
            tl.store(quotients + i, a // b)
            tl.store(rests + i, a % b)
            tl.store(lefts + i, a << c)
            tl.store(rights + i, a >> c)
            tl.store(ands + i, a & b)
            tl.store(ors + i, a | b)
            tl.store(xors + i, a ^ b)
            tl.store(nots + i, ~a)

        for dtype in INTEGERS:
            with self.subTest(dtype=dtype):
                x, y = random(256, dtype, 1), random(256, dtype, 2)
                y[y == 0] = 3
                shifts = random(256, dtype, 3, 0, np.iinfo(dtype).bits - 1)
                outputs = [zeros(256, dtype) for _ in range(8)]
                kernel[(1,)](Array(x), Array(y), Array(shifts), *outputs, BLOCK=256)
                quotient = quietly(lambda: np.trunc(x / y) if np.iinfo(dtype).bits < 32 else None)
                exact = [int(a) // int(b) if (a >= 0) == (b >= 0) else -(abs(int(a)) // abs(int(b))) for a, b in zip(x, y)]
                quotient = np.array([(q + 2**63) % 2**64 - 2**63 if q < 2**63 else q for q in exact], dtype=object).astype(dtype)
                rest = np.array([int(a) - q * int(b) for a, b, q in zip(x, y, exact)], dtype=object).astype(dtype)
                results = [quotient, rest, x << shifts, x >> shifts, x & y, x | y, x ^ y, ~x]
                for output, expected in zip(outputs, results):
                    np.testing.assert_array_equal(output.values, expected)

    def test_comparisons_and_where(self):
        @triton.jit
        def kernel(x, y, less, same, chosen, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            a = tl.load(x + i)
            b = tl.load(y + i)
            tl.store(less + i, (a < b).to(tl.int8))
            tl.store(same + i, (a == b).to(tl.int8))
            tl.store(chosen + i, tl.where((a <= b) & (a != a - a), a, b))

        for dtype in FLOATS + INTEGERS:
            with self.subTest(dtype=dtype):
                x, y = random(256, dtype, 1), random(256, dtype, 2)
                y[::3] = x[::3]
                if dtype in FLOATS:
                    x[5], y[9] = np.nan, np.nan
                less, same, chosen = zeros(256, "int8"), zeros(256, "int8"), zeros(256, dtype)
                kernel[(1,)](Array(x, dtype), Array(y, dtype), less, same, chosen, BLOCK=256)
                np.testing.assert_array_equal(less.values, x < y)
                np.testing.assert_array_equal(same.values, x == y)
                np.testing.assert_array_equal(chosen.values, np.where((x <= y) & (x != 0), x, y))

    def test_conversions(self):
        @triton.jit
        def kernel(x, y, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            tl.store(y + i, tl.load(x + i).to(y.dtype.element_ty))

        types = FLOATS + INTEGERS + ["float8_e5m2"]
        for source in types:
            for target in types:
                with_float8 = "float8_e5m2" in (source, target)  # Triton has not all of these
                if source == target or with_float8 and not {source, target} <= {"float8_e5m2", "float16", "bfloat16", "float32"}:
                    continue
                with self.subTest(source=source, target=target):
                    if source in INTEGERS:
                        x = random(256, source)
                    elif target in INTEGERS:  # what fits, for what does not is not defined
                        info = np.iinfo(target)
                        x = random(256, source, 1, max(info.min, -1e4), min(info.max, 1e4))
                        x = np.clip(x, max(info.min, -1e4), min(info.max, 1e4) - 1)
                        x = rounded(np.trunc(x) if source == "bfloat16" else x, source)
                        if source == "bfloat16":
                            x = np.clip(x, info.min, 120)
                    else:
                        x = random(256, source, 1, -100, 100)
                    output = zeros(256, target)
                    kernel[(1,)](Array(x, source), output, BLOCK=256)
                    expected = quietly(rounded, x, target)
                    if target == "bfloat16":  # int64 -> float32 -> bfloat16 iterations twice, and so does Triton
                        self.near(output.values, expected.astype("float64"), target)
                    elif target in ("float16", "float8_e5m2"):
                        finite = np.isfinite(expected)
                        self.near(output.values[finite], expected[finite], target)
                    else:
                        np.testing.assert_array_equal(output.values, expected)

    def test_mathematics(self):
        @triton.jit
        def kernel(x, y, FUNCTION: tl.constexpr, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            tl.store(y + i, FUNCTION(tl.load(x + i)))

        functions = {tl.exp: np.exp, tl.exp2: np.exp2, tl.log: np.log, tl.log2: np.log2, tl.sin: np.sin, tl.cos: np.cos, tl.sqrt: np.sqrt,
                     tl.rsqrt: lambda x: 1 / np.sqrt(x), tl.abs: np.abs, tl.floor: np.floor, tl.ceil: np.ceil, tl.sigmoid: lambda x: 1 / (1 + np.exp(-x)),
                     tl.sqrt_rn: np.sqrt, libdevice.tanh: np.tanh, libdevice.atan: np.arctan, libdevice.log1p: np.log1p,
                     libdevice.expm1: np.expm1, libdevice.sinh: np.sinh, libdevice.acos: np.arccos, libdevice.cbrt: np.cbrt, libdevice.rint: np.rint}
        for function, expected in functions.items():
            for dtype in ("float32", "float64"):
                if function is tl.sqrt_rn and dtype == "float64":
                    continue
                with self.subTest(function=function, dtype=dtype):
                    x = random(256, dtype, 1, 0.01, 0.99)
                    output = zeros(256, dtype)
                    kernel[(1,)](Array(x), output, FUNCTION=function, BLOCK=256)
                    self.near(output.values, expected(x), dtype, 4)

    def test_fused_and_high_products(self):
        @triton.jit
        def kernel(x, y, z, fused, high, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            tl.store(fused + i, tl.fma(tl.load(z + i), tl.load(z + i), tl.load(z + i)))
            tl.store(high + i, tl.umulhi(tl.load(x + i), tl.load(y + i)))

        for dtype, shift in (("uint32", 32), ("uint64", 64)):
            x, y, z = random(128, dtype, 1), random(128, dtype, 2), random(128, "float32", 3)
            fused, high = zeros(128), zeros(128, dtype)
            kernel[(1,)](Array(x), Array(y), Array(z), fused, high, BLOCK=128)
            np.testing.assert_array_equal(high.values, np.array([int(a) * int(b) >> shift for a, b in zip(x, y)], dtype=dtype))
            self.near(fused.values, z * z + z)

    # Rows

    def test_softmax(self):
        @triton.jit
        def kernel(x, y, columns, BLOCK: tl.constexpr):
            row = tl.program_id(0)
            i = tl.arange(0, BLOCK)
            a = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
            numerator = tl.exp((a - tl.max(a, axis=0)).to(tl.float32))
            tl.store(y + row * columns + i, numerator / tl.sum(numerator, axis=0), mask=i < columns)

        for dtype in FLOATS:
            for columns, warps in ((50, 1), (781, 4), (1000, 8), (128, 2)):
                with self.subTest(dtype=dtype, columns=columns):
                    x = random((17, columns), dtype, 1, -5, 5)
                    y = zeros(x.shape, dtype)
                    kernel[(17,)](Array(x, dtype), y, columns, BLOCK=triton.next_power_of_2(columns), num_warps=warps)
                    numerator = np.exp(x.astype("float64") - x.max(axis=1, keepdims=True))
                    self.near(y.values, numerator / numerator.sum(axis=1, keepdims=True), "float32" if dtype == "float64" else dtype)

    def test_layer_norm_forward_and_backward(self):
        @triton.jit
        def forward(x, y, weight, bias, means, scales, columns, epsilon, BLOCK: tl.constexpr):
            row = tl.program_id(0)
            total = tl.zeros([BLOCK], tl.float32)
            for start in range(0, columns, BLOCK):
                i = start + tl.arange(0, BLOCK)
                total += tl.load(x + row * columns + i, mask=i < columns, other=0.0).to(tl.float32)
            mean = tl.sum(total, axis=0) / columns
            total = tl.zeros([BLOCK], tl.float32)
            for start in range(0, columns, BLOCK):
                i = start + tl.arange(0, BLOCK)
                a = tl.load(x + row * columns + i, mask=i < columns, other=0.0).to(tl.float32)
                a = tl.where(i < columns, a - mean, 0.0)
                total += a * a
            scale = 1 / tl.sqrt(tl.sum(total, axis=0) / columns + epsilon)
            tl.store(means + row, mean)
            tl.store(scales + row, scale)
            for start in range(0, columns, BLOCK):
                i = start + tl.arange(0, BLOCK)
                inside = i < columns
                a = tl.load(x + row * columns + i, mask=inside, other=0.0).to(tl.float32)
                w = tl.load(weight + i, mask=inside)
                tl.store(y + row * columns + i, (a - mean) * scale * w + tl.load(bias + i, mask=inside), mask=inside)

        @triton.jit
        def backward(dx, dy, dw, x, weight, means, scales, locks, columns, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
            row = tl.program_id(0)
            i = tl.arange(0, BLOCK)
            inside = i < columns
            a = tl.load(x + row * columns + i, mask=inside, other=0).to(tl.float32)
            d = tl.load(dy + row * columns + i, mask=inside, other=0).to(tl.float32)
            w = tl.load(weight + i, mask=inside).to(tl.float32)
            scale = tl.load(scales + row)
            normal = tl.where(inside, (a - tl.load(means + row)) * scale, 0.0)
            wd = tl.where(inside, w * d, 0.0)
            tl.store(dx + row * columns + i, (wd - (normal * tl.sum(normal * wd, axis=0) + tl.sum(wd, axis=0)) / columns) * scale, mask=inside)
            part = d * normal
            group = row % GROUPS
            lock = locks + group
            while tl.atomic_cas(lock, 0, 1) == 1:
                pass
            to = dw + group * columns + i
            if tl.load(locks + GROUPS + group) == 0:
                tl.store(locks + GROUPS + group, 1)
            else:
                part += tl.load(to, mask=inside)
            tl.store(to, part, mask=inside)
            tl.debug_barrier()
            tl.atomic_xchg(lock, 0)

        for dtype in ("float16", "bfloat16", "float32"):
            for columns in (100, 1151):
                with self.subTest(dtype=dtype, columns=columns):
                    rows = 23
                    x, weight, bias = random((rows, columns), dtype, 1), random(columns, dtype, 2), random(columns, dtype, 3)
                    y, means, scales = zeros(x.shape, dtype), zeros(rows), zeros(rows)
                    on_device, weights = Array(x, dtype), Array(weight, dtype)
                    forward[(rows,)](on_device, y, weights, Array(bias, dtype), means, scales, columns, 1e-5, BLOCK=256)
                    wide = x.astype("float64")
                    scale = 1 / np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5)
                    normal = (wide - wide.mean(axis=1, keepdims=True)) * scale
                    self.near(y.values, normal * weight + bias, dtype, 2)
                    d = random(x.shape, dtype, 4)
                    dx, dw, locks = zeros(x.shape, dtype), zeros((8, columns)), Array(np.zeros(16, "int32"))
                    backward[(rows,)](dx, Array(d, dtype), dw, on_device, weights, means, scales, locks, columns, GROUPS=8,
                                      BLOCK=triton.next_power_of_2(columns), num_warps=8)
                    wd = weight.astype("float64") * d
                    expected = (wd - normal * (normal * wd).mean(axis=1, keepdims=True) - wd.mean(axis=1, keepdims=True)) * scale
                    self.near(dx.values, expected, dtype, 2)
                    self.near(dw.values.sum(axis=0), (d * normal).sum(axis=0), "float32", 10)

    # Reductions, scans, sorts

    def test_reductions(self):
        @triton.jit
        def add(a, b):
            return a + b

        @triton.jit
        def kernel(x, sums, least, most, where_least, where_most, exclusive, added, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
            a = tl.load(x + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
            i = tl.arange(0, COLUMNS if AXIS == 0 else ROWS)
            tl.store(sums + i, tl.sum(a, axis=AXIS))
            tl.store(least + i, tl.min(a, axis=AXIS))
            tl.store(most + i, tl.max(a, axis=AXIS))
            tl.store(where_least + i, tl.argmin(a, axis=AXIS))
            tl.store(where_most + i, tl.argmax(a, axis=AXIS))
            if not a.dtype.is_floating():
                tl.store(exclusive + i, tl.xor_sum(a, axis=AXIS))
            tl.store(added + i, tl.reduce(a, AXIS, add))

        for dtype in FLOATS + INTEGERS:
            for axis in (0, 1):
                for rows, columns, warps in ((16, 64, 4), (64, 16, 1)):
                    with self.subTest(dtype=dtype, axis=axis, rows=rows, columns=columns):
                        x = random((rows, columns), dtype, 1)
                        length = columns if axis == 0 else rows
                        outputs = [zeros(length, name) for name in (dtype, dtype, dtype, "int32", "int32", dtype, dtype)]
                        kernel[(1,)](Array(x, dtype), *outputs, AXIS=axis, ROWS=rows, COLUMNS=columns, num_warps=warps)
                        sums, least, most, where_least, where_most, exclusive, added = [output.values for output in outputs]
                        total = x.sum(axis=axis, dtype="float64" if dtype in FLOATS else dtype)
                        self.near(sums, total, dtype, 8)
                        self.near(added, total, dtype, 8)
                        np.testing.assert_array_equal(least, x.min(axis=axis))
                        np.testing.assert_array_equal(most, x.max(axis=axis))
                        np.testing.assert_array_equal(where_least, x.argmin(axis=axis))
                        np.testing.assert_array_equal(where_most, x.argmax(axis=axis))
                        if dtype in INTEGERS:
                            np.testing.assert_array_equal(exclusive, np.bitwise_xor.reduce(x, axis=axis))

    def test_reduction_of_pairs(self):
        @triton.jit
        def welford(mean_a, square_a, count_a, mean_b, square_b, count_b):
            delta = mean_b - mean_a
            count = count_a + count_b
            part = count_b / count
            return mean_a + delta * part, square_a + square_b + delta * delta * count_a * part, count

        @triton.jit
        def kernel(x, means, variances, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
            a = tl.load(x + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
            mean, square, count = tl.reduce((a, tl.zeros_like(a), tl.full(a.shape, 1.0, tl.float32)), 1, welford)
            tl.store(means + tl.arange(0, ROWS), mean)
            tl.store(variances + tl.arange(0, ROWS), square / count)

        x = random((8, 512), "float32")
        means, variances = zeros(8), zeros(8)
        kernel[(1,)](Array(x), means, variances, ROWS=8, COLUMNS=512)
        self.near(means.values, x.mean(axis=1), factor=4)
        self.near(variances.values, x.var(axis=1), factor=4)

    def test_scans(self):
        @triton.jit
        def linear(factor_a, offset_a, factor_b, offset_b):
            return factor_a * factor_b, offset_a * factor_b + offset_b

        @triton.jit
        def most(a, b):
            return tl.maximum(a, b)

        @triton.jit
        def kernel(x, sums, products, maxima, recurrences, AXIS: tl.constexpr, REVERSE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
            i = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
            a = tl.load(x + i)
            tl.store(sums + i, tl.cumsum(a, axis=AXIS, reverse=REVERSE))
            tl.store(products + i, tl.cumprod(a, axis=AXIS, reverse=REVERSE))
            tl.store(maxima + i, tl.associative_scan(a, AXIS, most, reverse=REVERSE))
            _, recurrence = tl.associative_scan((a, a), AXIS, linear, reverse=REVERSE)
            tl.store(recurrences + i, recurrence)

        for dtype in ("float16", "float32", "int32", "int64", "uint8"):
            for axis in (0, 1):
                for reverse in (False, True):
                    for rows, columns, warps in ((8, 64, 4), (1, 1024, 8)):
                        with self.subTest(dtype=dtype, axis=axis, reverse=reverse, rows=rows, columns=columns):
                            x = random((rows, columns), dtype)
                            wide = x.astype("float64") if dtype in FLOATS else x
                            outputs = [zeros(x.shape, dtype) for _ in range(4)]
                            kernel[(1,)](Array(x), *outputs, AXIS=axis, REVERSE=reverse, ROWS=rows, COLUMNS=columns, num_warps=warps)
                            turned = np.flip(wide, axis) if reverse else wide
                            steps = np.moveaxis(turned, axis, 0)
                            recurrence = steps.copy()
                            for step in range(1, len(steps)):
                                recurrence[step] = quietly(lambda: recurrence[step - 1] * steps[step] + steps[step])
                            results = [quietly(lambda: np.cumsum(turned, axis, dtype=wide.dtype)), quietly(lambda: np.cumprod(turned, axis, dtype=wide.dtype)),
                                       np.maximum.accumulate(turned, axis), np.moveaxis(recurrence, 0, axis)]
                            for output, result in zip(outputs, results):
                                result = np.flip(result, axis) if reverse else result
                                self.near(output.values, result, dtype, 20)

    def test_sort(self):
        @triton.jit
        def kernel(x, up, down, flipped, best, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
            i = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
            a = tl.load(x + i)
            tl.store(up + i, tl.sort(a))
            tl.store(down + i, tl.sort(a, descending=True))
            tl.store(flipped + i, tl.flip(a, 1))
            tl.store(best + tl.arange(0, ROWS)[:, None] * 4 + tl.arange(0, 4)[None, :], tl.topk(a, 4))

        for dtype in FLOATS + INTEGERS:
            for rows, columns, warps in ((4, 16, 1), (1, 256, 4)):
                with self.subTest(dtype=dtype, rows=rows, columns=columns):
                    x = random((rows, columns), dtype)
                    up, down, flipped, best = zeros(x.shape, dtype), zeros(x.shape, dtype), zeros(x.shape, dtype), zeros((rows, 4), dtype)
                    kernel[(1,)](Array(x, dtype), up, down, flipped, best, ROWS=rows, COLUMNS=columns, num_warps=warps)
                    ordered = np.sort(x, axis=1)
                    np.testing.assert_array_equal(up.values, ordered)
                    np.testing.assert_array_equal(down.values, ordered[:, ::-1])
                    np.testing.assert_array_equal(flipped.values, x[:, ::-1])
                    np.testing.assert_array_equal(best.values, ordered[:, :-5:-1])

    def test_histogram_and_gather(self):
        @triton.jit
        def kernel(x, source, bins, gathered, COUNT: tl.constexpr, BINS: tl.constexpr):
            i = tl.arange(0, COUNT)
            a = tl.load(x + i)
            tl.store(bins + tl.arange(0, BINS), tl.histogram(a, BINS))
            tl.store(gathered + i, tl.gather(tl.load(source + tl.arange(0, BINS)), a, axis=0))

        for bins, warps in ((16, 1), (64, 4), (256, 8)):
            with self.subTest(bins=bins):
                x = random(1024, "int32", 1, 0, bins - 1)
                source = random(bins, "float32", 2)
                counted, gathered = zeros(bins, "int32"), zeros(1024)
                kernel[(1,)](Array(x), Array(source), counted, gathered, COUNT=1024, BINS=bins, num_warps=warps)
                np.testing.assert_array_equal(counted.values, np.bincount(x, minlength=bins))
                np.testing.assert_array_equal(gathered.values, source[x])

    def test_shapes(self):
        @triton.jit
        def kernel(x, turned, joined, interleaved, left, right, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
            i = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
            a = tl.load(x + i)
            tl.store(turned + tl.arange(0, COLUMNS)[:, None] * ROWS + tl.arange(0, ROWS)[None, :], tl.trans(a))
            both = tl.join(a, a + a)
            tl.store(joined + tl.arange(0, 2 * ROWS * COLUMNS), tl.reshape(both, 2 * ROWS * COLUMNS))
            tl.store(interleaved + tl.arange(0, ROWS)[:, None] * 2 * COLUMNS + tl.arange(0, 2 * COLUMNS)[None, :], tl.interleave(a, a + a))
            first, second = tl.split(tl.reshape(a, ROWS, COLUMNS // 2, 2))
            half = tl.arange(0, ROWS)[:, None] * (COLUMNS // 2) + tl.arange(0, COLUMNS // 2)[None, :]
            tl.store(left + half, first)
            tl.store(right + half, second)

        for dtype in FLOATS + INTEGERS:
            with self.subTest(dtype=dtype):
                x = random((16, 64), dtype)
                outputs = [zeros(shape, dtype) for shape in ((64, 16), (16, 64, 2), (16, 128), (16, 32), (16, 32))]
                kernel[(1,)](Array(x, dtype), *outputs, ROWS=16, COLUMNS=64)
                turned, joined, interleaved, left, right = [output.values for output in outputs]
                double = quietly(np.add, x, x)
                np.testing.assert_array_equal(turned, x.T)
                np.testing.assert_array_equal(joined, np.stack([x, double], axis=2))
                np.testing.assert_array_equal(interleaved, np.stack([x, double], axis=2).reshape(16, 128))
                np.testing.assert_array_equal(left, x[:, ::2])
                np.testing.assert_array_equal(right, x[:, 1::2])

    # Products

    def test_matrix_product(self):
        @triton.jit
        def kernel(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, PRECISION: tl.constexpr, SUM: tl.constexpr):
            rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
            columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
            total = tl.zeros((BLOCK_M, BLOCK_N), SUM)
            for start in range(0, K, BLOCK_K):
                k = start + tl.arange(0, BLOCK_K)
                left = tl.load(a + rows[:, None] * K + k[None, :], mask=(rows[:, None] < M) & (k[None, :] < K), other=0)
                right = tl.load(b + k[:, None] * N + columns[None, :], mask=(k[:, None] < K) & (columns[None, :] < N), other=0)
                total = tl.dot(left, right, total, input_precision=PRECISION, out_dtype=SUM)
            tl.store(c + rows[:, None] * N + columns[None, :], total, mask=(rows[:, None] < M) & (columns[None, :] < N))

        def product(dtype, precision, total, result, shape, blocks, **options):
            m, n, k = shape
            most = 20 if dtype in INTEGERS else None
            a, b = random((m, k), dtype, 1, None if most is None else -most, most), random((k, n), dtype, 2, None if most is None else -most, most)
            c = zeros((m, n), result)
            grid = (triton.cdiv(m, blocks[0]), triton.cdiv(n, blocks[1]))
            kernel[grid](Array(a, dtype), Array(b, dtype), c, m, n, k, *blocks, PRECISION=precision, SUM=total, **options)
            wide = "int64" if dtype in INTEGERS else "float64"
            error = "bfloat16" if precision == "tf32" else dtype if dtype == "float8_e5m2" else result
            self.near(c.values, a.astype(wide) @ b.astype(wide), error)

        for dtype, precision, total, result in (("float32", "ieee", tl.float32, "float32"), ("float32", "tf32", tl.float32, "float32"),
                                                ("float16", "ieee", tl.float32, "float32"), ("float16", "ieee", tl.float32, "float16"),
                                                ("float16", "ieee", tl.float16, "float16"), ("bfloat16", "ieee", tl.float32, "bfloat16"),
                                                ("float64", "ieee", tl.float64, "float64"), ("int8", "ieee", tl.int32, "int32")):
            if dtype == "int8" and os.environ.get("TRITON_OVERRIDE_ARCH") == "sm75":
                continue  # Triton's own compiler stops at it
            for shape, blocks, options in (((100, 70, 90), (64, 32, 32), {"num_warps": 4, "num_stages": 3}), ((16, 48, 33), (16, 16, 16), {"num_warps": 1})):
                with self.subTest(dtype=dtype, precision=precision, total=total, shape=shape):
                    if dtype == "int8":
                        blocks = (blocks[0], blocks[1], max(32, blocks[2]))
                    if dtype == "float64":
                        blocks = (min(64, blocks[0]), min(64, blocks[1]), min(32, blocks[2]))
                    product(dtype, precision, total, result, shape, blocks, **options)

    def test_batched_product(self):
        @triton.jit
        def kernel(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
            batch = tl.arange(0, B)[:, None, None]
            m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
            left = tl.load(a + batch * M * K + m[None, :, None] * K + k[None, None, :])
            right = tl.load(b + batch * K * N + k[None, :, None] * N + n[None, None, :])
            tl.store(c + batch * M * N + m[None, :, None] * N + n[None, None, :], tl.dot(left, right, input_precision="ieee"))

        for dtype in ("float16", "float32"):
            with self.subTest(dtype=dtype):
                a, b, c = random((4, 32, 16), dtype, 1), random((4, 16, 32), dtype, 2), zeros((4, 32, 32))
                kernel[(1,)](Array(a), Array(b), c, B=4, M=32, N=32, K=16)
                self.near(c.values, a.astype("float64") @ b.astype("float64"), "float32", 4)

    def test_flash_attention(self):
        @triton.jit
        def kernel(q, k, v, o, length, scale, CAUSAL: tl.constexpr, D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
            head = tl.program_id(1) * length * D
            rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
            d = tl.arange(0, D)
            query = tl.load(q + head + rows[:, None] * D + d[None, :], mask=rows[:, None] < length, other=0)
            most = tl.full([BLOCK_M], -float("inf"), tl.float32)
            total = tl.zeros([BLOCK_M], tl.float32)
            result = tl.zeros([BLOCK_M, D], tl.float32)
            end = tl.minimum(length, (tl.program_id(0) + 1) * BLOCK_M) if CAUSAL else length
            for start in range(0, end, BLOCK_N):
                columns = start + tl.arange(0, BLOCK_N)
                keys = tl.load(k + head + columns[None, :] * D + d[:, None], mask=columns[None, :] < length, other=0)
                scores = tl.dot(query, keys, input_precision="ieee") * (scale * 1.44269504)
                inside = columns[None, :] < length
                if CAUSAL:
                    inside = inside & (columns[None, :] <= rows[:, None])
                scores = tl.where(inside, scores, -1.0e30)
                higher = tl.maximum(most, tl.max(scores, 1))
                weights = tl.exp2(scores - higher[:, None])
                before = tl.exp2(most - higher)
                total = total * before + tl.sum(weights, 1)
                result = result * before[:, None]
                values = tl.load(v + head + columns[:, None] * D + d[None, :], mask=columns[:, None] < length, other=0)
                result = tl.dot(weights.to(values.dtype), values, result, input_precision="ieee")
                most = higher
            tl.store(o + head + rows[:, None] * D + d[None, :], result / total[:, None], mask=rows[:, None] < length)

        for dtype in ("float16", "bfloat16", "float32"):
            for causal in (False, True):
                for length, width, warps in ((100, 32, 4), (65, 16, 2)):
                    with self.subTest(dtype=dtype, causal=causal, length=length):
                        q, k, v = [random((3, length, width), dtype, seed) for seed in (1, 2, 3)]
                        o = zeros(q.shape, dtype)
                        kernel[(triton.cdiv(length, 64), 3)](Array(q, dtype), Array(k, dtype), Array(v, dtype), o, length, 0.5, CAUSAL=causal, D=width,
                                                             BLOCK_M=64, BLOCK_N=32, num_warps=warps)
                        scores = q.astype("float64") @ k.astype("float64").transpose(0, 2, 1) * 0.5
                        if causal:
                            scores = np.where(np.tril(np.ones((length, length), bool)), scores, -np.inf)
                        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
                        self.near(o.values, weights / weights.sum(axis=2, keepdims=True) @ v.astype("float64"), dtype, 2)

    # Atomics, random numbers, control

    def test_atomics(self):
        @triton.jit
        def kernel(x, sums, least, most, before, count, BINS: tl.constexpr, BLOCK: tl.constexpr):
            i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            inside = i < count
            a = tl.load(x + i, mask=inside)
            tl.atomic_add(sums + i % BINS, a, mask=inside)
            tl.atomic_min(least + i % BINS, a, mask=inside)
            tl.atomic_max(most + i % BINS, a, mask=inside)
            tl.store(before + i, tl.atomic_add(sums + BINS + i, a, mask=inside), mask=inside)

        for dtype in ("float32", "float64", "int32", "uint32", "int64", "uint64"):
            with self.subTest(dtype=dtype):
                x = random(1000, dtype)
                sums, before = zeros(1016, dtype), zeros(1000, dtype)
                sums.host[16:] = 7
                least, most = Array(np.full(16, x.max())), Array(np.full(16, x.min()))
                kernel[(8,)](Array(x), sums, least, most, before, 1000, BINS=16, BLOCK=128)
                padded = np.concatenate([x, np.zeros(8, dtype)]).reshape(63, 16)
                self.near(sums.values[:16], padded.sum(axis=0, dtype=dtype), dtype, 20)
                self.near(sums.values[16:], quietly(np.add, x, np.array(7, dtype)), dtype)
                np.testing.assert_array_equal(before.values, np.full(1000, 7, dtype))
                np.testing.assert_array_equal(least.values, [x[bin::16].min() for bin in range(16)])
                np.testing.assert_array_equal(most.values, [x[bin::16].max() for bin in range(16)])

    def test_half_atomics(self):
        @triton.jit
        def kernel(x, sums, BINS: tl.constexpr, BLOCK: tl.constexpr):
            i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.atomic_add(sums + i % BINS, tl.load(x + i))

        x = random(512, "float16", 1, 0, 8).round()
        sums = zeros(32, "float16")
        kernel[(4,)](Array(x), sums, BINS=32, BLOCK=128)
        np.testing.assert_array_equal(sums.values, x.reshape(16, 32).sum(axis=0))

    def test_bitwise_atomics(self):
        @triton.jit
        def kernel(x, ands, ors, xors, exchanged, BLOCK: tl.constexpr):
            i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            a = tl.load(x + i)
            tl.atomic_and(ands + i % 4, a)
            tl.atomic_or(ors + i % 4, a)
            tl.atomic_xor(xors + i % 4, a)
            tl.atomic_xchg(exchanged + i, a)

        for dtype in ("int32", "uint32", "int64", "uint64"):
            with self.subTest(dtype=dtype):
                x = random(512, dtype)
                ands, ors, xors, exchanged = Array(np.full(4, -1).astype(dtype)), zeros(4, dtype), zeros(4, dtype), zeros(512, dtype)
                kernel[(4,)](Array(x), ands, ors, xors, exchanged, BLOCK=128)
                for output, function in ((ands, np.bitwise_and), (ors, np.bitwise_or), (xors, np.bitwise_xor)):
                    np.testing.assert_array_equal(output.values, [function.reduce(x[bin::4]) for bin in range(4)])
                np.testing.assert_array_equal(exchanged.values, x)

    def test_compare_and_swap(self):
        @triton.jit
        def kernel(locks, counter, BINS: tl.constexpr):
            bin = tl.program_id(0) % BINS
            free, taken = tl.full((), 0, locks.dtype.element_ty), tl.full((), 1, locks.dtype.element_ty)
            while tl.atomic_cas(locks + bin, free, taken) == 1:
                pass
            tl.store(counter + bin, tl.load(counter + bin) + 1)
            tl.debug_barrier()
            tl.atomic_xchg(locks + bin, 0)

        for dtype in ("int32", "int64"):
            locks, counter = zeros(4, dtype), zeros(4, "int32")
            kernel[(200,)](locks, counter, BINS=4)
            np.testing.assert_array_equal(counter.values, [50] * 4)

    def test_dropout(self):
        @triton.jit
        def kernel(x, y, numbers, count, part, seed, BLOCK: tl.constexpr):
            i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            inside = i < count
            chance = tl.rand(seed, i)
            tl.store(y + i, tl.where(chance > part, tl.load(x + i, mask=inside) / (1 - part), 0.0), mask=inside)
            tl.store(numbers + i, tl.randint(seed, i), mask=inside)

        def philox(seed, count):
            """Salmon et al., "Parallel random numbers: as easy as 1, 2, 3": Philox 4x32, ten rounds."""
            mask = np.uint64(0xFFFFFFFF)
            c = [np.arange(count, dtype=np.uint64)] + [np.zeros(count, np.uint64) for _ in range(3)]
            k0, k1 = seed & 0xFFFFFFFF, seed >> 32
            for _ in range(10):
                p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
                c = [p1 >> np.uint64(32) ^ c[1] ^ np.uint64(k0), p1 & mask, p0 >> np.uint64(32) ^ c[3] ^ np.uint64(k1), p0 & mask]
                k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
            return c[0].astype(np.uint32)

        x = random(10000, "float32", 1, 1, 2)
        y, numbers = zeros(10000), zeros(10000, "int32")
        for seed in (123, 2**40 + 17):
            kernel[(triton.cdiv(10000, 512),)](Array(x), y, numbers, 10000, 0.3, seed, BLOCK=512)
            drawn = philox(seed, 10000)
            np.testing.assert_array_equal(numbers.values.view("uint32"), drawn)
            signed = drawn.view("int32")
            chance = np.where(signed < 0, -(signed.astype("int64")) - 1, signed) * 4.6566127342e-10
            self.near(y.values, np.where(chance.astype("float32") > 0.3, x / 0.7, 0))

    def test_normal_numbers(self):
        @triton.jit
        def kernel(y, seed, BLOCK: tl.constexpr):
            i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.store(y + i, tl.randn(seed, i))

        y = zeros(1 << 16)
        kernel[(64,)](y, 5, BLOCK=1024)
        self.assertLess(abs(y.values.mean()), 0.02)
        self.assertLess(abs(y.values.std() - 1), 0.02)

    def test_control_flow(self):
        @triton.jit
        def collatz(x, steps, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            a = tl.load(x + i)
            count = tl.zeros([BLOCK], tl.int32)
            while tl.max(a, axis=0) > 1:
                running = a > 1
                a = tl.where(running, tl.where(a % 2 == 0, a // 2, 3 * a + 1), a)
                count += running.to(tl.int32)
            tl.store(steps + i, count)

        x = random(256, "int32", 1, 1, 1000)
        steps = zeros(256, "int32")
        collatz[(1,)](Array(x), steps, BLOCK=256)
        expected = []
        for value in map(int, x):
            count = 0
            while value > 1:
                value, count = value // 2 if value % 2 == 0 else 3 * value + 1, count + 1
            expected.append(count)
        np.testing.assert_array_equal(steps.values, expected)

    def test_persistent_sum(self):
        @triton.jit
        def kernel(x, total, count, BLOCK: tl.constexpr):
            part = tl.zeros([BLOCK], tl.float64)
            for start in tl.range(tl.program_id(0) * BLOCK, count, tl.num_programs(0) * BLOCK, num_stages=3):
                i = start + tl.arange(0, BLOCK)
                part += tl.load(x + i, mask=i < count, other=0)
            tl.atomic_add(total, tl.sum(part, axis=0))

        x = random(100003, "float64")
        total = zeros(1, "float64")
        kernel[(6,)](Array(x), total, 100003, BLOCK=512)
        self.near(total.values, x.sum(keepdims=True), "float64", 1000)

    def test_block_pointers_and_descriptors(self):
        @triton.jit
        def kernel(x, y, z, rows, columns, M: tl.constexpr, N: tl.constexpr):
            source = tl.make_tensor_descriptor(x, shape=[rows, columns], strides=[columns, 1], block_shape=[M, N])
            target = tl.make_tensor_descriptor(y, shape=[rows, columns], strides=[columns, 1], block_shape=[M, N])
            row, column = tl.program_id(0) * M, tl.program_id(1) * N
            a = source.load([row, column])
            target.store([row, column], a + a)

        x = random((50, 36), "float32")
        y, z = zeros(x.shape), zeros(x.shape)
        kernel[(4, 3)](Array(x), y, z, 50, 36, M=16, N=16)
        np.testing.assert_array_equal(y.values, x + x)

    def test_device_assert_and_print(self):
        @triton.jit
        def kernel(x, y, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            a = tl.load(x + i)
            tl.device_assert(a >= 0, "negative")
            tl.store(y + i, a)

        x, y = random(128, "float32", 1, 0, 1), zeros(128)
        kernel[(1,)](Array(x), y, BLOCK=128, debug=True)
        np.testing.assert_array_equal(y.values, x)

    def test_cache_modifiers(self):
        @triton.jit
        def kernel(x, y, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            a = tl.load(x + i, cache_modifier=".ca", eviction_policy="evict_first")
            b = tl.load(x + i, cache_modifier=".cg", eviction_policy="evict_last")
            c = tl.load(x + i, cache_modifier=".cv", volatile=True)
            tl.store(y + i, a + b + c, cache_modifier=".wt", eviction_policy="evict_first")
            tl.store(y + i, a + b + c, cache_modifier=".cs")

        for dtype in FLOATS:
            x, y = random(256, dtype, 1), zeros(256, dtype)
            kernel[(1,)](Array(x, dtype), y, BLOCK=256)
            self.near(y.values, 3 * x.astype("float64"), dtype, 2)

    def test_inline_assembly(self):
        @triton.jit
        def kernel(x, y, BLOCK: tl.constexpr):
            i = tl.arange(0, BLOCK)
            a = tl.load(x + i)
            b = tl.inline_asm_elementwise("shf.l.wrap.b32 $0, $1, $1, 7;", "=r,r", [a], dtype=tl.int32, is_pure=True, pack=1)
            tl.store(y + i, b)

        x, y = random(128, "int32"), zeros(128, "int32")
        kernel[(1,)](Array(x), y, BLOCK=128)
        bits = x.view("uint32")
        np.testing.assert_array_equal(y.values.view("uint32"), bits << 7 | bits >> 25)


if __name__ == "__main__":
    unittest.main()
