# SPDX-License-Identifier: Apache-2.0
"""Operators that are taken apart because a part of them folds."""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 2}


def einsum(equation, which, dtype, rng):
    """A model whose inputs are constant but those of `which`; and a feed."""
    left, right = equation.split("->")
    values = [rng.integers(-9, 9, [SIZES[letter] for letter in term]).astype(dtype) for term in left.split(",")]
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    names = [f"v{k}" for k in range(len(values))]
    inputs = [info(names[k], [f"dim_{letter}" for letter in left.split(",")[k]], kind) for k in which]
    constants = [const(names[k], value) for k, value in enumerate(values) if k not in which]
    outputs = [info("y", [f"dim_{letter}" for letter in right], kind)]
    model = m.model([node("Einsum", names, ["y"], equation=equation)], inputs, outputs, constants)
    return model, {names[k]: values[k] for k in which}


def equationOf(model):
    return [one.attribute[0].s.decode() for one in model.graph.node if one.op_type == "Einsum"]


def test_einsum_of_integers(folder):
    """Exact, so at -O1; other letters of the constants are summed."""
    rng = np.random.default_rng(1)
    for number, (equation, which, expected) in enumerate(
        (
            ("ab,bc,cd->ad", [0], "ab,bd->ad"),
            ("ab,bc,cb->ab", [0], "ab,b->ab"),
            ("ab,bc->a", [0], "ab,b->a"),
            ("bc,ab->a", [1], "ab,b->a"),
            ("ab,bc,ab,cb->a", [0, 2], "ab,ab,b->a"),
            ("ab,b,c->abc", [0], "ab,b,c->abc"),  # would be larger
            ("ab,bc->ac", [0], "ab,bc->ac"),  # nothing to fold
            ("ab,c->ab", [0], "ab,c->ab"),  # no letter would be left
        )
    ):
        place = folder / str(number)
        place.mkdir()
        model, feed = einsum(equation, which, np.int64, rng)
        assert equationOf(cleaned(place, model, feeds=[feed])) == [expected], f"equation of {equation}"


def test_einsum_of_floats(folder):
    """At -O2 only. The numbers are small integers, so that all sums are exact in any order."""
    rng = np.random.default_rng(1)
    for number, (equation, which, expected) in enumerate(
        (("ab,bc,cd->ad", [0], "ab,bd->ad"), ("bc,cd,ab->a", [2], "ab,b->a"), ("bcd,ab,dc->ab", [1], "ab,b->ab"))
    ):
        for level in (1, 2):
            place = folder / f"{number}_{level}"
            place.mkdir()
            model, feed = einsum(equation, which, np.float32, rng)
            out = cleaned(place, model, f"-O{level}", feeds=[feed])
            assert equationOf(out) == [expected if level == 2 else equation], f"equation of {equation} at -O{level}"


def test_einsum_of_one_value(folder):
    rng = np.random.default_rng(1)
    model, feed = einsum("abc->cab", [0], np.float32, rng)
    out = cleaned(folder, model, feeds=[feed])
    assert m.operators(out) == ["Transpose"], "operators"
    for equation in ("abc->ca", "aeb->aeb"):
        place = folder / equation[:3]
        place.mkdir()
        model, feed = einsum(equation, [0], np.float32, rng)
        expected = ["Einsum"] if len(equation) == 7 else ["Transpose"]
        assert m.operators(cleaned(place, model, feeds=[feed])) == expected, f"operators of {equation}"


def test_a_constant_with_two_readers(folder):
    """What others read does not go: summed, the model would be larger."""
    model, feed = einsum("ab,bc->a", [0], np.int64, np.random.default_rng(1))
    model.graph.node.append(node("Shape", ["v0"], ["s"]))
    model.graph.node.append(node("MatMul", ["v0", "v1"], ["z"]))
    model.graph.output.append(info("z", ["dim_a", "dim_c"], TensorProto.INT64))
    assert equationOf(cleaned(folder, model, feeds=[feed])) == ["ab,bc->a"], "equation"


