# SPDX-License-Identifier: Apache-2.0
"""OnnxSlim's `slim`, with the arguments of its releases 0.1."""

from __future__ import annotations

import os
import warnings
from typing import Any

import onnx

from ..errors import FoldWarning, VerificationError
from . import _models, _rewrites
from ._onnxsim import Work, refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXPORTS = {"onnxslim": ("slim",), "onnxslim.cli": ("slim",), "onnxslim.cli._main": ("slim",)}

IGNORED = frozenset(["verbose"])
INSTEAD = {
    "dtype": "convert the result with onnxconverter_common.float16.convert_float_to_float16",
    "dump_to_disk": "onnx_fold.examine(model).to_html('page.html') writes a page",
}


def slim(model: Any, *args: Any, **kwargs: Any) -> onnx.ModelProto | None:
    """onnxslim.slim of OnnxSlim 0.1: the folded model, or None if it was written to `output_model`.

    Arguments: output_model, model_check, model_check_inputs, input_shapes, inputs, outputs, no_shape_infer, skip_optimizations,
    skip_fusion_patterns, size_threshold, save_as_external_data, inspect; `model` may be a list, whose operators are printed.
    None also if `model_check` finds a difference. Not of OnnxSlim are `level` (1 keeps every bit of the results; default 2) and
    `mutable_initializer` (initializers that are inputs stay so).
    """
    if len(args) > 1:
        raise TypeError(
            f"slim() takes at most 2 positional arguments, {1 + len(args)} were given; give the others by their names"
        )
    if args and "output_model" in kwargs:
        raise TypeError("slim() has output_model as second argument and by its name, expected it once")
    given: dict[str, Any] = {**({"output_model": args[0]} if args else {}), **kwargs}
    if isinstance(model, list) or given.pop("inspect", False):
        refuse("slim", {name: given[name] for name in given if name == "dump_to_disk"}, IGNORED, INSTEAD)
        _inspect(model if isinstance(model, list) else [model])
        return None
    take = given.pop
    output, isExternal = take("output_model", None), take("save_as_external_data", False)
    isChecked, texts = take("model_check", False), take("model_check_inputs", None)
    shapes, inputs, outputs = take("input_shapes", None), take("inputs", None), take("outputs", None)
    isMutable = take("mutable_initializer", False)
    skipped = _skipped(take("skip_optimizations", None))
    options: dict[str, Any] = {
        "level": take("level", 2),
        "max_growth": "unlimited",
        "max_result": _threshold(take("size_threshold", None)),
        "shapes": not take("no_shape_infer", False),
        "disable": _disabled(skipped, take("skip_fusion_patterns", None)),
        "skip": [],
        "nodes": False,
    }
    refuse("slim", given, IGNORED, INSTEAD)
    proto, folder = _models.read(model)
    if not isMutable:
        _models.dropOverridableInputs(proto)
    if inputs or outputs:
        proto = _models.extracted(proto, inputs, outputs)
    options["input_shapes"] = _models.changesOf(proto, _models.shapesOf(proto, shapes, "input_shapes"))
    if skipped == set(_rewrites.OPTIMIZATIONS):
        options.update(level=0, skip=["*"])
    if "weight_tying" not in skipped:
        _models.tieWeights(proto)
    data, checkShapes = _checkInputs(proto, texts if isChecked else None)
    work = Work(proto, folder, options, "constant_folding" in skipped)
    try:
        result = work.run(None, {"verify": 3} if isChecked and not (data or checkShapes) else {})
    except VerificationError as error:
        warnings.warn(str(error), FoldWarning, stacklevel=2)
        return None
    if "constant_folding" not in skipped:
        _models.constantsToInitializers(result)
    if (data or checkShapes) and not _models.isSame(proto, result, folder, data, checkShapes):
        return None
    if output is None:
        return _models.loaded(result, folder)
    _models.save(result, output, folder, bool(isExternal))
    return None


def _inspect(models: Sequence[Any]) -> None:
    from ._onnxslim_parts import print_model_info_as_table, summarize_model

    for model in models:
        print_model_info_as_table(summarize_model(model, os.path.basename(model) if isinstance(model, str) else "OnnxModel"))


def _skipped(names: Sequence[str] | str | None) -> set[str]:
    skipped = {names} if isinstance(names, str) else set(names or ())
    wrong = sorted(skipped - _rewrites.OPTIMIZATIONS.keys())
    if wrong:
        raise ValueError(f"skip_optimizations has {wrong}, expected some of {sorted(_rewrites.OPTIMIZATIONS)}")
    return skipped


def _disabled(skipped: set[str], patterns: Sequence[str] | str | None) -> list[str]:
    names = [patterns] if isinstance(patterns, str) else list(patterns or ())
    result = _rewrites.disabled("skip_fusion_patterns", names, _rewrites.FUSIONS, 3)
    return list(
        dict.fromkeys([*result, *_rewrites.disabled("skip_optimizations", sorted(skipped), _rewrites.OPTIMIZATIONS, 3)])
    )


def _threshold(size: Any) -> int | None:
    return _models.bytesOf(size, "size_threshold") if size else None


def _checkInputs(
    proto: onnx.ModelProto, texts: Sequence[str] | str | None
) -> tuple[dict[str, Any], Mapping[str, list[int | None]]]:
    """ "x:data.npy" is a value, "x:2,64" the shape of a random one."""
    split = [texts] if isinstance(texts, str) else list(texts or ())
    files = [text.rpartition(":") for text in split if text.endswith(".npy")]
    data: dict[str, Any] = {}
    names = [value.name for value in proto.graph.input]
    for name, _, path in files:
        if name not in names:
            raise ValueError(f"model_check_inputs has {name!r}, expected an input of the model: {', '.join(names)}")
        import numpy

        data[name] = numpy.load(path)
    return data, _models.shapesOf(proto, [text for text in split if not text.endswith(".npy")], "model_check_inputs")
