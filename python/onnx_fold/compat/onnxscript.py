# SPDX-License-Identifier: Apache-2.0
"""onnxscript's `optimizer.optimize` and `optimizer.fold_constants`, with the arguments of its release 0.7.

from onnx_fold.compat.onnxscript import optimize      # was: from onnxscript.optimizer import optimize
"""

from __future__ import annotations

import sys
from typing import Any

import onnx

from .. import _fold, _stored
from .. import _models as _kinds
from . import _models, _sequences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def optimize(
    model: Any,
    num_iterations: int = 2,
    *,
    onnx_shape_inference: bool = True,
    stop_if_no_change: bool = True,
    input_size_limit: int | None = None,
    output_size_limit: int | None = None,
    inline: bool = True,
    should_fold: Callable[[Any], bool | None] | None = None,
    level: int = 2,
) -> Any:
    """onnxscript.optimizer.optimize: an onnx_ir.Model is changed in place and returned; of a ModelProto another one is.

    The limits are numbers of elements, and none by default: onnxscript's default keeps what has more than 8,192. One pass finds
    all, so `num_iterations` and `stop_if_no_change` have no effect. Nodes for which `should_fold` returns False are kept.
    """
    proto, folder = _models.read(model)
    isIr = _kinds.isIrModel(model)
    if should_fold is not None:
        if not isIr:
            raise TypeError(
                f"should_fold is given with a {type(model).__name__}, expected an onnx_ir.Model, whose nodes it takes"
            )
        for node, ours in zip(_irNodes(model), _nodes(proto)):
            if should_fold(node) is False:
                ours.name = _models.MARK + ours.name
    if input_size_limit is not None:
        _markReaders(proto, input_size_limit)
    if inline and proto.functions:
        import onnx.inliner

        proto = onnx.inliner.inline_local_functions(proto)
    _copyOutputs(proto)
    limit = None if output_size_limit is None else f"{4 * output_size_limit}"
    isMarked = any(node.name.startswith(_models.MARK) for node in _nodes(proto))
    options: dict[str, Any] = {
        "folder": folder,
        "level": level,
        "max_growth": "unlimited",
        "max_result": limit,
        "shapes": True,
        "fold_quantization": "none",
        "skip": [_models.MARK + "*"] if isMarked else [],
        "nodes": False,
    }
    result = _fold.fold(proto, **options).model
    if _sequences.sequencesToTensors(result):
        result = _fold.fold(result, **options).model
    if not onnx_shape_inference:
        for graph in _models.graphsOf(result.graph):
            del graph.value_info[:]
    _models.unmark(result)
    _models.constantsToInitializers(result)
    return _intoIr(model, result, folder) if isIr else _models.loaded(result, folder)


def optimize_ir(model: Any, num_iterations: int = 2, **keywords: Any) -> None:
    """In place."""
    optimize(model, num_iterations, **keywords)


def fold_constants(model: Any, *, onnx_shape_inference: bool = False, **keywords: Any) -> bool:
    """In place, also of a ModelProto: what changes no bit of the results, and no call of a function is inlined. Whether the
    model is another one now."""
    before: bytes = _models.read(model)[0].SerializeToString(deterministic=True)
    result = optimize(model, onnx_shape_inference=onnx_shape_inference, inline=False, level=1, **keywords)
    if not _kinds.isIrModel(model):
        model.CopyFrom(result)
    after: bytes = _models.read(model)[0].SerializeToString(deterministic=True)
    return after != before


def _nodes(proto: onnx.ModelProto) -> list[onnx.NodeProto]:
    return [node for graph in _models.graphsOf(proto.graph) for node in graph.node]


def _irNodes(model: Any) -> list[Any]:
    """In the order of `_nodes`."""
    ir = sys.modules["onnx_ir"]

    def graphs(graph: Any) -> Iterator[Any]:
        yield graph
        for node in graph:
            for attribute in node.attributes.values():
                if attribute.type == ir.AttributeType.GRAPH:
                    yield from graphs(attribute.value)
                elif attribute.type == ir.AttributeType.GRAPHS:
                    for body in attribute.value:
                        yield from graphs(body)

    return [node for graph in graphs(model.graph) for node in graph]


def _copyOutputs(proto: onnx.ModelProto) -> None:
    """Each output becomes a copy: so what copies an input of the model becomes an Identity, and the other copies disappear."""
    made = {name for node in proto.graph.node for name in node.output if name}
    taken = made | {value.name for value in [*proto.graph.input, *proto.graph.initializer]}
    renamed = {}
    for value in proto.graph.output:
        name = value.name + "_copied"
        while name in taken:
            name += "_"
        taken.add(name)
        if value.name in made and value.type.HasField("tensor_type"):
            renamed[value.name] = name
    for graph in _models.graphsOf(proto.graph):
        for node in graph.node:
            for names in (node.input, node.output):
                for i, name in enumerate(names):
                    names[i] = renamed.get(name, name)
        for value in graph.output if graph is not proto.graph else ():
            value.name = renamed.get(value.name, value.name)
    proto.graph.node.extend(onnx.helper.make_node("Identity", [inner], [name]) for name, inner in renamed.items())


def _markReaders(proto: onnx.ModelProto, limit: int) -> None:
    """Nodes that read a constant of more elements; a Transpose folds all the same, because it makes nothing larger."""
    import math

    sizes = {tensor.name: math.prod(tensor.dims) for graph in _models.graphsOf(proto.graph) for tensor in graph.initializer}
    for node in _nodes(proto):
        if node.op_type == "Constant":
            sizes.update((node.output[0], math.prod(one.t.dims)) for one in node.attribute if one.name == "value")
    for node in _nodes(proto):
        if node.op_type != "Transpose" and any(sizes.get(name, 0) > limit for name in node.input):
            node.name = node.name if node.name.startswith(_models.MARK) else _models.MARK + node.name


def _intoIr(model: Any, result: onnx.ModelProto, folder: str | None) -> Any:
    ir = sys.modules["onnx_ir"]
    made = ir.from_proto(result)
    if folder is not None:
        for tensor, _ in _stored.irTensors(made):
            if isinstance(tensor, ir.ExternalTensor):
                tensor.base_dir = folder
    model.graph = made.graph
    model.ir_version = made.ir_version
    model.functions.clear()
    model.functions.update(made.functions)
    return model
