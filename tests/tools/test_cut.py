# SPDX-License-Identifier: Apache-2.0
"""--inputs and --outputs: a part of a model, with inner values as inputs and outputs, byte for byte what it was."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(6)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def chain(**more):
    """x -> h -> g -> y, and z beside it; `w` and `v` are weights."""
    nodes = [
        node("Relu", ["x"], ["h"], name="relu"),
        node("MatMul", ["h", "w"], ["g"], name="first"),
        node("MatMul", ["g", "v"], ["y"], name="second"),
        node("Neg", ["a"], ["z"], name="beside"),
    ]
    inputs = [info("x", ("batch", 4)), info("a", (3,))]
    outputs = [info("y", ("batch", 2)), info("z", (3,))]
    return m.model(nodes, inputs, outputs, [const("w", floats(4, 8)), const("v", floats(8, 2))], **more)


def cut(folder, source, *flags, check=True):
    onnx.save(source, folder / "model.onnx")
    t.runOk("--quiet", *flags, folder / "model.onnx", "-o", folder / "out.onnx")
    if check:
        onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)
    return onnx.load(folder / "out.onnx", load_external_data=False)


def names(values):
    return [value.name for value in values]


def typeOf(value):
    kind = value.type.tensor_type
    return kind.elem_type, [dim.dim_param or dim.dim_value or None for dim in kind.shape.dim]


def expectEqual(folder, source, part, feed, given, results):
    """The part computes from `given`, values of the model on `feed`, what the model has for `results`."""
    whole = onnx.ModelProto.FromString(source.SerializeToString())
    there = set(names(whole.graph.output))
    inner = [*given, *results]
    whole.graph.output.extend(helper.ValueInfoProto(name=name) for name in inner if name not in there and name not in feed)
    onnx.save(whole, folder / "whole.onnx")
    onnx.save(part, folder / "part.onnx")
    [known] = compare.outputs(folder / "whole.onnx", [feed])
    [found] = compare.outputs(folder / "part.onnx", [{name: feed.get(name, known.get(name)) for name in given}])
    assert list(found) == list(results)
    for name in results:
        np.testing.assert_array_equal(found[name], known[name])


@pytest.mark.parametrize("flags", [["-O0"], ["-O1"], ["--skip=*"]])
def test_an_output_is_kept_with_what_it_needs(folder, flags):
    source = chain()
    part = cut(folder, source, "--outputs=y", *flags)
    assert m.operators(part) == ["Relu", "MatMul", "MatMul"]
    assert names(part.graph.input) == ["x"] and names(part.graph.output) == ["y"], "only z needed a"
    for field in ("node", "initializer"):
        assert list(getattr(part.graph, field)) == list(getattr(source.graph, field))[: 3 if field == "node" else 2], field
    assert part.graph.input[0] == source.graph.input[0] and part.graph.output[0] == source.graph.output[0]


def test_inner_values_get_inferred_types(folder):
    source = chain()
    part = cut(folder, source, "--inputs=h", "--outputs=g", "-O0")
    assert m.operators(part) == ["MatMul"] and m.initializerNames(part) == ["w"]
    assert names(part.graph.input) == ["h"] and names(part.graph.output) == ["g"]
    assert typeOf(part.graph.input[0]) == (TensorProto.FLOAT, ["batch", 4]), "the name of a dimension too"
    assert typeOf(part.graph.output[0]) == (TensorProto.FLOAT, ["batch", 8])
    feed = {"x": floats(3, 4), "a": floats(3)}
    expectEqual(folder, source, part, feed, ["h"], ["g"])


def test_what_the_file_says_of_a_value_moves_along(folder):
    """A type with a denotation that inference does not know; and no second entry is left."""
    source = chain()
    said = info("h", ("n", 4))
    said.doc_string = "hidden"
    said.type.denotation = "TENSOR"
    source.graph.value_info.extend([said, info("g", (None, 8))])
    part = cut(folder, source, "--inputs=h", "--outputs=g", "-O0")
    assert part.graph.input[0] == said, f"{part.graph.input}"
    assert not part.graph.value_info
    assert typeOf(part.graph.output[0]) == (TensorProto.FLOAT, [None, 8])


def test_the_order_is_the_given_one(folder):
    source = chain()
    part = cut(folder, source, "--outputs=z,g,y", "-O0")
    assert names(part.graph.output) == ["z", "g", "y"]
    assert part.graph.output[0] == source.graph.output[1] and part.graph.output[2] == source.graph.output[0]
    part = cut(folder, source, "--inputs=a,x", "-O0")
    assert names(part.graph.input) == ["a", "x"] and names(part.graph.output) == ["y", "z"]
    assert part.graph.input[1] == source.graph.input[0]
    part = cut(folder, source, "--outputs=z", "--outputs=y", "--outputs=z", "-O0")
    assert names(part.graph.output) == ["z", "y"], "repeated options are one list, without doubles"
    part = cut(folder, source, "--outputs=z,y", "--dim=batch:3")
    assert typeOf(part.graph.output[1]) == (TensorProto.FLOAT, [3, 2]), "types follow fixed inputs, in any order"


def test_all_as_it_was_is_the_input(folder):
    onnx.save(chain(), folder / "model.onnx")
    t.runOk("--quiet", "--inputs=x,a", "--outputs=y,z", folder / "model.onnx", "-o", folder / "out.onnx")
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "nothing is cut off")
    part = cut(folder, chain(), "--inputs=h", "--outputs=y")
    again = cut(folder, part, "--inputs=h", "--outputs=y")
    assert again == part, "the same cut of the part"


def test_folding_happens_on_the_part(folder):
    """What only the rest needed does not fold, and what an input cut off was a constant."""
    nodes = [
        node("Transpose", ["w"], ["wt"]),
        node("Transpose", ["big"], ["bt"]),
        node("MatMul", ["x", "wt"], ["y"]),
        node("MatMul", ["x", "bt"], ["z"]),
    ]
    constants = [const("w", floats(4, 4)), const("big", floats(64, 4))]
    source = m.model(nodes, [info("x", (2, 4))], [info("y", (2, 4)), info("z", (2, 64))], constants)
    part = cut(folder, source, "--outputs=y")
    assert m.operators(part) == ["MatMul"] and m.initializerNames(part) == ["wt"]
    part = cut(folder, source, "--inputs=x,wt", "--outputs=y")
    assert m.operators(part) == ["MatMul"] and m.initializerNames(part) == [] and names(part.graph.input) == ["x", "wt"]
    part = cut(folder, source, "--inputs=x,w", "--outputs=y")
    assert m.operators(part) == ["Transpose", "MatMul"] and m.initializerNames(part) == [], "a weight as an input"
    assert typeOf(part.graph.input[1]) == (TensorProto.FLOAT, [4, 4])
    part = cut(folder, source, "--outputs=wt")
    assert m.operators(part) == [] and names(part.graph.output) == ["wt"] and not part.graph.input, "a constant output"


def test_an_output_is_an_input_too(folder):
    source = chain()
    source.graph.output.append(info("h", ("batch", 4)))
    part = cut(folder, source, "--inputs=h", "--outputs=g,h", "-O0")
    assert names(part.graph.input) == ["h"] and names(part.graph.output) == ["g", "h"]
    assert typeOf(part.graph.input[0]) == (TensorProto.FLOAT, ["batch", 4])
    part = cut(folder, chain(), "--inputs=g,a", "-O0")
    assert names(part.graph.input) == ["g", "a"] and m.operators(part) == ["MatMul", "Neg"]


def test_a_node_that_gives_more_than_the_input(folder):
    """Its other result is needed: the one that is an input now gets another name."""
    nodes = [
        node("Split", ["x"], ["left", "right"], num_outputs=2, axis=1),
        node("Neg", ["left"], ["n"]),
        node("Add", ["n", "right"], ["y"]),
    ]
    source = m.model(nodes, [info("x", (2, 4))], [info("y", (2, 2))])
    part = cut(folder, source, "--inputs=x,left")
    split = part.graph.node[0]
    assert list(split.output) == ["left_1", "right"] and names(part.graph.input) == ["x", "left"]
    expectEqual(folder, source, part, {"x": floats(2, 4)}, ["x", "left"], ["y"])


def test_bodies_read_the_new_input(folder):
    branch = m.graph([node("Neg", ["h"], ["t"])], [], [info("t", (2, 3))])
    other = m.graph([node("Abs", ["h"], ["e"])], [], [info("e", (2, 3))])
    nodes = [node("Relu", ["x"], ["h"]), node("If", ["c"], ["y"], name="choice", then_branch=branch, else_branch=other)]
    source = m.model(nodes, [info("x"), info("c", (), TensorProto.BOOL)], [info("y")])
    part = cut(folder, source, "--inputs=h,c")
    assert m.operators(part) == ["If"] and names(part.graph.input) == ["h", "c"]
    result = t.run("--outputs=t", folder / "model.onnx")
    assert result.code == 1, result
    words = "--outputs is 't', a value in the body of node 'choice' (If), expected one of the main graph"
    assert words in result.err, result.err


def test_functions(folder):
    """Those that the part does not call are not in it; their values cannot be named."""
    opset = [helper.make_opsetid("", 21)]
    functions = [
        helper.make_function("own", "Half", ["u"], ["r"], [node("Neg", ["u"], ["inner"]), node("Neg", ["inner"], ["r"])], opset),
        helper.make_function("own", "Other", ["u"], ["r"], [node("Abs", ["u"], ["r"])], opset),
    ]
    nodes = [node("Half", ["x"], ["h"], domain="own"), node("Other", ["h"], ["y"], domain="own")]
    source = m.model(nodes, [info("x")], [info("y")], domains=[("own", 1)], functions=functions)
    for flag in ("-O0", "--skip=*"):
        part = cut(folder, source, "--outputs=h", flag)
        assert typeOf(part.graph.output[0]) == (TensorProto.FLOAT, [2, 3]), "inferred through the function"
        assert [one.name for one in part.functions] == ["Half"], flag
    result = t.run("--inputs=inner", folder / "model.onnx")
    words = "--inputs is 'inner', a value in the function 'Half', expected one of the main graph"
    assert result.code == 1 and words in result.err, result.err


def test_custom_and_random_operators(folder):
    """They are cut off as all others are; what they give has no type unless the model states it."""
    nodes = [
        node("Magic", ["x"], ["magic"], domain="com.acme"),
        node("RandomNormalLike", ["x"], ["noise"]),
        node("Add", ["magic", "noise"], ["y"]),
        node("Neg", ["x"], ["z"]),
    ]
    source = m.model(nodes, [info("x")], [info("y"), info("z")], domains=[("com.acme", 1)])
    part = cut(folder, source, "--outputs=z")
    assert m.operators(part) == ["Neg"] and [one.domain for one in part.opset_import] == [""], "and the import"
    result = t.run("--inputs=magic,noise", "--outputs=y", folder / "model.onnx")
    assert result.code == 1 and "--inputs is 'magic', a value whose type cannot be inferred" in result.err, result.err
    source.graph.value_info.append(info("magic"))
    part = cut(folder, source, "--inputs=magic,noise", "--outputs=y")
    assert m.operators(part) == ["Add"] and typeOf(part.graph.input[0]) == (TensorProto.FLOAT, [2, 3])


def test_an_unknown_rank_is_a_warning(folder):
    nodes = [node("Reshape", ["x", "sizes"], ["r"]), node("Neg", ["r"], ["y"])]
    source = m.model(nodes, [info("x"), info("sizes", (None,), TensorProto.INT64)], [info("y", None)])
    onnx.save(source, folder / "model.onnx")
    result = t.runOk("--inputs=r", folder / "model.onnx", "-o", folder / "out.onnx")
    assert "the rank of the new input 'r' is not known" in result.err, result.err
    result = t.runOk("--inputs=r", "--input-shape=r:6,1", folder / "model.onnx", "-o", folder / "out.onnx")
    assert "rank" not in result.err, result.err
    assert typeOf(onnx.load(folder / "out.onnx").graph.input[0]) == (TensorProto.FLOAT, [6, 1])


def test_sparse_initializers_that_are_inputs_too(folder):
    """An input with a sparse value was taken for one without, so that a cut that did not name it was refused."""
    source = m.model([node("Relu", ["x"], ["g"]), node("Mul", ["g", "w"], ["y"])], [info("x", (3,)), info("w", (3,))], [info("y", (3,))], ir=8)
    values, places = helper.make_tensor("w", TensorProto.FLOAT, [2], [1.0, 3.0]), helper.make_tensor("", TensorProto.INT64, [2], [0, 2])
    source.graph.sparse_initializer.append(helper.make_sparse_tensor(values, places, [3]))
    for flag, inputs in (("--inputs=g", ["g", "w"]), ("--inputs=x", ["x", "w"]), ("--inputs=g,w", ["g", "w"])):
        part = cut(folder, source, flag, check=False)  # the checker says that the input's type is not sparse
        assert names(part.graph.input) == inputs and [one.values.name for one in part.graph.sparse_initializer] == ["w"], flag
    part = cut(folder, source, "--outputs=g", check=False)
    assert names(part.graph.input) == ["x"] and not part.graph.sparse_initializer


@pytest.mark.parametrize("version", [3, 8])
def test_initializers_that_are_inputs_too(folder, version):
    """Before IR version 4 all are, and what is cut off takes its input along. Later a caller may give them."""
    nodes = [node("MatMul", ["x", "w"], ["g"]), node("MatMul", ["g", "v"], ["y"])]
    inputs = [info("x", (2, 4)), info("w", (4, 8)), info("v", (8, 2))]
    source = m.model(nodes, inputs, [info("y", (2, 2))], [const("w", floats(4, 8)), const("v", floats(8, 2))], 8, version)
    part = cut(folder, source, "--outputs=g")
    assert names(part.graph.input) == ["x", "w"] and m.initializerNames(part) == ["w"]
    part = cut(folder, source, "--inputs=g")
    assert sorted(names(part.graph.input)) == ["g", "v"] and m.initializerNames(part) == ["v"], "v has a value"
    expectEqual(folder, source, part, {"x": floats(2, 4)}, ["g"], ["y"])


def test_external_data_is_shared_or_taken_along(folder):
    source = chain()
    weight = source.graph.initializer[1].raw_data
    onnx.save(source, folder / "large.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    t.runOk("--quiet", "--inputs=g", "--outputs=y", folder / "large.onnx", "-o", folder / "out.onnx")
    part, whole = (onnx.load(folder / name, load_external_data=False) for name in ("out.onnx", "large.onnx"))
    assert part.graph.initializer[0] == whole.graph.initializer[1], "the range in the file of the whole model"
    (folder / "live").mkdir()
    t.runOk("--quiet", "--inputs=g", "--outputs=y", "--external-data", folder / "large.onnx", "-o", folder / "live/out.onnx")
    assert onnx.load(folder / "live/out.onnx").graph.initializer[0].raw_data == weight


def test_beside_other_options(folder):
    nodes = [node("Add", ["w", "lora"], ["sum"]), node("MatMul", ["h", "sum"], ["g"]), node("Neg", ["g"], ["y"])]
    constants = [const("w", floats(4, 4)), const("lora", floats(4, 4))]
    source = m.model([node("Relu", ["x"], ["h"]), *nodes], [info("x", ("n", 4))], [info("y", ("n", 4))], constants)
    part = cut(folder, source, "--inputs=h", "--outputs=g", "--keep-initializer=lora")
    assert m.operators(part) == ["Add", "MatMul"] and m.initializerNames(part) == ["lora", "w"]
    t.runOk("--run-once=lora", "--inputs=h", "--outputs=g", folder / "model.onnx", "-o", folder / "rest.onnx")
    once, rest = (onnx.load(folder / name) for name in ("rest.once.onnx", "rest.onnx"))
    assert names(once.graph.output) == ["sum"] and names(rest.graph.input) == ["h", "sum"]
    assert names(rest.graph.output) == ["g"]
    part = cut(folder, source, "--inputs=h", "--outputs=g", "--dim=n:2", "--verify")
    assert typeOf(part.graph.input[0]) == (TensorProto.FLOAT, [2, 4]), "a dimension that only inference named"
    result = t.run("--keep-initializer=lora", "--inputs=x,lora", folder / "model.onnx")
    assert result.code == 1 and "expected the name of an initializer" in result.err, "it is an input then"
    result = t.runOk("compare", "--outputs=h,sum", folder / "model.onnx", folder / "model.onnx")
    assert "2 of 2 values agree" in result.err, result.err


def test_the_report_counts_what_was_cut_off(folder):
    onnx.save(chain(), folder / "model.onnx")
    result = t.runOk("--inputs=h", "--outputs=g", f"--report=json:{folder}/r.json", folder / "model.onnx")
    assert "3 nodes cut off by --inputs and --outputs" in result.err, result.err
    report = json.loads((folder / "r.json").read_text())
    assert report["cut"] == {"nodes": 3, "inputs": ["h"], "outputs": ["g"]}
    assert report["ops"]["MatMul"] == [2, 1] and report["ops"]["Relu"] == [1, 0]
    assert t.run("--check", "--outputs=y", folder / "model.onnx").code == 2, "it would be another model"


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--outputs=yy"], "model.onnx: --outputs is 'yy', expected the name of a value of the main graph, such as 'y'"),
        (["--outputs=y,"], "--outputs is '', expected the name of a value"),
        (["--inputs=relu"], "--inputs is 'relu', expected the name of a value"),
        (["--inputs=h"], "--inputs does not name the input 'a', which the outputs need: node 'beside' (Neg) reads it"),
        (["diff", "--outputs=y", "OTHER"], "--outputs is not an option of 'onnx-fold diff'"),
        (["--outputs=z", "--dim=batch:1"], "no input has a dimension 'batch'"),
    ],
)
def test_refused(folder, flags, words):
    onnx.save(chain(), folder / "model.onnx")
    flags = [str(folder / "model.onnx") if flag == "OTHER" else flag for flag in flags]
    result = t.run(*flags, folder / "model.onnx")
    assert result.code == 1 and words in result.err, result.err
    assert not (folder / "model.folded.onnx").exists(), "an output was written"


def test_training_information_is_refused(folder):
    source = chain()
    source.training_info.add().algorithm.CopyFrom(m.graph([node("Neg", ["w"], ["dw"])], [], [info("dw", (4, 8))]))
    onnx.save(source, folder / "model.onnx")
    result = t.run("--outputs=y", folder / "model.onnx")
    assert result.code == 1 and "has training information, with which --inputs and --outputs" in result.err, result.err


def test_names_with_commas(folder):
    nodes = [node("Relu", ["x"], ["h,1"]), node("Neg", ["h,1"], ["y"])]
    source = m.model(nodes, [info("x")], [info("y")])
    assert names(cut(folder, source, "--outputs=h,1").graph.output) == ["h,1"]


def test_random_cuts(folder):
    """Any values of a random model as inputs and outputs: the part computes what the model does."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        nodes, values = [], ["x", "c"]
        for step in range(9):
            kind = str(random.choice(["Add", "Mul", "Sub", "Neg", "Abs", "Relu"]))
            operands = [str(random.choice(values[-5:])) for _ in range(2 if kind in ("Add", "Mul", "Sub") else 1)]
            nodes.append(node(kind, operands, [f"v{step}"]))
            values.append(f"v{step}")
        source = m.model(nodes, [info("x", (3,))], [info("v8", (3,))], [const("c", random.integers(-2, 3, 3), np.float32)])
        results = [str(name) for name in random.choice(values[4:], 2, replace=False)]
        given = ["x", *(str(name) for name in random.choice(values[2:], 2, replace=False))]
        part = cut(folder, source, "--inputs=" + ",".join(given), "--outputs=" + ",".join(results))
        assert names(part.graph.input) == given and names(part.graph.output) == results, f"seed {seed}"
        try:
            expectEqual(folder, source, part, {"x": random.integers(-3, 4, 3).astype(np.float32)}, given, results)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}")
