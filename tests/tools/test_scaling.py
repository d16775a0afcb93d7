# SPDX-License-Identifier: Apache-2.0
"""Time grows linearly: models with eight times as much of one thing take at most twenty times the processor time.

Quadratic walks take sixty-four times. What the clock says depends on the machine; processor time of the tool less so.
Memory too: a node more, that folds or is kept, takes at most 1,000 bytes, and so does an initializer.
"""

import subprocess
import sys

import numpy as np
import pytest
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

SMALL, FACTOR, MOST = 1500, 8, 20
FLOOR = 0.02  # seconds: below, starting the program counts
CONDITION = helper.make_tensor_value_info("c", TensorProto.BOOL, [])


def chain(n):
    return m.model([node("Neg", [f"v{i}" if i else "x"], [f"v{i + 1}"]) for i in range(n)], [info("x")], [info(f"v{n}")])


def reversedChain(n):
    """Every node waits for the one after it in the file."""
    model = chain(n)
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def foldedChain(n):
    nodes = [node("Neg", [f"v{i}" if i else "w"], [f"v{i + 1}"]) for i in range(n)] + [node("Add", ["x", f"v{n}"], ["y"])]
    return m.model(nodes, [info("x")], [info("y")], [const("w", np.ones((2, 3), np.float32))])


def manyInputsOfANode(n):
    nodes = [node("Neg", ["x"], [f"v{i}"]) for i in range(n)] + [node("Sum", [f"v{i}" for i in range(n)], ["y"])]
    return m.model(nodes, [info("x")], [info("y")])


def manyGraphOutputs(n):
    return m.model([node("Neg", ["x"], [f"v{i}"]) for i in range(n)], [info("x")], [info(f"v{i}") for i in range(n)])


def manyInitializers(n):
    nodes = [node("Mul", [f"w{i}", "two"], [f"k{i}"]) for i in range(n)] + [node("Add", ["x", f"k{i}"], [f"y{i}"]) for i in range(n)]
    weights = [const(f"w{i}", np.full((2, 3), i, np.float32)) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"y{i}") for i in range(n)], [*weights, const("two", np.float32(2))])


def equalNewConstants(n):
    nodes = [node("Neg", ["w"], [f"k{i}"]) for i in range(n)] + [node("Add", ["x", f"k{i}"], [f"y{i}"]) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"y{i}") for i in range(n)], [const("w", np.ones((2, 3), np.float32))])


def copiesOfOne(n):
    nodes = [node("Identity", ["w"], [f"z{i}"]) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"z{i}", (6, 6)) for i in range(n)], [const("w", np.ones((6, 6), np.float32))])


def copiesOfCopies(n):
    """Each is given by the graph, so each is kept but the first."""
    nodes = [node("Identity", [f"z{i - 1}" if i else "w"], [f"z{i}"]) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"z{i}", (6, 6)) for i in range(n)], [const("w", np.ones((6, 6), np.float32))])


