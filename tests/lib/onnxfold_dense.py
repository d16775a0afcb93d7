# SPDX-License-Identifier: Apache-2.0
"""Constants as MLIR's text has them, and the lit tests of one operator over constants.

    parseTensor("dense<[1.0, 0x7FC00000]>", "tensor<2xf32>")   ->  array([1., nan], dtype=float32)
    printTensor(array)                                          ->  "dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>"
    for case in casesOf(path): case.operator, case.inputs, case.attributes, case.expected ...
"""

import re
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import onnx
from onnx import numpy_helper

TYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "i4": ml_dtypes.int4,
    "i2": ml_dtypes.int2,
    "ui64": np.uint64,
    "ui32": np.uint32,
    "ui16": np.uint16,
    "ui8": np.uint8,
    "ui4": ml_dtypes.uint4,
    "ui2": ml_dtypes.uint2,
    "i1": np.bool_,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
    "!onnx.string": np.object_,
}
NAMES = {np.dtype(dtype): name for name, dtype in TYPES.items()}
# Digits of the significand, the hidden one included: LLVM prints 2 + 59/196 of them.
PRECISION = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8, "f8E4M3FN": 4, "f8E4M3FNUZ": 4, "f8E5M2": 3, "f8E5M2FNUZ": 3,
             "f8E8M0FNU": 1, "f6E2M3FN": 4, "f6E3M2FN": 3, "f4E2M1FN": 2}  # fmt: skip


# ----------------------------------------------------------------------------- reading


def parseType(text):
    """(shape, dtype) of tensor<2x3xf32>; shape is None if it is not known."""
    inner = re.fullmatch(r"tensor<(.*)>", text)[1]
    dims = re.match(r"((?:\d+x|\?x|\*x)*)(.*)", inner)
    sizes = dims[1].split("x")[:-1]
    known = all(size.isdigit() for size in sizes)
    return (tuple(int(size) for size in sizes) if known else None), np.dtype(TYPES[dims[2]])


def parseString(text):
    return re.sub(rb"\\([0-9A-Fa-f]{2})", lambda hexes: bytes([int(hexes[1], 16)]), text[1:-1].encode()).decode()


def fromBits(bits, dtype):
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return np.array(bits, unsigned).view(dtype)[()]


def parseElement(text, dtype):
    if text.startswith('"'):
        return parseString(text)
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("("):
        part = np.dtype(np.float32 if dtype == np.complex64 else np.float64)
        return complex(*(parseElement(one.strip(), part) for one in text[1:-1].split(",")))
    if text.startswith("0x") and dtype.kind not in "iu":
        return fromBits(int(text, 16), dtype)
    return int(text, 0) if dtype.kind in "iu" or dtype.name.startswith(("int", "uint")) else float(text)


ELEMENT = re.compile(r'"(?:[^"\\]|\\.)*"|\([^)]*\)|[^\s,\[\]]+')


def parseTensor(text, type):
    shape, dtype = parseType(type)
    elements = [parseElement(one, dtype) for one in ELEMENT.findall(re.fullmatch(r"dense<(.*)>", text, re.DOTALL)[1])]
    result = np.empty(len(elements), dtype)
    for i, one in enumerate(elements):
        result[i] = one
    # One element is that of all; it is stored once, as some tests have tensors of gigabytes.
    return np.broadcast_to(result.reshape(()), shape) if len(elements) == 1 else result.reshape(shape)


def parseAttribute(text):
    text = text.strip()
    if text.startswith('"'):
        return parseString(text)
    if text.startswith("tensor<"):
        raise NotImplementedError("types")
    if text.startswith("array<"):
        kind, _, items = text[6:-1].partition(":")
        return [float(one) if kind.startswith("f") else int(one) for one in items.split(",") if one.strip()]
    if text.startswith("["):
        return [parseAttribute(one) for one in split(text[1:-1])]
    if text.startswith("dense<"):
        value, type = text.rsplit(" : ", 1)
        return numpy_helper.from_array(parseTensor(value, type))
    value, _, type = text.partition(" : ")
    if type.startswith("f"):
        return float(parseElement(value, np.dtype(TYPES[type])))
    return int(value)


def split(text, separator=","):
    """Splits at commas outside of brackets and strings."""
    parts, depth, start, quoted = [], 0, 0, False
    for i, letter in enumerate(text):
        if letter == '"' and text[i - 1 : i] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif letter in "<([{":
            depth += 1
        elif letter in ">)]}" and text[i - 1 : i + 1] != "->":
            depth -= 1
        elif letter == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


# ----------------------------------------------------------------------------- printing


def decimal(value, digits):
    """(digits without trailing zeros, exponent of the last one) of |value|, rounded to so many digits."""
    mantissa, exponent = f"{abs(float(value)):.{digits - 1}e}".split("e")
    text = mantissa.replace(".", "").rstrip("0") or "0"
    return text, int(exponent) - len(text) + 1


