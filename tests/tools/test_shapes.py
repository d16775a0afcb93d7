# SPDX-License-Identifier: Apache-2.0
"""Types of values: what the model says is refined, what contradicts inference is erased, --shapes writes the rest."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

I64, F32 = TensorProto.INT64, TensorProto.FLOAT


def shapeOf(value):
    if not value.type.tensor_type.HasField("shape"):
        return None
    dims = value.type.tensor_type.shape.dim
    return [dim.dim_param or (dim.dim_value if dim.HasField("dim_value") else None) for dim in dims]


def infos(graph):
    return {value.name: shapeOf(value) for value in graph.value_info}


def written(folder, source, *flags, checks=True):
    """The output, which must pass the full checker and be its own outcome."""
    path = folder / "model.onnx"
    onnx.save(source, path)
    out = t.fold(path, folder / "out.onnx", *flags)
    if checks:
        onnx.checker.check_model(str(out), full_check=True)
    again = t.fold(out, folder / "again.onnx", *flags)
    t.expectSameBytes(again, out, "folded again")
    return onnx.load(out)


def chain(*valueInfos):
    nodes = [node("Relu", ["x"], ["h"]), node("Neg", ["h"], ["y"])]
    model = m.model(nodes, [info("x", ("batch", 3))], [info("y", ("batch", 3))])
    model.graph.value_info.extend(valueInfos)
    return model


def test_nothing_new_by_default(folder):
    assert infos(written(folder, chain()).graph) == {}, "value_info"
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "untouched model")


def test_what_is_there_is_refined(folder):
    """A size, a rank and an element type that inference knows; the names of the model are kept."""
    out = written(folder, chain(info("h", ("n", None))))
    assert infos(out.graph) == {"h": ["n", 3]}, "value_info"
    out = written(folder, chain(info("h", None)))
    assert infos(out.graph) == {"h": [None, 3]}, "value_info without a rank"
    described = info("h", ("n", None))
    described.doc_string = "kept"
    out = written(folder, chain(described))
    assert out.graph.value_info[0].doc_string == "kept", "doc_string"
    written(folder, chain(info("h", ("n", None))), "-O0")
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "-O0")


def test_protected_nodes_keep_their_types(folder):
    """--skip='*' gives the input back, byte for byte, stale types too. Types of constants are kept in any case."""
    model = chain(info("w", None))
    model.graph.node[1].CopyFrom(node("Add", ["h", "w"], ["y"]))
    model.graph.initializer.append(const("w", np.ones(3, np.float32)))
    for flags in ((), ("--skip=*",)):
        onnx.save(model, folder / "model.onnx")
        t.fold(folder / "model.onnx", folder / "out.onnx", *flags)
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "type of an initializer")
    for given in (info("h", ("n", None)), info("h", ("batch", 4))):
        onnx.save(chain(given), folder / "model.onnx")
        t.fold(folder / "model.onnx", folder / "out.onnx", "--skip=*")
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "--skip=*")


def test_what_is_right_stays_byte_for_byte(folder):
    written(folder, chain(info("h", ("n", 3))))
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "right value_info")


def test_what_contradicts_goes(folder):
    """The inferred type holds: the stale one is erased, and the report says so."""
    for stale in (info("h", ("batch", 4)), info("h", ("batch", 3, 1)), info("h", ("batch", 3), TensorProto.DOUBLE)):
        onnx.save(chain(stale), folder / "model.onnx")
        result = t.runOk(folder / "model.onnx", "-o", folder / "out.onnx", f"--report=json:{folder}/report.json")
        assert "the model says that 'h' is" in result.err and "tensor<?x3xf32>" in result.err, result.err
        warnings = json.loads((folder / "report.json").read_text())["warnings"]
        assert any("'h'" in text for text in warnings), f"warnings are {warnings}"
        assert infos(onnx.load(folder / "out.onnx").graph) == {}, "value_info"
        written(folder, chain(stale))


def called(*valueInfos, output=("batch", 3)):
    """Two calls of a function, which stay."""
    body = [node("Sin", ["a"], ["c"]), node("Cos", ["c"], ["b"])]
    function = helper.make_function("own", "F", ["a"], ["b"], body, [helper.make_opsetid("", 21)])
    nodes = [node("F", ["x"], ["h"], domain="own"), node("F", ["h"], ["y"], domain="own"), node("Shape", ["h"], ["s"])]
    outputs = [info("y", output), info("s", (2,), I64)]
    model = m.model(nodes, [info("x", ("batch", 3))], outputs, domains=[("own", 1)], functions=[function])
    model.graph.value_info.extend(valueInfos)
    return model


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
def test_a_call_that_is_not_inlined(folder, level):
    """The type that a model stated of it was believed without a word, and Shape folded to it."""
    for stale, says in ((info("h", (2, 4)), "tensor<2x4xf32>"), (info("h", ("batch", 3), I64), "tensor<?x3xi64>"), (info("h", (1, 1, 1)), "tensor<1x1x1xf32>")):
        onnx.save(called(stale), folder / "model.onnx")
        result = t.runOk(folder / "model.onnx", "-o", folder / "out.onnx", level)
        assert f"the model says that 'h' is {says}, inferred is tensor<?x3xf32>" in result.err, result.err
        assert t.run(folder / "model.onnx", "-o", folder / "none.onnx", level, "--strict").code == 1, "--strict"
        if level == "-O0" and says.endswith("xi64>"):
            continue  # the type stays in the file, and ONNX Runtime refuses it as before
        feeds = {"x": np.ones((5, 3), np.float32)}
        assert list(compare.outputs(folder / "out.onnx", [feeds])[0]["s"]) == [5, 3], "what Shape gives"
    onnx.save(called(info("h", ("batch", 3)), output=("batch", 4)), folder / "model.onnx")
    assert "the model says that 'y' is" in t.runOk(folder / "model.onnx", "-o", folder / "out.onnx", level).err, "an output"
    onnx.save(called(info("h", ("n", 3))), folder / "model.onnx")
    assert "the model says" not in t.runOk(folder / "model.onnx", "-o", folder / "out.onnx", level).err, "a near miss"


def test_strict_is_an_error(folder):
    """It names the value and both types, and nothing is written."""
    onnx.save(chain(info("h", ("batch", 4))), folder / "model.onnx")
    result = t.run(folder / "model.onnx", "-o", folder / "out.onnx", "--strict")
    assert result.code == 1, "exit status"
    for part in ("model.onnx", "'h'", "tensor<?x4xf32>", "tensor<?x3xf32>"):
        assert part in result.err, f"{part!r} is not in {result.err!r}"
    assert not (folder / "out.onnx").exists(), "an output was written"
    onnx.save(chain(info("h", ("batch", 3))), folder / "model.onnx")
    t.runOk(folder / "model.onnx", "-o", folder / "out.onnx", "--strict")


def test_a_stale_size_does_not_fold(folder):
    """What reads the shape of such a value gets the inferred one."""
    nodes = [node("Relu", ["x"], ["h"]), node("Shape", ["h"], ["y"])]
    model = m.model(nodes, [info("x", (2, 3))], [info("y", (2,), I64)])
    model.graph.value_info.append(info("h", (2, 5)))
    out = written(folder, model)
    m.expectValue(out.graph, "y", [2, 3])


def test_parts_of_more_than_32_bits(folder):
    """ONNX's inference of Split computes with 32 bits: half of 2^32 + 4 elements was 2. Of a wrong number of outputs it read
    memory behind its sizes."""
    for inputs, attributes, opset, size in (
        (["x"], {"num_outputs": 2}, 18, (1 << 31) + 2),
        (["x"], {}, 13, (1 << 31) + 2),
        (["x"], {}, 11, (1 << 31) + 2),
        (["x", "sizes"], {}, 13, 100),
        (["x"], {"num_outputs": 1}, 18, None),
        (["x"], {"num_outputs": 3}, 18, None),
        (["x"], {}, 18, None),
    ):
        nodes = [node("Split", inputs, ["a", "b"], **attributes), node("Shape", ["b"], ["y"])]
        sizes = const("sizes", [(1 << 32) - 96, 100], np.int64)
        model = m.model(nodes, [info("x", ((1 << 32) + 4,))], [info("y", (1,), I64)], [sizes], opset=opset)
        out = written(folder, model, checks=False)
        found = m.constantValue(out.graph, "y")
        assert found == ([size] if size else None), f"size of a part ({inputs}, {attributes}, opset {opset})"


def test_shapes_are_written(folder):
    out = written(folder, chain(), "--shapes")
    assert infos(out.graph) == {"h": ["batch", 3]}, "value_info"


def test_shapes_in_branches(folder):
    """In the graph of the branch, which sees outer values."""
    then = m.graph([node("Neg", ["x"], ["n"]), node("Abs", ["n"], ["t"])], [], [info("t", ("batch", 3))], name="then")
    other = m.graph([node("Exp", ["x"], ["e"])], [], [info("e", ("batch", 3))], name="else")
    nodes = [node("If", ["c"], ["h"], then_branch=then, else_branch=other), node("Relu", ["h"], ["y"])]
    model = m.model(
        nodes, [info("x", ("batch", 3)), info("c", (), TensorProto.BOOL)], [info("y", ("batch", 3))]
    )
    out = written(folder, model, "--shapes")
    branch = next(attribute.g for attribute in out.graph.node[0].attribute if attribute.name == "then_branch")
    assert infos(branch) == {"n": ["batch", 3]}, "value_info of the branch"
    assert "h" in infos(out.graph) and "n" not in infos(out.graph), f"value_info is {infos(out.graph)}"


def withFunction(ir):
    nodes = [
        node("Constant", [], ["one"], value=const("", np.ones((1, 2), np.float32))),
        node("Constant", [], ["two"], value=const("", np.ones((1, 2), np.float32))),
        node("Add", ["one", "two"], ["folded"]),
        node("Exp", ["folded"], ["three"]),
        node("Add", ["three", "a"], ["b"]),
    ]
    function = helper.make_function("com.acme", "Plus", ["a"], ["b"], nodes, [helper.make_opsetid("", 21)])
    model = m.model(
        [node("Plus", ["x"], ["y"], domain="com.acme")], [info("x", (1, 2))], [info("y", (1, 2))],
        domains=[("com.acme", 1)], ir=ir,
    )
    if ir >= 10:
        function.value_info.extend([info("folded", (1, 2)), info("three", (1, 2))])
    model.functions.append(function)
    return model


def test_functions_have_types_too(folder):
    """Those of erased values are erased; new ones are written from IR version 10 on."""
    out = written(folder, withFunction(10))
    assert [value.name for value in out.functions[0].value_info if value.name == "folded"] == [], "stale value_info"
    out = written(folder, withFunction(9), "--shapes")
    assert len(out.functions[0].value_info) == 0, "value_info with IR version 9"


def images():
    """Operators whose shapes ONNX's own inference leaves open for an image of dynamic height."""
    weight = np.ones((4, 3, 3, 3), np.float32)
    nodes = [
        node("Conv", ["x", "w"], ["conv"], strides=[2, 2], pads=[1, 1, 1, 1]),
        node("Conv", ["x", "w"], ["same"], auto_pad="SAME_UPPER", strides=[2, 3]),
        node("ConvTranspose", ["conv", "wt"], ["up"], strides=[2, 2]),
        node("MaxPool", ["x"], ["pool"], kernel_shape=[2, 2], strides=[2, 2]),
        node("AveragePool", ["x"], ["average"], kernel_shape=[3, 3], dilations=[2, 2]),
        node("Concat", ["x", "pad"], ["joined"], axis=2),
        node("Pad", ["x", "pads"], ["pad"]),
        node("Tile", ["x", "twice"], ["tiled"]),
        node("Slice", ["x", "one", "far", "axis"], ["tail"]),
        node("Slice", ["x", "minus", "start", "axis", "minus"], ["backwards"]),
        node("Slice", ["x", "one", "far", "axis", "two"], ["even"]),
        node("Slice", ["x", "zero", "minus", "axis"], ["but_last"]),
        node("Split", ["tail2", "parts"], ["left", "right"], axis=3),
        node("Concat", ["x", "x"], ["tail2"], axis=3),
        node("Split", ["tail2"], ["half", "other_half"], axis=3, num_outputs=2),
        node("Resize", ["x", "", "scales"], ["resized"], mode="nearest"),
        node("Flatten", ["x"], ["flat"], axis=2),
        node("Reshape", ["x", "minus_rows"], ["rows"]),
        node("Shape", ["x"], ["s"], start=2),
        node("ConstantOfShape", ["s"], ["zeros"]),
        node("Squeeze", ["height"], ["limit"]),
        node("Slice", ["s", "zero", "one"], ["height"]),
        node("Range", ["start0", "limit", "step"], ["arange"]),
        node("Add", ["x", "bias"], ["sum"]),
        node("MatMul", ["x", "transposed"], ["product"]),
        node("Transpose", ["x"], ["transposed"], perm=[0, 1, 3, 2]),
        node("Expand", ["bias", "to"], ["expanded"]),
        node("Shape", ["x"], ["to"]),
    ]
    results = sorted({name for item in nodes for name in item.output} - {"s", "to", "limit", "height"})
    constants = [
        const("w", weight),
        const("wt", np.ones((4, 2, 3, 3), np.float32)),
        const("pads", [0, 0, 1, 0, 0, 0, 3, 0], np.int64),
        const("twice", [1, 2, 3, 1], np.int64),
        const("parts", [2, 6], np.int64),
        const("scales", np.array([1, 1, 2, 0.5], np.float32)),
        const("minus_rows", [-1, 3], np.int64),
        const("start0", np.int64(1)),
        const("step", np.int64(3)),
        const("bias", np.ones((1, 3, 1, 1), np.float32)),
    ]
    for name, value in (("one", 1), ("two", 2), ("zero", 0), ("minus", -1), ("axis", 2), ("far", 2**31 - 1)):
        constants.append(const(name, [value], np.int64))
    constants.append(const("start", [-(2**31)], np.int64))
    return nodes, constants, results


