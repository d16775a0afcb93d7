# SPDX-License-Identifier: Apache-2.0
"""onnx-fold stats: multiply-adds against numbers counted by hand, parameters against ONNX's own tensors, the peak of activations
against a second implementation (the plainest one), files that are missing or damaged, hostile sizes."""

import json
import random
import re
import subprocess
import sys
import time

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper

import onnxfold_browser
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

SEED, COUNT = t.options.seed, 1500 if t.options.long else 150
RANDOM = {"Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
FLOAT, INT64, UINT8, INT32 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.UINT8, TensorProto.INT32


def statsOf(folder, model, *flags):
    path = model
    if isinstance(model, onnx.ModelProto):
        path = folder / "model.onnx"
        onnx.save(model, path)
    out = folder / "stats.json"
    t.runOk("stats", path, f"--report=json:{out}", "--quiet", *flags)
    return json.loads(out.read_text())


def weights(name, *shape, kind=np.float32):
    return const(name, np.zeros(shape), kind)


def one(op, inputs, shapes, out, initializers=(), kind=FLOAT, outKind=FLOAT, domains=(), opset=23, outputs=("y",), **attributes):
    """A model of one node."""
    made = node(op, inputs, list(outputs), name="n", **attributes)
    stored = {tensor.name for tensor in initializers}
    given = [info(name, shapes[name], kind) for name in dict.fromkeys(inputs) if name and name not in stored]
    return m.model([made], given, [info("y", out, outKind)], initializers, opset=opset, domains=domains)


MICROSOFT = (("com.microsoft", 1),)
ZERO, SCALE = const("z", 0, np.uint8), const("s", 1.0, np.float32)
# Several elements share a byte.
BITS = {getattr(TensorProto, name): int(name[3:] if name[0] == "I" else name[4:]) for name in ("INT4", "UINT4", "INT2", "UINT2")}
BITS[TensorProto.FLOAT4E2M1] = 4
# (name, model, multiply-adds): counted by hand, with the sum of products that each element of a result is.
COUNTED = [
    ("Conv", one("Conv", ["x", "w"], {"x": (2, 6, 8, 8)}, (2, 4, 6, 6), [weights("w", 4, 3, 3, 3)], group=2), 2 * 4 * 36 * 27),
    ("Conv with strides", one("Conv", ["x", "w"], {"x": (1, 3, 9, 9)}, (1, 8, 4, 4), [weights("w", 8, 3, 3, 3)], strides=[2, 2]), 8 * 16 * 27),
    ("ConvTranspose", one("ConvTranspose", ["x", "w"], {"x": (1, 4, 5, 5)}, (1, 2, 7, 7), [weights("w", 4, 2, 3, 3)]), 1800),
    ("ConvInteger", one("ConvInteger", ["x", "w"], {"x": (1, 1, 4)}, (1, 2, 3), [weights("w", 2, 1, 2, kind=np.uint8)], UINT8, INT32), 2 * 3 * 2),
    ("QLinearConv", one("QLinearConv", ["x", "s", "z", "w", "s", "z", "s", "z"], {"x": (1, 1, 4)}, (1, 2, 3),
                        [weights("w", 2, 1, 2, kind=np.uint8), ZERO, SCALE], UINT8, UINT8), 12),
    ("Gemm", one("Gemm", ["x", "w"], {"x": (5, 7)}, (5, 3), [weights("w", 7, 3)]), 105),
    ("Gemm, transposed", one("Gemm", ["x", "w"], {"x": (7, 5)}, (5, 3), [weights("w", 3, 7)], transA=1, transB=1), 105),
    ("MatMul, broadcast", one("MatMul", ["x", "w"], {"x": (4, 1, 5, 7)}, (4, 2, 5, 3), [weights("w", 2, 7, 3)]), 8 * 105),
    ("MatMul of vectors", one("MatMul", ["x", "w"], {"x": (7,)}, (), [weights("w", 7)]), 7),
    ("MatMulInteger", one("MatMulInteger", ["x", "w"], {"x": (5, 7)}, (5, 3), [weights("w", 7, 3, kind=np.uint8)], UINT8, INT32), 105),
    ("QLinearMatMul", one("QLinearMatMul", ["x", "s", "z", "w", "s", "z", "s", "z"], {"x": (5, 7)}, (5, 3),
                          [weights("w", 7, 3, kind=np.uint8), ZERO, SCALE], UINT8, UINT8), 105),
    ("Einsum", one("Einsum", ["x", "w"], {"x": (2, 3, 5)}, (2, 3, 7), [weights("w", 2, 5, 7)], equation="bij,bjk->bik"), 2 * 3 * 5 * 7),
    ("Einsum, broadcast", one("Einsum", ["x", "w"], {"x": (2, 4, 3, 5)}, (2, 4, 3, 7), [weights("w", 1, 5, 7)],
        equation="...ij,...jk->...ik"), 8 * 105),
    ("Einsum of one", one("Einsum", ["x"], {"x": (3, 5)}, (5, 3), equation="ij->ji"), 0),
    ("Einsum of three", one("Einsum", ["x", "w", "v"], {"x": (2, 3)}, (2, 5), [weights("w", 3, 4), weights("v", 4, 5)],
                            equation="ab,bc,cd->ad"), 2 * 2 * 3 * 4 * 5),
    ("LSTM", one("LSTM", ["x", "w", "r"], {"x": (5, 2, 3)}, (5, 2, 2, 4), [weights("w", 2, 16, 3), weights("r", 2, 16, 4)],
                 hidden_size=4, direction="bidirectional"), 5 * 2 * 2 * 16 * (3 + 4)),
    ("GRU", one("GRU", ["x", "w", "r"], {"x": (2, 5, 3)}, (2, 5, 1, 4), [weights("w", 1, 12, 3), weights("r", 1, 12, 4)],
                hidden_size=4, layout=1), 10 * 12 * 7),
    ("RNN", one("RNN", ["x", "w", "r"], {"x": (5, 2, 3)}, (5, 1, 2, 4), [weights("w", 1, 4, 3), weights("r", 1, 4, 4)], hidden_size=4), 10 * 4 * 7),
    ("Attention", one("Attention", ["q", "k", "v"], {"q": (2, 6, 5, 8), "k": (2, 3, 7, 8), "v": (2, 3, 7, 4)}, (2, 6, 5, 4)),
        2 * 6 * 5 * 7 * (8 + 4)),
    ("Attention of rank 3", one("Attention", ["q", "k", "v"], {"q": (2, 5, 48), "k": (2, 7, 24), "v": (2, 7, 12)}, (2, 5, 24),
        q_num_heads=6, kv_num_heads=3),
     2 * 6 * 5 * 7 * (8 + 4)),
    ("FusedMatMul", one("FusedMatMul", ["x", "w"], {"x": (7, 5)}, (5, 3), [weights("w", 7, 3)], domain="com.microsoft", domains=MICROSOFT,
        transA=1), 105),
    ("QGemm", one("QGemm", ["x", "s", "z", "w", "s", "z"], {"x": (5, 7)}, (5, 3), [weights("w", 7, 3, kind=np.uint8), ZERO, SCALE], UINT8,
                  domain="com.microsoft", domains=MICROSOFT), 105),
    ("Attention of ONNX Runtime", one("Attention", ["x", "w", "b"], {"x": (2, 5, 8)}, (2, 5, 8), [weights("w", 8, 24), weights("b", 24)],
                                      domain="com.microsoft", domains=MICROSOFT, num_heads=2), 10 * 8 * 24 + 2 * (2 * 5 * 5 * 8)),
    ("MultiHeadAttention", one("MultiHeadAttention", ["q", "k", "v"], {"q": (2, 5, 8), "k": (2, 7, 8), "v": (2, 7, 6)}, (2, 5, 6),
                               domain="com.microsoft", domains=MICROSOFT, num_heads=2), 2 * 5 * 7 * (8 + 6)),
    ("MatMulNBits", one("MatMulNBits", ["x", "w", "s"], {"x": (2, 5, 32)}, (2, 5, 3), [weights("w", 3, 1, 16, kind=np.uint8), weights("s", 3)],
                        domain="com.microsoft", domains=MICROSOFT, K=32, N=3, bits=4, block_size=32), 2 * 5 * 3 * 32),
    ("LinearRegressor", one("LinearRegressor", ["x"], {"x": (5, 7)}, (5, 2), domain="ai.onnx.ml", domains=(("ai.onnx.ml", 1),), targets=2,
                            coefficients=[0.5] * 14), 70),
    ("AveragePool", one("AveragePool", ["x"], {"x": (1, 2, 4, 4)}, (1, 2, 3, 3), kernel_shape=[2, 2]), 0),
]


@pytest.mark.parametrize("model, macs", [row[1:] for row in COUNTED], ids=[row[0] for row in COUNTED])
def test_multiply_adds(folder, model, macs):
    found = statsOf(folder, model)
    assert found["macs"] == {"value": macs, "formula": str(macs)} and not found["uncounted"], found
    [row] = found["operators"]
    assert (row["written"], row["called"], row["macs"]["value"]) == (1, 1, macs), row


def attentionLayer():
    nodes = [
        node("MatMul", ["x", "w"], ["q"]),
        node("Transpose", ["q"], ["k"], perm=[0, 2, 1]),
        node("MatMul", ["q", "k"], ["p"]),
        node("Softmax", ["p"], ["s"], axis=-1, name="s"),
        node("MatMul", ["s", "q"], ["y"], name="last"),
    ]
    return m.model(nodes, [info("x", ("batch", "seq", 64))], [info("y", None)], [weights("w", 64, 64)])


def test_open_sizes(folder):
    found = statsOf(folder, attentionLayer())
    assert found["macs"] == {"value": None, "formula": "128*batch*seq^2 + 4096*batch*seq"}, found["macs"]
    assert found["outputs"] == [{"name": "y", "type": "f32[batch, seq, 64]"}]
    assert found["activations"]["formula"] == "max(4*batch*seq^2 + 768*batch*seq, 8*batch*seq^2 + 512*batch*seq)", found["activations"]
    half = statsOf(folder, attentionLayer(), "--dim=batch:2")
    assert half["macs"]["formula"] == "256*seq^2 + 8192*seq" and half["inputs"][0]["type"] == "f32[2, seq, 64]", half
    all = statsOf(folder, attentionLayer(), "--dim=batch:2", "--dim=seq:10")
    assert all["macs"]["value"] == 256 * 100 + 8192 * 10 and all["activations"]["value"] == 4 * 2 * 10 * 64 * 3 + 4 * 200, all
    assert statsOf(folder, attentionLayer(), "--input-shape=x:2,10,64")["macs"] == all["macs"]


def test_sums_and_roundings_of_sizes(folder):
    """A sum of sizes is one; what is rounded has a name, and what it is."""
    nodes = [node("Concat", ["x", "p"], ["c"], axis=0), node("MatMul", ["c", "w"], ["y"])]
    model = m.model(nodes, [info("x", ("seq", 4)), info("p", ("past", 4))], [info("y", None)], [weights("w", 4, 8)])
    assert statsOf(folder, model)["macs"]["formula"] == "32*seq + 32*past"
    model = one("Conv", ["x", "w"], {"x": (1, 2, "h")}, (1, 4, None), [weights("w", 4, 2, 3)], strides=[2])
    found = statsOf(folder, model)
    assert found["macs"]["formula"] == "24*n1" and {"name": "n1", "meaning": "size 2 of 'y'"} in found["symbols"], found
    model = one("MatMul", ["x", "w"], {"x": (None, 4)}, (None, 8), [weights("w", 4, 8)])
    found = statsOf(folder, model)
    assert found["macs"]["formula"] == "32*n1" and found["symbols"] == [{"name": "n1", "meaning": "size 0 of 'x'"}], found
    clash = one("MatMul", ["x", "w"], {"x": (None, "n1", 4)}, None, [weights("w", 4, 8)])
    found = statsOf(folder, clash)
    assert {one["name"] for one in found["symbols"]} == {"n1", "n1'"} or len({one["name"] for one in found["symbols"]}) == 2, found


def withFunction(calls=2):
    body = [node("MatMul", ["a", "b"], ["t"]), node("Relu", ["t"], ["o"])]
    inner = helper.make_function("own", "Layer", ["a", "b"], ["o"], body, [helper.make_opsetid("", 21)])
    outer = helper.make_function(
        "own", "Twice", ["a", "b"], ["o"],
        [node("Layer", ["a", "b"], ["t"], domain="own"), node("Layer", ["t", "b"], ["o"], domain="own")],
        [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)],
    )
    nodes = [node("Twice", [f"v{i}" if i else "x", "w"], [f"v{i + 1}"], domain="own") for i in range(calls)]
    return m.model(nodes, [info("x", ("n", 4))], [info(f"v{calls}", None)], [weights("w", 4, 4)], domains=(("own", 1),), functions=[inner, outer])


