# SPDX-License-Identifier: Apache-2.0
"""Constants stand in the file once: what only copies one is not stored beside it, and one that nobody reads is not stored."""

import itertools

import numpy as np
import pytest
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

W = np.arange(6, dtype=np.float32).reshape(2, 3)
OUTPUTS = [info("y"), info("p", (3, 3))]
COPIES = {
    "identity": [node("Identity", ["w"], ["z"])],
    "two_identities": [node("Identity", ["w"], ["z0"]), node("Identity", ["z0"], ["z"])],
    "same_shape": [node("Reshape", ["w", "shape"], ["z"])],
    "same_type": [node("Cast", ["w"], ["z"], to=TensorProto.FLOAT)],
    "dropout": [node("Dropout", ["w"], ["z"])],
    "whole_slice": [node("Slice", ["w", "zero", "huge"], ["z"])],
}


def shared(copies, weight=W):
    """y = x + a copy of w; w is read itself too."""
    rows, columns = weight.shape
    square = [const("v", np.ones((rows, columns), np.float32)), const("shape", weight.shape, np.int64)]
    more = [const("zero", [0], np.int64), const("huge", [2**40], np.int64)]
    nodes = [*copies, node("Add", ["x", "z"], ["y"]), node("Mul", ["x", "w"], ["p"])]
    outputs = [info("y", weight.shape), info("p", weight.shape)]
    return m.model(nodes, [info("x", weight.shape)], outputs, [const("w", weight), *square, *more])


def initializers(model):
    return sorted(one.name for one in model.graph.initializer)


@pytest.mark.parametrize("kind", COPIES)
def test_copy_by(kind, folder):
    """It was folded: the file held w twice, under two names."""
    out = m.folded(folder, shared(COPIES[kind]))
    assert (m.operators(out), initializers(out)) == (["Add", "Mul"], ["w"]), "operators and initializers"


def test_a_large_one(folder):
    """The growth budget left the Identity in the graph, as a copy of 4 MB would not have fitted."""
    weight = np.random.default_rng(1).standard_normal((1024, 1024), np.float32)
    out = m.folded(folder, shared(COPIES["identity"], weight))
    assert (m.operators(out), initializers(out)) == (["Add", "Mul"], ["w"]), "operators and initializers"


def test_the_only_reader_gives_its_name(folder):
    """What was read by the copy alone is stored under the name of the copy: no reader changes."""
    nodes = [node("Identity", ["w"], ["z"]), node("Add", ["x", "z"], ["y"])]
    out = m.folded(folder, m.model(nodes, [info("x")], [info("y")], [const("w", W)]))
    assert (m.operators(out), initializers(out)) == (["Add"], ["z"]), "operators and initializers"


BIG = np.arange(4096, dtype=np.float32).reshape(64, 64)
SQUARE = BIG.shape


def outputCopies(copies, *names, weight=BIG, more=(), **keywords):
    """y = x * w, and the graph also gives w under `names`, by `copies`."""
    outputs = [info("y", SQUARE), *(info(name, SQUARE) for name in names)]
    nodes = [*copies, node("Mul", ["x", "w"], ["y"])]
    return m.model(nodes, [info("x", SQUARE)], outputs, [const("w", weight), *more], **keywords)


def reasons(folder, source, *flags):
    """What the report says of the Identity nodes: {output: (action, code)}."""
    onnx.save(source, folder / "reported.onnx")
    report = t.foldWithReport(folder / "reported.onnx", folder / "reported.out.onnx", *flags)
    found = [one for one in report["nodes"] if one["op"] == "Identity"]
    return {one["outputs"][0]: (one["action"], one["reason"]["code"]) for one in found}


STAYS = ("kept", "constant")


