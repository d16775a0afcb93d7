#!/bin/bash
# setup-bench.sh: what only bench/bench_nodes.py needs, in build/: a Python environment (peers) with
# the tools that it compares with, in the versions of bench/nodes/requirements.txt.
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

if newer_than "$build/.peers" bench/nodes/requirements.txt; then make_peers; fi
