# SPDX-License-Identifier: Apache-2.0
"""Calls of other tools, done by onnx-fold: onnxsim's `simplify` and OnnxSlim's `slim`.

    from onnx_fold.compat import simplify    # was: from onnxsim import simplify
    model, ok = simplify("model.onnx")

    import onnx_fold.compat
    onnx_fold.compat.install()               # from here on, `import onnxsim` and `import onnxslim` are these

    python -m onnx_fold.compat -- python export.py

Each call takes the arguments of the other tool. What onnx-fold does not do raises NotImplementedError, which says what to do
instead. docs/python.md has a table.
"""

from __future__ import annotations

from ._modules import install as install
from ._modules import uninstall as uninstall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._onnxsim import simplify as simplify
    from ._onnxslim import slim as slim

__all__ = ["install", "simplify", "slim", "uninstall"]


def __getattr__(name: str) -> Any:
    """Both functions need onnx, which a process that only may import them later does not have to load."""
    if name == "simplify":
        from ._onnxsim import simplify

        return simplify
    if name == "slim":
        from ._onnxslim import slim

        return slim
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
