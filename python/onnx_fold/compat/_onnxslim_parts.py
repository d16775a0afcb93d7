# SPDX-License-Identifier: Apache-2.0
"""What the modules of OnnxSlim have besides `slim`."""

from __future__ import annotations

import os
from typing import Any, TypedDict

import onnx

from .. import _fold
from . import _models, _rewrites
from ._onnxslim import slim
from ._onnxsim_parts import ModelInfo, human_readable_size, print_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXPORTS = {
    "onnxslim.argparser": ("OnnxSlimKwargs",),
    "onnxslim.core": (
        "OptimizationSettings",
        "freeze",
        "input_modification",
        "input_shape_modification",
        "optimize",
        "output_modification",
        "shape_infer",
    ),
    "onnxslim.core.optimization": ("OptimizationSettings", "optimize_model"),
    "onnxslim.core.pattern.registry": ("DEFAULT_FUSION_PATTERNS",),
    "onnxslim.utils": (
        "check_onnx_compatibility",
        "format_bytes",
        "get_ir_version",
        "get_opset",
        "init_logging",
        "is_onnxruntime_available",
        "print_model_info_as_table",
        "save",
        "summarize_model",
    ),
}
DEFAULT_FUSION_PATTERNS = dict.fromkeys(name for name in _rewrites.FUSIONS if name != "FusionGelu")


class OnnxSlimKwargs(TypedDict, total=False):
    """The arguments of `slim`."""

    model_check: bool
    input_shapes: dict[str, list[int]]
    inputs: list[str]
    outputs: list[str]
    no_shape_infer: bool
    skip_optimizations: list[str]
    dtype: str
    skip_fusion_patterns: list[str]
    size_threshold: int
    inspect: bool
    dump_to_disk: bool
    save_as_external_data: bool
    model_check_inputs: list[str] | None
    verbose: bool


class OptimizationSettings:
    """The names that `skip_optimizations` takes; what is to be skipped is an argument of each call."""

    @classmethod
    def keys(cls) -> list[str]:
        return list(_rewrites.OPTIMIZATIONS)


# ---- onnxslim.core -----------------------------------------------------------------------------------------------------------


def optimize(
    model: onnx.ModelProto, skip_fusion_patterns: Sequence[str] | None = None, size_threshold: int | None = None
) -> onnx.ModelProto:
    made = slim(model, skip_fusion_patterns=skip_fusion_patterns, size_threshold=size_threshold, no_shape_infer=True)
    assert made is not None
    return made


def optimize_model(model: onnx.ModelProto, skip_fusion_patterns: Sequence[str] | None = None) -> onnx.ModelProto:
    """Without constants, which `optimize` folds too."""
    made = slim(model, skip_fusion_patterns=skip_fusion_patterns, no_shape_infer=True, skip_optimizations=["constant_folding"])
    assert made is not None
    return made


def shape_infer(model: onnx.ModelProto) -> onnx.ModelProto:
    """Inferred types are written, and nothing else is changed."""
    return _fold.fold(model, level=0, skip="*", shapes=True, nodes=False).model


def freeze(model: onnx.ModelProto) -> None:
    """In place: initializers are no inputs."""
    _models.dropOverridableInputs(model)


def input_shape_modification(model: onnx.ModelProto, input_shapes: Any) -> onnx.ModelProto:
    sizes = _models.shapesOf(model, input_shapes, "input_shapes")
    return _fold.fold(model, level=0, skip="*", input_shapes=sizes, nodes=False).model


def input_modification(model: onnx.ModelProto, inputs: Sequence[str]) -> onnx.ModelProto:
    return _models.extracted(_models.read(model)[0], inputs, None)


def output_modification(model: onnx.ModelProto, outputs: Sequence[str]) -> onnx.ModelProto:
    return _models.extracted(_models.read(model)[0], None, outputs)


# ---- onnxslim.utils ----------------------------------------------------------------------------------------------------------


def init_logging(verbose: bool = False) -> Any:
    import logging

    return logging.getLogger("onnxslim")


def format_bytes(size: int | tuple[int, ...]) -> str:
    sizes = size if isinstance(size, (tuple, list)) else (size,)
    return " + ".join(human_readable_size(one) for one in sizes)


def get_opset(model: onnx.ModelProto) -> int | None:
    return next((one.version for one in model.opset_import if one.domain in ("", "ai.onnx")), None)


def get_ir_version(model: onnx.ModelProto) -> int:
    return model.ir_version


def is_onnxruntime_available() -> bool:
    import importlib.util

    return importlib.util.find_spec("onnxruntime") is not None


def check_onnx_compatibility() -> None:
    """Nothing here depends on the versions of onnx and ONNX Runtime."""


class Summary(ModelInfo):
    """ModelInfo with a name (`tag`), by the names of OnnxSlim."""

    def __init__(self, model: Any, tag: str) -> None:
        super().__init__(model)
        proto, _ = _models.read(model)
        self.tag = tag
        self.op_type_counts = self.op_nums
        self.op_set, self.ir_version = str(get_opset(proto)), str(proto.ir_version)


def summarize_model(model: Any, tag: str = "OnnxModel") -> Summary:
    return Summary(model, tag)


def print_model_info_as_table(model_info_list: Any, elapsed_time: float | None = None) -> None:
    """A column for each model: how often each operator is there."""
    infos: list[Summary] = list(model_info_list) if isinstance(model_info_list, (list, tuple)) else [model_info_list]
    rows = [
        [op, *(str(info.op_nums.get(op, 0)) for info in infos)] for op in sorted({op for info in infos for op in info.op_nums})
    ]
    rows.append(["size", *(human_readable_size(info.model_size) for info in infos)])
    print_table(["operator", *(info.tag for info in infos)], rows)
    if elapsed_time is not None:
        print(f"{elapsed_time:.2f} s")


def save(
    model: onnx.ModelProto,
    model_path: str | os.PathLike[str],
    model_check: bool = False,
    save_as_external_data: bool = False,
    model_info: Any = None,
) -> None:
    if model_check:
        onnx.checker.check_model(model)
    _models.save(model, model_path, None, save_as_external_data)
