#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_wheel.sh [SUITE...]: the wheel and the Debian package of tools/make-release.sh in bare root file systems of Debian
# without a compiler, which are made in build/roots: bullseye, trixie and forky (Python 3.9, 3.13 and 3.14), or the suites
# that are named. In each pip installs the wheel, and the first command of README.md is run, with the programs of the package too;
# what was measured is printed. Needs root and debootstrap.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
case ${1:-} in -h | --help) sed -n '3,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac

[[ $# -gt 0 ]] || set -- bullseye trixie forky
[[ $(id -u) -eq 0 ]] || die "test_wheel.sh needs root, for debootstrap and chroot"
wheel=$(ls "$build"/release/onnx_fold-*"_$(uname -m).whl") || die "no wheel in $build/release; run tools/make-release.sh"
package=$(ls "$build"/release/onnx-fold_*"_$(dpkg --print-architecture).deb") || die "no Debian package in $build/release"

# make_root SUITE: Python and pip, as venv brings it along, and no compiler.
make_root() {
  local scripts=/usr/share/debootstrap/scripts script=()
  command -v debootstrap >/dev/null || apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends debootstrap >&2
  [[ -e $scripts/$1 ]] || script=("$scripts/sid")
  say "making a root file system of Debian $1"
  rm -rf "$build/roots/$1"
  mkdir -p "$build/roots"
  debootstrap --variant=minbase --include=python3,python3-venv "$1" "$build/roots/$1" \
    http://deb.debian.org/debian "${script[@]}" >"$build/roots/$1.log" 2>&1 || { tail "$build/roots/$1.log" >&2; exit 1; }
  touch "$build/roots/$1/.complete"
}

# The first command of README.md, for an installed program, and its line of Python.
write_program() {
  echo 'set -e'
  echo 'cd /home/user'
  echo 'if command -v cc c++ gcc clang; then echo "a compiler is there"; exit 1; fi'
  echo 'python3 -m venv environment && . environment/bin/activate'
  echo 'pip install --quiet onnx-fold'
  sed -n '0,/^    /s,^    \./,,p' "$root/README.md"
  echo 'test -s model.folded.onnx'
  echo "python3 - <<'END'"
  echo 'import time; begin = time.perf_counter(); import onnx_fold'
  echo 'print(f"import onnx_fold: {1e3 * (time.perf_counter() - begin):.2f} ms")'
  sed -n 's/^`\(onnx_fold\.fold(.*)\)` (.*/result = \1/p' "$root/README.md"
  echo 'assert result.changed and result.path == "small.onnx", result'
  echo 'END'
  echo 'test -s small.onnx'
  echo 'python3 -V'
  echo 'deactivate'
  echo 'dpkg --install /wheels/*.deb && hash -r && test "$(command -v onnx-fold)" = /usr/bin/onnx-fold'
  echo 'cp model.folded.onnx wheel.onnx && onnx-fold --quiet model.onnx && cmp wheel.onnx model.folded.onnx'
  echo 'onnx-to-dml --version && dml-to-onnx --version'
}

for suite in "$@"; do
  [[ -e $build/roots/$suite/.complete ]] || make_root "$suite"
  home=$build/roots/$suite/home/user
  rm -rf "$home" "$build/roots/$suite/wheels"
  mkdir -p "$home" "$build/roots/$suite/wheels"
  cp "$wheel" "$package" "$build/roots/$suite/wheels/"
  cp "$root/examples/sample.onnx" "$home/model.onnx"
  write_program >"$home/program"
  say "Debian $suite:"
  env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/home/user PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels PIP_DISABLE_PIP_VERSION_CHECK=1 \
    chroot "$build/roots/$suite" /bin/sh /home/user/program
done
say "$# root file systems: what README.md begins with works"
