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
    from collections.abc import Callable, Iterator


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
    proto = gs.export_onnx(graph, do_type_check=False)
    graphs = list(_graphsOf(graph, gs))
    theirs = [node for one in graphs for node in one.nodes]
    ours = [node for one in _models.graphsOf(proto.graph) for node in one.node]
    isMarked = False
    for node, copy in zip(theirs, ours):
        if copy.op_type == "Shape" and not fold_shapes or should_exclude_node is not None and should_exclude_node(node):
            copy.name = _models.MARK + copy.name
            isMarked = True
    # What nobody else reads is not forgotten.
    there = {value.name for value in proto.graph.output}
    made = [name for node in proto.graph.node for name in node.output if name and name not in there]
    proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in made)
    skip = [_models.MARK + "*"] if isMarked else []
    options: dict[str, Any] = {"level": 1, "disable": ["constant-branch"], "max_growth": "unlimited", "nodes": False}
    folded = _fold.fold(proto, max_result=size_threshold, skip=skip, **options).model
    folded.ir_version = max(folded.ir_version, 4)
    _models.constantsToInitializers(folded)
    values = {tensor.name: tensor for one in _models.graphsOf(folded.graph) for tensor in one.initializer}
    for one in graphs if recurse_subgraphs else graphs[:1]:
        _constants(one, graphs, values, gs)
    if flatten_subgraphs:
        _flatten(graph, gs)
    return graph


def _graphsOf(graph: Any, gs: Any) -> Iterator[Any]:
    """In the order of `_models.graphsOf`."""
    yield graph
    for node in graph.nodes:
        for value in node.attrs.values():
            if isinstance(value, gs.Graph):
                yield from _graphsOf(value, gs)


def _constants(graph: Any, graphs: list[Any], values: dict[str, onnx.TensorProto], gs: Any) -> None:
    """Names that two graphs make are left alone: the value could be that of the other one."""
    made = [tensor.name for one in graphs for node in one.nodes for tensor in node.outputs]
    for node in graph.nodes:
        for tensor in list(node.outputs):
            stored = values.get(tensor.name)
            if stored is None or made.count(tensor.name) > 1 or not isinstance(tensor, gs.Variable):
                continue
            array = onnx.numpy_helper.to_array(stored)
            if array.dtype.kind in "biufcSUO":
                tensor.to_constant(array)
                tensor.inputs.clear()


def _flatten(graph: Any, gs: Any) -> None:
    """The nodes of the branch that an If takes stand in its place."""
    for node in [one for one in graph.nodes if one.op == "If" and isinstance(one.inputs[0], gs.Constant)]:
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
        place = graph.nodes.index(node)
        node.inputs.clear()
        node.outputs = [one for one in node.outputs if one not in [out for made in moved for out in made.outputs]]
        graph.nodes[place : place + 1] = moved