def printFloat(value, name):
    """As MLIR prints it: six digits if they are exact, else those that the type needs, else the bits."""
    dtype = np.dtype(TYPES[name])
    bits = f"0x{int(np.array(value, dtype).view(f'u{dtype.itemsize}')):X}"
    if not np.isfinite(float(value)):
        return bits
    sign = "-" if np.signbit(float(value)) else ""
    text, last = decimal(value, 6)
    short = f"{sign}{text[0]}.{text[1:]:0<6}e{last + len(text) - 1:+03d}"
    if np.array(float(short)).astype(dtype) == value:
        return short
    text, last = decimal(value, 2 + PRECISION[name] * 59 // 196)
    first = last + len(text) - 1
    if last >= 0:
        isScientific = last > 3 or len(text) + last > 2 + PRECISION[name] * 59 // 196
        plain = text + "0" * last
    else:
        isScientific = first < 0 and -first > 3
        plain = text[: last] + "." + text[last:] if first >= 0 else "0." + "0" * (-first - 1) + text
    if isScientific:
        plain = f"{text[0]}.{text[1:] or '0'}E{first:+d}"
    return sign + plain if "." in plain else bits


def printElement(value, name):
    if name == "i1":
        return "true" if value else "false"
    if name == "!onnx.string":
        letters = (value if isinstance(value, bytes) else str(value).encode())
        return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in letters) + '"'
    if name.startswith("complex"):
        return f"({printFloat(value.real, name[8:-1])},{printFloat(value.imag, name[8:-1])})"
    return printFloat(value, name) if name in PRECISION else str(int(value))


def printTensor(array):
    """dense<...> : tensor<...>; a tensor of equal elements is one element."""
    name = NAMES[array.dtype]
    texts = [printElement(one, name) for one in array.reshape(-1)]

    def nested(shape, start):
        if not shape:
            return texts[start]
        step = int(np.prod(shape[1:]))
        return "[" + ", ".join(nested(shape[1:], start + i * step) for i in range(shape[0])) + "]"

    inner = "" if not texts else texts[0] if len(set(texts)) == 1 else nested(array.shape, 0)
    return f"dense<{inner}> : tensor<{''.join(f'{size}x' for size in array.shape)}{name}>"


# ----------------------------------------------------------------------------- cases


@dataclass
class Case:
    """A function of a lit test: one operator over constants."""

    name: str
    operator: str  # outside the standard with its domain: com.microsoft.Gelu
    version: int
    inputs: list  # arrays; None: left out
    attributes: dict
    results: int
    expected: list  # of each constant that FileCheck looks for: a regular expression of its text; empty: it is kept


FUNCTION = re.compile(r"^func\.func @(\w+)\(\).*?\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
CONSTANT = re.compile(r"(%[\w]+) = onnx\.Constant (dense<.*>) : (tensor<.*>)$")
NODE = re.compile(r"(%\w+)(?::(\d+))? = onnx\.(\w+)\((.*?)\) <\{(.*?)\}>(?: \{(.*)\})? : \(.*\) -> .*$")
CHECKED = re.compile(r"//\s*CHECK(?:-\w+)?(\{LITERAL\})?:.*?onnx\.Constant (dense<.*)$")


def checkedPattern(literal, text):
    """A regular expression that matches what FileCheck accepts."""
    if literal:
        return re.escape(text.strip())
    parts = re.split(r"\{\{(.*?)\}\}(?!\})", text.strip())
    return "".join(one if i % 2 else re.escape(one) for i, one in enumerate(parts))


def readCase(name, body, checks):
    """None if the function is not one operator over constants."""
    values, node = {}, None
    lines = [line.strip() for line in body.splitlines()]
    for line in lines:
        if constant := CONSTANT.match(line):
            values[constant[1]] = parseTensor(constant[2], constant[3])
        elif absent := re.match(r"(%\w+) = onnx\.Absent", line):
            values[absent[1]] = None
        elif line and not line.startswith(("//", "return")):
            if node or not (node := NODE.match(line)):
                return None
    if not node or any(name not in values for name in split(node[4])):
        return None
    properties = dict(one.split(" = ", 1) for one in split(node[5]))
    try:
        attributes = {key: parseAttribute(value) for key, value in (one.split(" = ", 1) for one in split(node[6] or ""))}
    except NotImplementedError:
        return None
    expected = [checkedPattern(*found.groups()) for found in map(CHECKED.match, checks) if found]
    operator = node[3]
    if operator == "Custom":  # one of another domain
        operator = ".".join(filter(None, (parseString(properties[key]) for key in ("domain", "op_type"))))
    return Case(name, operator, int(properties["since"]), [values[one] for one in split(node[4])], attributes,
                int(node[2] or 1), expected)  # fmt: skip


def casesOf(path):
    """The cases of a file: [(name, Case or None)], None for functions of another form."""
    text, result = path.read_text(), []
    for part in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
        for found in FUNCTION.finditer(part):
            label = re.search(rf"// CHECK-LABEL: @{found[1]}\b", part)
            checks = part[label.start() : found.start()].splitlines() if label and label.start() < found.start() else []
            result.append((found[1], readCase(found[1], found[2], checks)))
    return result
