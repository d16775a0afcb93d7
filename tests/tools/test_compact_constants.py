# SPDX-License-Identifier: Apache-2.0
"""--compact-constants: repeated values are stored once, and every bit is that of before."""

import json

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.helper import make_node as node

RNG = np.random.default_rng(45)
RANDOM = RNG.standard_normal((64, 64)).astype(np.float32)
NUMBERS = [np.bool_, np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


def readers(value, opset=17, ir=8, name="w"):
    """A model that reads the constant beside an input."""
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    shape = list(value.shape)
    nodes = [node("Concat", ["x", name], ["y"], axis=0)]
    inputs = [helper.make_tensor_value_info("x", kind, shape)]
    outputs = [helper.make_tensor_value_info("y", kind, [2 * shape[0], *shape[1:]])]
    initializers = [numpy_helper.from_array(value, name)]
    if ir < 4:
        inputs.append(helper.make_tensor_value_info(name, kind, shape))
    return m.model(nodes, inputs, outputs, initializers, opset=opset, ir=ir)


def compacted(folder, source, *flags, name="in"):
    onnx.save(source, folder / f"{name}.onnx")
    out = t.fold(folder / f"{name}.onnx", folder / f"{name}.out.onnx", "--compact-constants", *flags)
    t.expectSameBytes(t.fold(out, folder / f"{name}.again.onnx", "--compact-constants", *flags), out, "compacted again")
    result = onnx.load(out)
    onnx.checker.check_model(result, full_check=True)
    return result


def types(result):
    return [each.op_type for each in result.graph.node]


def results(path, feeds):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"]).run(None, feeds)


def expectSame(folder, value, name="in"):
    feeds = {"x": np.zeros(value.shape, value.dtype)}
    (got,), (want,) = results(folder / f"{name}.out.onnx", feeds), results(folder / f"{name}.onnx", feeds)
    assert got.tobytes() == want.tobytes() and got.dtype == want.dtype


@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda each: np.dtype(each).name)
@pytest.mark.parametrize("opset", [8, 12, 13, 17, 21])
def test_uniform_of_each_type(folder, dtype, opset):
    value = np.ones((64, 64), dtype)
    result = compacted(folder, readers(value, opset))
    assert types(result) == ["Expand" if opset == 8 else "ConstantOfShape", "Concat"]
    if dtype not in (np.bool_, np.uint16, np.uint32, np.uint64) or opset >= 13:
        expectSame(folder, value)


@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda each: np.dtype(each).name)
@pytest.mark.parametrize("opset", [7, 13, 17])
def test_rows_and_tiles_of_each_type(folder, dtype, opset):
    row = np.arange(64).astype(dtype) if dtype != np.bool_ else RNG.integers(0, 2, 64).astype(bool)
    rows = np.broadcast_to(row, (64, 64)).copy()
    tiles = np.tile(RNG.integers(0, 2 if dtype == np.bool_ else 100, (2, 16)).astype(dtype), (32, 4))
    for name, value, op in (("rows", rows, "Expand" if opset >= 8 else "Tile"), ("tiles", tiles, "Tile")):
        result = compacted(folder, readers(value, opset), name=name)
        assert types(result) == [op, "Concat"], name
        if opset >= 13:
            expectSame(folder, value, name)


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.float32, np.float64], ids=lambda each: np.dtype(each).name)
@pytest.mark.parametrize("start, step", [(0, 1), (7, -3), (-5, 2)])
@pytest.mark.parametrize("shape", [(1024,), (1, 1024), (32, 32)])
def test_ranges(folder, dtype, start, step, shape):
    value = (start + step * np.arange(1024)).astype(dtype).reshape(shape)
    result = compacted(folder, readers(value))
    assert types(result) == (["Range", "Concat"] if len(shape) == 1 else ["Range", "Reshape", "Concat"])
    expectSame(folder, value)


def test_bits_count(folder):
    """A NaN is the same NaN; -0 is not 0, and a range that rounds is none."""
    nan = np.full(1024, np.uint32(0x7FC12345)).view(np.float32)
    for name, value, op in (
        ("nan", nan, "ConstantOfShape"),
        ("minus", np.full(1024, -0.0, np.float32), "ConstantOfShape"),
        ("halves", np.arange(1024, dtype=np.float32) * 0.5 - 7, "Range"),
    ):
        assert types(compacted(folder, readers(value), name=name)) == [op, "Concat"]
        expectSame(folder, value, name)
    zeros = np.zeros(1024, np.float32)
    zeros[-1] = -0.0
    tenths = np.arange(1024, dtype=np.float32) * np.float32(0.1)
    for value in (zeros, tenths, np.where(np.arange(1024) == 1023, np.nan, nan).astype(np.float32)):
        assert types(compacted(folder, readers(value))) == ["Concat"]