def sortedNodes(nodes, constants):
    """Nodes are listed as they come to mind; the file has to be sorted."""
    done, ordered = {"x", *(tensor.name for tensor in constants)}, []
    while nodes:
        ready = [item for item in nodes if set(item.input) - {""} <= done]
        ordered += ready
        nodes = [item for item in nodes if item not in ready]
        done |= {name for item in ready for name in item.output}
    return ordered


IMAGE = info("x", ("batch", 3, "height", 4))
SIZES = ((1, 5), (2, 8), (3, 11), (2, 4), (1, 21))


def test_many_operators_are_right(folder):
    """What --shapes says of each value, with the dimensions of a run put in, is the shape that ONNX Runtime gives it."""
    nodes, constants, results = images()
    ordered = sortedNodes(nodes, constants)
    ranks = {"flat": 2, "rows": 2, "zeros": 2, "arange": 1}
    # The types of outputs are the model's own: what copies each value stands for it.
    outputs = []
    for name in results:
        kind = I64 if name == "arange" else F32
        ordered.append(node("Abs" if kind == I64 else "Relu", [name], [f"out_{name}"]))
        outputs.append(info(f"out_{name}", (None,) * ranks.get(name, 4), kind))
    model = m.model(ordered, [IMAGE], outputs, constants)
    out = t.fold(save(folder, model), folder / "out.onnx", "--shapes")
    onnx.checker.check_model(str(out), full_check=True)
    known = infos(onnx.load(out).graph)
    checked = 0
    names = [f"out_{name}" for name in results]
    for batch, height in SIZES:
        x = np.ones((batch, 3, height, 4), np.float32)
        [got] = compare.outputs(out, [{"x": x}])
        sizes = {"batch": batch, "height": height}
        for name in names:
            array = got[name]
            said = known.get(name.removeprefix("out_"))
            if said is None:
                continue
            assert len(said) == array.ndim, f"rank of {name}"
            for dim, size in zip(said, array.shape):
                if dim is not None:
                    checked += 1
                    assert sizes.get(dim, dim) == size, f"a dimension of {name} with {sizes}"
    assert checked >= 100, f"only {checked} dimensions were known"


