# SPDX-License-Identifier: Apache-2.0
"""The switches and kinds of arguments of onnx_fold.compat: each means what it means at onnxsim and OnnxSlim.

What the peers do was measured with onnxsim 0.8.1 and OnnxSlim 0.1.98 on `everything()`: the operators below are theirs, but for
Constant nodes, which onnxsim leaves behind where it has folded.
"""

import io
import os
import pathlib
import warnings

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnx_fold
import onnxfold_compare as compare
import onnxfold_models as m
from onnx_fold.compat import simplify, slim
from onnxfold_models import const, info, node
from python_cases import W, operators, save, simple, withExternalData

FULL = "Conv Relu Add Mul Exp Add Transpose Abs"


def everything():
    """One place for each switch: a constant to fold, an Identity, Conv and BatchNormalization, equal nodes, two Transposes."""
    nodes = [
        node("Constant", [], ["two"], value=const("", np.float32(2)), name="two"),
        node("Add", ["w", "w"], ["v"], name="fold"),
        node("Identity", ["x"], ["a"], name="copy"),
        node("Conv", ["a", "k"], ["p"], name="conv"),
        node("BatchNormalization", ["p", *"sbmq"], ["z"], name="norm"),
        node("Relu", ["z"], ["r"], name="relu"),
        node("Add", ["r", "v"], ["s1"], name="shift"),
        node("Mul", ["s1", "two"], ["s2"], name="scale"),
        node("Exp", ["s2"], ["e1"], name="exp 1"),
        node("Exp", ["s2"], ["e2"], name="exp 2"),
        node("Add", ["e1", "e2"], ["y"], name="sum"),
        node("Transpose", ["y"], ["t1"], perm=[0, 2, 3, 1], name="turn 1"),
        node("Transpose", ["t1"], ["t2"], perm=[0, 2, 1, 3], name="turn 2"),
        node("Abs", ["t2"], ["o"], name="abs"),
    ]
    random = np.random.default_rng(0)
    constants = [
        const("w", np.ones((1, 3, 1, 1), np.float32)),
        const("k", random.standard_normal((3, 3, 1, 1)).astype(np.float32)),
    ]
    constants += [const(name, np.arange(1, 4).astype(np.float32)) for name in "sbmq"]
    outputs = [info("y", (1, 3, 4, 4)), info("o", (1, 4, 4, 3))]
    return m.model(nodes, [info("x", (1, 3, 4, 4))], outputs, constants, opset=17)


OF_ONNXSIM = [
    ({}, FULL),
    ({"skip_fuse_bn": True}, "Conv BatchNormalization Relu Add Mul Exp Add Transpose Abs"),
    ({"level": 1}, "Conv BatchNormalization Relu Add Mul Exp Add Transpose Abs"),
    (
        {"perform_optimization": False},
        "Constant Identity Conv BatchNormalization Relu Add Mul Exp Exp Add Transpose Transpose Abs",
    ),
    ({"skip_constant_folding": True}, "Add Conv Relu Add Mul Exp Add Transpose Abs"),
    ({"skipped_optimizers": ["fuse_consecutive_transposes"]}, "Conv Relu Add Mul Exp Add Transpose Transpose Abs"),
    ({"skipped_optimizers": ["eliminate_common_subexpression"]}, "Conv Relu Add Mul Exp Exp Add Transpose Abs"),
    ({"skipped_optimizers": ["eliminate_identity"]}, "Identity Conv Relu Add Mul Exp Add Transpose Abs"),
    ({"skipped_optimizers": ["fuse_bn_into_conv"]}, "Conv BatchNormalization Relu Add Mul Exp Add Transpose Abs"),
    ({"skipped_optimizers": ["extract_constant_to_initializer"]}, "Constant " + FULL),
    ({"initializers_as_constants": False}, "Add Conv BatchNormalization Relu Add Mul Exp Add Transpose Abs"),
    ({"tensor_size_threshold": "4B"}, "Add Conv Relu Add Mul Exp Add Transpose Abs"),
]
OF_ONNXSLIM = [
    ({}, FULL),
    ({"skip_optimizations": ["constant_folding"]}, "Constant Add Conv Relu Add Mul Exp Add Transpose Abs"),
    (
        {"skip_optimizations": ["graph_fusion"]},
        "Conv BatchNormalization Relu Add Mul Exp Add Transpose Transpose Abs",
    ),
    ({"skip_optimizations": ["dead_node_elimination"]}, "Identity Conv Relu Add Mul Exp Add Transpose Abs"),
    ({"skip_optimizations": ["subexpression_elimination"]}, "Conv Relu Add Mul Exp Exp Add Transpose Abs"),
    ({"skip_optimizations": ["weight_tying"]}, FULL),
    ({"skip_fusion_patterns": ["FusionConvBN"]}, "Conv BatchNormalization Relu Add Mul Exp Add Transpose Abs"),
    ({"skip_fusion_patterns": ["EliminationTranspose"]}, "Conv Relu Add Mul Exp Add Transpose Transpose Abs"),
    ({"size_threshold": 4}, "Add Conv Relu Add Mul Exp Add Transpose Abs"),
    ({"level": 1}, "Conv BatchNormalization Relu Add Mul Exp Add Transpose Abs"),
]


