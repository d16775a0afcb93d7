#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes sample.onnx, the model that `./onnx-fold` folds when it is called without one.

    make_sample.py [FILE]      needs onnx and numpy

A small image classifier as exporters write it. What folds in it:
  - the normalisation of its Conv weights, written as arithmetic (Add, Sqrt, Div, Reshape, Mul, Sub) on constants;
  - Transpose and Cast of Linear weights that are stored the other way round and in half precision;
  - the shape arithmetic of a flattening: what is left says "the batch, 512", whatever the batch is;
  - a mask made of ConstantOfShape and Trilu inside a branch.
What is kept, each with its reason in the report:
  - a node of a domain that is not ONNX's, and noise that is random on purpose;
  - a division of integers by zero: folding it would hide the error that a runtime reports.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

node = helper.make_node


def info(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


class Weights:
    """Constants with names, from one seeded generator."""

    def __init__(self):
        self.random = np.random.default_rng(7)
        self.tensors = []

    def add(self, name, value, dtype=np.float32):
        self.tensors.append(numpy_helper.from_array(np.asarray(value).astype(dtype), name))
        return name

    def normal(self, name, *shape, dtype=np.float32):
        return self.add(name, self.random.standard_normal(shape) / 8, dtype)

    def positive(self, name, *shape):
        return self.add(name, self.random.uniform(0.5, 1.5, shape))


def convolution(weights):
    """Conv whose weight is scaled by gamma / sqrt(variance + epsilon), as a batch normalisation is written out."""
    weights.normal("conv.weight", 8, 3, 3, 3)
    weights.positive("norm.gamma", 8)
    weights.normal("norm.beta", 8)
    weights.normal("norm.mean", 8)
    weights.positive("norm.variance", 8)
    weights.add("norm.epsilon", 1e-5)
    weights.add("norm.scale_shape", [8, 1, 1, 1], np.int64)
    return [
        node("Add", ["norm.variance", "norm.epsilon"], ["norm.shifted"], name="norm/Add"),
        node("Sqrt", ["norm.shifted"], ["norm.deviation"], name="norm/Sqrt"),
        node("Div", ["norm.gamma", "norm.deviation"], ["norm.scale"], name="norm/Div"),
        node("Reshape", ["norm.scale", "norm.scale_shape"], ["norm.scale4"], name="norm/Reshape"),
        node("Mul", ["conv.weight", "norm.scale4"], ["conv.scaled"], name="norm/Mul"),
        node("Mul", ["norm.mean", "norm.scale"], ["norm.offset"], name="norm/Mul_1"),
        node("Sub", ["norm.beta", "norm.offset"], ["conv.bias"], name="norm/Sub"),
        node(
            "Conv",
            ["image", "conv.scaled", "conv.bias"],
            ["conv.out"],
            name="conv/Conv",
            pads=[1, 1, 1, 1],
            strides=[2, 2],
        ),
        node("Relu", ["conv.out"], ["features"], name="conv/Relu"),
    ]


def flattening(weights):
    """[batch, 8, 8, 8] -> [batch, 512], by the shape of the value: only the batch is not known."""
    for axis in range(4):
        weights.add(f"axis{axis}", axis, np.int64)
    weights.add("flat.axes", [0], np.int64)
    nodes = [node("Shape", ["features"], ["flat.shape"], name="flatten/Shape")]
    nodes += [
        node("Gather", ["flat.shape", f"axis{axis}"], [f"flat.size{axis}"], name=f"flatten/Gather_{axis}")
        for axis in range(4)
    ]
    return nodes + [
        node("Mul", ["flat.size1", "flat.size2"], ["flat.area"], name="flatten/Mul"),
        node("Mul", ["flat.area", "flat.size3"], ["flat.volume"], name="flatten/Mul_1"),
        node("Unsqueeze", ["flat.size0", "flat.axes"], ["flat.batch"], name="flatten/Unsqueeze"),
        node("Unsqueeze", ["flat.volume", "flat.axes"], ["flat.columns"], name="flatten/Unsqueeze_1"),
        node("Concat", ["flat.batch", "flat.columns"], ["flat.target"], name="flatten/Concat", axis=0),
        node("Reshape", ["features", "flat.target"], ["flat"], name="flatten/Reshape"),
    ]


def linear(weights):
    """Two Linear layers: Transpose(weight) and MatMul; the second is stored as float16."""
    weights.normal("fc1.weight", 12, 512)
    weights.normal("fc2.weight", 10, 12, dtype=np.float16)
    weights.normal("fc1.bias", 12)
    return [
        node("Transpose", ["fc1.weight"], ["fc1.columns"], name="fc1/Transpose", perm=[1, 0]),
        node("MatMul", ["flat", "fc1.columns"], ["fc1.product"], name="fc1/MatMul"),
        node("Add", ["fc1.product", "fc1.bias"], ["fc1.out"], name="fc1/Add"),
        node("Gate", ["fc1.out"], ["gated"], name="gate", domain="com.example", strength=0.5),
        node("Cast", ["fc2.weight"], ["fc2.single"], name="fc2/Cast", to=TensorProto.FLOAT),
        node("Transpose", ["fc2.single"], ["fc2.columns"], name="fc2/Transpose", perm=[1, 0]),
        node("MatMul", ["gated", "fc2.columns"], ["logits"], name="fc2/MatMul"),
    ]


def branches(weights):
    """If: one branch mixes the logits by a triangular mask that is computed on the spot, the other adds noise."""
    weights.add("mask.size", [10, 10], np.int64)
    weights.add("mask.norm", 0.1)
    then = helper.make_graph(
        [
            node(
                "ConstantOfShape",
                ["mask.size"],
                ["mask.ones"],
                name="ones",
                value=numpy_helper.from_array(np.ones(1, np.float32)),
            ),
            node("Trilu", ["mask.ones"], ["mask.lower"], name="lower", upper=0),
            node("Mul", ["mask.lower", "mask.norm"], ["mask"], name="scale"),
            node("MatMul", ["logits", "mask"], ["mixed"], name="mix"),
        ],
        "then",
        [],
        [info("mixed", ["batch", 10])],
    )
    other = helper.make_graph(
        [
            node("RandomNormal", [], ["noise"], name="noise", shape=[10], scale=0.01, seed=1.0),
            node("Add", ["logits", "noise"], ["noisy"], name="add"),
        ],
        "else",
        [],
        [info("noisy", ["batch", 10])],
    )
    return [node("If", ["mix"], ["scores"], name="choice", then_branch=then, else_branch=other)]


def buckets(weights):
    """An integer division with a zero in the divisor, as a broken configuration leaves it."""
    weights.add("bucket.sizes", [12, 24, 36], np.int32)
    weights.add("bucket.counts", [4, 0, 6], np.int32)
    return [node("Div", ["bucket.sizes", "bucket.counts"], ["bucket.steps"], name="buckets/Div")]


def sample():
    weights = Weights()
    nodes = convolution(weights) + flattening(weights) + linear(weights) + branches(weights) + buckets(weights)
    graph = helper.make_graph(
        nodes,
        "sample",
        [info("image", ["batch", 3, 16, 16]), info("mix", [], TensorProto.BOOL)],
        [info("scores", ["batch", 10]), info("bucket.steps", [3], TensorProto.INT32)],
        weights.tensors,
    )
    return helper.make_model(
        graph,
        producer_name="make_sample.py",
        ir_version=8,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)],
    )


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("sample.onnx")
    model = sample()
    onnx.checker.check_model(model, full_check=True)
    path.write_bytes(model.SerializeToString(deterministic=True))
    print(f"{path}: {path.stat().st_size} bytes, {len(model.graph.node)} nodes")


if __name__ == "__main__":
    main()
