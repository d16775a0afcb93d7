# SPDX-License-Identifier: Apache-2.0
"""Where each folded constant came from: in the report always, in the metadata of the constant with --provenance."""

import json

import numpy as np
import onnx
from onnx import helper, numpy_helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info

KEY = "onnx-fold.from"
WEIGHT = np.arange(6, dtype=np.float32).reshape(2, 3)


def node(operator, inputs, outputs, name="", **attributes):
    return helper.make_node(operator, inputs, outputs, name=name, **attributes)


def chain(ir=10):
    """y = x * (-(w + two)) with 'two' in a Constant node, and z = x + Transpose(u)."""
    nodes = [
        node("Constant", [], ["two"], value=numpy_helper.from_array(np.float32(2))),
        node("Add", ["w", "two"], ["sum"], "add"),
        node("Neg", ["sum"], ["minus"], "neg"),
        node("Transpose", ["u"], ["turned"], "turn", perm=[1, 0]),
        node("Mul", ["x", "minus"], ["y"]),
        node("Add", ["x", "turned"], ["z"]),
    ]
    inputs = [info("x")] + ([info("w"), info("u", (3, 2))] if ir < 4 else [])
    return m.model(nodes, inputs, [info("y"), info("z")], [const("w", WEIGHT), const("u", WEIGHT.T)], ir=ir)


def provenance(tensor):
    return [json.loads(entry.value) for entry in tensor.metadata_props if entry.key == KEY]


def tensors(container):
    """All tensors of a graph or function by the name of their value."""
    found = {tensor.name: tensor for tensor in getattr(container, "initializer", ())}
    for one in container.node:
        if one.op_type == "Constant":
            found[one.output[0]] = one.attribute[0].t
    return found


def test_report_names_the_sources(folder):
    onnx.save(chain(), folder / "model.onnx")
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    sources = {one["name"]: sorted(one["sources"]) for one in report["nodes"] if "sources" in one}
    assert sources == {"neg": ["two", "w"], "turn": ["u"]}, "sources of the nodes that became constants"


def test_metadata_only_if_asked_for(folder):
    onnx.save(chain(), folder / "model.onnx")
    plain = onnx.load(t.fold(folder / "model.onnx", folder / "plain.onnx"))
    told = onnx.load(t.fold(folder / "model.onnx", folder / "told.onnx", "--provenance"))
    assert not any(provenance(tensor) for tensor in tensors(plain.graph).values()), "metadata without --provenance"
    made = tensors(told.graph)
    assert sorted(made) == ["minus", "turned"], "constants"
    assert provenance(made["turned"]) == [{"op": "Transpose", "node": "turn", "sources": ["u"]}], "turned"
    (minus,) = provenance(made["minus"])
    assert (minus["op"], minus["node"], sorted(minus["sources"])) == ("Neg", "neg", ["two", "w"]), "minus"
    for tensor in told.graph.initializer:
        del tensor.metadata_props[:]
    assert told == plain, "--provenance changes more than the metadata"


def test_folding_again_changes_nothing(folder):
    onnx.save(chain(), folder / "model.onnx")
    out = t.fold(folder / "model.onnx", folder / "out.onnx", "--provenance")
    t.expectSameBytes(t.fold(out, folder / "again.onnx", "--provenance"), out, "folded again")
    t.expectSameBytes(t.fold(out, folder / "plain.onnx"), out, "folded again without --provenance")
    onnx.checker.check_model(str(out), full_check=True)


