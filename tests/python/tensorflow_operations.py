# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of a stock TensorFlow on the device, held against the same operations on its CPU.

    tensorflow_operations.py [--seconds N] [name …]

Names are parts of what is to run: exp, exp/float64. Each operation runs in a child (one child for many, a new one after a crash), so that one that
ends its process is a line and not the end. What differs, is refused or ends the process is printed, and the exit status is 1."""
import os
import subprocess
import sys
import time

FLOATS = ("float16", "float32", "float64")
REALS = ("float32", "float64")
NUMBERS = ("int32", "float32", "float64")
INTEGERS = ("int32",)
SHAPE = (37, 53)
ELEMENTS = SHAPE[0] * SHAPE[1]


def operations():
    """(name, types, function of (tf, inputs)); inputs has x, y of SHAPE, p (above 0.1), u (in (-1, 1)), i (indices of rows), b (booleans)."""
    import tensorflow as tf
    ops = []

    def add(name, types, function):
        ops.extend((f"{name}/{t}", t, function) for t in types)

    for name in ("abs", "negative", "square", "sign"):
        add(name, NUMBERS + (("float16",) if name != "sign" else ()), lambda v, f=getattr(tf, name): f(v.x))
    for name in ("exp", "expm1", "sin", "cos", "tan", "tanh", "sigmoid", "atan", "sinh", "cosh", "asinh", "floor", "ceil", "round"):
        add(name, FLOATS, lambda v, f=getattr(tf.math, name): f(v.x))
    for name in ("log", "log1p", "sqrt", "rsqrt", "reciprocal", "lgamma", "digamma"):
        add(name, REALS, lambda v, f=getattr(tf.math, name): f(v.p))
    for name in ("asin", "acos", "atanh", "erf", "erfc", "erfinv"):
        add(name, REALS, lambda v, f=getattr(tf.math, name): f(v.u))
    for name in ("relu", "relu6", "elu", "selu", "softplus", "softsign", "leaky_relu", "softmax", "log_softmax"):
        add(name, REALS, lambda v, f=getattr(tf.nn, name): f(v.x))
    for name in ("add", "subtract", "multiply", "maximum", "minimum", "squared_difference"):
        add(name, NUMBERS, lambda v, f=getattr(tf.math, name): f(v.x, v.y))
    for name in ("less", "greater_equal", "equal", "not_equal"):
        add(name, NUMBERS, lambda v, f=getattr(tf.math, name): f(v.x, v.y))
    add("divide", FLOATS, lambda v: v.x / v.p)
    add("floordiv", NUMBERS, lambda v: v.x // v.p)
    add("floormod", NUMBERS, lambda v: tf.math.floormod(v.x, v.p))
    add("pow", REALS, lambda v: tf.pow(v.p, v.u))
    add("atan2", REALS, lambda v: tf.atan2(v.x, v.p))
    add("broadcast_add", NUMBERS, lambda v: v.x + v.y[:1])
    add("clip", NUMBERS, lambda v: tf.clip_by_value(v.x, v.x.dtype.as_numpy_dtype(-1), v.x.dtype.as_numpy_dtype(1)))
    add("where", NUMBERS, lambda v: tf.where(v.b, v.x, v.y))
    add("logical", INTEGERS, lambda v: tf.math.logical_xor(v.b, tf.logical_not(tf.reverse(v.b, [0]))))
    add("bitwise", INTEGERS, lambda v: tf.bitwise.bitwise_xor(v.x, tf.bitwise.left_shift(v.y & 7, v.y & 3)))
    for target in ("int32", "float32", "float64", "float16", "bool"):
        add(f"cast_{target}", NUMBERS, lambda v, t=target: tf.cast(v.x, t))
    for name in ("reduce_sum", "reduce_max", "reduce_min", "reduce_mean"):
        for axis in (None, 0, 1):
            add(f"{name}_{axis}", NUMBERS, lambda v, f=getattr(tf, name), a=axis: f(v.x, a))
    add("reduce_prod", REALS, lambda v: tf.reduce_prod(v.u + 1.5, 1))
    add("reduce_any", INTEGERS, lambda v: tf.reduce_any(v.b, 1))
    add("reduce_all", INTEGERS, lambda v: tf.reduce_all(v.b, 0))
    add("reduce_std", REALS, lambda v: tf.math.reduce_std(v.x, 0))
    add("norm", REALS, lambda v: tf.norm(v.x, axis=1))
    add("argmax", NUMBERS, lambda v: tf.argmax(v.x, 1))
    add("argmin", NUMBERS, lambda v: tf.argmin(v.x, 0))
    add("count_nonzero", NUMBERS, lambda v: tf.math.count_nonzero(v.x))
    add("cumsum", REALS, lambda v: tf.cumsum(v.x, 1))
    add("cumsum_exclusive_reverse", REALS, lambda v: tf.cumsum(v.x, 0, exclusive=True, reverse=True))
    add("cumprod", REALS, lambda v: tf.math.cumprod(v.u + 1, 1))
    add("matmul", FLOATS, lambda v: tf.matmul(v.x, v.y, transpose_b=True))
    add("batch_matmul", REALS, lambda v: tf.matmul(tf.stack([v.x, v.y]), tf.stack([v.y, v.x]), transpose_a=True))
    add("einsum", REALS, lambda v: tf.einsum("ij,kj->ki", v.x, v.y))
    add("bias_add", REALS, lambda v: tf.nn.bias_add(v.x, v.y[0]))
    add("transpose", NUMBERS, lambda v: tf.transpose(v.x))
    add("transpose3", REALS, lambda v: tf.transpose(tf.stack([v.x, v.y, v.x]), [2, 0, 1]))
    add("concat", NUMBERS, lambda v: tf.concat([v.x, v.y], 1))
    add("stack", NUMBERS, lambda v: tf.stack([v.x, v.y], 1))
    add("split", REALS, lambda v: tf.concat(tf.split(v.x, [10, 43], 1)[::-1], 1))
    add("slice", NUMBERS, lambda v: v.x[3:30:2, ::-1])
    add("pad", NUMBERS, lambda v: tf.pad(v.x, [[1, 2], [3, 4]]))
    add("mirror_pad", REALS, lambda v: tf.pad(v.x, [[1, 2], [3, 4]], "REFLECT"))
    add("tile", NUMBERS, lambda v: tf.tile(v.x, [2, 3]))
    add("reverse", NUMBERS, lambda v: tf.reverse(v.x, [0, 1]))
    add("roll", REALS, lambda v: tf.roll(v.x, 5, 1))
    add("one_hot", REALS, lambda v: tf.one_hot(v.i, 37, dtype=v.x.dtype))
    add("range_fill", REALS, lambda v: tf.fill([5, 7], v.x[0, 0]) + tf.cast(tf.range(7), v.x.dtype))
    add("diag", REALS, lambda v: tf.linalg.diag(v.x[0]))
    add("diag_part", REALS, lambda v: tf.linalg.diag_part(v.x))
    add("band_part", REALS, lambda v: tf.linalg.band_part(v.x, 2, 3))
    add("eye", REALS, lambda v: tf.eye(9, dtype=v.x.dtype))
    add("gather", NUMBERS, lambda v: tf.gather(v.x, v.i))
    add("gather_axis1", REALS, lambda v: tf.gather(v.x, v.i, axis=1))
    add("gather_nd", REALS, lambda v: tf.gather_nd(v.x, tf.stack([v.i, v.i], 1)))
    add("scatter_nd", REALS, lambda v: tf.scatter_nd(v.i[:, None], v.x[: v.i.shape[0]], SHAPE))
    add("tensor_scatter_add", REALS, lambda v: tf.tensor_scatter_nd_add(v.x, v.i[:, None], v.y[: v.i.shape[0]]))
    add("segment_sum", REALS, lambda v: tf.math.unsorted_segment_sum(v.x, tf.range(SHAPE[0]) % 5, 5))
    add("segment_max", REALS, lambda v: tf.math.unsorted_segment_max(v.x, tf.range(SHAPE[0]) % 5, 5))
    add("boolean_mask", REALS, lambda v: tf.boolean_mask(v.x, v.b))
    add("where_index", INTEGERS, lambda v: tf.where(v.b))
    add("sort", REALS, lambda v: tf.sort(v.x, 1))
    add("argsort", REALS, lambda v: tf.argsort(v.x, 1, stable=True))
    add("top_k", REALS, lambda v: tf.math.top_k(v.x, 7)[0])
    add("in_top_k", ("float32",), lambda v: tf.math.in_top_k(v.i[:20], v.x[:20], 10))
    add("searchsorted", REALS, lambda v: tf.searchsorted(tf.sort(v.x, 1), v.y))
    add("bincount", INTEGERS, lambda v: tf.math.bincount(tf.abs(v.x), minlength=5, maxlength=50))
    add("stateless_uniform", REALS, lambda v: tf.random.stateless_uniform(SHAPE, [1, 2], dtype=v.x.dtype))
    add("stateless_normal", REALS, lambda v: tf.random.stateless_normal(SHAPE, [3, 4], dtype=v.x.dtype))
    add("stateless_truncated", REALS, lambda v: tf.random.stateless_truncated_normal(SHAPE, [5, 6], dtype=v.x.dtype))
    add("stateless_integers", INTEGERS, lambda v: tf.random.stateless_uniform(SHAPE, [7, 8], 0, 1000, tf.int32))
    for method in ("bilinear", "nearest", "bicubic"):
        add(f"resize_{method}", ("float32",), lambda v, m=method: tf.image.resize(v.x[None, :, :, None], (51, 40), m))
    add("crop_and_resize", ("float32",), lambda v: tf.image.crop_and_resize(v.x[None, :, :, None], [[0.1, 0.2, 0.8, 0.9]], [0], (9, 9)))
    add("rgb_to_hsv", REALS, lambda v: tf.image.rgb_to_hsv(tf.reshape(tf.abs(v.u[:, :51]), (1, 37, 17, 3))))
    add("adjust_contrast", ("float32",), lambda v: tf.image.adjust_contrast(tf.reshape(v.u[:, :51], (1, 37, 17, 3)), 1.7))
    add("depth_to_space", ("float32",), lambda v: tf.nn.depth_to_space(tf.reshape(v.x[:32, :48], (1, 16, 8, 12)), 2))
    add("space_to_batch", ("float32",), lambda v: tf.space_to_batch(tf.reshape(v.x[:32, :48], (1, 32, 48, 1)), [4, 4], [[0, 0], [0, 0]]))
    add("l2_loss", REALS, lambda v: tf.nn.l2_loss(v.x))
    add("cross_entropy", REALS, lambda v: tf.nn.sparse_softmax_cross_entropy_with_logits(v.i[:20], v.x[:20]))
    add("clip_by_norm", REALS, lambda v: tf.clip_by_norm(v.x, 3.0))
    add("is_finite", REALS, lambda v: tf.math.is_finite(v.x / (v.y - v.y)))
    add("complex", ("float32", "float64"), lambda v: tf.abs(tf.complex(v.x, v.y) * tf.complex(v.y, v.x)))
    add("fft", ("float32", "float64"), lambda v: tf.abs(tf.signal.rfft(v.x)))
    for name, function in through_cudnn(tf).items():
        add(f"cudnn_{name}", FLOATS if "conv" in name else ("float32",), function)
    return ops


def through_cudnn(tf):
    """By name, functions of inputs: x as images of 3 channels, y as filters."""
    images = lambda v: tf.reshape(v.x[:32, :48], (2, 16, 16, 3))

    def gradients(function):
        """Of the sum of squares, with respect to both, in one row."""
        def both(v):
            x, w = images(v), v.y
            with tf.GradientTape() as tape:
                tape.watch([x, w])
                result = function(x, w)
                sum_of_squares = tf.reduce_sum(result * result)
            found = [g for g in tape.gradient(sum_of_squares, [x, w]) if g is not None]
            return tf.concat([tf.reshape(tf.convert_to_tensor(g), (-1,)) / 64 for g in found], 0)
        return both

    def filter_of(w, *shape):
        return tf.reshape(tf.reshape(w, (-1,))[: product_of(shape)], shape)

    functions = {
        "conv2d": lambda x, w: tf.nn.conv2d(x, filter_of(w, 3, 3, 3, 8), 1, "SAME"),
        "conv2d_strides": lambda x, w: tf.nn.conv2d(x, filter_of(w, 3, 2, 3, 5), [2, 3], "SAME"),
        "conv2d_dilated": lambda x, w: tf.nn.conv2d(x, filter_of(w, 3, 3, 3, 4), 1, "VALID", dilations=2),
        "conv2d_nchw": lambda x, w: tf.nn.conv2d(tf.transpose(x, [0, 3, 1, 2]), filter_of(w, 3, 3, 3, 8), 1, "SAME", "NCHW"),
        "conv2d_groups": lambda x, w: tf.nn.conv2d(tf.concat([x, x], 3), filter_of(w, 3, 3, 3, 8), 1, "SAME"),
        "conv3d": lambda x, w: tf.nn.conv3d(tf.reshape(x, (1, 8, 8, 8, 3)), filter_of(w, 2, 3, 3, 3, 4), [1, 1, 2, 1, 1], "SAME"),
        "conv_transpose": lambda x, w: tf.nn.conv2d_transpose(x, filter_of(w, 3, 3, 4, 3), (2, 32, 32, 4), 2),
        "max_pool": lambda x, w: tf.nn.max_pool2d(x, 3, 2, "SAME"),
        "avg_pool": lambda x, w: tf.nn.avg_pool2d(x, 2, 2, "VALID"),
        "batch_norm": lambda x, w: tf.compat.v1.nn.fused_batch_norm(x, w[0, :3], w[1, :3])[0],
    }
    found = {name: (lambda v, f=f: f(images(v), v.y)) for name, f in functions.items()}
    found.update({f"{name}_gradients": gradients(f) for name, f in functions.items()})
    return found


def product_of(shape):
    product = 1
    for size in shape:
        product *= size
    return product


class Inputs:
    def __init__(self, kind):
        import numpy as np
        import tensorflow as tf
        random = np.random.default_rng(7)
        x, y = random.standard_normal(SHAPE) * 2, random.standard_normal(SHAPE) * 2
        if kind == "int32":
            x, y = x * 20, y * 20
        self.x, self.y = (tf.constant(a.astype(kind)) for a in (x, y))
        p = np.abs(x) + (1 if kind == "int32" else 0.1)
        self.p, self.u = tf.constant(p.astype(kind)), tf.constant((random.random(SHAPE) * 1.98 - 0.99).astype(kind))
        self.i = tf.constant(random.permutation(SHAPE[0])[:30].astype("int32"))
        self.b = tf.constant(x > y)


TOLERANCE = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-11}


def differs(kind, got, wanted):
    """Null, or how. A tensor of integers, or booleans, is the same or differs."""
    import numpy as np
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{got.dtype}{got.shape} for {wanted.dtype}{wanted.shape}"
    if got.dtype.kind not in "fc":
        wrong = int(np.count_nonzero(got != wanted))
        return f"{wrong} of {got.size} differ" if wrong else None
    least = max(TOLERANCE.get(str(got.dtype), 0), TOLERANCE.get(kind, 0))
    scale = np.maximum(1, np.abs(wanted.astype("float64")))
    with np.errstate(invalid="ignore"):
        error = np.abs(got.astype("float64") - wanted.astype("float64")) / scale
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted)) | (error <= least)
    return None if same.all() else f"{int((~same).sum())} of {got.size} differ, most by {np.nanmax(np.where(same, 0, error)):.2g}"


def child(names):
    """A line for each as it is begun and as it ends."""
    import tensorflow as tf
    if not tf.config.list_physical_devices("GPU"):
        sys.exit("TensorFlow sees no device")
    tf.config.set_soft_device_placement(False)
    known = {name: (kind, function) for name, kind, function in operations()}
    for name in names:
        kind, function = known[name]
        print(f"begin {name}", flush=True)
        try:
            with tf.device("CPU:0"):
                wanted = function(Inputs(kind)).numpy()
        except Exception as refusal:  # TensorFlow has it for no CPU, or not for the type
            print(f"none {name} {str(refusal).splitlines()[0][:120]}", flush=True)
            continue
        try:
            with tf.device("GPU:0"):
                tensor = function(Inputs(kind))
            how = differs(kind, tensor.numpy(), wanted)
            print(f"{'wrong' if how else 'good'} {name} {how or ''}", flush=True)
        except Exception as refusal:
            text = str(refusal).splitlines()[0]
            none = "Could not satisfy device" in text or "No OpKernel was registered" in text
            print(f"{'none' if none else 'failed'} {name} {text[:200]}", flush=True)


def main(arguments):
    if arguments[:1] == ["--child"]:
        return child(arguments[1:])
    if arguments[:1] == ["--list"]:
        return print(*[name for name, _, _ in operations()], sep="\n")
    seconds = 120
    if arguments[:1] == ["--seconds"]:
        seconds, arguments = int(arguments[1]), arguments[2:]
    me = [sys.executable, os.path.abspath(__file__)]
    listed = subprocess.run(me + ["--list"], capture_output=True, text=True, check=True).stdout.split()
    left = [name for name in listed if not arguments or any(part in name for part in arguments)]
    counts, log = {}, open(os.environ.get("UW_LOG", os.devnull), "w")
    while left:
        process = subprocess.Popen(me + ["--child"] + left, stdout=subprocess.PIPE, stderr=log, text=True)
        running, last = None, time.time()
        for line in process.stdout:
            state, name, *how = line.rstrip("\n").split(" ", 2)
            if state == "begin":
                running, last = name, time.time()
                continue
            left.remove(name)
            running = None
            counts[state] = counts.get(state, 0) + 1
            if state != "good":
                print(f"{state}: {name} {' '.join(how)}", flush=True)
            if time.time() - last > seconds:
                print(f"slow: {name}: {time.time() - last:.0f} s", flush=True)
        status = process.wait()
        if left and not running:
            sys.exit(f"TensorFlow ends with {status} before an operation: UW_LOG=FILE keeps what it says")
        if running:
            left.remove(running)
            counts["crashed"] = counts.get("crashed", 0) + 1
            print(f"crashed: {running} ({status})", flush=True)
    print(", ".join(f"{count} {state}" for state, count in sorted(counts.items())))
    if not counts.get("good") or any(counts.get(state) for state in ("wrong", "failed", "crashed")):
        sys.exit(1)


main(sys.argv[1:])
