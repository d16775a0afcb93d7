# SPDX-License-Identifier: Apache-2.0
"""A pass of Olive that folds an ONNX model with onnx-fold, from file to file.

    olive run --config workflow.json --package-config package_config.json

The module must be importable (PYTHONPATH=. in this folder). Parameters are those of onnx_fold.fold.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from olive.hardware import AcceleratorSpec
from olive.model import ONNXModelHandler
from olive.model.utils import resolve_onnx_path
from olive.passes import Pass
from olive.passes.onnx.common import get_external_data_config
from olive.passes.pass_config import BasePassConfig, PassConfigParam

import onnx_fold


class OnnxFold(Pass):  # type: ignore[misc]
    """Computes what depends on constants alone."""

    @classmethod
    def _default_config(cls, accelerator_spec: AcceleratorSpec) -> dict[str, PassConfigParam]:
        return {
            "dims": PassConfigParam(type_=dict[str, int], default_value=None, description="Sizes of dimensions, by name."),
            "input_shapes": PassConfigParam(
                type_=dict[str, list[Any]], default_value=None, description="Shapes of inputs; null leaves a dimension open."
            ),
            "bind": PassConfigParam(type_=dict[str, Any], default_value=None, description="Values of inputs."),
            "level": PassConfigParam(
                type_=int, default_value=1, description="0: folding only, 1: exact rewrites too, 2: those within a bound."
            ),
            "max_growth": PassConfigParam(
                type_=str, default_value=None, description='How much the model may grow: bytes, "10%" or "unlimited".'
            ),
            "skip": PassConfigParam(
                type_=list[str], default_value=[], description="Patterns of nodes that are not changed."
            ),
            "verify": PassConfigParam(
                type_=int, default_value=0, description="Runs the model and the result on so many random inputs."
            ),
            **{
                name: parameter
                for name, parameter in get_external_data_config().items()
                if name in ("save_as_external_data", "external_data_name")
            },
        }

    def _run_for_config(
        self, model: ONNXModelHandler, config: type[BasePassConfig], output_model_path: str
    ) -> ONNXModelHandler:
        options: dict[str, Any] = config.model_dump()
        external, name = options.pop("save_as_external_data"), options.pop("external_data_name")
        options = {key: value for key, value in options.items() if key in self._default_config(None)}
        # A folder of its own, since data files may come along.
        target = resolve_onnx_path(output_model_path, Path(model.model_path).name)
        onnx_fold.fold(str(model.model_path), target, external_data=(name or True) if external else None, **options)
        return ONNXModelHandler(model_path=str(Path(target).parent), onnx_file_name=Path(target).name)
