# SPDX-License-Identifier: Apache-2.0
"""ONNX's node tests through onnx-to-dml: every script is checked without Java, and where SystemDS is installed
(tools/setup-systemds.sh) it runs and its results are compared. Refusing a test is fine, a wrong result never is.

    build/venv/bin/python3 -m pytest -s tests/dml/test_dml_node_tests.py [--long] [--only=REGEX]

The score and the reasons of refusals are printed (-s); ONNXFOLD_DML_LOG=FILE gets a line for each test. Inputs that decide
shapes are refused as inputs: those, as few as possible, become initializers, and such tests are counted apart. At least one
input is kept: with constants only, onnx-fold would compute the results.
"""

import collections
import json
import os
import re

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import onnxfold_dml as dml
import onnxfold_systemds as systemds
import onnxfold_testing as t

SAMPLE = 12  # every 12th test; --long takes all
# Tests that match, also with bound inputs, of all: what --long asserts.
EXPECTED = {"operators": 1200, "expanded": 420}
MATCHED = ("matched", "matched with bound inputs")


def tensorOf(path):
    return onnx.TensorProto.FromString(path.read_bytes())


class Case:
    """A folder of the node tests: its model, inputs and outputs."""

    def __init__(self, path):
        self.path = path
        self.model = onnx.load(path / "model.onnx")
        data = path / "test_data_set_0"
        read = lambda kind: [tensorOf(data / f"{kind}_{i}.pb") for i in range(len(list(data.glob(f"{kind}_*.pb"))))]
        self.inputs, self.outputs = read("input"), read("output")

    def bound(self, which):
        """The model with these inputs as initializers."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        for i in sorted(which, reverse=True):
            constant = model.graph.initializer.add()
            constant.CopyFrom(self.inputs[i])
            constant.name = model.graph.input[i].name
            del model.graph.input[i]
        return model

    def candidates(self, refusal):
        """The inputs, those first that may decide a shape: that the refusal names, then lists of integers, then others."""

        def rank(i):
            tensor, name = self.inputs[i], self.model.graph.input[i].name
            isInteger = tensor.data_type in (onnx.TensorProto.INT64, onnx.TensorProto.INT32)
            return (f"'{name}'" not in refusal, not (isInteger and len(tensor.dims) < 2), len(tensor.dims) > 1, -i)

        return sorted(range(len(self.inputs)), key=rank)


def isTensors(path):
    """All inputs and outputs are tensors (no sequences), as far as the names of types go."""
    model = onnx.load(path / "model.onnx")
    return all(value.type.HasField("tensor_type") for value in [*model.graph.input, *model.graph.output])


def exportBound(case, folder):
    """The script, with as few inputs bound as it takes, and which. Raises what the tool says with none bound."""
    try:
        return systemds.export(folder, case.model), []
    except systemds.Refused as refusal:
        first = refusal
    bound = []
    for i in case.candidates(str(first))[:-1]:
        bound.append(i)
        if canExport(case, folder, bound):
            break
    else:
        raise first
    for i in list(bound[:-1]):
        fewer = [k for k in bound if k != i]
        if canExport(case, folder, fewer):
            bound = fewer
    return systemds.export(folder, case.bound(bound)), bound


def canExport(case, folder, bound):
    try:
        return bool(systemds.export(folder, case.bound(bound)))
    except systemds.Refused:
        return False


def asNumbers(array, words):
    """Strings as their places in the list of words; what is not among them is none of their numbers."""
    if array.dtype.kind not in "OSU":
        return array
    places = {word: float(i) for i, word in enumerate(words)}
    texts = [one.decode() if isinstance(one, bytes) else str(one) for one in array.ravel()]
    return np.array([places.get(text, len(words)) for text in texts]).reshape(array.shape)


def wordsOf(folder, script, model):
    """The words of each input and output that is of strings."""
    systemds.export(folder, model, "-o", script, f"--interface={folder / 'interface.json'}")
    ports = json.loads((folder / "interface.json").read_text())
    return {port["name"]: port["words"] for kind in ("inputs", "outputs") for port in ports[kind] if "words" in port}


def runCase(case, folder):
    """How it went; an assertion fails for a wrong result."""
    folder.mkdir()
    script, bound = exportBound(case, folder)
    running = systemds.process()
    if not running:
        return "exported"
    given = {case.model.graph.input[i].name: tensor for i, tensor in enumerate(case.inputs) if i not in bound and 0 not in tensor.dims}
    hasStrings = any(tensor.data_type == onnx.TensorProto.STRING for tensor in [*given.values(), *case.outputs])
    words = wordsOf(folder, script, case.bound(bound)) if hasStrings else {}
    inputs = [asNumbers(numpy_helper.to_array(tensor), words.get(name)) for name, tensor in given.items()]
    assert len(systemds.parametersOf(script)) == len(inputs) + len(case.outputs)
    matrices = systemds.runScript(folder, script, inputs, running)
    for value, matrix, tensor in zip(case.model.graph.output, matrices, case.outputs):
        wanted = asNumbers(numpy_helper.to_array(tensor), words.get(value.name))
        isHalf = wanted.dtype.kind == "f" and wanted.dtype.itemsize == 2
        systemds.expectClose(matrix, wanted, value.name, rtol=1e-3, atol=1e-3 if isHalf else 1e-6)
    return "matched with bound inputs" if bound else "matched"


def tryCase(path, folder):
    """The outcome, and the reason for what is not a match."""
    if not isTensors(path):
        return "refused", "no tensors"
    try:
        return runCase(Case(path), folder), ""
    except systemds.Refused as refusal:
        return "refused", str(refusal).split("\n  ")[1].strip()
    except AssertionError as error:
        return "wrong", " ".join(str(error).split())[:300]
    except dml.Mistake as error:
        return "wrong", f"script: {error}"
    except RuntimeError as error:
        return "failed in SystemDS", str(error)[-400:]


def kindOf(reason):
    """A reason without names and numbers, so that equal ones are counted together."""
    return re.sub(r"\d+", "N", re.sub(r" '[^']*'", "", reason))


def cases(isExpanded):
    paths = sorted((t.TEST_DATA / "node").iterdir())
    paths = [path for path in paths if ("_expanded" in path.name) == isExpanded]
    if t.options.only:
        return [path for path in paths if re.search(t.options.only, path.name)]
    return paths if t.options.long else paths[::SAMPLE]


def score(folder, paths):
    """How many tests ended how, and what was wrong."""
    counts, reasons, wrong = collections.Counter(), collections.Counter(), []
    for i, path in enumerate(paths):
        outcome, reason = tryCase(path, folder / f"case{i}")
        counts[outcome] += 1
        if outcome == "refused":
            reasons[kindOf(reason)] += 1
        elif reason:
            wrong.append(f"{path.name}: {outcome}: {reason}")
        if "ONNXFOLD_DML_LOG" in os.environ:
            with open(os.environ["ONNXFOLD_DML_LOG"], "a") as log:
                log.write(f"{path.name}: {outcome}: {reason}\n")
    print()
    for reason, count in reasons.most_common():
        print(f"  {count:4} refused: {reason}")
    print(f"{len(paths)} tests: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    return counts, wrong


@pytest.mark.parametrize("kind", ["operators", "expanded"])
def test_node_tests(folder, kind):
    paths = cases(kind == "expanded")
    counts, wrong = score(folder, paths)
    assert not wrong, "\n".join(wrong)
    if t.options.only or not systemds.systemdsJar():
        return
    matched = sum(counts[outcome] for outcome in MATCHED)
    assert matched >= (EXPECTED[kind] if t.options.long else len(paths) // 20), f"{matched} of {len(paths)} match"
