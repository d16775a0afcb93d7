# SPDX-License-Identifier: Apache-2.0
"""What the old converter of ONNX to DML got wrong: its defects, one test each, run on SystemDS and compared with ONNX Runtime;
and the nine models of its own tests, which compared texts only (test_smallest).

Its sizes were one image, one channel, one filter, no bias: these have more.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_models as m
import onnxfold_systemds as systemds

BOOL = TensorProto.BOOL


def values(*shape, seed=1):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def expectSame(folder, nodes, inputs, outputs, constants=None, **more):
    """`inputs`: name -> array; `outputs`: names, or name -> (shape, type)."""
    infos = [m.info(name, array.shape, onnx.helper.np_dtype_to_tensor_dtype(array.dtype)) for name, array in inputs.items()]
    results = [onnx.ValueInfoProto(name=name) for name in outputs]
    tensors = [m.const(name, array) for name, array in (constants or {}).items()]
    model = onnx.shape_inference.infer_shapes(m.model(nodes, infos, results, tensors, **more))
    del model.graph.value_info[:]
    return systemds.expectSame(folder, model, list(inputs.values()))


# ---- attributes that exporters always write ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"group": 1, "dilations": [1, 1], "kernel_shape": [3, 3], "strides": [1, 1], "pads": [1, 1, 1, 1]},
        {"auto_pad": "SAME_UPPER", "strides": [2, 2]},
        {"auto_pad": "SAME_LOWER", "strides": [2, 2]},
        {"auto_pad": "VALID", "strides": [2, 1]},
        {"auto_pad": "NOTSET", "pads": [0, 1, 2, 2]},
        {"dilations": [2, 1], "pads": [2, 1, 2, 1]},
    ],
    ids=str,
)
@pytest.mark.parametrize("hasBias", [False, True], ids=["", "bias"])
def test_conv(folder, attributes, hasBias):
    """Each attribute that PyTorch writes, a bias and auto_pad raised an exception; VALID was padded."""
    node = m.node("Conv", ["x", "w", "b"] if hasBias else ["x", "w"], ["y"], **attributes)
    constants = {"w": values(4, 3, 3, 3, seed=2), **({"b": values(4)} if hasBias else {})}
    expectSame(folder, [node], {"x": values(2, 3, 8, 7)}, ["y"], constants)


@pytest.mark.parametrize("group, filters", [(2, 4), (4, 4), (4, 8)])
def test_grouped_conv(folder, group, filters):
    node = m.node("Conv", ["x", "w", "b"], ["y"], group=group, pads=[1, 1, 1, 1], strides=[2, 1])
    constants = {"w": values(filters, 4 // group, 3, 3, seed=2), "b": values(filters)}
    expectSame(folder, [node], {"x": values(2, 4, 7, 6)}, ["y"], constants)


@pytest.mark.parametrize(
    "attributes",
    [
        {"kernel_shape": [2, 2], "ceil_mode": 0, "storage_order": 0, "dilations": [1, 1], "strides": [2, 2]},
        {"kernel_shape": [3, 3], "ceil_mode": 1, "strides": [2, 2]},
        {"kernel_shape": [3, 2], "pads": [0, 0, 1, 1]},
        {"kernel_shape": [3, 3], "auto_pad": "SAME_UPPER", "strides": [2, 2]},
        {"kernel_shape": [3, 3], "auto_pad": "SAME_LOWER", "strides": [2, 2]},
        {"kernel_shape": [3, 3], "auto_pad": "VALID", "strides": [2, 2]},
        {"kernel_shape": [5, 5], "pads": [2, 2, 2, 2]},
    ],
    ids=str,
)
def test_max_pool(folder, attributes):
    """All values are negative: padding with zeros would show."""
    x = -1 - np.abs(values(2, 3, 8, 7))
    expectSame(folder, [m.node("MaxPool", ["x"], ["y"], **attributes)], {"x": x}, ["y"])


def test_softmax_of_an_axis(folder):
    for axis in (0, 1, 2, -1):
        expectSame(folder, [m.node("Softmax", ["x"], ["y"], axis=axis)], {"x": values(2, 3, 4)}, ["y"])


def test_softmax_of_version_1(folder):
    """Before version 13 an axis meant all dimensions from there on."""
    expectSame(folder, [m.node("Softmax", ["x"], ["y"], axis=1)], {"x": values(2, 3, 4)}, ["y"], opset=11)


# ---- shapes ------------------------------------------------------------------------------------------------------------


def smallNet():
    return [
        m.node("Conv", ["x", "w", "b"], ["a"], pads=[1, 1, 1, 1]),
        m.node("Relu", ["a"], ["c"]),
        m.node("MaxPool", ["c"], ["d"], kernel_shape=[2, 2], strides=[2, 2]),
        m.node("Flatten", ["d"], ["e"]),
        m.node("Gemm", ["e", "v", "d0"], ["y"], transB=1),
    ]


SMALL_NET = {"w": values(4, 3, 3, 3, seed=2), "b": values(4), "v": values(5, 36, seed=3), "d0": values(5, seed=4)}


def test_no_value_info(folder):
    """Shape inference was never run."""
    expectSame(folder, smallNet(), {"x": values(2, 3, 6, 6)}, ["y"], SMALL_NET)


def test_free_batch_size(folder):
    constants = [m.const(name, array) for name, array in SMALL_NET.items()]
    model = m.model(smallNet(), [m.info("x", ["N", 3, 6, 6])], [m.info("y", ["N", 5])], constants)
    texts = {systemds.expectSame(folder, model, [values(rows, 3, 6, 6)]) for rows in (1, 4)}
    assert len(texts) == 1


@pytest.mark.parametrize(
    "left, right", [((2, 3, 4), (2, 4, 5)), ((2, 3, 3, 4), (2, 3, 4, 2)), ((3, 4), (2, 4, 5)), ((4,), (2, 4, 3))]
)
def test_batched_matrix_product(folder, left, right):
    """Tensors of rank 3 were multiplied as flattened matrices."""
    nodes = [m.node("MatMul", ["x", "y"], ["z"])]
    expectSame(folder, nodes, {"x": values(*left), "y": values(*right, seed=2)}, ["z"])


@pytest.mark.parametrize("op", ["Add", "Sub"])
@pytest.mark.parametrize(
    "left, right",
    [((3, 4, 5), (5,)), ((5,), (3, 4, 5)), ((3, 4, 5), (4, 1)), ((3, 1), (1, 4)), ((), (2, 3)), ((2, 1, 4), (3, 1))],
)
def test_broadcasting(folder, op, left, right):
    nodes = [m.node(op, ["x", "y"], ["z"])]
    expectSame(folder, nodes, {"x": values(*left), "y": values(*right, seed=2)}, ["z"])


def test_tensors_of_bools(folder):
    """Only those of shape [1] were there; Xor was the call of a function that does not exist."""
    x, y = values(3, 4) > 0, values(3, 4, seed=2) > 0
    nodes = [m.node(op, ["x", "y"], [op]) for op in ("And", "Or", "Xor")]
    expectSame(folder, nodes, {"x": x, "y": y}, ["And", "Or", "Xor"])


# ---- graphs ------------------------------------------------------------------------------------------------------------


def test_unused_output_and_dead_node(folder):
    nodes = [
        m.node("MaxPool", ["x"], ["a", "unused"], kernel_shape=[2, 2]),
        m.node("Exp", ["a"], ["dead"]),
        m.node("Relu", ["a"], ["y"]),
    ]
    expectSame(folder, nodes, {"x": values(2, 3, 4, 4)}, ["y"])


def test_residual_block(folder):
    """`A` was used before it was assigned: a search from below was satisfied by the first consumer."""
    constants = {"w": values(3, 3, 3, 3, seed=2), "v": values(3, 3, 3, 3, seed=3)}
    nodes = [
        m.node("Relu", ["x"], ["A"]),
        m.node("Conv", ["A", "w"], ["C1"], pads=[1, 1, 1, 1]),
        m.node("Conv", ["C1", "v"], ["C2"], pads=[1, 1, 1, 1]),
        m.node("Add", ["A", "C2"], ["o"]),
    ]
    expectSame(folder, nodes, {"x": values(2, 3, 4, 4)}, ["o"], constants)


def test_dropout_is_the_identity(folder):
    """The ratio of what is dropped was given where the layer wants that of what is kept."""
    nodes = [m.node("Dropout", ["x", "ratio"], ["a"]), m.node("Relu", ["a"], ["y"])]
    expectSame(folder, nodes, {"x": values(3, 4)}, ["y"], {"ratio": np.float32(0.7)})
    nodes = [m.node("Dropout", ["x"], ["a"], ratio=0.7), m.node("Relu", ["a"], ["y"])]
    expectSame(folder, nodes, {"x": values(3, 4)}, ["y"], opset=11)


def test_names(folder):
    """They were copied as they are; a bad mangler merges names, as SystemDS drops characters that it does not know."""
    names = ["input.1", "input_1", "input 1", "23", "_23", "in", "function", "pi", "T", "ä", "ö", "x-y"]
    inputs = {name: values(2, 3, seed=i) for i, name in enumerate(names)}
    nodes, last = [], names[0]
    for i, name in enumerate(names[1:]):
        nodes.append(m.node(("Add", "Sub")[i % 2], [last, name], [f"/{i}/out.{name}"]))
        last = f"/{i}/out.{name}"
    expectSame(folder, nodes, inputs, [last])


@pytest.mark.parametrize("name", ["", "été", "漢字", "in", "9", "net net"])
def test_names_of_graphs(folder, name):
    """Empty and other names gave `gen_`, which does not lex."""
    model = m.model([m.node("Relu", ["x"], ["y"])], [m.info("x")], [m.info("y")])
    model.graph.name = name
    systemds.expectSame(folder, model, [values(2, 3)])


def test_texts_of_two_lines(folder):
    model = m.model([m.node("Relu", ["x"], ["y"], name="a\nstop()")], [m.info("x")], [m.info("y")])
    model.doc_string = model.graph.doc_string = model.graph.node[0].doc_string = "one\nstop()"
    model.graph.name = "net\nstop()"
    model.metadata_props.add(key="k", value="v")
    systemds.expectSame(folder, model, [values(2, 3)])


def branch(name, op):
    """Of a graph value `a`; all are called `same`."""
    nodes = [m.node(op, ["a", name + "_c"], [name + "_r"])]
    return m.graph(nodes, [], [m.info(name + "_r")], [m.const(name + "_c", values(2, 3))], "same")


@pytest.mark.parametrize("condition", [True, False])
def test_if_with_captures(folder, condition):
    """Branches captured names that a function of DML does not see; two of one name collided."""
    nodes = [
        m.node("Relu", ["x"], ["a"]),
        m.node("If", ["c"], ["b"], then_branch=branch("p", "Add"), else_branch=branch("q", "Mul")),
        m.node("Exp", ["b"], ["y"]),
    ]
    model = m.model(nodes, [m.info("x"), m.info("c", (), BOOL)], [m.info("y")])
    systemds.expectSame(folder, model, [values(2, 3), np.array(condition)])


# ---- constants ---------------------------------------------------------------------------------------------------------


def test_large_weight(folder):
    """4 MB of weights made 19.3 MB of script; those of raw_data made empty matrices."""
    constants = {"w": values(1000, 1000)}
    script = expectSame(folder, [m.node("MatMul", ["x", "w"], ["y"])], {"x": values(2, 1000)}, ["y"], constants)
    assert len(script) < 2000


@pytest.mark.parametrize("kind", ["raw_data", "float_data", "external", "Constant", "list of Constant", "sparse", "sparse Constant"])
def test_where_constants_are(folder, kind):
    array = values(3, 4)
    array[:, 1:3] = 0
    nodes, tensors = [m.node("Add", ["x", "w"], ["y"])], [m.const("w", array)]
    if kind == "float_data":
        tensors = [onnx.helper.make_tensor("w", TensorProto.FLOAT, (3, 4), array.ravel().tolist())]
    elif kind == "Constant":
        nodes, tensors = [m.node("Constant", [], ["w"], value=tensors[0]), *nodes], []
    elif kind == "list of Constant":
        array, tensors = np.float32([1, 2, 3, 4]), []
        nodes = [m.node("Constant", [], ["w"], value_floats=[1.0, 2.0, 3.0, 4.0]), *nodes]
    elif "sparse" in kind:
        places = np.flatnonzero(array)
        pieces = [m.const("w", array.ravel()[places]), m.const("w_places", places.astype(np.int64))]
        sparse, tensors = onnx.helper.make_sparse_tensor(*pieces, (3, 4)), []
        if kind == "sparse Constant":
            nodes = [m.node("Constant", [], ["w"], sparse_value=sparse), *nodes]
    model = m.model(nodes, [m.info("x", (3, 4))], [m.info("y", (3, 4))], tensors)
    if kind == "sparse":
        model.graph.sparse_initializer.append(sparse)
    if kind == "external":
        onnx.external_data_helper.convert_model_to_external_data(model, location="model.data", size_threshold=0)
    x = values(3, 4, seed=2)
    systemds.expectSame(folder, model, [x], wanted=[x + array])


@pytest.mark.parametrize("shape", [(), (1,), (5,), (1, 1), (5, 1), (1, 5), (2, 1, 5)])
def test_shapes_of_constants(folder, shape):
    """Rank 1 gave a blank after `cols=`, shape [1] an error of the template."""
    array = np.asarray(values(*shape))
    expectSame(folder, [m.node("Mul", ["x", "w"], ["y"])], {"x": values(2, 5, 5)}, ["y"], {"w": array})


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "float64"])
def test_types_of_constants(folder, dtype):
    array = np.arange(20, dtype=dtype).reshape(4, 5)
    expectSame(folder, [m.node("Add", ["x", "w"], ["y"])], {"x": array * 3}, ["y"], {"w": array})


def test_constants_of_special_values(folder):
    array = np.float32([np.nan, np.inf, -np.inf, 1e-45, 3.4e38, 0.1])
    for n in (1, 10):
        constant = np.tile(array, n)
        expectSame(folder, [m.node("Add", ["x", "w"], ["y"])], {"x": np.ones_like(constant)}, ["y"], {"w": constant})


def test_initializers_that_are_inputs_too(folder):
    """Of IR version 3, where they had to be; others were left undefined."""
    constants = [m.const("w", values(2, 3))]
    model = m.model([m.node("Add", ["x", "w"], ["y"])], [m.info("x"), m.info("w")], [m.info("y")], constants, opset=8, ir=3)
    x = values(2, 3, seed=2)
    systemds.expectSame(folder, model, [x], wanted=[x + values(2, 3)])


@pytest.mark.parametrize("shape", [(), (1,), (8,), (20, 1), (20, 8), (3, 20, 8)], ids=str)
@pytest.mark.parametrize("kind", ["zero", "some zeros", "many zeros"])
def test_factors_of_zero(folder, shape, kind):
    """SystemDS makes x * 0 a 0, also of NaN and infinity: a wrong mask of attention, or rotation of positions."""
    x = values(20, 8, seed=2)
    x[::7, ::3], x[1::5, 1::4], x[2::6, 2::5] = np.nan, np.inf, -np.inf
    share = {"zero": 1, "some zeros": 0.3, "many zeros": 0.95}[kind]
    factor = np.where(np.random.default_rng(3).random(shape) < share, 0, values(*shape)).astype(np.float32)
    for names in (["x", "c"], ["c", "x"]):
        with np.errstate(invalid="ignore"):
            model = m.model([m.node("Mul", names, ["y"])], [m.info("x", (20, 8))], [m.info("y", np.shape(x * factor))])
            model.graph.initializer.append(m.const("c", factor))
            systemds.expectSame(folder, model, [x], wanted=[x * factor])


# ---- the file ----------------------------------------------------------------------------------------------------------


def test_runs_from_any_folder(folder):
    """Scripts had a setwd with the path of the machine that made them."""
    (folder / "a").mkdir()
    constants = [m.const("w", values(20, 20))]
    model = m.model([m.node("MatMul", ["x", "w"], ["y"])], [m.info("x", (2, 20))], [m.info("y", (2, 20))], constants)
    script = systemds.export(folder / "a", model)
    assert str(folder) not in script.read_text() and "setwd" not in script.read_text()
    (folder / "a").rename(folder / "b")
    if systemds.process():
        x = values(2, 20, seed=2)
        (matrix,) = systemds.runScript(folder / "b", folder / "b/model.dml", [x], systemds.process())
        systemds.expectClose(matrix, x @ values(20, 20), "y")


def test_same_bytes_of_many_operators(folder):
    """Functions were written in the order of a set."""
    nodes = [
        m.node("Transpose", ["x"], ["a"], perm=[0, 2, 1]),
        m.node("MatMul", ["a", "x"], ["b"]),
        m.node("Tile", ["b", "n"], ["c"]),
        m.node("Gather", ["c", "i"], ["y"], axis=2),
    ]
    constants = {"n": np.int64([1, 2, 2]), "i": np.int64([3, 1])}
    texts = {expectSame(folder, nodes, {"x": values(2, 3, 4)}, ["y"], constants) for _ in range(2)}
    assert len(texts) == 1


@pytest.mark.parametrize("opset", [7, 11, 13, 17, 22])
def test_opsets(folder, opset):
    """Versions went through the version converter, which has few ways back."""
    expectSame(folder, smallNet(), {"x": values(2, 3, 6, 6)}, ["y"], SMALL_NET, opset=opset)


# ---- its own tests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "height, pads, strides",
    [(5, [1, 1, 1, 1], [1, 1]), (5, [0, 0, 0, 0], [1, 1]), (7, [1, 1, 1, 1], [2, 2]), (7, [0] * 4, [2, 2]), (7, [1, 0, 1, 0], [2, 2])],
)
def test_smallest_conv(folder, height, pads, strides):
    x = np.arange(height * 5, dtype=np.float32).reshape(1, 1, height, 5)
    node = m.node("Conv", ["x", "w"], ["y"], kernel_shape=[3, 3], pads=pads, strides=strides)
    expectSame(folder, [node], {"x": x}, ["y"], {"w": np.ones((1, 1, 3, 3), np.float32)})


SMALLEST = {
    "three sums": ([m.node("Add", ["x", "y"], ["a"]), m.node("Add", ["a", "z"], ["b"]), m.node("Add", ["b", "x"], ["o"])], {}),
    "sum, product, difference": (
        [m.node("Add", ["x", "y"], ["a"]), m.node("MatMul", ["a", "z"], ["b"]), m.node("Sub", ["b", "x"], ["o"])], {}),
    "two initializers": (
        [m.node("Neg", ["p"], ["a"]), m.node("Add", ["a", "q"], ["b"]), m.node("Add", ["b", "x"], ["o"])],
        {"p": values(3, 3, seed=5), "q": values(3, 3, seed=6)}),
    "activations": (
        [m.node(op, [a], [b]) for op, a, b in zip(("Relu", "Tanh", "Sigmoid", "Softmax"), "xabc", "abco")], {}),
    "dropout": ([m.node("Dropout", ["x"], ["o"])], {}),
}


@pytest.mark.parametrize("name", SMALLEST)
def test_smallest(folder, name):
    nodes, constants = SMALLEST[name]
    read = {one for node in nodes for one in node.input}
    inputs = {one: values(3, 3, seed=i) for i, one in enumerate("xyz") if one in read}
    expectSame(folder, nodes, inputs, ["o"], constants)


def test_smallest_max_pool(folder):
    x = np.arange(1, 26, dtype=np.float32).reshape(1, 1, 5, 5)
    expectSame(folder, [m.node("MaxPool", ["x"], ["y"], kernel_shape=[5, 5], pads=[2, 2, 2, 2])], {"x": x}, ["y"])
