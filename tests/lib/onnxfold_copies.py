# SPDX-License-Identifier: Apache-2.0
"""Models with custom operators, and how copies of these are looked at.

ONNX Runtime knows no custom operators, so a model is folded without the functions that define them, and run with these.
"""

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned, expectSameBits
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
X, Y = info("x", ("n", 3)), info("y", ("n", 3))
FEEDS = [{"x": np.random.default_rng(k).standard_normal((2 + k, 3)).astype(np.float32)} for k in range(2)]
YES = const("yes", np.array(True))
W = const("w", np.random.default_rng(9).standard_normal((3, 3)), np.float32)
UNROLL = "--unroll=8"


def function(name, inputs, nodes, outputs=("b",), attributes=(), defaults=(), domain="own"):
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1), helper.make_opsetid("hidden", 1)]
    return helper.make_function(domain, name, list(inputs), list(outputs), nodes, imports, list(attributes), list(defaults))


def refer(one, **references):
    """The node, with attributes that are parameters: name=(parameter, kind)."""
    for name, (parameter, kind) in references.items():
        one.attribute.append(AttributeProto(name=name, ref_attr_name=parameter, type=kind))
    return one


def loop(nodes, outputs, results, *, count=3, carried="a", constants=(), given="x"):
    """A Loop whose body reads its number `i` and the loop-carried values; it never exits early."""
    nodes = [*nodes, node("Identity", ["c"], ["c_out"])]
    inputs = [info("i", (), I64), info("c", (), BOOL), info(carried, ("n", 3))]
    outputs = [info("c_out", (), BOOL), *[info(name, None) for name in outputs]]
    body = m.graph(nodes, inputs, outputs, constants, name="body")
    return node("Loop", ["count", "", given], results, name="loop", body=body), const("count", np.array(count, np.int64))


def model(nodes, constants=(), functions=(), inputs=(X,), outputs=(Y,)):
    domains = [("own", 1), ("hidden", 1)]
    return m.model(nodes, list(inputs), list(outputs), list(constants), domains=domains, functions=list(functions))


def looped(nodes, outputs, results, **how):
    one, count = loop(nodes, outputs, results, **how)
    return model([one], [count, *how.get("more", ())])


def named(out, name):
    return [one for graph in t.allGraphs(out.graph) for one in graph.node if one.op_type == name]


def withDefinitions(folder, source, out, functions, feeds=FEEDS):
    """Both with the functions that the custom operators are: the same bits."""
    for which, name in ((source, "model.onnx"), (out, "out.onnx")):
        whole = onnx.ModelProto()
        whole.CopyFrom(which)
        whole.functions.extend(functions)
        onnx.save(whole, folder / ("defined_" + name))
    expectSameBits(folder / "defined_out.onnx", folder / "defined_model.onnx", feeds)


def folded(folder, source, functions=(), *flags, feeds=FEEDS):
    out = cleaned(folder, source, *flags, runs=False)
    withDefinitions(folder, source, out, functions, feeds)
    result = t.run("--quiet", "--verify", *flags, "-o", folder / "verified.onnx", folder / "model.onnx")
    # Operators that only `functions` define are unknown to --verify, which says so.
    assert result.code == (4 if functions else 0), result
    return out


def foldedUnknown(folder, source, functions, *flags, feeds=FEEDS):
    """`folded` for a model of which the checker could not infer types without the functions."""
    onnx.save(source, folder / "model.onnx")
    t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
    t.expectSameBytes(t.fold(folder / "out.onnx", folder / "again.onnx", *flags), folder / "out.onnx", "folded again")
    out = onnx.load(folder / "out.onnx")
    withDefinitions(folder, source, out, functions, feeds)
    onnx.checker.check_model(str(folder / "defined_out.onnx"), full_check=True)
    return out


def apart(one):
    """What a node says besides its name, inputs and outputs."""
    rest = onnx.NodeProto()
    rest.CopyFrom(one)
    for field in ("name", "input", "output"):
        rest.ClearField(field)
    return rest.SerializeToString()


def expectCopies(out, original, count):
    copies = named(out, original.op_type)
    assert len(copies) == count, f"copies of {original.op_type}"
    for one in copies:
        assert apart(one) == apart(original), f"what {one.name} says"
    return copies


def told(one):
    """With all that a node may say beside its attributes."""
    one.doc_string = "said about it"
    one.metadata_props.append(onnx.StringStringEntryProto(key="where", value="inside"))
    one.MergeFromString(bytes([0xFA, 0x3F, 3]) + b"odd")  # field 1023
    return one


# The custom operator of most cases, as a function.
SCALE = function(
    "Scale",
    ["p"],
    [refer(node("LeakyRelu", ["p"], ["l"]), alpha=("alpha", AttributeProto.FLOAT)), node("Add", ["l", "p"], ["b"])],
    attributes=["alpha"],
    domain="hidden",
)


def scale(given, made, alpha=0.25, **more):
    return node("Scale", [given], [made], name="scale", domain="hidden", alpha=alpha, **more)


def ownGraph(name="own"):
    """Reads `h` from outside; has an initializer, a value of an input, and what it says of itself."""
    graph = m.graph(
        [told(node("Add", ["input_ids", "h"], ["s"], name="sum")), node("Mul", ["s", "k"], ["logits"])],
        [info("input_ids", ("batch", "length")), info("rate", ())],
        [info("logits", ("batch", "length"))],
        [const("k", [1, 2, 3], np.float32), const("rate", np.array(0.5, np.float32))],
        name,
    )
    graph.doc_string = "a decoder"
    return graph


def expectGraph(got, source, read):
    """The graph as it was, but for what it reads as `h`. Order of fields is none."""
    expected = onnx.GraphProto()
    expected.CopyFrom(source)
    expected.node[0].input[1] = read
    for graph in (got, expected):
        tensors = sorted(graph.initializer, key=lambda tensor: tensor.name)
        values = [(tensor.name, tensor.data_type, list(tensor.dims), m.numpy_helper.to_array(tensor).tobytes()) for tensor in tensors]
        del graph.initializer[:]
        graph.doc_string += str(values)
    assert got.SerializeToString() == expected.SerializeToString(), "the graph"
