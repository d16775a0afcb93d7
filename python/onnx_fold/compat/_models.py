# SPDX-License-Identifier: Apache-2.0
"""Models as the other tools take and return them, and the arguments that both have: sizes, shapes, inputs, outputs."""

from __future__ import annotations

import os
import warnings
from typing import Any

import onnx

from .. import _fold, _models
from ..errors import FoldWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Union

    Shapes = Union[Mapping[Union[str, None], Sequence[Union[int, None]]], Sequence[int], Sequence[str], str, None]

UNITS = {"": 1, "K": 10, "M": 20, "G": 30, "T": 40}
KINDS = "a path, bytes, an open file, an onnx.ModelProto, an onnx_ir.Model or a torch.onnx.ONNXProgram"


def read(model: Any) -> tuple[onnx.ModelProto, str | None]:
    """A copy of the model that may be changed, and the folder where its external data is kept."""
    if isinstance(model, bytes) and _isPath(model):
        model = os.fsdecode(model)
    if isinstance(model, (str, os.PathLike)):
        path = os.fsdecode(model)
        return onnx.load(path, load_external_data=False), os.path.dirname(os.path.abspath(path))
    if isinstance(model, (bytes, bytearray, memoryview)):
        return _parsed(bytes(model), "the bytes"), None
    if hasattr(model, "model_proto"):
        model = model.model_proto
    if isinstance(model, onnx.ModelProto):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        return copy, None
    if _models.isIrModel(model):
        return _models.protoOf(model)
    if hasattr(model, "read"):
        name = getattr(model, "name", None)
        folder = os.path.dirname(os.path.abspath(name)) if isinstance(name, str) and os.path.exists(name) else None
        return _parsed(model.read(), "the file"), folder
    if hasattr(model, "SerializeToString"):
        return _parsed(model.SerializeToString(), f"the {type(model).__name__}"), None
    raise TypeError(f"the model is a {type(model).__name__}, expected {KINDS}")


def _isPath(data: bytes) -> bool:
    """Bytes are a model, unless there is a file of this name."""
    return len(data) < 4096 and b"\0" not in data and os.path.exists(data)


def _parsed(data: Any, what: str) -> onnx.ModelProto:
    if not isinstance(data, bytes):
        raise TypeError(f"{what} has a {type(data).__name__}, expected bytes; open it with mode 'rb'")
    try:
        model = onnx.ModelProto()
        model.ParseFromString(data)
        return model
    except Exception as error:  # of protobuf, whose class differs from version to version
        raise ValueError(f"{what}: no ONNX model, and no path of a file: {error}; expected {KINDS}") from error


def loaded(model: onnx.ModelProto, folder: str | None) -> onnx.ModelProto:
    """With all values, as the other tools return it."""
    if folder is not None:
        onnx.load_external_data_for_model(model, folder)
    return model


def save(model: onnx.ModelProto, path: Any, folder: str | None, isExternal: bool) -> None:
    """Without a change."""
    target = os.fsdecode(path)
    external = True if isExternal else None
    _fold.fold(model, target, folder=folder, level=0, skip="*", external_data=external, nodes=False)


def isSame(
    before: onnx.ModelProto,
    after: onnx.ModelProto,
    folder: str | None,
    inputs: Mapping[str, Any] | None = None,
    shapes: Mapping[str, list[int | None]] | None = None,
    trials: int = 3,
) -> bool:
    """Whether both compute the same of these inputs; what is not given is random."""
    both = []
    for model in (before, after):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        both.append(loaded(copy, folder))
    return _fold.verify(
        *both, inputs=dict(inputs or {}), input_shapes=changesOf(before, dict(shapes or {})), trials=trials
    ).equal


def bytesOf(text: str | int, argument: str) -> int:
    """ "1.5GB", "100MB", "1M", "500"."""
    if isinstance(text, int):
        return text
    import re

    found = re.fullmatch(r"\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*([KMGT]?)I?B?\s*", str(text).upper())
    if found is None:
        raise ValueError(f"{argument} is {text!r}, expected a number and B, KB, MB, GB or TB, for example '1.5GB'")
    return int(float(found[1]) * (1 << UNITS[found[2]])) if found[2] else int(float(found[1]))


