# SPDX-License-Identifier: Apache-2.0
"""--keep-initializer: what a caller may replace keeps its name, its bytes and its place, and is folded into nothing."""

import json

import numpy as np
import onnx
import onnxruntime as ort
import pytest

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

RANDOM = np.random.default_rng(24)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def stored(model):
    return {tensor.name: tensor.SerializeToString() for tensor in model.graph.initializer}


def adapted(**more):
    """y = x transpose(w + a b), with what else folds: -c."""
    nodes = [
        node("MatMul", ["lora_a", "lora_b"], ["ab"]),
        node("Add", ["w", "ab"], ["w2"]),
        node("Transpose", ["w2"], ["wt"]),
        node("MatMul", ["x", "wt"], ["xw"]),
        node("Neg", ["c"], ["n"]),
        node("Add", ["xw", "n"], ["y"]),
    ]
    constants = [const("w", floats(4, 8)), const("lora_a", floats(4, 2)), const("c", floats(4)), const("lora_b", floats(2, 8))]
    return m.model(nodes, [info("x", ("batch", 8))], [info("y", ("batch", 4))], constants, **more)


def replaced(model, values):
    """The model with other values in its initializers, as a runtime that refits it computes it."""
    result = onnx.ModelProto.FromString(model.SerializeToString())
    for tensor in result.graph.initializer:
        if tensor.name in values:
            tensor.CopyFrom(const(tensor.name, values[tensor.name]))
    return result


def results(model, feed):
    return ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feed)


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
def test_adapters_can_be_replaced_in_the_result(folder, level):
    source = adapted()
    folded = m.folded(folder, source, "--keep-initializer=lora_*", level)
    operators = ["Gemm", "Gemm"] if level == "-O2" else ["MatMul", "Add", "Transpose", "MatMul", "Add"]
    assert m.operators(folded) == operators, "Neg folds and no other"
    before, after = stored(source), stored(folded)
    assert list(after)[:3] == ["w", "lora_a", "lora_b"], "order"
    assert all(after[name] == before[name] for name in ("w", "lora_a", "lora_b")), "bytes"
    others = {"lora_a": floats(4, 2), "lora_b": floats(2, 8)}
    feed = {"x": floats(3, 8)}
    for got, want in zip(results(replaced(folded, others), feed), results(replaced(source, others), feed)):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


def test_no_value_is_used(folder):
    """Zero, one and equal values, all of which clean-ups look for; sizes that a reshape reads; a condition."""
    branch = m.graph([node("Neg", ["x"], ["t"])], [], [info("t", (2, 3))])
    other = m.graph([node("Abs", ["x"], ["e"])], [], [info("e", (2, 3))])
    nodes = [
        node("Add", ["x", "zero"], ["a"]),
        node("Mul", ["a", "one"], ["b"]),
        node("Mul", ["b", "same"], ["d"]),
        node("Reshape", ["d", "sizes"], ["r"]),
        node("If", ["choose"], ["f"], then_branch=branch, else_branch=other),
        node("Add", ["r", "f"], ["y"]),
    ]
    constants = [
        const("zero", np.zeros(3, np.float32)),
        const("one", np.ones(3, np.float32)),
        const("same", np.ones(3, np.float32)),
        const("sizes", [2, 3], np.int64),
        const("choose", True, bool),
        const("unread", np.ones(3, np.float32)),
    ]
    source = m.model(nodes, [info("x")], [info("y")], constants)
    folded = m.folded(folder, source, "--keep-initializer=*", "-O2")
    assert m.operators(folded) == m.operators(source), "every operator is there"
    assert stored(folded) == stored(source), "every initializer is there, the unread and the equal ones too"
    assert list(stored(folded)) == list(stored(source)), "order"
    assert t.run("--check", "--keep-initializer=*", "-O0", folder / "model.onnx").code == 0, "nothing is changed"


def test_an_equal_constant_is_no_substitute(folder):
    """What folds to the value of a kept initializer gets an initializer of its own."""
    value = floats(2, 3)
    nodes = [node("Neg", ["minus"], ["folds"]), node("Add", ["x", "w"], ["a"]), node("Mul", ["a", "folds"], ["y"])]
    source = m.model(nodes, [info("x")], [info("y")], [const("w", value), const("minus", -value)])
    folded = m.folded(folder, source, "--keep-initializer=w")
    add, multiply = folded.graph.node
    assert "w" in add.input and "w" not in multiply.input, f"{folded.graph.node}"