def test_constant_nodes_before_ir_4(folder):
    onnx.save(chain(ir=3), folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--provenance"))
    made = tensors(out.graph)
    assert [one["node"] for one in provenance(made["turned"])] == ["turn"], "provenance in a Constant node"


def test_external_and_string_tensors(folder):
    words = const("words", np.array(["b", "a"], dtype=object))
    nodes = [
        node("Concat", ["words", "words"], ["four"], "join", axis=0),
        node("Transpose", ["big"], ["turned"], "turn", perm=[1, 0]),
    ]
    outputs = [info("four", (4,), onnx.TensorProto.STRING), info("turned", (40, 30))]
    big = np.arange(1200, dtype=np.float32).reshape(30, 40)
    onnx.save(m.model(nodes, [], outputs, [words, const("big", big)]), folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--provenance", "--external-data"))
    made = tensors(out.graph)
    assert [one["sources"] for one in provenance(made["four"])] == [["words"]], "strings"
    assert [one["sources"] for one in provenance(made["turned"])] == [["big"]], "external tensor"
    assert np.array_equal(numpy_helper.to_array(made["turned"]), big.T), "value of the external tensor"


def test_odd_names_and_many_sources(folder):
    """JSON holds any name; of 100 sources 16 are named; long chains cost no more than short ones."""
    count = 100
    nodes = [node("Sum", [f"w{i}" for i in range(count)], ["v"], 'a "quoted"\n\\name')]
    nodes += [node("Neg", ["v" if i == 0 else f"n{i - 1}"], [f"n{i}"]) for i in range(2000)]
    model = m.model(nodes, [], [info("v"), info("n1999")], [const(f"w{i}", WEIGHT + i) for i in range(count)])
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "--provenance"))
    made = tensors(out.graph)
    (told,) = provenance(made["v"])
    assert told["node"] == 'a "quoted"\n\\name', "name of the node"
    assert len(told["sources"]) == 16, "sources that are named"
    assert [len(one["sources"]) for one in provenance(made["n1999"])] == [0], "sources from 2000 nodes away"


def test_lifted_from_functions(folder):
    """What calls pass, and what became a Constant in a body, said nothing of where it came from."""
    large = np.arange(1024, dtype=np.float32).reshape(32, 32)
    square = large.shape
    inner = [
        node("Constant", [], ["two"], value=numpy_helper.from_array(np.float32(2))),
        node("Mul", ["w", "two"], ["twice"], "double"),
        node("Transpose", ["twice"], ["turned"], "turn", perm=[1, 0]),
        node("Neg", ["s"], ["minus"], "negate"),
        node("MatMul", ["a", "turned"], ["product"]),
        node("Add", ["product", "minus"], ["b"]),
    ]
    own = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    functions = [
        helper.make_function("own", "F", ["a", "w", "s"], ["b"], inner, own),
        helper.make_function("own", "G", ["a", "w", "s"], ["b"], [node("F", ["a", "w", "s"], ["b"], domain="own")], own),
    ]
    nodes = [
        node("F", ["x", "w", "s"], ["h"], domain="own"),
        node("G", ["h", "v", "s"], ["y"], domain="own"),
    ]
    weights = [const("w", large), const("v", large + 1), const("s", np.float32(3))]
    source = m.model(
        nodes, [info("x", square)], [info("y", square)], weights, domains=[("own", 1)], functions=functions
    )
    out = m.folded(folder, source, "--provenance")
    told = [provenance(tensor) for tensor in tensors(out.graph).values()]
    expected = [{"op": "Transpose", "node": "turn", "sources": [name, "two"]} for name in ("w", "v")]
    assert told == [[one] for one in expected], "what is said of the initializers that calls pass"
    [body] = [one for one in out.functions if one.name == "F"]
    expected = {"minus": [{"op": "Neg", "node": "negate", "sources": ["s"]}]}
    assert {name: provenance(tensor) for name, tensor in tensors(body).items()} == expected, "what is said in the body"
    report = t.foldWithReport(folder / "model.onnx", folder / "reported.onnx")
    told = {one["name"]: (one["bytes"], one["sources"]) for one in report["nodes"] if "sources" in one}
    expected = {"turn": (2 * large.nbytes, ["w", "two", "v"]), "negate": (4, ["s"])}
    assert told == expected, "bytes and sources in the report"
