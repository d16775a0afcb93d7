"""The seeds of tests/fuzz/corpus are what their script makes."""

import subprocess
import sys

import onnxfold_testing as t

CORPUS = t.ROOT / "tests/fuzz/corpus"


def test_made_by_its_script(folder):
    script = t.ROOT / "tests/fuzz/make_corpus.py"
    subprocess.run([sys.executable, "-B", script, folder / "made"], check=True, stdout=subprocess.DEVNULL)
    made = sorted((folder / "made").iterdir())
    assert [path.name for path in made] == sorted(path.name for path in CORPUS.glob("seed-*.onnx"))
    for path in made:
        t.expectSameBytes(path, CORPUS / path.name, path.name)