def test_functions(folder):
    """As written once, as called as often as they are."""
    found = statsOf(folder, withFunction())
    rows = {one["type"]: one for one in found["operators"]}
    assert (rows["MatMul"]["written"], rows["MatMul"]["called"]) == (1, 4) and (rows["Twice"]["written"], rows["Twice"]["called"]) == (2, 0), rows
    assert found["macs"]["formula"] == "64*n" and found["functions"] == 2 and not found["uncounted"], found
    assert found["parameters"]["tensors"] == 1 and found["parameters"]["by_reader"][0]["name"] == "MatMul.B", found["parameters"]
    assert found["runtime_notes"] == [], "the model has what its own domain means"


def loop(trips, condition=True, given=False):
    body = m.graph(
        [node("MatMul", ["a", "w"], ["b"]), node("Identity", ["c"], ["goes"]) if condition else node("Not", ["c"], ["goes"])],
        [info("i", (), INT64), info("c", (), TensorProto.BOOL), info("a", (2, 4))],
        [info("goes", (), TensorProto.BOOL), info("b", (2, 4))],
    )
    inputs = [info("x", (2, 4))] + ([info("m", (), INT64)] if given else [])
    stored = [weights("w", 4, 4), const("true", True, np.bool_)] + ([const("m", trips, np.int64)] if trips is not None else [])
    made = node("Loop", ["m" if trips is not None or given else "", "true", "x"], ["y"], name="loop", body=body)
    return m.model([made], inputs, [info("y", (2, 4))], stored)


