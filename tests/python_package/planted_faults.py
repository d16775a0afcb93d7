# SPDX-License-Identifier: Apache-2.0
"""Faults in the models of tests/models/data, as fake_runtime.py has them: the model, the nodes that must be there, and how many nodes
the smallest model with them has."""

FAULTS = {
    "softmax": ("bert", [{"op": "Softmax"}], 1),
    "two operators": ("bert", [{"op": "Gather"}, {"op": "Erf"}], 2),
    "softmax of a sum": ("distilbert", [{"op": "Add"}, {"op": "Softmax", "reads": 0}], 2),
    "a square": ("bert", [{"op": "Pow", "value": 2.0}], 1),
    "convolution": ("vit", [{"op": "Conv", "rank": 4}], 1),
    "convolution and norm": ("mobilenet", [{"op": "Conv", "rank": 4}, {"op": "BatchNormalization", "reads": 0}], 2),
    "quantised": (
        "mobilenet_qdq",
        [{"op": "QuantizeLinear"}, {"op": "DequantizeLinear", "reads": 0}, {"op": "Conv", "reads": 1}],
        3,
    ),
    "lstm with a bias": ("lstm", [{"op": "LSTM", "operands": 4}], 1),
    "three operators": ("lstm", [{"op": "Slice"}, {"op": "Concat"}, {"op": "LSTM"}], 3),
    "two of three thousand": ("swin", [{"op": "Mod"}, {"op": "ScatterND"}], 2),
    "pad": ("swin", [{"op": "Pad"}], 1),
    "gather": ("qwen2", [{"op": "GatherND"}], 1),
    "rotation": ("qwen2", [{"op": "Cos"}, {"op": "Sin"}, {"op": "Softmax"}], 3),
    "buckets": ("t5", [{"op": "Log"}, {"op": "Min"}], 2),
    "sum and choice": ("xlnet", [{"op": "Einsum"}, {"op": "Where"}], 2),
    "norm and product": ("albert", [{"op": "LayerNormalization"}, {"op": "MatMul", "reads": 0}], 2),
    "axis": ("albert", [{"op": "GatherElements", "attributes": {"axis": 1}}], 1),
    "boxes": ("detector", [{"op": "NonMaxSuppression", "operands": 4}], 1),
    "product of exponentials": ("detector", [{"op": "Exp"}, {"op": "Mul", "reads": 0}], 2),
    "loop": ("control_flow", [{"op": "Loop"}], 3),
}
