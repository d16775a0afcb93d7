# SPDX-License-Identifier: Apache-2.0
"""Calls of other tools, done by onnx-fold: onnxsim's `simplify` and OnnxSlim's `slim`.

    from onnx_fold.compat import simplify    # was: from onnxsim import simplify
    model, ok = simplify("model.onnx")

Each takes the arguments of the other tool. Arguments that tune how that tool works have no effect. Arguments that ask for work
which onnx-fold does not do raise NotImplementedError, with the argument's name, if they are given. docs/python.md has a table.
"""

from __future__ import annotations

import os
from typing import Any

import onnx

from . import _fold
from .errors import VerificationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Union

    Shapes = Union[Mapping[Union[str, None], Sequence[int]], Sequence[int], None]

UNITS = {"B": 1, "KB": 1000, "MB": 1000**2, "GB": 1000**3, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}


def simplify(
    model: str | os.PathLike[str] | onnx.ModelProto,
    check_n: int = 0,
    perform_optimization: bool = True,
    skip_fuse_bn: bool = False,
    overwrite_input_shapes: Shapes = None,
    test_input_shapes: Shapes = None,
    skipped_optimizers: Sequence[str] | None = None,
    skip_constant_folding: bool = False,
    skip_shape_inference: bool = False,
    input_data: Mapping[str, Any] | None = None,
    dynamic_input_shape: bool = False,
    custom_lib: str | None = None,
    include_subgraph: bool = False,
    unused_output: Sequence[str] | None = None,
    tensor_size_threshold: str = "1.5GB",
    mutable_initializer: bool = False,
    *,
    initializers_as_constants: bool = True,
    inline_functions: bool = False,
    import_custom_schemas: bool = True,
    input_shapes: Shapes = None,
    target_opset_version: int | str | None = None,
    custom_rewriter: Callable[[onnx.ModelProto], onnx.ModelProto | bool | None] | None = None,
    output_path: str | os.PathLike[str] | None = None,
    external_data_threshold: str = "100MB",
    **others: Any,
) -> tuple[onnx.ModelProto, bool]:
    """onnxsim.simplify of onnxsim 0.8: the folded model, and whether it computes the same (True without a check).

    Unlike `fold`, and as in onnxsim, initializers are constants even if they are inputs too (such inputs disappear,
    unless `mutable_initializer`), the model may grow without limit, and inferred types are written.
    """
    _refuse(others, IGNORED_BY_SIMPLIFY)
    proto, folder = _read(model)
    _dropOutputs(proto, unused_output or ())
    if inline_functions and proto.functions:
        import onnx.inliner

        proto = onnx.inliner.inline_local_functions(proto)
    if target_opset_version is not None:
        proto = _converted(proto, target_opset_version)
    if not mutable_initializer:
        _dropOverridableInputs(proto)
    options: dict[str, Any] = {
        "level": 1 if perform_optimization else 0,
        "input_shapes": _shapes(proto, overwrite_input_shapes or input_shapes),
        "max_result": _bytes(tensor_size_threshold),
        "max_growth": "unlimited",
        "shapes": not skip_shape_inference,
        "skip": ["*"] if skip_constant_folding else [],
        "nodes": False,
    }
    exposed = [] if initializers_as_constants else _exposeInitializers(proto)
    trials = 0 if input_data else check_n
    try:
        result = _foldedAndRewritten(proto, folder, custom_rewriter, {**options, "verify": trials})
    except VerificationError:
        return proto, False
    _hideInitializers(result, exposed)
    isSame = not input_data or _fold.verify(proto, result, inputs=_feeds(proto, input_data)).equal
    if output_path is not None:
        _save(result, output_path, folder, result.ByteSize() > _bytes(external_data_threshold))
    return _loaded(result, folder), isSame


# They tune how onnxsim works, or do what onnx-fold does in any case.
IGNORED_BY_SIMPLIFY = frozenset(
    "extra_optimizers check_rtol check_atol input_fill providers gemm_fusion_backend profile ort_profile merge_ort_profile".split()
)
IGNORED_BY_SLIM = frozenset("skip_fusion_patterns verbose".split())
OPTIMIZATIONS = frozenset(
    "constant_folding graph_fusion dead_node_elimination subexpression_elimination weight_tying".split()
)


