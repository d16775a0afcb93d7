#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup-tests.sh: what only the tests need, in build/: a Python environment (venv) with the packages
# of tests/requirements.txt, and the test data of several releases of the onnx package (test-data:
# node tests, small models and light models; tools/make_test_data.py says what lies where), and SystemDS with Java, on
# which exported models run (tools/setup-systemds.sh); with ONNXFOLD_LONG set, Spark too. Also valgrind, which counts
# instructions (tests/tools/test_growth.py), Debian's Rust, which compiles an example, and Debian's Chromium with its driver, in which the pages of reports are looked
# at.
set -euo pipefail
source "$(dirname "$0")/common.sh"
mkdir -p "$build"

make_venv() {
  say "making the Python environment of the tests"
  rm -rf "$build/venv"
  "$(find_python venv ensurepip)" -m venv "$build/venv"
  "$build/venv/bin/python3" -m pip install --quiet --disable-pip-version-check \
    --only-binary :all: -r "$root/tests/requirements.txt"
  # Only data and models of these are used, so what they depend on is left out.
  "$build/venv/bin/python3" -m pip install --quiet --disable-pip-version-check --no-deps \
    --only-binary :all: -r "$root/tests/requirements-alone.txt"
  touch "$build/.venv"
}

# Each line of tests/test-data.txt is a wheel; they are the same for every Python: only data are used.
fetch_test_data() {
  say "fetching the test data of the onnx package"
  local pip requirement hash python abi platform
  work=$(mktemp -d "$build/test-data.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  pip=$(find_python pip)
  while read -r requirement hash _ python abi platform; do
    [[ $requirement == onnx==* ]] || continue
    echo "$requirement $hash" >"$work/wheel.txt"
    "$pip" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
      --implementation cp --python-version "$python" --abi "$abi" --platform "$platform" \
      --require-hashes -r "$work/wheel.txt" -d "$work/wheels"
  done <"$root/tests/test-data.txt"
  "$build/venv/bin/python3" -B "$root/tools/make_test_data.py" "$work/data" "$work"/wheels/*.whl
  [[ ! -d $build/test-data ]] || mv "$build/test-data" "$work/before"
  mv "$work/data" "$build/test-data"
  touch "$build/.test-data"
}

# install WHAT PACKAGE...
install() {
  local what=$1 as_root=()
  shift
  [[ $(id -u) -eq 0 ]] || as_root=(sudo -n)
  apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2; }
  say "installing $what for the tests"
  command -v apt-get >/dev/null || return 1
  apt_get install -y --no-install-recommends "$@" || { apt_get update && apt_get install -y --no-install-recommends "$@"; }
}

if newer_than "$build/.venv" tests/requirements.txt tests/requirements-alone.txt; then make_venv; fi
if newer_than "$build/.test-data" tests/test-data.txt tests/requirements.txt tools/make_test_data.py; then
  fetch_test_data
fi
if ! "$root/tools/setup-systemds.sh" ${ONNXFOLD_LONG:+--spark}; then
  [[ -z ${CI:-} ]] || die "SystemDS could not be installed"
  say "SystemDS could not be installed: the tests that run exported models on it are skipped"
fi
if ! command -v valgrind >/dev/null && ! install valgrind valgrind; then
  [[ -z ${CI:-} ]] || die "valgrind could not be installed"
  say "valgrind could not be installed: tests of how time grows are skipped"
fi
if ! command -v rustc >/dev/null && ! install Rust rustc; then
  [[ -z ${CI:-} ]] || die "Rust could not be installed"
  say "Rust could not be installed: the example of libonnxfold.so in Rust is skipped"
fi
if ! { command -v chromium && command -v chromedriver; } >/dev/null && ! install Chromium chromium chromium-driver; then
  [[ -z ${CI:-} ]] || die "Chromium could not be installed"
  say "Chromium could not be installed: the tests that open pages in it are skipped"
fi