def test_loops(folder):
    found = statsOf(folder, loop(7))
    assert found["macs"]["value"] == 7 * 32 and {one["type"]: one["called"] for one in found["operators"]}["MatMul"] == 1, found
    assert not found["notes"], found["notes"]
    assert "may end early" in statsOf(folder, loop(7, condition=False))["notes"][0]
    for model in (loop(None), loop(None, given=True), loop(2**62)):
        found = statsOf(folder, model)
        assert found["macs"]["formula"] == "32*n1" and found["symbols"] == [{"name": "n1", "meaning": "iterations of Loop 'loop'"}], found


def test_scans(folder):
    body = m.graph([node("MatMul", ["s", "w"], ["n"]), node("Identity", ["n"], ["o"])], [info("s", (2, 4)), info("e", (3,))],
                   [info("n", (2, 4)), info("o", (2, 4))])
    made = node("Scan", ["x", "xs"], ["y", "ys"], body=body, num_scan_inputs=1, scan_input_axes=[1])
    model = m.model([made], [info("x", (2, 4)), info("xs", (3, "steps"))], [info("y", (2, 4)), info("ys", None)], [weights("w", 4, 4)])
    assert statsOf(folder, model)["macs"]["formula"] == "32*steps"


def branches(left, right):
    graphs = [m.graph([node("MatMul", ["x", name], [f"o{name}"])], [], [info(f"o{name}", None)]) for name in ("a", "b")]
    made = node("If", ["c"], ["y"], name="if", then_branch=graphs[0], else_branch=graphs[1])
    return m.model([made], [info("x", ("n", 4)), info("c", (), TensorProto.BOOL)], [info("y", None)],
                   [const("a", np.zeros((4, left)), np.float32), const("b", np.zeros((4, right)), np.float32)])


