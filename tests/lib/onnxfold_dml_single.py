# SPDX-License-Identifier: Apache-2.0
"""Models of one node through onnx-to-dml on SystemDS, against an oracle.

    same(folder, "Pad", {"x": numbers(2, 3)}, {"pads": np.int64([0, 1, 0, 1])}, batch=["x"], mode="edge")
"""

import numpy as np
from onnx import helper, numpy_helper

import onnxfold_systemds as systemds

RANDOM = np.random.default_rng(7)


def modelOf(op, inputs, constants, outputs, opset, batch, attributes):
    """`inputs` and `constants`: arrays by name, in the order of the node (or of `order`, with "" for what is left out).
    `outputs`: element types by name (`named`: the node's list, with "" too); `shape`: of them, if inference does not know it.
    The first dimension of the inputs `batch` is free."""
    types = lambda array: helper.np_dtype_to_tensor_dtype(array.dtype)
    shape = lambda name, array: ["N", *array.shape[1:]] if name in batch else array.shape
    order = attributes.pop("order", [*inputs, *constants])
    known = attributes.pop("shape", None)
    results = attributes.pop("named", list(outputs))
    graph = helper.make_graph(
        [helper.make_node(op, order, results, **attributes)],
        "g",
        [helper.make_tensor_value_info(name, types(array), shape(name, array)) for name, array in inputs.items()],
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(kind)), known) for name, kind in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def same(folder, op, inputs, constants=None, outputs=None, opset=20, batch=(), oracle=systemds.onnxRuntime, **attributes):
    constants = {name: np.asarray(array) for name, array in (constants or {}).items()}
    inputs = {name: np.asarray(array) for name, array in inputs.items()}
    outputs = outputs or {"y": next(iter(inputs.values())).dtype}
    model = modelOf(op, inputs, constants, outputs, opset, batch, attributes)
    return systemds.expectSame(folder, model, list(inputs.values()), oracle=oracle)


def numbers(*shape):
    """Floats with infinities and NaN among them."""
    values = RANDOM.standard_normal(shape).astype(np.float32)
    flat = values.reshape(-1)
    for i, odd in enumerate((np.inf, -np.inf, np.nan)):
        if flat.size > 6:
            flat[2 * i + 1] = odd
    return values


def finite(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)