def slim(model: Any, *args: Any, **kwargs: Any) -> onnx.ModelProto | None:
    """onnxslim.slim of OnnxSlim 0.1: the folded model, or None if it was written to `output_model`.

    Arguments: output_model, model_check, model_check_inputs, input_shapes, inputs, outputs, no_shape_infer, skip_optimizations,
    size_threshold, save_as_external_data; `model` may be a list, whose operators are printed. None also if `model_check` finds
    a difference.
    """
    names = ("output_model",)
    if len(args) > len(names):
        raise TypeError(f"slim() takes at most {1 + len(names)} positional arguments, {1 + len(args)} were given")
    given = {**dict(zip(names, args)), **kwargs}
    if isinstance(model, list) or given.pop("inspect", False):
        for one in model if isinstance(model, list) else [model]:
            print(_fold.examine(one))
        return None
    take = given.pop
    output = take("output_model", None)
    isChecked, checkInputs = take("model_check", False), take("model_check_inputs", None)
    shapes, inputs, outputs = take("input_shapes", None), take("inputs", None), take("outputs", None)
    isInferred, skipped = not take("no_shape_infer", False), set(take("skip_optimizations", None) or ())
    threshold, isExternal = take("size_threshold", None), take("save_as_external_data", False)
    _refuse(given, IGNORED_BY_SLIM)
    if skipped - OPTIMIZATIONS:
        raise ValueError(
            f"skip_optimizations has {sorted(skipped - OPTIMIZATIONS)}, expected some of {sorted(OPTIMIZATIONS)}"
        )
    proto, folder = _read(model)
    _dropOverridableInputs(proto)
    if inputs or outputs:
        proto = _extracted(proto, inputs, outputs)
    options: dict[str, Any] = {
        "input_shapes": _slimShapes(shapes),
        "max_growth": "unlimited",
        "max_result": int(threshold) if threshold else None,
        "shapes": isInferred,
        "level": 0 if skipped & {"graph_fusion", "dead_node_elimination", "subexpression_elimination"} else 1,
        "skip": ["*"] if "constant_folding" in skipped else [],
        "verify": bool(isChecked and not checkInputs),
        "nodes": False,
    }
    try:
        result = _fold.fold(proto, folder=folder, **options).model
    except VerificationError:
        return None
    if isChecked and checkInputs and not _fold.verify(proto, result, inputs=_checkInputs(checkInputs)).equal:
        return None
    if output is None:
        return _loaded(result, folder)
    _save(result, output, folder, isExternal)
    return None


# ---- what both share ------------------------------------------------------------------------------------------------------


def _refuse(others: dict[str, Any], ignored: frozenset[str]) -> None:
    for name, value in others.items():
        if name not in ignored and value not in (None, False, "", "fp32"):
            raise NotImplementedError(f"{name}={value!r} is something that onnx-fold does not do")


def _bytes(text: str | int) -> int:
    """ "1.5GB", "100MB", "500"."""
    if isinstance(text, int):
        return text
    import re

    found = re.fullmatch(r"\s*([0-9.]+)\s*([KMG]?I?B)?\s*", text.upper())
    if found is None:
        raise ValueError(f"the size is {text!r}, expected a number and one of {', '.join(UNITS)}")
    return int(float(found[1]) * UNITS[found[2] or "B"])


def _read(model: Any) -> tuple[onnx.ModelProto, str | None]:
    """A copy of the model that may be changed, and the folder where its external data is kept."""
    if isinstance(model, (str, os.PathLike)):
        path = os.fspath(model)
        return onnx.load(path, load_external_data=False), os.path.dirname(os.path.abspath(path))
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    return copy, None


def _loaded(model: onnx.ModelProto, folder: str | None) -> onnx.ModelProto:
    """With all values, as the other tools return it."""
    if folder is not None:
        onnx.load_external_data_for_model(model, folder)
    return model


def _save(model: onnx.ModelProto, path: str | os.PathLike[str], folder: str | None, isExternal: bool) -> None:
    """Without a change: a folded model folds into itself."""
    _fold.fold(model, path, folder=folder, skip="*", external_data=True if isExternal else None, nodes=False)


def _foldedAndRewritten(proto: onnx.ModelProto, folder: str | None, rewrite: Any, options: dict[str, Any]) -> onnx.ModelProto:
    """By turns, until the rewriter finds no more; it may change the model, or return another one, or False for none."""
    result = _fold.fold(proto, folder=folder, **options).model
    for _ in range(10 if rewrite is not None else 0):
        before = result.SerializeToString(deterministic=True)
        made = rewrite(result)
        if isinstance(made, onnx.ModelProto):
            result = made
        if made is False or result.SerializeToString(deterministic=True) == before:
            break
        result = _fold.fold(result, folder=folder, **{**options, "verify": 0}).model
    return result


def _shapes(proto: onnx.ModelProto, shapes: Shapes) -> dict[str, list[int | None]]:
    """onnxsim leaves dimensions alone that are not positive; a shape without a name is that of the only input."""
    if not shapes:
        return {}
    named = shapes if hasattr(shapes, "items") else {None: shapes}
    result = {}
    for name, sizes in named.items():
        if name is None or name == "":
            if len(proto.graph.input) != 1:
                raise ValueError(f"a shape has no name, expected one: the model has {len(proto.graph.input)} inputs")
            name = proto.graph.input[0].name
        result[name] = [size if size > 0 else None for size in sizes]
    return result


