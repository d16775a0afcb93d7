# SPDX-License-Identifier: Apache-2.0
"""Where folded values go, what leaves with them, and what must never fold or leave."""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

W = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
I64 = TensorProto.INT64


def expectLeft(folded, expected, what="operators"):
    assert m.operators(folded) == expected, what


def test_folded_value_is_an_initializer_under_its_old_name(folder):
    out = m.folded(
        folder,
        m.model(
            [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["y"])], [info("x")], [info("y")], [const("w", W)]
        ),
    )
    expectLeft(out, ["Mul"])
    assert list(out.graph.node[0].input) == ["x", "v"], "inputs of the reader"
    assert m.initializerNames(out) == ["v"], "initializers"
    m.expectValue(out.graph, "v", W + W)


def test_whole_chain_folds_to_its_end(folder):
    """Only the value at the end of a chain is stored."""
    nodes = [
        node("Sqrt", ["w"], ["a"]),
        node("Div", ["a", "w"], ["b"]),
        node("Transpose", ["b"], ["c"]),
        node("MatMul", ["x", "c"], ["y"]),
    ]
    out = m.folded(folder, m.model(nodes, [info("x")], [info("y", (2, 2))], [const("w", W)]))
    expectLeft(out, ["MatMul"])
    assert m.initializerNames(out) == ["c"], "initializers"


def test_graph_output_that_is_constant(folder):
    out = m.folded(folder, m.model([node("Add", ["w", "w"], ["y"])], [], [info("y")], [const("w", W)]))
    expectLeft(out, [])
    m.expectValue(out.graph, "y", W + W)
    assert [value.name for value in out.graph.output] == ["y"], "graph outputs"


def test_value_that_is_output_and_input(folder):
    """A folded value that is read on and is a graph output is stored once."""
    nodes = [node("Add", ["w", "w"], ["v"]), node("Mul", ["v", "v"], ["u"]), node("Add", ["x", "u"], ["y"])]
    out = m.folded(folder, m.model(nodes, [info("x")], [info("v"), info("y")], [const("w", W)]))
    assert m.initializerNames(out) == ["u", "v"], "initializers"


def test_ir_3_gets_constant_nodes(folder):
    """Before IR 4 an initializer must be a graph input, so a folded value becomes a Constant node in its operator's place. One
    that nothing reads any more goes from both lists: nobody can feed it."""
    nodes = [node("Neg", ["x"], ["n"]), node("Add", ["w", "w"], ["v"]), node("Mul", ["n", "v"], ["y"])]
    out = m.folded(folder, m.model(nodes, [info("x"), info("w")], [info("y")], [const("w", W)], opset=8, ir=3))
    assert [one.op_type for one in out.graph.node] == ["Neg", "Constant", "Mul"], "nodes"
    assert [value.name for value in out.graph.input] == ["x"], "graph inputs"
    assert m.initializerNames(out) == [], "initializers"
    m.expectValue(out.graph, "v", W + W)


def test_existing_constant_nodes_stay(folder):
    """A Constant that is still read is left as it is; one without users is erased."""
    nodes = [
        node("Constant", [], ["c"], value_floats=[1.0, 2.0, 3.0]),
        node("Constant", [], ["d"], value_float=2.0),
        node("Mul", ["d", "d"], ["e"]),
        node("Add", ["x", "c"], ["s"]),
        node("Add", ["s", "e"], ["y"]),
    ]
    out = m.folded(folder, m.model(nodes, [info("x")], [info("y")]))
    assert [one.op_type for one in out.graph.node] == ["Constant", "Add", "Add"], "nodes"
    assert out.graph.node[0].attribute[0].name == "value_floats", "attribute of the Constant that is kept"


def test_every_form_of_constant_is_read(folder):
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("v", TensorProto.FLOAT, [1], [2.5]), helper.make_tensor("i", I64, [1], [2]), [3]
    )
    forms = {
        "value": (const("", W), W),
        "sparse_value": (sparse, [0, 0, 2.5]),
        "value_float": (1.5, np.float32(1.5)),
        "value_floats": ([1.0, 2.0], [1, 2]),
        "value_int": (3, np.int64(3)),
        "value_ints": ([4, 5], [4, 5]),
    }
    for form, (given, expected) in forms.items():
        kind = I64 if "int" in form else TensorProto.FLOAT
        shape = np.shape(expected)
        nodes = [node("Constant", [], ["c"], **{form: given}), node("Neg", ["c"], ["y"])]
        out = m.folded(folder, m.model(nodes, [], [info("y", shape, kind)]), runs=form != "sparse_value")
        expectLeft(out, [], f"operators after Constant {form}")
        m.expectValue(out.graph, "y", -np.asarray(expected))
    empty = node("Constant", [], ["c"])
    empty.attribute.append(helper.make_attribute("value_ints", [], attr_type=onnx.AttributeProto.INTS))
    out = m.folded(folder, m.model([empty, node("ConstantOfShape", ["c"], ["y"])], [], [info("y", ())]))
    m.expectValue(out.graph, "y", np.float32(0))


