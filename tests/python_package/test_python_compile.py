# SPDX-License-Identifier: Apache-2.0
"""onnx_fold.compile: models as machine code in this process. Without onnx-run nothing here runs."""

import concurrent.futures
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import onnx_fold
import onnxfold_testing as t

BUILD = t.TOOL.parents[1]
pytestmark = pytest.mark.skipif(
    not (BUILD / "lib/libonnxfold_programs.so").exists() or t.cmakeCache(BUILD, "ONNXFOLD_SANITIZE") not in ("", "OFF"),
    reason="libonnxfold_programs.so is not built, or with sanitizers, but Python is not",
)


def info(name, type_=TensorProto.FLOAT, shape=(None,)):
    return helper.make_tensor_value_info(name, type_, shape)


def sequence(name, type_=TensorProto.FLOAT):
    return helper.make_tensor_sequence_value_info(name, type_, None)


def model(nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializer=[numpy_helper.from_array(v, k) for k, v in dict(constants).items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def test_kinds_of_models(folder):
    """Paths, bytes, protos; the library may be kept, and loaded again."""
    proto = model([helper.make_node("Neg", ["x"], ["y"])], [info("x")], [info("y")])
    onnx.save(proto, folder / "model.onnx")
    kept = folder / "kept.so"
    models = [onnx_fold.compile(folder / "model.onnx", kept), onnx_fold.compile(proto), onnx_fold.compile(proto.SerializeToString())]
    for run in [*models, onnx_fold.CompiledModel(kept)]:
        for size in (3, 0, 1):
            x = np.arange(size, dtype=np.float32)
            assert run(x=x)["y"].tolist() == (-x).tolist()
    assert models[0].inputs[0]["name"] == "x" and models[0].outputs[0]["shape"] == [-1]


def test_values_of_all_kinds():
    """Strings, sequences, optionals, tensors of any rank, in and out."""
    optional = helper.make_value_info("o", helper.make_optional_type_proto(info("o").type))
    same = helper.make_value_info("same", helper.make_optional_type_proto(info("o").type))
    nodes = [
        helper.make_node("StringConcat", ["s", "mark"], ["t"]),
        helper.make_node("SequenceInsert", ["list", "x"], ["longer"]),
        helper.make_node("SequenceConstruct", ["s", "t"], ["texts"]),
        helper.make_node("Identity", ["o"], ["same"]),
        helper.make_node("Neg", ["any"], ["negative"]),
        helper.make_node("Erf", ["turned"], ["erf"]),
    ]
    anyRank = helper.make_tensor_value_info("any", TensorProto.DOUBLE, None)
    negative = helper.make_tensor_value_info("negative", TensorProto.DOUBLE, None)
    inputs = [info("s", TensorProto.STRING), sequence("list"), info("x"), optional, anyRank, info("turned", shape=[None, 2])]
    outputs = [info("t", TensorProto.STRING), sequence("longer"), sequence("texts", TensorProto.STRING), same, negative]
    outputs.append(info("erf", shape=[None, 2]))
    run = onnx_fold.compile(model(nodes, inputs, outputs, {"mark": np.array(["!"], object)}))
    for count in range(3):
        values = {
            "s": np.array(["a", "\u00fc"]), "list": [np.float32([i]) for i in range(count)], "x": np.float32([7, 8]),
            "any": np.ones([2] * count), "turned": np.zeros((2, 3), np.float32).T,
        }  # fmt: skip
        for o in (None, np.float32([1, 2])):
            got = run(**values, o=o)
            assert got["t"].tolist() == ["a!", "\u00fc!"] and [x.tolist() for x in got["texts"]] == [["a", "\u00fc"], ["a!", "\u00fc!"]]
            assert [x.tolist() for x in got["longer"]] == [*([i] for i in range(count)), [7, 8]]
            assert got["same"] is None if o is None else got["same"].tolist() == [1, 2]
            assert np.array_equal(got["negative"], -values["any"]) and got["erf"].shape == (3, 2)


@pytest.mark.parametrize("code", range(TensorProto.BFLOAT16, TensorProto.INT2 + 1), ids=TensorProto.DataType.Name)
def test_types_of_ml_dtypes(code):
    """In and out; what Cast gives is what ml_dtypes makes of the bytes."""
    dtype = helper.tensor_dtype_to_np_dtype(code)
    nodes = [helper.make_node("Transpose", ["x"], ["y"]), helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.FLOAT)]
    outputs = [info("y", code, [2, None]), info("wide", shape=[None, 2])]
    x = np.float32([[0, 1], [1, 0.5], [2, 4]]).astype(dtype)
    got = onnx_fold.compile(helper.make_model(
        helper.make_graph(nodes, "g", [info("x", code, [None, 2])], outputs),
        opset_imports=[helper.make_opsetid("", 25)], ir_version=11,
    ))(x=x)  # fmt: skip
    assert got["y"].dtype == dtype and got["y"].tobytes() == x.T.tobytes(), got["y"]
    assert np.array_equal(got["wide"], x.astype(np.float32), equal_nan=True), got["wide"]  # 0 is NaN in float8_e8m0fnu


def test_without_ml_dtypes(monkeypatch):
    """Other types need NumPy alone; of these the error names the package, before a program runs."""
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    neg = [helper.make_node("Neg", ["x"], ["y"])]
    for code in (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT8):
        x = np.arange(3).astype(helper.tensor_dtype_to_np_dtype(code))
        assert onnx_fold.compile(model(neg, [info("x", code)], [info("y", code)]))(x=x)["y"].tolist() == [0, -1, -2]
    cast = [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BFLOAT16)]
    with pytest.raises(ImportError, match="values of type bfloat16, for which NumPy needs the package ml_dtypes"):
        onnx_fold.compile(model(cast, [info("x")], [info("y", TensorProto.BFLOAT16)]))


