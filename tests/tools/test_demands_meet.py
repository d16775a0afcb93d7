# SPDX-License-Identifier: Apache-2.0
"""What how-to.md says under "Options in combination": a row there, a test here, from the command line and from Python."""

import json
import os
import re
import sys

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import TensorProto, helper
from onnxfold_models import const, info, node

sys.path.insert(0, str(t.ROOT / "python"))
os.environ.setdefault("ONNXFOLD_BINARY", str(t.TOOL))
import onnx_fold  # noqa: E402

LARGE = np.arange(64 * 64, dtype=np.float32).reshape(64, 64) / 1000


def softmax(opset=11, **more):
    """A weight that is transposed, one that is not, and an operator that a later opset says with three nodes."""
    nodes = [
        node("Transpose", ["w"], ["wt"], name="turn"),
        node("MatMul", ["x", "wt"], ["v"]),
        node("MatMul", ["v", "u"], ["r"]),
        node("Softmax", ["r"], ["y"], axis=0, name="soft"),
    ]
    return m.model(nodes, [info("x", (2, 64))], [info("y", (2, 64))], [const("w", LARGE), const("u", LARGE + 1)], opset=opset, ir=8, **more)


def external(folder, name="model.onnx", data="model.onnx.data", source=None):
    (folder / data).unlink(missing_ok=True)
    onnx.save(source or softmax(), folder / name, save_as_external_data=True, location=data, size_threshold=0)
    return folder / name


def placeOf(path, name):
    [tensor] = [one for one in onnx.load(path, load_external_data=False).graph.initializer if one.name == name]
    return {one.key: one.value for one in tensor.external_data}


def stored(path):
    return {one.name: onnx.numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}


def opsetOf(model):
    return {one.domain: one.version for one in model.opset_import}[""]


def results(path, shape=(2, 64)):
    [found] = compare.outputs(path, [{"x": np.ones(shape, np.float32)}])
    return found


def byTool(source, out, **options):
    """The same as fold(source, out, **options), by the flags."""
    flags = []
    for name, value in options.items():
        name = {"keep_initializers": "keep-initializer"}.get(name, name.replace("_", "-"))
        flags.append(f"--{name}" if value is True else f"--{name}={value}")
    t.runOk(source, "-o", out, *flags, "--quiet")


def byPython(source, out, **options):
    onnx_fold.fold(source, out, **options)


BOTH = pytest.mark.parametrize("fold", [byTool, byPython])


@BOTH
def test_kept_initializers_and_growth(folder, fold):
    """What a kept initializer holds back takes nothing of the limit: the other broadcast gets all of it."""
    nodes = [node("Expand", ["kept", "s"], ["a"]), node("Expand", ["free", "s"], ["b"]), node("Add", ["x", "a"], ["c"]), node("Mul", ["c", "b"], ["y"])]
    constants = [const("kept", np.ones((1, 64), np.float32)), const("free", 2 * np.ones((1, 64), np.float32)), const("s", np.int64([64, 64]))]
    onnx.save(m.model(nodes, [info("x", (64, 64))], [info("y", (64, 64))], constants), folder / "in.onnx")
    fold(folder / "in.onnx", folder / "out.onnx", keep_initializers="kept", max_growth="17K", level=0) if fold is byPython else t.runOk(
        folder / "in.onnx", "-o", folder / "out.onnx", "-O0", "--keep-initializer=kept", "--max-growth=17K", "--quiet"
    )
    assert m.operators(onnx.load(folder / "out.onnx")) == ["Expand", "Add", "Mul"], "one of 16 KiB folds, within 17"
    t.runOk(folder / "in.onnx", "-o", folder / "both.onnx", "-O0", "--max-growth=17K", "--quiet")
    assert m.operators(onnx.load(folder / "both.onnx")).count("Expand") == 1, "of two only one fits"


@BOTH
def test_kept_initializers_and_data_files(folder, fold):
    """They are not moved; with --external-data they move as all tensors, with name and bytes."""
    source = external(folder)
    fold(source, folder / "stay.onnx", keep_initializers="w")
    assert placeOf(folder / "stay.onnx", "w") == placeOf(source, "w")
    fold(source, folder / "move.onnx", keep_initializers="w", external_data="moved.bin")
    assert placeOf(folder / "move.onnx", "w")["location"] == "moved.bin" and (stored(folder / "move.onnx")["w"] == LARGE).all()