def test_an_output_of_the_graph_gives_its_name(folder):
    """The file held the weight twice: as the output, and as what the other node reads."""
    source = outputCopies([node("Identity", ["w"], ["z"])], "z")
    source.graph.initializer[0].doc_string = "what else is said of it is kept"
    out = m.folded(folder, source)
    assert (m.operators(out), initializers(out)) == (["Mul"], ["z"]), "operators and initializers"
    assert list(out.graph.node[0].input) == ["x", "z"], "what the other reader reads"
    expected = onnx.TensorProto()
    expected.CopyFrom(source.graph.initializer[0])
    expected.name = "z"
    assert out.graph.initializer[0].SerializeToString() == expected.SerializeToString(), "the tensor"
    assert reasons(folder, source) == {"z": ("removed", "none")}, "the report"


def test_an_output_that_others_than_identity_give(folder):
    """So with what else gives a constant as it is; also through an Identity, and where a Constant node states it."""
    shape = const("shape", SQUARE, np.int64)
    for copies in (
        [node("Reshape", ["w", "shape"], ["z"])],
        [node("Identity", ["w"], ["v"]), node("Cast", ["v"], ["z"], to=TensorProto.FLOAT)],
    ):
        out = m.folded(folder, outputCopies(copies, "z", more=[shape]))
        assert (m.operators(out), initializers(out)) == (["Mul"], ["z"]), "operators and initializers"
    source = outputCopies([node("Constant", [], ["w"], name="k", value=const("", BIG)), node("Identity", ["w"], ["z"])], "z")
    del source.graph.initializer[:]
    out = m.folded(folder, source)
    assert [(one.op_type, one.name, *one.output) for one in out.graph.node] == [
        ("Constant", "k", "z"),
        ("Mul", "", "y"),
    ], "nodes"


def test_an_output_that_copies_what_folds(folder):
    """t is computed once and stored once, although another node reads it too."""
    copies = [node("Neg", ["c"], ["w"]), node("Identity", ["w"], ["z"])]
    source = outputCopies(copies, "z", more=[const("c", BIG)])
    del source.graph.initializer[0]
    out = m.folded(folder, source)
    assert (m.operators(out), initializers(out)) == (["Mul"], ["z"]), "operators and initializers"


def test_two_outputs_that_copy_one(folder):
    """One gets the weight, the other is kept, whatever may grow; a small one is stored twice."""
    source = outputCopies([node("Identity", ["w"], ["z"]), node("Identity", ["w"], ["v"])], "z", "v")
    for flags in ([], ["--max-growth=unlimited"]):
        out = m.folded(folder, source, *flags)
        assert (m.operators(out), initializers(out)) == (["Identity", "Mul"], ["z"]), "operators and initializers"
        assert (list(out.graph.node[0].input), list(out.graph.node[0].output)) == (["z"], ["v"]), "the Identity"
    assert reasons(folder, source) == {"z": ("removed", "none"), "v": ("changed", "constant")}, "the report"
    small = m.model(
        [node("Identity", ["w"], ["z"]), node("Identity", ["w"], ["v"])], [info("x")], [info("z"), info("v")], [const("w", W)]
    )
    assert m.operators(m.folded(folder, small)) == [], "operators beside a small weight"


def test_an_output_that_copies_an_output(folder):
    source = outputCopies([node("Identity", ["w"], ["z"])], "z", "w")
    out = m.folded(folder, source)
    assert (m.operators(out), initializers(out)) == (["Identity", "Mul"], ["w"]), "operators and initializers"
    assert reasons(folder, source) == {"z": STAYS}, "the report"


def test_constants_only(folder):
    """-O0 computes constants and changes no names: a copy is one like any other, and the growth limit keeps it out."""
    copies = [node("Identity", ["w"], ["u"]), node("Identity", ["u"], ["z"])]
    source = outputCopies(copies, "z")
    assert initializers(m.folded(folder, source, "-O0")) == ["w", "z"], "initializers"
    m.folded(folder, source, "-O0", "--max-growth=0")
    assert reasons(folder, source, "-O0", "--max-growth=0") == {"u": ("kept", "growth"), "z": ("kept", "growth")}, "the report"
    alone = m.model(copies, [info("x")], [info("z", SQUARE)], [const("w", BIG)])
    assert initializers(m.folded(folder, alone, "-O0")) == ["z"], "initializers of the only reader"
    small = shared(COPIES["identity"])
    del small.graph.initializer[2:]
    small = m.folded(folder, small, "-O0")
    assert (m.operators(small), initializers(small)) == (["Add", "Mul"], ["v", "w", "z"]), "with a small weight"