def test_sparse_initializers_fold_to_their_value_or_stay(folder):
    """The specification types them as sparse, ONNX Runtime reads them as dense: kept as they are, or folded to the dense value."""
    model = m.model([node("Add", ["s", "s"], ["v"]), node("Mul", ["x", "v"], ["y"])], [info("x")], [info("y")])
    model.graph.sparse_initializer.append(
        helper.make_sparse_tensor(
            helper.make_tensor("s", TensorProto.FLOAT, [2], [1, 2]), helper.make_tensor("", I64, [2], [0, 5]), [2, 3]
        )
    )
    onnx.save(model, folder / "model.onnx")
    out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx"))
    if m.operators(out) == ["Mul"]:
        m.expectValue(out.graph, "v", [[2, 0, 0], [0, 0, 4]])
    else:
        t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "model with a sparse initializer")


def test_shape_of_a_sparse_initializer(folder):
    """Was taken for that of its list of values: of one value, y had the shape of x."""
    model = m.model([node("Add", ["x", "s"], ["y"]), node("Shape", ["y"], ["z"])], [info("x", (2, 1))], [info("z", (2,), I64)])
    model.graph.sparse_initializer.append(
        helper.make_sparse_tensor(
            helper.make_tensor("s", TensorProto.FLOAT, [1], [3]), helper.make_tensor("", I64, [1], [2]), [2, 6]
        )
    )
    onnx.save(model, folder / "model.onnx")
    m.expectValue(onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx")).graph, "z", [2, 6])


def test_overridable_initializers_do_not_fold(folder):
    """From IR 4 an initializer that is also an input is a default that the caller may replace."""
    nodes = [node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["y"])]
    model = m.model(nodes, [info("x"), info("w")], [info("y")], [const("w", W)])
    out = m.folded(folder, model)
    t.expectSameBytes(folder / "out.onnx", folder / "model.onnx", "model with an overridable initializer")
    assert m.initializerNames(out) == ["w"], "initializers"


def test_shape_of_an_overridable_initializer(folder):
    """Its value may be replaced, its shape may not."""
    model = m.model(
        [node("Shape", ["w"], ["y"]), node("Neg", ["w"], ["z"])],
        [info("w")],
        [info("y", (2,), I64), info("z")],
        [const("w", W)],
    )
    expectLeft(m.folded(folder, model), ["Neg"])


def test_tied_weights_stay_one(folder):
    """A weight that is read twice and folded once is kept, with one copy."""
    nodes = [node("Gather", ["w", "i"], ["e"]), node("Transpose", ["w"], ["v"]), node("MatMul", ["e", "v"], ["y"])]
    out = m.folded(folder, m.model(nodes, [info("i", (2,), I64)], [info("y", (2, 2))], [const("w", W)]))
    assert m.initializerNames(out) == ["v", "w"], "initializers"


def test_identity_is_no_copy(folder):
    """An Identity of a kept weight costs nothing: without growth it is erased or kept."""
    weight = np.ones((500, 500), np.float32)
    nodes = [node("Identity", ["w"], ["v"]), node("MatMul", ["x", "w"], ["h"]), node("MatMul", ["h", "v"], ["y"])]
    out = m.folded(
        folder, m.model(nodes, [info("x", (2, 500))], [info("y", (2, 500))], [const("w", weight)]), "--max-growth=0"
    )
    stored = [tensor for tensor in out.graph.initializer if len(tensor.raw_data) > 1000]
    assert len(stored) == 1, "number of large initializers"


def test_dead_initializers_go_only_when_dead(folder):
    """After folding 'unused' has no user; the others are an output, or have a user in a subgraph or another node."""
    branch = m.graph([node("Add", ["x", "inner"], ["t"])], [], [info("t")], name="branch")
    other = m.graph([node("Neg", ["x"], ["e"])], [], [info("e")], name="other")
    names = ("unused", "output", "inner", "reader")
    nodes = [
        node("Sum", list(names), ["v"]),
        node("If", ["c"], ["h"], then_branch=branch, else_branch=other),
        node("Sum", ["h", "reader", "v"], ["y"]),
    ]
    model = m.model(
        nodes,
        [info("x"), info("c", (), TensorProto.BOOL)],
        [info("y"), info("output")],
        [const(name, W + number) for number, name in enumerate(names)],
    )
    out = m.folded(folder, model)
    assert m.initializerNames(out) == ["inner", "output", "reader", "v"], "initializers"


