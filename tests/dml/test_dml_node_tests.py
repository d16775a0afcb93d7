"""ONNX's node tests through onnx-to-dml: every script is checked without Java, and where SystemDS is installed
(tools/setup-systemds.sh) it runs and its results are compared. Refusing a test is fine, a wrong result never is.

    build/venv/bin/python3 -m pytest tests/dml/test_dml_node_tests.py [--long] [-s: prints the score]

Inputs that decide shapes are refused as inputs: then they are made initializers, and counted apart.
"""

import os
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import onnxfold_dml as dml
import onnxfold_testing as t

TOOL = t.TOOL.parent / "onnx-to-dml"
SAMPLE = 12  # every 12th test; --long takes all


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

    def bound(self):
        """The model with every input but the first as an initializer."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        for value, tensor in list(zip(model.graph.input, self.inputs))[1:]:
            constant = model.graph.initializer.add()
            constant.CopyFrom(tensor)
            constant.name = value.name
        del model.graph.input[1:]
        return model


def isTensors(path):
    """All inputs and outputs are numbers (no sequences, no strings), as far as the names of types go."""
    model = onnx.load(path / "model.onnx")
    return all(value.type.HasField("tensor_type") for value in [*model.graph.input, *model.graph.output])


def export(model, folder):
    """The script, or None and what the tool says."""
    onnx.save(model, folder / "model.onnx")
    run = subprocess.run([TOOL, folder / "model.onnx"], capture_output=True, text=True)
    if run.returncode == 1 and "cannot be expressed" in run.stderr:
        return None
    assert run.returncode == 0, run.stderr
    dml.check((folder / "model.dml").read_text())
    return folder / "model.dml"


def parametersOf(script):
    """The names that the driver part gives to inputs and outputs, in order."""
    lines = script.read_text().splitlines()
    names = [line.split("$")[1].split(",")[0] for line in lines if "= ifdef($" in line]
    return [name for name in names if name not in ("format", "weights")]


def expectOutputs(case, folder, names, count):
    for name, tensor in zip(names[count:], case.outputs):
        expected = numpy_helper.to_array(tensor)
        actual = dml.readMatrix(folder / name)
        assert actual.shape == dml.matrixOf(expected).shape, f"matrix of {name}"
        actual = actual.reshape(expected.shape)
        if expected.dtype.kind in "iub":
            np.testing.assert_array_equal(actual, expected.astype(np.float64))
        else:
            isHalf = expected.dtype == np.float16
            np.testing.assert_allclose(
                actual, expected.astype(np.float64), rtol=1e-3, atol=1e-3 if isHalf else 1e-6, equal_nan=True
            )


def runCase(case, folder, systemds):
    """"refused", "exported", "matched" or "matched with bound inputs"; an assertion fails for a wrong result."""
    folder.mkdir()
    script, inputs, how = export(case.model, folder), case.inputs, "matched"
    if not script and len(case.inputs) > 1:
        script, inputs, how = export(case.bound(), folder), case.inputs[:1], "matched with bound inputs"
    if not script:
        return "refused"
    if not systemds:
        return "exported"
    names = parametersOf(script)
    assert len(names) == len(inputs) + len(case.outputs)
    for name, tensor in zip(names, inputs):
        dml.writeMatrix(folder / name, numpy_helper.to_array(tensor))
    systemds.run(
        script, format="csv", weights=folder / "model.weights", **{name: folder / name for name in names}
    )
    expectOutputs(case, folder, names, len(inputs))
    return how


def cases(isExpanded):
    paths = sorted((t.TEST_DATA / "node").iterdir())
    paths = [path for path in paths if ("_expanded" in path.name) == isExpanded]
    return paths if t.options.long else paths[::SAMPLE]


def score(folder, paths, systemds):
    counts, wrong, broken = {}, [], []
    for i, path in enumerate(paths):
        if not isTensors(path):
            outcome = "refused"
        else:
            try:
                outcome = runCase(Case(path), folder / f"case{i}", systemds)
            except AssertionError as error:
                wrong.append(f"{path.name}: {' '.join(str(error).split())[:300]}")
                outcome = "wrong"
            except dml.Mistake as error:
                wrong.append(f"{path.name}: script: {error}")
                outcome = "wrong"
            except RuntimeError as error:
                broken.append(f"{path.name}: {str(error)[-400:]}")
                outcome = "failed in SystemDS"
        counts[outcome] = counts.get(outcome, 0) + 1
        if "ONNXFOLD_DML_LOG" in os.environ:
            with open(os.environ["ONNXFOLD_DML_LOG"], "a") as log:
                log.write(f"{path.name}: {outcome}\n")
    print(counts)
    return counts, wrong, broken


@pytest.mark.parametrize("isExpanded", [False, True], ids=["operators", "expanded"])
def test_node_tests(folder, isExpanded):
    paths = cases(isExpanded)
    if dml.systemdsJar():
        with dml.SystemDS(folder) as systemds:
            counts, wrong, broken = score(folder, paths, systemds)
    else:
        counts, wrong, broken = score(folder, paths, None)
    assert not wrong, "\n".join(wrong)
    assert not broken, "\n".join(broken)
    assert counts.get("matched", 0) + counts.get("exported", 0) > len(paths) // 20
