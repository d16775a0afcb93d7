# SPDX-License-Identifier: Apache-2.0
"""Sizes that go through floats: cast, scaled, rounded, cast back. What holds for every size folds, what rounds is kept.

Every model is also run in ONNX Runtime with several sizes of the dynamic dimensions, 0 and 1 too, before and after.
"""

import numpy as np
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

I64, F32, F64, BOOL = TensorProto.INT64, TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.BOOL
SIZES = (0, 1, 2, 3, 7, 640)
NUMPY = {F32: np.float32, F64: np.float64}
INDICES = [const(f"i{value}", np.int64(value)) for value in (0, 1, 2)]


def foldDynamic(folder, nodes, outputs, constants=(), shape=("n", 3), **more):
    feeds = [{"x": np.ones([dim if isinstance(dim, int) else size for dim in shape], np.float32)} for size in SIZES]
    return m.folded(folder, m.model(nodes, [info("x", shape)], outputs, [*INDICES, *constants], **more), feeds=feeds)


def dimension(kind=F64, axis=0):
    """The dimension `n`, and `f`, which is the same as a float."""
    return [node("Shape", ["x"], ["s"]), node("Gather", ["s", f"i{axis}"], ["n"]), node("Cast", ["n"], ["f"], to=kind)]


def number(name, value, kind=F64):
    return const(name, value, NUMPY[kind])


def test_there_and_back(folder):
    """n - int(float(n)): 0 in doubles, not in floats of 32 bits, where 2^24 + 1 is 2^24."""
    nodes = [*dimension(), node("Cast", ["f"], ["back"], to=I64), node("Sub", ["n", "back"], ["y"])]
    out = foldDynamic(folder, nodes, [info("y", (), I64)])
    m.expectValue(out.graph, "y", np.int64(0))
    place = folder / "f32"
    place.mkdir()
    nodes = [*dimension(F32), node("Cast", ["f"], ["back"], to=I64), node("Sub", ["n", "back"], ["y"])]
    out = foldDynamic(place, nodes, [info("y", (), I64)])
    assert m.constantValue(out.graph, "y") is None, "a dimension of any size was taken for exact in f32"


def test_half_a_size_is_a_quotient(folder):
    """floor(n * 0.5), floor(n / 2), and n / 2 of integers are one value; ceil(n / 2) is (n + 1) / 2."""
    nodes = [
        *dimension(),
        node("Div", ["n", "i2"], ["whole"]),
        node("Mul", ["f", "half"], ["h"]),
        node("Floor", ["h"], ["hf"]),
        node("Cast", ["hf"], ["y"], to=I64),
        node("Sub", ["y", "whole"], ["y0"]),
        node("Div", ["f", "two"], ["q"]),
        node("Ceil", ["q"], ["qc"]),
        node("Cast", ["qc"], ["z"], to=I64),
        node("Add", ["n", "i1"], ["more"]),
        node("Div", ["more", "i2"], ["up"]),
        node("Sub", ["z", "up"], ["z0"]),
    ]
    out = foldDynamic(folder, nodes, [info("y0", (), I64), info("z0", (), I64)], [number("half", 0.5), number("two", 2)])
    m.expectValue(out.graph, "y0", np.int64(0))
    m.expectValue(out.graph, "z0", np.int64(0))


def test_thirds_do_not_round_to_a_whole_number(folder):
    """floor(n / 3) of doubles is n / 3 of integers; n * (1 / 3) is something else."""
    third = [node("Floor", ["q"], ["d"]), node("Cast", ["d"], ["y"], to=I64), node("Sub", ["y", "whole"], ["zero"])]
    whole = node("Div", ["n", "three"], ["whole"])
    constants = [const("three", np.int64(3)), number("by", 3), number("part", 1 / 3)]
    out = foldDynamic(folder, [*dimension(), whole, node("Div", ["f", "by"], ["q"]), *third], [info("zero", (), I64)], constants)
    m.expectValue(out.graph, "zero", np.int64(0))
    place = folder / "times"
    place.mkdir()
    out = foldDynamic(place, [*dimension(), whole, node("Mul", ["f", "part"], ["q"]), *third], [info("zero", (), I64)], constants)
    assert m.constantValue(out.graph, "zero") is None, "n * (1 / 3) was taken for n / 3"


