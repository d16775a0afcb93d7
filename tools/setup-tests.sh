#!/bin/bash
# setup-tests.sh: what only the tests need, in build/: a Python environment (venv) with the packages
# of tests/requirements.txt, and the test data of the onnx wheel (test-data: node tests and light
# models).
set -euo pipefail
source "$(dirname "$0")/common.sh"
mkdir -p "$build"

make_venv() {
  say "making the Python environment of the tests"
  rm -rf "$build/venv"
  "$(find_python venv ensurepip)" -m venv "$build/venv"
  "$build/venv/bin/python3" -m pip install --quiet --disable-pip-version-check \
    --only-binary :all: -r "$root/tests/requirements.txt"
  touch "$build/.venv"
}

# The wheel is the same for every Python: only its data are used.
fetch_test_data() {
  say "fetching the test data of the onnx package"
  local work
  work=$(mktemp -d "$build/test-data.XXXXXX")
  "$(find_python pip)" -m pip download --quiet --disable-pip-version-check --no-deps \
    --only-binary :all: --implementation cp --python-version 3.11 --abi cp311 \
    --platform manylinux_2_27_x86_64 --require-hashes -r "$root/tests/test-data.txt" -d "$work"
  "$build/venv/bin/python3" - "$work" <<'PYTHON'
import pathlib, sys, zipfile
work = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(next(work.glob("*.whl"))) as wheel:
    wheel.extractall(work / "data", [n for n in wheel.namelist() if n.startswith("onnx/backend/test/data/")])
PYTHON
  rm -rf "$build/test-data"
  mv "$work/data" "$build/test-data"
  rm -rf "$work"
  touch "$build/.test-data"
}

if newer_than "$build/.venv" tests/requirements.txt; then make_venv; fi
if newer_than "$build/.test-data" tests/test-data.txt; then fetch_test_data; fi
