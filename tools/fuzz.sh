#!/bin/bash
# fuzz.sh TARGET [libFuzzer arguments]: builds the fuzz program (preset fuzz, in build-fuzz/, with clang, which is
# installed if it is missing) and runs it until it finds something or is stopped. TARGET is one of those in
# tests/fuzz/FuzzTargets.h, which says what they are. What it learns stays in build-fuzz/corpus/TARGET; a crash is written
# to build-fuzz/crash-*.
#
#     tools/fuzz.sh reader -max_total_time=300
#
# What is found and fixed goes to tests/fuzz/corpus as found-*, with a line in its README: models into the folder itself,
# inputs of other targets into the folder of that name.
set -euo pipefail
source "$(dirname "$0")/common.sh"

target=${1:-}
targets=$(sed -n 's/^      {"\([a-z]*\)", fuzz.*/\1/p' "$(dirname "$0")/../tests/fuzz/FuzzTargets.cpp")
grep -qx -- "$target" <<<"$targets" || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 1; }
shift

# libFuzzer comes with clang's run-time library.
if ! clang++ -fsanitize=fuzzer -x c++ -o /dev/null - 2>/dev/null \
  <<<'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }'; then
  command -v apt-get >/dev/null || die "clang with libFuzzer is missing"
  as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    clang libclang-rt-dev >&2
fi

set_up
cd "$root"
[[ -f build-fuzz/build.ninja ]] || cmake --preset fuzz >&2
cmake --build build-fuzz --target fuzz >&2
mkdir -p "build-fuzz/corpus/$target"
cd build-fuzz
# Memory is poisoned by LLVM's allocators, of which Debian's archives know nothing.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allow_user_poisoning=0:detect_leaks=0}
seeds=("$root/tests/fuzz/corpus")
[[ ! -d $seeds/$target ]] || seeds=("$seeds/$target")
[[ $target != ir ]] || seeds+=("$root/tests/onnx/ir" "$root/tests/sequence" "$root/tests/onnx/transforms")
export ONNXFOLD_FUZZ_TARGET=$target
exec bin/fuzz -artifact_prefix=crash- -max_len=65536 -timeout=60 -rss_limit_mb=4096 \
  "$@" "corpus/$target" "${seeds[@]}"