def nearly(change):
    value = np.ones((64, 64), np.float32)
    value[change] = 2
    return value


@pytest.mark.parametrize("value", [RANDOM, nearly((63, 63)), nearly((0, 0)), np.ones(250, np.float32), np.arange(1024, dtype=np.float16)])
def test_near_misses(folder, value):
    """One element is another one, nothing would be saved, or no runtime computes the type."""
    result = compacted(folder, readers(value))
    assert types(result) == ["Concat"]
    assert result == onnx.load(t.fold(folder / "in.onnx", folder / "plain.onnx"))


def test_integers_at_the_border(folder):
    """The end of the range would not be in the type."""
    value = (np.iinfo(np.int16).max - 1023 + np.arange(1024)).astype(np.int16)
    assert types(compacted(folder, readers(value))) == ["Concat"]
    assert types(compacted(folder, readers(value - 1))) == ["Range", "Concat"]
    expectSame(folder, value)


def test_all_about_the_file(folder):
    """IR version 3, Constant nodes, bodies, external data; the report says what was saved."""
    value = np.broadcast_to(RANDOM[:1], (64, 64)).copy()
    old = compacted(folder, readers(value, opset=9, ir=3), name="old")
    assert [each.name for each in old.graph.input] == ["x"] and types(old)[-2:] == ["Expand", "Concat"]
    expectSame(folder, value, "old")

    constant = m.model([node("Constant", [], ["w"], value=numpy_helper.from_array(value)), node("Add", ["x", "w"], ["y"])], [m.info("x", (64, 64))], [m.info("y", (64, 64))])
    assert types(compacted(folder, constant, name="constant"))[-2:] == ["Expand", "Add"]

    body = helper.make_graph([node("Add", ["x", "u"], ["o"])], "b", [], [m.info("o", (64, 64))], [numpy_helper.from_array(value, "u")])
    other = helper.make_graph([node("Neg", ["x"], ["p"])], "c", [], [m.info("p", (64, 64))])
    inputs = [m.info("x", (64, 64)), helper.make_tensor_value_info("c", TensorProto.BOOL, [])]
    result = compacted(folder, m.model([node("If", ["c"], ["y"], then_branch=body, else_branch=other)], inputs, [m.info("y", (64, 64))]), name="body")
    branch = helper.get_node_attr_value(result.graph.node[0], "then_branch")
    assert [each.op_type for each in branch.node] == ["Expand", "Add"]

    onnx.save(readers(value), folder / "ext.onnx", save_as_external_data=True, location="ext.data", size_threshold=0)
    t.runOk(folder / "ext.onnx", "-o", folder / "ext.out.onnx", "--compact-constants", "--quiet", f"--report=json:{folder / 'r.json'}")
    entry = json.loads((folder / "r.json").read_text())["compacted"]
    assert entry == [{"name": "w", "op": "Expand", "bytes_before": 16384, "bytes_after": 272}]
    expectSame(folder, value, "ext")


@pytest.mark.parametrize("flags", [("-o", "out.onnx"), ("-o", "out.onnx", "--external-data"), ("--in-place",)], ids=str)
@pytest.mark.parametrize("isExternal", [False, True])
def test_a_large_small_value(folder, isExternal, flags):
    """The writer reads it from the file, which it may replace."""
    value = np.tile(RNG.standard_normal((1, 300, 128)).astype(np.float32), (4, 2, 1))
    onnx.save(readers(value), folder / "in.onnx", save_as_external_data=isExternal, location="in.data")
    feeds = {"x": np.zeros(value.shape, value.dtype)}
    (want,) = results(folder / "in.onnx", feeds)
    flags = [folder / flag if flag == "out.onnx" else flag for flag in flags]
    t.runOk("--compact-constants", "--quiet", *flags, folder / "in.onnx")
    out = folder / ("in.onnx" if "--in-place" in flags else "out.onnx")
    assert types(onnx.load(out)) == ["Tile", "Concat"]
    (got,) = results(out, feeds)
    assert got.tobytes() == want.tobytes()


def test_functions(folder):
    value = np.broadcast_to(RANDOM[:1], (64, 64)).copy()
    nodes = [node("Constant", [], ["w"], value=numpy_helper.from_array(value)), node("Add", ["a", "w"], ["b"])]
    function = helper.make_function("local", "F", ["a"], ["b"], nodes, [helper.make_opsetid("", 17)])
    graph = helper.make_graph([node("F", ["x"], ["y"], domain="local")], "g", [m.info("x", (64, 64))], [m.info("y", (64, 64))])
    source = helper.make_model(graph, functions=[function], opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("local", 1)], ir_version=8)
    result = compacted(folder, source)
    assert [each.op_type for each in result.functions[0].node][-2:] == ["Expand", "Add"]
    expectSame(folder, value)