def test_where_the_name_means_something_else(folder):
    """A body that reads the weight has a value of the output's name: there the other name would be the wrong one."""
    body = m.graph(
        [node("Neg", ["s"], ["z"]), node("Mul", ["z", "w"], ["s2"]), node("Identity", ["c"], ["c2"])],
        [info("i", (), TensorProto.INT64), info("c", (), TensorProto.BOOL), info("s", SQUARE)],
        [info("c2", (), TensorProto.BOOL), info("s2", SQUARE)],
    )
    nodes = [node("Loop", ["n", "", "x"], ["y"], body=body), node("Identity", ["w"], ["z"])]
    inputs = [info("x", SQUARE), info("n", (), TensorProto.INT64)]
    source = m.model(nodes, inputs, [info("y", SQUARE), info("z", SQUARE)], [const("w", BIG)])
    onnx.save(source, folder / "source.onnx")
    t.fold(folder / "source.onnx", folder / "out.onnx")
    out = onnx.load(folder / "out.onnx")
    assert (m.operators(out), initializers(out)) == (["Loop", "Identity"], ["w"]), "operators and initializers"
    # A name that is nowhere else is the output's.
    body.node[0].output[0] = body.node[1].input[0] = "neg"
    nodes[0] = node("Loop", ["n", "", "x"], ["y"], body=body)
    out = m.folded(folder, m.model(nodes, inputs, [info("y", SQUARE), info("z", SQUARE)], [const("w", BIG)]))
    assert (m.operators(out), initializers(out)) == (["Loop"], ["z"]), "operators and initializers"
    (inner,) = t.subgraphs(out.graph.node[0])
    assert list(inner.node[1].input) == ["neg", "z"], "what the body reads"


def test_a_body_that_gives_a_weight(folder):
    """The branch held a copy of it."""
    then = m.graph([node("Identity", ["w"], ["p"])], [], [info("p", SQUARE)])
    otherwise = m.graph([node("Neg", ["x"], ["q"])], [], [info("q", SQUARE)])
    branches = node("If", ["c"], ["z"], then_branch=then, else_branch=otherwise)
    source = outputCopies([branches], "z")
    source.graph.input.append(info("c", (), TensorProto.BOOL))
    out = m.folded(folder, source)
    assert (m.operators(out), initializers(out)) == (["If", "Mul"], ["w"]), "operators and initializers"
    assert all(not list(graph.initializer) for graph in t.subgraphs(out.graph.node[0])), "a branch has an initializer"


def test_an_initializer_of_a_body(folder):
    """It gets the name of what the body gives, also where a body in that one reads it, and where the branch is the one taken."""
    inner = m.graph([node("Add", ["x", "u"], ["i"])], [], [info("i", SQUARE)])
    other = m.graph([node("Sub", ["x", "u"], ["j"])], [], [info("j", SQUARE)])
    nodes = [node("Identity", ["u"], ["p"]), node("If", ["c"], ["q"], then_branch=inner, else_branch=other)]
    outputs = [info("p", SQUARE), info("q", SQUARE)]
    then = m.graph(nodes, [], outputs, [const("u", BIG)])
    otherwise = m.graph([node("Neg", ["x"], ["a"]), node("Abs", ["x"], ["b"])], [], [info("a", SQUARE), info("b", SQUARE)])
    branches = node("If", ["d"], ["y", "z"], then_branch=then, else_branch=otherwise)
    inputs = [info("x", SQUARE), info("c", (), TensorProto.BOOL)]
    given = m.model([branches], [*inputs, info("d", (), TensorProto.BOOL)], [info("y", SQUARE), info("z", SQUARE)])
    out = m.folded(folder, given)
    (body,) = [one for one in t.subgraphs(out.graph.node[0]) if one.initializer]
    assert ([one.name for one in body.initializer], [one.op_type for one in body.node]) == (["p"], ["If"]), "of the body"
    reads = {name for one in t.subgraphs(body.node[0]) for name in one.node[0].input}
    assert reads == {"x", "p"}, "what the bodies in it read"
    taken = m.model([branches], inputs, [info("y", SQUARE), info("z", SQUARE)], [const("d", True, np.bool_)])
    out = m.folded(folder, taken)
    assert (m.operators(out), initializers(out)) == (["If"], ["y"]), "operators and initializers"


