# SPDX-License-Identifier: Apache-2.0
"""ONNX GraphSurgeon's `Graph.fold_constants`, with the arguments of its release 0.6.

from onnx_fold.compat.graphsurgeon import fold_constants
fold_constants(graph).cleanup()                       # was: graph.fold_constants().cleanup()
"""

from __future__ import annotations

from typing import Any

import onnx

from .. import _fold
from . import _models

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def fold_constants(
    graph: Any,
    fold_shapes: bool = True,
    recurse_subgraphs: bool = True,
    partitioning: str | None = None,
    error_ok: bool = True,
    flatten_subgraphs: bool = True,
    size_threshold: int | None = None,
    should_exclude_node: Callable[[Any], bool] | None = None,
    recurse_functions: bool = True,
) -> Any:
    """Turns tensors of an onnx_graphsurgeon.Graph that are constant into gs.Constant, in place, and returns the graph.

    Nodes and tensors stay the objects that they are; `cleanup` removes what nobody reads any more, as there. Nothing is run by
    ONNX Runtime, so `partitioning` and `error_ok` have no effect; functions are left as they are.
    """
    import onnx_graphsurgeon as gs

    if partitioning not in (None, "basic", "recursive"):
        raise ValueError(f"partitioning is {partitioning!r}, expected None, 'basic' or 'recursive'")
    if not isinstance(graph, gs.Graph) or not hasattr(graph, "producer_name"):
        raise TypeError(f"the graph is a {type(graph).__name__}, expected an onnx_graphsurgeon.Graph")
    Work(gs, graph, fold_shapes, size_threshold, should_exclude_node).fold(graph, recurse_subgraphs)
    if flatten_subgraphs:
        _flatten(graph, gs)
    return graph


class Work:
    """Folding of a graph and of the graphs of its nodes, the outer one first: what is constant there is so in them."""

    def __init__(self, gs: Any, graph: Any, foldsShapes: bool, limit: int | None, isExcluded: Any) -> None:
        self._gs = gs
        self._opsets = gs.export_onnx(graph, do_type_check=False).opset_import
        self._foldsShapes = foldsShapes
        self._limit = limit
        self._isExcluded = isExcluded

    def fold(self, graph: Any, recurses: bool) -> None:
        values = self._values(graph)
        for node in graph.nodes:
            for tensor in list(node.outputs):
                stored = values.get(tensor.name)
                if stored is None or not isinstance(tensor, self._gs.Variable):
                    continue
                array = onnx.numpy_helper.to_array(stored)
                if array.dtype.kind in "biufcSUO" and (self._limit is None or array.nbytes <= self._limit):
                    tensor.to_constant(array)
                    tensor.inputs.clear()
        bodies = [value for node in graph.nodes for value in node.attrs.values() if isinstance(value, self._gs.Graph)]
        for body in {id(one): one for one in bodies}.values() if recurses else ():
            self.fold(body, recurses)

    def _values(self, graph: Any) -> dict[str, onnx.TensorProto]:
        """All that is constant, by name; what nobody else reads is an output, so that it is not forgotten."""
        proto = self._gs.export_onnx(graph, do_type_check=False)
        del proto.opset_import[:]
        proto.opset_import.extend(self._opsets)
        _models.dropOverridableInputs(proto)
        isMarked = False
        for node, copy in zip(graph.nodes, proto.graph.node):
            if (copy.op_type == "Shape" and not self._foldsShapes) or (self._isExcluded is not None and self._isExcluded(node)):
                copy.name = _models.MARK + copy.name
                isMarked = True
        made = [name for node in proto.graph.node for name in node.output if name]
        there = {value.name for value in proto.graph.output}
        proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in made if name not in there)
        proto.graph.input.extend(onnx.ValueInfoProto(name=name) for name in _undefined(proto, {*made}))
        options: dict[str, Any] = {"level": 1, "disable": ["constant-branch"], "fold_quantization": "none", "nodes": False}
        skip = [_models.MARK + "*"] if isMarked else []
        folded = _fold.fold(proto, max_growth="unlimited", skip=skip, **options).model
        _models.constantsToInitializers(folded)
        return {tensor.name: tensor for tensor in folded.graph.initializer}


def _undefined(proto: onnx.ModelProto, made: set[str]) -> list[str]:
    """What a body reads of the graphs around it."""
    known = made | {value.name for value in [*proto.graph.input, *proto.graph.initializer]}
    read: dict[str, None] = {}
    for graph in _models.graphsOf(proto.graph):
        if graph is not proto.graph:
            known.update(value.name for value in [*graph.input, *graph.initializer])
            known.update(name for node in graph.node for name in node.output)
        read.update((name, None) for node in graph.node for name in node.input if name)
        read.update((value.name, None) for value in graph.output)
    return [name for name in read if name not in known]


def _flatten(graph: Any, gs: Any) -> None:
    """The nodes of the branch that an If takes stand in its place; what they make gets names that tell the branch."""
    known = [one for one in graph.nodes if one.op == "If" and isinstance(one.inputs[0], gs.Constant)]
    for count, node in enumerate(known):
        branch = node.attrs["then_branch" if node.inputs[0].values.item() else "else_branch"]
        _flatten(branch, gs)
        moved = list(branch.nodes)
        for inner, outer in zip(branch.outputs, list(node.outputs)):
            if inner.inputs and inner.inputs[0] in moved:
                producer = inner.inputs[0]
                for reader in list(inner.outputs):
                    reader.inputs = [outer if one is inner else one for one in reader.inputs]
                producer.outputs[[one is inner for one in producer.outputs].index(True)] = outer
            else:
                moved.append(gs.Node("Identity", inputs=[inner], outputs=[outer]))
        kept = [id(outer) for outer in node.outputs]
        for tensor in (tensor for made in moved for tensor in made.outputs if id(tensor) not in kept):
            tensor.name = f"{tensor.name}_subg_{count}_{branch.name}"
        place = graph.nodes.index(node)
        node.inputs.clear()
        node.outputs = [one for one in node.outputs if one not in [out for made in moved for out in made.outputs]]
        graph.nodes[place : place + 1] = moved
