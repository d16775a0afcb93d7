# SPDX-License-Identifier: Apache-2.0
"""compat.simplify and compat.slim: what the published tests of onnxsim and OnnxSlim ask of folding, on models of our own."""

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


def simplified(model, **arguments):
    result, ok = simplify(model, **arguments)
    assert ok and isinstance(result, onnx.ModelProto), f"{ok}"
    if all(one.type.tensor_type.HasField("shape") for one in result.graph.output):
        onnx.checker.check_model(result, full_check=True)
    return result


def ofConstants(op, *values, **attributes):
    """y = op(constants): a model without inputs."""
    names = [f"c{i}" for i in range(len(values))]
    nodes = [node(op, names, ["y"], **attributes)]
    return m.model(nodes, [], [info("y", None)], [const(name, value) for name, value in zip(names, values)])


# ---- onnxsim -----------------------------------------------------------------------------------------------------------------


def test_deterministic_operators_fold():
    result = simplified(ofConstants("Add", W, W), check_n=3)
    assert not result.graph.node and m.initializerNames(result) == ["y"], f"{result.graph}"
    m.expectValue(result.graph, "y", W + W)


def test_random_operators_stay():
    for model in (
        m.model([node("RandomUniform", [], ["y"], shape=[2, 3])], [], [info("y")]),
        m.model([node("RandomNormalLike", ["w"], ["y"])], [], [info("y")], [const("w", W)]),
    ):
        assert len(simplified(model).graph.node) == 1, "a random operator"