def expectSame(folder, before, after, feed):
    paths = save(folder, before, "before.onnx"), save(folder, after, "after.onnx")
    for wanted, got in zip(*(compare.outputs(path, [feed]) for path in paths)):
        compare.expectAgreement(got, wanted, "what was simplified")


@pytest.mark.parametrize("arguments, wanted", OF_ONNXSIM, ids=lambda one: str(one)[:60])
def test_switches_of_onnxsim(folder, arguments, wanted):
    model = everything()
    result, ok = simplify(model, **arguments)
    assert ok and " ".join(operators(result)) == wanted, f"{operators(result)}"
    expectSame(folder, model, result, {"x": np.random.default_rng(1).standard_normal((1, 3, 4, 4)).astype(np.float32)})


@pytest.mark.parametrize("arguments, wanted", OF_ONNXSLIM, ids=lambda one: str(one)[:60])
def test_switches_of_onnxslim(folder, arguments, wanted):
    model = everything()
    result = slim(model, **arguments)
    assert " ".join(operators(result)) == wanted, f"{operators(result)}"
    expectSame(folder, model, result, {"x": np.random.default_rng(1).standard_normal((1, 3, 4, 4)).astype(np.float32)})


def test_all_skipped():
    """Without any of its optimizations OnnxSlim returns what it was given."""
    skipped = ["constant_folding", "graph_fusion", "dead_node_elimination", "subexpression_elimination", "weight_tying"]
    assert operators(slim(everything(), skip_optimizations=skipped)) == operators(everything()), "operators"


def test_names_of_kept_nodes():
    """skip_constant_folding works by names of nodes, which come back."""
    for result in (simplify(everything(), skip_constant_folding=True)[0], slim(everything(), size_threshold=4)):
        assert [one.name for one in result.graph.node][0] == "fold", f"{[one.name for one in result.graph.node]}"
        assert not any("onnx_fold" in one.name for one in result.graph.node), "names"


def test_unknown_names():
    with pytest.warns(onnx_fold.FoldWarning, match="did you mean 'fuse_bn_into_conv'") as told:
        assert " ".join(operators(simplify(everything(), skipped_optimizers=["fuse_bn_in_conv"])[0])) == FULL
    with pytest.warns(onnx_fold.FoldWarning, match="did you mean 'FusionConvBN'"):
        slim(everything(), skip_fusion_patterns=["FusionConvBn"])
    assert told[0].filename == __file__, "the line of the caller"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simplify(everything(), skipped_optimizers=["fuse_qkv", "nop"])
    with pytest.raises(ValueError, match="skip_optimizations"):
        slim(everything(), skip_optimizations=["folding"])


# ---- Constant nodes ------------------------------------------------------------------------------------------------------------