@BOTH
def test_kept_initializers_and_quantisation(folder, fold):
    """A scale that is tuned keeps the pair that it scales."""
    nodes = [node("QuantizeLinear", ["w", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["d"]), node("MatMul", ["x", "d"], ["y"])]
    constants = [const("w", LARGE), const("s", np.float32(0.1)), const("z", np.uint8(3))]
    onnx.save(m.model(nodes, [info("x", (2, 64))], [info("y", (2, 64))], constants), folder / "in.onnx")
    fold(folder / "in.onnx", folder / "kept.onnx", keep_initializers="s")
    assert m.operators(onnx.load(folder / "kept.onnx")) == ["QuantizeLinear", "DequantizeLinear", "MatMul"]
    fold(folder / "in.onnx", folder / "free.onnx")
    assert m.operators(onnx.load(folder / "free.onnx")) == ["DequantizeLinear", "MatMul"], "it does fold otherwise"


@BOTH
def test_target_opset_data_files_provenance_and_kept_initializers(folder, fold):
    """Weights are neither read nor moved by a conversion, constants know what they were, and what is kept is kept."""
    source = external(folder)
    fold(source, folder / "out.onnx", target_opset=21, provenance=True)
    result = onnx.load(folder / "out.onnx", load_external_data=False)
    assert opsetOf(result) == 21 and placeOf(folder / "out.onnx", "u") == placeOf(source, "u")
    told = {one.name: json.loads({p.key: p.value for p in one.metadata_props}["onnx-fold.from"]) for one in result.graph.initializer if one.metadata_props}
    assert told["wt"] == {"op": "Transpose", "node": "turn", "sources": ["w"]}
    assert "Shape" in [one["op"] for one in told.values()], "and what the conversion added"
    fold(source, folder / "kept.onnx", target_opset=21, keep_initializers="w")
    assert placeOf(folder / "kept.onnx", "w") == placeOf(source, "w") and opsetOf(onnx.load(folder / "kept.onnx")) == 21
    for name in ("out.onnx", "kept.onnx"):
        compare.expectAgreement(results(folder / name), results(source), name)


def test_target_opset_in_place_and_check(folder):
    """--check says that another opset is a change; in place the data files are not changed."""
    path = external(folder)
    t.runOk(path, "--in-place", "--quiet")
    before, data = results(path), (folder / "model.onnx.data").read_bytes()
    assert t.run(path, "--check", "--quiet").code == 0 and t.run(path, "--check", "--target-opset=21", "--quiet").code == 2
    assert not onnx_fold.check(path) and onnx_fold.check(path, target_opset=21)
    onnx_fold.fold(path, in_place=True, target_opset=21)
    assert opsetOf(onnx.load(path)) == 21 and (folder / "model.onnx.data").read_bytes() == data
    compare.expectAgreement(results(path), before, "in place")
    assert t.run(path, "--check", "--target-opset=21", "--quiet").code == 0


@pytest.mark.parametrize("together", [True, False])
def test_in_place_and_data_files_of_others(folder, together):
    """Two models have one data file, and the one would replace it: refused, or the other would have other weights."""
    path = external(folder)
    (folder / "other.onnx").write_bytes(path.read_bytes())
    before, both = stored(folder / "other.onnx"), [path, folder / "other.onnx"] if together else [path]
    done = t.run(*both, "--in-place", "--external-data", "--threads=1")
    assert done.code == 1 and "its data file 'model.onnx.data' is that of other.onnx too, expected a name for another" in done.err, done.err
    after = stored(folder / "other.onnx")
    assert (after["u"] == before["u"]).all() and (after.get("wt", LARGE.T) == LARGE.T).all(), "nothing of it changed"
    assert (stored(path)["w"] == LARGE).all(), "the model that failed is what it was"
    if not together:
        with pytest.raises(onnx_fold.FoldError, match="that of other.onnx too"):
            onnx_fold.fold(path, in_place=True, external_data=True)
        t.runOk(path, "--in-place", "--external-data=own.bin", "--quiet")
        assert placeOf(path, "wt")["location"] == "own.bin" and (stored(folder / "other.onnx")["w"] == LARGE).all()


def called(folder):
    """A function whose Transpose of a constant folds, called twice; the second call is beyond `v`."""
    body = [node("Transpose", ["b"], ["bt"]), node("MatMul", ["a", "bt"], ["c"])]
    function = helper.make_function("acme", "Turned", ["a", "b"], ["c"], body, [helper.make_opsetid("", 11)])
    unused = helper.make_function("acme", "Other", ["a"], ["c"], [node("Neg", ["a"], ["c"])], [helper.make_opsetid("", 11)])
    nodes = [node("Turned", ["x", "w"], ["v"], domain="acme"), node("Other", ["v"], ["y"], domain="acme")]
    source = m.model(nodes, [info("x", (2, 64))], [info("y", (2, 64))], [const("w", LARGE)], opset=11, ir=8, domains=[("acme", 1)])
    source.functions.extend([function, unused])
    onnx.save(source, folder / "calls.onnx")
    return folder / "calls.onnx"


@BOTH
def test_cut_and_functions(folder, fold):
    """A function that the part does not call is erased; a call of the part is folded and converted as in the whole."""
    source = called(folder)
    fold(source, folder / "part.onnx", outputs="v", target_opset=21)
    result = onnx.load(folder / "part.onnx")
    assert not [one for one in result.functions if one.name == "Other"] and opsetOf(result) == 21
    x = np.ones((2, 64), np.float32)
    np.testing.assert_allclose(compare.outputs(folder / "part.onnx", [{"x": x}])[0]["v"], x @ LARGE.T, rtol=1e-5)
    done = t.run(source, "-o", folder / "none.onnx", "--outputs=bt")
    assert done.code == 1 and "'bt'" in done.err and not (folder / "none.onnx").exists()


@BOTH
def test_cut_and_kept_initializers(folder, fold):
    """--keep-initializer names what is in the part."""
    source = external(folder)
    fold(source, folder / "part.onnx", outputs="v", keep_initializers="w")
    assert list(stored(folder / "part.onnx")) == ["w"]
    done = t.run(source, "-o", folder / "none.onnx", "--outputs=v", "--keep-initializer=u")
    assert done.code == 1 and "--keep-initializer is 'u'" in done.err, done.err


@BOTH
def test_cut_and_verification_on_own_inputs(folder, fold):
    """Files are those of the part; what it does not have is an error."""
    nodes = [node("Neg", ["x"], ["y"]), node("Abs", ["z"], ["q"])]
    onnx.save(m.model(nodes, [info("x"), info("z")], [info("y"), info("q")]), folder / "in.onnx")
    np.savez(folder / "x.npz", x=np.ones((2, 3), np.float32))
    np.savez(folder / "both.npz", x=np.ones((2, 3), np.float32), z=np.ones((2, 3), np.float32))
    fold(folder / "in.onnx", folder / "part.onnx", outputs="y", verify_inputs=folder / "x.npz")
    with pytest.raises((AssertionError, onnx_fold.FoldError), match="input 'z' is none of the model"):
        fold(folder / "in.onnx", folder / "none.onnx", outputs="y", verify_inputs=folder / "both.npz")
    assert not (folder / "none.onnx").exists()


def test_many_in_place(folder):
    """Each is replaced by its own result when that is complete; one that fails is what it was."""
    for name in ("a.onnx", "b.onnx"):
        external(folder, name, f"{name}.data")
    (folder / "c.onnx").write_bytes((folder / "a.onnx").read_bytes()[:-7])
    damaged = (folder / "c.onnx").read_bytes()
    done = t.run(folder, "--in-place", "--target-opset=21", "--verify")
    assert done.code == 1 and "3 models: 2 changed, 0 unchanged, 1 failed" in done.err, done.err
    assert (folder / "c.onnx").read_bytes() == damaged
    assert all(opsetOf(onnx.load(folder / name)) == 21 for name in ("a.onnx", "b.onnx"))
    outcomes = {one.model.name if hasattr(one.model, "name") else os.path.basename(one.model): one for one in onnx_fold.fold_all(folder, in_place=True, target_opset=21)}
    assert outcomes["c.onnx"].error and not outcomes["a.onnx"].changed and not outcomes["b.onnx"].error


@BOTH
def test_cache_and_other_options(folder, fold):
    """A cache never decides what is written."""
    nodes = [node("MatMul", ["a", "b"], ["ab"]), node("Add", ["ab", "k"], ["w"]), node("MatMul", ["x", "w"], ["v"]), node("Softmax", ["v"], ["y"], axis=0)]
    values = np.random.default_rng(24).standard_normal((3, 160, 160)).astype(np.float32)
    onnx.save(m.model(nodes, [info("x", (2, 160))], [info("y", (2, 160))], [const(n, v) for n, v in zip("abk", values)], opset=11, ir=8), folder / "in.onnx")
    options = {"keep_initializers": "k", "target_opset": 21, "provenance": True, "external_data": "own.bin"}
    for name in ("plain", "first", "second"):
        (folder / name).mkdir()
        cache = {} if name == "plain" else {"cache": folder / "values"}
        fold(folder / "in.onnx", folder / name / "out.onnx", **options, **cache)
        for file in ("out.onnx", "own.bin"):
            t.expectSameBytes(folder / name / file, folder / "plain" / file, f"{file} of {name}")
    assert list((folder / "values").iterdir()), "and it was used"


def test_every_row_has_a_test():
    """The rows of the manual, by their options."""
    page = (t.ROOT / "docs/how-to.md").read_text()
    table = page.partition("## Options in combination")[2].partition("\n## ")[0]
    rows = [row for row in table.splitlines() if row.startswith("| `")]
    assert len(rows) == 11, f"{len(rows)} rows in how-to.md, 11 in this file"
    for flag in {name for row in rows for name in re.findall(r"--[a-z-]+", row)}:
        assert flag in (t.ROOT / "docs/reference.md").read_text()
