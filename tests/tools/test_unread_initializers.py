# SPDX-License-Identifier: Apache-2.0
"""An initializer that nothing read any more stayed behind in a model of IR version 3: where it was no input, ONNX Runtime did not
load the file, and where it was one (as old exporters write them), folded weights were stored twice.

Before IR version 4 nobody can feed such an input (ONNX Runtime does not list it, and refuses it in a feed), so initializer and
input go, at every level. From version 4 on a caller may override the value, and both stay.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

LEVELS = ("-O0", "-O1", "-O2")
ROW = np.arange(3, dtype=np.float32)


def interface(model):
    return [one.name for one in model.graph.input], sorted(one.name for one in model.graph.initializer)


def weighted(isInput=True, ir=3, more=(), **attributes):
    """x + Unsqueeze(w), where w is an input too if asked for."""
    nodes = [node("Unsqueeze", ["w"], ["u"], axes=[0]), node("Add", ["x", "u"], ["y"]), *more]
    inputs = [info("x")] + ([info("w", (3,))] if isInput else [])
    return m.model(nodes, inputs, [info("y")], [const("w", ROW)], opset=7, ir=ir, **attributes)


def foldedOld(folder, source, *flags, isValid=True, feeds=None):
    """Folds; the result loads, computes the same, is valid if the input is, is not larger, and folds into itself."""
    path = folder / "model.onnx"
    onnx.save(source, path)
    out = t.fold(path, folder / "out.onnx", *flags)
    if isValid:
        onnx.checker.check_model(source, full_check=True)
        onnx.checker.check_model(str(out), full_check=True)
    feeds = feeds or [m.ones(source)]
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(path, feeds)):
        compare.expectAgreement(got, want, f"folded with {flags}")
    t.expectSameBytes(t.fold(out, folder / "again.onnx", *flags), out, f"folded again with {flags}")
    return onnx.load(out)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("ir", (1, 2, 3))
def test_of_no_input_goes(folder, level, ir):
    """Nothing but nodes that fold reads it. (The checker asks for an input, and ONNX Runtime for a reader.)"""
    assert interface(foldedOld(folder, weighted(isInput=False, ir=ir), level, isValid=False)) == (["x"], [])


@pytest.mark.parametrize("level", LEVELS)
def test_weights_are_stored_once(folder, level):
    weight = np.random.default_rng(1).standard_normal((300, 100)).astype(np.float32)
    nodes = [node("Transpose", ["w"], ["t"]), node("MatMul", ["x", "t"], ["y"])]
    inputs = [info("x", (2, 100)), info("w", weight.shape)]
    source = m.model(nodes, inputs, [info("y", (2, 300))], [const("w", weight)], opset=8, ir=3)
    assert interface(foldedOld(folder, source, level)) == (["x"], [])
    before, after = ((folder / name).stat().st_size for name in ("model.onnx", "out.onnx"))
    assert after <= before, f"bytes after, {before} before"


@pytest.mark.parametrize("level", LEVELS)
def test_what_nothing_ever_read_goes(folder, level):
    for isInput in (True, False):
        source = weighted()
        source.graph.initializer.append(const("idle", ROW))
        if isInput:
            source.graph.input.append(info("idle", (3,)))
            assert interface(foldedOld(folder, source, level)) == (["x"], []), "an input"
        else:  # such a model does not load, its result does
            onnx.save(source, folder / "model.onnx")
            out = t.fold(folder / "model.onnx", folder / "out.onnx", level)
            assert interface(onnx.load(out)) == (["x"], []), "no input"
            compare.outputs(out, [m.ones(source)])


@pytest.mark.parametrize("level", LEVELS)
def test_what_is_read_stays(folder, level):
    """By a node, by a body, by the graph as its output; and an input without initializer, which a caller must feed."""
    then = m.graph([node("Add", ["x", "b"], ["t"])], [], [info("t")])
    otherwise = m.graph([node("Neg", ["x"], ["e"])], [], [info("e")])
    nodes = [
        node("If", ["c"], ["i"], then_branch=then, else_branch=otherwise),
        node("Mul", ["i", "w"], ["y"]),
    ]
    inputs = [info("x"), info("c", (), TensorProto.BOOL), info("w", (3,)), info("b", (3,)), info("o", (3,)), info("free", (4,))]
    weights = [const(name, ROW) for name in ("w", "b", "o")]
    source = m.model(nodes, inputs, [info("y"), info("o", (3,))], weights, opset=8, ir=3)
    assert interface(foldedOld(folder, source, level)) == (["x", "c", "w", "b", "o", "free"], ["b", "o", "w"])


@pytest.mark.parametrize("ir", (4, 8))
def test_callers_of_later_versions_override(folder, ir):
    """Both stay, with what reads them; one that nothing reads too, since a caller may feed it."""
    source = weighted(ir=ir)
    source.graph.input.append(info("idle", (3,)))
    source.graph.initializer.append(const("idle", ROW))
    for level in LEVELS:
        assert interface(foldedOld(folder, source, level)) == (["x", "w", "idle"], ["idle", "w"]), f"{level}"


def test_training_reads_more_than_nodes(folder):
    source = weighted()
    source.training_info.add().algorithm.CopyFrom(m.graph([node("Neg", ["w"], ["g"])], [], [info("g", (3,))]))
    onnx.save(source, folder / "model.onnx")
    assert interface(onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))) == (["x", "w"], ["w"])


def test_what_is_kept_by_name(folder):
    """--keep-initializer: also where only what would fold reads it, or nothing."""
    source = weighted()
    source.graph.input.append(info("idle", (3,)))
    source.graph.initializer.append(const("idle", ROW))
    out = foldedOld(folder, source, "--keep-initializer=*")
    assert interface(out) == (["x", "w", "idle"], ["idle", "w"]) and m.operators(out) == ["Unsqueeze", "Add"]


def test_filters_are_no_matter(folder):
    for flags in (["--only=op:Unsqueeze"], ["--skip=op:Add"], ["--disable=unused-node"]):
        assert interface(foldedOld(folder, weighted(), *flags)) == (["x"], []), f"{flags}"
    assert interface(foldedOld(folder, weighted(), "--skip=op:Unsqueeze")) == (["x", "w"], ["w"]), "what reads it is kept"


def test_what_the_file_says_of_it_goes(folder):
    source = weighted()
    source.graph.value_info.append(info("w", (3,)))
    entry = source.graph.quantization_annotation.add(tensor_name="w").quant_parameter_tensor_names.add()
    entry.key, entry.value = "SCALE_TENSOR", "scale"
    source.graph.input.append(info("scale", ()))
    source.graph.initializer.append(const("scale", np.float32(1)))
    out = foldedOld(folder, source)
    assert interface(out) == (["x"], []), "with its scale"
    assert not out.graph.value_info and not out.graph.quantization_annotation, f"{out.graph}"


@pytest.mark.parametrize("isInput", (True, False))
def test_what_annotations_name(folder, isInput):
    """The scale of a value that is there: as an input it does no harm; as none, ONNX Runtime refuses it without a reader."""
    source = weighted(isInput=isInput)
    entry = source.graph.quantization_annotation.add(tensor_name="y").quant_parameter_tensor_names.add()
    entry.key, entry.value = "SCALE_TENSOR", "w"
    expected = (["x", "w"], ["w"]) if isInput else (["x"], [])
    assert interface(foldedOld(folder, source, isValid=isInput)) == expected
    told = t.runOk(folder / "model.onnx", "-o", folder / "told.onnx").err
    assert ("initializer 'w', which no node reads any more, is removed although a quantization_annotation names it" in told) != isInput, told
    source.ir_version = 4
    del source.graph.input[1:]
    onnx.save(source, folder / "model.onnx")
    told = t.runOk(folder / "model.onnx", "-o", folder / "told.onnx").err
    assert "is removed" not in told and "w" in m.initializerNames(onnx.load(folder / "told.onnx")), told


def test_external_data_is_dropped(folder):
    source = weighted()
    onnx.save(source, folder / "large.onnx", save_as_external_data=True, location="large.data", size_threshold=0)
    (folder / "there").mkdir()
    out = t.fold(folder / "large.onnx", folder / "there/out.onnx")
    assert interface(onnx.load(out)) == (["x"], []) and not (folder / "there/large.data").exists()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("isInput", (True, False))
def test_sparse_ones(folder, level, isInput):
    """Nothing is known of their values, so they do not fold; but their shapes are, and then nothing reads them."""
    nodes = [node("Shape", ["w"], ["n"]), node("Cast", ["n"], ["f"], to=TensorProto.FLOAT), node("Add", ["x", "f"], ["y"])]
    source = m.model(nodes, [info("x")] + ([info("w", (3,))] if isInput else []), [info("y")], opset=7, ir=3)
    sparse = source.graph.sparse_initializer.add(dims=[3])
    sparse.values.CopyFrom(numpy_helper.from_array(np.ones(2, np.float32), "w"))
    sparse.indices.CopyFrom(const("", [0, 2], np.int64))
    out = foldedOld(folder, source, level, isValid=False, feeds=[{"x": np.ones((2, 3), np.float32)}])
    assert interface(out) == (["x"], []) and not out.graph.sparse_initializer and m.operators(out) == ["Add"]


def test_a_cut_drops_them(folder):
    source = weighted(more=[node("Neg", ["y"], ["z"])])
    del source.graph.output[:]
    source.graph.output.append(info("z"))
    onnx.save(source, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--inputs=y"))
    assert interface(out) == (["y"], [])


def test_a_conversion_drops_them(folder):
    out = foldedOld(folder, weighted(), "--target-opset=9")
    assert interface(out) == (["x"], []) and out.opset_import[0].version == 9