def constants():
    """A Constant of each kind, in the main graph, a branch and the body of a loop, also as an output."""
    kinds = {
        "value": const("other", np.float32([1, 2, 3])),
        "value_float": 2.0,
        "value_floats": [1.0, 2.0],
        "value_int": 3,
        "value_ints": [3, 4],
        "value_string": b"a",
        "value_strings": [b"a", b"b"],
    }
    nodes = [node("Constant", [], [kind], **{kind: value}) for kind, value in kinds.items()]
    then = m.graph([node("Constant", [], ["t"], value_floats=[1.0, 2.0])], [], [info("t", (2,))])
    other = m.graph(
        [node("Constant", [], ["k"], value_floats=[5.0, 6.0]), node("Mul", ["z", "k"], ["e"])], [], [info("e", (2,))]
    )
    nodes.append(node("If", ["c"], ["branch"], then_branch=then, else_branch=other))
    body = m.graph(
        [
            node("Constant", [], ["go"], value=const("", True)),
            node("Constant", [], ["step"], value_floats=[1.0, 2.0]),
            node("Add", ["s", "step"], ["next"]),
            node("Identity", ["go"], ["on"]),
        ],
        [info("i", (), TensorProto.INT64), info("run", (), TensorProto.BOOL), info("s", (2,))],
        [info("on", (), TensorProto.BOOL), info("next", (2,)), info("step", (2,))],
    )
    nodes.append(node("Loop", ["n", "", "z"], ["last", "steps"], body=body))
    outputs = [info(name, None, kind) for name, kind in zip(kinds, [1, 1, 1, 7, 7, 8, 8])]
    outputs += [info("branch", (2,)), info("last", (2,)), info("steps", (None, 2))]
    inputs = [info("c", (), TensorProto.BOOL), info("n", (), TensorProto.INT64), info("z", (2,))]
    return m.model(nodes, inputs, outputs, opset=17)


def graphsOf(graph):
    yield graph
    for one in graph.node:
        for attribute in one.attribute:
            if attribute.HasField("g"):
                yield from graphsOf(attribute.g)


def test_constants_become_initializers(folder):
    model = constants()
    for result in (simplify(model)[0], slim(model)):
        onnx.checker.check_model(result, full_check=True)
        graphs = list(graphsOf(result.graph))
        assert len(graphs) == 4 and not any(
            one.op_type == "Constant" for graph in graphs for one in graph.node
        ), "Constant nodes"
        names = {tensor.name for graph in graphs for tensor in graph.initializer}
        assert {"value", "value_float", "value_ints", "value_strings", "t", "k", "step"} <= names, f"names are kept: {names}"
        for c in (True, False):
            feed = {"c": np.array(c), "n": np.array(3), "z": np.float32([1, 2])}
            wanted, got = (compare.outputs(save(folder, one), [feed])[0] for one in (model, result))
            for name, value in wanted.items():
                assert np.array_equal(got[name], value), f"{name}: {got[name]} for {value}"


def test_constants_that_stay():
    """A sparse value, the body of a function, a model whose initializers have to be inputs."""
    values = helper.make_tensor("", TensorProto.FLOAT, [1], [2.0])
    sparse = helper.make_sparse_tensor(values, helper.make_tensor("", TensorProto.INT64, [1], [1]), [3])
    model = m.model(
        [node("Constant", [], ["c"], sparse_value=sparse), node("Plugin", ["x", "c"], ["y"])], [info("x")], [info("y")]
    )
    assert "Constant" in operators(slim(model)), "a sparse value"
    body = [node("Constant", [], ["k"], value_float=2.0), node("Mul", ["a", "k"], ["b"])]
    function = helper.make_function("com.example", "Twice", ["a"], ["b"], body, [helper.make_opsetid("", 17)])
    nodes = [node("Twice", [one], [two], domain="com.example") for one, two in (("x", "h"), ("h", "y"))]
    model = m.model(nodes, [info("x")], [info("y")], domains=[("com.example", 1)], opset=17)
    model.functions.append(function)
    assert [one.op_type for one in slim(model).functions[0].node] == ["Constant", "Mul"], "a function"


