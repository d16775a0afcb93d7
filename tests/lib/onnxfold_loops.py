# SPDX-License-Identifier: Apache-2.0
"""Small models with loops, for tests of what is known of the values that go round."""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
X, M = info("x", ("N", 4)), info("M", (), I64)
FEEDS = [
    {"x": np.linspace(-1, 1, n * 4, dtype=np.float32).reshape(n, 4), "M": np.array(count)}
    for n in (0, 1, 5)
    for count in (0, 1, 3)
]
CONSTANTS = {
    "yes": np.array(True),
    "zero": np.array(0),
    "one": np.array(1),
    "two": np.array(2),
    "three": np.array(3),
    "half": np.float32(0.5),
    "ones": np.ones((1, 4), np.float32),
    "side": np.ones((4, 4), np.float32),
    "wide": np.ones((4, 8), np.float32),
    "axis": np.array([0]),
    "last": np.array([-1]),
    "target": np.array([-1, 2]),
    "vector": np.array([3, 7]),
}


def named(values):
    """Value infos of floats, without a shape."""
    return [info(one, None) for one in values]


def typed(name, kind, shape=None):
    return helper.make_tensor_value_info(name, kind, shape)


def bodyOf(nodes, carried, scans=(), arguments=None, condition="go", name="body", prefix="s"):
    """Arguments i, go, s0, s1 ...; `carried` and `scans` are names of what it gives (of floats), or value infos."""
    outputs = [one if isinstance(one, onnx.ValueInfoProto) else info(one, None) for one in (*carried, *scans)]
    if arguments is None:
        arguments = [typed(f"{prefix}{k}", outputs[k].type.tensor_type.elem_type) for k in range(len(carried))]
    again, number, go = (f"{name}_{one}" for one in ("again", "i", "go"))
    told = go if condition == "go" else condition
    return m.graph(
        [*nodes, node("Identity", [told], [again])],
        [info(number, (), I64), info(go, (), BOOL), *arguments],
        [info(again, (), BOOL), *outputs],
        name=name,
    )


def loop(body, start, outputs, count="M", condition="yes"):
    return node("Loop", [count, condition, *start], outputs, body=body)


def sizes(value, prefix, rank):
    """<prefix>r is the rank of a value, <prefix>0, <prefix>1 ... are its sizes."""
    numbers = ["zero", "one", "two"]
    return [
        node("Shape", [value], [f"{prefix}s"]),
        node("Size", [f"{prefix}s"], [f"{prefix}r"]),
        *[node("Gather", [f"{prefix}s", numbers[k]], [f"{prefix}{k}"]) for k in range(rank)],
    ]


def modelOf(nodes, outputs, inputs=(X, M), kind=I64, **more):
    """`outputs`: names of scalars, or name -> rank."""
    outputs = outputs if isinstance(outputs, dict) else dict.fromkeys(outputs, 0)
    given = [typed(name, kind, (None,) * rank) for name, rank in outputs.items()]
    model = m.model(nodes, inputs, given, **more)
    read = {name for graph in t.allGraphs(model.graph) for one in graph.node for name in one.input}
    model.graph.initializer.extend(const(name, value) for name, value in CONSTANTS.items() if name in read)
    return model


def check(folder, nodes, outputs, inputs=(X, M), flags=(), feeds=FEEDS, **more):
    """The folded graph, and which of the `outputs` are constants."""
    names = {one.name for one in inputs}
    feeds = [{name: value for name, value in feed.items() if name in names} for feed in feeds]
    out = cleaned(folder, modelOf(nodes, outputs, inputs, **more), *flags, feeds=feeds).graph
    return out, [name for name in outputs if m.constantValue(out, name) is not None]


def bodyAfter(graph, op="Loop"):
    one = next(each for each in graph.node if each.op_type == op)
    return next(each.g for each in one.attribute if each.name == "body")


def operators(graph):
    return [one.op_type for one in graph.node if one.op_type != "Constant"]


ALL = node("ReduceSum", ["seen"], ["all"], keepdims=0)  # of the first scan output
KEEPS = [node("Relu", ["s0"], ["p"]), node("Mul", ["p", "half"], ["n"])]