@pytest.mark.parametrize("version", [3, 8])
def test_initializers_that_are_inputs_too(folder, version):
    """Of IR version 3 all are; newer runtimes replace those as inputs."""
    nodes = [node("Neg", ["w"], ["n"]), node("Mul", ["x", "n"], ["y"])]
    source = m.model(nodes, [info("x"), info("w")], [info("y")], [const("w", floats(2, 3))], opset=8, ir=version)
    onnx.save(source, folder / "model.onnx")
    if version == 3:
        folded = m.folded(folder, source, "--keep-initializer=w")
        assert m.operators(folded) == ["Neg", "Mul"] and stored(folded) == stored(source)
        assert [value.name for value in folded.graph.input] == ["x", "w"], "interface"


def test_external_data_stays_where_it_is(folder):
    source = adapted()
    onnx.save(source, folder / "large.onnx", save_as_external_data=True, location="large.data", size_threshold=0)
    t.runOk("--keep-initializer=lora_*", folder / "large.onnx", "-o", folder / "out.onnx")
    folded = onnx.load(folder / "out.onnx", load_external_data=False)
    before = onnx.load(folder / "large.onnx", load_external_data=False)
    for name in ("w", "lora_a", "lora_b"):
        assert stored(folded)[name] == stored(before)[name], f"{name} is where it was"
    feed = {"x": floats(2, 8)}
    for got, want in zip(compare.outputs(folder / "out.onnx", [feed]), compare.outputs(folder / "large.onnx", [feed])):
        compare.expectAgreement(got, want, "folded model")


def test_the_report_says_what_it_cost(folder):
    onnx.save(adapted(), folder / "model.onnx")
    result = t.runOk(folder / "model.onnx", "--keep-initializer=lora_*")
    assert "3 nodes kept for 2 initializers of --keep-initializer" in result.err, result.err
    t.runOk(folder / "model.onnx", "--keep-initializer=lora_*", f"--report=json:{folder}/report.json")
    report = json.loads((folder / "report.json").read_text())
    assert report["kept_initializers"] == {"nodes": 3, "names": ["lora_a", "lora_b"]}, "MatMul, Add, Transpose"
    t.runOk(folder / "model.onnx", f"--report=json:{folder}/report.json")
    assert "kept_initializers" not in json.loads((folder / "report.json").read_text()), "only with the option"


def test_the_result_is_verified(folder):
    onnx.save(adapted(), folder / "model.onnx")
    result = t.runOk(folder / "model.onnx", "--keep-initializer=w", "--verify")
    assert "1 of 1 values agree" in result.err, result.err


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--keep-initializer=x"], ["model.onnx", "--keep-initializer is 'x'", "expected the name of an initializer"]),
        (["--keep-initializer=y"], ["--keep-initializer is 'y'", "expected the name of an initializer"]),
        (["--keep-initializer=[w"], ["--keep-initializer is '[w'"]),
        (["--keep-initializer=w", "--run-once=w"], ["--run-once and --keep-initializer are given, expected one of them"]),
    ],
)
def test_refused(folder, flags, words):
    onnx.save(adapted(), folder / "model.onnx")
    result = t.run(folder / "model.onnx", *flags)
    assert result.code == 1 and all(word in result.err for word in words), result.err
    assert not (folder / "model.folded.onnx").exists(), "an output was written"


def test_random_models(folder):
    """Whatever a model computes from a kept weight, another weight in the result gives what it gives in the model."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        nodes, values = [], ["w0", "w1", "c0", "x"]
        for step in range(8):
            kind = random.choice(["Add", "Mul", "Sub", "Neg", "Abs", "Identity"])
            operands = [str(random.choice(values)) for _ in range(2 if kind in ("Add", "Mul", "Sub") else 1)]
            nodes.append(node(str(kind), operands, [f"v{step}"]))
            values.append(f"v{step}")
        nodes.append(node("Sum", values[4:], ["y"]))
        constants = [const(name, random.integers(-1, 2, 3).astype(np.float32)) for name in ("w0", "w1", "c0")]
        source = m.model(nodes, [info("x", (3,))], [info("y", (3,))], constants)
        folded = m.folded(folder, source, "--keep-initializer=w*", runs=False)
        others = {name: random.integers(-3, 4, 3).astype(np.float32) for name in ("w0", "w1")}
        feed = {"x": random.integers(-3, 4, 3).astype(np.float32)}
        for got, want in zip(results(replaced(folded, others), feed), results(replaced(source, others), feed)):
            assert np.array_equal(got, want), f"seed {seed}: {got} instead of {want}"
