# SPDX-License-Identifier: Apache-2.0
"""Each version of each operator, with its least and its most operands, which are inputs, sizes or constants: no rewrite and no
inference may take an operand for granted that another version has. A Reshape of opset 1 ended the process, as its shape is an
attribute."""

import onnx
import onnxfold_testing as t
import pytest
from onnx import TensorProto, defs, helper

DOMAINS = ("", "ai.onnx.ml")
KINDS = ("inputs", "sizes", "constants")
FLOATS = "tensor(float)"
VALUES = {  # of required attributes
    defs.OpSchema.AttrType.INT: 1, defs.OpSchema.AttrType.FLOAT: 1.0, defs.OpSchema.AttrType.STRING: "x",
    defs.OpSchema.AttrType.INTS: [1, 1], defs.OpSchema.AttrType.FLOATS: [1.0, 1.0], defs.OpSchema.AttrType.STRINGS: ["a", "b"],
}  # fmt: skip


def elementType(schema, formal):
    allowed = next((set(one.allowed_type_strs) for one in schema.type_constraints if one.type_param_str == formal.type_str), {formal.type_str})
    named = {f"tensor({name.lower()})": number for name, number in TensorProto.DataType.items()}
    usable = [named[one] for one in sorted(allowed) if one in named]
    return named[FLOATS] if FLOATS in allowed else usable[0] if usable else None


def operands(schema, isMost):
    """Names and element types; None if one is no tensor."""
    count = len(schema.inputs) if isMost else schema.min_input
    formals = [schema.inputs[min(i, len(schema.inputs) - 1)] for i in range(count)] if schema.inputs else []
    types = [elementType(schema, formal) for formal in formals]
    return None if None in types else [(f"x{i}", kind) for i, kind in enumerate(types)]


def attributesOf(schema):
    """The required ones; None if one is a graph or a tensor."""
    required = {name: one.type for name, one in schema.attributes.items() if one.required}
    return {name: VALUES[kind] for name, kind in required.items()} if set(required.values()) <= set(VALUES) else None


def modelOf(schema, isMost, kind):
    known, attributes = operands(schema, isMost), attributesOf(schema)
    if known is None or attributes is None:
        return None
    inputs, nodes, constants = [helper.make_tensor_value_info("z", TensorProto.FLOAT, ["n", 3])], [], []
    for i, (name, elements) in enumerate(known):
        if kind == "sizes" and i > 0 and elements == TensorProto.INT64:
            nodes.append(helper.make_node("Shape", ["z"], [name]))
        elif kind == "constants" and i > 0:
            constants.append(helper.make_tensor(name, elements, [2], [b"a", b"b"] if elements == TensorProto.STRING else [1, 1]))
        else:
            inputs.append(helper.make_tensor_value_info(name, elements, [2, 3]))
    results = [f"y{i}" for i in range(max(schema.min_output, 1))]
    nodes.append(helper.make_node(schema.name, [name for name, _ in known], results, domain=schema.domain, **attributes))
    nodes += [helper.make_node("Identity", [one], [f"{one}_out"]) for one in results]
    outputs = [helper.make_empty_tensor_value_info(f"{one}_out") for one in results]
    opsets = [helper.make_opsetid(schema.domain, schema.since_version)] + ([helper.make_opsetid("", 13)] if schema.domain else [])
    graph = helper.make_graph(nodes, "g", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


@pytest.mark.parametrize("kind", KINDS)
def test_no_signal(folder, kind):
    count = 0
    for schema in defs.get_all_schemas_with_history():
        if schema.domain not in DOMAINS or schema.deprecated:
            continue
        for isMost in (False, True):
            model = modelOf(schema, isMost, kind)
            if model is None:
                continue
            onnx.save(model, folder / "m.onnx")
            done = t.run("-O2", "-o", folder / "out.onnx", folder / "m.onnx")
            name = f"{schema.domain}:{schema.name}-{schema.since_version} with {'most' if isMost else 'least'} operands"
            assert done.code in (0, 1), f"{name}: {done.code} {done.err}"
            count += 1
    assert count > 800, "models that were folded"
