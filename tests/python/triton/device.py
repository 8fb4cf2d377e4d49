# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays for triton.jit without PyTorch: NumPy's, in managed memory of CUDA's driver.

A type that NumPy lacks (bfloat16, float8_e5m2) is kept as its bits; `values` and `set` convert."""
import ctypes

import numpy as np

_cuda = ctypes.CDLL("libcuda.so.1")


def _check(status):
    if status:
        raise RuntimeError(f"CUDA's driver: error {status}")


_context = ctypes.c_void_p()
_check(_cuda.cuInit(0))
_check(_cuda.cuDevicePrimaryCtxRetain(ctypes.byref(_context), 0))
_check(_cuda.cuCtxSetCurrent(_context))

_STORED_AS = {"bfloat16": np.uint16, "float8_e5m2": np.uint8}


def _bits(values, dtype):
    """The nearest bfloat16 or float8_e5m2, ties to even: the upper part of the next wider type."""
    wider, bits, drop = (np.float32, np.uint32, 16) if dtype == "bfloat16" else (np.float16, np.uint16, 8)
    whole = np.asarray(values).astype(wider).view(bits).astype(np.uint64)
    half = np.uint64((1 << (drop - 1)) - 1) + (whole >> np.uint64(drop) & np.uint64(1))
    return (whole + half >> np.uint64(drop)).astype(_STORED_AS[dtype])


def _numbers(bits, dtype):
    if dtype == "bfloat16":
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return (bits.astype(np.uint16) << 8).view(np.float16).astype(np.float32)


def rounded(values, dtype):
    """What is left of values in that type, in one that NumPy has."""
    return _numbers(_bits(values, dtype), dtype) if dtype in _STORED_AS else np.asarray(values).astype(dtype)


class Array:
    def __init__(self, values, dtype=None):
        values = np.asarray(values)
        self.dtype = dtype or values.dtype.name
        self.shape = values.shape
        stored = np.dtype(_STORED_AS.get(self.dtype, self.dtype))
        size = max(values.size * stored.itemsize, 16)
        self._pointer = ctypes.c_uint64()
        _check(_cuda.cuMemAllocManaged(ctypes.byref(self._pointer), ctypes.c_size_t(size), 1))
        memory = (ctypes.c_char * size).from_address(self._pointer.value)
        self.host = np.frombuffer(memory, dtype=stored, count=values.size).reshape(values.shape)
        self.host[...] = _bits(values, self.dtype) if self.dtype in _STORED_AS else values.astype(stored)

    @property
    def values(self):
        synchronize()
        return _numbers(self.host, self.dtype) if self.dtype in _STORED_AS else self.host.copy()

    def data_ptr(self):
        return self._pointer.value

    def element_size(self):
        return self.host.itemsize

    def stride(self, axis):
        return self.host.strides[axis] // self.host.itemsize

    def __del__(self):
        _cuda.cuMemFree_v2(self._pointer)


def zeros(shape, dtype="float32"):
    return Array(np.zeros(shape, "float32" if dtype in _STORED_AS else dtype), dtype)


def synchronize():
    _check(_cuda.cuCtxSynchronize())
