# SPDX-License-Identifier: Apache-2.0
"""The tool for aarch64 under qemu, if it was built (tools/test_aarch64.sh): the bytes that it writes are those of the tool of
this machine, for the models of the tests, the node tests of the onnx package, and products; and the module onnx_fold in
Debian's Python for arm64. Short form: a tenth of the node tests, one set of flags."""

import itertools
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node
from test_same_bytes import withConstants
from test_static import PT_DYNAMIC, PT_INTERP, segmentTypes

TOOL = Path(os.environ.get("ONNXFOLD_AARCH64", t.ROOT / "build-aarch64/bin/onnx-fold"))
EMULATOR = shutil.which("qemu-aarch64-static")
FLAGS = [["-O2", "--fold-quantization=all", "--max-growth=unlimited"], [], ["-O0", "--max-growth=unlimited"]]
SYSROOT = t.ROOT / "build/sysroot-aarch64"
PYTHON = SYSROOT / "usr/bin/python3"
pytestmark = pytest.mark.skipif(not TOOL.exists() or not EMULATOR, reason="tools/test_aarch64.sh was not run")


def outcome(command, out):
    """Exit status, standard error, and the folded model if there is one."""
    run = subprocess.run([*command, "-o", out], capture_output=True, text=True)
    folded = out.read_bytes() if out.exists() else None
    out.unlink(missing_ok=True)
    return run.returncode, run.stderr, folded


def differences(folder, models, flags):
    arguments = ["--quiet", "--inline-data", *flags]
    for model in models:
        ours = outcome([t.TOOL, *arguments, model], folder / "out.onnx")
        if outcome([EMULATOR, TOOL, *arguments, model], folder / "out.onnx") != ours:
            yield f"{model} {' '.join(flags)}"


@pytest.mark.parametrize("flags", FLAGS if t.options.long else FLAGS[:1], ids=" ".join)
def test_node_tests(folder, flags):
    """With constant inputs, if these are tensors: then all of them is folded."""
    tests = sorted(path.parent for path in (t.TEST_DATA / "node").glob("*/model.onnx"))

    def models():
        for test in tests if t.options.long else tests[::10]:
            onnx.save(withConstants(test) or onnx.load(test / "model.onnx"), folder / f"{test.name}.onnx")
            yield folder / f"{test.name}.onnx"

    assert not list(differences(folder, models(), flags))


@pytest.mark.parametrize("flags", FLAGS if t.options.long else FLAGS[:1], ids=" ".join)
def test_models(folder, flags):
    models = [*(t.ROOT / "tests/models/data").glob("*.onnx"), *(t.TEST_DATA / "light").glob("*.onnx")]
    assert models and not list(differences(folder, sorted(models), flags))


def test_products(folder):
    """Sums of float64 are the same to the last bit: Eigen had fused them, and summed other columns in pairs. All rests of its
    panels, and what else is made of products."""
    shapes = [*itertools.product(range(1, 10), (1, 2, 7, 8, 9, 33), range(1, 14)), (129, 130, 257), (1, 300, 260), (140, 260, 3)]
    generator = np.random.default_rng(t.options.seed)
    nodes, constants = [], []

    def add(operator, *shapes, **attributes):
        names = [f"{len(constants) + i}" for i in range(len(shapes))]
        constants.extend(const(name, generator.standard_normal(shape)) for name, shape in zip(names, shapes))
        nodes.append(node(operator, names, [f"y{len(nodes)}"], **attributes))

    for rows, depth, cols in shapes:
        add("MatMul", (rows, depth), (depth, cols))
    add("Gemm", (9, 33), (13, 33), (13,), transB=1)
    add("Conv", (2, 3, 17, 19), (5, 3, 3, 3))
    add("ConvTranspose", (2, 3, 7, 9), (3, 4, 3, 3), strides=[2, 2])
    add("Einsum", (2, 5, 9), (2, 9, 7), equation="bij,bjk->bik")
    add("Det", (37, 37))
    model = m.model(nodes, [], [info(one.output[0], None, onnx.TensorProto.DOUBLE) for one in nodes], constants)
    onnx.save(model, folder / "products.onnx")
    assert not list(differences(folder, [folder / "products.onnx"], ["--max-growth=unlimited"]))
    t.fold(folder / "products.onnx", folder / "folded.onnx", "--max-growth=unlimited")
    assert not onnx.load(folder / "folded.onnx").graph.node


