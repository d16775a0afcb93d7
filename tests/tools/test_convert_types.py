# SPDX-License-Identifier: Apache-2.0
"""--convert: other element types. ONNX Runtime, with the original, is the judge."""

import json
from collections import Counter

import numpy as np
import onnx
import onnxfold_models as m
import onnxfold_testing as t
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.helper import make_node as node

RANDOM = np.random.default_rng(20261129)
F32, F16, I64, I32 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64, TensorProto.INT32
WEIGHT = RANDOM.standard_normal((8, 16)).astype(np.float32)


def convert(folder, source, *options):
    """The converted model, which the checker takes, its report, and that another run changes nothing."""
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", f"--report=json:{folder / 'report.json'}", *options)
    assert done.code == 0, done
    onnx.checker.check_model(str(folder / "out.onnx"), full_check=True)
    again = t.run(folder / "out.onnx", "-o", folder / "again.onnx", *options)
    assert again.code == 0, again
    t.expectSameBytes(folder / "again.onnx", folder / "out.onnx", "converted again")
    return onnx.load(folder / "out.onnx"), json.loads((folder / "report.json").read_text())["conversion"]


def runtime(model, **feeds):
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feeds)


def counts(model):
    return Counter(each.op_type for each in model.graph.node)


def perceptron():
    nodes = [node("MatMul", ["x", "w"], ["a"]), node("Add", ["a", "b"], ["c"]), node("Relu", ["c"], ["d"]), node("Softmax", ["d"], ["y"])]
    return m.model(nodes, [m.info("x", ("n", 8))], [m.info("y", ("n", 16))], [m.const("w", WEIGHT), m.const("b", WEIGHT[0])])


def typesOf(model):
    return {each.name: each.data_type for each in model.graph.initializer}


def test_weights_and_edges(folder):
    source = perceptron()
    result, report = convert(folder, source, "--convert=f32:f16", "--verify")
    assert typesOf(result) == {"w": F16, "b": F16} and counts(result)["Cast"] == 2
    assert [each.type.tensor_type.elem_type for each in [*result.graph.input, *result.graph.output]] == [F32, F32]
    w = next(each for each in report["tensors"] if each["name"] == "w")
    assert w["largest_error"] == np.abs(WEIGHT.astype(np.float64) - WEIGHT.astype(np.float16)).max() and w["elements"] == WEIGHT.size
    x = RANDOM.standard_normal((3, 8)).astype(np.float32)
    np.testing.assert_allclose(runtime(result, x=x)[0], runtime(source, x=x)[0], atol=2e-3)


def test_interface(folder):
    result, _ = convert(folder, perceptron(), "--convert=f32:f16", "--convert-io", "--verify")
    assert counts(result)["Cast"] == 0
    assert [each.type.tensor_type.elem_type for each in [*result.graph.input, *result.graph.output]] == [F16, F16]


def test_there_and_back(folder):
    """The nodes of the original, with rounded weights, and no Cast."""
    source = perceptron()
    half, _ = convert(folder, source, "--convert=f32:f16")
    back, report = convert(folder, half, "--convert=f16:f32", "--verify")
    assert counts(back) == counts(source) and report["dropped_casts"] == 2 and back.graph.output[0].name == "y"
    w = next(each for each in back.graph.initializer if each.name == "w")
    np.testing.assert_array_equal(numpy_helper.to_array(w), WEIGHT.astype(np.float16).astype(np.float32))


def test_nodes_without_weights_between_casts(folder):
    """They are converted where that drops the Casts, and else would only get some."""
    cast = lambda name, out, to: node("Cast", [name], [out], to=to)
    nodes = [cast("x", "a", F16), node("Abs", ["a"], ["b"]), cast("b", "y", F32)]
    source = m.model(nodes, [m.info("x", (4,))], [m.info("y", (4,))])
    back, report = convert(folder, source, "--convert=f16:f32", "-O0")
    assert counts(back) == {"Abs": 1} and report["dropped_casts"] == 2
    nodes = [cast("x", "a", TensorProto.DOUBLE), node("Abs", ["a"], ["b"]), cast("b", "y", F32)]
    source = m.model(nodes, [m.info("x", (4,))], [m.info("y", (4,))])
    kept, _ = convert(folder, source, "--convert=f64:f16", "-O0")
    assert counts(kept) == {"Cast": 2, "Abs": 1} and kept.graph.node[0].attribute[0].i == TensorProto.DOUBLE