def test_differences_of_dimensions_are_right(folder):
    """Differences and comparisons of any two dimensions that fold are what ONNX Runtime computes for every size."""
    nodes, constants, results = images()
    for name in results:
        nodes.append(node("Shape", [name], [f"shape_{name}"]))
    nodes.append(node("Concat", [f"shape_{name}" for name in results], ["all"], axis=0))
    count = sum({"flat": 2, "rows": 2, "zeros": 2, "arange": 1}.get(name, 4) for name in results)
    random = np.random.default_rng(t.options.seed)
    outputs = []
    for number in range(count):
        constants.append(const(f"at{number}", np.int64(number)))
        nodes.append(node("Gather", ["all", f"at{number}"], [f"dim{number}"]))
    for pair in range(600):
        a, b = (f"dim{number}" for number in random.integers(0, count, 2))
        operator, kind = (("Sub", I64), ("Less", TensorProto.BOOL), ("Equal", TensorProto.BOOL))[pair % 3]
        nodes.append(node(operator, [a, b], [f"pair{pair}"]))
        outputs.append(info(f"pair{pair}", (), kind))
    model = m.model(sortedNodes(nodes, constants), [IMAGE], outputs, constants)
    feeds = [{"x": np.ones((batch, 3, height, 4), np.float32)} for batch, height in SIZES]
    out = m.folded(folder, model, feeds=feeds)
    folded = sum(m.constantValue(out.graph, value.name) is not None for value in outputs)
    assert folded >= 150, f"only {folded} of {len(outputs)} were known"
    print(f"  {folded} of {len(outputs)} are known whatever the sizes are")


