# SPDX-License-Identifier: Apache-2.0
"""Runs functions of element-wise operations, broadcasts and literals on numpy arrays. As expressions.py, whose digests become
arrays; what is below reads the operations of random_broadcasts.py and no others."""

import json
import re

import numpy as np
from expressions import OPERATION, functionsOf, readOperation, regionsOf

BINARY = {"arith.addf": np.add, "arith.mulf": np.multiply, "arith.subf": np.subtract, "arith.maximumf": np.maximum}
UNARY = {"arith.negf": np.negative, "math.absf": np.abs, "math.tanh": np.tanh}


def shapeOf(text):
    """Of the last type in a text."""
    sizes = re.findall(r"tensor<((?:\d+x)*)f32>", text)[-1]
    return [int(size) for size in sizes.split("x") if size]


def literal(text):
    value = re.search(r"value = (?:dense<([^>]*)> : (\S+)>|([^ ]+) : (?:f32|index))", text)
    if value[3]:
        return np.float32(value[3])
    return np.broadcast_to(np.array(json.loads(value[1]), np.float32), shapeOf(value[2]))


def aligned(array, dims, loops):
    """An array whose dimensions are those of the loops that its map names, in the order of the map."""
    if not dims:
        return array
    order = np.argsort(dims)
    shape = [1] * loops
    for k in order:
        shape[dims[k]] = array.shape[k]
    return np.transpose(array, order).reshape(shape)


def runBody(operation, inputs, text, shape):
    """The body of a linalg operation, on whole arrays instead of elements."""
    loops = len(shape)
    maps = [[int(dim) for dim in re.findall(r"d(\d+)", results)]
            for results in re.findall(r"affine_map<\([^)]*\) -> \(([^)]*)\)>", text)] or [list(range(loops))] * len(inputs)
    lines = regionsOf(operation)[0]
    names = re.findall(r"(%\w+): ", lines[0])
    values = dict(zip(names, [aligned(array, dims, loops) for array, dims in zip(inputs, maps)]))
    return np.broadcast_to(runLines(lines[1:], values, shape)[0], shape)


def runOperation(operation, values, shape):
    name, _, kind, operands = OPERATION.match(operation[0]).groups()
    used = [values[operand.strip()] for operand in operands.split(",") if operand.strip()]
    text = operation[0][OPERATION.match(operation[0]).end():] + (operation[-1] if len(operation) > 1 else "")
    if kind in BINARY or kind in UNARY:
        result = (BINARY | UNARY)[kind](*used)
    elif kind == "arith.constant":
        result = literal(text)
    elif kind == "tensor.empty":
        result = np.full(shapeOf(text), np.nan, np.float32)
    elif kind == "linalg.index":
        dim = int(re.search(r"dim = (\d+)", text)[1])
        result = np.arange(shape[dim]).reshape([-1 if i == dim else 1 for i in range(len(shape))])
    elif kind in ("arith.index_cast", "arith.sitofp"):
        result = np.asarray(used[0]).astype(np.float32)
    elif kind == "linalg.broadcast":
        big = shapeOf(text)
        dims = [int(dim) for dim in re.search(r"dimensions = array<i64: ([^>]*)>", text)[1].split(",")]
        result = np.broadcast_to(aligned(used[0], [dim for dim in range(len(big)) if dim not in dims], len(big)), big)
    elif kind.startswith("linalg.") and kind != "linalg.yield":
        result = runBody(operation, used, text, shapeOf(text))
    else:
        assert kind in ("linalg.yield", "func.return"), kind
        return used
    values[name] = result
    return used


def runLines(lines, values, shape=None):
    at, used = 0, []
    while at < len(lines):
        operation, at = readOperation(lines, at)
        used = runOperation(operation, values, shape)
    return used


def runFunction(lines, arguments):
    hasArguments = lines[0].lstrip().startswith("^")
    names = re.findall(r"(%\w+): ", lines[0]) if hasArguments else []
    return runLines(lines[1 if hasArguments else 0:], dict(zip(names, arguments, strict=True)))


def resultsOf(text, arguments):
    """The results of @main for arguments of the original function."""
    functions, attribute = functionsOf(text)
    if "onnxfold.constant_tensors" not in attribute:
        return runFunction(functions["main"], arguments)
    originals = [int(entry) for entry in re.findall(r"\{entry = (-?\d+) : i64, role", attribute)]
    folded = [int(entry) for entry in re.findall(r"\{entry = (-?\d+) : i64, type", attribute)]
    entry = {number: arguments[i] for i, number in enumerate(originals) if number >= 0}
    parts = re.findall(r"\{arguments = array<i64(?::? ?)([^>]*)>, folded = array<i64: ([^>]*)>, function = @([\w.]+)", attribute)
    for numbers, values, name in parts:
        given = [arguments[int(i)] for i in numbers.split(",") if i.strip()]
        for k, result in zip(values.split(","), runFunction(functions[name], given), strict=True):
            entry[folded[int(k)]] = result
    return runFunction(functions["main"], [entry[i] for i in range(len(entry))])