def test_branches(folder):
    """The dearer branch."""
    for left, right in ((3, 5), (5, 3)):
        found = statsOf(folder, branches(left, right))
        assert found["macs"]["formula"] == "20*n" and {one["type"]: one["called"] for one in found["operators"]}["MatMul"] == 2, found


def test_what_is_not_known_is_said(folder):
    custom = one("Blend", ["x", "w"], {"x": (2, 4)}, (2, 4), [weights("w", 4, 4)], domain="acme", domains=(("acme", 1),))
    found = statsOf(folder, custom)
    assert found["uncounted"] == [{"domain": "acme", "type": "Blend", "nodes": 1, "example": "n", "why": "the operator is not known"}], found
    assert found["runtime_notes"] == ["operators of acme: a runtime needs a library for them"]
    text = t.runOk("stats", folder / "model.onnx").out.decode()
    assert "0 and those of 1 node that are not known" in text and "acme.Blend, 1 node (n): the operator is not known" in text, text
    unranked = one("MatMul", ["x", "x"], {"x": None}, None)
    found = statsOf(folder, unranked)
    assert found["uncounted"][0]["why"] == "a shape is not known" and found["activations"]["unknown"] == ["x", "y"], found
    assert statsOf(folder, one("DFT", ["x"], {"x": (1, 8, 2)}, (1, 8, 2)))["uncounted"][0]["why"] == "it depends on the algorithm"


def test_sizes_beyond_int64(folder):
    huge = 2**31 - 1
    model = m.model([node("Einsum", ["x", "x", "x"], ["y"], equation="ab,cd,ef->a")], [info("x", (huge, huge))], [info("y", None)])
    found = statsOf(folder, model)
    assert found["macs"] == {"value": 0, "formula": "0"} and found["uncounted"][0]["why"] == "more than can be said", found
    many = m.model([node("MatMul", ["x", "x"], [f"y{i}"]) for i in range(2)], [info("x", (2**20, 2**20))], [info("y0", None), info("y1", None)])
    assert statsOf(folder, many)["macs"]["value"] == 2**61
    assert statsOf(folder, many)["activations"]["value"] == 3 * 2**42


def test_hostile_functions(folder):
    """Functions that call each other twice: 2^40 nodes as called, which are not made."""
    level = lambda i: [node(f"F{i + 1}" if i < 40 else "Relu", [v], [o], domain="own" if i < 40 else "") for v, o in (("a", "t"), ("t", "o"))]
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    functions = [helper.make_function("own", f"F{i}", ["a"], ["o"], level(i), imports) for i in range(41)]
    model = m.model([node("F0", ["x"], ["y"], domain="own")], [info("x")], [info("y")], domains=(("own", 1),), functions=functions)
    found = statsOf(folder, model)
    assert any(one["domain"] == "own" and "too many or too deep" in one["why"] for one in found["uncounted"]), found["uncounted"]