def test_a_constant_of_a_function(folder):
    nodes = [node("Constant", [], ["k"], value=const("", BIG)), node("Identity", ["k"], ["p"]), node("Add", ["a", "k"], ["q"])]
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    function = helper.make_function("own", "F", ["a"], ["p", "q"], nodes, imports)
    calls = [node("F", ["x"], ["y", "h"], domain="own"), node("F", ["h"], ["v", "z"], domain="own")]
    outputs = [info(name, SQUARE) for name in "yvz"]
    out = m.folded(folder, m.model(calls, [info("x", SQUARE)], outputs, domains=[("own", 1)], functions=[function]))
    assert (folder / "out.onnx").read_bytes().count(BIG.tobytes()) == 1, "the constant is in the file more than once"
    assert m.operators(out) == ["F", "F"], "operators"
    (body,) = out.functions
    assert [(one.op_type, *one.output) for one in body.node] == [("Constant", "p"), ("Add", "q")], "nodes of the function"


def test_external_weights_stay_where_they_are(folder):
    """They came into the model file, since a folded value does; now only the name changes, with one reader and with two."""
    other = [node("Identity", ["w"], ["z"]), node("Mul", ["x", "z"], ["y"])]
    alone = m.model(other, [info("x", SQUARE)], [info("y", SQUARE)], [const("w", BIG)])
    for source in (outputCopies([node("Identity", ["w"], ["z"])], "z"), alone):
        place = folder / str(len(source.graph.output))
        place.mkdir()
        onnx.save(source, place / "model.onnx", save_as_external_data=True, location="data", size_threshold=1)
        t.fold(place / "model.onnx", place / "out.onnx")
        out = onnx.load(place / "out.onnx", load_external_data=False)
        (weight,) = out.graph.initializer
        assert (weight.name, weight.data_location) == ("z", TensorProto.EXTERNAL), "the weight"
        assert list(weight.external_data)[0].value == "data", "its file"
        values = onnx.numpy_helper.to_array(onnx.load(place / "out.onnx").graph.initializer[0])
        assert np.array_equal(values, BIG), "its values"
        t.fold(place / "out.onnx", place / "again.onnx")
        t.expectSameBytes(place / "again.onnx", place / "out.onnx", "folded again")


def test_names_that_others_than_nodes_know(folder):
    """Filters speak of nodes, training graphs and annotations name initializers, and before IR version 4 each is an input."""
    source = outputCopies([node("Identity", ["w"], ["z"])], "z")
    assert initializers(m.folded(folder, source, "--skip=op:Exp")) == ["w"], "with a filter"
    source.training_info.add().algorithm.CopyFrom(m.graph([node("Neg", ["w"], ["g"])], [], [info("g", SQUARE)]))
    assert initializers(m.folded(folder, source, runs=False)) == ["w"], "with training"
    old = outputCopies([node("Identity", ["w"], ["z"])], "z", opset=8, ir=3)
    old.graph.input.append(info("w", SQUARE))
    out = m.folded(folder, old)
    assert (m.operators(out), initializers(out)) == (["Identity", "Mul"], ["w"]), "with IR version 3"
    annotated = outputCopies([node("Identity", ["w"], ["z"])], "z")
    entry = annotated.graph.quantization_annotation.add(tensor_name="y").quant_parameter_tensor_names.add()
    entry.key, entry.value = "SCALE_TENSOR", "w"
    out = m.folded(folder, annotated)
    assert "w" in initializers(out), f"with an annotation that names it there is {initializers(out)}"