def quantisedWeights(n):
    """Nodes of constants only that are kept: they are alike but for their elements."""
    nodes = [node("DequantizeLinear", [f"q{i}", "s"], [f"w{i}"]) for i in range(n)]
    nodes += [node("Add", ["x", f"w{i}"], [f"y{i}"]) for i in range(n)]
    weights = [const(f"q{i}", [[i % 100, i // 100, 0], [0, 0, 0]], np.int8) for i in range(n)]
    return m.model(nodes, [info("x")], [info(f"y{i}") for i in range(n)], [*weights, const("s", np.float32(0.5))])


def manyBodies(n):
    def branch(operator):
        return helper.make_graph([node(operator, ["x"], ["p"])], "b", [], [info("p")])

    nodes = [node("If", ["c"], [f"z{i}"], then_branch=branch("Neg"), else_branch=branch("Abs")) for i in range(n)]
    return m.model(nodes, [info("x"), CONDITION], [info(f"z{i}") for i in range(n)])


def manyFunctions(n):
    model = m.model([node("Neg", ["x"], ["y"])], [info("x")], [info("y")], domains=[("l", 1)])
    body, imports = [node("Neg", ["a"], ["b"])], [helper.make_opsetid("", 21)]
    model.functions.extend(helper.make_function("l", f"F{i}", ["a"], ["b"], body, imports) for i in range(n))
    return model


def manyAnnotations(n):
    model = foldedChain(10)
    for i in range(n):
        model.metadata_props.add(key=f"k{i}", value="v")
        model.graph.value_info.append(info(f"u{i}"))
    return model


def processorTime(path, out, *flags):
    return t.runOk("--quiet", "--max-growth=unlimited", "--threads=1", *flags, "-o", out, path, apart=True).processorSeconds


def check(folder, build, *flags):
    """Of either model the faster of two runs counts. One run of the large model that is fast enough decides as two would."""
    paths = [folder / f"{build.__name__}-{count}.onnx" for count in (SMALL, SMALL * FACTOR)]
    for path, count in zip(paths, (SMALL, SMALL * FACTOR)):
        path.write_bytes(build(count).SerializeToString())
    small = min(processorTime(paths[0], folder / "out.onnx", *flags) for _ in range(2))
    most = MOST * max(small, FLOOR)
    large = processorTime(paths[1], folder / "out.onnx", *flags)
    if large > most:
        large = min(large, processorTime(paths[1], folder / "out.onnx", *flags))
    print(f"  {build.__name__}: {small:.3f} s and {large:.3f} s", flush=True)
    assert large <= most, (
        f"{FACTOR} times as much takes {MOST * large / most:.1f} times as long ({small:.3f} s, {large:.3f} s)"
    )


GRAPHS = (
    *(chain, reversedChain, foldedChain, manyInputsOfANode, manyGraphOutputs, manyInitializers, equalNewConstants),
    *(copiesOfOne, copiesOfCopies, quantisedWeights, manyBodies, manyFunctions, manyAnnotations),
)


@pytest.mark.parametrize("build", GRAPHS)
def test_time(build, folder):
    check(folder, build)


# ---- clean-ups: a chain of each kind

I64, F32 = TensorProto.INT64, TensorProto.FLOAT


def unary(operator, **attributes):
    return lambda i, last: ([node(operator, [last], [f"v{i}"], **attributes)], f"v{i}")


def binary(operator, *constants, **attributes):
    return lambda i, last: ([node(operator, [last, *constants], [f"v{i}"], **attributes)], f"v{i}")


def inTurn(*makers):
    return lambda i, last: makers[i % len(makers)](i, last)


def concatOfAll(i, last):
    return [node("Concat", [last, "x"], [f"v{i}"], axis=0)], f"v{i}"


def sameBranches(i, last):
    return [node("Where", ["where", last, last], [f"v{i}"])], f"v{i}"


def equalNodes(i, last):
    return [node("Exp", [last], [f"a{i}"]), node("Exp", [last], [f"b{i}"]), node("Max", [f"a{i}", f"b{i}"], [f"v{i}"])], f"v{i}"


def unusedChain(i, last):
    return [node("Exp", [f"u{i - 1}" if i else "x"], [f"u{i}"])], last


def shapeOfEach(i, last):
    return [node("Shape", [last], [f"s{i}"]), node("Reshape", [last, f"s{i}"], [f"v{i}"])], f"v{i}"


def product(i, last):
    return [node("MatMul", [last, "w"], [f"m{i}"]), node("Add", [f"m{i}", "b"], [f"v{i}"])], f"v{i}"


def constantBranch(i, last, condition="t"):
    """An If with copies in its branch, and another copy as an output of the graph: names have to be unique each time."""
    taken = [node("Identity", [last], [f"p{i}"]), node("Relu", [f"p{i}"], [f"q{i}"]), node("Identity", [f"q{i}"], [f"o{i}"])]
    branches = [m.graph(nodes, [], [info(name, ("n", 3))], name=name) for nodes, name in
                ((taken, f"o{i}"), ([node("Neg", [last], [f"e{i}"])], f"e{i}"))]
    return [node("If", [condition], [f"v{i}"], then_branch=branches[0], else_branch=branches[1]),
            node("Identity", [f"v{i}"], [f"out{i}"])], f"v{i}"


def otherBranch(i, last):
    return constantBranch(i, last, "c")


def functionOfEach(i, last):
    """A call of a function of its own, whose body takes its place: all bodies have the same names."""
    return [node(f"F{i}", [last, "b"], [f"v{i}"], domain="own")], f"v{i}"


def constantCall(i, last):
    """A call of a function of its own that passes constants: it folds."""
    return [node(f"C{i}", ["w", "b"], [f"c{i}"], domain="own"), node("Max", [last, f"c{i}"], [f"v{i}"])], f"v{i}"


def branchesOf(value, operator, i=0, inner=None):
    """The branches of an If; a constant in one is another one for each `i`."""
    names = [f"{value}_{operator}{kind}" for kind in "kte"]
    then = [node(operator, ["x", names[0]], [names[1]])]
    if inner:
        then = [node(operator, ["x", names[0]], [names[1] + "_"]), node("If", [inner["condition"]], [names[1]], **inner["branches"])]
    graphs = [m.graph(nodes, [], [info(name, ("n", 3))], constants, name=name) for nodes, name, constants in (
        (then, names[1], [const(names[0], np.float32(i))]), ([node("Neg", ["x"], [names[2]])], names[2], []))]  # fmt: skip
    return {"then_branch": graphs[0], "else_branch": graphs[1]}


def maxOf(last, values, i):
    return node("Max", [last, *values], [f"v{i}"])


def equalBranches(i, last):
    """Each reads what no other one reads but its twin."""
    nodes = [node("If", ["c"], [f"{name}{i}"], **branchesOf(f"{name}{i}", "Mul")) for name in "ab"]
    for one in nodes:
        one.attribute[1].g.node[0].input[0] = last
    return [*nodes, maxOf(last, [f"a{i}", f"b{i}"], i)], f"v{i}"


def sameBranchesOfAll(i, last):
    return [node("If", ["c"], [f"a{i}"], **branchesOf(f"a{i}", "Mul")), maxOf(last, [f"a{i}"], i)], f"v{i}"


def differentBranches(i, last):
    """They look alike from outside."""
    return [node("If", ["c"], [f"a{i}"], **branchesOf(f"a{i}", "Mul", i)), maxOf(last, [f"a{i}"], i)], f"v{i}"


def nestedBranches(number):
    """Twelve in each other, two of each, as many in all as there are others; innermost the constant `number(name, i)`."""

    def made(i, last):
        depth = 12
        if i % depth:
            return [], last
        nodes = []
        for name in "ab":
            branches = None
            for level in range(depth):
                inner = branches and {"condition": "c", "branches": branches}
                branches = branchesOf(f"{name}{i}_{level}", "Mul", 0 if branches else number(name, i), inner)
            nodes.append(node("If", ["c"], [f"{name}{i}"], **branches))
        return [*nodes, maxOf(last, [f"a{i}", f"b{i}"], i)], f"v{i}"

    return made


def equalCalls(i, last):
    return [node("F", [last, "b"], [f"{name}{i}"], domain="own") for name in "ab"] + [maxOf(last, [f"a{i}", f"b{i}"], i)], f"v{i}"


def differentCrops(i, last):
    """Of a constant of its own each: none is known from another."""
    return [node("Constant", [], [f"s{i}"], value_ints=[4 + i]), node("CenterCropPad", [last, f"s{i}"], [f"v{i}"], axes=[1])], f"v{i}"


def callsOfSizes(i, last):
    """Calls that give a size, of what is known and of what is not."""
    return [node("G", [last], [f"s{i}"], domain="own"), node("Expand", [last, f"s{i}"], [f"v{i}"])], f"v{i}"


def functionsOf(nodes):
    body, imports = [node("Neg", ["k"], ["m"]), node("Add", ["a", "m"], ["b"])], [helper.make_opsetid("", 21)]
    names = dict.fromkeys(one.op_type for one in nodes if one.domain)
    size = helper.make_function("own", "G", ["a"], ["b"], [node("Shape", ["a"], ["b"], start=1)], imports)
    return [size if name == "G" else helper.make_function("own", name, ["a", "k"], ["b"], body, imports) for name in names]


KINDS = {
    "functions": (functionOfEach, F32),
    "constant_calls": (constantCall, F32),
    "identities": (unary("Identity"), F32),
    "dropouts": (unary("Dropout"), F32),
    "relus": (unary("Relu"), F32),
    "negations": (unary("Neg"), F32),
    "same_casts": (unary("Cast", to=F32), F32),
    "cast_pairs": (inTurn(unary("Cast", to=TensorProto.DOUBLE), unary("Cast", to=F32)), F32),
    "lossy_casts": (inTurn(unary("Cast", to=TensorProto.FLOAT16), unary("Cast", to=F32)), F32),
    "transposes": (unary("Transpose", perm=[1, 0]), F32),
    "reshapes": (inTurn(binary("Reshape", "flat"), binary("Reshape", "rows")), F32),
    "unsqueezes": (inTurn(binary("Unsqueeze", "zero"), binary("Squeeze", "zero")), F32),
    "flattens": (unary("Flatten", axis=1), F32),
    "whole_slices": (binary("Slice", "zero", "huge"), F32),
    "slices": (binary("Slice", "one", "huge"), F32),
    "pads": (binary("Pad", "four"), F32),
    "tiles": (binary("Tile", "ones"), F32),
    "expands": (binary("Expand", "ones"), F32),
    "splits": (unary("Split", axis=0, num_outputs=1), F32),
    "concats_of_one": (unary("Concat", axis=0), F32),
    "concats": (concatOfAll, F32),
    "products_with_one": (binary("Mul", "unit"), F32),
    "sums_of_floats": (binary("Add", "unit"), F32),
    "sums_of_integers": (binary("Add", "one"), I64),
    "sums_with_zero": (binary("Add", "zero"), I64),
    "same_branches": (sameBranches, F32),
    "equal_nodes": (equalNodes, F32),
    "unused_nodes": (unusedChain, F32),
    "shapes": (shapeOfEach, F32),
    "matrix_products": (product, F32),
    "constant_branches": (inTurn(constantBranch, otherBranch), F32),
    "outputs_of_one_value": (constantBranch, F32),
    "equal_branches": (equalBranches, F32),
    "branches_that_are_all_equal": (sameBranchesOfAll, F32),
    "different_branches": (differentBranches, F32),
    "equal_nested_branches": (nestedBranches(lambda name, i: 0), F32),
    "different_nested_branches": (nestedBranches(lambda name, i: (name == "b") + 2 * i), F32),
    "equal_calls": (equalCalls, F32),
    "calls_of_sizes": (callsOfSizes, F32),
    "norms": (binary("LayerNormalization", "b"), F32),
    "crops": (inTurn(binary("CenterCropPad", "five", axes=[1]), unary("Exp"), binary("CenterCropPad", "three", axes=[1])), F32),
    "different_crops": (differentCrops, F32),
    "mixed": (inTurn(unary("Relu"), unary("Identity"), unary("Exp"), binary("Reshape", "flat"), binary("Reshape", "rows"),
                     unary("Transpose", perm=[1, 0]), unary("Transpose", perm=[1, 0])), F32),
}  # fmt: skip
CONSTANTS = {
    "zero": np.int64([0]), "one": np.int64([1]), "huge": np.int64([2**62]), "four": np.zeros(4, np.int64),
    "ones": np.ones(2, np.int64), "flat": np.int64([-1]), "rows": np.int64([-1, 3]), "unit": np.float32(1),
    "three": np.int64([3]), "five": np.int64([5]), "where": np.array([True, False, True]), "w": np.eye(3, dtype=np.float32), "b": np.ones(3, np.float32), "t": np.bool_(True),
}  # fmt: skip


def ofKind(kind):
    maker, type_ = KINDS[kind]

    def build(n):
        nodes, last = [], "x"
        for i in range(n):
            made, last = maker(i, last)
            nodes += made
        outputs = [info(name, None, type_) for one in nodes for name in one.output if name.startswith("out")]
        # Rows enough for a slice of each.
        inputs = [info("x", (1_000_000, 3), type_), CONDITION]
        nodes.append(node("Identity", [last], ["y"]))
        constants = [const(k, v) for k, v in CONSTANTS.items()]
        more = {"domains": [("own", 1)], "functions": functionsOf(nodes)}
        return m.model(nodes, inputs, [info("y", None, type_), *outputs], constants, **more)

    build.__name__ = kind
    return build


@pytest.mark.parametrize("kind", KINDS)
def test_time_of_clean_up(kind, folder):
    check(folder, ofKind(kind), "-O2")


# ---- memory

FEW, MANY = 20_000, 80_000
BYTES = 1000  # for a node, and for an initializer
STAGE = ("Shape", "Gather", "Mul", "Div", "Unsqueeze", "Concat", "Reshape", "Relu")


def foldedSums(n):
    """The result of each is read by the next and the one after it: no program of all of them."""
    names = ["w", "w"] + [f"v{i}" for i in range(n)]
    nodes = [node("Add", names[i : i + 2], [names[i + 2]]) for i in range(n)] + [node("Add", ["x", names[-1]], ["y"])]
    return m.model(nodes, [info("x")], [info("y")], [const("w", np.ones((2, 3), np.float32))])


def shapeArithmetic(n):
    """What exporters write before each Reshape, with names as long as theirs."""
    initializers = [const("i1", np.int64(1)), const("zero", [0], np.int64), const("two", [2], np.int64)]
    nodes, value = [], "x"
    for layer in range(n // len(STAGE)):
        shape, width, double, half, wide, target, out, end = (f"/layers.{layer}/attention/{name}_output_0" for name in STAGE)
        nodes += [
            node("Shape", [value], [shape]),
            node("Gather", [shape, "i1"], [width]),
            node("Mul", [width, "i1"], [double]),
            node("Div", [double, "i1"], [half]),
            node("Unsqueeze", [half, "zero"], [wide]),
            node("Concat", ["two", wide], [target], axis=0),
            node("Reshape", [value, target], [out]),
            node("Relu", [out], [end]),
        ]
        value = end
    for one in nodes:
        one.name = one.output[0].removesuffix("_output_0")
    return m.model(nodes, [info("x", (2, 3))], [info(value, (2, 3))], initializers)


# The peak of a process begins with that of the process that starts it, so that one is small.
PEAK = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peakOf(path, out, *flags):
    """Bytes at the most, as the kernel counts them: with a report of all nodes they would take their share."""
    command = [str(t.TOOL), "--quiet", "--max-growth=unlimited", "-o", str(out), str(path), *flags]
    done = subprocess.run([sys.executable, "-IS", "-c", PEAK, *command], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, f"exit status for {path.name}"
    return int(done.stdout.splitlines()[-1]) << 10


def checkMemory(folder, build, bytesEach, *flags):
    peaks = []
    for count in (FEW, MANY):
        path = folder / f"{build.__name__}-{count}.onnx"
        path.write_bytes(build(count).SerializeToString())
        peaks.append(peakOf(path, folder / "out.onnx", *flags))
    each = (peaks[1] - peaks[0]) / (MANY - FEW)
    print(f"  {build.__name__}: {each:.0f} bytes each, {peaks[1] / 1e6:.1f} MB", flush=True)
    assert each <= bytesEach, f"one more takes {each:.0f} bytes, at most {bytesEach} expected"


LIMITS = [(chain, BYTES), (foldedChain, BYTES), (foldedSums, BYTES), (shapeArithmetic, BYTES), (manyInitializers, 3 * BYTES)]


@pytest.mark.parametrize("build, limit", LIMITS)
def test_memory(build, limit, folder):
    checkMemory(folder, build, limit)


def test_memory_of_a_report(folder):
    """Its text, 250 bytes a node, was made in memory before it was written, which took 700 bytes more."""
    checkMemory(folder, shapeArithmetic, 1.4 * BYTES, f"--report=json:{folder / 'report.json'}")