def save(folder, model):
    onnx.save(model, folder / "model.onnx")
    return folder / "model.onnx"


def untyped(name):
    return onnx.ValueInfoProto(name=name)


def typeOf(value):
    kind = value.type.WhichOneof("value")
    return (value.type.tensor_type.elem_type, shapeOf(value)) if kind == "tensor_type" else kind


def iterated():
    """If, Loop and Scan whose bodies state nothing of what they take and give."""
    go, number = m.info("go", (), TensorProto.BOOL), m.info("i", (), I64)
    branches = [m.graph([node(operator, ["x"], [name])], [], [untyped(name)]) for operator, name in (("Abs", "t"), ("Neg", "e"))]
    inner = [node("Add", ["s", "x"], ["s2"]), node("Identity", ["go"], ["go2"]), node("Neg", ["s"], ["o"])]
    loop = m.graph(inner, [number, go, untyped("s")], [untyped(name) for name in ("go2", "s2", "o")])
    scan = m.graph([node("Add", ["s", "p"], ["s2"]), node("Neg", ["s2"], ["o"])], [untyped("s"), untyped("p")], [untyped("s2"), untyped("o")])
    flag, count, x = m.info("c", (), TensorProto.BOOL), m.info("n", (), I64), info("x", (2, 3))
    zeros = const("z", np.zeros(3, np.float32))
    return {
        "If": ([node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1])], [x, flag], [], [(F32, [2, 3])]),
        "Loop": ([node("Loop", ["n", "", "x"], ["y", "stacked"], body=loop)], [x, count], [], [(F32, [2, 3]), (F32, [None, 2, 3])]),
        "Scan": ([node("Scan", ["z", "x"], ["last", "y"], body=scan, num_scan_inputs=1)], [x], [zeros], [(F32, [3]), (F32, [2, 3])]),
        "Relu": ([node("Relu", ["x"], ["y"])], [x], [], [(F32, [2, 3])]),
        "constant": ([node("Neg", ["z"], ["y"])], [x], [zeros], [(F32, [3])]),
        "sequence": ([node("SequenceConstruct", ["x", "x"], ["y"])], [x], [], ["sequence_type"]),
    }