def test_what_is_whole_is_not_rounded(folder):
    """floor, ceil and round of a whole number are that number, also in floats of 32 bits, where it may be another one."""
    for kind in (F32, F64):
        for operator in ("Floor", "Ceil", "Round"):
            place = folder / f"{operator}{kind}"
            place.mkdir()
            nodes = [*dimension(kind), node("Mul", ["f", "two"], ["d"]), node(operator, ["d"], ["r"]), node("Cast", ["r"], ["y"], to=I64)]
            out = foldDynamic(place, nodes, [info("y", (), I64)], [number("two", 2, kind)])
            assert m.operators(out) == ["Shape", "Gather", "Cast", "Mul", "Cast"], f"operators of {operator} in {kind}"


def test_known_elements_of_a_vector(folder):
    """[n, 3] scaled in floats: 3 * 0.7 folds where it stands, and n does not."""
    for kind in (F32, F64):
        place = folder / str(kind)
        place.mkdir()
        nodes = [
            node("Shape", ["x"], ["s"]),
            node("Cast", ["s"], ["f"], to=kind),
            node("Mul", ["f", "scale"], ["p"]),
            node("Add", ["p", "tenth"], ["q"]),
            node("Floor", ["q"], ["d"]),
            node("Cast", ["d"], ["sizes"], to=I64),
            node("Gather", ["sizes", "i1"], ["y"]),
            node("Gather", ["q", "i1"], ["z"]),
        ]
        outputs = [info("y", (), I64), info("z", (), kind), info("sizes", (2,), I64)]
        out = foldDynamic(place, nodes, outputs, [number("scale", [0.5, 0.7], kind), number("tenth", 0.1, kind)])
        dtype = NUMPY[kind]
        expected = dtype(3) * dtype(0.7) + dtype(0.1)
        m.expectValue(out.graph, "z", expected)
        m.expectValue(out.graph, "y", np.int64(np.floor(expected)))
        assert "Gather" not in m.operators(out), f"operators are {m.operators(out)}"


def test_a_size_that_is_known_to_be_small(folder):
    """x[:512]: 512 rows at most, which floats of 32 bits hold exactly; 1.5 times as many, too."""
    nodes = [
        node("Slice", ["x", "zero", "most"], ["c"]),
        node("Shape", ["c"], ["s"]),
        node("Gather", ["s", "i0"], ["n"]),
        node("Cast", ["n"], ["f"], to=F32),
        node("Cast", ["f"], ["back"], to=I64),
        node("Sub", ["back", "n"], ["y"]),
        node("Mul", ["f", "scale"], ["p"]),
        node("Floor", ["p"], ["d"]),
        node("Cast", ["d"], ["more"], to=I64),
        node("Mul", ["n", "three"], ["n3"]),
        node("Div", ["n3", "i2"], ["more_too"]),
        node("Sub", ["more", "more_too"], ["z"]),
    ]
    constants = [const("zero", [0], np.int64), const("most", [512], np.int64), const("three", np.int64(3)), number("scale", 1.5, F32)]
    out = foldDynamic(folder, nodes, [info("y", (), I64), info("z", (), I64)], constants)
    m.expectValue(out.graph, "y", np.int64(0))
    m.expectValue(out.graph, "z", np.int64(0))


def test_conditions_of_floats(folder):
    """float(n) >= 0 and float(n) * 0.3 > -1 hold for every n; float(n) > 2.5 does not, and n / n may be no number."""
    nodes = [
        *dimension(F32),
        node("GreaterOrEqual", ["f", "nothing"], ["a"]),
        node("Mul", ["f", "part"], ["p"]),
        node("Greater", ["p", "below"], ["b"]),
        node("Greater", ["f", "some"], ["c"]),
        node("Div", ["f", "f"], ["q"]),
        node("Equal", ["q", "q"], ["d"]),
    ]
    constants = [number("nothing", 0, F32), number("part", 0.3, F32), number("below", -1, F32), number("some", 2.5, F32)]
    out = foldDynamic(folder, nodes, [info(name, (), BOOL) for name in "abcd"], constants)
    m.expectValue(out.graph, "a", np.array(True))
    m.expectValue(out.graph, "b", np.array(True))
    for name in "cd":
        assert m.constantValue(out.graph, name) is None, f"'{name}' depends on the size and was folded"