def shapesOf(proto: onnx.ModelProto, shapes: Shapes, argument: str) -> dict[str, list[int | None]]:
    """A dictionary, or texts such as "x:1,3"; one shape without a name is that of the only input.

    Sizes that are not positive are left as they are in the model.
    """
    if shapes is None or len(shapes) == 0:
        return {}
    inputs = [value.name for value in proto.graph.input]
    result: dict[str, list[int | None]] = {}
    for name, sizes in _namedShapes(shapes, argument):
        if not name:
            if len(inputs) != 1:
                raise ValueError(
                    f"{argument} has a shape without a name, expected 'NAME:SIZES' with one of {', '.join(inputs)}"
                )
            name = inputs[0]
        if name not in inputs:
            raise ValueError(f"{argument} has {name!r}, expected an input of the model: {', '.join(inputs)}")
        rank = _rankOf(proto, name)
        if rank is not None and rank != len(sizes):
            raise ValueError(f"{argument} has {len(sizes)} sizes for the input {name!r} of rank {rank}, expected {rank} sizes")
        result[name] = [size if size is not None and size > 0 else None for size in sizes]
    return result


def _rankOf(proto: onnx.ModelProto, name: str) -> int | None:
    """Of an input; None where the model leaves it open."""
    [type_] = [value.type.tensor_type for value in proto.graph.input if value.name == name][:1]
    return len(type_.shape.dim) if type_.HasField("shape") else None


def changesOf(proto: onnx.ModelProto, shapes: Mapping[str, list[int | None]]) -> dict[str, list[int | None]]:
    """Those that say something new: callers give the shapes that a model has, too. Sizes that it fixes otherwise change in place.

    What the model states about its values goes then, since it follows from these sizes; sizes of outputs become unknown.
    """
    result, replaced = {}, False
    inputs = {value.name: value.type.tensor_type for value in proto.graph.input}
    for name, sizes in shapes.items():
        type_ = inputs.get(name)
        if type_ is None or not type_.HasField("shape"):
            result[name] = sizes
            continue
        old = [dim.dim_value if dim.HasField("dim_value") else None for dim in type_.shape.dim]
        if any(None not in (a, b) and a != b for a, b in zip(old, sizes)):
            replaced = True
            _replace(type_, sizes)
        elif any(size is not None and size != one for size, one in zip(sizes, old)):
            result[name] = sizes
    if replaced:
        for graph in graphsOf(proto.graph):
            del graph.value_info[:]
        for value in proto.graph.output:
            for dim in value.type.tensor_type.shape.dim:
                dim.ClearField("dim_value")
    return result


def _replace(type_: onnx.TypeProto.Tensor, sizes: Sequence[int | None]) -> None:
    old = list(type_.shape.dim)
    shape = onnx.TensorShapeProto()
    for i, size in enumerate(sizes):
        dim = shape.dim.add()
        if size is not None:
            dim.dim_value = size
        else:
            dim.CopyFrom(old[i])
    type_.shape.CopyFrom(shape)


def _namedShapes(shapes: Any, argument: str) -> Iterable[tuple[Any, list[int | None]]]:
    if hasattr(shapes, "items"):
        return [(name, _sizesOf(sizes, argument)) for name, sizes in shapes.items()]
    if isinstance(shapes, str):
        return [_split(shapes, argument)]
    if all(isinstance(one, str) for one in shapes):
        return [_split(one, argument) for one in shapes]
    return [(None, _sizesOf(shapes, argument))]


def _sizesOf(sizes: Any, argument: str) -> list[int | None]:
    if isinstance(sizes, str):
        return _split(sizes, argument)[1]
    try:
        return [None if size is None else size.__index__() for size in sizes]
    except (TypeError, AttributeError) as error:
        raise ValueError(f"{argument} has the sizes {sizes!r}, expected whole numbers, -1 for one that is left open") from error


