"""The tool for aarch64 under qemu, if it was built (tools/test_aarch64.sh): the bytes that it writes are those of the tool of
this machine, for the models of the tests and of the onnx package. Short form: a tenth of the node tests, one set of flags."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import onnxfold_testing as t

TOOL = Path(os.environ.get("ONNXFOLD_AARCH64", t.ROOT / "build-aarch64/bin/onnx-fold"))
EMULATOR = shutil.which("qemu-aarch64-static")
FLAGS = [["-O2", "--fold-quantization"], [], ["-O0", "--max-growth=unlimited"]]
pytestmark = pytest.mark.skipif(not TOOL.exists() or not EMULATOR, reason="tools/test_aarch64.sh was not run")


def outcome(command, out):
    """Exit status, standard error, and the folded model if there is one."""
    run = subprocess.run([*command, "-o", out], capture_output=True, text=True)
    folded = out.read_bytes() if out.exists() else None
    out.unlink(missing_ok=True)
    return run.returncode, run.stderr, folded


def differences(folder, models, flags):
    arguments = ["--quiet", "--inline-data", *flags]
    for model in models:
        ours = outcome([t.TOOL, *arguments, model], folder / "out.onnx")
        if outcome([EMULATOR, TOOL, *arguments, model], folder / "out.onnx") != ours:
            yield f"{model} {' '.join(flags)}"


@pytest.mark.parametrize("flags", FLAGS if t.options.long else FLAGS[:1], ids=" ".join)
def test_node_tests(folder, flags):
    models = sorted((t.TEST_DATA / "node").glob("*/model.onnx"))
    assert not list(differences(folder, models if t.options.long else models[::10], flags))


@pytest.mark.parametrize("flags", FLAGS if t.options.long else FLAGS[:1], ids=" ".join)
def test_models(folder, flags):
    models = [*(t.ROOT / "tests/models/data").glob("*.onnx"), *(t.TEST_DATA / "light").glob("*.onnx")]
    assert models and not list(differences(folder, sorted(models), flags))


def test_bad_input(folder):
    """Not a crash, and the same message."""
    (folder / "bad.onnx").write_bytes(b"no model")
    code, error, folded = outcome([EMULATOR, TOOL, folder / "bad.onnx"], folder / "out.onnx")
    assert (code, error, folded) == outcome([t.TOOL, folder / "bad.onnx"], folder / "out.onnx")
    assert code == 1 and "bad.onnx" in error and folded is None
