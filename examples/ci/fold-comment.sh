#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fold-comment.sh BASE [OPTION...]: folds the models that changed since the commit BASE, with these options of onnx-fold, and
# prints what became of them as Markdown, for a comment on a pull request. Exit status 1 if a model cannot be folded. Nothing in
# the working tree changes. Needs git, jq, and onnx-fold in the PATH.
set -euo pipefail
case ${1:-} in -h | --help | '') sed -n '3,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac
base=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A name as code: Markdown and lines in it mean nothing.
mark=$'\x60' marks=$'\x60|\n\r'
code() { printf '%s' "$mark${1//[$marks]/ }$mark"; }

# describe MODEL OPTION...: its row, and how it differs from the model of BASE.
describe() {
  local model=$1 failed=
  shift
  onnx-fold --quiet --report=json:"$work/report.json" -o "$work/folded.onnx" "$@" -- "$model" 2>"$work/errors" || failed=yes
  if [[ $failed ]]; then
    printf '| %s | failed | | |\n' "$(code "$model")"
    { printf '\n%s cannot be folded:\n\n' "$(code "$model")"; sed 's/^/    /' "$work/errors"; } >>"$work/details"
    return 1
  fi
  printf '| %s | %s |\n' "$(code "$model")" "$(jq -r '
    def sum(side): [.ops[][side]] | add // 0;
    "\(sum(0)) → \(sum(1)) | \(.bytes_before) → \(.bytes_after) | \([.nodes[] | select(.action == "folded")] | length)"' "$work/report.json")"
  git cat-file -e "$base:$model" 2>/dev/null || return 0
  git show "$base:$model" >"$work/before.onnx"
  # Exit status 2: they differ. External data of the old model is not there.
  onnx-fold diff "$work/before.onnx" "$model" >"$work/diff" 2>&1 || true
  { printf '\n<details><summary>%s and that of the base</summary>\n\n' "$(code "$model")"; sed 's/^/    /' "$work/diff" | head -c 20000; printf '\n</details>\n'; } >>"$work/details"
}

# The models of BASE have their paths from the root.
cd "$(git rev-parse --show-toplevel)"
git diff --name-only -z --diff-filter=d "$base" -- '*.onnx' >"$work/changed"
if [[ ! -s $work/changed ]]; then
  echo 'No model changed.'
  exit 0
fi
echo '| model | nodes | bytes | folded |'
echo '|---|---|---|---|'
status=0
: >"$work/details"
while IFS= read -r -d '' model; do
  describe "$model" "$@" || status=1
done <"$work/changed"
cat "$work/details"
exit $status
