# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's stock wheels: that it finds the device, copies, and operations as XLA compiles them, against its CPU; one line each."""
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

RANDOM = np.random.default_rng(5)
SQUARE = RANDOM.normal(size=(48, 48)).astype(np.float32)
NUMBERS = RANDOM.normal(size=1000).astype(np.float32)
POSITIVE = np.abs(NUMBERS) + 0.1
WHOLE = RANDOM.integers(0, 50, 1000).astype(np.int32)


def layers(numbers):
    """Two steps of training a small net, and what it has learned."""
    def loss(weights):
        return jnp.mean((jnp.tanh(numbers[:960].reshape(20, 48) @ weights) - 0.5) ** 2)
    weights = jnp.asarray(SQUARE) * 0.1
    for _ in range(2):
        weights = weights - 0.1 * jax.grad(loss)(weights)
    return weights


OPERATIONS = {
    "sum": (jnp.sum, WHOLE),
    "elementwise": (lambda x: jnp.exp(-x * x) + jnp.sin(x) / (1 + jnp.abs(x)), NUMBERS),
    "logarithm": (lambda x: jnp.log(x) + jnp.sqrt(x) + jnp.power(x, 1.5), POSITIVE),
    "integers": (lambda x: x // 7 * 3 + x % 5 - (x << 2), WHOLE),
    "reductions": (lambda x: jnp.stack([x.max(), x.min(), x.mean(), x.std()]), NUMBERS),
    "rows": (lambda x: x.sum(0) + x.max(1), SQUARE),
    "cumsum": (jnp.cumsum, NUMBERS),
    "argmax": (lambda x: jnp.argmax(x, axis=1), SQUARE),
    "sort": (jnp.sort, NUMBERS),
    "transpose": (lambda x: x.T + 1, SQUARE),
    "gather": (lambda x: x[WHOLE], NUMBERS),
    "scatter": (lambda x: jnp.zeros(50, jnp.int32).at[x].add(1), WHOLE),
    "where": (lambda x: jnp.where(x > 0, x, -2 * x), NUMBERS),
    "softmax": (jax.nn.softmax, SQUARE),
    "product": (lambda x: jnp.matmul(x, x, precision="highest"), SQUARE),
    "einsum": (lambda x: jnp.einsum("bij,bjk->bik", x.reshape(3, 16, 48), x.reshape(3, 48, 16), precision="highest"), SQUARE),
    "loop": (lambda x: jax.lax.fori_loop(0, 10, lambda _, now: now * 0.5 + 1, x), NUMBERS),
    "random": (lambda x: jax.random.uniform(jax.random.key(3), x.shape), NUMBERS),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x)), NUMBERS),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.T + 48 * jnp.eye(48)), SQUARE),
    "layers": (layers, NUMBERS),
}


def compute(operation, values, device):
    with jax.default_device(device):
        return np.asarray(jax.jit(operation)(jax.device_put(values, device)))


def check(name, act):
    begin, said = time.monotonic(), "right"
    try:
        act()
    except Exception as error:  # whatever JAX raises is this line's
        said = f"{type(error).__name__} {' '.join(str(error).split())[:160]}"
    print(f"{'PASS' if said == 'right' else 'FAIL'} JAX {name}: {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    return said == "right"


def devices():
    assert jax.devices()[0].platform == "gpu", f"only {jax.devices()}"


def copies():
    for values in (NUMBERS, WHOLE, SQUARE.astype(np.float16), WHOLE > 9):
        np.testing.assert_array_equal(np.asarray(jax.device_put(values, jax.devices()[0])), values)


def agrees(operation, values):
    here, there = (compute(operation, values, jax.devices(kind)[0]) for kind in ("cpu", "gpu"))
    np.testing.assert_allclose(there, here, rtol=1e-4, atol=1e-4)


def main():
    wanted = sys.argv[1:] or ["devices", "copies", *OPERATIONS]
    first = {"devices": devices, "copies": copies}
    passed = [check(name, first[name] if name in first else lambda: agrees(*OPERATIONS[name])) for name in wanted]
    return not all(passed)


sys.exit(main())