def test_value_info_of_removed_values_goes(folder):
    nodes = [
        node("Neg", ["w"], ["a"]),
        node("Abs", ["a"], ["b"]),
        node("Add", ["x", "b"], ["h"]),
        node("Relu", ["h"], ["y"]),
    ]
    model = m.model(nodes, [info("x")], [info("y")], [const("w", W)])
    model.graph.value_info.extend([info("a"), info("b"), info("h")])
    names = [value.name for value in m.folded(folder, model).graph.value_info]
    assert "a" not in names and "h" in names, f"value_info is of {names}; 'a' is erased, 'h' is kept"


def test_annotations_of_what_stays_stay(folder):
    nodes = [node("Neg", ["w"], ["a"]), node("Abs", ["a"], ["b"]), node("Add", ["x", "b"], ["y"])]
    model = m.model(nodes, [info("x")], [info("y")], [const("w", W), const("scale", np.float32(0.5))])
    for name in ("w", "a", "b", "y"):
        annotation = model.graph.quantization_annotation.add()
        annotation.tensor_name = name
        pair = annotation.quant_parameter_tensor_names.add()
        pair.key, pair.value = "SCALE_TENSOR", "scale"
    out = m.folded(folder, model)
    names = [annotation.tensor_name for annotation in out.graph.quantization_annotation]
    assert {"b", "y"} <= set(names), f"annotations are of {names}, those of 'b' and 'y' must be kept"
    assert "scale" in m.initializerNames(out), "the tensor that the annotations name is erased"


def test_training_state_is_no_constant(folder):
    """What a binding of the training information names changes during training; what the algorithm reads must be kept."""
    nodes = [
        node("Add", ["state", "state"], ["v"]),
        node("Neg", ["fixed"], ["u"]),
        node("Neg", ["seen"], ["s"]),
        node("Sum", ["x", "v", "u", "s"], ["y"]),
    ]
    model = m.model(nodes, [info("x")], [info("y")], [const(name, W) for name in ("state", "fixed", "seen", "start")])
    step = m.graph([node("Sub", ["state", "seen"], ["next"])], [], [info("next")], name="step")
    begin = m.graph([node("Identity", ["start"], ["first"])], [], [info("first")], name="begin")
    model.training_info.append(helper.make_training_info(step, [("state", "next")], begin, [("state", "first")]))
    out = m.folded(folder, model)
    expectLeft(out, ["Add", "Sum"])
    assert {"state", "seen"} <= set(m.initializerNames(out)), f"initializers are {m.initializerNames(out)}"
    assert out.training_info[0].SerializeToString() == model.training_info[0].SerializeToString(), "training information"


RANDOM = {
    "RandomNormal": ([], {"shape": [2, 3]}),
    "RandomUniform": ([], {"shape": [2, 3]}),
    "RandomNormalLike": (["w"], {}),
    "RandomUniformLike": (["w"], {}),
    "Bernoulli": (["p"], {}),
    "Multinomial": (["p"], {"dtype": TensorProto.INT32, "sample_size": 2}),
}


def test_random_operators_do_not_fold(folder):
    """Neither with a seed nor in a branch: who runs the model draws."""
    constants = [const("w", W), const("p", np.full((2, 3), 0.5, np.float32))]
    for operator, (inputs, attributes) in RANDOM.items():
        for seed in ({}, {"seed": 1.0}):
            one = node(operator, inputs, ["r"], **attributes, **seed)
            kind = TensorProto.INT32 if operator == "Multinomial" else TensorProto.FLOAT
            shape = (2, 2) if operator == "Multinomial" else (2, 3)
            model = m.model([one], [], [info("r", shape, kind)], constants)
            expectLeft(m.folded(folder, model, runs=False), [operator])
            branch = m.graph([one], [], [info("r", shape, kind)], name="branch")
            model = m.model(
                [node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)],
                [info("c", (), TensorProto.BOOL)],
                [info("y", shape, kind)],
                constants,
            )
            counts = t.operatorCounts(m.folded(folder, model, runs=False))
            assert counts.get(operator) == 2, f"number of {operator} in two branches"


def test_training_dropout_does_not_fold(folder):
    constants = [const("w", W), const("ratio", np.float32(0.5)), const("yes", np.array(True))]
    model = m.model([node("Dropout", ["w", "ratio", "yes"], ["y"])], [], [info("y")], constants)
    expectLeft(m.folded(folder, model, runs=False), ["Dropout"])


def test_custom_domain_shape_is_not_shape(folder):
    model = m.model(
        [node("Shape", ["w"], ["s"], domain="com.example"), node("Add", ["w", "w"], ["v"], domain="com.example")],
        [],
        [info("s", (2,), I64), info("v")],
        [const("w", W)],
        domains=[("com.example", 1)],
    )
    expectLeft(m.folded(folder, model, runs=False), ["Shape", "Add"])


