# SPDX-License-Identifier: Apache-2.0
"""The options that change the form of a model, there and back: another element type, constants as nodes, another version of the
format, another opset. What comes back is what went: weights bit by bit (or rounded once), nodes, and the values in ONNX Runtime.

Short form: every 23rd of ONNX's node tests and three models of tests/models/data; --long: all of them."""

import collections
import dataclasses
import json
import re

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
import test_toolkit_pairs as pairs
from onnx import TensorProto, numpy_helper


@dataclasses.dataclass
class Way:
    there: list
    back: list  # "{ir}" and "{opset}" are those of the original
    avoid: tuple = ()  # models with values of these types would come back as others
    rounds: type = None  # of weights
    flags: tuple = ("-O0",)
    refusal: str = None  # the only error that a model may meet
    sameBytes: bool = False  # what comes back has the bytes of a run without either option


F64, F16, BF16 = TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16
WAYS = {
    "f64": Way(["--convert=f32:f64"], ["--convert=f64:f32"], avoid=(F64,)),
    "f16": Way(["--convert=f32:f16"], ["--convert=f16:f32"], avoid=(F16,), rounds=np.float16),
    "nodes": Way(["--constants=nodes"], ["--constants=initializers"]),
    "initializers": Way(["--constants=initializers"], ["--constants=nodes"]),
    "ir": Way(["--ir-version=13"], ["--ir-version={ir}"], sameBytes=True),
    "opset": Way(["--target-opset=26"], ["--target-opset={opset}"], refusal=r"--target-opset|cannot be|to \d+: node|opset"),
    "down": Way(["--target-opset=13"], ["--target-opset={opset}"], refusal=r"--target-opset|cannot be|to \d+: node|opset"),
}
SMALL = ("control_flow", "lstm", "distilbert")


def typesOf(model):
    """Element types that the model names, those of Casts included."""
    found = set()
    for one in m.everyMessage(model):
        kind = one.DESCRIPTOR.name
        if kind == "Tensor":
            found.add(one.elem_type)
        elif kind == "TensorProto":
            found.add(one.data_type)
        elif kind == "AttributeProto" and one.name in ("to", "dtype"):
            found.add(one.i)
    return found


def operators(model):
    return collections.Counter(one.op_type for one in m.everyMessage(model) if one.DESCRIPTOR.name == "NodeProto" and one.op_type != "Constant")


def tensors(model):
    """{name: tensor} of initializers and of Constant nodes, bodies included."""
    found = {one.name: one for one in m.everyMessage(model) if one.DESCRIPTOR.name == "TensorProto" and one.name}
    for one in m.everyMessage(model):
        if one.DESCRIPTOR.name == "NodeProto" and one.op_type == "Constant" and one.attribute and one.attribute[0].name == "value":
            found[one.output[0]] = one.attribute[0].t
    return found


def weights(model):
    """{name: type, shape and bits}"""
    return {name: (one.data_type, list(one.dims), compare.bitPattern(numpy_helper.to_array(one)).tolist()) for name, one in tensors(model).items()}


def rounded(model, kind, back):
    """With its tensors of f32 rounded, but for those that `back` has as they were: what would overflow or vanish stays."""
    for name, tensor in tensors(model).items():
        value = numpy_helper.to_array(tensor)
        if tensor.data_type == TensorProto.FLOAT and not (name in back and np.array_equal(value, numpy_helper.to_array(back[name]), equal_nan=True)):
            tensor.CopyFrom(numpy_helper.from_array(pairs.inType(value, kind), tensor.name))
    return model


def run(folder, source, name, flags, way):
    """The result, or nothing if the model is refused with a reason that the way may have."""
    out = folder / name / "model.onnx"
    out.parent.mkdir(exist_ok=True)
    done = t.run("--quiet", *way.flags, *flags, "-o", out, source)
    if done.code == 1 and way.refusal and re.search(way.refusal, done.err):
        return None
    assert done.code == 0, f"{source.name} {flags}: {done}"
    onnx.checker.check_model(str(out))
    return out


def expectBack(folder, given, feeds, name):
    """True if it went there and back; nothing if this model is none for the way."""
    way = WAYS[name]
    source = run(folder, given, "folded", [], Way([], []))
    model = onnx.load(source)
    if typesOf(model) & set(way.avoid):
        return None
    values = {"ir": model.ir_version, "opset": max([one.version for one in model.opset_import if one.domain in ("", "ai.onnx")], default=1)}
    if (name == "ir" and values["ir"] < 4) or (name == "down" and values["opset"] <= 13):
        return None
    there = run(folder, source, "there", way.there, way)
    back = there and run(folder, there, "back", [flag.format(**values) for flag in way.back], way)
    if not back:
        return False
    what = f"{given.name} {' '.join(way.there)} and back"
    if way.sameBytes:
        t.expectSameBytes(back, source, what)
    result = onnx.load(back)
    reference = source
    if way.rounds:
        reference = folder / "rounded.onnx"
        model = rounded(model, way.rounds, tensors(result))
        onnx.save(model, reference)
    if name in ("f64", "f16"):
        more, less = operators(result) - operators(model), operators(model) - operators(result)
        assert not more and set(less) <= {"Cast"}, f"{what}: {more} more, {less} less"
    if name not in ("opset", "down"):
        mine, want = weights(result), weights(model)
        differ = [one for one in mine if one in want and mine[one] != want[one]]
        assert not differ, f"{what}: weights {differ} differ"
    for got, want in zip(compare.outputs(back, feeds), compare.outputs(reference, feeds), strict=True):
        compare.expectAgreement(got, want, what)
    return True


@pytest.mark.parametrize("name", WAYS)
def test_node_tests_back(folder, name):
    counts, failures = collections.Counter(), []
    for source, feed in pairs.nodeTests(folder):
        try:
            counts[expectBack(folder, source, [feed], name)] += 1
        except AssertionError as why:
            failures.append(str(why)[:600])
    print(f"  {name}: {counts[True]} there and back, {counts[False]} refused, {counts[None]} none for it")
    assert not failures, f"{len(failures)} of {sum(counts.values())}:\n" + "\n".join(failures)
    assert counts[True] > (300 if t.options.long else 10), counts


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("model", pairs.INPUTS if t.options.long else SMALL)
def test_models_back(folder, model, name):
    feeds = [compare.randomFeed(json.loads((t.ROOT / "tests/models/data/inputs.json").read_text())[model], 1)]
    done = expectBack(folder, t.ROOT / f"tests/models/data/{model}.onnx", feeds, name)
    assert done is not False or WAYS[name].refusal, f"{model} {name}"
