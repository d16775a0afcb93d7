#!/bin/bash
# test_aarch64.sh [pytest arguments]: cross-compiles the tools for aarch64 and tests them under qemu: the bytes that they
# write (tests/tools/test_aarch64.py), then the Python tests that run the tool, all but those of left_out below; the last
# line is pytest's. Needs what ./run-tests builds. With arguments (`--long`, modules, -k ...) these are given to pytest in
# place of the modules.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac

modules=(tests/tools tests/models tests/onnx tests/python_package)
left_out=(
  # It compares with the tool of this machine, and has run by then.
  tests/tools/test_aarch64.py
  # Programs of the tests, built for this machine only, run, trace or preload parts of the tool: ptrace and faults of system
  # calls, valgrind's count of instructions, a faulty write.
  tests/tools/test_faults.py
  tests/tools/test_growth.py
)

"$root/tools/setup-aarch64.sh"
(cd "$root" && cmake --preset aarch64 >&2 && cmake --build --preset aarch64 >&2)
# Programs as the tests want them. (qemu-user's entry in binfmt_misc would do, where it may be made.)
wrappers=$root/build-aarch64/under-qemu
mkdir -p "$wrappers"
for tool in onnx-fold onnx-to-dml dml-to-onnx; do
  printf '#!/bin/sh\nexec qemu-aarch64-static "%s" "$@"\n' "$root/build-aarch64/bin/$tool" >"$wrappers/$tool"
  chmod +x "$wrappers/$tool"
done
cd "$root"
[[ $# -gt 0 ]] || set -- "${left_out[@]/#/--deselect=}" "${modules[@]}"
"$build/venv/bin/python3" -m pytest -q tests/tools/test_aarch64.py
ONNXFOLD_TOOL=$wrappers/onnx-fold "$build/venv/bin/python3" -m pytest -q "$@"
