# SPDX-License-Identifier: Apache-2.0
"""onnxsim's `simplify`, with the arguments of its releases 0.4 to 0.8."""

from __future__ import annotations

import warnings
from typing import Any

import onnx

from .. import _fold
from ..errors import FoldWarning, VerificationError
from . import _models, _rewrites

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from ._models import Shapes

EXPORTS = {"onnxsim": ("simplify",), "onnxsim.onnx_simplifier": ("simplify",)}

# They tune how onnxsim works, or ask for what onnx-fold does in any case.
IGNORED = frozenset(
    "extra_optimizers check_rtol check_atol input_fill providers gemm_fusion_backend profile ort_profile merge_ort_profile "
    "gradient_precision".split()
)
INSTEAD = {
    "function_rewrite_rules": "give a function as `custom_rewriter`",
    "certify": "compare with random inputs: check_n=10",
    "check_hazards": "leave it out",
    "check_gradients": "leave it out",
    "range_opt": "leave it out",
}


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
    level: int = 2,
    **others: Any,
) -> tuple[onnx.ModelProto, bool]:
    """onnxsim.simplify of onnxsim 0.8: the folded model, and whether it computes the same (True without a check).

    As in onnxsim, initializers are constants even if they are inputs too (such inputs disappear, unless
    `mutable_initializer`), nodes are fused within the bounds of level 2, Constant nodes become initializers, the model may grow
    without limit, and inferred types are written. `level=1` is not of onnxsim: it keeps every bit of the results.
    """
    refuse("simplify", others, IGNORED, INSTEAD)
    proto, folder = _models.read(model)
    _models.dropOutputs(proto, unused_output or ())
    proto = _prepared(proto, inline_functions, target_opset_version)
    if not mutable_initializer:
        _models.dropOverridableInputs(proto)
    skipped = [skipped_optimizers] if isinstance(skipped_optimizers, str) else list(skipped_optimizers or ())
    options: dict[str, Any] = {
        "level": level if perform_optimization else 0,
        "max_result": _models.bytesOf(tensor_size_threshold, "tensor_size_threshold"),
        "shapes": not skip_shape_inference,
        "disable": _rewrites.disabled("skipped_optimizers", skipped, _rewrites.OPTIMIZERS, 2),
    }
    options["disable"] += ["conv-batchnorm"] if skip_fuse_bn else []
    sizes = overwrite_input_shapes if overwrite_input_shapes is not None else input_shapes
    work = Work(proto, folder, {**options, **_fixed(proto, sizes, skipped)}, skip_constant_folding)
    test = _models.shapesOf(proto, test_input_shapes, "test_input_shapes")
    try:
        checks = {"verify": check_n} if check_n and not input_data and not test else {}
        result = _simplified(work, skipped, initializers_as_constants, custom_rewriter, checks)
    except VerificationError as error:
        warnings.warn(str(error), FoldWarning, stacklevel=2)
        return proto, False
    equal = True
    if input_data or (check_n and test):
        names = {value.name for value in proto.graph.input}
        data = {name: value for name, value in (input_data or {}).items() if name in names}
        equal = _models.isSame(proto, result, folder, data, test, check_n or 1)
    if output_path is not None:
        limit = _models.bytesOf(external_data_threshold, "external_data_threshold")
        _models.save(result, output_path, folder, result.ByteSize() > limit)
    return _models.loaded(result, folder), equal


def _fixed(proto: onnx.ModelProto, sizes: Shapes, skipped: Sequence[str]) -> dict[str, Any]:
    """Options that say what is known, and what is left alone."""
    shapes = _models.shapesOf(proto, sizes, "overwrite_input_shapes")
    return {
        "input_shapes": _models.changesOf(proto, shapes),
        "max_growth": "unlimited",
        "skip": ["op:Shape"] if "eliminate_shape_op" in skipped else [],
        "nodes": False,
    }


def _simplified(
    work: Work, skipped: Sequence[str], initializersAreConstants: bool, rewrite: Any, checks: Mapping[str, Any]
) -> onnx.ModelProto:
    """Without optimization weights and Constant nodes stay what they are."""
    isOptimized = work.level > 0
    if isOptimized and initializersAreConstants and "eliminate_duplicate_initializer" not in skipped:
        _models.tieWeights(work.proto)
    exposed = set() if initializersAreConstants else _models.exposeInitializers(work.proto)
    result = work.run(rewrite, checks)
    _models.hideInitializers(result, exposed)
    if isOptimized and "extract_constant_to_initializer" not in skipped:
        _models.constantsToInitializers(result)
    return result


DEFAULT_LIMIT = 1 << 30  # of --max-result


class Work:
    """Folding, with or without what is constant, by turns with the rewriter of the caller."""

    def __init__(self, proto: onnx.ModelProto, folder: str | None, options: dict[str, Any], isFoldingSkipped: bool) -> None:
        self.proto = proto
        self.level: int = options["level"]
        self._folder = folder
        self._options = options
        self._isFoldingSkipped = isFoldingSkipped

    def run(self, rewrite: Any = None, checks: Mapping[str, Any] | None = None) -> onnx.ModelProto:
        """Until the rewriter finds no more; it may change the model, or return another one, or False for none."""
        result = self._folded(self.proto, dict(checks or {}))
        for _ in range(10 if rewrite is not None else 0):
            before = result.SerializeToString(deterministic=True)
            made = rewrite(result)
            if isinstance(made, onnx.ModelProto):
                result = made
            if made is False or result.SerializeToString(deterministic=True) == before:
                break
            result = self._folded(result, {})
        return result

    def _folded(self, proto: onnx.ModelProto, checks: dict[str, Any]) -> onnx.ModelProto:
        options = {**self._options, **checks}
        limit = options["max_result"]
        if not self._isFoldingSkipped and (limit is None or limit >= DEFAULT_LIMIT):
            return _fold.fold(proto, folder=self._folder, **options).model
        marked = onnx.ModelProto()
        marked.CopyFrom(proto)
        if _models.mark(marked, self._folder, options, self._isFoldingSkipped):
            options.update(max_result=None, skip=[*options["skip"], _models.MARK + "*"])
        result = _fold.fold(marked, folder=self._folder, **options).model
        _models.unmark(result)
        return result


def refuse(function: str, others: Mapping[str, Any], ignored: frozenset[str], instead: Mapping[str, str]) -> None:
    """Arguments of the other tool that onnx-fold does nothing for, if they ask for something."""
    for name, value in others.items():
        if name not in ignored and value not in (None, False, "", "fp32"):
            what = instead.get(name, f"{function}() has no such argument here; leave it out")
            raise NotImplementedError(f"{name}={value!r} is something that onnx-fold does not do; {what}")


def _prepared(proto: onnx.ModelProto, inlines: bool, opset: int | str | None) -> onnx.ModelProto:
    if inlines and proto.functions:
        import onnx.inliner

        proto = onnx.inliner.inline_local_functions(proto)
    if opset is None:
        return proto
    import onnx.version_converter

    number = onnx.defs.onnx_opset_version() if opset == "latest" else int(opset)
    return onnx.version_converter.convert_version(proto, number)
