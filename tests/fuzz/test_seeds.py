# SPDX-License-Identifier: Apache-2.0
"""The seeds of tests/fuzz/corpus are what their script makes."""

import subprocess
import sys

import onnxfold_testing as t

CORPUS = t.ROOT / "tests/fuzz/corpus"


def test_made_by_its_script(folder):
    script = t.ROOT / "tests/fuzz/make_corpus.py"
    subprocess.run([sys.executable, "-B", script, folder / "made"], check=True, stdout=subprocess.DEVNULL)
    made = sorted(path.relative_to(folder / "made") for path in (folder / "made").rglob("*") if path.is_file())
    assert made == sorted(path.relative_to(CORPUS) for path in CORPUS.rglob("seed-*")), "names of the seeds"
    for name in made:
        t.expectSameBytes(folder / "made" / name, CORPUS / name, name)
