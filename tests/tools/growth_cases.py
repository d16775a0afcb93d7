# SPDX-License-Identifier: Apache-2.0
"""Models of `n` of one thing each, for tests of how time and memory grow (test_growth.py)."""

import itertools

import numpy as np
import onnx.printer
from google.protobuf import json_format, text_format
from onnx import TensorProto, helper

import onnxfold_models as m
import test_depth as depth
import test_scaling as scaling
from onnxfold_models import const, info, node

ONES = np.ones((2, 3), np.float32)
I64, TEXT = TensorProto.INT64, TensorProto.STRING
CONDITION = helper.make_tensor_value_info("c", TensorProto.BOOL, [])


def simple(nodes, initializers=(), outputs=("y",), inputs=(), **more):
    return m.model(nodes, [info("x"), *inputs], [info(name, None) for name in outputs], initializers, **more)


def readsAll(names):
    return node("Sum", [*names], ["y"])


# ---- nodes


def star(n):
    """One folded value is read by all."""
    nodes = [node("Neg", ["w"], ["k"])] + [node("Mul", ["x", "k"], [f"v{i}"]) for i in range(n)]
    return simple([*nodes, readsAll(f"v{i}" for i in range(n))], [const("w", ONES)])


def foldedStar(n):
    nodes = [node("Neg", [f"w{i}"], [f"v{i}"]) for i in range(n)] + [node("Sum", [f"v{i}" for i in range(n)], ["k"])]
    return simple([*nodes, node("Add", ["x", "k"], ["y"])], [const(f"w{i}", ONES + i) for i in range(n)])


