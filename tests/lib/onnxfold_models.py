# SPDX-License-Identifier: Apache-2.0
"""Small models for tests, and `folded`, which folds one and checks what must hold for any model."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import onnxfold_compare as compare
import onnxfold_testing as t

node = helper.make_node


def info(name, shape=(2, 3), kind=TensorProto.FLOAT):
    """A value's name and type; dimensions are numbers, names, or None; shape None is an unknown rank."""
    return helper.make_tensor_value_info(name, kind, shape)


def sequenceInfo(name, kind=TensorProto.FLOAT):
    return helper.make_tensor_sequence_value_info(name, kind, None)


def const(name, value, dtype=None):
    return numpy_helper.from_array(np.asarray(value, dtype), name)


def graph(nodes, inputs, outputs, initializers=(), name="g"):
    return helper.make_graph(list(nodes), name, list(inputs), list(outputs), list(initializers))


def model(nodes, inputs, outputs, initializers=(), opset=21, ir=10, domains=(), **more):
    imports = [helper.make_opsetid("", opset)] + [helper.make_opsetid(name, version) for name, version in domains]
    return helper.make_model(graph(nodes, inputs, outputs, initializers), opset_imports=imports, ir_version=ir, **more)


def folded(folder, source, *flags, feeds=None, runs=True):
    """Folds a model; the result must be valid, fold again into the same bytes, and (`runs`) agree with the original in ONNX
    Runtime on `feeds` (default: one feed of ones). Returns the folded model."""
    path = folder / "model.onnx"
    onnx.save(source, path)
    out = t.fold(path, folder / "out.onnx", *flags)
    try:
        onnx.checker.check_model(str(out), full_check=True)
    except Exception as error:
        raise AssertionError(f"the checker refuses the folded model: {str(error)[:400]}")
    again = t.fold(out, folder / "again.onnx", *flags)
    t.expectSameBytes(again, out, "folded again")
    if runs:
        feeds = feeds or [ones(source)]
        for got, want in zip(compare.outputs(out, feeds), compare.outputs(path, feeds)):
            compare.expectAgreement(got, want, "folded model")
    return onnx.load(out, load_external_data=False)


def ones(source):
    """Ones for every input that has no initializer; a named or unknown dimension is 2."""
    stored = {tensor.name for tensor in source.graph.initializer}
    feed = {}
    for value in source.graph.input:
        if value.name not in stored:
            kind = value.type.tensor_type
            shape = [dim.dim_value or 2 for dim in kind.shape.dim]
            feed[value.name] = np.ones(shape, helper.tensor_dtype_to_np_dtype(kind.elem_type))
    return feed


def operators(folded):
    """Operators of the main graph in order, without Constant."""
    return [one.op_type for one in folded.graph.node if one.op_type != "Constant"]


def constantValue(container, name):
    """The array that an initializer or a Constant node of a graph or function holds under this name, or None."""
    for tensor in getattr(container, "initializer", ()):
        if tensor.name == name:
            return numpy_helper.to_array(tensor)
    for one in container.node:
        if one.op_type == "Constant" and list(one.output) == [name]:
            attribute = one.attribute[0]
            if attribute.name == "value":
                return numpy_helper.to_array(attribute.t)
            return np.asarray(helper.get_attribute_value(attribute))
    return None


def initializerNames(folded):
    return sorted(tensor.name for tensor in folded.graph.initializer)


def expectValue(container, name, expected):
    value = constantValue(container, name)
    assert value is not None, f"'{name}' is not a constant of the folded model"
    expected = np.asarray(expected, value.dtype)
    assert value.shape == expected.shape and np.array_equal(value, expected), f"'{name}' is {value!r}, expected {expected!r}"


def everyMessage(message):
    """It and all messages within it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type:
            for one in [value] if hasattr(value, "ListFields") else value:
                yield from everyMessage(one)
