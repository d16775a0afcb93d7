# SPDX-License-Identifier: Apache-2.0
"""Every field of ONNX that refers to something by name, and a walk over a model that checks what each refers to.

`FIELDS` has each string field of the messages, with what it is. `expectReferences` walks over all messages by reflection, so
that a field of a later version that is in no list fails. A spec of a value carries a number of its own as its device, and an
annotation one as its parameter's name, so that a test can say what each must refer to after a rewrite.
"""

import onnx
from google.protobuf.message import Message

# What a field is: `value` and so on: it refers to, or defines, that; `text`: it refers to nothing.
FIELDS = {
    "AttributeProto.name": "attribute of the operator or function",
    "AttributeProto.ref_attr_name": "attribute of the function around",
    "AttributeProto.doc_string": "text",
    "DeviceConfigurationProto.name": "defines a configuration",
    "DeviceConfigurationProto.device": "text",
    "FunctionProto.name": "defines a function",
    "FunctionProto.domain": "defines a function",
    "FunctionProto.overload": "defines a function",
    "FunctionProto.input": "defines a value",
    "FunctionProto.output": "value",
    "FunctionProto.attribute": "defines an attribute of the function",
    "FunctionProto.doc_string": "text",
    "GraphProto.name": "text",
    "GraphProto.doc_string": "text",
    "ModelProto.producer_name": "text",
    "ModelProto.producer_version": "text",
    "ModelProto.domain": "text",
    "ModelProto.doc_string": "text",
    "NodeDeviceConfigurationProto.configuration_id": "configuration",
    "NodeProto.input": "value",
    "NodeProto.output": "defines a value",
    "NodeProto.name": "text",
    "NodeProto.op_type": "operator or function",
    "NodeProto.domain": "operator or function",
    "NodeProto.overload": "operator or function",
    "NodeProto.doc_string": "text",
    "OperatorSetIdProto.domain": "operator set",
    "ShardingSpecProto.tensor_name": "value",
    "SimpleShardedDimProto.dim_param": "dimension",
    "StringStringEntryProto.key": "by its list",
    "StringStringEntryProto.value": "by its list",
    "TensorAnnotation.tensor_name": "value",
    "TensorProto.name": "defines a value",
    "TensorProto.doc_string": "text",
    "TensorShapeProto.Dimension.dim_param": "dimension",
    "TensorShapeProto.Dimension.denotation": "text",
    "TypeProto.Opaque.domain": "text",
    "TypeProto.Opaque.name": "text",
    "TypeProto.denotation": "text",
    "ValueInfoProto.name": "value",
    "ValueInfoProto.doc_string": "text",
}
# Lists of StringStringEntryProto: what keys and values are.
ENTRIES = {
    "FunctionProto.metadata_props": ("text", "text"),
    "GraphProto.metadata_props": ("text", "text"),
    "ModelProto.metadata_props": ("text", "text"),
    "NodeProto.metadata_props": ("text", "text"),
    "TensorProto.metadata_props": ("text", "text"),
    "TensorProto.external_data": ("text", "file"),
    "ValueInfoProto.metadata_props": ("text", "text"),
    "TensorAnnotation.quant_parameter_tensor_names": ("text", "value"),
    "TrainingInfoProto.initialization_binding": ("value", "value"),
    "TrainingInfoProto.update_binding": ("value", "value"),
}


def messageTypes():
    """The descriptors of all messages that a ModelProto can hold, by name without the package."""
    found, waiting = {}, [onnx.ModelProto.DESCRIPTOR]
    while waiting:
        one = waiting.pop()
        if one.full_name in found:
            continue
        found[one.full_name] = one
        waiting += [field.message_type for field in one.fields if field.message_type]
    return {name.removeprefix("onnx."): one for name, one in found.items()}


def referringFields():
    """The string fields of all messages, and the lists of entries, as FIELDS and ENTRIES name them."""
    texts, entries = set(), set()
    for name, one in messageTypes().items():
        for field in one.fields:
            if field.type == field.TYPE_STRING:
                texts.add(f"{name}.{field.name}")
            elif field.message_type and field.message_type.name == "StringStringEntryProto":
                entries.add(f"{name}.{field.name}")
    return texts, entries


class Scope:
    """The names of a graph or function and what is around it."""

    def __init__(self, model, outer=None):
        self.model, self.outer, self.values, self.attributes = model, outer, set(), set()

    def sees(self, name):
        return name in self.values or (self.outer is not None and self.outer.sees(name))


def dimensions(message):
    """All names of dimensions in the types below a message."""
    names = set()
    for field, value in message.ListFields():
        if field.name == "dim_param" and message.DESCRIPTOR.full_name.endswith("Dimension"):
            names.add(value)
        elif field.message_type:
            for item in [value] if isinstance(value, Message) else value:
                names |= dimensions(item)
    return names


