#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes onnx/driver/stats/OnnxRuntimeKernels.inc: the operators, versions and element types that the CPU provider of the installed
onnxruntime has kernels for. `onnx-fold stats` says what a model has beyond them.

    build/venv/bin/python3 tools/runtime_kernels.py [--check]     --check: writes nothing, prints whether the file is true (exit 1)

ONNX Runtime's own docs/OperatorKernels.md is made of the same two lists by the same rules (its tools/python/gen_opkernel_doc.py).
The file is committed, since a build needs no onnxruntime; tests/tools/test_stats.py fails when another release is installed.
"""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

TABLE = Path(__file__).resolve().parents[1] / "onnx/driver/stats/OnnxRuntimeKernels.inc"
DOMAINS = ("", "ai.onnx.ml", "com.microsoft")
# One letter for each element type; the first lines of the table say the same to its reader.
LETTERS = {
    "float": "f", "double": "d", "float16": "h", "bfloat16": "b", "bool": "B", "string": "S",
    "int8": "c", "int16": "s", "int32": "i", "int64": "l", "uint8": "C", "uint16": "H", "uint32": "I", "uint64": "L",
    "int4": "n", "uint4": "N", "int2": "t", "uint2": "T", "complex64": "z", "complex128": "Z",
    "float8e4m3fn": "1", "float8e4m3fnuz": "2", "float8e5m2": "3", "float8e5m2fnuz": "4", "float4e2m1": "5", "float8e8m0": "6",
}  # fmt: skip
OPEN = 2**31 - 1

HEAD = """\
//===- OnnxRuntimeKernels.inc - What ONNX Runtime has kernels for ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Written by tools/runtime_kernels.py from the lists of onnxruntime {version}
// (get_all_opkernel_def and get_all_operator_schema), CPUExecutionProvider.
//
//   ONNXFOLD_RUNTIME_KERNELS(domain, operator, since, kernels)
//
// `since` is the version of the operator. Kernels are separated by '|'; each
// lists, by ';', operands (inputs as 0, results as >0, with + for all further
// ones), '=', and a letter for each element type that they may have. Operands
// that are not listed may have any type. An operator without kernels has "-".
//
{letters}
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_RUNTIME_KERNELS
#error "define ONNXFOLD_RUNTIME_KERNELS before including OnnxRuntimeKernels.inc"
#endif

// clang-format off
"""


def matches(kernel, since):
    """As KernelRegistry::TryFindKernel has it: a kernel without an end is for its own version only."""
    first, last = kernel.version_range
    return first == since or (first < since <= last and last != OPEN)


def operandsOf(schema):
    """{name of a type parameter, or of an operand: operands}"""
    found = defaultdict(list)
    for mark, operands in (("", schema.inputs), (">", schema.outputs)):
        for i, operand in enumerate(operands):
            each = f"{mark}{i}" + ("+" if operand.option.name == "Variadic" else "")
            found[operand.typeStr].append(each)
            found[operand.name].append(each)
    return found


def lettersOf(types):
    """Of the tensors among the types; nothing if there is none, so that the operand is no tensor."""
    elements = {match[1] for match in (re.fullmatch(r"(?:optional\()?tensor\((\w+)\)\)?", one) for one in types) if match}
    return "".join(letter for name, letter in LETTERS.items() if name in elements)


def withoutCopies(kernels):
    """Kernels that differ in the types of one parameter become one: [{operands: letters}]"""
    kernels = [dict(kernel) for kernel in kernels]
    done = False
    while not done:
        done = True
        for i, one in enumerate(kernels):
            for other in kernels[i + 1 :]:
                differ = [key for key in one if one[key] != other.get(key)] if one.keys() == other.keys() else [1, 2]
                if len(differ) <= 1:
                    for key in differ:
                        one[key] = "".join(letter for letter in LETTERS.values() if letter in one[key] + other[key])
                    kernels.remove(other)
                    done = False
                    break
    return kernels


def rowOf(schema, kernels):
    operands = operandsOf(schema)
    found = []
    for kernel in kernels:
        if matches(kernel, schema.since_version):
            limits = {",".join(operands[name]): lettersOf(types) for name, types in kernel.type_constraints.items()}
            found.append({key: letters for key, letters in limits.items() if key and letters})
    text = "|".join(";".join(f"{key}={letters}" for key, letters in kernel.items()) for kernel in withoutCopies(found))
    return text if found else "-"


def table():
    kernels = defaultdict(list)
    for kernel in runtime.get_all_opkernel_def():
        if kernel.provider == "CPUExecutionProvider":
            kernels[kernel.domain, kernel.op_name].append(kernel)
    schemas = [one for one in runtime.get_all_operator_schema() if one.domain in DOMAINS and not one.deprecated]
    rows = {(one.domain, one.name, one.since_version): rowOf(one, kernels[one.domain, one.name]) for one in schemas}
    listed = [f"{letter} {name}" for name, letter in LETTERS.items()]
    letters = "\n".join("// " + ", ".join(listed[i : i + 6]) for i in range(0, len(listed), 6))
    lines = [f'ONNXFOLD_RUNTIME_KERNELS("{domain}", "{name}", {since}, "{row}")' for (domain, name, since), row in sorted(rows.items())]
    head = HEAD.replace("{version}", onnxruntime.__version__).replace("{letters}", letters)
    version = f'#define ONNXFOLD_RUNTIME_VERSION "{onnxruntime.__version__}"\n'
    return head + version + "\n".join(lines) + "\n// clang-format on\n\n#undef ONNXFOLD_RUNTIME_KERNELS\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        TABLE.write_text(table())
        return 0
    if TABLE.read_text() == table():
        return 0
    print(f"{TABLE} is not what onnxruntime {onnxruntime.__version__} has: run tools/runtime_kernels.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
