# SPDX-License-Identifier: Apache-2.0
"""mypy --strict accepts the package and the programs of docs/python.md, and finds what is wrong in a caller."""

import re
import subprocess
import sys

import pytest

import onnxfold_testing as t

pytest.importorskip("mypy")

WRONG = {
    'onnx_fold.fold("m.onnx", levl=1)': "levl",
    'onnx_fold.fold("m.onnx", dims=["batch"])': "arg-type",
    'onnx_fold.check("m.onnx").report': "report",
    'onnx_fold.fold(b"").model.graph': "graph",
    'onnx_fold.fold("m.onnx", verify_with="abacus")': "arg-type",
}
RIGHT = """
import pathlib
import onnx
import onnx_fold

path: pathlib.Path = onnx_fold.fold(pathlib.Path("m.onnx")).model
data: bytes = onnx_fold.fold(b"").model
nodes: int = len(onnx_fold.fold(onnx.load("m.onnx")).model.graph.node)
counts: dict[str, int] = onnx_fold.examine("m.onnx", level=2, dims={"batch": 1}).operators_before
text: str | None = onnx_fold.FoldError("text").node
"""


def mypy(folder, *arguments):
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        t.ROOT / "pyproject.toml",
        f"--cache-dir={folder}/cache",
    ]
    return subprocess.run(
        [*command, *arguments], cwd=t.ROOT / "python", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_the_package_and_its_callers(folder):
    """In one run: mypy reads NumPy and ONNX only once."""
    page = (t.ROOT / "docs/python.md").read_text()
    programs = "".join(re.findall(r"^```python\n(.*?)^```", page, re.M | re.S))
    programs = programs.replace("def show(progress):", "def show(progress: onnx_fold.Progress) -> None:")
    # Examples use one name for models of several kinds, one after the other.
    (folder / "documented.py").write_text(
        "# mypy: allow-redefinition-new, local-partial-types, disable-error-code=assignment\n" + programs
    )
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text("import onnx_fold\n" + "".join(line + "\n" for line in WRONG))
    olive = sorted((t.ROOT / "examples/olive").glob("*.py"))
    found = mypy(folder, "-p", "onnx_fold")
    assert found.returncode == 0, f"mypy of the package: {found.stdout}"
    found = mypy(folder, folder / "documented.py", folder / "right.py", *olive)
    assert found.returncode == 0, f"mypy of callers: {found.stdout}"
    lines = mypy(folder, folder / "wrong.py").stdout.splitlines()
    for number, (line, says) in enumerate(WRONG.items(), 2):
        told = [text for text in lines if f"wrong.py:{number}:" in text]
        assert any(says in text for text in told), f"{line}: {told}"