def test_a_copy_with_a_mask(folder):
    """The tool crashed: the weight took the name of the first result, and the node went with the mask, which is given too."""
    nodes = [node("Dropout", ["w"], ["z", "mask"])]
    outputs = [info("z", SQUARE), info("mask", SQUARE, TensorProto.BOOL)]
    source = m.model(nodes, [info("x")], outputs, [const("w", BIG)])
    assert initializers(m.folded(folder, source, "--max-growth=unlimited")) == ["mask", "z"], "initializers"


def test_bodies_and_branches(folder):
    """Copies in the body of a loop, and in the branch that is taken: both read the value outside."""
    body = m.graph(
        [node("Identity", ["w"], ["z"]), node("Add", ["s", "z"], ["s2"]), node("Identity", ["c"], ["c2"])],
        [info("i", (), TensorProto.INT64), info("c", (), TensorProto.BOOL), info("s")],
        [info("c2", (), TensorProto.BOOL), info("s2")],
    )
    then = m.graph([node("Identity", ["w"], ["o"])], [], [info("o")])
    otherwise = m.graph([node("Neg", ["x"], ["e"])], [], [info("e")])
    nodes = [
        node("Loop", ["n", "", "x"], ["l"], body=body),
        node("If", ["t"], ["b"], then_branch=then, else_branch=otherwise),
        node("Add", ["l", "b"], ["a"]),
        node("Mul", ["a", "w"], ["y"]),
    ]
    inputs = [info("x"), info("n", (), TensorProto.INT64)]
    model = m.model(nodes, inputs, [info("y")], [const("w", W), const("t", True, np.bool_)])
    out = m.folded(folder, model)
    assert (m.operators(out), initializers(out)) == (["Loop", "Add", "Mul"], ["w"]), "operators and initializers"
    (inner,) = t.subgraphs(out.graph.node[0])
    assert [one.op_type for one in inner.node] == ["Add", "Identity"], "operators of the body"
    assert (list(inner.initializer), list(inner.node[0].input)) == ([], ["s", "w"]), "constants and inputs there"


def test_a_value_that_callers_may_give(folder):
    nodes = [node("Identity", ["w"], ["z"]), node("Add", ["x", "z"], ["y"]), node("Mul", ["x", "w"], ["p"])]
    model = m.model(nodes, [info("x"), info("w")], [info("y"), info("p")], [const("w", W)])
    out = m.folded(folder, model)
    assert (m.operators(out), initializers(out)) == (["Add", "Mul"], ["w"]), "operators and initializers"
    assert [one.name for one in out.graph.input] == ["x", "w"], "inputs"


class RandomCopies:
    """Copies of weights and copies of those, read by nodes and bodies, and given by graphs."""

    OPERATORS = (("Identity", {}), ("Identity", {}), ("Cast", {"to": TensorProto.FLOAT}), ("Dropout", {}), ("Abs", {}))

    def __init__(self, random):
        self.random = random
        self.count = itertools.count()

    def one(self, choices):
        return choices[int(self.random.integers(len(choices)))]

    def step(self, known, depth):
        """A node more of a graph; `known`: names that it may read."""
        name = f"v{next(self.count)}"
        if depth < 2 and self.random.integers(5) == 0:
            made = node("If", ["c"], [name], then_branch=self.body(known, depth + 1), else_branch=self.body(known, depth + 1))
        elif self.random.integers(4) == 0:
            made = node("Mul", [self.one(known), "x"], [name])
        else:
            op, attributes = self.one(self.OPERATORS)
            made = node(op, [self.one(known)], [name], **attributes)
        known.append(name)
        return made

    def body(self, outer, depth):
        known = list(outer)
        nodes = [self.step(known, depth) for _ in range(1 + int(self.random.integers(3)))]
        return m.graph(nodes, [], [info(known[-1], SQUARE)], name=f"g{next(self.count)}")

    def model(self, weights):
        known = [weight.name for weight in weights]
        nodes = [self.step(known, 0) for _ in range(int(self.random.integers(3, 14)))]
        given = sorted({self.one(known) for _ in range(int(self.random.integers(1, 6)))} | {known[-1]})
        inputs = [info("x", SQUARE), info("c", (), TensorProto.BOOL)]
        return m.model(nodes, inputs, [info(name, SQUARE) for name in given], weights)


