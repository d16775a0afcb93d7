#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_levels.sh [ctest arguments]: runs the tests of the build folder at each level of vector instructions below the
# processor's own (widenum/CpuLevel.h), because no result may depend on the level. ./run-tests --long calls it; the
# processor's own level is what every other run tests. One line for each level, the last the sum:
# `N passed, N failed[, N skipped]`.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

has() { grep -qwm1 "$1" /proc/cpuinfo 2>/dev/null; }

levels=()
if has avx2; then levels+=(baseline); fi
if has avx512vl; then levels+=(avx2); fi
python=$(find_python) || exit 1
log=$build/Testing/Temporary/LastTest.log
passed=0 failed=0 skipped=0
for level in "${levels[@]}"; do
  ONNXFOLD_CPU_LEVEL=$level ctest --test-dir "$build" --parallel "$(nproc)" --timeout 14400 \
    --output-on-failure --no-tests=error --label-exclude '^python-module$' "$@"
  line=$("$python" "$root/tools/summarize_tests.py" "$log" 0 0 $?)
  echo "$level: $line"
  read -r p _ f _ s _ <<<"$line"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
done
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