def _slimShapes(shapes: Any) -> dict[str, list[int]]:
    """A dictionary, or texts such as "x:1,3"."""
    if not shapes or hasattr(shapes, "items"):
        return dict(shapes or {})
    split = [text.rsplit(":", 1) for text in shapes]
    return {name: [int(size) for size in sizes.split(",")] for name, sizes in split}


def _feeds(proto: onnx.ModelProto, data: Mapping[str, Any]) -> dict[str, Any]:
    names = {value.name for value in proto.graph.input}
    return {name: value for name, value in data.items() if name in names}


def _checkInputs(texts: Sequence[str]) -> dict[str, Any]:
    """OnnxSlim's "x:data.npy"."""
    import numpy

    split = [text.rsplit(":", 1) for text in texts]
    wrong = [text for text, parts in zip(texts, split) if len(parts) != 2 or not parts[1].endswith(".npy")]
    if wrong:
        raise NotImplementedError(f"model_check_inputs has {wrong[0]!r}, expected NAME:FILE.npy; shapes are chosen at random")
    return {name: numpy.load(path) for name, path in split}


# ---- changes of the model before and after ---------------------------------------------------------------------------------


def _dropOutputs(proto: onnx.ModelProto, names: Sequence[str]) -> None:
    there = {value.name for value in proto.graph.output}
    missing = set(names) - there
    if missing:
        raise ValueError(f"unused_output has {sorted(missing)}, expected some of {sorted(there)}")
    left = [value for value in proto.graph.output if value.name not in names]
    del proto.graph.output[:]
    proto.graph.output.extend(left)


def _keepInputs(proto: onnx.ModelProto, names: Sequence[str] | set[str]) -> None:
    left = [value for value in proto.graph.input if value.name in names]
    del proto.graph.input[:]
    proto.graph.input.extend(left)


def _dropOverridableInputs(proto: onnx.ModelProto) -> None:
    """Inputs that are initializers too, which a caller could give another value. Before IR version 4 each had to be one."""
    stored = {tensor.name for tensor in proto.graph.initializer}
    if proto.ir_version >= 4 and stored:
        _keepInputs(proto, {value.name for value in proto.graph.input} - stored)


def _exposeInitializers(proto: onnx.ModelProto) -> list[str]:
    """Makes inputs of all initializers: what a caller may give is no constant."""
    proto.ir_version = max(proto.ir_version, 4)
    inputs = {value.name for value in proto.graph.input}
    names = [tensor.name for tensor in proto.graph.initializer if tensor.name not in inputs]
    for tensor in proto.graph.initializer:
        if tensor.name not in inputs:
            proto.graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    return names


def _hideInitializers(proto: onnx.ModelProto, names: list[str]) -> None:
    if names:
        _keepInputs(proto, {value.name for value in proto.graph.input} - set(names))


def _converted(proto: onnx.ModelProto, version: int | str) -> onnx.ModelProto:
    import onnx.version_converter

    number = onnx.defs.onnx_opset_version() if version == "latest" else int(version)
    return onnx.version_converter.convert_version(proto, number)


def _extracted(proto: onnx.ModelProto, inputs: Sequence[str] | None, outputs: Sequence[str] | None) -> onnx.ModelProto:
    """The part of the graph between some values: "name" or "name:fp32". What it leaves unused, folding removes."""
    types = {
        "fp16": onnx.TensorProto.FLOAT16,
        "fp32": onnx.TensorProto.FLOAT,
        "int32": onnx.TensorProto.INT32,
        "bool": onnx.TensorProto.BOOL,
    }
    inferred = onnx.shape_inference.infer_shapes(proto).graph
    known: dict[str, onnx.ValueInfoProto] = {
        value.name: value for value in [*inferred.value_info, *inferred.input, *inferred.output]
    }
    made = {name for node in proto.graph.node for name in node.output}

    def infoOf(text: str) -> onnx.ValueInfoProto:
        name, _, kind = text.partition(":") if text not in known else (text, "", "")
        if name not in known and name not in made:
            raise ValueError(f"there is no value {name!r} in the model")
        if name in known and not kind:
            return known[name]
        if kind not in ("", *types):
            raise ValueError(f"the type of {name!r} is {kind!r}, expected one of {', '.join(types)}")
        return onnx.helper.make_tensor_value_info(name, types[kind or "fp32"], None)

    if outputs:
        chosen = [infoOf(text) for text in outputs]
        del proto.graph.output[:]
        proto.graph.output.extend(chosen)
    if inputs:
        chosen = [infoOf(text) for text in inputs]
        names = {value.name for value in chosen}
        for node in proto.graph.node:
            for i, name in enumerate(node.output):
                if name in names:
                    node.output[i] = name + "_before"
        del proto.graph.input[:]
        proto.graph.input.extend(chosen)
    return _withoutUnusedInputs(proto)


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
    _keepInputs(proto, wanted)
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
