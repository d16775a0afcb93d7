# SPDX-License-Identifier: Apache-2.0
"""Real models, before and after: the light models of the onnx package and the models in tests/models/data.

Each is folded with an unlimited budget at -O0, at the default level, and there with --precision=wide. The result must pass the
checker with full check, must agree with the original in ONNX Runtime on fixed seeds, must hold no operator of ours with
constant inputs only, and must be the same bytes when made twice and when folded again. Short form: one seed for the light
models, whose outputs say little (all weights are 0.02), not --precision=wide, and not the LARGEST three; --long: three seeds and
all flags everywhere.
"""

import json
from collections import Counter, namedtuple
from pathlib import Path

import numpy as np
import pytest
import onnx

import onnxfold_compare as compare
import onnxfold_testing as t
import onnxfold_wire as wire

SEEDS = (1, 2, 3)
UNLIMITED = "--max-growth=unlimited"
LEVELS = {"O0": [UNLIMITED, "-O0"], "O1": [UNLIMITED], "wide": [UNLIMITED, "--precision=wide"]}
# How far results may be apart: relative to the largest value, or in all for quantised models; None: the default.
Bounds = namedtuple("Bounds", "tolerance quantum")
# The light models with the largest weights.
LARGEST = ("light_vgg19", "light_zfnet512", "light_bvlc_alexnet")
INPUTS = json.loads((t.ROOT / "tests/models/data/inputs.json").read_text())


def inputsOf(path, model):
    if path.stem in INPUTS:
        return INPUTS[path.stem]
    stored = {tensor.name for tensor in model.graph.initializer}
    specs = []
    for value in model.graph.input:
        if value.name not in stored:
            shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            specs.append({"name": value.name, "dtype": "float32", "shape": shape, "lo": 0, "hi": 1})
    return specs


def quantumOf(model, results):
    """One step of the quantised outputs, or None for a model that is not quantised.

    Static: the scale of the DequantizeLinear that makes the output. Dynamic (and where there is none): a 255th of the range.
    """
    nodes = {name: node for node in model.graph.node for name in node.output}
    if not any("Quantize" in node.op_type for node in nodes.values()):
        return None
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    last = nodes.get(model.graph.output[0].name)
    if last is not None and last.op_type == "DequantizeLinear" and last.input[1] in stored:
        return 1.001 * float(np.max(onnx.numpy_helper.to_array(stored[last.input[1]])))
    values = np.concatenate([value.ravel() for result in results for value in result.values()])
    return float(values.max() - values.min()) / 255


def toleranceOf(model):
    """A model that computes in f16 is judged as one, also where its last operator is a cast to f32."""
    half = any(tensor.data_type == onnx.TensorProto.FLOAT16 for tensor in model.graph.initializer)
    return compare.TOLERANCE["float16"] if half else None


def expectLossless(source, folded):
    """At -O0 a node is there as it was, byte for byte, or not at all; so are initializers, inputs, outputs and value_info.

    New are only constants under names that values had before. Nodes with subgraphs may have changed inside.
    """
    before = wire.first(Path(source).read_bytes(), 7)
    after = wire.first(Path(folded).read_bytes(), 7)
    old = Counter(whole for _, _, _, whole in wire.fields(before))
    values = {name for node in wire.every(before, 1) for name in wire.every(node, 2)}
    for field, _, content, whole in wire.fields(after):
        if old[whole] > 0:
            old[whole] -= 1
            continue
        if field == 5:
            name = wire.first(content, 8)
            assert name in values, f"{folded.name}: new initializer {name}, a name that no value had"
            continue
        assert field == 1, f"{folded.name}: a field {field} of the graph was changed: {whole[:80]}"
        operator, names = wire.first(content, 4), wire.every(content, 2)
        if operator == b"Constant":
            assert set(names) <= values, f"{folded.name}: new Constant {names}, a name that no value had"
            continue
        hasBody = any(wire.first(attribute, 6) is not None for attribute in wire.every(content, 5))
        assert hasBody, f"{folded.name}: node {operator} {names} was changed at -O0"
    # Below IR version 4 an initializer that nothing reads any more goes with its input.
    initializers = lambda graph: {wire.first(tensor, 8) for tensor in wire.every(graph, 5)}
    gone = initializers(before) - initializers(after) if onnx.load(folded, load_external_data=False).ir_version < 4 else set()
    left = [value for value in wire.every(before, 11) if wire.first(value, 1) not in gone]
    assert wire.every(after, 11) == left, f"{folded.name}: graph inputs changed"
    assert wire.every(after, 12) == wire.every(before, 12), f"{folded.name}: graph outputs changed"


