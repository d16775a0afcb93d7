#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup-bench.sh [iree]: what only bench/bench_nodes.py needs, in build/: a Python environment (peers) with
# the tools that it compares with, in the versions of bench/nodes/requirements.txt. `iree`: instead, an
# environment with IREE's compiler, which bench/tensorfolding/bench_iree.py compares with.
set -euo pipefail
source "$(dirname "$0")/common.sh"
mkdir -p "$build"

make_peers() {
  say "making the Python environment of the other tools"
  rm -rf "$build/peers"
  "$(find_python venv ensurepip)" -m venv "$build/peers"
  "$build/peers/bin/python3" -m pip install --quiet --disable-pip-version-check \
    --only-binary :all: -r "$root/bench/nodes/requirements.txt"
  touch "$build/.peers"
}

make_iree() {
  say "making the Python environment with IREE"
  rm -rf "$build/iree"
  "$(find_python venv ensurepip)" -m venv "$build/iree"
  "$build/iree/bin/python3" -m pip install --quiet --disable-pip-version-check \
    --only-binary :all: -r "$root/bench/tensorfolding/requirements.txt"
  touch "$build/.iree"
}

if [[ ${1:-} == iree ]]; then
  if newer_than "$build/.iree" bench/tensorfolding/requirements.txt; then make_iree; fi
  exit 0
fi
if newer_than "$build/.peers" bench/nodes/requirements.txt; then make_peers; fi