def test_nodes_behind_a_cast_to_the_same_type(folder):
    """A second run would see a Cast from the new type: they are converted in the first, and the Cast is dropped."""
    cast = lambda name, out, to: node("Cast", [name], [out], to=to)
    tail = [cast("a", "b", F32), node("Abs", ["b"], ["c"]), cast("c", "y", TensorProto.DOUBLE)]
    ends = [m.info("x", ("n", 8))], [m.info("y", ("n", 16), TensorProto.DOUBLE)]
    result, report = convert(folder, m.model([node("MatMul", ["x", "w"], ["a"]), *tail], *ends, [m.const("w", WEIGHT)]), "--convert=f32:f16", "-O0")
    assert [one.op_type for one in result.graph.node] == ["Cast", "MatMul", "Abs", "Cast"] and report["dropped_casts"] == 1
    source = m.model([cast("x", "a", F32), *tail], [m.info("x", ("n", 16), TensorProto.DOUBLE)], ends[1])
    kept, report = convert(folder, source, "--convert=f32:f16", "-O0")
    assert kept.graph == source.graph, "a Cast more would be all of it"


def test_skipped_nodes(folder):
    result, report = convert(folder, perceptron(), "--convert=f32:f16", "--convert-skip=op:Softmax", "--verify")
    assert counts(result)["Cast"] == 2 and ["--convert-skip=op:Softmax"] == [each["reason"] for each in report["kept"]]
    assert [each.op_type for each in result.graph.node] == ["Cast", "MatMul", "Add", "Relu", "Cast", "Softmax"]