def expectValid(folded):
    try:
        onnx.checker.check_model(str(folded), full_check=True)
    except Exception as error:
        raise AssertionError(f"{folded.name}: the checker refuses it: {str(error)[:400]}")


def expectStable(source, folded, folder, flags):
    """Folding twice gives the same bytes; so does folding the output again, under either budget."""
    for what, model, more in (
        ("folded twice", source, flags),
        ("folded again", folded, flags),
        ("folded again under the default budget", folded, flags[1:]),
    ):
        again = t.fold(model, folder / "again.onnx", *more)
        t.expectSameBytes(again, folded, what)
        again.unlink()


def checkLevel(path, folder, level, expected, feeds, bounds):
    """All that must hold at one level; a failed check does not hide the others."""
    flags = LEVELS[level]
    folded = t.fold(path, folder / f"{path.stem}.{level}.onnx", *flags)

    def complete():
        left = t.foldableLeft(onnx.load(folded))
        assert not left, f"{len(left)} foldable operators left: {left[:5]}"

    def agrees():
        for result, want in zip(compare.outputs(folded, feeds, apart=True), expected):
            compare.expectAgreement(result, want, folded.name, bounds.tolerance, bounds.quantum)

    checks = [lambda: expectValid(folded), complete, agrees, lambda: expectStable(path, folded, folder, flags)]
    if level == "O0":
        checks.append(lambda: expectLossless(path, folded))
    failures = []
    for check in checks:
        try:
            check()
        except AssertionError as failure:
            failures.append(str(failure))
    folded.unlink()
    assert not failures, f"{level}: " + "; ".join(failures)


def checkDefaultBudget(path, folder, expected, feeds, bounds):
    folded = t.fold(path, folder / "default.onnx")
    expectValid(folded)
    grown = folded.stat().st_size - path.stat().st_size
    # The budget counts tensor bytes; names, shapes and the note about the budget come on top.
    allowed = max(1 << 20, path.stat().st_size // 100) + 65536
    assert grown <= allowed, f"grew by {grown} bytes under the default budget, at most {allowed} allowed"
    for result, want in zip(compare.outputs(folded, feeds, apart=True), expected):
        compare.expectAgreement(result, want, folded.name, bounds.tolerance, bounds.quantum)
    again = t.fold(folded, folder / "again.onnx")
    t.expectSameBytes(again, folded, "folded again under the default budget")


def checkModel(path, folder, long):
    before = t.fileState(path)
    model = onnx.load(path)
    light = path.stem.startswith("light_")
    seeds = SEEDS if long or not light else SEEDS[:1]
    specs = inputsOf(path, model)
    feeds = [compare.randomFeed(specs, seed) for seed in seeds]
    expected = compare.outputs(path, feeds, apart=True)
    bounds = Bounds(toleranceOf(model), quantumOf(model, expected))
    for level in LEVELS if long or not light else ("O0", "O1"):
        checkLevel(path, folder, level, expected, feeds, bounds)
    checkDefaultBudget(path, folder, expected, feeds, bounds)
    assert t.fileState(path) == before, f"state of the input {path}"


@pytest.mark.parametrize("path", t.shippedModels() + t.lightModels(), ids=lambda path: path.stem)
def test_model(path, folder):
    if path.stem in LARGEST and not t.options.long:
        pytest.skip("takes a minute, and the operators of the other models: --long")
    checkModel(path, folder, t.options.long)


@pytest.mark.parametrize("find, wanted", [(t.shippedModels, 15), (t.lightModels, 9)])
def test_all_models_are_there(find, wanted):
    assert len(find()) >= wanted, f"{len(find())} models found, expected {wanted}; see ONNXFOLD_TEST_DATA"