def expectNode(node, scope, where):
    own = [name for name in [*node.input, *node.output] if name]
    for name in node.input:
        assert not name or scope.sees(name), f"{where}: node {node.name} reads '{name}', which is nothing there"
    configurations = {one.name for one in scope.model.configuration}
    for one in node.device_configurations:
        assert one.configuration_id in configurations, f"{where}: configuration '{one.configuration_id}'"
        for spec in one.sharding_spec:
            assert spec.tensor_name in own, f"{where}: node {node.name} ({node.op_type}) shards '{spec.tensor_name}', has {own}"
            for dim in spec.sharded_dim:
                for simple in dim.simple_sharding:
                    known = dimensions(scope.model.graph)
                    name = simple.dim_param
                    assert not name or name in known, f"{where}: dimension '{name}' of node {node.name}, expected one of {known}"
    keys = [entry.key for entry in node.metadata_props]
    assert len(keys) == len(set(keys)), f"{where}: node {node.name} has a key twice: {keys}"
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            assert attribute.ref_attr_name in scope.attributes, f"{where}: attribute '{attribute.ref_attr_name}'"
        for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            expectGraph(body, Scope(scope.model, scope), f"{where}/{node.name or node.op_type}")
    isFunction = any((one.domain, one.name, one.overload) == (node.domain, node.op_type, node.overload) for one in scope.model.functions)
    imported = {one.domain for one in scope.model.opset_import}
    assert isFunction or node.domain in imported | {"ai.onnx"}, f"{where}: '{node.domain}::{node.op_type}' is nothing"


def expectGraph(graph, scope, where):
    scope.values |= {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
    scope.values |= {tensor.values.name for tensor in graph.sparse_initializer}
    made = scope.values | {name for node in graph.node for name in node.output}
    for value in [*graph.value_info, *graph.output]:
        assert value.name in made or (value in graph.output and scope.sees(value.name)), f"{where}: type of '{value.name}'"
    stated = [one.tensor_name for one in graph.quantization_annotation]
    assert len(stated) == len(set(stated)), f"{where}: two annotations of one value: {stated}"
    for one in graph.quantization_annotation:
        assert one.tensor_name in made, f"{where}: annotation of '{one.tensor_name}'"
        for entry in one.quant_parameter_tensor_names:
            isName = entry.key in ("SCALE_TENSOR", "ZERO_POINT_TENSOR")
            assert not isName or entry.value in made or scope.sees(entry.value), f"{where}: parameter '{entry.value}' of '{one.tensor_name}'"
    for node in graph.node:
        expectNode(node, scope, where)
        scope.values |= {name for name in node.output if name}


def expectReferences(model):
    """Every reference of the model is to something that is there."""
    main = Scope(model)
    expectGraph(model.graph, main, "graph")
    for function in model.functions:
        scope = Scope(model)
        scope.values = set(function.input)
        scope.attributes = set(function.attribute) | {one.name for one in function.attribute_proto}
        for node in function.node:
            expectNode(node, scope, function.name)
            scope.values |= set(node.output)
        for value in function.value_info:
            assert value.name in scope.values, f"{function.name}: type of '{value.name}'"
        assert set(function.output) <= scope.values, f"{function.name}: outputs"
    for info in model.training_info:
        for graph in (info.initialization, info.algorithm):
            expectGraph(graph, Scope(model, main), "training")
        stored = {tensor.name for tensor in [*model.graph.initializer, *info.algorithm.initializer]}
        for entry in info.update_binding:
            assert entry.key in stored, f"binding of '{entry.key}'"
            assert entry.value in {value.name for value in info.algorithm.output}, f"binding to '{entry.value}'"
        for entry in info.initialization_binding:
            assert entry.key in stored, f"binding of '{entry.key}'"
            assert entry.value in {value.name for value in info.initialization.output}, f"binding to '{entry.value}'"


def everyNode(model):
    """All nodes, those of bodies and functions included."""

    def below(nodes):
        for node in nodes:
            yield node
            for attribute in node.attribute:
                for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                    yield from below(body.node)

    yield from below(model.graph.node)
    for function in model.functions:
        yield from below(function.node)


def roles(model):
    """For each sharding spec, by its number (its device): the operators and the numbers of the inputs (or -1 - that of the
    output) that it is about."""
    found = {}
    for node in everyNode(model):
        for one in node.device_configurations:
            for spec in one.sharding_spec:
                name = spec.tensor_name
                place = list(node.input).index(name) if name in node.input else -1 - list(node.output).index(name)
                found.setdefault(spec.device[0], set()).add((node.op_type, place))
    return found


def annotated(graph):
    """For each quantization annotation of a graph, by its scale: the operators that make the values."""
    makers = {name: node.op_type for node in graph.node for name in node.output}
    found = {}
    for one in graph.quantization_annotation:
        found.setdefault(one.quant_parameter_tensor_names[0].value, []).append(makers.get(one.tensor_name, "constant"))
    return found