def test_zeros_keep_their_sign(folder):
    """1 / -float(n) is -infinity for n = 0."""
    nodes = [
        *dimension(),
        node("Neg", ["f"], ["g"]),
        node("Sub", ["nothing", "f"], ["h"]),
        node("Reciprocal", ["g"], ["a"]),
        node("Reciprocal", ["h"], ["b"]),
    ]
    out = foldDynamic(folder, nodes, [info("a", (), F64), info("b", (), F64)], [number("nothing", 0)])
    assert "Neg" in m.operators(out) and "Sub" in m.operators(out), f"operators are {m.operators(out)}"


def test_sizes_of_a_resize(folder):
    """Old exporters: twice the size, through floats. The sizes are kept, but the shapes that follow are known to be equal."""
    shape = ("batch", 3, "h", "w")
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "two", "four"], ["hw"]),
        node("Cast", ["hw"], ["f"], to=F32),
        node("Mul", ["f", "scale"], ["p"]),
        node("Floor", ["p"], ["d"]),
        node("Cast", ["d"], ["size"], to=I64),
        node("Slice", ["s", "zero", "two"], ["head"]),
        node("Concat", ["head", "size"], ["sizes"], axis=0),
        node("Resize", ["x", "", "", "sizes"], ["r"], mode="nearest"),
        node("Relu", ["r"], ["u"]),
        node("Shape", ["u"], ["su"]),
        node("Slice", ["su", "two", "four"], ["hwu"]),
        node("Equal", ["hwu", "size"], ["y"]),
    ]
    constants = [const(name, [value], np.int64) for name, value in (("zero", 0), ("two", 2), ("four", 4))]
    constants.append(number("scale", 2, F32))
    feeds = [{"x": np.ones((b, 3, h, w), np.float32)} for b, h, w in ((1, 4, 5), (2, 1, 7))]
    model = m.model(nodes, [info("x", shape)], [info("y", (2,), BOOL), info("u", ("b", 3, "h2", "w2"))], constants)
    out = m.folded(folder, model, feeds=feeds)
    m.expectValue(out.graph, "y", [True, True])
    assert sorted(m.operators(out)) == sorted(
        ["Shape", "Shape", "Cast", "Mul", "Cast", "Concat", "Resize", "Relu"]
    ), "operators"


def test_scales_that_are_known_in_part(folder):
    """[1, 1, 2.0, q]: batch and channels are kept, the height doubles, of the width nothing is known."""
    shape = ("batch", 3, 8, "w")
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "i3"], ["n"]),
        node("Cast", ["n"], ["f"], to=F32),
        node("Add", ["f", "one"], ["f1"]),
        node("Div", ["seven", "f1"], ["q"]),
        node("Unsqueeze", ["q", "zero"], ["qv"]),
        node("Concat", ["ones", "two", "qv"], ["scales"], axis=0),
        node("Resize", ["x", "", "scales"], ["r"], mode="nearest"),
        node("Shape", ["r"], ["sr"]),
        node("Slice", ["sr", "iv1", "iv3"], ["y"]),
    ]
    constants = [
        const("i3", np.int64(3)),
        const("zero", [0], np.int64),
        const("iv1", [1], np.int64),
        const("iv3", [3], np.int64),
        number("one", 1, F32),
        number("seven", 70, F32),
        number("ones", [1, 1], F32),
        number("two", [2], F32),
    ]
    feeds = [{"x": np.ones((b, 3, 8, w), np.float32)} for b, w in ((1, 4), (2, 9))]
    out = m.folded(folder, m.model(nodes, [info("x", shape)], [info("y", (2,), I64), info("r", ("b", 3, 16, "w2"))], constants), feeds=feeds)
    m.expectValue(out.graph, "y", [3, 16])


