# SPDX-License-Identifier: Apache-2.0
"""Every program of docs/python.md runs as it stands there; the page has all arguments."""

import inspect
import re

import onnx

import onnx_fold
import onnxfold_testing as t
from test_docs import makeFiles

PAGE = t.ROOT / "docs/python.md"


def test_every_program_runs(folder, monkeypatch, capsys):
    """One after the other, in one namespace, as somebody would type them."""
    makeFiles(folder)
    model = onnx.load(folder / "model.onnx")
    onnx.save(model, folder / "large.onnx", save_as_external_data=True, size_threshold=64)
    (folder / "broken.onnx").write_bytes(b"nothing")
    monkeypatch.chdir(folder)
    programs = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(programs) >= 8, f"{len(programs)} programs"
    names = {}
    try:
        for program in programs:
            if "def show" in program:
                program = program.replace('"model.onnx"', '"model.onnx", "shown.onnx"')
            exec(compile(program, "docs/python.md", "exec"), names)
    finally:
        onnx_fold.compat.uninstall()
    said = capsys.readouterr().out
    assert "Transpose" in said and "input-not-constant" in said and "write " in said, f"what they print: {said}"


def test_every_argument_is_described():
    text = PAGE.read_text()
    for function in (onnx_fold.fold, onnx_fold.verify):
        for name in inspect.signature(function).parameters:
            if name not in ("model", "output", "other", "trials"):
                assert f"`{name}" in text or f"{name}=" in text, f"docs/python.md has no `{name}`"


def test_every_argument_of_onnxsim_is_described():
    """Those of the signature of onnxsim 0.8.1."""
    table = PAGE.read_text().partition("onnxsim's argument")[2]
    for name in inspect.signature(__import__("onnx_fold.compat", fromlist=["simplify"]).simplify).parameters:
        if name not in ("model", "others"):
            assert f"`{name}" in table, f"docs/python.md has no `{name}`"


def test_links_of_the_page():
    for target in re.findall(r"\]\(([\w.-]+\.md)", PAGE.read_text()):
        assert (PAGE.parent / target).is_file(), f"{target}"
    for name in re.findall(r"`(examples/[\w/]+)`", PAGE.read_text()):
        assert (t.ROOT / name).exists(), f"{name}"
