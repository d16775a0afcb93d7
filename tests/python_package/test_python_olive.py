# SPDX-License-Identifier: Apache-2.0
"""examples/olive: a workflow with the pass, where olive-ai is installed: with PyTorch that is 5 GB, so our tests lack it.

    python3 -m venv build/olive && build/olive/bin/pip install olive-ai requests onnx onnxruntime pytest
    build/olive/bin/python3 -m pytest tests/python_package/test_python_olive.py
"""

import json
import os
import shutil
import subprocess
import sys

import onnx
import pytest

import onnxfold_testing as t
from python_cases import operators, save, simple

EXAMPLE = t.ROOT / "examples/olive"


def test_configuration():
    """The pass that the workflow names is in the package configuration, and the class in the module."""
    workflow = json.loads((EXAMPLE / "workflow.json").read_text())
    package = json.loads((EXAMPLE / "package_config.json").read_text())
    for step in workflow["passes"].values():
        module, _, name = package["passes"][step["type"]]["module_path"].rpartition(".")
        text = (EXAMPLE / f"{module}.py").read_text()
        assert f"class {name}(Pass)" in text, f"{name} is in {module}.py"
        for parameter in set(step) - {"type"}:
            assert f'"{parameter}": PassConfigParam' in text, f"{name} takes {parameter}"


def test_workflow(folder):
    pytest.importorskip("olive")
    for path in EXAMPLE.iterdir():
        shutil.copy(path, folder) if path.is_file() else None
    save(folder, simple())
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{t.ROOT / 'python'}", "OLIVE_DISABLE_TELEMETRY": "1"}
    command = [sys.executable, "-m", "olive", "run", "--config", "workflow.json", "--package-config", "package_config.json"]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = sorted((folder / "folded").rglob("*.onnx"))
    assert done.returncode == 0 and found, f"olive: {done.stdout[-2000:]}"
    assert operators(onnx.load(found[0])) == ["Mul"], "operators"
