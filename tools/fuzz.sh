#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh TARGET [libFuzzer arguments]: builds the fuzz program (preset fuzz, in build-fuzz/, with clang, which is
# installed if it is missing) and runs it until it finds something or is stopped. TARGET is one of those in
# tests/fuzz/FuzzTargets.h, which says what they are. What it learns stays in build-fuzz/corpus/TARGET; what it finds is
# written to build-fuzz/crash-*.
# fuzz.sh --all MINUTES [TARGET...]: runs the targets in turn for so long, each time for five minutes that one which had
# the least processor time, and adds processor seconds, executions and findings to build-fuzz/fuzzed.tsv, and how many
# edges were covered after how many executions to build-fuzz/covered.tsv. A target that finds something has its turn
# again. A single target has one turn: a turn begins with reading the corpus, which beside other work can take all of
# it. SIGTERM and SIGINT end it and are no finding; several may run at once, with other targets. The program is not
# built again.
# fuzz.sh --table: these files: seconds, executions, findings, and the edges covered by the corpus at first, after a
# quarter and a half of the executions, and at the end. A flat curve says that more time would hardly find more.
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
record=$root/build-fuzz/fuzzed.tsv
covered=$root/build-fuzz/covered.tsv
all_targets=$(sed -n 's/^      {"\([a-z]*\)", fuzz.*/\1/p' "$root/tests/fuzz/FuzzTargets.cpp")

usage() { sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 1; }

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

# fuzz TARGET ARGUMENT...: runs libFuzzer in build-fuzz. The program itself bounds the processor time of an input.
fuzz() {
  local target=$1 seeds
  shift
  find_seeds "$target"
  cd "$root/build-fuzz"
  mkdir -p "corpus/$target"
  ONNXFOLD_FUZZ_TARGET=$target exec bin/fuzz -artifact_prefix=crash- -max_len=65536 -timeout=3600 -rss_limit_mb=4096 \
    "$@" "corpus/$target" "${seeds[@]}"
}

# next_target TARGET...: the one that had the least processor time.
next_target() {
  local target
  for target in "$@"; do
    awk -F'\t' -v target="$target" '$1 == target { seconds = $2 } END { print seconds + 0, target }' "$record"
  done | sort -n -s | { read -r _ target; cat >/dev/null; echo "$target"; }
}

# add_to_record TARGET SECONDS EXECUTIONS FINDINGS: a line for each target, with sums. Under a lock: others add, too.
add_to_record() {
  exec 9>"$record.lock"
  flock 9
  awk -F'\t' -v OFS='\t' -v target="$1" -v seconds="$2" -v executions="$3" -v found="$4" '
    $1 == target { seconds += $2; executions += $3; found += $4; next }
    { print }
    END { print target, seconds, executions, found }' "$record" | sort >"$record.new"
  mv "$record.new" "$record"
  exec 9>&-
}

# add_coverage TARGET LOG: target, executions and covered edges each time that there are more, from libFuzzer's lines
# `#512 NEW cov: 4711 ft: ...`. Executions of the turns before are counted. Before add_to_record.
add_coverage() {
  awk -F'\t' -v OFS='\t' -v target="$1" '
    FILENAME != ARGV[3] { if ($1 == target) FILENAME == ARGV[1] ? before = $3 : most = $3; next }
    /^#[0-9]+[\t ]+INITED/ { learning = 1 } # before it the corpus is read
    learning && match($0, /^#[0-9]+/) { executions = before + substr($0, 2, RLENGTH - 1)
      if (!match($0, /cov: [0-9]+/)) next
      edges = substr($0, RSTART + 5, RLENGTH - 5) + 0
      if (edges > most) { print target, executions, edges; most = edges } }
    ' "$record" "$covered" "$2" >"$2.covered"
  cat "$2.covered" >>"$covered"
}

# print_table: a line for each target of the record.
print_table() {
  awk -F'\t' -v OFS='\t' '
    function covered_at(target, executions, i) {
      for (i = points[target]; i > 1 && at[target, i] > executions; --i);
      return edges[target, i]
    }
    BEGIN { print "target", "seconds", "executions", "found", "first", "quarter", "half", "end" }
    FILENAME == ARGV[1] { at[$1, ++points[$1]] = $2; edges[$1, points[$1]] = $3; next }
    { print $1, int($2), $3, $4, covered_at($1, 0), covered_at($1, $3 / 4), covered_at($1, $3 / 2), covered_at($1, $3) }
  ' "$covered" "$record"
}

# fuzz_turn TARGET SECONDS: sets status. A signal that ends this script ends libFuzzer, and `stopped` is set.
fuzz_turn() {
  fuzz "$1" -print_final_stats=1 -max_total_time="$2" 2>"$log" &
  running=$!
  status=0
  wait "$running" || status=$?
  [[ -z $stopped ]] || { kill "$running" 2>/dev/null; wait "$running" || status=$?; }
}

# fuzz_all MINUTES TARGET...
fuzz_all() {
  local end=$((SECONDS + 60 * $1)) longest=300 left target log status running stopped=
  shift
  [[ $# -gt 1 ]] || longest=$((end - SECONDS))
  touch "$record" "$covered"
  trap 'stopped=yes' TERM INT
  TIMEFORMAT='%U %S'
  while left=$((end - SECONDS)); [[ $left -gt 0 && -z $stopped ]]; do
    target=$(next_target "$@")
    log=$root/build-fuzz/fuzz-$target.log
    { time fuzz_turn "$target" $((left < longest ? left : longest)); } 2>"$log.time"
    [[ -z $stopped ]] || status=0
    add_coverage "$target" "$log"
    add_to_record "$target" "$(awk '{ print $1 + $2 }' "$log.time")" \
      "$(awk '/stat::number_of_executed_units/ { n = $2 } END { print n + 0 }' "$log")" $((status != 0 && status != 72)) # 72: interrupted
    [[ $status -eq 0 ]] || { say "$target: status $status"; cp "$log" "$log.$(date +%s)"; sleep 1; }
  done
  print_table
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
--table) print_table ;;
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
