# SPDX-License-Identifier: Apache-2.0
"""Sequences of a known length become tensors: SplitToSequence a Split, SequenceAt its part, ConcatFromSequence a Concat."""

from __future__ import annotations

from typing import Any

import onnx

from . import _models

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 1024


def sequencesToTensors(proto: onnx.ModelProto) -> bool:
    """In place, in all graphs, where each reader of a sequence is replaced. Whether there was one.

    Split takes its sizes as an operand from opset 13 on; models of older opsets are left alone.
    """
    opset = max([one.version for one in proto.opset_import if one.domain in ("", "ai.onnx")], default=0)
    if opset < 13:
        return False
    graphs = list(_models.graphsOf(proto.graph))
    taken = {name for graph in graphs for node in graph.node for name in [*node.input, *node.output]}
    taken.update(value.name for graph in graphs for value in [*graph.input, *graph.initializer])
    return any([_Rewriter(graph, taken, _readElsewhere(graph, graphs)).run() for graph in reversed(graphs)])


def _readElsewhere(graph: onnx.GraphProto, graphs: Sequence[onnx.GraphProto]) -> set[str]:
    """Names of outputs, and of what nodes of other graphs read."""
    names = {name for other in graphs if other is not graph for node in other.node for name in node.input}
    return names | {value.name for one in graphs for value in one.output}


class _Rewriter:
    """Of one graph; sequences of the names `inner` stay, because something else reads them."""

    def __init__(self, graph: onnx.GraphProto, taken: set[str], inner: set[str]) -> None:
        self._graph = graph
        self._taken = taken
        self._inner = inner
        self._values = {tensor.name: tensor for tensor in graph.initializer}
        self._values.update((node.output[0], one.t) for node in graph.node for one in node.attribute if one.name == "value")
        self._types = {value.name: value.type.tensor_type for value in [*graph.input, *graph.value_info, *graph.output]}
        self._readers: dict[str, list[onnx.NodeProto]] = {}
        for node in graph.node:
            for name in node.input:
                self._readers.setdefault(name, []).append(node)
        self._nodes: list[onnx.NodeProto] = []

    def run(self) -> bool:
        parts: dict[str, list[str]] = {}
        changed = False
        for node in self._graph.node:
            made = self._partsOf(node)
            if made is not None and self._isReplaced(node.output[0], len(made)):
                parts[node.output[0]] = made
                changed = True
            elif node.input and node.input[0] in parts:
                self._replace(node, parts[node.input[0]])
            else:
                self._nodes.append(node)
        if changed:
            nodes = list(self._nodes)
            del self._graph.node[:]
            self._graph.node.extend(nodes)
        return changed

    def _partsOf(self, node: onnx.NodeProto) -> list[str] | None:
        """The elements of the sequence that the node makes. Their nodes are added, and unused ones do no harm."""
        if node.domain not in ("", "ai.onnx"):
            return None
        if node.op_type == "SequenceConstruct":
            return list(node.input)
        if node.op_type != "SplitToSequence" or not self._isReplaced(node.output[0], None):
            return None
        axis, keep = _attribute(node, "axis", 0), _attribute(node, "keepdims", 1)
        given = node.input[1] if len(node.input) > 1 else ""
        sizes = self._sizes(node.input[0], given, axis)
        count = self._length(given) if sizes is None and given else len(sizes or ())
        if not count or count > LONGEST:
            return None
        names = [self._name(f"{node.output[0]}_part_{i}") for i in range(count)]
        split = (
            given if sizes is None or len(self._dims(given) or ()) == 1 else self._constant(f"{node.output[0]}_sizes", sizes)
        )
        cut = [self._name(f"{name}_kept") for name in names] if not given and not keep else names
        self._nodes.append(onnx.helper.make_node("Split", [node.input[0], split], cut, name=node.name, axis=axis))
        if cut is not names:
            axes = self._constant(f"{node.output[0]}_axis", [axis])
            self._nodes += [onnx.helper.make_node("Squeeze", [one, axes], [name]) for one, name in zip(cut, names)]
        return names

    def _sizes(self, tensor: str, split: str, axis: int) -> list[int] | None:
        value = self._integers(split)
        if value is not None and len(self._dims(split) or ()) == 1:
            return value
        dims = self._dims(tensor)
        length = dims[axis] if dims is not None and -len(dims) <= axis < len(dims) else None
        if length is None or (split and (value is None or value[0] <= 0)):
            return None
        size = value[0] if value is not None else 1
        return [min(size, length - begin) for begin in range(0, length, size)] if length <= LONGEST * size else None

    def _length(self, split: str) -> int | None:
        dims = self._dims(split)
        return dims[0] if dims is not None and len(dims) == 1 else None

    def _isReplaced(self, name: str, length: int | None) -> bool:
        """Whether all that reads the sequence can read its elements; the length is not known yet if it is None."""
        if name in self._inner:
            return False
        for reader in self._readers.get(name, ()):
            if reader.op_type == "SequenceAt" and list(reader.input).count(name) == 1:
                index = self._integers(reader.input[1])
                if index is None or (length is not None and not -length <= index[0] < length):
                    return False
            elif reader.op_type not in ("ConcatFromSequence", "SequenceLength") or length == 0:
                return False
        return bool(self._readers.get(name))

    def _replace(self, reader: onnx.NodeProto, parts: Sequence[str]) -> None:
        out, make = reader.output[0], onnx.helper.make_node
        if reader.op_type == "SequenceAt":
            index = self._integers(reader.input[1])
            assert index is not None
            self._nodes.append(make("Identity", [parts[index[0]]], [out], name=reader.name))
        elif reader.op_type == "SequenceLength":
            value = onnx.helper.make_tensor("", onnx.TensorProto.INT64, [], [len(parts)])
            self._nodes.append(make("Constant", [], [out], name=reader.name, value=value))
        else:
            axis = _attribute(reader, "axis", 0)
            if _attribute(reader, "new_axis", 0):
                axes = self._constant(f"{out}_axis", [axis])
                names = [self._name(f"{out}_{i}") for i in range(len(parts))]
                self._nodes += [make("Unsqueeze", [part, axes], [name]) for part, name in zip(parts, names)]
                parts = names
            self._nodes.append(make("Concat", list(parts), [out], name=reader.name, axis=axis))

    def _name(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def _constant(self, name: str, values: list[int]) -> str:
        name = self._name(name)
        tensor = onnx.helper.make_tensor("", onnx.TensorProto.INT64, [len(values)], values)
        self._nodes.append(onnx.helper.make_node("Constant", [], [name], value=tensor))
        return name

    def _integers(self, name: str) -> list[int] | None:
        tensor = self._values.get(name)
        if tensor is None or tensor.data_type not in (onnx.TensorProto.INT64, onnx.TensorProto.INT32) or tensor.external_data:
            return None
        return [int(one) for one in onnx.numpy_helper.to_array(tensor).reshape(-1)] or None

    def _dims(self, name: str) -> list[int | None] | None:
        if name in self._values:
            return list(self._values[name].dims)
        type_ = self._types.get(name)
        if type_ is None or not type_.HasField("shape"):
            return None
        return [dim.dim_value if dim.HasField("dim_value") else None for dim in type_.shape.dim]


def _attribute(node: onnx.NodeProto, name: str, default: int) -> int:
    return next((one.i for one in node.attribute if one.name == name), default)
