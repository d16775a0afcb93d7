# SPDX-License-Identifier: Apache-2.0
"""Every system call and every allocation of a run fails, and SIGKILL comes at every system call.

tests/lib/fault-run folds one model again and again, each time with one fault more to the end of the run, and looks at the exit
status, the output (the old one or the new one, whole) and the files that are left. The short form takes one model and every
system call, and ten models and every 211th allocation; --long takes ten models and all.
"""

import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import onnxfold_testing as t
from bad_cases import external, put, smallModel

pytestmark = pytest.mark.skipif(t.isSanitized(), reason="sanitizers end the process when they get no memory")
PROGRAM = t.TOOL.parent / "tests/fault-run"
SEEDS = t.ROOT / "tests/fuzz/corpus"


def small(folder):
    put(folder, smallModel())


def withData(folder):
    """External data, of which the output takes a copy."""
    (folder / "w.bin").write_bytes(bytes(range(24)))
    put(folder, smallModel(initializers=[external("w", "w.bin")]))


def dataInPlace(folder):
    """Its own data file is replaced with it, and one more is not needed any more."""
    (folder / "w.bin").write_bytes(bytes(range(24)))
    (folder / "model.onnx.data").write_bytes(bytes(range(24)))
    put(folder, smallModel(initializers=[external("w", "w.bin")]))


def fromText(folder):
    put(folder, onnx.printer.to_text(smallModel()).encode())


def seed(name):
    def make(folder):
        put(folder, onnx.load(SEEDS / f"seed-{name}.onnx"))

    make.__name__ = name
    return make


def shipped(name):
    def make(folder):
        put(folder, (t.ROOT / f"tests/models/data/{name}.onnx").read_bytes())

    make.__name__ = name
    return make


CASES = [
    (small, []),
    (withData, ["--external-data=out.bin"]),
    (withData, ["--verify=1"]),
    (fromText, []),
    (seed("loop"), ["-O2"]),
    (seed("sequences"), []),
    (seed("function"), ["-O2"]),
    (seed("dataForms"), ["--emit=mlir"]),
    (seed("condition"), ["--provenance", "--shapes"]),
    (shipped("control_flow"), ["-O2"]),
]
SEVERAL = [
    (withData, ["--external-data=out.bin", "--report=json:report.json"]),
    (small, ["--in-place", "--report=json:report.json"]),
    (small, ["--in-place", "--report=json"]),
    (small, ["--in-place", "--messages=json"]),
    (dataInPlace, ["--in-place", "--external-data"]),
    (small, ["--run-once=w", "--once-output=once.onnx"]),
    (small, ["--emit=mlir", "--verify=1", "--report=json:report.json"]),
]
NAMES = [f"{make.__name__}{''.join(flags)}" for make, flags in CASES]
CALLS = CASES if t.options.long else CASES[1:2]


def check(folder, kind, case, first=1, step=1):
    """The number of events of a run."""
    make, flags = case
    home = folder / "home"
    home.mkdir()
    make(home)
    command = [PROGRAM, kind, str(first), str(step), home, "--quiet", "--threads=1", *flags]
    done = subprocess.run(command, capture_output=True, text=True, cwd=home)
    if done.returncode == 77:
        pytest.skip("this machine allows no tracing")
    lines = done.stdout.splitlines()
    print(f"  {kind}: {lines[-1] if lines else 'nothing'}", flush=True)
    assert done.returncode == 0, f"{len(lines) - 1} runs:\n" + "\n".join(lines[:30]) + done.stderr[-500:]
    return int(lines[-1].split()[0])


@pytest.mark.parametrize("case", CALLS, ids=NAMES[: len(CALLS)])
@pytest.mark.parametrize("kind", ("error", "short", "kill"))
def test_system_calls(kind, case, folder):
    check(folder, kind, case)


@pytest.mark.parametrize("case", SEVERAL, ids=[f"{make.__name__}{''.join(flags)}" for make, flags in SEVERAL])
@pytest.mark.parametrize("kind", ("error", "kill"))
def test_reports_and_several_outputs(kind, case, folder):
    """A report used to be written when the output had been replaced: a disk that was full by then gave status 1 and a new model."""
    first, step = (1, 1) if t.options.long else (1 if kind == "error" else 3, 5)
    events = check(folder, kind, case, first, step)
    # Each piece of a report on standard error was a system call: 5,482 of them for this small model.
    assert events < 500, "the report is not written in blocks"


def large(folder):
    """Folds into a constant of 8 MB, which is written in parts."""
    weight = numpy_helper.from_array(np.arange(2_000_000, dtype=np.float32), "w")
    nodes = [helper.make_node("Add", ["w", "w"], ["v"]), helper.make_node("Mul", ["x", "v"], ["y"])]
    x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2_000_000]) for name in "xy")
    graph = helper.make_graph(nodes, "g", [x], [y], [weight])
    put(folder, helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10))


def test_killed_while_much_is_written(folder):
    """What a kill leaves behind, if anything, the next run removes."""
    check(folder, "kill", (large, []), step=1 if t.options.long else 5)


def weights(folder, data=False):
    """Weights that are too large to be copied when the model is read, and that two nodes read."""
    w = numpy_helper.from_array(np.ones((64, 64), np.float32), "w")
    if data:
        (folder / "w.bin").write_bytes(w.raw_data)
        w = external("w", "w.bin", (64, 64))
    nodes = [helper.make_node("MatMul", ["w", "w"], ["v"]), helper.make_node("MatMul", ["x", "v"], ["y"])]
    x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 64]) for name in "xy")
    graph = helper.make_graph(nodes, "g", [x], [y], [w])
    put(folder, helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10))


def weightsInData(folder):
    weights(folder, data=True)


CUT = [(weights, []), (weightsInData, []), (weightsInData, ["--verify=1", "-O2"])]


@pytest.mark.parametrize("case", CUT, ids=[f"{make.__name__}{''.join(flags)}" for make, flags in CUT])
def test_inputs_that_are_cut(case, folder):
    """Another process cuts the files of the model in half before each system call: 21 of 100 such runs ended with SIGBUS."""
    check(folder, "cut", case, step=1 if t.options.long else 3)


STEP = 1 if t.options.long else 211


@pytest.mark.parametrize("case", CASES, ids=NAMES)
@pytest.mark.parametrize("kind", ("allocation", "exhausted"))
def test_allocations(kind, case, folder):
    """There is no memory for one allocation, or for it and all that follow."""
    check(folder, kind, case, 1 + t.options.seed % STEP, STEP)


def test_allocations_of_the_writer(folder):
    """What a thread of the pool threw while it wrote a value was seen by nobody: status 0, and zeros in the output."""
    check(folder, "allocation", (seed("sequences"), []), 3300)
