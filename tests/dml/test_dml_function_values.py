# SPDX-License-Identifier: Apache-2.0
"""Functions of SystemDS's own scripts give on SystemDS what they give as models: those of function_inputs.txt, to 1e-9 of the largest
value. One in sixteen is run, with --long all."""

from pathlib import Path

import pytest

import onnxfold_dml_functions as functions
import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_dml_to_onnx import expectClose, runModel

pytestmark = pytest.mark.skipif(not systemds.systemdsJar(), reason="SystemDS is not installed (tools/setup-systemds.sh)")
LINES = [line.partition(" ") for line in Path(__file__).with_name("function_inputs.txt").read_text().splitlines() if line[0] != "#"]
FUNCTIONS = {name: inputs for name, _, inputs in LINES}
BOUND = {f"{sub}/{name}": bound for sub, rows in functions.page.rowsOf(functions.page.PAGE.read_text()).items()
         for name, (bound, result) in rows.items() if result == "converts"}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    return functions.extracted(tmp_path_factory.mktemp("systemds"))


def test_all_convert():
    assert len(FUNCTIONS) == len(LINES) and set(FUNCTIONS) <= set(BOUND)


@pytest.mark.parametrize("name", list(FUNCTIONS) if t.options.long else list(FUNCTIONS)[::16])
def test_values(folder, scripts, name):
    one = functions.Function(name, BOUND[name], FUNCTIONS[name], scripts)
    model = one.model(folder)
    one.giveOthers(model)
    outputs = [value.name for value in model.graph.output]
    for output, got, wanted in zip(outputs, runModel(model, one.feed(model)), one.onSystemds(folder, outputs)):
        expectClose(got, wanted, output, 1e-9)