def test_left_out_inputs():
    """Resize without a region of interest and scales: names of inputs that are empty."""
    picture = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
    model = m.model(
        [node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear")],
        [],
        [info("y", (1, 3, 4, 4))],
        [const("x", picture), const("sizes", [1, 3, 4, 4], np.int64)],
        opset=14,
    )
    before = model.SerializeToString()
    assert not simplified(model, check_n=3).graph.node, "operators"
    assert model.SerializeToString() == before, "the given model is not changed"


def test_shapes_of_known_inputs_fold(folder):
    """view((n, c, h * w)) of an exporter: Shape, Gather, Mul, Concat, Reshape become one Reshape."""
    nodes = [node("Shape", ["x"], ["s"])]
    nodes += [node("Gather", ["s", f"i{i}"], [f"d{i}"]) for i in range(4)]
    nodes += [node("Mul", ["d2", "d3"], ["area"]), node("Unsqueeze", ["area", "zero"], ["a"])]
    nodes += [node("Unsqueeze", [f"d{i}", "zero"], [f"u{i}"]) for i in range(2)]
    nodes += [node("Concat", ["u0", "u1", "a"], ["target"], axis=0), node("Reshape", ["x", "target"], ["y"])]
    constants = [const(f"i{i}", i, np.int64) for i in range(4)] + [const("zero", [0], np.int64)]
    model = m.model(nodes, [info("x", (2, 3, 4, 5))], [info("y", (2, 3, 20))], constants)
    result = simplified(model, check_n=3)
    assert operators(result) == ["Reshape"] and len(result.graph.initializer) == 1, f"{operators(result)}"
    # A dynamic batch is kept: the result runs with every batch.
    del model.graph.input[:], model.graph.output[:]
    model.graph.input.append(info("x", ("batch", 3, 4, 5)))
    model.graph.output.append(info("y", ("batch", 3, 20)))
    result = simplified(model, test_input_shapes={"x": [2, 3, 4, 5]})
    assert result.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch", "the batch of the input"
    for batch in (1, 2, 7):
        feed = {"x": np.random.default_rng(batch).standard_normal((batch, 3, 4, 5)).astype(np.float32)}
        [got] = compare.outputs(save(folder, result), [feed])
        assert np.array_equal(got["y"], feed["x"].reshape(batch, 3, 20)), f"batch {batch}"


def dynamic():
    return m.model([node("Relu", ["x"], ["y"])], [info("x", ("n", 3, "h", "w"))], [info("y", ("n", 3, "h", "w"))])


@pytest.mark.parametrize("shapes", ({"x": [1, 3, 0, -1]}, {None: [1, 3, 0, 0]}, [1, 3, 0, 0]))
def test_overwritten_shapes(shapes):
    """What is not positive is left as it is."""
    for name in ("overwrite_input_shapes", "input_shapes"):
        dims = simplified(dynamic(), **{name: shapes}).graph.input[0].type.tensor_type.shape.dim
        assert dims[0].dim_value == 1 and dims[2].dim_param == "h" and dims[3].dim_param == "w", f"{dims}"


def test_documentation_is_kept():
    model = dynamic()
    for place in (model, model.graph, model.graph.input[0], model.graph.output[0]):
        place.doc_string = f"of {type(place).__name__}"
    result = simplified(model)
    for place in (result, result.graph, result.graph.input[0], result.graph.output[0]):
        assert place.doc_string == f"of {type(place).__name__}", f"{place}"


def test_custom_operators_are_kept():
    """Also in the default domain, as exporters for TensorRT write them; what is around them is simplified."""
    for domain in ("", "com.example"):
        nodes = [node("Identity", ["x"], ["a"]), node("Plugin_TRT", ["a"], ["y"], domain=domain, alpha=0.5)]
        model = m.model(nodes, [info("x")], [info("y")], domains=[("com.example", 1)])
        result, ok = simplify(model)
        assert (
            ok and operators(result) == ["Plugin_TRT"] and result.graph.node[0].attribute[0].name == "alpha"
        ), f"{operators(result)}"


def test_sequences():
    model = m.model([node("SequenceEmpty", [], ["s"], dtype=1)], [], [m.sequenceInfo("s")])
    assert simplify(model)[1], "a sequence as output"


def test_unused_outputs():
    nodes = [node("Neg", ["x"], ["a"]), node("Exp", ["x"], ["b"])]
    model = m.model(nodes, [info("x")], [info("a"), info("b")])
    result = simplified(model, unused_output=["b"])
    assert operators(result) == ["Neg"] and [one.name for one in result.graph.output] == ["a"], "outputs"
    with pytest.raises(ValueError, match="expected some of"):
        simplify(model, unused_output=["c"])


def test_unused_initializers_disappear():
    model = m.model(
        [node("Transpose", ["w"], ["t"]), node("Add", ["x", "t"], ["y"])],
        [info("x", (3, 2))],
        [info("y", (3, 2))],
        [const("w", W)],
    )
    result = simplified(model)
    assert operators(result) == ["Add"] and len(result.graph.initializer) == 1, f"{m.initializerNames(result)}"


def test_initializers_that_are_inputs():
    """Old exporters list weights as inputs; onnxsim takes them for constants unless `mutable_initializer`."""
    model = m.model(
        [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["y"])], [info("x"), info("w")], [info("y")], [const("w", W)]
    )
    result = simplified(model)
    assert operators(result) == ["Mul"] and [one.name for one in result.graph.input] == ["x"], "constants"
    result = simplified(model, mutable_initializer=True)
    assert operators(result) == ["Add", "Mul"] and len(result.graph.input) == 2, "inputs"


def test_initializers_as_variables():
    """Weights survive for tuning; Constant nodes are folded all the same."""
    nodes = [
        node("Constant", [], ["c"], value_float=2.0),
        node("Mul", ["c", "c"], ["d"]),
        node("Mul", ["w", "d"], ["v"]),
        node("Add", ["x", "v"], ["y"]),
    ]
    model = m.model(nodes, [info("x")], [info("y")], [const("w", W)])
    result = simplified(model, initializers_as_constants=False)
    assert operators(result) == ["Mul", "Add"] and "w" in m.initializerNames(result), f"{operators(result)}"
    assert [one.name for one in result.graph.input] == ["x"], "inputs"
    assert operators(simplified(model)) == ["Add"], "as constants"


