# SPDX-License-Identifier: Apache-2.0
"""Random graphs (tests/tools/random_graphs.py) as programs of linalg: folded by fold-run or not, and with buffers freed and reused
by the passes of dealloc/, they give what ONNX Runtime gives.

Graphs that call kernels of onnx-run are left out, since neither has these, and generators of which almost all do.
"""

import re
import subprocess

import numpy as np
import onnx
import pytest

import onnxfold_runs as runs
import onnxfold_testing as t
import random_graphs
from onnxfold_models import const
from onnxfold_programs import resultTypes
from onnxfold_upstream import LIBRARIES
from test_fold_run import PLAIN, Case

FOLD_OPT, DEALLOC_RUN = (t.TOOL.parent / name for name in ("fold-opt", "dealloc-run"))
COUNT = 1500 if t.options.long else 30
GENERATORS = ("functions", "calls", "slices", "copies", "sizes", "arithmetic", "networks")
BUFFERS = "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"
LLVM = "--lower-deallocation-to-llvm=generic-alloc-functions=1"
CLEAN = "leaks=0 double-frees=0"
OBSERVED = {"f32": "f32", "f64": "f64", "i64": "i64", "i32": "i32", "i1": "i32"}


def programOf(model, folder):
    """The text of the model as it is, not folded; nothing if it calls kernels."""
    onnx.save(model, folder / "model.onnx")
    command = [runs.RUN, folder / "model.onnx", "--no-fold", "--emit=mlir"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-600:]
    text = done.stdout.replace(" attributes {llvm.emit_c_interface}", "")
    assert "@main_graph(" in text, f"the program is not valid: {text[:2000]}"
    results = text[text.index(" -> ", text.index("@main_graph(")) : text.index(" {\n", text.index("@main_graph("))]
    return "" if "sequence." in text or "?" in results or "*" in results else text


def graphs():
    """(name, model, feed, results) of what ONNX Runtime runs, with declared shapes."""
    seed = t.options.seed
    for number in range(COUNT):
        name, model, feeds = random_graphs.graph(number, seed, GENERATORS)
        expected = runs.results(model, feeds[:1])
        if isinstance(expected, str):
            continue
        case = runs.Case(f"{name}, graph {number} of seed {seed}", model, feeds[:1], expected)
        yield case.name, case.form("declared")[0], feeds[0], list(expected[0].values())


def marked(text, constant):
    """The arguments of these numbers of @main_graph are constant when it runs."""
    begin = text.index("@main_graph(")
    head = text[begin : text.index(" -> ", begin)]
    for number in constant:
        head = re.sub(rf"(%arg{number}: tensor<[^>]*>)", r'\1 {onnxfold.constant = "runtime"}', head)
    return text[:begin] + head + text[text.index(" -> ", begin) :]


def test_fold_run(folder):
    """Every second argument is constant."""
    count = 0
    for name, model, feed, expected in graphs():
        text = programOf(model, folder)
        values = [feed[one.name] for one in model.graph.input]
        if not text or not values or any(kind.dtype == bool for kind in (*values, *expected)):
            continue
        constant = set(range(0, len(values), 2))
        case = Case(folder, marked(text, constant), values, constant)
        files = [folder / f"result{n}.npy" for n in range(1, len(expected))]
        for flags, isFolded in (((PLAIN,), False), (("--mode=runtime", "--runs=2"), True), (("--mode=both",), True)):
            case.run("--entry=main_graph", *flags, *(f"--output={file}" for file in files), isFolded=isFolded)
            got = [np.load(file) for file in (folder / "out.npy", *files)]
            assert runs.areEqual(got, expected), f"{name}, {flags}: {got}, expected {expected}"
        count += 1
    print(f"  {count} of {COUNT} graphs ran")
    assert count > COUNT // 10


def observed(number, kind):
    """Lines that tell each element of a result."""
    shape, element = re.match(r"tensor<((?:\d+x)*)(\w+)>", kind).groups()
    sizes = [int(size) for size in shape.split("x") if size]
    lines, value, indices = [], f"%r{number}", []
    for axis, size in enumerate(sizes):
        lines.append(f"%n{number}_{axis} = arith.constant {size} : index")
        lines.append(f"scf.for %i{number}_{axis} = %zero to %n{number}_{axis} step %one {{")
        indices.append(f"%i{number}_{axis}")
    lines.append(f"%e{number} = tensor.extract {value}[{', '.join(indices)}] : {kind}")
    told = f"%e{number}"
    if element == "i1":
        told = f"%w{number}"
        lines.append(f"{told} = arith.extui %e{number} : i1 to i32")
    lines.append(f"func.call @observe_{OBSERVED[element]}({told}) : ({OBSERVED[element]}) -> ()")
    return "\n".join([*lines, *("}" for _ in sizes)])


def withMain(text):
    """The program with @main, which calls it and tells what comes out."""
    kinds = resultTypes(text)
    results = ", ".join(f"%r{n}" for n in range(len(kinds)))
    lines = [f"func.func private @observe_{kind}({kind})" for kind in set(OBSERVED.values())]
    lines += ["func.func @main() {", "%zero = arith.constant 0 : index", "%one = arith.constant 1 : index"]
    lines += [f"{results} = func.call @main_graph() : () -> ({', '.join(kinds)})", *map(observed, range(len(kinds)), kinds)]
    end = text.rindex("}")
    return text[:end].replace("func.func @main_graph", "func.func private @main_graph") + "\n".join([*lines, "return", "}", "}"])


def told(text, expected):
    """What a run printed, as arrays of the types and shapes that are expected."""
    values, arrays = iter(re.findall(r"^value (.*)$", text, re.M)), []
    for want in expected:
        numbers = [next(values) for _ in range(want.size)]
        arrays.append(np.array([float.fromhex(one) if want.dtype.kind == "f" else int(one) for one in numbers], want.dtype).reshape(want.shape))
    return arrays


@pytest.mark.parametrize("reuse", (True, False))
def test_dealloc(folder, reuse):
    """What is fed is constant here: the program has no arguments."""
    count = 0
    for name, model, feed, expected in graphs():
        model.graph.initializer.extend(const(one.name, feed[one.name]) for one in model.graph.input)
        del model.graph.input[:]
        text = programOf(model, folder)
        if not text or any(str(one.dtype) not in ("float32", "float64", "int64", "int32", "bool") for one in expected):
            continue
        (folder / "program.mlir").write_text(withMain(text))
        passes = [BUFFERS, f"--buffer-deallocation-and-reuse=reuse={int(reuse)}", LLVM]
        lowered = subprocess.run([FOLD_OPT, folder / "program.mlir", *passes], capture_output=True, text=True, timeout=600)
        assert lowered.returncode == 0, f"{name}: {lowered.stderr[:600]}"
        done = subprocess.run([DEALLOC_RUN, "-", f"--shared-libs={LIBRARIES}"], input=lowered.stdout, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0 and CLEAN in done.stdout, f"{name}: {done.stdout[-300:]}{done.stderr[-300:]}"
        got = told(done.stdout, expected)
        assert runs.areEqual(got, expected), f"{name}: {got}, expected {expected}"
        count += 1
    print(f"  {count} of {COUNT} graphs ran")
    assert count > COUNT // 10