def _split(text: str, argument: str) -> tuple[str, list[int | None]]:
    """ "x:1,-1,64" or "1,-1,64"."""
    name, colon, sizes = text.rpartition(":")
    try:
        return name, [int(size) for size in sizes.split(",")] if sizes.strip() else []
    except ValueError as error:
        raise ValueError(
            f"{argument} has {text!r}, expected 'NAME:SIZES' with whole numbers, for example 'x:1,3,224,224', and -1 for a "
            "size that is left open"
        ) from error


# ---- changes of the model ---------------------------------------------------------------------------------------------------


def dropOutputs(proto: onnx.ModelProto, names: Sequence[str] | str) -> None:
    dropped = {names} if isinstance(names, str) else set(names)
    there = {value.name for value in proto.graph.output}
    if dropped - there:
        raise ValueError(f"unused_output has {sorted(dropped - there)}, expected some of {sorted(there)}")
    left = [value for value in proto.graph.output if value.name not in dropped]
    del proto.graph.output[:]
    proto.graph.output.extend(left)


def keepInputs(proto: onnx.ModelProto, names: set[str]) -> None:
    left = [value for value in proto.graph.input if value.name in names]
    del proto.graph.input[:]
    proto.graph.input.extend(left)


def dropOverridableInputs(proto: onnx.ModelProto) -> None:
    """Inputs that are initializers too, which a caller could give another value; before IR version 4 each had to be one."""
    if proto.ir_version < 3 and not proto.opset_import:
        proto.opset_import.append(onnx.helper.make_opsetid("", 1))
    proto.ir_version = max(proto.ir_version, 4)
    stored = {tensor.name for tensor in proto.graph.initializer}
    stored.update(tensor.values.name for tensor in proto.graph.sparse_initializer)
    if stored:
        keepInputs(proto, {value.name for value in proto.graph.input} - stored)


def exposeInitializers(proto: onnx.ModelProto) -> set[str]:
    """Makes inputs of all initializers: what a caller may give is no constant."""
    proto.ir_version = max(proto.ir_version, 4)
    inputs = {value.name for value in proto.graph.input}
    exposed = [tensor for tensor in proto.graph.initializer if tensor.name not in inputs]
    for tensor in exposed:
        proto.graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    return {tensor.name for tensor in exposed}


def hideInitializers(proto: onnx.ModelProto, names: set[str]) -> None:
    if names:
        keepInputs(proto, {value.name for value in proto.graph.input} - names)