def test_random_copies(folder):
    """No weight is in the file twice; results are the same, and a second run changes nothing."""
    options = t.options
    count = 1500 if options.long else 60
    left = 0
    for number in range(count):
        random = np.random.default_rng([options.seed, number])
        weights = [const(f"w{i}", random.standard_normal(SQUARE, np.float32)) for i in range(2)]
        source = RandomCopies(random).model(weights)
        feeds = [{"x": random.standard_normal(SQUARE, np.float32), "c": np.array(value)} for value in (True, False)]
        for flags in (["-O0", "--max-growth=0"], [], ["--max-growth=0"], ["-O2", "--max-growth=unlimited"]):
            try:
                m.folded(folder, source, *flags, feeds=feeds)
            except AssertionError as why:
                raise AssertionError(f"graph {number} {flags}: {why}")
            data = (folder / "out.onnx").read_bytes()
            for weight in weights:
                times = data.count(weight.raw_data)
                isOnce = times <= 1 or "-O0" in flags
                assert isOnce, f"graph {number} {flags}: {weight.name} is in the file {times} times"
                left += times
    assert left > 2 * count, f"weights are left {left} times in {4 * count} results"


def unread(**more):
    nodes = [node("Constant", [], ["k"], value=const("", W)), node("Relu", ["x"], ["y"])]
    return m.model(nodes, [info("x")], [info("y")], [const("w", W), const("v", W + 1)], **more)


def test_what_nobody_reads(folder):
    """Initializers and Constant nodes that nothing in the model ever read: only nodes went."""
    model = unread()
    out = m.folded(folder, model)
    assert ([one.op_type for one in out.graph.node], initializers(out)) == (["Relu"], []), "nodes and initializers"
    onnx.save(model, folder / "model.onnx")
    for flags in (["-O0"], ["--disable=unused-node"], ["--skip=*"], ["--only=op:Relu"]):
        t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", f"output with {flags}")


def test_unread_in_a_body(folder):
    then = m.graph([node("Constant", [], ["k"], value=const("", W)), node("Relu", ["x"], ["p"])], [], [info("p")], [const("u", W)])
    otherwise = m.graph([node("Neg", ["x"], ["e"])], [], [info("e")])
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=otherwise)]
    out = m.folded(folder, m.model(nodes, [info("x"), info("c", (), TensorProto.BOOL)], [info("y")]))
    branch = next(one for one in t.subgraphs(out.graph.node[0]) if one.node[0].op_type != "Neg")
    assert ([one.op_type for one in branch.node], list(branch.initializer)) == (["Relu"], []), "of the branch"


def test_what_others_than_nodes_need(folder):
    """Quantisation annotations name initializers, and training reads and binds them."""
    annotated = unread()
    entry = annotated.graph.quantization_annotation.add(tensor_name="y").quant_parameter_tensor_names.add()
    entry.key, entry.value = "SCALE_TENSOR", "w"
    assert initializers(m.folded(folder, annotated)) == ["w"], "with an annotation"
    trained = unread()
    trained.training_info.add().algorithm.CopyFrom(m.graph([node("Neg", ["w"], ["g"])], [], [info("g")]))
    assert initializers(m.folded(folder, trained, runs=False)) == ["v", "w"], "with training, which keeps all"