def test_in_a_loop_that_runs(folder):
    """The body reads a float that is known in part outside: the runs know no more of it."""
    inside = m.graph(
        [
            node("Cast", ["i"], ["j"], to=F64),
            node("Add", ["h", "j"], ["k"]),
            node("Floor", ["k"], ["l"]),
            node("Sub", ["k", "l"], ["r"]),
            node("Add", ["a", "r"], ["b"]),
            node("Identity", ["c"], ["c_out"]),
        ],
        [info("i", (), I64), info("c", (), BOOL), info("a", (), F64)],
        [info("c_out", (), BOOL), info("b", (), F64)],
        name="body",
    )
    nodes = [*dimension(), node("Mul", ["f", "half"], ["h"]), node("Loop", ["count", "", "start"], ["y"], body=inside)]
    constants = [number("half", 0.5), number("start", 0), const("count", np.int64(3))]
    out = foldDynamic(folder, nodes, [info("y", (), F64)], constants)
    assert m.constantValue(out.graph, "y") is None, "half a size was taken for a whole number"


def test_what_an_edited_node_reads(folder):
    """h < h + 0 reads h twice once the sum is left out, and is false then: only a second run saw it."""
    nodes = [*dimension(F32), node("Neg", ["f"], ["h"]), node("Add", ["h", "nothing"], ["sum"]), node("Less", ["h", "sum"], ["y"])]
    out = foldDynamic(folder, nodes, [info("y", (), BOOL)], [number("nothing", 0, F32)])
    m.expectValue(out.graph, "y", np.array(False))


def randomChain(random, kind):
    """Nodes that compute with the size as integers and floats; what they make, with its type, and their constants."""
    nodes, constants = dimension(kind), []
    numbers, floats, made = ["n"], ["f"], []

    def pick(values):
        return str(random.choice(values[-5:]))

    for i in range(14):
        name = f"v{i}"
        operator = str(random.choice(["Mul", "Div", "Add", "Sub", "Floor", "Ceil", "Round", "Min", "Max", "Neg", "Abs", "Int", "Float", "Less", "Half"]))
        if operator in ("Mul", "Div", "Add", "Sub"):
            value = random.choice([2, 3, 0.5, 0.25, 7, 1.5, 0.1, -1, 1 / 3, 0])
            other = f"c{i}"
            constants.append(number(other, value if operator != "Div" else value or 1, kind))
            other = pick(floats) if operator in ("Add", "Sub") and random.integers(2) else other
            nodes.append(node(operator, [pick(floats), other], [name]))
        elif operator in ("Min", "Max"):
            nodes.append(node(operator, [pick(floats), pick(floats)], [name]))
        elif operator == "Less":
            nodes.append(node(str(random.choice(["Less", "LessOrEqual", "Equal"])), [pick(floats), pick(floats)], [name]))
            made.append((name, BOOL))
            continue
        elif operator in ("Int", "Half"):
            source = pick(floats)
            nodes.append(node("Cast", [source], [name], to=I64) if operator == "Int" else node("Div", [pick(numbers), "i2"], [name]))
            numbers.append(name)
            made.append((name, I64))
            continue
        elif operator == "Float":
            nodes.append(node("Cast", [pick(numbers)], [name], to=kind))
        else:
            nodes.append(node(operator, [pick(floats)], [name]))
        floats.append(name)
        made.append((name, kind))
    return nodes, made, constants


def test_random_chains(folder):
    """Bit for bit, and also where floats of 32 bits round: tensors of 2^24 + 1 rows without columns are none too large."""
    sizes = (0, 1, 2, 3, 7, 640, 2**24 + 1, 2**30 + 7)
    feeds = [{"x": np.ones((size, 0), np.float32)} for size in sizes]
    folded = 0
    for seed in range(200 if t.options.long else 20):
        for kind in (F32, F64):
            random = np.random.default_rng(t.options.seed + seed)
            nodes, made, constants = randomChain(random, kind)
            outputs = [info(name, (), one) for name, one in made]
            place = folder / f"{seed}_{kind}"
            place.mkdir()
            out = cleaned(place, m.model(nodes, [info("x", ("n", 0))], outputs, [*INDICES, *constants]), feeds=feeds)
            folded += sum(m.constantValue(out.graph, name) is not None for name, _ in made)
    assert folded > 5, f"{folded} values were known"