def texts(each):
    return each.doc_string, {entry.key: entry.value for entry in each.metadata_props}


def documented(each, doc, **metadata):
    each.doc_string = doc
    helper.set_model_props(each, metadata)
    return each


@pytest.mark.parametrize("flags", [(), ("--constants=initializers",), ("--constants=nodes",)], ids=str)
def test_texts_of_the_constant(folder, flags):
    """Those of an initializer, of a Constant node, of its tensor, and of a constant of a function are on the node of its name."""
    value = np.broadcast_to(RANDOM[:1], (64, 64)).copy()
    initializer = documented(numpy_helper.from_array(value, "w"), "a weight", source="torch")
    tensor = documented(numpy_helper.from_array(value + 1), "a tensor", source="tensor", of="tensor")
    constant = documented(node("Constant", [], ["v"], value=tensor), "a node", source="node")
    nodes = [constant, node("Add", ["x", "w"], ["a"]), node("Add", ["a", "v"], ["b"]), node("F", ["b"], ["y"], domain="local")]
    body = [documented(node("Constant", [], ["u"], value=numpy_helper.from_array(value + 2)), "inside"), node("Mul", ["p", "u"], ["q"])]
    function = helper.make_function("local", "F", ["p"], ["q"], body, [helper.make_opsetid("", 17)])
    graph = helper.make_graph(nodes, "g", [m.info("x", (64, 64))], [m.info("y", (64, 64))], [initializer])
    source = helper.make_model(graph, functions=[function], opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("local", 1)], ir_version=10)
    result = compacted(folder, source, "--disable=constant-call", *flags)
    by = {each.output[0]: texts(each) for each in [*result.graph.node, *result.functions[0].node]}
    assert by["w"] == ("a weight", {"source": "torch"})
    assert by["v"] == ("a node\na tensor", {"source": "node", "of": "tensor"})
    assert by["u"] == ("inside", {})
    assert all(by[name] == ("", {}) for name in ("a", "b", "y", "q"))
    stripped = compacted(folder, source, "--strip=docs,metadata", *flags)
    assert all(texts(each) == ("", {}) for each in stripped.graph.node)


def test_what_stays(folder):
    """Parameters of quantization, operators of which nothing is known, and inputs with a value."""
    scale = numpy_helper.from_array(np.ones(1024, np.float32), "s")
    zero = numpy_helper.from_array(np.zeros(1024, np.uint8), "z")
    quantized = m.model([node("QuantizeLinear", ["x", "s", "z"], ["y"], axis=1)], [m.info("x", (2, 1024))], [helper.make_tensor_value_info("y", TensorProto.UINT8, (2, 1024))], [scale, zero])
    assert types(compacted(folder, quantized)) == ["QuantizeLinear"]
    overridable = readers(np.ones((64, 64), np.float32))
    overridable.graph.input.append(m.info("w", (64, 64)))
    assert types(compacted(folder, overridable)) == ["Concat"]
    custom = m.model([node("Acme", ["s"], ["g"], domain="acme"), node("Add", ["x", "g"], ["y"])], [m.info("x", (1024,))], [m.info("y", (1024,))], [scale])
    custom.opset_import.append(helper.make_opsetid("acme", 1))
    assert types(compacted(folder, custom)) == ["Acme", "Add"]


def test_nodes_that_are_compact_already(folder):
    """With the option they are kept; without it they fold as before."""
    nodes = [node("ConstantOfShape", ["s"], ["w"], value=helper.make_tensor("v", 1, [1], [2.0])), node("Add", ["x", "w"], ["y"])]
    source = m.model(nodes, [m.info("x", (64, 64))], [m.info("y", (64, 64))], [m.const("s", [64, 64], np.int64)])
    assert compacted(folder, source) == source
    assert types(onnx.load(t.fold(folder / "in.onnx", folder / "plain.onnx"))) == ["Add"]


def test_the_example_of_the_manual(folder):
    command = "onnx-fold --compact-constants -o smaller.onnx model.onnx"
    assert f"    {command}\n" in (t.ROOT / "docs/how-to.md").read_text()
    onnx.save(readers(np.ones((64, 64), np.float32)), folder / "model.onnx")
    done = t.run(*command.split()[1:-2], folder / "smaller.onnx", folder / "model.onnx")
    assert done.code == 0 and "1 constant made compact, 16364 bytes less" in done.err, done
    both = [t.run(folder / "model.onnx", "--compact-constants", "--run-once", "-o", folder / "no.onnx")]
    assert both[0].code == 1 and "--run-once" in both[0].err
