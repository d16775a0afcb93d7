# SPDX-License-Identifier: Apache-2.0
"""tools/make_notices.py: the licences of what the static programs hold."""

import sys

import onnxfold_testing as t

sys.path.insert(0, str(t.ROOT / "tools"))
import make_notices
import make_sbom

BUILD = t.TOOL.parents[1]


def test_every_part_with_its_text():
    text = make_notices.notices(BUILD / "third-party")
    for name, licence in make_sbom.PACKAGES.values():
        assert f"\n{name}: {licence}\n{make_notices.RULE}\n" in text, name
    for name, sentence in [
        ("ONNX", "Apache License"),
        ("protobuf", "Neither the name of Google"),
        ("dagre", "Permission is hereby granted"),
        ("d3-hierarchy", "Mike Bostock"),
        ("libc", "GNU LESSER GENERAL PUBLIC LICENSE\n                       Version 2.1"),  # only referred to in Debian's text
    ]:
        assert sentence in text, name


def test_a_part_without_a_text(tmp_path):
    """A release without one of the texts is not made."""
    (tmp_path / "onnx-1").mkdir()
    (tmp_path / "onnx-1/LICENSE").write_text("text")
    try:
        make_notices.notices(tmp_path)
    except FileNotFoundError as error:
        assert "page-libraries/dagre/copyright" in str(error)
    else:
        raise AssertionError("no error")


SOURCES = (".c", ".cmake", ".cpp", ".def", ".h", ".inc", ".js", ".map", ".py", ".sh", ".td", "CMakeLists.txt")


def sources():
    """Those of the tree, but for what is built or comes with a fuzzer's corpus."""
    folders = [one for one in t.ROOT.iterdir() if one.is_dir() and not one.name.startswith(("build", "."))]
    files = [file for folder in folders for file in folder.rglob("*") if file.name.endswith(SOURCES)]
    return [file for file in files if not file.is_relative_to(t.ROOT / "tests/fuzz/corpus")]


def test_every_source_states_its_licence():
    """A file that is taken out of the tree still says what its licence is."""
    silent = []
    for file in sources():
        with file.open(encoding="utf8") as text:
            first = [line for line, _ in zip(text, range(2))]
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in first):
            silent.append(str(file))
    assert not silent, silent