def tree(n):
    """Of sums of two, over one input."""
    nodes, level, names = [node("Exp", ["x"], [f"l{i}"]) for i in range(n)], [f"l{i}" for i in range(n)], itertools.count()
    while len(level) > 1:
        made = [f"t{next(names)}" for _ in range(len(level) // 2)]
        nodes += [node("Add", level[2 * i : 2 * i + 2], [name]) for i, name in enumerate(made)]
        level = made + level[2 * len(made) :]
    return simple([*nodes, node("Neg", level, ["y"])])


def diamonds(n):
    """Each is read twice: as many paths as 2 to the power of n."""
    return simple([node("Add", [f"v{i}" if i else "x"] * 2, [f"v{i + 1}"]) for i in range(n)], outputs=[f"v{n}"])


def foldedDiamonds(n):
    nodes = [node("Max", [f"v{i}" if i else "w"] * 2, [f"v{i + 1}"]) for i in range(n)]
    return simple([*nodes, node("Add", ["x", f"v{n}"], ["y"])], [const("w", ONES)])


def unusedNodes(n):
    return simple([node("Neg", ["x"], ["y"])] + [node("Exp", ["x"], [f"u{i}"]) for i in range(n)])


def unknownNodes(n):
    nodes = [node("Frobnicate", [f"v{i}" if i else "x"], [f"v{i + 1}"], domain="acme", size=i) for i in range(n)]
    return simple(nodes, outputs=[f"v{n}"], domains=[("acme", 1)])


def shapesOfLayers(n):
    return scaling.shapeArithmetic(8 * max(1, n // 8))


# ---- initializers


def unusedInitializers(n):
    return simple([node("Neg", ["x"], ["y"])], [const(f"w{i}", ONES + i) for i in range(n)])


def equalInitializers(n):
    nodes = [node("Add", ["x", f"w{i}"], [f"v{i}"]) for i in range(n)]
    return simple([*nodes, readsAll(f"v{i}" for i in range(n))], [const(f"w{i}", ONES) for i in range(n)])


def overridable(n):
    """Inputs with a default: none is a constant."""
    nodes = [node("Neg", [f"w{i}"], [f"v{i}"]) for i in range(n)] + [readsAll(f"v{i}" for i in range(n))]
    return simple(nodes, [const(f"w{i}", ONES) for i in range(n)], inputs=[info(f"w{i}") for i in range(n)])


def typedData(n):
    """One tensor of n numbers in float_data, which is a field of its own for each."""
    weight = helper.make_tensor("w", TensorProto.FLOAT, [n], np.arange(n, dtype=np.float32))
    return simple([node("Exp", ["w"], ["e"]), node("Neg", ["e"], ["y"])], [weight])


def constantNodes(n):
    nodes = [node("Constant", [], [f"k{i}"], value_floats=[i, 1.0, 2.0]) for i in range(n)]
    return simple([*nodes, *(node("Add", ["x", f"k{i}"], [f"v{i}"]) for i in range(n)), readsAll(f"v{i}" for i in range(n))])


# ---- names


def longName(n):
    """One name of 20 n bytes, read by ten nodes."""
    name = "n" * 20 * n
    return simple([node("Neg", ["x"], [name])] + [node("Add", ["x", name], [f"y{i}"]) for i in range(10)],
                  outputs=[f"y{i}" for i in range(10)])  # fmt: skip


def takenNames(n):
    """What the tool would call a new value is there already."""
    nodes = [node("Identity", ["x"], [f"y_{i}"]) for i in range(n)] + [node("Identity", [f"y_{i}"], [f"z{i}"]) for i in range(n)]
    return simple(nodes, outputs=[name for i in range(n) for name in (f"y_{i}", f"z{i}")])


def equalNodeNames(n):
    model = scaling.foldedChain(n)
    for one in model.graph.node:
        one.name = "same"
    return model


# ---- attributes and strings


def manyAttributes(n):
    return simple([node("Frobnicate", ["x"], ["y"], domain="acme", **{f"a{i}": i for i in range(n)})], domains=[("acme", 1)])


def longAttribute(n):
    return simple([node("Frobnicate", ["x"], ["y"], domain="acme", ints=list(range(n)), strings=["s"] * n)], domains=[("acme", 1)])


def strings(n):
    words = np.array([f"word {i}" for i in range(n)], object)
    nodes = [node("StringConcat", ["s", "s"], ["k"]), node("StringNormalizer", ["k"], ["u"], case_change_action="UPPER"),
             node("Identity", ["u"], ["y"])]  # fmt: skip
    return m.model(nodes, [], [info("y", None, TEXT)], [const("s", words)])


def longString(n):
    nodes = [node("StringConcat", ["s", "s"], ["k"]), node("Identity", ["k"], ["y"])]
    return m.model(nodes, [], [info("y", None, TEXT)], [const("s", np.array(["s" * 20 * n], object))])


def documentation(n):
    model = scaling.foldedChain(n)
    for one in model.graph.node:
        one.doc_string = "what it is for"
        one.metadata_props.add(key="k", value="v")
    return model


# ---- functions


def calledFunctions(n):
    return scaling.ofKind("functions")(n)


def constantCalls(n):
    return scaling.ofKind("constant_calls")(n)


def callsOfOne(n):
    nodes = [node("F", [f"v{i}" if i else "x"], [f"v{i + 1}"], domain="l") for i in range(n)]
    return withFunctions(nodes, f"v{n}", [("F", [node("Exp", ["a"], ["e"]), node("Neg", ["e"], ["b"])])])


def longFunction(n):
    body = [node("Neg", [f"v{i}" if i else "a"], [f"v{i + 1}" if i + 1 < n else "b"]) for i in range(n)]
    return withFunctions([node("F", ["x"], ["y"], domain="l")], "y", [("F", body)])


def functionsInEachOther(n):
    functions = [(f"F{i}", [node("Exp", ["a"], ["e"]), node(f"F{i + 1}", ["e"], ["b"], domain="l")]) for i in range(n)]
    return withFunctions([node("F0", ["x"], ["y"], domain="l")], "y", [*functions, (f"F{n}", [node("Neg", ["a"], ["b"])])])


def functionsThatPassConstants(n):
    """Each makes another constant of the one that it is passed."""
    functions = [depth.passing(i, i == n - 1) for i in range(n)]
    return simple([node("F0", ["x", "k"], ["y"], domain="f")], [const("k", 1, np.float32)], domains=[("f", 1)], functions=functions)


def withFunctions(nodes, output, functions):
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("l", 1)]
    made = [helper.make_function("l", name, ["a"], ["b"], body, imports) for name, body in functions]
    return simple(nodes, outputs=[output], domains=[("l", 1)], functions=made)


# ---- bodies


def branches(operators, value, more=()):
    return {f"{kind}_branch": m.graph([*more, node(operator, ["x"], [f"{value}{kind}"])], [], [info(f"{value}{kind}")], name=kind)
            for kind, operator in zip(("then", "else"), operators)}  # fmt: skip


def longBody(n):
    body = [node("Exp", ["x" if i == 0 else f"v{i}"], [f"v{i + 1}"]) for i in range(n)]
    both = {f"{kind}_branch": m.graph([*body[i:], node("Neg", [f"v{n}"], ["p"])] if i == 0 else [node("Neg", ["x"], ["p"])],
                                      [], [info("p")]) for i, kind in enumerate(("then", "else"))}  # fmt: skip
    return simple([node("If", ["c"], ["y"], **both)], inputs=[CONDITION])


def bodyOfOuterValues(n):
    nodes = [node("Exp", ["x"], [f"v{i}"]) for i in range(n)]
    then = m.graph([node("Sum", [f"v{i}" for i in range(n)], ["p"])], [], [info("p")])
    other = m.graph([node("Neg", ["x"], ["q"])], [], [info("q")])
    return simple([*nodes, node("If", ["c"], ["y"], then_branch=then, else_branch=other)], inputs=[CONDITION])


def constantBranches(n):
    return scaling.ofKind("constant_branches")(n)


def loop(body, count, values):
    """A Loop of `count` rounds with the carried `values`, {name: initial value}; `body` gives name + "2"."""
    inputs = [helper.make_tensor_value_info("i", I64, []), helper.make_tensor_value_info("go", TensorProto.BOOL, []),
              *(info(name) for name in values)]  # fmt: skip
    outputs = [helper.make_tensor_value_info("go2", TensorProto.BOOL, []), *(info(name + "2") for name in values)]
    graph = m.graph([node("Identity", ["go"], ["go2"]), *body], inputs, outputs, name="body")
    return node("Loop", [count, "", *values.values()], [f"{name}_end" for name in values], body=graph)


def roundsOfALoop(n):
    nodes = [loop([node("Add", ["v", "w"], ["v2"])], "n", {"v": "w"}), node("Add", ["x", "v_end"], ["y"])]
    return simple(nodes, [const("w", ONES), const("n", np.int64(n))])


def carriedValues(n):
    names = [f"v{i}_" for i in range(n)]
    body = [node("Exp", [name], [name + "2"]) for name in names]
    nodes = [loop(body, "n", dict.fromkeys(names, "x")), readsAll(f"{name}_end" for name in names)]
    return simple(nodes, inputs=[helper.make_tensor_value_info("n", I64, [])])


def stepsOfAScan(n):
    body = m.graph([node("Add", ["s", "r"], ["s2"]), node("Neg", ["s2"], ["o"])], [info("s", (3,)), info("r", (3,))],
                   [info("s2", (3,)), info("o", (3,))])  # fmt: skip
    nodes = [node("Scan", ["b", "rows"], ["end", "all"], body=body, num_scan_inputs=1), node("Add", ["x", "end"], ["y"])]
    return simple(nodes, [const("b", ONES[0]), const("rows", np.ones((n, 3), np.float32))])


# ---- sequences


def longSequence(n):
    nodes = [node("SequenceConstruct", [f"v{i}" for i in range(n)], ["s"]), node("ConcatFromSequence", ["s"], ["y"], axis=0)]
    return simple([*(node("Exp", ["x"], [f"v{i}"]) for i in range(n)), *nodes])


def constantSequence(n):
    nodes = [node("SplitToSequence", ["w"], ["s"], axis=0), node("ConcatFromSequence", ["s"], ["k"], axis=0), node("Neg", ["k"], ["y"])]
    return simple(nodes, [const("w", np.ones((n, 3), np.float32))])


def constantInsertions(n):
    nodes = [node("SequenceInsert", [f"s{i}" if i else "s", "w"], [f"s{i + 1}"]) for i in range(n)]
    nodes = [node("SequenceEmpty", [], ["s"]), *nodes, node("SequenceLength", [f"s{n}"], ["y"])]
    return m.model(nodes, [], [info("y", None, I64)], [const("w", ONES)])


def insertions(n):
    """Into a list that is no constant."""
    nodes = [node("SequenceConstruct", ["x"], ["s0"])]
    nodes += [node("SequenceInsert", [f"s{i}", "x"], [f"s{i + 1}"]) for i in range(n)]
    return simple([*nodes, node("ConcatFromSequence", [f"s{n}"], ["y"], axis=0)])


# ---- symbols


def manySymbols(n):
    inputs = [info(f"x{i}", (f"s{i}", 3)) for i in range(n)]
    nodes = [node("Shape", [f"x{i}"], [f"v{i}"]) for i in range(n)] + [node("Concat", [f"v{i}" for i in range(n)], ["y"], axis=0)]
    return m.model(nodes, inputs, [info("y", None, I64)])


def sumsOfSymbols(n):
    """Sizes s, 2 s, ..., n s."""
    nodes = [node("Concat", [f"v{i}" if i else "x", "x"], [f"v{i + 1}"], axis=0) for i in range(n)]
    return m.model([*nodes, node("Shape", [f"v{n}"], ["y"])], [info("x", ("s", 3))], [info("y", None, I64)])


def equalSymbols(n):
    """All of one size, because their sum is taken."""
    inputs = [info(f"x{i}", (f"s{i}", 3)) for i in range(n)]
    nodes = [node("Add", [f"v{i}" if i else "x0", f"x{i}"], [f"v{i + 1}"]) for i in range(n)]
    return m.model([*nodes, node("Shape", [f"v{n}"], ["y"])], inputs, [info("y", None, I64)])


# ---- text forms of a model


def asJson(n):
    return json_format.MessageToJson(scaling.foldedChain(n)).encode()


def asProtobufText(n):
    return text_format.MessageToString(scaling.foldedChain(n)).encode()


def asOnnxText(n):
    return onnx.printer.to_text(scaling.chain(n)).encode()


CASES = (
    *(scaling.chain, scaling.reversedChain, scaling.foldedChain, scaling.manyInputsOfANode, scaling.manyGraphOutputs),
    *(star, foldedStar, tree, diamonds, foldedDiamonds, unusedNodes, unknownNodes, shapesOfLayers),
    *(scaling.manyInitializers, scaling.equalNewConstants, scaling.quantisedWeights, unusedInitializers, equalInitializers),
    *(overridable, typedData, constantNodes, longName, takenNames, equalNodeNames, scaling.manyAnnotations, documentation),
    *(manyAttributes, longAttribute, strings, longString),
    *(scaling.manyFunctions, calledFunctions, constantCalls, callsOfOne, longFunction),
    *(functionsInEachOther, functionsThatPassConstants),
    *(scaling.manyBodies, longBody, bodyOfOuterValues, constantBranches, roundsOfALoop, carriedValues, stepsOfAScan),
    *(longSequence, constantSequence, constantInsertions, insertions, manySymbols, sumsOfSymbols, equalSymbols, asJson, asProtobufText, asOnnxText),
)


def bytesOf(case, n):
    made = case(n)
    return made if isinstance(made, bytes) else made.SerializeToString(deterministic=True)