def test_cast_like(folder):
    """A target that is only asked for its type is erased."""
    x = np.float32([[-2.7, 300.4, 1e9], [0.5, -0.0, 65504]])
    for name, target in (("half", np.float16(1)), ("int", np.int64([1, 2])), ("text", np.array(["a"], object))):
        place = folder / name
        place.mkdir()
        tensor = const("k", target) if name != "text" else helper.make_tensor("k", TensorProto.STRING, [1], [b"a"])
        model = m.model(
            [node("CastLike", ["x", "k"], ["y"])], [info("x", ("n", 3))], [info("y", ("n", 3), tensor.data_type)], [tensor]
        )
        out = cleaned(place, model, feeds=[{"x": x}])
        assert (m.operators(out), m.initializerNames(out)) == (["Cast"], []), f"what is left of {name}"


# ---- operators with function bodies (which ones at all: test_function_bodies.py) ----


def crops(shape, sizes, opset=21, **attributes):
    """CenterCropPad of an input to a constant shape."""
    one = node("CenterCropPad", ["x", "s"], ["y"], name="crop", **attributes)
    return m.model([one], [info("x", shape)], [info("y", [None] * len(shape))], [const("s", np.int64(sizes))], opset=opset)


def arange(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_center_crop_pad(folder):
    """With known sizes of what is cropped it is a Slice or a Pad, for any batch; of an odd difference the smaller half is at the
    beginning. Its name, and that of its result, are kept."""
    for number, (shape, sizes, axes, expected) in enumerate(
        (
            (("n", 3, 10, 11), [6, 6], [2, 3], ["Slice"]),
            (("n", 3, 10, 11), [6, 11], [2, 3], ["Slice"]),
            (("n", 3, 10, 11), [13, 14], [-2, -1], ["Pad"]),
            (("n", 3, 10, 11), [14], [3], ["Pad"]),
            (("n", 3, 10, 11), [13, 6], [2, 3], ["CenterCropPad"]),  # Pad and Slice
            (("n", 3, "h", 11), [6, 6], [2, 3], ["CenterCropPad"]),
            (("n", 3, 10, 11), [4], [0], ["CenterCropPad"]),
        )
    ):
        for opset in (18, 21, 24):
            place = folder / f"{number}_{opset}"
            place.mkdir()
            feeds = [{"x": arange(batch, 3, 10, 11)} for batch in (1, 2, 7)]
            out = cleaned(place, crops(shape, sizes, opset, axes=axes), feeds=feeds)
            assert m.operators(out) == expected, f"operators of {shape} to {sizes} along {axes} in opset {opset}"
            assert [one.name for one in out.graph.node] == ["crop"], "name"


def test_nothing_is_left(folder):
    """What has the sizes already is left out, also where these are computed and nobody knows them."""
    model = crops(("n", 3, 8), [3, 8], axes=[1, 2])
    model.graph.node[0].output[0] = "c"
    model.graph.node.append(node("Neg", ["c"], ["y"]))
    assert m.operators(cleaned(folder, model, feeds=[{"x": arange(2, 3, 8)}])) == ["Neg"], "operators"
    place = folder / "computed"
    place.mkdir()
    nodes = [node("Shape", ["x"], ["s"]), node("CenterCropPad", ["x", "s"], ["c"]), node("Neg", ["c"], ["y"])]
    out = cleaned(place, m.model(nodes, [info("x", ("n", "m"))], [info("y", ("n", "m"))]), feeds=[{"x": arange(2, 3)}])
    assert m.operators(out) == ["Neg"], "operators"


def test_when_it_is_asked_for(folder):
    """Not at -O0, nor if it is switched off or the node is filtered; the report says what it was."""
    model = crops((2, 10), [4], axes=[1])
    feed = {"x": arange(2, 10)}
    for flags in (["-O0"], ["--disable=decompose"], ["--skip=crop"], ["--only=op:Neg"]):
        place = folder / flags[0]
        place.mkdir()
        assert m.operators(cleaned(place, model, *flags, feeds=[feed])) == ["CenterCropPad"], f"operators with {flags}"
    assert m.operators(cleaned(folder, model, "-O2", feeds=[feed])) == ["Slice"], "operators at -O2"
    report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx")
    (one,) = [one for one in report["nodes"] if one["name"] == "crop"]
    assert one["action"] == "changed", "action"
    assert "decompose" in str(one["reason"]), f"the reason is {one['reason']}"


def test_growth(folder):
    """Bounds count for --max-growth: 32 bytes go with the shape where nothing else reads it, 64 come."""
    shape = [6, 7, 8, 9]
    model = crops((7, 8, 9, 10), shape)
    other = crops((7, 8, 9, 10), shape)
    other.graph.node.append(node("Identity", ["s"], ["z"]))
    other.graph.output.append(info("z", [4], TensorProto.INT64))
    for name, one, least in (("alone", model, 32), ("read by others", other, 64)):
        for most in (0, least - 1, least):
            place = folder / f"{name} {most}"
            place.mkdir()
            out = cleaned(place, one, f"--max-growth={most}", feeds=[{"x": arange(7, 8, 9, 10)}])
            expected = "Slice" if most == least else "CenterCropPad"
            assert m.operators(out)[:1] == [expected], f"operator with {most} bytes, {name}"
            said = [entry.key for entry in out.metadata_props]
            assert ("onnx-fold.growth" in said) == (most < least), f"record of the growth in {said}"


def test_many_within_a_budget(folder):
    """So many as there are bytes; a second run (`cleaned` makes it) changes nothing."""
    nodes, constants = [], []
    for i in range(10):
        nodes.append(node("CenterCropPad", ["x", f"s{i}"], [f"y{i}"], axes=[1]))
        constants.append(const(f"s{i}", np.int64([i + 1])))
    model = m.model(nodes, [info("x", ("n", 12))], [info(f"y{i}", ("n", i + 1)) for i in range(10)], constants)
    out = cleaned(folder, model, "--max-growth=50", feeds=[{"x": arange(2, 12)}])
    assert m.operators(out).count("Slice") == 3, "nodes that were taken apart"  # start, end and axis for a size


def constantBytes(model):
    stated = [one for part in [model.graph, *model.functions] for one in part.node if one.op_type == "Constant"]
    tensors = [*model.graph.initializer, *(one.attribute[0].t for one in stated)]
    return sum(onnx.numpy_helper.to_array(one).nbytes for one in tensors)


def test_a_budget_for_all(folder):
    """16 bytes for the bounds of a Slice, 136 for what is lifted from a function: together they are within the limit."""
    body = [node("Tile", ["k", "z"], ["e"]), node("Mul", ["a", "e"], ["b"])]
    crop = node("CenterCropPad", ["x", "s"], ["c"], axes=[1])
    calls = [node("F", [x, k, "z"], [y], domain="own") for x, k, y in (("c", "k1", "u"), ("u", "k2", "y"))]
    constants = [const("s", np.int64([20])), const("z", np.int64([10])), const("k1", np.float32([2, 4])), const("k2", np.float32([3, 5]))]
    model = m.model([crop, *calls], [info("x", ("n", 30))], [info("y", ("n", 20))], constants, domains=[("own", 1)])
    model.functions.append(helper.make_function("own", "F", ["a", "k", "z"], ["b"], body, [helper.make_opsetid("", 21)]))
    for most, slices, lifted in ((15, 0, False), (16, 1, False), (135, 1, False), (151, 1, False), (152, 1, True)):
        place = folder / str(most)
        place.mkdir()
        out = cleaned(place, model, f"--max-growth={most}", feeds=[{"x": arange(2, 30)}])
        grown = constantBytes(out) - constantBytes(model)
        assert grown <= most, f"constants grew by {grown} bytes with --max-growth={most}"
        found = m.operators(out).count("Slice"), [one.op_type for one in out.functions[0].node] == ["Mul"]
        assert found == (slices, lifted), f"what was done with {most} bytes (it was {grown})"


def randomModel(rng):
    """A graph in which most nodes may be taken apart, of inputs with sizes that are known or not, and constants that several
    nodes read. Its feeds are of two sizes of what is not known."""
    rank = int(rng.integers(1, 4))
    real = rng.integers(2, 7, rank)
    named = [rng.random() < 0.3 for _ in range(rank)]
    values, nodes, constants, outputs = [("x", real)], [], {}, []

    def constant(array):
        same = [name for name, (value, _) in constants.items() if value.shape == array.shape and (value == array).all()]
        name = same[0] if same and rng.random() < 0.7 else f"c{len(constants)}"
        constants.setdefault(name, (array, const(name, array)))
        return name

    for i in range(int(rng.integers(1, 8))):
        source, shape = values[rng.integers(len(values))]
        axes = rng.permutation(rank)[: rng.integers(1, rank + 1)]
        kind, name = rng.choice(["crop", "crop", "crop", "like", "squares", "neg", "add"]), f"v{i}"
        if kind == "crop":
            sizes = np.maximum(0, shape[axes] + rng.integers(-2, 3) * rng.integers(0, 2, len(axes)))
            nodes.append(node("CenterCropPad", [source, constant(sizes.astype(np.int64))], [name], axes=[int(a) for a in axes]))
            shape = shape.copy()
            shape[axes] = sizes
        elif kind == "like":
            other, shape = values[rng.integers(len(values))]
            nodes += [node("Shape", [other], [f"s{i}"]), node("CenterCropPad", [source, f"s{i}"], [name])]
        elif kind == "squares":
            data = constant(rng.integers(-5, 6, (2, 3)).astype(np.int64))
            nodes += [node("ReduceSumSquare", [data, "a"], [f"q{i}"]), node("Identity", [source], [name])]
            outputs.append(info(f"q{i}", (None, None), TensorProto.INT64))
        elif kind == "neg":
            nodes.append(node("Neg", [source], [name]))
        else:
            nodes.append(node("Add", [source, source], [name]))
        values.append((name, shape))
    outputs += [info(name, [None] * rank, TensorProto.INT64) for name, _ in values[1:] if rng.random() < 0.4 or name == values[-1][0]]
    dims = [f"d{axis}" if named[axis] else int(size) for axis, size in enumerate(real)]
    tensors = [tensor for _, tensor in constants.values()]
    inputs = [info("x", dims, TensorProto.INT64), info("a", (1,), TensorProto.INT64)]
    model = m.model(nodes, inputs, outputs, tensors, opset=int(rng.choice([18, 20, 23])))
    sizes = [real, real + np.array(named)]
    return model, [{"x": rng.integers(-9, 9, one), "a": rng.integers(0, 2, 1)} for one in sizes]


def test_random_models(folder):
    """Results are equal bit for bit, a second run changes nothing (`cleaned`), and constants are within the budget."""
    count, apart = 1000 if t.options.long else 100, 0
    for number in range(count):
        rng = np.random.default_rng([t.options.seed, number])
        model, feeds = randomModel(rng)
        most = int(rng.choice([0, 10, 30, 100, 1000]))
        flags = [f"--max-growth={most}"] if rng.random() < 0.5 else []
        try:
            out = cleaned(folder, model, *flags, feeds=feeds)
        except AssertionError as why:
            raise AssertionError(f"random model {t.options.seed}/{number} with {flags}: {why}")
        grown = constantBytes(out) - constantBytes(model)
        assert grown <= most or not flags, f"{grown} bytes more in random model {t.options.seed}/{number} with {flags}"
        left = [one.op_type for one in out.graph.node]
        apart += sum(one.op_type == "CenterCropPad" for one in model.graph.node) - left.count("CenterCropPad")
    assert apart > count // 2, f"only {apart} nodes of {count} models were taken apart"


def test_tried_again_when_more_is_known(folder):
    """In an iteration that is written out, the branch of an If that is taken, a function that is called, and with --dim."""
    f32 = TensorProto.FLOAT
    branches = {
        "then_branch": m.graph([node("CenterCropPad", ["x", "s"], ["p"], axes=[1])], [], [info("p", ("n", 4))]),
        "else_branch": m.graph([node("Neg", ["x"], ["q"])], [], [info("q", ("n", 10))], name="e"),
    }
    branch = m.model(
        [node("If", ["c"], ["v"], **branches), node("Neg", ["v"], ["y"])],
        [info("x", ("n", 10))],
        [info("y", ("n", "k"))],
        [const("s", np.int64([4])), const("c", np.bool_(True))],
    )
    out = cleaned(folder, branch, feeds=[{"x": arange(2, 10)}])
    assert m.operators(out) == ["Slice", "Neg"], "operators of the branch"

    body = m.graph(
        [
            node("Mul", ["i", "minus"], ["d"]),
            node("Add", ["d", "ten"], ["size"]),
            node("Unsqueeze", ["size", "zero"], ["s"]),
            node("CenterCropPad", ["a", "s"], ["b"], axes=[1]),
            node("Identity", ["t"], ["u"]),
        ],
        [info("i", (), TensorProto.INT64), info("t", (), TensorProto.BOOL), info("a", ("n", "m"), f32)],
        [info("u", (), TensorProto.BOOL), info("b", ("n", "k"), f32)],
        [const("minus", np.int64(-2)), const("ten", np.int64(8)), const("zero", np.int64([0]))],
    )
    place = folder / "loop"
    place.mkdir()
    loop = m.model(
        [node("Loop", ["count", "", "x"], ["y"], body=body)], [info("x", ("n", 10))], [info("y", ("n", "k"))], [const("count", np.int64(3))]
    )
    out = cleaned(place, loop, "--unroll=3", feeds=[{"x": arange(2, 10)}])
    assert "CenterCropPad" not in m.operators(out), f"operators of the loop are {m.operators(out)}"

    place = folder / "call"
    place.mkdir()
    nodes = [node("Concat", ["k", "k2"], ["s"], axis=0), node("CenterCropPad", ["a", "s"], ["b"], axes=[1, 2])]
    call = m.model(
        [node("F", ["x", "k", "k2"], ["y"], domain="own")],
        [info("x", ("n", 10, 10))],
        [info("y", ("n", 4, 6))],
        [const("k", np.int64([4])), const("k2", np.int64([6]))],
        domains=[("own", 1)],
    )
    imports = [helper.make_opsetid("", 21)]
    call.functions.append(helper.make_function("own", "F", ["a", "k", "k2"], ["b"], nodes, imports))
    assert m.operators(cleaned(place, call, feeds=[{"x": arange(2, 10, 10)}])) == ["Slice"], "operators of the call"

    place = folder / "dim"
    place.mkdir()
    source = crops(("n", "m"), [4], axes=[1])
    onnx.save(source, place / "model.onnx")
    once = t.fold(place / "model.onnx", place / "once.onnx")
    assert m.operators(onnx.load(once)) == ["CenterCropPad"], "operators without --dim"
    again = t.fold(once, place / "again.onnx", "--dim=m:9")
    assert m.operators(onnx.load(again)) == ["Slice"], "operators with --dim"


def test_in_a_function_and_a_body(folder):
    """Where nodes are that are kept: constants are Constant nodes of the function, and of the body what it may hold."""
    nodes = [
        node("Constant", [], ["shape"], value_ints=[-1, 10]),
        node("Constant", [], ["s"], value_ints=[4]),
        node("Cast", ["a"], ["f"], to=TensorProto.FLOAT),  # a function may be called with any type
        node("Reshape", ["f", "shape"], ["r"]),
        node("CenterCropPad", ["r", "s"], ["b"], axes=[1]),
    ]
    model = m.model(
        [node("F", ["x"], ["v"], domain="own"), node("F", ["v2"], ["w"], domain="own"), node("Add", ["v", "w"], ["y"])],
        [info("x", (10, 10)), info("v2", (100,))],
        [info("y", (10, 4))],
        domains=[("own", 1)],
    )
    model.functions.append(helper.make_function("own", "F", ["a"], ["b"], nodes, [helper.make_opsetid("", 21)]))
    out = cleaned(folder, model, feeds=[{"x": arange(10, 10), "v2": arange(100)}])
    inside = [one.op_type for one in out.functions[0].node if one.op_type != "Constant"]
    assert inside == ["Cast", "Reshape", "Slice"], "operators of the function"

    place = folder / "body"
    place.mkdir()
    branches = {
        "then_branch": m.graph([node("CenterCropPad", ["x", "s"], ["p"], axes=[1])], [], [info("p", ("n", 4))]),
        "else_branch": m.graph([node("Neg", ["x"], ["q"])], [], [info("q", ("n", 10))], name="e"),
    }
    inputs = [info("x", ("n", 10)), info("c", (), TensorProto.BOOL)]
    model = m.model([node("If", ["c"], ["y"], **branches)], inputs, [info("y", ("n", "k"))], [const("s", np.int64([4]))])
    out = cleaned(place, model, feeds=[{"x": arange(2, 10), "c": np.array(c, bool)} for c in (0, 1)])
    kinds = {one.op_type for graph in t.subgraphs(out.graph.node[0]) for one in graph.node} - {"Constant"}
    assert kinds == {"Slice", "Neg"}, "operators of the branches"
