# SPDX-License-Identifier: Apache-2.0
"""Tensors of elements-run as numpy arrays: types, bytes, random values, and what an inexact result may be."""

import json
import math
import subprocess

import ml_dtypes
import numpy as np

import onnxfold_testing as t

TYPES = {
    "bool": bool, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2, "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0": ml_dtypes.float8_e8m0fnu, "f6E2M3": ml_dtypes.float6_e2m3fn, "f6E3M2": ml_dtypes.float6_e3m2fn,
    "f4E2M1": ml_dtypes.float4_e2m1fn, "i4": ml_dtypes.int4, "u4": ml_dtypes.uint4,
    "i2": ml_dtypes.int2, "u2": ml_dtypes.uint2, "str": object,
}  # fmt: skip
TYPES = {name: np.dtype(dtype) for name, dtype in TYPES.items()}
NAMES = {dtype: name for name, dtype in TYPES.items()}
INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOATS = ("f16", "bf16", "f32", "f64")
ARITHMETIC = INTEGERS + FLOATS
ORDERED = ARITHMETIC + ("bool",)
NARROW_INTEGERS = ("i4", "u4", "i2", "u2")
SMALL_FLOATS = tuple(name for name in TYPES if name[0] == "f" and "E" in name)
SUB_BYTE_FLOATS = ("f6E2M3", "f6E3M2", "f4E2M1")
ANY = tuple(TYPES)
TEXTS = ["", "a", "b", "ab", "zebra", "Cat", "cat", "0", "-1.5", "grün", "a text longer than any small buffer"]
# Digits of the significand, exponents of the smallest normal and the largest number.
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}


def bits(name):
    """Of one element of an integer type."""
    return int(name[1:])


def limits(name):
    width = bits(name)
    return (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if name[0] == "i" else (0, 2**width - 1)


def isNaN(array):
    """Elementwise; False for what is no float."""
    if array.dtype.kind in "biuO" or NAMES[array.dtype] in NARROW_INTEGERS:
        return np.zeros(array.shape, bool)
    wide = array if array.dtype.kind == "c" else array.astype(np.float64)
    return np.isnan(wide)


def toLine(array):
    """The line of a script that makes the tensor."""
    name = NAMES[array.dtype]
    line = {"op": "tensor", "type": name, "shape": list(array.shape)}
    if name == "str":
        return line | {"strings": array.ravel().tolist()}
    if name in NARROW_INTEGERS:  # a byte each, with the sign
        array = array.astype(np.int8)
    return line | {"hex": np.ascontiguousarray(array).tobytes().hex()}


def fromLine(line):
    """The tensor of a line of results; None for null, a number for a number."""
    value = json.loads(line)
    if value is None or "number" in value:
        return value and value["number"]
    dtype, shape = TYPES[value["type"]], value["shape"]
    if dtype == object:
        result = np.empty(len(value["strings"]), object)
        result[:] = value["strings"]
        return result.reshape(shape)
    data = bytes.fromhex(value["hex"])
    if value["type"] in NARROW_INTEGERS:
        return np.frombuffer(data, np.int8).astype(dtype).reshape(shape)
    return np.frombuffer(data, dtype).reshape(shape)


class Values:
    """Random tensors; the same for the same seed."""

    SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, 1.5, 2.5, -2.5, 1e-8, 65504, 65520, 448, 1e30, 1e-40, 3.4e38]

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def chance(self, percent):
        return self.random.integers(100) < percent

    def choice(self, options):
        return options[self.random.integers(len(options))]

    def shape(self, least, most):
        rank = int(self.random.integers(least, most + 1))
        result = [int(self.random.integers(1, 41 if rank <= 2 and self.chance(30) else 6)) for _ in range(rank)]
        if rank and self.chance(6):
            result[self.random.integers(rank)] = 0
        return result

    def tensor(self, name, shape):
        size = math.prod(shape)
        if name == "str":
            flat = np.empty(size, object)
            flat[:] = [self.choice(TEXTS) for _ in range(size)]
        elif name == "bool":
            flat = self.random.integers(0, 2, size).astype(bool)
        elif name[0] in "iu":
            flat = self.integers(name, size)
        elif name[0] == "c":
            part = "f32" if name == "c64" else "f64"
            flat = self.floats(part, size) + 1j * self.floats(part, size)
            flat = flat.astype(TYPES[name])
        else:
            flat = self.floats(name, size)
        return flat.reshape(shape)

    def integers(self, name, size):
        low, high = limits(name)
        style = self.random.integers(3)
        if style == 0:
            values = self.random.integers(max(low, -9), min(high, 9) + 1, size)
        elif style == 1:
            ends = np.array([low, low + 1, 0, 1, high - 1, high], np.uint64 if high >= 2**63 else np.int64)
            values = self.random.choice(ends, size)
        else:
            values = self.random.integers(low, high, size, dtype=np.uint64 if high >= 2**63 else np.int64, endpoint=True)
        if name in NARROW_INTEGERS:
            values = values.astype(np.int8)
        return values.astype(TYPES[name])

    def floats(self, name, size):
        dtype, style = TYPES[name], self.random.integers(4)
        if style == 0 or name == "f8E8M0" and style == 1:
            return (np.abs if name == "f8E8M0" else np.array)(self.random.integers(-32, 33, size) / 4).astype(dtype)
        if style == 1:
            return self.random.choice(np.array(self.SPECIAL), size).astype(np.float32).astype(dtype)
        if style == 2:  # any pattern
            data = self.random.bytes(size * dtype.itemsize)
            if name in SUB_BYTE_FLOATS:
                data = bytes(byte & (2 ** int(name[1]) - 1) for byte in data)
            return np.frombuffer(data, dtype)
        return np.ldexp(self.random.uniform(-1, 1, size), self.random.integers(-6, 8, size)).astype(np.float32).astype(dtype)