@pytest.mark.parametrize("kind", iterated())
def test_outputs_without_a_type(folder, kind):
    """The checker refuses such a model, and ONNX Runtime runs it; --shapes gives its outputs types, and the result is valid."""
    nodes, inputs, constants, expected = iterated()[kind]
    outputs = [untyped(name) for name in nodes[0].output]
    source = m.model(nodes, inputs, outputs, constants, opset=17)
    with pytest.raises(onnx.checker.ValidationError):
        onnx.checker.check_model(source)
    out = written(folder, source, "--shapes")
    assert [typeOf(value) for value in out.graph.output] == expected
    bodies = {value.name: typeOf(value) for graph in t.allGraphs(out.graph) if graph is not out.graph for value in graph.output}
    if kind == "If":
        assert bodies == {"t": (F32, [2, 3]), "e": (F32, [2, 3])}
    else:  # what a body gives may change its shape from one iteration to the next
        assert not any(bodies.values()), bodies
    for flags in ((), ("-O0",), ("-O2",)):
        plain = written(folder, source, *flags, checks=False)
        assert not any(typeOf(value) for value in plain.graph.output if kind != "constant"), f"{flags}"
        if kind != "sequence":
            feed = {"x": np.ones((2, 3), np.float32), "n": np.array(2), "c": np.array(True)}
            feed = {name: value for name, value in feed.items() if name in {one.name for one in inputs}}
            pairs = zip(*(compare.outputs(folder / name, [feed])[0].values() for name in ("model.onnx", "out.onnx")))
            assert all(np.array_equal(a, b) for a, b in pairs), f"{flags}"
