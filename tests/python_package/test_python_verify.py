# SPDX-License-Identifier: Apache-2.0
"""Verification through the module: by our own kernels and by ONNX Runtime, on random inputs and on given ones."""

import os
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnx_fold
import onnxfold_models as m
import onnxfold_testing as t
from onnx_fold import _onnxruntime
from onnxfold_models import const, info, node
from python_cases import operators, save, simple, withExternalData

ENGINES = ("onnx-fold", "onnxruntime")


def limited(bound):
    """y = min(x, bound): random inputs are small, so 10 and 20 differ on inputs of one's own only."""
    return m.model(
        [node("Min", ["x", "bound"], ["y"])],
        [info("x", ("n", 3))],
        [info("y", ("n", 3))],
        [const("bound", bound, np.float32)],
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_and_its_result(folder, engine):
    path = save(folder, simple())
    result = onnx_fold.fold(path, folder / "out.onnx")
    found = onnx_fold.verify(path, result.model, engine=engine, trials=2)
    assert found.equal and found.trials == 2 and not found.not_run and not found.differences(), f"{found!r}"
    assert [one["name"] for one in found.compared] == ["output 'y'"], f"{found.compared}"
    assert onnx_fold.verify(simple(), result.model, engine=engine).equal, "an object and a file"
    assert onnx_fold.verify(path.read_bytes(), onnx.load(result.model), engine=engine).equal, "bytes and an object"
    assert sorted(one.name for one in folder.iterdir()) == ["model.onnx", "out.onnx"], "files"


@pytest.mark.parametrize("engine", ENGINES)
def test_models_that_differ(engine):
    found = onnx_fold.verify(limited(10), limited(-10), engine=engine)
    assert not found.equal and found.differences()[0]["name"] == "output 'y'" and "at [" in repr(found), f"{found!r}"


@pytest.mark.parametrize("engine", ENGINES)
def test_given_inputs(engine):
    for value, equal in ((5, True), (15, False)):
        for x in (np.full((2, 3), value, np.float32), [[float(value)] * 3]):
            found = onnx_fold.verify(limited(10), limited(20), inputs={"x": x}, engine=engine)
            assert found.equal is equal, f"x = {value}: {found!r}"


@pytest.mark.parametrize("engine", ENGINES)
def test_rounding(engine):
    """A last bit is no difference unless exact=True."""
    near = float(np.nextafter(np.float32(1), np.float32(2)))
    models = [
        m.model([node("Mul", ["x", "w"], ["y"])], [info("x")], [info("y")], [const("w", value, np.float32)])
        for value in (1.0, near)
    ]
    assert onnx_fold.verify(*models, engine=engine).equal, "within the bound"
    assert not onnx_fold.verify(*models, engine=engine, exact=True).equal, "exact"


@pytest.mark.parametrize("engine", ENGINES)
def test_fold_verifies(folder, engine):
    path = save(folder, simple())
    onnx_fold.fold(path, folder / "out.onnx", verify=2, verify_with=engine)
    assert operators(onnx.load(folder / "out.onnx")) == ["Mul"], "operators"
    assert operators(onnx_fold.fold(simple(), verify=True, verify_with=engine, dims={"batch": 2}).model) == [
        "Mul"
    ], "an object"
    assert operators(onnx_fold.fold(simple(), folder / "again.onnx", verify=True, verify_with=engine).model) == [
        "Mul"
    ], "to a file"
    home = folder / "home"
    home.mkdir()
    assert onnx_fold.fold(withExternalData(home), folder=home, verify=True, verify_with=engine).changed, "external data"
    bound = onnx_fold.fold(limited(3), verify=True, verify_with=engine, bind={"x": np.ones((1, 3), np.float32)}).model
    assert operators(bound) == [], "bound inputs"
    names = sorted(str(one.relative_to(folder)) for one in folder.rglob("*"))
    assert names == ["again.onnx", "home", "home/weights.bin", "model.onnx", "out.onnx"], f"files {names}"


@pytest.mark.parametrize("rows", [1, 3])
def test_a_linear_layer_is_no_difference(rows):
    """ONNX Runtime packs a constant weight and multiplies one row by it in another order than by a computed one."""
    weight = const("w", (np.arange(64 * 64, dtype=np.float32).reshape(64, 64) / 1000))
    nodes = [node("Transpose", ["w"], ["wt"]), node("MatMul", ["x", "wt"], ["y"])]
    model = m.model(nodes, [info("x", (rows, 64))], [info("y", (rows, 64))], [weight])
    values = {"x": np.random.default_rng(24).standard_normal((rows, 64)).astype(np.float32)}
    for given in (None, [values] * 2):
        result = onnx_fold.fold(model, verify=True, verify_inputs=given, verify_with="onnxruntime")
        assert operators(result.model) == ["MatMul"]


def test_a_difference_writes_nothing(folder, monkeypatch):
    path = save(folder, simple())
    before = t.folderState(folder)
    monkeypatch.setattr(_onnxruntime, "_difference", lambda *values: "at [0]: 1 and 2")
    with pytest.raises(onnx_fold.VerificationError) as caught:
        onnx_fold.fold(path, folder / "out.onnx", verify=True, verify_with="onnxruntime")
    assert (
        not caught.value.verification.equal and caught.value.code == "differs" and caught.value.status == 3
    ), f"{caught.value!r}"
    t.expectUnchanged(before, folder, "a difference")


def test_a_difference_of_the_tool(folder, monkeypatch):
    """The tool finds none of its own, so another one says that it did."""
    lines = [
        '{"kind":"report","report":{"verify":{"trials":1,"equal":false,"compared":[],"not_run":[]}}}',
        '{"kind":"error","code":"differs","text":"<stdin>: the result computes something else than the model","file":"<stdin>"}',
        '{"kind":"end","status":3,"changed":true}',
    ]
    (folder / "tool").write_text("#!/bin/sh\n" + "".join(f"echo '{line}' >&2\n" for line in lines) + "exit 3\n")
    (folder / "tool").chmod(0o755)
    monkeypatch.setenv("ONNXFOLD_BINARY", str(folder / "tool"))
    with pytest.raises(onnx_fold.VerificationError, match="<memory>") as caught:
        onnx_fold.fold(simple(), verify=True)
    assert caught.value.verification.equal is False and caught.value.report.verification.trials == 1, f"{caught.value!r}"


def test_what_onnx_runtime_cannot_run():
    model = m.model(
        [node("Strange", ["x"], ["y"], domain="com.example")], [info("x")], [info("y")], domains=[("com.example", 1)]
    )
    found = onnx_fold.verify(model, model, engine="onnxruntime")
    assert not found.equal and not found.complete and not found.differences(), f"{found!r}"
    assert found.trials == 0 and "Strange" in found.not_run[0]["text"], f"{found!r}"
    with pytest.raises(onnx_fold.VerificationError, match="not verified: .*Strange") as caught:
        onnx_fold.fold(model, verify=True, verify_with="onnxruntime")
    assert caught.value.code == "not-verified" and caught.value.status == 4, f"{caught.value!r}"


def test_what_the_tool_cannot_compare(folder):
    """An output that was not compared was one without a difference."""
    model = m.model([node("Conv", ["x", "w"], ["y"])], [info("x", (1, 1, 9))], [info("y", None)],
                    [const("w", np.ones((1, 1, 20)), np.float32)])
    found = onnx_fold.verify(model, model)
    assert not found.equal and not found.complete and found.differences() == [], f"{found!r}"
    with pytest.raises(onnx_fold.VerificationError, match="output 'y' was not compared: it depends on Conv 'y'") as caught:
        onnx_fold.fold(model, folder / "out.onnx", verify=True)
    assert caught.value.code == "not-verified" and not caught.value.verification.complete, f"{caught.value!r}"
    assert not (folder / "out.onnx").exists(), "what was written"


def test_types_and_shapes_of_random_inputs():
    kinds = (
        TensorProto.INT64,
        TensorProto.INT8,
        TensorProto.BOOL,
        TensorProto.FLOAT16,
        TensorProto.DOUBLE,
        TensorProto.STRING,
    )
    for kind in kinds:
        model = m.model([node("Identity", ["x"], ["y"])], [info("x", ("n", None), kind)], [info("y", None, kind)])
        found = onnx_fold.verify(model, model, engine="onnxruntime")
        assert found.equal and found.trials == 3, f"type {kind}: {found!r}"


def test_indices():
    """Random integers that the model refuses are replaced by others."""
    model = m.model(
        [node("Gather", ["w", "i"], ["y"])],
        [info("i", ("n",), TensorProto.INT64)],
        [info("y", None)],
        [const("w", [7.0], np.float32)],
    )
    found = onnx_fold.verify(model, model, engine="onnxruntime")
    assert found.equal and found.trials == 3, f"{found!r}"


def test_engines_and_outputs():
    with pytest.raises(onnx_fold.OptionError, match="expected 'onnx-fold' or 'onnxruntime'"):
        onnx_fold.verify(simple(), simple(), engine="abacus")
    with pytest.raises(onnx_fold.OptionError, match="expected 'onnx-fold' or 'onnxruntime'"):
        onnx_fold.fold(simple(), verify=True, verify_with="abacus")
    other = m.model([node("Neg", ["x"], ["z"])], [info("x", ("batch", 3))], [info("z", ("batch", 3))])
    with pytest.raises(onnx_fold.FoldError, match="has the outputs 'z'"):
        onnx_fold.verify(simple(), other)
    with pytest.raises(onnx_fold.FoldError, match="<memory 2>: has the outputs 'z', expected 'y' as <memory>"):
        onnx_fold.verify(simple(), other, engine="onnxruntime")


def added(shape, otherShape=None):
    """z = x + y, of these shapes."""
    return m.model([node("Add", ["x", "y"], ["z"])], [info("x", shape), info("y", otherShape or shape)], [info("z", None)])


@pytest.mark.parametrize(
    "shape, other",
    [
        (("n", 4), (3, 4)),  # the size of the second model was not asked for
        ((3, 4), ("n", 4)),
        (("a", "b"), (5, "c")),
        ((None, 4), (7, None)),
        (("n", "n"), ("k", 6)),  # one name in one of them joins two dimensions
    ],
)
def test_sizes_that_both_models_take(shape, other):
    found = onnx_fold.verify(added(shape), added(other), engine="onnxruntime")
    assert found.equal and found.trials == 3, f"{found!r}"


def test_given_sizes_of_both_models():
    for more in ({"dims": {"k": 5}}, {"input_shapes": {"x": [5, None], "y": [5, 4]}}):
        assert onnx_fold.verify(added(("n", 4)), added(("k", 4)), engine="onnxruntime", **more).equal, f"{more}"


def test_given_shapes_of_another_rank():
    """Nothing ran, and that was no error; an input that the models do not have was not looked at."""
    for engine in ("onnxruntime", "onnx-fold"):
        for shapes, text in (({"x": [5]}, "rank 2, expected 2 sizes"), ({"z": [5, 4]}, "'z'")):
            with pytest.raises(onnx_fold.OptionError, match=text):
                onnx_fold.verify(added(("n", 4)), added(("n", 4)), engine=engine, input_shapes=shapes)


def test_other_interfaces_are_errors():
    """They were differences, or an error of ONNX Runtime within one."""
    base = added(("n", 4))
    double = m.model([node("Add", ["x", "y"], ["z"])], [info("x", ("n", 4), TensorProto.DOUBLE), info("y", ("n", 4), TensorProto.DOUBLE)],
                     [info("z", None, TensorProto.DOUBLE)])
    one = m.model([node("Add", ["x", "x"], ["z"])], [info("x", ("n", 4))], [info("z", None)])
    for other, text in (
        (double, "output 'z' has the type tensor\\(double\\), expected tensor\\(float\\)"),
        (one, "has the inputs 'x', expected 'x', 'y' as <memory>"),
        (added(("n", 4, 1)), "input 'x' has the rank 3, expected 2"),
        (added(("n", 5)), "dimension 1 of input 'x' is 5, expected 4"),
    ):
        with pytest.raises(onnx_fold.FoldError, match="<memory 2>: " + text):
            onnx_fold.verify(base, other, engine="onnxruntime")
    given = {"y": np.ones((1, 4), np.float32)}
    found = onnx_fold.verify(base, one, engine="onnxruntime", inputs=given)
    assert not found.equal and "at [" in repr(found), "an input of which a value is given may be bound in one of them"


def verifyCommand(*arguments):
    """`python -m onnx_fold verify`, as the message of the C++ tool about an output that it cannot compare names it."""
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python")}
    command = [sys.executable, "-m", "onnx_fold", "verify", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_the_command_verify(folder):
    """--verify-with=onnxruntime of the C++ tool started Python with a program in a string; this is a command of the package."""
    onnx.save(limited(10), folder / "a.onnx")
    onnx.save(limited(-10), folder / "b.onnx")
    done = verifyCommand(folder / "a.onnx", folder / "a.onnx", "--trials=2", "--dim=n:4")
    assert done.returncode == 0 and "1 values are equal in 2 trials of ONNX Runtime" in done.stderr, f"{done}"
    done = verifyCommand(folder / "a.onnx", folder / "b.onnx", "--exact")
    assert done.returncode == 3 and "output 'y' differs: at [" in done.stderr, f"{done}"


def test_what_the_command_verify_refuses(folder):
    onnx.save(limited(10), folder / "a.onnx")
    for arguments, text in (
        ([folder / "a.onnx"], "required: folded"),
        ([folder / "a.onnx", folder / "none.onnx"], "none.onnx: cannot be opened: no such file or directory"),
        ([folder / "a.onnx", folder / "a.onnx", "--dim=n"], "is 'n', expected NAME:SIZE"),
        ([folder / "a.onnx", folder / "a.onnx", "--trials=0"], "is '0', expected a number above 0"),
        ([folder / "a.onnx", folder / "a.onnx", "--input-shape=x:a"], "is 'x:a', expected NAME:SIZE,SIZE,..."),
    ):
        done = verifyCommand(*arguments)
        assert done.returncode == 1 and text in done.stderr and done.stderr.startswith("onnx-fold: error: "), f"{done}"


def test_the_command_verify_cannot_compare(folder):
    """A model that ONNX Runtime does not load is no difference: exit status 4."""
    onnx.save(m.model([node("Odd", ["x"], ["y"], domain="nowhere")], [info("x")], [info("y")], []), folder / "a.onnx")
    done = verifyCommand(folder / "a.onnx", folder / "a.onnx")
    assert done.returncode == 4 and "was not run: ONNX Runtime cannot load the model" in done.stderr, f"{done}"