def test_empty_and_damaged_models(folder):
    found = statsOf(folder, m.model([], [info("x", ("n", 2))], [info("x", ("n", 2))]))
    assert found["macs"]["value"] == 0 and found["operators"] == [] and found["activations"]["formula"] == "8*n", found
    t.runOk("stats", folder / "model.onnx")
    data = attentionLayer().SerializeToString()
    for damaged in (b"", data[: len(data) // 2], b"nothing"):
        (folder / "bad.onnx").write_bytes(damaged)
        before = t.folderState(folder)
        result = t.run("stats", folder / "bad.onnx", f"--report=json:{folder}/bad.json")
        assert result.code == 1 and "bad.onnx" in result.err and not result.out, result
        t.expectUnchanged(before, folder, "a damaged model")


def test_mutated_models(folder):
    """Single bytes of real models are others: numbers or an error, and never a crash."""
    draw = random.Random(SEED)
    paths = t.shippedModels()
    for _ in range(COUNT):
        path = draw.choice(paths)
        data = bytearray(path.read_bytes())
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(min(len(data), 20_000))] = draw.randrange(256)
        (folder / "bad.onnx").write_bytes(data)
        result = t.run("stats", folder / "bad.onnx", "--report=json")
        assert result.code in (0, 1), f"seed {SEED}, {path.name}: {result}"
        if result.code == 0:
            found = json.loads(result.out)
            assert min(found["macs"]["value"] or 0, found["activations"]["value"] or 0, found["parameters"]["bytes"]) >= 0, found


def test_data_files_need_not_be_there(folder):
    """Weights are not read; a shape that is in the missing file is unknown, and that is said."""
    layers = attentionLayer()
    layers.graph.node.insert(0, node("Reshape", ["x", "target"], ["r"]))
    layers.graph.node[1].input[0] = "r"
    layers.graph.initializer.append(const("target", [0, -1, 64], np.int64))
    onnx.save(layers, folder / "large.onnx", save_as_external_data=True, location="large.data", size_threshold=1024)
    there = statsOf(folder, folder / "large.onnx")
    (folder / "large.data").unlink()
    missing = statsOf(folder, folder / "large.onnx")
    assert len(missing["warnings"]) == 1 and "'large.data' is not there" in missing["warnings"][0], missing["warnings"]
    assert {**missing, "warnings": []} == there and there["macs"]["formula"] == "128*batch*seq^2 + 4096*batch*seq", there
    assert there["parameters"]["by_storage"][0]["name"] == "data files" and there["parameters"]["by_storage"][0]["bytes"] == 64 * 64 * 4
    onnx.save(layers, folder / "all.onnx", save_as_external_data=True, location="all.data", size_threshold=0)
    (folder / "all.data").unlink()
    found = statsOf(folder, folder / "all.onnx")
    assert found["uncounted"] == [] and {one["meaning"] for one in found["symbols"] if one["meaning"]}, "the target of Reshape"
    result = t.run("stats", folder / "all.onnx", "--messages=json")
    assert result.code == 0 and '"kind":"warning"' in result.err and '"kind":"report"' in result.err, result


def test_large_models_are_not_read(folder):
    """4 GB of weights, in a file of holes."""
    shape = (1 << 15, 1 << 15)
    tensor = TensorProto(name="w", data_type=FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="w.data")
    nodes = [node("ReduceMax", ["w"], ["top"], keepdims=0), node("MatMul", ["x", "w"], ["z"]), node("Add", ["z", "top"], ["y"])]
    onnx.save(m.model(nodes, [info("x", ("n", 1 << 15))], [info("y", None)], [tensor]), folder / "large.onnx")
    with open(folder / "w.data", "wb") as file:
        file.truncate(4 << 30)
    start = time.monotonic()
    found = statsOf(folder, folder / "large.onnx")
    assert time.monotonic() - start < 5, "the weights were read"
    assert found["macs"]["formula"] == f"{1 << 30}*n" and found["parameters"]["bytes"] == 4 << 30, found


def parametersOf(model):
    """(tensors, elements) of initializers and Constant nodes, functions and bodies included."""
    sizes = []
    for graph in t.allGraphs(model.graph):
        sizes += [int(np.prod(tensor.dims)) for tensor in graph.initializer]
    nodes = [one for graph in (*t.allGraphs(model.graph), *model.functions) for one in graph.node]
    for one in nodes:
        if one.op_type == "Constant" and one.attribute[0].name == "value":
            sizes.append(int(np.prod(one.attribute[0].t.dims)))
        elif one.op_type == "Constant":
            value = helper.get_attribute_value(one.attribute[0])
            sizes.append(len(value) if isinstance(value, (list, tuple)) else 1)
    return len(sizes), sum(sizes)


def test_parameters_of_shipped_models(folder):
    for path in t.shippedModels():
        found = statsOf(folder, path)["parameters"]
        assert (found["tensors"], found["elements"]) == parametersOf(onnx.load(path)), path.name
        for groups in ("by_type", "by_storage", "by_reader"):
            for number in ("tensors", "elements", "bytes"):
                assert sum(one[number] for one in found[groups]) == found[number], f"{path.name}: {groups}"


def test_shared_and_sparse_parameters(folder):
    sparse = helper.make_sparse_tensor(const("sp", [1.0, 2.0], np.float32), const("", [3, 5], np.int64), [4, 4])
    model = m.model([node("MatMul", ["x", "w"], ["a"]), node("MatMul", ["a", "w"], ["b"]), node("MatMul", ["b", "sp"], ["y"])],
                    [info("x", (2, 4))], [info("y", None)], [weights("w", 4, 4)])
    model.graph.sparse_initializer.append(sparse)
    found = statsOf(folder, model)
    groups = {one["name"]: one for one in found["parameters"]["by_storage"]}
    assert groups["sparse"] == {"name": "sparse", "tensors": 1, "elements": 2, "bytes": 24} and groups["raw_data"]["tensors"] == 1, groups
    assert found["macs"]["value"] == 3 * 2 * 16


def peakOf(model):
    """The plainest way: for each node, all values that exist while it runs. None if a shape is not inferred."""
    model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    graph = model.graph
    stored = {tensor.name for tensor in graph.initializer} | {one.output[0] for one in graph.node if one.op_type == "Constant"}
    sizes = {}
    for value in (*graph.value_info, *graph.input, *graph.output):
        kind = value.type.tensor_type
        if kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim):
            bits = BITS.get(kind.elem_type) or 8 * np.dtype(helper.tensor_dtype_to_np_dtype(kind.elem_type)).itemsize
            sizes[value.name] = (bits * int(np.prod([dim.dim_value for dim in kind.shape.dim])) + 7) // 8
    for one in graph.node:  # what depends on constants alone
        if all(name in stored for name in one.input if name) and not one.op_type.startswith("Random"):
            stored |= set(one.output)
    values = {name for one in graph.node for name in (*one.input, *one.output) if name} - stored
    if not values <= sizes.keys():
        return None
    inputs = {value.name for value in graph.input} - stored
    outputs = {value.name for value in graph.output}
    made, most = set(inputs), sum(sizes[name] for name in inputs)
    for i, one in enumerate(graph.node):
        if one.op_type == "Constant":
            continue
        read = {name for later in graph.node[i:] for name in later.input}
        made |= {name for name in one.output if name}
        alive = {name for name in made if name in read or name in inputs or name in outputs or name in one.output} - stored
        most = max(most, sum(sizes[name] for name in alive))
    return most