def test_skipped_folding_and_threshold():
    assert operators(simplified(simple(), skip_constant_folding=True)) == ["Add", "Mul"], "skip_constant_folding"
    model = ofConstants("Tile", np.ones((1000,), np.float32), np.array([1000], np.int64))
    assert operators(simplified(model, tensor_size_threshold="1KB")) == ["Tile"], "a threshold"
    assert operators(simplified(model, tensor_size_threshold="1.5GB")) == [], "growth has no limit"
    with pytest.raises(ValueError, match="expected a number"):
        simplify(model, tensor_size_threshold="1 parsec")


def test_inferred_types_are_written():
    model = m.model([node("Neg", ["x"], ["a"]), node("Exp", ["a"], ["y"])], [info("x", (2, 3))], [info("y", (2, 3))])
    assert [one.name for one in simplified(model).graph.value_info] == ["a"], "value_info"
    assert not simplified(model, skip_shape_inference=True).graph.value_info, "skip_shape_inference"


def test_functions_are_inlined():
    imports = [helper.make_opsetid("", 21)]
    function = helper.make_function("com.example", "Twice", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])], imports)
    nodes = [node("Twice", ["x"], ["y"], domain="com.example"), node("Twice", ["x"], ["z"], domain="com.example")]
    model = m.model(nodes, [info("x")], [info("y"), info("z")], domains=[("com.example", 1)])
    model.functions.append(function)
    assert operators(simplified(model, inline_functions=True)) == ["Add", "Identity"], "two equal outputs"


def test_other_opsets():
    model = m.model([node("Relu", ["x"], ["y"])], [info("x")], [info("y")], opset=11)
    assert simplified(model, target_opset_version=17).opset_import[0].version == 17, "a number"
    assert simplified(model, target_opset_version="latest").opset_import[0].version > 17, "the newest"


def test_custom_rewriters():
    """They take turns with folding."""
    calls = []

    def rewrite(model):
        calls.append(operators(model))
        if "Exp" not in operators(model):
            return False
        model.graph.node[0].CopyFrom(node("Add", ["w", "w"], [model.graph.node[0].output[0]]))
        return None

    nodes = [node("Exp", ["x"], ["a"]), node("Mul", ["w", "a"], ["y"])]
    model = m.model(nodes, [info("x")], [info("y")], [const("w", W)])
    result = simplified(model, custom_rewriter=rewrite)
    assert operators(result) == [], "what the rewriter made constant is folded"
    assert calls[0] == ["Exp", "Mul"] and len(calls) == 2, f"{calls}"


def test_checks():
    assert simplified(simple(), check_n=2, input_data={"x": np.ones((2, 3), np.float32)}).graph.node, "given inputs"


def test_what_is_not_done():
    for name, value in (
        ("function_rewrite_rules", [1]),
        ("certify", True),
        ("range_opt", True),
        ("check_hazards", True),
        ("nonsense", 1),
    ):
        with pytest.raises(NotImplementedError, match=name):
            simplify(simple(), **{name: value})
    assert simplify(simple(), providers=["CPUExecutionProvider"], profile=None, range_opt=False)[1], "without an effect"


def test_files(folder):
    path = save(folder, withExternalData(folder))
    result = simplified(str(path), output_path=folder / "out.onnx")
    assert m.constantValue(result.graph, "w") is not None, "all values are in memory"
    again = onnx.load(folder / "out.onnx")
    assert np.array_equal(m.constantValue(again.graph, "v"), W + W), "the file"
    simplify(path, output_path=folder / "split.onnx", external_data_threshold="1B")
    assert (folder / "split.onnx").is_file(), "with external data"


# ---- OnnxSlim -----------------------------------------------------------------------------------------------------------------


def shapeModel(**attributes):
    return m.model(
        [node("Shape", ["x"], ["s"], **attributes), node("Identity", ["s"], ["y"])],
        [info("x", (2, 3, 4, 5))],
        [info("y", None, TensorProto.INT64)],
    )


@pytest.mark.parametrize(
    "attributes, wanted", [({}, [2, 3, 4, 5]), ({"start": 1, "end": 3}, [3, 4]), ({"start": -2}, [4, 5])]
)
def test_parts_of_shapes(attributes, wanted):
    result = slim(shapeModel(**attributes))
    m.expectValue(result.graph, "y", wanted)


