#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# check_changed.sh [--long] [BASE]: clang-format and clang-tidy on the C++ files that changed since the commit BASE. Without
# BASE: since the merge base with origin/main, or, where that is HEAD (a clone of main), since the day before HEAD's.
# clang-format looks at every changed file; clang-tidy only at the 6 sources with the most changed lines, with --long
# at all of them, and it fails only for what it finds in changed files. The compile commands are those of the
# build folder. The last line counts files: `N passed, N failed`.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root" || exit 1
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  sed -n '3,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi

limit=6
python=$(find_python) || exit 1
if [[ ${1:-} == --long ]]; then limit=100000; shift; fi

if [[ $(command -v clang-format clang-tidy | wc -l) -ne 2 ]]; then
  command -v apt-get >/dev/null || die "clang-format and clang-tidy are missing"
  as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  "${as_root[@]}" apt-get -qq update >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    clang-format clang-tidy >&2 || die "clang-format and clang-tidy cannot be installed"
fi

base=${1:-$(git merge-base HEAD origin/main 2>/dev/null)}
if [[ -z ${1:-} && ( -z $base || $base == "$(git rev-parse HEAD)" ) ]]; then
  base=$(git rev-list -1 --before="$(git log -1 --format=%cd --date=format:%Y-%m-%d) 00:00" HEAD)
fi
[[ -n $base ]] || base=$(git hash-object -t tree /dev/null) # everything is of one day
git rev-parse --quiet --verify "$base^{tree}" >/dev/null || die "there is no commit '$base'"

# The changed files, those with the most changed lines first, without those that only moved.
mapfile -t changed < <(git diff --numstat -M -z --diff-filter=d "$base" -- '*.h' '*.cpp' |
  "$python" -c 'import re, sys
rows = re.findall(r"(\d+)\t(\d+)\t(?:\0[^\0]+\0)?([^\0]+)\0", sys.stdin.read())
print(*[name + "\n" for lines, name in sorted((-int(a) - int(d), name) for a, d, name in rows) if lines], sep="", end="")')
sources=()
for file in "${changed[@]}"; do
  [[ $file != *.cpp ]] || sources+=("$file")
done

passed=0 failed=0
for file in "${changed[@]}"; do
  if clang-format --dry-run -Werror "$file" 2>/dev/null; then passed=$((passed + 1)); else
    echo "not as clang-format has it: $file" && failed=$((failed + 1)); fi
done
echo "clang-format: ${#changed[@]} files changed since ${base:0:10}"

# The build joins sources; clang-tidy wants a command for each.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
"$python" - "$build/compile_commands.json" "$database/compile_commands.json" <<'PYTHON'
import json, pathlib, re, sys

entries = []
for entry in json.loads(pathlib.Path(sys.argv[1]).read_text()):
    entry["command"] = re.sub(r" -fvect-cost-model=\S+", "", entry["command"])  # clang has no such option: an error
    batch = pathlib.Path(entry["file"])
    if not batch.name.startswith("unity_"):
        entries.append(entry)
    elif batch.exists():
        for source in re.findall(r'^#include "([^"]+)"', batch.read_text(), re.M):
            entries.append(entry | {"file": source, "command": entry["command"].replace(str(batch), source)})
pathlib.Path(sys.argv[2]).write_text(json.dumps(entries))
PYTHON

# Only what is found in changed files counts: headers are looked at through the sources that include them.
headers=$(printf '%s\n' "${changed[@]}" | grep '\.h$' | sed 's/[.]/\\./g' | paste -sd '|')
tidy() {
  local report
  report=$(clang-tidy -p "$1" --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-unused-command-line-argument --header-filter="/(${2:-none})\$" --warnings-as-errors='*' "$3" 2>/dev/null) && return
  echo "$report"
  echo "clang-tidy: $3"
  return 1
}
export -f tidy
chosen=("${sources[@]:0:limit}")
if [[ ${#chosen[@]} -gt 0 ]]; then
  findings=$(printf '%s\0' "${chosen[@]}" |
    xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy "$1" "$2" "$3"' _ "$database" "$headers")
  wrong=$(grep -c '^clang-tidy: ' <<<"$findings")
  [[ -z $findings ]] || echo "$findings"
  failed=$((failed + wrong)) passed=$((passed + ${#chosen[@]} - wrong))
fi
echo "clang-tidy: ${#chosen[@]} of ${#sources[@]} changed sources"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