def graphsOf(graph: onnx.GraphProto) -> Iterable[onnx.GraphProto]:
    """This one and those of its nodes."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for body in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                yield from graphsOf(body)


def constantsToInitializers(proto: onnx.ModelProto) -> None:
    """In all graphs; functions have no initializers, and before IR version 4 each one had to be an input.

    Graphs of nodes come first: nodes that are kept are copied.
    """
    if proto.ir_version < 4:
        return
    for graph in reversed(list(graphsOf(proto.graph))):
        tensors = [_tensorOf(node) for node in graph.node]
        if not any(tensor is not None for tensor in tensors):
            continue
        kept = [node for node, tensor in zip(graph.node, tensors) if tensor is None]
        made = [tensor for tensor in tensors if tensor is not None]
        names = {tensor.name for tensor in made}
        types = [value for value in graph.value_info if value.name not in names]
        del graph.node[:], graph.value_info[:]
        graph.node.extend(kept)
        graph.value_info.extend(types)
        graph.initializer.extend(made)


def _tensorOf(node: onnx.NodeProto) -> onnx.TensorProto | None:
    """The value of a Constant that can be an initializer, by its name."""
    if node.op_type != "Constant" or node.domain not in ("", "ai.onnx") or len(node.attribute) != 1:
        return None
    if len(node.output) != 1 or getattr(node, "device_configurations", None):
        return None
    name, attribute = node.output[0], node.attribute[0]
    tensor = onnx.TensorProto()
    if attribute.ref_attr_name:
        return None
    if attribute.name == "value":
        tensor.CopyFrom(attribute.t)
    elif attribute.name in ("value_float", "value_floats"):
        one = attribute.name == "value_float"
        values: Any = [attribute.f] if one else attribute.floats
        tensor = onnx.helper.make_tensor(name, onnx.TensorProto.FLOAT, [] if one else [len(values)], values)
    elif attribute.name in ("value_int", "value_ints"):
        one = attribute.name == "value_int"
        values = [attribute.i] if one else attribute.ints
        tensor = onnx.helper.make_tensor(name, onnx.TensorProto.INT64, [] if one else [len(values)], values)
    elif attribute.name in ("value_string", "value_strings"):
        one = attribute.name == "value_string"
        values = [attribute.s] if one else attribute.strings
        tensor = onnx.helper.make_tensor(name, onnx.TensorProto.STRING, [] if one else [len(values)], values)
    else:
        return None
    tensor.name = name
    tensor.doc_string = tensor.doc_string or node.doc_string
    if node.metadata_props and hasattr(tensor, "metadata_props"):
        tensor.metadata_props.extend(node.metadata_props)
    return tensor


def tieWeights(proto: onnx.ModelProto) -> None:
    """Initializers of the main graph that are equal bit by bit become one, unless their names have to stay."""
    graph = proto.graph
    named = {value.name for value in [*graph.input, *graph.output]}
    named.update(one.tensor_name for one in graph.quantization_annotation)
    for body in graphsOf(graph):
        named.update(value.name for value in body.output)
        if body is not graph:  # a name that a body has too may be another value there
            named.update(value.name for value in [*body.input, *body.initializer])
            named.update(name for node in body.node for name in node.output)
    free = [tensor for tensor in graph.initializer if tensor.name not in named]
    alike: dict[Any, list[onnx.TensorProto]] = {}
    for tensor in free:
        key = (tensor.data_type, tuple(tensor.dims), tensor.ByteSize() - len(tensor.name), tensor.raw_data[:64])
        alike.setdefault(key, []).append(tensor)
    first: dict[Any, str] = {}
    renamed: dict[str, str] = {}
    for tensor in (tensor for tensors in alike.values() if len(tensors) > 1 for tensor in tensors):
        name = first.setdefault(_bits(tensor), tensor.name)
        if name != tensor.name:
            renamed[tensor.name] = name
    if not renamed:
        return
    for body in graphsOf(graph):
        for node in body.node:
            for i, name in enumerate(node.input):
                if name in renamed:
                    node.input[i] = renamed[name]
    left = [tensor for tensor in graph.initializer if tensor.name not in renamed]
    del graph.initializer[:]
    graph.initializer.extend(left)


def _bits(tensor: onnx.TensorProto) -> bytes:
    import hashlib

    copy = onnx.TensorProto()
    copy.CopyFrom(tensor)
    copy.ClearField("name")
    return hashlib.sha256(copy.SerializeToString(deterministic=True)).digest()


MARK = "onnx_fold.kept:"


def mark(proto: onnx.ModelProto, folder: str | None, options: Mapping[str, Any], isFoldingSkipped: bool) -> bool:
    """Nodes that may not fold get names that begin with MARK, for `skip`; `unmark` takes them away. Whether there are any.

    These are all that folding alone would replace, or those whose results are larger than `max_result`. So both hold for nodes
    of the model, and what a rewrite makes of its constants folds. Sizes are no constants: Shape and Size are not marked.
    """
    nodes = [node for graph in graphsOf(proto.graph) for node in graph.node]
    names = [node.name for node in nodes]
    for i, node in enumerate(nodes):
        node.name = f"{MARK}{i}"
    asked = {"input_shapes": options["input_shapes"], "max_growth": "unlimited", "folder": folder}
    if isFoldingSkipped:
        report = _fold.examine(proto, level=0, **asked)
        found = {node.name for node in report.nodes if node.action == "folded" and node.op not in ("Shape", "Size", "Constant")}
    else:
        report = _fold.examine(proto, level=options["level"], max_result=options["max_result"], **asked)
        found = {node.name for node in report.nodes if node.reason == "result-limit"}
    for node, name in zip(nodes, names):
        node.name = MARK + name if node.name in found else name
    return bool(found)


def unmark(proto: onnx.ModelProto) -> None:
    for graph in graphsOf(proto.graph):
        for node in graph.node:
            if node.name.startswith(MARK):
                node.name = node.name[len(MARK) :]


def extracted(
    proto: onnx.ModelProto, inputs: Sequence[str] | str | None, outputs: Sequence[str] | str | None
) -> onnx.ModelProto:
    """The part of the graph between some values: "name" or "name:fp32". What it leaves unused, folding removes."""
    inferred = onnx.shape_inference.infer_shapes(proto).graph
    known = {value.name: value for value in [*inferred.value_info, *inferred.input, *inferred.output]}
    made = {name for node in proto.graph.node for name in node.output}
    made.update(tensor.name for tensor in proto.graph.initializer)
    if outputs:
        chosen = [_infoOf(text, known, made, "outputs") for text in ([outputs] if isinstance(outputs, str) else outputs)]
        del proto.graph.output[:]
        proto.graph.output.extend(chosen)
    if inputs:
        chosen = [_infoOf(text, known, made, "inputs") for text in ([inputs] if isinstance(inputs, str) else inputs)]
        names = {value.name for value in chosen}
        for node in proto.graph.node:
            for i, name in enumerate(node.output):
                if name in names:
                    node.output[i] = name + "_before"
        del proto.graph.input[:]
        proto.graph.input.extend(chosen)
    return _withoutUnusedInputs(proto)


TYPES = {
    "fp16": onnx.TensorProto.FLOAT16,
    "fp32": onnx.TensorProto.FLOAT,
    "int32": onnx.TensorProto.INT32,
    "bool": onnx.TensorProto.BOOL,
}


def _infoOf(text: str, known: Mapping[str, onnx.ValueInfoProto], made: set[str], argument: str) -> onnx.ValueInfoProto:
    """The type that is inferred, else the one that is given, else fp32."""
    there = text in known or text in made
    name, _, kind = (text, "", "") if there else text.rpartition(":")
    if not there and not name:
        name = kind
        kind = ""
    if name not in known and name not in made:
        import difflib

        near = difflib.get_close_matches(name, [*known, *made], 1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"{argument}: there is no value {name!r} in the model{meant}")
    if kind not in ("", *TYPES):
        raise ValueError(f"{argument}: the type of {name!r} is {kind!r}, expected one of {', '.join(TYPES)}")
    if name not in known:
        return onnx.helper.make_tensor_value_info(name, TYPES[kind or "fp32"], None)
    has = known[name].type.tensor_type.elem_type
    if kind and has and has != TYPES[kind]:
        is_ = onnx.TensorProto.DataType.Name(has)
        raise ValueError(f"{argument}: the type of {name!r} is given as {kind}, but the model computes {is_}; leave it out")
    return known[name]


def _withoutUnusedInputs(proto: onnx.ModelProto) -> onnx.ModelProto:
    """Inputs that no output depends on any more disappear, and the nodes that read them."""
    wanted = {value.name for value in proto.graph.output}
    nodes = []
    for node in reversed(proto.graph.node):
        if wanted.intersection(node.output):
            nodes.append(node)
            wanted.update(node.input)
            wanted.update(name for attribute in node.attribute for name in _readBy(attribute))
    kept = nodes[::-1]
    del proto.graph.node[:]
    proto.graph.node.extend(kept)
    keepInputs(proto, wanted)
    return proto


def _readBy(attribute: onnx.AttributeProto) -> list[str]:
    """What the graphs of an attribute read."""
    names: list[str] = []
    for graph in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
        for node in graph.node:
            names += node.input
            for inner in node.attribute:
                names += _readBy(inner)
        names += [value.name for value in graph.output]
    return names
