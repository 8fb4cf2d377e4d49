# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pytest
import torch
from kernels import normalize, swish


@pytest.mark.parametrize("shape", [(1, 1), (7, 100), (33, 513)])
def test_normalize(shape):
    x = torch.randn(shape, device="cuda")
    torch.testing.assert_close(normalize(x), torch.nn.functional.normalize(x))


def test_normalize_refuses():
    with pytest.raises(RuntimeError, match="a matrix of floats"):
        normalize(torch.ones(3, 3))


@pytest.mark.parametrize("count", [1, 1000])
def test_swish(count):
    x = torch.randn(count, device="cuda")
    torch.testing.assert_close(swish(x), torch.nn.functional.silu(x))
