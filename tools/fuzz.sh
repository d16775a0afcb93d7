#!/bin/bash
# fuzz.sh TARGET [libFuzzer arguments]: builds the fuzz program (preset fuzz, in build-fuzz/, with clang, which is
# installed if it is missing) and runs it until it finds something or is stopped. TARGET is one of those in
# tests/fuzz/FuzzTargets.h, which says what they are. What it learns stays in build-fuzz/corpus/TARGET; what it finds is
# written to build-fuzz/crash-*.
# fuzz.sh --all MINUTES [TARGET...]: runs the targets in turn for so long, each time for five minutes that one which had
# the least processor time, and adds processor seconds and executions to build-fuzz/fuzzed.tsv. A target that finds
# something has its turn again. The program is not built again.
# fuzz.sh --keep TARGET [BYTES]: the inputs of build-fuzz/corpus/TARGET that the corpus of the tests does not replace, of
# at most so many bytes each (300), to tests/fuzz/corpus as kept-*: what was learned is not lost with the machine.
#
#     tools/fuzz.sh reader -max_total_time=300
#     nice tools/fuzz.sh --all 90 npy npz
#
# What is found and fixed goes to tests/fuzz/corpus as found-*, with a line in its README: models into the folder itself,
# inputs of other targets into the folder of that name.
set -euo pipefail
source "$(dirname "$0")/common.sh"

# Memory is poisoned by LLVM's allocators, of which Debian's archives know nothing.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allow_user_poisoning=0:detect_leaks=0}
all_targets=$(sed -n 's/^      {"\([a-z]*\)", fuzz.*/\1/p' "$root/tests/fuzz/FuzzTargets.cpp")

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 1; }

check_target() { grep -qx -- "$1" <<<"$all_targets" || usage; }

# libFuzzer comes with clang's run-time library.
install_clang() {
  local as_root=()
  ! clang++ -fsanitize=fuzzer -x c++ -o /dev/null - 2>/dev/null \
    <<<'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }' || return 0
  command -v apt-get >/dev/null || die "clang with libFuzzer is missing"
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    clang libclang-rt-dev >&2
}

build_fuzz() {
  install_clang
  set_up
  cd "$root"
  [[ -f build-fuzz/build.ninja ]] || cmake --preset fuzz >&2
  cmake --build build-fuzz --target fuzz >&2
}

# seeds TARGET: sets `seeds`, the folders of the tests' inputs for a target.
find_seeds() {
  seeds=("$root/tests/fuzz/corpus")
  [[ ! -d $seeds/$1 ]] || seeds=("$seeds/$1")
  [[ $1 != ir ]] || seeds+=("$root/tests/onnx/ir" "$root/tests/sequence" "$root/tests/onnx/transforms")
}

# fuzz TARGET ARGUMENT...: runs libFuzzer in build-fuzz.
fuzz() {
  local target=$1 seeds
  shift
  find_seeds "$target"
  cd "$root/build-fuzz"
  mkdir -p "corpus/$target"
  ONNXFOLD_FUZZ_TARGET=$target exec bin/fuzz -artifact_prefix=crash- -max_len=65536 -timeout=60 -rss_limit_mb=4096 \
    "$@" "corpus/$target" "${seeds[@]}"
}

# next_target TARGET...: the one that had the least processor time.
next_target() {
  local target
  for target in "$@"; do
    awk -F'\t' -v target="$target" '$1 == target { seconds = $2 } END { print seconds + 0, target }' "$record"
  done | sort -n -s | { read -r _ target; cat >/dev/null; echo "$target"; }
}

# add_to_record TARGET SECONDS EXECUTIONS FINDINGS: a line for each target, with sums.
add_to_record() {
  awk -F'\t' -v OFS='\t' -v target="$1" -v seconds="$2" -v executions="$3" -v found="$4" '
    $1 == target { seconds += $2; executions += $3; found += $4; next }
    { print }
    END { print target, seconds, executions, found }' "$record" | sort >"$record.new"
  mv "$record.new" "$record"
}

# fuzz_all MINUTES TARGET...
fuzz_all() {
  local end=$((SECONDS + 60 * $1)) left target log status
  shift
  record=$root/build-fuzz/fuzzed.tsv
  touch "$record"
  while left=$((end - SECONDS)); [[ $left -gt 0 ]]; do
    target=$(next_target "$@")
    log=$root/build-fuzz/fuzz-$target.log
    TIMEFORMAT='%U %S'
    status=0
    { time { (fuzz "$target" -print_final_stats=1 -max_total_time=$((left < 300 ? left : 300))) 2>"$log" || status=$?; }; } \
      2>"$log.time"
    add_to_record "$target" "$(awk '{ print $1 + $2 }' "$log.time")" \
      "$(awk '/stat::number_of_executed_units/ { n = $2 } END { print n + 0 }' "$log")" $((status != 0 && status != 72)) # 72: interrupted
    [[ $status -eq 0 ]] || { say "$target: status $status"; cp "$log" "$log.$(date +%s)"; sleep 1; }
  done
  cat "$record"
}

# keep TARGET BYTES: an input that has no part in what libFuzzer covers is left out, by its -merge.
keep() {
  local target=$1 most=$2 work seeds file name
  find_seeds "$target"
  work=$(mktemp -d)
  mkdir -p "$work/small" "$work/kept"
  find "$root/build-fuzz/corpus/$target" -type f -size "-$((most + 1))c" -exec cp -t "$work/small" {} +
  cp "${seeds[0]}"/* "$work/kept" 2>/dev/null || true
  ls "$work/kept" >"$work/before"
  ONNXFOLD_FUZZ_TARGET=$target "$root/build-fuzz/bin/fuzz" -merge=1 -use_counters=0 -max_len=65536 "$work/kept" "$work/small" 2>"$work/log" ||
    die "merging failed: $(tail -n 3 "$work/log")"
  for file in "$work"/kept/*; do
    name=${file##*/}
    grep -qxF -- "$name" "$work/before" || cp "$file" "${seeds[0]}/kept-${name:0:10}"
  done
  rm -r "$work"
}

case ${1:-} in
--all)
  [[ ${2:-} =~ ^[0-9]+$ ]] || usage
  minutes=$2
  shift 2
  [[ $# -gt 0 ]] || set -- $all_targets
  for target in "$@"; do check_target "$target"; done
  [[ -x $root/build-fuzz/bin/fuzz ]] || build_fuzz
  fuzz_all "$minutes" "$@"
  ;;
--keep)
  check_target "${2:-}"
  keep "$2" "${3:-300}"
  ;;
*)
  check_target "${1:-}"
  build_fuzz
  fuzz "$@"
  ;;
esac
