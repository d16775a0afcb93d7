#!/bin/bash
# fuzz.sh reader|fold [libFuzzer arguments]: builds the fuzz target (preset fuzz, in build-fuzz/, with
# clang, which is installed if it is missing) and runs it until it finds something or is stopped. What
# it learns stays in build-fuzz/corpus/; a crash is written to build-fuzz/crash-*.
#
#     tools/fuzz.sh reader -max_total_time=300
#
# What is found and fixed goes to tests/fuzz/corpus as found-*.onnx, with a line in its README.
set -euo pipefail
source "$(dirname "$0")/common.sh"

target=${1:-}
[[ $target == reader || $target == fold ]] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 1; }
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
cmake --build build-fuzz --target "fuzz-$target" >&2
mkdir -p "build-fuzz/corpus/$target"
cd build-fuzz
# Memory is poisoned by LLVM's allocators, of which Debian's archives know nothing.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allow_user_poisoning=0:detect_leaks=0}
exec "bin/fuzz-$target" -artifact_prefix=crash- -max_len=65536 -timeout=60 -rss_limit_mb=4096 \
  "$@" "corpus/$target" "$root/tests/fuzz/corpus"
