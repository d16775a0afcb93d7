# SPDX-License-Identifier: Apache-2.0
"""The names of rewrites in onnxsim (optimizers) and OnnxSlim (optimizations, fusion patterns), and ours of the same algebra."""

from __future__ import annotations

import difflib
import warnings

from ..errors import FoldWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Optimizers of onnxsim 0.4 to 0.8. Those without a name of ours do what onnx-fold never does, or always does.
OPTIMIZERS = {
    "eliminate_consecutive_idempotent_ops": "idempotent",
    "eliminate_common_subexpression": "common-subexpression",
    "eliminate_deadend": "unused-node",
    "eliminate_duplicate_initializer": "equal-initializer",
    "eliminate_identity": "identity",
    "eliminate_if_with_const_cond": "constant-branch",
    "eliminate_nop_cast": "same-cast",
    "eliminate_nop_concat": "one-input",
    "eliminate_nop_dropout": "dropout",
    "eliminate_nop_expand": "same-shape implied-expand",
    "eliminate_nop_flatten": "same-shape",
    "eliminate_nop_monotone_argmax": "",
    "eliminate_nop_pad": "no-pad",
    "eliminate_nop_reshape": "same-shape reshape-back",
    "eliminate_nop_split": "whole-slice",
    "eliminate_nop_transpose": "transpose",
    "eliminate_nop_with_unit": "times-one plus-zero plus-unseen-zero unseen-zero plus-any-zero logical-neutral",
    "eliminate_shape_gather": "shape-of",
    "eliminate_shape_op": "",
    "eliminate_slice_after_shape": "shape-of",
    "eliminate_unused_initializer": "",
    "extract_constant_to_initializer": "",
    "fuse_add_bias_into_conv": "linear-shift",
    "fuse_bn_into_conv": "conv-batchnorm",
    "fuse_concat_into_reshape": "reshape-target reshape-rest",
    "fuse_consecutive_concats": "concat-chain",
    "fuse_consecutive_log_softmax": "",
    "fuse_consecutive_reduce_unsqueeze": "reduce-view",
    "fuse_consecutive_slices": "slice-chain",
    "fuse_consecutive_squeeze_unsqueeze": "unsqueeze-chain",
    "fuse_consecutive_squeezes": "unsqueeze-chain",
    "fuse_consecutive_transposes": "transpose transpose-chain",
    "fuse_consecutive_unsqueezes": "unsqueeze-chain",
    "fuse_matmul_add_bias_into_gemm": "matmul-add",
    "fuse_pad_into_conv": "pad-conv",
    "fuse_pad_into_pool": "",
    "fuse_qkv": "",
    "fuse_transpose_into_gemm": "transpose-gemm",
    "nop": "",
    "rewrite_where": "",
}

# Patterns of OnnxSlim 0.1.
FUSIONS = {
    "EliminationConcat": "concat-chain",
    "EliminationReshape": "reshape-chain reshape-back",
    "EliminationReshapeAs": "reshape-target",
    "EliminationSlice": "slice-chain",
    "EliminationTranspose": "transpose transpose-chain",
    "EliminationTransposeAsReshape": "",
    "EliminationTransposeViewTranspose": "",
    "EliminationUnsqueeze": "unsqueeze-chain",
    "FusionConcatReshape": "reshape-target reshape-rest",
    "FusionConvAdd": "linear-shift",
    "FusionConvBN": "conv-batchnorm",
    "FusionConvMul": "linear-scale",
    "FusionConvTransposeAdd": "linear-shift",
    "FusionConvTransposeBN": "conv-batchnorm",
    "FusionConvTransposeMul": "linear-scale",
    "FusionGelu": "gelu",
    "FusionGemm": "matmul-add",
    "FusionGemmAdd": "linear-shift matmul-add",
    "FusionGemmMul": "linear-scale",
    "FusionPadConv": "pad-conv",
    "FusionReduce": "reduce-view",
}

# What OnnxSlim's `skip_optimizations` skips; weights are tied, and constants folded, by functions of their own.
DEAD = (
    "unused-node identity one-input dropout same-cast same-shape whole-slice no-pad times-one plus-zero plus-unseen-zero "
    "plus-any-zero logical-neutral concat-nothing no-clip"
)
OPTIMIZATIONS = {
    "constant_folding": "",
    "dead_node_elimination": DEAD,
    "graph_fusion": " ".join(
        [*FUSIONS.values(), "hard-swish mish norm norm-shift float-chain transpose-gemm times-reciprocal"]
    ),
    "subexpression_elimination": "common-subexpression",
    "weight_tying": "equal-initializer",
}


def disabled(argument: str, names: Iterable[str], table: Mapping[str, str], depth: int) -> list[str]:
    """Our names for those of another tool. One that the tool does not have either has no effect there, and a warning here,
    at the line of the caller, who is `depth` calls away."""
    result: dict[str, None] = {}
    for name in names:
        if name not in table:
            near = difflib.get_close_matches(name, table, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            warnings.warn(
                f"{argument} has {name!r}, expected some of {', '.join(table)}{meant}", FoldWarning, stacklevel=depth + 1
            )
        result.update(dict.fromkeys(table.get(name, "").split()))
    return list(result)
