# SPDX-License-Identifier: Apache-2.0
"""docs/passes.md is what tools/make_pass_docs.py makes of the Passes.td files, and every pass is declared in one."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import make_pass_docs
import onnxfold_testing as t

BUILD = t.TOOL.parents[1]
PAGE = t.ROOT / "docs/passes.md"


def test_page_is_what_the_definitions_say(folder):
    assert PAGE.read_text() == make_pass_docs.document(t.ROOT, BUILD), "run tools/make_pass_docs.py"


def test_check_notices_a_changed_description(folder):
    for name in ("gc/Passes.td", "docs/passes.md", "build/CMakeCache.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(t.ROOT / "gc/Passes.td", folder / "gc")
    shutil.copy(BUILD / "CMakeCache.txt", folder / "build")
    script = [sys.executable, "-B", t.ROOT / "tools/make_pass_docs.py"]
    subprocess.run([*script, folder], check=True)
    assert "### `-scrub`" in (folder / "docs/passes.md").read_text(), "the page does not have scrub"
    assert subprocess.run([*script, "--check", folder]).returncode == 0, "exit status of --check of what was written"
    definition = (folder / "gc/Passes.td").read_text()
    (folder / "gc/Passes.td").write_text(definition.replace("replace disposable attributes", "replace all attributes"))
    done = subprocess.run([*script, "--check", folder], capture_output=True, text=True)
    assert (done.returncode, "run tools/make_pass_docs.py" in done.stdout) == (1, True), "--check of another description"


def test_page_has_the_passes_of_fold_opt(folder):
    documented = set(re.findall(r"^### `-(.*)`$", PAGE.read_text(), re.MULTILINE))
    assert len(documented) > 15, f"only {documented}"
    text = subprocess.run([BUILD / "bin/fold-opt", "--help"], capture_output=True, text=True, check=True).stdout
    # It compiles what it evaluates, and is in fold-run.
    documented.remove("evaluate-constant-tensors")
    assert documented - set(re.findall(r"^ +--([\w-]+)", text, re.MULTILINE)) == set(), "passes that fold-opt does not have"


def test_passes_are_declared_in_tablegen(folder):
    folders = ["constprop", "dealloc", "gc", "onnx", "sequence", "tensorfolding", "tools"]
    by_hand = [path.relative_to(t.ROOT).as_posix() for name in folders for path in (t.ROOT / name).rglob("*.cpp")
               if "PassWrapper<" in path.read_text()]
    assert by_hand == [], "sources with a pass that no Passes.td declares"