def test_peak_of_activations(folder):
    compared = 0
    for path in t.lightModels():
        model = onnx.load(path)
        expected = peakOf(model)
        if expected is not None:
            compared += 1
            found = statsOf(folder, path)["activations"]
            assert found["value"] == expected and not found["unknown"], f"{path.name}: {found}, expected {expected}"
    assert compared >= 5, f"{compared} models were compared"


def isPlain(model):
    """Dense tensors and no bodies, calls or random operators: what peakOf knows."""
    tensors = all(value.type.HasField("tensor_type") for value in (*model.graph.input, *model.graph.output))
    bodies = any(a.HasField("g") for one in model.graph.node for a in one.attribute)
    return tensors and not bodies and not model.functions and not any(one.op_type in RANDOM for one in model.graph.node)


def test_peak_of_node_tests(folder):
    """Each operator of the standard, and the graphs of its function."""
    paths = sorted((t.TEST_DATA / "node").glob("*/model.onnx"))
    compared = 0
    for path in random.Random(SEED).sample(paths, min(len(paths), COUNT)):
        model = onnx.load(path)
        expected = peakOf(model) if isPlain(model) else None
        if expected is not None:
            found = statsOf(folder, path)["activations"]
            if not found["unknown"] and found["value"] is not None:
                compared += 1
                assert found["value"] == expected, f"seed {SEED}: {path.parent.name}: {found}, expected {expected}"
    assert compared > COUNT / 3, f"{compared} models were compared"


def test_published_numbers(folder):
    """torchvision, Keras and the papers: 4.09 to 4.11 G of ResNet-50 (He et al. have 3.8), 15.5 G of VGG-16, 19.6 G of VGG-19, 1.4 G of
    Inception v1, 0.7 G of AlexNet. The light models have the shapes of these."""
    bounds = {"resnet50": (3.8e9, 4.2e9), "vgg19": (19.5e9, 19.7e9), "bvlc_alexnet": (0.6e9, 0.8e9), "squeezenet": (0.3e9, 0.9e9),
        "inception_v1": (1.3e9, 1.7e9)}
    seen = 0
    for path in t.lightModels():
        name = path.stem.removeprefix("light_")
        if name in bounds:
            seen += 1
            macs = statsOf(folder, path)["macs"]["value"]
            assert bounds[name][0] <= macs <= bounds[name][1], f"{name}: {macs}"
    assert seen >= 4, f"{seen} light models"


