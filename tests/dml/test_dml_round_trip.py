# SPDX-License-Identifier: Apache-2.0
"""Scripts of onnx-to-dml, which dml-to-onnx makes models of again: the results are those of SystemDS. Without SystemDS models are
made and run, and not compared."""

import json
import re

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import onnxfold_compare as compare
import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_dml_node_tests import Case, isTensors
from test_dml_to_onnx import TOOL, NotConverted, OnlySingle, convert, expectClose, runModel

SAMPLE = 24  # every 24th node test; --long takes all
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")


def comesBack(case, folder):
    """False if it is refused; asserts that the results are those of SystemDS. Its weights come as constants."""
    script = systemds.export(folder, case.model)
    inputs = [numpy_helper.to_array(one) for one in case.inputs]
    names = re.findall(r"^(\w+) = read\(\w+\) ", script.read_text(), re.MULTILINE)
    arrays = dict(zip(names, (systemds.matrixOf(value) for value in inputs if value.size)))
    sizes = [f"--input-shape={name}:{array.shape[0]},{array.shape[1]}" for name, array in arrays.items()]
    try:
        model = convert(script, *sizes)
    except NotConverted:
        return False
    got = runModel(model, arrays)
    if systemds.process():
        for one, matrix in zip(got, systemds.runScript(folder, script, inputs, systemds.process())):
            expectClose(one, matrix, case.path.name, 1e-11)
    return True


def test_node_tests_come_back(folder):
    paths = [path for path in sorted((t.TEST_DATA / "node").iterdir()) if isTensors(path)]
    back, exported = 0, 0
    for i, path in enumerate(paths if t.options.long else paths[::SAMPLE]):
        (folder / f"{i}").mkdir()
        try:
            back += comesBack(Case(path), folder / f"{i}")
            exported += 1
        except systemds.Refused:
            continue
    print(f"\n{back} of {exported} scripts come back")
    assert back == exported


INPUTS = json.loads((t.ROOT / "tests/models/data/inputs.json").read_text())
OFTEN = ("albert", "control_flow", "mobilenet_qdq")  # the others with --long


@pytest.mark.parametrize("path", t.shippedModels(), ids=lambda path: path.stem)
def test_models_come_back(folder, path):
    if not t.options.long and path.stem not in OFTEN:
        pytest.skip("takes long: --long")
    model = onnx.load(path)
    feed = compare.randomFeed(INPUTS[path.stem], seed=1)
    feed = {name: feed[name] for name in systemds.inputNames(model)}
    shapes = [f"--input-shape={name}:{','.join(map(str, array.shape))}" for name, array in feed.items()]
    try:
        script = systemds.export(folder, model, *shapes)
    except systemds.Refused as refusal:
        pytest.skip(f"onnx-to-dml refuses it: {str(refusal)[:200]}")
    names = re.findall(r"^(\w+) = read\(\w+\) ", script.read_text(), re.MULTILINE)
    arrays = dict(zip(names, map(systemds.matrixOf, feed.values())))
    sizes = [f"--input-shape={name}:{array.shape[0]},{array.shape[1]}" for name, array in arrays.items()]
    back, tolerance = convert(script, *sizes), 1e-9
    assert [value.name for value in back.graph.input] == names
    try:
        got = runModel(back, arrays)
    except OnlySingle:
        tolerance = 1e-4
        got = runModel(convert(script, *sizes, "--type=float32"), {name: np.float32(array) for name, array in arrays.items()})
    if systemds.process():
        for one, matrix in zip(got, systemds.runScript(folder, script, list(feed.values()), systemds.process())):
            expectClose(one, matrix, path.stem, tolerance)
