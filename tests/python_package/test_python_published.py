# SPDX-License-Identifier: Apache-2.0
"""More of what the published tests of onnxsim 0.8 and OnnxSlim 0.1 ask of folding, on models of our own.

Of onnxsim these are tests/test_python_api.py, test_constant_fold_determinism.py, test_partial_shape_eval_rank.py,
test_custom_rewriter.py, test_function_body_inference.py, test_inline_local_functions.py; of OnnxSlim test_shape_folding.py,
test_dead_node_elimination.py, test_elimination_patterns.py, test_subexpression_elimination.py, test_onnxslim.py.
What test_python_compat.py has is not repeated. Left out is what is not folding: PyTorch's exporter and models that are
downloaded, quantisation, other file formats (safetensors, GGUF), registries of schemas, names for nodes without one, fusions.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_compare as compare
import onnxfold_models as m
from onnx_fold.compat import simplify, slim
from onnxfold_models import const, info, node
from python_cases import operators, save

INT64 = TensorProto.INT64


def expectSame(folder, before, after, *feeds):
    """ONNX Runtime computes the same with both."""
    paths = save(folder, before, "before.onnx"), save(folder, after, "after.onnx")
    for wanted, got in zip(*(compare.outputs(path, list(feeds) or [m.ones(before)]) for path in paths)):
        compare.expectAgreement(got, wanted, "what was simplified")


# ---- onnxsim -----------------------------------------------------------------------------------------------------------------


def test_ranges_fold():
    """Range is deterministic, although its shape depends on its values; what follows it folds too."""
    nodes = [node("Range", ["a", "b", "s"], ["r"]), node("Unsqueeze", ["r", "z"], ["u"]), node("Add", ["x", "u"], ["y"])]
    constants = [const(name, value, np.int64) for name, value in (("a", 0), ("b", 6), ("s", 2), ("z", [0]))]
    result, ok = simplify(m.model(nodes, [info("x", (1, 3), INT64)], [info("y", (1, 3), INT64)], constants), check_n=1)
    assert ok and operators(result) == ["Add"], f"{operators(result)}"
    m.expectValue(result.graph, "u", [[0, 2, 4]])


LAST = np.iinfo(np.int64).min + 1


def padsOf(sides):
    """The operand of Pad as the exporter of PyTorch computes it: pairs, last axis first, whose rows are reversed."""
    nodes = [
        node("ConstantOfShape", ["none"], ["zeros"], value=const("v", [0], np.int64)),
        node("Concat", ["sides", "zeros"], ["all"], axis=0),
        node("Reshape", ["all", "pairs"], ["rows"]),
        node("Slice", ["rows", "minus", "last", "none", "minus"], ["reversed"]),
        node("Transpose", ["reversed"], ["columns"], perm=[1, 0]),
        node("Reshape", ["columns", "minus"], ["flat"]),
        node("Cast", ["flat"], ["pads"], to=INT64),
    ]
    values = {"none": [0], "sides": sides, "pairs": [-1, 2], "minus": [-1], "last": [LAST]}
    return nodes, [const(name, value, np.int64) for name, value in values.items()]


def test_pads_of_an_exporter(folder):
    """Rows of a matrix are reversed, and not its elements; with this Pad the rest computes what it did."""
    nodes, constants = padsOf([1, 2, 0, 0, 0, 0])
    nodes += [node("Pad", ["x", "pads"], ["p"]), node("Trilu", ["p"], ["t"]), node("Cos", ["t"], ["y"])]
    model = m.model(nodes, [info("x", (1, 2, 3))], [info("y", (1, 2, 6))], constants)
    result, ok = simplify(model, check_n=3)
    assert ok and operators(result) == ["Pad", "Trilu", "Cos"], f"{operators(result)}"
    m.expectValue(result.graph, "pads", [0, 0, 1, 0, 0, 2])
    expectSame(folder, model, result, {"x": np.arange(6, dtype=np.float32).reshape(1, 2, 3)})


def test_reversed_vectors():
    nodes = [node("Concat", ["a", "b"], ["c"], axis=0), node("Slice", ["c", "minus", "last", "zero", "minus"], ["y"])]
    values = {"a": [12, 0, -65487], "b": [45], "minus": [-1], "last": [LAST], "zero": [0]}
    model = m.model(nodes, [], [info("y", (4,), INT64)], [const(name, value, np.int64) for name, value in values.items()])
    m.expectValue(simplify(model)[0].graph, "y", [45, -65487, 0, 12])


def test_branches_are_simplified(folder):
    """With and without `include_subgraph`: constants inside a branch, and what a branch takes from outside."""
    then = m.graph([node("Add", ["w", "w"], ["two"]), node("Mul", ["x", "two"], ["t"])], [], [info("t")])
    other = m.graph([node("Identity", ["x"], ["copy"]), node("Neg", ["copy"], ["e"])], [], [info("e")])
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=other)]
    model = m.model(
        nodes, [info("c", (), TensorProto.BOOL), info("x")], [info("y")], [const("w", np.ones((2, 3), np.float32))]
    )
    for include in (False, True):
        result, ok = simplify(model, include_subgraph=include, check_n=2)
        [branching] = result.graph.node
        graphs = {one.name: [inner.op_type for inner in one.g.node if inner.op_type != "Constant"] for one in branching.attribute}
        assert ok and graphs == {"then_branch": ["Mul"], "else_branch": ["Neg"]}, f"{graphs}"
        x = np.full((2, 3), 3, np.float32)
        expectSame(folder, model, result, *({"c": np.array(c), "x": x} for c in (True, False)))


def ofFunction(condition):
    """y = f(x), whose body chooses by a condition."""
    then = m.graph([node("Relu", ["a"], ["t"])], [], [info("t", None)])
    other = m.graph([node("Neg", ["a"], ["e"])], [], [info("e", None)])
    body = [*condition, node("If", ["cond"], ["b"], then_branch=then, else_branch=other)]
    function = helper.make_function("com.example", "Choose", ["a"], ["b"], body, [helper.make_opsetid("", 21)])
    nodes = [node("Choose", ["x"], ["h"], domain="com.example"), node("Abs", ["h"], ["y"])]
    model = m.model(nodes, [info("x")], [info("y")], domains=[("com.example", 1)])
    model.functions.append(function)
    return model


def test_functions_with_conditions(folder):
    """A condition that is constant: the branch that is taken is left. Another one is kept."""
    constant = [node("Constant", [], ["k"], value=const("v", True)), node("Identity", ["k"], ["cond"])]
    model = ofFunction(constant)
    before = model.SerializeToString()
    result, ok = simplify(model, inline_functions=True)
    assert ok and operators(result) == ["Relu", "Abs"] and not result.functions, f"{operators(result)}"
    assert model.SerializeToString() == before, "the given model is not changed"
    kept = simplify(model, inline_functions=False)[0]
    assert not any(one.op_type == "If" for function in kept.functions for one in function.node), "without inlining"
    expectSame(folder, model, kept)
    dynamic = ofFunction([node("ReduceMin", ["a"], ["least"], keepdims=0), node("Cast", ["least"], ["cond"], to=TensorProto.BOOL)])
    result = simplify(dynamic, inline_functions=True)[0]
    assert "If" in operators(result), f"{operators(result)}"
    expectSame(folder, dynamic, result)


def test_types_behind_calls_of_functions():
    """The type of what a function returns is inferred, although the call is kept."""
    kept = ofFunction([node("ReduceMin", ["a"], ["least"], keepdims=0), node("Cast", ["least"], ["cond"], to=TensorProto.BOOL)])
    types = {one.name: one.type.tensor_type for one in simplify(kept)[0].graph.value_info}
    assert [dim.dim_value for dim in types["h"].shape.dim] == [2, 3], f"{types}"


def test_no_optimisation():
    """perform_optimization=False folds, and rewrites nothing."""
    nodes = [node("Add", ["w", "w"], ["v"]), node("Identity", ["x"], ["a"]), node("Mul", ["a", "v"], ["y"])]
    model = m.model(nodes, [info("x")], [info("y")], [const("w", np.ones((2, 3), np.float32))])
    assert operators(simplify(model, perform_optimization=False)[0]) == ["Identity", "Mul"], "without"
    assert operators(simplify(model)[0]) == ["Mul"], "with"


def test_large_constants_that_are_computed():
    """Five weights are added: one weight is left, whatever its size."""
    nodes = [node("Add", ["w0", "w1"], ["s1"])] + [node("Add", [f"s{i}", f"w{i + 1}"], [f"s{i + 1}"]) for i in (1, 2, 3)]
    nodes.append(node("Add", ["x", "s4"], ["y"]))
    shape = (1 << 16,)
    model = m.model(
        nodes, [info("x", shape)], [info("y", shape)], [const(f"w{i}", np.full(shape, i, np.float32)) for i in range(5)]
    )
    for call in (lambda one: simplify(one)[0], slim):
        result = call(model)
        assert operators(result) == ["Add"] and m.initializerNames(result) == ["s4"], f"{operators(result)}"
        m.expectValue(result.graph, "s4", np.full(shape, 10, np.float32))


# ---- OnnxSlim -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attributes, begin, end, wanted", [({"start": 1}, 0, 2, [3, 4]), ({"end": -1}, -2, 100, [3, 4])])
def test_slices_of_parts_of_shapes(attributes, begin, end, wanted):
    nodes = [node("Shape", ["x"], ["s"], **attributes), node("Slice", ["s", "b", "e", "zero"], ["y"])]
    constants = [const(name, [value], np.int64) for name, value in (("b", begin), ("e", end), ("zero", 0))]
    m.expectValue(
        slim(m.model(nodes, [info("x", (2, 3, 4, 5))], [info("y", None, INT64)], constants)).graph, "y", wanted
    )


FLOAT = TensorProto.FLOAT
USELESS = {
    "Dropout": ([], {}),
    "Pad": ([const("c", [0, 0, 0, 0], np.int64)], {}),
    "Mul": ([const("c", [1], np.float32)], {}),
    "Div": ([const("c", [1], np.float32)], {}),
    "Sub": ([const("c", [0], np.float32)], {}),
    "Add": ([const("c", [-0.0], np.float32)], {}),
    "Concat": ([], {"axis": 0}),
    "Cast": ([], {"to": FLOAT}),
    "Reshape": ([const("c", [2, 3], np.int64)], {}),
    "Expand": ([const("c", [2, 3], np.int64)], {}),
    "Split": ([], {"axis": 0, "num_outputs": 1}),
    "Slice": ([const("c", [0], np.int64), const("d", [2], np.int64)], {}),
    "Transpose": ([], {"perm": [0, 1]}),
}


@pytest.mark.parametrize("op", USELESS)
def test_operators_without_effect(folder, op):
    constants, attributes = USELESS[op]
    nodes = [node(op, ["x", *(one.name for one in constants)], ["a"], **attributes), node("Relu", ["a"], ["y"])]
    model = m.model(nodes, [info("x")], [info("y")], constants)
    result = slim(model)
    assert operators(result) == ["Relu"] and not result.graph.initializer, f"{operators(result)}"
    assert result.graph.node[0].input[0] == "x" and result.graph.node[0].output[0] == "y", f"{result.graph.node[0]}"
    expectSame(folder, model, result)


def test_identity_from_input_to_output():
    model = m.model([node("Identity", ["x"], ["y"])], [info("x")], [info("y")])
    assert operators(slim(model)) == ["Identity"], "names of inputs and outputs are kept"


def test_empty_operands_of_concat(folder):
    empty = const("none", np.zeros((0, 3), np.float32))
    nodes = [node("Concat", ["none", "x", "none"], ["a"], axis=0), node("Relu", ["a"], ["y"])]
    model = m.model(nodes, [info("x")], [info("y")], [empty])
    result = slim(model)
    assert operators(result) == ["Relu"], f"{operators(result)}"
    expectSame(folder, model, result)


CHAINS = {
    "Reshape": ([node("Reshape", ["x", "c"], ["a"]), node("Reshape", ["a", "d"], ["y"])], {"c": [3, 2], "d": [6]}),
    "Unsqueeze": ([node("Unsqueeze", ["x", "c"], ["a"]), node("Unsqueeze", ["a", "d"], ["y"])], {"c": [0], "d": [1]}),
    "Slice": (
        [node("Slice", ["x", "c", "d", "c"], ["a"]), node("Slice", ["a", "e", "f", "e"], ["y"])],
        {"c": [0], "d": [1], "e": [1], "f": [3]},
    ),
    "Concat": ([node("Concat", ["x", "x"], ["a"], axis=0), node("Concat", ["a", "x"], ["y"], axis=0)], {}),
    "Cast": ([node("Cast", ["x"], ["a"], to=TensorProto.DOUBLE), node("Cast", ["a"], ["y"], to=TensorProto.FLOAT16)], {}),
}


@pytest.mark.parametrize("op", CHAINS)
def test_chains_become_one(folder, op):
    nodes, values = CHAINS[op]
    constants = [const(name, value, np.int64) for name, value in values.items()]
    kind = TensorProto.FLOAT16 if op == "Cast" else FLOAT
    model = m.model(nodes, [info("x")], [info("y", None, kind)], constants)
    result = slim(model)
    assert operators(result) == [op], f"{operators(result)}"
    expectSame(folder, model, result, {"x": np.arange(6, dtype=np.float32).reshape(2, 3)})


def test_equal_computations_are_one(folder):
    """Also where one of them is an output of the model, whose name is kept."""
    nodes = [node("Exp", ["x"], ["a"]), node("Exp", ["x"], ["b"]), node("Neg", ["a"], ["y"]), node("Abs", ["b"], ["z"])]
    model = m.model([*nodes], [info("x")], [info("y"), info("z"), info("b")])
    result = slim(model)
    assert sorted(operators(result)) == ["Abs", "Exp", "Neg"], f"{operators(result)}"
    assert [one.name for one in result.graph.output] == ["y", "z", "b"], "outputs"
    expectSame(folder, model, result)


@pytest.mark.parametrize("kind", ("BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E5M2", "INT4", "UINT4"))
def test_types_without_numpy(kind):
    """Inputs, outputs and weights keep the types that NumPy does not have, and folding computes with them."""
    code = getattr(TensorProto, kind)
    weight = helper.make_tensor("w", code, [2, 2], [1, 2, 3, 4])
    nodes = [node("Transpose", ["w"], ["t"]), node("Cast", ["t"], ["f"], to=FLOAT), node("Add", ["x", "f"], ["y"])]
    nodes.append(node("Reshape", ["w", "s"], ["z"]))
    model = m.model(
        nodes, [info("x", (2, 2))], [info("y", (2, 2)), info("z", (4,), code)], [weight, const("s", [4], np.int64)], opset=21
    )
    result = slim(model)
    assert operators(result) == ["Add"], f"{operators(result)}"
    m.expectValue(result.graph, "f", [[1, 3], [2, 4]])
    [z] = [one for one in result.graph.initializer if one.name == "z"]
    assert z.data_type == code and result.graph.output[1].type.tensor_type.elem_type == code, "the type"
    assert onnx.numpy_helper.to_array(z).astype(np.float32).tolist() == [1, 2, 3, 4], "the values"