def test_errors_are_exceptions_and_calls_go_on():
    """An error of a kernel left its node locked: the next call never came back."""
    nodes = [helper.make_node("StringConcat", ["s", "r"], ["t"], name="join")]
    text = [info(name, TensorProto.STRING) for name in "srt"]
    run = onnx_fold.compile(model(nodes, text[:2], text[2:]))
    two, three = np.array(["a", "b"]), np.array(["c", "d", "e"])
    for _ in range(3):
        with pytest.raises(onnx_fold.FoldError, match="StringConcat 'join'"):
            run(s=two, r=three)
        assert run(s=two, r=two)["t"].tolist() == ["aa", "bb"]
    with pytest.raises(TypeError, match="no input 'q', expected s, r"):
        run(s=two, q=two)
    with pytest.raises(TypeError, match="input 'r' has no value"):
        run(s=two)
    with pytest.raises(ValueError, match=r"input 's' has shape \[1, 2\], expected \[-1\]"):
        run(s=two[None], r=two)
    add = onnx_fold.compile(model([helper.make_node("Add", ["x", "z"], ["y"], name="sum")], [info("x"), info("z")], [info("y")]))
    with pytest.raises(onnx_fold.FoldError, match="Add 'sum': shapes do not broadcast"):
        add(x=np.ones(2, np.float32), z=np.ones(3, np.float32))
    with pytest.raises(TypeError, match="input 'x' is an array of float64, expected float32"):
        add(x=np.ones(2), z=np.ones(2))
    with pytest.raises(onnx_fold.FoldError, match="is random"):
        onnx_fold.compile(model([helper.make_node("RandomNormalLike", ["x"], ["y"])], [info("x")], [info("y")]))


def test_threads():
    nodes = [helper.make_node("CumSum", ["x", "axis"], ["c"]), helper.make_node("SplitToSequence", ["c"], ["parts"], axis=0)]
    run = onnx_fold.compile(model(nodes, [info("x")], [sequence("parts")], {"axis": np.int64(0)}))
    def check(seed):
        x = np.random.default_rng(seed).integers(0, 9, seed % 5 + 1).astype(np.float32)
        return all(np.array_equal(np.concatenate(run(x=x)["parts"]), np.cumsum(x)) for _ in range(20))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(check, range(40)))