def test_a_skip_of_nothing_is_said(folder):
    onnx.save(perceptron(), folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", "--convert=f32:f16", "--convert-skip=op:Softmaxx")
    assert done.code == 0 and "--convert-skip=op:Softmaxx: matches no node" in done.err


@pytest.mark.parametrize("value,why", [(-3.4e38, "is beyond f16"), (1e-12, "all its numbers would become 0 in f16")])
def test_what_would_be_lost_stays(folder, value, why):
    nodes = [node("Add", ["x", "e"], ["a"]), node("Tanh", ["a"], ["h"]), node("MatMul", ["h", "w"], ["y"])]
    source = m.model(nodes, [m.info("x", (2, 8))], [m.info("y", (2, 16))], [m.const("e", np.float32(value)), m.const("w", WEIGHT)])
    result, report = convert(folder, source, "--convert=f32:f16", "--verify")
    assert typesOf(result) == {"e": F32, "w": F16}
    assert why in next(each["kept"] for each in report["tensors"] if each["name"] == "e")
    near, _ = convert(folder, m.model(nodes, [m.info("x", (2, 8))], [m.info("y", (2, 16))],
                                      [m.const("e", np.float32(1e-5)), m.const("w", WEIGHT)]), "--convert=f32:f16")
    assert typesOf(near) == {"e": F16, "w": F16}, "a near miss"


def test_a_masked_row(folder):
    """A mask of -3.4e38 stays up to the Softmax: as infinity it made NaN of a row that is masked as a whole."""
    nodes = [
        node("Where", ["mask", "low", "zero"], ["bias"]),
        node("MatMul", ["x", "w"], ["s"]),
        node("Add", ["s", "bias"], ["masked"]),
        node("Softmax", ["masked"], ["p"]),
        node("MatMul", ["p", "v"], ["y"]),
    ]
    constants = [m.const("low", np.float32(-3.4028235e38)), m.const("zero", np.float32(0)), m.const("w", WEIGHT), m.const("v", WEIGHT.T.copy())]
    source = m.model(nodes, [m.info("x", (2, 8)), m.info("mask", (2, 16), TensorProto.BOOL)], [m.info("y", (2, 8))], constants)
    result, _ = convert(folder, source, "--convert=f32:f16", "--verify")
    x, mask = RANDOM.standard_normal((2, 8)).astype(np.float32), np.ones((2, 16), bool)
    got, want = runtime(result, x=x, mask=mask)[0], runtime(source, x=x, mask=mask)[0]
    np.testing.assert_allclose(got, want, atol=5e-3)


def test_fixed_types(folder):
    """What the schema has in one type: scales of a Resize, the shape of a Reshape."""
    nodes = [node("Resize", ["x", "", "s"], ["r"]), node("Reshape", ["r", "t"], ["q"]), node("Relu", ["q"], ["y"])]
    constants = [m.const("s", np.array([1, 1, 2, 2], np.float32)), m.const("t", np.array([1, -1]))]
    source = m.model(nodes, [m.info("x", (1, 2, 4, 4))], [m.info("y", (1, 128))], constants)
    result, _ = convert(folder, source, "--convert=f32:f16", "--verify")
    assert typesOf(result)["s"] == F32 and counts(result)["Cast"] == 2
    result, report = convert(folder, source, "--convert=i64:i32")
    assert typesOf(result)["t"] == I64 and "Reshape-" in report["kept"][0]["reason"]


def test_sizes_in_floats_stay(folder):
    """2049 is no f16: a size that is computed in floats would be another one."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Cast", ["s"], ["f"], to=F32),
        node("Add", ["f", "one"], ["g"]),
        node("Cast", ["g"], ["n"], to=I64),
        node("Expand", ["c", "n"], ["e"]),
        node("Mul", ["e", "c"], ["y"]),
    ]
    constants = [m.const("one", np.float32(1)), m.const("c", np.float32(1.5))]
    source = m.model(nodes, [m.info("x", ("n",))], [m.info("y", ("m",))], constants)
    result, _ = convert(folder, source, "--convert=f32:f16")
    assert runtime(result, x=np.zeros(2048, np.float32))[0].shape == (2049,)


def test_stated_types(folder):
    nodes = [node("ConstantOfShape", ["s"], ["c"]), node("Cast", ["i"], ["f"], to=F32), node("Add", ["c", "f"], ["a"])]
    nodes.append(node("Add", ["a", "x"], ["y"]))
    infos = [m.info("s", (1,), I64), m.info("i", (4,), I64), m.info("x", (4,))]
    result, _ = convert(folder, m.model(nodes, infos, [m.info("y", (4,))]), "-O0", "--convert=f32:f16")
    made = {each.output[0]: each for each in result.graph.node}
    assert helper.get_attribute_value(made["c"].attribute[0]).data_type == F16
    assert helper.get_attribute_value(made["f"].attribute[0]) == F16


@pytest.mark.parametrize("opset", [21, 23])
def test_input_and_scale_have_one_type(folder, opset):
    """From opset 23 on each has a type variable of its own; ONNX Runtime wants one type, and only the scale was converted."""
    source = m.model(
        [node("QuantizeLinear", ["x", "s", "z"], ["y"])],
        [m.info("x", (6,))],
        [m.info("y", (6,), TensorProto.UINT8)],
        [m.const("s", np.float32(2)), m.const("z", np.uint8(128))],
        opset=opset,
        ir=10,
    )
    x = np.float32([-300, -3, 0, 1, 2.5, 200])
    result, _ = convert(folder, source, "--convert=f32:f16")
    np.testing.assert_array_equal(runtime(result, x=x)[0], runtime(source, x=x)[0])


def test_bodies(folder):
    then = helper.make_graph([node("Mul", ["x", "k"], ["t"])], "then", [], [m.info("t", (4,))], [m.const("k", np.float32(2.5))])
    other = helper.make_graph([node("Add", ["x", "k2"], ["e"])], "else", [], [m.info("e", (4,))], [m.const("k2", np.float32(0.5))])
    step = [node("Add", ["v", "z"], ["v2"]), node("Identity", ["go"], ["go2"]), node("Cast", ["i"], ["f"], to=F32), node("Add", ["v2", "f"], ["s"])]
    arguments = [m.info("i", (), I64), m.info("go", (), TensorProto.BOOL), m.info("v", (4,))]
    body = helper.make_graph(step, "body", arguments, [m.info("go2", (), TensorProto.BOOL), m.info("v2", (4,)), m.info("s", (4,))])
    nodes = [node("If", ["c"], ["b"], then_branch=then, else_branch=other), node("Loop", ["n", "", "b"], ["y", "all"], body=body)]
    infos = [m.info("c", (), TensorProto.BOOL), m.info("n", (), I64), m.info("x", (4,)), m.info("z", (4,))]
    source = m.model(nodes, infos, [m.info("y", (4,)), m.info("all", ("k", 4))])
    result, _ = convert(folder, source, "--convert=f32:f16", "--verify")
    assert counts(result)["Cast"] == 4
    feeds = {"c": np.array(True), "n": np.array(3), "x": np.arange(4, dtype=np.float32), "z": np.ones(4, np.float32)}
    for got, want in zip(runtime(result, **feeds), runtime(source, **feeds), strict=True):
        np.testing.assert_allclose(got, want, atol=2e-2)


@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_functions(folder, level, calls):
    function = helper.make_function("acme", "Twice", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])], [helper.make_opsetid("", 21)])
    nodes = [node("Twice", ["x"], ["t"], domain="acme"), node("Twice", ["t"], ["u"], domain="acme"), node("MatMul", [" tu"[calls], "w"], ["y"])]
    nodes = nodes[:calls] + nodes[2:]
    source = m.model(nodes, [m.info("x", (2, 8))], [m.info("y", (2, 16))], [m.const("w", WEIGHT)])
    source.functions.append(function)
    source.opset_import.append(helper.make_opsetid("acme", 1))
    result, report = convert(folder, source, level, "--convert=f32:f16", "--verify")
    assert not report["kept"] and typesOf(result)["w"] == F16 and counts(result)["Cast"] == 2
    x = RANDOM.standard_normal((2, 8)).astype(np.float32)
    np.testing.assert_allclose(runtime(result, x=x)[0], runtime(source, x=x)[0], atol=5e-2)


def test_integers_in_range(folder):
    """Ids that index a table of known size, and constants that fit; not a sum of inputs."""
    nodes = [node("Gather", ["v", "g"], ["y"]), node("Add", ["x", "one"], ["z"])]
    nodes += [node("ArgMax", ["v"], ["k"], axis=1, keepdims=0), node("Mul", ["k", "two"], ["j"])]
    constants = [m.const("g", np.array([1, 2])), m.const("one", np.array([1])), m.const("two", np.array([2]))]
    infos = [m.info("x", (1,), I64), m.info("v", (8, 16))], [m.info("y", (2, 16)), m.info("z", (1,), I64), m.info("j", (8,), I64)]
    source = m.model(nodes, *infos, constants)
    result, report = convert(folder, source, "--convert=i64:i32", "--verify")
    assert typesOf(result)["g"] == I32 and typesOf(result)["one"] == I64
    assert any("not known to be in the range of i32" in each["reason"] for each in report["kept"])
    result, _ = convert(folder, source, "--convert=i64:i32=saturate")
    assert typesOf(result)["one"] == I32


def test_saturated_constants(folder):
    nodes = [node("Gather", ["t", "i"], ["y"])]
    constants = [m.const("t", np.array([2**40, -(2**40), 7]))]
    source = m.model(nodes, [m.info("i", (3,), I64)], [m.info("y", (3,), I64)], constants)
    result, report = convert(folder, source, "--convert=i64:i32")
    assert typesOf(result)["t"] == I64 and "is beyond i32" in report["tensors"][0]["kept"]
    result, report = convert(folder, source, "--convert=i64:i32=saturate")
    assert report["tensors"][0]["overflows"] == 2
    assert runtime(result, i=np.arange(3))[0].tolist() == [2**31 - 1, -(2**31), 7]


@pytest.mark.parametrize("kind,largest,smallest", [("f16", 65504, 2.0**-24), ("bf16", (2 - 2**-7) * 2.0**127, 2.0**-133)])
def test_saturated_floats(folder, kind, largest, smallest):
    """Beyond the type: its largest numbers. All would vanish: its smallest. Infinity, NaN, 0 and other numbers stay."""
    wide = [3.4028235e38, -3.4028235e38, 0, 1.5, np.inf, -np.inf, np.nan, 1e-45]
    nodes = [node("Add", ["x", "wide"], ["a"]), node("Mul", ["a", "tiny"], ["y"])]
    constants = [m.const("wide", np.float32(wide)), m.const("tiny", np.float32([1e-45, -1e-45, 0, 0, 0, 0, 0, 0]))]
    source = m.model(nodes, [m.info("x", (8,))], [m.info("y", (8,))], constants)
    onnx.save(source, folder / "in.onnx")
    report = folder / "report.json"
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", f"--convert=f32:{kind}=saturate", f"--report=json:{report}")
    assert done.code == 0 and "constant 'wide' is clipped" in done.err and "constant 'tiny' is clipped" in done.err, done
    got = {each.name: numpy_helper.to_array(each).astype(np.float32) for each in onnx.load(folder / "out.onnx").graph.initializer}
    np.testing.assert_array_equal(got["wide"], np.float32([largest, -largest, 0, 1.5, np.inf, -np.inf, np.nan, 0]))
    np.testing.assert_array_equal(got["tiny"], np.float32([smallest, -smallest, 0, 0, 0, 0, 0, 0]))
    tensors = {each["name"]: each for each in json.loads(report.read_text())["conversion"]["tensors"]}
    assert (tensors["wide"]["overflows"], tensors["tiny"]["underflows"]) == (2, 2)


@pytest.mark.parametrize("name,most", [("bert", 2), ("distilbert", 2), ("bert_int8", 5), ("xlnet", 1), ("qwen2", 3)])
def test_saturation_saves_casts(folder, name, most):
    """Masks and epsilons are clipped, as onnxconverter-common does it, and the outputs move as little as without."""
    source = t.ROOT / f"tests/models/data/{name}.onnx"
    out = t.fold(source, folder / "out.onnx", "--convert=f32:f16=saturate", "--verify")
    assert counts(onnx.load(out))["Cast"] <= most


def test_saturated_attributes(folder):
    """The value of a ConstantOfShape is clipped, too; a Cast would take the low bits."""
    nodes = [node("Shape", ["x"], ["s"]), node("ConstantOfShape", ["s"], ["c"], value=m.const("v", np.int64([2**40]))), node("Add", ["c", "i"], ["y"])]
    source = m.model(nodes, [m.info("x", ("n",)), m.info("i", ("n",), I64)], [m.info("y", ("n",), I64)])
    result, _ = convert(folder, source, "--convert=i64:i32=saturate")
    made = next(each for each in result.graph.node if each.op_type == "ConstantOfShape")
    assert numpy_helper.to_array(made.attribute[0].t).tolist() in ([2**31 - 1], [2**40]), "clipped, or kept"


def test_external_data(folder):
    """Converted weights stand beside the model as those of the input did."""
    nodes = [node("MatMul", ["x", "w"], ["y"])]
    weight = RANDOM.standard_normal((64, 64)).astype(np.float32)
    source = m.model(nodes, [m.info("x", (1, 64))], [m.info("y", (1, 64))], [m.const("w", weight)])
    onnx.save(source, folder / "in.onnx", save_as_external_data=True, location="in.bin", size_threshold=0)
    for options in ([], [f"--external-data={'w.bin'},shard=4K"]):
        t.fold(folder / "in.onnx", folder / "out.onnx", "--convert=f32:f16", "--verify", *options)
        w = onnx.load(folder / "out.onnx", load_external_data=False).graph.initializer[0]
        assert w.data_location == TensorProto.EXTERNAL and w.data_type == F16
        result = onnx.load(folder / "out.onnx")
        np.testing.assert_array_equal(numpy_helper.to_array(result.graph.initializer[0]), weight.astype(np.float16))


def test_with_another_opset(folder):
    result, _ = convert(folder, perceptron(), "--convert=f32:f16", "--target-opset=21", "--verify")
    assert result.opset_import[0].version == 21 and typesOf(result)["w"] == F16


@pytest.mark.parametrize("text", ["f32", "f32:i32", "f32:f32", "f32:f16=clip", "i64:i32=clip", "f32:f16,f32:bf16", "i4:i8"])
def test_wrong_pairs(folder, text):
    onnx.save(perceptron(), folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", f"--convert={text}")
    assert done.code == 1 and "--convert" in done.err and not (folder / "out.onnx").exists(), done


@pytest.mark.parametrize("name", ["albert", "bert", "distilbert", "lstm", "detector", "mobilenet", "mobilenet_qdq", "qwen2", "t5", "vit"])
def test_real_models(folder, name):
    source = t.ROOT / f"tests/models/data/{name}.onnx"
    if not source.exists():
        pytest.skip(f"no {source}")
    convert(folder, onnx.load(source), "--convert=f32:f16", "--verify=1")


@pytest.mark.parametrize("options", [[], ["--convert-io"]])
def test_names_of_nodes(folder, options):
    """A Cast that gives an output has no name: the node that gave it may be called as the output is, as those of TensorFlow are."""
    source = m.model([node("Tanh", ["x"], ["y"], name="y"), node("Exp", ["x"], ["z"], name="x_f16")],
                     [m.info("x", (4,))], [m.info("y", (4,)), m.info("z", (4,))])
    result, _ = convert(folder, source, "-O0", "--convert=f32:f16", *options)
    names = [each.name for each in result.graph.node if each.name]
    assert sorted(names) == ["x_f16", "y"]
    kind = np.float16 if options else np.float32
    runtime(result, x=np.zeros(4, kind))


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
def test_copies_fold_in_the_same_run(folder, level):
    """What was a copy of a constant, or of an input as an output, is none of the converted one. (convert() runs twice.)"""
    then = helper.make_graph([node("Identity", ["w"], ["t"])], "then", [], [m.info("t", (8, 16))])
    other = helper.make_graph([node("Cast", ["v"], ["e"], to=F32)], "else", [], [m.info("e", (8, 16))])
    nodes = [
        node("Abs", ["w"], ["v"]),
        node("If", ["c"], ["b"], then_branch=then, else_branch=other),
        node("Transpose", ["x"], ["copy"], perm=[0]),
        node("Exp", ["x"], ["y"]),
    ]
    outputs = [m.info("v", (8, 16)), m.info("b", (8, 16)), m.info("w", (8, 16)), m.info("copy", (4,)), m.info("y", (4,))]
    source = m.model(nodes, [m.info("c", (), TensorProto.BOOL), m.info("x", (4,))], outputs, [m.const("w", WEIGHT)])
    result, _ = convert(folder, source, level, "--convert=f32:f16", "--verify")
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    for flag in (False, True):
        for got, want in zip(runtime(result, c=np.array(flag), x=x), runtime(source, c=np.array(flag), x=x), strict=True):
            np.testing.assert_allclose(got, want, atol=4e-3)


def test_nodes_around_a_dropped_cast(folder):
    """They may belong together then: both Transposes cancel."""
    nodes = [node("Sigmoid", ["x"], ["s"]), node("Transpose", ["s"], ["a"], perm=[1, 0]), node("Cast", ["a"], ["h"], to=F32)]
    nodes += [node("Transpose", ["h"], ["b"], perm=[1, 0]), node("Exp", ["b"], ["y"])]
    source = m.model(nodes, [m.info("x", (2, 3), F16)], [m.info("y", (2, 3))])
    result, _ = convert(folder, source, "-O1", "--convert=f16:f32", "--verify")
    assert "Transpose" not in counts(result)


def test_weights_in_a_data_file_after_another_fold(folder):
    nodes = [node("MatMul", ["x", "w"], ["y"]), node("Transpose", ["x"], ["copy"], perm=[0, 1])]
    weight = RANDOM.standard_normal((64, 64)).astype(np.float32)
    source = m.model(nodes, [m.info("x", (1, 64))], [m.info("y", (1, 64)), m.info("copy", (1, 64))], [m.const("w", weight)])
    onnx.save(source, folder / "in.onnx", save_as_external_data=True, location="in.bin", size_threshold=0)
    t.fold(folder / "in.onnx", folder / "out.onnx", "--convert=f32:f16", "--verify")
    w = onnx.load(folder / "out.onnx", load_external_data=False).graph.initializer[0]
    assert w.data_location == TensorProto.EXTERNAL and w.data_type == F16
    np.testing.assert_array_equal(numpy_helper.to_array(onnx.load(folder / "out.onnx").graph.initializer[0]), weight.astype(np.float16))


def test_values_beyond_the_type(folder):
    """Between inputs and outputs they become infinite, and then NaN: --verify says so, and nothing is written."""
    nodes = [node("Abs", ["x"], ["p"]), node("Add", ["p", "one"], ["q"]), node("Mul", ["q", "k"], ["a"]), node("Mul", ["a", "k"], ["b"])]
    nodes += [node("Sub", ["b", "b"], ["y"])]
    constants = [m.const("one", np.float32(1)), m.const("k", np.float32(3e4))]
    source = m.model(nodes, [m.info("x", (4,))], [m.info("y", (4,))], constants)
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", "-O0", "--convert=f32:f16", "--verify")
    assert done.code != 0 and "verify" in done.err and not (folder / "out.onnx").exists(), done
    near = [m.const("one", np.float32(1)), m.const("k", np.float32(3))]
    convert(folder, m.model(nodes, [m.info("x", (4,))], [m.info("y", (4,))], near), "-O0", "--convert=f32:f16", "--verify")


def test_casts_stand_before_their_readers(folder):
    """Also behind constants that become nodes."""
    result, _ = convert(folder, perceptron(), "-O0", "--convert=f32:f16", "--constants=nodes", "--convert-skip=op:Relu")
    known = {each.name for each in [*result.graph.input, *result.graph.initializer]}
    for each in result.graph.node:
        assert known.issuperset(each.input), each
        known.update(each.output)


@pytest.mark.parametrize("option", ["--convert-io", "--convert-skip=op:Add"])
def test_options_of_nothing(folder, option):
    onnx.save(perceptron(), folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "out.onnx", option)
    assert done.code == 1 and f"{option.partition('=')[0]} is given without --convert" in done.err, done


def test_boxes_in_another_order(folder):
    """Scores of the detector are so near each other that f16 changes the order of the boxes, and nothing else: each is one of the
    original's. (Row by row they differ by half of the largest number.)"""
    source = t.ROOT / "tests/models/data/detector.onnx"
    result, _ = convert(folder, onnx.load(source), "-O0", "--convert=f32:f16")
    image = np.random.default_rng(1).uniform(-1, 1, (1, 3, 40, 48)).astype(np.float32)
    (boxes, scores), (wanted, before) = runtime(result, image=image), runtime(onnx.load(source), image=image)
    assert boxes.shape == wanted.shape
    np.testing.assert_allclose(np.sort(scores), np.sort(before), atol=2e-3)
    assert max(np.abs(box - wanted).max(axis=1).min() for box in boxes) <= 2e-3 * np.abs(wanted).max()


def test_types_that_attributes_fix(folder):
    """The thresholds of a tree are a tensor in an attribute, of the type of the input."""
    F64 = TensorProto.DOUBLE
    numbers = lambda *values: helper.make_tensor("t", F64, [len(values)], values)
    tree = {"nodes_splits": numbers(0.1), "leaf_weights": numbers(1.0, 2.0), "tree_roots": [0], "nodes_featureids": [0], "leaf_targetids": [0, 0]}
    tree |= {"nodes_modes": helper.make_tensor("m", TensorProto.UINT8, [1], [0]), "nodes_truenodeids": [0], "nodes_trueleafs": [1]}
    tree |= {"nodes_falsenodeids": [1], "nodes_falseleafs": [1], "n_targets": 1}
    older = {"nodes_values_as_tensor": numbers(0.1, 0, 0), "target_weights_as_tensor": numbers(1.0, 2.0), "nodes_featureids": [0, 0, 0]}
    older |= {"nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_truenodeids": [1, 0, 0]}
    older |= {"nodes_falsenodeids": [2, 0, 0], "target_treeids": [0, 0], "target_nodeids": [1, 2], "target_ids": [0, 0], "n_targets": 1}
    for op, version, attributes, kind in [("TreeEnsemble", 5, tree, F64), ("TreeEnsembleRegressor", 3, older, F32)]:
        nodes = [node("Neg", ["x"], ["n"]), node(op, ["n"], ["y"], domain="ai.onnx.ml", **attributes)]
        source = m.model(nodes, [m.info("x", (1, 1), F64)], [m.info("y", (1, 1), kind)], domains=[("ai.onnx.ml", version)])
        result, report = convert(folder, source, "--convert=f64:f32", "--convert-io")
        tensors = [each.t.data_type for one in result.graph.node for each in one.attribute if each.HasField("t")]
        assert F64 in tensors and F32 not in tensors
        assert any(each["node"] == f"node 'y' ({op})" for each in report["kept"]), report
        (value,) = [each for each in onnx.shape_inference.infer_shapes(result).graph.input]
        np.testing.assert_array_equal(
            runtime(result, x=np.full((1, 1), 2, helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)))[0].astype(np.float64),
            runtime(source, x=np.full((1, 1), 2.0))[0].astype(np.float64),
        )