def test_undefined_results_stay(folder):
    """Division of integers by zero, INT_MIN / -1, NaN to integer, indices out of range: such nodes are kept in the graph."""
    lowest = np.iinfo(np.int32).min
    cases = {
        "div_zero": ("Div", [const("a", [1, 2], np.int32), const("b", [1, 0], np.int32)], TensorProto.INT32),
        "div_min": ("Div", [const("a", [lowest], np.int32), const("b", [-1], np.int32)], TensorProto.INT32),
        "mod_zero": ("Mod", [const("a", [1, 2], np.int64), const("b", [0, 1], np.int64)], I64),
        "mod_min": ("Mod", [const("a", [np.iinfo(np.int64).min], np.int64), const("b", [-1], np.int64)], I64),
        "gather": ("Gather", [const("a", [1, 2], np.float32), const("b", [2], np.int64)], TensorProto.FLOAT),
        "squeeze": ("Squeeze", [const("a", W), const("b", [0], np.int64)], TensorProto.FLOAT),
        "reshape": ("Reshape", [const("a", W), const("b", [4], np.int64)], TensorProto.FLOAT),
    }
    for name, (operator, constants, kind) in cases.items():
        model = m.model(
            [node(operator, ["a", "b"], ["v"]), node("Identity", ["x"], ["y"])],
            [info("x")],
            [info("y"), info("v", None, kind)],
            constants,
        )
        del model.graph.output[1].type.tensor_type.shape.dim[:]
        onnx.save(model, folder / "model.onnx")
        out = onnx.load(t.fold(folder / "model.onnx", folder / "out.onnx", "-O0"))
        assert operator in m.operators(out), f"{name}: {operator} was folded"
    for value, kind in (
        (np.nan, TensorProto.INT32),
        (np.inf, I64),
        (1e30, TensorProto.INT8),
        (-1.0, TensorProto.UINT8),
    ):
        model = m.model(
            [node("Cast", ["a"], ["v"], to=kind)], [], [info("v", (1,), kind)], [const("a", [value], np.float32)]
        )
        expectLeft(m.folded(folder, model, "-O0", runs=False), ["Cast"], f"operators of Cast of {value} to type {kind}")


def test_one_node_that_stays_does_not_stop_others(folder):
    nodes = [node("Div", ["i", "zero"], ["q"]), node("Add", ["w", "w"], ["v"]), node("Mul", ["x", "v"], ["y"])]
    model = m.model(
        nodes,
        [info("x")],
        [info("y"), info("q", (1,), TensorProto.INT32)],
        [const("w", W), const("i", [1], np.int32), const("zero", [0], np.int32)],
    )
    expectLeft(m.folded(folder, model, runs=False), ["Div", "Mul"])


def test_several_outputs(folder):
    """An operator with several outputs of which some are read."""
    nodes = [
        node("Split", ["w", "sizes"], ["a", "", "c"], axis=1),
        node("TopK", ["w", "k"], ["values", "indices"]),
        node("Sum", ["x", "a", "c", "values"], ["y"]),
    ]
    model = m.model(
        nodes,
        [info("x", (2, 1))],
        [info("y", (2, 1)), info("indices", (2, 1), I64)],
        [const("w", W), const("sizes", [1, 1, 1], np.int64), const("k", [1], np.int64)],
    )
    out = m.folded(folder, model, runs=False)  # ONNX Runtime 1.31.1 crashes on the Split of the original
    expectLeft(out, ["Sum"])
    # The largest values are the last column, c, which is written once.
    assert m.initializerNames(out) == ["a", "c", "indices"], "initializers"
    assert list(out.graph.node[0].input) == ["x", "a", "c", "c"], "what Sum reads"
    for name, expected in (("a", W[:, :1]), ("c", W[:, 2:]), ("indices", [[2], [2]])):
        m.expectValue(out.graph, name, expected)


def test_optional_inputs_that_are_absent(folder):
    nodes = [
        node("Clip", ["w", "", "high"], ["v"]),
        node("Slice", ["v", "start", "end", "", "step"], ["u"]),
        node("Mul", ["x", "u"], ["y"]),
    ]
    constants = [
        const("w", W),
        const("high", np.float32(4)),
        const("start", [0, 0], np.int64),
        const("end", [2, 3], np.int64),
        const("step", [1, 2], np.int64),
    ]
    out = m.folded(folder, m.model(nodes, [info("x", (2, 2))], [info("y", (2, 2))], constants))
    expectLeft(out, ["Mul"])
    m.expectValue(out.graph, "u", np.minimum(W, 4)[:, ::2])
