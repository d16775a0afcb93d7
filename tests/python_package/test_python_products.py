# SPDX-License-Identifier: Apache-2.0
"""Ultralytics and Optimum themselves, where they are installed: their own exports, unchanged, with our modules and with the peers'.

Networks have random weights. tests/python_package/test_python_olive.py is the same for Olive.
"""

import importlib.util
import os
import subprocess
import sys

import pytest

import onnxfold_testing as t

YOLO = """
import onnx, ultralytics
path = ultralytics.YOLO("yolo11n.yaml").export(format="onnx", imgsz=64, simplify=True)
print("nodes", len(onnx.load(path).graph.node))
"""
WHISPER = """
import onnx, pathlib, transformers
from optimum.exporters.onnx import onnx_export_from_model
sizes = {f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in (("layers", 2), ("attention_heads", 2), ("ffn_dim", 64))}
tokens = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 3, "vocab_size": 200}
network = transformers.WhisperForConditionalGeneration(transformers.WhisperConfig(d_model=32, **sizes, **tokens))
onnx_export_from_model(network, output=pathlib.Path("whisper"), task="automatic-speech-recognition", opset=17, slim=True, do_validation=False)
print("nodes", *(len(onnx.load(file).graph.node) for file in sorted(pathlib.Path("whisper").glob("*.onnx"))))
"""
INSTALL = "import onnx_fold.compat; onnx_fold.compat.install()\n"


def exported(folder, script, *before):
    """The nodes of the models that it exports, and what it prints."""
    folder.mkdir()
    (folder / "export.py").write_text(script)
    environment = {**os.environ, "PYTHONPATH": str(t.ROOT / "python"), "YOLO_CONFIG_DIR": str(folder), "YOLO_OFFLINE": "true"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, *before, "export.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    return [int(one) for line in done.stdout.splitlines() if line.startswith("nodes ") for one in line.split()[1:]], text


@pytest.mark.parametrize("package, script, models", [("ultralytics", YOLO, 1), ("optimum.exporters.onnx", WHISPER, 2)])
def test_their_exports(folder, package, script, models):
    for name in (package.partition(".")[0], "torch", "onnxslim"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    pytest.importorskip(package)
    theirs, _ = exported(folder / "theirs", script)
    byCommand, text = exported(folder / "command", script, "-m", "onnx_fold.compat", "--", sys.executable)
    byLine, _ = exported(folder / "line", INSTALL + script)
    assert len(theirs) == models and byCommand == byLine, f"{theirs}, {byCommand}, {byLine}"
    assert all(ours <= peer for ours, peer in zip(byLine, theirs)) and "failure" not in text, f"{byLine}, {theirs}: {text}"
