# SPDX-License-Identifier: Apache-2.0
"""onnx-fold as a pass of onnx_ir.

import onnx_ir as ir
from onnx_fold.ir import FoldPass

result = ir.passes.Sequential(FoldPass(dims={"batch": 1}), ...)(model)
"""

from __future__ import annotations

from typing import Any

import onnx_ir

from ._fold import fold


class FoldPass(onnx_ir.passes.FunctionalPass):
    """Folds an onnx_ir.Model: the result is a new model, and the given one is not changed.

    The arguments are those of `onnx_fold.fold` but the model and the output. Tensors in files are kept there.
    `report` is that of the last call.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__()
        options.setdefault("nodes", False)
        self.options = options
        self.report: Any = None

    def call(self, model: onnx_ir.Model) -> onnx_ir.passes.PassResult:
        result = fold(model, **self.options)
        self.report = result.report
        return onnx_ir.passes.PassResult(result.model, result.changed)
