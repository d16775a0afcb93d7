#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fetch-onnx.sh FOLDER: unpacks the source distribution of onnx, pinned by version and hash in
# cmake/onnx-source.txt, as FOLDER. pip downloads it; the stub build backend keeps pip from
# fetching and running a real one only to learn the package's name.
set -euo pipefail
source "$(dirname "$0")/common.sh"
target=$1
parent=$(dirname "$target")
mkdir -p "$parent"
work=$(mktemp -d "$parent/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
python=$(find_python pip)
PYTHONPATH=$root/cmake/stub PYTHONDONTWRITEBYTECODE=1 "$python" -m pip download --quiet \
  --disable-pip-version-check --no-deps --no-binary onnx --no-build-isolation --require-hashes \
  -r "$root/cmake/onnx-source.txt" -d "$work" >&2
mkdir "$work/unpacked"
tar -xzf "$work"/onnx-*.tar.gz -C "$work/unpacked" --strip-components=1
rm -rf "$target"
mv "$work/unpacked" "$target"
