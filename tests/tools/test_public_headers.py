# SPDX-License-Identifier: Apache-2.0
"""cmake/PublicHeaders.txt names all that its headers include, and no more than was decided; docs/api.md is made of it. That these
headers are what is installed is checked by tests/install/test_install.py, that they compile alone by tools/check_headers.py."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import onnxfold_testing as t
import public_headers

GENERATED = t.TOOL.parents[1] / "generated/include/onnxfold"
SCRIPT = [sys.executable, "-B", t.ROOT / "tools/public_headers.py"]


def test_the_list():
    assert public_headers.complaints(t.ROOT, GENERATED) == []


def test_the_page_is_what_the_list_says(folder):
    assert (t.ROOT / "docs/api.md").read_text() == public_headers.document(t.ROOT), "run tools/public_headers.py"
    for section in public_headers.sections(t.ROOT):
        for name in section.entries:
            assert public_headers.titleOf(t.ROOT / name), f"{name} does not say in its first line what it is for"
    for name in ("cmake", "docs"):
        (folder / name).mkdir()
    shutil.copy(t.ROOT / public_headers.LIST, folder / "cmake")
    (folder / public_headers.LIST).write_text("== Bytes: low\na/Low.h\n")
    (folder / "a").mkdir()
    (folder / "a/Low.h").write_text("//===- Low.h - Bits and bytes ------*- C++ -*-===//\n")
    assert subprocess.run([*SCRIPT, "--check", folder], capture_output=True).returncode == 1, "--check without a page"
    subprocess.run([*SCRIPT, folder], check=True)
    assert "In `low`.\n\n- `a/Low.h`: Bits and bytes\n" in (folder / "docs/api.md").read_text()
    assert subprocess.run([*SCRIPT, "--check", folder]).returncode == 0, "--check of what was written"


def test_what_is_wrong_is_said(folder):
    for name, text in {"a/Low.h": "", "a/High.h": '#include "onnxfold/a/Low.h"\n#include "onnxfold/a/Made.inc"\n',
                       "a/internal/Own.h": "", "made/a/Made.inc": ""}.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "cmake").mkdir()

    def said(*lines, most=2):
        (folder / public_headers.LIST).write_text("# a list\n== Bytes: low\n" + "".join(line + "\n" for line in lines))
        return public_headers.complaints(folder, folder / "made", most)

    assert said("a/High.h", "  a/Low.h", "  a/Made.inc") == [], "a list that is right"
    assert said("a/High.h", "  a/Made.inc") == ["a/High.h includes a/Low.h, which is not listed"]
    assert said("a/High.h", "  a/Low.h") == ["a/High.h includes a/Made.inc, which is not listed"], "what is generated"
    assert said("a/Low.h", "a/Low.h") == ["a/Low.h is listed twice"]
    assert said("a/Low.h", "a/Gone.h") == ["a/Gone.h does not exist"]
    assert said("a/internal/Own.h") == ["a/internal/Own.h is internal"]
    assert said("  a/Low.h") == ["a/Low.h is indented, and no listed header includes it"]
    assert said("a/High.h", "  a/Low.h", "  a/Made.inc", most=1) == ["2 headers are listed, expected at most 1"]


def test_examples_and_the_guide_use_what_is_listed():
    """Users copy from them, and get what is installed."""
    entries = {name for section in public_headers.sections(t.ROOT) for name in section.entries}
    files = [path for folder in ("examples", "tests/install") for path in (t.ROOT / folder).rglob("*") if path.suffix in (".c", ".cpp", ".h")]
    assert len(files) > 10, f"{files}"
    for path in files:
        for name in re.findall(r'#include ["<]onnxfold/([^">]+)', path.read_text()):
            assert name in entries, f"{path.relative_to(t.ROOT)} includes {name}, which is no entry of {public_headers.LIST}"


def test_who_folds_does_not_read_mlir():
    """FoldModel.h had 215 headers of ours, LLVM and MLIR behind it, 67 of them MLIR's, which nobody who folds a file needs."""
    build = t.TOOL.parents[1]
    llvm = Path(t.cmakeCache(build, "MLIR_DIR")).parents[2] / "include"
    compiler = [t.cmakeCache(build, "CMAKE_CXX_COMPILER"), "-std=c++20", "-x", "c++", "-M", "-"]
    paths = [f"-I{build}/include", f"-I{build}/generated/include", f"-I{llvm}"]
    done = subprocess.run([*compiler, *paths], input='#include "onnxfold/onnx/driver/FoldModel.h"\n', capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    headers = {word for word in done.stdout.replace("\\\n", " ").split() if "/onnxfold/" in word or word.startswith(str(llvm))}
    assert [name for name in headers if "/mlir/" in name] == []
    assert 40 < len(headers) < 100, f"{len(headers)} headers: {sorted(headers)}"