def test_forms(folder):
    onnx.save(attentionLayer(), folder / "model.onnx")
    text = t.runOk("stats", folder / "model.onnx").out.decode()
    for part in ("128*batch*seq^2 + 4096*batch*seq", "MatMul.B", "ONNX Runtime: 1.18 or later", "ai.onnx 21", "5 nodes in 1 graph"):
        assert part in text, f"{part} is not in\n{text}"
    t.runOk("stats", folder / "model.onnx", f"--report=html:{folder}/page.html")
    page = (folder / "page.html").read_text()
    assert "128*batch*seq^2 + 4096*batch*seq" in page and '"kind":"stats"' in page
    t.runOk("stats", folder / "model.onnx", f"--report=json:{folder}/s.json")
    t.runOk("report", folder / "s.json", f"--report=html:{folder}/again.html")
    saved = (folder / "again.html").read_text().partition('id="report">')[2].partition("</script>")[0]
    assert json.loads(saved) == json.loads((folder / "s.json").read_text())
    for flags, part in ((["--report=model-explorer:x"], "no form for Model Explorer"), (["-O2"], "-O"), ([folder / "s.json"], "expected one")):
        result = t.run("stats", folder / "model.onnx", *flags)
        assert result.code == 1 and part in result.err, result
    result = t.run("stats", "-", stdin=(folder / "model.onnx").read_bytes())
    assert result.code == 0 and b"<stdin>" in result.out, result
    assert t.run("report", folder / "s.json", f"--report=model-explorer:{folder}/n.json").code == 1


def test_page(folder):
    """Every section is shown, and names are text."""
    onnxfold_browser.needed()
    hostile = "</script><img src=x onerror='window.ran = true'>"
    model = attentionLayer()
    model.graph.node.append(node("Blend", ["y", "w"], [hostile], name=hostile, domain="acme"))
    model.opset_import.append(helper.make_opsetid("acme", 1))
    model.graph.output.append(info(hostile, None))
    with onnxfold_browser.Browser() as browser:
        for model in (model, withFunction(), m.model([], [info("x")], [info("x")])):
            onnx.save(model, folder / "model.onnx")
            t.runOk("stats", folder / "model.onnx", f"--report=html:{folder}/page.html")
            browser.open(folder / "page.html")
            text = browser.js("return document.body.innerText")
            assert browser.problems() == [] and not browser.js("return window.ran")
            for title in ("Overview", "Needs", "Operators", *(["Parameters"] if model.graph.initializer else [])):
                assert title in text, f"section {title}: {text}"
            if len(model.graph.output) == 2:
                assert "128*batch*seq^2 + 4096*batch*seq" in text and "acme.Blend" in text and hostile in text, text


def test_runtimes(folder):
    def needs(opset, ir):
        model = m.model([node("Abs", ["x"], ["y"])], [info("x")], [info("y")], opset=opset, ir=ir)
        return {one["name"]: one for one in statsOf(folder, model)["runtimes"]}

    found = needs(17, 8)
    assert found["ONNX"]["version"] == "1.12" and found["ONNX Runtime"]["version"] == "1.12", found
    found = needs(21, 8)
    assert found["ONNX"]["version"] == "1.16" and found["ONNX Runtime"]["version"] == "1.18", found
    assert needs(6, 3)["ONNX Runtime"]["version"] == "" and "opset 7" in needs(6, 3)["ONNX Runtime"]["why"]
    assert needs(23, 11)["ONNX Runtime"]["why"].startswith("some release after 1.20")
    assert needs(17, 14)["ONNX Runtime"]["version"] == ""


def noKernel(folder, *nodes, types, opset=17, domains=()):
    """Rows of operators without a kernel: (operator, version, nodes, why), and the notes."""
    inputs = [helper.make_tensor_value_info(name, kind, [2, 2]) for name, kind in types.items()]
    model = m.model(list(nodes), inputs, [helper.make_empty_tensor_value_info("y")], opset=opset, ir=8, domains=domains)
    stats = statsOf(folder, model)
    assert all(row["runtime"].startswith("ONNX Runtime 1.") for row in stats["no_kernel"])
    return [(row["type"], row["since"], row["nodes"], row["why"]) for row in stats["no_kernel"]], stats["runtime_notes"]


F32, F64, F16 = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16


def test_kernels_of_types(folder):
    """An operand of a type that no kernel takes is named; f16 runs in f32, and what is a function runs as its nodes."""
    two = [node("Acos", ["x"], ["t"]), node("Acos", ["t"], ["y"])]
    assert noKernel(folder, *two, types={"x": F64}) == ([("Acos", 7, 2, "input #0 is f64, a kernel takes f32")], [])
    assert noKernel(folder, *two, types={"x": F32}) == ([], [])
    rows, notes = noKernel(folder, *two, types={"x": F16})
    assert rows == [] and "2 nodes of f16 in f32" in notes[0], notes
    assert noKernel(folder, node("HardSwish", ["x"], ["y"]), types={"x": F64}) == ([], [])
    rows, _ = noKernel(folder, node("Einsum", ["x", "x"], ["y"], equation="ij,jk->ik"), types={"x": TensorProto.INT8})
    assert rows[0][3].startswith("input #0 is i8"), rows


