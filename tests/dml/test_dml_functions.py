# SPDX-License-Identifier: Apache-2.0
"""docs/dml-functions.md says what dml-to-onnx makes of each function of SystemDS's scripts. An eighth of them is converted, with
--long all."""

import sys

import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_dml_to_onnx import TOOL

sys.path.insert(0, str(t.ROOT / "tools"))
import dml_functions_page as functions  # noqa: E402

pytestmark = pytest.mark.skipif(not systemds.systemdsJar(), reason="SystemDS is not installed (tools/setup-systemds.sh)")
WRITE = "run tools/dml_functions_page.py: docs/dml-functions.md is not what it writes"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("systemds")
    functions.extract(folder)
    return folder


def test_all_functions_are_listed(scripts):
    rows = functions.rowsOf(functions.PAGE.read_text())
    there = {sub: sorted(names) for sub, names in functions.functionsOf(scripts).items()}
    assert {sub: sorted(names) for sub, names in rows.items()} == there, WRITE


def test_counts():
    """The headings count the rows; what was reached stays."""
    text = functions.PAGE.read_text()
    counts = {sub: sum(result == "converts" for _, result in names.values()) for sub, names in functions.rowsOf(text).items()}
    for sub, count in counts.items():
        assert f"## {sub}: {count} of " in text, WRITE
    least = {"builtin": 376, "nn/layers": 126, "nn/networks": 121, "nn/optim": 24, "nn/examples": 43}
    assert all(counts[sub] >= least[sub] for sub in least), counts


def test_lines_are_read_as_they_are_written():
    rows = {
        "a:f": ("", "converts"),
        "resnet18:g": ("model=resnet18; more=resnet18*2", "converts"),
        "resnet34:g": ("model=resnet34; more=resnet34*2", "converts"),
        "b:g": ("model=resnet18", "converts"),
        "b:h": ("", "'x' is not 'y'"),
        "b:k": ("", "source(): a.dml: cannot be read"),
        "c.d:k": ("l=list(a, 2); X:8x4; random", "'u' is not 'v'"),
    }
    lines = functions.sectionOf("nn", rows)
    assert functions.rowsOf(functions.BEGIN + "\n" + "\n".join(lines)) == {"nn": rows}
    assert lines == [
        "## nn: 4 of 7", "", "`a:f`", "",
        "With `--bind`:", "",
        "- `model=NETWORK; more=NETWORK*2`: `resnet18:g`, `resnet34:g`", "- `model=resnet18`: `b:g`", "",
        "Refused:", "",
        "- '…' is not '…': `b:h` ('x', 'y'), `c.d:k` ('u', 'v') with `l=list(a, 2); X:8x4; random`",
        "- source(): a.dml: cannot be read: `b:k`", "",
    ]  # fmt: skip
    same = {f"{one}:f": (f"model={one}", "converts") for one in functions.NETWORKS}
    lines = functions.sectionOf("nn", same)
    assert lines[-2] == "- `model=NETWORK`: `NETWORK:f`" and functions.rowsOf(functions.BEGIN + "\n" + "\n".join(lines)) == {"nn": same}
    assert functions.parted(functions.reasonOf("dml-to-onnx: error: a.dml:1:2: 'x' of 'f' is a frame", "f")) == ("'…' is a frame", "'x'")
    assert functions.reasonOf("  a.dml:1:2: 'x' of 'g' is not", "f") == "'x' of 'g' is not"


def test_results(scripts):
    rows = [(f"{sub}/{name}", *row) for sub, names in functions.rowsOf(functions.PAGE.read_text()).items() for name, row in names.items()]
    for name, bound, result in rows if t.options.long else rows[::8]:
        assert functions.resultOf(TOOL, scripts, name, bound) == result, f"{name}: {WRITE}"


def test_short_forms():
    """Of lists in the column `bound`."""
    assert functions.optionsOf("k=2; X:8x4; random") == ["--bind=k=2", "--input-shape=X:8,4", "--random"]
    assert functions.valueOf("m", "list*2") == "list(m_1, m_2)"
    assert functions.valueOf("m", "list*1*2") == "list(list(m_1_1, m_1_2))"
    assert functions.valueOf("m", 'list(W, kind="a", 2)') == 'list(W=m_W, kind="a", 2)'
    assert functions.valueOf("m", "adam") == "adam"
    assert functions.valueOf("m", "resnet18").startswith("list(m_1, m_2, m_3, list(list(m_4_1_1, m_4_1_2, ")
    assert functions.valueOf("m", "resnet18").count("m_") == 5 + 8 * 6 + 3 * 3
