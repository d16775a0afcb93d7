# SPDX-License-Identifier: Apache-2.0
"""What the modules of onnxsim have besides `simplify`: comparison, counts, helpers."""

from __future__ import annotations

import os
from typing import Any

import onnx

from .. import _fold
from . import _models

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

EXPORTS = {
    "onnxsim": ("import_onnx_schemas", "inline_local_functions", "load_model"),
    "onnxsim.backend": ("has_onnxruntime", "run_model"),
    "onnxsim.model_checking": ("compare",),
    "onnxsim.model_info": ("ModelInfo", "diff_graphs", "human_readable_size", "print_graph_diff", "print_simplifying_info"),
    "onnxsim.onnx_simplifier": (
        "DEFAULT_TENSOR_SIZE_THRESHOLDHOLD",
        "check_and_update_input_shapes",
        "get_output_names",
        "import_onnx_schemas",
        "inline_local_functions",
        "load_model",
        "remove_initializer_from_input",
        "remove_unused_output",
    ),
}
DEFAULT_TENSOR_SIZE_THRESHOLDHOLD = "1.5GB"


def import_onnx_schemas() -> int:
    """Custom operators are kept without a schema, so none is imported."""
    return 0


def load_model(path: str | os.PathLike[str], hydrate_all: bool = True) -> onnx.ModelProto:
    return onnx.load(os.fsdecode(path), load_external_data=hydrate_all)


def inline_local_functions(model: Any, **others: Any) -> onnx.ModelProto:
    import onnx.inliner

    proto, folder = _models.read(model)
    return _models.loaded(onnx.inliner.inline_local_functions(proto, others.get("convert_version", True)), folder)


def get_output_names(model: onnx.ModelProto) -> list[str]:
    return [value.name for value in model.graph.output]


def remove_unused_output(model: onnx.ModelProto, unused_output: Sequence[str]) -> onnx.ModelProto:
    _models.dropOutputs(model, unused_output)
    return model


def remove_initializer_from_input(model: onnx.ModelProto) -> onnx.ModelProto:
    _models.dropOverridableInputs(model)
    return model


def check_and_update_input_shapes(model: onnx.ModelProto, input_shapes: Any) -> dict[str, list[int | None]] | None:
    return None if input_shapes is None else _models.shapesOf(model, input_shapes, "input_shapes")


def compare(
    model_opt: Any,
    model_ori: Any,
    n_times: int = 5,
    input_shapes: Mapping[str | None, Sequence[int]] | None = None,
    input_data: Mapping[str, Any] | None = None,
    custom_lib: str | None = None,
    verbose: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-5,
    input_fill: str = "random",
) -> bool:
    """Whether two models compute the same, within the rounding that `onnx_fold.verify` allows."""
    (before, folder), (after, other) = _models.read(model_ori), _models.read(model_opt)
    shapes = _models.shapesOf(before, input_shapes, "input_shapes")
    both = _models.loaded(before, folder), _models.loaded(after, other)
    return _models.isSame(*both, None, input_data, shapes, n_times)


def has_onnxruntime() -> bool:
    import importlib.util

    return importlib.util.find_spec("onnxruntime") is not None


def run_model(
    model: Any, inputs: Mapping[str, Any], output_names: Sequence[str] | None = None, custom_lib: str | None = None
) -> dict[str, Any]:
    """The outputs of a model by name, computed by ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    if custom_lib is not None:
        options.register_custom_ops_library(custom_lib)
    given = model if isinstance(model, (str, bytes)) else model.SerializeToString()
    session = onnxruntime.InferenceSession(given, options, providers=["CPUExecutionProvider"])
    names = list(output_names or [value.name for value in session.get_outputs()])
    return dict(zip(names, session.run(names, dict(inputs))))


# ---- counts -----------------------------------------------------------------------------------------------------------------


class ModelInfo:
    """op_nums: how often each operator is there, in all graphs and functions; model_size: bytes, with external data."""

    def __init__(self, model: Any) -> None:
        proto, _ = _models.read(model)
        self.op_nums: dict[str, int] = {}
        self.model_size = proto.ByteSize()
        graphs = list(_models.graphsOf(proto.graph))
        for node in [
            *(node for graph in graphs for node in graph.node),
            *(node for one in proto.functions for node in one.node),
        ]:
            self.op_nums[node.op_type] = self.op_nums.get(node.op_type, 0) + 1
        for tensor in (tensor for graph in graphs for tensor in graph.initializer):
            self.model_size += sum(int(entry.value) for entry in tensor.external_data if entry.key == "length")


def human_readable_size(num: float, suffix: str = "B") -> str:
    for unit in ("", "Ki", "Mi", "Gi"):
        if abs(num) < 1024:
            return f"{num:.1f}{unit}{suffix}"
        num /= 1024
    return f"{num:.1f}Ti{suffix}"


def print_simplifying_info(model_ori: Any, model_opt: Any) -> None:
    """A table: each operator, how often it was there, and how often it is."""
    before, after = ModelInfo(model_ori), ModelInfo(model_opt)
    rows = [
        (op, str(before.op_nums.get(op, 0)), str(after.op_nums.get(op, 0))) for op in sorted({*before.op_nums, *after.op_nums})
    ]
    rows.append(("nodes", str(sum(before.op_nums.values())), str(sum(after.op_nums.values()))))
    rows.append(("size", human_readable_size(before.model_size), human_readable_size(after.model_size)))
    print_table(("operator", "before", "after"), rows)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, ["-" * width for width in widths], *rows]:
        print("  ".join(text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths))))


def diff_graphs(model_ori: Any, model_opt: Any) -> Any:
    """onnx_fold.diff of both models, whose fields are its own."""
    return _fold.diff(_models.loaded(*_models.read(model_ori)), _models.loaded(*_models.read(model_opt)))


def print_graph_diff(model_ori: Any, model_opt: Any, limit: int = 50) -> None:
    print(diff_graphs(model_ori, model_opt))