def test_kernels_of_versions(folder):
    """Kernels of other versions are listed; an operator that nobody has is said to be none."""
    rows, _ = noKernel(folder, node("Upsample", ["x"], ["y"], height_scale=2.0, width_scale=2.0), types={"x": F32}, opset=6)
    assert rows == [("Upsample", 1, 1, "there are kernels for version 7, 9")], rows
    rows, _ = noKernel(folder, node("Nothing", ["x"], ["y"]), types={"x": F32})
    assert rows[0][3] == "it has no such operator"
    rows, _ = noKernel(folder, node("BiasDropout", ["x", "x"], ["y"], domain="com.microsoft"), types={"x": F32}, domains=[("com.microsoft", 1)])
    assert rows == [("BiasDropout", 1, 1, "there is no kernel")], rows
    assert noKernel(folder, node("Mine", ["x"], ["y"], domain="acme"), types={"x": F32}, domains=[("acme", 1)])[0] == []


def test_kernels_in_bodies_and_functions(folder):
    inner = helper.make_graph([node("Acos", ["x"], ["t"])], "then", [], [info("t")])
    outer = node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)
    inputs = [helper.make_tensor_value_info("x", F64, [2]), helper.make_tensor_value_info("c", TensorProto.BOOL, [])]
    model = m.model([outer], inputs, [helper.make_empty_tensor_value_info("y")], opset=17, ir=8)
    assert [(row["type"], row["nodes"]) for row in statsOf(folder, model)["no_kernel"]] == [("Acos", 2)]


def whyNotLoaded(path):
    """What ONNX Runtime says without optimizations; "" if it loads the model."""
    options = ort.SessionOptions()
    options.log_severity_level, options.graph_optimization_level = 4, ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as why:
        return str(why)
    return ""


def test_kernels_as_onnx_runtime_has_them(folder):
    """Node tests of ONNX: those that ONNX Runtime refuses for want of a kernel have a row, and no others. Short form: every 41st."""
    paths = sorted((t.TEST_DATA / "node").glob("*/model.onnx"))
    counts = {"loads": 0, "no kernel": 0}
    for path in paths if t.options.long else paths[::41]:
        stats = json.loads(t.runOk("stats", "--report=json", path).out)
        why = whyNotLoaded(path)
        if not why:
            assert not stats["no_kernel"], f"{path}: {stats['no_kernel']}"
            counts["loads"] += 1
        elif "NOT_IMPLEMENTED" in why and all(one["type"] != "CastLike" for one in stats["operators"]):  # a function: not compared
            assert stats["no_kernel"], f"{path}: {why}"
            counts["no kernel"] += 1
    print(f"  {counts}")
    assert counts["loads"] > 20


def test_table_of_kernels():
    """Is what tools/runtime_kernels.py writes of the installed release."""
    done = subprocess.run([sys.executable, t.ROOT / "tools/runtime_kernels.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_documented_row_of_kernels(folder):
    page = (t.ROOT / "docs/stats.md").read_text()
    nodes = [node("Acos", ["x"], ["t"], name="arc"), node("Acos", ["t"], ["y"])]
    onnx.save(m.model(nodes, [info("x", (2,), F64)], [info("y", (2,), F64)], opset=17, ir=8), folder / "sine.onnx")
    row = next(line for line in t.runOk("stats", folder / "sine.onnx").out.decode().splitlines() if line.startswith("no kernel"))
    assert f"      {row}\n" in page, row


def test_documented_examples(folder):
    """The commands of docs/stats.md print what stands there; what is left out is the end."""
    onnx.save(attentionLayer(), folder / "layer.onnx")
    lines = (t.ROOT / "docs/stats.md").read_text().splitlines()
    commands = [i for i, line in enumerate(lines) if line.startswith("    $ onnx-fold stats")]
    assert len(commands) == 2, "docs/stats.md has two examples"
    for start in commands:
        shown = []
        for line in lines[start + 1 :]:
            if not line.startswith("    "):
                break
            shown.append(line[4:])
        command = lines[start][6:].replace("onnx-fold", str(t.TOOL), 1)
        said = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
        assert said.returncode == 0 and said.stdout.splitlines()[: len(shown)] == shown, f"{command}: {said.stdout}{said.stderr}"


def test_documented_fields(folder):
    """The table of docs/stats.md has each field of the JSON, and no other."""
    table = (t.ROOT / "docs/stats.md").read_text().partition("## JSON, version 1")[2]
    named = {name for line in table.splitlines() if line.startswith("| `") for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert named == statsOf(folder, attentionLayer()).keys()
