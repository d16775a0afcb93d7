#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Called by conda-build in the unpacked archive of a release: the programs are static, and are copied as they are.
set -euo pipefail
mkdir -p "$PREFIX/bin"
install -m 755 onnx-fold onnx-to-dml dml-to-onnx "$PREFIX/bin/"
cp -R share "$PREFIX/"
