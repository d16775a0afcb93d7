# SPDX-License-Identifier: Apache-2.0
"""The summary of a default run says what -O2 would fuse, and -O2 does that: a ResNet keeps its BatchNormalization nodes at -O1,
and whoever compares node counts with other tools did not learn why."""

import random
import re

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

PROMISE = re.compile(r"^-O2 would fuse (\d+) BatchNormalization nodes? into the Conv, Gemm or MatMul before; floats change within 4 ulp", re.M)


def promised(*arguments):
    found = PROMISE.search(t.runOk(*arguments).err)
    return int(found[1]) if found else 0


def batchNorms(path):
    return sum(one.op_type == "BatchNormalization" for one in onnx.load(path, load_external_data=False).graph.node)


def layers(choose):
    """Blocks of a Conv and a BatchNormalization; `choose` says of each what is odd about it."""
    nodes, constants, outputs, x = [], [const("w", np.ones((4, 4, 1, 1)), np.float32)], [], "x"
    for name, value in (("scale", 2), ("infinite", 3e38), ("bias", 1), ("mean", 0.5), ("var", 3), ("small", 1e-4)):
        constants.append(const(name, np.full(4, value), np.float32))
    for number in range(6):
        kind, conv, out = choose(number), f"conv{number}", f"out{number}"
        nodes.append(node("Relu", [x], [conv]) if kind == "no linear" else node("Conv", [x, "w"], [conv], name=f"layer {number}"))
        scale = "given" if kind == "no constant" else "infinite" if kind == "not finite" else "scale"
        nodes.append(node("BatchNormalization", [conv, scale, "bias", "mean", "small" if kind == "not finite" else "var"], [out]))
        if kind == "read twice":
            nodes.append(node("Neg", [conv], [f"more{number}"]))
            outputs.append(f"more{number}")
        x = out
    outputs.append(x)
    inputs = [info("x", (1, 4, 5, 5)), info("given", (4,))]
    return m.model(nodes, inputs, [info(one, None) for one in outputs], constants)


def save(folder, choose):
    onnx.save(layers(choose), folder / "model.onnx")
    return folder / "model.onnx"


def test_all_of_them(folder):
    path = save(folder, lambda number: "")
    assert promised("-o", folder / "out.onnx", path) == 6 and batchNorms(folder / "out.onnx") == 6
    assert "-O2 would fuse" not in t.runOk("-O2", "-o", folder / "out.onnx", path).err and batchNorms(folder / "out.onnx") == 0


@pytest.mark.parametrize("odd", ["no linear", "no constant", "read twice", "not finite"])
def test_near_misses(folder, odd):
    path = save(folder, lambda number: odd if number == 2 else "")
    assert promised("-o", folder / "out.onnx", path) == 5
    t.runOk("-O2", "-o", folder / "out.onnx", path)
    assert batchNorms(folder / "out.onnx") == 1


@pytest.mark.parametrize("flags", [["-O0"], ["-O2"], ["--disable=conv-batchnorm"], ["--skip=*"], ["--quiet"]])
def test_where_nothing_is_promised(folder, flags):
    assert promised(*flags, "-o", folder / "out.onnx", save(folder, lambda number: "")) == 0


def test_the_promise_is_kept(folder):
    """On the models of tests/models/data, and on blocks that are odd at random."""
    chooser = random.Random(t.options.seed)
    kinds = ("", "", "", "no linear", "no constant", "read twice", "not finite")
    cases = sorted((t.ROOT / "tests/models/data").glob("*.onnx"))
    for number in range(8):
        odd = [chooser.choice(kinds) for _ in range(6)]
        onnx.save(layers(odd.__getitem__), folder / f"blocks{number}.onnx")
        cases.append(folder / f"blocks{number}.onnx")
    assert len(cases) >= 20
    for path in cases:
        promise = promised("-o", folder / "out.onnx", path)
        left = batchNorms(folder / "out.onnx")
        t.runOk("--quiet", "-O2", "-o", folder / "out.onnx", path)
        assert left - batchNorms(folder / "out.onnx") == promise, f"{path.name} of seed {t.options.seed}"