@pytest.mark.parametrize("attributes, index, wanted", [({}, 2, 4), ({"start": 1}, 0, 3), ({}, -1, 5)])
def test_elements_of_shapes(attributes, index, wanted):
    nodes = [node("Shape", ["x"], ["s"], **attributes), node("Gather", ["s", "i"], ["y"])]
    model = m.model(nodes, [info("x", (2, 3, 4, 5))], [info("y", (), TensorProto.INT64)], [const("i", index, np.int64)])
    m.expectValue(slim(model).graph, "y", wanted)


@pytest.mark.parametrize("steps, wanted", [([1], [3, 4]), ([2], [3])])
def test_slices_of_shapes(steps, wanted):
    constants = [const(name, value, np.int64) for name, value in (("b", [1]), ("e", [3]), ("a", [0]), ("s", steps))]
    nodes = [node("Shape", ["x"], ["shape"]), node("Slice", ["shape", "b", "e", "a", "s"], ["y"])]
    m.expectValue(
        slim(m.model(nodes, [info("x", (2, 3, 4, 5))], [info("y", None, TensorProto.INT64)], constants)).graph, "y", wanted
    )


def test_slim_to_a_file(folder):
    path = save(folder, simple())
    assert slim(str(path), str(folder / "out.onnx")) is None and operators(onnx.load(folder / "out.onnx")) == [
        "Mul"
    ], "positional"
    assert slim(simple(), output_model=folder / "b.onnx", save_as_external_data=True) is None, "external data"
    assert operators(slim(str(path), model_check=True)) == ["Mul"], "a model"


def test_slim_shapes_inputs_and_outputs():
    for shapes in (["x:4,3"], {"x": [4, 3]}):
        dims = slim(simple(), input_shapes=shapes).graph.input[0].type.tensor_type.shape.dim
        assert [one.dim_value for one in dims] == [4, 3], f"{dims}"
    chain = m.model(
        [node("Neg", ["x"], ["a"]), node("Exp", ["a"], ["b"]), node("Abs", ["b"], ["y"])], [info("x")], [info("y")]
    )
    result = slim(chain, outputs=["b"])
    assert operators(result) == ["Neg", "Exp"] and result.graph.output[0].name == "b", "outputs"
    result = slim(chain, inputs=["a:fp32"], outputs=["b"])
    assert operators(result) == ["Exp"] and [one.name for one in result.graph.input] == ["a"], "inputs"
    with pytest.raises(ValueError, match="no value 'c'"):
        slim(chain, outputs=["c"])


def test_slim_options(folder, capsys):
    assert operators(slim(simple(), skip_optimizations=["constant_folding"])) == ["Add", "Mul"], "skip_optimizations"
    with pytest.raises(ValueError, match="skip_optimizations"):
        slim(simple(), skip_optimizations=["everything"])
    assert operators(
        slim(ofConstants("Tile", np.ones((1000,), np.float32), np.array([9], np.int64)), size_threshold=100)
    ) == ["Tile"], "size_threshold"
    with pytest.raises(NotImplementedError, match="dtype"):
        slim(simple(), dtype="float16")
    np.save(folder / "x.npy", np.ones((2, 3), np.float32))
    assert slim(simple(), model_check=True, model_check_inputs=[f"x:{folder / 'x.npy'}"]) is not None, "given inputs"
    assert slim([simple(), simple()], inspect=True) is None and capsys.readouterr().out.count("operator") == 2, "inspect"
    with pytest.raises(TypeError, match="positional"):
        slim(simple(), "a.onnx", "b.onnx")


def test_a_difference_is_told(monkeypatch):
    def differs(*arguments, **keywords):
        raise onnx_fold.VerificationError("differs", "differs", 3)

    monkeypatch.setattr("onnx_fold._fold.fold", differs)
    with pytest.warns(onnx_fold.FoldWarning, match="differs") as told:
        assert simplify(simple(), check_n=1)[1] is False and slim(simple(), model_check=True) is None, "a difference"
    assert [one.filename for one in told] == [__file__] * 2, "at the line of the caller"