def written(command, folder):
    """Exit status, standard error, and all files that a program writes into an empty folder."""
    folder.mkdir()
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    shutil.rmtree(folder)
    return run.returncode, run.stderr, files


def test_scripts(folder):
    """onnx-to-dml and dml-to-onnx: the same scripts, weights and models, or the same message."""
    shutil.copytree(t.ROOT / "tests/models/data", folder / "models")
    count = 0
    for model in sorted((folder / "models").glob("*.onnx")):
        there, here = (
            written([*program, "-o", "out.dml", model], folder / "out")
            for program in ([EMULATOR, TOOL.parent / "onnx-to-dml"], [t.TOOL.parent / "onnx-to-dml"])
        )
        assert there == here, f"{model.name}: {there[:2]}, here {here[:2]}"
        if Path("out.dml") not in here[2]:
            continue
        script = model.with_suffix(".dml")
        script.write_bytes(here[2][Path("out.dml")])
        there, here = (
            written([*program, "-o", "out.onnx", script], folder / "out")
            for program in ([EMULATOR, TOOL.parent / "dml-to-onnx"], [t.TOOL.parent / "dml-to-onnx"])
        )
        assert there == here, f"{script.name}: {there[:2]}, here {here[:2]}"
        count += 1
    assert count >= 3, f"{count} scripts"


@pytest.mark.parametrize("tool", ["onnx-fold", "onnx-to-dml", "dml-to-onnx"])
def test_no_loader_and_no_shared_libraries(tool):
    assert not segmentTypes(TOOL.parent / tool) & {PT_DYNAMIC, PT_INTERP}


def test_bad_input(folder):
    """Not a crash, and the same message."""
    (folder / "bad.onnx").write_bytes(b"no model")
    code, error, folded = outcome([EMULATOR, TOOL, folder / "bad.onnx"], folder / "out.onnx")
    assert (code, error, folded) == outcome([t.TOOL, folder / "bad.onnx"], folder / "out.onnx")
    assert code == 1 and "bad.onnx" in error and folded is None


MODULE = """
import platform, sys, onnx_fold
source, out = sys.argv[1:]
result = onnx_fold.fold(source, out, dims={"batch": 1}, verify=True)
assert result.changed and result.report.operators_before["Trilu"] == 1, result.report
assert onnx_fold.fold(open(source, "rb").read(), dims={"batch": 1}).model == open(out, "rb").read(), "a model in memory"
try:
    onnx_fold.fold(b"no model")
except onnx_fold.FoldError as error:
    print(platform.machine(), error.file)
"""


@pytest.mark.skipif(not PYTHON.exists(), reason="tools/setup-aarch64.sh unpacked no Python")
def test_module(folder):
    """The module in a Python for aarch64. (A script starts the program, because binfmt_misc may not be there.)"""
    source = t.ROOT / "examples/sample.onnx"
    (folder / "tool").write_text(f"#!/bin/sh\nexec {EMULATOR} {TOOL} \"$@\"\n")
    (folder / "tool").chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python"), "ONNXFOLD_BINARY": str(folder / "tool")}
    command = [EMULATOR, "-L", SYSROOT, PYTHON.resolve(), "-X", "pycache_prefix=" + str(folder / "pycache"), "-c", MODULE]
    run = subprocess.run([*command, source, folder / "out.onnx"], capture_output=True, text=True, env=environment)
    assert (run.returncode, run.stdout) == (0, "aarch64 <memory>\n"), f"{run}"
    t.runOk("--quiet", "--dim=batch:1", "-o", folder / "ours.onnx", source)
    t.expectSameBytes(folder / "out.onnx", folder / "ours.onnx", "written through the module on aarch64")