def test_texts_of_constants():
    nodes = [node("Constant", [], ["c"], value_float=2.0, doc_string="two"), node("Mul", ["x", "c"], ["y"])]
    [tensor] = slim(m.model(nodes, [info("x")], [info("y")])).graph.initializer
    assert tensor.name == "c" and tensor.doc_string == "two", f"{tensor}"


# ---- old models ----------------------------------------------------------------------------------------------------------------


def old(version=3):
    nodes = [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["h"]), node("Add", ["h", "w"], ["y"])]
    return m.model(nodes, [info("x"), info("w")], [info("y")], [const("w", W)], opset=9, ir=version)


@pytest.mark.parametrize("version", (3, 4, 8))
def test_weights_leave_the_inputs(folder, version):
    """Models of IR version 3 list weights as inputs, and kept them."""
    for result in (simplify(old(version))[0], slim(old(version))):
        assert [one.name for one in result.graph.input] == ["x"] and operators(result) == ["Mul", "Add"], f"{result.graph}"
        assert result.ir_version == max(4, version) and result.opset_import[0].version == 9, "versions"
        onnx.checker.check_model(result, full_check=True)
        expectSame(folder, old(version), result, {"x": W})
    for result in (simplify(old(version), mutable_initializer=True)[0], slim(old(version), mutable_initializer=True)):
        assert [one.name for one in result.graph.input] == ["x", "w"] and result.ir_version == version, "kept"


def test_equal_weights_become_one(folder):
    """Not 0 and -0, not those of unequal shapes; an output of the model keeps its name, and is the one that is left."""
    values = {"w1": W, "w2": W, "zero": W * 0, "minus": W * -0.0, "out": W, "flat": W.reshape(3, 2)}
    nodes = [node("Mul", ["x", "w1"], ["a"]), node("Mul", ["a", "w2"], ["b"]), node("Add", ["b", "zero"], ["c"])]
    nodes += [node("Div", ["c", "minus"], ["d"]), node("Sub", ["d", "out"], ["y"]), node("Neg", ["flat"], ["f"])]
    nodes += [node("Add", ["z", "f"], ["g"])]
    model = m.model(
        nodes,
        [info("x"), info("z", (3, 2))],
        [info("y"), info("out"), info("g", (3, 2))],
        [const(*one) for one in values.items()],
    )
    for result in (simplify(model, level=1)[0], slim(model, level=1)):
        assert sorted(m.initializerNames(result)) == ["f", "minus", "out", "zero"], f"{m.initializerNames(result)}"
        expectSame(folder, model, result, {"x": W + 1, "z": W.reshape(3, 2)})
    assert "w2" in m.initializerNames(slim(model, level=1, skip_optimizations=["weight_tying"])), "skipped"
    assert "w2" in m.initializerNames(
        simplify(model, level=1, skipped_optimizers=["eliminate_duplicate_initializer"])[0]
    ), "skipped"


# ---- kinds of arguments --------------------------------------------------------------------------------------------------------


class Program:
    """As torch.onnx.ONNXProgram: the model is an attribute."""

    model_proto = simple()


def test_kinds_of_models(folder, monkeypatch):
    path = save(folder, simple())
    data = simple().SerializeToString()
    kinds = [str(path), path, os.fsencode(path), data, bytearray(data), memoryview(data), io.BytesIO(data), Program()]
    kinds.append(pathlib.PurePath(path))
    onnx_ir = pytest.importorskip("onnx_ir")
    kinds += [onnx_ir.from_proto(simple()), onnx_ir.load(path)]
    for kind in kinds:
        assert operators(slim(kind)) == ["Mul"], f"{type(kind)}"
        if isinstance(kind, io.BytesIO):
            kind.seek(0)
        result, ok = simplify(kind, check_n=1)
        assert ok and operators(result) == ["Mul"] and isinstance(result, onnx.ModelProto), f"{type(kind)}"
    with open(path, "rb") as file:
        assert operators(slim(file)) == ["Mul"], "an open file"
    monkeypatch.chdir(folder)
    assert operators(slim(b"model.onnx", b"out.onnx") or onnx.load("out.onnx")) == ["Mul"], "bytes that are paths"


