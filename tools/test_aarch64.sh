#!/bin/bash
# test_aarch64.sh [pytest arguments]: cross-compiles the tools for aarch64 and tests them under qemu: the bytes that they
# write (tests/tools/test_aarch64.py), then the Python tests that run the tool, whose last line is pytest's. Needs what
# ./run-tests builds. With arguments (`--long`, modules, -k ...) these are given to pytest in place of the modules below.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac

"$root/tools/setup-aarch64.sh"
(cd "$root" && cmake --preset aarch64 >&2 && cmake --build --preset aarch64 >&2)
# A program as the tests want it. (qemu-user's entry in binfmt_misc would do, where it may be made.)
wrapper=$root/build-aarch64/bin/under-qemu/onnx-fold
mkdir -p "$(dirname "$wrapper")"
printf '#!/bin/sh\nexec qemu-aarch64-static "%s" "$@"\n' "$root/build-aarch64/bin/onnx-fold" >"$wrapper"
chmod +x "$wrapper"
cd "$root"
[[ $# -gt 0 ]] || set -- tests/models/test_models.py tests/onnx/node_tests tests/tools/test_cli.py tests/tools/test_bad_input.py \
  tests/tools/test_bad_files.py tests/tools/test_clean_ups.py tests/tools/test_external_data.py
"$build/venv/bin/python3" -m pytest -q tests/tools/test_aarch64.py
ONNXFOLD_TOOL=$wrapper "$build/venv/bin/python3" -m pytest -q "$@"
