# SPDX-License-Identifier: Apache-2.0
"""Models with sequences as compiled programs that run: convert-onnx-to-sequence, lower-sequence-to-llvm, MLIR's execution engine.

`runProgram(model, folder)` gives the values of the outputs; the counting allocator must have found no leak, no double free and no
use after free.
"""

import re
import subprocess

import numpy as np
import onnx

from onnxfold_testing import TOOL, runOk

TOOLS = TOOL.parent
CLEAN = "leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0"
NUMPY = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "i1": np.bool_}


def closing(text, start):
    """The index behind the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "(<[{") - (text[i] in ")]}" or (text[i] == ">" and text[i - 1] != "-"))
        if depth == 0:
            return i + 1
    raise ValueError(text[start:])


def splitTypes(text):
    parts, begin, depth = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "(<[{") - (char in ")>]}")
        if char == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return parts + [text[begin:].strip()] if text.strip() else []


def resultTypes(module):
    """Of @main_graph, which has no arguments."""
    tail = module[module.index("func.func @main_graph() -> ") + len("func.func @main_graph() -> ") :]
    if tail.startswith("("):
        return splitTypes(tail[1 : closing(tail, 0) - 1])
    return [tail[: tail.index(" {\n")].strip()]


def dumpTensor(value, type):
    kind = re.search(r"(f32|f64|i32|i64|i1)>$", type).group(1)
    return f"""  %any{value} = tensor.cast %{value} : {type} to tensor<*x{kind}>
  func.call @dump_{kind}(%any{value}) : (tensor<*x{kind}>) -> ()
""" if "*" not in type else f"  func.call @dump_{kind}(%{value}) : (tensor<*x{kind}>) -> ()\n"


def dumpResult(i, type):
    if type == "i1":  # whether the optional before it is there
        return f"  %p{i} = tensor.from_elements %r{i} : tensor<i1>\n" + dumpTensor(f"p{i}", "tensor<i1>")
    if not type.startswith("!sequence.seq<"):
        return dumpTensor(f"r{i}", type)
    element = re.match(r"!sequence.seq<(tensor<[^>]*>),", type).group(1)
    return f"""  %n{i} = sequence.length %r{i} : {type}
  %wide{i} = arith.index_cast %n{i} : index to i64
  func.call @observe_i64(%wide{i}) : (i64) -> ()
  %shape{i} = tensor.from_elements %wide{i} : tensor<i64>
{dumpTensor(f"shape{i}", "tensor<i64>")}  scf.for %i{i} = %c0 to %n{i} step %c1 {{
  %e{i} = sequence.at %r{i}[%i{i}] : {type} -> {element}
{dumpTensor(f"e{i}", element)}  }}
"""


def withMain(module):
    """The module with a function that runs @main_graph and dumps its results."""
    types = resultTypes(module)
    names = ", ".join(f"%r{i}" for i in range(len(types)))
    text = "".join(
        f"func.func private @dump_{kind}(tensor<*x{kind}> {{bufferization.access = \"read\"}})\n" for kind in NUMPY
    )
    text += "func.func private @observe_i64(i64)\nfunc.func @main() {\n"
    text += "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    text += f"  {names} = call @main_graph() : () -> ({', '.join(types)})\n"
    text += "".join(dumpResult(i, type) for i, type in enumerate(types)) + "  return\n}\n"
    end = module.rindex("}")
    return module[:end] + text + "}\n", types


def tool(name, *arguments, stdin=None):
    return subprocess.run([TOOLS / name, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=600)


def convert(model, folder):
    """What convert-onnx-to-sequence makes of a model, as a finished process."""
    onnx.save(model, folder / "model.onnx")
    # No node has this name: the model as it is, whose constants would otherwise be folded away.
    text = runOk("--quiet", "-O0", "--only=none-of-them", "--emit=mlir", "-o", "-", folder / "model.onnx").out.decode()
    return tool("fold-opt", "--convert-onnx-to-sequence", "-", stdin=text)


def parseTensor(line):
    kind, shape, *values = line.split(" ")
    dims = [int(dim) for dim in shape.split("x")] if shape else []
    read = float.fromhex if kind[0] == "f" else int
    return np.array([read(value) for value in values], NUMPY[kind]).reshape(dims)


def runProgram(model, folder):
    """The outputs of a model, compiled and run: arrays, and lists of arrays."""
    converted = convert(model, folder)
    assert converted.returncode == 0, f"convert-onnx-to-sequence: {converted.stderr[-600:]}"
    program, types = withMain(converted.stdout)
    (folder / "program.mlir").write_text(program)
    # What the pipeline makes is the same in the tool that everybody has.
    lowered = tool("fold-opt", "--lower-sequence-to-llvm", folder / "program.mlir")
    assert lowered.returncode == 0, f"lower-sequence-to-llvm: {lowered.stderr[-600:]}"
    done = tool("sequence-run", folder / "program.mlir")
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-600:]} {done.stdout[-300:]}"
    lines = done.stdout.splitlines()
    assert CLEAN in lines[-1], lines[-1]
    tensors = iter([parseTensor(line) for line in lines if re.match("(f32|f64|i32|i64|i1) ", line)])
    outputs = []
    for type in types:
        first = next(tensors)
        if type == "i1":
            outputs[-1] = outputs[-1] if first else None
            continue
        outputs.append([next(tensors) for _ in range(int(first))] if type.startswith("!sequence") else first)
    return outputs


def same(actual, expected, what):
    if expected is None or actual is None:
        assert actual is expected, f"{what} is {actual}, expected {expected}"
        return
    if isinstance(expected, list):
        assert len(actual) == len(expected), f"length of {what}"
        for i, (left, right) in enumerate(zip(actual, expected)):
            same(left, right, f"{what}[{i}]")
        return
    expected = np.asarray(expected)
    assert actual.dtype == expected.dtype, f"type of {what}"
    assert actual.shape == expected.shape, f"shape of {what}"
    assert np.array_equal(actual, expected), f"{what} is {actual}, expected {expected}"