def test_external_data_of_an_open_file(folder):
    path = save(folder, withExternalData(folder))
    with open(path, "rb") as file:
        assert np.array_equal(m.constantValue(slim(file).graph, "v"), W + W), "its data file is beside it"
    onnx_ir = pytest.importorskip("onnx_ir")
    result = simplify(onnx_ir.load(path), input_data={"x": np.ones((2, 3), np.float32)})[0]
    assert np.array_equal(m.constantValue(result.graph, "v"), W + W), "the tensors know their folder"


def test_wrong_models(folder):
    for model, error, text in (
        (3, TypeError, "is a int, expected a path"),
        (None, TypeError, "is a NoneType, expected a path"),
        (b"nothing.onnx", ValueError, "no ONNX model, and no path of a file"),
        (io.StringIO("text"), TypeError, "open it with mode 'rb'"),
        (str(folder / "missing.onnx"), OSError, "missing.onnx"),
    ):
        for call in (simplify, slim):
            with pytest.raises(error, match=text):
                call(model)


def dims(model):
    return [dim.dim_value or dim.dim_param for dim in model.graph.input[0].type.tensor_type.shape.dim]


def chain():
    nodes = [node("Neg", ["x"], ["a"]), node("Exp", ["a"], ["h"]), node("Abs", ["h"], ["y"])]
    return m.model(nodes, [info("x", ("batch", "length"))], [info("y", ("batch", "length"))])


@pytest.mark.parametrize(
    "shapes", (["x:-1,64"], "x:-1,64", {"x": [-1, 64]}, {"x": [None, 64]}, {"x": "-1,64"}, {"x": np.array([0, 64])})
)
def test_shapes(shapes):
    assert dims(slim(chain(), input_shapes=shapes)) == ["batch", 64], "slim"
    for name in ("overwrite_input_shapes", "input_shapes"):
        assert dims(simplify(chain(), **{name: shapes})[0]) == ["batch", 64], name


def test_shapes_of_the_only_input():
    for shapes in ("2,64", ["2,64"], [2, 64], (2, 64), {None: [2, 64]}, {"": [2, 64]}):
        assert dims(simplify(chain(), overwrite_input_shapes=shapes)[0]) == [2, 64], f"{shapes}"


def test_wrong_shapes():
    for shapes, text in (
        (["z:1,64"], "expected an input of the model: x"),
        (["x:1,width"], "for example 'x:1,3,224,224'"),
        ({"x": [1.5, 64]}, "expected whole numbers"),
        ({"x": 64}, "expected whole numbers"),
        ({"x": [1, 3, 64]}, "has 3 sizes for the input 'x' of rank 2, expected 2 sizes"),  # the input got the rank 3 without a word
        (["x:64"], "has 1 sizes for the input 'x' of rank 2"),
    ):
        with pytest.raises(ValueError, match=text):
            slim(chain(), input_shapes=shapes)
        with pytest.raises(ValueError, match=text):
            simplify(chain(), overwrite_input_shapes=shapes)
    two = m.model([node("Add", ["x", "z"], ["y"])], [info("x"), info("z")], [info("y")])
    with pytest.raises(ValueError, match="NAME:SIZES"):
        simplify(two, overwrite_input_shapes=[2, 3])