# ---- comparisons -------------------------------------------------------------------------------------------------------


def describe(array, where):
    index = tuple(int(i) for i in np.argwhere(where)[0])
    return f"element {list(index)} of {NAMES[array.dtype]}{list(array.shape)} is {array[index]!r}", index


def same(a, b):
    """Elementwise, of flat arrays of one type: the same bits, or both NaN."""
    if a.dtype.kind == "c":
        return same(a.real.copy(), b.real.copy()) & same(a.imag.copy(), b.imag.copy())
    if a.dtype.kind in "biuO" or NAMES[a.dtype] in NARROW_INTEGERS:
        return a == b
    pattern = f"u{a.dtype.itemsize}"
    return (a.view(pattern) == b.view(pattern)) | (isNaN(a) & isNaN(b))


def compareExactly(got, expected, anyZero=False):
    """The same bits, but that any NaN is any NaN, and with `anyZero` that 0 is -0. Returns what is wrong, or None."""
    if not isinstance(expected, np.ndarray):  # null, or a number
        return None if type(got) is type(expected) and got == expected else f"{got!r}, expected {expected!r}"
    if not isinstance(got, np.ndarray) or (got.dtype, got.shape) != (expected.dtype, expected.shape):
        return f"{got!r}, expected {NAMES[expected.dtype]}{list(expected.shape)}"
    a, b = np.ascontiguousarray(got).ravel(), np.ascontiguousarray(expected).ravel()
    fine = same(a, b) | (a == b) if anyZero else same(a, b)
    if fine.all():
        return None
    text, index = describe(got, ~fine.reshape(got.shape))
    return f"{text}, expected {expected[index]!r}"


def compareWithin(got, expected, name, slack):
    """Whether each element is `expected` (long double), give or take `slack`, rounded once to the type `name`. A slack of NaN
    allows anything. Returns what is wrong, or None."""
    if got is None or NAMES[got.dtype] != name or got.shape != expected.shape:
        return f"{got if got is None else (got.dtype, got.shape)}, expected {name}{list(expected.shape)}"
    digits, least, most = FORMATS[name]
    value = got.astype(np.float64).astype(np.longdouble)
    with np.errstate(all="ignore"):
        exponent = np.frexp(np.where(expected == 0, 1, np.abs(expected)))[1] - 1
        exponent = np.where(expected == 0, least, np.clip(exponent, least, most))
        step = np.ldexp(np.longdouble(1), exponent - digits + 1)
        near = np.abs(value - expected) <= step * 0.5000001 + slack
        top = np.ldexp(np.longdouble(2), most) - np.ldexp(np.longdouble(1), most - digits)
        overflown = np.isinf(value) & (np.abs(expected) + slack >= top) & (np.sign(value) == np.sign(expected))
        fine = near | overflown | (value == expected) | (np.isnan(value) & np.isnan(expected)) | np.isnan(slack)
    if fine.all():
        return None
    text, index = describe(got, ~fine)
    return f"{text}, expected {expected[index]!r} +- {np.broadcast_to(slack, expected.shape)[index]!r}"


# ---- scripts -----------------------------------------------------------------------------------------------------------


class Script:
    """Lines for elements-run, and what each printed result must be."""

    def __init__(self):
        self.lines, self.checks, self.history, self.count = [], [], [], 0

    def clear(self, title):
        self.lines.append({"op": "clear"})
        self.history, self.count = [title], 0

    def tensor(self, array):
        self.lines.append(toLine(array))
        self.history.append(f"#{self.count} = {NAMES[array.dtype]}{list(array.shape)}")
        self.count += 1
        return self.count - 1

    def operation(self, name, operands, results, check=None, **attributes):
        """Adds a line; `check`: a function for each result that is printed. Returns the number of the first result."""
        line = {"op": name, "in": operands} | attributes
        self.history.append(f"#{self.count} = {json.dumps(line)}")
        if check:
            line["print"] = True
            history = list(self.history)
            self.checks += [(one, history) for one in check]
        self.lines.append(line)
        self.count += results
        return self.count - results

    def run(self, threads=1):
        """Runs the script and raises AssertionError for the first result that is wrong."""
        text = "\n".join(json.dumps(line) for line in self.lines) + "\n"
        program = t.TOOL.parent / "tests/elements-run"
        done = subprocess.run([program, str(threads)], input=text.encode(), capture_output=True, timeout=600)
        assert done.returncode == 0, f"elements-run ended with {done.returncode}: {done.stderr.decode()[-500:]}"
        lines = done.stdout.decode().splitlines()
        assert len(lines) == len(self.checks), "number of results"
        for line, (check, history) in zip(lines, self.checks):
            wrong = check(fromLine(line))
            assert wrong is None, f"{wrong}\n    " + "\n    ".join(history)
        return len(self.checks)
