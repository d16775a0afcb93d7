# SPDX-License-Identifier: Apache-2.0
"""docs/mlir-versions.md has a table of each other MLIR that the survey was made of; with --long it is made again."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import onnxfold_testing as t

PAGE = (t.ROOT / "docs/mlir-versions.md").read_text()
TABLES = dict(re.findall(r"^<!-- (\d+\.\d+\.\d+) -->\n(.*?)<!-- end -->", PAGE, re.M | re.S))


def test_tables_name_folders_that_exist():
    assert TABLES
    for version, table in TABLES.items():
        folders = re.findall(r"^\| `([a-z/]+)` \|", table, re.M)
        assert f"### MLIR {version}" in table and len(folders) == 7 and all((t.ROOT / folder).is_dir() for folder in folders), folders


def test_what_23_changes_stands_in_one_file():
    """A source that names a class which MLIR 23 renames would be a second place."""
    code = [path for folder in ("elements", "gc", "constprop", "upstream", "onnx", "sequence", "dealloc", "tensorfolding", "dml", "tools")
            for path in (t.ROOT / folder).rglob("*.cpp") if path.name != "RawData.cpp"]
    assert not [path for path in code if "DenseIntOrFPElementsAttr" in path.read_text()]


@pytest.mark.parametrize("version", TABLES)
def test_the_survey_again(version):
    prefix = Path(f"/usr/lib/llvm-{version.split('.')[0]}")
    if not t.options.long or not (prefix / "include/mlir").is_dir():
        pytest.skip(f"with --long, and MLIR {version} in {prefix}")
    command = [sys.executable, t.ROOT / "tools/mlir_versions.py", prefix, "--build", t.TOOL.parents[1]]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if f"### MLIR {version}\n" in made:
        assert made == TABLES[version]