def test_shapes_of_checks(folder, monkeypatch):
    """What the model is compared with has the sizes that are given."""
    seen = []
    verify = onnx_fold.verify

    def spy(*models, **keywords):
        seen.append((keywords["input_shapes"], sorted(keywords["inputs"]), keywords["trials"]))
        return verify(*models, **keywords)

    monkeypatch.setattr("onnx_fold._fold.verify", spy)
    assert slim(chain(), model_check=True, model_check_inputs=["x:2,64"]) is not None
    assert simplify(chain(), check_n=2, test_input_shapes={"x": [3, 5]})[1]
    np.save(folder / "x.npy", np.ones((2, 4), np.float32))
    assert slim(chain(), model_check=True, model_check_inputs=f"x:{folder / 'x.npy'}") is not None
    assert seen == [({"x": [2, 64]}, [], 3), ({"x": [3, 5]}, [], 2), ({}, ["x"], 3)], f"{seen}"
    assert slim(chain(), model_check_inputs=["x:2,64"]) is not None and len(seen) == 3, "without model_check"
    with pytest.raises(ValueError, match="expected an input of the model: x"):
        slim(chain(), model_check=True, model_check_inputs=["z:2,64"])


def test_cut_with_types():
    for names in (["h:fp32"], ["h"], "h:fp32"):
        result = slim(chain(), outputs=names)
        assert operators(result) == ["Neg", "Exp"] and [one.name for one in result.graph.output] == ["h"], f"{names}"
        assert result.graph.output[0].type.tensor_type.elem_type == TensorProto.FLOAT, "the type"
    assert operators(slim(chain(), inputs=["a:fp32"], outputs=["h:fp32"])) == ["Exp"], "both"
    for names, text in (
        (["h:fp16"], "the model computes FLOAT"),
        (["h:fp64"], "expected one of fp16"),
        (["hh"], "did you mean 'h'"),
    ):
        with pytest.raises(ValueError, match=text):
            slim(chain(), outputs=names)
    colons = m.model([node("Neg", ["x:0"], ["h:0"]), node("Exp", ["h:0"], ["y:0"])], [info("x:0")], [info("y:0")])
    assert operators(slim(colons, outputs=["h:0"])) == ["Neg"], "names of TensorFlow"
    assert operators(slim(colons, outputs=["h:0:fp32"], input_shapes=["x:0:2,3"])) == ["Neg"], "names of TensorFlow"


def test_what_to_type_instead():
    for name, text in (("function_rewrite_rules", "custom_rewriter"), ("certify", "check_n=10"), ("quantize", "leave it out")):
        with pytest.raises(NotImplementedError, match=text):
            simplify(simple(), **{name: True})
    with pytest.raises(NotImplementedError, match="convert_float_to_float16"):
        slim(simple(), dtype="fp16")
    with pytest.raises(NotImplementedError, match="to_html"):
        slim([simple()], dump_to_disk=True)
    with pytest.raises(TypeError, match="by their names"):
        slim(simple(), "a.onnx", True)


def test_sizes():
    for text in ("1.5GB", "100MB", "1M", "100KB", "500", "1.KiB", 500, "2 TB"):
        assert simplify(simple(), tensor_size_threshold=text)[1], f"{text}"
    for text in ("1 parsec", "", "-1MB"):
        with pytest.raises(ValueError, match="for example '1.5GB'"):
            simplify(simple(), tensor_size_threshold=text)


def test_sizes_that_the_model_fixes_otherwise(folder):
    """An input of 4 x 4 becomes one of 8 x 6, as the peers overwrite it; the tool refuses another size than the model's."""
    for shapes in (["x:1,3,8,6"], {"x": [2, 3, 8, 6]}):
        for result in (slim(everything(), input_shapes=shapes), simplify(everything(), overwrite_input_shapes=shapes)[0]):
            assert " ".join(operators(result)) == FULL and dims(result)[2:] == [8, 6], f"{dims(result)}"
            onnx.checker.check_model(result, full_check=True)
            feed = {"x": np.random.default_rng(2).standard_normal(dims(result)).astype(np.float32)}
            before = everything()
            for i, size in enumerate(dims(result)):
                before.graph.input[0].type.tensor_type.shape.dim[i].dim_value = size
            for output in before.graph.output:
                output.type.tensor_type.ClearField("shape")
            expectSame(folder, before, result, feed)