def test_a_graph_without_casts(folder):
    """It imports no ai.onnx, and so do functions: inputs and outputs stay, whatever is asked."""
    binarizer = [node("Binarizer", ["x"], ["y"], domain="ai.onnx.ml", threshold=1.0)]
    source = m.model(binarizer, [m.info("x")], [m.info("y")])
    del source.opset_import[:]
    source.opset_import.append(helper.make_opsetid("ai.onnx.ml", 1))
    result, report = convert(folder, source, "--convert=f32:f16", "--convert-io")
    assert result == source and "imports no opset" in report["kept"][0]["reason"]

    nodes = [node("Neg", ["x"], ["n"]), node("F", ["n"], ["y"], domain="acme")]
    source = m.model(nodes, [m.info("x")], [m.info("y")], domains=[("acme", 1)])
    source.functions.append(helper.make_function("acme", "F", ["x"], ["y"], binarizer, [helper.make_opsetid("ai.onnx.ml", 1)]))
    result, _ = convert(folder, source, "--convert=f32:f16", "--convert-io", "-O0")
    assert result.functions == source.functions and m.operators(result) == ["Neg", "Cast", "F"]


def test_calls_that_are_skipped(folder):
    """The function keeps the types that the call keeps, and so does the other call."""
    nodes = [node("F", ["x"], ["q"], domain="acme", name="first"), node("Abs", ["q"], ["r"]), node("F", ["r"], ["y"], domain="acme", name="second")]
    source = m.model(nodes, [m.info("x")], [m.info("y")], domains=[("acme", 1)])
    source.functions.append(helper.make_function("acme", "F", ["a"], ["b"], [node("Neg", ["a"], ["b"])], [helper.make_opsetid("", 21)]))
    for skipped in ("op:F", "first"):
        result, report = convert(folder, source, "--convert=f32:f16", "--convert-io", "-O0", f"--convert-skip={skipped}")
        assert any(f"--convert-skip={skipped}" in each["reason"] for each in report["kept"])
        x = np.float16([[1, -2, 3], [4, 5, -6]])
        kind = result.graph.input[0].type.tensor_type.elem_type
        (got,) = runtime(result, x=x.astype(helper.tensor_dtype_to_np_dtype(kind)))
        np.testing.assert_array_equal(got.astype(np.float32), -np.abs(x.astype(np.float32)))
